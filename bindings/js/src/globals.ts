// What a page's script finds around it: the player's functions, timers, Date and performance on the virtual clock.
import type { World } from './world.js';

/** The globals of the page, to be spread over others or to be used as `window`. */
export interface PageGlobal {
  $player: World['$player'];
  $outstream: World['$outstream'];
  _player_queue: World['_player_queue'];
  _outstream_queue: World['_outstream_queue'];
  setTimeout: World['setTimeout'];
  clearTimeout: World['clearTimeout'];
  setInterval: World['setInterval'];
  clearInterval: World['clearInterval'];
  requestAnimationFrame: World['requestAnimationFrame'];
  cancelAnimationFrame: World['cancelAnimationFrame'];
  queueMicrotask: World['queueMicrotask'];
  Date: DateConstructor;
  performance: World['performance'];
  /** The object itself. Not enumerable, so that spreading leaves it out. */
  readonly window: PageGlobal & Record<string, unknown>;
  readonly self: PageGlobal & Record<string, unknown>;
}

const OF_PLAYER = ['$player', '$outstream', '_player_queue', '_outstream_queue'] as const;
const OF_TIME = [
  'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'requestAnimationFrame', 'cancelAnimationFrame',
  'queueMicrotask', 'Date', 'performance',
] as const;

export function pageGlobal(world: World): PageGlobal {
  const page = Object.fromEntries([...OF_PLAYER, ...OF_TIME].map((name) => [name, world[name]]));
  for (const name of ['window', 'self']) Object.defineProperty(page, name, { value: page });
  return page as unknown as PageGlobal;
}

export interface InstallOptions {
  /** Whether timers, `Date` and `performance` are put on the target too. Default: true. */
  timers?: boolean;
}

/** Puts the globals on a target; gives the function that takes them off again. */
export function install(world: World, target: object, { timers = true }: InstallOptions): () => void {
  const names = timers ? [...OF_PLAYER, ...OF_TIME] : OF_PLAYER;
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const);
  const waiting = (['_player_queue', '_outstream_queue'] as const).map((name) => [name, (target as Record<string, unknown>)[name]] as const);
  for (const name of names) {
    Object.defineProperty(target, name, { value: world[name], writable: true, configurable: true, enumerable: true });
  }
  // Entries that the page has pushed before, as it does before the player's script has loaded.
  for (const [name, entries] of waiting) {
    if (Array.isArray(entries)) for (const entry of entries) world[name].push(entry as never);
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else delete (target as Record<string, unknown>)[name];
    }
  };
}

/** `Date`, with the world's time as now. */
export function pageDate(now: () => number): DateConstructor {
  const Real = Date;
  class PageDate extends Real {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(now());
      else super(...(args as [number]));
    }
    static override now(): number {
      return Math.floor(now());
    }
  }
  // As a function `Date()` gives a text; a class cannot be called.
  const callable = new Proxy(PageDate, { apply: () => new PageDate().toString() });
  Object.defineProperty(PageDate, 'name', { value: 'Date' });
  Object.defineProperty(PageDate, Symbol.hasInstance, { value: (it: unknown) => it instanceof Real });
  return callable as unknown as DateConstructor;
}
