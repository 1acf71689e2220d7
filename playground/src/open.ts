// Files that are opened or dropped: what each of them is.

export interface Opened {
  name: string;
  bytes: Uint8Array;
}

export type Meaning =
  | { kind: 'recording'; file: Opened }
  | { kind: 'scenario'; file: Opened; others: Opened[] }
  /** Responses of ad servers, as a waterfall. */
  | { kind: 'answers'; files: Opened[] }
  | { kind: 'unknown'; message: string };

/** The largest file that is read. */
const MOST = 200e6;

/** Reads dropped files and the files of dropped folders. */
export async function dropped(transfer: DataTransfer): Promise<Opened[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null);
  if (entries.length === 0) return read([...transfer.files].map((file) => [file.name, file]));
  const all: [string, File][] = [];
  const walk = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      all.push([path + entry.name, file]);
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    // A folder is read in parts, until one is empty.
    for (;;) {
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (part.length === 0) return;
      for (const inner of part) await walk(inner, all.length === 0 && entries.length === 1 ? path : `${path}`);
    }
  };
  for (const entry of entries) if (entry) await walk(entry, '');
  return read(all);
}

export async function chosen(files: FileList): Promise<Opened[]> {
  return read([...files].map((file) => [file.name, file]));
}

async function read(files: [string, File][]): Promise<Opened[]> {
  const opened: Opened[] = [];
  for (const [name, file] of files) {
    if (file.size > MOST) throw new Error(`${name} has ${Math.round(file.size / 1e6)} MB; this page reads files of up to ${MOST / 1e6} MB`);
    opened.push({ name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  return opened;
}

export const textOf = (file: Opened): string => new TextDecoder().decode(file.bytes);

/** Says what the files are, by their names and beginnings. */
export function meaning(files: Opened[]): Meaning {
  const recording = files.find(isRecording);
  if (recording) return { kind: 'recording', file: recording };
  const scenario = files.find((file) => /\.(ya?ml|json)$/i.test(file.name) && !/schema\.json$/.test(file.name));
  if (scenario) return { kind: 'scenario', file: scenario, others: files.filter((file) => file !== scenario) };
  const answers = files.filter((file) => /\.(xml|vast|vmap|http|txt)$/i.test(file.name) || /^\s*(<|HTTP\/)/.test(head(file)));
  if (answers.length > 0) return { kind: 'answers', files: answers };
  const names = files.map((file) => file.name).join(', ');
  return { kind: 'unknown', message: `${names || 'nothing'}: expected a recording (.har), a scenario (.yaml), or VAST documents (.xml)` };
}

const head = (file: Opened): string => new TextDecoder().decode(file.bytes.subarray(0, 200));

function isRecording(file: Opened): boolean {
  const [a, b, c, d] = file.bytes;
  const isPacked = (a === 0x1f && b === 0x8b) || (a === 0x50 && b === 0x4b && c === 3 && d === 4);
  return isPacked || /\.(har|chlsj|chlsx)$/i.test(file.name) || /^\s*\{\s*"log"/.test(head(file));
}
