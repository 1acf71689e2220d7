import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SimError, world } from 'playsim';
import type { Player, World } from 'playsim';
import { config, plain, preroll } from './pages.js';

let w: World;
beforeEach(() => { w = world(preroll); });
afterEach(() => w.free());

describe('advance', () => {
  test('takes milliseconds or a text', () => {
    expect(w.clock.now()).toBe(0);
    w.clock.advance(250);
    w.clock.advance('1.5s');
    w.clock.advance('250ms');
    w.clock.advance('1m');
    w.clock.advance(0);
    expect(w.clock.now()).toBe(62_000);
    for (const wrong of [-1, NaN, Infinity, '5', '5 parsecs', '', null]) {
      expect(() => w.clock.advance(wrong as never), String(wrong)).toThrow(TypeError);
    }
    expect(() => w.clock.advance('5 parsecs')).toThrow("write milliseconds like 1500, or '1.5s', '250ms', '2m'");
  });

  test('is not for page code, and not while another one runs', async () => {
    w.$player('box', config, () => w.clock.advance(1));
    expect(() => w.clock.advance(1)).toThrow(/page code cannot move the clock/);
    const first = w.clock.advanceAsync('1s');
    expect(() => w.clock.advance('1s')).toThrow(/advanceAsync\(\) still runs; await it first/);
    await expect(w.clock.runToEnd()).rejects.toThrow(/await it first/);
    await first;
    w.clock.advance('1s');
    expect(w.clock.now()).toBe(2001);
  });

  test('ends where the scenario does', () => {
    w.free();
    w = world({ ...plain, until: '3s' });
    w.clock.advance('2s');
    expect(() => w.clock.advance('2s')).toThrow(/the scenario ends at 3 s/);
    expect(w.outcome()).toMatchObject({ outcome: 'until' });
  });
});

