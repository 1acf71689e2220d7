// What has happened: events, the trace in its forms, the report, and what the rules say of it.
import type { Happened, Outcome } from './core.js';
import type { AnyEventName, EventData } from './generated/player.js';
import { decode } from './values.js';

/** An event of the trace. */
export interface SimEvent<Name extends AnyEventName = AnyEventName> {
  type: Name;
  /** The container of the player that fired it. */
  player: string;
  /** In milliseconds since the start of the world. */
  at: number;
  /** Only of events that are documented with data. */
  data?: Name extends keyof EventData ? EventData[Name] : unknown;
}

/** A line of the trace, as the chapter "Lines of a trace" describes it. Times are in seconds. */
export type TraceRecord = Record<string, unknown>;

/** Something in a trace that a rule does not allow. */
export interface Finding {
  /** The id of the rule; `playsim rules ID` prints it. */
  rule: string;
  /** The number of the line. */
  line: number | null;
  text: string;
  /** How sure it is. */
  certainty: string;
  [more: string]: unknown;
}

export interface EventsOptions {
  /** Events to leave out. */
  ignoring?: readonly AnyEventName[];
  /** Only events of the player in this container. */
  player?: string;
}

export type TraceView = 'all' | 'review' | 'page';

interface Parts {
  digest: string;
  outcome: string | null;
  events: { type: AnyEventName; at: number; player: string; data?: unknown }[];
  records: TraceRecord[];
  text: string;
  jsonl: string;
  html: string;
  yaml: string;
  report: unknown;
  check: Finding[];
}

/** Asks for parts of a trace. */
export type Ask = (want: readonly (keyof Parts)[], view?: TraceView) => Partial<Parts>;

const IS_TRACE = Symbol.for('playsim.trace');

/**
 * A trace. That of a world is the trace so far, whenever it is asked; that of `run()` is finished. Each part is made
 * when it is asked for.
 */
export class Trace {
  readonly #ask: Ask;

  /** @internal */
  constructor(ask: Ask) {
    this.#ask = ask;
    Object.defineProperty(this, IS_TRACE, { value: true });
  }

  /** The trace as text. `review`, the default, leaves out what rarely matters; `page` has only what page code sees. */
  text(view: TraceView = 'review'): string {
    return this.#ask(['text'], view).text!;
  }

  /** Every line as an object, as in JSONL. */
  get records(): TraceRecord[] {
    return this.#ask(['records']).records!;
  }

  get events(): SimEvent[] {
    return this.#ask(['events']).events!.map(({ type, at, player, data }) => shaped(type, player, at, data));
  }

  /** Every line as JSON. */
  jsonl(): string {
    return this.#ask(['jsonl']).jsonl!;
  }

  /** A page for people, in one file. */
  html(): string {
    return this.#ask(['html']).html!;
  }

  /** The same for the same trace, on every machine. */
  get digest(): string {
    return this.#ask([]).digest!;
  }

  /** How it ended; null while more can happen. */
  get outcome(): Outcome['outcome'] | null {
    return this.#ask([]).outcome as Outcome['outcome'] | null;
  }

  /** The report on waterfalls: breaks, tags, what each answered, beacons. */
  report(): any {
    return this.#ask(['report']).report;
  }

  /** What the rules do not allow in it. */
  check(): Finding[] {
    return this.#ask(['check']).check!;
  }

  /** A scenario that plays to this trace. */
  toYaml(): string {
    return this.#ask(['yaml']).yaml!;
  }

  toString(): string {
    return this.text();
  }
}

const noFunction = (name: string): Function => Object.defineProperty(() => undefined, 'name', { value: name });

/** `at` is in seconds, with six decimals. */
function shaped(type: string, player: string, at: number, data: unknown): SimEvent {
  const event = { type, player, at: Math.round(at * 1e6) / 1000 } as SimEvent;
  if (data !== null && data !== undefined) event.data = decode(data, noFunction);
  return event;
}

export const simEvent = ({ type, player, at, data }: Happened): SimEvent => shaped(type, player, at, data);

export function chosen(events: SimEvent[], { ignoring = [], player }: EventsOptions): SimEvent[] {
  return events.filter((event) => !ignoring.includes(event.type) && (player === undefined || event.player === player));
}

export function askOnce(ask: Ask): Ask {
  const known = new Map<string, Partial<Parts>>();
  return (want, view) => {
    const key = `${want.join()} ${view ?? ''}`;
    let parts = known.get(key);
    if (!parts) known.set(key, (parts = ask(want, view)));
    return parts;
  };
}
