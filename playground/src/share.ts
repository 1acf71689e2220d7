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

/** Reads a fragment; null if it holds no scenario. */
export async function fromFragment(fragment: string): Promise<Case | null> {
  const packed = fragment.match(/^#?s=([\w-]+)$/)?.[1];
  if (!packed) return null;
  let bytes: Uint8Array;
  try {
    bytes = await through(fromBase64(packed), new DecompressionStream('deflate-raw'));
  } catch {
    throw new Error('the link is damaged: a part of it is missing or was changed');
  }
  if (bytes.length > MOST) throw new Error('the link holds more than this page reads');
  const given = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Case>;
  if (typeof given.scenario !== 'string') throw new Error('the link holds no scenario');
  const texts = Object.entries(given.files ?? {}).filter(([, text]) => typeof text === 'string');
  return { name: String(given.name ?? 'shared.yaml'), scenario: given.scenario, files: Object.fromEntries(texts) };
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
  const write = ([name, text]: [string, string]) => {
    const end = text.includes('\nEOF\n') ? 'END_OF_FILE' : 'EOF';
    return `cat > '${name.replaceAll("'", "'\\''")}' <<'${end}'\n${text.replace(/\n?$/, '\n')}${end}`;
  };
  const files: [string, string][] = [[of.name, of.scenario], ...Object.entries(of.files)];
  return `${files.map(write).join('\n')}\nplaysim run '${of.name}'\n`;
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
