// Written by scripts/types.mjs from the tables of the module. Do not edit.

import type { AdObject, Rendition, Source } from './scenario.js';

/** An event that a player fires. */
export type EventName =
  | 'ready'
  | 'qualityChange'
  | 'start'
  | 'beforeStart'
  | 'play'
  | 'pause'
  | 'ended'
  | 'stopped'
  | 'lastSecond'
  | 'playbackerror'
  | 'clickedThrough'
  | 'livestreamstopped'
  | 'destroyBefore'
  | 'playlistStart'
  | 'skipped'
  | 'playlistComplete'
  | 'timeupdate'
  | 'progress'
  | 'seeked'
  | 'requestAd'
  | 'AdsManagerLoadedEvent'
  | 'bidWon'
  | 'adStart'
  | 'vpaidStart'
  | 'adImpression'
  | 'adFirstQuartile'
  | 'adMidpoint'
  | 'adThirdQuartile'
  | 'adEnd'
  | 'adComplete'
  | 'adSkip'
  | 'adError'
  | 'adPause'
  | 'adResume'
  | 'adClicked'
  | 'loadedmetadata'
  | 'fullscreenchange'
  | 'playerresize'
  | 'volumechange'
  | 'mutechange'
  | 'stickyChange';

/** An event that only a bare media element fires, or a player with the knob `bus.expose_html`. */
export type MediaEventName =
  | 'loadstart'
  | 'suspend'
  | 'abort'
  | 'error'
  | 'emptied'
  | 'stalled'
  | 'durationchange'
  | 'resize'
  | 'loadeddata'
  | 'canplay'
  | 'canplaythrough'
  | 'playing'
  | 'waiting'
  | 'seeking'
  | 'ratechange';

/** Any event. */
export type AnyEventName = EventName | MediaEventName;

/** A call, of a player or of a bare media element. */
export type CallName =
  | 'on'
  | 'once'
  | 'off'
  | 'add'
  | 'addOnce'
  | 'remove'
  | 'destroy'
  | 'play'
  | 'pause'
  | 'stop'
  | 'volume'
  | 'muted'
  | 'currentTime'
  | 'currentChapter'
  | 'setHD'
  | 'setVideoSource'
  | 'src'
  | 'loadPlaylist'
  | 'next'
  | 'previous'
  | 'playByIndex'
  | 'setAd'
  | 'playAd'
  | 'pushAds'
  | 'toggleFullScreen'
  | 'changeSkin'
  | 'resize'
  | 'GoogleAnalytics.fireCustom'
  | 'duration'
  | 'isHD'
  | 'currentSrc'
  | 'getAdInProgress'
  | 'adDuration'
  | 'adRemainingTime'
  | 'isPlayerInView'
  | 'getTitle'
  | 'getTags'
  | 'isReady'
  | 'playlistLength'
  | 'currentIndex'
  | 'isFullScreen'
  | 'load'
  | 'loop'
  | 'playbackRate';

/** A getter or property. */
export type GetterName =
  | 'isReady'
  | 'currentTime'
  | 'duration'
  | 'volume'
  | 'muted'
  | 'currentChapter'
  | 'isHD'
  | 'currentSrc'
  | 'playlistLength'
  | 'currentIndex'
  | 'getAdInProgress'
  | 'adDuration'
  | 'adRemainingTime'
  | 'isFullScreen'
  | 'isPlayerInView'
  | 'getTitle'
  | 'getTags'
  | 'values.lastVASTXML'
  | 'paused'
  | 'ended'
  | 'seeking'
  | 'readyState'
  | 'networkState'
  | 'error'
  | 'loop'
  | 'playbackRate'
  | 'src';

/** What events carry as `e.data`. */
export interface EventData {
  /** An ad has been shown to its end. Rule EV-30. */
  adComplete: {
    /** The position of the tag in its waterfall. */
    wp: number;
    /** The position of the slot in its break. */
    pod: number;
    /** The number of slots of the break. */
    pods: number;
  };
  /** An ad was skipped. Rule EV-31. */
  adSkip: {
    /** The position of the tag in its waterfall. */
    wp: number;
    /** The position of the slot in its break. */
    pod: number;
    /** The number of slots of the break. */
    pods: number;
  };
  /** An ad or an ad tag failed. Rule EV-32. */
  adError: {
    /** The VAST error code. */
    code: number;
    /** Its meaning. */
    message: string;
  };
  /** Mute was switched. Rule EV-40. */
  mutechange: {
    /** Whether the player is muted now. */
    muted: boolean;
  };
  /** The player became sticky, or ceased to be. Rule EV-41. */
  stickyChange: {
    /** Whether it is sticky now. */
    sticky: boolean;
    /** Whether the user has done it. */
    interaction: boolean;
  };
}

