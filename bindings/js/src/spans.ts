/** A length of time: milliseconds, or a text with a unit such as `'1.5s'`, `'250ms'`, `'2m'`. */
export type Span = number | string;

const UNITS: Record<string, number> = { us: 1, ms: 1e3, s: 1e6, m: 60e6, min: 60e6, h: 3600e6 };

/** A length of time in microseconds. */
export function micros(span: Span, what: string): number {
  let given = NaN;
  if (typeof span === 'number') given = Math.round(span * 1000);
  else if (typeof span === 'string') {
    const [, number, unit] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/.exec(span) ?? [];
    given = Math.round(Number(number) * (UNITS[unit ?? ''] ?? NaN));
  }
  if (!Number.isFinite(given) || given < 0) {
    const shown = typeof span === 'string' ? `"${span}"` : String(span);
    throw new TypeError(`${what}: ${shown} is not a length of time; write milliseconds like 1500, or '1.5s', '250ms', '2m'`);
  }
  return given;
}

/** Microseconds as people read them: `1.5 s`. */
export const shown = (time: number): string => `${Number((time / 1e6).toFixed(6))} s`;
