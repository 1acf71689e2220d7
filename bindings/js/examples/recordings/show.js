// Which timeout would have helped the page in this recording?
import { readFileSync } from 'node:fs';
import { openRecording } from 'playsim/recordings';

const file = new URL('../../../../fixtures/recordings/by_hand/late.har', import.meta.url);
const recording = await openRecording(readFileSync(file), { name: 'late.har' });

const { asDocumented, notes } = recording.verdict();
console.log(asDocumented ? 'as documented' : 'not as documented');
for (const { text, certainty } of notes) console.log(`${certainty}: ${text}`);

const { table } = recording.whatIf({ vary: ['ad.timeout=500ms..3s/500ms'] });
console.log(table.answer[0]);
