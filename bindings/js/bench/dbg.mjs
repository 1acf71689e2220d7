// The same session with video.js: a DOM of happy-dom, fake timers of Sinon, and a media element whose playback is faked,
// because no DOM outside of a browser plays. It has no ads: its content plays for the 24 s that ad and film take there.
import FakeTimers from '@sinonjs/fake-timers';
import { Window } from 'happy-dom';

const window = new Window({ url: 'https://site.test/' });
// What video.js expects of a browser's window, which Node does not have.
for (const name of Object.getOwnPropertyNames(window)) {
  if (name in globalThis || name.startsWith('_')) continue;
  try {
    const value = window[name];
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  } catch {
    // A property that needs a real window.
  }
}
for (const name of ['document', 'navigator', 'Event', 'CustomEvent']) Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
globalThis.window = globalThis;
for (const name of ['addEventListener', 'removeEventListener', 'getComputedStyle', 'matchMedia']) globalThis[name] = window[name]?.bind(window);
const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
globalThis.requestAnimationFrame ??= (run) => setTimeout(() => run(performance.now()), 16);
globalThis.cancelAnimationFrame ??= clearTimeout;
const { default: videojs } = await import('video.js');
clock.uninstall();
videojs.log.level('off');

const LENGTH = 24;
const prototype = window.HTMLMediaElement.prototype;
const set = (name, get) => Object.defineProperty(prototype, name, { configurable: true, get, set(value) { (this.faked ??= {})[name] = value; } });
for (const [name, value] of Object.entries({ currentTime: 0, duration: LENGTH, paused: true, ended: false, readyState: 4, volume: 1, error: null, currentSrc: 'film.mp4' })) {
  set(name, function () { return this.faked?.[name] ?? value; });
}
prototype.canPlayType = () => 'maybe';
prototype.load = function () {};
prototype.pause = function () { clearInterval(this.beat); this.faked.paused = true; this.dispatchEvent(new window.Event('pause')); };
prototype.play = function () {
  this.faked = { ...this.faked, paused: false };
  for (const type of ['loadedmetadata', 'play', 'playing']) this.dispatchEvent(new window.Event(type));
  this.beat = setInterval(() => {
    this.faked.currentTime = Math.min(LENGTH, (this.faked.currentTime ?? 0) + 0.25);
    this.dispatchEvent(new window.Event('timeupdate'));
    if (this.faked.currentTime < LENGTH) return;
    clearInterval(this.beat);
    this.faked.ended = true;
    this.dispatchEvent(new window.Event('ended'));
  }, 250);
  return Promise.resolve();
};

/** Plays one session; returns how much the snippet has sent. */
export function videojsSession(watch) {
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
  let sent = 0, ended = false;
  try {
    const video = window.document.createElement('video');
    window.document.body.appendChild(video);
    const player = videojs(video, { sources: [{ src: 'film.mp4', type: 'video/mp4' }], autoplay: false, controls: true });
    // The snippet's calls in the words of video.js.
    const words = { start: 'playing', lastSecond: 'durationchange' };
    const on = (how) => (names, run) => [names].flat().forEach((name) => player[how](words[name] ?? name, run));
    const facade = {
      on: on('on'), once: on('one'), getAdInProgress: () => false, getTitle: () => '', adDuration: () => null,
      currentTime: () => player.currentTime(), currentSrc: () => player.currentSrc(), duration: () => player.duration(), volume: () => player.volume(),
    };
    watch(setTimeout, clearTimeout, Date)(facade, (batch) => { sent += batch.length; });
    globalThis.__p = player; globalThis.__v = video; globalThis.__log=[]; for (const t of ['ready','play','loadedmetadata','playing','timeupdate','ended','error','loadstart']) player.on(t,()=>globalThis.__log.push(t));
    player.on('ended', () => { ended = true; });
    player.ready(() => player.play());
    clock.tick(30_000);
    player.dispose();
  } finally {
    clock.uninstall();
  }
  if (!ended && process.env.DEBUG) console.log(globalThis.__v?.faked, globalThis.__log);
  if (!ended) throw new Error('video.js has not played to the end');
  return sent;
}
