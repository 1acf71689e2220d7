// A bare media element, as far as its playback goes: the attributes and events of HTMLMediaElement.
import type { Core, Unit } from './core.js';
import { exception } from './core.js';
import { SimError } from './errors.js';
import { EVENTS, MEDIA_EVENTS } from './generated/names.js';
import type { MediaErrorLike } from './generated/player.js';

/** The attributes of an element in the page's markup. */
export interface ElementAttributes {
  src?: string;
  /** Default: `metadata`. */
  preload?: 'none' | 'metadata' | 'auto';
  autoplay?: boolean;
  loop?: boolean;
  muted?: boolean;
}

/** The events that a media element fires. */
export type ElementEventName =
  | 'loadstart' | 'suspend' | 'abort' | 'error' | 'emptied' | 'stalled' | 'durationchange' | 'resize' | 'loadeddata'
  | 'canplay' | 'canplaythrough' | 'playing' | 'waiting' | 'seeking' | 'ratechange' | 'loadedmetadata' | 'progress'
  | 'timeupdate' | 'play' | 'pause' | 'ended' | 'seeked' | 'volumechange';

export interface ElementEvent<Name extends string = string> {
  readonly type: Name;
  readonly target: MediaElement;
  readonly currentTarget: MediaElement;
  /** In milliseconds. */
  readonly timeStamp: number;
}

export type ElementListener<Name extends string = string> =
  | ((this: MediaElement, event: ElementEvent<Name>) => void)
  | { handleEvent(event: ElementEvent<Name>): void };

export interface ListenOptions {
  once?: boolean;
  /** Events of media do not bubble: it makes no difference, except that it tells listeners apart. */
  capture?: boolean;
  passive?: boolean;
  signal?: AbortSignal;
}

type Handlers = { [Name in ElementEventName as `on${Name}`]: ((this: MediaElement, event: ElementEvent<Name>) => void) | null };

interface Bound {
  type: string;
  listener: ElementListener;
  capture: boolean;
  run: Function;
}

/** A `<video>` as page code has it. */
export interface MediaElement extends Handlers {}

const NOTHING = 0, METADATA = 1, CURRENT_DATA = 2, FUTURE_DATA = 3, ENOUGH_DATA = 4;

export class MediaElement implements Unit {
  static readonly HAVE_NOTHING = NOTHING;
  static readonly HAVE_METADATA = METADATA;
  static readonly HAVE_CURRENT_DATA = CURRENT_DATA;
  static readonly HAVE_FUTURE_DATA = FUTURE_DATA;
  static readonly HAVE_ENOUGH_DATA = ENOUGH_DATA;
  static readonly NETWORK_EMPTY = 0;
  static readonly NETWORK_IDLE = 1;
  static readonly NETWORK_LOADING = 2;
  static readonly NETWORK_NO_SOURCE = 3;

  readonly #core: Core;
  readonly #attributes: ElementAttributes;
  readonly #bound: Bound[] = [];
  readonly #handlers = new Map<string, Function | null>();
  /** @internal */
  readonly container: string;
  /** @internal */
  readonly index: number;

  /** @internal */
  constructor(core: Core, container: string, index: number, attributes: ElementAttributes) {
    this.#core = core;
    this.#attributes = { ...attributes };
    this.container = container;
    this.index = index;
  }

  get id(): string { return this.container; }

  /** Starts or resumes. The promise is resolved when playback begins, and rejected by what prevents that. */
  play(): Promise<void> {
    return this.#core.promise(this, this.#call('play', [])) as Promise<void>;
  }

