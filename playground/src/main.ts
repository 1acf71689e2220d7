// The playground: a scenario on one side, what playsim makes of it on the other.
import { createEditor } from './editor.js';
import type { Editor, Warning } from './editor.js';
import { Engine, Latest, Refused } from './engine.js';
import type { Case, Mistake } from './engine.js';
import { byId, make, seconds, size } from './dom.js';
import { chosen, dropped, isRecording, meaning, textOf } from './open.js';
import type { Meaning, Opened } from './open.js';
import { Recording } from './recording.js';
import { Guide } from './schema.js';
import type { Schema } from './schema.js';
import { createControls } from './settings.js';
import type { Settings } from './settings.js';
import { download, forTerminal, forVitest, fromFragment, toFragment } from './share.js';
import { TimeLine } from './timeline.js';
import type { State } from './timeline.js';
import { View, dress } from './view.js';
import type { Page } from './view.js';
import { WhatIf } from './whatif.js';
import type { Varied, WhatIfPage } from './whatif.js';

interface Summary { lines: number; end: number; events: [number, string][] }
interface Failed { number: number; expected: string; found: string; line: number | null }
interface Ran { digest: string; outcome: string; page: Page; summary: Summary; failed?: Failed[] }
interface Tables { groups: Record<string, string>; settings: Settings; style: string }
interface Example { name: string; about: string; scenario: string; files: Record<string, string> }
type Tab = 'recording' | 'report' | 'trace' | 'differences' | 'whatif';

/** A scenario as it was opened and as it is now, and the recording that it was made of. */
interface Work { opened: Case; current: Case; recording: Recording | null }

/** How long typing may pause before the text is played, in milliseconds. */
const PAUSE = 25;
/** How long a run may take before the page says that it waits for it, in milliseconds. */
const PATIENCE = 400;
/** The largest scenario that is played on each keystroke. */
const LARGE = 300_000;

const engine = await Engine.start(moduleBytes());
const guide = new Guide((await engine.request<Schema>({ op: 'schema' })).value);
const tables = (await engine.request<Tables>({ op: 'tables' })).value;
const examples = (await engine.request<Example[]>({ op: 'examples' })).value;

let current: Case = { name: 'scenario.yaml', scenario: '', files: {} };
/** The scenario as it was opened, which differences are counted from. */
let opened: Case = current;
let recording: Recording | null = null;
/** The edited work that was left last. */
let left: Work | null = null;
/** Counts the works that were opened: what comes late is not shown. */
let works = 0;
/** Which of the texts is in the editor; empty for the scenario itself. */
let edited = '';
/** The last run, and the scenario that was played. */
let ran: Ran | null = null;
let played: Case | null = null;
let tab: Tab = 'report';
let timer: ReturnType<typeof setTimeout> | undefined;

const report = (error: unknown) => say(error instanceof Error ? error.message : String(error), true);
const runs = new Latest(report);
const states = new Latest(report);
const answers = new Latest(report);
const view = new View();
const line = new TimeLine((at) => states.run(() => showState(at)));
const whatIf = new WhatIf(byId('whatif'), (asked) => answers.run(() => answer(asked)));
const editor: Editor = createEditor(byId('editor'), guide, () => edited === '', typed);
const fillControls = createControls(tables.settings, tables.groups, () => current.scenario, changeScenario);

/** The module stands in the page, compressed and in Base64. */
function moduleBytes(): Uint8Array {
  const element = byId('module');
  const bytes = Uint8Array.from(atob(element.textContent!.trim()), (letter) => letter.charCodeAt(0));
  element.remove();
  return bytes;
}

