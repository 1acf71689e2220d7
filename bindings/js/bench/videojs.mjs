// The page of bench.mjs with video.js: a pre-roll of 4 s and a film of 20 s, in jsdom, on a fake clock.
// The media element is a fake: nothing is loaded or decoded. The ad comes after 300 ms, without a VAST document.
// With its control bar, most of the time is in jsdom's getComputedStyle: every 30 ms the seek bar measures elements, and
// without a layout video.js takes their size from there.
import { deepStrictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createClock } from '@sinonjs/fake-timers';
import { JSDOM, VirtualConsole } from 'jsdom';

const source = readFileSync(new URL('node_modules/video.js/dist/video.js', import.meta.url), 'utf8');
const timers = [
  'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'requestAnimationFrame', 'cancelAnimationFrame',
  'Date', 'performance',
];
const names = ['window', 'globalThis', 'self', 'document', 'navigator', 'Event', 'Element', 'Node', ...timers];
const load = new Function(...names, `${source}\nreturn globalThis.videojs;`);

const spot = { src: 'https://ads.test/spot.mp4', type: 'video/mp4' };
const film = { src: 'https://site.test/film.mp4', type: 'video/mp4' };
const durations = { [spot.src]: 4, [film.src]: 20 };

/** Replaces what jsdom lacks of the media element: the events of loading and playing, with `timeupdate` every 250 ms. */
function fakeMedia({ HTMLMediaElement, Event }, clock) {
  const states = new WeakMap();
  const fresh = { src: '', readyState: 0, duration: NaN, at: 0, paused: true, ended: false };
  const of = (element) => {
    if (!states.has(element)) states.set(element, { ...fresh });
    return states.get(element);
  };
  const fire = (element, ...types) => types.forEach((type) => element.dispatchEvent(new Event(type)));
  const stop = (state) => {
    clock.clearTimeout(state.loading);
    clock.clearInterval(state.ticking);
  };

  function tick(element, state) {
    state.at = Math.min(state.at + 0.25, state.duration);
    fire(element, 'timeupdate');
    if (state.at < state.duration) return;
    stop(state);
    Object.assign(state, { paused: true, ended: true });
    fire(element, 'pause', 'ended');
  }
  function start(element, state) {
    clock.clearInterval(state.ticking);
    state.ticking = clock.setInterval(tick, 250, element, state);
    fire(element, 'playing');
  }
  function select(element, src) {
    const state = of(element);
    const emptied = state.readyState > 0;
    stop(state);
    Object.assign(state, fresh, { src });
    if (emptied) fire(element, 'emptied');
    if (!src) return;
    state.loading = clock.setTimeout(() => {
      fire(element, 'loadstart');
      Object.assign(state, { readyState: 4, duration: durations[src] });
      fire(element, 'durationchange', 'loadedmetadata', 'loadeddata', 'canplay', 'canplaythrough');
      if (!state.paused) start(element, state);
    }, 0);
  }
  const ranges = (length, end) => ({ length, start: () => 0, end: () => end });

  const get = (read) => ({ configurable: true, get() { return read(of(this)); } });
  const method = (value) => ({ configurable: true, value });
  Object.defineProperties(HTMLMediaElement.prototype, {
    src: { ...get((it) => it.src), set(src) { select(this, src); } },
    currentSrc: get((it) => it.src),
    readyState: get((it) => it.readyState),
    networkState: get((it) => (it.src ? 1 : 0)),
    duration: get((it) => it.duration),
    paused: get((it) => it.paused),
    ended: get((it) => it.ended),
    buffered: get((it) => ranges(Number(it.readyState > 0), it.duration)),
    seekable: get((it) => ranges(Number(it.readyState > 0), it.duration)),
    currentTime: {
      ...get((it) => it.at),
      set(at) {
        Object.assign(of(this), { at, ended: false });
        fire(this, 'seeking', 'timeupdate', 'seeked');
      },
    },
    canPlayType: method((type) => (type.startsWith('video/mp4') ? 'maybe' : '')),
    load: method(function () { select(this, of(this).src); }),
    play: method(function () {
      const state = of(this);
      if (!state.paused) return Promise.resolve();
      state.paused = false;
      fire(this, 'play');
      if (state.readyState > 0) start(this, state);
      return Promise.resolve();
    }),
    pause: method(function () {
      const state = of(this);
      if (state.paused) return;
      clock.clearInterval(state.ticking);
      state.paused = true;
      fire(this, 'timeupdate', 'pause');
    }),
  });
}

