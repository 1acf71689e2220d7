// A page in all its ways within bounds. Page code cannot be copied, so each way is played from the start.
import { Core, message } from './core.js';
import { SimError } from './errors.js';
import type { Scenario } from './generated/scenario.js';
import type { PageGlobal } from './globals.js';
import { newPlayer } from './player.js';
import { settled } from './settle.js';
import { micros, shown } from './spans.js';
import type { Span } from './spans.js';
import type { Trace } from './trace.js';
import { World, given } from './world.js';
import type { ScenarioOptions } from './world.js';

/**
 * The page code: called once for each way, in a world of its own. Everything that it keeps must begin in it. It may wait for
 * promises and timers; the clock is moved for it.
 */
export type PageCode = (page: PageGlobal, world: World) => unknown;

export interface ExploreOptions extends ScenarioOptions {
  /** The most acts of the user or the page in one way. Default: 1. */
  acts?: number;
  /** The most responses and steps in one way that come at another time. Default: 1. */
  moves?: number;
  /**
   * The acts: `gesture`, `play`, `pause`, `click`, `skip`, `close`, `next`, `previous`, `mute`, `unmute`, `fullscreen`, `seek`,
   * `hide`, `show`, `destroy`, `src`, and calls without arguments such as `stop()`. Default: the usual ones, as of `playsim explore`.
   */
  do?: readonly string[];
  /** How much earlier or later a step of the scenario may come. Default: `'50ms'`. */
  within?: Span;
  /** Whether latencies are kept within the same span, too. Default: a response may come at any time. */
  near?: boolean;
  /** How many ways are played at most. Default: 10000. */
  limit?: number;
  /** Looks at each way when it has been played. What it throws is a finding. The trace is there until it is done. */
  check?(trace: Trace, way: Way): unknown;
  /**
   * What the page code keeps for itself, as JSON. Ways that come to the same state of everything, with the same lines behind them,
   * are not tried further. What is left out here must not matter.
   */
  state?(): unknown;
}

/** One way: a series of choices. */
export interface Way {
  /** What is otherwise than in the scenario, each with its time. */
  readonly choices: readonly string[];
  /** Whether the page code has returned a promise that is still open. */
  readonly isWaiting: boolean;
}

interface KeptWay {
  /** What is otherwise than in the scenario, each with its time: with the fewest choices that lead here. */
  way: readonly string[];
  /** A scenario in YAML that plays to the same lines without the page code. */
  scenario: string;
  /** The first line in which it differs from the way without a choice; null if none does. */
  partsAt: string | null;
  /** Plays the way again with the page code, such as in a debugger, and gives its world. */
  play(): Promise<World>;
}

/** Something that does not hold in every way. */
export interface Broken extends KeptWay {
  /** What is broken: a law in a sentence, `check`, or that page code throws. */
  law: string;
  why: string;
  /** What was thrown by `check` or by the page code. */
  error?: unknown;
  /** In how many ways that were judged it is broken in this manner. */
  ways: number;
}

/** Something that tells outcomes apart: an event, a tracker, a failure, a last state. */
export interface Fact {
  kind: string;
  name: string;
  code: number | null;
  container: string | null;
  times: number;
}

/** Ways with the same events, trackers, failures and last states, in whatever order and whenever. */
export interface OutcomeClass extends KeptWay {
  ways: number;
  /** What a viewer sees of it, in words. */
  seen: string;
  facts: Fact[];
  /** Whether the page code has returned a promise that is still open. */
  isWaiting: boolean;
}

/** Something that was not tried, although it is within the bounds. */
export interface NotTried {
  /**
   * `instants`: other instants of the gaps in which something was tried. `limit`: ways after the limit. `long`: what follows in
   * ways that were cut, as they go on and on.
   */
  what: 'instants' | 'limit' | 'long';
  /** In words. */
  why: string;
}

