// Installs, builds and records players over the suite, and reports:
//
//   npm run record                                        # all players, all cases, Chromium and Firefox
//   npm run record -- shaka pre_roll 'tag_*'              # these players, these cases
//   npm run record -- shaka --browser webkit --jobs 4     # in this browser, four cases side by side
//   npm run record -- --suite lengths                     # the cases of this folder: results go to results-lengths
//   npm run record -- --keep                              # records nothing: results from the recordings that are there
//
// PLAYSIM names the program (default: playsim on the path). The recordings go to recordings/PLAYER/BROWSER/CASE.jsonl, and
// what the report needs of them to results, from which the report is made.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';

process.chdir(new URL('.', import.meta.url).pathname);
const { PLAYSIM = 'playsim' } = process.env;
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    browser: { type: 'string', multiple: true, default: ['chromium', 'firefox'] },
    jobs: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    suite: { type: 'string', default: 'suite' },
  },
});
const { suite } = values;
const results = suite === 'suite' ? 'results' : `results-${suite}`;
const recordings = suite === 'suite' ? 'recordings' : `recordings-${suite}`;

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

const players = Object.keys(PLAYERS).filter((name) => wanted.includes(name));
const cases = wanted.filter((name) => !(name in PLAYERS));
for (const name of players.length > 0 ? players : Object.keys(PLAYERS)) {
  if (!values.keep) await make(name);
  const libraries = [`lib/${name}.css`, `lib/${name}.js`].filter((file) => existsSync(file));
  for (const browser of values.keep ? [] : values.browser) {
    const given = `conform run ${suite} --adapter adapters/${name}.js -o ${recordings} --browser ${browser} --jobs ${values.jobs}`;
    // 1: a case was not played, which the report shows.
    run(
      PLAYSIM,
      [
        ...given.split(' '),
        ...libraries.flatMap((file) => ['--lib', file]),
        ...cases.flatMap((each) => ['--only', each]),
      ],
      [0, 1],
    );
  }
  const recorded = existsSync(`${recordings}/${name}`) ? readdirSync(`${recordings}/${name}`) : [];
  for (const browser of recorded) keep(`${name}/${browser}`);
}
const known = Object.entries(PLAYERS).filter(([, { profile }]) => profile);
const profiles = known.flatMap(([name, { profile }]) => ['--profile', `${name}=${profile}`]);
// 1: there are differences.
run(
  PLAYSIM,
  ['conform', 'report', results, '--suite', suite, ...profiles, '-o', `${results}/report.txt`],
  [0, 1],
);
console.log(`The report is conform/${results}/report.txt; the recordings are in conform/${recordings}. A page of both:`);
console.log(`  playsim conform report ${recordings} --suite ${suite} --format site -o site`);

/** Writes the recordings of a player without the lines that make them large and that no comparison reads. */
function keep(player) {
  // `emptied` says that an element gets another film: its position starts again.
  const media = ['play', 'playing', 'pause', 'seeked', 'ended', 'error', 'emptied'];
  const kinds = ['header', 'net', 'ui', 'diag', 'page', 'call', 'user', 'event'];
  mkdirSync(`${results}/${player}`, { recursive: true });
  for (const file of readdirSync(`${recordings}/${player}`).filter((name) => name.endsWith('.jsonl'))) {
    const lines = readFileSync(`${recordings}/${player}/${file}`, 'utf8').trimEnd().split('\n').map(JSON.parse);
    const isKept = ({ kind, name }) => kinds.includes(kind) || (kind === 'media' && media.includes(name));
    const kept = lines.filter(isKept);
    for (const { kind, data } of kept) if (kind === 'net') delete data.text;
    const { data: head } = kept[0];
    const heard = (entry) => (entry === 'media' ? media.map((name) => `media:${name}`) : entry);
    head.hears = head.hears?.filter((entry) => entry !== 'native').flatMap(heard);
    writeFileSync(`${results}/${player}/${file}`, kept.map((line) => JSON.stringify(line) + '\n').join(''));
  }
}
