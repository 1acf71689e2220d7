//! What knobs that choose between readings can be set to: one enum each, the default first.
//!
//! Which rule asks which knob stands in the table of [`knobs`](super).

use std::fmt;

use crate::named::named;
use crate::time::Span;

named! {
    /// Off or on.
    Switch {
        Off "off" "Not so.",
        On "on" "So.",
    }
}

impl Switch {
    /// Whether it is on.
    #[must_use]
    pub const fn is_on(self) -> bool {
        matches!(self, Switch::On)
    }
}

named! {
    /// When the events of a call reach their listeners.
    DispatchMode {
        Queued "queued" "After the call has returned, first in, first out.",
        Sync "sync" "Within the call: what waited before it, then its own; at most 64 listeners deep.",
    }
}

named! {
    /// What follows a SIMID unit that fails before its ad is on.
    SimidFailed {
        Media "media" "The film of the ad plays without it.",
        Ad "ad" "The ad cannot be used.",
    }
}

named! {
    /// Whether addresses are opened for a SIMID unit.
    SimidNavigation {
        Allowed "allowed" "They are.",
        Unsupported "unsupported" "The player does not: 1214.",
        Impossible "impossible" "The device cannot: 1215.",
    }
}

named! {
    /// What becomes of a SIMID overlay that asks to cover the content.
    SimidExpand {
        Granted "granted" "It may, and the content pauses.",
        Refused "refused" "The person does not want it: 1221.",
        WithoutPause "without_pause" "The content does not pause, so it may not: 1220.",
    }
}

named! {
    /// What `beforeStart` comes before.
    BeforeStartScope {
        Item "item" "Once for the start of an item.",
        Break "break" "Before each break of linear ads, and before an item without one.",
        Ad "ad" "Before each linear ad, and before an item without one.",
    }
}

named! {
    /// When `play` comes if a pre-roll stands before the content.
    PlayWithPreroll {
        AfterAds "after_ads" "When content begins.",
        AtCall "at_call" "When playing is asked for, and not again when content begins.",
        Both "both" "When playing is asked for and when content begins.",
    }
}

named! {
    /// Where `ended` stands to a post-roll.
    EndedVsPostroll {
        After "after" "When the post-roll is over.",
        Before "before" "When content is over, before the post-roll is asked for.",
    }
}

named! {
    /// How time updates are spaced.
    Jitter {
        None "0" "Evenly.",
        Seeded "seeded" "At random, up to a quarter of the period early.",
    }
}

named! {
    /// When what follows from a position is noticed.
    Detection {
        Exact "exact" "At the exact microsecond.",
        OnTimeupdate "on_timeupdate" "With the next periodic time update.",
    }
}

named! {
    /// What becomes of several quartiles that one step of time crosses.
    CatchUp {
        All "all" "All of them come, in order.",
        OnePerUpdate "one_per_update" "One comes, the others with the updates that follow.",
        NewestOnly "newest_only" "Only the last of them comes.",
    }
}

named! {
    /// When content stops for a mid-roll.
    MidrollHold {
        WhenReady "when_ready" "When its first ad is ready.",
        AtCue "at_cue" "At its cue.",
    }
}

named! {
    /// What becomes of an ad answer that comes after its time-out.
    LateAnswer {
        Drop "drop" "It is dropped.",
        UseIfIdle "use_if_idle" "It opens a break of its own if none is open.",
    }
}

named! {
    /// Who asks for ads and plays them.
    AdEngine {
        InHouse "in_house" "The player's own parser.",
        Sdk "sdk" "The third-party ad SDK.",
    }
}

named! {
    /// Which failures of ads are told by `adError`.
    AdErrorScope {
        Each "each" "Each failing tag and ad.",
        LastOnly "last_only" "The one that leaves its waterfall without an ad.",
        FatalOnly "fatal_only" "The one that leaves the whole break without an ad.",
    }
}

named! {
    /// What `adEnd` closes.
    AdEndScope {
        Break "break" "A break.",
        Pod "pod" "Each pod of a break.",
        Tag "tag" "Each tag that was asked.",
    }
}

named! {
    /// What follows an ad that fails after it started.
    AfterStartError {
        NextTag "next_tag" "The next tag of its waterfall.",
        NextPod "next_pod" "The next pod of its break.",
        EndBreak "end_break" "The end of the break.",
    }
}

named! {
    /// What a start without the gesture it needs comes to.
    GestureViolation {
        Refuse "refuse" "It is refused, and nothing changes.",
        PlayMuted "play_muted" "The player is muted and plays.",
        AdFailsContentPlays "ad_fails_content_plays" "The ads fail, content plays.",
    }
}

named! {
    /// What a seek does while a linear ad is on.
    SeekDuringAd {
        Ignore "ignore" "Nothing.",
        DeferToContent "defer_to_content" "It moves the content when the break is over.",
        SeekAd "seek_ad" "It moves the ad.",
    }
}

