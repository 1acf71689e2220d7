// shaka-player: it reads VAST and VMAP and plays what they name as interstitials. It has calls for what a person does.
playsim.adapter({
  name: 'shaka',
  version: () => playsim.versions ?? { 'shaka-player': shaka.Player.version },
  lacks: ['waterfall', 'playlist'],
  decides: [
    'gives the times of breaks that are no pre-rolls in a VMAP document: the player takes them in no other way',
    'loads the film when all tags have been answered: a tag that is given later would be a mid-roll',
    "calls ad.skip(), also to close an overlay, and ad.setMuted(): it has its buttons in another package",
  ],

  async start({ box, films: [film], ads, muted, native }) {
    const video = Object.assign(document.createElement('video'), { muted, playsInline: true });
    const layer = document.createElement('div');
    layer.id = 'layer';
    video.style.cssText = layer.style.cssText = 'position: absolute; inset: 0; width: 100%; height: 100%';
    layer.style.pointerEvents = 'none';
    box.replaceChildren(video, layer);

    shaka.polyfill.installAll();
    const player = new shaka.Player();
    await player.attach(video);
    player.addEventListener('error', ({ detail }) => native('error', { code: detail?.code }));
    const manager = player.getAdManager();
    manager.setContainers(layer, null);
    let ad = null;
    for (const [key, name] of Object.entries(shaka.ads.Utils)) {
      if (typeof name !== 'string' || !/^[A-Z_]+$/.test(key) || key === 'AD_PROGRESS') continue;
      manager.addEventListener(name, (event) => {
        if (name === 'ad-started') ad = event.ad ?? event.detail?.ad ?? manager.getCurrentAd?.();
        if (name === 'ad-stopped') ad = null;
        native(name);
      });
    }
    const failed = ({ code, message }) => native('addAdUrlInterstitial failed', { code, message });
    const add = (url) => manager.addAdUrlInterstitial(url).catch(failed);

    const setMuted = (on) => () => {
      ad?.setMuted(on);
      video.muted = on;
    };
    let isWanted = true;
    return {
      async play() {
        const pre = ads.filter(({ kind }) => kind === 'pre').map(({ tags }) => tags[0]);
        const others = ads.filter(({ kind }) => kind !== 'pre');
        await Promise.all([...pre, ...(others.length > 0 ? [schedule(others, film.seconds)] : [])].map(add));
        await player.load(film.src);
        if (isWanted) await video.play();
      },
      resume() {
        isWanted = true;
        return player.getAssetUri() ? (ad ?? video).play() : undefined;
      },
      pause() {
        isWanted = false;
        (ad ?? video).pause();
      },
      seek(seconds) {
        video.currentTime = seconds;
      },
      mute: setMuted(true),
      unmute: setMuted(false),
      skip: () => ad.skip(),
      // It has no other call to close an image. An ad that is an image may ignore it.
      close: () => ad?.skip(),
      click: '#layer',
    };
  },
});

/** The address of a VMAP document with the breaks. */
function schedule(ads, length) {
  const clock = (seconds) => new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
  const breaks = ads.map(({ kind, at, tags }) => {
    const offset = kind === 'post' ? 'end' : clock(at.seconds ?? (at.percent / 100) * length);
    const source = `<vmap:AdTagURI templateType="vast3"><![CDATA[${tags[0]}]]></vmap:AdTagURI>`;
    return `<vmap:AdBreak timeOffset="${offset}" breakType="linear">
      <vmap:AdSource>${source}</vmap:AdSource></vmap:AdBreak>`;
  });
  const namespace = 'http://www.iab.net/videosuite/vmap';
  const document = `<vmap:VMAP xmlns:vmap="${namespace}" version="1.0">${breaks.join('')}</vmap:VMAP>`;
  return `data:text/xml,${encodeURIComponent(document)}`;
}
