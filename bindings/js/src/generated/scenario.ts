// Written by scripts/types.mjs from the tables of the module. Do not edit.

import type { AnyEventName, CallName, GetterName } from './player.js';

/** A rendition. */
export type Rendition =
  | 'fhd'
  | 'hd'
  | 'hsd'
  | 'ld'
  | 'sd';

/** A playlist source object, as `src()` takes it. */
export interface Source {
  src?: string;
  title?: string;
  description?: string;
  monetize?: boolean | number;
  name?: string;
  image?: string;
  source?: string | Partial<Record<Rendition, string>>;
}

/** The configuration of a player or of an outstream unit. */
export interface Config {
  /** Ad objects, added at player level. */
  ads?: AdObject[];
  /** Whether it plays as soon as it is ready. */
  autoplay?: boolean;
  /** Its height, written as the width is. */
  height?: string | number;
  /** The player's id. */
  id: string;
  /** Whether it starts muted. */
  muted?: boolean;
  /** Several videos: a list of ids and videos, or the URL of a playlist file. */
  playlist?: Array<string | Video> | string;
  /** The URL of a picture to use instead of the videos' own. */
  poster?: string;
  /** A title to use instead of the name of the single video. */
  title?: string;
  video?: string | Video;
  /** Its width: 640, "640", "50%", or a share of the height like "16x9". */
  width?: string | number;
}

/** A video that is written out in a configuration. */
export interface Video {
  /** Ad objects at video level. */
  ads?: AdObject[];
  /** Its audience: 1 everyone, 2 from 17, 3 from 18. */
  age_gate_id?: unknown;
  /** The channel that it belongs to. */
  channel_id?: unknown;
  /** Chapters: times and titles. */
  chapters?: unknown;
  /** The page that a click on it opens. */
  clickthroughURL?: unknown;
  /** Custom targeting parameters: keys and their values; a key may occur more than once. */
  custom_params?: unknown;
  /** Its description. It has no effect. */
  description?: unknown;
  /** The countries, as two letters each. */
  geo?: unknown;
  /** Whether it is only for the countries of `geo`. */
  geo_on?: unknown;
  /** Its id. */
  id?: unknown;
  /** The URL of its picture. */
  image?: unknown;
  /** The first day it is no longer published; all zeros: it stays. */
  kill_date?: unknown;
  /** 0: no ads are shown with it. */
  monetize?: unknown;
  /** Its name: the player's title. */
  name?: unknown;
  /** Whether it is a complete episode, as a string. */
  ns_st_ce?: unknown;
  /** Digital air date. */
  ns_st_ddt?: unknown;
  /** Episode number. */
  ns_st_en?: unknown;
  /** Genre. */
  ns_st_ge?: unknown;
  /** Publisher brand. */
  ns_st_pu?: unknown;
  /** Season number. */
  ns_st_sn?: unknown;
  /** Station title. */
  ns_st_st?: unknown;
  /** TV air date. */
  ns_st_tdt?: unknown;
  /** Whether users made it, as a string. */
  ns_user_gen?: unknown;
  /** The account that owns it. */
  partner_id?: unknown;
  /** Tracking pixels, by their keys. */
  pixels?: unknown;
  /** The first day it is published. */
  publish?: unknown;
  /** 1 excludes it from playlists. */
  rejected?: unknown;
  /** What it plays: a media URL, or media URLs by rendition. */
  source?: string | Partial<Record<Rendition, string>>;
  /** What it plays: a media URL, or media URLs by rendition. */
  src?: string | Partial<Record<Rendition, string>>;
  /** Its tags, separated by commas. */
  tags?: unknown;
  /** Its title. */
  title?: unknown;
}

/** An ad object, as page code would write it. */
export type AdObject = {
  /** Another name for `mobile`. */
  adTagUrl?: string | string[] | null | { $: string };
  /** The unit of the times: `s` or `%`. */
  adTimeType?: 's' | '%' | null | { $: string };
  /** 0 for pre-roll, 1 mid-roll, 2 post-roll, 3 overlay. */
  adType: 0 | 1 | 2 | 3;
  /** When the mid-roll starts. */
  cuepoints?: number | string | Array<number | string> | null | { $: string };
  /** Ad tags for desktops. */
  desktop?: string[] | null | { $: string };
  /** Ad tags; used on mobile devices only if `desktop` has tags. */
  mobile?: string[] | null | { $: string };
  /** How long the overlay is shown. */
  overlayDuration?: number | string | null | { $: string };
  /** When the overlay starts. */
  overlayStartAt?: number | string | null | { $: string };
  /** The pod of the break that the ad belongs to. */
  pod?: number | null | { $: string };
};

/** The response of a URL. */
export type Answer = {
  /** How long it takes. */
  after?: Length;
  /** There is no response. */
  fails?: 'timeout' | 'refused' | 'reset' | 'truncated' | 'too-many-redirects' | 'cors' | 'blocked';
  /** A file with the body, in or below the scenario's folder. */
  file?: string | number;
  /** The URL to request instead. */
  redirect?: string | number;
  /** The HTTP status. Default of a redirect: 302. */
  status?: number;
  /** The body itself. */
  text?: string | number;
  /** The MIME type that the body states. Default: what the ending of its file or URL, or else its beginning says. */
  type?: string | number;
} | null;

/** A call: a bare word, or `{ name: arguments }`. The bare word of what is no call reads it. */
export type CallStep = 'GoogleAnalytics.fireCustom' | 'adDuration' | 'adRemainingTime' | 'add' | 'addOnce' | 'changeSkin' | 'currentChapter' | 'currentIndex' | 'currentSrc' | 'currentTime' | 'destroy' | 'duration' | 'ended' | 'error' | 'getAdInProgress' | 'getTags' | 'getTitle' | 'isFullScreen' | 'isHD' | 'isPlayerInView' | 'isReady' | 'load' | 'loadPlaylist' | 'loop' | 'muted' | 'networkState' | 'next' | 'off' | 'on' | 'once' | 'pause' | 'paused' | 'play' | 'playAd' | 'playByIndex' | 'playbackRate' | 'playlistLength' | 'previous' | 'pushAds' | 'readyState' | 'remove' | 'resize' | 'seeking' | 'setAd' | 'setHD' | 'setVideoSource' | 'src' | 'stop' | 'toggleFullScreen' | 'values.lastVASTXML' | 'volume' | {
  /** A list of arguments, or the only argument. */
  'GoogleAnalytics.fireCustom'?: unknown;
  /** A list of arguments, or the only argument. */
  adDuration?: unknown;
  /** A list of arguments, or the only argument. */
  adRemainingTime?: unknown;
  /** An event or a list of them, and the name of a listener: [adStart, L1]. */
  add?: unknown;
  /** An event or a list of them, and the name of a listener: [adStart, L1]. */
  addOnce?: unknown;
  /** A list of arguments, or the only argument. */
  changeSkin?: unknown;
  /** A list of arguments, or the only argument. */
  currentChapter?: unknown;
  /** A list of arguments, or the only argument. */
  currentIndex?: unknown;
  /** A list of arguments, or the only argument. */
  currentSrc?: unknown;
  /** A list of arguments, or the only argument. */
  currentTime?: unknown;
  /** A list of arguments, or the only argument. */
  destroy?: unknown;
  /** A list of arguments, or the only argument. */
  duration?: unknown;
  /** A list of arguments, or the only argument. */
  getAdInProgress?: unknown;
  /** A list of arguments, or the only argument. */
  getTags?: unknown;
  /** A list of arguments, or the only argument. */
  getTitle?: unknown;
  /** A list of arguments, or the only argument. */
  isFullScreen?: unknown;
  /** A list of arguments, or the only argument. */
  isHD?: unknown;
  /** A list of arguments, or the only argument. */
  isPlayerInView?: unknown;
  /** A list of arguments, or the only argument. */
  isReady?: unknown;
  /** A list of arguments, or the only argument. */
  load?: unknown;
  /** A list of arguments, or the only argument. */
  loadPlaylist?: unknown;
  /** A list of arguments, or the only argument. */
  loop?: unknown;
  /** A list of arguments, or the only argument. */
  muted?: unknown;
  /** A list of arguments, or the only argument. */
  next?: unknown;
  /** An event or a list of them, and the name of a listener: [adStart, L1]. */
  off?: unknown;
  /** An event or a list of them, and the name of a listener: [adStart, L1]. */
  on?: unknown;
  /** An event or a list of them, and the name of a listener: [adStart, L1]. */
  once?: unknown;
  /** A list of arguments, or the only argument. */
  pause?: unknown;
  /** A list of arguments, or the only argument. */
  play?: unknown;
  /** A list of arguments, or the only argument. */
  playAd?: unknown;
  /** A list of arguments, or the only argument. */
  playByIndex?: unknown;
  /** A list of arguments, or the only argument. */
  playbackRate?: unknown;
  /** The container of the player that it is for, if that is another one; null for $player(). */
  player?: string | number | null;
  /** A list of arguments, or the only argument. */
  playlistLength?: unknown;
  /** A list of arguments, or the only argument. */
  previous?: unknown;
  /** A list of arguments, or the only argument. */
  pushAds?: unknown;
  /** What to read. */
  read?: GetterName | GetterName[];
  /** An event or a list of them, and the name of a listener: [adStart, L1]. */
  remove?: unknown;
  /** A list of arguments, or the only argument. */
  resize?: unknown;
  /** A list of arguments, or the only argument. */
  setAd?: unknown;
  /** A list of arguments, or the only argument. */
  setHD?: unknown;
  /** A list of arguments, or the only argument. */
  setVideoSource?: unknown;
  /** A list of arguments, or the only argument. */
  src?: unknown;
  /** A list of arguments, or the only argument. */
  stop?: unknown;
  /** A list of arguments, or the only argument. */
  toggleFullScreen?: unknown;
  /** A list of arguments, or the only argument. */
  volume?: unknown;
  /** Only if all of this is so: `hidden` of the page, getters of the player, kept values. */
  when?: Record<string, unknown>;
};

/** Edits a video's record. */
export type Edit = {
  /** What goes wrong with the call. */
  fault?: {
    /** How long the response takes. */
    after?: Length;
    /** The connection is closed before the response. */
    cut?: boolean;
    /** The response has no body. */
    empty?: boolean;
    /** The status that is returned instead of editing. */
    status?: number;
  } | null;
  /** Fields of the form, by name; a list repeats the field. */
  fields?: Record<string, string | number | boolean | null | Array<string | number | boolean | null>> | null;
  /** Extra request headers; null omits one of the usual ones. */
  headers?: Record<string, string | number | null> | null;
  /** The id of the video. */
  id?: string | number;
  /** The route that the call takes. */
  route?: 'v3' | 'v3-form' | 'v2-form';
};

