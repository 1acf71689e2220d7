import FakeTimers from '@sinonjs/fake-timers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { world } from 'playsim';
import type { World } from 'playsim';
import { config, preroll } from './pages.js';

let w: World;
beforeEach(() => { w = world(preroll); });
afterEach(() => { w.free(); vi.useRealTimers(); });

/** A page that pauses the ad one second after its start; gives what it has seen, by the fake clock. */
function page(timers: { setTimeout: typeof setTimeout; Date: DateConstructor }): unknown[] {
  const seen: unknown[] = [], start = timers.Date.now();
  const now = () => timers.Date.now() - start;
  const player = w.$player('box', config, () => player.play())!;
  player.on('adStart', () => {
    seen.push(['adStart', now(), w.clock.now()]);
    timers.setTimeout(() => { seen.push(['timer', now(), player.getAdInProgress()]); player.pause(); }, 1000);
  });
  player.on('adPause', () => seen.push(['adPause', now(), w.clock.now()]));
  return seen;
}
const EXPECTED = [['adStart', 500, 500], ['timer', 1500, true], ['adPause', 1500, 1500]];

describe('vi.useFakeTimers', () => {
  test('drives the simulation', () => {
    vi.useFakeTimers();
    w.follow();
    const seen = page(globalThis);
    vi.advanceTimersByTime(10_000);
    expect(seen).toEqual(EXPECTED);
    expect(w.clock.now()).toBe(10_000);
  });

  test('asynchronously, with promises', async () => {
    vi.useFakeTimers();
    w.follow();
    const seen: unknown[] = [];
    const player = w.$player('box', config, () => player.play())!;
    void (async () => {
      await new Promise((done) => player.once('adStart', done));
      seen.push(w.clock.now());
      await new Promise((done) => setTimeout(done, 700));
      seen.push(w.clock.now());
    })();
    await vi.advanceTimersByTimeAsync(5000);
    expect(seen).toEqual([500, 1200]);
  });

  test('runs to the end of all timers', () => {
    vi.useFakeTimers();
    w.follow();
    const player = w.$player('box', config, () => player.play())!;
    vi.runAllTimers();
    expect(w.events().at(-1)).toMatchObject({ type: 'ended', at: 14_500 });
  });

  test('exceptions come out of the fake clock', () => {
    vi.useFakeTimers();
    w.follow();
    const player = w.$player('box', config, () => player.play())!;
    player.on('adStart', () => { throw new Error('a bug of the page'); });
    expect(() => vi.advanceTimersByTime(1000)).toThrow('a bug of the page');
  });

  test("the world's own clock is out of use until following stops", () => {
    vi.useFakeTimers();
    const before = globalThis.setTimeout;
    const stop = w.follow();
    expect(() => w.clock.advance(1)).toThrow(/follows other fake timers/);
    expect(() => w.follow()).toThrow(/already follows/);
    stop();
    expect(globalThis.setTimeout).toBe(before);
    w.clock.advance(1);
    expect(w.clock.now()).toBe(1);
  });

  test('without fake timers it says what to do', () => {
    expect(() => w.follow()).toThrow(/vi\.useFakeTimers\(\)/);
    expect(() => w.follow({} as never)).toThrow(TypeError);
  });
});

describe('@sinonjs/fake-timers', () => {
  test('a clock of its own', () => {
    const clock = FakeTimers.createClock();
    w.follow(clock as never);
    const seen = page(clock as never);
    clock.tick(10_000);
    expect(seen).toEqual(EXPECTED);
  });

  test('installed', () => {
    const clock = FakeTimers.install();
    try {
      w.follow();
      const seen = page(globalThis);
      clock.tick(10_000);
      expect(seen).toEqual(EXPECTED);
    } finally { clock.uninstall(); }
    expect(Date.now()).toBeGreaterThan(1.7e12);
  });
});
