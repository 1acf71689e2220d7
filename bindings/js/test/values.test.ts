import { afterEach, beforeEach, expect, test } from 'vitest';
import { world } from 'playsim';
import type { World } from 'playsim';
import { decode, encode } from '../src/values.js';
import { config, plain } from './pages.js';

let w: World;
beforeEach(() => { w = world(plain); });
afterEach(() => w.free());

test('values go through as JavaScript has them', () => {
  const names = new Map<Function, string>(), given = [NaN, Infinity, -Infinity, undefined, null, 0, 1.5, 'ä "\\ \u2028', true, [[], {}], { a: { b: [undefined] } }, encode];
  const there = JSON.parse(JSON.stringify(encode(given, (fn) => (names.set(fn, 'f'), 'f'), 'call()')));
  expect(decode(there, () => encode)).toEqual(given);
  expect(encode([, 1], () => 'f', '')).toEqual([{ $: 'undefined' }, 1]);
  expect(encode(new Date(0), () => 'f', '')).toBe('1970-01-01T00:00:00.000Z');
  expect(encode(Object('text'), () => 'f', '')).toBe('text');
});

test('what cannot go through is a TypeError that says why', () => {
  const player = w.$player('box', config)!;
  const circle: Record<string, unknown> = {};
  circle.self = { circle };
  let deep: unknown = 1;
  for (let level = 0; level < 100; level++) deep = [deep];
  expect(() => player.playAd(circle as never)).toThrow('playAd(): the object contains itself');
  expect(() => player.playAd({ $: 'NaN' } as never)).toThrow('the key "$"');
  expect(() => player.playAd(deep as never)).toThrow('64 levels');
  expect(() => player.currentTime(5n as never)).toThrow('a bigint cannot be given');
  expect(() => player.currentTime(Symbol('s') as never)).toThrow(TypeError);
  expect(() => w.$player('other', JSON.parse('{"__proto__":1}'))).toThrow('__proto__');
  // The same object twice is no circle.
  const ad = { adType: 0, adTimeType: 's', mobile: [] as string[] };
  expect(() => w.$player('other', { ...config, ads: [ad, ad] } as never)).not.toThrow();
});

test('unusual arguments of calls are treated by the rules', () => {
  const player = w.$player('box', config)!;
  w.clock.advance('1s');
  expect(player.volume(NaN)).toBe(1);
  expect(player.currentTime(Infinity)).toBe(10);
  expect(player.currentTime(-Infinity)).toBe(0);
  expect(player.volume(undefined as never)).toBe(1);
  expect(w.trace().text()).toContain('volume(NaN)');
  expect(encode('\ud800x', () => 'f', '')).toBe('\ufffdx');
  const text = 'Grüße 👋 ' + 'x'.repeat(200);
  w.$player('other', { ...config, id: 'p2', title: text });
  w.clock.advance('1s');
  expect(w.$player('other').getTitle()).toBe(text);
});
