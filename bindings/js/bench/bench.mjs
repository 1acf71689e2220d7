// npm run bench: what a test costs.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { world } from '../dist/node.js';
import { site } from '../examples/scenario.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const snippet = readFileSync(new URL('../examples/analytics/snippet.js', import.meta.url), 'utf8');
const watch = new Function('setTimeout', 'clearTimeout', 'Date', `${snippet}\nreturn watch;`);
const config = { id: 'site', width: '640', height: '360', video: 'film' };

const line = (name, value) => console.log(`${name.padEnd(62)} ${value}`);
const median = (all) => all.toSorted((one, other) => one - other)[all.length >> 1];
const millis = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const us = (ms) => `${(ms * 1000).toFixed(ms < 0.1 ? 1 : 0)} µs`;

/** The median time of a run, in milliseconds. */
function timed(run, times) {
  for (let round = 0; round < times / 4; round++) run();
  return median(Array.from({ length: times }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  }));
}

// --- From nothing to the first run, in a process of its own.
const cold = `const start = process.cpuUsage();
const { run } = await import(${JSON.stringify(pathToFileURL(`${here}../dist/node.js`).href)});
const trace = run(${JSON.stringify(site)});
if (trace.outcome !== 'idle') throw new Error(trace.outcome);
const { user, system } = process.cpuUsage(start);
console.log((user + system) / 1000);`;
const colds = Array.from({ length: 7 }, () => Number(execFileSync(process.execPath, ['--input-type=module', '-e', cold], { encoding: 'utf8' })));
line('import to the end of the first run, CPU', `${median(colds).toFixed(0)} ms`);

// --- A test like that of the analytics snippet.
function session(w) {
  let sent = 0;
  w.task(() => {
    const player = w.$player('player', config, () => player.play());
    watch(w.setTimeout, w.clearTimeout, w.Date)(player, (batch) => { sent += batch.length; });
  });
  w.clock.advance('30s');
  return sent;
}
line('a test: world, analytics snippet, pre-roll, film of 20 s', us(timed(() => { const w = world(site); session(w); w.free(); }, 400)));
line('  the same, and all its events', us(timed(() => { const w = world(site); session(w); w.events(); w.free(); }, 400)));
line('  the world alone', us(timed(() => world(site).free(), 400)));

// --- A callback with a call back.
const calls = (listens) => timed(() => {
  const w = world({ ...site, player: {} });
  const player = w.$player('player', config, () => player.play());
  if (listens) player.on('timeupdate', () => player.currentTime());
  w.clock.advance('30s');
  w.free();
}, 400);
const [without, with_] = [calls(false), calls(true)];
line('a callback that calls back (80 time updates read the time)', us((with_ - without) / 80));

// --- Sizes.
const bytes = readFileSync(new URL('../dist/playsim.wasm', import.meta.url));
line('playsim.wasm', `${(bytes.length / 1e6).toFixed(2)} MB, gzipped ${(gzipSync(bytes, { level: 9 }).length / 1e6).toFixed(2)} MB`);

// --- The same beside video.js, whose packages are its own: this package does not need them.
if (existsSync(new URL('node_modules', import.meta.url))) await besideVideojs();
else console.log('\nBeside video.js and jsdom: npm ci --prefix bench, then npm run bench again');

async function besideVideojs() {
  const cost = (run, times) => {
    for (let round = 0; round < times / 4; round++) run();
    const all = [];
    const cpu = process.cpuUsage();
    for (let round = 0; round < times; round++) {
      const start = performance.now();
      run();
      all.push(performance.now() - start);
    }
    const { user, system } = process.cpuUsage(cpu);
    const each = (user + system) / 1000 / times;
    return `best ${millis(Math.min(...all))}, median ${millis(median(all))}, CPU ${millis(each)}`;
  };

  console.log('\nThe same test, beside video.js in jsdom on fake timers with a faked media element');
  line('playsim', cost(() => { const w = world(site); session(w); w.free(); }, 400));
  const videojs = await import('./videojs.mjs');
  const bare = { controlBar: false };
  const place = videojs.page();
  for (const options of [{}, bare]) videojs.check(place, watch, options);
  line('video.js, in a page that is there', cost(() => videojs.session(place, watch), 7));
  line('  without its control bar', cost(() => videojs.session(place, watch, bare), 40));
  const own = (options) => () => {
    const fresh = videojs.page();
    videojs.session(fresh, watch, options);
    fresh.window.close();
  };
  line('video.js, in a page of its own', cost(own(), 5));
  line('  without its control bar', cost(own(bare), 20));
}
