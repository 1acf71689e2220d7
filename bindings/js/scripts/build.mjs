// From a checkout to `dist`: the module with cargo, the package with esbuild, its types with tsc.
// `--no-module` leaves the module as it is; `--profile dev` builds it quickly, without optimisation.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(here, '../..');
const dist = join(here, 'dist');
const TARGET = 'wasm32-unknown-unknown';

function run(command, args, options = {}) {
  return execFileSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', ...options });
}

function stop(text) {
  console.error(text);
  process.exit(1);
}

function has(command) {
  try {
    run(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The compiler needs the standard library of the target. */
function ensureTarget() {
  const library = run('rustc', ['--print', 'target-libdir', '--target', TARGET]).trim();
  if (existsSync(library)) return;
  if (has('rustup')) {
    console.log(`adding the target ${TARGET} with rustup`);
    try {
      run('rustup', ['target', 'add', TARGET], { stdio: 'inherit' });
      return;
    } catch {
      stop(`rustup could not add the target ${TARGET}; run: rustup target add ${TARGET}`);
    }
  }
  stop(`this Rust toolchain has no ${TARGET} and no rustup to add it; install that target's standard library from where the toolchain is from`);
}

function buildModule(chosen) {
  if (!has('cargo')) stop('the module is built with cargo: install a Rust toolchain (1.90 or newer), https://rustup.rs');
  ensureTarget();
  const { target_directory } = JSON.parse(run('cargo', ['metadata', '--no-deps', '--format-version', '1'], { maxBuffer: 1 << 28 }));
  mkdirSync(dist, { recursive: true });
  // The one for recordings is optimised for size: it is the module of the playground, too.
  for (const [name, shipped, features] of [['playsim.wasm', 'wasm', 'explore'], ['playsim-recordings.wasm', 'page', 'recordings']]) {
    const profile = chosen ?? shipped;
    const options = ['--locked', '-p', 'playsim-wasm', '--features', features, '--target', TARGET, '--profile', profile];
    run('cargo', ['build', ...options], { stdio: 'inherit' });
    // Cargo's folder of its profile `dev` is `debug`.
    copyFileSync(join(target_directory, TARGET, profile === 'dev' ? 'debug' : profile, 'playsim_wasm.wasm'), join(dist, name));
  }
}

async function buildPackage() {
  const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const common = {
    absWorkingDir: here, bundle: true, target: 'node20', logLevel: 'warning', outdir: 'dist', sourcemap: false, legalComments: 'none',
    external: ['vitest', '@jest/globals', 'node:fs'],
  };
  const define = { VERSION: JSON.stringify(version) };
  // Each format says in its own way where the module is.
  const esm = { format: 'esm', define: { ...define, MODULE_URL: 'moduleUrl' }, banner: { js: '' } };
  // Without `new URL(..., import.meta.url)`, which Vite takes for an asset of a page, even for tests that run in Node.
  const inNode = "import { fileURLToPath as pathOf } from 'node:url';\nconst moduleUrl = pathOf(import.meta.url).replace(/[^/\\\\]*$/, 'playsim.wasm');";
  const inEsm = "const moduleUrl = new URL('./playsim.wasm', import.meta.url);";
  const inCjs = "const moduleUrl = __dirname + '/playsim.wasm';";
  const inBrowserCjs =
    "const moduleUrl = typeof __dirname === 'string' ? __dirname + '/playsim.wasm' : new URL('./playsim.wasm', globalThis.document?.currentScript?.src ?? location.href);";
  const entries = [
    { ...esm, entryPoints: ['src/node.ts'], platform: 'node', banner: { js: inNode } },
    { ...esm, entryPoints: ['src/browser.ts'], platform: 'neutral', banner: { js: inEsm } },
    { ...esm, entryPoints: ['src/vitest.ts', 'src/jest.ts'], platform: 'neutral' },
    { ...esm, format: 'cjs', entryPoints: ['src/node.ts'], platform: 'node', banner: { js: inCjs }, outExtension: { '.js': '.cjs' } },
    { ...esm, format: 'cjs', entryPoints: ['src/browser.ts'], platform: 'neutral', banner: { js: inBrowserCjs }, outExtension: { '.js': '.cjs' } },
    { ...esm, format: 'cjs', entryPoints: ['src/jest.ts'], platform: 'neutral', outExtension: { '.js': '.cjs' } },
  ];
  const recordings = { ...common, entryPoints: ['src/recordings.ts'] };
  const of = (options) => ({ ...options, banner: { js: options.banner.js.replace('playsim.wasm', 'playsim-recordings.wasm') } });
  entries.push(
    of({ ...recordings, ...esm, platform: 'node', banner: { js: inNode } }),
    of({ ...recordings, ...esm, format: 'cjs', platform: 'node', banner: { js: inCjs }, outExtension: { '.js': '.cjs' } }),
    of({ ...recordings, ...esm, entryPoints: [{ in: 'src/recordings.ts', out: 'recordings-browser' }], platform: 'neutral', banner: { js: inEsm } }),
  );
  await Promise.all(entries.map((entry) => build({ ...common, ...entry })));
}

function buildTypes() {
  const types = join(dist, 'types');
  rmSync(types, { recursive: true, force: true });
  run(process.execPath, [join(here, 'node_modules/typescript/bin/tsc'), '-p', here], { stdio: 'inherit' });
  // For `require` the same types under the names that TypeScript looks for.
  for (const path of readdirSync(types, { recursive: true }).filter((path) => path.endsWith('.d.ts') && !path.startsWith('vitest'))) {
    const text = readFileSync(join(types, path), 'utf8');
    writeFileSync(join(types, path.replace(/\.d\.ts$/, '.d.cts')), text.replace(/((?:from|import\()\s*['"]\.{1,2}\/[^'"]+)\.js(['"])/g, '$1.cjs$2'));
  }
}

function sizes() {
  for (const name of ['playsim.wasm', 'playsim-recordings.wasm', 'node.js', 'browser.js']) {
    const bytes = readFileSync(join(dist, name));
    const kib = (length) => `${(length / 1024).toFixed(0)} KiB`;
    console.log(`${name.padEnd(14)} ${kib(bytes.length).padStart(9)}  gzipped ${kib(gzipSync(bytes, { level: 9 }).length).padStart(9)}`);
  }
}

const { values: options } = parseArgs({ options: { 'no-module': { type: 'boolean' }, profile: { type: 'string' } } });
if (!options['no-module']) buildModule(options.profile);
else if (!existsSync(join(dist, 'playsim.wasm'))) stop('--no-module: there is no dist/playsim.wasm yet');
await buildPackage();
buildTypes();
for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) cpSync(join(root, name), join(here, name));
sizes();