describe('runTo', () => {
  test('gives the event', async () => {
    const player = w.$player('box', config, () => player.play())!;
    expect(await w.clock.runTo('adError')).toEqual({ type: 'adError', player: 'box', at: 200, data: { code: 303, message: 'no ad in the response' } });
    expect(w.clock.runToSync('adComplete')).toEqual({ type: 'adComplete', player: 'box', at: 4500, data: { wp: 1, pod: 0, pods: 1 } });
    expect(w.clock.now()).toBe(4500);
  });

  test('goes on after the event before, at the same instant too, and after what the test has caused', async () => {
    const player = w.$player('box', config, () => player.play())!;
    for (const type of ['adComplete', 'adEnd', 'play', 'start'] as const) {
      expect(await w.clock.runTo(type)).toMatchObject({ at: 4500 });
    }
    w.user('pause');
    expect(await w.clock.runTo('pause')).toMatchObject({ at: 4500 });
    player.play();
    expect(w.clock.runToSync('play')).toMatchObject({ at: 4500 });
    w.clock.advance('1s');
    await expect(w.clock.runTo('start', { limit: '1s' })).rejects.toThrow('has not come');
  });

  test.each([
    ['play', (player: Player) => player.play()],
    ['pause', (player: Player) => player.pause()],
    ['seeked', (player: Player) => player.currentTime(5)],
    ['volumechange', (player: Player) => player.volume(0.3)],
    ['mutechange', (player: Player) => player.muted(true)],
    ['stopped', (player: Player) => player.stop()],
  ] as const)('stops at %s, which a call of the test causes', async (type, call) => {
    w.free();
    w = world(plain);
    const player = w.$player('box', config);
    w.clock.advance('1s');
    if (type !== 'play') player.play();
    w.clock.advance('1s');
    call(player);
    expect(await w.clock.runTo(type, { limit: '1h' })).toMatchObject({ type, at: 2000 });
    expect(w.clock.now()).toBe(2000);
    if (type !== 'volumechange') return;
    player.volume(0.8);
    expect(w.clock.runToSync(type, { limit: '1h' })).toMatchObject({ type, at: 2000 });
    expect(w.clock.now()).toBe(2000);
    // While nothing else can happen, too.
    await w.clock.runToEnd();
    const end = w.clock.now();
    player.volume(0.5);
    await w.clock.runTo(type, { limit: '1h' });
    expect(w.clock.now()).toBe(end);
    player.volume(0.6);
    await w.clock.runTo(() => w.events().length > 0);
    expect(w.clock.now()).toBe(end);
  });

  test('stops at what a bare element, a promise or a timer causes', async () => {
    const video = w.element('video', { src: 'film.mp4' });
    w.clock.advance('1s');
    video.volume = 0.5;
    await w.clock.runTo('volumechange', { limit: '1h' });
    expect(Math.round(w.clock.now())).toBe(1000);
    void Promise.resolve().then(() => { video.muted = true; });
    await w.clock.runTo('volumechange', { limit: '1h' });
    expect(Math.round(w.clock.now())).toBe(1000);
    w.setTimeout(() => { video.volume = 1; }, 500);
    await w.clock.runTo('volumechange', { limit: '1h' });
    expect(Math.round(w.clock.now())).toBe(1500);
    w.setTimeout(async () => { await null; video.volume = 0; }, 500);
    await w.clock.runTo('volumechange', { limit: '1h' });
    expect(Math.round(w.clock.now())).toBe(2000);
  });

  test('of one player', async () => {
    const one = w.$player('box', config, () => one.play())!;
    w.clock.advance('1s');
    const two = w.$player('other', { ...config, id: 'p2' }, () => two.play())!;
    expect(await w.clock.runTo('adComplete', { player: two })).toMatchObject({ player: 'other' });
  });

  test('a condition', async () => {
    const player = w.$player('box', config, () => player.play())!;
    await w.clock.runTo(() => player.currentTime() >= 3);
    expect(w.clock.now()).toBe(7500);
    w.clock.runToSync(() => true);
    expect(w.clock.now()).toBe(7500);
    await expect(w.clock.runTo(() => player.currentTime() > 99)).rejects.toThrow(/the condition does not hold/);
  });

  test('fails with the reason when the event does not come', async () => {
    const player = w.$player('box', config, () => player.play())!;
    const error = (await w.clock.runTo('adSkip').catch((error: unknown) => error)) as SimError;
    expect(error).toBeInstanceOf(SimError);
    expect(error.message).toMatch(/runTo\("adSkip"\): nothing more can happen at 14\.5 s, and the event has not come\. The last events:/);
    expect(error.message).toContain('lastSecond');
    expect(error.message).not.toContain('timeupdate');
    await expect(w.clock.runTo('adSart' as never)).rejects.toThrow('there is no event "adSart"; did you mean "adStart"?');
    expect(() => w.clock.runToSync('adSkip')).toThrow(SimError);
  });

  test('with a limit', async () => {
    const player = w.$player('box', config, () => player.play())!;
    await expect(w.clock.runTo('ended', { limit: '5s' })).rejects.toThrow('runTo("ended"): the event has not come within 5s');
    expect(w.clock.now()).toBe(5000);
  });
});

