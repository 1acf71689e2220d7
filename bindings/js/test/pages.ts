// The scenario of most tests: a film of 10 s, and a pre-roll whose first tag has no ad and whose second one fills.
import type { Config, Scenario } from 'playsim';

export const AD = `<VAST version="4.2"><Ad id="spot"><InLine><AdSystem>test</AdSystem><AdTitle>Spot</AdTitle>
<Impression>https://track.test/impression</Impression><Creatives><Creative><Linear><Duration>00:00:04</Duration>
<MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://ads.test/spot.mp4</MediaFile>
</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;

export const preroll: Scenario = {
  videos: [{ id: 'film', name: 'My film', tags: 'a,b', renditions: { sd: 'film.mp4', hd: 'film-hd.mp4' } }],
  page: { containers: ['box', 'other', 'unit'] },
  media: { 'film.mp4': { duration: '10s' }, 'film-hd.mp4': { duration: '10s' }, 'https://ads.test/spot.mp4': { duration: '4s' } },
  player: { ads: [{ adType: 0, adTimeType: 's', mobile: ['https://ads.test/one', 'https://ads.test/two'] }] },
  network: {
    'https://ads.test/one': { after: '200ms', text: "<VAST version='4.2'/>" },
    'https://ads.test/two': { after: '300ms', text: AD },
  },
};

/** Without ads. */
export const plain: Scenario = {
  videos: [
    { id: 'film', name: 'My film', tags: 'a,b', renditions: { sd: 'film.mp4' }, chapters: [{ timestamp: '0:00', title: 'One' }, { timestamp: '0:05', title: 'Two' }] },
    { id: 'second', name: 'Another', renditions: { sd: 'second.mp4' } },
  ],
  page: { containers: ['box', 'other', 'unit'] },
  media: { default: { duration: '10s' } },
};

export const config: Config = { id: 'p1', width: '640', height: '360', video: 'film' };
