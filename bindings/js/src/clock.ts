// The clock of a world: plays the simulation and the page's timers, in the order of time.
import type { Core, Happened } from './core.js';
import { SimError } from './errors.js';
import type { SimEvent } from './trace.js';
import { simEvent } from './trace.js';
import { EVENTS, MEDIA_EVENTS } from './generated/names.js';
import type { AnyEventName } from './generated/player.js';
import type { Player } from './player.js';
import { containerOf } from './player.js';
import { settled } from './settle.js';
import { micros, shown } from './spans.js';
import type { Span } from './spans.js';
import { nearest } from './words.js';

export interface RunToOptions {
  /** Only events of this player: its container, or its object. */
  player?: Player | string;
  /** How long to wait at most, on the virtual clock. Default: until nothing more can happen. */
  limit?: Span;
}

/** What a clock function plays. */
interface Play {
  /** Its name, for messages. */
  name: string;
  until: number;
  /** Looks at what has happened since the last look; true: stop here. */
  stop?: () => boolean;
  /** Whether it looks for an event. */
  finds?: boolean;
}

/** The virtual clock. Nothing happens until one of its functions is called. */
export class Clock {
  readonly #core: Core;
  readonly #loopLimit: number;

  /** @internal */
  constructor(core: Core, loopLimit: number) {
    this.#core = core;
    this.#loopLimit = loopLimit;
    for (const name of METHODS) this[name] = this[name].bind(this) as never;
  }

  /** The time in milliseconds since the start of the world. */
  now(): number {
    this.#core.alive();
    if (this.#core.depth === 0) this.#core.follower?.before();
    return this.#core.now / 1000;
  }

  /** Plays everything that is due within this time: milliseconds, or a text such as `'1.5s'`. */
  advance(by: Span): void {
    this.#play({ name: 'advance', until: this.#core.now + micros(by, 'advance') });
    this.#arrived('advance', by);
  }

  /** As `advance`, and lets promises settle after each task of the page, before time goes on. */
  async advanceAsync(by: Span): Promise<void> {
    const start = this.#core.now;
    await this.#playAsync({ name: 'advanceAsync', until: start + micros(by, 'advanceAsync') });
    this.#arrived('advanceAsync', by);
  }

  /**
   * Plays until an event has been delivered, which it returns, or until a condition holds. It fails if nothing more
   * can happen before. Promises settle after each task of the page. An event is the next one after those that the clock
   * functions before have come to: what the test itself has caused since counts, and so does what has followed at once.
   */
  runTo<Name extends AnyEventName>(event: Name, options?: RunToOptions): Promise<SimEvent<Name>>;
  runTo(condition: () => unknown, options?: RunToOptions): Promise<void>;
  async runTo(what: AnyEventName | (() => unknown), options: RunToOptions = {}): Promise<SimEvent | void> {
    const goal = this.#goal('runTo', what, options);
    await this.#playAsync({ name: goal.name, until: goal.until, stop: goal.isReached, finds: typeof what === 'string' });
    return goal.result();
  }

  /** As `runTo`, without waiting for promises. */
  runToSync<Name extends AnyEventName>(event: Name, options?: RunToOptions): SimEvent<Name>;
  runToSync(condition: () => unknown, options?: RunToOptions): void;
  runToSync(what: AnyEventName | (() => unknown), options: RunToOptions = {}): SimEvent | void {
    const goal = this.#goal('runToSync', what, options);
    this.#play({ name: goal.name, until: goal.until, stop: goal.isReached, finds: typeof what === 'string' });
    return goal.result();
  }

  /** Plays until nothing more can happen, neither in the simulation nor by a timer. Promises settle on the way. */
  async runToEnd(): Promise<void> {
    await this.#playAsync({ name: 'runToEnd', until: Infinity });
  }

  /** As `runToEnd`, without waiting for promises. */
  runToEndSync(): void {
    this.#play({ name: 'runToEndSync', until: Infinity });
  }

  // --- How it is played.

  #begin(name: string): void {
    const core = this.#core;
    core.alive();
    if (core.depth > 0) {
      throw new SimError({ message: `${name}(): page code cannot move the clock that calls it; use setTimeout, or call ${name}() from the test` });
    }
    if (core.playing === 'explore') {
      throw new SimError({ message: `${name}(): explore() moves the clock; page code waits for timers and events` });
    }
    if (core.playing) {
      throw new SimError({ message: `${name}(): ${core.playing}() still runs; await it first` });
    }
    if (core.follower) {
      throw new SimError({ message: `${name}(): this world follows other fake timers; move those, or stop following first` });
    }
    core.playing = name;
  }

