//! Knobs: where the sources leave a choice and users need the other one too.
//!
//! A knob is one row of `table`: its name, its typed field in [`Knobs`], its default, the rules that ask it.
//! Only what is built has a row. A profile is a named set of them.

use std::fmt;

use crate::rules::{self, RuleId};
use crate::time::Span;

mod choices;
mod edit;
mod limit;
mod print;
mod products;
mod profiles;
mod table;

pub use choices::{
    AdEndScope, AdEngine, AdErrorScope, AdTagUrl, AfterStartError, BeforeStartScope, CatchUp, Detection,
    DispatchMode, EndedVsPostroll, FullscreenEvent, FullscreenToggle, GestureViolation, Jitter, LateAnswer,
    MacroSet, MacroSpelling, MidrollHold, NoClass, OnItemError, OutstreamAfter, PauseDuringLoad, PlayReturns,
    PlayWithPreroll, PlaylistPrerolls, PropertyCalls, PushAdsSource, SeekDuringAd, SeekPolicy, SeekedCause,
    SimidExpand, SimidFailed, SimidNavigation, Switch, TimeTypeRequired, VolumeOutOfRange, VpaidStart,
};
pub use edit::{
    Bytes, ChapterCounts, ClickthroughConflict, DateDigits, DateOrder, EditAuth, EditBoth, EditLists,
    EditPrefix, EditRoutes, EmptyInteger, ErrorShape, GeoList, IdConflict, OtherOperations, Rate, ReadDate,
    SuccessShape, UnknownFields, Urlencoded, UserAgent,
};
pub use limit::Limit;
pub use print::{json, markdown, text};
pub use products::{
    BrokenAd, BrokenFirst, ChainedWrapper, CompleteAt, ErrorCodes, FallbackOnNoAd, LimitCounts, MediaChoice,
    NoMediaCode, PodRefused, SeekQuartiles, VpaidRefused, WrapperFetch,
};
pub use profiles::Profile;
pub use table::{KNOBS, Knobs};

/// What a knob takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Takes {
    /// A length of time.
    Length,
    /// A length of time, or `off`.
    Limit,
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

impl Written for Limit {
    fn read(text: &str) -> Option<Limit> {
        Limit::read(text)
    }

    fn write(self) -> String {
        self.to_string()
    }

    fn takes() -> Takes {
        Takes::Limit
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

macro_rules! forms {
    ($($form:ident)*) => {$(
        impl Written for $form {
            fn read(text: &str) -> Option<$form> {
                $form::read(text)
            }

            fn write(self) -> String {
                self.to_string()
            }

            fn takes() -> Takes {
                Takes::Form($form::TAKES)
            }
        }
    )*};
}

forms! { Bytes Rate SeekPolicy }

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
    AdEndScope AdEngine AdErrorScope AdTagUrl AfterStartError BeforeStartScope BrokenAd BrokenFirst CatchUp
    ChainedWrapper CompleteAt Detection DispatchMode EndedVsPostroll ErrorCodes FallbackOnNoAd FullscreenEvent
    FullscreenToggle GestureViolation Jitter LateAnswer LimitCounts MacroSet MacroSpelling MediaChoice MidrollHold NoClass
    NoMediaCode OnItemError OutstreamAfter PauseDuringLoad PlayReturns PlayWithPreroll PlaylistPrerolls
    PodRefused PropertyCalls PushAdsSource SeekDuringAd SeekQuartiles SeekedCause SimidExpand SimidFailed SimidNavigation Switch
    TimeTypeRequired
    VolumeOutOfRange VpaidRefused VpaidStart WrapperFetch
    ChapterCounts ClickthroughConflict DateDigits DateOrder EditAuth EditBoth EditLists EditPrefix EditRoutes
    EmptyInteger ErrorShape GeoList IdConflict OtherOperations ReadDate SuccessShape UnknownFields Urlencoded
    UserAgent
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
            Takes::Limit => Limit::TAKES.to_owned(),
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
