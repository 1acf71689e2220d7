//! Knobs: settings for behaviour that the reference leaves open, or in which real players differ.
//!
//! A knob is one row of `table`: its name, its typed field in [`Knobs`], its default, and the rules
//! that depend on it. A profile is a named set of knob values.

use std::fmt;

use crate::RuleId;

mod ask_ahead;
mod choices;
mod complete_at;
mod composed;
mod edit;
mod limit;
pub mod print;
mod products;
mod profiles;
mod reader;
mod readings;
mod table;
mod written;

pub use composed::{OwnProfile, ProfileNameError, Profiles, UnknownProfile};
pub use composed::{names as profile_names, other_player};
pub use profiles::{
    Claim, ClaimEvidence, Decision, EvidenceKind, FEWEST_RECORDINGS, MeasuredSetting, Measurement,
    Profile,
};
pub use reader::KnobReader;
pub use table::{KNOBS, Knobs};
pub use values::*;

/// The values of knobs: an enum for each choice.
pub mod values {
    pub use super::ask_ahead::AskAhead;
    pub use super::choices::*;
    pub use super::complete_at::CompleteAt;
    pub use super::edit::*;
    pub use super::limit::Limit;
    pub use super::products::*;
    pub use super::readings::*;
}

/// The kind of value that a knob has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Takes {
    /// A duration.
    Length,
    /// A duration, or `off`.
    Limit,
    /// A whole number.
    Number,
    /// One of these words, each with its meaning.
    Words(Vec<(&'static str, &'static str)>),
    /// A value in the format that this describes.
    Form(&'static str),
}

impl Takes {
    /// Returns the words of a choice; for another kind of value there are none.
    #[must_use]
    pub fn words(&self) -> &[(&'static str, &'static str)] {
        if let Takes::Words(words) = self {
            words
        } else {
            &[]
        }
    }
}

/// One row of the table of knobs.
pub struct Knob {
    /// The heading under which lists show it.
    pub group: &'static str,
    /// The name in scenarios.
    pub name: &'static str,
    /// The decision that the knob makes, in one sentence.
    pub about: &'static str,
    /// The kind of value.
    pub takes: fn() -> Takes,
    /// The valid range, in words; empty if every value of the kind is valid.
    pub range: &'static str,
    /// The rules that depend on the knob.
    pub rules: &'static [RuleId],
    /// Returns the value as written in a scenario.
    pub value: fn(&Knobs) -> String,
    same: fn(&Knobs, &Knobs) -> bool,
    set: fn(&mut Knobs, &str) -> bool,
    is_sound: fn(&Knobs) -> bool,
}

impl Knob {
    /// Returns the knob with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Knob> {
        KNOBS.iter().find(|knob| knob.name == name)
    }

    /// Returns the default value.
    #[must_use]
    pub fn default(&self) -> String {
        (self.value)(&Knobs::default())
    }

    /// Describes the valid values: `a duration such as 250ms (15ms to 250ms)`.
    #[must_use]
    pub fn takes_in_words(&self) -> String {
        let takes = match (self.takes)() {
            Takes::Length => "a duration such as 250ms".to_owned(),
            Takes::Limit => Limit::TAKES.to_owned(),
            Takes::Number => "a whole number".to_owned(),
            Takes::Words(words) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                words.join(" or ")
            }
            Takes::Form(form) => form.to_owned(),
        };
        if self.range.is_empty() {
            takes
        } else {
            format!("{takes} ({})", self.range)
        }
    }
}

/// Why a knob cannot be set.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum KnobError {
    /// There is no knob with this name; the message suggests one.
    #[error("{}", playsim_base::words::unknown("knob", .0, KNOBS.iter().map(|knob| knob.name)))]
    Unknown(String),
    /// The knob does not accept this value; the message says which values are valid.
    #[error("knob \"{}\" is \"{value}\"; it must be {}", knob.name, knob.takes_in_words())]
    Value {
        /// The knob.
        knob: &'static Knob,
        /// The value.
        value: String,
    },
}

impl Knobs {
    /// Returns whether any break may be requested ahead of its cue point, while another one is
    /// open: for judges, which are no part of the run. Rules PRD-26, PRD-30.
    #[must_use]
    pub fn asks_ahead(&self) -> bool {
        [self.midroll_ask, self.postroll_ask]
            .iter()
            .any(|ask| *ask != AskAhead::AtCue)
    }

    /// Sets a knob by its name.
    ///
    /// # Errors
    ///
    /// If there is no such knob, or it does not accept the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), KnobError> {
        let knob = Knob::named(name).ok_or_else(|| KnobError::Unknown(name.to_owned()))?;
        if (knob.set)(self, value) {
            Ok(())
        } else {
            Err(KnobError::Value {
                knob,
                value: value.to_owned(),
            })
        }
    }

    /// Checks that every knob has a value that [`set`](Knobs::set) accepts.
    ///
    /// # Errors
    ///
    /// The first knob with an invalid value.
    pub fn check(&self) -> Result<(), KnobError> {
        match KNOBS.iter().find(|knob| !(knob.is_sound)(self)) {
            Some(knob) => Err(KnobError::Value {
                knob,
                value: (knob.value)(self),
            }),
            None => Ok(()),
        }
    }

    /// Returns the names and values of the knobs that differ from the default.
    pub fn differing(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        self.differing_from(Knobs::default())
    }

    /// Returns the names and values of the knobs that differ from those of `others`.
    pub fn differing_from(
        &self,
        others: Knobs,
    ) -> impl Iterator<Item = (&'static str, String)> + '_ {
        let differing = KNOBS.iter().filter(move |knob| !(knob.same)(self, &others));
        differing.map(|knob| (knob.name, (knob.value)(self)))
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
    fn every_default_parses_back() {
        for knob in KNOBS {
            let mut knobs = Knobs::default();
            knobs
                .set(knob.name, &knob.default())
                .unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(knobs, Knobs::default());
            assert!(knobs.set(knob.name, "nonsense").is_err());
        }
    }

    #[test]
    fn every_knob_names_the_rules_that_depend_on_it() {
        for knob in KNOBS {
            assert!(!knob.rules.is_empty(), "no rule depends on {}", knob.name);
        }
    }

    #[test]
    fn the_error_for_an_invalid_value_names_the_valid_ones() {
        let mut knobs = Knobs::default();
        let message = knobs
            .set("timeupdate.period", "2s")
            .unwrap_err()
            .to_string();
        assert_eq!(
            message,
            "knob \"timeupdate.period\" is \"2s\"; it must be a duration such as 250ms (15ms to 1s)"
        );
        let message = knobs.set("ad.engin", "sdk").unwrap_err().to_string();
        assert!(
            message.ends_with("did you mean \"ad.engine\"?"),
            "{message}"
        );
        knobs.set("midroll.seek_policy", "window(10s)").unwrap();
        let differing: Vec<_> = knobs.differing().collect();
        assert_eq!(
            differing,
            [("midroll.seek_policy", "window(10s)".to_owned())]
        );
    }
}
