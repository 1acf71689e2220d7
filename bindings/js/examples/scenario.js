// The world of the examples: three videos, and a pre-roll whose first ad tag has no ad.
const spot = (duration) => `<VAST version="4.2"><Ad id="spot"><InLine><AdSystem>example</AdSystem><AdTitle>Spot</AdTitle>
<Impression>https://track.test/impression</Impression><Creatives><Creative><Linear skipoffset="00:00:02">
<Duration>${duration}</Duration><MediaFiles>
<MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://ads.test/spot.mp4</MediaFile>
</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;

export const site = {
  videos: [
    { id: 'trailer', name: 'The trailer', renditions: { sd: 'trailer.mp4' } },
    { id: 'film', name: 'The film', renditions: { sd: 'film.mp4' } },
    { id: 'credits', name: 'Behind the scenes', renditions: { sd: 'credits.mp4' } },
  ],
  media: {
    'trailer.mp4': { duration: '8s' },
    'film.mp4': { duration: '20s' },
    'credits.mp4': { duration: '5s' },
    'https://ads.test/spot.mp4': { duration: '4s' },
  },
  player: { ads: [{ adType: 0, adTimeType: 's', mobile: ['https://ads.test/first', 'https://ads.test/second'] }] },
  network: {
    'https://ads.test/first': { after: '120ms', text: '<VAST version="4.2"/>' },
    'https://ads.test/second': { after: '180ms', text: spot('00:00:04') },
  },
};
