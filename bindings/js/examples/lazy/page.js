// A page that makes its player when its place scrolls into view, and whose own buttons start it and try again.
(function () {
  var watch = document.getElementById('watch');
  var status = document.getElementById('status');
  var player = null;

  function start() {
    player.play();
  }

  var observer = new IntersectionObserver(function (entries) {
    var isSeen = entries.some(function (entry) { return entry.isIntersecting; });
    if (!isSeen) return;
    observer.disconnect();
    player = $player('player', { id: 'site', width: '640', height: '360', video: 'film' });
    player.on('ready', function () { watch.disabled = false; });
    player.on('start', function () { status.textContent = ''; });
    player.on('playbackerror', function () {
      status.textContent = 'This video cannot be played. ';
      var again = document.createElement('button');
      again.id = 'again';
      again.textContent = 'Try again';
      again.addEventListener('click', function () {
        // A new player in a new element: this one is of no use any more.
        player.destroy();
        var place = document.createElement('div');
        place.id = 'player';
        document.body.prepend(place);
        player = $player('player', { id: 'site', width: '640', height: '360', video: 'film' }, start);
        player.on('start', function () { status.textContent = ''; });
      });
      status.append(again);
    });
  }, { threshold: 0.5 });
  observer.observe(document.getElementById('player'));
  watch.disabled = true;
  watch.addEventListener('click', start);
})();
