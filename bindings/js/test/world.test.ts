import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SimError, mistakes, run, schema, version, world } from 'playsim';
import type { Diagnostic, World } from 'playsim';
import { AD, config, plain, preroll } from './pages.js';

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

describe('containers come and go', () => {
  const replays = () => {
    const yaml = w!.toYaml();
    expect(run(yaml).digest, yaml).toBe(w!.trace().digest);
  };

  test('a new element holds a new player', async () => {
    w = world(plain);
    w.$player('box', config).destroy();
    expect(() => w!.$player('box', config)).toThrow('the page has no container "box"; no player is created; it has "other", "unit"');
    w.page({ container: 'box' });
    const player = w.$player('box', config, () => player.play());
    await w.clock.runTo('start');
    w.page({ container: 'one more' });
    expect(() => w!.page({ container: '' })).toThrow(SimError);
    const other = w.$player('one more', { ...config, id: 'p2' });
    await w.clock.runTo('ready', { player: other });
    replays();
  });

  test('elements of the document are containers, and destroy() removes them', async () => {
    const elements = new Map<string, { remove(): void }>();
    const put = (id: string) => elements.set(id, { remove: () => elements.delete(id) });
    const document = { getElementById: (id: string) => elements.get(id) ?? null };
    w = world(plain, { document });
    put('box');
    put('new here');
    const first = w.$player('box', config);
    await w.clock.runTo('ready');
    first.destroy(true);
    expect([...elements.keys()]).toEqual(['box', 'new here']);
    const second = w.$player('box', config);
    second.destroy();
    expect([...elements.keys()]).toEqual(['new here']);
    expect(() => w!.$player('box', config)).toThrow('no container');
    put('box');
    // In one task of page code, as a component does it.
    w.task(() => {
      const third = w!.$player('box', config);
      third.destroy();
      put('box');
      w!.$player('box', config);
    });
    w._player_queue.push({ div: 'new here', obj: { ...config, id: 'p2' } });
    await w.clock.runTo('ready', { player: 'new here' });
    expect(w.$player('box').isReady).toBe(true);
    replays();
  });

  test('without a document there are those of the scenario', () => {
    const found = globalThis as { document?: unknown };
    found.document = { getElementById: () => ({}) };
    try {
      w = world(plain, { document: null });
      expect(() => w!.$player('nowhere', config)).toThrow('no container');
      w.free();
      w = world(plain);
      expect(w.$player('nowhere', config)).toBe(w.$player());
    } finally {
      delete found.document;
    }
  });
});

