// Installs, builds and records players over the suite, and reports:
//
//   npm run record                             # all players, all cases
//   npm run record -- shaka pre_roll tag_404   # these players, these cases
//
// PLAYSIM names the program (default: playsim on the path), CHROMIUM the browser (default: /usr/bin/chromium). What is
// recorded goes to recordings/PLAYER/CASE.jsonl, the report to results.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import process from 'node:process';

process.chdir(new URL('.', import.meta.url).pathname);
const { PLAYSIM = 'playsim', CHROMIUM = '/usr/bin/chromium' } = process.env;

/** Runs a program, and ends with it if it fails with a code that is not among these. */
function run(program, given, allowed = [0]) {
  const { status, error } = spawnSync(program, given, { stdio: 'inherit' });
  if (error) {
    console.error(`${program}: ${error.message}`);
    process.exit(3);
  }
  if (!allowed.includes(status)) process.exit(status ?? 3);
}

if (!existsSync('node_modules/esbuild')) run('npm', ['ci', '--no-audit', '--no-fund']);
const { PLAYERS, make } = await import('./build.mjs');

const wanted = process.argv.slice(2);
const players = Object.keys(PLAYERS).filter((name) => wanted.includes(name));
const cases = wanted.filter((name) => !(name in PLAYERS));
for (const name of players.length > 0 ? players : Object.keys(PLAYERS)) {
  await make(name);
  const libraries = [`lib/${name}.css`, `lib/${name}.js`].filter((file) => existsSync(file));
  const files = cases.length > 0 ? cases.map((each) => `suite/${each}.yaml`) : ['suite'];
  run(PLAYSIM, [
    ...['conform', 'run', ...files, '--adapter', `adapters/${name}.js`],
    ...libraries.flatMap((file) => ['--lib', file]),
    ...['--chromium', CHROMIUM, '-o', 'recordings'],
  ]);
}
mkdirSync('results', { recursive: true });
for (const [format, file] of [
  ['json', 'report.json'],
  ['text', 'report.txt'],
]) {
  // 1: there are differences.
  const given = ['conform', 'report', 'recordings', '--suite', 'suite', '--format', format];
  run(PLAYSIM, [...given, '-o', `results/${file}`], [0, 1]);
}