  pause(): void { this.#call('pause', []); }

  /** Loads the source anew. */
  load(): void { this.#call('load', []); }

  /** The position in seconds. */
  get currentTime(): number { return this.#query('currentTime') as number; }
  set currentTime(seconds: number) { this.#call('currentTime', [seconds]); }

  /** In seconds; NaN before metadata, Infinity of a live stream. */
  get duration(): number { return this.#query('duration') as number; }

  /** From 0 to 1. */
  get volume(): number { return this.#query('volume') as number; }
  set volume(volume: number) { this.#call('volume', [volume]); }

  get muted(): boolean { return this.#query('muted') as boolean; }
  set muted(muted: boolean) { this.#call('muted', [muted]); }

  get loop(): boolean { return this.#query('loop') as boolean; }
  set loop(loop: boolean) { this.#call('loop', [loop]); }

  get playbackRate(): number { return this.#query('playbackRate') as number; }
  set playbackRate(rate: number) { this.#call('playbackRate', [rate]); }

  get src(): string { return this.#query('src') as string; }
  set src(url: string) { this.#call('src', [url]); }

  get currentSrc(): string { return this.#query('currentSrc') as string; }
  get paused(): boolean { return this.#query('paused') as boolean; }
  get ended(): boolean { return this.#query('ended') as boolean; }
  get seeking(): boolean { return this.#query('seeking') as boolean; }
  /** How much has loaded, from 0 to 4. */
  get readyState(): number { return this.#query('readyState') as number; }
  /** From 0 to 3. */
  get networkState(): number { return this.#query('networkState') as number; }
  get error(): MediaErrorLike | null { return this.#query('error') as MediaErrorLike | null; }

  /** As given in the markup; it cannot be changed here. */
  get preload(): 'none' | 'metadata' | 'auto' { return this.#attributes.preload ?? 'metadata'; }
  /** As given in the markup; it cannot be changed here. */
  get autoplay(): boolean { return this.#attributes.autoplay ?? false; }

  addEventListener<Name extends ElementEventName>(type: Name, listener: ElementListener<Name> | null, options?: boolean | ListenOptions): void {
    const { once = false, capture = false, signal } = typeof options === 'boolean' ? { capture: options } : (options ?? {}) as ListenOptions;
    if (listener === null || signal?.aborted) return;
    if (typeof listener !== 'function' && typeof listener !== 'object') {
      throw new TypeError('addEventListener: the listener must be a function or an object with handleEvent');
    }
    const given = listener as ElementListener;
    // The same listener is added only once.
    if (this.#bound.some((it) => it.type === type && it.listener === given && it.capture === capture)) return;
    // The engine binds a function once for each event, as an element does; with capture it is another listener.
    const isBound = this.#bound.some((it) => it.type === type && it.run === given);
    const run: Function =
      typeof given === 'function' && !once && !isBound
        ? given
        : this.#wrapped(given, () => { if (once) this.#forget(type, given, capture); });
    this.#bound.push({ type, listener: given, capture, run });
    this.#call(once ? 'once' : 'on', [type, run]);
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener, { capture }), { once: true });
  }

  removeEventListener<Name extends ElementEventName>(type: Name, listener: ElementListener<Name> | null, options?: boolean | ListenOptions): void {
    const capture = typeof options === 'boolean' ? options : options?.capture ?? false;
    const bound = this.#forget(type, listener as ElementListener, capture);
    if (bound) this.#call('off', [type, bound.run]);
  }

  #forget(type: string, listener: ElementListener, capture: boolean): Bound | undefined {
    const place = this.#bound.findIndex((it) => it.type === type && it.listener === listener && it.capture === capture);
    return place < 0 ? undefined : this.#bound.splice(place, 1)[0];
  }

  #wrapped(listener: ElementListener, before: () => void): Function {
    const element = this;
    const run = (event: ElementEvent) => {
      before();
      if (typeof listener === 'function') listener.call(element, event);
      else listener.handleEvent(event);
    };
    const name = typeof listener === 'function' ? listener.name : 'handleEvent';
    return Object.defineProperty(run, 'name', { value: name });
  }

  /** @internal */
  static handler(element: MediaElement, type: string): Function | null {
    return element.#handlers.get(type) ?? null;
  }

  /** @internal An `onplay = fn`: it keeps the place among the listeners that its first function had. */
  static handle(element: MediaElement, type: string, handler: unknown): void {
    const isNew = !element.#handlers.has(type);
    element.#handlers.set(type, typeof handler === 'function' ? handler : null);
    if (!isNew || typeof handler !== 'function') return;
    const run = (event: ElementEvent) => element.#handlers.get(type)?.call(element, event);
    element.#call('on', [type, Object.defineProperty(run, 'name', { value: `on${type}` })]);
  }

  #call(name: string, args: unknown[]): unknown {
    try {
      return this.#core.call(this.container, name, args);
    } catch (error) {
      const thrown = error instanceof SimError && error.code;
      if (thrown === 'TypeError' || thrown === 'IndexSizeError' || thrown === 'NotSupportedError') {
        throw exception((error as SimError).message, thrown);
      }
      throw error;
    }
  }

  #query(name: string): unknown {
    return this.#core.query(this.container, name);
  }

  /** @internal */
  event(type: string, _data: unknown, at: number): ElementEvent {
    return { type, target: this, currentTarget: this, timeStamp: at / 1000 };
  }
}

for (const type of [...EVENTS, ...MEDIA_EVENTS]) {
  Object.defineProperty(MediaElement.prototype, `on${type}`, {
    get(this: MediaElement) { return MediaElement.handler(this, type); },
    set(this: MediaElement, handler: unknown) { MediaElement.handle(this, type, handler); },
    configurable: true,
  });
}
