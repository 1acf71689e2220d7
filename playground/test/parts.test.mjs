// The parts of the playground that need no browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

async function load(entry) {
  const outfile = join(folder, `${basename(entry, '.ts')}.mjs`);
  const absWorkingDir = join(import.meta.dirname, '..');
  await build({ absWorkingDir, entryPoints: [entry], bundle: true, outfile, format: 'esm', platform: 'browser', logLevel: 'warning' });
  return import(outfile);
}

const { placeAt } = await load('src/path.ts');
const { read, withKnob, withProfile } = await load('src/settings.ts');
const { forTerminal, forVitest, fromFragment, toFragment } = await load('src/share.ts');
const { millis } = await load('src/whatif.ts');
const { meaning, textOf } = await load('src/open.ts');

/** The place of `|` in a text. */
function at(text) {
  const { path, word, isKey } = placeAt(text.replace('|', ''), text.indexOf('|'));
  return `${path.map((key) => key ?? '*').join('/')} ${isKey ? 'key' : 'value'} ${word}`.trim();
}

test('the place of the cursor is the keys above it', () => {
  assert.equal(at('|'), 'key');
  assert.equal(at('kno|'), 'key kno');
  assert.equal(at('knobs: { ad.ti| }'), 'knobs key ad.ti');
  assert.equal(at('knobs: { ad.timeout: 1s, det| }'), 'knobs key det');
  assert.equal(at('knobs:\n  ad.timeout: 2s\n  de|'), 'knobs key de');
  assert.equal(at('knobs:\n  detect: o|'), 'knobs/detect value o');
  assert.equal(at('profile: |'), 'profile value');
  assert.equal(at('steps:\n  - { at: 0s, in| }'), 'steps/* key in');
  assert.equal(at('steps:\n  - at: 0s\n    init: { div: a, con| }'), 'steps/*/init key con');
  assert.equal(at('steps:\n- at: 0s\n- o|'), 'steps/* key o');
  assert.equal(at('network:\n  https://a.test/b?c=1: { af| }'), 'network/https://a.test/b?c=1 key af');
  assert.equal(at('player:\n  ads:\n    - adType: 0\n      mobile: [https://a.test/x, |]'), 'player/ads/*/mobile/* value');
  assert.equal(at('media: { film.mp4: { duration: 3s } }\npl|'), 'key pl');
  assert.equal(at('name: "a: { b"\nvid|'), 'key vid');
  assert.equal(at('videos:\n  - { id: film }\nknobs:\n  |'), 'knobs key');
});

test('a knob is set, changed and taken out in the text, and the rest of the text stays', () => {
  const text = '# about\nname: x # why\nknobs: { ad.timeout: 2s, detect: exact }\nvideos: []\n';
  assert.equal(withKnob(text, 'ad.timeout', '1s'), text.replace('2s', '1s'));
  assert.equal(withKnob(text, 'ad.timeout', null), text.replace('ad.timeout: 2s, ', ''));
  assert.equal(withKnob(text, 'detect', null), text.replace(', detect: exact', ''));
  assert.equal(withKnob(text, 'ad.late', 'use'), text.replace('{ ad', '{ ad.late: use, ad'));
  assert.equal(withKnob('name: x\n', 'overlay.quartiles', 'on'), 'knobs: { overlay.quartiles: "on" }\nname: x\n');
  assert.equal(withKnob('knobs: { detect: exact }\nname: x\n', 'detect', null), 'name: x\n');
  const block = 'knobs:\n  ad.timeout: 2s\n  detect: exact\nname: x\n';
  assert.equal(withKnob(block, 'detect', null), block.replace('  detect: exact\n', ''));
  assert.equal(withKnob(block, 'ad.late', 'use'), block.replace('  ad.t', '  ad.late: use\n  ad.t'));
  assert.equal(withProfile(text, 'ima'), text.replace('name: x', 'profile: ima\nname: x'));
  assert.equal(withProfile('profile: ima\n', 'ima+literal'), 'profile: ima+literal\n');
  assert.deepEqual([...read(text).knobs], [['ad.timeout', '2s'], ['detect', 'exact']]);
  assert.equal(read('name: [').profile, 'default');
  assert.equal(withKnob('knobs:\nname: x\n', 'detect', 'exact'), 'knobs: { detect: exact }\nname: x\n');
  assert.equal(withKnob('{ "name": "x" }', 'detect', 'exact'), '{ "knobs": { "detect": "exact" }, "name": "x" }');
  assert.equal(withKnob('name: [', 'detect', 'exact'), null);
  assert.equal(withProfile('name: [', 'ima'), null);
});

