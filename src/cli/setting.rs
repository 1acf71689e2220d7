//! What a run is played with instead of what its scenario says: a seed, a profile, single knobs, another end.

use playsim::knobs::{Knobs, Profile};
use playsim::scenario::{Overrides, Scenario, Until};
use playsim::words;

use super::input;

#[derive(Debug, Default, clap::Args)]
pub(super) struct Setting {
    /// Play with this seed instead of the scenario's
    #[arg(long, value_name = "N", value_parser = input::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Play with this profile instead of the scenario's; playsim rules --knobs lists them
    #[arg(long, value_name = "NAME", value_parser = profile)]
    profile: Option<Profile>,
    /// Set a knob on top of the scenario's, like ad.timeout=2s; may be repeated
    #[arg(long, value_name = "KNOB=VALUE", value_parser = knob)]
    knob: Vec<(String, String)>,
    /// End here instead of where the scenario ends: a time like 120s, or idle
    #[arg(long, value_name = "TIME", value_parser = input::until)]
    until: Option<Until>,
}

impl Setting {
    /// A profile, and nothing else.
    pub(super) fn of_profile(profile: Profile) -> Setting {
        Setting { profile: Some(profile), ..Setting::default() }
    }

    /// What is set before the scenario is read, for its own knobs stand on its profile.
    pub(super) fn overrides(&self) -> Overrides {
        let mut overrides = Overrides::default();
        if let Some(profile) = self.profile {
            overrides.set_profile(profile);
        }
        for (name, value) in &self.knob {
            overrides.set_knob(name, value).expect("it was tried when the arguments were read");
        }
        overrides
    }

    /// Sets the rest in a scenario that was read.
    pub(super) fn change(&self, scenario: &mut Scenario) {
        scenario.seed = self.seed.unwrap_or(scenario.seed);
        scenario.until = self.until.unwrap_or(scenario.until);
    }

    /// One of its options that was given.
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

/// The profile of this name.
pub(super) fn profile(word: &str) -> Result<Profile, String> {
    let known = Profile::ALL.iter().map(|profile| profile.name());
    Profile::read(word).ok_or_else(|| words::unknown("profile", word, known))
}

pub(super) fn knob(word: &str) -> Result<(String, String), String> {
    let (name, value) = word.split_once('=').ok_or("it takes a knob and its value, like ad.timeout=2s")?;
    let (name, value) = (name.trim(), value.trim());
    Knobs::default().set(name, value)?;
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knob_is_a_name_and_a_value() {
        assert_eq!(knob("ad.timeout=2s"), Ok(("ad.timeout".to_owned(), "2s".to_owned())));
        assert_eq!(knob("macros = obs"), Ok(("macros".to_owned(), "obs".to_owned())));
        assert_eq!(knob("macros").unwrap_err(), "it takes a knob and its value, like ad.timeout=2s");
        assert_eq!(knob("macro=obs").unwrap_err(), "no knob is named \"macro\"; did you mean \"macros\"?");
        assert_eq!(
            profile("elment").unwrap_err(),
            "no profile is named \"elment\"; did you mean \"element\"?"
        );
    }
}