/** A scenario that has nothing but comments cannot be played. */
const isEmpty = (of: Case) => !/^\s*[^\s#]/m.test(of.scenario);

const isEdited = () => JSON.stringify([opened.scenario, opened.files]) !== JSON.stringify([current.scenario, current.files]);

/** Whether the editor has the scenario that was made of the recording. */
const isRecorded = () => recording !== null && recording.made !== null && !isEdited();

function say(text: string, isWrong = false): void {
  byId('status').textContent = text;
  byId('status').className = isWrong ? 'bad' : '';
  if (isWrong) byId('digest').textContent = '';
}

/** Says something that stays until the reader closes it. */
function notice(text: string): void {
  const box = byId('notice');
  const close = make('button', { type: 'button' }, 'Close');
  close.addEventListener('click', () => { box.hidden = true; });
  box.replaceChildren(text, close);
  box.hidden = false;
}

/** Opens a scenario in the editor, with the recording that it was made of. Edits of the one before can be taken back. */
function open(work: Work, tabToShow: Tab = 'report'): void {
  works += 1;
  if (isEdited()) left = { opened, current, recording };
  byId('back').hidden = left === null;
  byId('back').textContent = left ? `Back to ${left.current.name}` : '';
  if (recording !== work.recording) recording?.close();
  ({ opened, current, recording } = work);
  edited = '';
  ran = null;
  played = null;
  view.clear();
  byId('tab-recording').hidden = recording === null;
  byId('name').textContent = current.name;
  byId('stale').hidden = true;
  fillFiles();
  select(tabToShow);
  editor.open(current.scenario);
}

/** Opens a text as it was read. The editor has lines that end with LF. */
function openCase(name: string, scenario: string, files: Record<string, string>, of: Recording | null = null, tabToShow: Tab = 'report'): void {
  const it = { name, scenario: scenario.replace(/\r\n?/g, '\n'), files };
  open({ opened: it, current: it, recording: of }, tabToShow);
}

/** Opens the work that was left. */
function goBack(): void {
  const work = left;
  left = null;
  if (work) open(work, work.recording ? 'recording' : 'report');
}

function fillFiles(): void {
  const names = Object.keys(current.files);
  const files = byId<HTMLSelectElement>('files');
  files.replaceChildren(make('option', { value: '' }, 'scenario'), ...names.map((name) => make('option', { value: name }, name)));
  files.hidden = names.length === 0;
  files.value = edited;
}

function typed(text: string): void {
  if (edited) current = { ...current, files: { ...current.files, [edited]: text } };
  else current = { ...current, scenario: text };
  keep();
  clearTimeout(timer);
  timer = setTimeout(() => runs.run(play), text.length > LARGE ? 500 : PAUSE);
}

function changeScenario(text: string | null): void {
  if (text === null) {
    say('The text cannot be changed by a control here. Change it in the editor.', true);
    fillControls();
    return;
  }
  if (edited) {
    edited = '';
    fillFiles();
    editor.open(text);
  } else editor.replace(text);
}

/** Plays the scenario and shows its report. */
async function play(): Promise<void> {
  const began = performance.now();
  const of = current;
  const work = works;
  document.body.classList.toggle('empty', isEmpty(of));
  if (isEmpty(of)) playNothing();
  else {
    const waiting = setTimeout(() => say('Playing…'), PATIENCE);
    try {
      const { value, took } = await engine.request<Ran>({ op: 'run', ...of, want: ['page', 'summary'] });
      if (work === works) showRun(value, of, took, began);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (work === works) refuse(error);
    } finally {
      clearTimeout(waiting);
      byId('busy').hidden = true;
    }
    if (work === works && tab === 'differences') await showDifferences();
    if (work === works && tab === 'whatif') await buildWhatIf();
  }
  document.body.dataset.first ??= performance.now().toFixed(0);
  document.body.dataset.ready = String(Number(document.body.dataset.ready ?? 0) + 1);
}

function playNothing(): void {
  ran = null;
  played = null;
  mark([], []);
  byId('busy').hidden = true;
  byId('stale').hidden = true;
  if (tab !== 'recording') select(recording ? 'recording' : 'report');
  say(recording ? `${recording.file.name} has no bodies of responses, so nothing can be simulated; save it with content.` : 'There is no scenario to play.');
  byId('digest').textContent = '';
}

function showRun(value: Ran, of: Case, took: number, began: number): void {
  ran = value;
  played = of;
  closeWhy();
  const { failed = [], summary } = value;
  mark([], failed.map((it) => ({ line: it.line, message: `Expectation ${it.number} fails. Expected: ${it.expected}. Found: ${it.found}.` })));
  byId('stale').hidden = true;
  if (tab === 'report' || tab === 'trace') view.show(value.page);
  line.show(summary.end, summary.events);
  const expectations = failed.length === 0 ? '' : failed.length === 1 ? ' 1 expectation fails.' : ` ${failed.length} expectations fail.`;
  if (value.outcome === 'livelock' || value.outcome === 'limit') say(`The run was stopped (${value.outcome}) after ${summary.lines} lines: it may go on without end. The end of the trace shows where.${expectations}`, true);
  else say(`${summary.lines} lines of trace, ${seconds(summary.end)}.${expectations}`, failed.length > 0);
  byId('digest').textContent = `Played in ${took.toFixed(1)} ms, on screen after ${(performance.now() - began).toFixed(0)} ms; digest ${value.digest}`;
  fillControls();
  states.run(() => showState(Math.min(line.at, summary.end)));
}

/** Shows what is wrong with the text; the report of the last one that could be read stays. */
function refuse(error: Refused): void {
  mark(error.mistakes, []);
  const stale = byId('stale');
  stale.hidden = false;
  const first = error.mistakes[0];
  const what = first ? `line ${first.line} cannot be read` : error.message;
  stale.replaceChildren(ran ? `Report of the last scenario that could be read: ${what}.` : `${what}.`);
  say(error.message, true);
}

function mark(mistakes: Mistake[], warnings: Warning[]): void {
  if (!edited) editor.mark(mistakes, warnings);
  const first = mistakes[0];
  const failed = warnings.find((it) => it.line !== null);
  const button = byId<HTMLButtonElement>('mistake');
  const count = mistakes.length || warnings.length;
  button.hidden = !first && !failed;
  byId('code-mark').textContent = count ? `(${count})` : '';
  const place = first ?? (failed && { line: failed.line!, column: 1 });
  if (!place) return;
  const noun = first ? 'error' : 'failed expectation';
  button.textContent = `${count} ${noun}${count === 1 ? '' : 's'}, line ${place.line}`;
  button.onclick = () => {
    if (edited) changeScenario(current.scenario);
    editor.goTo(place.line, place.column);
  };
}

/** Explains a line of the trace that is on the screen. */
async function explain(row: HTMLElement): Promise<void> {
  const of = tab === 'recording' ? opened : played;
  if (!of) return;
  const why = byId('why');
  const { value } = await engine.request<{ line: number; text: string }>({ op: 'explain', ...of, line: row.id.slice(1) });
  // The lines may be others by now.
  if (!row.isConnected) return;
  closeWhy();
  row.classList.add('chosen');
  const close = make('button', { type: 'button' }, 'Close');
  close.addEventListener('click', leaveWhy);
  why.replaceChildren(make('div', { class: 'head' }, make('b', {}, `Why line ${value.line}`), make('span', { class: 'grow' }), close), make('pre', { tabindex: '0' }, value.text));
  why.hidden = false;
  row.scrollIntoView({ block: 'nearest' });
  why.focus({ preventScroll: true });
}

function closeWhy(): void {
  byId('why').hidden = true;
  for (const row of document.querySelectorAll('tr.chosen')) row.classList.remove('chosen');
}

/** Closes the explanation, and goes back to its line. */
function leaveWhy(): void {
  const row = document.querySelector('tr.chosen');
  closeWhy();
  row?.querySelector<HTMLElement>('.why-button')?.focus();
}

async function showState(at: number): Promise<void> {
  try {
    if (!played) return;
    const { value } = await engine.request<State>({ op: 'state', ...played, at: Math.round(at) });
    line.say(value);
  } catch (error) {
    // The text is wrong: the editor says so.
    if (!(error instanceof Refused)) throw error;
  }
}

async function showDifferences(): Promise<void> {
  const work = works;
  let shown: Node[];
  try {
    const { value } = await engine.request<{ equal: boolean; text: string }>({ op: 'diff', first: opened, second: current });
    shown = [
      make('h1', {}, value.equal ? 'The trace is that of the scenario as it was opened' : 'What your changes do'),
      ...(value.equal ? [] : [make('pre', { class: 'diff', tabindex: '0' }, value.text)]),
    ];
  } catch (error) {
    shown = [make('p', {}, error instanceof Refused ? error.message : String(error))];
  }
  if (tab === 'differences' && work === works) view.replace(...shown);
}

async function ask<T>(op: object): Promise<T> {
  if (recording && isRecorded()) return recording.ask<T>(op);
  return (await engine.request<T>({ ...op, ...current })).value;
}

async function buildWhatIf(): Promise<void> {
  try {
    const varied = await ask<Varied>({ op: 'settings' });
    const about = isRecorded() ? `The page in ${recording!.file.name}, with the recorded answers.` : `The scenario ${current.name}.`;
    if (tab === 'whatif') whatIf.build(varied, about);
  } catch (error) {
    byId('whatif').replaceChildren(make('p', {}, error instanceof Refused ? error.message : String(error)));
  }
}

async function answer(asked: object): Promise<void> {
  try {
    const { page } = await ask<{ page: WhatIfPage }>({ op: 'what_if', ...asked });
    dress(page.style);
    whatIf.show(page);
  } catch (error) {
    whatIf.show(error instanceof Refused ? error.message : String(error));
  }
}

function select(next: Tab): void {
  tab = next;
  document.body.dataset.tab = next;
  for (const button of document.querySelectorAll<HTMLElement>('[role=tab]')) {
    const isOn = button.dataset.tab === next;
    button.setAttribute('aria-selected', String(isOn));
    button.tabIndex = isOn ? 0 : -1;
  }
  byId('shown').setAttribute('aria-labelledby', `tab-${next}`);
  byId('whatif').hidden = next !== 'whatif';
  byId('view').hidden = next === 'whatif';
  closeWhy();
  if (next === 'recording' && recording) view.show(recording.page);
  else if (next === 'report' || next === 'trace') {
    if (ran) view.show(ran.page);
    else view.clear();
  }
  else if (next === 'differences') void showDifferences();
  else if (next === 'whatif') void buildWhatIf();
}

/** Opens files: each becomes what it is. */
async function take(files: Opened[]): Promise<void> {
  const found = meaning(files);
  byId('notice').hidden = true;
  try {
    await takeAs(found);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(error.message, true);
  }
}

async function takeAs(found: Meaning): Promise<void> {
  switch (found.kind) {
    case 'unknown':
      return say(found.message, true);
    case 'scenario':
      return openCase(found.file.name, textOf(found.file), texts(found.others));
    case 'answers': {
      const names = found.files.map((file) => file.name);
      // Documents that the scenario names are for it.
      if (names.every((name) => isNamed(name))) return addDocuments(texts(found.files));
      const { value } = await engine.request<{ yaml: string; files: Record<string, string> }>({ op: 'saved_answers', files: texts(found.files) });
      return openCase('waterfall.yaml', value.yaml, value.files);
    }
    case 'recording':
      return openRecording(found.file, found.others);
  }
}

const texts = (files: Opened[]): Record<string, string> => Object.fromEntries(files.map((file) => [file.name, textOf(file)]));

/** Whether the scenario has the name of a file as a word. */
function isNamed(name: string): boolean {
  const words = current.scenario.split(/[\s"'{}[\],:]+/);
  return words.includes(name);
}

function addDocuments(files: Record<string, string>): void {
  current = { ...current, files: { ...current.files, ...files } };
  opened = { ...opened, files: { ...files, ...opened.files } };
  if (edited in files) edited = '';
  fillFiles();
  editor.open(edited ? current.files[edited]! : current.scenario);
}

async function openRecording(file: Opened, others: Opened[]): Promise<void> {
  say(`Reading ${file.name} (${size(file.bytes.length)})…`);
  const work = works;
  const read = await Recording.open(engine, file, others);
  // Something else was opened meanwhile.
  if (work !== works) return read.close();
  const stem = file.name.replace(/^.*\//, '').replace(/\.(har|zip|gz|chlsj|chlsx|json)\b/gi, '');
  openCase(`${stem}.yaml`, read.made?.yaml ?? `# ${file.name} has no bodies of responses, so there is no scenario that plays it.\n`, read.made?.files ?? {}, read, 'recording');
  const more = others.filter(isRecording).map((other) => other.name);
  if (more.length > 0) notice(`${file.name} is open. ${more.length === 1 ? `${more[0]} was` : `${more.length} more recordings were`} left out: playsim waterfall compares many.`);
}

/** Copies a text; where that is forbidden, it is shown to be copied by hand. */
async function copy(text: string, what: string): Promise<void> {
  const said = byId('share-said');
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = `${what} copied.`;
  } catch {
    const area = make('textarea', { rows: '4', readonly: true, 'aria-label': what });
    area.value = text;
    said.replaceChildren(area);
    area.select();
  }
}

async function save(form: string): Promise<void> {
  const stem = current.name.replace(/\.ya?ml$/, '');
  if (form === 'yaml') {
    download(current.name, current.scenario, 'text/yaml');
    for (const [name, text] of Object.entries(current.files)) download(name, text, 'text/xml');
    return;
  }
  const part = { html: ['html', 'html', 'text/html'], text: ['text', 'txt', 'text/plain'], jsonl: ['jsonl', 'jsonl', 'application/jsonl'] }[form]!;
  const { value } = await engine.request<Record<string, string>>({ op: 'run', ...current, want: [part[0]] });
  download(`${stem}.${part[1]}`, value[part[0]!]!, part[2]!);
}

function setTheme(theme: string | null): void {
  if (theme) document.documentElement.dataset.theme = theme;
  // The dark colours of reports follow the system; a choice here goes before it.
  const dark = tables.style.match(/@media screen and \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}/)?.[1] ?? '';
  const light = tables.style.match(/^:root \{([^}]*)\}/)?.[1] ?? '';
  byId('base').textContent = `${tables.style}\n@media screen { :root[data-theme=dark] { color-scheme: dark; ${dark} }\n:root[data-theme=light] { ${light} color-scheme: light } }`;
}

function listen(): void {
  byId('theme').addEventListener('click', () => {
    const isDark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    setTheme(isDark ? 'light' : 'dark');
  });
  const list = byId<HTMLSelectElement>('examples');
  list.append(...examples.map((it) => make('option', { value: it.name }, `${it.name}: ${it.about}`)));
  list.addEventListener('change', () => {
    const example = examples.find((it) => it.name === list.value);
    if (example) openCase(`${example.name}.yaml`, example.scenario, example.files);
    list.value = '';
  });
  for (const [button, input] of [['open', 'file'], ['open-folder', 'folder']] as const) {
    const files = byId<HTMLInputElement>(input);
    byId(button).addEventListener('click', () => files.click());
    files.addEventListener('change', () => {
      // The list is emptied with the field.
      if (files.files) void attempt(chosen(files.files).then(take));
      files.value = '';
    });
  }
  byId('back').addEventListener('click', goBack);
  addEventListener('dragover', (event) => { event.preventDefault(); document.body.classList.add('over'); });
  addEventListener('dragleave', () => document.body.classList.remove('over'));
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('over');
    if (event.dataTransfer) void attempt(dropped(event.dataTransfer).then(take));
  });
  byId<HTMLSelectElement>('files').addEventListener('change', ({ target }) => {
    edited = (target as HTMLSelectElement).value;
    editor.open(edited ? current.files[edited]! : current.scenario);
  });
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')];
  for (const button of tabs) {
    button.addEventListener('click', () => select(button.dataset.tab as Tab));
    button.addEventListener('keydown', (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const shown = tabs.filter((it) => !it.hidden);
      const next = shown[(shown.indexOf(button) + by + shown.length) % shown.length]!;
      select(next.dataset.tab as Tab);
      next.focus();
    });
  }
  for (const button of document.querySelectorAll<HTMLElement>('.switch button')) {
    button.addEventListener('click', () => {
      document.body.dataset.pane = button.dataset.show;
      for (const other of document.querySelectorAll<HTMLElement>('.switch button')) other.setAttribute('aria-pressed', String(other === button));
    });
  }
  byId('view').addEventListener('click', (event) => {
    const row = (event.target as Element).closest<HTMLElement>('.tr tbody tr[id]');
    if (row && (tab === 'trace' || tab === 'recording') && !(event.target as Element).closest('a, summary')) void attempt(explain(row));
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
    if (link) follow(link.hash.slice(1));
  });
  const share = byId<HTMLDetailsElement>('share');
  share.addEventListener('toggle', () => {
    if (share.open) void toFragment(current).then((fragment) => { byId('link-size').textContent = size(fragment.length + 1); });
  });
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (share.open) {
      share.open = false;
      share.querySelector('summary')!.focus();
    } else if (!byId('why').hidden && !byId('editor').contains(document.activeElement)) leaveWhy();
  });
  addEventListener('click', ({ target }) => { if (!share.contains(target as Node)) share.open = false; });
  byId('link').addEventListener('click', () => void toFragment(current).then((fragment) => copy(`${location.href.split('#')[0]}#${fragment}`, 'Link')));
  for (const button of document.querySelectorAll<HTMLElement>('[data-save]')) button.addEventListener('click', () => void attempt(save(button.dataset.save!)));
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    button.addEventListener('click', () => {
      const events = ran?.summary.events.map(([, name]) => name) ?? [];
      void copy(button.dataset.copy === 'vitest' ? forVitest(current, events) : forTerminal(current), 'Text');
    });
  }
  addEventListener('hashchange', () => void openLink().catch((error: Error) => notice(error.message)));
}

