// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { world } from 'playsim';

const script = readFileSync('examples/lazy/page.js', 'utf8');
const film = {
  videos: [{ id: 'film', renditions: { sd: 'film.mp4' } }],
  media: { 'film.mp4': { duration: '20s' } },
  page: { gesture_policy: 'required' },
};

// There is no layout, so the test decides what an observer sees.
const observers = new Set();
class IntersectionObserver {
  constructor(callback) { this.callback = callback; }
  observe(target) { this.target = target; observers.add(this); }
  unobserve() { observers.delete(this); }
  disconnect() { observers.delete(this); }
}

let w;
function open(scenario) {
  w = world(scenario);
  w.script(script, { document, IntersectionObserver });
}

/** The place of the player scrolls into view, or out of it. */
function scroll(isIntersecting) {
  for (const observer of [...observers]) w.task(() => observer.callback([{ target: observer.target, isIntersecting }], observer));
}

/** A real click: a gesture of the viewer, then what the page does with it, as one task. */
function click(id) {
  w.user('gesture');
  w.task(() => document.getElementById(id).click());
}

beforeEach(() => {
  document.body.innerHTML = '<div id="player"></div><button id="watch">Watch</button><p id="status"></p>';
});
afterEach(() => {
  observers.clear();
  w.free();
});

test('there is no player before its place is in view', async () => {
  open(film);
  scroll(false);
  await w.clock.advanceAsync('10s');
  expect(() => w.$player()).toThrow('there is no player');
  scroll(true);
  await w.clock.runTo('ready');
  expect(observers.size).toBe(0);
});

test('a click starts the film', async () => {
  open(film);
  scroll(true);
  await w.clock.runTo('ready');
  click('watch');
  await w.clock.runTo('start');
  expect(w.$player().muted()).toBe(false);
});

test('the film fails, and "Try again" plays it in a new player', async () => {
  open({ ...film, media: { 'film.mp4': [{ fails: { how: 'network' } }, { duration: '20s' }] } });
  scroll(true);
  await w.clock.runTo('playbackerror');
  expect(document.getElementById('status').textContent).toBe('This video cannot be played. Try again');
  click('again');
  await w.clock.runTo('start');
  expect(document.getElementById('status').textContent).toBe('');
});
