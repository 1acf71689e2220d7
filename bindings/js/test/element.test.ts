import { afterEach, expect, test } from 'vitest';
import { world } from 'playsim';
import type { ElementEvent, World } from 'playsim';
import { plain } from './pages.js';

let w: World;
afterEach(() => w.free());

test('a media element plays as in a browser', async () => {
  w = world(plain);
  const video = w.element('box', { src: 'film.mp4', preload: 'auto' }), seen: string[] = [];
  for (const type of ['loadstart', 'loadedmetadata', 'canplaythrough', 'play', 'playing', 'pause', 'ended'] as const) {
    video.addEventListener(type, function (event) {
      expect(this).toBe(video);
      expect(event.target).toBe(video);
      seen.push(event.type);
    });
  }
  expect([video.duration, video.paused, video.readyState, video.currentSrc, video.error]).toEqual([NaN, true, 0, '', null]);
  w.clock.advance('1s');
  expect([video.duration, video.readyState, video.networkState, video.src, video.currentSrc]).toEqual([10, 4, 1, 'film.mp4', 'film.mp4']);
  const promise = video.play();
  expect(promise).toBeInstanceOf(Promise);
  await w.clock.advanceAsync('2s');
  await promise;
  expect([video.paused, video.currentTime]).toEqual([false, 2]);
  video.currentTime = 9;
  await w.clock.runTo('ended');
  expect([video.ended, video.paused]).toEqual([true, true]);
  // The seek has its own `playing` and `canplaythrough`. MEL-13
  expect(seen).toEqual(['loadstart', 'loadedmetadata', 'canplaythrough', 'play', 'playing', 'playing', 'canplaythrough', 'pause', 'ended']);
});

test('promises are rejected as in a browser', async () => {
  w = world(plain);
  const video = w.element('box', { src: 'film.mp4' });
  const first = video.play();
  video.pause();
  await w.clock.advanceAsync('1s');
  await expect(first).rejects.toMatchObject({ name: 'AbortError' });
  video.src = 'nothing.mp4';
  w.free();
  w = world({ ...plain, media: {} });
  const broken = w.element('box', { src: 'nothing.mp4' });
  const second = broken.play();
  await w.clock.advanceAsync('1s');
  await expect(second).rejects.toMatchObject({ name: 'NotSupportedError' });
  expect(broken.error).toEqual({ code: 4 });
});

test('attributes convert and throw as in a browser', () => {
  w = world(plain);
  const video = w.element('box', { src: 'film.mp4', loop: true, muted: true, autoplay: true });
  expect([video.loop, video.muted, video.autoplay, video.preload, video.id]).toEqual([true, true, true, 'metadata', 'box']);
  video.volume = 0.25;
  video.playbackRate = 2;
  video.loop = false;
  video.muted = false;
  expect([video.volume, video.playbackRate, video.loop, video.muted]).toEqual([0.25, 2, false, false]);
  expect(() => { video.volume = 2; }).toThrow(expect.objectContaining({ name: 'IndexSizeError' }));
  expect(() => { video.volume = NaN; }).toThrow(TypeError);
  expect(() => { video.playbackRate = 99; }).toThrow(expect.objectContaining({ name: 'NotSupportedError' }));
  expect(() => { (video as { duration: number }).duration = 5; }).toThrow(TypeError);
});

test('listeners of an element are added once, and removed', () => {
  w = world(plain);
  const video = w.element('box', { src: 'film.mp4', preload: 'auto' }), seen: string[] = [];
  const listener = (event: ElementEvent) => void seen.push(event.type);
  const object = { handleEvent: (event: ElementEvent) => void seen.push(`object ${event.type}`) };
  const controller = new AbortController();
  video.addEventListener('volumechange', listener);
  video.addEventListener('volumechange', listener);
  video.addEventListener('volumechange', listener, true);
  video.addEventListener('volumechange', object, { once: true });
  video.addEventListener('volumechange', () => seen.push('signal'), { signal: controller.signal });
  video.addEventListener('volumechange', null);
  video.onvolumechange = () => seen.push('on');
  video.onvolumechange = () => seen.push('on, replaced');
  video.volume = 0.5;
  w.clock.advance('1s');
  expect(seen).toEqual(['volumechange', 'volumechange', 'object volumechange', 'signal', 'on, replaced']);
  seen.length = 0;
  video.removeEventListener('volumechange', listener, true);
  video.removeEventListener('volumechange', () => {});
  controller.abort();
  video.onvolumechange = null;
  expect(video.onvolumechange).toBeNull();
  video.volume = 0.4;
  w.clock.advance('1s');
  expect(seen).toEqual(['volumechange']);
  video.removeEventListener('volumechange', listener);
  video.volume = 0.3;
  w.clock.advance('1s');
  expect(seen).toEqual(['volumechange']);
});

test('the user has the controls of the browser', () => {
  w = world(plain);
  const video = w.element('box', { src: 'film.mp4', preload: 'auto' });
  w.clock.advance('1s');
  w.user('play', video);
  w.clock.advance('1s');
  expect(video.paused).toBe(false);
  w.user({ seek: 4 }, 'box');
  w.clock.advance('1s');
  expect(video.currentTime).toBe(5);
});
