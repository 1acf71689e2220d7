// @ts-check
/// <reference path="playsim-conform.d.ts" />
// How the pages of a suite drive PLAYER. Set the player up as a site would: with its style sheet, with its own buttons, and
// without options that change its behaviour. Do not wait, repeat or repair here what the player does wrong.
playsim.adapter({
  // The folder of the recordings, the column of the report.
  name: 'PLAYER',

  // A version, or several: {package: version}.
  version: () => '1.0.0',

  // What the player does not have. A case that needs it is not shown, and the report says so: ads, pre, mid, post, overlay,
  // waterfall, vmap, playlist, or anything that a case lists in `needs`.
  lacks: ['overlay', 'waterfall', 'vmap', 'playlist'],

  // What this file decides instead of the player, in plain words. The report marks it. Aim for an empty list: let the player
  // ask for its tags, schedule, show and track.
  decides: [],

  // Documented events that are passed on with `event()`: ['event'], or ['event:ad*'] for some. What is not heard is not missed.
  hears: [],

  // Makes the player, and does not play yet.
  async start({ box, films: [film], ads, muted, native, sleep }) {
    const video = document.createElement('video');
    Object.assign(video, { muted, playsInline: true, src: film.src });
    video.style.cssText = 'width: 100%; height: 100%';
    box.replaceChildren(video); // 640 by 360 pixels

    // A pre-roll has one entry in `ads`: {kind: 'pre', tags: ['http://ads.test/one']}. Give its tag to your player here:
    //
    //   const player = new MyPlayer(video, { adTag: ads.find(({ kind }) => kind === 'pre')?.tags[0] });

    // Events of the player under their own names help those who read the recording. They are not compared.
    video.addEventListener('stalled', () => native('stalled'));

    return {
      // Called once, at the start. An ad or content that plays before is a fault of the adapter.
      play: () => video.play(),

      // All others are optional. A step of a case for which there is none counts as not played.
      pause: () => video.pause(),
      seek: (seconds) => {
        video.currentTime = seconds;
      },
      mute: () => {
        video.muted = true;
      },
      unmute: () => {
        video.muted = false;
      },

      // What a person presses is a selector: a real click, even if something covers the button. A key is {key, on}.
      //
      //   skip: '.my-skip-button',
      //   click: '.my-ad-layer',
      //   pause: { key: 'k', on: '.my-player' },
    };
  },
});