/** What was found. */
export interface Explored {
  /** How many ways were played. */
  ways: number;
  /** How many of them came to a known state, so that they were not tried further; 0 without `state`. */
  joined: number;
  /**
   * Whether everything that it tries was played: an act after every instant, a response once in each gap between two instants. That
   * is no proof: another instant of the gap may lead to something else later, as `notTried` says. `playsim explore` tells such
   * instants apart.
   */
  complete: boolean;
  /** Of that, all ways with up to this many choices were played. */
  allUpTo: number;
  /** What was not tried although it is within the bounds: without an entry, what was found is all there is. */
  notTried: NotTried[];
  broken: Broken[];
  /** That of the scenario itself first, then the most frequent first. */
  outcomes: OutcomeClass[];
}

type Choice = { at: number; action: number; seat: number } | { to: number; number: number };
const isAct = (choice: Choice): choice is Choice & { action: number } => 'action' in choice;

interface Pending {
  number: number;
  due: number;
  isResponse: boolean;
  isAwaited: boolean;
}

interface Place {
  pending: Pending[];
  exact: string;
  key: string | null;
}

interface End {
  outcome: string;
  seen: string;
  facts: Fact[];
  broken: { law: string; why: string; kind: string }[];
}

/** A way that was played, as others go on from it. */
interface Played {
  from: Played | null;
  /** How many places of `from` come before the choice. */
  place: number;
  choice: Choice | null;
  acts: number;
  moves: number;
  /** The lines at each of its places after the choice, as long as others may go on from there. */
  lines: string[];
}

/** What is to be tried: a choice, or something that is held back and comes later, wherever that can matter. */
interface Task {
  from: Played;
  place: number;
  choice: Choice | null;
  held: Pending | null;
}

/** After so many timers without anything else, page code only waits. */
const MOST_TIMERS = 100;
/** A way that has more places is not played on. */
const MOST_PLACES = 20_000;

const WHY: Record<NotTried['what'], string> = {
  instants: 'each choice was tried at one or two instants of a gap; at another one something else may follow',
  limit: 'the limit of ways was reached',
  long: `ways were cut after ${MOST_PLACES} instants, or ${MOST_TIMERS} timers in a row`,
};

/** A way that is being played. */
class Run {
  readonly core: Core;
  readonly world: World;
  /** Of the page code: whether what it has returned is still open. */
  isWaiting = false;
  readonly words: string[] = [];
  acts = 0;
  moves = 0;
  /** It is not over, and was not played on. */
  isCut = false;
  /** A response is due, and promises of the page have not settled yet: what they cause comes after it. */
  #isOpen = false;
  #hasChosen = false;
  #timers = 0;

  constructor(start: Core) {
    this.core = new Core(start, 'collect', newPlayer);
    this.core.keepsRejections = true;
    this.core.playing = 'explore';
    this.world = new World(this.core);
  }

  /**
   * Plays to the end, or until `visit` returns false. It is called at each place: after everything of an instant, up to a
   * response that is due. Where promises have yet to settle it must come to its result before they do, so nothing waits here.
   */
  async play(page: PageCode | null, visit: () => boolean): Promise<void> {
    const { core } = this;
    if (page) this.#begin(page);
    else if (!this.#advance()) return;
    for (let place = 0; place < MOST_PLACES; place++) {
      while (!this.#rest()) await this.#settle();
      if (!visit()) return;
      if (this.#hasChosen) {
        this.#hasChosen = false;
        continue;
      }
      if (this.#isOpen) {
        const { exact } = this.lines();
        await this.#settle();
        if (core.calledOut || this.lines().exact !== exact) continue;
      }
      if (!this.#advance()) return;
    }
    this.isCut = true;
  }

  #begin(page: PageCode): void {
    this.core.task(() => {
      const returned = page(this.world.global, this.world);
      if (!(returned instanceof Promise)) return;
      this.isWaiting = true;
      const over = () => void (this.isWaiting = false);
      returned.then(over, over);
      return returned;
    });
  }

  /** When the next thing is due, of the simulation or of a timer. */
  get due(): number {
    if (this.#isOpen) return this.core.now;
    return this.core.hasEnded ? Infinity : Math.min(this.core.due, this.core.timers.next);
  }

  /** Begins the next instant; false: nothing more can happen. */
  #advance(): boolean {
    const { core } = this;
    if (this.due === Infinity) return false;
    this.#timers = core.due === Infinity ? this.#timers + 1 : 0;
    if (this.#timers > MOST_TIMERS) {
      this.isCut = true;
      return false;
    }
    if (core.timers.next < core.due) core.step(core.timers.next);
    else this.#on(core.timers.next, false);
    return true;
  }

  /** Plays what is left of an instant; false: promises have to settle before it goes on. */
  #rest(): boolean {
    const { core } = this;
    while (!core.calledOut) {
      const waits = this.#on(core.now, true);
      if (!core.calledOut && (waits || core.timers.next > core.now || !core.step(core.now))) return true;
    }
    this.#isOpen = this.place(false).pending.some(({ due }) => due === core.now);
    return this.#isOpen;
  }

  async #settle(): Promise<void> {
    this.#isOpen = false;
    this.core.calledOut = false;
    await settled();
    this.core.close();
  }

