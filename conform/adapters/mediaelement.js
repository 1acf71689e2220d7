// mediaelement with its plugins `ads` and `vast`, which ask for one tag, show its ads before the content and call trackers.
// The plugins have pre-rolls only. They begin an ad by themselves as soon as the element has its metadata; so nothing is
// preloaded, as in their documentation. A person uses the buttons of the player.
playsim.adapter({
  name: 'mediaelement',
  version: () => playsim.versions ?? { mediaelement: mejs.version },
  lacks: ['waterfall', 'mid', 'post', 'overlay', 'vmap', 'playlist'],

  async start({ box, films: [film], ads: [pre], muted, native }) {
    const video = Object.assign(document.createElement('video'), { id: 'film', muted, playsInline: true, src: film.src });
    Object.assign(video, { width: 640, height: 360, preload: 'none' });
    box.replaceChildren(video);
    const player = await new Promise((done) => {
      new MediaElementPlayer('film', {
        features: ['playpause', 'current', 'progress', 'duration', 'volume', 'vast'],
        vastAdTagUrl: pre?.tags[0] ?? '',
        adsPrerollAdEnableSkip: true,
        success: (_media, _node, made) => done(made),
      });
    });
    for (const name of ['started', 'ended', 'finished', 'skipclicked', 'adsclicked', 'mainstarted'])
      player.container.addEventListener(`mejspreroll${name}`, () => native(name));
    return {
      play: () => player.play(),
      pause: () => player.pause(),
      seek: (seconds) => player.setCurrentTime(seconds),
      mute: '.mejs__volume-button button',
      unmute: '.mejs__volume-button button',
      skip: '.mejs__ads-skip-button',
      click: '.mejs__ads a',
    };
  },
});
