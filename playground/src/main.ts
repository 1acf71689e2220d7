// The playground: a scenario on one side, what playsim makes of it on the other.
import { createEditor } from './editor.js';
import type { Editor } from './editor.js';
import { Engine, Latest, Refused } from './engine.js';
import type { Case, Mistake } from './engine.js';
import { body, byId, make, seconds, size } from './dom.js';
import { chosen, dropped, meaning, textOf } from './open.js';
import type { Opened } from './open.js';
import { Guide } from './schema.js';
import type { Schema } from './schema.js';
import { createControls } from './settings.js';
import type { Settings } from './settings.js';
import { download, forTerminal, forVitest, fromFragment, toFragment } from './share.js';
import { TimeLine } from './timeline.js';
import type { State } from './timeline.js';
import { WhatIf } from './whatif.js';
import type { Varied, WhatIfPage } from './whatif.js';

interface Page { title: string; style: string; body: string }
interface Summary { lines: number; end: number; events: [number, string][] }
interface Ran { digest: string; outcome: string; page: Page; summary: Summary }
interface Tables { groups: Record<string, string>; settings: Settings; style: string }
interface Example { name: string; about: string; scenario: string; files: Record<string, string> }
type Tab = 'recording' | 'report' | 'trace' | 'differences' | 'whatif';

/** A recording that is open. */
interface Recording {
  file: Opened;
  handle: number;
  /** The worker that has it. */
  generation: number;
  page: Page;
  /** The scenario that was made of it. */
  scenario: string | null;
}

/** How long typing may pause before the text is played, in milliseconds. */
const PAUSE = 25;
/** The largest scenario that is played on each keystroke. */
const LARGE = 300_000;

const engine = await Engine.start(moduleBytes());
const guide = new Guide((await engine.request<Schema>({ op: 'schema' })).value);
const tables = (await engine.request<Tables>({ op: 'tables' })).value;
const examples = (await engine.request<Example[]>({ op: 'examples' })).value;

let current: Case = { name: 'scenario.yaml', scenario: '', files: {} };
/** The scenario as it was opened, which differences are counted from. */
let opened: Case = current;
/** Which of its texts is in the editor; empty for the scenario itself. */
let edited = '';
let recording: Recording | null = null;
let ran: Ran | null = null;
let tab: Tab = 'report';
let timer: ReturnType<typeof setTimeout> | undefined;

const runs = new Latest();
const states = new Latest();
const answers = new Latest();
const line = new TimeLine((at) => states.run(() => showState(at)));
const whatIf = new WhatIf(byId('whatif'), (asked) => answers.run(() => answer(asked)));
const editor: Editor = createEditor(byId('editor'), guide, typed);
const fillControls = createControls(tables.settings, tables.groups, () => current.scenario, changeScenario);

/** The module stands in the page, compressed and in Base64. */
function moduleBytes(): Uint8Array {
  const element = byId('module');
  const bytes = Uint8Array.from(atob(element.textContent!.trim()), (letter) => letter.charCodeAt(0));
  element.remove();
  return bytes;
}

const given = () => ({ name: current.name, scenario: current.scenario, files: current.files });

function say(text: string, isWrong = false): void {
  byId('status').textContent = text;
  byId('status').className = isWrong ? 'bad' : '';
}

/** Opens a scenario in the editor. */
function open(it: Case, tabToShow: Tab = 'report'): void {
  current = { ...it };
  opened = { ...it };
  edited = '';
  byId('name').textContent = it.name;
  fillFiles();
  select(tabToShow);
  editor.open(it.scenario);
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
  clearTimeout(timer);
  timer = setTimeout(() => runs.run(play), text.length > LARGE ? 500 : PAUSE);
}

function changeScenario(text: string): void {
  if (edited) {
    edited = '';
    fillFiles();
    editor.open(text);
  } else editor.replace(text);
}

/** Plays the scenario and shows its report. */
async function play(): Promise<void> {
  const began = performance.now();
  try {
    const { value, took } = await engine.request<Ran>({ op: 'run', ...given(), want: ['page', 'summary'] });
    ran = value;
    byId('busy').hidden = true;
    mark([]);
    byId('stale').hidden = true;
    byId('lines').textContent = String(value.summary.lines);
    if (tab !== 'recording') show(value.page);
    line.show(value.summary.end, value.summary.events);
    if (value.outcome === 'livelock' || value.outcome === 'limit') say(`The run was stopped (${value.outcome}) after ${value.summary.lines} lines: it may go on without end. The end of the trace shows where.`, true);
    else say(`${value.summary.lines} lines of trace, ${seconds(value.summary.end)}; played in ${took.toFixed(1)} ms, on screen after ${(performance.now() - began).toFixed(0)} ms; digest ${value.digest}`);
    fillControls();
    states.run(() => showState(Math.min(line.at, value.summary.end)));
    if (tab === 'differences') await showDifferences();
    if (tab === 'whatif') await buildWhatIf();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refuse(error);
  }
  document.body.dataset.first ??= performance.now().toFixed(0);
  document.body.dataset.ready = String(Number(document.body.dataset.ready ?? 0) + 1);
}

