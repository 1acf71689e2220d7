//! Settings from outside a scenario that win over it: a profile, single knobs.
//!
//! The profile replaces the scenario's. The scenario's own knobs are applied on top of it, and the
//! knobs from outside on top of both.

use super::Scenario;
use playsim_rules::knobs::{KnobError, Knobs, Profiles};

/// A profile and knobs from outside a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overrides {
    profile: Option<Profiles>,
    /// Names and values that are known to be valid.
    knobs: Vec<(String, String)>,
}

impl Overrides {
    /// Sets the profile, or several; this replaces earlier ones.
    pub fn set_profile(&mut self, profile: impl Into<Profiles>) {
        self.profile = Some(profile.into());
    }

    /// Sets one knob by its name; a later value wins.
    ///
    /// # Errors
    ///
    /// If there is no such knob, or it does not accept the value.
    pub fn set_knob(&mut self, name: &str, value: &str) -> Result<(), KnobError> {
        Knobs::default().set(name, value)?;
        self.knobs.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Whether they set a knob.
    #[must_use]
    pub fn sets_knob(&self, name: &str) -> bool {
        self.knobs.iter().any(|(knob, _)| knob == name)
    }

    /// Returns their settings: the profile, and knobs with their values.
    pub fn given(&self) -> impl Iterator<Item = (&str, String)> {
        let profile = self
            .profile
            .iter()
            .map(|it| ("the profile", it.to_string()));
        profile.chain(
            self.knobs
                .iter()
                .map(|(name, value)| (&**name, value.clone())),
        )
    }

    /// Applies them to a scenario that was not read from a file: its own knobs are discarded.
    pub fn apply(&self, scenario: &mut Scenario) {
        scenario.profile = self.profile_over(std::mem::take(&mut scenario.profile));
        scenario.knobs = scenario.profile.knobs();
        self.put_on(&mut scenario.knobs);
    }

    /// Returns the profile to use for a scenario with the profile `own`.
    pub(super) fn profile_over(&self, own: Profiles) -> Profiles {
        self.profile.clone().unwrap_or(own)
    }

    /// Sets the knobs on top of a scenario's.
    pub(super) fn put_on(&self, knobs: &mut Knobs) {
        for (name, value) in &self.knobs {
            knobs
                .set(name, value)
                .expect("a knob was tried when it was set here");
        }
    }
}
