// Measures the built page in each browser that is installed: opening to the first report, and keystroke to report.
import { browsers, launch, open } from '../test/browser.mjs';

const OPENINGS = 7;
const KEYS = 40;

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const at = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];

for (const browser of browsers) {
  if (browser.missing) {
    console.log(`${browser.name}: left out, ${browser.missing}`);
    continue;
  }
  const run = await launch(browser);
  const openings = [];
  for (let index = 0; index < OPENINGS; index += 1) {
    const tab = await open(run);
    // From the start of the navigation to the report on the screen, on the page's own clock.
    openings.push(await tab.evaluate(() => Number(document.body.dataset.first)));
    await tab.close();
  }
  const tab = await open(run);
  await tab.click('.cm-content');
  const keys = await tab.evaluate(async (count) => {
    const content = document.querySelector('.cm-content');
    const took = [];
    for (let index = 0; index < count; index += 1) {
      const before = Number(document.body.dataset.ready);
      const began = performance.now();
      content.focus();
      document.execCommand('insertText', false, index % 2 ? ' ' : '#');
      while (Number(document.body.dataset.ready) === before) await new Promise((resolve) => setTimeout(resolve, 0));
      // The next frame has it on the screen.
      await new Promise((resolve) => requestAnimationFrame(() => resolve()));
      took.push(performance.now() - began);
    }
    return took;
  }, KEYS);
  console.log(`${browser.name}: first report ${median(openings).toFixed(0)} ms (median of ${OPENINGS}), keystroke to report ${median(keys).toFixed(0)} ms (median of ${KEYS}; 95 %: ${at(keys, 0.95).toFixed(0)} ms)`);
  await run.close();
}
