// Writes src/generated: the types of the player's API and of scenarios, from the tables and the schema that the
// module itself gives. `node scripts/types.mjs --check` only says whether they are current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../src/generated/', import.meta.url);

/** All generated files: name and text. */
export function generated(tables, schema) {
  return {
    'names.ts': names(tables),
    'player.ts': player(tables),
    'scenario.ts': scenario(schema),
  };
}

const HEADER = '// Written by scripts/types.mjs from the tables of the module. Do not edit.\n\n';

const doc = (text, indent = '') => (text ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : '');
const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
const list = (values) => values.map((it) => `\n  ${quoted(it)},`).join('') + '\n';

// --- Names that the package needs while it runs.

function names({ calls, getters, events, queues }) {
  const ofPlayer = getters.filter((it) => it.player && it.property).map((it) => it.name);
  const methods = calls.map((it) => it.name).filter((name) => !isElementCall(name) && !ofPlayer.includes(name));
  return (
    HEADER +
    `/** The player's methods. */\nexport const METHODS = [${list(methods)}] as const;\n\n` +
    `/** Methods that only read when they are called without a value, and the getter that each reads. */\n` +
    `export const GETTERS: Record<string, string> = {${calls
      .filter((it) => it.reads && methods.includes(it.name))
      .map((it) => `\n  ${key(it.name)}: ${quoted(it.reads)},`)
      .join('')}\n};\n\n` +
    `/** The player's properties. */\nexport const PROPERTIES = [${list(ofPlayer)}] as const;\n\n` +
    `/** The documented events. */\nexport const EVENTS = [${list(documented(events))}] as const;\n\n` +
    `/** Events of a bare media element only. */\nexport const MEDIA_EVENTS = [${list(
      events.filter((it) => !it.documented).map((it) => it.name),
    )}] as const;\n\n` +
    `/** The queue arrays: of players, and of outstream units. */\nexport const QUEUES = [${list(queues)}] as const;\n`
  );
}

const documented = (events) => events.filter((it) => it.documented).map((it) => it.name);
/** Calls that only a bare media element has. */
const isElementCall = (name) => ['load', 'loop', 'playbackRate'].includes(name);

// --- The player.

const TYPES = {
  undefined: 'undefined',
  null: 'null',
  boolean: 'boolean',
  number: 'number',
  string: 'string',
  promise: 'Promise<void>',
  chapter: 'Chapter',
  mediaError: 'MediaErrorLike',
  rendition: 'Rendition',
  source: 'Source',
  ad: 'AdObject',
  level: "'player' | 'video'",
};
const DATA = { 'a whole number': 'number', 'a number': 'number', 'a string': 'string', 'true or false': 'boolean' };

function typeOf(names, types = TYPES) {
  return names
    .map((name) => types[name] ?? fail(`no type of TypeScript is known for "${name}"`))
    .join(' | ');
}

function fail(text) {
  throw new Error(text);
}

