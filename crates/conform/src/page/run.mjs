// Opens the pages of cases in a browser, side by side, and does what they ask for: clicks, keys, screenshots. It is given
// as JSON, in its argument or on its standard input:
//
//   urls         the servers, such as http://127.0.0.1:4567: each plays one case at a time; all hosts *.test lead to it
//   cases        [{name, run}]: names of cases, and which recording of the case it is, from 1
//   browser      chromium, firefox or webkit; default: chromium
//   executable   the browser; default: the one that Playwright installed, or one on the path
//   headed       whether its window is shown
//   shots        whether screenshots are made
//   modules      the folder whose node_modules has playwright-core (Chromium) or puppeteer-core (Firefox); default: .
//   limit        seconds after which a page is given up; default: what the page's case says, and a little more
//
// It prints one line of JSON for each case: {name, run, ok, seconds, problem, shots: [{at, of, type, data}]}.
//
// A page and its driver talk by one call: playsim.next(answer) answers what the page wanted last, and returns what it wants
// next: {limit}, {click: [x, y]}, {key}, {shot, at, box} or {over}.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const SPARE = 30; // seconds for loading the page and sending the recording
const SIZE = { width: 700, height: 480 };
const BOX = { width: 640, height: 360 }; // of the player

const given = JSON.parse(process.argv[2] ?? readFileSync(0, 'utf8'));
const { urls, cases, browser = 'chromium', executable, headed, shots, modules = '.', limit } = given;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Ends with a message for the person who started it. */
function fail(text) {
  console.error(text);
  process.exit(3);
}

/** Returns a package of the folder. */
function load(...names) {
  const require = createRequire(path.resolve(modules, 'package.json'));
  for (const name of names) {
    try {
      return require(name);
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return fail(`no ${names[0]} in ${path.resolve(modules)}/node_modules; there: npm install ${names[0]}`);
}

/** Returns the first of these programs that is on the path. */
function program(...names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) => existsSync(file));
}

// --- Browsers. Each is launched for a server, and opens pages: {goto, next, click, key, shot, close}

const ENGINES = { chromium, firefox, webkit };

