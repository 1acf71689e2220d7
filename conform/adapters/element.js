// A bare media element: what the browser itself does with content. It shows no ads.
playsim.adapter({
  name: 'element',
  lacks: ['ads', 'playlist'],

  async start({ box, films: [film], muted, sleep }) {
    const video = Object.assign(document.createElement('video'), { muted, playsInline: true, src: film.src });
    video.style.cssText = 'width: 100%; height: 100%';
    box.replaceChildren(video);
    for (let tries = 0; video.readyState < HTMLMediaElement.HAVE_METADATA && tries < 40; tries += 1)
      await sleep(50);
    const seek = (seconds) => {
      video.currentTime = seconds;
    };
    const mute = (on) => () => {
      video.muted = on;
    };
    return {
      play: () => video.play(),
      pause: () => video.pause(),
      seek,
      mute: mute(true),
      unmute: mute(false),
      volume: (volume) => {
        video.volume = volume;
      },
    };
  },
});
