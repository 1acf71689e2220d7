// A page that does not wait longer than a second for an ad: it shows its trailer until the film begins.
export function page({ $player, setTimeout, clearTimeout }, trailer, isRepaired = false) {
  const player = $player('player', { id: 'site', width: '640', height: '360', video: 'film' }, function () {
    this.play();
  });
  const patience = setTimeout(() => trailer.play(), 1000);
  player.on('adStart', () => {
    clearTimeout(patience);
    if (isRepaired) trailer.pause();
  });
  player.on('start', () => {
    clearTimeout(patience);
    trailer.pause();
  });
}
