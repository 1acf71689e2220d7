// What every entry of the package exports.
import { SimError } from './errors.js';
import type { Mistake } from './errors.js';
import type { Scenario } from './generated/scenario.js';
import { request } from './module.js';
import { Trace, askOnce } from './trace.js';
import { World, given, made } from './world.js';
import type { ScenarioOptions, WorldOptions } from './world.js';

declare const VERSION: string;

/** The version of the package. */
export const version: string = VERSION;

/**
 * A page with this scenario around it: videos, media, network, settings. Page code is yours: nothing starts by itself unless the
 * scenario has steps.
 *
 * @throws SimError with `mistakes`, if the scenario has some.
 */
export function world(scenario: string | Scenario, options: WorldOptions = {}): World {
  return made(scenario, options);
}

/**
 * Plays a scenario to its end with its own steps.
 *
 * @throws SimError with `mistakes`, if the scenario has some.
 */
export function run(scenario: string | Scenario, options: ScenarioOptions = {}): Trace {
  const what = { op: 'run', ...given(scenario, options) };
  // A run is a pure function of its scenario: each part is that of the same trace.
  const ask = askOnce((want, view) => request({ ...what, want, ...(view ? { view } : {}) }) as ReturnType<Parameters<typeof askOnce>[0]>);
  ask([]);
  return new Trace(ask);
}

/** The mistakes of a scenario: none, if it can be played. */
export function mistakes(scenario: string | Scenario, options: ScenarioOptions = {}): Mistake[] {
  try {
    request({ op: 'read', ...given(scenario, options) });
    return [];
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    return error.mistakes.length > 0 ? [...error.mistakes] : [{ message: error.message, line: 0, column: 0 }];
  }
}

/**
 * A scenario as an object: what its text means, with defaults left out.
 *
 * @throws SimError with `mistakes`, if the scenario has some.
 */
export function read(scenario: string | Scenario, options: ScenarioOptions = {}): Scenario {
  return (request({ op: 'read', ...given(scenario, options) }) as { scenario: Scenario }).scenario;
}

/** The JSON schema of scenarios, for editors and validators. */
export function schema(): object {
  return request({ op: 'schema' }) as object;
}

export { explore } from './explore.js';
export type { Broken, Explored, ExploreOptions, Fact, NotTried, OutcomeClass, PageCode, Way } from './explore.js';
export { SimError, Trace, World };
export type { Failure, Mistake } from './errors.js';
export type { Diagnostic, OnDiagnostic, OnError, Outcome, PageDocument } from './core.js';
export type { Clock, RunToOptions } from './clock.js';
export type { EventsOptions, Finding, SimEvent, TraceRecord, TraceView } from './trace.js';
export type { Files, Initialiser, OnReady, Queue, QueueEntry, ScenarioOptions, WorldOptions } from './world.js';
export type { Binding, Player, PlayerEvent, PlayerListener } from './player.js';
export type { ElementAttributes, ElementEvent, ElementEventName, ElementListener, ListenOptions, MediaElement } from './element.js';
export type { FakeTimers } from './follow.js';
export type { InstallOptions, PageGlobal } from './globals.js';
export type { Span } from './spans.js';
export type * from './generated/player.js';
export type { AdObject, Answer, Config, Medium, PageChange, Rendition, Scenario, Source, UserAct, Video } from './generated/scenario.js';
