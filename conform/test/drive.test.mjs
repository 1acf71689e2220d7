// How the page of a case plays it, and what it posts: with a stand-in for the documented player, in the real driver.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { CHROMIUM, launch, missing, missingOther, MODULES, PAGE, script, serve } from './world.mjs';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));
const TRACKERS = [
  'start',
  'firstQuartile',
  'midpoint',
  'thirdQuartile',
  'complete',
  'skip',
  'pause',
  'resume',
];
const VAST = `<VAST version="3.0"><Ad><InLine><Impression>http://t.test/impression</Impression><Creatives><Creative>
<Linear><TrackingEvents>${TRACKERS.map((name) => `<Tracking event="${name}">http://t.test/${name}</Tracking>`).join('')}
</TrackingEvents><VideoClicks><ClickThrough>http://shop.test/</ClickThrough><ClickTracking>http://t.test/click</ClickTracking>
</VideoClicks><MediaFiles><MediaFile type="video/webm">http://m.test/ad.webm</MediaFile></MediaFiles></Linear>
</Creative></Creatives></InLine></Ad></VAST>`;

const FILM = { src: 'http://content.test/film.webm', seconds: 1 };
const PRE = { kind: 'pre', at: null, lasts: null, tags: ['http://ads.test/one'] };
const scenario = { name: 'a case', player: { ads: [{ adType: 0, adTimeType: 's', mobile: PRE.tags }] } };
const step = (what) => ({ on: null, nth: null, at: null, after: 0, ...what });
const base = {
  title: 'a case',
  limit: 20,
  films: [FILM],
  ads: [PRE],
  needs: [],
  muted: true,
  steps: [],
  scenario,
};
const content = { ...base, ads: [], adapter: 'element' };

const CASES = {
  plays: { ...base },
  skips: {
    ...base,
    steps: [
      step({ at: 0, do: { call: 'muted', args: [true] } }),
      step({ on: 'adStart', nth: 1, after: 0.5, do: { user: 'skip', args: [] } }),
      step({ on: 'start', after: 0.3, do: { call: 'currentTime', args: [0.9] } }),
    ],
  },
  clicks: {
    ...base,
    muted: false,
    steps: [
      step({ on: 'adStart', after: 0.4, do: { user: 'click' } }),
      step({ on: 'adPause', after: 0.5, do: { user: 'play' } }),
    ],
  },
  replays: {
    ...content,
    steps: [step({ on: 'ended', nth: 1, after: 0.2, do: { call: 'play' } })],
  },
  stays: { ...content, limit: 1.5, steps: [step({ at: 0.3, do: { user: 'pause' } })] },
  needs: { ...base, needs: ['playlist'] },
  presses: {
    ...content,
    adapter: `playsim.adapter({ name: 'keys', async start({ box, films: [{ src }], muted }) {
      const video = Object.assign(document.createElement('video'), { muted, src });
      box.replaceChildren(video);
      box.tabIndex = 0;
      box.onkeydown = ({ key, isTrusted }) => key === 'k' && isTrusted && video.pause();
      return { play: () => video.play(), pause: { key: 'k', on: '#box' }, skip: '#box' };
    } })`,
    steps: [step({ at: 0.3, do: { user: 'pause' } }), step({ at: 0.8, do: { user: 'play' } })],
  },
};

/** Cases that the adapter does not play as they are written, and why. */
const start = (code) => `playsim.adapter({ name: 'broken', start({ box, films: [{ src }] }) {
  const video = Object.assign(document.createElement('video'), { muted: true, src });
  box.replaceChildren(video);
  ${code}
} })`;
const PROBLEMS = {
  throws: [{ adapter: start("throw new Error('no box')") }, 'the adapter throws in start: no box'],
  empty: [{ adapter: '' }, 'the adapter does not call playsim.adapter({...})'],
  wrong: [{ adapter: 'playsim.adapter({ name: "wrong", start() { return 1 1 } })' }, /^the adapter: .*SyntaxError.* \(line 1\)$/],
  nameless: [{ adapter: 'playsim.adapter({ start() {} })' }, 'the adapter has no name'],
  idle: [{ adapter: "playsim.adapter({ name: 'idle' })" }, 'the adapter has no function start'],
  lacks: [{ adapter: start('return { pause() {} }') }, 'the adapter has no function play'],
  fly: [
    { adapter: 'element', ads: [], steps: [step({ on: 'start', after: 0.2, do: { user: 'fly' } })] },
    'the adapter has no fly',
  ],
  later: [
    { adapter: start('return { play: () => video.play(), pause: () => video.halt() }'), steps: [step({ at: 0.3, do: { call: 'pause' } })] },
    /^the adapter throws in pause: .*halt/,
  ],
  loose: [
    { adapter: start('video.onplaying = () => video.cheer(); return { play: () => video.play() }') },
    /^the adapter: .*cheer.* \(line 4\)$/,
  ],
  nowhere: [
    { adapter: start("return { play: () => video.play(), skip: '.no-such-button' }"), steps: [step({ at: 0.3, do: { user: 'skip' } })] },
    'skip: nothing on the page ever matched .no-such-button',
  ],
  never: [
    { adapter: 'element', ads: [], steps: [step({ on: 'adStart', nth: 1, do: { user: 'skip' } })] },
    'the user never came to skip: adStart number 1 was not seen',
  ],
  early: [
    {
      adapter: start("video.play(); return new Promise((done) => setTimeout(() => done({ play() {} }), 500))"),
      steps: [step({ on: 'start', do: { user: 'pause' } })],
    },
    'the content plays before play() is called',
  ],
};
for (const [name, [made]] of Object.entries(PROBLEMS)) CASES[name] = { ...base, ads: [], ...made };
CASES.optional = { ...content, steps: [step({ on: 'adStart', optional: true, do: { user: 'skip' } })] };
/** Those that each browser plays. */
const COMMON = ['plays', 'skips', 'clicks', 'presses'];

let recordings = {};
let server;
let results = {};

/** Plays cases in a browser. */
async function play(cases, more) {
  [recordings, results] = [{}, {}];
  const given = {
    urls: [`http://127.0.0.1:${server.port}`],
    cases: cases.map((name) => ({ name, run: 1 })),
    modules: MODULES,
    shots: true,
    ...more,
  };
  const { stdout } = await promisify(execFile)('node', [`${PAGE}/run.mjs`, JSON.stringify(given)], { maxBuffer: 1 << 26 });
  for (const line of stdout.trim().split('\n')) {
    const { name, ...result } = JSON.parse(line);
    results[name] = result;
  }
}

