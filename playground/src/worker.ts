// playsim in a worker, so that the page stays responsive whatever is played. One message in, one answer out.
interface Exports {
  memory: WebAssembly.Memory;
  ps_alloc(length: number): number;
  ps_out(): number;
  ps_error_len(): number;
  ps_request(at: number, length: number): number;
  ps_recording(at: number, length: number, bytes: number, size: number): number;
  ps_recording_do(handle: number, at: number, length: number): number;
  ps_recording_free(handle: number): void;
}

export type Question =
  | { kind: 'start'; module: Uint8Array }
  | { kind: 'request'; what: object }
  | { kind: 'open'; how: object; bytes: Uint8Array }
  | { kind: 'recording'; handle: number; what: object }
  | { kind: 'close'; handle: number };
/** `took` is the time in the module, in milliseconds. */
export type Answer = { id: number; took: number } & ({ value: unknown } | { error: { message: string } });

const utf8 = new TextEncoder();
const text8 = new TextDecoder();
let module: Exports;

function put(bytes: Uint8Array): [number, number] {
  const at = module.ps_alloc(bytes.length);
  new Uint8Array(module.memory.buffer, at, bytes.length).set(bytes);
  return [at, bytes.length];
}
const put_json = (what: object) => put(utf8.encode(JSON.stringify(what)));

function taken(length: number): unknown {
  const text = text8.decode(new Uint8Array(module.memory.buffer, module.ps_out(), Math.abs(length)));
  if (length >= 0) return JSON.parse(text);
  throw JSON.parse(text);
}

/** The module comes compressed. */
async function start(packed: Uint8Array): Promise<void> {
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  const bytes = await new Response(stream).arrayBuffer();
  const { instance } = await WebAssembly.instantiate(bytes, { host: { call: () => 0 } });
  module = instance.exports as unknown as Exports;
}

async function answer(question: Question): Promise<unknown> {
  switch (question.kind) {
    case 'start':
      return start(question.module);
    case 'request':
      return taken(module.ps_request(...put_json(question.what)));
    case 'open': {
      const handle = module.ps_recording(...put_json(question.how), ...put(question.bytes));
      return handle === 0 ? taken(-module.ps_error_len()) : handle;
    }
    case 'recording':
      return taken(module.ps_recording_do(question.handle, ...put_json(question.what)));
    case 'close':
      return module.ps_recording_free(question.handle);
  }
}

/** A panic ends the module: its message is the last answer. */
function described(error: unknown): { message: string } {
  if (error instanceof WebAssembly.RuntimeError) {
    const length = module.ps_error_len();
    const text = text8.decode(new Uint8Array(module.memory.buffer, module.ps_out(), length));
    const is_memory = !text.startsWith('playsim has failed');
    return { message: is_memory ? `this is too large for the page's memory (${error.message})` : text };
  }
  if (error instanceof Error) return { message: error.message };
  return error as { message: string };
}

onmessage = async ({ data: [id, question] }: MessageEvent<[number, Question]>) => {
  const began = performance.now();
  let result: Answer;
  try {
    const value = await answer(question);
    result = { id, value, took: performance.now() - began };
  } catch (error) {
    result = { id, error: described(error), took: performance.now() - began };
  }
  postMessage(result);
};
