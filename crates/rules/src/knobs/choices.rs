//! The values of knobs that choose between behaviours: one enum per knob, the default first.
//!
//! The table of [`knobs`](super) says which rules depend on which knob.

use std::fmt;

use super::written::choices;
use playsim_base::named::from_str;
use playsim_base::time::Span;

choices! {
    "Off or on."
    Switch {
        Off "off" "Off.",
        On "on" "On.",
    }
}

impl Switch {
    /// Returns whether the switch is on.
    #[must_use]
    pub const fn is_on(self) -> bool {
        matches!(self, Switch::On)
    }
}

impl PlayActivation {
    /// Whether the browser decides by sound alone, whatever the player shows. Rule PLAY-26.
    #[must_use]
    pub const fn is_by_sound(self) -> bool {
        !matches!(self, PlayActivation::Gesture)
    }
}

choices! {
    "When events fired during an API call reach their listeners."
    DispatchMode {
        Queued "queued" "After the call has returned, in the order they were fired.",
        Sync "sync"
            "During the call, as in a synchronous event emitter: first the events still waiting, then the \
             call's own. Calls nest at most 64 listeners deep.",
    }

    "What happens when a SIMID unit fails before its ad has started."
    SimidFailed {
        Media "media" "The ad's video plays without the unit.",
        Ad "ad" "The whole ad fails.",
    }

    "Whether a SIMID unit may open URLs."
    SimidNavigation {
        Allowed "allowed" "The player opens the URL.",
        Unsupported "unsupported" "Refused with 1214: the player does not support it.",
        Impossible "impossible" "Refused with 1215: the device cannot do it.",
    }

    "What happens when a SIMID overlay asks to expand over the content."
    SimidExpand {
        Granted "granted" "The overlay expands, and the content pauses.",
        Refused "refused" "Refused with 1221: the user does not want it.",
        WithoutPause "without_pause" "Refused with 1220: the content cannot be paused.",
    }

    "How often `beforeStart` fires."
    BeforeStartScope {
        Item "item" "Once per item, before its first ad or, without ads, its content.",
        Break "break" "Before every break of linear ads, and before the content of an item without one.",
        Ad "ad" "Before every ad, overlays included, and before the content of an item without one.",
    }

    "How often `start` fires for a video."
    StartScope {
        Load "load" "Once per load of the video, and again after `stop()`.",
        FirstTime "first_time" "Once per player, the first time the video plays.",
    }

    "What happens when a player's configuration lacks `width` or `height`."
    MissingSize {
        Usual "usual" "The player is 640 by 360, and a diagnostic is logged.",
        Refuse "refuse" "No player is created.",
    }

    "What happens to fractions of a second when page code seeks."
    SeekFraction {
        AsIs "as_is" "They are kept.",
        WholeSecond "whole_second" "They are dropped: 4.7 seeks to 4.",
    }

    "When `play` fires if a pre-roll comes before the content."
    PlayWithPreroll {
        AfterAds "after_ads" "When the content begins.",
        AtCall "at_call" "When playback is requested, and not again when the content begins.",
        Both "both" "When playback is requested, and again when the content begins.",
    }

    "Whether `ended` fires before or after a post-roll."
    EndedVsPostroll {
        After "after" "After the post-roll.",
        Before "before" "When the content ends, before the post-roll is requested.",
    }

    "How periodic `timeupdate` events are spaced."
    Jitter {
        None "0" "Evenly.",
        Seeded "seeded" "Randomly (repeatable by seed): each comes up to a quarter of the period early.",
    }

    "When the player notices that playback has reached a position."
    Detection {
        Exact "exact" "At the exact microsecond.",
        OnTimeupdate "on_timeupdate" "At the next periodic `timeupdate`.",
    }

    "What happens when playback passes several quartiles at once."
    CatchUp {
        All "all" "All of them fire, in order.",
        OnePerUpdate "one_per_update"
            "One fires at once, the others one by one with the following time updates.",
        NewestOnly "newest_only" "Only the last of them fires.",
    }

    "When content stops for a mid-roll."
    MidrollHold {
        WhenReady "when_ready" "When the first ad of the mid-roll is ready.",
        AtCue "at_cue" "At the cue point; the content waits while the ad loads.",
    }

    "When content stops for a pre-roll."
    PrerollHold {
        AtPlay "at_play" "From the start: it does not play before the pre-roll is over.",
        WhenReady "when_ready" "When the first ad of the pre-roll is ready; content plays until then.",
        AtPicture "at_first_picture"
            "As soon as it has begun to play: its first picture is seen before the pre-roll.",
    }

    "What an item does at the place of a pre-roll or post-roll that it does not have."
    AbsentBreak {
        AtOnce "at_once" "It goes on at once: the player knows that no ad comes.",
        AfterTimeout "after_timeout"
            "It is held as if for a break that loads, until the time limit of such a break has passed; \
             without a limit it goes on at once.",
    }

    "Whether a source that replaces content asks for a pre-roll."
    SourcePreRoll {
        Request "request" "Yes, as the first start of every item does.",
        None "none" "No, if the item that it replaces has started: page code has to ask for ads.",
    }

    "What happens to a mid-roll whose ads were to be requested at a position that a seek has passed."
    PassedRequest {
        AfterSeek "after_seek" "They are requested when the seek ends.",
        Lost "lost" "They are never requested, and the mid-roll does not come.",
    }

    "Where the first ad of a mid-roll begins that a seek has passed."
    MidrollJoin {
        Start "start" "At its beginning.",
        Middle "middle"
            "As far into it as the seek went past its cue point; an ad that is not as long ends at once.",
    }

    "What happens to an ad response that arrives after its timeout."
    LateAnswer {
        Drop "drop" "It is discarded.",
        UseIfIdle "use_if_idle" "Its ads play in a break of their own if no other break is open.",
    }

    "Which engine requests and plays ads."
    AdEngine {
        InHouse "in_house" "The player's own VAST engine.",
        Sdk "sdk" "A third-party ad SDK.",
    }

    "Which ad failures fire `adError`."
    AdErrorScope {
        Each "each" "Every failed tag and ad.",
        LastOnly "last_only" "Only the failure that leaves its waterfall without an ad.",
        FatalOnly "fatal_only" "Only the failure that leaves the whole break without an ad.",
    }

    "How often `adEnd` fires."
    AdEndScope {
        Break "break" "Once per break.",
        Pod "pod" "Once per pod of a break.",
        Tag "tag" "Once per requested ad tag.",
    }

    "What happens after an ad fails that had already started."
    AfterStartError {
        NextTag "next_tag" "The next tag of its waterfall is requested.",
        NextPod "next_pod" "The next pod of the break is requested.",
        EndBreak "end_break" "The break ends.",
    }

    "What happens when playback starts without the user gesture that the device requires."
    GestureViolation {
        Refuse "refuse" "The start is refused, and nothing changes.",
        PlayMuted "play_muted" "The player is muted and plays.",
        AdFailsContentPlays "ad_fails_content_plays" "The ads fail, and the content plays.",
        AdFailsAtStart "ad_fails_at_start"
            "The ads are requested and fail with 400 when the first is to start, and the content plays.",
    }

    "What happens when a script unmutes something that may only play because it is muted."
    UnmuteRefused {
        Pause "pause" "It is unmuted and pauses, an ad with `adPause`, as in HTML.",
        StayMuted "stay_muted" "It stays muted and plays.",
    }

    "Whether a bare media element that plays by itself fires `play` before or after `canplaythrough`."
    AutoplayOrder {
        After "after" "After it, as in HTML.",
        Before "before" "Before it.",
    }

    "Which user activation playback with sound needs, by the terms of HTML."
    PlayActivation {
        Gesture "gesture" "As `gesture_policy` of the page says, one gesture, which lasts for the run.",
        Sticky "sticky" "Sticky activation, on every device: one gesture, which lasts for the run.",
        Transient "transient"
            "Transient activation, on every device, when playback is requested and when the first ad starts.",
        Element "element"
            "On every device, an element that was started with transient activation may play from then on. An \
             ad SDK has an element of its own.",
    }

    "What a seek does while a linear ad is playing."
    SeekDuringAd {
        DeferCalls "defer_calls"
            "A seek by API call moves the content when the break ends; a seek by the user is ignored.",
        DeferToContent "defer_to_content" "Any seek moves the content when the break ends.",
        Ignore "ignore" "Every seek is ignored.",
        SeekAd "seek_ad" "The seek moves the ad.",
    }

    "Which seeks fire `seeked`."
    SeekedCause {
        AnyRequest "any_request" "Seeks by API calls and by the user.",
        UserOnly "user_only" "Only seeks by the user.",
    }

    "What happens when a playlist item fails."
    OnItemError {
        Stay "stay" "Nothing: the playlist stays at that item.",
        Advance "advance" "The next item plays.",
    }

    "What `play()` does while a playlist waits to advance (`playlist.advance_delay`)."
    PlayInDelay {
        Replay "replay" "The item that has ended plays again, and the advance is dropped.",
        Advance "advance" "The next item plays at once.",
    }

    "Which item of a playlist is in use after `stop()`."
    AfterStop {
        Keep "keep" "The one that was stopped: the next pass begins there.",
        First "first" "The first one, as initially: the next pass begins there.",
    }

    "When `progress` fires."
    ProgressMeaning {
        Both "both" "When data arrive, and when playback waits for data.",
        Data "data" "When data arrive, as in HTML.",
        Waiting "waiting" "When playback waits for data.",
    }

    "Which playlist items have pre-rolls."
    PlaylistPrerolls {
        EveryItem "every_item" "Every item.",
        FirstItem "first_item" "Only the first item started in each pass of the list.",
    }

    "Which pre-rolls `pushAds()` plays."
    PushAdsSource {
        Effective "effective" "The pre-rolls in force for the current item.",
        PlayerLevel "player_level" "The pre-rolls set at player level.",
    }

    "What `pause()` does while content is held for a break that is still loading."
    PauseDuringLoad {
        Hold "hold" "The break keeps loading, and its ad waits until playback resumes.",
        CancelBreak "cancel_break" "The break is cancelled.",
        Ignore "ignore" "Nothing.",
    }

    "What happens to an outstream unit after its ads."
    OutstreamAfter {
        Destroy "destroy" "It destroys itself.",
        Hide "hide" "It is hidden.",
        KeepLastFrame "keep_last_frame" "It stays visible with its last frame.",
    }

    "What `toggleFullScreen()` does while in fullscreen."
    FullscreenToggle {
        Toggle "toggle" "It leaves fullscreen.",
        EnterOnly "enter_only" "Nothing.",
    }

    "Which changes fire `fullscreenchange`."
    FullscreenEvent {
        AnyChange "any_change" "Every change.",
        ButtonOnly "button_only" "Only changes made with the player's fullscreen button.",
    }

    "What happens when the container lacks the player's CSS class."
    NoClass {
        Warn "warn" "The player is created, and a diagnostic is logged.",
        Refuse "refuse" "No player is created.",
    }

    "What the field `adTagUrl` of an ad object means."
    AdTagUrl {
        Alias "alias" "It is another name of `mobile`.",
        Ignore "ignore" "It is ignored.",
        Error "error" "It is an error.",
    }

    "Whether an ad object must have `adTimeType`."
    TimeTypeRequired {
        Lenient "lenient" "Only where it is used; if it is missing there, it counts as `s`.",
        Strict "strict" "Always.",
    }

    "What happens when page code calls a property like a method."
    PropertyCalls {
        Warn "warn" "The property is read, and a diagnostic is logged.",
        Error "error" "The call throws an error.",
    }

    "What `play()` returns."
    PlayReturns {
        None "none" "Nothing.",
        Promise "promise" "A promise, resolved or rejected as by an HTML media element.",
    }

    "What happens when page code sets a volume outside 0 to 1."
    VolumeOutOfRange {
        Ignore "ignore" "Nothing.",
        Clamp "clamp" "The nearest valid volume is set.",
        Error "error" "The call throws an error.",
    }

    "Which macros are replaced in ad tags, in addition to those of VAST."
    MacroSet {
        Off "off" "None.",
        Obs "obs" "The macros seen in public integrations of the player, and custom parameters.",
    }

    "Which spellings of macros in URLs are replaced."
    MacroSpelling {
        Lenient "lenient"
            "The standard's and others that real tags use; the value is filled in wherever it is known.",
        Strict "strict"
            "Only `[NAME]`, and only in URLs where the standard defines the macro; elsewhere the value is \
             `-1`.",
    }

    "What happens to a linear ad that is longer than `break.max_duration` leaves time for."
    Overrun {
        Refused "refused" "It is not shown, and the break ends.",
        Cut "cut" "It plays until the limit, and the break ends there.",
    }

    "Whether a VPAID ad fires `adStart` too."
    VpaidStart {
        Both "both" "`adStart`, then `vpaidStart`.",
        Instead "instead" "Only `vpaidStart`.",
    }
}

