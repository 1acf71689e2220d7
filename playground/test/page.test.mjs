// The whole page in real browsers, opened from a folder.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { browsers, drop, dropReally, launch, open, page, played, reload, root, text, type, until } from './browser.mjs';

const AXE = readFileSync(join(root, 'playground/node_modules/axe-core/axe.min.js'), 'utf8');
const RECORDINGS = join(root, 'fixtures/recordings');
const LATE = readFileSync(join(RECORDINGS, 'by_hand/late.har'));
const digestOf = (said) => said.match(/digest (\w+)/)[1];
const base64 = (bytes) => Buffer.from(bytes).toString('base64');

const LOOP = `videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 10s } }
listeners:
  again: [{ volume: 0.5 }, { volume: 1 }]
steps:
  - { at: 0s, init: { div: player, config: { id: a, width: "640", height: "360", video: film } } }
  - { at: 1s, do: { on: [volumechange, { $: [function, again] }] } }
  - { at: 2s, do: { volume: 0.2 } }
`;

const EXPECTS = `videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 10s } }
page: { gesture_policy: free }
expect:
  - { event: adComplete, times: 7 }
`;

const NAMES = `videos: [{ id: f, renditions: { sd: f.mp4 } }]
media: { f.mp4: { duration: 9s } }
page: { gesture_policy: free }
player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://a.test/] }] }
network: { https://a.test/: { file: a.xml } }
`;

test('the page is built', () => assert.ok(existsSync(page), 'run npm run build first'));

