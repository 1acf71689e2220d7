// From a checkout to dist/index.html: the module with cargo, the program with esbuild, and all of it in one file.
// `--no-module` takes the module that was built before.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(here, '..');
const TARGET = 'wasm32-unknown-unknown';
// `--profile quick` is for tests: built in a third of the time, slower and larger.
const option = process.argv.indexOf('--profile');
const PROFILE = option < 0 ? 'page' : process.argv[option + 1];

const run = (command, args, options = {}) => execFileSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', maxBuffer: 1 << 28, ...options });

function stop(text) {
  console.error(text);
  process.exit(1);
}

/** Builds the module, and adds the target's standard library if rustup can. */
function module() {
  const library = run('rustc', ['--print', 'target-libdir', '--target', TARGET]).trim();
  if (!existsSync(library)) {
    try {
      run('rustup', ['target', 'add', TARGET], { stdio: 'inherit' });
    } catch {
      stop(`the target ${TARGET} is not installed; run: rustup target add ${TARGET}`);
    }
  }
  const { target_directory } = JSON.parse(run('cargo', ['metadata', '--no-deps', '--format-version', '1']));
  const file = join(target_directory, TARGET, PROFILE, 'playsim_wasm.wasm');
  if (!process.argv.includes('--no-module')) {
    run('cargo', ['build', '--locked', '-p', 'playsim-wasm', '--features', 'recordings', '--target', TARGET, '--profile', PROFILE], { stdio: 'inherit' });
  } else if (!existsSync(file)) stop(`--no-module: there is no ${file} yet`);
  return gzipSync(readFileSync(file), { level: 9 });
}

async function bundle(entry, define = {}, format = 'esm') {
  const options = { absWorkingDir: here, entryPoints: [entry], bundle: true, minify: true, write: false, format, target: 'es2022', legalComments: 'none', logLevel: 'warning', define };
  const { outputFiles } = await build(options);
  // A closing tag within the script would end it.
  return outputFiles[0].text.replaceAll('</script', '<\\/script');
}

/** The page runs its own script and nothing else, and connects to nothing. */
function policy(script) {
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'", `script-src 'sha256-${hash}' 'wasm-unsafe-eval'`, "style-src 'unsafe-inline'", 'worker-src blob:', "connect-src 'none'",
    "img-src data:", "base-uri 'none'", "form-action 'none'",
  ].join('; ');
}

const packed = module();
const worker = await bundle('src/worker.ts', {}, 'iife');
const script = await bundle('src/main.ts', { WORKER: JSON.stringify(worker) });
const style = readFileSync(join(here, 'src/style.css'), 'utf8');
const parts = { POLICY: policy(script), STYLE: style, MODULE: packed.toString('base64'), SCRIPT: script };
const page = readFileSync(join(here, 'src/index.html'), 'utf8').replace(/%(POLICY|STYLE|MODULE|SCRIPT)%/g, (_, name) => parts[name]);
mkdirSync(join(here, 'dist'), { recursive: true });
writeFileSync(join(here, 'dist/index.html'), page);
const kib = (length) => `${(length / 1024).toFixed(0)} KiB`;
console.log(`dist/index.html ${kib(Buffer.byteLength(page))}: module ${kib(packed.length)} compressed, script ${kib(script.length)}`);