named! {
    /// Whose seeks `seeked` tells of.
    SeekedCause {
        AnyRequest "any_request" "Those of calls and of the person.",
        UserOnly "user_only" "Those of the person.",
    }
}

named! {
    /// What follows an item that fails.
    OnItemError {
        Stay "stay" "Nothing: the list stays where it is.",
        Advance "advance" "The next item.",
    }
}

named! {
    /// Which items of a playlist have pre-rolls.
    PlaylistPrerolls {
        EveryItem "every_item" "Each.",
        FirstItem "first_item" "The first that is started in a pass.",
    }
}

named! {
    /// Which pre-rolls `pushAds()` plays.
    PushAdsSource {
        Effective "effective" "Those in force for the item.",
        PlayerLevel "player_level" "Those set at player level.",
    }
}

named! {
    /// What `pause()` does while content is held for a break that loads.
    PauseDuringLoad {
        Hold "hold" "The break goes on loading, its ad waits.",
        CancelBreak "cancel_break" "The break is given up.",
        Ignore "ignore" "Nothing.",
    }
}

named! {
    /// What becomes of an outstream unit after its ads.
    OutstreamAfter {
        Destroy "destroy" "It destroys itself.",
        Hide "hide" "It is hidden.",
        KeepLastFrame "keep_last_frame" "It stays with its last picture.",
    }
}

named! {
    /// What `toggleFullScreen()` does in fullscreen.
    FullscreenToggle {
        Toggle "toggle" "It leaves fullscreen.",
        EnterOnly "enter_only" "Nothing.",
    }
}

named! {
    /// Which changes `fullscreenchange` tells of.
    FullscreenEvent {
        AnyChange "any_change" "All.",
        ButtonOnly "button_only" "Those by the person's button.",
    }
}

named! {
    /// What becomes of a container without the player's class.
    NoClass {
        Warn "warn" "The player is made, with a diagnostic.",
        Refuse "refuse" "No player is made.",
    }
}

named! {
    /// What `adTagUrl` of an ad object is.
    AdTagUrl {
        Alias "alias" "Another name of `mobile`.",
        Ignore "ignore" "Nothing.",
        Error "error" "A mistake.",
    }
}

named! {
    /// Whether an ad object must have its `adTimeType`.
    TimeTypeRequired {
        Lenient "lenient" "Only where it is used, and there it counts as `s`.",
        Strict "strict" "Always.",
    }
}

named! {
    /// What a property that is written as a call comes to.
    PropertyCalls {
        Warn "warn" "It is read, with a diagnostic.",
        Error "error" "It is an error.",
    }
}

named! {
    /// What `play()` gives back.
    PlayReturns {
        None "none" "Nothing.",
        Promise "promise" "A promise, kept or broken as the media element does.",
    }
}

named! {
    /// What becomes of a volume outside 0 to 1.
    VolumeOutOfRange {
        Ignore "ignore" "Nothing.",
        Clamp "clamp" "The nearest volume is set.",
        Error "error" "The call fails.",
    }
}

named! {
    /// Which macros an ad tag may hold besides those of VAST.
    MacroSet {
        Off "off" "None.",
        Obs "obs" "Those seen in public integrations of the player, and custom parameters.",
    }
}

named! {
    /// Which spellings of macros in addresses are filled.
    MacroSpelling {
        Lenient "lenient" "The standard's and those that real tags use; a value wherever it is known.",
        Strict "strict" "`[NAME]` alone, and only in addresses that the standard has it for; else `-1`.",
    }
}

named! {
    /// Whether a VPAID ad also gives `adStart`.
    VpaidStart {
        Both "both" "`adStart`, then `vpaidStart`.",
        Instead "instead" "`vpaidStart` alone.",
    }
}

/// Which mid-roll a seek over several brings. Rule CUE-5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeekPolicy {
    /// The last one of a forward seek.
    Last,
    /// The one just before the target, of seeks either way.
    Previous,
    /// All of a forward seek, in order.
    All,
    /// None.
    None,
    /// The last one of a forward seek, if the target is not farther behind it than this.
    Window(Span),
}

impl SeekPolicy {
    /// What it takes, in words.
    pub const TAKES: &str = "last, previous, all, none or window(10s)";

    /// The policy of this word.
    #[must_use]
    pub fn read(word: &str) -> Option<SeekPolicy> {
        match word {
            "last" => Some(SeekPolicy::Last),
            "previous" => Some(SeekPolicy::Previous),
            "all" => Some(SeekPolicy::All),
            "none" => Some(SeekPolicy::None),
            _ => {
                let length = word.strip_prefix("window(")?.strip_suffix(')')?;
                Span::read(length).ok().map(SeekPolicy::Window)
            }
        }
    }
}

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
