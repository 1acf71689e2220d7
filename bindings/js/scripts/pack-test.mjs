// What is published works: packs the package, installs it in fresh folders, and runs a first test there with Vitest, Jest
// (CommonJS and ES modules, its fake timers and its types) and node:test, then loads it in a page and in a worker of Chromium.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('..', import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'playsim-pack-'));
const failed = [];

const run = (command, args, cwd, env = {}) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1', ...env } });

async function check(name, body) {
  const start = Date.now();
  try {
    const note = await body();
    console.log(`ok      ${name}${note ? `: ${note}` : ''}  (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed.push(name);
    console.log(`FAILED  ${name}\n${error.stdout ?? ''}${error.stderr ?? ''}${error.stack}`);
  }
}

/** A fresh folder with the package and whatever else its tests need. */
function project(name, files, packages = []) {
  const path = join(folder, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  const wanted = packages.map((it) => `${it}@${devDependencies[it]}`);
  run('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--prefer-offline', tarball, ...wanted], path);
  return path;
}

const packed = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], here));
const { filename, size, files: inside } = [packed].flat(2)[0] ?? Object.values(packed)[0];
const tarball = join(folder, filename);
console.log(`${filename}: ${(size / 1024 / 1024).toFixed(2)} MiB, ${inside.length} files`);

// The first test of the README, and the same in the words of the others.
const first = readFileSync(join(here, 'examples/first/first.test.js'), 'utf8');
const body = first.slice(first.indexOf('// What the ad server'));
const asEsm = (imports) => imports + body;
const asCjs = (imports) => imports + body;

await check('Vitest', () => {
  const path = project('vitest', { 'package.json': '{ "private": true, "type": "module" }', 'first.test.js': first }, ['vitest']);
  run('npx', ['vitest', 'run'], path);
});

await check('Vitest without ES modules in the package, with types', () => {
  const path = project(
    'types',
    {
      'package.json': '{ "private": true }',
      'first.test.mts': first
        .replace('const codes = []', 'const codes: number[] = []')
        .replace("const player = w.$player", "const player = w.$player")
        .replace('this.play();\n  });', 'this.play();\n  })!;'),
      'common.cts': "import { run, SimError } from 'playsim';\nconst error: typeof SimError = SimError;\nvoid [run, error];\n",
      'tsconfig.json': JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', lib: ['es2023', 'esnext.disposable', 'dom'], skipLibCheck: false, types: [] },
        include: ['*.mts', '*.cts'],
      }),
    },
    ['vitest', 'typescript', '@types/node'],
  );
  run('npx', ['vitest', 'run'], path);
  run('npx', ['tsc', '-p', '.', '--skipLibCheck'], path);
});

const jestFollows = `
test('the fake timers of Jest drive it', () => {
  jest.useFakeTimers();
  const w = world(scenario), seen = [];
  w.follow();
  const start = Date.now();
  const player = w.$player('player', { id: 'p1', width: '640', height: '360', video: 'film' }, () => player.play());
  player.on('start', () => { seen.push(Date.now() - start); setTimeout(() => seen.push(player.currentTime()), 1500); });
  jest.advanceTimersByTime(5000);
  expect(seen).toEqual([200, 1.5]);
  expect(w.trace()).toMatchSnapshot();
  expect(w).toMatchTrace();
  w.free();
  jest.useRealTimers();
});
`;

await check('Jest in CommonJS, with its fake timers', () => {
  const text = asCjs("const { world } = require('playsim');\nrequire('playsim/jest');\n") + jestFollows;
  const path = project('jest-cjs', { 'package.json': '{ "private": true }', 'first.test.js': text }, ['jest', '@jest/globals']);
  run('npx', ['jest', '--ci=false'], path);
  const snapshot = readFileSync(join(path, '__snapshots__/first.test.js.snap'), 'utf8');
  if (!snapshot.includes('= `\nplaysim trace 1')) throw new Error(`the snapshot is not the text of a trace:\n${snapshot}`);
});

await check('Jest in ES modules', () => {
  const text = asEsm("import { jest } from '@jest/globals';\nimport { world } from 'playsim';\nimport 'playsim/jest';\n") + jestFollows;
  const files = { 'package.json': '{ "private": true, "type": "module", "jest": { "transform": {} } }', 'first.test.js': text };
  const path = project('jest-esm', files, ['jest', '@jest/globals']);
  run('npx', ['jest', '--ci=false'], path, { NODE_OPTIONS: '--experimental-vm-modules' });
});

await check('node:test', () => {
  const text = asEsm("import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { world } from 'playsim';\n")
    .replace(/  expect\(codes\).*\n/, '  assert.deepEqual(codes, [301]);\n')
    .replace(/  expect\(w\.clock.*\n/, '  assert.equal(w.clock.now(), 200);\n')
    .replace(/  expect\(w\)\.toHaveEvents\((.*)\);\n/, "  assert.deepEqual(w.events({ ignoring: ['timeupdate', 'progress'] }).map((it) => it.type), $1);\n");
  const path = project('node-test', { 'package.json': '{ "private": true }', 'first.test.mjs': text });
  run(process.execPath, ['--test'], path);
  run(process.execPath, ['-e', "if (require('playsim').world('videos: [{ id: a, renditions: { sd: a.mp4 } }]').clock.now() !== 0) process.exit(1)"], path);
});

const chromium = process.env.PLAYSIM_CHROMIUM ?? '/usr/bin/chromium';
const playwright = playwrightCore();
if (!existsSync(chromium) || !playwright) {
  console.log(`left out: a page and a worker; ${playwright ? `there is no ${chromium}` : 'there is no playwright-core (PLAYSIM_PLAYWRIGHT names the folder with its node_modules)'}`);
} else {
  await check('a page and a worker of Chromium', () => inChromium(playwright));
}

function playwrightCore() {
  for (const place of [process.env.PLAYSIM_PLAYWRIGHT, join(here, '../../conform'), here].filter(Boolean)) {
    try {
      return createRequire(join(place, 'package.json'))('playwright-core');
    } catch {
      // Not there.
    }
  }
  return undefined;
}

async function inChromium({ chromium: browsers }) {
  const path = project('browser', { 'package.json': '{ "private": true }' });
  const code = `import { init, world } from '/node_modules/playsim/dist/browser.js';
    const scenario = { videos: [{ id: 'film', renditions: { sd: 'film.mp4' } }], media: { 'film.mp4': { duration: '10s' } } };
    export async function play() {
      let early = ''; try { world(scenario); } catch (error) { early = error.message; }
      await Promise.all([init(), init()]);
      const w = world(scenario), player = w.$player('player', { id: 'p1', width: '640', height: '360', video: 'film' }, () => player.play());
      await w.clock.runTo('ended');
      const now = w.clock.now(); w.free();
      return [early, now].join(' | ');
    }`;
  const files = {
    '/index.html': '<!doctype html><title>playsim</title>',
    '/play.js': code,
    '/worker.js': "import { play } from '/play.js'; play().then(postMessage, (error) => postMessage(String(error)));",
  };
  const kinds = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost').pathname;
    const text = files[url] ?? (existsSync(join(path, url)) ? readFileSync(join(path, url)) : undefined);
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': kinds[extname(url)] ?? 'text/plain' }).end(text);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const browser = await browsers.launch({ executablePath: chromium, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/index.html`);
    const inPage = await page.evaluate(() => import('/play.js').then((it) => it.play()));
    const inWorker = await page.evaluate(() => new Promise((done, fail) => {
      const worker = new Worker('/worker.js', { type: 'module' });
      worker.onmessage = (event) => done(event.data);
      worker.onerror = (event) => fail(new Error(event.message));
    }));
    const due = 'the module is not loaded yet; call `await init()` once before anything else | 10000';
    for (const [where, got] of Object.entries({ inPage, inWorker })) if (got !== due) throw new Error(`${where}: ${got}`);
    return browser.version();
  } finally {
    await browser.close();
    server.close();
  }
}

if (failed.length === 0) rmSync(folder, { recursive: true, force: true });
else console.log(`failed: ${failed.join(', ')}; the folders are in ${folder}`);
process.exit(failed.length === 0 ? 0 : 1);
