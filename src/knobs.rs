//! Knobs: where the sources leave a choice and users need the other one too.
//!
//! A knob is one row here: its name, its typed field in [`Knobs`], its default, the rules that ask it.
//! Only what is built has a row. A profile is a named set of them.

use std::fmt;

use crate::rule;
use crate::rules::{self, RuleId};
use crate::time::Span;

mod choices;
mod print;
mod profiles;

pub use choices::{
    AdEndScope, AdEngine, AdErrorScope, AdTagUrl, AfterStartError, BeforeStartScope, CatchUp, Detection,
    DispatchMode, EndedVsPostroll, FullscreenEvent, FullscreenToggle, GestureViolation, Jitter, LateAnswer,
    MacroSet, MacroSpelling, MidrollHold, NoClass, OnItemError, OutstreamAfter, PauseDuringLoad, PlayReturns,
    PlayWithPreroll, PlaylistPrerolls, PropertyCalls, PushAdsSource, SeekDuringAd, SeekPolicy, SeekedCause,
    Switch, TimeTypeRequired, VolumeOutOfRange, VpaidStart,
};
pub use print::{json, markdown, text};
pub use profiles::Profile;

/// What a knob takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Takes {
    /// A length of time.
    Length,
    /// A whole number.
    Number,
    /// One of these words; each with what it means.
    Words(Vec<(&'static str, &'static str)>),
    /// A word of a form that this describes.
    Form(&'static str),
}

/// One row of the table of knobs.
pub struct Knob {
    /// Its name in scenarios.
    pub name: &'static str,
    /// What it decides, in a sentence.
    pub about: &'static str,
    /// What it takes.
    pub takes: fn() -> Takes,
    /// Which of these are allowed, in words; empty: all.
    pub range: &'static str,
    /// The rules that ask it.
    pub rules: &'static [RuleId],
    /// Its value, as it is written.
    pub value: fn(&Knobs) -> String,
    set: fn(&mut Knobs, &str) -> bool,
}

/// What stands behind a knob: how it is written.
trait Written: Copy {
    fn read(text: &str) -> Option<Self>;
    fn write(self) -> String;
    fn takes() -> Takes;
}

impl Written for Span {
    fn read(text: &str) -> Option<Span> {
        // Nothing at all needs no unit.
        if text == "0" { Some(Span::ZERO) } else { Span::read(text).ok() }
    }

    fn write(self) -> String {
        self.in_seconds()
    }

    fn takes() -> Takes {
        Takes::Length
    }
}

impl Written for u32 {
    fn read(text: &str) -> Option<u32> {
        text.parse().ok()
    }

    fn write(self) -> String {
        self.to_string()
    }

    fn takes() -> Takes {
        Takes::Number
    }
}

impl Written for SeekPolicy {
    fn read(text: &str) -> Option<SeekPolicy> {
        SeekPolicy::read(text)
    }

    fn write(self) -> String {
        self.to_string()
    }

    fn takes() -> Takes {
        Takes::Form(SeekPolicy::TAKES)
    }
}

macro_rules! words {
    ($($choice:ident)*) => {$(
        impl Written for $choice {
            fn read(text: &str) -> Option<$choice> {
                $choice::read(text)
            }

            fn write(self) -> String {
                self.name().to_owned()
            }

            fn takes() -> Takes {
                Takes::Words($choice::ALL.iter().map(|choice| (choice.name(), choice.gist())).collect())
            }
        }
    )*};
}

words! {
    AdEndScope AdEngine AdErrorScope AdTagUrl AfterStartError BeforeStartScope CatchUp Detection DispatchMode
    EndedVsPostroll FullscreenEvent FullscreenToggle GestureViolation Jitter LateAnswer MacroSet MacroSpelling MidrollHold
    NoClass OnItemError OutstreamAfter PauseDuringLoad PlayReturns PlayWithPreroll PlaylistPrerolls
    PropertyCalls PushAdsSource SeekDuringAd SeekedCause Switch TimeTypeRequired VolumeOutOfRange VpaidStart
}