/** Links in a report lead to its sections and lines, which may be in another tab or folded. */
function follow(id: string): void {
  if (document.getElementById(id)?.closest('#trace') && tab === 'report') select('trace');
  const target = document.getElementById(id);
  for (let around: Element | null = target; around; around = around.parentElement) if (around instanceof HTMLDetailsElement) around.open = true;
  if (target?.matches('.tr tbody tr')) void attempt(explain(target));
}

/** Reports what went wrong in something that nobody waits for. */
async function attempt(job: Promise<unknown>): Promise<void> {
  try {
    await job;
  } catch (error) {
    report(error);
  }
}

/** Opens the scenario of the link, if there is one. */
async function openLink(): Promise<boolean> {
  const shared = await fromFragment(location.hash);
  if (shared) openCase(shared.name, shared.scenario, shared.files);
  return shared !== null;
}

let keeping: ReturnType<typeof setTimeout> | undefined;

/** Keeps edits in the history of the tab, so that a reload has them. A link stays in the address until it is edited. */
function keep(): void {
  clearTimeout(keeping);
  if (!isEdited()) return;
  keeping = setTimeout(() => {
    try {
      history.replaceState({ opened, current }, '', location.href.split('#')[0]);
    } catch {
      // Too large to be kept.
    }
  }, 500);
}

/** Opens what was edited before a reload. */
function resume(): boolean {
  const kept = history.state as { opened: Case; current: Case } | null;
  if (typeof kept?.current?.scenario !== 'string' || location.hash.startsWith('#s=')) return false;
  open({ ...kept, recording: null });
  return true;
}

setTheme(null);
listen();
const isOpen = resume() || (await openLink().catch((error: Error) => { notice(error.message); return false; }));
const [demo] = examples;
if (!isOpen && demo) openCase(`${demo.name}.yaml`, demo.scenario, demo.files);
