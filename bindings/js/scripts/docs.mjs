// The README of the package and the book's chapter tell the truth: blocks that begin with ```text of=COMMAND are what the
// command prints, run in bindings/js, and blocks with ```js from=PATH are that file. `--update` writes them anew. What is JavaScript
// there, the oldest Node that package.json names understands.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

const here = fileURLToPath(new URL('..', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const documents = ['bindings/js/README.md', 'docs/src/javascript.md', 'docs/src/first-page-script.md'];
const BLOCK = /^```(text of|js from)=(.+)\n([\s\S]*?)^```$/gm;
const CODE = /^```js( .*)?\n([\s\S]*?)^```$/gm;
const oldest = JSON.parse(readFileSync(`${here}/package.json`, 'utf8')).engines.node.replace(/^>=/, '');

function truth(kind, what) {
  if (kind === 'js from') return readFileSync(`${root}/${what}`, 'utf8');
  const [command, ...args] = what.split(' ');
  if (command !== 'node') throw new Error(`${what}: only node is run`);
  return execFileSync(process.execPath, args, { cwd: here, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
}

/** Syntax that this Node lacks is written in another way for it. */
async function isUnderstood(code) {
  const written = async (target) => (await transform(code, { target, logLevel: 'silent' })).code;
  return (await written(`node${oldest}`)) === (await written('esnext'));
}

let wrong = 0;
for (const path of documents) {
  const shown = readFileSync(`${root}/${path}`, 'utf8');
  for (const { 2: code, index } of shown.matchAll(CODE)) {
    if (await isUnderstood(code).catch(() => false)) continue;
    console.error(`${path}:${shown.slice(0, index).split('\n').length}: a syntax error in Node ${oldest}`);
    wrong++;
  }
  const written = shown.replace(BLOCK, (_, kind, what) => `\`\`\`${kind}=${what}\n${truth(kind, what).trimEnd()}\n\`\`\``);
  if (written === shown) continue;
  if (process.argv.includes('--update')) writeFileSync(`${root}/${path}`, written);
  else {
    const [one, other] = [shown, written].map((text) => text.split('\n'));
    const line = one.findIndex((text, place) => text !== other[place]);
    console.error(`${path}:${line + 1}: not what is printed; npm run test:docs -- --update writes it anew\n  shown:   ${one[line]}\n  printed: ${other[line]}`);
    wrong++;
  }
}
process.exit(wrong > 0 ? 1 : 0);
