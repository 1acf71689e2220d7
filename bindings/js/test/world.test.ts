import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { SimError, mistakes, run, schema, version, world } from 'playsim';
import type { World } from 'playsim';
import { config, plain, preroll } from './pages.js';

let w: World | undefined;
afterEach(() => { w?.free(); w = undefined; });

const YAML = `videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 10s } }
steps:
  - { at: 0s, init: { div: player, config: { id: p1, width: "640", height: "360", video: film } } }
  - { on: ready, do: paly }
`;

describe('scenarios', () => {
  test('are texts or objects; nothing starts by itself without steps', () => {
    w = world(YAML.split('steps:')[0]!);
    w.clock.advance('1s');
    expect(w.events()).toEqual([]);
    expect(() => world(5 as never)).toThrow(TypeError);
    expect(() => world(null as never)).toThrow(TypeError);
    expect(() => world(plain, { onError: 'ignore' as never })).toThrow(TypeError);
  });

  test('steps of the scenario run as well', () => {
    w = world(YAML.replace('paly', 'play'));
    w.clock.advance('1s');
    expect(w.$player().getAdInProgress()).toBe(false);
    expect(w.events({ ignoring: ['timeupdate', 'progress'] }).map((event) => event.type)).toContain('start');
  });

  test('mistakes have places and proposals', () => {
    const error = (() => { try { world(YAML); } catch (error) { return error as SimError; } })();
    expect(error).toBeInstanceOf(SimError);
    expect(error!.mistakes).toMatchObject([{ line: 5, column: 22, suggestion: 'play', message: expect.stringContaining('paly') }]);
    expect(mistakes(YAML)).toEqual(error!.mistakes);
    expect(mistakes(YAML.replace('paly', 'play'))).toEqual([]);
    expect(mistakes({ vidoes: [] } as never)).toMatchObject([{ line: 2, message: expect.stringContaining('vidoes'), suggestion: 'videos' }]);
    expect(mistakes('a: [')).toHaveLength(1);
    expect(() => run(YAML)).toThrow(SimError);
  });

  test('run() plays one to its end', () => {
    const trace = run(YAML.replace('paly', 'play'));
    expect(trace.outcome).toBe('idle');
    expect(trace.events.at(-1)).toEqual({ type: 'ended', player: 'player', at: 10_000 });
    expect(trace.digest).toBe(run(YAML.replace('paly', 'play')).digest);
    expect(trace.text()).toMatch(/^playsim trace 1 /);
    expect(String(trace)).toBe(trace.text());
    expect(trace.jsonl().trim().split('\n').map((line) => JSON.parse(line))).toEqual(trace.records);
    expect(trace.html()).toMatch(/^<!DOCTYPE html>/i);
    expect(run(trace.toYaml()).digest).toBe(trace.digest);
  });

  test('the schema and the version', () => {
    expect(schema()).toMatchObject({ properties: { videos: {}, steps: {} } });
    expect(version).toBe(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
  });
});

describe('what has happened', () => {
  test('events, trace, report, findings', async () => {
    w = world(preroll);
    const player = w.$player('box', config, () => player.play())!;
    expect(w.outcome()).toBeNull();
    await w.clock.runTo('adEnd');
    expect(w.outcome()).toBeNull();
    expect(w.events({ ignoring: ['progress'] })[0]).toEqual({ type: 'ready', player: 'box', at: 0 });
    expect(w.events({ player: 'other' })).toEqual([]);
    const trace = w.trace();
    expect(trace.outcome === null || trace.outcome === 'until').toBe(true);
    expect(trace.text()).toContain('adEnd');
    expect(trace.text('page')).not.toContain('* break');
    expect(trace.records.length).toBeGreaterThan(10);
    expect(JSON.stringify(w.report())).toContain('https://ads.test/two');
    expect(w.check()).toEqual([]);
    await w.clock.runTo('ended');
    expect(trace.text()).toContain('ended');
  });

  test('becomes a scenario that plays to the same trace', async () => {
    w = world(preroll);
    let clicks = 0;
    const player = w.$player('box', config, function start() { this.play(); })!;
    player.on('adStart', function count() { if (++clicks === 1) player.muted(true); });
    player.on('adError', () => w!.answer('https://ads.test/two', { after: '50ms', text: (preroll.network as never)['https://ads.test/two']['text'] }));
    w.setTimeout(() => { player.pause(); player.volume(0.5); }, 2000);
    w.setTimeout(() => player.play(), 3000);
    await w.clock.runTo('start');
    w.user({ seek: 5 });
    w.page({ in_view: 10 });
    await w.clock.runToEnd();
    const yaml = w.toYaml();
    expect(yaml).toContain('count');
    expect(run(yaml).text().split('\n').slice(1)).toEqual(w.trace().text().split('\n').slice(1));
    expect(run(yaml).digest).toBe(w.trace().digest);
  });

  test('functions of the page as arguments keep their names', () => {
    w = world(plain);
    const player = w.$player('box', config)!;
    player.on('adStart', function track() {});
    player.on('adEnd', function track() {});
    player.off('adEnd', function track() {});
    w.clock.advance(0);
    const text = w.trace().text();
    expect(text.match(/track\w*/g)!.length).toBe(3);
    expect(new Set(text.match(/track[\w ]*/g)).size).toBe(3);
  });
});

describe('the end of a world', () => {
  test('a freed world says so', async () => {
    const gone = world(preroll);
    const player = gone.$player('box', config)!;
    gone.free();
    gone.free();
    for (const act of [() => player.play(), () => player.isReady, () => gone.clock.advance(1), () => gone.trace(), () => gone.user('play'), () => gone.clock.now(), () => gone.setTimeout(() => {}), () => gone.outcome()]) {
      expect(act).toThrow('this world has been freed');
    }
    await expect(gone.clock.runTo('ready')).rejects.toThrow('freed');
  });

  test('using disposes of it; page code cannot free it', () => {
    const gone = world(preroll);
    expect(typeof gone[Symbol.dispose]).toBe('function');
    gone.$player('box', config, () => gone.free());
    expect(() => gone.clock.advance(1)).toThrow(/a function of the page runs/);
    gone[Symbol.dispose]();
    expect(() => gone.clock.advance(1)).toThrow('freed');
  });

  test('while an asynchronous clock function waits', async () => {
    const gone = world(preroll);
    const player = gone.$player('box', config, () => player.play())!;
    player.on('adStart', () => void Promise.resolve().then(() => gone.free()));
    await expect(gone.clock.runTo('ended')).rejects.toThrow('freed meanwhile');
  });

  test('thousands do not leak, freed or forgotten', async () => {
    const { _memory } = globalThis as never as { _memory?: never };
    void _memory;
    const used = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
    const one = (free: boolean) => {
      const it = world(preroll);
      const player = it.$player('box', config, () => player.play())!;
      player.on('adStart', () => {});
      it.clock.advance('20s');
      if (free) it.free();
    };
    for (let round = 0; round < 300; round++) one(true);
    const before = used();
    for (let round = 0; round < 3000; round++) one(true);
    expect(used() - before).toBeLessThan(4 << 20);
    const collect = (globalThis as { gc?: () => void }).gc;
    if (!collect) return;
    for (let round = 0; round < 1000; round++) {
      one(false);
      if (round % 100 === 0) { collect(); await new Promise((done) => setTimeout(done, 0)); }
    }
    expect(used() - before).toBeLessThan(64 << 20);
  }, 60_000);
});

describe('globals', () => {
  test('install and uninstall', () => {
    w = world(preroll);
    const target: Record<string, unknown> = { $player: 'before', _player_queue: [{ div: 'box', obj: config }] };
    w.install(target);
    expect(target.$player).toBe(w.$player);
    expect(target.setTimeout).toBe(w.setTimeout);
    w.clock.advance(0);
    expect(w.$player('box').isReady).toBe(true);
    w.uninstall();
    expect(target.$player).toBe('before');
    expect(Object.keys(target)).toEqual(['$player', '_player_queue']);
    w.install(target, { timers: false });
    expect('setTimeout' in target).toBe(false);
    w.free();
    expect(target.$player).toBe('before');
  });

  test('on globalThis, for code that uses globals', async () => {
    w = world(preroll).install();
    const seen: unknown[] = [];
    const start = Date.now();
    const player = ($player as World['$player'])('box', config, () => player.play())!;
    player.on('adStart', () => setTimeout(() => seen.push(Date.now() - start, performance.now()), 1000));
    await w.clock.runToEnd();
    expect(seen).toEqual([1500, 1500]);
    w.free();
    expect(Date.now()).toBeGreaterThan(1.7e12);
    expect('$player' in globalThis).toBe(false);
  });

  test('a classic script runs with them', () => {
    w = world(preroll);
    const seen: unknown[] = [];
    const source = `
      var _player_queue = window._player_queue || [];
      _player_queue.push({ div: 'box', obj: config, onReady: function () {
        report(this === $player('box'), window === self, setTimeout === window.setTimeout);
        setTimeout(report, 100, 'timer');
      } });`;
    w.script(source, { report: (...args: unknown[]) => seen.push(args), config });
    w.clock.advance('1s');
    expect(seen).toEqual([[true, true, true], ['timer']]);
    expect(() => w!.script('throw new RangeError("at load")')).toThrow(RangeError);
    const spread = { ...w.global, mine: 1 };
    expect(Object.keys(spread)).not.toContain('window');
  });
});

declare const $player: unknown;
