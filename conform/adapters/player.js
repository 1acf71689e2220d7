// The documented player: `$player`, its calls and its events. Put your player's global function in place of `$player`,
// and the selectors of its buttons, for which there are no calls, below.
const BUTTONS = { skip: '#player .skip', click: '#player video' };
const CALLS =
  'play pause stop volume muted currentTime currentChapter setHD setVideoSource src loadPlaylist next previous ' +
  'playByIndex setAd playAd pushAds toggleFullScreen changeSkin resize destroy';
const EVENTS =
  'ready qualityChange start beforeStart play pause ended stopped lastSecond playbackerror clickedThrough ' +
  'destroyBefore playlistStart skipped playlistComplete timeupdate progress seeked requestAd AdsManagerLoadedEvent ' +
  'bidWon adStart vpaidStart adImpression adFirstQuartile adMidpoint adThirdQuartile adEnd adComplete adSkip adError ' +
  'adPause adResume adClicked loadedmetadata fullscreenchange playerresize volumechange mutechange stickyChange';

playsim.adapter({
  name: 'player',
  lacks: ['playlist'],
  hears: ['event'],

  async start({ box, films: [film], muted, scenario, event }) {
    box.innerHTML = '<div id="player" class="player"></div>';
    const config = { id: 'player', width: '640', height: '360', video: 'film' };
    const player = await new Promise((ready) => {
      $player('player', config, function () {
        // Sources are accepted in this function only.
        this.src({ src: film.src, title: scenario.name, monetize: true });
        for (const ad of scenario.player?.ads ?? []) this.setAd(ad);
        ready(this);
      });
    });
    player.on(EVENTS.split(' '), ({ type, data }) => event(type, data));
    if (muted) player.muted(true);
    const calls = CALLS.split(' ').map((name) => [name, (...args) => player[name](...args)]);
    return {
      ...Object.fromEntries(calls),
      mute: () => player.muted(true),
      unmute: () => player.muted(false),
      ...BUTTONS,
    };
  },
});
