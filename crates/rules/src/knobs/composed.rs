//! The profiles that a run starts from: one, several on top of each other, or one of the user's
//! own.
//!
//! Each of them sets the knobs in which it differs from the default, one after the other: a later
//! one wins where two set the same knob.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{KnobError, Knobs, Profile};
use playsim_base::words;

/// The separator of profiles in a name: `contrib-ads+vast-client-js`.
const AND: char = '+';

/// The profiles that a run starts from, at least one. A later one wins where two set the same knob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profiles(Arc<[Layer]>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Layer {
    Known(Profile),
    Own(OwnProfile),
}

/// A profile that is not one of playsim's: a name, a description, and knobs on top of a base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnProfile {
    name: String,
    about: String,
    base: Profiles,
    /// Names and values that are known to be valid.
    knobs: Vec<(String, String)>,
}

/// Why something is not the name of a profile of the user's own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileNameError {
    /// It contains something else than letters, digits, `.`, `_` and `-`.
    #[error("it must consist of letters, digits, \".\", \"_\" and \"-\", like my-player")]
    Form,
    /// It is one of playsim's profiles.
    #[error(
        "playsim has a profile of this name; choose another, and name that one as \"base\" to build on it"
    )]
    Taken,
}

/// No profile has this name; the message suggests one, or says why there is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", other_player(.0).unwrap_or_else(|| words::unknown("profile", .0, names())))]
pub struct UnknownProfile(pub String);

/// Players that people ask for by names that are not those of profiles: the names, and what to use.
const OTHER_PLAYERS: &[(&[&str], &str)] = &[
    (
        &["videojs", "video.js", "video-js", "videojs-contrib-ads"],
        "video.js plays no ads by itself; did you mean contrib-ads (videojs-contrib-ads), or ima (videojs-ima)?",
    ),
    (
        &[
            "videojs-ima",
            "googleima",
            "google-ima",
            "gima",
            "imasdk",
            "ima-sdk",
            "ima3",
        ],
        "did you mean ima?",
    ),
    (
        &["jwplayer", "jw", "jw-player", "jwplayer8"],
        "there is none of JW Player, because the source of its ad plugins is not public; its settings and what they are \
         called here: docs/src/product-terms.md; if it plays its ads with the IMA SDK (googima), use ima",
    ),
    (
        &["hls.js", "hlsjs", "dash.js", "dashjs"],
        "there is none, because it loads streams and asks no ad server; use the profile of what plays the ads",
    ),
    (&["shaka-player", "shakaplayer"], "did you mean shaka?"),
    (&["exoplayer", "exo", "androidx"], "did you mean media3?"),
    (&["safari"], "did you mean webkit?"),
    (&["chrome"], "did you mean chromium?"),
];

/// What to use for a player that is not the name of a profile.
pub fn other_player(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let (_, text) = OTHER_PLAYERS
        .iter()
        .find(|(names, _)| names.contains(&&*lower))?;
    Some(format!("unknown profile \"{name}\"; {text}"))
}

/// The names of playsim's profiles.
pub fn names() -> impl Iterator<Item = &'static str> + Clone {
    Profile::ALL.iter().map(|profile| profile.name())
}

impl Profiles {
    /// These, with `later` on top of them.
    #[must_use]
    pub fn and(&self, later: &Profiles) -> Profiles {
        Profiles(self.0.iter().chain(later.0.iter()).cloned().collect())
    }

    /// Returns their knobs.
    #[must_use]
    pub fn knobs(&self) -> Knobs {
        let mut knobs = Knobs::default();
        self.put_on(&mut knobs);
        knobs
    }

    fn put_on(&self, knobs: &mut Knobs) {
        for layer in self.0.iter() {
            match layer {
                Layer::Known(profile) => {
                    for (name, value) in profile.differences() {
                        knobs
                            .set(name, value)
                            .expect("profiles only name existing knobs and valid values");
                    }
                }
                Layer::Own(own) => {
                    own.base.put_on(knobs);
                    for (name, value) in &own.knobs {
                        knobs
                            .set(name, value)
                            .expect("a knob is tried when it is added");
                    }
                }
            }
        }
    }

    /// Returns which player they describe and what that rests on, such as "shaka, measured in 120
    /// recordings"; `None` for the default.
    #[must_use]
    pub fn basis(&self) -> Option<String> {
        let all = self.0.iter().filter_map(|layer| match layer {
            Layer::Known(Profile::Default) => None,
            Layer::Known(profile) => Some(match (profile.measurement(), profile.claims()) {
                (Some(it), _) => {
                    let recordings = words::counted(it.recordings, "recording");
                    format!("{}, measured in {recordings}", profile.name())
                }
                (None, Some(_)) => format!("{}, read, not measured", profile.name()),
                (None, None) => profile.name().to_owned(),
            }),
            Layer::Own(own) if own.about.is_empty() => Some(own.name.clone()),
            Layer::Own(own) => Some(format!("{} ({})", own.name, own.about)),
        });
        let all: Vec<String> = all.collect();
        (!all.is_empty()).then(|| all.join(", and "))
    }

    /// Returns whether a profile of the user's own sets a knob on top of playsim's.
    #[must_use]
    pub fn sets_own(&self, knob: &str) -> bool {
        self.0.iter().any(|layer| match layer {
            Layer::Known(_) => false,
            Layer::Own(own) => own.knobs().any(|(name, _)| name == knob) || own.base.sets_own(knob),
        })
    }

