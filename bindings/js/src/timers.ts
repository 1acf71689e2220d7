// The timers of the page: due at times of the virtual clock, in microseconds.

interface Timer {
  id: number;
  at: number;
  /** How often a callback has set the next one within itself. */
  nesting: number;
  run: () => unknown;
  /** Of an interval: its length in milliseconds. */
  every: number | undefined;
  kind: 'setTimeout' | 'setInterval' | 'requestAnimationFrame';
  name: string;
}

/** From this depth on, timers of zero wait 4 ms, as in browsers: otherwise polling would keep the clock from going on. */
const NESTED = 5;
const LEAST = 4;
const MOST = 2 ** 31 - 1;
/** Frames per second. */
const FRAMES = 60;

export class Timers {
  readonly #due: Timer[] = [];
  #ids = 0;
  #nesting = 0;
  readonly #now: () => number;
  readonly #onSet: () => void;

  constructor(now: () => number, onSet: () => void) {
    this.#now = now;
    this.#onSet = onSet;
  }

  /** When the next one is due. */
  get next(): number {
    return this.#due[0]?.at ?? Infinity;
  }

  set(kind: 'setTimeout' | 'setInterval', fn: unknown, delay: unknown, args: unknown[]): number {
    if (typeof fn !== 'function') throw new TypeError(`${kind}: the callback must be a function`);
    const number = Math.trunc(Number(delay ?? 0));
    const given = Number.isFinite(number) && number > 0 && number <= MOST ? number : 0;
    const nesting = this.#nesting + 1;
    const wait = nesting > NESTED ? Math.max(LEAST, given) : given;
    const run = () => (fn as (...args: unknown[]) => unknown)(...args);
    const every = kind === 'setInterval' ? given : undefined;
    return this.#add({ id: ++this.#ids, at: this.#now() + wait * 1000, nesting, run, every, kind, name: fn.name });
  }

  frame(fn: unknown, timestamp: () => number): number {
    if (typeof fn !== 'function') throw new TypeError('requestAnimationFrame: the callback must be a function');
    const number = Math.floor(((this.#now() + 0.5) * FRAMES) / 1e6) + 1;
    const at = Math.round((number * 1e6) / FRAMES);
    const run = () => (fn as (time: number) => unknown)(timestamp());
    return this.#add({ id: ++this.#ids, at, nesting: 0, run, every: undefined, kind: 'requestAnimationFrame', name: fn.name });
  }

  clear(id: unknown): void {
    const place = this.#due.findIndex((timer) => timer.id === Number(id));
    if (place >= 0) this.#due.splice(place, 1);
  }

  clearAll(): void {
    this.#due.length = 0;
  }

  /** Takes the next one out, which must be due; gives its callback. */
  take(): () => unknown {
    const timer = this.#due.shift()!;
    if (timer.every !== undefined) {
      const nesting = timer.nesting + 1;
      const wait = nesting > NESTED ? Math.max(LEAST, timer.every) : timer.every;
      this.#add({ ...timer, at: timer.at + wait * 1000, nesting });
    }
    return () => {
      const outer = this.#nesting;
      this.#nesting = timer.kind === 'requestAnimationFrame' ? 0 : timer.nesting;
      try {
        return timer.run();
      } finally {
        this.#nesting = outer;
      }
    };
  }

  /** The next one, for a message. */
  describe(): string {
    const timer = this.#due[0];
    if (!timer) return 'none';
    const name = timer.name ? ` of ${timer.name}` : '';
    return timer.every === undefined ? `${timer.kind}${name}` : `${timer.kind}${name} every ${timer.every} ms`;
  }

  /** All of them, as far as they tell what comes: relative to now, and without their numbers. */
  summary(): unknown[] {
    const now = this.#now();
    return this.#due.map(({ at, nesting, every, kind, name }) => [at - now, nesting, every ?? null, kind, name]);
  }

  #add(timer: Timer): number {
    // Of the same time, the one that was set first comes first.
    let low = 0, high = this.#due.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#due[middle]!.at <= timer.at) low = middle + 1;
      else high = middle;
    }
    this.#due.splice(low, 0, timer);
    this.#onSet();
    return timer.id;
  }
}