/** Chromium by its own protocol, with Playwright. */
async function chromium({ hostname, port }) {
  const { chromium: engine } = load('playwright-core', 'playwright');
  const own = () => (existsSync(engine.executablePath()) ? undefined : program('chromium', 'google-chrome', 'chromium-browser'));
  const instance = await engine.launch({
    executablePath: executable ?? own(),
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
  return {
    name: `Chromium ${instance.version()}`,
    close: () => instance.close(),
    async page() {
      const context = await instance.newContext({ viewport: SIZE });
      const page = await context.newPage();
      // Pages that a click opens are closed at once.
      context.on('page', (other) => other.close().catch(() => {}));
      const protocol = await context.newCDPSession(page);
      return {
        ended: new Promise((_, stop) => page.on('crash', () => stop(new Error('the page crashed')))),
        goto: (url) => page.goto(url, { timeout: 20_000 }),
        next: (answer) => page.evaluate((answer) => window.playsim.next(answer), answer),
        click: ([x, y]) => page.mouse.click(x, y),
        key: (key) => page.keyboard.press(key),
        async shot({ x, y, width, height }) {
          const clip = { x, y, width, height, scale: 0.5 };
          const { data } = await protocol.send('Page.captureScreenshot', { format: 'jpeg', quality: 60, clip });
          return { type: 'jpg', data };
        },
        close: () => context.close(),
      };
    },
  };
}

/** Firefox by WebDriver BiDi, with Puppeteer. */
async function firefox({ hostname, port }) {
  const puppeteer = load('puppeteer-core');
  const file = executable ?? program('firefox', 'firefox-esr');
  if (!file) fail('no program firefox or firefox-esr is on the path; name it with --executable FILE');
  const instance = await (puppeteer.default ?? puppeteer).launch({
    browser: 'firefox',
    executablePath: file,
    headless: !headed,
    protocolTimeout: 0,
    extraPrefsFirefox: {
      'network.proxy.type': 1,
      'network.proxy.http': hostname,
      'network.proxy.http_port': Number(port || 80),
      'network.proxy.ssl': hostname,
      'network.proxy.ssl_port': Number(port || 80),
      'network.proxy.allow_hijacking_localhost': true,
      'network.proxy.no_proxies_on': '',
      'network.proxy.failover_direct': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      'network.dns.disablePrefetch': true,
      'network.prefetch-next': false,
      'network.http.speculative-parallel-limit': 0,
      'dom.security.https_first': false,
      'dom.disable_open_during_load': true,
      // As in a new profile of a person: sound only after a gesture.
      'media.autoplay.default': 1,
      'media.autoplay.blocking_policy': 0,
      'media.volume_scale': '0.0',
      'media.block-autoplay-until-in-foreground': false,
    },
  });
  return {
    name: (await instance.version()).replace('/', ' ').replace(/^./, (letter) => letter.toUpperCase()),
    close: () => instance.close(),
    async page() {
      const context = await instance.createBrowserContext();
      const page = await context.newPage();
      await page.setViewport(SIZE);
      context.on('targetcreated', async (target) => (await target.page())?.close().catch(() => {}));
      return {
        ended: new Promise((_, stop) => page.on('error', stop)),
        goto: (url) => page.goto(url, { timeout: 20_000 }),
        next: (answer) => page.evaluate((answer) => window.playsim.next(answer), answer ?? null),
        click: ([x, y]) => page.mouse.click(x, y),
        key: (key) => page.keyboard.press(key),
        async shot(clip) {
          return { type: 'jpg', data: await page.screenshot({ type: 'jpeg', quality: 60, clip, encoding: 'base64' }) };
        },
        close: () => context.close(),
      };
    },
  };
}

/** WebKit by the WebDriver of WebKitGTK, which shows a window: without a display, on one of Xvfb. */
async function webkit({ hostname, port }) {
  const driver = executable ?? program('WebKitWebDriver');
  if (!driver) fail('no program WebKitWebDriver is on the path; on Debian it is in the package webkit2gtk-driver');
  const children = [];
  const start = (file, args, env) => {
    const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    child.on('error', (error) => fail(`${file}: ${error.message}`));
    children.push(child);
    process.on('exit', () => child.kill());
    return child;
  };
  let display = {};
  if (!headed || !(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)) {
    const server = program('Xvfb');
    if (!server) fail('WebKit needs a display, or the program Xvfb, which is not on the path; on Debian it is in the package xvfb');
    const { stdio } = start(server, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp']);
    const number = await new Promise((done) => stdio[3].once('data', (text) => done(String(text).trim())));
    display = { DISPLAY: `:${number}`, WAYLAND_DISPLAY: '', GDK_BACKEND: 'x11' };
  }
  const own = await freePort();
  start(driver, ['--host=127.0.0.1', `--port=${own}`], display);
  const send = async (method, at, body) => {
    const answer = await fetch(`http://127.0.0.1:${own}${at}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(value?.message || value?.error || `WebKitWebDriver: ${answer.status}`);
    return value;
  };
  for (let tries = 0; !(await send('GET', '/status').catch(() => undefined))?.ready; tries += 1) {
    if (tries > 50) fail('WebKitWebDriver does not answer');
    await sleep(100);
  }
  const proxy = { proxyType: 'manual', httpProxy: `${hostname}:${port || 80}` };
  const open = () => send('POST', '/session', { capabilities: { alwaysMatch: { proxy } } });
  const { sessionId: first, capabilities } = await open();
  await send('DELETE', `/session/${first}`);
  return {
    name: `WebKitGTK ${capabilities.browserVersion}`,
    close: () => children.forEach((child) => child.kill()),
    async page() {
      const { sessionId } = await open();
      const at = `/session/${sessionId}`;
      const post = (what, body) => send('POST', `${at}${what}`, body);
      await post('/timeouts', { script: 3_600_000, pageLoad: 20_000 });
      await post('/window/rect', { x: 0, y: 0, width: SIZE.width, height: SIZE.height + 120 });
      const window = await send('GET', `${at}/window`);
      const act = (type, actions, more) => post('/actions', { actions: [{ type, id: type, ...more, actions }] });
      return {
        ended: new Promise(() => {}),
        goto: (url) => post('/url', { url }),
        next: (answer) =>
          post('/execute/async', {
            script: 'const [answer, done] = arguments; playsim.next(answer).then(done)',
            args: [answer ?? null],
          }),
        async click([x, y]) {
          await act('pointer', [
            { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ]);
          for (const other of await send('GET', `${at}/window/handles`)) {
            if (other === window) continue;
            await post('/window', { handle: other });
            await send('DELETE', `${at}/window`);
            await post('/window', { handle: window });
          }
        },
        key: (key) =>
          act('key', [
            { type: 'keyDown', value: KEYS[key] ?? key },
            { type: 'keyUp', value: KEYS[key] ?? key },
          ]),
        async shot() {
          const box = await post('/element', { using: 'css selector', value: '#box' });
          return { type: 'png', data: await send('GET', `${at}/element/${Object.values(box)[0]}/screenshot`) };
        },
        close: () => send('DELETE', at).catch(() => {}),
      };
    },
  };
}

/** Keys that WebDriver writes as private characters. */
const KEYS = { Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004', Space: ' ', ArrowLeft: '\uE012', ArrowRight: '\uE014' };

async function freePort() {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

// --- Cases

/** Plays a case in a fresh page; returns the screenshots, and what went wrong. */
async function play(instance, { name, run }, taken) {
  const page = await instance.page();
  const deadline = { at: performance.now() + ((limit ?? 0) + SPARE) * 1000 };
  const late = async () => {
    while (performance.now() < deadline.at) await sleep(200);
    throw new Error('no recording in time');
  };
  const talk = async () => {
    const query = new URLSearchParams({ browser: instance.name, run });
    await page.goto(`http://page.test/case/${encodeURIComponent(name)}/?${query}`);
    for (let answer; ; ) {
      const want = await page.next(answer);
      answer = undefined;
      if (want.over) return want.over === 'done' ? undefined : want.over.replace('failed: ', '');
      if (want.limit) {
        deadline.at = performance.now() + ((limit ?? want.limit) + SPARE) * 1000;
        // The first one takes longest, and must not hold up the player.
        if (shots) await page.shot({ x: 0, y: 0, ...BOX }).catch(() => {});
      }
      if (want.click) answer = await page.click(want.click).then(() => true, () => false);
      if (want.key) answer = await page.key(want.key).then(() => true, () => false);
      if (want.shot && shots) {
        const made = await page.shot(want.box).catch(() => undefined);
        if (made) taken.push({ at: want.at, of: want.shot, ...made });
      }
    }
  };
  try {
    return await Promise.race([talk(), late(), page.ended]);
  } finally {
    await Promise.race([page.close(), sleep(10_000)]);
  }
}

if (!ENGINES[browser]) fail(`there is no browser ${browser}: chromium, firefox, webkit`);
const waiting = [...cases];
const work = async (url) => {
  let instance = await ENGINES[browser](new URL(url));
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const began = performance.now();
    const taken = [];
    const problem = await play(instance, next, taken).catch((error) => error.message.split('\n')[0]);
    const seconds = Math.round(performance.now() - began) / 1000;
    console.log(JSON.stringify({ ...next, ok: !problem, seconds, ...(problem && { problem }), shots: taken }));
    if (!problem || waiting.length === 0) continue;
    // It may have crashed, or hang.
    await Promise.race([Promise.resolve(instance.close()).catch(() => {}), sleep(10_000)]);
    instance = await ENGINES[browser](new URL(url));
  }
  await instance.close();
};
await Promise.all(urls.map((url) => work(url).catch((error) => fail(`${browser}: ${error.message}`))));
process.exit(0);