macro_rules! knobs {
    ($(
        $name:literal $field:ident: $type:ty = $default:expr, [$($rule:literal),*], $about:literal
        $(, $valid:expr, $range:literal)?;
    )*) => {
        /// The settings in force for a run.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Knobs {
            $(#[doc = concat!("`", $name, "`: ", $about)] pub $field: $type,)*
        }

        impl Default for Knobs {
            fn default() -> Knobs {
                Knobs { $($field: $default,)* }
            }
        }

        /// All knobs.
        pub const KNOBS: &[Knob] = &[$(Knob {
            name: $name,
            about: $about,
            takes: <$type as Written>::takes,
            range: concat!($($range)?),
            rules: &[$(rule!($rule)),*],
            value: |knobs| Written::write(knobs.$field),
            set: |knobs, text| {
                let value = <$type as Written>::read(text);
                $(let value = value.filter($valid);)?
                value.map(|value| knobs.$field = value).is_some()
            },
        },)*];
    };
}

knobs! {
    "dispatch.mode" dispatch_mode: DispatchMode = DispatchMode::Queued, ["EVT-1"],
        "When the events of a call reach their listeners.";
    "bus.dedupe" bus_dedupe: Switch = Switch::Off, ["EVT-10"],
        "Whether binding a listener once more to the same event does nothing.";
    "bus.array_everywhere" bus_array_everywhere: Switch = Switch::On, ["EVT-6"],
        "Whether `once` and `off` take several names, as `on` does.";
    "bus.expose_html" bus_expose_html: Switch = Switch::Off, ["EVT-18"],
        "Whether page code hears the media element's events outside the table.";
    "compat.property_calls" compat_property_calls: PropertyCalls = PropertyCalls::Warn,
        ["READY-2", "PL-3", "FS-3"], "What a property that is written as a call comes to.";
    "init.strict_types" init_strict_types: Switch = Switch::Off, ["INIT-3"],
        "Whether numbers are refused where the configuration asks for text.";
    "init.no_class" init_no_class: NoClass = NoClass::Warn, ["INIT-6"],
        "What becomes of a container without the player's class.";
    "play.returns" play_returns: PlayReturns = PlayReturns::None, ["PLAY-3"], "What `play()` gives back.";
    "play.with_preroll" play_with_preroll: PlayWithPreroll = PlayWithPreroll::AfterAds, ["PLAY-5"],
        "When `play` comes if a pre-roll stands before the content.";
    "before_start.scope" before_start_scope: BeforeStartScope = BeforeStartScope::Item, ["PLAY-7"],
        "What `beforeStart` comes before.";
    "gesture.violation" gesture_violation: GestureViolation = GestureViolation::Refuse, ["PLAY-17"],
        "What a start without the gesture it needs comes to.";
    "pause.during_load" pause_during_load: PauseDuringLoad = PauseDuringLoad::Hold, ["PAUSE-4"],
        "What `pause()` does while content is held for a break that loads.";
    "ended.pause_event" ended_pause_event: Switch = Switch::Off, ["END-1"],
        "Whether `pause` comes before `ended`.";
    "ended.vs_postroll" ended_vs_postroll: EndedVsPostroll = EndedVsPostroll::After, ["END-2"],
        "Where `ended` stands to a post-roll.";
    "timeupdate.period" timeupdate_period: Span = Span::from_millis(250), ["MEL-15"],
        "From one periodic time update to the next.",
        |period| *period >= Span::from_millis(15) && *period <= Span::from_millis(250), "15ms to 250ms";
    "timeupdate.jitter" timeupdate_jitter: Jitter = Jitter::None, ["MEL-15"],
        "How periodic time updates are spaced.";
    "progress.jitter" progress_jitter: Span = Span::ZERO, ["MEL-4"],
        "How far `progress` may be from its interval.",
        |jitter| *jitter <= Span::from_millis(200), "0 to 200ms";
    "detect" detect: Detection = Detection::Exact, ["LAST-4"],
        "When what follows from a position is noticed.";
    "seek.during_ad" seek_during_ad: SeekDuringAd = SeekDuringAd::Ignore, ["TIME-6"],
        "What a seek does while a linear ad is on.";
    "seeked.cause" seeked_cause: SeekedCause = SeekedCause::AnyRequest, ["TIME-11"],
        "Whose seeks `seeked` tells of.";
    "volume.out_of_range" volume_out_of_range: VolumeOutOfRange = VolumeOutOfRange::Ignore, ["VOL-4"],
        "What becomes of a volume outside 0 to 1.";
    "volume.zero_mutes" volume_zero_mutes: Switch = Switch::Off, ["VOL-6"], "Whether volume 0 mutes.";
    "mute.volumechange" mute_volumechange: Switch = Switch::Off, ["MUTE-3"],
        "Whether muting gives `volumechange` too.";
    "quality.reload_events" quality_reload_events: Switch = Switch::Off, ["QUAL-7"],
        "Whether a change of rendition shows the events of a new source.";
    "src.strict" src_strict: Switch = Switch::Off, ["SRC-3"],
        "Whether `src` outside a ready callback is an error.";
    "playlist.wrap" playlist_wrap: Switch = Switch::Off, ["PL-5"],
        "Whether `next()` at the last item leads to the first, and `previous()` back.";
    "playlist.on_error" playlist_on_error: OnItemError = OnItemError::Stay, ["PL-16"],
        "What follows an item that fails.";
    "playlist.prerolls" playlist_prerolls: PlaylistPrerolls = PlaylistPrerolls::EveryItem, ["PRE-3"],
        "Which items of a playlist have pre-rolls.";
    "playlist.advance_delay" playlist_advance_delay: Span = Span::ZERO, ["PL-12"],
        "The wait before the next item.";
    "ad.adTagUrl" ad_tag_url: AdTagUrl = AdTagUrl::Alias, ["AD-5"], "What `adTagUrl` of an ad object is.";
    "ad.time_type_required" ad_time_type_required: TimeTypeRequired = TimeTypeRequired::Lenient, ["AD-3"],
        "Whether an ad object must have its `adTimeType`.";
    "ad.engine" ad_engine: AdEngine = AdEngine::InHouse, ["REQ-12", "VX-1"],
        "Who asks for ads and plays them.";
    "ad.timeout" ad_timeout: Span = Span::from_secs(5), ["REQ-7"],
        "The time limit of one ad tag with its redirects.";
    "ad.late" ad_late: LateAnswer = LateAnswer::Drop, ["REQ-10"],
        "What becomes of an ad answer that comes after its time-out.";
    "ad.media_timeout" ad_media_timeout: Span = Span::from_secs(8), ["REQ-9"],
        "How long an ad's media may take to get ready.";
    "ad.stall_timeout" ad_stall_timeout: Span = Span::from_secs(8), ["BRK-20"], "How long an ad may stall.";
    "ad.end_card" ad_end_card: Span = Span::from_secs(5), ["ADX-17"],
        "How long an end card shows that nobody closes.";
    "skip.min_offset" skip_min_offset: Span = Span::ZERO, ["ADX-27"],
        "The least skip offset: one that is lower counts as this.";
    "ad.max_wrappers" ad_max_wrappers: u32 = 5, ["REQ-8"], "How many redirects are followed.",
        |count| *count <= 100, "0 to 100";
    "ad_error.scope" ad_error_scope: AdErrorScope = AdErrorScope::Each, ["REQ-4"],
        "Which failures of ads are told by `adError`.";
    "ad_end.scope" ad_end_scope: AdEndScope = AdEndScope::Break, ["BRK-10"], "What `adEnd` closes.";
    "ad.after_start_error" ad_after_start_error: AfterStartError = AfterStartError::NextTag, ["BRK-12"],
        "What follows an ad that fails after it started.";
    "adpos.base" adpos_base: u32 = 0, ["BRK-7"], "What `wp` and `pod` count from.",
        |base| *base <= 1, "0 or 1";
    "quartile.catch_up" quartile_catch_up: CatchUp = CatchUp::All, ["BRK-4"],
        "What becomes of several quartiles that one step of time crosses.";
    "vpaid.start" vpaid_start: VpaidStart = VpaidStart::Both, ["BRK-2"],
        "Whether a VPAID ad also gives `adStart`.";
    "macros" macros: MacroSet = MacroSet::Off, ["EDIT-58"],
        "Which macros an ad tag may hold besides those of VAST.";
    "macros.spelling" macro_spelling: MacroSpelling = MacroSpelling::Lenient, ["MAC-3"],
        "Which spellings of macros in addresses are filled.";
    "midroll.seek_policy" midroll_seek_policy: SeekPolicy = SeekPolicy::Last, ["CUE-5"],
        "Which mid-roll a seek over several brings.";
    "midroll.hold" midroll_hold: MidrollHold = MidrollHold::WhenReady, ["CUE-3"],
        "When content stops for a mid-roll.";
    "push_ads.source" push_ads_source: PushAdsSource = PushAdsSource::Effective, ["PUSH-2"],
        "Which pre-rolls `pushAds()` plays.";
    "outstream.after" outstream_after: OutstreamAfter = OutstreamAfter::Destroy, ["OUT-6"],
        "What becomes of an outstream unit after its ads.";
    "fullscreen.toggle" fullscreen_toggle: FullscreenToggle = FullscreenToggle::Toggle, ["FS-2"],
        "What `toggleFullScreen()` does in fullscreen.";
    "fullscreen.event" fullscreen_event: FullscreenEvent = FullscreenEvent::AnyChange, ["FS-4"],
        "Which changes `fullscreenchange` tells of.";
    "ga.strict" ga_strict: Switch = Switch::Off, ["GA-2"],
        "Whether custom analytics outside a ready callback are an error.";
    "comscore.trace" comscore_trace: Switch = Switch::Off, ["EDIT-60"],
        "Whether the record's audience-measurement fields are traced when an item starts.";
    "limit.tasks_per_instant" limit_tasks_per_instant: u32 = 100_000, ["CLK-6"],
        "More tasks at one instant are a livelock.", |count| *count > 0, "from 1";
}

