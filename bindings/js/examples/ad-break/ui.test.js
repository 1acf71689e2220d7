// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { world } from 'playsim';
import { site } from '../scenario.js';

const script = readFileSync('examples/ad-break/ui.js', 'utf8');
const ui = () => [document.getElementById('ad-ui').className, document.getElementById('countdown').textContent];
const canSkip = () => !document.getElementById('skip').hidden;

let w;
beforeEach(() => {
  document.body.innerHTML = '<div id="player"></div><div id="ad-ui"><p id="countdown"></p><button id="skip">Skip</button></div>';
});
afterEach(() => w.free());

function open(scenario) {
  w = world(scenario);
  w.script(script, { document });
}

test('counts down, and offers to skip after two seconds', async () => {
  open(site);
  await w.clock.runTo('adStart');
  expect(ui()).toEqual(['playing', 'Your video begins in 4']);
  expect(canSkip()).toBe(false);
  await w.clock.advanceAsync('2.1s');
  expect(ui()).toEqual(['playing', 'Your video begins in 2']);
  expect(canSkip()).toBe(true);
  await w.clock.runTo('adEnd');
  expect(ui()).toEqual(['', '']);
  expect(canSkip()).toBe(false);
});

test('a slow ad server shows the spinner, a fast one does not', async () => {
  open(site);
  await w.clock.runTo('adError');
  expect(ui()).toEqual(['', '']);
  w.answer('https://ads.test/second', { after: '3s', status: 404 });
  w.free();

  open({ ...site, network: { ...site.network, 'https://ads.test/first': { after: '1.5s', status: 404 } } });
  await w.clock.advanceAsync('600ms');
  expect(ui()).toEqual(['loading', '']);
  await w.clock.runTo('adStart');
  expect(ui()[0]).toBe('playing');
});

test('the countdown stands while the ad is paused', async () => {
  open(site);
  await w.clock.runTo('adFirstQuartile');
  w.user('pause');
  await w.clock.advanceAsync('10s');
  expect(ui()).toEqual(['paused', 'Your video begins in 3']);
  w.user('play');
  await w.clock.advanceAsync('1.5s');
  expect(ui()).toEqual(['playing', 'Your video begins in 2']);
});

test('nothing is left when the break ends in any other way', async () => {
  open(site);
  await w.clock.runTo('adMidpoint');
  w.user('skip');
  await w.clock.runTo('start');
  expect(ui()).toEqual(['', '']);
  // No frame is requested any more: the world comes to its end.
  await w.clock.runToEnd();
  expect(w.errors).toEqual([]);
});