describe('what a URL answers', () => {
  const seen = () => w!.events({ ignoring: ['timeupdate', 'progress'] }).map(({ type }) => type);
  const replays = () => expect(run(w!.toYaml()).digest).toBe(w!.trace().digest);

  test('media change as responses do', async () => {
    w = world(plain);
    w.answer('film.mp4', { fails: { how: 'network' } });
    const player = w.$player('box', config, () => player.play());
    await w.clock.runTo('playbackerror');
    // Try again.
    w.answer('film.mp4', { duration: '3s', metadata_after: '200ms' });
    player.src('film.mp4');
    player.play();
    await w.clock.runTo('start');
    expect(player.duration()).toBe(3);
    await w.clock.runTo('ended');
    replays();
  });

  test('a list: media fail once and play at the next load', async () => {
    w = world({ ...plain, media: { 'film.mp4': [{ fails: { how: 'not-found' } }, { duration: '10s' }] } });
    const video = w.element('video', { src: 'film.mp4' });
    await w.clock.runTo('error');
    expect(video.error?.code).toBe(4);
    video.load();
    void video.play();
    await w.clock.runTo('playing');
    expect(video.duration).toBe(10);
    w.answer('film.mp4', [{ fails: { how: 'decode' } }, { duration: '4s' }]);
    video.load();
    await w.clock.runTo('error');
    video.load();
    await w.clock.runTo('loadedmetadata');
    expect(video.duration).toBe(4);
    replays();
  });

  test('responses in a list, too', async () => {
    w = world({ ...preroll, player: { ads: [{ adType: 0, adTimeType: 's', mobile: ['https://ads.test/one'] }] } });
    w.answer('https://ads.test/one', [{ status: 503 }, { text: AD }]);
    const player = w.$player('box', config, () => player.play());
    await w.clock.runTo('adError');
    await w.clock.runTo('start');
    player.playAd('https://ads.test/one');
    await w.clock.runTo('adStart');
    replays();
  });

  test('relative URLs are those of the page, and of the documents that write them', async () => {
    const relative = AD.replace('https://ads.test/spot.mp4', 'spot.mp4');
    w = world({
      ...preroll,
      player: { ads: [{ adType: 0, adTimeType: 's', mobile: ['/tag'] }] },
      network: { '/tag': { status: 503 }, 'https://ads.test/two': { text: relative } },
      media: { 'film.mp4': { duration: '10s' }, 'spot.mp4': { duration: '4s' } },
    });
    w.answer('/tag', { redirect: 'https://ads.test/two' });
    w.answer('spot.mp4', { duration: '6s' });
    const player = w.$player('box', config, () => player.play());
    await w.clock.runTo('adStart');
    expect(player.adDuration()).toBe(6);
    await w.clock.runTo('start');
    w.answer('https://ads.test/spot.mp4', { fails: { how: 'network' } });
    player.playAd('https://ads.test/two');
    expect(await w.clock.runTo('adError')).toMatchObject({ data: { code: 401 } });
    replays();
  });

  test('one that is not listed', async () => {
    w = world(preroll);
    w.answer('new.mp4', { duration: '2s' });
    w.answer('https://ads.test/new', { status: 500 });
    const player = w.$player('box', config);
    await w.clock.runTo('ready');
    player.src('new.mp4');
    player.play();
    await w.clock.runTo('ended');
    expect(w.clock.now()).toBeGreaterThan(2000);
    player.src('missing.mp4');
    await w.clock.runToEnd();
    expect(() => w!.answer('other.mp4', { duration: '2s' })).toThrow('list it in the scenario');
    replays();
  });

  test('what has the wrong form is said', () => {
    w = world(preroll);
    const said = (url: string, answer: unknown) => {
      try { w!.answer(url, answer as never); } catch (error) { return (error as Error).message; }
      return 'nothing';
    };
    expect(said('film.mp4', { status: 503 })).toMatch(/answer\(\): .*medium "status"/);
    expect(said('https://ads.test/one', { duration: '5s' })).toMatch(/answer\(\): .*response "duration"/);
    expect(said('https://ads.test/one', { after: 200 })).toBe('answer(): "after" is "200", without a unit; did you mean "200ms"?');
    expect(said('film.mp4', [])).toContain('at least one medium');
    expect(mistakes({ ...preroll, network: { 'film.mp4': { status: 503 } } })).toMatchObject([{ message: expect.stringContaining('listed under media, too') }]);
    expect(seen()).toEqual([]);
  });
});

describe('what the trace diagnoses', () => {
  test('is said on the console, once each, with the rule', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    try {
      w = world(plain);
      const player = w.$player('box', config);
      player.play();
      expect(warn.mock.calls).toEqual([[expect.stringMatching(/^playsim: .*play.* \[not_ready, rule INIT-20; player "box", at 0 s\]$/)]]);
      player.play();
      w._player_queue.push({ div: 'nowhere', obj: config });
      await w.clock.runTo('ready');
      player.destroy();
      player.destroy();
      const said = warn.mock.calls.map(([text]) => String(text));
      expect(said.filter((text) => text.includes('not_ready'))).toHaveLength(1);
      expect(said.filter((text) => text.includes('no_container') && text.includes('INIT-5'))).toHaveLength(1);
      expect(said.at(-1)).toMatch(/DESTROY-8/);
    } finally {
      warn.mockRestore();
    }
  });

  test('goes to a function, or nowhere', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    try {
      const heard: Diagnostic[] = [];
      w = world(plain, { onDiagnostic: (it) => heard.push(it) });
      w.clock.advance('1s');
      w.$player('box', config).pause();
      expect(heard).toMatchObject([{ code: 'not_ready', rule: 'INIT-20', player: 'box', at: 1000 }]);
      w.free();
      w = world(plain, { onDiagnostic: 'ignore' });
      w.$player('box', config).pause();
      expect(w.trace().text()).toContain('not_ready');
      expect(warn).not.toHaveBeenCalled();
      expect(() => world(plain, { onDiagnostic: 'never' as never })).toThrow(TypeError);
    } finally {
      warn.mockRestore();
    }
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
