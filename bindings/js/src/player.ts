// The player as page code has it: what `$player()` returns.
import type { Core, Unit } from './core.js';
import { SimError } from './errors.js';
import type { AnyEventName, EventData, EventName, MediaEventName, PlayerCalls, PlayerProperties } from './generated/player.js';
import { GETTERS, METHODS, PROPERTIES } from './generated/names.js';

/** An event as listeners of a player get it: `data` is there where it is documented. */
export type PlayerEvent<Name extends AnyEventName = AnyEventName> = Name extends keyof EventData
  ? { type: Name; data: EventData[Name] }
  : { type: Name; data?: undefined };

export type PlayerListener<Name extends AnyEventName> = (this: Player, event: PlayerEvent<Name>) => void;

/** Binds or removes a listener: of one event, or of each of a list. */
export interface Binding {
  <Name extends EventName>(event: Name, listener: PlayerListener<Name>): void;
  <Name extends EventName>(events: readonly Name[], listener: PlayerListener<Name>): void;
  /** With the knob `bus.expose_html` a player fires the events of its media element too. */
  <Name extends MediaEventName>(event: Name | readonly Name[], listener: PlayerListener<Name>): void;
}

/** The documented player. */
export interface Player extends PlayerCalls, PlayerProperties {
  /** Binds a listener. Listeners run in the order in which they were bound; in them `this` is the player. */
  on: Binding;
  /** Binds a listener for one dispatch. */
  once: Binding;
  /** Removes all bindings of a listener to an event. */
  off: Binding;
  /** The older spelling of `on`. */
  add: Binding;
  /** The older spelling of `once`. */
  addOnce: Binding;
  /** The older spelling of `off`. */
  remove: Binding;
}

class Handle implements Unit {
  static {
    Object.defineProperty(this, 'name', { value: 'Player' });
  }

  readonly #core: Core;
  readonly container: string;
  readonly index: number;

  constructor(core: Core, container: string, index: number) {
    this.#core = core;
    this.container = container;
    this.index = index;
    // Nothing of it is enumerable: to inspect a player, as a failing assertion does, must not read it.
    for (const name of ['container', 'index']) Object.defineProperty(this, name, { enumerable: false, writable: false });
    for (const owner of OWNERS) Object.defineProperty(this, owner.name, { value: owner.make(this) });
  }

  static call(handle: Handle, name: string, args: unknown[]): unknown {
    const core = Handle.#of(handle, name);
    // What only reads leaves no line: assertions of a test do not change the trace.
    const getter = GETTERS[name];
    if (getter !== undefined && args.every((arg) => arg === undefined)) return core.query(handle.container, getter);
    if (name === 'destroy') return core.destroy(handle.container, args);
    const value = core.call(handle.container, name, args);
    return name === 'play' ? core.promise(handle, value) : value;
  }

  static query(handle: Handle, name: string): unknown {
    return Handle.#of(handle, name).query(handle.container, name);
  }

  static #of(handle: Handle, name: string): Core {
    if (typeof handle !== 'object' || handle === null || !(#core in handle)) {
      throw new TypeError(`${name}: this is not a player; call it as player.${name}`);
    }
    if (handle.#core.isReplaced(handle)) {
      throw new SimError({ message: 'the player is destroyed', code: 'destroyed', rule: 'DESTROY-8' });
    }
    return handle.#core;
  }

  event(type: string, data: unknown): unknown {
    return data === undefined ? { type } : { type, data };
  }

  toString(): string {
    return `$player('${this.container}')`;
  }
}

/** Objects of a player that have methods or properties of their own, such as `GoogleAnalytics.fireCustom`. */
const OWNERS: { name: string; make: (handle: Handle) => object }[] = [];

for (const name of METHODS) {
  const [owner, own] = name.split('.') as [string, string?];
  if (own === undefined) {
    const method = { [name](this: Handle, ...args: unknown[]) { return Handle.call(this, name, args); } }[name];
    Object.defineProperty(Handle.prototype, name, { value: method, writable: true, configurable: true });
  } else {
    OWNERS.push({ name: owner, make: (handle) => ({ [own]: (...args: unknown[]) => Handle.call(handle, name, args) }) });
  }
}
for (const name of PROPERTIES) {
  const [owner, own] = name.split('.') as [string, string?];
  if (own === undefined) {
    Object.defineProperty(Handle.prototype, name, {
      get(this: Handle) { return Handle.query(this, name); },
      // A property that is read-only: the trace has a diagnostic, and nothing changes. READY-1
      set(this: Handle, value: unknown) { Handle.call(this, name, [value]); },
      enumerable: true,
      configurable: true,
    });
  } else {
    OWNERS.push({
      name: owner,
      make: (handle) => Object.defineProperty({}, own, { get: () => Handle.query(handle, name) }),
    });
  }
}

export const newPlayer = (core: Core, container: string, index: number): Unit => new Handle(core, container, index);

/** The container of a player that is given by its object or its container. */
export function containerOf(player: Player | string): string {
  if (typeof player === 'string') return player;
  const container = (player as unknown as { container?: unknown } | null)?.container;
  if (typeof container === 'string') return container;
  throw new TypeError('a player is given by its container or by what $player() has returned');
}
