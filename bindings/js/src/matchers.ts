// Matchers for Vitest, Jest and whatever else extends `expect` as they do.
import { nearest } from './words.js';
import type { AnyEventName } from './generated/player.js';
import type { Finding, SimEvent, Trace } from './trace.js';

const IS_TRACE = Symbol.for('playsim.trace');

/** An event that is expected: its name, or its name with other facts that it must have. */
export type ExpectedEvent = AnyEventName | { type: AnyEventName; player?: string; at?: number; data?: object };

export interface ToHaveEventsOptions {
  /** Events that do not count. Default: `timeupdate` and `progress`, whose number depends on the browser. */
  ignoring?: readonly AnyEventName[];
  /** Whether other events may come before, between and after. Default: false. */
  allowOthers?: boolean;
  /** Only events of the player in this container. */
  player?: string;
}

/** What a matcher is called on: `expect(w)`, `expect(w.trace())`, `expect(run(scenario))`. */
type Received = Trace | { trace(): Trace };

interface Result {
  pass: boolean;
  message: () => string;
}

function traceOf(received: unknown, matcher: string): Trace {
  const given = received as { trace?: () => Trace } & Record<symbol, unknown> | null;
  if (given?.[IS_TRACE]) return received as Trace;
  const trace = typeof given?.trace === 'function' ? given.trace() : undefined;
  if ((trace as Record<symbol, unknown> | undefined)?.[IS_TRACE]) return trace!;
  throw new TypeError(`${matcher} takes a world or a trace of playsim`);
}

// --- toHaveEvents

export function toHaveEvents(received: Received, expected: readonly ExpectedEvent[], options: ToHaveEventsOptions = {}): Result {
  const trace = traceOf(received, 'toHaveEvents');
  if (!Array.isArray(expected)) throw new TypeError("toHaveEvents takes a list of events, like ['adStart', { type: 'adError', data: { code: 303 } }]");
  const { ignoring = ['timeupdate', 'progress'], allowOthers = false, player } = options;
  const named = expected.map((it) => (typeof it === 'string' ? it : it.type));
  const events = trace.events.filter(
    (it) => (!ignoring.includes(it.type) || named.includes(it.type)) && (player === undefined || it.player === player),
  );
  const { found, missing, extra } = allowOthers ? within(events, expected) : exactly(events, expected);
  const pass = missing === undefined && extra === undefined;
  return {
    pass,
    message: () => {
      if (pass) return `expected the events not to be ${allowOthers ? 'there in this order' : 'these'}:\n${lines(events, found)}`;
      return failure(trace, events, expected, found, missing, extra);
    },
  };
}

interface Compared {
  /** The events that were expected, by their places. */
  found: Set<number>;
  /** The first expected event that is not there. */
  missing?: { expected: number; at: number };
  /** The first event that is not expected. */
  extra?: number;
}

function exactly(events: SimEvent[], expected: readonly ExpectedEvent[]): Compared {
  const found = new Set<number>();
  for (let place = 0; place < expected.length; place++) {
    const event = events[place];
    if (!event || !matches(event, expected[place]!)) return { found, missing: { expected: place, at: place } };
    found.add(place);
  }
  return events.length > expected.length ? { found, extra: expected.length } : { found };
}

function within(events: SimEvent[], expected: readonly ExpectedEvent[]): Compared {
  const found = new Set<number>();
  let from = 0;
  for (let place = 0; place < expected.length; place++) {
    const at = events.findIndex((event, index) => index >= from && matches(event, expected[place]!));
    if (at < 0) return { found, missing: { expected: place, at: from } };
    found.add(at);
    from = at + 1;
  }
  return { found };
}

function matches(event: SimEvent, expected: ExpectedEvent): boolean {
  if (typeof expected === 'string') return event.type === expected;
  if (event.type !== expected.type) return false;
  if (expected.player !== undefined && event.player !== expected.player) return false;
  if (expected.at !== undefined && event.at !== expected.at) return false;
  return Object.entries(expected.data ?? {}).every(([key, value]) => same((event.data as Record<string, unknown> | undefined)?.[key], value));
}

function same(one: unknown, other: unknown): boolean {
  // An asymmetric matcher, such as expect.any(Number).
  const asymmetric = (other as { asymmetricMatch?: (it: unknown) => boolean } | null)?.asymmetricMatch;
  if (typeof asymmetric === 'function') return asymmetric.call(other, one);
  return Object.is(one, other) || (typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other));
}

