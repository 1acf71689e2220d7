// Prints what the analytics snippet sends.
import { readFileSync } from 'node:fs';
import { world } from 'playsim';
import { site } from '../scenario.js';

const snippet = readFileSync(new URL('./snippet.js', import.meta.url), 'utf8');
const w = world(site);
const zero = w.Date.now();
w.script(
  `${snippet}
  watch($player('player', { id: 'site', width: '640', height: '360', video: 'film' }, function () { this.play(); }), send);`,
  {
    send(batch) {
      for (const { t, ...event } of JSON.parse(batch)) console.log(String(t - zero).padStart(6), JSON.stringify(event));
    },
  },
);
await w.clock.runToEnd();