/// Where one sees which knobs there are.
pub const WHERE_LISTED: &str = "the knobs of this version stand in playsim rules --knobs";

/// Whether a rule has another reading under this name, be it built or not.
#[must_use]
pub fn is_alternative(name: &str) -> bool {
    rules::all().any(|rule| rules::knobs_of(rule).any(|knob| knob == name))
}

impl Knob {
    /// The row of this name.
    #[must_use]
    pub fn read(name: &str) -> Option<&'static Knob> {
        KNOBS.iter().find(|knob| knob.name == name)
    }

    /// Its value unless something else is set.
    #[must_use]
    pub fn default(&self) -> String {
        (self.value)(&Knobs::default())
    }

    /// What it takes, in words: `a length of time, 15ms to 250ms`.
    #[must_use]
    pub fn takes_in_words(&self) -> String {
        let takes = match (self.takes)() {
            Takes::Length => "a length of time, like 250ms".to_owned(),
            Takes::Number => "a whole number".to_owned(),
            Takes::Words(words) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                words.join(" or ")
            }
            Takes::Form(form) => form.to_owned(),
        };
        if self.range.is_empty() { takes } else { format!("{takes}, {}", self.range) }
    }
}

impl Knobs {
    /// Sets a knob by its name.
    ///
    /// # Errors
    ///
    /// A sentence that says what was wrong and what would be right.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Some(knob) = Knob::read(name) else {
            if is_alternative(name) {
                return Err(format!("\"{name}\" is not built yet; {WHERE_LISTED}"));
            }
            return Err(crate::words::unknown("knob", name, KNOBS.iter().map(|knob| knob.name)));
        };
        if (knob.set)(self, value) {
            return Ok(());
        }
        Err(format!("knob \"{name}\" is \"{value}\"; it takes {}", knob.takes_in_words()))
    }

    /// Names and values of the knobs that differ from the default.
    pub fn differing(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        let default = Knobs::default();
        KNOBS.iter().filter_map(move |knob| {
            let value = (knob.value)(self);
            (value != (knob.value)(&default)).then_some((knob.name, value))
        })
    }
}

