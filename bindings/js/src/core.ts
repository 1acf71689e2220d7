// A world from the inside: what the page's objects, the clock and the matchers share.
import { SimError } from './errors.js';
import { CALLED, OVER, PLAYED, instance } from './module.js';
import type { Callee, Delivery, Instance } from './module.js';
import { shown } from './spans.js';
import { Timers } from './timers.js';
import { decode, encode } from './values.js';

/** Frees worlds that were forgotten. */
const forgotten = new FinalizationRegistry<{ module: Instance; handle: number; tag: number }>(
  ({ module, handle, tag }) => module.free(handle, tag),
);

/** A player or a media element of the page. */
export interface Unit {
  readonly container: string;
  readonly index: number;
  /** An event as its listeners get it. */
  event(type: string, data: unknown, at: number): unknown;
}

/** Where units come from: the module that makes players would otherwise import this one in a circle. */
export type NewUnit = (core: Core, container: string, index: number) => Unit;

export interface Happened {
  type: string;
  player: string;
  index: number;
  /** In seconds. */
  at: number;
  data: unknown;
  /** The number of its line. */
  line: number;
}

interface Settled {
  index: number;
  data: { request: number; why?: string };
  resolved: boolean;
}

interface OpenPromise {
  resolve(): void;
  reject(error: unknown): void;
}

export type OnError = 'throw' | 'collect';

/** What the trace says of page code that is probably mistaken. */
export interface Diagnostic {
  /** Such as `not_ready`. */
  code: string;
  text: string;
  /** The rule that decided, such as `INIT-20`; `playsim rules INIT-20` prints it. */
  rule: string | null;
  /** What was probably meant. */
  suggestion: string | null;
  /** The container of the player, if it is about one. */
  player: string | null;
  /** In milliseconds. */
  at: number;
}

/** Where diagnostics go: to the console as warnings, nowhere, or to a function. */
export type OnDiagnostic = 'warn' | 'ignore' | ((diagnostic: Diagnostic) => void);

/** What the page's document is asked. */
export interface PageDocument {
  getElementById(id: string): { remove?(): void } | null;
}

/** How a run has ended. */
export interface Outcome {
  /** `idle`: nothing more can happen by itself; `until`: the scenario ends here; `limit` and `livelock`: faults. */
  outcome: 'idle' | 'until' | 'limit' | 'livelock';
  limit?: string;
  /** In a sentence. */
  text?: string;
}

export class Core implements Callee {
  readonly errors: unknown[] = [];
  readonly timers: Timers;
  readonly units = new Map<number, Unit>();
  /** What page code has thrown since a clock function last said so. */
  #untold: unknown[] = [];
  readonly #module: Instance;
  readonly #handle: number;
  readonly #tag: number;
  readonly #onError: OnError;
  readonly #onDiagnostic: OnDiagnostic;
  readonly #newUnit: NewUnit;
  readonly #functions: Function[] = [];
  readonly #names = new Map<Function, string>();
  readonly #named = new Map<string, Function>();
  readonly #newest = new Map<string, number>();
  readonly #promises = new Map<string, OpenPromise>();
  #settledFrom = 0;
  #diagnosedFrom = 0;
  readonly #diagnosed = new Set<string>();
  /** The page's document: its elements can hold players. */
  document: PageDocument | null | undefined;
  /** How many functions of the page run now, each within the one before. */
  depth = 0;
  /** Whether page code was called since this was last reset. */
  calledOut = false;
  /** The line from which on `runTo` looks for events: after those that clock functions have come to. */
  seen = 0;
  /** The clock function that runs. */
  playing: string | null = null;
  /** Why time cannot go on. */
  #fault: SimError | null = null;
  /** The scenario's end is reached. */
  isOver = false;
  #isFree = false;
  /** Whether page code may have begun a task that has not been ended. */
  #isOpen = false;
  /** A foreign clock that drives the simulation: called before and after each act. */
  follower: { before(): void; after(): void } | null = null;

  /** Whether what page code throws after it has waited is kept, like what it throws at once. */
  keepsRejections = false;

