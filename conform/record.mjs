// Installs, builds and records players over the suite, and reports:
//
//   npm run record                             # all players, all cases
//   npm run record -- shaka pre_roll tag_404   # these players, these cases
//
// PLAYSIM names the program (default: playsim on the path), CHROMIUM the browser (default: /usr/bin/chromium). The
// recordings go to recordings/PLAYER/CASE.jsonl, and what the report needs of them to results, from which the report is
// made.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

process.chdir(new URL('.', import.meta.url).pathname);
const { PLAYSIM = 'playsim', CHROMIUM = '/usr/bin/chromium' } = process.env;

/** Runs a program; if its exit code is not an allowed one, exits with it. */
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
  const given = `conform run suite --adapter adapters/${name}.js -o recordings --chromium ${CHROMIUM}`;
  run(PLAYSIM, [
    ...given.split(' '),
    ...libraries.flatMap((file) => ['--lib', file]),
    ...cases.flatMap((each) => ['--only', each]),
  ]);
  keep(name);
}
const known = Object.entries(PLAYERS).filter(([, { profile }]) => profile);
const profiles = known.flatMap(([name, { profile }]) => ['--profile', `${name}=${profile}`]);
// 1: there are differences.
run(
  PLAYSIM,
  ['conform', 'report', 'results', '--suite', 'suite', ...profiles, '-o', 'results/report.txt'],
  [0, 1],
);

/** Writes the recordings of a player without the lines that make them large and that no comparison reads. */
function keep(player) {
  // `emptied` says that an element gets another film: its position starts again.
  const media = ['play', 'playing', 'pause', 'seeked', 'ended', 'error', 'emptied'];
  const kinds = ['header', 'net', 'ui', 'diag', 'page', 'call', 'user', 'event'];
  mkdirSync(`results/${player}`, { recursive: true });
  for (const file of readdirSync(`recordings/${player}`)) {
    const lines = readFileSync(`recordings/${player}/${file}`, 'utf8').trimEnd().split('\n').map(JSON.parse);
    const isKept = ({ kind, name }) => kinds.includes(kind) || (kind === 'media' && media.includes(name));
    const kept = lines.filter(isKept);
    for (const { kind, data } of kept) if (kind === 'net') delete data.text;
    const { data: head } = kept[0];
    const heard = (entry) => (entry === 'media' ? media.map((name) => `media:${name}`) : entry);
    head.hears = head.hears?.filter((entry) => entry !== 'native').flatMap(heard);
    writeFileSync(`results/${player}/${file}`, kept.map((line) => JSON.stringify(line) + '\n').join(''));
  }
}
