document.documentElement.classList.add("js");
document.querySelector(".try").addEventListener("toggle",({target})=>{const frame=target.querySelector("iframe");if(target.open)frame.src||=frame.dataset.src});
