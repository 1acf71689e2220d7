// Small helpers for elements.
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

type Child = Node | string | null;

/** Makes an element; attributes that are false or null are left out. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Record<string, string | boolean | null> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A time in seconds with three places. */
export const seconds = (micros: number): string => `${(micros / 1e6).toFixed(3)} s`;

/** A size for people. */
export function size(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The body of a report as a part of this page, which has a main element already. */
export const body = (html: string): string => html.replace('<main>', '<div class="main">').replace('</main>', '</div>');