  #play(play: Play): void {
    this.#begin(play.name);
    let stops = false;
    try {
      const loops = this.#loops(play);
      stops = play.stop?.() ?? false;
      while (!stops) {
        const played = this.#core.step(play.until);
        stops = play.stop?.() ?? false;
        if (!played) break;
        loops(played);
      }
    } finally {
      this.#end(play, stops);
    }
    this.#core.tell();
  }

  async #playAsync(play: Play): Promise<void> {
    const core = this.#core;
    this.#begin(play.name);
    let stops = false;
    try {
      const loops = this.#loops(play);
      // What the test has left behind is page code as well.
      await settled();
      stops = play.stop?.() ?? false;
      while (!stops && !core.isFree) {
        core.calledOut = false;
        const played = core.step(play.until);
        stops = play.stop?.() ?? false;
        if (core.calledOut) await settled();
        if (!played && !core.calledOut) break;
        if (played) loops(played);
      }
    } finally {
      this.#end(play, stops);
    }
    core.tell();
  }

  /** `runTo` looks on from here, unless it has stopped at an event: others of that instant are still to be found. */
  #end(play: Play, stops: boolean): void {
    this.#core.playing = null;
    if (!this.#core.isFree && !(stops && play.finds)) this.#core.seen = this.#core.line();
  }

  /** Counts timers that go off while nothing else happens: an interval would go on for ever. */
  #loops({ name, until }: Play): (played: 'task' | 'simulation' | 'timer') => void {
    let count = 0;
    return (played) => {
      // A task that promises of the page have begun since is no progress.
      if (played !== 'task') count = played === 'timer' && this.#core.due === Infinity ? count + 1 : 0;
      if (count < this.#loopLimit || until < Infinity) return;
      throw new SimError({
        message:
          `${name}(): ${count} timers of the page have gone off since the simulation has nothing more to do, and there is still one: ` +
          `${this.#core.timers.describe()}. Clear it, use advance() or runTo(), or raise loopLimit`,
      });
    };
  }

  /** Says so if the clock has not come as far as it was to be moved. */
  #arrived(name: string, by: Span): void {
    const core = this.#core;
    if (core.isFree || !core.isOver) return;
    throw new SimError({ message: `${name}(${JSON.stringify(by)}): the scenario ends at ${shown(core.now)}, as its "until" says` });
  }

  #goal(name: string, what: AnyEventName | (() => unknown), { player, limit }: RunToOptions) {
    const core = this.#core;
    core.alive();
    const until = limit === undefined ? Infinity : core.now + micros(limit, name);
    if (typeof what === 'function') {
      let holds = false;
      const fails = () => this.#failed(`${name}(${what.name || 'condition'})`, limit, 'the condition does not hold');
      return {
        name, until,
        isReached: () => (holds ||= Boolean(what())),
        result: () => (holds ? undefined : fails()),
      };
    }
    const known: readonly string[] = [...EVENTS, ...MEDIA_EVENTS];
    if (!known.includes(what)) {
      const meant = typeof what === 'string' ? nearest(what, known) : undefined;
      throw new TypeError(`${name}: there is no event ${JSON.stringify(what) ?? String(what)}${meant ? `; did you mean "${meant}"?` : ''}`);
    }
    const container = player === undefined ? undefined : containerOf(player);
    let line = core.seen;
    let found: Happened | undefined;
    return {
      name, until,
      isReached: () => {
        if (found || core.isFree) return found !== undefined;
        const { events, next } = core.events(line, what);
        line = next;
        found = events.find((event) => container === undefined || event.player === container);
        // What has followed at the same instant is still to be looked for.
        if (found) core.seen = found.line + 1;
        return found !== undefined;
      },
      result: () => (found ? simEvent(found) : this.#failed(`${name}("${what}")`, limit, 'the event has not come')),
    };
  }

  #failed(call: string, limit: Span | undefined, what: string): never {
    const core = this.#core;
    if (core.isFree) throw new SimError({ message: `${call}: the world was freed meanwhile` });
    const ended = core.outcome();
    const why =
      limit !== undefined && core.due !== Infinity
        ? `${what} within ${typeof limit === 'number' ? `${limit} ms` : limit}`
        : `${ended && ended.outcome !== 'idle' && ended.text ? ended.text : `nothing more can happen at ${shown(core.now)}`}, and ${what}`;
    const last = core.events(0).events.filter(({ type }) => type !== 'timeupdate' && type !== 'progress').slice(-8);
    const list = last.map(({ type, at, player }) => `\n  ${shown(at * 1e6).padStart(12)}  ${player}  ${type}`).join('');
    throw new SimError({ message: `${call}: ${why}. ${list ? `The last events:${list}` : 'There was no event'}` });
  }
}

const METHODS = ['now', 'advance', 'advanceAsync', 'runTo', 'runToSync', 'runToEnd', 'runToEndSync'] as const;
