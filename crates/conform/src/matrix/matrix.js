document.documentElement.classList.add("js");
const box=document.getElementById("find"),told=document.getElementById("told"),rows=[...document.querySelectorAll(".mat tr.r")];
const words=rows.map(row=>{const next=row.nextElementSibling;return(row.textContent+(next?.matches(".det")?next.textContent:"")).toLowerCase()});
box?.addEventListener("input",()=>{const sought=box.value.toLowerCase().split(/\s+/).filter(Boolean);let n=0;
rows.forEach((row,at)=>{row.hidden=!sought.every(word=>words[at].includes(word));n+=!row.hidden});
for(const group of document.querySelectorAll(".mat .grp"))group.hidden=!group.querySelector("tr.r:not([hidden])");
told.textContent=sought.length?n+" of "+rows.length+" situations":""});
const follow=()=>{for(let at=document.getElementById(decodeURIComponent(location.hash.slice(1)))?.parentElement;at;at=at.parentElement)if(at.matches("details"))at.open=true};
addEventListener("hashchange",follow);follow();
