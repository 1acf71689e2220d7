// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { world } from 'playsim';
import { site } from '../scenario.js';

const script = readFileSync('examples/playlist/page.js', 'utf8');
const marked = () => document.querySelector('.current')?.textContent;
const status = () => document.getElementById('status').textContent;

let w;
beforeEach(() => {
  document.body.innerHTML = '<div id="player"></div><ol id="playlist"></ol><p id="status"></p>';
});
afterEach(() => w.free());

test('marks what plays, to the end of the list', async () => {
  w = world(site);
  w.script(script, { document });
  await w.clock.runTo('start');
  expect([marked(), status()]).toEqual(['The trailer', '1 of 3']);
  await w.clock.runTo('start');
  expect([marked(), status()]).toEqual(['The film', '2 of 3']);
  await w.clock.runToEnd();
  expect([marked(), status()]).toEqual([undefined, 'That was all.']);
});

test('a click plays the title', async () => {
  w = world(site);
  w.script(script, { document });
  await w.clock.runTo('start');
  document.querySelectorAll('li')[2].click();
  await w.clock.runTo('start');
  expect([marked(), w.$player().currentSrc()]).toEqual(['Behind the scenes', 'credits.mp4']);
});

test('a video that fails is said so', async () => {
  w = world({ ...site, media: { ...site.media, 'trailer.mp4': { fails: { how: 'not-found' } } } });
  w.script(script, { document });
  await w.clock.runTo('playbackerror');
  expect(status()).toBe('This video cannot be played.');
});

test('the script of the player comes late', async () => {
  w = world({ ...site, page: { script_after: '3s' } });
  w.script(script, { document });
  await w.clock.advanceAsync('2s');
  expect(document.querySelectorAll('li').length).toBe(0);
  await w.clock.runTo('start');
  expect(marked()).toBe('The trailer');
});
