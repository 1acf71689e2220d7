import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { world } from 'playsim';
import { site } from '../scenario.js';

// The snippet as it is shipped, and the two lines that the page calls it with.
const script = `${readFileSync('examples/analytics/snippet.js', 'utf8')}
var player = $player('player', { id: 'site', width: '640', height: '360', video: 'film' }, function () { this.play(); });
watch(player, send);`;

let w;
afterEach(() => w.free());

function start(scenario) {
  w = world(scenario);
  const sent = [];
  const zero = w.Date.now();
  w.script(script, { send: (batch) => sent.push(...JSON.parse(batch).map((it) => ({ ...it, t: it.t - zero }))) });
  return sent;
}

test('a session with a pre-roll', async () => {
  const sent = start(site);
  await w.clock.runToEnd();
  expect(sent).toEqual([
    { name: 'ready', t: 0, title: 'The film' },
    { name: 'adError', t: 120, code: 303 },
    { name: 'adStart', t: 300, length: 4 },
    { name: 'adComplete', t: 4300, wp: 1 },
    { name: 'play', t: 4300, at: 0 },
    { name: 'start', t: 4300, src: 'film.mp4', duration: 20 },
    { name: 'lastSecond', t: 23300 },
    { name: 'ended', t: 24300, content: 20, ad: 4 },
  ]);
});

test('the viewer skips the ad and pauses', async () => {
  const sent = start(site);
  await w.clock.runTo('adMidpoint');
  w.user('skip');
  await w.clock.advanceAsync('5s');
  w.user('pause');
  await w.clock.advanceAsync('1s');
  expect(sent.map((it) => it.name)).toEqual(['ready', 'adError', 'adStart', 'adSkip', 'play', 'start', 'pause']);
  expect(sent.at(-1)).toEqual({ name: 'pause', t: 7300, at: 5 });
});

test.each([
  ['the ad server is down', { status: 503 }, 301],
  ['nothing comes in time', { fails: 'timeout' }, 301],
  ['what comes is no VAST', { text: '<html></html>' }, 101],
])('%s', async (_, answer, code) => {
  const sent = start({ ...site, network: { ...site.network, 'https://ads.test/second': answer } });
  await w.clock.runTo('start');
  expect(sent.filter((it) => it.name === 'adError').map((it) => it.code)).toEqual([303, code]);
});