/** Why a call fails, or what a diagnostic of the trace is about. */
export type Code =
  | 'ad_busy'
  | 'ad_field'
  | 'ad_tag_url'
  | 'ad_time_type'
  | 'address_not_listed'
  | 'already_initialised'
  | 'bad_ad'
  | 'bad_argument'
  | 'bad_chapter'
  | 'bad_date'
  | 'bad_flag'
  | 'bad_item'
  | 'bad_queue_entry'
  | 'bad_source'
  | 'chapter_behind_end'
  | 'config_missing:height'
  | 'config_missing:id'
  | 'config_missing:video'
  | 'config_missing:width'
  | 'config_size'
  | 'config_type'
  | 'config_unknown'
  | 'content_ignored'
  | 'content_replaced'
  | 'cue_dropped'
  | 'date_order'
  | 'deldiv_true_keeps'
  | 'destroyed'
  | 'event_dropped'
  | 'fullscreen_refused'
  | 'ga_outside_ready'
  | 'gesture_required'
  | 'IndexSizeError'
  | 'item_back'
  | 'item_excluded:geo'
  | 'item_excluded:kill_date'
  | 'item_excluded:no_rendition'
  | 'item_excluded:plan'
  | 'item_excluded:publish'
  | 'item_excluded:rejected'
  | 'listeners_gone'
  | 'media_not_listed'
  | 'no_ads'
  | 'no_class'
  | 'no_container'
  | 'no_cue'
  | 'no_event_named'
  | 'no_hd'
  | 'no_media'
  | 'no_rendition'
  | 'no_source'
  | 'no_such_call'
  | 'no_such_chapter'
  | 'no_such_item'
  | 'no_such_player'
  | 'no_user_agent'
  | 'non_integer_seek'
  | 'not_offered'
  | 'not_playing'
  | 'not_monetized'
  | 'not_ready'
  | 'NotSupportedError'
  | 'outstream'
  | 'plan_limit'
  | 'playlist_edge'
  | 'playlist_failed'
  | 'playlist_form'
  | 'pod_ignored'
  | 'property_called'
  | 'property_read_only'
  | 'queue_never_drained'
  | 'rate_range'
  | 'record_not_listed'
  | 'rendition_failed'
  | 'same_chapter_start'
  | 'same_player_id'
  | 'script_loaded_twice'
  | 'script_not_loaded'
  | 'seek_during_ad'
  | 'sent_both_ways'
  | 'skip_not_offered'
  | 'src_outside_ready'
  | 'sticky_closed'
  | 'title_ignored'
  | 'TypeError'
  | 'unknown_event'
  | 'unknown_pixel'
  | 'unknown_rendition'
  | 'unknown_skin'
  | 'video_barred:geo'
  | 'video_barred:kill_date'
  | 'video_barred:publish'
  | 'volume_mobile'
  | 'volume_range';

export interface Chapter {
  /** Its number, from 0. */
  chapter: number;
  title: string;
  /** In seconds. */
  start: number;
  /** In seconds; null: unknown. */
  end: number | null;
}

export interface MediaErrorLike {
  /** 2 network, 3 decode, 4 not supported. */
  code: number;
}

