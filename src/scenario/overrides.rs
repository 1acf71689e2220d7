//! What is said outside a scenario's text and wins over it: a profile, single knobs.
//!
//! The profile takes the place of the scenario's; the scenario's own knobs stay on top of it, and these
//! on top of both.

use super::Scenario;
use crate::knobs::{Knobs, Profile};

/// A profile and knobs from outside a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overrides {
    profile: Option<Profile>,
    /// Names and values that were tried.
    knobs: Vec<(String, String)>,
}

impl Overrides {
    /// Sets the profile; a later one wins.
    pub fn set_profile(&mut self, profile: Profile) {
        self.profile = Some(profile);
    }

    /// Sets one knob by its name; a later value wins.
    ///
    /// # Errors
    ///
    /// A sentence that says what was wrong and what would be right.
    pub fn set_knob(&mut self, name: &str, value: &str) -> Result<(), String> {
        Knobs::default().set(name, value)?;
        self.knobs.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Lets a scenario that was not read from a text be played so: its own knobs do not count.
    pub fn apply(&self, scenario: &mut Scenario) {
        scenario.profile = self.profile_over(scenario.profile);
        scenario.knobs = scenario.profile.knobs();
        self.put_on(&mut scenario.knobs);
    }

    /// The profile that counts, where a scenario has this one.
    pub(super) fn profile_over(&self, own: Profile) -> Profile {
        self.profile.unwrap_or(own)
    }

    /// Puts the knobs on top of a scenario's.
    pub(super) fn put_on(&self, knobs: &mut Knobs) {
        for (name, value) in &self.knobs {
            knobs.set(name, value).expect("a knob was tried when it was set here");
        }
    }
}
