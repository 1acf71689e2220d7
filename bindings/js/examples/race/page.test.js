import { expect, test } from 'vitest';
import { explore, world } from 'playsim';
import { site } from '../scenario.js';
import { page } from './page.js';

const scenario = { ...site, page: { containers: ['player', 'side'] } };
const start = (isRepaired) => (globals, w) => page(globals, w.element('side', { src: 'trailer.mp4', muted: true }), isRepaired);

/** The trailer does not play while an ad does. */
function check(trace) {
  let isOn = false;
  for (const { type, player } of trace.events) {
    if (player === 'side' && type === 'playing') isOn = true;
    if (player === 'side' && (type === 'pause' || type === 'ended')) isOn = false;
    if (type === 'adFirstQuartile') expect(isOn, 'the trailer plays').toBe(false);
  }
}

test('the trailer does not play while an ad does', async () => {
  const w = world(scenario);
  start(false)(w.global, w);
  await w.clock.runToEnd();
  check(w.trace());
  w.free();
});

test('nor does it when the ad comes late: this is what the test above does not see', async () => {
  const { complete, broken } = await explore(scenario, start(false), { do: ['skip'], check });
  expect(complete).toBe(true);
  expect(broken.map(({ law, way }) => [law, way])).toEqual([
    ['check', ['1.000002 ad-tag https://ads.test/first comes 0.880002 s later']],
  ]);
});

test('once repaired, in no way at all', async () => {
  const { complete, broken } = await explore(scenario, start(true), { do: ['skip'], check });
  expect([complete, broken]).toEqual([true, []]);
});
