//! Options that override a scenario's seed, profile, knobs and end.

use std::io;
use std::path::Path;

use playsim::knobs::{Knobs, Profiles};
use playsim::scenario::{self, Overrides, Scenario, Until};

use super::failure::Invalid;
use super::reading;

#[derive(Debug, Default, clap::Args)]
pub(super) struct Setting {
    /// Use this seed instead of the scenario's
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Use this profile instead of the scenario's, or several with + in between, or one from a file
    /// such as mine.yaml; playsim rules --knobs lists them
    #[arg(long, value_name = "NAME", value_parser = profile)]
    profile: Option<Profiles>,
    /// Set a knob in addition to the scenario's, such as ad.timeout=2s; may be repeated
    #[arg(long, value_name = "KNOB=VALUE", value_parser = knob)]
    knob: Vec<(String, String)>,
    /// End the run here instead of where the scenario says: a time such as 120s, or idle
    #[arg(long, value_name = "TIME")]
    until: Option<Until>,
}

impl Setting {
    /// Returns a setting with only a profile.
    pub(super) fn of_profile(profile: Profiles) -> Setting {
        Setting {
            profile: Some(profile),
            ..Setting::default()
        }
    }

    /// Returns the overrides to apply while reading the scenario: its own knobs are set on top of
    /// the profile.
    pub(super) fn overrides(&self) -> Overrides {
        let mut overrides = Overrides::default();
        if let Some(profile) = &self.profile {
            overrides.set_profile(profile.clone());
        }
        for (name, value) in &self.knob {
            overrides
                .set_knob(name, value)
                .expect("the argument parser has checked the knobs");
        }
        overrides
    }

    /// Applies the other options to a scenario after reading it.
    pub(super) fn change(&self, scenario: &mut Scenario) {
        scenario.seed = self.seed.unwrap_or(scenario.seed);
        scenario.until = self.until.unwrap_or(scenario.until);
    }

    /// Returns whether the seed was given.
    #[cfg(feature = "fetch")]
    pub(super) fn has_seed(&self) -> bool {
        self.seed.is_some()
    }
}

/// Sets knobs that were parsed.
#[cfg(any(feature = "serve", feature = "conform"))]
pub(super) fn set(knobs: &mut Knobs, given: &[(String, String)]) {
    for (name, value) in given {
        knobs
            .set(name, value)
            .expect("the argument parser has checked the knobs");
    }
}

/// Parses a seed or a number of runs.
pub(super) fn whole_number(word: &str) -> Result<u64, Invalid> {
    word.parse()
        .map_err(|_| "must be a whole number from 0 to 18446744073709551615".into())
}

/// Parses the names of profiles, with `+` between them; what looks like a file is read.
pub(super) fn profile(word: &str) -> Result<Profiles, Invalid> {
    if is_file(word) && Path::new(word).is_file() {
        return read_profile(word);
    }
    let parts = word.split('+').map(|part| match part.trim() {
        file if is_file(file) => read_profile(file),
        name => name
            .parse::<Profiles>()
            .map_err(|unknown| Invalid(unknown.to_string())),
    });
    let parts: Vec<Profiles> = parts.collect::<Result<_, _>>()?;
    let all = parts
        .into_iter()
        .reduce(|earlier, later| earlier.and(&later));
    all.ok_or_else(|| "must be the name of a profile".into())
}

/// Whether a word names a file rather than a profile.
fn is_file(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    word.contains(['/', '\\'])
        || [".json", ".yaml", ".yml"]
            .iter()
            .any(|end| lower.ends_with(end))
}

/// Reads a profile of the user's own.
fn read_profile(file: &str) -> Result<Profiles, Invalid> {
    let text = reading::bytes(Path::new(file)).and_then(|bytes| {
        String::from_utf8(bytes).map_err(|_| io::Error::other("it is not valid UTF-8"))
    });
    let text = text.map_err(|why| Invalid(format!("cannot read {file}: {why}")))?;
    scenario::read_profile(file, &text).map_err(|mistakes| Invalid(mistakes.to_string()))
}

/// Parses `KNOB=VALUE`.
pub(super) fn knob(word: &str) -> Result<(String, String), Invalid> {
    let (name, value) = word
        .split_once('=')
        .ok_or("must be a knob and its value, such as ad.timeout=2s")?;
    let (name, value) = (name.trim(), value.trim());
    Knobs::default()
        .set(name, value)
        .map_err(|error| Invalid(error.to_string()))?;
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knob_is_parsed_as_name_and_value() {
        assert_eq!(
            knob("ad.timeout=2s"),
            Ok(("ad.timeout".to_owned(), "2s".to_owned()))
        );
        assert_eq!(
            knob("macros = obs"),
            Ok(("macros".to_owned(), "obs".to_owned()))
        );
        assert_eq!(
            knob("macros").unwrap_err().0,
            "must be a knob and its value, such as ad.timeout=2s"
        );
        assert!(
            knob("macro=obs")
                .unwrap_err()
                .0
                .ends_with("did you mean \"macros\"?")
        );
        assert!(
            profile("elment")
                .unwrap_err()
                .0
                .ends_with("did you mean \"element\"?")
        );
        assert!(
            profile("ima+elment")
                .unwrap_err()
                .0
                .ends_with("did you mean \"element\"?")
        );
        for (word, meant) in [
            ("videojs", "did you mean contrib-ads"),
            ("Video.js", "did you mean contrib-ads"),
            (
                "jwplayer",
                "there is none of JW Player, because the source of its ad plugins is not public",
            ),
            ("hls.js", "there is none, because it loads streams"),
            ("ima+exoplayer", "did you mean media3?"),
        ] {
            let message = profile(word).unwrap_err().0;
            assert!(
                message.starts_with("unknown profile \"") && message.contains(meant),
                "{message}"
            );
        }
        assert_eq!(profile("ima+element").unwrap().to_string(), "ima+element");
        assert!(
            profile("nowhere/mine.yaml")
                .unwrap_err()
                .0
                .starts_with("cannot read nowhere/mine.yaml: ")
        );
    }
}
