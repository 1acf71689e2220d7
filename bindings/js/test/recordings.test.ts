import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SimError, run } from 'playsim';
import { openRecording } from 'playsim/recordings';

const late = readFileSync(join(import.meta.dirname, '../../../fixtures/recordings/by_hand/late.har'));

test('a recording has a verdict, a scenario and other settings', async () => {
  const recording = await openRecording(late, { name: 'late.har' });
  expect(recording.verdict()).toMatchObject({ name: 'late.har', simulated: true });
  expect(recording.text()).toContain('tag 1');
  expect(recording.json().verdict).toBeDefined();
  expect(recording.page().body).toContain('recorded');
  const scenario = recording.scenario()!;
  expect(run(scenario.yaml, { files: scenario.files }).events.map((event) => event.type)).toContain('adStart');
  expect(recording.settings()).toMatchObject({ timeout: '2s', tags: [{ tag: 'tag1', after: '3s' }, { tag: 'tag2', after: '0.2s' }] });
  expect(recording.whatIf({ compare: ['base', 'ad.timeout=1s'] }).table.rows).toHaveLength(2);
});

test('a compressed one is the same, and hints are used', async () => {
  const plain = await openRecording(late, { name: 'a' });
  expect((await openRecording(gzipSync(late), { name: 'a' })).text()).toBe(plain.text());
  expect((await openRecording(late, { name: 'a', knobs: { 'ad.timeout': '9s' } })).text()).not.toBe(plain.text());
});

test('what is not a recording is refused', async () => {
  await expect(openRecording('videos: []')).rejects.toThrow(SimError);
  await expect(openRecording('videos: []')).rejects.toThrow('recording.har is not a recording');
  await expect(openRecording(late, { knobs: { 'ad.timeot': '1s' } })).rejects.toThrow('ad.timeout');
  const recording = await openRecording(late);
  expect(() => recording.whatIf({ vary: ['tag9.after=1s'] })).toThrow(SimError);
});
