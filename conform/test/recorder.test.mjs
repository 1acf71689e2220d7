// What the recorder writes of calls that are known: exactly these lines, in this order.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, missing, PAGE, script, serve } from './world.mjs';

const VAST = '<?xml version="1.0"?>\n<VAST version="3.0"></VAST>';
const VMAP = '<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"/>';
const page = (more = '') =>
  `<!doctype html><title>page</title>${more}<script src="/app/recorder.js" data-own="/app/"></script><body>`;
const ANSWERS = {
  'http://page.test/': { body: page() },
  'http://page.test/frozen': {
    body: page(`<script>
      Object.freeze(navigator); delete Navigator.prototype.sendBeacon; Object.freeze(HTMLImageElement.prototype);
      window.HTMLIFrameElement = undefined;
    </script>`),
  },
  'http://page.test/app/recorder.js': script(`${PAGE}/recorder.js`),
  'http://page.test/app/own.json': { type: 'application/json', body: '{}' },
  'http://page.test/frame': { body: '' },
  'http://page.test/script.js': { type: 'text/javascript', body: '' },
  'http://ads.test/vast': { type: 'text/xml', body: VAST },
  'http://ads.test/vmap': { type: 'application/xml', body: VMAP },
  'http://ads.test/other': { type: 'text/xml', body: '<RSS/>' },
  'http://ads.test/empty': { status: 204 },
  'http://ads.test/reset': { how: 'reset' },
  'http://ads.test/never': { how: 'never' },
  'http://content.test/film.webm': { seconds: 1 },
  'http://content.test/long.webm': { seconds: 2 },
  'http://m.test/ad.webm': { seconds: 0.6 },
};

let server, browser;
before(async () => {
  if (missing) return;
  server = await serve(ANSWERS);
  browser = await launch(server.port);
});
after(async () => {
  await browser?.close();
  server?.stop();
});

/** Runs a function in a fresh page, and returns its lines: each as one text, without times. */
async function record(work, { kinds = ['net', 'ui', 'diag', 'page'], path = '/' } = {}) {
  const page = await browser.newPage();
  await page.goto(`http://page.test${path}`);
  await page.evaluate(work);
  const lines = await page.evaluate(() => playsim.recorder.lines());
  await page.close();
  for (const [index, { t }] of lines.entries()) {
    assert.ok(Number.isInteger(t) && t >= (lines[index - 1]?.t ?? 0), `line ${index} is at ${t}`);
  }
  return lines
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, name, data }) => [kind, name, ...Object.values(data ?? {})].join(' '));
}

test('requests, by the way they are made', { skip: missing }, async () => {
  const lines = await record(async () => {
    new Image().src = 'http://t.test/image';
    document.createElement('img').setAttribute('SRC', '//t.test/attribute');
    new Image().src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
    navigator.sendBeacon('http://t.test/beacon', 'x');
    for (const [tag, src] of [
      ['script', '/script.js'],
      ['iframe', '/frame'],
    ])
      document.body.append(Object.assign(document.createElement(tag), { src }));
    new Image().setAttribute('alt', 'http://t.test/alt');
    await fetch('/app/own.json');
    await fetch(new Request('http://ads.test/empty'));
    window.open('http://shop.test/')?.close();
  });
  assert.deepEqual(lines, [
    'net request http://t.test/image image',
    'net request http://t.test/attribute image',
    'net request http://t.test/beacon beacon',
    'net request http://page.test/script.js script',
    'net request http://page.test/frame frame',
    'net request http://ads.test/empty fetch',
    'net response http://ads.test/empty 204',
    'ui navigate http://shop.test/',
  ]);
});

test(
  'answers to fetch: text of VAST and VMAP only, and the page reads its own body',
  { skip: missing },
  async () => {
    const lines = await record(async () => {
      for (const name of ['vast', 'vmap', 'other', 'missing']) {
        const text = await (await fetch(`http://ads.test/${name}`)).text();
        if (text === '') throw new Error('the body is gone');
      }
      await fetch('http://ads.test/reset').catch(() => {});
      const limit = new AbortController();
      const cut = fetch('http://ads.test/never', { signal: limit.signal }).catch(() => {});
      limit.abort();
      await cut;
      await fetch('http://ads.test/vast', { mode: 'no-cors' });
    });
    assert.deepEqual(lines, [
      'net request http://ads.test/vast fetch',
      `net response http://ads.test/vast 200 ${VAST}`,
      'net request http://ads.test/vmap fetch',
      `net response http://ads.test/vmap 200 ${VMAP}`,
      'net request http://ads.test/other fetch',
      'net response http://ads.test/other 200',
      'net request http://ads.test/missing fetch',
      'net response http://ads.test/missing 404',
      'net request http://ads.test/reset fetch',
      'net failed http://ads.test/reset TypeError',
      'net request http://ads.test/never fetch',
      'net failed http://ads.test/never AbortError',
      'net request http://ads.test/vast fetch',
    ]);
  },
);

