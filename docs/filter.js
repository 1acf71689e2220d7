// A box above long tables and long lists of codes: what does not have all of its words is hidden.
(() => {
  "use strict";
  const FEWEST = 30;
  const main = document.querySelector("main");
  const isHeading = (node) => /^H[1-6]$/.test(node.tagName);
  const text = (nodes) => nodes.map((node) => node.textContent).join(" ").toLowerCase();

  // The rows of tables; a row without a name belongs to the one above it.
  function rows() {
    const entries = [];
    for (const table of main.querySelectorAll("table")) {
      for (const row of table.tBodies[0]?.rows ?? []) {
        const isMore = row.rowIndex > 1 && row.cells[0].textContent.trim() === "";
        if (isMore) entries.at(-1).push(row);
        else entries.push([row]);
      }
    }
    return entries;
  }

  // The sections of the lowest level, each with its heading.
  function sections() {
    return Array.from(main.querySelectorAll("h3"), (heading) => {
      const nodes = [heading];
      for (let next = heading.nextElementSibling; next && !isHeading(next); next = next.nextElementSibling) {
        nodes.push(next);
      }
      return nodes;
    });
  }

  if (!main) return;
  const entries = [rows(), sections()]
    .find((found) => found.length >= FEWEST)
    ?.map((nodes) => ({ nodes, text: text(nodes) }));
  if (!entries) return;

  // The part of the page that an entry is in, and the headings above it, the nearest first.
  function above([node]) {
    while (node.parentElement !== main) node = node.parentElement;
    const found = [node];
    let level = isHeading(node) ? node.tagName : "H7";
    for (let before = node; before; before = before.previousElementSibling) {
      if (isHeading(before) && before.tagName < level && before.tagName > "H1") {
        found.push(before);
        level = before.tagName;
      }
    }
    return found;
  }
  for (const entry of entries) entry.above = above(entry.nodes);

  const box = document.createElement("div");
  box.className = "filter";
  box.innerHTML =
    '<label for="filter">Filter this page</label>' +
    '<input id="filter" type="search" autocomplete="off" spellcheck="false">' +
    '<output for="filter"></output>';
  const [, input, output] = box.children;
  const intro = main.querySelector(":scope > h1 + p");
  if (intro) intro.after(box);
  else entries[0].above.at(-1).before(box);
  const rest = [];
  for (let next = box.nextElementSibling; next; next = next.nextElementSibling) rest.push(next);

  function apply() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = entries.filter((entry) => words.every((word) => entry.text.includes(word)));
    const kept = new Set(shown.flatMap((entry) => entry.above));
    for (const node of rest) node.hidden = words.length > 0 && !kept.has(node);
    for (const entry of entries) for (const node of entry.nodes) node.hidden = true;
    for (const entry of shown) for (const node of entry.nodes) node.hidden = false;
    output.textContent = words.length > 0 ? `${shown.length} of ${entries.length}` : "";
  }

  // The book turns its pages with the arrow keys, and opens its search with letters.
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") {
      input.value = "";
      apply();
    }
  });
  input.addEventListener("input", apply);
  // A link within the page leads to what it names, whatever is hidden.
  addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target?.closest("[hidden]")) {
      input.value = "";
      apply();
      target.scrollIntoView();
    }
  });
  // When the reader comes back, the browser has kept what was typed.
  addEventListener("pageshow", apply);
})();