before(async () => {
  if (missing) return;
  const answers = {
    'http://ads.test/one': { type: 'text/xml', body: VAST },
    'http://m.test/ad.webm': { seconds: 1.6 },
    [FILM.src]: { seconds: FILM.seconds },
  };
  for (const name of [...TRACKERS, 'impression', 'click']) answers[`http://t.test/${name}`] = { status: 204 };
  const html = readFileSync(`${PAGE}/page.html`, 'utf8');
  for (const [name, { adapter = 'player', ...made }] of Object.entries(CASES)) {
    const at = `http://page.test/case/${name}/`;
    const known = /^\w+$/.test(adapter);
    Object.assign(answers, {
      [at]: { body: html.replace('<!-- libraries -->', '<script src="lib/0.js"></script>') },
      [`${at}case.json`]: { type: 'application/json', body: JSON.stringify({ name, ...made }) },
      [`${at}recorder.js`]: script(`${PAGE}/recorder.js`),
      [`${at}drive.js`]: script(`${PAGE}/drive.js`),
      [`${at}adapter.js`]: known
        ? script(here(`../adapters/${adapter}.js`))
        : { type: 'text/javascript', body: adapter },
      [`${at}lib/0.js`]: script(here('stand_in.js')),
      [`${at}recording`](body) {
        const [head, ...lines] = body
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
        recordings[name] = {
          head: head.data,
          lines: lines.map(({ kind, name, data }) => [kind, name, ...Object.values(data ?? {})].join(' ')),
        };
        return { type: 'application/json', body: '{}' };
      },
    });
  }
  server = await serve(answers);
  await play(Object.keys(CASES), { executable: CHROMIUM });
});
after(() => server?.stop());

const of = (name, form) => recordings[name].lines.filter((line) => form.test(line));

test('the driver says how each case went', { skip: missing }, () => {
  assert.deepEqual(Object.keys(results), Object.keys(CASES));
  for (const [name, { ok, problem }] of Object.entries(results)) assert.ok(ok, `${name}: ${problem}`);
});

test(
  'a pre-roll: calls, documented events, trackers and what is on screen, in their order',
  { skip: missing },
  () => {
    const { head } = recordings.plays;
    assert.equal(head.player, 'player');
    assert.match(head.browser, /^Chromium \d+\.\d+\.\d+\.\d+$/);
    assert.deepEqual(head.hears, ['net', 'media', 'ui', 'diag', 'page', 'call', 'user', 'native', 'event']);
    const lines = of(
      'plays',
      /^(call|user|net request|ui|diag|event (?!timeupdate|seeked|progress|volume|mute))/,
    );
    assert.deepEqual(lines, [
      'call play',
      'event requestAd',
      'net request http://ads.test/one fetch',
      'net request http://m.test/ad.webm media',
      'ui shown http://m.test/ad.webm',
      'event adImpression',
      'net request http://t.test/impression image',
      'event adStart',
      'net request http://t.test/start image',
      'event adFirstQuartile',
      'net request http://t.test/firstQuartile image',
      'event adMidpoint',
      'net request http://t.test/midpoint image',
      'event adThirdQuartile',
      'net request http://t.test/thirdQuartile image',
      'ui gone http://m.test/ad.webm',
      'event adComplete 0 0 1',
      'net request http://t.test/complete image',
      'event adEnd',
      'net request http://content.test/film.webm media',
      'ui shown http://content.test/film.webm',
      'event start',
      'ui gone http://content.test/film.webm',
      'event ended',
    ]);
  },
);