test('answers to XMLHttpRequest come before what the page makes of them', { skip: missing }, async () => {
  const lines = await record(async () => {
    const ask = (url, type = '', xhr = new XMLHttpRequest()) =>
      new Promise((done) => {
        xhr.onreadystatechange = () => {
          if (xhr.readyState === 4) playsim.recorder.note(`${xhr.status} by now`);
        };
        xhr.onloadend = () => done(xhr);
        xhr.open('GET', url);
        xhr.responseType = type;
        if (url.endsWith('never')) xhr.timeout = 50;
        xhr.send();
      });
    const xhr = await ask('http://ads.test/vast');
    await ask('http://ads.test/missing', '', xhr);
    await ask('http://ads.test/vast', 'arraybuffer');
    await ask('http://ads.test/vmap', 'document');
    await ask('http://ads.test/reset');
    await ask('http://ads.test/never');
  });
  assert.deepEqual(lines, [
    'net request http://ads.test/vast xhr',
    `net response http://ads.test/vast 200 ${VAST}`,
    'diag note 200 by now',
    'net request http://ads.test/missing xhr',
    'net response http://ads.test/missing 404',
    'diag note 404 by now',
    'net request http://ads.test/vast xhr',
    `net response http://ads.test/vast 200 ${VAST}`,
    'diag note 200 by now',
    'net request http://ads.test/vmap xhr',
    `net response http://ads.test/vmap 200 ${VMAP}`,
    'diag note 200 by now',
    'net request http://ads.test/reset xhr',
    'diag note 0 by now',
    'net failed http://ads.test/reset error',
    'net request http://ads.test/never xhr',
    'diag note 0 by now',
    'net failed http://ads.test/never timeout',
  ]);
});

/** In the page: returns a promise of the next event of this name. */
const HELPERS = `
  const next = (target, name) => new Promise((done) => target.addEventListener(name, done, { once: true }));
  const film = 'http://content.test/film.webm';
  const make = () => { const video = document.createElement('video'); video.muted = true; return video; };
  const put = (video) => { document.body.append(video); return video; };
`;
const media = (body) => record(`(async () => {${HELPERS}${body}})()`, { kinds: ['net', 'media', 'ui'] });

test('one element: what it shows, a pause, the end, the film again', { skip: missing }, async () => {
  const lines = await media(`
    const video = put(make());
    video.src = film;
    await video.play();
    await next(video, 'timeupdate');
    video.pause();
    await next(video, 'pause');
    video.play();
    await next(video, 'ended');
    video.play();
    await next(video, 'ended');`);
  const src = 'http://content.test/film.webm';
  const firm = /^(net|ui|media (loadstart|loadedmetadata|pause|ended) )/;
  assert.deepEqual(
    lines.filter((line) => firm.test(line)).map((line) => line.replace(/ [\d.]+$/, '')),
    [
      `net request ${src} media`,
      `media loadstart ${src}`,
      `media loadedmetadata ${src}`,
      `ui shown ${src}`,
      `media pause ${src}`,
      `media pause ${src}`,
      `media ended ${src}`,
      `ui gone ${src}`,
      `ui shown ${src}`,
      `media pause ${src}`,
      `media ended ${src}`,
      `ui gone ${src}`,
    ],
  );
});

test('a shared element: an ad instead of the film, and back', { skip: missing }, async () => {
  const lines = await media(`
    const video = put(make());
    for (const src of [film, 'http://m.test/ad.webm', film]) {
      video.src = src;
      video.load();
      await video.play();
      await next(video, 'timeupdate');
      await next(video, 'timeupdate');
    }`);
  assert.deepEqual(
    lines.filter((line) => /^(ui|net)|emptied/.test(line)).map((line) => line.replace(/ 0$/, '')),
    [
      'net request http://content.test/film.webm media',
      'media emptied http://content.test/film.webm',
      'ui shown http://content.test/film.webm',
      'net request http://m.test/ad.webm media',
      'media emptied http://content.test/film.webm',
      'ui gone http://content.test/film.webm',
      'ui shown http://m.test/ad.webm',
      'net request http://content.test/film.webm media',
      'media emptied http://m.test/ad.webm',
      'ui gone http://m.test/ad.webm',
      'ui shown http://content.test/film.webm',
    ],
  );
});

