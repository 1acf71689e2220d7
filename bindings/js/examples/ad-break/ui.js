// The UI of an ad break: a spinner while ads load, a countdown while one plays, and a button to skip it.
(function () {
  var ui = document.getElementById('ad-ui');
  var countdown = document.getElementById('countdown');
  var skip = document.getElementById('skip');
  var slow = null;
  var frame = null;

  function show(state) { ui.className = state; }

  function tick() {
    var rest = player.adRemainingTime();
    if (rest !== null) {
      countdown.textContent = 'Your video begins in ' + Math.ceil(rest);
      skip.hidden = player.adDuration() - rest < 2;
    }
    frame = requestAnimationFrame(tick);
  }

  function over() {
    clearTimeout(slow);
    cancelAnimationFrame(frame);
    slow = frame = null;
    countdown.textContent = '';
    skip.hidden = true;
    show('');
  }

  var player = $player('player', { id: 'site', width: '640', height: '360', video: 'film' }, function () {
    this.play();
  });
  skip.hidden = true;
  player.on('requestAd', function () {
    // A fast answer needs no spinner.
    if (slow === null) slow = setTimeout(function () { show('loading'); }, 500);
  });
  player.on('adStart', function () {
    clearTimeout(slow);
    show('playing');
    tick();
  });
  player.on('adPause', function () { show('paused'); });
  player.on('adResume', function () { show('playing'); });
  player.on('adEnd', over);
})();
