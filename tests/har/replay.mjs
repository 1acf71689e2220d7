// Replays archives in a browser, as tests of web pages do: Playwright answers every request from the archive, and
// a page at its page's address fetches each address. Prints one line for what came otherwise than archived.
//
//   node replay.mjs PLAYWRIGHT CHROMIUM ARCHIVE...
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [folder, executablePath, ...archives] = process.argv.slice(2);
const { chromium } = createRequire(path.join(folder, 'x.js'))('playwright-core');
const args = ['--headless', '--no-sandbox', '--disable-gpu'];
const browser = await chromium.launch({ executablePath, args });
let wrong = 0;
let fetched = 0;
for (const archive of archives) {
  const { log } = JSON.parse(fs.readFileSync(archive, 'utf8'));
  const home = log.pages[0]._url;
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  // What is registered last is asked first: the page itself is no part of the archive.
  await context.routeFromHAR(archive, { notFound: 'abort' });
  await context.route(home, (route) => route.request().isNavigationRequest()
    ? route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }) : route.fallback());
  const page = await context.newPage();
  await page.goto(home);
  // Of several answers of one address Playwright gives the first.
  const first = new Map();
  for (const entry of log.entries) if (!first.has(entry.request.url)) first.set(entry.request.url, entry);
  for (const url of first.keys()) {
    let entry = first.get(url);
    const seen = new Set();
    while (entry?.response.redirectURL && !seen.has(entry)) {
      seen.add(entry);
      entry = first.get(entry.response.redirectURL);
    }
    if (!entry || seen.has(entry)) entry = undefined;
    const expected = !entry || entry.response.status === 0 ? { failed: true }
      : { status: entry.response.status, body: entry.response.content.text ?? '', type: entry.response.headers.find((h) => h.name === 'content-type')?.value ?? null };
    const got = await page.evaluate(async (address) => {
      try {
        const response = await fetch(address, { signal: AbortSignal.timeout(5000) });
        return { status: response.status, body: await response.text(), type: response.headers.get('content-type') };
      } catch (error) {
        return { failed: true, error: String(error) };
      }
    }, url);
    fetched += 1;
    const same = expected.failed ? got.failed : !got.failed && got.status === expected.status && got.body === expected.body && got.type === expected.type;
    if (!same) {
      wrong += 1;
      console.log(`${path.basename(archive)}: ${url}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
    }
  }
  await context.close();
}
await browser.close();
console.log(`${fetched} addresses of ${archives.length} archives fetched, ${wrong} wrong`);
process.exit(wrong ? 1 : 0);
