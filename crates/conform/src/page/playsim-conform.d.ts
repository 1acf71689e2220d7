// Types of adapters and of recordings. An adapter in JavaScript uses them with
//
//   // @ts-check
//   /// <reference path="playsim-conform.d.ts" />

declare namespace Playsim {
  /** How a page drives a player. */
  interface Adapter {
    /** The player: the folder of its recordings, the column of the report. One word of letters, digits and - _ . + @ */
    name: string;
    /** A version, or the versions of all packages. */
    version?(): string | Record<string, string> | undefined;
    /** What the player does not have; cases that need it are not shown. */
    lacks?: Feature[];
    /** What the adapter decides instead of the player: it says nothing about the player, and the report marks it. */
    decides?: string[];
    /** Documented events that are passed on with `event()`. */
    hears?: ('event' | `event:${string}`)[];
    /** Makes the player in `box`, and does not play yet. */
    start(given: Given): Controls | Promise<Controls>;
  }

  type Feature = 'ads' | 'pre' | 'mid' | 'post' | 'overlay' | 'waterfall' | 'vmap' | 'playlist' | (string & {});

  interface Given {
    /** An element of 640 by 360 pixels. */
    box: HTMLElement;
    /** The playlist. */
    films: Film[];
    /** One entry for each cue point. */
    ads: AdBreak[];
    /** Whether to start muted. Where it is false, a person has pressed a button of the page before. */
    muted: boolean;
    /** The scenario, for what is not above. */
    scenario: any;
    /** Writes an event of the player under its own name: for readers, not compared. */
    native(name: string, data?: object): void;
    /** Writes a documented event, such as `adStart`: these are compared. */
    event(name: string, data?: object): void;
    sleep(ms: number): Promise<void>;
  }

  interface Film {
    src: string;
    seconds: number | null;
  }

  interface AdBreak {
    kind: 'pre' | 'mid' | 'post' | 'overlay';
    /** Where a mid-roll or an overlay is. */
    at: { seconds: number; percent?: undefined } | { percent: number; seconds?: undefined } | null;
    /** How long an overlay stays, in seconds. */
    lasts: number | null;
    /** A waterfall: the first tag that has an ad is used. */
    tags: string[];
  }

  /**
   * What a step calls: a function; the selector of what a person presses; or a key that a person presses, on the element that
   * `on` selects.
   */
  type Control = ((...given: any[]) => unknown) | string | { key: string; on?: string };

  interface Controls {
    /** Called once, at the start. */
    play(): unknown;
    /** Default: `play`. */
    resume?: Control;
    pause?: Control;
    seek?: ((seconds: number) => unknown) | string;
    mute?: Control;
    unmute?: Control;
    skip?: Control;
    click?: Control;
    /** Any call of the documented API, such as `next` or `playAd`. */
    [call: string]: Control | undefined;
  }

  /** The recorder, which works on any page. */
  interface Recorder {
    /** The lines so far, without the head. */
    lines(): Line[];
    /** The recording as JSON lines; `head` completes its first line. */
    toJSONL(head?: Partial<Head>): string;
    /** Downloads the recording. */
    save(name?: string): void;
    /** What it hears. */
    hears: string[];
    /** Calls `listener` with each line to come. */
    on(listener: (line: Line) => void): void;
    /** Writes a remark. */
    note(text: string): void;
    /** Microseconds since the recorder started. */
    now(): number;
    call(name: string, args?: unknown[]): void;
    user(name: string, args?: unknown[]): void;
    event(name: string, data?: object): void;
    native(name: string, data?: object): void;
  }

  /** The data of a recording's first line, whose kind is `header` and whose name is `recording`. */
  interface Head {
    version: 1;
    player?: string;
    versions?: Record<string, string>;
    browser?: string;
    case?: string;
    scenario?: string;
    hears?: string[];
    adapter?: { name: string; decides: string[] };
    /** Why the player cannot show the case. */
    cannot?: string;
    /** What kept the case from being played as it is written. */
    problems?: string[];
  }

  /** A line of a recording. `t` is in microseconds since the recorder started. */
  type Line =
    | LineOf<'header', 'recording', Head>
    | LineOf<'net', 'request', { url: string; via: Via }>
    | LineOf<'net', 'response', { url: string; status: number; text?: string }>
    | LineOf<'net', 'failed', { url: string; text: string }>
    | LineOf<'ui', 'shown' | 'gone', { src: string }>
    | LineOf<'ui', 'navigate', { url: string }>
    | LineOf<'media', string, { src: string; position: number; code?: number }>
    | LineOf<'diag', 'note' | 'uncaught', { text: string }>
    | LineOf<'diag', 'console', { level: 'warn' | 'error'; text: string }>
    | LineOf<'call' | 'user', string, { args: unknown[] } | undefined>
    | LineOf<'event' | 'native', string, object | undefined>
    | LineOf<'page', 'visible' | 'hidden', undefined>;

  interface LineOf<Kind extends string, Name extends string, Data> {
    t: number;
    kind: Kind;
    name: Name;
    data?: Data;
  }

  type Via = 'image' | 'media' | 'script' | 'frame' | 'fetch' | 'xhr' | 'beacon';
}

declare const playsim: {
  /** Says how to drive a player. */
  adapter(adapter: Playsim.Adapter): void;
  recorder: Playsim.Recorder;
  /** The case that is played. */
  case?: any;
  /** The versions of the packages in a bundled library. */
  versions?: Record<string, string>;
};
