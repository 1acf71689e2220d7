// The steps and listeners of the project's scenarios as page code: what `toYaml()` saves plays to the same trace.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mistakes, read, run, world } from 'playsim';
import type { Player, World } from 'playsim';

const folder = fileURLToPath(new URL('../../../fixtures/scenarios', import.meta.url));
const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const text = (path: string) => readFileSync(join(folder, path), 'utf8');

type Act = string | Record<string, any>;
const PROPERTIES = ['isReady', 'playlistLength', 'currentIndex', 'isFullScreen'];

/** Whether page code can do all of it: no edits, elements and late scripts. */
function isPageCode(scenario: any): boolean {
  const acts = JSON.stringify([scenario.steps ?? [], scenario.listeners ?? {}]);
  const steps: any[] = scenario.steps ?? [];
  return (
    steps.length > 0 &&
    steps.some((step) => 'at' in step) &&
    steps.every((step) => !('edit' in step) && !('task' in step) && step.page?.script === undefined) &&
    Object.values(scenario.listeners ?? {}).every(Array.isArray) &&
    !/"element"|"\$"|"outstream"|"queue"/.test(acts)
  );
}

class Page {
  readonly functions = new Map<string, (this: Player) => void>();

  constructor(readonly w: World, readonly listeners: Record<string, Act[]>, readonly first: string) {}

  /** The function of a listener's name. */
  named(name: string): (this: Player) => void {
    const page = this;
    if (!this.functions.has(name)) {
      const run = { [name](this: Player) { for (const act of page.listeners[name] ?? []) page.act(act, this); } }[name]!;
      this.functions.set(name, run);
    }
    return this.functions.get(name)!;
  }

  /** An act of a listener: a call by its name, an initialiser, or an exception. */
  act(act: Act, self: Player): void {
    if (act === 'throw') throw new Error('thrown');
    if (typeof act === 'string') return this.call(act, undefined, self);
    const { player, ...rest } = act;
    const [name, args] = Object.entries(rest)[0]!;
    if (name === 'throw') throw new Error(args);
    if (name === 'user') return this.quietly(() => this.w.user(args, self));
    if (name === 'page') return this.quietly(() => this.w.page(args, self));
    if (name === 'init') return this.init(args);
    const target = player === undefined ? self : this.find(player);
    if (name === 'read') for (const query of [args].flat()) this.call(query, undefined, target);
    else this.call(name, args, target);
  }

  find(player: string | null | undefined): Player | undefined {
    try {
      return player === null ? this.w.$player() : this.w.$player(player === undefined ? this.first : String(player));
    } catch {
      return undefined;
    }
  }

  call(name: string, given: any, player: any): void {
    if (!player) return;
    this.quietly(() => {
      if (PROPERTIES.includes(name)) return void player[name];
      let args = given === undefined ? [] : Array.isArray(given) ? given : [given];
      if (/^(on|once|off|add|addOnce|remove)$/.test(name) && typeof args[1] === 'string') {
        args = [args[0], this.named(args[1]), ...args.slice(2)];
      }
      const [owner, method] = name.includes('.') ? [player[name.split('.')[0]!], name.split('.')[1]!] : [player, name];
      if (typeof owner[method] === 'function') owner[method](...args);
    });
  }

  init({ div, config, on_ready }: any): void {
    this.quietly(() => this.w.$player(div, config, on_ready ? this.named(on_ready) : undefined));
  }

  /** A step: what page code, the user or the page does. */
  step({ player, ...step }: any): void {
    const target = this.find(player);
    if (step.user !== undefined) this.quietly(() => this.w.user(step.user, target));
    else if (step.page !== undefined) this.quietly(() => this.w.page(step.page, target));
    else if (step.init) this.init(step.init);
    else if (step.read) for (const query of [step.read].flat()) this.call(query, undefined, target);
    else this.act(step.do, target as Player);
  }

  /** Binds the steps that wait for events of the player in a container. */
  bind(steps: any[], container: string): void {
    const player = this.find(container);
    for (const step of steps.filter((step) => 'on' in step && String(step.player ?? this.first) === container)) {
      const { on, nth, after, ...act } = step;
      let calls = 0;
      this.quietly(() => player?.on(on, () => {
        if (nth !== undefined && ++calls !== nth) return;
        if (after === undefined) this.step(act);
        else this.w.setTimeout(() => this.step(act), ms(after));
      }));
    }
  }

  /** Page code that goes on after an error of a call. */
  quietly(run: () => void): void {
    try {
      run();
    } catch {
      // The trace shows it.
    }
  }
}

/** Milliseconds of a scenario's time. */
const ms = (at: string) => {
  const [, number, unit] = /^([\d.]+)(us|ms|s|m|h)$/.exec(at)!;
  return Number(number) * { us: 0.001, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit as 'ms'];
};

test('each scenario with page code, from JavaScript', () => {
  let driven = 0;
  for (const path of all.filter((path) => path.endsWith('.yaml'))) {
    const others = all.filter((other) => /\.\w+$/.test(other) && !/\.(yaml|snap|md)$/.test(other));
    const near = others.filter((other) => !relative(dirname(path), other).startsWith('..'));
    const files = Object.fromEntries(near.map((other) => [relative(dirname(path), other), text(other)]));
    if (mistakes(text(path), { files }).length > 0) continue;
    const scenario: any = read(text(path), { files });
    if (!isPageCode(scenario)) continue;
    const { steps, listeners = {}, expect: _, ...surroundings } = scenario;
    const w = world(surroundings, { files, onError: 'collect' });
    const first = steps.find((step: any) => step.init)?.init.div ?? 'player';
    const page = new Page(w, listeners, first);
    const timed = steps.filter((step: any) => 'at' in step).sort((one: any, other: any) => ms(one.at) - ms(other.at));
    for (const { at, ...step } of timed) {
      try {
        const wait = ms(at) - w.clock.now();
        if (wait > 0) w.clock.advance(wait);
        // The viewer and the page are no page code, and therefore no part of a task.
        if (step.user !== undefined || step.page !== undefined) page.step(step);
        else w.task(() => {
          page.step(step);
          if (step.init) page.bind(steps, String(step.init.div));
        });
      } catch {
        // A loop, or the end of the scenario.
      }
    }
    page.quietly(() => w.clock.advance('30s'));
    const trace = w.trace();
    const replayed = run(w.toYaml(), { files });
    expect(replayed.digest, `${path}\n${w.toYaml()}`).toBe(trace.digest);
    w.free();
    driven++;
  }
  expect(driven).toBeGreaterThan(400);
}, 60_000);
