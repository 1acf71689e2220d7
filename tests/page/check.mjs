// Opens pages in a browser and says what is wrong with them: console messages, requests, sideways scrolling,
// links that lead nowhere, and what axe finds where axe-core is installed.
//
//     node check.mjs PACKAGES CHROMIUM PAGE...
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [packages, executablePath, ...pages] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(packages), "package.json"));
const { chromium } = require("playwright-core");
let axe = null;
try {
  axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
} catch {
  console.log("axe-core is not installed: accessibility is not checked");
}

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const WIDTHS = [360, 768, 1280];
const problems = [];

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

async function open(file, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const url = pathToFileURL(path.resolve(file)).href;
  const where = `${path.basename(file)} ${options.viewport.width} ${options.colorScheme}`;
  const say = what => problems.push(`${where}${options.javaScriptEnabled ? "" : " without script"}: ${what}`);
  page.on("console", message => ["error", "warning"].includes(message.type()) && say(message.text()));
  page.on("pageerror", error => say(error.message));
  page.on("request", request => request.url().split("#")[0] === url || say(`requests ${request.url()}`));
  await page.goto(url);
  return { context, page, say };
}

async function wide(page, say, state) {
  // Without a script of the page's own, evaluation still works: it is the browser's.
  const found = await page.evaluate(() => {
    const root = document.documentElement;
    const limit = root.clientWidth + 1;
    const isHeld = node => node.closest(".scroll, .src, .off, svg");
    const out = [...document.body.querySelectorAll("*")].filter(
      node => node.getBoundingClientRect().right > limit && !isHeld(node) && node.checkVisibility());
    const name = node => `${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""}`;
    return { by: root.scrollWidth - root.clientWidth, out: out.slice(0, 3).map(name) };
  });
  if (found.by > 0) say(`${state}: scrolls sideways by ${found.by} px (${found.out.join(", ")})`);
}

async function judge(page, say, state) {
  if (!axe) return;
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    values => globalThis.axe.run(document, { runOnly: { type: "tag", values }, resultTypes: ["violations"] }), TAGS);
  for (const { id, nodes } of violations) {
    say(`${state}: axe ${id}, ${nodes.length} times, such as ${nodes[0].html.slice(0, 200)}: ${nodes[0].failureSummary}`);
  }
}

// Opens a cell of each kind in a matrix of players. axe needs scripts.
async function cells(page, say, isJudged) {
  const kinds = ["knob", "differs", "choice", "unk"];
  await page.evaluate(() => { const box = document.querySelector(".mat") && document.getElementById("find"); if (box) { box.value = ""; box.dispatchEvent(new Event("input")); } });
  for (const kind of kinds) {
    const cell = page.locator(`.mat .c.${kind} a`).first();
    if (!(await cell.count())) continue;
    const id = (await cell.getAttribute("href")).slice(1);
    await cell.click();
    if (!(await page.locator(`[id="${id}"]`).isVisible())) say(`the ${kind} cell does not open`);
    await wide(page, say, `${kind} cell open`);
    // The head that stays in view covers a part of a row, and axe would find its links too small.
    await page.evaluate(() => scrollTo(0, 0));
    if (isJudged) await judge(page, say, `${kind} cell open`);
  }
}

for (const file of pages) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of WIDTHS) {
      const viewport = { width, height: 900 };
      const { context, page, say } = await open(file, { viewport, colorScheme, javaScriptEnabled: true });
      await wide(page, say, "folded");
      if (width !== 768) await judge(page, say, "folded");
      await page.evaluate(() => document.querySelectorAll("details").forEach(it => { it.open = true; }));
      await wide(page, say, "open");
      if (width !== 768) await judge(page, say, "open");
      if (width === 1280 && colorScheme === "light") {
        const lost = await page.evaluate(() => {
          const links = [...document.querySelectorAll("a[href], use[href]")];
          return links.map(it => it.getAttribute("href")).filter(href => !document.getElementById(href.slice(1)));
        });
        if (lost.length) say(`links lead nowhere: ${lost.slice(0, 5).join(", ")}`);
        const box = page.locator("#find");
        if (await box.count()) {
          await box.fill("no-such-word");
          const rows = await page.locator(".tr tbody tr:visible, .mat tr.r:visible").count();
          if (rows > 0) say(`the text filter leaves ${rows} rows`);
        }
      }
      await cells(page, say, width !== 768);
      await context.close();
    }
  }
  const { context, page, say } = await open(file,
    { viewport: { width: 1280, height: 900 }, colorScheme: "light", javaScriptEnabled: false });
  for (const id of ["#find", "#told"]) {
    if (await page.locator(id).filter({ visible: true }).count()) say(`${id} is shown, and needs a script`);
  }
  await cells(page, say, false);
  const kind = page.locator("#v-same");
  if (await kind.count()) {
    await kind.uncheck();
    const rows = page.locator(".mat tr.r");
    const stray = await rows.evaluateAll(all => all.filter(row => row.checkVisibility() && !row.querySelector(".knob, .differs, .choice, .unk")).length);
    if (stray) say(`${stray} rows have only cells that are the same, and are shown`);
    await kind.check();
  }
  const summary = page.locator("summary").filter({ visible: true }).first();
  if (await summary.count()) {
    const isOpen = () => summary.locator("..").getAttribute("open");
    const before = await isOpen();
    await summary.click();
    if ((await isOpen()) === before) say("a row does not open");
  }
  await context.close();
}
await browser.close();
if (problems.length) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`${pages.length} pages are sound`);
