// The module: text in, text out. One instance serves all worlds.
import { SimError } from './errors.js';
import type { Failure } from './errors.js';

/** The exports of `playsim.wasm`; a handle is a number, 0 is never one. */
interface Exports {
  memory: WebAssembly.Memory;
  ps_alloc(length: number): number;
  ps_out(): number;
  ps_request(at: number, length: number): number;
  ps_world(tag: number, at: number, length: number): number;
  ps_error_len(): number;
  ps_free(handle: number): void;
  ps_do(handle: number, at: number, length: number): number;
  ps_now(handle: number): number;
  ps_due(handle: number): number;
  ps_turn(handle: number, until: number): number;
  ps_close(handle: number): number;
  ps_threw(at: number, length: number): void;
  ps_again(handle: number, tag: number): number;
  /** Only in the module for recordings. */
  ps_recording?(at: number, length: number, bytes: number, size: number): number;
  ps_recording_do?(handle: number, at: number, length: number): number;
}

/** What a function of the page is called with. */
export interface Delivery {
  type: string;
  /** The container of the player. */
  player: string;
  /** The number of the player, in the order of creation. */
  index: number;
  /** In microseconds. */
  at: number;
  data: unknown;
}

/** What `ps_turn` and `ps_close` report. */
export const PLAYED = 1;
export const CALLED = 2;
export const OVER = 4;

/** A world as the module knows it: runs function number `fn`; gives the text of an exception, or null. */
export interface Callee {
  called(fn: number, delivery: Delivery): string | null;
}

