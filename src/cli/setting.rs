//! Options that override a scenario's seed, profile, knobs and end.

use playsim::internal::words;
use playsim::knobs::{Knobs, Profile};
use playsim::scenario::{Overrides, Scenario, Until};

use super::failure::Invalid;

#[derive(Debug, Default, clap::Args)]
pub(super) struct Setting {
    /// Use this seed instead of the scenario's
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Use this profile instead of the scenario's; playsim rules --knobs lists them
    #[arg(long, value_name = "NAME", value_parser = profile)]
    profile: Option<Profile>,
    /// Set a knob in addition to the scenario's, such as ad.timeout=2s; may be repeated
    #[arg(long, value_name = "KNOB=VALUE", value_parser = knob)]
    knob: Vec<(String, String)>,
    /// End the run here instead of where the scenario says: a time such as 120s, or idle
    #[arg(long, value_name = "TIME")]
    until: Option<Until>,
}

impl Setting {
    /// Returns a setting with only a profile.
    pub(super) fn of_profile(profile: Profile) -> Setting {
        Setting { profile: Some(profile), ..Setting::default() }
    }

    /// Returns the overrides to apply while reading the scenario: its own knobs are set on top of the
    /// profile.
    pub(super) fn overrides(&self) -> Overrides {
        let mut overrides = Overrides::default();
        if let Some(profile) = self.profile {
            overrides.set_profile(profile);
        }
        for (name, value) in &self.knob {
            overrides.set_knob(name, value).expect("the argument parser has checked the knobs");
        }
        overrides
    }

    /// Applies the other options to a scenario after reading it.
    pub(super) fn change(&self, scenario: &mut Scenario) {
        scenario.seed = self.seed.unwrap_or(scenario.seed);
        scenario.until = self.until.unwrap_or(scenario.until);
    }

    /// Returns one of the options that were given.
    pub(super) fn option(&self) -> Option<&'static str> {
        let given = [
            (self.seed.is_some(), "--seed"),
            (self.profile.is_some(), "--profile"),
            (!self.knob.is_empty(), "--knob"),
            (self.until.is_some(), "--until"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
    }
}

/// Parses a seed.
fn seed(word: &str) -> Result<u64, Invalid> {
    word.parse().map_err(|_| "must be a whole number from 0 to 18446744073709551615".into())
}

/// Parses the name of a profile.
pub(super) fn profile(word: &str) -> Result<Profile, Invalid> {
    let known = Profile::ALL.iter().map(|profile| profile.name());
    Profile::from_name(word).ok_or_else(|| Invalid(words::unknown("profile", word, known)))
}

/// Parses `KNOB=VALUE`.
pub(super) fn knob(word: &str) -> Result<(String, String), Invalid> {
    let (name, value) = word.split_once('=').ok_or("must be a knob and its value, such as ad.timeout=2s")?;
    let (name, value) = (name.trim(), value.trim());
    Knobs::default().set(name, value).map_err(|error| Invalid(error.to_string()))?;
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knob_is_parsed_as_name_and_value() {
        assert_eq!(knob("ad.timeout=2s"), Ok(("ad.timeout".to_owned(), "2s".to_owned())));
        assert_eq!(knob("macros = obs"), Ok(("macros".to_owned(), "obs".to_owned())));
        assert_eq!(knob("macros").unwrap_err().0, "must be a knob and its value, such as ad.timeout=2s");
        assert!(knob("macro=obs").unwrap_err().0.ends_with("did you mean \"macros\"?"));
        assert!(profile("elment").unwrap_err().0.ends_with("did you mean \"element\"?"));
    }
}
