import { Clock } from './clock.js';
import { Core } from './core.js';
import type { OnDiagnostic, OnError, Outcome, PageDocument, Unit } from './core.js';
import { MediaElement } from './element.js';
import type { ElementAttributes } from './element.js';
import { SimError } from './errors.js';
import type { Failure } from './errors.js';
import { follow } from './follow.js';
import type { FakeTimers } from './follow.js';
import { QUEUES } from './generated/names.js';
import type { Answer, Config, Medium, PageChange, Scenario, UserAct } from './generated/scenario.js';
import { install, pageDate, pageGlobal } from './globals.js';
import type { InstallOptions, PageGlobal } from './globals.js';
import { containerOf, newPlayer } from './player.js';
import type { Player } from './player.js';
import { Trace, chosen } from './trace.js';
import type { EventsOptions, Finding, SimEvent } from './trace.js';

/** Files that a scenario or an answer names: paths and texts. */
export type Files = Record<string, string>;

export interface ScenarioOptions {
  /** The files that the scenario names, such as `{ 'ad.xml': '<VAST ...>' }`. */
  files?: Files;
  /** The name of the scenario in messages. Default: `scenario.yaml`, or `scenario.json` of an object. */
  name?: string;
}

export interface WorldOptions extends ScenarioOptions {
  /**
   * What page code throws: `throw`, the default, has the clock function throw it that played it; with `collect` it is only kept
   * in `errors`.
   */
  onError?: OnError;
  /**
   * What the trace says of page code that is probably mistaken, such as a call before the player is ready: `warn`, the default,
   * writes each to the console once, with its rule; `ignore` leaves it in the trace; a function gets it.
   */
  onDiagnostic?: OnDiagnostic;
  /**
   * The document of the page, such as that of jsdom: its elements can hold players, and `destroy()` removes them. Default: the
   * global `document`, if there is one; null: none, there are only the containers of the scenario.
   */
  document?: PageDocument | null;
  /** How many timers may go off in `runToEnd()` and `runTo()` while nothing else happens. Default: 10000. */
  loopLimit?: number;
}

/** The ready callback: `this` is the player. */
export type OnReady = (this: Player) => void;

/** An entry of a queue array. */
export interface QueueEntry {
  div: string;
  obj: Config;
  onReady?: OnReady;
}

export interface Queue {
  /** Initialises a player as soon as the player's script has loaded. */
  push(...entries: QueueEntry[]): number;
}

export interface Initialiser {
  /**
   * Makes a player.
   *
   * @throws SimError if none can be made: the page has no such container, or the configuration lacks a field.
   */
  (div: string, config: Config, onReady?: OnReady): Player;
  /** The player in a container; without one the earliest player that is alive. */
  (div?: string): Player;
}

/** What a scenario and options are for the module. */
export function given(scenario: string | Scenario, { files, name }: ScenarioOptions): object {
  if (typeof scenario !== 'string' && (typeof scenario !== 'object' || scenario === null)) {
    throw new TypeError('a scenario is a text in YAML or JSON, or an object');
  }
  const text = typeof scenario === 'string' ? scenario : JSON.stringify(scenario, null, 2);
  return { scenario: text, name: name ?? (typeof scenario === 'string' ? 'scenario.yaml' : 'scenario.json'), ...(files ? { files } : {}) };
}

interface Made {
  value: unknown;
  index?: number | null;
  /** Why there is no player. */
  refused?: Failure | null;
}

/** A page with players, on a clock of its own. Made by `world()`. */
export class World {
  readonly #core: Core;
  #uninstall: (() => void)[] = [];
  #stop: (() => void) | null = null;

  /** The documented `$player`: makes a player, or looks one up. */
  readonly $player: Initialiser;
  /** The initialiser of the outstream script, which shows ads only. */
  readonly $outstream: Initialiser;
  readonly _player_queue: Queue;
  readonly _outstream_queue: Queue;
  readonly clock: Clock;
  /** What functions of the page have thrown. */
  readonly errors: readonly unknown[];
  /** `Date` at the world's time. */
  readonly Date: DateConstructor;
  readonly performance: { now(): number; readonly timeOrigin: number };
  /** The globals of the page, to be spread or to be used as `window`. */
  readonly global: PageGlobal;