  #on(until: number, isBegun: boolean): boolean {
    return this.core.explore<{ waits: boolean }>({ op: 'play', until: until === Infinity ? null : until, isBegun }).waits;
  }

  /** Digests of the lines so far: with their times and data, and without. */
  lines(): { exact: string; order: string } {
    return this.core.explore({ op: 'lines' });
  }

  place(wantsKey: boolean): Place {
    return this.core.explore({ op: 'place', acts: this.acts, moves: this.moves, wantsKey });
  }

  /** Makes a choice; false: there is nothing to do. */
  choose(choice: Choice): boolean {
    const { core } = this;
    const { word } = isAct(choice)
      ? core.explore<{ word: string | null }>({ op: 'act', ...choice })
      : core.explore<{ word: string | null }>({ op: 'move', number: choice.number, at: choice.to });
    if (word === null) return false;
    this.words.push(word);
    if (isAct(choice)) this.acts++;
    else this.moves++;
    return (this.#hasChosen = true);
  }
}

class Explorer {
  readonly #page: PageCode | null;
  readonly #options: ExploreOptions;
  readonly #start: Core;
  readonly #acts: number;
  readonly #moves: number;
  readonly #within: number;
  readonly #limit: number;
  readonly #todo: Task[] = [];
  readonly #judged = new Set<string>();
  readonly #known = new Set<string>();
  readonly #broken = new Map<string, Broken>();
  readonly #outcomes = new Map<string, OutcomeClass>();
  readonly #notTried = new Set<NotTried['what']>();
  #ways = 0;
  #joined = 0;

  constructor(scenario: string | Scenario, page: PageCode | null, options: ExploreOptions) {
    this.#page = page;
    this.#options = options;
    const whole = (name: 'acts' | 'moves' | 'limit', usual: number) => {
      const number = options[name] ?? usual;
      if (Number.isInteger(number) && number >= (name === 'limit' ? 1 : 0)) return number;
      throw new TypeError(`explore: ${name} is ${String(number)}; it must be a whole number`);
    };
    this.#acts = whole('acts', 1);
    this.#moves = whole('moves', 1);
    this.#limit = whole('limit', 10_000);
    this.#within = micros(options.within ?? '50ms', 'explore');
    const explore = { hasPage: page !== null, ...(options.do ? { do: options.do } : {}) };
    this.#start = new Core({ ...given(scenario, options), explore }, 'collect', newPlayer);
  }

