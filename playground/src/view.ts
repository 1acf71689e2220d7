// A report on the screen: a page without its frame, and what the script of a written page would do.
import { body, byId, make } from './dom.js';

export interface Page { title: string; style: string; body: string }

export class View {
  readonly #box = byId('view');

  /** Shows a page. What the reader has opened and typed stays, where the new page has the same places. */
  show(page: Page): void {
    dress(page.style);
    const before = this.#reading();
    this.#box.innerHTML = body(page.body);
    this.#wire();
    this.#resume(before);
  }

  /** Shows something else than a page. */
  replace(...children: Node[]): void {
    this.#box.replaceChildren(...children);
  }

  clear(): void {
    this.#box.replaceChildren();
  }

  #find(): HTMLInputElement | null {
    return this.#box.querySelector<HTMLInputElement>('#find');
  }

  #reading(): { words: string; opened: Set<string>; unchecked: Set<string> } {
    const opened = [...this.#box.querySelectorAll<HTMLDetailsElement>('details[open]')].map(nameOf);
    const checks = [...this.#box.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
    return { words: this.#find()?.value ?? '', opened: new Set(opened), unchecked: new Set(checks.filter((it) => it.checked !== it.defaultChecked).map((it) => it.id)) };
  }

  #resume({ words, opened, unchecked }: { words: string; opened: Set<string>; unchecked: Set<string> }): void {
    for (const details of this.#box.querySelectorAll('details')) if (opened.has(nameOf(details))) details.open = true;
    for (const id of unchecked) {
      const check = id ? (this.#box.querySelector(`#${CSS.escape(id)}`) as HTMLInputElement | null) : null;
      if (check) check.checked = !check.defaultChecked;
    }
    const find = this.#find();
    if (!find || !words) return;
    find.value = words;
    find.dispatchEvent(new Event('input'));
  }

  #wire(): void {
    const find = this.#find();
    const rows = [...this.#box.querySelectorAll<HTMLTableRowElement>('.tr tbody tr')];
    find?.addEventListener('input', () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const row of rows) {
        row.hidden = !words.every((word) => row.textContent!.toLowerCase().includes(word));
        count += row.hidden ? 0 : 1;
      }
      this.#box.querySelector('#told')!.textContent = words.length ? `${count} of ${rows.length} lines` : '';
    });
    // The number of a line is a button: it explains the line.
    for (const row of rows) {
      const cell = row.querySelector('.seq');
      if (!cell || !/^s\d+$/.test(row.id)) continue;
      const button = make('button', { type: 'button', class: 'why-button', 'aria-label': `Why line ${row.id.slice(1)}` }, cell.textContent);
      cell.replaceChildren(button);
    }
  }
}

/** A folded part by the line or section it is in and its order there. */
function nameOf(details: HTMLDetailsElement): string {
  const around = details.parentElement?.closest('[id]') ?? null;
  const siblings = around ? [...around.querySelectorAll('details')] : [];
  return `${around?.id ?? ''}/${siblings.indexOf(details)}`;
}

/** Puts the style of a report in force. Its rules for narrow screens are about the pane here. */
export function dress(style: string): void {
  const own = style.replaceAll('@media (max-width', '@container (max-width').replaceAll('@media (min-width', '@container (min-width');
  const place = byId('page');
  if (place.textContent !== own) place.textContent = own;
}
