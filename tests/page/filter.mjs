// Tries the filter of long pages of the book by keyboard, and says what is wrong with it.
//
//     node filter.mjs PACKAGES CHROMIUM DOCS
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [packages, executablePath, docs] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(packages), "package.json"));
const { chromium } = require("playwright-core");
const [script, style] = ["filter.js", "filter.css"].map(name => fs.readFileSync(path.join(docs, name), "utf8"));

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

async function open(main) {
  const page = await browser.newPage({ viewport: { width: 340, height: 700 }, colorScheme: "dark" });
  await page.setContent(`<style>${style}</style><main><h1>Page</h1><p>About it.</p>${main}</main><script>${script}</script>`);
  await page.evaluate(() => {
    globalThis.heard = 0;
    document.addEventListener("keydown", () => { globalThis.heard += 1; });
    dispatchEvent(new Event("pageshow"));
  });
  return page;
}

const shown = page => page.evaluate(() => [...document.querySelectorAll("main h2, main h3, main td:first-child")]
  .filter(node => node.checkVisibility()).map(node => node.textContent));
const table = rows => `<div><table><thead><tr><th>name</th><th></th></tr></thead><tbody>${
  rows.map(([name, text]) => `<tr id="${name}"><td>${name}</td><td>${text}</td></tr>`).join("")}</tbody></table></div>`;
const many = Array.from({ length: 30 }, (_, at) => [`row${at}`, "other"]);

const page = await open(`<h2>First</h2><p>Intro.</p>${table(many)}
  <h2>Second</h2>${table([["Skip", "a knob"], ["", "its OFFSET"], ["pause", "a knob"]])}`);
await page.keyboard.press("Tab");
await page.keyboard.type("offset knob");
assert.deepEqual(await shown(page), ["Second", "Skip", ""], "a row without a name belongs to the one above it");
assert.equal(await page.textContent("output"), "1 of 32");
await page.keyboard.press("ArrowLeft");
assert.equal(await page.evaluate(() => globalThis.heard), 1, "the book hears more than the tab key");
assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it is too wide");
await page.evaluate(() => { location.hash = "row7"; });
await page.waitForFunction(() => document.getElementById("row7").checkVisibility());
assert.equal((await shown(page)).length, 35, "a link within the page shows everything");
await page.focus("input");
await page.keyboard.type("no such word");
assert.deepEqual(await shown(page), []);
await page.keyboard.press("Escape");
assert.equal((await shown(page)).length, 35);

const codes = await open(`<p>Example.</p><h2>VAST</h2>${many.map(([name]) => `<h3>${name}</h3><p>text of ${name}.</p>`).join("")}`);
await codes.keyboard.press("Tab");
await codes.keyboard.type("row29");
assert.deepEqual(await shown(codes), ["VAST", "row29"]);
assert.ok(await codes.getByText("text of row29").isVisible() && !(await codes.getByText("Example").isVisible()));

assert.equal(await (await open(table(many.slice(1)))).locator("input").count(), 0, "a short page has a filter");
await browser.close();
