//! Knobs: where the sources leave a choice and users need the other one too.
//!
//! A knob is a row here (name, what it takes, default, rules) and a typed field of [`Knobs`]. Only what
//! is built has a row.

use std::fmt;

use crate::rules::RuleId;
use crate::time::Span;

/// The settings in force for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knobs {
    /// `timeupdate.period`: from one periodic time update to the next. Rule MEL-15.
    pub timeupdate_period: Span,
    /// `ad.timeout`: the time limit of one ad tag with its redirects. Rule REQ-7.
    pub ad_timeout: Span,
    /// `ad.media_timeout`: how long an ad's media may take to get ready. Rule REQ-9.
    pub ad_media_timeout: Span,
    /// `ad.stall_timeout`: how long an ad may stall. Rule BRK-20.
    pub ad_stall_timeout: Span,
    /// `ad.max_wrappers`: how many redirects are followed. Rule REQ-8.
    pub ad_max_wrappers: u32,
    /// `playlist.advance_delay`: the wait before the next item. Rule PL-12.
    pub playlist_advance_delay: Span,
    /// `limit.tasks_per_instant`: more tasks at one instant are a livelock. Rule CLK-6.
    pub limit_tasks_per_instant: u32,
}

impl Default for Knobs {
    fn default() -> Knobs {
        Knobs {
            timeupdate_period: Span::from_millis(250),
            ad_timeout: Span::from_secs(5),
            ad_media_timeout: Span::from_secs(8),
            ad_stall_timeout: Span::from_secs(8),
            ad_max_wrappers: 5,
            playlist_advance_delay: Span::ZERO,
            limit_tasks_per_instant: 100_000,
        }
    }
}

/// What a knob is set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// A length of time.
    Span(Span),
    /// A number.
    Count(u32),
}

/// One row of the table of knobs.
pub struct Knob {
    /// Its name in scenarios.
    pub name: &'static str,
    /// What it takes, in words.
    pub takes: &'static str,
    /// The rules that ask it.
    pub rules: &'static [RuleId],
    /// Its value.
    pub value: fn(&Knobs) -> Setting,
    set: fn(&mut Knobs, Setting) -> bool,
}

macro_rules! spans_and_counts {
    ($(($name:literal, $field:ident: $kind:ident, $takes:literal, $valid:expr, [$($rule:expr),*]),)*) => {
        /// All knobs.
        pub const KNOBS: &[Knob] = &[$(Knob {
            name: $name,
            takes: $takes,
            rules: &[$($rule),*],
            value: |knobs| Setting::$kind(knobs.$field),
            set: |knobs, setting| match setting {
                Setting::$kind(value) if $valid(value) => {
                    knobs.$field = value;
                    true
                }
                Setting::Span(_) | Setting::Count(_) => false,
            },
        },)*];
    };
}

spans_and_counts! {
    ("timeupdate.period", timeupdate_period: Span, "a length of 15ms to 250ms",
        |period| period >= Span::from_millis(15) && period <= Span::from_millis(250), [crate::rule!("MEL-15")]),
    ("ad.timeout", ad_timeout: Span, "a length", |_| true, [crate::rule!("REQ-7")]),
    ("ad.media_timeout", ad_media_timeout: Span, "a length", |_| true, [crate::rule!("REQ-9")]),
    ("ad.stall_timeout", ad_stall_timeout: Span, "a length", |_| true, [crate::rule!("BRK-20")]),
    ("ad.max_wrappers", ad_max_wrappers: Count, "a number up to 100", |count| count <= 100,
        [crate::rule!("REQ-8")]),
    ("playlist.advance_delay", playlist_advance_delay: Span, "a length", |_| true, [crate::rule!("PL-12")]),
    ("limit.tasks_per_instant", limit_tasks_per_instant: Count, "a number from 1", |count| count > 0,
        [crate::rule!("CLK-6")]),
}

impl Knobs {
    /// Sets a knob by its name.
    ///
    /// # Errors
    ///
    /// A sentence that says what was wrong and what would be right.
    pub fn set(&mut self, name: &str, setting: Setting) -> Result<(), String> {
        let Some(knob) = KNOBS.iter().find(|knob| knob.name == name) else {
            return Err(crate::words::unknown("knob", name, KNOBS.iter().map(|knob| knob.name)));
        };
        if (knob.set)(self, setting) {
            Ok(())
        } else {
            Err(format!("knob \"{name}\" is {setting}; it takes {}", knob.takes))
        }
    }

    /// Names and values of the knobs that differ from the default.
    pub fn differing(&self) -> impl Iterator<Item = (&'static str, Setting)> + '_ {
        let default = Knobs::default();
        KNOBS
            .iter()
            .map(move |knob| (knob, (knob.value)(&default)))
            .filter(|(knob, default)| (knob.value)(self) != *default)
            .map(|(knob, _)| (knob.name, (knob.value)(self)))
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Span(span) => write!(f, "{}s", crate::number::Decimal::seconds(span.micros())),
            Setting::Count(count) => write!(f, "{count}"),
        }
    }
}
