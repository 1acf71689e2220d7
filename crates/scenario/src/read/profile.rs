//! Reads a profile of the user's own from a file:
//! `{"profile": "my-player", "base": "ima", "knobs": {...}}`.

use std::io;

use super::node::{Node, Object, Wrong};
use super::reading::Reading;
use super::{mistakes, scalar, tree};
use crate::fields::knobs_of;
use crate::fields::profiles;
use crate::{Overrides, ScenarioError};
use playsim_base::escape::shown;
use playsim_rules::knobs::{OwnProfile, Profiles};

const EXAMPLE: &str = "{ profile: my-player, base: ima, knobs: { ad.timeout: 5s } }";

/// Reads a profile from JSON if `name` ends in `.json`, else from YAML.
///
/// An object with `profile` (its name), `about` (what it describes), `base` (the profile or
/// profiles that it builds on; without one the default) and `knobs`.
///
/// # Errors
///
/// [`ScenarioError::Mistakes`]: at most twenty, each with its place.
pub fn read_profile(name: &str, text: &str) -> Result<Profiles, ScenarioError> {
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut no_files = |_: &str| Err(io::Error::other("a profile has no files"));
    let overrides = Overrides::default();
    let result = tree(name, bare)
        .map_err(|wrong| vec![wrong])
        .and_then(|root| {
            let mut reading = Reading::new(&mut no_files, &overrides, Vec::new());
            match (profile(&root, &mut reading), reading.wrongs) {
                (Some(own), wrongs) if wrongs.is_empty() => Ok(own.into()),
                (_, wrongs) => Err(wrongs),
            }
        });
    result.map_err(|wrongs| mistakes(name, bare, text.len() - bare.len(), wrongs).into())
}

fn profile(root: &Node, reading: &mut Reading<'_>) -> Option<OwnProfile> {
    let mut fields = reading.keep(Object::of(root, "a profile", EXAMPLE))?;
    let _ = fields.field("$schema");
    let node = fields.required("profile", EXAMPLE);
    let node = reading.keep(node);
    let about = fields
        .field("about")
        .and_then(|node| reading.keep(scalar::text(node, "about")));
    let base = fields
        .field("base")
        .and_then(|node| reading.keep(profiles(node, "base")));
    let name = node.and_then(|node| Some((node, reading.keep(scalar::text(node, "profile"))?)));
    let own = name.and_then(|(node, name)| {
        let own = OwnProfile::new(
            &name,
            about.as_deref().unwrap_or_default(),
            base.unwrap_or_default(),
        );
        let wrong = |why| {
            Wrong::new(
                &node.range,
                format!("\"profile\" is \"{}\": {why}", shown(&name)),
            )
        };
        reading.keep(own.map_err(wrong))
    });
    let knobs = fields
        .field("knobs")
        .map(|node| knobs_of(node, reading))
        .unwrap_or_default();
    fields.end(reading);
    let mut own = own?;
    for (name, value) in knobs {
        own.set(name, &value)
            .expect("a knob is checked when it is read");
    }
    Some(own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use playsim_rules::knobs::Profile;

    #[test]
    fn a_file_gives_a_name_a_base_and_knobs() {
        let text = r#"{"profile":"mine","about":"ours","base":"contrib-ads+ima","knobs":{"ad.timeout":"5s"}}"#;
        let read = read_profile("mine.json", text).unwrap();
        let mut expected = Profiles::from(Profile::ContribAds)
            .and(&Profile::Ima.into())
            .knobs();
        expected.set("ad.timeout", "5s").unwrap();
        assert_eq!(
            (read.to_string().as_str(), read.knobs()),
            ("mine", expected)
        );
        assert_eq!(
            read_profile("mine.json", r#"{"profile":"mine"}"#)
                .unwrap()
                .knobs(),
            Profiles::default().knobs()
        );
    }

    #[test]
    fn mistakes_have_their_places() {
        let message = |text: &str| read_profile("p.json", text).unwrap_err().to_string();
        for (text, expected) in [
            (
                r#"{"profile":"a+b"}"#,
                "p.json:1:12: \"profile\" is \"a+b\": it must consist of letters, digits",
            ),
            (
                r#"{"base":"ima"}"#,
                "p.json:1:1: a profile has no \"profile\"; it needs one, like",
            ),
            (
                r#"{"profile":"a","base":"imo"}"#,
                "p.json:1:23: unknown profile \"imo\"; did you mean \"ima\"?",
            ),
            (
                r#"{"profile":"a","knob":{}}"#,
                "p.json:1:16: unknown field of a profile \"knob\"",
            ),
            (
                r#"{"profile":"a","knobs":{"ad.timeout":"x"}}"#,
                "p.json:1:38: \"ad.timeout\" is \"x\"",
            ),
            (
                "[1]",
                "p.json:1:1: a profile is a list; it must be an object, like",
            ),
        ] {
            let message = message(text);
            assert!(message.starts_with(expected), "{message}");
        }
    }
}