/** A page with video.js in it. */
export function page() {
  const { window } = new JSDOM('<!DOCTYPE html><body></body>', {
    url: 'https://site.test/',
    virtualConsole: new VirtualConsole(),
  });
  const clock = createClock(0);
  for (const name of timers) Object.defineProperty(window, name, { configurable: true, writable: true, value: clock[name] });
  fakeMedia(window, clock);
  const globals = { window, globalThis: window, self: window };
  return { window, clock, videojs: load(...names.map((name) => globals[name] ?? window[name])) };
}

/** What an ad plug-in does: the pre-roll before the film in the same player, with events for the quartiles. */
function preroll(player, setTimeout) {
  let inAd = false;
  let quartile = 0;
  const quartiles = ['adFirstQuartile', 'adMidpoint', 'adThirdQuartile'];
  player.once = player.one;
  player.getTitle = () => 'The film';
  player.getAdInProgress = () => inAd;
  player.adDuration = () => player.duration();
  const send = (type, data) => player.trigger({ type, data });

  setTimeout(() => send('adError', { code: 303 }), 120);
  setTimeout(() => {
    inAd = true;
    player.src(spot);
    player.one('playing', () => send('adStart'));
    player.play();
  }, 300);
  player.on('timeupdate', () => {
    if (inAd) {
      while (player.currentTime() >= ((quartile + 1) / 4) * player.duration() && quartile < 3) send(quartiles[quartile++]);
    } else if (player.currentTime() === player.duration() - 1) send('lastSecond');
  });
  player.one('ended', (e) => {
    inAd = false;
    // The analytics count the end of the film only.
    e.stopImmediatePropagation();
    send('adComplete', { wp: 1 });
    player.src(film);
    player.one('playing', () => send('start'));
    player.play();
  });
}

/** One test in the page: a player, the analytics snippet, the pre-roll, the film to its end. `spy` sees the player. */
export function session({ window: { document }, clock, videojs }, watch, options, spy = () => {}) {
  const element = document.body.appendChild(document.createElement('video-js'));
  const player = videojs(element, { width: 640, height: 360, controls: true, ...options });
  spy(player);
  preroll(player, clock.setTimeout);
  watch(clock.setTimeout, clock.clearTimeout, clock.Date)(player, () => {});
  // The film ends after 24.304 s: video.js waits 1 ms until it is ready and before it sets a source.
  clock.tick(24_304);
  player.dispose();
}

const started = ['loadstart', 'play', 'loadedmetadata', 'canplay', 'playing'];
const updates = (times) => Array(times).fill('timeupdate');
const expected = [
  'ready', ...started, 'adStart', ...updates(4), 'adFirstQuartile', ...updates(4), 'adMidpoint', ...updates(4),
  'adThirdQuartile', ...updates(4), 'pause', 'ended', 'adComplete',
  ...started, 'start', ...updates(76), 'lastSecond', ...updates(4), 'pause', 'ended',
];

/** Throws unless video.js has played both to the end, with exactly the expected events. */
export function check(place, watch, options) {
  const seen = [];
  const zero = place.clock.now;
  let end;
  session(place, watch, options, (player) => {
    for (const type of new Set([...expected, 'error'])) player.on(type, () => seen.push(type));
    player.on('ended', () => { end = place.clock.now - zero; });
  });
  deepStrictEqual(seen, expected);
  deepStrictEqual(end, 24_304);
}