function player({ calls, getters, events, codes }) {
  const data = events.filter((it) => it.data.length > 0);
  const fields = ({ data }) =>
    data.map((it) => `${doc(it.about, '    ')}    ${key(it.name)}${it.optional ? '?' : ''}: ${typeOf([it.type], DATA)};\n`);
  return (
    HEADER +
    "import type { AdObject, Rendition, Source } from './scenario.js';\n\n" +
    `/** An event that a player fires. */\nexport type EventName =${union(documented(events))};\n\n` +
    `/** An event that only a bare media element fires, or a player with the knob \`bus.expose_html\`. */\n` +
    `export type MediaEventName =${union(events.filter((it) => !it.documented).map((it) => it.name))};\n\n` +
    '/** Any event. */\nexport type AnyEventName = EventName | MediaEventName;\n\n' +
    `/** A call, of a player or of a bare media element. */\nexport type CallName =${union(calls.map((it) => it.name))};\n\n` +
    `/** A getter or property. */\nexport type GetterName =${union(getters.map((it) => it.name))};\n\n` +
    `/** What events carry as \`e.data\`. */\nexport interface EventData {\n${data
      .map((it) => `${doc(it.about, '  ')}  ${key(it.name)}: {\n${fields(it).join('')}  };\n`)
      .join('')}}\n\n` +
    `/** Why a call fails, or what a diagnostic of the trace is about. */\nexport type Code =${union(
      codes.map((it) => it.name),
    )};\n\n` +
    'export interface Chapter {\n  /** Its number, from 0. */\n  chapter: number;\n  title: string;\n' +
    '  /** In seconds. */\n  start: number;\n  /** In seconds; null: unknown. */\n  end: number | null;\n}\n\n' +
    'export interface MediaErrorLike {\n  /** 2 network, 3 decode, 4 not supported. */\n  code: number;\n}\n\n' +
    '/** The calls of a player that take no listener. */\nexport interface PlayerCalls {\n' +
    calls
      .filter((it) => !it.name.includes('.') && !isElementCall(it.name) && !isProperty(getters, it.name))
      .filter((it) => !it.takes.some((one) => one.types.includes('listener')))
      .map((it) => method(it, getters))
      .join('') +
    calls
      .filter((it) => it.name.includes('.'))
      .map((it) => {
        const [owner, name] = it.name.split('.');
        return `  readonly ${owner}: {\n${method({ ...it, name }, getters).replaceAll(/^/gm, '  ').trimEnd()}\n  };\n`;
      })
      .join('') +
    '}\n\n' +
    '/** The properties of a player. */\nexport interface PlayerProperties {\n' +
    getters
      .filter((it) => it.player && it.property)
      .map((it) => {
        const [owner, name] = it.name.split('.');
        const field = (name, indent) => `${doc(it.about, indent)}${indent}readonly ${name}: ${typeOf(it.gives)};\n`;
        return name ? `  readonly ${owner}: {\n${field(name, '    ')}  };\n` : field(owner, '  ');
      })
      .join('') +
    '}\n\n' +
    '/** The properties of a bare media element that are only read. */\nexport interface ElementProperties {\n' +
    getters
      .filter((it) => !it.player && !calls.some((call) => call.name === it.name))
      .map((it) => `${doc(it.about, '  ')}  readonly ${it.name}: ${typeOf(it.gives)};\n`)
      .join('') +
    '}\n'
  );
}

const union = (names) => names.map((name) => `\n  | ${quoted(name)}`).join('');
const isProperty = (getters, name) => getters.some((it) => it.name === name && it.property && it.player);

function method({ name, about, takes, returns, reads }, getters) {
  const getter = takes.length > 0 && reads && getters.find((it) => it.name === reads);
  const given = takes.map((it) => `${it.name}${it.optional ? '?' : ''}: ${typeOf(it.types)}`).join(', ');
  // Before the player is ready, setters and actions are dropped, and return nothing.
  const isGetter = takes.length === 0 && reads;
  const back = returns.includes('undefined') || isGetter ? returns : [...returns, 'undefined'];
  const type = back.length === 1 && back[0] === 'undefined' ? 'void' : typeOf(back);
  const read = getter ? `${doc(getter.about, '  ')}  ${name}(): ${typeOf(getter.gives)};\n` : '';
  return `${read}${doc(about, '  ')}  ${name}(${given}): ${type};\n`;
}

// --- The scenario, from its schema.

/** The types of the fields that page code may fill with anything, so that the schema has none. */
const GIVEN = {
  config: {
    id: 'string',
    width: 'string | number',
    height: 'string | number',
    autoplay: 'boolean',
    muted: 'boolean',
    title: 'string',
    poster: 'string',
    ads: 'AdObject[]',
    playlist: 'Array<string | Video> | string',
    video: 'string | Video',
  },
  renditions: 'string | Partial<Record<Rendition, string>>',
};

const NAMED = {
  ad: 'AdObject',
  answer: 'Answer',
  user: 'UserAct',
  page_change: 'PageChange',
  call: 'CallStep',
  call_name: 'CallName',
  query: 'GetterName',
  event: 'AnyEventName',
  length: 'Length',
  video: 'ScenarioVideo',
  page: 'ScenarioPage',
  player: 'ScenarioPlayer',
};
const title = (name) =>
  NAMED[name] ?? name.split('_').map((word) => word[0].toUpperCase() + word.slice(1)).join('');