const shownData = (data: unknown): string =>
  data === undefined ? '' : Object.entries(data as object).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`).join('');
const shownEvent = ({ type, at, player, data }: SimEvent): string => `${(at / 1000).toFixed(3).padStart(9)}  ${player}  ${type}${shownData(data)}`;
function shownExpected(expected: ExpectedEvent): string {
  if (typeof expected === 'string') return expected;
  const { type, player, at, data } = expected;
  return `${type}${player === undefined ? '' : ` of ${player}`}${at === undefined ? '' : ` at ${at} ms`}${shownData(data)}`;
}

/** How many events are shown before and after the place. */
const AROUND = 6;

function lines(events: SimEvent[], found: Set<number>, place?: number, note?: string): string {
  const from = place === undefined ? 0 : Math.max(0, place - AROUND);
  const to = place === undefined ? events.length : Math.min(events.length, place + AROUND);
  const out = from > 0 ? [`    ... ${from} before`] : [];
  for (let index = from; index < to; index++) {
    if (index === place && note) out.push(note);
    out.push(`  ${found.has(index) ? ' ' : index === place ? '+' : '?'} ${shownEvent(events[index]!)}`);
  }
  if (place !== undefined && place >= events.length && note) out.push(note);
  if (to < events.length) out.push(`    ... ${events.length - to} after`);
  return out.join('\n');
}

function failure(trace: Trace, events: SimEvent[], expected: readonly ExpectedEvent[], found: Set<number>, missing: Compared['missing'], extra: number | undefined): string {
  if (missing === undefined) {
    const event = events[extra!]!;
    return `expected no event after the ${count(expected.length)}, but there is ${shownEvent(event).trim()}\n\n${lines(events, found, extra)}\n\n${around(trace, event)}`;
  }
  const due = expected[missing.expected]!, event = events[missing.at];
  const name = typeof due === 'string' ? due : due.type;
  const number = `event ${missing.expected + 1} of ${expected.length}`;
  const elsewhere = trace.events.some((it) => it.type === name);
  const meant = elsewhere ? undefined : nearest(name, [...new Set(trace.events.map((it) => it.type))]);
  const hint = meant && meant !== name ? `; there is no ${name} in the trace, did you mean ${meant}?` : '';
  const got = event ? `but there is ${shownEvent(event).trim()}` : 'but there are no more events';
  const note = `  - ${''.padStart(9)}  expected: ${shownExpected(due)}`;
  return `expected ${shownExpected(due)} as ${number}, ${got}${hint}\n\n${lines(events, found, missing.at, note)}\n\n${around(trace, event ?? events.at(-1))}`;
}

const count = (number: number): string => (number === 1 ? 'first event' : `first ${number} events`);

/** The lines of the trace around an event. */
function around(trace: Trace, event: SimEvent | undefined): string {
  if (!event) return `the trace has no events:\n${trace.text().trimEnd()}`;
  const time = (event.at / 1000).toFixed(6);
  const all = trace.text().trimEnd().split('\n');
  let now = '', best = -1;
  for (const [place, line] of all.entries()) {
    const [, at] = /^\s*(\d+\.\d{6})\s/.exec(line) ?? [];
    if (at !== undefined) now = at;
    if (now === time && new RegExp(`(^|\\s)${event.type}(\\s|$)`).test(line)) best = place;
  }
  return excerpt(all, best);
}

function excerpt(all: string[], place: number): string {
  if (place < 0) return `the trace:\n${all.join('\n')}`;
  const from = Math.max(0, place - AROUND), to = Math.min(all.length, place + AROUND + 1);
  const shown = all.slice(from, to).map((line, index) => `${from + index === place ? '>' : ' '} ${line}`);
  return `the trace around it:\n${shown.join('\n')}`;
}

// --- toFollowRules

export function toFollowRules(received: Received): Result {
  const trace = traceOf(received, 'toFollowRules');
  const findings = trace.check();
  return {
    pass: findings.length === 0,
    message: () => {
      if (findings.length === 0) return 'expected the trace to break a rule, but it follows all that can be judged';
      const records = trace.records;
      return `expected the trace to follow the rules, but there ${findings.length === 1 ? 'is 1 finding' : `are ${findings.length} findings`}:\n\n${findings.map((it) => finding(it, records)).join('\n\n')}`;
    },
  };
}

function finding({ rule, text, certainty, line }: Finding, records: Record<string, unknown>[]): string {
  const place = line === null ? -1 : records.findIndex((record) => record.seq === line);
  const near = place < 0 ? [] : records.slice(Math.max(0, place - 3), place + 3);
  const shown = near.map((record) => `  ${record.seq === line ? '>' : ' '} ${JSON.stringify(record)}`);
  return [`${rule} (${certainty}): ${text}`, ...shown].join('\n');
}

// --- toMatchTrace

/** Prints a trace in a snapshot as its text, without quotes. */
export const serializer = {
  test: (value: unknown): boolean => Boolean((value as Record<symbol, unknown> | null | undefined)?.[IS_TRACE]),
  serialize: (value: unknown): string => (value as Trace).text().trimEnd(),
};

/** Makes `toMatchTrace` from an `expect` that has snapshots. */
export function toMatchTrace(expect: (value: unknown) => { toMatchSnapshot(hint?: string): void }) {
  return function (this: { isNot?: boolean }, received: Received, hint?: string): Result {
    const trace = traceOf(received, 'toMatchTrace');
    if (this.isNot) throw new TypeError('toMatchTrace compares with a snapshot, and cannot be negated');
    // It throws with the difference.
    if (hint === undefined) expect(trace).toMatchSnapshot();
    else expect(trace).toMatchSnapshot(hint);
    return { pass: true, message: () => 'the trace matches its snapshot' };
  };
}

/** The matchers as types. */
export interface PlaysimMatchers<R = unknown> {
  /**
   * The events of a world or trace are exactly these, in this order. `timeupdate` and `progress` do not count unless
   * they are listed; `{ allowOthers: true }` lets others come before, between and after.
   */
  toHaveEvents(expected: readonly ExpectedEvent[], options?: ToHaveEventsOptions): R;
  /** The trace breaks no rule of the documented player, as far as it can be judged. */
  toFollowRules(): R;
  /** The text of the trace is that of the snapshot. */
  toMatchTrace(hint?: string): R;
}