/** Shows what is wrong with the text; the report of the last one that could be read stays. */
function refuse(error: Refused): void {
  mark(error.mistakes);
  byId('busy').hidden = true;
  const stale = byId('stale');
  stale.hidden = false;
  const first = error.mistakes[0];
  const what = first ? `line ${first.line} cannot be read` : error.message;
  stale.replaceChildren(ran ? `Report of the last scenario that could be read: ${what}.` : `${what}.`);
  say(error.message, true);
}

function mark(mistakes: Mistake[]): void {
  if (!edited) editor.mark(mistakes);
  const first = mistakes[0];
  const button = byId<HTMLButtonElement>('mistake');
  button.hidden = !first;
  byId('code-mark').textContent = first ? `(${mistakes.length})` : '';
  if (!first) return;
  const many = mistakes.length === 1 ? '1 error' : `${mistakes.length} errors`;
  button.textContent = `${many}, line ${first.line}`;
  button.onclick = () => {
    if (edited) changeScenario(current.scenario);
    editor.goTo(first.line, first.column);
  };
}

/** Puts the style of a report in force. Its rules for narrow screens are about the pane here. */
function dress(style: string): void {
  const own = style.replaceAll('@media (max-width', '@container (max-width').replaceAll('@media (min-width', '@container (min-width');
  const place = byId('page');
  if (place.textContent !== own) place.textContent = own;
}

/** Puts a page without its frame on the screen. */
function show(page: Page): void {
  dress(page.style);
  byId('view').innerHTML = body(page.body);
  wire();
}

/** Does what the script of a report's page does: finds lines and marks chains of causes. */
function wire(): void {
  const view = byId('view');
  const find = view.querySelector<HTMLInputElement>('#find');
  const rows = [...view.querySelectorAll<HTMLTableRowElement>('.tr tbody tr')];
  find?.addEventListener('input', () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      row.hidden = !words.every((word) => row.textContent!.toLowerCase().includes(word));
      count += row.hidden ? 0 : 1;
    }
    view.querySelector('#told')!.textContent = words.length ? `${count} of ${rows.length} lines` : '';
  });
  // The number of a line is a button: it explains the line.
  for (const row of rows) {
    const cell = row.querySelector('.seq');
    if (!cell || !/^s\d+$/.test(row.id)) continue;
    const button = make('button', { type: 'button', class: 'why-button', 'aria-label': `Why line ${row.id.slice(1)}` }, cell.textContent);
    cell.replaceChildren(button);
  }
}

/** Explains a line of the trace. */
async function explain(row: HTMLElement): Promise<void> {
  const why = byId('why');
  const { value } = await engine.request<{ line: number; text: string }>({ op: 'explain', ...given(), line: row.id.slice(1) });
  for (const other of document.querySelectorAll('tr.chosen')) other.classList.remove('chosen');
  row.classList.add('chosen');
  const close = make('button', { type: 'button' }, 'Close');
  close.addEventListener('click', () => { why.hidden = true; });
  why.replaceChildren(make('div', { class: 'head' }, make('b', {}, `Why line ${value.line}`), make('span', { class: 'grow' }), close), make('pre', { tabindex: '0' }, value.text));
  why.hidden = false;
  row.scrollIntoView({ block: 'nearest' });
}

async function showState(at: number): Promise<void> {
  try {
    const { value } = await engine.request<State>({ op: 'state', ...given(), at: Math.round(at) });
    line.say(value);
  } catch (error) {
    // The text is wrong: the editor says so.
    if (!(error instanceof Refused)) throw error;
  }
}

async function showDifferences(): Promise<void> {
  const view = byId('view');
  try {
    const { value } = await engine.request<{ equal: boolean; text: string }>({ op: 'diff', first: opened, second: given() });
    view.replaceChildren(
      make('h1', {}, value.equal ? 'The trace is that of the scenario as it was opened' : 'What your changes do'),
      ...(value.equal ? [] : [make('pre', { class: 'diff', tabindex: '0' }, value.text)]),
    );
  } catch (error) {
    view.replaceChildren(make('p', {}, error instanceof Refused ? error.message : String(error)));
  }
}

/** Whether the editor has the scenario that was made of the recording. */
const isRecorded = () => recording !== null && recording.generation === engine.generation && recording.scenario === current.scenario;

