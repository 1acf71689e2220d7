// A recording that is open in the worker.
import type { Engine } from './engine.js';
import { textOf } from './open.js';
import type { Opened } from './open.js';
import type { Page } from './view.js';

interface Made { yaml: string; files: Record<string, string> }

export class Recording {
  readonly file: Opened;
  readonly others: Opened[];
  readonly #engine: Engine;
  #handle = 0;
  /** The worker that has it. */
  #generation = -1;
  page!: Page;
  /** The scenario that plays it; null without bodies. */
  made: Made | null = null;

  private constructor(engine: Engine, file: Opened, others: Opened[]) {
    this.#engine = engine;
    this.file = file;
    this.others = others;
  }

  static async open(engine: Engine, file: Opened, others: Opened[]): Promise<Recording> {
    const recording = new Recording(engine, file, others);
    recording.page = await recording.ask<Page>({ op: 'page' });
    recording.made = await recording.ask<Made | null>({ op: 'scenario' });
    return recording;
  }

  /** Asks about it. A worker that has been restarted reads it again. */
  async ask<T>(what: object): Promise<T> {
    if (this.#generation !== this.#engine.generation) {
      // Bodies that stand beside the archive.
      const files = Object.fromEntries(this.others.map((other) => [other.name, textOf(other)]));
      this.#handle = await this.#engine.open({ name: this.file.name, files }, this.file.bytes);
      this.#generation = this.#engine.generation;
    }
    return (await this.#engine.recording<T>(this.#handle, what)).value;
  }

  close(): void {
    if (this.#generation === this.#engine.generation) this.#engine.close(this.#handle).catch(() => { /* It is gone already. */ });
    this.#generation = -1;
  }
}