  /** @internal */
  constructor(core: Core, loopLimit = 10_000) {
    this.#core = core;
    this.errors = core.errors;
    this.clock = new Clock(core, loopLimit);
    this.$player = initialiser(core, 'player');
    this.$outstream = initialiser(core, 'outstream');
    this._player_queue = queue(core, 'player');
    this._outstream_queue = queue(core, 'outstream');
    for (const name of BOUND) Object.defineProperty(this, name, { value: this[name].bind(this), writable: true });
    let known: number | undefined;
    const epoch = () => (known ??= core.look<{ value: number }>({ op: 'epoch' }).value / 1000);
    this.Date = pageDate(() => epoch() + this.clock.now());
    this.performance = { now: this.clock.now, get timeOrigin() { return epoch(); } };
    this.global = pageGlobal(this);
  }

  /** Makes a bare media element in a container: a `<video>` with these attributes. */
  element(div: string, attributes: ElementAttributes = {}): MediaElement {
    const { value, index } = this.#core.do<Made>({ op: 'element', div, attributes });
    const element = new MediaElement(this.#core, String(value), index ?? this.#core.units.size, attributes);
    this.#core.add(element);
    return element;
  }

  // --- Around the page.

  /** The user does something, with the first player unless another one is given. */
  user(act: UserAct, player?: Player | MediaElement | string): void {
    this.#core.do({ op: 'user', player: this.#target(player), act });
  }

  /** The page changes around the player. */
  page(change: PageChange, player?: Player | MediaElement | string): void {
    this.#core.do({ op: 'page', player: this.#target(player), change });
  }

  /**
   * Decides what a URL answers from now on: a response, as under `network`, or what media play, as under `media`; or a list of
   * those, of which the last repeats. Requests that are under way keep their answer.
   */
  answer(url: string, answer: Answer | Medium | readonly Answer[] | readonly Medium[], files?: Files): void {
    this.#core.do({ op: 'answer', url, answer, ...(files ? { files } : {}) });
  }

  #target(player: Player | MediaElement | string | undefined): string | null {
    return player === undefined ? null : containerOf(player as Player);
  }

  /** Runs page code as a task of its own: what it causes is delivered when it returns, as in a browser. */
  task<T>(run: () => T): T {
    const core = this.#core;
    core.alive();
    if (core.depth > 0) return run();
    core.close();
    try {
      return run();
    } finally {
      core.close();
      if (!core.playing && !core.follower) core.tell();
    }
  }

