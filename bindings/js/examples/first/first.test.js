import { expect, test } from 'vitest';
import { world } from 'playsim';
import 'playsim/vitest';

// What the ad server answers, how fast, and how long the film is.
const scenario = `
videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 10s } }
player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://ads.test/tag] }] }
network: { https://ads.test/tag: { after: 200ms, status: 503 } }
`;

test('the film starts although the ad server is down', async () => {
  const w = world(scenario);
  const player = w.$player('player', { id: 'p1', width: '640', height: '360', video: 'film' }, function () {
    this.play();
  });
  const codes = [];
  player.on('adError', (e) => codes.push(e.data.code));

  await w.clock.runTo('start');

  expect(codes).toEqual([301]);
  expect(w.clock.now()).toBe(200);
  expect(w).toHaveEvents(['ready', 'requestAd', 'loadedmetadata', 'adError', 'adEnd', 'play', 'beforeStart', 'start']);
  w.free();
});