  async explore(): Promise<Explored> {
    await this.#way({ from: null, place: 0, choice: null, acts: 0, moves: 0, lines: [] });
    let complete = true, allUpTo = this.#acts + this.#moves;
    for (let next = 0; next < this.#todo.length && complete; next++) {
      const { from, place, choice, held } = this.#todo[next]!;
      complete = await this.#all(from, place, choice ? [choice] : await this.#later(from, place, held!));
      if (!complete) allUpTo = from.acts + from.moves;
    }
    this.#todo.length = 0;
    if (!complete) this.#notTried.add('limit');
    const [first, ...others] = [...this.#outcomes.values()];
    return {
      ways: this.#ways,
      joined: this.#joined,
      complete,
      allUpTo,
      notTried: [...this.#notTried].map((what) => ({ what, why: WHY[what] })),
      broken: [...this.#broken.values()],
      outcomes: first ? [first, ...others.sort((one, other) => other.ways - one.ways)] : [],
    };
  }

  /** Plays the ways that go on with one of these choices; false: the limit is reached. */
  async #all(from: Played, place: number, choices: Choice[]): Promise<boolean> {
    for (const choice of choices) {
      if (this.#ways >= this.#limit) return false;
      const more = isAct(choice) ? { acts: from.acts + 1, moves: from.moves } : { acts: from.acts, moves: from.moves + 1 };
      await this.#way({ from, place, choice, ...more, lines: [] });
    }
    return true;
  }

  /** Plays a way to its end, judges it, and keeps what may be tried from there. */
  async #way(way: Played): Promise<void> {
    let place = 0, joins = false;
    const visit = (run: Run) => {
      const isLast = run.acts >= this.#acts && run.moves >= this.#moves;
      if (isLast || joins) return true;
      const now = run.place(this.#options.state !== undefined);
      joins = this.#isKnown(run, now);
      if (!joins) {
        way.lines.push(now.exact);
        this.#choices(run, way, place++, now);
      }
      return true;
    };
    await this.#played(way, visit, async (run) => {
      this.#ways++;
      if (joins) this.#joined++;
      if (run.isCut) this.#notTried.add('long');
      await this.#judge(run, way);
    });
  }

  /** Whether a state was met before. */
  #isKnown(run: Run, { key }: Place): boolean {
    const { state } = this.#options;
    if (!state || key === null) return false;
    const whole = `${key} ${run.isWaiting} ${JSON.stringify([state(), run.core.timers.summary()])}`;
    if (this.#known.has(whole)) return true;
    this.#known.add(whole);
    return false;
  }

  /** Adds what may be done otherwise at a place. */
  #choices(run: Run, from: Played, place: number, { pending }: Place): void {
    const now = run.core.now, next = run.due;
    const add = (choice: Choice | null, held: Pending | null = null) => {
      this.#notTried.add('instants');
      this.#todo.push({ from, place, choice, held });
    };
    // What is done at an instant is done at its end.
    if (next !== now && run.acts < this.#acts) {
      const { acts } = run.core.explore<{ acts: Choice[] }>({ op: 'acts', next: next === Infinity ? null : next });
      for (const act of acts) add(act);
    }
    if (run.moves >= this.#moves || next === Infinity) return;
    for (const it of pending) {
      if (it.due > next && next > now + 1) {
        // It comes in this gap, before what is next, with room for those that come after it.
        const to = Math.max(now + 1, next - (this.#moves - run.moves));
        if (it.due - to <= this.#window(it)) add({ number: it.number, to });
      } else if (it.due === next) add(null, it);
    }
  }

  /** How far something may be moved. */
  #window({ isResponse }: Pending): number {
    return isResponse && !this.#options.near ? Infinity : this.#within;
  }

  /** Holds something back that is due next, and finds each later gap in which it may come. */
  async #later(from: Played, place: number, held: Pending): Promise<Choice[]> {
    const choices: Choice[] = [];
    const { number, due } = held;
    let count = 0, isHeld = false;
    const visit = (run: Run) => {
      if (!isHeld) {
        this.#check(run, from, count);
        if (count++ < place) return true;
        isHeld = true;
        return run.core.explore<{ word: string | null }>({ op: 'hold', number }).word !== null;
      }
      const after = Math.max(run.core.now, due) + 1;
      if (after - due > this.#window(held)) return false;
      if (after < run.due) choices.push({ number, to: after });
      return run.place(false).pending.some((it) => it.number === number && it.isAwaited);
    };
    await this.#played(from, visit);
    return choices;
  }

  /** Plays a way to its end, or until `visit` returns false, which is called at each place after the last choice. */
  async #played(way: Played, visit: (run: Run) => boolean, atEnd?: (run: Run) => Promise<void>): Promise<void> {
    const run = new Run(this.#start);
    try {
      if (await this.#replay(run, way, visit)) await atEnd?.(run);
    } finally {
      run.world.free();
    }
  }

  /** Plays a way again, and gives its world at the end. */
  async #again(way: Played): Promise<World> {
    const run = new Run(this.#start);
    await this.#replay(run, way, () => true);
    run.core.playing = null;
    return run.world;
  }

  /** Plays a run in a certain way; false: it has no such choice. */
  async #replay(run: Run, last: Played, visit: (run: Run) => boolean): Promise<boolean> {
    const steps: Played[] = [];
    for (let way = last; way.from; way = way.from) steps.unshift(way);
    let step = 0, place = 0, hasChoices = true;
    await run.play(this.#page, () => {
      const next = steps[step];
      if (!next) return visit(run);
      this.#check(run, next.from!, place);
      if (place++ < next.place) return true;
      step++;
      place = 0;
      hasChoices = run.choose(next.choice!);
      return hasChoices;
    });
    return hasChoices && step === steps.length;
  }

  /** At a place, the lines must be those of the first time. */
  #check(run: Run, way: Played, place: number): void {
    if (run.lines().exact === way.lines[place]) return;
    const last = run.world.trace().text('all').trimEnd().split('\n').at(-2)?.trim();
    const after = run.words.length > 0 ? ` after ${run.words.join(', ')}` : '';
    throw new SimError({
      message:
        `explore: the page code does not always do the same. At ${shown(run.core.now)}${after} (place ${place + 1}) the lines are ` +
        `others than the first time${last ? `; the last is: ${last}` : ''}. It must take the time from the page, draw no random ` +
        'numbers, wait for nothing outside, and keep nothing from one call to the next',
    });
  }

  /** Judges a way at its end. */
  async #judge(run: Run, played: Played): Promise<void> {
    const { core } = run;
    const { order } = run.lines();
    const isNew = !this.#judged.has(order);
    this.#judged.add(order);
    const { outcome, seen, facts, broken } = core.explore<End>({ op: 'end', judges: isNew });
    let kept: KeptWay | undefined;
    const keep = (): KeptWay => (kept ??= this.#kept(run, played));
    const breaks = (law: string, why: string, kind: string, error?: unknown) => {
      const key = `${law}\n${kind}`;
      const known = this.#broken.get(key);
      if (known) known.ways++;
      else this.#broken.set(key, { law, why, ...(error === undefined ? {} : { error }), ways: 1, ...keep() });
    };
    for (const { law, why, kind } of broken) breaks(law, why, kind);
    const { outcome: how, text } = core.outcome() ?? {};
    if (how === 'livelock' || how === 'limit') breaks('the run comes to its end', text ?? how, how);
    for (const error of [...core.errors]) breaks('page code throws nothing', message(error), alike(error), error);
    const { check } = this.#options;
    if (check) {
      try {
        await check(run.world.trace(), { choices: [...run.words], isWaiting: run.isWaiting });
      } catch (error) {
        breaks('check', message(error), alike(error), error);
      }
    }
    const key = `${outcome} ${run.isWaiting}`;
    const known = this.#outcomes.get(key);
    if (known) known.ways++;
    else this.#outcomes.set(key, { ways: 1, seen, facts, isWaiting: run.isWaiting, ...keep() });
  }

  #kept(run: Run, played: Played): KeptWay {
    const { yaml, partsAt } = run.core.explore<{ yaml: string; partsAt: string | null }>({ op: 'keep' });
    return { way: [...run.words], scenario: yaml, partsAt, play: () => this.#again(played) };
  }
}

/** What errors of one kind have in common. */
const alike = (error: unknown): string => message(error).split('\n', 1)[0]!.replace(/\d+(\.\d+)?/g, '0');

/**
 * Plays a page in all its ways within bounds: what a user or the page may do at each instant, and responses and steps that come
 * earlier or later. The ways with the fewest choices are played first.
 *
 * @param page The page code, called once for each way; null: the scenario's own steps are all there is.
 * @throws SimError if the scenario has mistakes, or if the page code does not always do the same.
 */
export async function explore(scenario: string | Scenario, page: PageCode | null, options: ExploreOptions = {}): Promise<Explored> {
  return new Explorer(scenario, page, options).explore();
}
