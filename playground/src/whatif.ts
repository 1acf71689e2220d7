// What if: sliders for the timeout, each tag's latency and the order; the answer follows while they move.
import { body, make } from './dom.js';

export interface Varied {
  timeout: string | null;
  tags: { tag: string; address: string; after: string | null }[];
}

export interface WhatIfPage {
  title: string;
  style: string;
  body: string;
}

type Ask = (what: { vary?: string[]; compare?: string[] }) => void;

/** `1.5s`, `250ms` or `2m` in milliseconds; null for anything else. */
export function millis(text: string | null): number | null {
  const found = text?.match(/^([\d.]+)(us|ms|s|m|h)$/);
  const unit = { us: 0.001, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[found?.[2] ?? 'ms'];
  return found ? Math.round(Number(found[1]) * unit!) : null;
}

const shown = (ms: number): string => (ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms} ms`);

/** Sliders are finer where values are small: half of the way is a fifth of the value. */
const LONGEST = 10_000;
const STEPS = 200;
const toValue = (place: number): number => {
  const exact = LONGEST * (place / STEPS) ** 2.3;
  const step = exact < 200 ? 5 : exact < 2000 ? 25 : 100;
  return Math.round(exact / step) * step;
};
const toPlace = (ms: number): number => Math.min(STEPS, Math.round(STEPS * (ms / LONGEST) ** (1 / 2.3)));

export class WhatIf {
  readonly #ask: Ask;
  readonly #box: HTMLElement;
  #changed = new Map<string, string>();
  #order: number[] = [];
  #over = '';
  #built = '';

  constructor(box: HTMLElement, ask: Ask) {
    this.#box = box;
    this.#ask = ask;
  }

  /** Builds the sliders for a scenario or a recording; `about` says which. The same ones stay as they are. */
  build(varied: Varied, about: string, isAnew = false): void {
    const built = JSON.stringify([varied, about]);
    if (built === this.#built && !isAnew && this.#box.childElementCount > 0) return this.#answer();
    this.#built = built;
    this.#changed.clear();
    this.#over = '';
    this.#order = varied.tags.map((_, index) => index + 1);
    const rows = [this.#slider('ad.timeout', 'timeout of a tag', varied.timeout, 'ad.timeout')];
    for (const { tag, address, after } of varied.tags) rows.push(this.#slider(`${tag}.after`, `${tag} answers after`, after, address));
    const over = make('select', { id: 'whatif-over' }, make('option', { value: '' }, 'nothing: now beside the change'),
      ...['ad.timeout', ...varied.tags.filter(({ after }) => after !== null).map(({ tag }) => `${tag}.after`)].map((name) => make('option', { value: name }, name)));
    over.addEventListener('change', () => { this.#over = over.value; this.#answer(); });
    const reset = make('button', { id: 'whatif-reset', type: 'button' }, 'As it is now');
    reset.addEventListener('click', () => {
      this.build(varied, about, true);
      this.#box.querySelector<HTMLElement>('#whatif-reset')?.focus();
    });
    this.#box.replaceChildren(
      make('p', { class: 'muted' }, about),
      make('div', {}, ...rows),
      ...(varied.tags.length > 1 ? [this.#orders(varied)] : []),
      make('p', {}, make('label', { for: 'whatif-over' }, 'Plot over '), over, ' ', reset),
      make('p', { id: 'whatif-said', role: 'status' }),
      make('div', { id: 'whatif-page' }),
    );
    this.#answer();
  }

  /** Shows the answer, or why there is none. */
  show(page: WhatIfPage | string): void {
    const said = this.#box.querySelector('#whatif-said');
    const place = this.#box.querySelector('#whatif-page');
    // The sliders may be gone: the scenario can no longer be varied.
    if (!said || !place) return;
    if (typeof page === 'string') {
      said.textContent = page;
      said.className = 'bad';
      place.replaceChildren();
      return;
    }
    // An answer that comes after a reset is to an earlier question.
    if (!this.#changed.size && !this.#isReordered() && !this.#over) return;
    // For screen readers; the page says it again.
    said.textContent = page.title;
    said.className = 'vh';
    place.innerHTML = body(page.body);
  }

  #slider(name: string, label: string, now: string | null, about: string): HTMLElement {
    const ms = millis(now);
    const id = `slide-${name}`;
    // A response that nobody knows cannot come at another time.
    const input = make('input', { id, type: 'range', min: '0', max: String(STEPS), value: String(toPlace(ms ?? 0)), disabled: ms === null, 'aria-valuetext': ms === null ? 'no response is known' : shown(ms) });
    const output = make('output', { for: id }, ms === null ? 'no response' : shown(ms));
    input.addEventListener('input', () => {
      const value = toPlace(ms ?? -1) === Number(input.value) && ms !== null ? ms : toValue(Number(input.value));
      output.textContent = shown(value);
      input.setAttribute('aria-valuetext', shown(value));
      if (ms !== null && value === ms) this.#changed.delete(name);
      else this.#changed.set(name, `${Math.max(value, name === 'ad.timeout' ? 1 : 0)}ms`);
      this.#answer();
    });
    return make('div', { class: 'slide' },
      make('span', { class: 'name' }, make('label', { for: id }, label), make('span', { class: 'was' }, ` ${[about, ms === null ? '' : `now ${shown(ms)}`].filter(Boolean).join(', ')}`)),
      input, output);
  }

  #orders(varied: Varied): HTMLElement {
    const list = make('ol', { class: 'order' });
    const fill = () => {
      list.replaceChildren(...this.#order.map((number, place) => {
        const move = (by: number) => {
          const other = place + by;
          [this.#order[place], this.#order[other]] = [this.#order[other]!, this.#order[place]!];
          fill();
          const own = list.children[other]!.querySelectorAll<HTMLButtonElement>('button');
          (own[by < 0 ? 0 : 1]!.disabled ? own[by < 0 ? 1 : 0] : own[by < 0 ? 0 : 1])?.focus();
          this.#answer();
        };
        const button = (by: number, text: string, off: boolean) => {
          const made = make('button', { type: 'button', 'aria-label': `tag${number} ${text}`, disabled: off }, by < 0 ? '↑' : '↓');
          made.addEventListener('click', () => move(by));
          return made;
        };
        return make('li', {}, button(-1, 'earlier', place === 0), ' ', button(1, 'later', place === this.#order.length - 1), ` tag${number} `, make('span', { class: 'muted' }, varied.tags[number - 1]?.address ?? ''));
      }));
    };
    fill();
    return make('details', { class: 'orders' }, make('summary', {}, 'Order of the tags'), list);
  }

  #isReordered(): boolean {
    return this.#order.some((number, place) => number !== place + 1);
  }

  /** Nothing is changed: there is no question to answer. */
  #rest(): void {
    const said = this.#box.querySelector('#whatif-said')!;
    said.textContent = 'Move a slider: the answer follows.';
    said.className = 'muted';
    this.#box.querySelector('#whatif-page')!.replaceChildren();
  }

  #answer(): void {
    const settings = [...this.#changed].map(([name, value]) => `${name}=${value}`);
    if (this.#isReordered()) settings.push(`order=${this.#order.join(',')}`);
    if (this.#over) {
      const others = settings.filter((setting) => !setting.startsWith(`${this.#over}=`));
      const range = this.#over === 'ad.timeout' ? '250ms..5s/250ms' : '0s..5s/250ms';
      this.#ask({ vary: [`${this.#over}=${range}`, ...others] });
    } else if (settings.length) this.#ask({ compare: ['base', settings.join('+')] });
    else this.#rest();
  }
}
