// The page's side of the worker: questions in order, a limit on time, and a fresh worker after a failure.
import type { Answer, Question } from './worker.js';

/** The texts that make up a scenario. */
export interface Case {
  /** The name of the scenario's file. */
  name: string;
  scenario: string;
  /** The documents that it names, by path. */
  files: Record<string, string>;
}

export interface Mistake {
  message: string;
  line: number;
  column: number;
  /** The place in the text, in bytes. */
  range: [number, number];
  suggestion: string | null;
}

/** Something that playsim refuses, with its places in the text. */
export class Refused extends Error {
  readonly mistakes: Mistake[];

  constructor(given: { message: string; mistakes?: Mistake[] }) {
    super(given.message);
    this.mistakes = given.mistakes ?? [];
  }
}

/** The source of the worker, which the build puts in. */
declare const WORKER: string;

/** How long playsim may think before the page gives up, in milliseconds. */
const LIMIT = 20_000;

interface Waiting {
  resolve(value: { value: unknown; took: number }): void;
  reject(error: Error): void;
}

export class Engine {
  readonly #module: Uint8Array;
  readonly #waiting = new Map<number, Waiting>();
  #worker!: Worker;
  #next = 0;
  /** Of the question that the worker answers now; the others wait behind it. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the workers: handles of recordings belong to one of them. */
  generation = 0;

  private constructor(module: Uint8Array) {
    this.#module = module;
  }

  static async start(module: Uint8Array): Promise<Engine> {
    const engine = new Engine(module);
    await engine.#begin();
    return engine;
  }

  /** Answers a request without state; `took` is in milliseconds. */
  async request<T>(what: object): Promise<{ value: T; took: number }> {
    return (await this.#ask({ kind: 'request', what })) as { value: T; took: number };
  }

  /** Reads a recording, and gives its handle. */
  async open(how: object, bytes: Uint8Array): Promise<number> {
    return (await this.#ask({ kind: 'open', how, bytes })).value as number;
  }

  /** Performs an operation on a recording. */
  async recording<T>(handle: number, what: object): Promise<{ value: T; took: number }> {
    return (await this.#ask({ kind: 'recording', handle, what })) as { value: T; took: number };
  }

  async close(handle: number): Promise<void> {
    await this.#ask({ kind: 'close', handle });
  }

  #begin(): Promise<unknown> {
    this.generation += 1;
    const url = URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' }));
    this.#worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#answered(data);
    this.#worker.onerror = (event) => this.#restart(event.message || 'the worker has failed');
    return this.#ask({ kind: 'start', module: this.#module });
  }

  #ask(question: Question): Promise<{ value: unknown; took: number }> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (this.#waiting.size === 1) this.#watch();
      this.#worker.postMessage([id, question]);
    });
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => this.#restart(`this took longer than ${LIMIT / 1000} s, so it was given up`), LIMIT);
  }

  #answered(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    this.#waiting.delete(answer.id);
    this.#watch();
    if ('value' in answer) waiting.resolve({ value: answer.value, took: answer.took });
    else {
      waiting.reject(new Refused(answer.error));
      // After a panic the module cannot be used any more.
      if (/^(playsim has failed|this is too large)/.test(answer.error.message)) this.#restart(answer.error.message);
    }
  }

  /** Ends the worker, answers what waits for it with a message, and begins a new one. */
  #restart(message: string): void {
    this.#worker.terminate();
    clearTimeout(this.#timer);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Refused({ message }));
    void this.#begin();
  }
}

/** Runs the newest of many jobs: while one runs, only the last one that is asked for waits. */
export class Latest {
  readonly #failed: (error: unknown) => void;
  #running = false;
  #next: (() => Promise<void>) | null = null;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  run(job: () => Promise<void>): void {
    this.#next = job;
    if (!this.#running) void this.#loop();
  }

  async #loop(): Promise<void> {
    this.#running = true;
    while (this.#next) {
      const job = this.#next;
      this.#next = null;
      try {
        await job();
      } catch (error) {
        // The next one may go well.
        this.#failed(error);
      }
    }
    this.#running = false;
  }
}
