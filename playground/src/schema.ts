// What can be written at a place of a scenario, from its JSON schema.

export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export interface Choice {
  label: string;
  /** One line about it. */
  about: string;
  /** The default, if it has one. */
  detail: string;
}

export class Guide {
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
  }

  /** Returns the keys, or the values, that can be written below these keys. */
  choices(path: (string | null)[], isKey: boolean): Choice[] {
    const here = this.#at(path);
    const found = new Map<string, Choice>();
    for (const schema of here) {
      if (isKey) {
        for (const [label, of] of Object.entries(schema.properties ?? {})) {
          if (label !== '$schema' && !found.has(label)) found.set(label, choice(label, of));
        }
      }
      // A key can be the first word of a list's item or of a value, too.
      const words = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])];
      if (schema.type === 'boolean') words.push(true, false);
      for (const word of isKey ? [] : words) {
        const label = String(word);
        if (word !== null && !found.has(label)) found.set(label, { label, about: schema.description ?? '', detail: '' });
      }
    }
    return [...found.values()];
  }

  /** Returns what is known about a key. */
  about(path: (string | null)[], key: string): Choice | null {
    for (const schema of this.#at(path)) {
      const of = schema.properties?.[key];
      if (of) return choice(key, of);
    }
    return null;
  }

  #at(path: (string | null)[]): Schema[] {
    let here = this.#alternatives([this.#root]);
    for (const key of path) here = this.#alternatives(here.flatMap((schema) => below(schema, key)));
    return here;
  }

  /** Follows references and alternatives. */
  #alternatives(schemas: Schema[]): Schema[] {
    const all: Schema[] = [];
    const seen = new Set<Schema>();
    const add = (schema: Schema) => {
      if (seen.has(schema)) return;
      seen.add(schema);
      all.push(schema);
      if (schema.$ref) {
        const target = this.#root.$defs?.[schema.$ref.replace('#/$defs/', '')];
        if (target) add(target);
      }
      for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) add(one);
    };
    schemas.forEach(add);
    return all;
  }
}

function below(schema: Schema, key: string | null): Schema[] {
  if (key === null) return schema.items ? [schema.items] : [];
  const own = schema.properties?.[key];
  if (own) return [own];
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}

function choice(label: string, schema: Schema): Choice {
  const detail = schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`;
  return { label, about: schema.description ?? '', detail };
}
