document.documentElement.classList.add("js");
const box=document.getElementById("find"),told=document.getElementById("told"),rows=[...document.querySelectorAll(".tr tbody tr")];
box?.addEventListener("input",()=>{const words=box.value.toLowerCase().split(/\s+/).filter(Boolean);let n=0;
for(const row of rows){const text=row.textContent.toLowerCase();row.hidden=!words.every(word=>text.includes(word));n+=!row.hidden}
told.textContent=words.length?n+" of "+rows.length+" lines":""});
const follow=()=>{for(const row of rows)row.classList.remove("up");
const at=document.getElementById(location.hash.slice(1));if(at?.matches("details"))at.open=true;
const seen=new Set;let row=at?.closest(".tr tr");
while(row){if(seen.has(row))break;seen.add(row);row.classList.add("up");const link=row.querySelector(".up-to");row=link?document.getElementById(link.hash.slice(1)):null}};
addEventListener("hashchange",follow);follow();
