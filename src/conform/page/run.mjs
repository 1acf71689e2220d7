// Opens the pages of cases in Chromium, one after another, and presses what they ask for. It is given as JSON, in
// its argument or on its standard input:
//
//   url          the server, such as http://127.0.0.1:4567; all hosts *.test lead to it
//   cases        names of cases
//   executable   the browser; default: the one that Playwright installed
//   headed       whether its window is shown
//   modules      the folder whose node_modules has playwright-core or playwright; default: the current one
//   limit        seconds after which a page is given up; default: what the page's case says, and a little more
//
// It prints one line of JSON for each case: {name, ok, seconds, problem}.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const SPARE = 30; // seconds for loading the page and sending the recording
const POLL = 200; // milliseconds

const given = JSON.parse(process.argv[2] ?? readFileSync(0, 'utf8'));
const { url, cases, executable, headed, modules = '.', limit } = given;
const { hostname, port } = new URL(url);
const browser = await playwright(modules).chromium.launch({
  executablePath: executable ?? undefined,
  headless: !headed,
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--mute-audio',
    '--proxy-server=direct://',
    '--autoplay-policy=document-user-activation-required',
    '--disable-features=HttpsUpgrades,HttpsFirstBalancedMode,HttpsFirstBalancedModeAutoEnable',
    `--host-resolver-rules=MAP *.test ${hostname}:${port || 80},MAP * ~NOTFOUND,EXCLUDE ${hostname}`,
  ],
});
for (const name of cases) {
  const began = performance.now();
  const problem = await play(name).catch((error) => error.message.split('\n')[0]);
  const seconds = Math.round(performance.now() - began) / 1000;
  console.log(JSON.stringify({ name, ok: !problem, seconds, ...(problem && { problem }) }));
}
await browser.close();

function playwright(folder) {
  const require = createRequire(path.resolve(folder, 'package.json'));
  for (const name of ['playwright-core', 'playwright']) {
    try {
      return require(name);
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  console.error(
    `no playwright-core in ${path.resolve(folder)}/node_modules; there: npm install playwright-core`,
  );
  process.exit(3);
}

/** Clicks on an element that is visible now, with the mouse, even if another covers it; returns whether it did. */
async function press(element) {
  try {
    if (!(await element.isVisible())) return false;
    await element.click({ timeout: 1500, force: true });
    return true;
  } catch {
    return false;
  }
}

/** Plays a case in a fresh browser context; returns what went wrong. */
async function play(name) {
  const context = await browser.newContext({ viewport: { width: 700, height: 480 } });
  try {
    await context.addInitScript(`(window.playsim ??= {}).browser = 'Chromium ${browser.version()}'`);
    const page = await context.newPage();
    let crashed = false;
    page.on('crash', () => {
      crashed = true;
    });
    // Pages that a click opens are closed at once.
    context.on('page', (other) => other.close().catch(() => {}));
    await page.exposeFunction('playsimPress', (selector) => press(page.locator(selector).first()));
    await page.goto(`http://page.test/case/${encodeURIComponent(name)}/`, { timeout: 20_000 });
    let due = limit;
    for (let waited = 0; waited < ((due ?? 0) + SPARE) * 1000; waited += POLL) {
      if (crashed) return 'the page crashed';
      const [title, says] = await page.evaluate('[document.title, window.playsim?.case?.limit]');
      due ??= says;
      if (title === 'done') return undefined;
      if (title.startsWith('failed')) return title.replace('failed: ', '');
      await new Promise((next) => setTimeout(next, POLL));
    }
    return `no recording after ${(due ?? 0) + SPARE} s`;
  } finally {
    await context.close();
  }
}
