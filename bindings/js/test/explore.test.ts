import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SimError, explore, run, world } from 'playsim';
import type { Fact, PageCode, Scenario, Trace } from 'playsim';
import { config, preroll } from './pages.js';

const until = (player: { once(event: 'adStart' | 'adEnd' | 'start', run: () => void): void }, event: 'adStart' | 'adEnd' | 'start') =>
  new Promise<void>((done) => player.once(event, done));

describe('a scenario without page code', () => {
  const text = readFileSync(new URL('./explored.json', import.meta.url), 'utf8');
  const expected = JSON.parse(text) as {
    do: string[];
    scenario: Scenario;
    /** The facts of each, sorted. */
    outcomes: string[][];
    broken: [law: string, why: string][];
  };
  const said = ({ kind, name, code, times }: Fact) => `${kind} ${name}${code === null ? '' : ` ${code}`}: ${times}`;

  test('has no outcome that the explorer in Rust does not find, and nearly all that it finds', async () => {
    const found = await explore(expected.scenario, null, { do: expected.do });
    expect([found.complete, found.allUpTo, found.joined]).toEqual([true, 2, 0]);
    expect(found.notTried.map(({ what }) => what)).toEqual(['instants']);
    const outcomes = found.outcomes.map(({ facts }) => String(facts.map(said).sort()));
    const known = expected.outcomes.map(String);
    expect(outcomes.filter((facts) => !known.includes(facts))).toEqual([]);
    // A response is tried once in each gap, and not in each region at whose instants the same follows.
    expect(outcomes.length).toBeGreaterThan(0.85 * known.length);
    expect(expected.broken).toEqual(expect.arrayContaining(found.broken.map(({ law, why }) => [law, why])));
  });

  test('joins ways that come to the same state, and finds the same outcomes', async () => {
    const options = { acts: 3, moves: 0, do: ['skip', 'mute'] };
    const all = await explore(expected.scenario, null, options);
    const fewer = await explore(expected.scenario, null, { ...options, state: () => null });
    expect(fewer.joined).toBeGreaterThan(10);
    expect(fewer.ways).toBeLessThan(0.6 * all.ways);
    const sorted = ({ outcomes }: typeof all) => outcomes.map(({ facts }) => facts.map(said).sort().join()).sort();
    expect(sorted(fewer)).toEqual(sorted(all));
  });

  test('is explored alike when page code does what its steps do, at once or after promises', async () => {
    const { steps, ...scenario } = expected.scenario;
    const options = { do: expected.do };
    const asSteps = await explore({ ...scenario, steps: steps!.slice(0, 2) }, null, options);
    const at = (page: PageCode) => explore(scenario, page, options);
    const config = { id: 'm', width: '640', height: '360', video: 'film' };
    const atOnce = await at(({ $player }) => {
      $player('player', config)!.on('ready', function () { this.play(); });
    });
    const later = await at(async ({ $player }) => {
      const player = $player('player', config)!;
      await new Promise<void>((done) => player.once('ready', () => done()));
      player.play();
    });
    const sorted = ({ outcomes }: typeof atOnce, counts: boolean) =>
      outcomes.map(({ ways, facts }) => `${counts ? ways : ''} ${facts.map(said).sort().join()}`).sort();
    expect(atOnce.ways).toBe(asSteps.ways);
    expect(sorted(atOnce, true)).toEqual(sorted(asSteps, true));
    // A response that comes before the promise has settled is another place, but leads to nothing else.
    expect(later.ways).toBeGreaterThan(asSteps.ways);
    expect(sorted(later, false)).toEqual(sorted(asSteps, false));
  });

  test('keeps scenarios that play to the lines of their ways', async () => {
    const found = await explore(expected.scenario, null, { do: expected.do });
    for (const { scenario, play } of [...found.outcomes, ...found.broken]) expect(lines(run(scenario))).toEqual(lines((await play()).trace()));
  });
});

/** The lines of a trace after its header, without the digest in the last one. */
const lines = (trace: Trace) => trace.records.slice(1).map((line) => JSON.stringify(line).replace(/,"digest":"\w+"/, ''));