  /** From a scenario, or from a world that is explored: another one like it, at the start. */
  constructor(given: object | Core, onError: OnError, newUnit: NewUnit, onDiagnostic: OnDiagnostic = 'ignore') {
    this.#onError = onError;
    this.#onDiagnostic = onDiagnostic;
    this.#newUnit = newUnit;
    const isAgain = given instanceof Core;
    this.#module = isAgain ? given.#module : instance();
    const { handle, tag } = isAgain ? this.#module.again(given.#handle, this) : this.#module.world(this, given);
    this.#handle = handle;
    this.#tag = tag;
    this.timers = new Timers(() => this.now, () => this.follower?.after());
    forgotten.register(this, { module: this.#module, handle, tag }, this);
  }

  // --- Acts.

  /** Performs an operation of the module. */
  do<T = { value: unknown }>(what: object): T {
    this.alive();
    if (this.depth === 0) this.#isOpen = true;
    const isOutside = this.depth === 0 && this.follower !== null;
    if (isOutside) this.follower!.before();
    try {
      return this.#module.do(this.#handle, JSON.stringify(what)) as T;
    } catch (error) {
      throw error instanceof SimError && error.mistakes.length > 0 ? ofPart(error, (what as { op: string }).op) : error;
    } finally {
      this.#diagnose();
      if (isOutside) this.follower?.after();
    }
  }

  /** Whether the page's document has an element with this id. */
  isThere(id: unknown): boolean {
    return typeof id === 'string' && this.#document()?.getElementById(id) != null;
  }

  #document(): PageDocument | null | undefined {
    if (this.document !== undefined) return this.document;
    const found = (globalThis as { document?: PageDocument }).document;
    return typeof found?.getElementById === 'function' ? found : null;
  }

  /** Calls `destroy()`: the document's element goes with the container. */
  destroy(container: string, args: unknown[]): unknown {
    const isHere = () => this.look<{ value: string[] }>({ op: 'containers' }).value.includes(container);
    const wasHere = isHere();
    const value = this.call(container, 'destroy', args);
    if (wasHere && !isHere()) this.#document()?.getElementById(container)?.remove?.();
    return value;
  }

  /** Says what the trace diagnoses, each thing once. */
  #diagnose(): void {
    if (this.#onDiagnostic === 'ignore' || this.#isFree) return;
    const { diagnostics, next } = this.look<{ diagnostics: Diagnostic[]; next: number }>({ op: 'diagnostics', from: this.#diagnosedFrom });
    this.#diagnosedFrom = next;
    for (const { at, ...diagnostic } of diagnostics) {
      const key = `${diagnostic.code} ${diagnostic.text}`;
      if (this.#diagnosed.has(key)) continue;
      this.#diagnosed.add(key);
      const given = { ...diagnostic, at: at / 1000 };
      if (this.#onDiagnostic === 'warn') console.warn(warning(given));
      else this.#onDiagnostic(given);
    }
  }

  /** Looks at the world, without an act. */
  look<T>(what: object): T {
    this.alive();
    return this.#module.do(this.#handle, JSON.stringify(what)) as T;
  }

  call(player: string, name: string, args: unknown[]): unknown {
    const where = `${name}()`;
    const { value } = this.do({ op: 'call', player, name, args: args.map((arg, place) => this.encode(arg, where, hint(name, args, place))) });
    return this.decode(value);
  }

  query(player: string, name: string): unknown {
    this.alive();
    if (this.depth === 0) this.follower?.before();
    return this.decode(this.look<{ value: unknown }>({ op: 'query', player, name }).value);
  }

  encode(value: unknown, where: string, hint = 'f'): unknown {
    return encode(value, (fn) => this.name(fn, hint), where);
  }

  decode(value: unknown): unknown {
    return decode(value, (name) => this.#named.get(name) ?? Object.defineProperty(() => undefined, 'name', { value: name }));
  }

  /** The name of a function in the trace. The same function is the same listener. */
  name(fn: Function, hint: string): string {
    const known = this.#names.get(fn);
    if (known !== undefined) return known;
    const own = typeof fn.name === 'string' ? fn.name.replace(/^(bound )+/, '').trim() : '';
    const made = this.do<{ fn: number; name: string }>({ op: 'define', name: own || hint });
    this.#functions[made.fn] = fn;
    this.#names.set(fn, made.name);
    this.#named.set(made.name, fn);
    return made.name;
  }

  /** The object of a player. */
  unit(container: string, index: number): Unit {
    let unit = this.units.get(index);
    if (!unit) {
      unit = this.#newUnit(this, container, index);
      this.add(unit);
    }
    return unit;
  }

  add(unit: Unit): void {
    this.units.set(unit.index, unit);
    this.#newest.set(unit.container, Math.max(unit.index, this.#newest.get(unit.container) ?? 0));
  }

  /** Whether a later player has taken the container, so that a call by its name would go to that one. */
  isReplaced(unit: Unit): boolean {
    return (this.#newest.get(unit.container) ?? unit.index) > unit.index;
  }

  /** What `play()` has returned: a promise, if the scenario's player gives one. */
  promise(unit: Unit, value: unknown): unknown {
    const request = (value as { $?: [string, number] } | undefined)?.$?.[1];
    if (request === undefined) return value;
    const promise = new Promise<void>((resolve, reject) => {
      this.#promises.set(`${unit.index} ${request}`, { resolve, reject });
    });
    // A page that does not care is no fault of the test; the trace says that the promise was rejected.
    promise.catch(() => {});
    this.#settle();
    return promise;
  }

  #settle(): void {
    if (this.#promises.size === 0) return;
    const { settled, next } = this.look<{ settled: Settled[]; next: number }>({ op: 'events', from: this.#settledFrom, type: '' });
    this.#settledFrom = next;
    for (const { index, data, resolved } of settled) {
      const promise = this.#promises.get(`${index} ${data.request}`);
      if (!promise) continue;
      this.calledOut = true;
      this.#promises.delete(`${index} ${data.request}`);
      if (resolved) promise.resolve();
      else promise.reject(exception(REJECTED[data.why ?? ''] ?? 'play() was not carried out', data.why ?? 'AbortError'));
    }
  }

  // --- Page code is called.

  called(fn: number, { type, player, index, at, data }: Delivery): string | null {
    const run = this.#functions[fn];
    if (!run) return null;
    this.depth++;
    this.calledOut = true;
    try {
      const unit = this.unit(player, index);
      const given = type === 'onReady' ? [] : [unit.event(type, data === null ? undefined : this.decode(data), at)];
      this.#keep(run.call(unit, ...given));
      return null;
    } catch (error) {
      this.threw(error);
      return message(error);
    } finally {
      this.depth--;
    }
  }

  #keep(returned: unknown): void {
    if (this.keepsRejections && returned instanceof Promise) returned.catch((error: unknown) => this.threw(error));
  }

  threw(error: unknown): void {
    this.errors.push(error);
    this.#untold.push(error);
  }

  /** Throws what page code has thrown, and why time cannot go on. */
  tell(): void {
    if (this.depth > 0) return;
    this.#diagnose();
    const errors: unknown[] = this.#fault ? [this.#fault] : [];
    if (this.#onError === 'throw') errors.push(...this.#untold);
    this.#untold = [];
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) {
      const texts = errors.map((error) => `\n  ${message(error)}`).join('');
      throw new AggregateError(errors, `functions of the page have thrown ${errors.length} errors:${texts}`);
    }
  }

  // --- Time.

  /** In microseconds. */
  get now(): number {
    return this.#isFree ? NaN : this.#module.now(this.#handle);
  }

  /** When the next thing of the simulation is due; Infinity: never. */
  get due(): number {
    const at = this.#module.due(this.#handle);
    return at < 0 || this.#fault || this.isOver ? Infinity : at;
  }

  /** Ends the task of the page that is open; false: none was. */
  close(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    this.#look(this.#module.close(this.#handle));
    return true;
  }

  /**
   * Plays what comes first up to a time: the end of the open task, one input, or one timer; false: there is nothing, and the
   * clock stands there. What a task has caused is there to be seen before time goes on.
   */
  step(until: number): 'task' | 'simulation' | 'timer' | false {
    if (this.close()) return 'task';
    if (this.#fault) return false;
    const due = this.due, timer = this.timers.next;
    if (due < Infinity && due <= until && due <= timer) {
      // An input that is played may be none: one that was dropped meanwhile.
      this.#look(this.#module.turn(this.#handle, due));
      return 'simulation';
    }
    if (timer > until || timer === Infinity) {
      if (until < Infinity) this.#goTo(until);
      return false;
    }
    if (!this.#goTo(timer)) return false;
    this.task(this.timers.take());
    return 'timer';
  }

  /** Runs page code as a task of its own. */
  task(run: () => unknown): void {
    this.calledOut = true;
    try {
      this.#keep(run());
    } catch (error) {
      this.threw(error);
    }
    this.close();
  }

  /** Performs an operation of an explorer. */
  explore<T>(what: object): T {
    this.close();
    const answer = this.look<T & { isOver?: boolean }>(what);
    this.#look(PLAYED | (answer.isOver ? OVER : 0));
    return answer;
  }

  /** Whether time cannot go on. */
  get hasEnded(): boolean {
    return this.isOver || this.#fault !== null;
  }

  /** Moves the clock, with nothing due on the way. */
  #goTo(until: number): boolean {
    while (this.now < until && !this.#fault && !this.isOver) {
      if ((this.#look(this.#module.turn(this.#handle, until)) & PLAYED) === 0) break;
    }
    return this.now >= until;
  }

  #look(bits: number): number {
    if (bits & CALLED) this.calledOut = true;
    if (bits & OVER && !this.#fault && !this.isOver) {
      const ended = this.outcome();
      if (ended?.outcome === 'until') this.isOver = true;
      else if (ended && ended.outcome !== 'idle') {
        this.#fault = new SimError({ message: `the run has ended at ${shown(this.now)}: ${ended.text ?? ended.limit ?? ended.outcome}` });
      }
    }
    if (bits) this.#settle();
    return bits;
  }

  outcome(): Outcome | null {
    const answer = this.look<{ outcome: Outcome['outcome'] | null; limit?: string | null; text?: string | null }>({ op: 'outcome' });
    if (answer.outcome === null || answer.outcome === 'idle') {
      // What may still happen, the page's timers know as well.
      const isIdle = this.due === Infinity && this.timers.next === Infinity;
      return isIdle ? { outcome: 'idle', text: 'nothing can happen any more' } : null;
    }
    return {
      outcome: answer.outcome,
      ...(answer.limit ? { limit: answer.limit } : {}),
      ...(answer.text ? { text: answer.text } : {}),
    };
  }

  /** The events from a line of the trace on, and the line after the last. */
  events(from: number, type?: string): { events: Happened[]; next: number } {
    return this.look({ op: 'events', from, ...(type === undefined ? {} : { type }) });
  }

  /** The number of the next line. */
  line(): number {
    return this.events(0xffff_ffff).next;
  }

  // --- The end.

  alive(): void {
    if (this.#isFree) throw new SimError({ message: 'this world has been freed; make a new one with world()' });
  }

  get isFree(): boolean {
    return this.#isFree;
  }

  free(): void {
    if (this.#isFree) return;
    if (this.depth > 0) {
      throw new SimError({ message: 'free(): a function of the page runs; free the world after the clock function has returned' });
    }
    this.#isFree = true;
    this.timers.clearAll();
    forgotten.unregister(this);
    this.#module.free(this.#handle, this.#tag);
  }
}

/** Mistakes in what a function was given: they have no file, and their place is of no use. */
function ofPart(error: SimError, op: string): SimError {
  const texts = error.mistakes.map(({ message, suggestion }) => message + (suggestion ? `; did you mean "${suggestion}"?` : ''));
  return new SimError({ message: `${op}(): ${texts.join('; ')}`, mistakes: [...error.mistakes] });
}

/** Why a promise of `play()` is rejected, by the name of the exception. */
const REJECTED: Record<string, string> = {
  AbortError: 'the play() request was interrupted by a call to pause() or by a new load request',
  NotAllowedError: 'play() failed because the user did not interact with the page first',
  NotSupportedError: 'the source cannot be played',
};

/** A diagnostic as a line for the console. */
function warning({ code, text, rule, suggestion, player, at }: Diagnostic): string {
  const where = player === null ? '' : ` player "${player}",`;
  const meant = suggestion === null ? '' : `; did you mean ${suggestion}?`;
  return `playsim: ${text}${meant} [${code}${rule === null ? '' : `, rule ${rule}`};${where} at ${shown(at * 1000)}]`;
}

/** What an anonymous function is called in the trace: after the event that it hears. */
function hint(call: string, args: unknown[], place: number): string {
  const event = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (place !== 1 || typeof event !== 'string' || event === '') return call.replace(/\W+/g, '_');
  return `on${event[0]!.toUpperCase()}${event.slice(1)}`;
}

export function message(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return 'an exception without a text';
  }
}

/** An exception as the browser throws it. */
export function exception(text: string, name: string): Error {
  if (name === 'TypeError') return new TypeError(text);
  if (typeof DOMException === 'function') return new DOMException(text, name);
  return Object.assign(new Error(text), { name });
}