test('two elements: the ad over the film, which may go on beneath it', { skip: missing }, async () => {
  const lines = await media(`
    document.body.style.position = 'relative';
    const [one, two] = [put(make()), put(make())];
    one.src = 'http://content.test/long.webm';
    await one.play();
    await next(one, 'timeupdate');
    two.setAttribute('src', 'http://m.test/ad.webm');
    await two.play();
    await next(two, 'ended');
    await next(one, 'ended');`);
  assert.deepEqual(
    lines.filter((line) => /^ui/.test(line)),
    [
      'ui shown http://content.test/long.webm',
      'ui gone http://content.test/long.webm',
      'ui shown http://m.test/ad.webm',
      'ui gone http://m.test/ad.webm',
      'ui shown http://content.test/long.webm',
      'ui gone http://content.test/long.webm',
    ],
  );
});

test('sources, HTML that is parsed, elements that nobody sees, errors', { skip: missing }, async () => {
  const lines = await media(`
    const video = make();
    const source = document.createElement('source');
    source.src = film;
    video.append(source);
    put(video);
    await next(video, 'loadedmetadata');
    document.body.insertAdjacentHTML('beforeend', '<video muted src="' + film + '?parsed"></video>');
    await next(document.body.lastChild, 'loadedmetadata');
    const unseen = make();
    unseen.src = film + '?unseen';
    await unseen.play();
    await next(unseen, 'timeupdate');
    const hidden = put(make());
    hidden.style.display = 'none';
    hidden.src = film + '?hidden';
    await hidden.play();
    await next(hidden, 'timeupdate');
    const gone = put(make());
    gone.src = 'http://m.test/missing.webm';
    await next(gone, 'error');`);
  const src = 'http://content.test/film.webm';
  const order = lines.filter((line) => /^(ui|net)|error|loadedmetadata|media play /.test(line));
  assert.deepEqual(
    order.map((line) => line.replace(/ 0(\.\d+)?(?= |$)/, '')),
    [
      `net request ${src} media`,
      `media loadedmetadata ${src}`,
      `net request ${src}?parsed media`,
      `media loadedmetadata ${src}?parsed`,
      `net request ${src}?unseen media`,
      `media play ${src}?unseen`,
      `media loadedmetadata ${src}?unseen`,
      `net request ${src}?hidden media`,
      `media play ${src}?hidden`,
      `media loadedmetadata ${src}?hidden`,
      'net request http://m.test/missing.webm media',
      'media error http://m.test/missing.webm 4',
    ],
  );
});

test('a film that the page loads itself has the address of what was fetched', { skip: missing }, async () => {
  const lines = await media(`
    const body = await (await fetch(film)).blob();
    const video = put(make());
    video.src = URL.createObjectURL(body);
    await video.play();
    await next(video, 'ended');`);
  assert.deepEqual(
    lines.filter((line) => /^(ui|net)/.test(line)),
    [
      'net request http://content.test/film.webm fetch',
      'net response http://content.test/film.webm 206',
      'ui shown http://content.test/film.webm',
      'ui gone http://content.test/film.webm',
    ],
  );
});

test('errors that nobody catches, and what the page says itself', { skip: missing }, async () => {
  const lines = await record(
    async () => {
      setTimeout(() => {
        throw new Error('thrown');
      });
      Promise.reject(new Error('rejected'));
      const { recorder } = playsim;
      recorder.call('currentTime', [7]);
      recorder.user('skip');
      recorder.event('adStart', { wp: 0 });
      recorder.native('ad-started');
      await new Promise((done) => setTimeout(done, 50));
      const [head, ...rest] = recorder.toJSONL({ player: 'mine' }).trimEnd().split('\n').map(JSON.parse);
      if (head.kind !== 'header' || head.data.player !== 'mine' || rest.length !== recorder.lines().length)
        throw new Error('the head is wrong');
    },
    { kinds: ['diag', 'call', 'user', 'event', 'native'] },
  );
  assert.deepEqual(lines.slice(0, 4), [
    'call currentTime 7',
    'user skip',
    'event adStart 0',
    'native ad-started',
  ]);
  assert.deepEqual(lines.slice(4).sort(), [
    'diag uncaught Error: rejected',
    'diag uncaught Uncaught Error: thrown',
  ]);
});

test('a page whose functions are frozen or missing goes on', { skip: missing }, async () => {
  const lines = await record(
    async () => {
      new Image().src = 'http://t.test/image';
      await fetch('http://ads.test/empty');
    },
    { path: '/frozen' },
  );
  assert.deepEqual(lines, [
    'diag note cannot hear src',
    'diag note cannot hear src',
    'diag note cannot hear sendBeacon',
    'net request http://ads.test/empty fetch',
    'net response http://ads.test/empty 204',
  ]);
});
