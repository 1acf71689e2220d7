// fluid-player requests, schedules, shows and tracks ads itself. A person uses its own buttons.
playsim.adapter({
  name: 'fluid-player',
  version: () => playsim.versions,
  lacks: ['vmap', 'playlist'],

  async start({ box, films: [film], ads, muted, native, sleep }) {
    const video = document.createElement('video');
    Object.assign(video, { id: 'film', muted, playsInline: true, preload: 'auto', width: 640, height: 360 });
    const source = document.createElement('source');
    source.type = 'video/webm';
    source.src = film.src;
    video.append(source);
    box.replaceChildren(video);

    const tell = (name) => () => native(name);
    const player = fluidPlayer('film', {
      layoutControls: {
        autoPlay: false,
        mute: muted,
        keyboardControl: false,
        controlBar: { autoHide: false },
      },
      vastOptions: {
        adList: ads.map(roll),
        vastAdvanced: {
          vastLoadedCallback: tell('vastLoaded'),
          noVastVideoCallback: tell('noVastVideo'),
          vastVideoSkippedCallback: tell('vastVideoSkipped'),
          vastVideoEndedCallback: tell('vastVideoEnded'),
        },
      },
    });
    for (const name of ['play', 'pause', 'playing', 'seeked', 'ended'])
      player.on(name, (_event, info) => native(name, info && { mediaSourceType: info.mediaSourceType }));
    await sleep(300);
    return {
      play: () => player.play(),
      pause: () => player.pause(),
      seek: (seconds) => player.skipTo(seconds),
      mute: '.fluid_control_mute',
      unmute: '.fluid_control_mute',
      skip: '.js-skipHref',
      click: '.vast_clickthrough_layer',
      close: '.close_button',
    };
  },
});

/** A break in the form that fluid-player takes: in whole seconds or percent. */
function roll({ kind, at, lasts, tags: [vastTag, ...fallbackVastTags] }) {
  const isTimed = kind === 'mid' || kind === 'overlay';
  const timer = at?.percent === undefined ? (at?.seconds ?? 0) : `${at.percent}%`;
  return {
    roll: { pre: 'preRoll', mid: 'midRoll', post: 'postRoll', overlay: 'midRoll' }[kind],
    vastTag,
    ...(fallbackVastTags.length > 0 && { fallbackVastTags }),
    ...(isTimed && { timer }),
    ...(kind === 'overlay' && { vAlign: 'bottom', ...(lasts && { nonLinearDuration: lasts }) }),
  };
}
