// vast-player, which reads documents, plays the creative of one ad in an element of its own and calls trackers. The content
// is a bare element beside it: what lies between the two is page code on every site, here this adapter.
playsim.adapter({
  name: 'vast-player',
  version: () => playsim.versions,
  lacks: ['waterfall', 'overlay', 'vmap', 'playlist'],
  decides: [
    'asks for a tag when its break is due, once; the content stands still until the ad is over or has failed',
    'which cue point is due: the last one between two positions of the content; each is played once',
    'the content goes on after AdStopped, AdError and a failed load()',
    'shows no button to skip, and the player has no call for it: skip calls stopAd()',
  ],

  async start({ box, films: [film], ads, muted, native }) {
    box.innerHTML = '<video id="film" playsinline preload="auto"></video><div id="ad" hidden></div>';
    const [video, layer] = box.children;
    for (const { style } of [video, layer]) style.cssText = 'position: absolute; width: 640px; height: 360px';
    Object.assign(video, { muted, src: film.src });
    let ad; // what plays
    let isOver = false;

    async function show({ tags: [tag] }) {
      video.pause();
      const player = new VASTPlayer(layer);
      const stopped = new Promise((done) => {
        for (const name of ['AdStopped', 'AdError']) player.once(name, done);
      });
      for (const name of ['AdStarted', 'AdImpression', 'AdVideoComplete', 'AdSkipped', 'AdStopped', 'AdError'])
        player.on(name, (what) => native(name, what && { message: String(what.message ?? what) }));
      try {
        layer.hidden = false;
        await player.load(tag);
        for (const element of layer.querySelectorAll('video')) element.muted = muted;
        ad = player;
        await player.startAd();
        await stopped;
      } catch (error) {
        native('failed', { message: String(error?.message ?? error) });
      }
      ad = undefined;
      layer.hidden = true;
      layer.replaceChildren();
    }

    const of = (kind) => ads.find((each) => each.kind === kind);
    let waiting = ads.filter(({ kind }) => kind === 'mid');
    let before = 0;
    video.addEventListener('timeupdate', async () => {
      const now = video.currentTime;
      const position = ({ at }) => at.seconds ?? (at.percent / 100) * video.duration;
      const last = Math.max(...waiting.map(position).filter((at) => at > before && at <= now));
      const due = waiting.filter((each) => position(each) === last);
      waiting = waiting.filter((each) => !due.includes(each));
      before = now;
      for (const each of due) await show(each);
      if (due.length > 0 && !video.ended) await video.play();
    });
    video.addEventListener('ended', async () => {
      if (isOver || !of('post')) return;
      isOver = true;
      await show(of('post'));
    });
    let hasBegun = false;
    return {
      async play() {
        if (!hasBegun && of('pre')) {
          hasBegun = true;
          await show(of('pre'));
        }
        await video.play();
      },
      resume: () => (ad ? ad.resumeAd() : video.play()),
      pause: () => (ad ? ad.pauseAd() : video.pause()),
      seek(seconds) {
        video.currentTime = seconds;
      },
      mute() {
        if (ad) ad.adVolume = 0;
        video.muted = true;
      },
      unmute() {
        for (const element of box.querySelectorAll('video')) element.muted = false;
        if (ad) ad.adVolume = 1;
      },
      skip: () => ad?.stopAd(),
      click: '#ad video',
    };
  },
});