describe('page code that waits for an ad', () => {
  /** A title covers the player until the ad begins, and again from its end until the film begins. */
  const page: PageCode = async ({ $player, setTimeout }) => {
    const player = $player('box', config, function () { this.play(); })!;
    cover = 'title';
    await until(player, 'adStart');
    cover = '';
    await until(player, 'adEnd');
    cover = 'next';
    await new Promise((done) => setTimeout(done, 500));
    cover = '';
  };
  let cover = '';
  const check = (trace: Trace) => {
    if (trace.events.some(({ type }) => type === 'ended')) expect(cover).toBe('');
  };

  test('passes its own test', async () => {
    const w = world(preroll);
    void page(w.global, w);
    await w.clock.runToEnd();
    check(w.trace());
    w.free();
  });

  test('fails where no ad comes in time, and the way is told', async () => {
    const found = await explore(preroll, page, { do: ['skip'], check });
    expect(found.complete).toBe(true);
    const [broken, ...others] = found.broken;
    expect(others).toEqual([]);
    expect(broken).toMatchObject({ law: 'check', way: [expect.stringMatching(/^\d+\.\d+ ad-tag .* comes .* s later$/)] });
    expect(String(broken!.error)).toContain("expected 'title' to be ''");
    // Such ways leave the page code waiting.
    expect(found.outcomes[0]).toMatchObject({ isWaiting: false, way: [] });
    expect(found.outcomes.some(({ isWaiting }) => isWaiting)).toBe(true);
  });

  test('is played again in a kept way, with and without the page code', async () => {
    const found = await explore(preroll, page, { do: ['skip', 'pause', 'destroy'], check });
    for (const { scenario, play } of [...found.broken, ...found.outcomes]) {
      const w = await play();
      expect(lines(run(scenario))).toEqual(lines(w.trace()));
      w.free();
    }
  });

  test('is tried less often with its state', async () => {
    const options = { acts: 3, moves: 0, do: ['skip', 'pause'] };
    const all = await explore(preroll, page, { ...options, check });
    const fewer = await explore(preroll, page, { ...options, check, state: () => cover });
    expect(fewer.ways).toBeLessThan(0.8 * all.ways);
    expect(fewer.joined).toBeGreaterThan(10);
    const seen = ({ outcomes }: typeof all) => [...new Set(outcomes.map((it) => `${it.seen} ${it.isWaiting}`))].sort();
    expect(seen(fewer)).toEqual(seen(all));
    expect(fewer.broken.map((it) => it.way)).toEqual(all.broken.map((it) => it.way));
  });
});