impl fmt::Debug for Knob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_knob_writes_it_reads() {
        for knob in KNOBS {
            let mut knobs = Knobs::default();
            knobs.set(knob.name, &knob.default()).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(knobs, Knobs::default());
            assert!(knobs.set(knob.name, "nonsense").is_err());
        }
    }

    #[test]
    fn a_knob_lists_every_rule_that_names_it() {
        for knob in KNOBS {
            let named: Vec<RuleId> =
                rules::all().filter(|rule| rules::knobs_of(*rule).any(|name| name == knob.name)).collect();
            for rule in &named {
                assert!(knob.rules.contains(rule), "{rule} names {}, which does not list it", knob.name);
            }
            assert!(!named.is_empty(), "no rule has another reading under {}", knob.name);
        }
    }

    #[test]
    fn a_wrong_value_is_told_with_what_is_right() {
        let mut knobs = Knobs::default();
        let told = knobs.set("timeupdate.period", "1s").unwrap_err();
        assert_eq!(
            told,
            "knob \"timeupdate.period\" is \"1s\"; it takes a length of time, like 250ms, 15ms to 250ms"
        );
        let told = knobs.set("ad.engin", "sdk").unwrap_err();
        assert_eq!(told, "no knob is named \"ad.engin\"; did you mean \"ad.engine\"?");
        knobs.set("midroll.seek_policy", "window(10s)").unwrap();
        let differing: Vec<_> = knobs.differing().collect();
        assert_eq!(differing, [("midroll.seek_policy", "window(10s)".to_owned())]);
    }
}