async function ask<T>(op: object): Promise<T> {
  if (isRecorded()) return (await engine.recording<T>(recording!.handle, op)).value;
  return (await engine.request<T>({ ...op, ...given() })).value;
}

async function buildWhatIf(): Promise<void> {
  try {
    const varied = await ask<Varied>({ op: 'settings' });
    const about = isRecorded() ? `The page in ${recording!.file.name}, with the recorded answers.` : `The scenario ${current.name}.`;
    whatIf.build(varied, about);
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
  byId('why').hidden = true;
  if (next === 'recording' && recording) show(recording.page);
  else if (next === 'report' || next === 'trace') { if (ran) show(ran.page); }
  else if (next === 'differences') void showDifferences();
  else if (next === 'whatif') void buildWhatIf();
}

/** Opens files: each becomes what it is. */
async function take(files: Opened[]): Promise<void> {
  const found = meaning(files);
  try {
    switch (found.kind) {
      case 'unknown':
        say(found.message, true);
        return;
      case 'scenario': {
        const files = Object.fromEntries(found.others.map((file) => [file.name, textOf(file)]));
        return open({ name: found.file.name, scenario: textOf(found.file), files });
      }
      case 'answers': {
        const files = Object.fromEntries(found.files.map((file) => [file.name, textOf(file)]));
        const { value } = await engine.request<{ yaml: string; files: Record<string, string> }>({ op: 'saved_answers', files });
        return open({ name: 'waterfall.yaml', scenario: value.yaml, files: value.files });
      }
      case 'recording':
        return await openRecording(found.file);
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(error.message, true);
  }
}

async function openRecording(file: Opened): Promise<void> {
  say(`Reading ${file.name} (${size(file.bytes.length)})…`);
  const handle = await engine.open({ name: file.name }, file.bytes);
  const page = (await engine.recording<Page>(handle, { op: 'page' })).value;
  const made = (await engine.recording<{ yaml: string; files: Record<string, string> } | null>(handle, { op: 'scenario' })).value;
  if (recording && recording.generation === engine.generation) await engine.close(recording.handle);
  recording = { file, handle, generation: engine.generation, page, scenario: made?.yaml ?? null };
  byId('tab-recording').hidden = false;
  if (made) open({ name: `${file.name.replace(/\.(har|zip|gz|chlsj|chlsx)\b/gi, '')}.yaml`, scenario: made.yaml, files: made.files }, 'recording');
  else {
    select('recording');
    say('The recording has no bodies, so nothing can be simulated; save it with content.', true);
  }
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
  const { value } = await engine.request<Record<string, string>>({ op: 'run', ...given(), want: [part[0]] });
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
    if (example) open({ ...example, name: `${example.name}.yaml` });
    list.value = '';
  });
  const file = byId<HTMLInputElement>('file');
  byId('open').addEventListener('click', () => file.click());
  file.addEventListener('change', () => {
    if (file.files) void attempt(chosen(file.files).then(take));
    file.value = '';
  });
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
    if (row && tab === 'trace' && !(event.target as Element).closest('a, summary')) void attempt(explain(row));
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
    if (link) follow(link.hash.slice(1));
  });
  const share = byId<HTMLDetailsElement>('share');
  share.addEventListener('toggle', () => {
    if (share.open) void toFragment(current).then((fragment) => { byId('link-size').textContent = size(fragment.length + 1); });
  });
  addEventListener('keydown', (event) => { if (event.key === 'Escape') share.open = false; });
  byId('link').addEventListener('click', () => void toFragment(current).then((fragment) => copy(`${location.href.split('#')[0]}#${fragment}`, 'Link')));
  for (const button of document.querySelectorAll<HTMLElement>('[data-save]')) button.addEventListener('click', () => void attempt(save(button.dataset.save!)));
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    button.addEventListener('click', () => {
      const events = ran?.summary.events.map(([, name]) => name) ?? [];
      void copy(button.dataset.copy === 'vitest' ? forVitest(current, events) : forTerminal(current), 'Text');
    });
  }
  addEventListener('hashchange', () => void attempt(openLink()));
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
    say(error instanceof Error ? error.message : String(error), true);
  }
}

/** Opens the scenario of the link, if there is one. */
async function openLink(): Promise<boolean> {
  const shared = await fromFragment(location.hash);
  if (!shared) return false;
  open(shared);
  history.replaceState(null, '', location.href.split('#')[0]);
  return true;
}

setTheme(null);
listen();
const isShared = await openLink().catch((error: Error) => { say(error.message, true); return false; });
const [demo] = examples;
if (!isShared && demo) open({ ...demo, name: `${demo.name}.yaml` });