/** Something that must be true of the finished trace. */
export type Expectation = {
  /** Fields that its data must have. */
  data?: unknown;
  event: AnyEventName;
  /** How often. Default: at least once. */
  times?: number;
} | {
  order: AnyEventName[];
} | {
  never: AnyEventName;
} | {
  at_most_one: AnyEventName[];
} | {
  after: AnyEventName;
  comes: AnyEventName;
  /** The longest time between them. */
  within: Length;
} | {
  /** Its code. */
  diag: string | number;
  /** How often. Default: at least once. */
  times?: number;
} | {
  /** The time of the reading. Default: the last one. */
  at?: Length;
  is: unknown;
  read: GetterName;
} | {
  call: CallName;
  /** The code of the error that it fails with. */
  error?: string | number;
  /** How often. Default: at least once. */
  times?: number;
};

/** Creates a player, an outstream unit, or a bare media element. */
export type Init = {
  config?: Config;
  /** The id of the container. */
  div?: unknown;
  /** Creates a bare media element instead of a player, with these attributes. */
  element?: {
    /** Whether it starts on its own. */
    autoplay?: boolean;
    /** Whether it starts over at the end. */
    loop?: boolean;
    /** Whether it starts muted. */
    muted?: boolean;
    /** How much is loaded before playback is requested. */
    preload?: 'none' | 'metadata' | 'auto';
    /** The URL that it plays. */
    src?: string | number;
  } | null;
  /** The listener that is the ready callback. */
  on_ready?: string | number;
  /** Whether it is an outstream unit, which shows ads only. */
  outstream?: boolean;
} | null;

/** A length of time with its unit: 1.5s, 250ms, 2m or 01:02:03.500. */
export type Length = string;

export type LengthOrNever = Length | 'never';

export type Listener = ListenerCall | {
  calls: ListenerCall[];
  then?: ListenerCall;
};

/** Calls in order, each for the player that the listener is bound to unless it names another; `throw` at the end; `[]` only records. */
export type ListenerCall = Array<CallStep | {
  init: Init;
  /** Only if all of this is so: `hidden` of the page, getters of the player, kept values. */
  when?: Record<string, unknown>;
} | {
  queue: Queue;
  /** Only if all of this is so: `hidden` of the page, getters of the player, kept values. */
  when?: Record<string, unknown>;
} | {
  player?: string | number | null;
  user: UserAct;
  /** Only if all of this is so: `hidden` of the page, getters of the player, kept values. */
  when?: Record<string, unknown>;
} | {
  page: PageChange;
  player?: string | number | null;
  /** Only if all of this is so: `hidden` of the page, getters of the player, kept values. */
  when?: Record<string, unknown>;
} | {
  /** A name, and the getter whose value is kept under it. */
  let: Record<string, GetterName>;
  player?: string | number | null;
  /** Only if all of this is so: `hidden` of the page, getters of the player, kept values. */
  when?: Record<string, unknown>;
} | 'throw' | {
  /** Its message. */
  throw: string | number;
}>;

/** What a media URL plays. */
export type Medium = {
  /** Whether an ad with it lasts as long as its document says, if that says so. */
  as_ad_says?: boolean;
  /** For a live stream: when it is back on air. */
  back_at?: Length;
  /** How fast its data arrives; requires `bitrate`. */
  bandwidth?: Array<{
    /** From when on. */
    at: Length;
    /** Bits per second. */
    bps: number;
  }> | null;
  /** Its bits per second; requires `bandwidth`. */
  bitrate?: number;
  /** Its length. */
  duration?: Length;
  /** For a live stream: when it ends for good. From then on it has a length. */
  ends_at?: Length;
  /** How it fails. */
  fails?: {
    /** Where. Default: before it can play. */
    at?: Length;
    /** For `refused`: the code that the page reports. Default: 900. */
    code?: number;
    /** What goes wrong. */
    how: 'network' | 'decode' | 'unsupported' | 'not-found' | 'cors' | 'blocked' | 'refused';
  };
  /** Whether it is a live stream. */
  live?: boolean;
  /** How long its metadata takes. */
  metadata_after?: Length;
  /** For the page of a SIMID unit: its script. */
  simid?: {
    /** Its reply to init. */
    init?: 'resolve' | 'reject' | 'broken' | 'never' | {
      /** The error code. */
      reject: number;
    };
    /** How long that takes. */
    init_after?: Length;
    /** What else it sends. */
    script?: Array<{
      /** When the ad has played this long. */
      at: Length;
      /** For requestChangeAdDuration: how much more time. */
      by?: Length;
      /** For fatalError: its code. */
      code?: number;
      /** For requestPause and expandNonlinear: how long before the unit reverses it. */
      for?: Length;
      /** The message. */
      message: 'clickThru' | 'requestNavigation' | 'requestSkip' | 'requestStop' | 'requestPause' | 'requestPlay' | 'requestFullscreen' | 'requestExitFullscreen' | 'requestChangeVolume' | 'requestChangeAdDuration' | 'requestResize' | 'expandNonlinear' | 'collapseNonlinear' | 'reportTracking' | 'getMediaState' | 'log' | 'fatalError' | 'broken';
      /** For clickThru: whether the player is to open the URL. */
      player_handles?: boolean;
      /** For fatalError: its message text. */
      text?: string | number;
      /** How often it is sent, all at the same instant. */
      times?: number;
      /** For clickThru and requestNavigation: the URL to open. */
      url?: string | number;
      /** For reportTracking: the URLs. */
      urls?: Array<string | number> | null;
    }> | null;
    /** How long it takes to request a session, or never. */
    session_after?: LengthOrNever;
    /** Its reply to startCreative. */
    start?: 'resolve' | 'reject' | 'broken' | 'never' | {
      /** The error code. */
      reject: number;
    };
    /** How long that takes. */
    start_after?: Length;
    /** The version that it implements. */
    version?: string | number;
  } | null;
  /** For `playsim world`: whether its film has a sound track, which is silent. */
  sound?: boolean;
  /** Where data runs out, and for how long. */
  stalls?: Array<{
    /** Where. */
    at: Length;
    /** For how long. */
    for: Length;
  }> | null;
  /** For a live stream: when it goes off air. */
  stops_at?: Length;
  /** How long it takes to switch to it from another rendition. */
  switch_after?: Length;
  /** For a VPAID unit: its own behaviour, and its script. */
  vpaid?: {
    /** How long it takes to answer other calls. */
    answers_after?: Length;
    /** How long it takes to answer the handshake, or never. */
    handshake_after?: LengthOrNever;
    /** Whether it replaces the content. */
    linear?: boolean;
    /** How long after initAd it sends AdLoaded, or never. */
    loaded_after?: LengthOrNever;
    /** It plays sound until the player's mute reaches it. */
    own_sound?: boolean;
    /** It reports clicks to the player. */
    reports_click?: boolean;
    /** What else it sends. */
    script?: Array<{
      /** How long after the call. */
      after?: Length;
      /** When it has played this long, counted from AdStarted. */
      at?: Length;
      /** For AdDurationChange: its duration. */
      duration?: Length;
      /** The message. */
      event: 'AdLoaded' | 'AdStarted' | 'AdStopped' | 'AdSkipped' | 'AdSkippableStateChange' | 'AdSizeChange' | 'AdLinearChange' | 'AdDurationChange' | 'AdExpandedChange' | 'AdRemainingTimeChange' | 'AdVolumeChange' | 'AdImpression' | 'AdVideoStart' | 'AdVideoFirstQuartile' | 'AdVideoMidpoint' | 'AdVideoThirdQuartile' | 'AdVideoComplete' | 'AdClickThru' | 'AdInteraction' | 'AdUserAcceptInvitation' | 'AdUserMinimize' | 'AdUserClose' | 'AdPaused' | 'AdPlaying' | 'AdLog' | 'AdError';
      /** For AdExpandedChange: whether it is expanded. */
      expanded?: boolean;
      /** For AdPaused: how long before it resumes on its own. */
      for?: Length;
      /** For AdClickThru and AdInteraction: the id that they carry. */
      id?: string | number;
      /** For AdLinearChange: whether it replaces the content. */
      linear?: boolean;
      /** When the player makes this call. */
      on?: 'handshakeVersion' | 'initAd' | 'startAd' | 'stopAd' | 'skipAd' | 'pauseAd' | 'resumeAd' | 'resizeAd' | 'adVolume';
      /** For AdClickThru: whether the player is to open the URL. */
      player_handles?: boolean;
      /** For AdRemainingTimeChange: how much of it is left. */
      remaining?: Length;
      /** For AdSkippableStateChange: whether it can be skipped. */
      skippable?: boolean;
      /** For AdError and AdLog: the message text. */
      text?: string | number;
      /** For AdClickThru: the URL to open. Default: the one in the VAST document. */
      url?: string | number;
      /** For AdVolumeChange: its volume. */
      volume?: number;
    }> | null;
    /** Messages that a unit sends unprompted and this one does not. */
    silent?: Array<'AdLoaded' | 'AdStarted' | 'AdStopped' | 'AdSkipped' | 'AdSkippableStateChange' | 'AdSizeChange' | 'AdLinearChange' | 'AdDurationChange' | 'AdExpandedChange' | 'AdRemainingTimeChange' | 'AdVolumeChange' | 'AdImpression' | 'AdVideoStart' | 'AdVideoFirstQuartile' | 'AdVideoMidpoint' | 'AdVideoThirdQuartile' | 'AdVideoComplete' | 'AdClickThru' | 'AdInteraction' | 'AdUserAcceptInvitation' | 'AdUserMinimize' | 'AdUserClose' | 'AdPaused' | 'AdPlaying' | 'AdLog' | 'AdError'> | null;
    /** Whether it can be skipped at first. */
    skippable?: boolean;
    /** How long after startAd it sends AdStarted, or never. */
    starts_after?: LengthOrNever;
    /** How long it takes to leave with AdStopped, or never. */
    stop_after?: LengthOrNever;
    /** The version that it returns in the handshake. */
    version?: string | number;
  } | null;
  /** For a live stream: how far back a seek can go. */
  window?: Length;
} | null;