  /**
   * Runs the text of a classic script as a task of the page. It finds the page's globals and those given; `window` is
   * both together. Its own declarations stay its own.
   */
  script(source: string, globals: Record<string, unknown> = {}, name = 'page.js'): void {
    const { document } = globals;
    if (typeof (document as PageDocument | null | undefined)?.getElementById === 'function') this.#core.document = document as PageDocument;
    const window: Record<string, unknown> = { ...this.global, ...globals };
    for (const self of ['window', 'self']) window[self] ??= window;
    const names = Object.keys(window).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key));
    const run = new Function(...names, `${source}\n//# sourceURL=${name}`);
    this.task(() => void run.call(window.window, ...names.map((key) => window[key])));
  }

  // --- The page's timers.

  setTimeout(run: (...args: any[]) => void, delay?: number, ...args: unknown[]): number {
    return this.#set('setTimeout', run, delay, args);
  }

  clearTimeout(id?: unknown): void {
    this.#core.timers.clear(id);
  }

  setInterval(run: (...args: any[]) => void, delay?: number, ...args: unknown[]): number {
    return this.#set('setInterval', run, delay, args);
  }

  clearInterval(id?: unknown): void {
    this.#core.timers.clear(id);
  }

  /** Calls before the next frame, at 60 frames per second. */
  requestAnimationFrame(run: (time: number) => void): number {
    this.#core.alive();
    return this.#core.timers.frame(run, this.performance.now);
  }

  cancelAnimationFrame(id?: unknown): void {
    this.#core.timers.clear(id);
  }

  queueMicrotask(run: () => void): void {
    queueMicrotask(run);
  }

  #set(kind: 'setTimeout' | 'setInterval', run: unknown, delay: unknown, args: unknown[]): number {
    this.#core.alive();
    return this.#core.timers.set(kind, run, delay, args);
  }

  /**
   * Has fake timers of the test drive the simulation, instead of `clock`: `globalThis` after `vi.useFakeTimers()` or
   * `jest.useFakeTimers()`, or a clock of `@sinonjs/fake-timers`. Returns the function that stops it.
   */
  follow(timers: FakeTimers = globalThis as unknown as FakeTimers): () => void {
    this.#core.alive();
    if (this.#stop) throw new SimError({ message: 'follow(): this world already follows fake timers' });
    const stop = follow(this.#core, timers);
    this.#stop = () => {
      this.#stop = null;
      stop();
    };
    return this.#stop;
  }

  /** Puts `$player`, the queues, timers, `Date` and `performance` on an object such as `globalThis`, until `uninstall()` or `free()`. */
  install(target: object = globalThis, options: InstallOptions = {}): this {
    this.#core.alive();
    this.#uninstall.push(install(this, target, options));
    return this;
  }

  /** Takes off what `install()` has put in place. */
  uninstall(): void {
    for (const restore of this.#uninstall.splice(0).reverse()) restore();
  }

  // --- What has happened.

  /** The trace so far. */
  trace(): Trace {
    const core = this.#core;
    core.alive();
    return new Trace((want, view) => core.look({ op: 'trace', want, ...(view ? { view } : {}) }));
  }

  /** The events so far, with their times in milliseconds. */
  events(options: EventsOptions = {}): SimEvent[] {
    return chosen(this.trace().events, options);
  }

  /** The report on waterfalls: breaks, tags, what each answered, beacons. */
  report(): any {
    return this.trace().report();
  }

  /** What the rules do not allow in the trace so far. */
  check(): Finding[] {
    return this.trace().check();
  }

  /** A scenario that plays to the trace so far, without any page code: `playsim run` shows it again. */
  toYaml(): string {
    return this.trace().toYaml();
  }

  /** How the run has ended; null while more can happen. */
  outcome(): Outcome | null {
    return this.#core.outcome();
  }

  /** Ends the world and gives its memory back. */
  free(): void {
    this.#core.free();
    this.#stop?.();
    this.uninstall();
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

/** A world of a scenario. */
export function made(scenario: string | Scenario, { onError = 'throw', onDiagnostic = 'warn', document, loopLimit, ...options }: WorldOptions): World {
  if (onError !== 'throw' && onError !== 'collect') throw new TypeError(`onError is ${JSON.stringify(onError)}; it must be 'throw' or 'collect'`);
  if (onDiagnostic !== 'warn' && onDiagnostic !== 'ignore' && typeof onDiagnostic !== 'function') {
    throw new TypeError(`onDiagnostic is ${JSON.stringify(onDiagnostic)}; it must be 'warn', 'ignore' or a function`);
  }
  const core = new Core(given(scenario, options), onError, newPlayer, onDiagnostic);
  core.document = document;
  return new World(core, loopLimit);
}

/** What page code takes off the world: `const { setTimeout } = w`. */
const BOUND = [
  'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'requestAnimationFrame', 'cancelAnimationFrame', 'queueMicrotask',
] as const;

type UnitKind = 'player' | 'outstream';

function initialiser(core: Core, unit: UnitKind): Initialiser {
  function $player(...args: unknown[]): Unit {
    const [div, config, onReady] = args;
    if (args.length < 2) {
      const { value, index } = core.look<Made>({ op: 'find', player: div ?? null });
      return core.unit(String(value), index!);
    }
    if (onReady !== undefined && typeof onReady !== 'function') {
      throw new SimError({ message: 'the third argument of the initialiser must be a function, the ready callback', code: 'bad_argument', rule: 'INIT-1' });
    }
    const encoded = [div, config].map((arg) => core.encode(arg, unit === 'player' ? '$player()' : '$outstream()'));
    const listener = onReady ? core.name(onReady, 'onReady') : null;
    const { value, index, refused } = core.do<Made>({ op: 'init', unit, args: encoded, onReady: listener, isThere: core.isThere(div) });
    if (value === null) throw new SimError(refused ?? { message: `there is no player in container ${JSON.stringify(div)}` });
    return core.unit(String(value), index!);
  }
  return $player as unknown as Initialiser;
}

function queue(core: Core, unit: UnitKind): Queue {
  const name = QUEUES[unit === 'player' ? 0 : 1];
  return {
    push(...entries: unknown[]): number {
      let length = 0;
      for (const given of entries) {
        let entry = given, onReady: string | null = null;
        if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
          const { onReady: callback, ...rest } = given as { onReady?: unknown };
          if (typeof callback === 'function') [entry, onReady] = [rest, core.name(callback, 'onReady')];
        }
        const isThere = core.isThere((entry as { div?: unknown } | null | undefined)?.div);
        length = core.do<{ value: number }>({ op: 'queue', unit, entry: core.encode(entry, `${name}.push()`), onReady, isThere }).value;
      }
      return length;
    },
  };
}
