// An analytics vendor's snippet: it watches every player call, counts watched seconds, and sends batches.
function watch(player, send) {
  var queue = [];
  var watched = { content: 0, ad: 0 };
  var beat = null;

  function push(name, data) {
    queue.push(Object.assign({ name: name, t: Date.now() }, data));
    // All that happens in one task goes into one batch.
    if (queue.length === 1) Promise.resolve().then(flush);
  }

  function flush() {
    send(JSON.stringify(queue.splice(0)));
  }

  function heartbeat() {
    watched[player.getAdInProgress() ? 'ad' : 'content'] += 1;
    beat = setTimeout(heartbeat, 1000);
  }

  function stop() {
    clearTimeout(beat);
    beat = null;
  }

  player.on('ready', function () { push('ready', { title: this.getTitle() }); });
  player.on(['play', 'pause'], function (e) { push(e.type, { at: player.currentTime() }); });
  player.on('adError', function (e) { push('adError', { code: e.data.code }); });
  player.on(['adStart', 'start'], function () { if (beat === null) heartbeat(); });
  player.on('adStart', function () { push('adStart', { length: player.adDuration() }); });
  player.once('adComplete', function (e) { push('adComplete', { wp: e.data.wp }); });
  player.on('adSkip', function () { push('adSkip', {}); });
  player.once('start', function () { push('start', { src: player.currentSrc(), duration: player.duration() }); });
  player.on('lastSecond', function () { push('lastSecond', {}); });
  player.on('volumechange', function () { push('volume', { volume: player.volume() }); });
  player.on('ended', function () { stop(); push('ended', { content: watched.content, ad: watched.ad }); });
}