test('steps: at a time, after an event, by calls and by real presses', { skip: missing }, () => {
  assert.deepEqual(of('skips', /^(call|user|diag|event (adStart|adSkip|adComplete|start|seeked))/), [
    'call play',
    'call muted true',
    'event adStart',
    'user skip',
    'event adSkip 0 0 1',
    'event start',
    'call currentTime 0.9',
    'event seeked',
  ]);
  assert.deepEqual(of('clicks', /^(user|ui navigate|event ad(Clicked|Pause|Resume|Complete)|diag)/), [
    'user click',
    'event adClicked',
    'ui navigate http://shop.test/',
    'event adPause',
    'user play',
    'event adResume',
    'event adComplete 0 0 1',
  ]);
});

test('without documented events, steps go by what is on screen', { skip: missing }, () => {
  assert.deepEqual(of('replays', /^(call|user|ui|diag)/), [
    'call play',
    `ui shown ${FILM.src}`,
    `ui gone ${FILM.src}`,
    'call play',
    `ui shown ${FILM.src}`,
    `ui gone ${FILM.src}`,
  ]);
});

test('a control may be a key, which is pressed for real', { skip: missing }, () => {
  assert.deepEqual(of('presses', /^(user|diag|media pause)/), [
    'user pause',
    `media pause ${FILM.src} ${of('presses', /^media pause/)[0].split(' ').at(-1)}`,
    'user play',
    `media pause ${FILM.src} 1`,
  ]);
});

test('screenshots of the decisive instants', { skip: missing }, () => {
  const names = results.plays.shots.map(({ of }) => of);
  assert.deepEqual(names, ['asked', 'ad', 'middle', 'ad-end', 'content', 'end']);
  for (const { type, data } of results.plays.shots) {
    assert.equal(type, 'jpg');
    assert.ok(Buffer.from(data, 'base64').length > 500);
  }
});

test('what does not end is given up, and what cannot be shown says why', { skip: missing }, () => {
  assert.deepEqual(of('stays', /^(diag|user)/), ['user pause', 'diag note not over after 1.5 s']);
  assert.equal(recordings.needs.head.cannot, 'player has no playlist');
  assert.deepEqual(recordings.needs.lines, []);
});

for (const [name, [, due]] of Object.entries(PROBLEMS)) {
  test(`what is not played as written says so: ${name}`, { skip: missing }, () => {
    const { problems } = recordings[name].head;
    assert.equal(problems?.length, 1, `${problems}`);
    if (due instanceof RegExp) assert.match(problems[0], due);
    else assert.equal(problems[0], due);
  });
}

test('cases that are played as written have no problems', { skip: missing }, () => {
  for (const name of Object.keys(CASES).filter((name) => !PROBLEMS[name]))
    assert.equal(recordings[name].head.problems, undefined, name);
});

test('opened by hand, a page says what to press, and when', { skip: missing }, async () => {
  delete recordings.skips;
  const browser = await launch(server.port);
  const page = await browser.newPage();
  await page.goto('http://page.test/case/skips/');
  await page.getByText('Please press #player .skip now.').waitFor();
  await page.click('#player .skip');
  await page.waitForFunction(() => document.title !== 'playing');
  assert.equal(await page.title(), 'done');
  await browser.close();
  assert.deepEqual(of('skips', /^(user|event (adSkip|adComplete)|diag)/), [
    'user skip',
    'event adSkip 0 0 1',
  ]);
});

for (const [browser, reason] of Object.entries(missingOther)) {
  test(`${browser}: the same lines, real clicks and keys, screenshots`, { skip: reason }, async () => {
    const due = recordings;
    // A quartile may come before or after an act.
    const form = /^(call|user|ui (shown|navigate)|event ad(?!FirstQ)|diag)/;
    const expected = Object.fromEntries(COMMON.map((name) => [name, due[name].lines.filter((line) => form.test(line))]));
    await play(COMMON, { browser });
    for (const name of COMMON) {
      assert.equal(results[name].problem, undefined, name);
      assert.match(recordings[name].head.browser, /^(Firefox|WebKitGTK) \d/);
      assert.deepEqual(of(name, form), expected[name], name);
    }
    assert.ok(results.plays.shots.length >= 5, JSON.stringify(results.plays.shots.map(({ of }) => of)));
  });
}
