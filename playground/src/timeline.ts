// The time line: the state of the run at the instant of the handle.
import { byId, make, seconds } from './dom.js';

interface PlayerState {
  container: string;
  element: boolean;
  state: string;
  break: { kind: string; number: number; since: number; asked: number | null; filled: boolean } | null;
  values: [string, unknown][];
  listeners: [string, string[]][];
}

export interface State {
  at: number;
  next: number | null;
  last: number;
  players: PlayerState[];
  requests: { line: number; player: string; url: string; purpose: string; since: number; status: string }[];
}

/** The getters that people look for first. */
const FIRST = ['currentTime', 'duration', 'paused', 'volume', 'muted', 'currentIndex', 'getAdInProgress', 'adDuration', 'adRemainingTime'];

const isUndefined = (value: unknown): boolean => value !== null && typeof value === 'object' && (value as { $?: unknown }).$ === 'undefined';

/** A value in a line; long ones are cut. */
function word(value: unknown): string {
  const text = value !== null && typeof value === 'object' && '$' in value ? String((value as { $: unknown }).$) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

export class TimeLine {
  readonly #slider = byId<HTMLInputElement>('instant');
  readonly #ticks = byId('ticks') as unknown as SVGSVGElement;
  readonly #state = byId('state');
  readonly #at = byId('at');
  #end = 0;
  #isAsked = false;
  #times: number[] = [];

  /** `ask` is called with the instant in microseconds, whenever it changes. */
  constructor(ask: (at: number) => void) {
    this.#slider.addEventListener('input', () => { this.#isAsked = true; ask(this.at); });
    // From event to event, as a debugger steps.
    this.#slider.addEventListener('keydown', (event) => {
      const forward = event.key === 'PageUp';
      if (!forward && event.key !== 'PageDown') return;
      event.preventDefault();
      const next = forward ? this.#times.find((time) => time > this.at) : this.#times.findLast((time) => time < this.at);
      if (next === undefined) return;
      this.#isAsked = true;
      this.#slider.value = String(next);
      ask(this.at);
    });
  }

  get at(): number {
    return Number(this.#slider.value);
  }

  /** Shows a run: its end, and the instants of its events. */
  show(end: number, events: [number, string][]): void {
    this.#end = end;
    this.#times = [...new Set(events.map(([at]) => at))];
    this.#slider.max = String(Math.max(end, 1));
    // A step of a thousandth of the run for arrow keys; the mouse stops anywhere.
    this.#slider.step = 'any';
    this.#ticks.setAttribute('viewBox', '0 0 1000 12');
    const x = (at: number) => (end > 0 ? (at / end) * 1000 : 0).toFixed(1);
    const kind = (name: string) => (/error|fail/i.test(name) ? 'bad' : /^ad/i.test(name) ? 'ad' : 'event');
    this.#ticks.innerHTML = events.map(([at, name]) => `<line class="${kind(name)}" x1="${x(at)}" x2="${x(at)}" y1="0" y2="10"/>`).join('');
  }

  /** Shows the state at the instant, once somebody has asked for one. */
  say(state: State): void {
    this.#state.hidden = !this.#isAsked;
    const at = seconds(state.at);
    this.#at.textContent = at;
    this.#slider.setAttribute('aria-valuetext', at);
    const players = state.players.map((player) => this.#player(player, state.at));
    const requests = state.requests.map((request) =>
      make('div', {}, make('dt', {}, request.status), make('dd', {}, `${request.url} (${request.purpose}), for ${seconds(state.at - request.since)}, line ${request.line}`)),
    );
    this.#state.replaceChildren(
      ...players,
      make('h3', {}, requests.length ? 'Requests without a response' : 'No request is open'),
      ...(requests.length ? [make('dl', { class: 'open' }, ...requests)] : []),
      make('p', { class: 'muted' }, state.next === null ? `Nothing more is due; the run ends at ${seconds(this.#end)}.` : `Next at ${seconds(state.next)}; last line ${state.last}.`),
    );
  }

  #player(player: PlayerState, at: number): HTMLElement {
    const { break: ad } = player;
    // A player has no properties of a bare element.
    const known = player.values.filter(([, value]) => !isUndefined(value));
    const values = new Map(known);
    const rest = known.filter(([name]) => !FIRST.includes(name));
    const shown = [...FIRST.filter((name) => values.has(name)).map((name) => [name, values.get(name)] as [string, unknown]), ...rest];
    const facts = shown.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, word(value))));
    const asked = ad && ad.asked !== null ? `, tag ${ad.asked + 1} asked` : '';
    const inBreak = ad ? `; in the ${ad.kind}-roll break ${ad.number} for ${seconds(at - ad.since)}${asked}${ad.filled ? ', filled' : ''}` : '; no ad break';
    const listeners = player.listeners.map(([event, names]) => `${event}: ${names.map((name) => name || 'a function without a name').join(', ')}`);
    return make('div', {},
      make('h3', {}, `${player.element ? 'element' : 'player'} ${player.container}: ${player.state}${inBreak}`),
      make('dl', {}, ...facts),
      make('p', { class: 'muted' }, listeners.length ? `Listeners: ${listeners.join('; ')}.` : 'No listener is bound.'),
    );
  }
}
