// Prints what the exploration of the page finds.
import { explore } from 'playsim';
import { site } from '../scenario.js';
import { page } from './page.js';

const scenario = { ...site, page: { containers: ['player', 'side'] } };
const start = (globals, w) => page(globals, w.element('side', { src: 'trailer.mp4', muted: true }));
const { ways, outcomes, broken } = await explore(scenario, start, {
  do: ['skip'],
  check(trace) {
    const types = trace.events.map(({ type, player }) => (player === 'side' ? `trailer ${type}` : type));
    const [begin, end, quarter] = ['trailer playing', 'trailer pause', 'adFirstQuartile'].map((type) => types.indexOf(type));
    if (begin >= 0 && begin < quarter && (end < 0 || end > quarter)) throw new Error('the trailer plays beside the ad');
  },
});
console.log(`${ways} ways, ${outcomes.length} outcomes`);
for (const { law, why, way, partsAt, play } of broken) {
  console.log(`\n${law}: ${why}\n  in this way:     ${way.join(', ')}\n  other lines from ${partsAt} on\n`);
  const w = await play();
  const text = w.trace().text('page').split('\n');
  console.log(text.slice(0, text.findIndex((line) => line.includes('adFirstQuartile')) + 1).join('\n'));
}
