// The other way round: fake timers of the test, such as those of Vitest, Jest and Sinon, drive the simulation.
import type { Core } from './core.js';
import { SimError } from './errors.js';

/** What fake timers offer: an object with these, such as `globalThis` after `vi.useFakeTimers()`, or a clock of Sinon. */
export interface FakeTimers {
  Date: { now(): number };
  setTimeout: (run: (...args: any[]) => void, delay?: number, ...args: any[]) => any;
  clearTimeout: (timer: any) => void;
  setInterval?: (run: (...args: any[]) => void, delay?: number, ...args: any[]) => any;
  requestAnimationFrame?: (run: (time: number) => void) => any;
}

type Setter = (run: (...args: unknown[]) => unknown, ...rest: unknown[]) => unknown;

/** Follows; gives the function that stops. */
export function follow(core: Core, given: FakeTimers): () => void {
  const target = given as unknown as Record<string, unknown>;
  for (const name of ['setTimeout', 'clearTimeout'] as const) {
    if (typeof target?.[name] !== 'function') throw new TypeError(`follow(): the fake timers have no ${name}`);
  }
  if (typeof (given.Date as { now?: unknown } | undefined)?.now !== 'function') throw new TypeError('follow(): the fake timers have no Date');
  if (!('clock' in given.setTimeout) && !('tick' in target)) {
    throw new SimError({ message: 'follow(): these are no fake timers; call vi.useFakeTimers(), jest.useFakeTimers() or FakeTimers.install() first' });
  }
  const setLater = given.setTimeout.bind(given) as Setter, clear = given.clearTimeout.bind(given);
  const start = given.Date.now() - core.now / 1000;
  const elapsed = () => Math.round((given.Date.now() - start) * 1000);
  let armed: unknown;
  let isPlaying = false;

  /** Plays what is due up to the time of the fake clock. */
  const catchUp = () => {
    if (core.depth > 0 || isPlaying || core.isFree) return;
    isPlaying = true;
    try {
      const until = elapsed();
      while (core.step(until)) { /* one input after the other */ }
    } finally {
      isPlaying = false;
    }
  };
  /** Before an act: the world's time is that of the fake clock. The open task goes on if it is. */
  const before = () => {
    if (elapsed() > core.now) catchUp();
  };
  /** Has the fake clock call when something is due. */
  const arm = (now = false) => {
    if (core.depth > 0 || isPlaying || core.isFree) return;
    if (armed !== undefined) clear(armed);
    armed = undefined;
    const due = now ? elapsed() : Math.min(core.due, core.timers.next);
    if (due < Infinity) armed = setLater(wake, Math.max(0, Math.ceil((due - elapsed()) / 1000)));
  };
  const wake = () => {
    armed = undefined;
    catchUp();
    arm();
    core.tell();
  };
  core.follower = { before, after: () => arm(true) };

  // A timer of the page is a task: what it causes is delivered when it ends.
  const real = new Map<string, PropertyDescriptor | undefined>();
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'requestAnimationFrame']) {
    const set = target[name];
    if (typeof set !== 'function') continue;
    real.set(name, Object.getOwnPropertyDescriptor(target, name));
    const wrapped: Setter = (run, ...rest) =>
      (set as Setter).call(target, (...args) => {
        if (core.isFree || core.depth > 0) return run(...args);
        before();
        try {
          return run(...args);
        } finally {
          catchUp();
          arm();
          core.tell();
        }
      }, ...rest);
    Object.assign(wrapped, set);
    Object.defineProperty(target, name, { value: wrapped, writable: true, configurable: true, enumerable: true });
    made.add(wrapped);
  }
  arm();
  return () => {
    if (armed !== undefined && !core.isFree) clear(armed);
    core.follower = null;
    for (const [name, descriptor] of real) {
      // Unless the fake timers have been taken off meanwhile.
      if (!made.has(target[name] as Setter)) continue;
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else delete target[name];
    }
  };
}

const made = new WeakSet<Setter>();
