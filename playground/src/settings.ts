// Profile and knobs as controls. A change is an edit of the scenario's text, which stays the one source.
import { isMap, parseDocument } from 'yaml';
import type { Document, Pair, Scalar, YAMLMap } from 'yaml';
import { byId, make } from './dom.js';

export interface Knob {
  name: string;
  about: string;
  takes: string;
  values?: { value: string; means: string }[];
  default: string;
}

export interface Settings {
  knobs: Knob[];
  profiles: { name: string; about: string; differs: Record<string, string> }[];
}

interface Set {
  profile: string;
  knobs: Map<string, string>;
}

const top = (document: Document): YAMLMap | null => (isMap(document.contents) ? document.contents : null);

const pairOf = (map: YAMLMap | null, key: string): Pair<Scalar, Scalar | YAMLMap> | undefined =>
  map?.items.find((pair) => String((pair.key as Scalar).value) === key) as Pair<Scalar, Scalar | YAMLMap> | undefined;

/** Reads what a scenario sets. */
export function read(text: string): Set {
  const map = top(parseDocument(text));
  const knobs = pairOf(map, 'knobs')?.value;
  const set = isMap(knobs) ? knobs.items : [];
  const entries = set.map((pair) => [String((pair.key as Scalar).value), String((pair.value as Scalar | null)?.value ?? '')] as [string, string]);
  const profile = pairOf(map, 'profile')?.value as Scalar | undefined;
  return { profile: String(profile?.value ?? 'default'), knobs: new Map(entries) };
}

