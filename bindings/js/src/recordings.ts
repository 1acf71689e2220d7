// Recordings of real sessions. They have a module of their own, since the tests of a page need none.
import { SimError } from './errors.js';
import { Instance, builtin } from './module.js';

declare const MODULE_URL: string | URL;

/** What is known better than the recording says. */
export interface RecordingOptions {
  /** The name of its file, for messages. */
  name?: string;
  /** These requests are ad tags: parts of their URLs, with `*` for any text. */
  tags?: string[];
  /** These requests do not matter. */
  ignored?: string[];
  /** The length of the content, such as `60s`. */
  contentLength?: string;
  /** Keeps the values of query parameters such as `token`, which are removed otherwise. */
  keepSecrets?: boolean;
  /** The profile of the simulated player: its name, or the text of a file such as `playsim conform fit` writes. */
  profile?: string | { file?: string; text: string };
  /** Knobs of the simulated player. */
  knobs?: Record<string, string>;
}

/** A page without its frame: put the style and the body into a page of your own. */
export interface ReportPage {
  title: string;
  style: string;
  body: string;
}

export interface RecordingVerdict {
  name: string;
  /** Whether an ad was shown in every break, as documented, and nothing essential is unknown. */
  asDocumented: boolean;
  /** The number of deviations from the documented behaviour. */
  differences: number;
  /** Whether it could be simulated: a recording without bodies cannot. */
  simulated: boolean;
  /**
   * The player whose rules it was held against, and what is known of it, such as `shaka, measured in 120
   * recordings`; null if it is the documented one, or nothing was simulated.
   */
  rulesOf: string | null;
  /** How it was read, each sentence with how sure it is. */
  notes: { text: string; certainty: 'seen' | 'inferred' | 'unknown' | 'assumed' }[];
}

/** What is played: settings as `--vary` and `--compare` of `playsim waterfall` take them. */
export interface WhatIf {
  vary?: string[];
  compare?: string[];
  /** How often, if something is random. */
  runs?: number;
}

let loading: Promise<WebAssembly.Module> | undefined;

async function load(): Promise<WebAssembly.Module> {
  const fs = builtin('node:fs') as { readFileSync(path: string | URL): BufferSource } | undefined;
  if (fs && !String(MODULE_URL).startsWith('http')) return WebAssembly.compile(fs.readFileSync(MODULE_URL));
  const response = await fetch(MODULE_URL);
  if (!response.ok) throw new Error(`${String(MODULE_URL)} cannot be loaded: the status is ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Reads and plays a recording: an HTTP archive or a session of Charles, also compressed by gzip or in a zip file
 * with its bodies.
 *
 * @throws SimError if it is not a recording, or has no ad tag.
 */
export async function openRecording(content: Uint8Array | string, options: RecordingOptions = {}): Promise<Recording> {
  loading ??= load();
  const instance = new Instance(await loading);
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return new Recording(instance, instance.recording({ ...options, name: options.name ?? 'recording.har' }, bytes));
}

/** A recording, understood and played. */
export class Recording {
  readonly #instance: Instance;
  readonly #handle: number;

  /** @internal */
  constructor(instance: Instance, handle: number) {
    this.#instance = instance;
    this.#handle = handle;
  }

  verdict(): RecordingVerdict {
    return this.#do({ op: 'verdict' });
  }

  /** The verdict, the evidence and the simulation, as `playsim waterfall FILE` prints them. */
  text(): string {
    return this.#do({ op: 'text' });
  }

  /** The same as data, as `playsim waterfall FILE --format json` prints it. */
  json(): any {
    return this.#do({ op: 'json' });
  }

  page(): ReportPage {
    return this.#do({ op: 'page' });
  }

  /** The scenario that plays the recorded page, and its documents; null if the recording has no bodies. */
  scenario(): { yaml: string; files: Record<string, string> } | null {
    return this.#do({ op: 'scenario' });
  }

  /** What can be varied, with its current value; null where the recording does not say it. */
  settings(): { timeout: string | null; tags: { tag: string; address: string; after: string | null }[] } {
    return this.#do({ op: 'settings' });
  }

  /** The recorded page with other settings: a page, and the table as `playsim waterfall --vary` has it in JSON. */
  whatIf(asked: WhatIf): { page: ReportPage; table: any } {
    return this.#do({ op: 'what_if', ...asked });
  }

  #do<T>(what: object): T {
    return this.#instance.recordingDo(this.#handle, what) as T;
  }
}

export { SimError };