/// Which mid-rolls play after a seek that passes several of them. Rule CUE-5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeekPolicy {
    /// The last one that a forward seek passes.
    Last,
    /// The one just before the target, for seeks in either direction.
    Previous,
    /// All that a forward seek passes, in order.
    All,
    /// None.
    None,
    /// The last one that a forward seek passes, if the target is at most this far after it.
    Window(Span),
}

impl SeekPolicy {
    /// The valid values, in words.
    pub const TAKES: &str = "last, previous, all, none or window(10s)";

    fn read(word: &str) -> Option<SeekPolicy> {
        match word {
            "last" => Some(SeekPolicy::Last),
            "previous" => Some(SeekPolicy::Previous),
            "all" => Some(SeekPolicy::All),
            "none" => Some(SeekPolicy::None),
            _ => {
                let length = word.strip_prefix("window(")?.strip_suffix(')')?;
                length.parse().ok().map(SeekPolicy::Window)
            }
        }
    }
}

from_str!(SeekPolicy, SeekPolicy::TAKES);

impl fmt::Display for SeekPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeekPolicy::Last => f.write_str("last"),
            SeekPolicy::Previous => f.write_str("previous"),
            SeekPolicy::All => f.write_str("all"),
            SeekPolicy::None => f.write_str("none"),
            SeekPolicy::Window(length) => write!(f, "window({})", length.in_seconds()),
        }
    }
}