describe('timers of the page', () => {
  test('go off in the order of time, after the simulation at the same instant', () => {
    const seen: unknown[] = [];
    const player = w.$player('box', config, () => player.play())!;
    player.on('adStart', () => seen.push('adStart'));
    w.setTimeout((...args) => seen.push(['later', ...args, w.clock.now()]), 700, 1, 2);
    w.setTimeout(() => seen.push('same instant'), 500);
    w.setTimeout(() => seen.push('first'));
    w.setTimeout(() => seen.push('second'), -5);
    const id = w.setTimeout(() => seen.push('never'), 100);
    w.clearTimeout(id);
    w.clearTimeout(undefined);
    w.clearTimeout(99);
    w.clock.advance('1s');
    expect(seen).toEqual(['first', 'second', 'adStart', 'same instant', ['later', 1, 2, 700]]);
    expect(() => w.setTimeout('alert(1)' as never)).toThrow(TypeError);
  });

  test('intervals', () => {
    const seen: number[] = [];
    const id = w.setInterval(() => { seen.push(w.clock.now()); if (seen.length === 3) w.clearInterval(id); }, 100);
    w.clock.advance('1s');
    expect(seen).toEqual([100, 200, 300]);
  });

  test('nested timers of zero take 4 ms from the sixth on, as in browsers', () => {
    let count = 0;
    const poll = () => { count++; w.setTimeout(poll); };
    poll();
    w.clock.advance(40);
    expect(count).toBe(16);
  });

  test('frames come 60 times a second', () => {
    const times: number[] = [];
    const frame = (time: number) => { times.push(time); if (times.length < 4) w.requestAnimationFrame(frame); };
    w.requestAnimationFrame(frame);
    w.cancelAnimationFrame(w.requestAnimationFrame(() => times.push(-1)));
    w.clock.advance('1s');
    expect(times.map((time) => Number(time.toFixed(2)))).toEqual([16.67, 33.33, 50, 66.67]);
  });

  test('each is a task', () => {
    const seen: string[] = [];
    const player = w.$player('box', config)!;
    player.on('volumechange', () => seen.push('volumechange'));
    w.setTimeout(() => { player.volume(0.5); seen.push('timer'); }, 100);
    w.setTimeout(() => seen.push('next timer'), 100);
    w.clock.advance('1s');
    expect(seen).toEqual(['timer', 'volumechange', 'next timer']);
  });

  test('Date and performance are those of the page', () => {
    const start = w.Date.now();
    expect(new w.Date(start).toISOString()).toBe('2000-01-01T00:00:00.000Z');
    w.clock.advance(1500);
    expect(w.Date.now() - start).toBe(1500);
    expect(new w.Date().getTime() - start).toBe(1500);
    expect(new w.Date(2020, 1, 1)).toBeInstanceOf(Date);
    expect(new Date() instanceof w.Date).toBe(true);
    expect(typeof (w.Date as unknown as () => string)()).toBe('string');
    expect(w.performance.now()).toBe(1500);
    const other = world({ ...plain, page: { epoch: '2026-01-01T00:00:00Z' } });
    expect(new other.Date().toISOString()).toBe('2026-01-01T00:00:00.000Z');
    other.free();
  });
});

describe('runToEnd', () => {
  test('plays until nothing is left', async () => {
    const player = w.$player('box', config, () => player.play())!;
    w.setTimeout(() => {}, 60_000);
    await w.clock.runToEnd();
    expect(w.clock.now()).toBe(60_000);
    expect(w.outcome()).toMatchObject({ outcome: 'idle' });
    // The page may go on.
    player.play();
    w.clock.runToEndSync();
    expect(w.clock.now()).toBe(70_000);
  });

  test('an endless interval is an error', async () => {
    w.setInterval(function heartbeat() {}, 1000);
    await expect(w.clock.runToEnd()).rejects.toThrow(/10000 timers of the page have gone off.*setInterval of heartbeat every 1000 ms/);
    await expect(w.clock.runTo('start')).rejects.toThrow(SimError);
    const short = world(plain, { loopLimit: 5 });
    short.setInterval(() => {}, 1000);
    expect(() => short.clock.runToEndSync()).toThrow(/5 timers/);
    short.free();
  });
});

describe('promises', () => {
  test('settle before time goes on', async () => {
    const steps: unknown[] = [];
    const player = w.$player('box', config, () => player.play())!;
    const event = (name: 'adStart' | 'adEnd') => new Promise((done) => player.once(name, done));
    const script = (async () => {
      await event('adStart');
      await null;
      steps.push(['adStart', w.clock.now()]);
      await new Promise((done) => w.setTimeout(done, 1500));
      player.pause();
      steps.push(['paused', w.clock.now(), player.getAdInProgress()]);
    })();
    await w.clock.advanceAsync('60s');
    await script;
    expect(steps).toEqual([['adStart', 500], ['paused', 2000, true]]);
  });

  test('what the test has left pending comes first', async () => {
    const player = w.$player('box', config)!;
    w.clock.advance(0);
    void Promise.resolve().then(() => player.play());
    await w.clock.runTo('adStart');
    expect(w.clock.now()).toBe(500);
  });

  test('with a synchronous clock they wait', async () => {
    const seen: number[] = [];
    const player = w.$player('box', config, () => player.play())!;
    player.on('adStart', () => void Promise.resolve().then(() => seen.push(w.clock.now())));
    w.clock.advance('5s');
    expect(seen).toEqual([]);
    await null;
    expect(seen).toEqual([5000]);
  });

  test('fake timers of the test do not stop it', async () => {
    vi.useFakeTimers();
    try {
      const player = w.$player('box', config, () => player.play())!;
      await w.clock.runTo('ended');
      expect(w.clock.now()).toBe(14_500);
    } finally { vi.useRealTimers(); }
  });
});
