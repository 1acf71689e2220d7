import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimError, world } from 'playsim';
import type { Player, PlayerEvent, World } from 'playsim';
import { EVENTS, GETTERS, METHODS, PROPERTIES } from '../src/generated/names.js';
import { AD, config, plain, preroll } from './pages.js';

let w: World;
beforeEach(() => { w = world(preroll); });
afterEach(() => w.free());

const quiet = ['timeupdate', 'progress'] as const;
const types = () => w.events({ ignoring: quiet }).map((event) => event.type);
const thrown = (run: () => unknown): SimError => {
  try {
    run();
  } catch (error) {
    if (error instanceof SimError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('making and finding players', () => {
  test('$player returns the player, which is the same object wherever it turns up', async () => {
    const seen: unknown[] = [];
    const player = w.$player('box', config, function () { seen.push(this); })!;
    player.on('ready', function () { seen.push(this); });
    expect(w.$player('box')).toBe(player);
    expect(w.$player()).toBe(player);
    await w.clock.runTo('ready');
    expect(seen).toEqual([player, player]);
    expect(seen[0]).toBe(player);
  });

  test('no player: an error that says why, and names the containers', () => {
    expect(thrown(() => w.$player('nowhere', config))).toMatchObject({
      code: 'no_container', rule: 'INIT-5',
      message: 'the page has no container "nowhere"; no player is created; it has "box", "other", "unit"',
    });
    expect(thrown(() => w.$player('box', { id: 'p1' } as never))).toMatchObject({
      code: 'config_missing:video', rule: 'INIT-2', message: expect.stringContaining('video'),
    });
    expect(thrown(() => w.$outstream('nowhere', config)).code).toBe('no_container');
    // The queue has nobody to throw at.
    expect(w._player_queue.push({ div: 'nowhere', obj: config })).toBe(1);
    const text = w.trace().text();
    expect(text).toContain('no_container');
    expect(text).toContain('config_missing:video');
  });

  test('errors of the initialiser are exceptions with a code', () => {
    expect(thrown(() => w.$player(5 as never, config)).code).toBe('bad_argument');
    expect(thrown(() => w.$player('box', 'config' as never))).toMatchObject({ code: 'bad_argument', rule: 'INIT-1' });
    expect(thrown(() => w.$player('box', undefined as never)).code).toBe('bad_argument');
    w.$player('box', config);
    expect(thrown(() => w.$player('box', config))).toMatchObject({ code: 'already_initialised', rule: 'INIT-7' });
    expect(thrown(() => w.$player('box', config, 'onReady' as never)).code).toBe('bad_argument');
    expect(thrown(() => w.$player('nobody'))).toMatchObject({ code: 'no_such_player', rule: 'INIT-19', message: expect.stringContaining('nobody') });
  });

  test('without the script nothing works but the queue', async () => {
    w.free();
    w = world({ ...preroll, page: { ...preroll.page, script_after: '300ms' } });
    expect(thrown(() => w.$player('box', config)).code).toBe('script_not_loaded');
    expect(thrown(() => w.$player('box')).code).toBe('script_not_loaded');
    let ready: Player | undefined;
    const length = w._player_queue.push({ div: 'box', obj: config, onReady() { ready = this; } });
    expect(length).toBe(1);
    await w.clock.runTo('ready');
    expect(w.clock.now()).toBe(300);
    expect(ready).toBe(w.$player('box'));
  });

  test('a handle stays the player that it was', async () => {
    const first = w.$player('box', config)!;
    await w.clock.runTo('ready');
    first.destroy(true);
    first.destroy();
    expect(thrown(() => first.play()).code).toBe('destroyed');
    expect(thrown(() => first.isReady).code).toBe('destroyed');
    expect(thrown(() => w.$player()).code).toBe('no_such_player');
    const second = w.$player('box', config)!;
    expect(second).not.toBe(first);
    expect(second.isReady).toBe(false);
    expect(thrown(() => first.play())).toMatchObject({ code: 'destroyed', rule: 'DESTROY-8' });
    expect(thrown(() => first.isReady).code).toBe('destroyed');
    expect(w.$player('box')).toBe(second);
  });

  test('several players; the first one is that of $player()', async () => {
    const one = w.$player('box', config)!, two = w.$player('other', { ...config, id: 'p2' })!;
    await w.clock.runTo('ready', { player: two });
    expect(w.$player()).toBe(one);
    two.muted(true);
    expect([one.muted(), two.muted()]).toEqual([false, true]);
    one.destroy();
    expect(w.$player()).toBe(two);
  });

  test('an outstream unit', async () => {
    w._outstream_queue.push({ div: 'unit', obj: { id: 'u1', width: '300', height: '250' } });
    await w.clock.runTo('adEnd');
    expect(types()).toContain('adImpression');
    expect(types()).not.toContain('start');
    const unit = w.$outstream('other', { id: 'u2', width: '300', height: '250' }, function () {
      this.src('film.mp4');
    })!;
    expect(unit).toBe(w.$player('other'));
    await w.clock.runTo('adImpression', { player: 'other' });
    expect(w.trace().text()).toContain('an outstream unit has none');
  });
});

describe('listeners', () => {
  test('hear what is documented, in order, after the call', () => {
    const heard: unknown[] = [];
    const player = w.$player('box', config, function () { this.play(); heard.push('onReady is over'); })!;
    player.on('ready', (e) => heard.push(e));
    player.on(['adError', 'adComplete'], (e) => heard.push([e.type, e.data]));
    player.on('start', (e) => heard.push(e));
    w.clock.runToSync('ended');
    expect(heard).toEqual([
      'onReady is over',
      { type: 'ready' },
      ['adError', { code: 303, message: expect.any(String) }],
      ['adComplete', { wp: 1, pod: 0, pods: 1 }],
      { type: 'start' },
    ]);
    expect(types()).toEqual([
      'ready', 'requestAd', 'loadedmetadata', 'adError', 'requestAd', 'beforeStart', 'adImpression', 'adStart', 'adFirstQuartile',
      'adMidpoint', 'adThirdQuartile', 'adComplete', 'adEnd', 'play', 'start', 'lastSecond', 'ended',
    ]);
  });

  test('the same function twice is the same listener; off finds it, in either vocabulary', () => {
    let count = 0;
    const player = w.$player('box', config, () => player.play())!;
    const listener = () => { count++; };
    player.on('adStart', listener);
    player.add('adStart', listener);
    player.on('adMidpoint', listener);
    player.remove('adMidpoint', listener);
    player.once(['adFirstQuartile', 'adThirdQuartile'], listener);
    w.clock.advance('20s');
    expect(count).toBe(4);
    player.off('adStart', listener);
    expect(w.trace().text()).toContain('off("adStart", listener)');
  });

  test('are bound and removed while they are called', () => {
    const player = w.$player('box', config, () => player.play())!, seen: string[] = [];
    const second = () => seen.push('second');
    player.on('adStart', () => {
      seen.push('first');
      player.off('adStart', second);
      player.on('adStart', () => seen.push('late'));
    });
    player.on('adStart', second);
    w.clock.advance('20s');
    expect(seen).toEqual(['first']);
  });

  test('call back, and find the player changed', () => {
    const player = w.$player('box', config, () => player.play())!, seen: unknown[] = [];
    player.on('adFirstQuartile', () => {
      seen.push(player.getAdInProgress());
      player.pause();
      w.setTimeout(() => player.play(), 3000);
    });
    player.on('adPause', () => seen.push(['adPause', w.clock.now()]));
    player.on('adResume', () => seen.push(['adResume', w.clock.now()]));
    player.on('volumechange', () => seen.push(player.volume()));
    player.once('start', () => { player.volume(0.5); seen.push(['set', player.volume()]); });
    w.clock.advance('30s');
    expect(seen).toEqual([true, ['adPause', 1500], ['adResume', 4500], ['set', 0.5], 0.5]);
  });

  test('their names are in the trace: their own, or that of the event', () => {
    const player = w.$player('box', config, () => player.play())!;
    player.on('adStart', function track() {});
    player.on('adEnd', () => {});
    player.on('start', (function seek() {}).bind(null));
    w.clock.advance('20s');
    const text = w.trace().text();
    for (const name of ['track', 'onAdEnd', 'seek', 'onReady']) expect(text).toContain(`: `), expect(text).toMatch(new RegExp(`: \\w+ ${name}`));
  });

  test('what one throws, the clock function throws; the others run', () => {
    const player = w.$player('box', config, () => player.play())!, seen: string[] = [];
    const bug = new TypeError('a bug of the page');
    player.on('adStart', () => { throw bug; });
    player.on('adStart', () => seen.push('next'));
    let caught: unknown;
    try { w.clock.advance('5s'); } catch (error) { caught = error; }
    expect(caught).toBe(bug);
    expect(seen).toEqual(['next']);
    expect(w.errors).toEqual([bug]);
    expect(w.clock.now()).toBe(5000);
    expect(w.trace().text()).toContain('a bug of the page');
    w.clock.advance('1s');
  });

  test('several exceptions are one AggregateError; anything can be thrown', async () => {
    const player = w.$player('box', config, () => player.play())!;
    player.on('adStart', () => { throw 'text'; });
    player.on('adEnd', () => { throw undefined; });
    w.setTimeout(() => { throw new Error('in a timer'); }, 1000);
    const error: unknown = await w.clock.runToEnd().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors).toEqual(['text', new Error('in a timer'), undefined]);
    expect((error as AggregateError).message).toContain('in a timer');
  });

  test("onError: 'collect' only keeps them", () => {
    w.free();
    w = world(preroll, { onError: 'collect' });
    const player = w.$player('box', config, () => { throw new Error('one'); })!;
    player.on('ready', () => { throw new Error('two'); });
    w.clock.advance('1s');
    expect(w.errors).toEqual([new Error('one'), new Error('two')]);
  });

  test('two that trigger each other are a livelock, with a message', () => {
    const player = w.$player('box', config)!;
    player.on('volumechange', () => { player.volume(player.volume() === 1 ? 0.5 : 1); });
    w.clock.advance('1s');
    player.volume(0.5);
    expect(() => w.clock.advance('1s')).toThrow(/the run has ended at 1 s/);
    expect(w.outcome()).toMatchObject({ outcome: expect.stringMatching(/limit|livelock/) });
    expect(() => w.clock.advance('1s')).toThrow(/the run has ended/);
  }, 60_000);

  test('synchronous dispatch ends in the same way, and not as an overflow of the stack', () => {
    w.free();
    w = world({ ...preroll, knobs: { 'dispatch.mode': 'sync' } } as never);
    const player = w.$player('box', config)!;
    w.clock.advance('1s');
    player.on('volumechange', () => { player.volume(player.volume() === 1 ? 0.5 : 1); });
    expect(() => { player.volume(0.5); w.clock.advance('1s'); }).toThrow(SimError);
    // The module is sound afterwards.
    w.free();
    w = world(preroll);
    w.$player('box', config);
    w.clock.advance('1s');
    expect(w.$player().isReady).toBe(true);
  });
});

describe('tasks', () => {
  test('the code between two moves of the clock is one task', () => {
    const heard: string[] = [];
    const player = w.$player('box', config)!;
    player.on('ready', () => heard.push('ready'));
    w.clock.advance(0);
    player.on('volumechange', () => heard.push('volumechange'));
    player.volume(0.5);
    expect(heard).toEqual(['ready']);
    w.clock.advance(0);
    expect(heard).toEqual(['ready', 'volumechange']);
  });

  test('task() ends when its function returns', () => {
    const heard: string[] = [];
    const player = w.$player('box', config)!;
    w.clock.advance(0);
    const value = w.task(() => {
      player.on('volumechange', () => heard.push('volumechange'));
      player.volume(0.5);
      heard.push('end of the task');
      return 7;
    });
    expect(value).toBe(7);
    expect(heard).toEqual(['end of the task', 'volumechange']);
    expect(() => w.task(() => { throw new RangeError('out'); })).toThrow(RangeError);
  });

  test('the ready callback runs after $player() has returned', () => {
    const player = w.$player('box', config, () => player.play())!;
    w.clock.advance(0);
    expect(types()).toContain('requestAd');
  });
});

describe('around the page', () => {
  test('the user skips and clicks, the page is hidden', async () => {
    w.free();
    w = world({ ...preroll, network: { ...preroll.network as object, 'https://ads.test/two': { text: AD.replace('<Linear>', '<Linear skipoffset="00:00:01">') } } });
    const player = w.$player('box', config, () => player.play())!;
    await w.clock.runTo('adStart');
    w.user('skip');
    w.clock.advance('1s');
    w.user('skip', player);
    w.page({ hidden: true });
    w.page({ in_view: 10 }, 'box');
    w.user({ seek: 4 });
    w.clock.advance('1s');
    expect(types().filter((type) => type === 'adSkip')).toEqual(['adSkip']);
    expect(w.trace().text()).toContain('skip_not_offered');
    expect(() => w.user('skipp' as never)).toThrow('user(): unknown user action "skipp"; did you mean "skip"?');
    expect(() => w.page({ hiden: true } as never)).toThrow(/hidden/);
    expect(() => w.user('skip', {} as never)).toThrow(TypeError);
  });

  test('answers are decided on the way', async () => {
    const player = w.$player('box', config, () => player.play())!;
    player.on('adError', () => w.answer('https://ads.test/two', { after: '50ms', status: 503 }));
    const event = await w.clock.runTo('adEnd');
    expect(event).toEqual({ type: 'adEnd', player: 'box', at: 250 });
    expect(types()).not.toContain('adStart');
    expect(() => w.answer('https://ads.test/two', { status: 5 } as never)).toThrow(SimError);
    w.answer('https://ads.test/three', { file: 'spot.xml' }, { 'spot.xml': AD });
    expect(() => w.answer('https://ads.test/four', { file: 'spot.xml' })).toThrow(/spot\.xml/);
  });

  test('files of the scenario', async () => {
    w.free();
    const network = { 'https://ads.test/one': { file: 'ads/spot.xml' } };
    w = world({ ...preroll, network }, { files: { 'ads/spot.xml': AD } });
    const player = w.$player('box', config, () => player.play())!;
    await w.clock.runTo('adStart');
    expect(() => world({ ...preroll, network })).toThrow(/spot\.xml/);
  });
});

/** Arguments with which each call can be made. */
const ARGUMENTS: Partial<Record<(typeof METHODS)[number], unknown[]>> = {
  on: ['adStart', () => {}], once: ['adStart', () => {}], off: ['adStart', () => {}], add: ['adStart', () => {}], addOnce: ['adStart', () => {}],
  remove: ['adStart', () => {}], volume: [0.5], muted: [true], currentTime: [3], currentChapter: [1], setHD: [true], setVideoSource: ['sd'],
  src: ['film.mp4'], loadPlaylist: ['https://site.test/list.json'], playByIndex: [0],
  setAd: [{ adType: 1, adTimeType: 's', cuepoints: [2], mobile: ['https://ads.test/one'] }, false, 'player'], playAd: ['https://ads.test/two'],
  changeSkin: [1], resize: [320, 180], 'GoogleAnalytics.fireCustom': ['player', 'seen'], destroy: [true],
};

test('every documented call can be made, and every property read', () => {
  w.free();
  w = world(plain);
  const problems: string[] = [];
  const player = w.$player('box', { ...config, video: undefined as never, playlist: ['film', 'second'] }, function () {
    for (const name of METHODS.filter((name) => name !== 'destroy')) {
      const [owner, own] = name.split('.') as [string, string?];
      const on = (own ? (this as never)[owner] : this) as unknown as Record<string, Function>;
      try { on[own ?? owner]!(...(ARGUMENTS[name] ?? [])); } catch (error) { problems.push(`${name}: ${String(error)}`); }
    }
  })!;
  for (const name of PROPERTIES) expect(name.split('.').reduce((on: any, key) => on[key], player), name).not.toBeNaN();
  w.clock.advance('1s');
  expect(problems).toEqual([]);
  const made = new Set(w.trace().records.filter((record) => record.kind === 'call').map((record) => record.name));
  // What only reads leaves no line.
  expect(METHODS.filter((name) => name !== 'destroy' && !made.has(name) && !(name in GETTERS))).toEqual([]);
  player.destroy();
  expect(w.trace().text()).toContain('destroy()');
});

test('what calls return is what is documented', () => {
  w.free();
  w = world(plain);
  const player = w.$player('box', config)!;
  // Before the player is ready: neutral values, and actions do nothing.
  expect([player.isReady, player.currentTime(), player.duration(), player.currentSrc(), player.currentIndex]).toEqual([false, 0, null, '', -1]);
  expect([player.play(), player.volume(0.3), player.currentChapter(), player.values.lastVASTXML]).toEqual([undefined, undefined, null, undefined]);
  w.clock.advance('1s');
  expect(player.isReady).toBe(true);
  expect(player.play()).toBeUndefined();
  w.clock.advance('2s');
  expect([player.currentTime(), player.duration(), player.currentSrc(), player.getTitle(), player.getTags()]).toEqual([2, 10, 'film.mp4', 'My film', 'a,b']);
  expect([player.volume(), player.volume(0.5), player.volume()]).toEqual([1, 0.5, 0.5]);
  expect([player.muted(), player.muted(true), player.muted()]).toEqual([false, true, true]);
  expect(player.currentTime(6)).toBe(6);
  expect(player.currentChapter()).toEqual({ chapter: 1, title: 'Two', start: 5, end: 10 });
  expect([player.isHD(), player.isPlayerInView(), player.getAdInProgress(), player.adDuration(), player.adRemainingTime()]).toEqual([false, true, false, null, null]);
  expect([player.playlistLength, player.currentIndex, player.isFullScreen, player.toggleFullScreen()]).toEqual([1, 0, false, true]);
  expect([player.isFullScreen, player.toggleFullScreen(), player.isFullScreen]).toEqual([true, false, false]);
  expect([player.pause(), player.stop(), player.next(), player.resize(320, 180)]).toEqual([undefined, undefined, undefined, undefined]);
  expect(thrown(() => player.setVideoSource('4k' as never)).code).toBe('bad_argument');
  expect(thrown(() => player.on('adStart', undefined as never)).code).toBe('bad_argument');
  // Properties are read-only: a diagnostic, no exception.
  (player as { isReady: boolean }).isReady = false;
  expect(player.isReady).toBe(true);
  expect(w.trace().text()).toContain('property_read_only');
  // A method needs its player.
  const { play } = player;
  expect(() => play()).toThrow(/call it as player\.play/);
  expect(String(player)).toBe("$player('box')");
});

test('play() returns a promise where the scenario says so', async () => {
  w.free();
  w = world({ ...preroll, knobs: { 'play.returns': 'promise' } } as never);
  const player = w.$player('box', config)!, seen: unknown[] = [];
  await w.clock.runTo('ready');
  player.play()!.then(() => seen.push(['playing', w.clock.now()]));
  await w.clock.advanceAsync('10s');
  expect(seen).toEqual([['playing', 4500]]);
  player.stop();
  const again = player.play()!;
  player.pause();
  await w.clock.advanceAsync('1s');
  await expect(again).rejects.toMatchObject({ name: 'AbortError' });
});

test('every documented event can be bound, a misspelt one is reported', () => {
  const player = w.$player('box', config)!;
  for (const name of EVENTS) player.on(name, (e: PlayerEvent) => void e);
  expect(w.trace().text()).not.toContain('unknown_event');
  player.on('adStarted' as never, () => {});
  expect(w.trace().text()).toContain('unknown_event suggestion=adStart');
});

test('during an ad', async () => {
  const player = w.$player('box', config, () => player.play())!;
  await w.clock.runTo('adStart');
  w.clock.advance('1s');
  expect([player.getAdInProgress(), player.adDuration(), player.adRemainingTime()]).toEqual([true, 4, 3]);
  expect(player.values.lastVASTXML).toBe(AD);
});
