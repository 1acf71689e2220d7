// Values of page code on their way to the engine and back. JSON lacks some of them: `{ "$": "NaN" }`.

/** Gives the name of a function of the page. */
export type Names = (fn: Function) => string;
/** Gives the function of a name, or makes one. */
export type Functions = (name: string) => Function;

const DEEPEST = 64;
const LONE = /\p{Surrogate}/gu;

/** The JSON of a value, as the engine reads it. */
export function encode(value: unknown, names: Names, where: string): unknown {
  return inner(value, names, where, []);
}

function inner(value: unknown, names: Names, where: string, above: object[]): unknown {
  switch (typeof value) {
    case 'string':
      // Half a character is none, in JSON as in a page's markup.
      return value.replace(LONE, '\ufffd');
    case 'boolean':
      return value;
    case 'number':
      if (Number.isNaN(value)) return { $: 'NaN' };
      if (value === Infinity) return { $: 'Infinity' };
      if (value === -Infinity) return { $: '-Infinity' };
      return value;
    case 'undefined':
      return { $: 'undefined' };
    case 'function':
      return { $: ['function', names(value)] };
    case 'bigint':
    case 'symbol':
      throw new TypeError(`${where}: a ${typeof value} cannot be given to the player`);
    default:
  }
  if (value === null) return null;
  const object = value as object;
  if (above.includes(object)) throw new TypeError(`${where}: the object contains itself, and cannot be given to the player`);
  if (above.length >= DEEPEST) throw new TypeError(`${where}: the object is nested more than ${DEEPEST} levels deep`);
  const within = [...above, object];
  if (Array.isArray(object)) return Array.from(object, (item) => inner(item, names, where, within));
  if (object instanceof String || object instanceof Number || object instanceof Boolean) return object.valueOf();
  if (typeof (object as { toJSON?: unknown }).toJSON === 'function') {
    return inner((object as { toJSON: () => unknown }).toJSON(), names, where, within);
  }
  const fields: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(object)) {
    if (key === '$') {
      throw new TypeError(`${where}: an object with the key "$" cannot be given to the player, because scenarios use it for special values`);
    }
    if (key === '__proto__') throw new TypeError(`${where}: an object with the key "__proto__" cannot be given to the player`);
    fields[key] = inner(item, names, where, within);
  }
  return fields;
}

/** A value of the engine, as page code sees it. */
export function decode(value: unknown, functions: Functions): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => decode(item, functions));
  const special = (value as { $?: unknown }).$;
  if (special !== undefined) {
    switch (special) {
      case 'NaN':
        return NaN;
      case 'Infinity':
        return Infinity;
      case '-Infinity':
        return -Infinity;
      case 'undefined':
        return undefined;
      default:
        return Array.isArray(special) && special[0] === 'function' ? functions(String(special[1])) : value;
    }
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item, functions)]));
}