for (const browser of browsers) {
  describe(browser.name, { skip: browser.missing }, () => {
    let run;
    before(async () => { run = await launch(browser); });
    after(() => run?.close());

    async function at(options, check) {
      const tab = await open(run, options);
      try {
        await check(tab);
        assert.deepEqual(tab.wrong, []);
      } finally {
        await tab.close();
      }
    }

    test('the demo is played, without a request', () => at({}, async (tab) => {
      assert.match(await text(tab, '#view h1'), /^Filled by the 3rd of 3 tags after 2\.310 s/);
      assert.equal(await text(tab, '#status'), '99 lines of trace, 16.310 s.');
      assert.match(await text(tab, '#digest'), /digest [0-9a-f]{32}$/);
    }));

    test('nothing can leave the page', async () => {
      const tab = await open(run);
      const refused = await tab.evaluate(async () => {
        const broken = [];
        addEventListener('securitypolicyviolation', (event) => broken.push(event.effectiveDirective));
        const failed = await fetch('https://example.com/').then(() => false, () => true);
        const image = new Image();
        image.src = 'https://example.com/x.png';
        const script = document.createElement('script');
        script.textContent = 'globalThis.injected = 1';
        document.body.append(image, script);
        const form = Object.assign(document.createElement('form'), { action: 'https://example.com/' });
        document.body.append(form);
        // Firefox throws.
        try { form.submit(); } catch { broken.push('form-action'); }
        await new Promise((resolve) => setTimeout(resolve, 300));
        return { failed, injected: globalThis.injected, broken: [...new Set(broken)].sort() };
      });
      assert.equal(refused.failed, true);
      assert.equal(refused.injected, undefined);
      assert.deepEqual(refused.broken, ['connect-src', 'form-action', 'img-src', 'script-src-elem']);
      await tab.close();
    });

    test('a mistake stands at its place, and its proposal mends it', () => at({}, async (tab) => {
      const digest = digestOf(await text(tab, '#digest'));
      await tab.click('.cm-content');
      await tab.keyboard.down('Control');
      await tab.keyboard.press('Home');
      await tab.keyboard.up('Control');
      await played(tab, () => tab.keyboard.type('seeed: 1\n'));
      await until(tab, '#mistake', /^1 error, line 1$/);
      assert.match(await text(tab, '#stale'), /Report of the last scenario that could be read: line 1/);
      assert.match(await text(tab, '#view h1'), /^Filled by/);
      assert.equal(await text(tab, '.cm-lintRange-error'), 'seeed');
      await tab.hover('.cm-lintRange-error');
      await tab.waitForSelector('.cm-diagnosticAction');
      await played(tab, () => tab.click('.cm-diagnosticAction'));
      assert.equal(await tab.$eval('#stale', (element) => element.hidden), true);
      assert.notEqual(digestOf(await text(tab, '#digest')), digest);
    }));

    test('fields and knobs are completed, with a line about them', () => at({}, async (tab) => {
      await tab.click('.cm-content');
      await tab.keyboard.down('Control');
      await tab.keyboard.press('End');
      await tab.keyboard.up('Control');
      await tab.keyboard.type('\nkno');
      await tab.waitForSelector('.cm-tooltip-autocomplete');
      assert.match(await text(tab, '.cm-tooltip-autocomplete'), /knobs/);
      await tab.waitForSelector('.cm-completionInfo');
      assert.match(await text(tab, '.cm-completionInfo'), /Alternatives where the sources leave something open/);
    }));

    test('profile and knobs are controls that edit the text', () => at({}, async (tab) => {
      await tab.click('#settings summary');
      await played(tab, () => tab.select('#profile', 'ima'));
      await tab.$eval('#knob-ad\\.timeout', (input) => { input.value = '1s'; });
      await played(tab, () => tab.$eval('#knob-ad\\.timeout', (input) => input.dispatchEvent(new Event('change'))));
      const lines = await text(tab, '.cm-content');
      assert.match(lines, /profile: ima/);
      assert.match(lines, /knobs: \{ ad\.timeout: 1s \}/);
      assert.match(await text(tab, '#changed'), /^ima, 1 set$/);
    }));

    test('the state at an instant', () => at({}, async (tab) => {
      await tab.$eval('#instant', (slider) => { slider.value = '3000000'; slider.dispatchEvent(new Event('input')); });
      const state = await until(tab, '#state', /player player: ad-playing/);
      assert.match(state, /in the pre-roll break 1 for 3\.000 s, tag 3 asked, filled/);
      assert.match(state, /Listeners: ready: step 2\./);
      assert.match(state, /given uphttps:\/\/two\.test\/tag \(ad-tag\), for 2\.880 s/);
      assert.equal(await text(tab, '#at'), '3.000 s');
    }));

    test('a line of the trace is explained', () => at({}, async (tab) => {
      await tab.click('#tab-trace');
      await tab.click('#s21 .why-button');
      assert.match(await until(tab, '#why', /Why line 21/), /REQ-17/);
      await tab.type('#find', 'adError');
      assert.match(await until(tab, '#told', /lines/), /^2 of 61 lines$/);
    }));

    test('differences are those from the scenario as it was opened', () => at({}, async (tab) => {
      await tab.click('#tab-differences');
      await until(tab, '#view h1', /The trace is that of the scenario as it was opened/);
      await tab.click('#settings summary');
      await tab.$eval('#knob-ad\\.timeout', (input) => { input.value = '1s'; });
      await played(tab, () => tab.$eval('#knob-ad\\.timeout', (input) => input.dispatchEvent(new Event('change'))));
      assert.match(await until(tab, '#view pre', /places? differ/), /1\.120000/);
    }));

    for (const [name, bytes] of [['late.har', LATE], ['late.har.gz', gzipSync(LATE)]]) {
      test(`a recording, ${name}`, () => at({}, async (tab) => {
        await played(tab, () => drop(tab, [{ name, base64: base64(bytes) }]));
        assert.match(await until(tab, '#view h1', /tag 1/), /^Filled by tag 2 of 2 .* which answered too late/);
        await tab.click('#tab-whatif');
        await until(tab, '#whatif', /The page in late\.har/);
        await tab.$eval('#slide-ad\\.timeout', (slider) => { slider.value = '160'; slider.dispatchEvent(new Event('input')); });
        await until(tab, '#whatif-page h1', /ad\.timeout=/);
        await tab.select('#whatif-over', 'ad.timeout');
        await until(tab, '#whatif-page h1', /You can lower the timeout from 2 s to/);
      }));
    }

    test('a zip with an archive and its bodies', () => at({}, async (tab) => {
      const zip = readFileSync(join(RECORDINGS, 'packed/session.zip'));
      await played(tab, () => drop(tab, [{ name: 'session.zip', base64: base64(zip) }]));
      await until(tab, '#view h1', /tag/);
    }));

    test('documents become a waterfall, and a scenario brings its documents', () => at({}, async (tab) => {
      await played(tab, () => drop(tab, [{ name: '1.xml', text: "<VAST version='4.2'/>" }, { name: '2.http', text: 'HTTP/1.1 404 Not Found\r\n\r\n' }]));
      assert.match(await until(tab, '#view h1', /2 tags/), /None of 2 tags|No ad/);
      await played(tab, () => type(tab, 'videos: [{ id: f, renditions: { sd: f.mp4 } }]\nmedia: { f.mp4: { duration: 9s } }\npage: { gesture_policy: free }\nplayer: { ads: [{ adType: 0, adTimeType: s, mobile: [https://a.test/] }] }\nnetwork: { https://a.test/: { file: a.xml } }\n', { 'a.xml': '<VAST' }));
      assert.match(await text(tab, '#view h1'), /document cannot be read/);
    }));

    test('what cannot be used is named', () => at({}, async (tab) => {
      await drop(tab, [{ name: 'picture.png', text: 'x' }]);
      await until(tab, '#status', /picture\.png: expected a recording/);
      await drop(tab, [{ name: 'broken.har', text: '{"log": {"entries": [' }]);
      await until(tab, '#status', /broken\.har/);
      await drop(tab, [{ name: 'none.har', text: '{"log": {"entries": []}}' }]);
      await until(tab, '#status', /none\.har|no request/);
    }));

    test('a livelock ends with a message', () => at({}, async (tab) => {
      await played(tab, () => type(tab, LOOP));
      await until(tab, '#status', /The run was stopped \(livelock\)/);
    }));

    test('a recording of 50 MB is read or refused, and the page goes on', () => at({}, async (tab) => {
      const archive = JSON.parse(LATE);
      const filler = { ...archive.log.entries[0], request: { ...archive.log.entries[0].request, url: 'https://cdn.example/filler.js' } };
      filler.response = { ...filler.response, content: { size: 1e6, mimeType: 'text/javascript', text: 'x'.repeat(1e6) } };
      archive.log.entries.push(...Array.from({ length: 50 }, () => filler));
      await tab.evaluate((text) => { globalThis.archive = text; }, JSON.stringify({ ...archive, log: { ...archive.log, entries: archive.log.entries.slice(0, 10) } }));
      await tab.evaluate((entry, count) => {
        const whole = JSON.parse(globalThis.archive);
        entry.response.content.text = 'x'.repeat(1e6);
        whole.log.entries.push(...Array.from({ length: count }, () => entry));
        const transfer = new DataTransfer();
        transfer.items.add(new File([JSON.stringify(whole)], 'large.har'));
        document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
      }, { ...filler, response: { ...filler.response, content: { size: 1e6, mimeType: 'text/javascript', text: '' } } }, 50);
      await until(tab, '#view h1', /^Filled by tag 2 of 2/);
    }));

    test('a link holds everything, and a damaged one is refused', () => at({}, async (tab) => {
      const digest = digestOf(await text(tab, '#digest'));
      await tab.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } }));
      await tab.click('#share summary');
      await until(tab, '#link-size', /kB/);
      await tab.click('#link');
      await until(tab, '#share-said', /Link copied/);
      const link = await tab.evaluate(() => globalThis.copied);
      await tab.click('[data-copy=vitest]');
      await until(tab, '#share-said', /Text copied/);
      assert.match(await tab.evaluate(() => globalThis.copied), /import \{ run \} from 'playsim'/);
      await at({ fragment: link.slice(link.indexOf('#')) }, async (other) => {
        assert.equal(digestOf(await text(other, '#digest')), digest);
        // A reload opens it again.
        await reload(other);
        assert.equal(digestOf(await text(other, '#digest')), digest);
      });
      await at({ fragment: '#s=AAAA' }, async (other) => {
        assert.match(await text(other, '#view h1'), /^Filled by the 3rd/);
        assert.match(await text(other, '#notice'), /^The link is damaged/);
        // Firefox reports the end of the stream, which is caught.
        other.wrong = other.wrong.filter((message) => !message.includes('ReadableStream'));
      });
    }));

    test('edits survive a reload, and what was left can be opened again', () => at({}, async (tab) => {
      await tab.click('#settings summary');
      await played(tab, () => tab.select('#profile', 'ima'));
      const digest = digestOf(await text(tab, '#digest'));
      await new Promise((resolve) => setTimeout(resolve, 700));
      await reload(tab);
      assert.equal(digestOf(await text(tab, '#digest')), digest);
      await played(tab, () => type(tab, LOOP));
      assert.equal(await text(tab, '#back'), 'Back to demo.yaml');
      await played(tab, () => tab.click('#back'));
      assert.equal(digestOf(await text(tab, '#digest')), digest);
    }));

    test('an expectation that fails is said at its line', () => at({}, async (tab) => {
      await played(tab, () => type(tab, EXPECTS));
      assert.match(await text(tab, '#status'), /1 expectation fails\.$/);
      assert.equal(await text(tab, '#mistake'), '1 failed expectation, line 5');
      await tab.waitForSelector('.cm-lintRange-warning');
    }));

    test('lines that end with CR LF have their marks at the place', () => at({}, async (tab) => {
      await played(tab, () => type(tab, '# one\r\n# two\r\nvideos: []\r\nseeed: 1\r\n'));
      assert.equal(await text(tab, '.cm-lintRange-error'), 'seeed');
    }));

    test('a recording without bodies shows neither an ad nor that there was none', () => at({}, async (tab) => {
      const archive = JSON.parse(LATE);
      for (const entry of archive.log.entries) delete entry.response.content.text;
      await drop(tab, [{ name: 'bare.har', text: JSON.stringify(archive) }]);
      await until(tab, '#status', /bare\.har: nothing in this recording shows a video ad, nor that there was none.*save the recording with its content/);
    }));

    test('a document that the scenario names is added to it', () => at({}, async (tab) => {
      await played(tab, () => type(tab, NAMES));
      assert.match(await text(tab, '#status'), /a\.xml/);
      await played(tab, () => drop(tab, [{ name: 'a.xml', text: "<VAST version='4.2'/>" }]));
      assert.match(await text(tab, '#view h1'), /tag/);
      assert.equal(await tab.$eval('#files', (it) => it.options[1].value), 'a.xml');
    }));

    test('typing keeps what the reader has opened and searched', () => at({}, async (tab) => {
      await tab.click('#tab-trace');
      await tab.type('#find', 'adError');
      await until(tab, '#told', /^2 of/);
      await tab.click('#settings summary');
      await played(tab, () => tab.select('#profile', 'ima'));
      assert.equal(await tab.$eval('#find', (it) => it.value), 'adError');
      assert.match(await text(tab, '#told'), / of \d+ lines/);
    }));

    test('Escape and Close lead back to where the reader was', () => at({}, async (tab) => {
      await tab.click('#tab-trace');
      await tab.focus('#s21 .why-button');
      await tab.keyboard.press('Enter');
      await until(tab, '#why', /Why line 21/);
      assert.equal(await tab.evaluate(() => document.activeElement.id), 'why');
      await tab.keyboard.press('Escape');
      assert.equal(await tab.$eval('#why', (it) => it.hidden), true);
      assert.equal(await tab.evaluate(() => document.activeElement.closest('tr').id), 's21');
      await tab.click('#share summary');
      await tab.keyboard.press('Escape');
      assert.equal(await tab.evaluate(() => document.activeElement.textContent), 'Share');
    }));

    test('files that are really dropped', { skip: browser.name !== 'Chromium' && 'only Chromium drags by protocol' }, () => at({}, async (tab) => {
      await played(tab, () => dropReally(tab, '#view', [join(RECORDINGS, 'by_hand/late.har')]));
      await until(tab, '#view h1', /^Filled by tag 2 of 2/);
      const text = await tab.$eval('.cm-content', (it) => it.textContent);
      await played(tab, () => dropReally(tab, '.cm-content', [join(RECORDINGS, 'packed/session.zip')]));
      await until(tab, '#name', /session/);
      assert.doesNotMatch(await tab.$eval('.cm-content', (it) => it.textContent), /"log"/);
      assert.notEqual(await tab.$eval('.cm-content', (it) => it.textContent), text);
    }));

    test('tabs and the time line work by keyboard', () => at({}, async (tab) => {
      await tab.focus('#tab-report');
      await tab.keyboard.press('ArrowRight');
      assert.equal(await tab.evaluate(() => document.activeElement.id), 'tab-trace');
      assert.equal(await tab.$eval('#tab-trace', (it) => it.getAttribute('aria-selected')), 'true');
      await tab.focus('#instant');
      await tab.keyboard.press('PageUp');
      await until(tab, '#at', /^0\.120 s$/);
    }));

    test('accessible and without sideways scroll, from 360 px to a wall, light and dark', async () => {
      for (const [width, dark] of [[360, false], [360, true], [1000, false], [1280, true], [2560, false]]) {
        await at({ width, dark }, async (tab) => {
          for (const name of ['report', 'trace', 'differences', 'whatif']) {
            await tab.$eval(`#tab-${name}`, (button) => button.click());
            await new Promise((resolve) => setTimeout(resolve, 200));
            await tab.evaluate(AXE);
            const found = await tab.evaluate(async () => {
              const { violations } = await globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] });
              const { scrollWidth, scrollHeight } = document.documentElement;
              const over = scrollWidth > innerWidth ? ['scrolls sideways'] : [];
              // Wide screens have panes that scroll, and the page does not.
              if (innerWidth >= 1000 && scrollHeight > innerHeight) over.push('scrolls behind its panes');
              return [...violations.map((it) => `${it.id}: ${it.nodes[0].target}`), ...over];
            });
            assert.deepEqual(found, [], `${name} at ${width} px, ${dark ? 'dark' : 'light'}`);
          }
        });
      }
    });
  });
}