/** The page around the players. */
export type ScenarioPage = {
  /** Which ads the page asks for. */
  ads?: {
    /** Categories whose ads are not wanted. */
    blocked?: Array<string | number | {
      /** Whose list it is from. Default: any authority. */
      authority?: string | number;
      /** The category. */
      category: string | number;
    }> | null;
    /** Whether an ad must state its category. */
    categories?: 'optional' | 'required';
    /** Whether conditional ads are played. */
    conditional?: 'played' | 'refused';
    /** The greatest width and height of media. */
    largest?: Size;
    /** The longest linear ad. */
    longest?: Length;
    /** The shortest linear ad. */
    shortest?: Length;
    /** Whether skippable ads are asked for. */
    skippable?: 'any' | 'refused' | 'required';
    /** The least width and height of media. */
    smallest?: Size;
    /** What stitching ads into the content requires of their mezzanine files. */
    stitching?: {
      /** The least bitrate, in kbit/s. */
      bitrate?: number;
      /** The least width and height. */
      size?: Size;
      /** The URLs of mezzanine files that are already transcoded. */
      transcoded?: Array<string | number> | null;
    } | null;
    /** The ad types that are asked for. */
    types?: Array<'video' | 'audio' | 'hybrid'> | null;
    /** Whether VPAID units may run. */
    vpaid?: 'runs' | 'refused';
  } | null;
  /** The highest bitrate wanted of ad media, in kbit/s. */
  bitrate?: number;
  /** Where companion ads can be shown, in the order in which the places are filled. */
  companions?: Array<{
    /** Height in pixels. */
    height: number;
    /** Its id, which a companion may ask for. */
    id: string | number;
    /** Width in pixels. */
    width: number;
  }> | null;
  /** The elements that can hold a player, by id. */
  containers?: Array<string | number | {
    /** Its id. */
    id: string | number;
    /** Whether it has the player's class. */
    player_class?: boolean;
  }> | null;
  /** The viewer's country. */
  country?: string | number;
  /** The kind of device. */
  device?: 'desktop' | 'mobile';
  /** The calendar instant of time 0, like 2026-01-01T00:00:00Z. */
  epoch?: string | number;
  /** Whether the page may enter fullscreen. */
  fullscreen?: 'allowed' | 'refused';
  /** Whether a script may start playback only after a user gesture. Default: required on mobile. */
  gesture_policy?: 'free' | 'required';
  /** The language of the page, for ad captions, like en or pt-BR. */
  language?: string | number;
  /** Values for the macros in ad URLs that only the page knows. */
  macros?: {
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    APIFRAMEWORKS?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    APPBUNDLE?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    BLOCKEDADCATEGORIES?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    BREAKMAXADLENGTH?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    BREAKMAXADS?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    BREAKMAXDURATION?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    BREAKMINADLENGTH?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    CLICKTYPE?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    CLIENTUA?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    CONTENTCAT?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    CONTENTID?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    CONTENTURI?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    DEVICEIP?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    DEVICEUA?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    DOMAIN?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    DSAPARAMS?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    DSAPUBRENDER?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    DSAREQUIRED?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    EXTENSIONS?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    GDPRCONSENT?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    GPPSECTIONID?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    GPPSTRING?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    IFA?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    IFATYPE?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    LATLONG?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    LIMITADTRACKING?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    MEDIAMIME?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    OMIDPARTNER?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    PAGEURL?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    PLACEMENTTYPE?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    PLAYBACKMETHODS?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    PLAYERCAPABILITIES?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    REGULATIONS?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    SERVERSIDE?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    SERVERUA?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    STOREID?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    STOREURL?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    VASTVERSIONS?: string | number | Array<string | number>;
    /** A value, a list of values, or `withheld`: the page knows it but does not disclose it. */
    VERIFICATIONVENDORS?: string | number | Array<string | number>;
  } | null;
  /** Whether a click can open a page. */
  navigation?: 'allowed' | 'refused';
  /** When the outstream script has loaded, or never. */
  outstream_script_after?: LengthOrNever;
  /** The media that can be played, as MIME types. Default: what browsers usually play. */
  plays?: Array<string | number> | null;
  /** When the player's script has loaded, or never. */
  script_after?: LengthOrNever;
  /** URLs of images and pages of ads that cannot be loaded. */
  unreachable?: Array<string | number> | null;
  /** The page's URL: the value of PAGEURL unless `macros` sets it, and the base for relative URLs in archives. */
  url?: string | number;
  /** Who may verify ads. */
  verification?: {
    /** Whether Open Measurement scripts can run. */
    omid?: boolean;
    /** What happens to the verification scripts of these vendors. */
    vendors?: Record<string, 'runs' | 'refused' | 'unsupported' | 'load_error'> | null;
  } | null;
  /** Whether the player can measure how much of it is in view. */
  viewability?: 'measured' | 'unknown';
  /** Width and height of the window, for sizes in percent. */
  window?: Size;
} | null;

/** A change of the page. */
export type PageChange = { container: string | number } | { fullscreen: boolean } | { hidden: boolean } | { in_view: number | string } | { rate: number } | { script: 'player' | 'outstream' } | { sticky: boolean } | { window: Size };

/** Settings of players. */
export type ScenarioPlayer = {
  /** Only every nth video has ads. */
  ad_frequency?: number;
  /** The first pre-roll slot is requested again during the content; other pre-roll slots are not. */
  ad_loop?: {
    /** From one request to the next, in content time; above zero. */
    every: Length;
    /** How many started ads end the loop. Default: any number. */
    impressions?: number;
    /** How many times an item requests the slot, the pre-roll included. */
    times: number;
  } | null;
  /** How many videos come before the first one with ads. */
  ad_offset?: number;
  /** Ad objects at player level. */
  ads?: AdObject[] | null;
  /** Header bids that win. */
  bids?: Array<{
    /** The kind of break that it is for. */
    break: 'pre' | 'mid' | 'post' | 'command' | 'overlay';
    /** Which of those breaks. */
    nth?: number;
    /** The URL. */
    url: string | number;
  }> | null;
  /** Whether the player starts muted. */
  muted?: boolean;
  /** The renditions that the account's plan allows. Default: all. */
  plan?: Array<'ld' | 'sd' | 'hsd' | 'hd' | 'fhd'> | null;
  /** How long a player takes to become ready. */
  ready_after?: Length;
  /** How many videos were seen before this page was loaded. */
  videos_seen?: number;
  /** The initial volume. */
  volume?: number;
} | null;

/** A push onto a queue array of the page. */
export type Queue = { _outstream_queue: {
  /** The id of the container. */
  div?: unknown;
  obj?: Config;
  /** The listener that is the ready callback. */
  onReady?: unknown;
  [key: string]: unknown | undefined;
} } | { _player_queue: {
  /** The id of the container. */
  div?: unknown;
  obj?: Config;
  /** The listener that is the ready callback. */
  onReady?: unknown;
  [key: string]: unknown | undefined;
} };

/** Width and height in pixels. */
export type Size = [number, number];

/** A step: a trigger (at or on), one action, and which player it is for. */
export type Step = {
  /** How long after the event. */
  after?: Length;
  /** When: a time. */
  at?: Length;
  do?: CallStep;
  edit?: Edit;
  init?: Init;
  /** A name, and the getter whose value is kept under it. */
  let?: Record<string, GetterName>;
  /** Only at the nth delivery of the event. */
  nth?: number;
  /** When: at an event, or whenever the page is hidden or shown. */
  on?: AnyEventName | 'visibilitychange';
  page?: PageChange;
  /** The player's container; null for $player(). */
  player?: string | number | null;
  queue?: Queue;
  /** What to read. */
  read?: GetterName | GetterName[];
  /** Several actions as one task of the page: what they cause comes after the last one. */
  task?: Array<CallStep | {
    init: Init;
    /** Only if all of this is so: `hidden` of the page, getters of the player, kept values. */
    when?: Record<string, unknown>;
  } | {
    queue: Queue;
    /** Only if all of this is so: `hidden` of the page, getters of the player, kept values. */
    when?: Record<string, unknown>;
  } | {
    player?: string | number | null;
    user: UserAct;
    /** Only if all of this is so: `hidden` of the page, getters of the player, kept values. */
    when?: Record<string, unknown>;
  } | {
    page: PageChange;
    player?: string | number | null;
    /** Only if all of this is so: `hidden` of the page, getters of the player, kept values. */
    when?: Record<string, unknown>;
  } | {
    /** A name, and the getter whose value is kept under it. */
    let: Record<string, GetterName>;
    player?: string | number | null;
    /** Only if all of this is so: `hidden` of the page, getters of the player, kept values. */
    when?: Record<string, unknown>;
  }> | null;
  user?: UserAct;
  /** Only if all of this is so then. */
  when?: Record<string, unknown>;
};

/** What the user does. */
export type UserAct = 'gesture' | 'play' | 'pause' | 'click' | 'skip' | 'close' | 'next' | 'previous' | 'mute' | 'unmute' | 'fullscreen' | { click: [number, number] } | { companion: string | number } | { icon: string | number } | { interact: 'acceptInvitation' | 'otherAdInteraction' | 'customClick' | 'adExpand' | 'adCollapse' | 'minimize' } | { seek: unknown } | { volume: unknown };

/** A video. */
export type ScenarioVideo = {
  /** Ad objects at video level. */
  ads?: AdObject[] | null;
  /** Its audience: 1 everyone, 2 from 17, 3 from 18. */
  age_gate_id?: 1 | 2 | 3 | '1' | '2' | '3';
  /** The channel that it belongs to. */
  channel_id?: number;
  /** Chapters: times and titles. */
  chapters?: Array<{
    /** When it begins, like "0:40". */
    timestamp: string | number;
    /** Its title. */
    title?: string | number;
  }> | null;
  /** The same as `clickthroughURL`. */
  clickthrough?: string | number;
  /** The page that a click on it opens. */
  clickthroughURL?: string | number;
  /** The same as `clickthroughURL`. */
  clickthroughUrl?: string | number;
  /** Custom targeting parameters: keys and their values; a key may occur more than once. */
  custom_params?: Record<string, string | number> | null | Array<[string | number, string | number]>;
  /** The countries, as two letters each. */
  geo?: string | null | Array<string | number> | null;
  /** Whether it is only for the countries of `geo`. */
  geo_on?: 0 | 1 | false | true;
  /** Its id. */
  id: string | number;
  /** The URL of its picture. */
  image?: string | number;
  /** The first day it is no longer published; all zeros: it stays. */
  kill_date?: string;
  /** 0: no ads are shown with it. */
  monetize?: 0 | 1 | false | true;
  /** Its name: the player's title. */
  name?: string | number;
  /** Whether it is a complete episode, as a string. */
  ns_st_ce?: string | number;
  /** Digital air date. */
  ns_st_ddt?: string | number;
  /** Episode number. */
  ns_st_en?: string | number;
  /** Genre. */
  ns_st_ge?: string | number;
  /** Publisher brand. */
  ns_st_pu?: string | number;
  /** Season number. */
  ns_st_sn?: string | number;
  /** Station title. */
  ns_st_st?: string | number;
  /** TV air date. */
  ns_st_tdt?: string | number;
  /** Whether users made it, as a string. */
  ns_user_gen?: string | number;
  /** The account that owns it. */
  partner_id?: string | number;
  /** Tracking pixels, by their keys. */
  pixels?: {
    /** A URL. */
    clickthrough?: string | number;
    /** A URL. */
    clickthrough_url?: string | number;
    /** A URL. */
    complete?: string | number;
    /** A URL. */
    firstQuartile?: string | number;
    /** A URL. */
    impression?: string | number;
    /** A URL. */
    midpoint?: string | number;
    /** A URL. */
    thirdQuartile?: string | number;
    /** A URL. */
    viewable?: string | number;
    [key: string]: string | number | undefined;
  } | null;
  /** The first day it is published. */
  publish?: string;
  /** How long the response with its record takes. */
  record_after?: Length;
  /** 1 excludes it from playlists. */
  rejected?: 0 | 1 | false | true;
  /** Media URLs by rendition. */
  renditions?: {
    /** A media URL. */
    fhd?: string | number;
    /** A media URL. */
    hd?: string | number;
    /** A media URL. */
    hsd?: string | number;
    /** A media URL. */
    ld?: string | number;
    /** A media URL. */
    sd?: string | number;
  } | null;
  /** Its tags, separated by commas. */
  tags?: string | number;
};

