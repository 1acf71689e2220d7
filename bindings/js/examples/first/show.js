// Prints what happens in the first test, and the scenario that it becomes.
import { world } from 'playsim';
import { site } from '../scenario.js';

const w = world(site);
const player = w.$player('player', { id: 'p1', width: '640', height: '360', video: 'film' }, function () {
  this.play();
});
player.on('adStart', function shorten() {
  player.volume(0.2);
});
await w.clock.runTo('adMidpoint');
w.user('skip');
await w.clock.advanceAsync('2s');
const yaml = w.toYaml();
console.log(process.argv[2] === 'yaml' ? yaml.slice(yaml.indexOf('\nlisteners:') + 1) : w.trace().text('page'));
