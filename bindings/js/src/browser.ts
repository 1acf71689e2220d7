// In browsers and workers the module is loaded by `await init()`.
import { builtin, isReady, use } from './module.js';

declare const MODULE_URL: string | URL;

/** What the module can be loaded from: its URL, a response, its bytes, or the compiled module. */
export type ModuleSource = string | URL | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;

let loading: Promise<void> | undefined;

/** Loads the module, once. Default: `playsim.wasm` next to this file. */
export function init(source?: ModuleSource): Promise<void> {
  if (isReady()) return Promise.resolve();
  loading ??= compiled(source ?? MODULE_URL).then(use, (error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function compiled(source: ModuleSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return WebAssembly.compile(source);
  const response = await (typeof source === 'string' || source instanceof URL ? fetch(source) : source);
  if (!response.ok) throw new Error(`playsim.wasm cannot be loaded from ${response.url}: the status is ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

// A test environment in Node that resolves packages as a browser does, such as that of Jest with jsdom: no loading needed.
const fs = builtin('node:fs') as { readFileSync(path: string | URL): BufferSource } | undefined;
if (fs && !(String(MODULE_URL).startsWith('http'))) use(new WebAssembly.Module(fs.readFileSync(MODULE_URL)));

export * from './index.js';
