// A scenario in a link: JSON, deflated, in Base64 for URLs. And files to download.
import type { Case } from './engine.js';

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as BlobPart]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}

/** The largest scenario that a link may unpack to. */
const MOST = 16e6;

/** Returns the fragment for a scenario, without the #. */
export async function toFragment(of: Case): Promise<string> {
  const json = JSON.stringify({ name: of.name, scenario: of.scenario, files: of.files });
  return `s=${toBase64(await through(new TextEncoder().encode(json), new CompressionStream('deflate-raw')))}`;
}

/** Unpacks up to a limit. */
async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
    parts.push(value);
    length += value.length;
    if (length > MOST) throw new Error('the link holds more than this page reads');
  }
}

/** Whether a name is that of a file in the folder of the scenario or below it. */
const isBelow = (name: string): boolean => name !== '' && !/[\\\0-\x1f]/.test(name) && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/** Reads a fragment; null if it is not one of a scenario. */
export async function fromFragment(fragment: string): Promise<Case | null> {
  // What follows a link in a message is often taken for a part of it.
  const packed = fragment.match(/^#?s=([\w-]*)/)?.[1];
  if (packed === undefined) return null;
  let given: Partial<Case> | null;
  try {
    given = JSON.parse(new TextDecoder().decode(await unpacked(fromBase64(packed)))) as Partial<Case> | null;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('the link')) throw error;
    throw new Error('The link is damaged: a part of it is missing or was changed. Here is the demo instead.');
  }
  if (typeof given?.scenario !== 'string') throw new Error('The link holds no scenario. Here is the demo instead.');
  const files = Object.entries(given.files ?? {}).filter(([, text]) => typeof text === 'string');
  const odd = [String(given.name ?? 'shared.yaml'), ...files.map(([name]) => name)].find((name) => !isBelow(name));
  if (odd !== undefined) throw new Error(`The link names a file outside of its folder, ${odd}. Here is the demo instead.`);
  return { name: String(given.name ?? 'shared.yaml'), scenario: given.scenario, files: Object.fromEntries(files) };
}

export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Shell commands that write the files and play them. */
export function forTerminal(of: Case): string {
  const quoted = (name: string) => `'./${name.replaceAll("'", "'\\''")}'`;
  const write = ([name, text]: [string, string]) => {
    const lines = text.split('\n');
    // A word that ends the text, and is none of its lines.
    let end = 'EOF';
    while (lines.includes(end)) end += '_';
    const folder = name.includes('/') ? `mkdir -p ${quoted(name.slice(0, name.lastIndexOf('/')))}\n` : '';
    return `${folder}cat > ${quoted(name)} <<'${end}'\n${text.replace(/\n?$/, '\n')}${end}`;
  };
  const files: [string, string][] = [[of.name, of.scenario], ...Object.entries(of.files)];
  return `${files.map(write).join('\n')}\nplaysim run ${quoted(of.name)}\n`;
}

/** A test of the npm package that plays the scenario. */
export function forVitest(of: Case, events: string[]): string {
  const quoted = (text: string) => `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;
  const files = Object.entries(of.files).map(([name, text]) => `  ${JSON.stringify(name)}: ${quoted(text)},\n`);
  return `import { expect, test } from 'vitest';
import { run } from 'playsim';

const scenario = ${quoted(of.scenario)};
const files = {
${files.join('')}};

test(${JSON.stringify(of.name.replace(/\.ya?ml$/, ''))}, () => {
  const trace = run(scenario, { files });
  expect(trace.events.map((event) => event.type)).toEqual(expect.arrayContaining(${JSON.stringify([...new Set(events)])}));
});
`;
}
