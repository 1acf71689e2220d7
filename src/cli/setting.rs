//! What a run is played with instead of what its scenario says: a profile, single knobs.

use playsim::knobs::{Knobs, Profile};
use playsim::scenario::Overrides;
use playsim::words;

#[derive(Debug, clap::Args)]
pub(super) struct Setting {
    /// Play with this profile instead of the scenario's; playsim rules --knobs lists them
    #[arg(long, value_name = "NAME", value_parser = profile)]
    profile: Option<Profile>,
    /// Set a knob on top of the scenario's, like ad.timeout=2s; may be repeated
    #[arg(long, value_name = "KNOB=VALUE", value_parser = knob)]
    knob: Vec<(String, String)>,
}

impl Setting {
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
}

/// The profile of this name.
pub(super) fn profile(word: &str) -> Result<Profile, String> {
    let known = Profile::ALL.iter().map(|profile| profile.name());
    Profile::read(word).ok_or_else(|| words::unknown("profile", word, known))
}

fn knob(word: &str) -> Result<(String, String), String> {
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
