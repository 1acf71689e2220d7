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

test('a page is held against the player that was learnt', async () => {
  const fitted = { profile: 'mine', about: 'some, fitted to 9 recordings', knobs: { 'ad.timeout': '9s' } };
  const recording = await openRecording(late, { profile: { text: JSON.stringify(fitted) } });
  const basis = 'mine (some, fitted to 9 recordings)';
  expect(recording.verdict().rulesOf).toBe(basis);
  expect(recording.json().simulation.report.basis).toBe(basis);
  const whatIf = recording.whatIf({ vary: ['tag1.after=1s,2s'] });
  expect(whatIf.table.basis).toBe(basis);
  for (const text of [recording.text(), recording.page().body, whatIf.page.body]) expect(text).toContain(basis);
  expect((await openRecording(late, { profile: 'shaka' })).verdict().rulesOf).toMatch(/^shaka, measured in \d+ recordings$/);
  await expect(openRecording(late, { profile: { file: 'mine.yaml', text: 'profile: mine\nknobs: { ad.timeot: 9s }' } })).rejects.toThrow('mine.yaml:2');
});

test('what is not a recording is refused', async () => {
  await expect(openRecording('videos: []')).rejects.toThrow(SimError);
  await expect(openRecording('videos: []')).rejects.toThrow('recording.har is not a recording');
  await expect(openRecording(late, { knobs: { 'ad.timeot': '1s' } })).rejects.toThrow('ad.timeout');
  const recording = await openRecording(late);
  expect(() => recording.whatIf({ vary: ['tag9.after=1s'] })).toThrow(SimError);
});