/** A scenario: what exists, what happens and what is expected. */
export type Scenario = {
  /** The URL of this schema, for editors. */
  $schema?: unknown;
  /** The ids of the channels that exist. Default: any. */
  channels?: number[] | null;
  /** What must be true of the finished trace. */
  expect?: Expectation[] | null;
  /** Alternatives where the sources leave something open. */
  knobs?: {
    /** How long transient activation lasts. One of: a duration such as 250ms (more than 0 s). Rule PLAY-23. */
    'activation.lasts'?: Length | 0;
    /** Which user activation playback with sound needs, by the terms of HTML. One of: gesture or sticky or transient or element. Rule PLAY-22, PLAY-24, PLAY-26, FS-5. */
    'activation.play'?: 'gesture' | 'sticky' | 'transient' | 'element';
    /** What the field `adTagUrl` of an ad object means. One of: alias or ignore or error. Rule AD-5. */
    'ad.adTagUrl'?: 'alias' | 'ignore' | 'error';
    /** What happens after an ad fails that had already started. One of: next_tag or next_pod or end_break. Rule BRK-12. */
    'ad.after_start_error'?: 'next_tag' | 'next_pod' | 'end_break';
    /** How often a document is requested if it cannot be fetched, or not within `ad.hop_timeout`. One of: a whole number (1 to 10). Rule PRD-25. */
    'ad.attempts'?: number | string;
    /** Which breaks play when the content starts at a later position than its beginning. One of: each or latest or none. Rule PRD-9, CUE-7. */
    'ad.before_start'?: 'each' | 'latest' | 'none';
    /** How long a break may take until its first ad is ready. One of: a duration such as 8s, or off. Rule REQ-7, CHN-2. */
    'ad.break_timeout'?: Length | 0 | 'off' | false;
    /** What happens to an `Ad` element with neither or both of `InLine` and `Wrapper`. One of: 101 or thrown. Rule CHN-8. */
    'ad.broken'?: '101' | 'thrown' | 101;
    /** What happens to an ad whose category is missing or blocked. One of: refused or reported. Rule PRD-7. */
    'ad.category_fault'?: 'refused' | 'reported';
    /** Which duration of a linear ad counts for its quartiles, an early `complete`, and offsets in percent. One of: media or document or document_seconds. Rule PRD-39. */
    'ad.duration'?: 'media' | 'document' | 'document_seconds';
    /** Whether a tag whose own document has no ad fires `adError`. One of: off or on. Rule REQ-6. */
    'ad.empty_is_error'?: 'off' | 'on' | true | false;
    /** How long an end card stays on screen unless the user closes it. One of: a duration such as 250ms. Rule ADX-17. */
    'ad.end_card'?: Length | 0;
    /** Which engine requests and plays ads. One of: in_house or sdk. Rule REQ-12, VX-1. */
    'ad.engine'?: 'in_house' | 'sdk';
    /** Which failures call the `Error` URLs of a document. One of: all or media or fetched_media or after_impression. Rule PRD-16. */
    'ad.error_urls'?: 'all' | 'media' | 'fetched_media' | 'after_impression';
    /** Whether an ad is skipped when its response is older than `Expires` allows. One of: off or on. Rule SEL-12. */
    'ad.expires'?: 'off' | 'on' | true | false;
    /** What happens to an ad response whose HTTP status is not a success. One of: refused or read or read_event_502. Rule PRD-11. */
    'ad.failed_status'?: 'refused' | 'read' | 'read_event_502';
    /** Whether a wrapper's `fallbackOnNoAd` has an effect. One of: act or ignore. Rule SEL-3. */
    'ad.fallback_on_no_ad'?: 'act' | 'ignore';
    /** The error code when the tag's own document cannot be used. One of: named or 900 or 303_unreadable. Rule CHN-9. */
    'ad.first_broken'?: 'named' | '900' | '303_unreadable' | 900;
    /** How long each single document of an ad tag may take: its own and that of each wrapper. One of: a duration such as 8s, or off. Rule CHN-1. */
    'ad.hop_timeout'?: Length | 0 | 'off' | false;
    /** What happens to an ad response that arrives after its timeout. One of: drop or use_if_idle. Rule REQ-10. */
    'ad.late'?: 'drop' | 'use_if_idle';
    /** The maximum number of documents requested for one ad tag. One of: a whole number (1 to 100000). Rule CHN-10. */
    'ad.max_documents'?: number | string;
    /** The maximum number of wrappers that are followed. One of: a whole number (0 to 100). Rule REQ-8. */
    'ad.max_wrappers'?: number | string;
    /** What `ad.max_wrappers` counts. One of: wrappers or documents. Rule CHN-3. */
    'ad.max_wrappers_counts'?: 'wrappers' | 'documents';
    /** Which of several playable media files is chosen. One of: bitrate or size or first or height or last. Rule SEL-7. */
    'ad.media_choice'?: 'bitrate' | 'size' | 'first' | 'height' | 'last';
    /** How long an ad's media may take until it is ready to play. One of: a duration such as 250ms. Rule REQ-9. */
    'ad.media_timeout'?: Length | 0;
    /** How long after the start of an ad no tag is requested. One of: a duration such as 250ms. Rule PRD-41. */
    'ad.min_interval'?: Length | 0;
    /** The error code of an ad without a playable media file. One of: 403 or 303 or 401 or 303_none_offered. Rule SEL-8. */
    'ad.no_media_code'?: '403' | '303' | '401' | '303_none_offered' | 403 | 303 | 401;
    /** Whether the `notUsed` trackers of ads that were returned but not played are called. One of: off or on. Rule SEL-5. */
    'ad.not_used'?: 'off' | 'on' | true | false;
    /** Which ads of a VAST pod play. One of: all or first or every_ad or document_order or first_of_document. Rule PRD-27. */
    'ad.pod_plays'?: 'all' | 'first' | 'every_ad' | 'document_order' | 'first_of_document';
    /** Whether a stand-alone ad of the document replaces an ad of the pod that cannot be played. One of: off or on. Rule SEL-2. */
    'ad.pod_reserve'?: 'off' | 'on' | true | false;
    /** What `pods` of `adComplete` and `adSkip` counts. One of: player_level or break. Rule AD-18. */
    'ad.pods_counts'?: 'player_level' | 'break';
    /** Which relative URLs in VAST and VMAP documents are resolved against the document's own URL. One of: resolve or wrappers or as_written. Rule CHN-11. */
    'ad.relative_urls'?: 'resolve' | 'wrappers' | 'as_written';
    /** When an ad calls its trackers of an event that it can have more than once, such as `pause` or `mute`. One of: each or first. Rule BRK-25. */
    'ad.repeated_trackers'?: 'each' | 'first';
    /** How long after a failed attempt a document is requested again. One of: a duration such as 250ms. Rule PRD-25. */
    'ad.retry_after'?: Length | 0;
    /** How often the `Error` URLs of the root element of an empty document are called. One of: once or twice. Rule PRD-19. */
    'ad.root_errors'?: 'once' | 'twice';
    /** How long an ad may stall before it fails. One of: a duration such as 250ms. Rule BRK-20. */
    'ad.stall_timeout'?: Length | 0;
    /** Whether an ad object must have `adTimeType`. One of: lenient or strict. Rule AD-3. */
    'ad.time_type_required'?: 'lenient' | 'strict';
    /** How long an ad tag may take to answer, including its redirects and wrappers. One of: a duration such as 250ms. Rule REQ-7. */
    'ad.timeout'?: Length | 0;
    /** How often each tracking URL is called. One of: once or twice. Rule PRD-28. */
    'ad.tracker_calls'?: 'once' | 'twice';
    /** In which order the documents of a wrapper chain have their trackers called. One of: outermost_first or innermost_first or impressions_apart. Rule PRD-17. */
    'ad.tracker_order'?: 'outermost_first' | 'innermost_first' | 'impressions_apart';
    /** Which tracker URLs are called. One of: any or absolute. Rule PRD-14. */
    'ad.tracker_urls'?: 'any' | 'absolute';
    /** The error code of media that cannot be fetched, such as a file that is not found. One of: by_time or 405 or 403. Rule PRD-45. */
    'ad.unfetched_media_code'?: 'by_time' | '405' | '403' | 405 | 403;
    /** The error code of media that was fetched but cannot be shown, such as a file of an unknown format. One of: 405 or 401 or 400 or 403. Rule PRD-20. */
    'ad.unshowable_media_code'?: '405' | '401' | '400' | '403' | 405 | 401 | 400 | 403;
    /** The error code when the document that a wrapper points to cannot be read. One of: named or as_fetch. Rule PRD-10. */
    'ad.wrapper_broken'?: 'named' | 'as_fetch';
    /** What happens to a wrapper after one whose `followAdditionalWrappers` is false. One of: ignore or 301 or 200 or follow. Rule CHN-6. */
    'ad.wrapper_chained'?: 'ignore' | '301' | '200' | 'follow' | 301 | 200;
    /** The error code when the document that a wrapper points to cannot be fetched. One of: 301 or 301_event_303 or 303 or 502. Rule CHN-5. */
    'ad.wrapper_fetch_code'?: '301' | '301_event_303' | '303' | '502' | 301 | 303 | 502;
    /** The error code when there are more wrappers than `ad.max_wrappers`. One of: 302 or 302_event_303. Rule REQ-8. */
    'ad.wrapper_limit_code'?: '302' | '302_event_303' | 302;
    /** What happens to ads with a `sequence` after a wrapper whose `allowMultipleAds` is false. One of: ignore or 101 or 203 or play. Rule CHN-7. */
    'ad.wrapper_pod'?: 'ignore' | '101' | '203' | 'play' | 101 | 203;
    /** How often `adEnd` fires. One of: break or pod or tag. Rule BRK-10. */
    'ad_end.scope'?: 'break' | 'pod' | 'tag';
    /** Which codes `adError` has where VAST defines none. One of: vast or sdk. Rule REQ-5. */
    'ad_error.codes'?: 'vast' | 'sdk';
    /** Which ad failures fire `adError`. One of: each or last_only or fatal_only. Rule REQ-4. */
    'ad_error.scope'?: 'each' | 'last_only' | 'fatal_only';
    /** The number at which `wp` and `pod` start counting. One of: a whole number (0 or 1). Rule BRK-7. */
    'adpos.base'?: number | string;
    /** What `pod` of `adComplete` and `adSkip` counts. One of: slot or ad. Rule BRK-7. */
    'adpos.pod'?: 'slot' | 'ad';
    /** Whether a bare media element that plays by itself fires `play` before or after `canplaythrough`. One of: after or before. Rule MEL-29. */
    'autoplay.play'?: 'after' | 'before';
    /** How often `beforeStart` fires. One of: item or break or ad. Rule PLAY-7. */
    'before_start.scope'?: 'item' | 'break' | 'ad';
    /** The maximum total duration of the linear ads of a break. One of: a duration such as 8s, or off. Rule SEL-4. */
    'break.max_duration'?: Length | 0 | 'off' | false;
    /** What happens to a linear ad that is longer than `break.max_duration` leaves time for. One of: refused or cut. Rule SEL-15. */
    'break.overrun'?: 'refused' | 'cut';
    /** Whether `once` and `off`, and so `addOnce` and `remove`, accept a list of event names, as `on` does. One of: off or on. Rule EVT-6. */
    'bus.array_everywhere'?: 'off' | 'on' | true | false;
    /** Whether binding the same listener twice to the same event binds it only once. One of: off or on. Rule EVT-10. */
    'bus.dedupe'?: 'off' | 'on' | true | false;
    /** Whether page code can also listen to media element events that the player does not document. One of: off or on. Rule EVT-18. */
    'bus.expose_html'?: 'off' | 'on' | true | false;
    /** What `currentChapter()` returns before the first chapter. One of: first or none. Rule CH-5. */
    'chapter.before_first'?: 'first' | 'none';
    /** Whether a click on a linear ad pauses it. One of: off or on. Rule PRD-44. */
    'click.pauses'?: 'off' | 'on' | true | false;
    /** What happens to an ad on command while the video is excluded from monetization. One of: refuse or play. Rule PA-7. */
    'command.monetize'?: 'refuse' | 'play';
    /** What happens when page code calls a property like a method. One of: warn or error. Rule READY-2, PL-3, FS-3. */
    'compat.property_calls'?: 'warn' | 'error';
    /** When the `complete` trackers of a linear ad are called; the ad itself ends at its end. One of: end, a percentage of the ad such as 99%, or a time before its end such as -800ms. Rule PRD-2. */
    'complete.at'?: string | number;
    /** Whether the trace shows the audience-measurement fields of the record when an item starts. One of: off or on. Rule EDIT-60. */
    'comscore.trace'?: 'off' | 'on' | true | false;
    /** When the `creativeView` trackers of an ad are called. One of: before_start or after_start or never. Rule PRD-15. */
    'creative_view.at'?: 'before_start' | 'after_start' | 'never';
    /** How often the position is compared with cue points, which are met late by up to this; `off`: always. One of: a duration such as 8s, or off. Rule PRD-24. */
    'cue.check'?: Length | 0 | 'off' | false;
    /** Whether mid-rolls and overlays come at positions of a live stream. One of: off or on. Rule PRD-37. */
    'cue.live'?: 'off' | 'on' | true | false;
    /** Whether mid-rolls, overlays and the breaks of VMAP documents may be placed at a percentage of the content. One of: on or off or at_start. Rule PRD-4. */
    'cue.percent'?: 'on' | 'off' | 'at_start' | true | false;
    /** When the player notices that playback has reached a position. One of: exact or on_timeupdate. Rule LAST-4. */
    detect?: 'exact' | 'on_timeupdate';
    /** When events fired during an API call reach their listeners. One of: queued or sync. Rule EVT-1. */
    'dispatch.mode'?: 'queued' | 'sync';
    /** Whether a request with an invalid field changes nothing at all. One of: off or on. Rule EDIT-13. */
    'edit.atomic'?: 'off' | 'on' | true | false;
    /** How a request must authenticate. One of: none or bearer or header. Rule EDIT-37. */
    'edit.auth'?: 'none' | 'bearer' | 'header';
    /** What happens when a field is sent both with and without the prefix. One of: prefixed or error. Rule EDIT-8. */
    'edit.both'?: 'prefixed' | 'error';
    /** What happens when the numbers of chapter times and titles differ. One of: title_optional or error or shortest. Rule EDIT-33. */
    'edit.chapter_counts'?: 'title_optional' | 'error' | 'shortest';
    /** What happens when `clickthroughURL` and `clickthroughUrl` are both sent and differ. One of: error or table_wins or sample_wins. Rule EDIT-17. */
    'edit.clickthrough_conflict'?: 'error' | 'table_wins' | 'sample_wins';
    /** Whether dates and flags for audience measurement are validated. One of: off or on. Rule EDIT-28. */
    'edit.comscore_check'?: 'off' | 'on' | true | false;
    /** How many digits the day and the month of a date must have. One of: strict or lenient. Rule EDIT-21. */
    'edit.date_digits'?: 'strict' | 'lenient';
    /** What happens when the kill date is not after the publish date. One of: accept or error. Rule EDIT-23. */
    'edit.date_order'?: 'accept' | 'error';
    /** What happens when an integer field is sent empty. One of: error or unset. Rule EDIT-12. */
    'edit.empty_integer'?: 'error' | 'unset';
    /** What the body of an error response contains. One of: problem or message_errors_validation or empty_body. Rule EDIT-39. */
    'edit.error_shape'?: 'problem' | 'message_errors_validation' | 'empty_body';
    /** Which country codes are valid. One of: iso or any_two_letters. Rule EDIT-27. */
    'edit.geo_list'?: 'iso' | 'any_two_letters';
    /** What happens when path and form name different ids. One of: error or path_wins. Rule EDIT-9. */
    'edit.id_conflict'?: 'error' | 'path_wins';
    /** What happens to the existing custom parameters and chapters when new ones are sent. One of: replace or append. Rule EDIT-31. */
    'edit.lists'?: 'replace' | 'append';
    /** The maximum size of a request body. One of: a number of bytes such as 10MiB, 64KiB or 500B. Rule EDIT-42. */
    'edit.max_body'?: string | number;
    /** How other operations on videos are answered. One of: 501 or 404. Rule EDIT-48. */
    'edit.other'?: '501' | '404' | 501 | 404;
    /** Whether requests by accounts that do not own the video are refused. One of: off or on. Rule EDIT-34. */
    'edit.partner_check'?: 'off' | 'on' | true | false;
    /** Whether form fields are named with or without the prefix. One of: both or by_route. Rule EDIT-6. */
    'edit.prefix'?: 'both' | 'by_route';
    /** How many requests are accepted per second of the virtual clock. One of: off, or a number of requests per second from 1 to 1000000. Rule EDIT-43. */
    'edit.rate'?: string | number;
    /** How responses write dates. One of: d-m-Y or Y-m-d. Rule EDIT-41. */
    'edit.read_date'?: 'd-m-Y' | 'Y-m-d';
    /** Which URL paths accept edits of a video. One of: all or main_only. Rule EDIT-2. */
    'edit.routes'?: 'all' | 'main_only';
    /** What the body of a successful response contains. One of: obs or record_only or empty. Rule EDIT-38. */
    'edit.success_shape'?: 'obs' | 'record_only' | 'empty';
    /** What happens to unknown form fields. One of: ignore or error. Rule EDIT-35. */
    'edit.unknown'?: 'ignore' | 'error';
    /** What happens to a URL-encoded form body. One of: refuse or accept. Rule EDIT-4. */
    'edit.urlencoded'?: 'refuse' | 'accept';
    /** What happens to a request without `User-Agent`. One of: warn or require. Rule EDIT-36. */
    'edit.user_agent'?: 'warn' | 'require';
    /** Whether `pause` fires before `ended`. One of: off or on. Rule END-1. */
    'ended.pause_event'?: 'off' | 'on' | true | false;
    /** Whether `ended` fires before or after a post-roll. One of: after or before. Rule END-2. */
    'ended.vs_postroll'?: 'after' | 'before';
    /** Which changes fire `fullscreenchange`. One of: any_change or button_only. Rule FS-4. */
    'fullscreen.event'?: 'any_change' | 'button_only';
    /** What `toggleFullScreen()` does while in fullscreen. One of: toggle or enter_only. Rule FS-2. */
    'fullscreen.toggle'?: 'toggle' | 'enter_only';
    /** Whether sending custom analytics outside a ready callback is an error. One of: off or on. Rule GA-2. */
    'ga.strict'?: 'off' | 'on' | true | false;
    /** What happens when playback starts without the user gesture that the device requires. One of: refuse or play_muted or ad_fails_content_plays or ad_fails_at_start. Rule PLAY-17. */
    'gesture.violation'?: 'refuse' | 'play_muted' | 'ad_fails_content_plays' | 'ad_fails_at_start';
    /** When the impressions of a linear ad are called. One of: first or after_start. Rule PRD-29. */
    'impression.at'?: 'first' | 'after_start';
    /** What happens when a player's configuration lacks `width` or `height`. One of: usual or refuse. Rule INIT-2. */
    'init.missing_size'?: 'usual' | 'refuse';
    /** What happens when the container lacks the player's CSS class. One of: warn or refuse. Rule INIT-6. */
    'init.no_class'?: 'warn' | 'refuse';
    /** Whether the configuration rejects numbers where it expects strings. One of: off or on. Rule INIT-3. */
    'init.strict_types'?: 'off' | 'on' | true | false;
    /** The maximum number of tasks, and of calls by listeners, in a simulated second; one more ends the run. One of: a whole number (1 or more). Rule CLK-6, CLK-12. */
    'limit.tasks_per_second'?: number | string;
    /** Which macros are replaced in ad tags, in addition to those of VAST. One of: off or obs. Rule EDIT-58. */
    macros?: 'off' | 'obs';
    /** The value of the macro `ASSETURI`. One of: played or first. Rule PRD-13. */
    'macros.asset_uri'?: 'played' | 'first';
    /** The position that the macro `CONTENTPLAYHEAD` stands for while an ad plays. One of: content or ad. Rule MAC-8. */
    'macros.content_playhead'?: 'content' | 'ad';
    /** How the items of a list macro are separated. One of: literal or encoded. Rule PRD-12. */
    'macros.lists'?: 'literal' | 'encoded';
    /** Which spellings of macros in URLs are replaced. One of: lenient or strict. Rule MAC-3. */
    'macros.spelling'?: 'lenient' | 'strict';
    /** In which URLs macros are filled in. One of: all or no_wrapper or trackers or error_code or none. Rule PRD-38. */
    'macros.urls'?: 'all' | 'no_wrapper' | 'trackers' | 'error_code' | 'none';
    /** When the ads of a mid-roll are requested; they are shown at its cue point. One of: at_cue, at_start or a time before the cue point such as -5s. Rule PRD-26. */
    'midroll.ask'?: string | number;
    /** What happens to a mid-roll whose ads were to be requested at a position that a seek has passed. One of: after_seek or lost. Rule PRD-26. */
    'midroll.ask_passed'?: 'after_seek' | 'lost';
    /** A mid-roll closer than this to the end of the content is left out. One of: a duration such as 250ms. Rule PRD-5. */
    'midroll.end_threshold'?: Length | 0;
    /** When content stops for a mid-roll. One of: when_ready or at_cue. Rule CUE-3. */
    'midroll.hold'?: 'when_ready' | 'at_cue';
    /** Where the first ad of a mid-roll begins that a seek has passed. One of: start or middle. Rule PRD-23. */
    'midroll.join'?: 'start' | 'middle';
    /** How far before the position at which it stopped content goes on after the ads of a mid-roll. One of: a duration such as 250ms. Rule PRD-22. */
    'midroll.rewind'?: Length | 0;
    /** Which mid-rolls play after a seek that passes several of them. One of: last, previous, all, none or window(10s). Rule CUE-5. */
    'midroll.seek_policy'?: string | number;
    /** Whether muting and unmuting also fire `volumechange`. One of: off or on. Rule MUTE-3. */
    'mute.volumechange'?: 'off' | 'on' | true | false;
    /** What happens to an outstream unit after its ads. One of: destroy or hide or keep_last_frame. Rule OUT-6. */
    'outstream.after'?: 'destroy' | 'hide' | 'keep_last_frame';
    /** Whether an overlay that was shown for its full time is complete: `adComplete` and its trackers. One of: off or on. Rule PRD-35. */
    'overlay.complete'?: 'off' | 'on' | true | false;
    /** Whether an overlay fires quartiles, measured by the time it is on screen. One of: off or on. Rule OVL-2. */
    'overlay.quartiles'?: 'off' | 'on' | true | false;
    /** Whether the `pause` trackers of a linear ad are also called when its film has ended. One of: off or on. Rule PRD-43. */
    'pause.at_end'?: 'off' | 'on' | true | false;
    /** What `pause()` does while content is held for a break that is still loading. One of: hold or cancel_break or ignore. Rule PAUSE-4. */
    'pause.during_load'?: 'hold' | 'cancel_break' | 'ignore';
    /** What `play()` returns. One of: none or promise. Rule PLAY-3. */
    'play.returns'?: 'none' | 'promise';
    /** When `play` fires if a pre-roll comes before the content. One of: after_ads or at_call or both. Rule PLAY-5. */
    'play.with_preroll'?: 'after_ads' | 'at_call' | 'both';
    /** How long the player waits before it plays the next item. One of: a duration such as 250ms. Rule PL-12. */
    'playlist.advance_delay'?: Length | 0;
    /** Which item of a playlist is in use after `stop()`. One of: keep or first. Rule STOP-9, STOP-4. */
    'playlist.after_stop'?: 'keep' | 'first';
    /** What happens when a playlist item fails. One of: stay or advance. Rule PL-16. */
    'playlist.on_error'?: 'stay' | 'advance';
    /** What `play()` does while a playlist waits to advance (`playlist.advance_delay`). One of: replay or advance. Rule PL-15. */
    'playlist.play_in_delay'?: 'replay' | 'advance';
    /** Which playlist items have pre-rolls. One of: every_item or first_item. Rule PRE-3. */
    'playlist.prerolls'?: 'every_item' | 'first_item';
    /** Whether `next()` at the last item goes to the first, and `previous()` at the first to the last. One of: off or on. Rule PL-5. */
    'playlist.wrap'?: 'off' | 'on' | true | false;
    /** What an item does at the place of a pre-roll or post-roll that it does not have. One of: at_once or after_timeout. Rule PRD-32. */
    'postroll.absent'?: 'at_once' | 'after_timeout';
    /** When the ads of the post-roll are requested, whose cue point is the end of the content. One of: at_cue, at_start or a time before the cue point such as -5s. Rule PRD-30. */
    'postroll.ask'?: string | number;
    /** How long a post-roll may take until its first ad is ready; `off`: as `ad.break_timeout` says. One of: a duration such as 8s, or off. Rule PRD-33. */
    'postroll.timeout'?: Length | 0 | 'off' | false;
    /** What an item does at the place of a pre-roll or post-roll that it does not have. One of: at_once or after_timeout. Rule PRD-32. */
    'preroll.absent'?: 'at_once' | 'after_timeout';
    /** When content stops for a pre-roll. One of: at_play or when_ready or at_first_picture. Rule PRD-21. */
    'preroll.hold'?: 'at_play' | 'when_ready' | 'at_first_picture';
    /** How long a pre-roll may take until its first ad is ready; `off`: as `ad.break_timeout` says. One of: a duration such as 8s, or off. Rule PRD-33. */
    'preroll.timeout'?: Length | 0 | 'off' | false;
    /** How far a `progress` event may deviate from its regular interval. One of: a duration such as 250ms (0 to 200ms). Rule MEL-4. */
    'progress.jitter'?: Length | 0;
    /** When `progress` fires. One of: both or data or waiting. Rule MEL-26, EV-18, CON-32. */
    'progress.meaning'?: 'both' | 'data' | 'waiting';
    /** When a `progress` tracker with an offset in percent is called. One of: exact or whole or at_start or never. Rule PRD-8. */
    'progress.percent'?: 'exact' | 'whole' | 'at_start' | 'never';
    /** Which pre-rolls `pushAds()` plays. One of: effective or player_level. Rule PUSH-2. */
    'push_ads.source'?: 'effective' | 'player_level';
    /** Whether a change of rendition fires the events of a newly loaded source. One of: off or on. Rule QUAL-7. */
    'quality.reload_events'?: 'off' | 'on' | true | false;
    /** Where the quartiles of a linear ad are. One of: exact or whole_second. Rule PRD-31. */
    'quartile.at'?: 'exact' | 'whole_second';
    /** What happens when playback passes several quartiles at once. One of: all or one_per_update or newest_only. Rule BRK-4. */
    'quartile.catch_up'?: 'all' | 'one_per_update' | 'newest_only';
    /** What happens to the quartiles of an ad that a seek within the ad passes. One of: crossed or lost. Rule PRD-1. */
    'quartile.in_seek'?: 'crossed' | 'lost';
    /** Whether a player sees an edit of its video at once, instead of at the next load of the item. One of: off or on. Rule META-2. */
    'record.live_update'?: 'off' | 'on' | true | false;
    /** Whether the `resume` trackers of a linear ad are also called when it starts. One of: off or on. Rule PRD-18. */
    'resume.at_start'?: 'off' | 'on' | true | false;
    /** What a seek does while a linear ad is playing. One of: defer_calls or defer_to_content or ignore or seek_ad. Rule TIME-6. */
    'seek.during_ad'?: 'defer_calls' | 'defer_to_content' | 'ignore' | 'seek_ad';
    /** What happens to fractions of a second when page code seeks. One of: as_is or whole_second. Rule TIME-3. */
    'seek.fraction'?: 'as_is' | 'whole_second';
    /** Which seeks fire `seeked`. One of: any_request or user_only. Rule TIME-11. */
    'seeked.cause'?: 'any_request' | 'user_only';
    /** How long a SIMID unit may take to answer `startCreative`. One of: a duration such as 250ms. Rule SIMID-4. */
    'simid.answer_timeout'?: Length | 0;
    /** What happens when a SIMID overlay asks to expand over the content. One of: granted or refused or without_pause. Rule SIMID-15. */
    'simid.expand'?: 'granted' | 'refused' | 'without_pause';
    /** By how much a SIMID unit may extend its ad. One of: a duration such as 250ms. Rule SIMID-2, SIMID-12. */
    'simid.extra_time'?: Length | 0;
    /** What happens when a SIMID unit fails before its ad has started. One of: media or ad. Rule SIMID-3. */
    'simid.failed'?: 'media' | 'ad';
    /** How long a SIMID unit may take to answer `init`. One of: a duration such as 250ms. Rule SIMID-3. */
    'simid.init_timeout'?: Length | 0;
    /** How often a SIMID overlay may ask to expand over the content. One of: a whole number. Rule SIMID-15. */
    'simid.max_expands'?: number | string;
    /** How many messages per second are accepted from a SIMID unit. One of: a whole number (1 or more). Rule SIMID-7. */
    'simid.max_messages'?: number | string;
    /** The maximum number of URLs opened for one SIMID unit. One of: a whole number. Rule SIMID-11. */
    'simid.max_navigations'?: number | string;
    /** Whether a SIMID unit may open URLs. One of: allowed or unsupported or impossible. Rule SIMID-11. */
    'simid.navigation'?: 'allowed' | 'unsupported' | 'impossible';
    /** How long a SIMID unit may take to request a session. One of: a duration such as 250ms. Rule SIMID-3. */
    'simid.session_timeout'?: Length | 0;
    /** The minimum skip offset; a lower one is raised to this. One of: a duration such as 250ms. Rule ADX-27. */
    'skip.min_offset'?: Length | 0;
    /** Which `skipoffset` of a linear ad counts. One of: exact or whole_percent or times or whole_seconds. Rule PRD-42. */
    'skip.offset'?: 'exact' | 'whole_percent' | 'times' | 'whole_seconds';
    /** The shortest linear ad that the user can skip; one that is shorter has no skip offset. One of: a duration such as 250ms. Rule PRD-36. */
    'skip.shortest'?: Length | 0;
    /** Which trackers of its sound a linear ad calls when it starts, although nobody has changed it. One of: none or mute or unmute. Rule PRD-43. */
    'sound.at_start'?: 'none' | 'mute' | 'unmute';
    /** Whether a source that replaces content asks for a pre-roll. One of: request or none. Rule PRD-34. */
    'src.pre_roll'?: 'request' | 'none';
    /** Whether setting `src` outside a ready callback is an error. One of: off or on. Rule SRC-3. */
    'src.strict'?: 'off' | 'on' | true | false;
    /** How often `start` fires for a video. One of: load or first_time. Rule PLAY-9, STOP-5. */
    'start.scope'?: 'load' | 'first_time';
    /** How periodic `timeupdate` events are spaced. One of: 0 or seeded. Rule MEL-15. */
    'timeupdate.jitter'?: '0' | 'seeded' | 0;
    /** The time between periodic `timeupdate` events. One of: a duration such as 250ms (15ms to 1s). Rule MEL-15. */
    'timeupdate.period'?: Length | 0;
    /** What happens when a script unmutes something that may only play because it is muted. One of: pause or stay_muted. Rule PLAY-25. */
    'unmute.refused'?: 'pause' | 'stay_muted';
    /** Whether `InLine` and `Wrapper` may be in another letter case. One of: any_case or exact. Rule PRD-40. */
    'vast.names'?: 'any_case' | 'exact';
    /** How strictly VAST documents are read. One of: lenient or version or well_formed or strict. Rule PRD-6. */
    'vast.reading'?: 'lenient' | 'version' | 'well_formed' | 'strict';
    /** Which breaks of a VMAP response fire `adEnd`. One of: break or answer. Rule VMAP-22. */
    'vmap.ad_end'?: 'break' | 'answer';
    /** What linear breaks of a VMAP document with one `timeOffset` are. One of: breaks or pod. Rule VMAP-23. */
    'vmap.same_offset'?: 'breaks' | 'pod';
    /** What happens when page code sets a volume outside 0 to 1. One of: ignore or clamp or error. Rule VOL-4. */
    'volume.out_of_range'?: 'ignore' | 'clamp' | 'error';
    /** Whether setting the volume to 0 also mutes. One of: off or on. Rule VOL-6. */
    'volume.zero_mutes'?: 'off' | 'on' | true | false;
    /** What fires when a user clicks on a VPAID ad and the unit does not report the click. One of: person or unit. Rule CLICK-4. */
    'vpaid.click'?: 'person' | 'unit';
    /** How long a VPAID unit may take to answer the handshake, and then to load. One of: a duration such as 250ms. Rule VPAID-3. */
    'vpaid.init_timeout'?: Length | 0;
    /** The error code of an ad that has only VPAID units where VPAID is not allowed. One of: 403 or 200. Rule PRD-3. */
    'vpaid.refused'?: '403' | '200' | 403 | 200;
    /** Whether a VPAID ad fires `adStart` too. One of: both or instead. Rule BRK-2. */
    'vpaid.start'?: 'both' | 'instead';
    /** How long a VPAID unit may take from `startAd` to its impression. One of: a duration such as 250ms. Rule VPAID-4. */
    'vpaid.start_timeout'?: Length | 0;
    /** How long a VPAID unit may take to stop and leave. One of: a duration such as 250ms. Rule VPAID-8, VPAID-9. */
    'vpaid.stop_timeout'?: Length | 0;
  } | null;
  /** Named listeners, for `on`, `once`, `off` and `on_ready`. */
  listeners?: Record<string, Listener> | null;
  /** What media URLs play, by URL; `default`: those not listed; `inline`: SIMID pages inside documents. */
  media?: {
    default?: Medium;
    inline?: Medium;
    [key: string]: Medium | Medium[] | Medium | undefined;
  } | null;
  /** What the scenario shows, in a few words. Default: the name of the file. */
  name?: string | number;
  /** The responses of URLs, by URL. */
  network?: {
    /** How URLs are looked up. */
    match?: {
      /** Query parameters that are ignored. */
      ignore_query?: Array<string | number> | null;
    } | null;
    [key: string]: Answer | Answer[] | {
      /** Query parameters that are ignored. */
      ignore_query?: Array<string | number> | null;
    } | null | undefined;
  } | null;
  /** The page around the players. */
  page?: ScenarioPage;
  /** Settings of all players. */
  player?: ScenarioPlayer;
  /** Settings on top of those of `player`, by container. */
  players?: Record<string, ScenarioPlayer> | null;
  /** The set of knobs to start from; several with `+` between them, of which a later one wins. */
  profile?: 'default' | 'literal' | 'element' | 'browser' | 'observed' | 'standard' | 'vast-client-js' | 'video-ad-sdk' | 'ima' | 'rmp-vast' | 'contrib-ads' | 'media3' | 'fluid-player' | 'shaka' | 'vast-player' | 'chromium' | 'firefox' | 'webkit' | string;
  /** Rules that the scenario is meant to show. For readers only. */
  rules?: Array<'CLK-1' | 'CLK-2' | 'CLK-3' | 'CLK-4' | 'CLK-5' | 'CLK-6' | 'CLK-7' | 'CLK-8' | 'CLK-9' | 'CLK-10' | 'CLK-11' | 'CLK-12' | 'CLK-13' | 'LOAD-1' | 'LOAD-2' | 'LOAD-3' | 'LOAD-4' | 'LOAD-5' | 'QUEUE-1' | 'QUEUE-2' | 'QUEUE-3' | 'QUEUE-4' | 'QUEUE-5' | 'QUEUE-6' | 'INIT-1' | 'INIT-2' | 'INIT-3' | 'INIT-4' | 'INIT-5' | 'INIT-6' | 'INIT-7' | 'INIT-8' | 'INIT-9' | 'INIT-10' | 'INIT-11' | 'INIT-12' | 'INIT-13' | 'INIT-14' | 'INIT-15' | 'INIT-16' | 'INIT-17' | 'INIT-18' | 'INIT-19' | 'INIT-20' | 'INIT-21' | 'READY-1' | 'READY-2' | 'READY-3' | 'EVT-1' | 'EVT-2' | 'EVT-3' | 'EVT-4' | 'EVT-5' | 'EVT-6' | 'EVT-7' | 'EVT-8' | 'EVT-9' | 'EVT-10' | 'EVT-11' | 'EVT-12' | 'EVT-13' | 'EVT-14' | 'EVT-15' | 'EVT-16' | 'EVT-17' | 'EVT-18' | 'EVT-19' | 'EVT-20' | 'EVT-21' | 'EVT-22' | 'EVT-23' | 'MEL-1' | 'MEL-2' | 'MEL-3' | 'MEL-4' | 'MEL-5' | 'MEL-6' | 'MEL-7' | 'MEL-8' | 'MEL-9' | 'MEL-10' | 'MEL-11' | 'MEL-12' | 'MEL-13' | 'MEL-14' | 'MEL-15' | 'MEL-16' | 'MEL-17' | 'MEL-18' | 'MEL-19' | 'MEL-20' | 'MEL-21' | 'MEL-22' | 'MEL-23' | 'MEL-24' | 'MEL-25' | 'MEL-26' | 'MEL-27' | 'MEL-28' | 'MEL-29' | 'PLAY-1' | 'PLAY-2' | 'PLAY-3' | 'PLAY-4' | 'PLAY-5' | 'PLAY-6' | 'PLAY-7' | 'PLAY-8' | 'PLAY-9' | 'PLAY-10' | 'PLAY-11' | 'PLAY-12' | 'PLAY-13' | 'PLAY-14' | 'PLAY-15' | 'PLAY-16' | 'PLAY-17' | 'PLAY-18' | 'PLAY-19' | 'PLAY-20' | 'PLAY-21' | 'PLAY-22' | 'PLAY-23' | 'PLAY-24' | 'PLAY-25' | 'PLAY-26' | 'PAUSE-1' | 'PAUSE-2' | 'PAUSE-3' | 'PAUSE-4' | 'PAUSE-5' | 'PAUSE-6' | 'STOP-1' | 'STOP-2' | 'STOP-3' | 'STOP-4' | 'STOP-5' | 'STOP-6' | 'STOP-7' | 'STOP-8' | 'STOP-9' | 'END-1' | 'END-2' | 'END-3' | 'END-4' | 'END-5' | 'END-6' | 'LAST-1' | 'LAST-2' | 'LAST-3' | 'LAST-4' | 'VOL-1' | 'VOL-2' | 'VOL-3' | 'VOL-4' | 'VOL-5' | 'VOL-6' | 'VOL-7' | 'VOL-8' | 'VOL-9' | 'VOL-10' | 'MUTE-1' | 'MUTE-2' | 'MUTE-3' | 'MUTE-4' | 'MUTE-5' | 'MUTE-6' | 'TIME-1' | 'TIME-2' | 'TIME-3' | 'TIME-4' | 'TIME-5' | 'TIME-6' | 'TIME-7' | 'TIME-8' | 'TIME-9' | 'TIME-10' | 'TIME-11' | 'TIME-12' | 'TIME-13' | 'DUR-1' | 'DUR-2' | 'DUR-3' | 'CH-1' | 'CH-2' | 'CH-3' | 'CH-4' | 'CH-5' | 'CH-6' | 'CH-7' | 'CH-8' | 'CH-9' | 'CH-10' | 'CH-11' | 'CH-12' | 'QUAL-1' | 'QUAL-2' | 'QUAL-3' | 'QUAL-4' | 'QUAL-5' | 'QUAL-6' | 'QUAL-7' | 'QUAL-8' | 'QUAL-9' | 'QUAL-10' | 'QUAL-11' | 'QUAL-12' | 'QUAL-13' | 'QUAL-14' | 'QUAL-15' | 'QUAL-16' | 'SRC-1' | 'SRC-2' | 'SRC-3' | 'SRC-4' | 'SRC-5' | 'SRC-6' | 'SRC-7' | 'SRC-8' | 'SRC-9' | 'SRC-10' | 'SRC-11' | 'SRC-12' | 'LPL-1' | 'LPL-2' | 'LPL-3' | 'LPL-4' | 'LPL-5' | 'LPL-6' | 'LPL-7' | 'SRCQ-1' | 'META-1' | 'META-2' | 'META-3' | 'PL-1' | 'PL-2' | 'PL-3' | 'PL-4' | 'PL-5' | 'PL-6' | 'PL-7' | 'PL-8' | 'PL-9' | 'PL-10' | 'PL-11' | 'PL-12' | 'PL-13' | 'PL-14' | 'PL-15' | 'PL-16' | 'PL-17' | 'PL-18' | 'PL-19' | 'PL-20' | 'PL-21' | 'PL-22' | 'PL-23' | 'AD-1' | 'AD-2' | 'AD-3' | 'AD-4' | 'AD-5' | 'AD-6' | 'AD-7' | 'AD-8' | 'AD-9' | 'AD-10' | 'AD-11' | 'AD-12' | 'AD-13' | 'AD-14' | 'AD-15' | 'AD-16' | 'AD-17' | 'AD-18' | 'AD-19' | 'REQ-1' | 'REQ-2' | 'REQ-3' | 'REQ-4' | 'REQ-5' | 'REQ-6' | 'REQ-7' | 'REQ-8' | 'REQ-9' | 'REQ-10' | 'REQ-11' | 'REQ-12' | 'REQ-13' | 'REQ-14' | 'REQ-15' | 'REQ-16' | 'REQ-17' | 'REQ-18' | 'REQ-19' | 'REQ-20' | 'CHN-1' | 'CHN-2' | 'CHN-3' | 'CHN-4' | 'CHN-5' | 'CHN-6' | 'CHN-7' | 'CHN-8' | 'CHN-9' | 'CHN-10' | 'CHN-11' | 'SEL-1' | 'SEL-2' | 'SEL-3' | 'SEL-4' | 'SEL-5' | 'SEL-6' | 'SEL-7' | 'SEL-8' | 'SEL-9' | 'SEL-10' | 'SEL-11' | 'SEL-12' | 'SEL-13' | 'SEL-14' | 'SEL-15' | 'BRK-1' | 'BRK-2' | 'BRK-3' | 'BRK-4' | 'BRK-5' | 'BRK-6' | 'BRK-7' | 'BRK-8' | 'BRK-9' | 'BRK-10' | 'BRK-11' | 'BRK-12' | 'BRK-13' | 'BRK-14' | 'BRK-15' | 'BRK-16' | 'BRK-17' | 'BRK-18' | 'BRK-19' | 'BRK-20' | 'BRK-21' | 'BRK-22' | 'BRK-23' | 'BRK-24' | 'BRK-25' | 'PRE-1' | 'PRE-2' | 'PRE-3' | 'CUE-1' | 'CUE-2' | 'CUE-3' | 'CUE-4' | 'CUE-5' | 'CUE-6' | 'CUE-7' | 'CUE-8' | 'CUE-9' | 'CUE-10' | 'CUE-11' | 'POST-1' | 'POST-2' | 'POST-3' | 'OVL-1' | 'OVL-2' | 'OVL-3' | 'OVL-4' | 'OVL-5' | 'OVL-6' | 'OVL-7' | 'PA-1' | 'PA-2' | 'PA-3' | 'PA-4' | 'PA-5' | 'PA-6' | 'PA-7' | 'PA-8' | 'PA-9' | 'PA-10' | 'PUSH-1' | 'PUSH-2' | 'PUSH-3' | 'PUSH-4' | 'PUSH-5' | 'GAP-1' | 'GAP-2' | 'GAP-3' | 'GAP-4' | 'VX-1' | 'VX-2' | 'VX-3' | 'VX-4' | 'VMAP-1' | 'VMAP-2' | 'VMAP-3' | 'VMAP-4' | 'VMAP-5' | 'VMAP-6' | 'VMAP-7' | 'VMAP-8' | 'VMAP-9' | 'VMAP-10' | 'VMAP-11' | 'VMAP-12' | 'VMAP-13' | 'VMAP-14' | 'VMAP-15' | 'VMAP-16' | 'VMAP-17' | 'VMAP-18' | 'VMAP-19' | 'VMAP-20' | 'VMAP-21' | 'VMAP-22' | 'VMAP-23' | 'SCHED-1' | 'SCHED-2' | 'SCHED-3' | 'SCHED-4' | 'SCHED-5' | 'SCHED-6' | 'MAC-1' | 'MAC-2' | 'MAC-3' | 'MAC-4' | 'MAC-5' | 'MAC-6' | 'MAC-7' | 'MAC-8' | 'ADX-1' | 'ADX-2' | 'ADX-3' | 'ADX-4' | 'ADX-5' | 'ADX-6' | 'ADX-7' | 'ADX-8' | 'ADX-9' | 'ADX-10' | 'ADX-11' | 'ADX-12' | 'ADX-13' | 'ADX-14' | 'ADX-15' | 'ADX-16' | 'ADX-17' | 'ADX-18' | 'ADX-19' | 'ADX-20' | 'ADX-21' | 'ADX-22' | 'ADX-23' | 'ADX-24' | 'ADX-25' | 'ADX-26' | 'ADX-27' | 'PRD-1' | 'PRD-2' | 'PRD-3' | 'PRD-4' | 'PRD-5' | 'PRD-6' | 'PRD-7' | 'PRD-8' | 'PRD-9' | 'PRD-10' | 'PRD-11' | 'PRD-12' | 'PRD-13' | 'PRD-14' | 'PRD-15' | 'PRD-16' | 'PRD-17' | 'PRD-18' | 'PRD-19' | 'PRD-20' | 'PRD-21' | 'PRD-22' | 'PRD-23' | 'PRD-24' | 'PRD-25' | 'PRD-26' | 'PRD-27' | 'PRD-28' | 'PRD-29' | 'PRD-30' | 'PRD-31' | 'PRD-32' | 'PRD-33' | 'PRD-34' | 'PRD-35' | 'PRD-36' | 'PRD-37' | 'PRD-38' | 'PRD-39' | 'PRD-40' | 'PRD-41' | 'PRD-42' | 'PRD-43' | 'PRD-44' | 'PRD-45' | 'FS-1' | 'FS-2' | 'FS-3' | 'FS-4' | 'FS-5' | 'FS-6' | 'FS-7' | 'FS-8' | 'VIEW-1' | 'VIEW-2' | 'VIEW-3' | 'SKIN-1' | 'SIZE-1' | 'SIZE-2' | 'SIZE-3' | 'STICK-1' | 'STICK-2' | 'STICK-3' | 'CLICK-1' | 'CLICK-2' | 'CLICK-3' | 'CLICK-4' | 'VPAID-1' | 'VPAID-2' | 'VPAID-3' | 'VPAID-4' | 'VPAID-5' | 'VPAID-6' | 'VPAID-7' | 'VPAID-8' | 'VPAID-9' | 'VPAID-10' | 'VPAID-11' | 'VPAID-12' | 'VPAID-13' | 'VPAID-14' | 'VPAID-15' | 'VPAID-16' | 'VPAID-17' | 'VPAID-18' | 'VPAID-19' | 'SIMID-1' | 'SIMID-2' | 'SIMID-3' | 'SIMID-4' | 'SIMID-5' | 'SIMID-6' | 'SIMID-7' | 'SIMID-8' | 'SIMID-9' | 'SIMID-10' | 'SIMID-11' | 'SIMID-12' | 'SIMID-13' | 'SIMID-14' | 'SIMID-15' | 'SIMID-16' | 'GA-1' | 'GA-2' | 'GA-3' | 'GA-4' | 'ENV-1' | 'ENV-2' | 'ENV-3' | 'ENV-4' | 'ERR-1' | 'ERR-2' | 'ERR-3' | 'ERR-4' | 'ERR-5' | 'ERR-6' | 'ERR-7' | 'LIVE-1' | 'LIVE-2' | 'LIVE-3' | 'LIVE-4' | 'LIVE-5' | 'OUT-1' | 'OUT-2' | 'OUT-3' | 'OUT-4' | 'OUT-5' | 'OUT-6' | 'OUT-7' | 'OUT-8' | 'OUT-9' | 'OUT-10' | 'DESTROY-1' | 'DESTROY-2' | 'DESTROY-3' | 'DESTROY-4' | 'DESTROY-5' | 'DESTROY-6' | 'DESTROY-7' | 'DESTROY-8' | 'DESTROY-9' | 'DESTROY-10' | 'DESTROY-11' | 'DESTROY-12' | 'EV-1' | 'EV-2' | 'EV-3' | 'EV-4' | 'EV-5' | 'EV-6' | 'EV-7' | 'EV-8' | 'EV-9' | 'EV-10' | 'EV-11' | 'EV-12' | 'EV-13' | 'EV-14' | 'EV-15' | 'EV-16' | 'EV-17' | 'EV-18' | 'EV-19' | 'EV-20' | 'EV-21' | 'EV-22' | 'EV-23' | 'EV-24' | 'EV-25' | 'EV-26' | 'EV-27' | 'EV-28' | 'EV-29' | 'EV-30' | 'EV-31' | 'EV-32' | 'EV-33' | 'EV-34' | 'EV-35' | 'EV-36' | 'EV-37' | 'EV-38' | 'EV-39' | 'EV-40' | 'EV-41' | 'EDIT-1' | 'EDIT-2' | 'EDIT-3' | 'EDIT-4' | 'EDIT-5' | 'EDIT-6' | 'EDIT-7' | 'EDIT-8' | 'EDIT-9' | 'EDIT-10' | 'EDIT-11' | 'EDIT-12' | 'EDIT-13' | 'EDIT-14' | 'EDIT-15' | 'EDIT-16' | 'EDIT-17' | 'EDIT-18' | 'EDIT-19' | 'EDIT-20' | 'EDIT-21' | 'EDIT-22' | 'EDIT-23' | 'EDIT-24' | 'EDIT-25' | 'EDIT-26' | 'EDIT-27' | 'EDIT-28' | 'EDIT-29' | 'EDIT-30' | 'EDIT-31' | 'EDIT-32' | 'EDIT-33' | 'EDIT-34' | 'EDIT-35' | 'EDIT-36' | 'EDIT-37' | 'EDIT-38' | 'EDIT-39' | 'EDIT-40' | 'EDIT-41' | 'EDIT-42' | 'EDIT-43' | 'EDIT-44' | 'EDIT-45' | 'EDIT-46' | 'EDIT-47' | 'EDIT-48' | 'EDIT-49' | 'EDIT-50' | 'EDIT-51' | 'EDIT-52' | 'EDIT-53' | 'EDIT-54' | 'EDIT-55' | 'EDIT-56' | 'EDIT-57' | 'EDIT-58' | 'EDIT-59' | 'EDIT-60' | 'EDIT-61' | 'EDIT-62' | 'EDIT-63' | 'CON-1' | 'CON-2' | 'CON-3' | 'CON-4' | 'CON-5' | 'CON-6' | 'CON-7' | 'CON-8' | 'CON-9' | 'CON-10' | 'CON-11' | 'CON-12' | 'CON-13' | 'CON-14' | 'CON-15' | 'CON-16' | 'CON-17' | 'CON-18' | 'CON-19' | 'CON-20' | 'CON-21' | 'CON-22' | 'CON-23' | 'CON-24' | 'CON-25' | 'CON-26' | 'CON-27' | 'CON-28' | 'CON-29' | 'CON-30' | 'CON-31' | 'CON-32' | 'CON-33' | 'CON-34' | 'CON-35' | 'CON-36' | 'CON-37' | 'CON-38' | 'CON-39' | 'CON-40' | 'INV-1' | 'INV-2' | 'INV-3' | 'INV-4' | 'INV-5' | 'INV-6' | 'INV-7' | 'INV-8' | 'INV-9' | 'INV-10' | 'INV-11' | 'INV-12' | 'INV-13' | 'INV-14' | 'INV-15' | 'INV-16' | 'INV-17' | 'INV-18' | 'INV-19' | 'INV-20' | 'INV-21' | 'INV-22' | 'INV-23' | 'INV-24' | 'INV-25' | 'INV-26' | 'TRACE-1' | 'TRACE-2' | 'TRACE-3' | 'TRACE-4' | 'TRACE-5' | 'TRACE-6' | 'TRACE-7' | 'TRACE-8' | 'TRACE-9' | 'TRACE-10' | 'TRK-1' | 'TRK-2' | 'TRK-3' | 'TRK-4' | 'TRK-5' | 'TRK-6' | 'TRK-7' | 'TRK-8' | 'TRK-9' | 'TRK-10' | 'TRK-11' | 'TRK-12' | 'TRK-13' | 'TRK-14' | 'TRK-15' | 'TRK-16' | 'TRK-17' | 'SCR-1' | 'SCR-2' | 'SCR-3' | 'SCR-4' | 'NM-1' | 'NM-2' | 'NM-3' | 'NM-4' | 'NM-5'> | null;
  /** The seed of everything random. */
  seed?: number;
  /** What happens. Without steps, one player plays the first video once it is ready. */
  steps?: Step[] | null;
  /** When the run ends: `idle` (nothing can happen any more) or a time. */
  until?: 'idle' | Length | {
    /** The time. */
    at: Length;
    /** The number of the line. */
    line: number;
  };
  /** The videos, with the fields that the edit call has for them. */
  videos?: ScenarioVideo[] | null;
};