type NodeProcess = { getBuiltinModule?: (name: string) => Record<string, unknown> | undefined };
/** A module of Node where there is one: some test environments lack globals that Node has. */
export const builtin = (name: string) =>
  (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.(name);

const Encoder = globalThis.TextEncoder ?? (builtin('node:util')?.TextEncoder as typeof TextEncoder);
const Decoder = globalThis.TextDecoder ?? (builtin('node:util')?.TextDecoder as typeof TextDecoder);
const utf8 = new Encoder();
const text8 = new Decoder();

/** Texts up to this length are copied byte by byte, which is faster as long as they are short. */
const SHORT = 96;
const ASCII = /^[\x00-\x7f]*$/;

export class Instance {
  readonly #exports: Exports;
  #bytes: Uint8Array;
  readonly #callees = new Map<number, WeakRef<Callee>>();
  #tags = 0;
  /** What broke the module; nothing works any more then. */
  #broken: SimError | undefined;

  constructor(module: WebAssembly.Module) {
    const host = { call: (tag: number, fn: number, at: number, length: number) => this.#call(tag, fn, at, length) };
    this.#exports = new WebAssembly.Instance(module, { host }).exports as unknown as Exports;
    this.#bytes = new Uint8Array(this.#exports.memory.buffer);
  }

  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  request(what: object): unknown {
    return this.#answered(this.#guarded(() => this.#exports.ps_request(...this.#put(JSON.stringify(what)))));
  }

  /** Makes a world: its handle, and the tag that it is freed with. */
  world(callee: Callee, what: object): { handle: number; tag: number } {
    const tag = ++this.#tags;
    this.#callees.set(tag, new WeakRef(callee));
    try {
      const handle = this.#guarded(() => this.#exports.ps_world(tag, ...this.#put(JSON.stringify(what))));
      if (handle === 0) this.#answered(-this.#exports.ps_error_len());
      return { handle, tag };
    } catch (error) {
      this.#callees.delete(tag);
      throw error;
    }
  }

  /** Makes a world with the scenario of one that is explored. */
  again(handle: number, callee: Callee): { handle: number; tag: number } {
    const tag = ++this.#tags;
    this.#callees.set(tag, new WeakRef(callee));
    return { handle: this.#guarded(() => this.#exports.ps_again(handle, tag)), tag };
  }

  free(handle: number, tag: number): void {
    if (this.#callees.delete(tag) && !this.isBroken) this.#guarded(() => this.#exports.ps_free(handle));
  }

  do(handle: number, what: string): unknown {
    return this.#answered(this.#guarded(() => this.#exports.ps_do(handle, ...this.#put(what))));
  }

  /** Reads a recording, and gives its handle. */
  recording(how: object, bytes: Uint8Array): number {
    const handle = this.#guarded(() => {
      const text = this.#put(JSON.stringify(how));
      const at = this.#exports.ps_alloc(bytes.length);
      this.#memory().set(bytes, at);
      return this.#exports.ps_recording!(...text, at, bytes.length);
    });
    if (handle === 0) this.#answered(-this.#exports.ps_error_len());
    return handle;
  }

  recordingDo(handle: number, what: object): unknown {
    return this.#answered(this.#guarded(() => this.#exports.ps_recording_do!(handle, ...this.#put(JSON.stringify(what)))));
  }

  now(handle: number): number {
    return this.#exports.ps_now(handle);
  }

  due(handle: number): number {
    return this.#exports.ps_due(handle);
  }

  turn(handle: number, until: number): number {
    return this.#guarded(() => this.#exports.ps_turn(handle, until));
  }

  close(handle: number): number {
    return this.#guarded(() => this.#exports.ps_close(handle));
  }

  /** The engine calls a function of the page. Nothing may be thrown through its frames. */
  #call(tag: number, fn: number, at: number, length: number): number {
    let threw: string | null;
    try {
      threw = this.#callees.get(tag)?.deref()?.called(fn, JSON.parse(this.#get(at, length)) as Delivery) ?? null;
    } catch (error) {
      threw = String(error);
    }
    if (threw === null) return 0;
    this.#exports.ps_threw(...this.#put(threw));
    return 1;
  }

  /** Runs an export. An exception from it is a fault of the module, whose state is unknown from then on. */
  #guarded(run: () => number): number;
  #guarded(run: () => void): void;
  #guarded(run: () => number | void): number | void {
    if (this.#broken) throw this.#broken;
    try {
      return run();
    } catch (error) {
      this.#broken = broken(error, this.#lastWords());
      throw this.#broken;
    }
  }

  /** The message of a panic, which the module leaves as its last answer. */
  #lastWords(): string | undefined {
    try {
      const text = this.#get(this.#exports.ps_out(), this.#exports.ps_error_len());
      return text.startsWith('playsim has failed') ? text : undefined;
    } catch {
      return undefined;
    }
  }

  #answered(length: number): unknown {
    const answer: unknown = JSON.parse(this.#get(this.#exports.ps_out(), Math.abs(length)));
    if (length < 0) throw new SimError(answer as Failure);
    return answer;
  }

  #memory(): Uint8Array {
    // The memory has grown.
    if (this.#bytes.byteLength === 0) this.#bytes = new Uint8Array(this.#exports.memory.buffer);
    return this.#bytes;
  }

  #put(text: string): [at: number, length: number] {
    if (text.length <= SHORT && ASCII.test(text)) {
      const at = this.#exports.ps_alloc(text.length), bytes = this.#memory();
      for (let place = 0; place < text.length; place++) bytes[at + place] = text.charCodeAt(place);
      return [at, text.length];
    }
    const encoded = utf8.encode(text), at = this.#exports.ps_alloc(encoded.length);
    this.#memory().set(encoded, at);
    return [at, encoded.length];
  }

  #get(at: number, length: number): string {
    const bytes = this.#memory();
    if (length <= SHORT) {
      let text = '';
      for (let place = at; place < at + length; place++) {
        if (bytes[place]! > 127) return text8.decode(bytes.subarray(at, at + length));
        text += String.fromCharCode(bytes[place]!);
      }
      return text;
    }
    return text8.decode(bytes.subarray(at, at + length));
  }
}

function broken(cause: unknown, words: string | undefined): SimError {
  const message =
    `${words ?? `playsim itself has failed: ${String(cause)}`}. Worlds that were made before cannot go on, new ones can. ` +
    'Please report this with the scenario';
  return new SimError({ message }, { cause });
}

// --- The module of this process or page.

let module: WebAssembly.Module | undefined;
let current: Instance | undefined;

/** Takes over a compiled module. Worlds that exist keep theirs. */
export function use(compiled: WebAssembly.Module): void {
  module = compiled;
  current = undefined;
}

export const isReady = (): boolean => module !== undefined;

export function instance(): Instance {
  if (!current || current.isBroken) {
    if (!module) {
      throw new SimError({ message: 'the module is not loaded yet; call `await init()` once before anything else' });
    }
    current = new Instance(module);
  }
  return current;
}

export const request = (what: object): unknown => instance().request(what);