/** The calls of a player that take no listener. */
export interface PlayerCalls {
  /** Removes the player. Rule EVT-20. */
  destroy(delDiv?: boolean): void;
  /** Starts or resumes. Rules PLAY-1 to PLAY-21. */
  play(): undefined | Promise<void>;
  /** Pauses. Rules PAUSE-1 to PAUSE-6. */
  pause(): void;
  /** Returns to the initial state. Rules STOP-1 to STOP-8. */
  stop(): void;
  /** The volume, 0 to 1. Rule VOL-2. */
  volume(): number;
  /** Reads or sets the volume. Rules VOL-1 to VOL-10. */
  volume(volume: number): number | undefined;
  /** Whether the player is muted. Rule MUTE-1. */
  muted(): boolean;
  /** Reads or switches mute. Rules MUTE-1 to MUTE-6. */
  muted(muted: boolean): boolean | undefined;
  /** The content position in seconds. Rule TIME-1. */
  currentTime(): number;
  /** Reads or seeks. Rules TIME-1 to TIME-13. */
  currentTime(seconds: number): number | undefined;
  /** The chapter at the position. Rule CH-1. */
  currentChapter(): Chapter | null;
  /** Reads the chapter or jumps to one. Rules CH-1 to CH-12. */
  currentChapter(chapter: number): Chapter | null | undefined;
  /** Switches between HD and SD. Rules QUAL-8, QUAL-9. */
  setHD(toggle: boolean): void;
  /** Chooses a rendition. Rules QUAL-1 to QUAL-7. */
  setVideoSource(rendition: Rendition): void;
  /** Sets a custom source. Rules SRC-1 to SRC-11. */
  src(source: string | Source): void;
  /** Loads a playlist file. Rules LPL-1 to LPL-7. */
  loadPlaylist(source: string): void;
  /** Plays the next item. Rule PL-4. */
  next(): void;
  /** Plays the previous item. Rule PL-4. */
  previous(): void;
  /** Plays one item. Rule PL-6. */
  playByIndex(index: number): void;
  /** Adds an ad object. Rules AD-10 to AD-17. */
  setAd(ad: AdObject, prepend?: boolean, level?: 'player' | 'video'): void;
  /** Plays an ad on command. Rules PA-1 to PA-10. */
  playAd(ad: AdObject | string): void;
  /** Plays the pre-rolls once more. Rules PUSH-1 to PUSH-5. */
  pushAds(): void;
  /** Enters or leaves fullscreen. Rules FS-1 to FS-7. */
  toggleFullScreen(): boolean | undefined;
  /** Changes the skin. Rule SKIN-1. */
  changeSkin(id: number): void;
  /** Sets the size. Rules SIZE-1, SIZE-2. */
  resize(width: number, height: number): void;
  /** Reads the content's length. Rules DUR-1 to DUR-3. */
  duration(): number | null;
  /** Whether the rendition in use is an HD one. Rule QUAL-10. */
  isHD(): boolean;
  /** Reads the media URL in use. Rule SRCQ-1. */
  currentSrc(): string;
  /** Whether an ad is on screen. Rules GAP-1, GAP-2. */
  getAdInProgress(): boolean;
  /** The length of the ad on screen, an extension. Rule GAP-3. */
  adDuration(): number | null;
  /** The rest of the ad on screen, an extension. Rule GAP-4. */
  adRemainingTime(): number | null;
  /** Whether half of the player is in view. Rules VIEW-1, VIEW-2. */
  isPlayerInView(): boolean;
  /** Reads the current video's title. Rule META-1. */
  getTitle(): string;
  /** Reads the current video's tags. Rule META-1. */
  getTags(): string;
  readonly GoogleAnalytics: {
    /** Fires a custom analytics event. Rules GA-1 to GA-3. */
    fireCustom(category: string, action: string): void;
  };
}

/** The properties of a player. */
export interface PlayerProperties {
  /** Whether the API is usable. Rule READY-1. */
  readonly isReady: boolean;
  /** The number of items. Rule PL-1. */
  readonly playlistLength: number;
  /** The index of the item in use. Rule PL-2. */
  readonly currentIndex: number;
  /** Whether the player is in fullscreen. Rule FS-3. */
  readonly isFullScreen: boolean;
  readonly values: {
    /** The last VAST document received. Rules VX-1 to VX-4. */
    readonly lastVASTXML: string | undefined;
  };
}

/** The properties of a bare media element that are only read. */
export interface ElementProperties {
  /** Of a bare media element: whether it is paused. Rules MEL-9, MEL-10. */
  readonly paused: boolean;
  /** Of a bare media element: whether it is over. Rule MEL-11. */
  readonly ended: boolean;
  /** Of a bare media element: whether a seek is in progress. Rule MEL-13. */
  readonly seeking: boolean;
  /** Of a bare media element: how much has loaded, 0 to 4. Rule MEL-3. */
  readonly readyState: number;
  /** Of a bare media element: the state of loading, 0 to 3. Rules MEL-1, MEL-2. */
  readonly networkState: number;
  /** Of a bare media element: null, or the code of its failure. Rules MEL-6, MEL-7. */
  readonly error: MediaErrorLike | null;
}
