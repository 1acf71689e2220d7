// A page with a playlist: a list of titles, the current one marked, a click plays it.
(function () {
  var videos = [
    { id: 'trailer', title: 'The trailer' },
    { id: 'film', title: 'The film' },
    { id: 'credits', title: 'Behind the scenes' },
  ];
  var list = document.getElementById('playlist');
  var status = document.getElementById('status');

  function mark(index) {
    for (var i = 0; i < list.children.length; i++) {
      list.children[i].className = i === index ? 'current' : '';
    }
  }

  window._player_queue = window._player_queue || [];
  window._player_queue.push({
    div: 'player',
    obj: { id: 'site', width: '640', height: '360', playlist: videos.map(function (video) { return video.id; }) },
    onReady: function () {
      var player = this;
      videos.forEach(function (video, index) {
        var item = document.createElement('li');
        item.textContent = video.title;
        item.addEventListener('click', function () { player.playByIndex(index); });
        list.appendChild(item);
      });
      player.on(['start', 'skipped'], function () {
        mark(player.currentIndex);
        status.textContent = player.currentIndex + 1 + ' of ' + player.playlistLength;
      });
      player.on('playbackerror', function () { status.textContent = 'This video cannot be played.'; });
      player.on('playlistComplete', function () {
        mark(-1);
        status.textContent = 'That was all.';
      });
      player.play();
    },
  });
})();