describe('page code with faults', () => {
  test('what it throws is found, at once and after it has waited', async () => {
    const page: PageCode = ({ $player, setTimeout }) => {
      const player = $player('box', config, function () { this.play(); })!;
      player.on('adSkip', () => { throw new Error('skipped'); });
      player.on('adPause', async () => {
        await new Promise((done) => setTimeout(done, 100));
        throw new Error('paused');
      });
    };
    const ad = JSON.parse(JSON.stringify(preroll).replace('<Linear>', "<Linear skipoffset='00:00:01'>")) as Scenario;
    const found = await explore(ad, page, { do: ['skip', 'pause'], moves: 0 });
    expect(found.broken.map(({ law, why }) => [law, why]).sort()).toEqual([
      ['page code throws nothing', 'Error: paused'],
      ['page code throws nothing', 'Error: skipped'],
    ]);
    expect(found.broken.every(({ way }) => way.length === 1)).toBe(true);
  });

  test('what the page function itself throws is found, and a promise that it rejects', async () => {
    const thrown = await explore(preroll, () => { throw new Error('at once'); });
    expect(thrown.broken).toMatchObject([{ why: 'Error: at once', way: [] }]);
    const rejected = await explore(preroll, async ({ setTimeout }) => {
      await new Promise((done) => setTimeout(done, 1000));
      throw new Error('later');
    });
    expect(rejected.broken).toMatchObject([{ why: 'Error: later', way: [] }]);
  });

  test('page code that does not always do the same is told, with the place', async () => {
    let calls = 0;
    const page: PageCode = ({ $player, setTimeout }) => {
      calls++;
      const player = $player('box', config, function () { this.play(); })!;
      player.on('adStart', () => void setTimeout(() => player.volume(calls / 1000), 100));
    };
    const failed = await explore(preroll, page).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(SimError);
    expect((failed as Error).message).toMatch(/^explore: the page code does not always do the same\. At 0\.6 s \(place \d+\) the lines are others .*volume/);
  });

  test('the clock is not for page code', async () => {
    const found = await explore(preroll, (_, w) => w.clock.advance('1s'), { acts: 0, moves: 0 });
    expect(found.broken).toMatchObject([{ why: expect.stringContaining('explore() moves the clock') }]);
  });

  test('an interval without an end does not go on for ever', async () => {
    const found = await explore(preroll, ({ setInterval }) => void setInterval(() => {}, 1000), { do: ['pause'], moves: 0 });
    expect([found.complete, found.ways]).toEqual([true, 1]);
  });

  test('page code of globals is put in place for each way', async () => {
    vi.stubGlobal('shown', 0);
    const found = await explore(preroll, (_, w) => {
      w.install();
      const { $player } = globalThis as unknown as typeof w.global;
      const player = $player('box', config, function () { this.play(); })!;
      player.on('adStart', () => void setTimeout(() => player.pause(), 100));
    }, { do: ['mute'] });
    expect(found.broken).toEqual([]);
    expect(found.ways).toBeGreaterThan(10);
    expect('$player' in globalThis).toBe(false);
  });
});

describe('bounds', () => {
  afterEach(() => vi.unstubAllGlobals());
  const page: PageCode = ({ $player }) => void $player('box', config, function () { this.play(); });

  test('a limit ends it, and says how far it came', async () => {
    const all = await explore(preroll, page, { do: ['pause'] });
    expect([all.complete, all.allUpTo]).toEqual([true, 2]);
    const one = await explore(preroll, page, { do: ['pause'], limit: 1 });
    expect([one.ways, one.complete, one.allUpTo]).toEqual([1, false, 0]);
    expect(one.notTried).toEqual([
      { what: 'instants', why: expect.stringContaining('something else may follow') as string },
      { what: 'limit', why: 'the limit of ways was reached' },
    ]);
    const some = await explore(preroll, page, { do: ['pause'], limit: all.ways - 1 });
    expect([some.ways, some.complete, some.allUpTo]).toEqual([all.ways - 1, false, 1]);
    const exact = await explore(preroll, page, { do: ['pause'], limit: all.ways });
    expect(exact.complete).toBe(true);
  });

  test('one choice at most means fewer ways, none means one', async () => {
    const acts = await explore(preroll, page, { moves: 0, do: ['pause'] });
    expect(acts.outcomes.every(({ way }) => way.length <= 1 && way.every((word) => word.endsWith(' pause')))).toBe(true);
    const none = await explore(preroll, page, { acts: 0, moves: 0 });
    expect([none.ways, none.complete, none.outcomes.length, none.notTried]).toEqual([1, true, 1, []]);
    const ticking: PageCode = ({ setInterval }) => void setInterval(() => {}, 1000);
    const long = await explore(preroll, ticking, { acts: 0, moves: 0 });
    expect(long.notTried.map(({ what }) => what)).toEqual(['long']);
    const near = await explore(preroll, page, { acts: 0, near: true, within: '100ms' });
    const far = await explore(preroll, page, { acts: 0 });
    expect(near.ways).toBeLessThan(far.ways);
  });

  test('words and numbers that say nothing are refused', async () => {
    await expect(explore(preroll, page, { do: ['jump'] })).rejects.toThrow('"jump" is nothing that can be done');
    await expect(explore(preroll, page, { limit: 0 })).rejects.toThrow('explore: limit is 0');
    await expect(explore(preroll, page, { acts: 1.5 })).rejects.toThrow('explore: acts is 1.5');
    await expect(explore('videos: [', page)).rejects.toBeInstanceOf(SimError);
  });
});
