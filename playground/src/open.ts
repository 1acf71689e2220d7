// Files that are opened or dropped: what each of them is.

/** A file, with its path in the folder that was opened. */
export interface Opened {
  name: string;
  bytes: Uint8Array;
}

export type Meaning =
  | { kind: 'recording'; file: Opened; others: Opened[] }
  | { kind: 'scenario'; file: Opened; others: Opened[] }
  /** Responses of ad servers, as a waterfall. */
  | { kind: 'answers'; files: Opened[] }
  | { kind: 'unknown'; message: string };

/** The largest file that is read. */
const MOST = 200e6;

/** Reads dropped files and the files of dropped folders. What is dropped can only be asked for at once. */
export function dropped(transfer: DataTransfer): Promise<Opened[]> {
  const items = [...transfer.items].filter((item) => item.kind === 'file');
  const found = items.map(async (item): Promise<[string, File][]> => {
    const entry = item.webkitGetAsEntry?.() ?? null;
    const file = item.getAsFile();
    if (!entry?.isDirectory) return file ? [[file.name, file]] : [];
    // A page from a folder may read a dropped folder by its handle only, where there are handles.
    const handle = (item as unknown as { getAsFileSystemHandle?(): Promise<FolderHandle> }).getAsFileSystemHandle?.();
    return handle ? ofHandle(await handle, '') : ofEntry(entry as FileSystemDirectoryEntry, '');
  });
  return Promise.all(found).then((all) => read(all.flat()));
}

interface FolderHandle {
  entries(): AsyncIterable<[string, { kind: string; getFile?(): Promise<File> } & Partial<FolderHandle>]>;
}

async function ofHandle(folder: FolderHandle, path: string): Promise<[string, File][]> {
  const all: [string, File][] = [];
  for await (const [name, inner] of folder.entries()) {
    if (inner.kind === 'directory') all.push(...(await ofHandle(inner as FolderHandle, `${path}${name}/`)));
    else all.push([path + name, await inner.getFile!()]);
  }
  return all;
}

async function ofEntry(folder: FileSystemDirectoryEntry, path: string): Promise<[string, File][]> {
  const reader = folder.createReader();
  const all: [string, File][] = [];
  // A folder is read in parts, until one is empty.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    for (const inner of part) {
      if (inner.isDirectory) all.push(...(await ofEntry(inner as FileSystemDirectoryEntry, `${path}${inner.name}/`)));
      else all.push([path + inner.name, await new Promise<File>((resolve, reject) => (inner as FileSystemFileEntry).file(resolve, reject))]);
    }
  }
}

export async function chosen(files: FileList): Promise<Opened[]> {
  // Of a folder, its own name is left out.
  return read([...files].map((file) => [file.webkitRelativePath.split('/').slice(1).join('/') || file.name, file]));
}

async function read(files: [string, File][]): Promise<Opened[]> {
  const opened: Opened[] = [];
  for (const [name, file] of files) {
    if (file.size > MOST) throw new Error(`${name} has ${Math.round(file.size / 1e6)} MB; this page reads files of up to ${MOST / 1e6} MB`);
    opened.push({ name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  return opened.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Decodes a text: by its byte-order mark, or the declaration of XML; otherwise it is UTF-8. */
export function textOf({ bytes }: Opened): string {
  const [a, b] = bytes;
  let encoding = 'utf-8';
  if (a === 0xff && b === 0xfe) encoding = 'utf-16le';
  else if (a === 0xfe && b === 0xff) encoding = 'utf-16be';
  else encoding = new TextDecoder('latin1').decode(bytes.subarray(0, 256)).match(/^\s*<\?xml[^>]*encoding=["']([\w.:-]+)/)?.[1] ?? encoding;
  try {
    // A declaration that was read byte by byte is not that of UTF-16.
    return new TextDecoder(/^utf-?16/i.test(encoding) && a !== 0xff && a !== 0xfe ? 'utf-8' : encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

const head = (file: Opened): string => textOf({ name: file.name, bytes: file.bytes.subarray(0, 2000) });

/** Says what the files are, by their names and beginnings. */
export function meaning(files: Opened[]): Meaning {
  const without = (file: Opened) => files.filter((other) => other !== file);
  const recording = files.find(isRecording);
  if (recording) return { kind: 'recording', file: recording, others: without(recording) };
  const scenario =
    files.find((file) => /\.ya?ml$/i.test(file.name)) ??
    files.find((file) => /\.json$/i.test(file.name) && /"(videos|steps|network|player)"\s*:/.test(head(file)) && !/"\$defs"/.test(head(file)));
  if (scenario) {
    // Documents are named relative to the scenario.
    const folder = scenario.name.slice(0, scenario.name.lastIndexOf('/') + 1);
    const others = without(scenario).filter((file) => file.name.startsWith(folder));
    const own = (file: Opened) => ({ ...file, name: file.name.slice(folder.length) });
    return { kind: 'scenario', file: own(scenario), others: others.map(own) };
  }
  const answers = files.filter(isAnswer);
  if (answers.length > 0) return { kind: 'answers', files: answers };
  const names = files.slice(0, 5).map((file) => file.name).join(', ');
  return { kind: 'unknown', message: `${names || 'nothing'}: expected a recording (.har), a scenario (.yaml), or VAST documents (.xml)` };
}

/** Responses: documents, and what curl has saved. An empty one is a request without a response. */
function isAnswer(file: Opened): boolean {
  if (/\.(xml|vast|vmap|http)$/i.test(file.name)) return true;
  return /^[\s\ufeff]*(<(\?xml|VAST|vmap)|HTTP\/|curl: \()/i.test(head(file)) || (/\.txt$/i.test(file.name) && file.bytes.length === 0);
}

export function isRecording(file: Opened): boolean {
  const [a, b, c, d] = file.bytes;
  const isPacked = (a === 0x1f && b === 0x8b) || (a === 0x50 && b === 0x4b && c === 3 && d === 4);
  return isPacked || /\.(har|chlsj|chlsx)$/i.test(file.name) || /^\s*\{\s*"log"/.test(head(file));
}
