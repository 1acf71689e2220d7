import 'playsim/vitest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run, world } from 'playsim';
import type { World } from 'playsim';
import { config, preroll } from './pages.js';

let w: World;
beforeEach(() => {
  w = world(preroll);
  const player = w.$player('box', config, () => player.play())!;
  w.clock.advance('20s');
});
afterEach(() => w.free());

const ALL = [
  'ready', 'requestAd', 'loadedmetadata', 'adError', 'requestAd', 'beforeStart', 'adImpression', 'adStart', 'adFirstQuartile', 'adMidpoint',
  'adThirdQuartile', 'adComplete', 'adEnd', 'play', 'start', 'lastSecond', 'ended',
] as const;

const failure = (run: () => void): string => {
  try { run(); } catch (error) { return (error as Error).message; }
  throw new Error('the matcher did not fail');
};

test('toHaveEvents: exactly these, without those that depend on the browser', () => {
  expect(w).toHaveEvents(ALL);
  expect(w.trace()).toHaveEvents(ALL);
  expect(w).not.toHaveEvents(ALL.slice(1));
  expect(w).toHaveEvents(ALL.filter((it) => it !== 'loadedmetadata'), { ignoring: ['timeupdate', 'progress', 'loadedmetadata'] });
  expect(w).toHaveEvents([], { player: 'other' });
});

test('toHaveEvents: in order among others', () => {
  expect(w).toHaveEvents(['adError', 'adStart', 'ended'], { allowOthers: true });
  expect(w).not.toHaveEvents(['adStart', 'adError'], { allowOthers: true });
  expect(w).toHaveEvents(['start', 'timeupdate', 'ended'], { allowOthers: true });
});

test('toHaveEvents: with data, times and players', () => {
  expect(w).toHaveEvents([{ type: 'adError', data: { code: 303 } }, { type: 'adComplete', at: 4500, player: 'box', data: { wp: expect.any(Number) } }], { allowOthers: true });
  expect(w).not.toHaveEvents([{ type: 'adError', data: { code: 900 } }], { allowOthers: true });
});

test('toHaveEvents: its message shows the trace around the place', () => {
  const wrong = ALL.map((it) => (it === 'adMidpoint' ? 'adSkip' : it));
  expect(failure(() => expect(w).toHaveEvents(wrong))).toMatchInlineSnapshot(`
    "expected adSkip as event 10 of 17, but there is 2.500  box  adMidpoint

        ... 3 before
            0.200  box  adError code=303 message="no ad in the response"
            0.200  box  requestAd
            0.500  box  beforeStart
            0.500  box  adImpression
            0.500  box  adStart
            1.500  box  adFirstQuartile
      -            expected: adSkip
      +     2.500  box  adMidpoint
      ?     3.500  box  adThirdQuartile
      ?     4.500  box  adComplete wp=1 pod=0 pods=1
      ?     4.500  box  adEnd
      ?     4.500  box  play
      ?     4.500  box  start
        ... 2 after

    the trace around it:
                           adImpression
                           ! impression https://track.test/impression
                           adStart
           1.500000  box   @
                           adFirstQuartile
           2.500000  box   @
    >                      adMidpoint
           3.500000  box   @
                           adThirdQuartile
           4.500000  box   @
                           adComplete wp=1 pod=0 pods=1
                           adEnd
                           * break end pre #1 outcome=filled"
  `);
  expect(failure(() => expect(w).toHaveEvents(ALL.slice(0, -2)))).toMatchInlineSnapshot(`
    "expected no event after the first 15 events, but there is 13.500  box  lastSecond

        ... 9 before
            2.500  box  adMidpoint
            3.500  box  adThirdQuartile
            4.500  box  adComplete wp=1 pod=0 pods=1
            4.500  box  adEnd
            4.500  box  play
            4.500  box  start
      +    13.500  box  lastSecond
      ?    14.500  box  ended

    the trace around it:
                           * break end pre #1 outcome=filled
                           play
                           start
           4.750000  box   @
                           timeupdate  36 times, every 0.250000, to 13.500000
          13.500000  box   @
    >                      lastSecond
          13.750000  box   @
                           timeupdate  3 times, every 0.250000, to 14.250000
          14.500000  box   @
                           timeupdate
                           ended
          14.500000        idle  box ended"
  `);
  expect(failure(() => expect(w).toHaveEvents([...ALL, 'play']))).toContain('but there are no more events');
  expect(failure(() => expect(w).toHaveEvents(['adStat' as never], { allowOthers: true }))).toContain('did you mean adStart?');
  expect(failure(() => expect(w).not.toHaveEvents(ALL))).toContain('not to be');
});

test('matchers say what they take', () => {
  expect(() => expect(5).toHaveEvents([])).toThrow('takes a world or a trace');
  expect(() => expect(w).toHaveEvents('adStart' as never)).toThrow('takes a list');
});

test('toFollowRules', () => {
  expect(w).toFollowRules();
  expect(run(w.toYaml())).toFollowRules();
  const trace = w.trace();
  const broken = Object.create(trace, {
    check: { value: () => [{ rule: 'BRK-1', line: 3, text: 'the ad has no start', certainty: 'certain' }] },
    records: { get: () => trace.records },
    [Symbol.for('playsim.trace')]: { value: true },
  });
  const message = failure(() => expect(broken).toFollowRules());
  expect(message).toContain('there is 1 finding');
  expect(message).toContain('BRK-1 (certain): the ad has no start');
  expect(message).toMatch(/> \{.*"seq":3/);
});

test('toMatchTrace', () => {
  expect(w).toMatchTrace();
  expect(w.trace()).toMatchTrace('with a hint');
  expect(() => expect(w).not.toMatchTrace()).toThrow('cannot be negated');
});

test('a trace in a snapshot is its text', () => {
  const short = world({ videos: [{ id: 'film', renditions: { sd: 'film.mp4' } }], media: { 'film.mp4': { duration: '1s' } } });
  short.$player('player', { ...config });
  short.clock.advance(0);
  expect(short.trace()).toMatchInlineSnapshot(`
    playsim trace 1  profile default  seed 0
         0.000000  player  > $player("player", { id: "p1", width: "640", height: "360", video: "film" })
                           ? film.mp4  media
                           ready
         0.000000  player  < film.mp4  200
                           loadedmetadata
         0.000000          idle  player initial
  `);
  short.free();
});