    /// Returns those of them that are playsim's own, which a scenario can name; the default if none
    /// is.
    #[must_use]
    pub fn known(&self) -> Profiles {
        let known: Vec<Layer> = self
            .0
            .iter()
            .filter(|layer| matches!(layer, Layer::Known(_)))
            .cloned()
            .collect();
        if known.is_empty() {
            Profiles::default()
        } else {
            Profiles(known.into())
        }
    }
}

impl OwnProfile {
    /// Creates a profile on top of `base` that sets no knob yet.
    ///
    /// # Errors
    ///
    /// If the name has another form than `my-player`.
    pub fn new(name: &str, about: &str, base: Profiles) -> Result<OwnProfile, ProfileNameError> {
        let is_fine =
            |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
        if name.is_empty() || !name.chars().all(is_fine) {
            return Err(ProfileNameError::Form);
        }
        Ok(OwnProfile {
            name: name.to_owned(),
            about: about.to_owned(),
            base,
            knobs: Vec::new(),
        })
    }

    /// Sets one knob by its name.
    ///
    /// # Errors
    ///
    /// If there is no such knob, or it does not accept the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), KnobError> {
        Knobs::default().set(name, value)?;
        self.knobs.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its description; may be empty.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Returns the profiles that it builds on.
    #[must_use]
    pub fn base(&self) -> &Profiles {
        &self.base
    }

    /// Returns the knobs that it sets on top of its base, in the order in which they were set.
    pub fn knobs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.knobs.iter().map(|(name, value)| (&**name, &**value))
    }
}

impl Default for Profiles {
    fn default() -> Profiles {
        Profile::Default.into()
    }
}

impl From<Profile> for Profiles {
    fn from(profile: Profile) -> Profiles {
        Profiles([Layer::Known(profile)].into())
    }
}

impl From<OwnProfile> for Profiles {
    fn from(own: OwnProfile) -> Profiles {
        Profiles([Layer::Own(own)].into())
    }
}

/// The name, with `+` between profiles.
impl fmt::Display for Profiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, layer) in self.0.iter().enumerate() {
            if index > 0 {
                write!(f, "{AND}")?;
            }
            f.write_str(match layer {
                Layer::Known(profile) => profile.name(),
                Layer::Own(own) => &own.name,
            })?;
        }
        Ok(())
    }
}

/// Parses the names of playsim's profiles, with `+` between them.
impl FromStr for Profiles {
    type Err = UnknownProfile;

    fn from_str(text: &str) -> Result<Profiles, UnknownProfile> {
        let known =
            |name: &str| Profile::from_name(name).ok_or_else(|| UnknownProfile(name.to_owned()));
        text.split(AND)
            .map(|name| known(name.trim()).map(Layer::Known))
            .collect::<Result<_, _>>()
            .map(Profiles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_profile_wins_where_two_set_the_same_knob() {
        let both: Profiles = "contrib-ads+standard".parse().unwrap();
        let turned: Profiles = "standard + contrib-ads".parse().unwrap();
        let after_start = |profiles: &Profiles| {
            profiles
                .knobs()
                .differing()
                .find(|(name, _)| *name == "ad.after_start_error")
                .unwrap()
                .1
        };
        assert_eq!(
            (after_start(&both), after_start(&turned)),
            ("next_pod".into(), "end_break".into())
        );
        assert_eq!(
            both.knobs().preroll_timeout,
            Profile::ContribAds.knobs().preroll_timeout
        );
        assert_eq!(turned.to_string(), "standard+contrib-ads");
        assert_eq!(
            Profiles::from(Profile::Standard).and(&Profile::ContribAds.into()),
            turned
        );
        let unknown = "standard+contrib-ad"
            .parse::<Profiles>()
            .unwrap_err()
            .to_string();
        assert!(
            unknown.ends_with("did you mean \"contrib-ads\"?"),
            "{unknown}"
        );
    }

    #[test]
    fn a_profile_says_what_it_rests_on() {
        let basis = |name: &str| name.parse::<Profiles>().unwrap().basis();
        assert_eq!(basis("default"), None);
        assert_eq!(basis("literal").as_deref(), Some("literal"));
        let both = basis("ima+shaka").unwrap();
        assert!(both.starts_with("ima, read, not measured, and shaka, measured in "));
        let own = OwnProfile::new("mine", "some, fitted to 9 recordings", Profiles::default());
        let own = Profiles::from(own.unwrap()).basis();
        assert_eq!(own.as_deref(), Some("mine (some, fitted to 9 recordings)"));
    }

    #[test]
    fn an_own_profile_builds_on_others() {
        let mut own = OwnProfile::new("my-player", "", Profile::ContribAds.into()).unwrap();
        own.set("ad.timeout", "2s").unwrap();
        assert!(own.set("ad.timeout", "soon").is_err());
        let profiles = Profiles::from(own);
        let mut expected = Profile::ContribAds.knobs();
        expected.set("ad.timeout", "2s").unwrap();
        assert_eq!(profiles.knobs(), expected);
        assert_eq!(
            (profiles.to_string().as_str(), profiles.known()),
            ("my-player", Profiles::default())
        );
        for name in ["", "a+b", "a b", "a/b"] {
            assert_eq!(
                OwnProfile::new(name, "", Profiles::default()),
                Err(ProfileNameError::Form),
                "{name}"
            );
        }
    }
}
