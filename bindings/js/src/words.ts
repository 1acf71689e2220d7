/** The known name that is most like a wrong one, if one is. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const other of known) {
    const steps = distance(lower, other.toLowerCase(), least);
    if (steps < least) [best, least] = [other, steps];
  }
  return best;
}

function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) >= most) return most;
  let above = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let place = 1; place <= other.length; place++) {
      const same = one[row - 1] === other[place - 1] ? 0 : 1;
      line.push(Math.min(above[place]! + 1, line[place - 1]! + 1, above[place - 1]! + same));
    }
    above = line;
  }
  return above[other.length]!;
}
