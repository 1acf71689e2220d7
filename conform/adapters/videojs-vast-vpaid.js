// video.js 5 with videojs-vast-vpaid, which asks for a tag when playback begins, shows a pre-roll and calls trackers. It has
// no other breaks. A person uses its own buttons.
playsim.adapter({
  name: 'videojs-vast-vpaid',
  version: () => playsim.versions ?? { 'video.js': videojs.VERSION },
  lacks: ['waterfall', 'mid', 'post', 'overlay', 'vmap', 'playlist'],

  async start({ box, films: [film], ads: [pre], muted, native }) {
    box.innerHTML = '<video id="film" class="video-js vjs-default-skin" width="640" height="360" playsinline></video>';
    const player = videojs('film', { controls: true, muted, preload: 'auto' });
    if (pre) {
      player.vastClient({ adTagUrl: pre.tags[0], playAdAlways: true, adsEnabled: true, verbosity: 0 });
      for (const name of ['adStart', 'adEnd', 'adSkip', 'adError', 'adsCancel', 'contentStart', 'contentEnd'])
        player.on(`vast.${name}`, (event) => native(name, event?.error && { message: String(event.error.message) }));
    }
    player.src({ src: film.src, type: 'video/webm' });
    await new Promise((done) => player.ready(done));
    return {
      play: () => player.play(),
      pause: () => player.pause(),
      seek: (seconds) => player.currentTime(seconds),
      mute: '.vjs-mute-control, .vjs-volume-menu-button',
      unmute: '.vjs-mute-control, .vjs-volume-menu-button',
      skip: '.vast-skip-button',
      click: '.vast-blocker',
    };
  },
});