function scenario(schema) {
  const { $defs: definitions, ...root } = schema;
  const known = Object.keys(GIVEN.config);
  const unknown = Object.keys(definitions.config.properties).filter((name) => !known.includes(name));
  if (unknown.length > 0) fail(`scripts/types.mjs does not say what these fields of a configuration take: ${unknown}`);
  const renditions = Object.keys(definitions.item.properties.src.properties);
  return (
    HEADER +
    "import type { AnyEventName, CallName, GetterName } from './player.js';\n\n" +
    `/** A rendition. */\nexport type Rendition =${union(renditions)};\n\n` +
    '/** A playlist source object, as `src()` takes it. */\nexport interface Source {\n' +
    '  src?: string;\n  title?: string;\n  description?: string;\n  monetize?: boolean | number;\n' +
    `  name?: string;\n  image?: string;\n  source?: ${GIVEN.renditions};\n}\n\n` +
    '/** The configuration of a player or of an outstream unit. */\nexport interface Config {\n' +
    Object.entries(definitions.config.properties)
      .map(([name, it]) => `${doc(it.description, '  ')}  ${name}${name === 'id' ? '' : '?'}: ${GIVEN.config[name]};\n`)
      .join('') +
    '}\n\n' +
    '/** A video that is written out in a configuration. */\nexport interface Video {\n' +
    Object.entries(definitions.item.properties)
      .map(([name, it]) => `${doc(it.description, '  ')}  ${key(name)}?: ${it.properties ? GIVEN.renditions : name === 'ads' ? 'AdObject[]' : 'unknown'};\n`)
      .join('') +
    '}\n\n' +
    Object.entries(definitions)
      .filter(([name]) => !['config', 'item', 'value', 'event', 'call_name', 'query'].includes(name))
      .map(([name, it]) => `${doc(it.description)}export type ${title(name)} = ${written(it, '')};\n\n`)
      .join('') +
    `${doc(root.description)}export type Scenario = ${written({ ...root, type: 'object' }, '')};\n`
  );
}

const literal = (value) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value));

/** A schema as a type. */
function written(schema, indent) {
  if (schema === true) return 'unknown';
  const { $ref, enum: values, const: value, anyOf, oneOf, type, properties, items, additionalProperties } = schema;
  if ($ref) {
    const name = $ref.split('/').at(-1);
    return name === 'config' ? 'Config' : name === 'item' ? 'string | Video' : name === 'value' ? 'unknown' : title(name);
  }
  if (value !== undefined) return literal(value);
  if (values) return values.map(literal).join(' | ');
  const all = anyOf ?? oneOf;
  // What only says which fields are needed is not a type of its own.
  const isType = (it) => it.type || it.enum || it.const !== undefined || it.$ref || it.anyOf || it.properties;
  if (all && !properties && all.every(isType)) return [...new Set(all.map((it) => written(it, indent)))].join(' | ');
  if (Array.isArray(type)) return [...new Set(type.map((one) => written({ ...schema, type: one }, indent)))].join(' | ');
  if (type === 'null') return 'null';
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string') return 'string';
  if (type === 'array') {
    if (!items) return 'unknown[]';
    const item = written(items, indent);
    const isPlain = /^[\w. ]+$/.test(item);
    if (schema.minItems && schema.minItems === schema.maxItems && schema.minItems < 5) {
      return `[${Array(schema.minItems).fill(item).join(', ')}]`;
    }
    return isPlain ? `${item}[]` : `Array<${item}>`;
  }
  if (properties && schema.minProperties === 1 && schema.maxProperties === 1) {
    const one = ([name, it]) => `{ ${key(name)}: ${written(it, indent)} }`;
    return Object.entries(properties).map(one).join(' | ');
  }
  if (properties) {
    const required = schema.required ?? [];
    const field = ([name, it]) =>
      `${doc(it.description, `${indent}  `)}${indent}  ${key(name)}${required.includes(name) ? '' : '?'}: ${written(it, `${indent}  `)};\n`;
    // An index takes what the named fields take, too.
    const named = Object.values(properties).map((it) => written(it, `${indent}  `));
    const more = additionalProperties && [...new Set([written(additionalProperties, `${indent}  `), ...named])].join(' | ');
    const open = additionalProperties === false ? '' : `${indent}  [key: string]: ${more || 'unknown'} | undefined;\n`;
    return `{\n${Object.entries(properties).map(field).join('')}${open}${indent}}`;
  }
  if (additionalProperties && additionalProperties !== true) return `Record<string, ${written(additionalProperties, indent)}>`;
  if (type === 'object' && schema.required?.includes('$')) return '{ $: string }';
  return 'unknown';
}

// --- As a command.

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { load, request } = await import('./module.mjs');
  load();
  const files = generated(request({ op: 'tables' }), request({ op: 'schema' }));
  const old = Object.entries(files).filter(([name, text]) => {
    const path = new URL(name, folder);
    return !existsSync(path) || readFileSync(path, 'utf8') !== text;
  });
  if (process.argv.includes('--check')) {
    if (old.length > 0) {
      console.error(`not current: ${old.map(([name]) => name).join(', ')}; npm run types writes them`);
      process.exit(1);
    }
  } else {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of old) writeFileSync(new URL(name, folder), text);
  }
}
