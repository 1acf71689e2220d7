// video.js with contrib-ads, which holds content back while ads play, and vast-client, which reads documents and calls
// trackers. What lies between the two is page code on every site that uses them: here it is this adapter.
playsim.adapter({
  name: 'contrib-ads',
  version: () => playsim.versions ?? { 'video.js': videojs.VERSION },
  lacks: ['waterfall', 'overlay', 'vmap', 'playlist'],
  decides: [
    'asks for a tag when its break is due, and not again; until it is answered, content goes on',
    'which cue point is due: the last one between two positions of the content; each is played once',
    'plays all ads of a response one after another, each in the first media file that can be played',
    'waits for the media of an ad without limit, and plays it even if pause() was called meanwhile',
    'tells contrib-ads of an answer even after its time limit, which is then shown in the content',
    'tells vast-client of impression (first `playing`), progress, pauses, sound, skip, click, end and error 405',
    'shows no buttons: skip (once vast-client says that an ad is skippable) and click are calls',
  ],

  async start({ box, films: [film], ads, muted, native }) {
    box.innerHTML = '<video id="film" class="video-js" width="640" height="360" playsinline></video>';
    const player = videojs('film', { controls: true, muted, preload: 'auto', errorDisplay: false });
    player.ads();
    player.src({ src: film.src, type: 'video/webm' });
    const client = new vast.VASTClient();
    let ad; // what plays: {tracker, end}

    for (const name of ['adstart', 'adend', 'adtimeout', 'readyforpreroll', 'readyforpostroll', 'ended'])
      player.on(name, () => native(name));
    player.on('adplaying', () => ad?.tracker.trackImpression());
    player.on('adplaying', () => player.trigger('ads-ad-started'));
    player.on('adtimeupdate', () => ad?.tracker.setProgress(player.currentTime()));
    player.on('advolumechange', () => ad?.tracker.setMuted(player.muted()));
    player.on('adpause', () => player.ended() || ad?.tracker.setPaused(true));
    player.on('adplay', () => ad?.tracker.paused && ad.tracker.setPaused(false));
    player.on('adended', () => end((tracker) => tracker.complete()));
    player.on(['error', 'aderror'], () => end((tracker) => tracker.error({ ERRORCODE: '405' })));

    function end(tell) {
      const over = ad;
      ad = undefined;
      if (over) tell(over.tracker);
      over?.end();
    }

    async function show(each) {
      const creative = each.creatives.find(({ type }) => type === 'linear');
      const file = creative?.mediaFiles.find(({ mimeType }) => player.canPlayType(mimeType));
      const tracker = new vast.VASTTracker(client, each, creative ?? {}, null, player.muted());
      if (!file) return tracker.error({ ERRORCODE: '403' });
      const over = new Promise((done) => {
        ad = { tracker, end: done };
      });
      player.src({ src: file.fileURL, type: file.mimeType });
      player.play()?.catch(() => {}); // the element says itself what is wrong
      return over;
    }

    /** Asks for the ads of a break and shows them; `prepare` is called with their number in between. */
    async function play({ tags: [tag] }, prepare) {
      const found = await client.get(tag).catch(({ message }) => native('no ads', { message }));
      const list = found?.ads ?? [];
      await prepare?.(list.length);
      if (list.length === 0) return;
      player.ads.startLinearAdMode();
      for (const each of list) await show(each);
      player.ads.endLinearAdMode();
    }

    const of = (kind) => ads.find((each) => each.kind === kind);
    player.one('play', () => {
      if (!of('pre')) return player.trigger('nopreroll');
      const isReady = (count) =>
        new Promise((done) => {
          player.one('readyforpreroll', done);
          player.trigger(count > 0 ? 'adsready' : 'nopreroll');
          if (count === 0) done();
        });
      return play(of('pre'), isReady);
    });
    player.on('readyforpostroll', () => {
      if (!of('post')) return player.trigger('nopostroll');
      return play(of('post'), (count) => count > 0 || player.trigger('nopostroll'));
    });
    let waiting = ads.filter(({ kind }) => kind === 'mid');
    let before = 0;
    player.on('timeupdate', async () => {
      const now = player.currentTime();
      const position = ({ at }) => at.seconds ?? (at.percent / 100) * player.duration();
      const last = Math.max(...waiting.map(position).filter((at) => at > before && at <= now));
      const due = waiting.filter((each) => position(each) === last);
      waiting = waiting.filter((each) => !due.includes(each));
      before = now;
      for (const each of due) await play(each);
    });
    return {
      play: () => player.play(),
      pause: () => player.pause(),
      seek: (seconds) => player.currentTime(seconds),
      mute: () => player.muted(true),
      unmute: () => player.muted(false),
      skip: () => ad?.tracker.skippable && end((tracker) => tracker.skip()),
      click() {
        ad.tracker.once('clickthrough', (url) => window.open(url));
        ad.tracker.click();
        player.pause();
      },
    };
  },
});
