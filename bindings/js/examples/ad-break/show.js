// Prints the countdown of the ad-break UI, whenever it changes.
import { readFileSync } from 'node:fs';
import { Window } from 'happy-dom';
import { world } from 'playsim';
import { site } from '../scenario.js';

const { document } = new Window();
document.body.innerHTML = '<div id="ad-ui"><p id="countdown"></p><button id="skip">Skip</button></div>';
const script = readFileSync(new URL('./ui.js', import.meta.url), 'utf8');
const w = world(site);
w.script(script, { document });
let last;
await w.clock.runTo(() => {
  const text = document.getElementById('countdown').textContent;
  const skip = document.getElementById('skip').hidden ? '' : '  [Skip]';
  if (text + skip !== last) console.log(String(w.clock.now()).padStart(9), text + skip);
  last = text + skip;
  return w.$player().currentTime() > 0;
});