test('a link holds the scenario and its documents', async () => {
  const shared = { name: 'ä.yaml', scenario: 'name: ünï\n', files: { 'ad.xml': '<VAST/>' } };
  assert.deepEqual(await fromFragment(`#${await toFragment(shared)}`), shared);
  assert.equal(await fromFragment('#s21'), null);
  for (const damaged of ['#s=AAAA', '#s=', '#s=%20']) await assert.rejects(fromFragment(damaged), /The link is damaged/);
  const outside = await toFragment({ ...shared, files: { '../../x': '' } });
  await assert.rejects(fromFragment(`#${outside}`), /outside of its folder, \.\.\/\.\.\/x/);
});

test('texts to copy', () => {
  const given = { name: 'a.yaml', scenario: 'name: `x`\n', files: { 'ad.xml': '<VAST/>' } };
  assert.match(forTerminal(given), /^cat > '\.\/a.yaml' <<'EOF'\nname: `x`\nEOF\ncat > '\.\/ad.xml' <<'EOF'\n<VAST\/>\nEOF\nplaysim run '\.\/a.yaml'\n$/);
  const odd = { name: "it's.yaml", scenario: 'a\nEOF\nEOF_\nb', files: { 'deep/$(x).xml': 'EOF' } };
  const folder = mkdtempSync(join(tmpdir(), 'terminal-'));
  execFileSync('sh', ['-c', forTerminal(odd).replace(/playsim run .*/, '')], { cwd: folder });
  assert.equal(readFileSync(join(folder, odd.name), 'utf8'), `${odd.scenario}\n`);
  assert.equal(readFileSync(join(folder, 'deep/$(x).xml'), 'utf8'), 'EOF\n');
  rmSync(folder, { recursive: true });
  assert.ok(forVitest(given, ['ready']).includes('`name: \\`x\\`\n`'));
});

test('durations and files are recognised', () => {
  assert.deepEqual(['2s', '0.19s', '250ms', '1m', null, 'off'].map(millis), [2000, 190, 250, 60_000, null, null]);
  const file = (name, text) => ({ name, bytes: new TextEncoder().encode(text) });
  assert.equal(meaning([file('a', '{"log": {}}')]).kind, 'recording');
  assert.equal(meaning([file('1.http', 'HTTP/1.1 200'), file('ad.xml', '<VAST/>')]).kind, 'answers');
  assert.equal(meaning([file('a.yaml', 'name: x'), file('ad.xml', '<VAST/>')]).kind, 'scenario');
  const folder = [file('a/b/case.yaml', 'name: x'), file('a/b/docs/ad.xml', '<VAST/>'), file('a/README.txt', 'about')];
  const { file: found, others } = meaning(folder);
  assert.deepEqual([found.name, ...others.map((it) => it.name)], ['case.yaml', 'docs/ad.xml']);
  assert.equal(meaning([file('1.xml', ''), file('package.json', '{}'), file('README.txt', 'about')]).files.length, 1);
  const wide = (order) => new Uint8Array([...'\ufeff<VAST/>'].flatMap((letter) => [letter.charCodeAt(0) & 255, letter.charCodeAt(0) >> 8]).map((byte, at, all) => (order ? all[at ^ 1] : byte)));
  for (const order of [0, 1]) assert.equal(textOf({ name: 'a.xml', bytes: wide(order) }), '<VAST/>');
  assert.equal(textOf({ name: 'a.xml', bytes: Uint8Array.from('<?xml version="1.0" encoding="iso-8859-1"?>\xe4', (it) => it.charCodeAt(0)) }).at(-1), 'ä');
  assert.match(meaning([file('a.png', 'x')]).message, /a\.png: expected a recording/);
});
