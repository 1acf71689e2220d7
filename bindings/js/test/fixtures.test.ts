// Every scenario of the project plays in the module to the trace of its snapshot.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { run } from 'playsim';

const folder = fileURLToPath(new URL('../../../fixtures/scenarios', import.meta.url));
const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const scenarios = all.filter((path) => path.endsWith('.yaml') && all.includes(path.replace(/\.yaml$/, '.snap')));
const text = (path: string) => readFileSync(join(folder, path), 'utf8');

test('all of them', () => {
  expect(scenarios.length).toBeGreaterThan(1000);
  const others = all.filter((path) => /\.\w+$/.test(path) && !/\.(yaml|snap|md)$/.test(path));
  const wrong = scenarios.filter((path) => {
    const near = others.filter((other) => !relative(dirname(path), other).startsWith('..'));
    const files = Object.fromEntries(near.map((other) => [relative(dirname(path), other), text(other)]));
    const due = text(path.replace(/\.yaml$/, '.snap')).split('---\n').slice(2).join('---\n');
    const trace = run(text(path), { name: path, files });
    return trace.text().trimEnd() !== due.trimEnd();
  });
  expect(wrong).toEqual([]);
});
