// Real browsers: each that is installed runs the tests. PLAYSIM_CHROMIUM and PLAYSIM_FIREFOX name their binaries.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

export const page = join(import.meta.dirname, '../dist/index.html');
export const address = pathToFileURL(page).href;
export const root = join(import.meta.dirname, '../..');

const installed = (variable, paths) => [process.env[variable], ...paths].find((path) => path && existsSync(path));

const CHROMIUM = installed('PLAYSIM_CHROMIUM', ['/usr/bin/chromium', '/usr/bin/google-chrome']);
const FIREFOX = installed('PLAYSIM_FIREFOX', ['/usr/bin/firefox-esr', '/usr/bin/firefox']);

/** The browsers, each with why it is left out. */
export const browsers = [
  { name: 'Chromium', missing: CHROMIUM ? false : 'Chromium is not installed', options: { executablePath: CHROMIUM, args: ['--no-sandbox'] } },
  { name: 'Firefox', missing: FIREFOX ? false : 'Firefox is not installed', options: { browser: 'firefox', executablePath: FIREFOX } },
];

export const launch = (browser) => puppeteer.launch({ headless: true, ...browser.options });

/** Opens the playground and waits for its first report. Errors and requests to the outside are kept. */
export async function open(browser, { width = 1280, height = 900, dark = false, fragment = '' } = {}) {
  const tab = await browser.newPage();
  tab.wrong = [];
  tab.on('console', (message) => { if (message.type() === 'error') tab.wrong.push(message.text()); });
  tab.on('pageerror', (error) => tab.wrong.push(error.message));
  tab.on('request', (request) => { if (!/^(file|blob|data):/.test(request.url())) tab.wrong.push(`a request to ${request.url()}`); });
  await tab.setViewport({ width, height });
  await tab.goto(address + fragment);
  await tab.waitForFunction(() => document.body.dataset.ready, { timeout: 30_000 });
  if (dark) await tab.click('#theme');
  return tab;
}

export const text = (tab, selector) => tab.$eval(selector, (element) => element.textContent);

/** Waits until the text of an element matches, and returns it. */
export async function until(tab, selector, pattern) {
  const wanted = [selector, pattern.source, pattern.flags];
  await tab.waitForFunction(([of, source, flags]) => new RegExp(source, flags).test(document.querySelector(of)?.textContent ?? ''), { timeout: 30_000 }, wanted);
  return text(tab, selector);
}

/** Does something that changes the scenario, and waits until it is played or refused. */
export async function played(tab, change) {
  const before = await tab.evaluate(() => Number(document.body.dataset.ready));
  await change();
  await tab.waitForFunction((count) => Number(document.body.dataset.ready) > count, { timeout: 60_000 }, before);
}

/** Puts another scenario in the place of the one in the editor. */
export function type(tab, scenario, files = {}) {
  return drop(tab, [{ name: 'typed.yaml', text: scenario }, ...Object.entries(files).map(([name, content]) => ({ name, text: content }))]);
}

/** Drops files on the page; bytes are given in Base64. */
export function drop(tab, files) {
  return tab.evaluate((given) => {
    const transfer = new DataTransfer();
    for (const { name, text, base64 } of given) {
      const content = base64 === undefined ? text : Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([content], name));
    }
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
  }, files);
}

/** Loads the page again. */
export async function reload(tab) {
  await tab.reload();
  await tab.waitForFunction(() => document.body.dataset.ready, { timeout: 30_000 });
}

/** Drops files of the disk as a person does. */
export async function dropReally(tab, selector, files) {
  const { x, y } = await (await tab.$(selector)).clickablePoint();
  const session = await tab.createCDPSession();
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, x, y, data });
  await session.detach();
}