/** Writes a value as YAML does. */
const scalar = (value: string): string => (/^(off|on|yes|no|true|false|null|~)$|[:#{}[\],&*!|>'"%@`]|^[\s-]|\s$|^$/i.test(value) ? JSON.stringify(value) : value);

const cut = (text: string, from: number, to: number, by: string) => text.slice(0, from) + by + text.slice(to);

/** Where a new field of the scenario goes: before the first one. */
function before(text: string, document: Document): number {
  const first = top(document)?.items[0]?.key as Scalar | undefined;
  return first?.range?.[0] ?? text.length;
}

/** Returns the text with a new field of the scenario. */
function withField(text: string, document: Document, key: string, value: string, flow: string): string {
  const at = before(text, document);
  return top(document)?.flow ? cut(text, at, at, `${JSON.stringify(key)}: ${flow}, `) : cut(text, at, at, `${key}: ${value}\n`);
}

/** Takes a field without a value out, so that it can be written anew. */
function withoutEmpty(text: string, key: string): string {
  const pair = pairOf(top(parseDocument(text)), key);
  const value = pair?.value as Scalar | null | undefined;
  if (!pair || (value && value.value !== null)) return text;
  const start = pair.key.range![0];
  const line = text.indexOf('\n', start);
  return cut(text, start, line < 0 ? text.length : line + 1, '');
}

/** Returns the changed text, unless the change would break it. */
function sound(text: string, changed: string, isRight: (set: Set) => boolean): string | null {
  const document = parseDocument(changed);
  return document.errors.length === 0 && isRight(read(changed)) && read(changed).knobs.size >= read(text).knobs.size - 1 ? changed : null;
}

/** Returns the text with another profile; null if it has to be changed by hand. */
export function withProfile(text: string, profile: string): string | null {
  return sound(text, profileSet(withoutEmpty(text, 'profile'), profile), (set) => set.profile === profile);
}

/** Returns the text with a knob set, or no longer set; null if it has to be changed by hand. */
export function withKnob(text: string, name: string, value: string | null): string | null {
  return sound(text, knobSet(withoutEmpty(text, 'knobs'), name, value), (set) => (set.knobs.get(name) ?? null) === value);
}

function profileSet(text: string, profile: string): string {
  const document = parseDocument(text);
  const range = (pairOf(top(document), 'profile')?.value as Scalar | undefined)?.range;
  if (range) return cut(text, range[0], range[1], scalar(profile));
  return withField(text, document, 'profile', scalar(profile), JSON.stringify(profile));
}

function knobSet(text: string, name: string, value: string | null): string {
  const document = parseDocument(text);
  const knobs = pairOf(top(document), 'knobs');
  const map = isMap(knobs?.value) ? knobs.value : null;
  const pair = pairOf(map, name);
  const range = (pair?.value as Scalar | undefined)?.range;
  if (map && range && value !== null) return cut(text, range[0], range[1], scalar(value));
  if (map && pair && value === null) return without(text, knobs as Pair<Scalar, YAMLMap>, map, pair, range);
  if (value === null) return text;
  const written = `${name}: ${scalar(value)}`;
  if (!map) return withField(text, document, 'knobs', `{ ${written} }`, `{ ${JSON.stringify(name)}: ${JSON.stringify(value)} }`);
  const first = (map.items[0]?.key as Scalar | undefined)?.range?.[0];
  if (first === undefined) return cut(text, map.range![0], map.range![1], `{ ${written} }`);
  if (map.flow) return cut(text, first, first, `${written}, `);
  const indent = first - (text.lastIndexOf('\n', first - 1) + 1);
  return cut(text, first, first, `${written}\n${' '.repeat(indent)}`);
}

/** Takes a knob out, and the field with it if it was the only one. */
function without(text: string, field: Pair<Scalar, YAMLMap>, map: YAMLMap, pair: Pair, range: [number, number, number] | null | undefined): string {
  const from = (pair.key as Scalar).range![0];
  const to = range?.[1] ?? from;
  if (map.items.length === 1) {
    const start = field.key.range![0];
    const end = map.range![1];
    const line = text.indexOf('\n', end - 1);
    return cut(text, start, line < 0 ? text.length : line + 1, '');
  }
  if (map.flow) {
    const behind = text.slice(to).match(/^\s*,\s*/)?.[0].length;
    if (behind) return cut(text, from, to + behind, '');
    const ahead = text.slice(0, from).match(/,\s*$/)?.[0].length ?? 0;
    return cut(text, from - ahead, to, '');
  }
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', to - 1);
  return cut(text, start, end < 0 ? text.length : end + 1, '');
}

/** Builds the controls; `change` gets the new text. */
export function createControls(settings: Settings, groups: Record<string, string>, text: () => string, change: (text: string | null) => void): () => void {
  const box = byId('controls');
  const find = make('input', { type: 'search', 'aria-label': 'Find a knob', placeholder: 'Find a knob' });
  const profile = make('select', { id: 'profile' }, ...settings.profiles.map((it) => make('option', { value: it.name }, it.name)));
  const about = make('p', { class: 'small muted' });
  const rows = make('div');
  box.append(make('div', { class: 'knob' }, make('div', {}, make('label', { for: 'profile' }, 'Profile'), about), profile), find, rows);
  const controls = new Map<string, HTMLInputElement | HTMLSelectElement>();
  let group = '';
  for (const knob of settings.knobs) {
    const own = groups[knob.name] ?? '';
    if (own !== group) rows.append(make('h3', { 'data-group': own }, own));
    group = own;
    const id = `knob-${knob.name}`;
    const control = knob.values?.length
      ? make('select', { id }, make('option', { value: '' }, ''), ...knob.values.map((it) => make('option', { value: it.value, title: it.means }, it.value)))
      : make('input', { id, type: 'text', title: knob.takes });
    control.addEventListener('change', () => change(withKnob(text(), knob.name, control.value.trim() || null)));
    controls.set(knob.name, control);
    const means = knob.values?.length ? '' : ` ${knob.takes[0]!.toUpperCase()}${knob.takes.slice(1)}.`;
    rows.append(make('div', { class: 'knob', 'data-name': knob.name }, make('div', {}, make('label', { for: id }, knob.name), make('p', {}, `${knob.about}${means}`.replaceAll('`', ''))), control));
  }
  profile.addEventListener('change', () => change(withProfile(text(), profile.value)));
  find.addEventListener('input', () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows.querySelectorAll<HTMLElement>('.knob')) row.hidden = !words.every((word) => row.textContent!.toLowerCase().includes(word));
    for (const title of rows.querySelectorAll<HTMLElement>('h3')) {
      let row = title.nextElementSibling as HTMLElement | null;
      while (row?.className.includes('knob') && row.hidden) row = row.nextElementSibling as HTMLElement | null;
      title.hidden = !row?.className.includes('knob');
    }
  });
  return () => {
    const set = read(text());
    if (![...profile.options].some((option) => option.value === set.profile)) profile.append(make('option', { value: set.profile }, set.profile));
    profile.value = set.profile;
    const names = set.profile.split('+').map((name) => name.trim());
    const known = settings.profiles.filter((it) => names.includes(it.name));
    about.textContent = known.map((it) => it.about).join('; ');
    const differs = Object.assign({}, ...known.map((it) => it.differs)) as Record<string, string>;
    for (const knob of settings.knobs) {
      const control = controls.get(knob.name)!;
      const value = set.knobs.get(knob.name);
      const inherited = differs[knob.name] ?? knob.default;
      if (control instanceof HTMLInputElement) control.placeholder = inherited;
      else control.options[0]!.textContent = `${inherited} (${knob.name in differs ? 'profile' : 'default'})`;
      if (document.activeElement !== control) control.value = value ?? '';
      control.closest('.knob')!.classList.toggle('set', value !== undefined);
    }
    const count = set.knobs.size;
    byId('changed').textContent = [set.profile === 'default' ? '' : set.profile, count ? `${count} set` : ''].filter(Boolean).join(', ');
  };
}
