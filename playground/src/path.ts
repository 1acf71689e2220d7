// Where a position in a scenario's YAML is: the keys above it. The text need not be complete.

export interface Place {
  /** The keys from the top; null stands for an item of a list. */
  path: (string | null)[];
  /** The word before the position, and where it begins. */
  word: string;
  from: number;
  /** Whether a key is expected here and not a value. */
  isKey: boolean;
}

interface Level {
  /** The column of a block; a bracket for a flow collection. */
  at: number | '{' | '[';
  /** The key whose value this is in, or null in a list. */
  key: string | null;
}

/** Reads the text up to a position. */
export function placeAt(text: string, position: number): Place {
  const levels: Level[] = [];
  let flow = 0;
  /** A word that may be a key, with its column in the line. */
  let word = '';
  let from = position;
  let isValue = false;
  const lineStart = (at: number) => text.lastIndexOf('\n', at - 1) + 1;
  let at = 0;
  while (at < position) {
    const start = at;
    const letter = text[at]!;
    const column = at - lineStart(at);
    if (letter === '\n') {
      at += 1;
      word = '';
      from = at;
      if (flow === 0) isValue = false;
      continue;
    }
    if (letter === ' ' || letter === '\r' || letter === '\t') {
      at += 1;
      if (word === '') from = at;
      continue;
    }
    if (letter === '#' && (at === 0 || /\s/.test(text[at - 1]!))) {
      const end = text.indexOf('\n', at);
      if (end < 0 || end >= position) return { path: [], word: '', from: position, isKey: false };
      at = end;
      continue;
    }
    if (flow === 0 && word === '' && !isValue) {
      while (levels.length && (levels.at(-1)!.at as number) >= column + (letter === '-' ? 1 : 0)) levels.pop();
      if (letter === '-' && /\s/.test(text[at + 1] ?? '\n')) {
        while (levels.length && levels.at(-1)!.key === null && (levels.at(-1)!.at as number) >= column) levels.pop();
        levels.push({ at: column, key: null });
        at += 1;
        from = at;
        continue;
      }
    }
    if (letter === '{' || letter === '[') {
      flow += 1;
      levels.push({ at: letter, key: null });
      at += 1;
      from = at;
      word = '';
      isValue = letter === '[';
      continue;
    }
    if (flow > 0 && (letter === '}' || letter === ']' || letter === ',')) {
      const opens = letter === '}' ? '{' : '[';
      // The key whose value has ended.
      while (levels.length && typeof levels.at(-1)!.at === 'number') levels.pop();
      if (letter !== ',') {
        if (levels.at(-1)?.at === opens) levels.pop();
        flow -= 1;
      }
      at += 1;
      from = at;
      word = '';
      const around = levels.findLast((level) => typeof level.at !== 'number')?.at;
      isValue = flow === 0 || around === '[';
      if (letter !== ',') isValue = true;
      continue;
    }
    // A scalar, up to what ends it.
    let end = at;
    if (letter === '"' || letter === "'") {
      end = text.indexOf(letter, at + 1);
      end = end < 0 ? text.length : end + 1;
    } else {
      const ends = flow > 0 ? /[\n,{}[\]]|:(?=\s|$)|\s#/ : /\n|:(?=\s|$)|\s#/;
      const rest = text.slice(at);
      const found = rest.slice(1).search(ends);
      end = found < 0 ? text.length : at + 1 + found;
    }
    if (end >= position && !(end === position && text[end] === ':' && false)) {
      word = text.slice(at, position);
      from = at;
      break;
    }
    word = text.slice(at, end).trim().replace(/^["']|["']$/g, '');
    from = at;
    at = end;
    if (text[at] === ':' && !isValue) {
      // A key: what follows is its value.
      levels.push({ at: flow > 0 ? -1 : start - lineStart(start), key: word });
      at += 1;
      from = at;
      word = '';
      isValue = true;
    } else {
      word = '';
      if (flow === 0) isValue = true;
    }
  }
  // An empty line: its indentation says where it is.
  if (flow === 0 && word === '' && !isValue) {
    const column = position - lineStart(position);
    while (levels.length && (levels.at(-1)!.at as number) >= column) levels.pop();
  }
  if (flow === 0 && word !== '' && !isValue) {
    const column = from - lineStart(from);
    while (levels.length && (levels.at(-1)!.at as number) >= column) levels.pop();
  }
  const path: (string | null)[] = [];
  for (const { at: where, key } of levels) {
    if (key !== null) path.push(key);
    else if (where !== '{') path.push(null);
  }
  return { path, word, from: word === '' ? position : from, isKey: !isValue };
}
