//! Reads a scenario from YAML or JSON.
//!
//! The file becomes a tree of nodes that know their places (`yaml`, `json`), and the tree becomes
//! the types of [`scenario`](super). Both formats have the same tree, so every message has its
//! place in both. Reading continues after an error as long as the structure of the file is clear.
//! Nothing is ignored: an unknown field is an error, and so is one that this version does not
//! support.

use std::io;
use std::str::FromStr;
use std::sync::Arc;

use super::error::{Mistake, Mistakes};
use super::{Overrides, Scenario, ScenarioError, fields};
use node::{Node, Tree, Wrong};
use playsim_base::place::Place;
use playsim_base::words;
pub use profile::read_profile;
use reading::Reading;

mod json;
pub(super) mod node;
mod profile;
pub(super) mod reading;
pub(super) mod scalar;
#[cfg(feature = "yaml")]
mod yaml;

/// How deep values nest, limited so that a debug build does not overflow the 2 MB stack of a test
/// thread.
pub(super) const DEPTH: usize = 32;
/// The longest scenario. Bodies of responses are in files of their own.
const MAX_BYTES: usize = 8 << 20;
/// The most values; those of an alias count each time it is used.
const MAX_NODES: usize = 300_000;
/// The most errors that are reported at once.
const MAX_ERRORS: usize = 20;

const TOO_BIG: &str = "this is nested too deeply or has too many values for a scenario";

/// Parses YAML, of which JSON is a part; without the feature `yaml`, only JSON. The text names no
/// files: it has the bodies of all responses.
impl FromStr for Scenario {
    type Err = ScenarioError;

    fn from_str(text: &str) -> Result<Scenario, ScenarioError> {
        let name = if cfg!(feature = "yaml") {
            "scenario"
        } else {
            "scenario.json"
        };
        let mut no_files = |_: &str| Err(io::Error::other("a scenario in a string has no files"));
        read(name, text, &mut no_files)
    }
}

/// Reads a scenario from JSON if `name` ends in `.json`, else from YAML.
///
/// `load` returns the content of a file by its path relative to the scenario's folder; the path
/// never leaves that folder.
///
/// # Errors
///
/// [`ScenarioError::Mistakes`]: at most twenty, each with its place.
pub fn read(
    name: &str,
    text: &str,
    load: &mut dyn FnMut(&str) -> io::Result<String>,
) -> Result<Scenario, ScenarioError> {
    read_over(name, text, &Overrides::default(), load)
}

/// [`read`] with overrides, which win over the file.
///
/// # Errors
///
/// As those of [`read`].
pub fn read_over(
    name: &str,
    text: &str,
    overrides: &Overrides,
    load: &mut dyn FnMut(&str) -> io::Result<String>,
) -> Result<Scenario, ScenarioError> {
    read_with(name, text, load, overrides, |_| {})
}

/// [`read_over`] with a change of how it is read.
pub(super) fn read_with(
    name: &str,
    text: &str,
    load: &mut dyn FnMut(&str) -> io::Result<String>,
    overrides: &Overrides,
    prepare: impl FnOnce(&mut Reading<'_>),
) -> Result<Scenario, ScenarioError> {
    let text_without_mark = text.strip_prefix('\u{feff}').unwrap_or(text);
    let result = tree(name, text_without_mark)
        .map_err(|wrong| vec![wrong])
        .and_then(|root| {
            let mut reading = Reading::new(load, overrides, listener_names(&root));
            prepare(&mut reading);
            let scenario = fields::read(&root, stem(name), &mut reading);
            if reading.wrongs.is_empty() {
                Ok(scenario)
            } else {
                Err(reading.wrongs)
            }
        });
    let mark = text.len() - text_without_mark.len();
    result.map_err(|wrongs| mistakes(name, text_without_mark, mark, wrongs).into())
}

/// Returns the places of a scenario's expectations, in order; none if it cannot be read.
#[must_use]
pub fn expectation_places(name: &str, text: &str) -> Vec<Place> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(root) = tree(name, text) else {
        return Vec::new();
    };
    let Some(Node {
        tree: Tree::List(items),
        ..
    }) = root.get("expect")
    else {
        return Vec::new();
    };
    items
        .iter()
        .map(|item| Place::of_byte(text, item.range.start))
        .collect()
}

/// Whether a file looks like a scenario, for a search among other files: it has `videos` or
/// `steps`, or a key spelled much like one of them. A file that cannot be read at all may be one.
#[must_use]
pub fn is_scenario(name: &str, text: &str) -> bool {
    let Ok(root) = tree(name, text.strip_prefix('\u{feff}').unwrap_or(text)) else {
        return true;
    };
    root.map()
        .unwrap_or_default()
        .iter()
        .any(|(key, _)| words::nearest(&key.text, ["videos", "steps"]).is_some())
}

/// Returns the tree of a JSON document; `None` if it is not valid JSON.
pub(super) fn json_tree(text: &str) -> Option<Node> {
    json::tree(text).ok()
}

/// Returns the tree of a document in JSON, if its name ends in `.json`, or in YAML.
pub(super) fn tree(name: &str, text: &str) -> Result<Node, Wrong> {
    if text.len() > MAX_BYTES {
        let message = format!(
            "the file is {} bytes long; a scenario has at most {MAX_BYTES}",
            text.len()
        );
        return Err(Wrong::new(&(0..0), message));
    }
    if name.to_ascii_lowercase().ends_with(".json") {
        return json::tree(text);
    }
    #[cfg(feature = "yaml")]
    return yaml::tree(text);
    #[cfg(not(feature = "yaml"))]
    Err(Wrong::new(
        &(0..0),
        "this build does not read YAML; use a .json file",
    ))
}

/// Returns the mistakes in the order of the file; its text begins after a mark of this length.
pub(super) fn mistakes(name: &str, text: &str, mark: usize, mut wrongs: Vec<Wrong>) -> Mistakes {
    wrongs.sort_by_key(|wrong| wrong.range.start);
    let mistake = |wrong: Wrong| Mistake {
        place: Place::of_byte(text, wrong.range.start),
        range: wrong.range.start + mark..wrong.range.end + mark,
        message: wrong.message,
        suggestion: wrong.suggestion,
    };
    Mistakes::new(
        name,
        wrongs.into_iter().take(MAX_ERRORS).map(mistake).collect(),
    )
}

fn listener_names(root: &Node) -> Vec<Arc<str>> {
    let entries = root
        .get("listeners")
        .and_then(Node::map)
        .unwrap_or_default();
    entries
        .iter()
        .map(|(key, _)| Arc::from(&*key.text))
        .collect()
}

/// The file's name without folder and extension: the name of a scenario that has none.
fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(name: &str, text: &str) -> String {
        let mut load = |_: &str| Err(io::Error::other("there is no such file"));
        read(name, text, &mut load).map_or_else(
            |error| error.to_string(),
            |scenario| format!("{scenario:?}"),
        )
    }

    #[test]
    fn json_errors_have_places_without_the_yaml_reader() {
        let text = "{\n  \"videos\": [{ \"id\": \"v\\\"1\", \"nmae\": 1 }]\n}";
        assert_eq!(
            message("case.json", text),
            "case.json:2:30: unknown field of a video \"nmae\"; did you mean \"name\"?"
        );
        assert_eq!(
            message("case.JSON", "{\n  é}"),
            "case.JSON:2:3: invalid JSON: key must be a string"
        );
    }

    #[test]
    fn a_file_with_videos_or_steps_is_a_scenario() {
        for text in [
            "{ \"videos\": 1 }",
            "{ \"step\": [] }",
            "{ \"name\": 1, \"vidoes\": [] }",
            "{",
        ] {
            assert!(is_scenario("case.json", text), "{text}");
        }
        for text in ["{ \"name\": \"x\", \"services\": {} }", "[]", "7", "{}"] {
            assert!(!is_scenario("case.json", text), "{text}");
        }
    }

    #[cfg(not(feature = "yaml"))]
    #[test]
    fn yaml_is_refused_with_a_hint_at_json() {
        let expected = "case.yaml:1:1: this build does not read YAML; use a .json file";
        assert_eq!(message("case.yaml", "videos: []"), expected);
    }

    #[test]
    fn a_path_never_leaves_the_folder() {
        for path in ["../a", "a/../../b", "/a", "C:/a", "a\\\\b", "file:///a", ""] {
            let text = format!("{{ \"network\": {{ \"x\": {{ \"file\": \"{path}\" }} }} }}");
            assert!(
                !message("case.json", &text).contains("cannot be read"),
                "{path}"
            );
        }
        let text = "{ \"network\": { \"x\": { \"file\": \"a/..b.xml\" } } }";
        assert!(
            message("case.json", text)
                .contains("\"a/..b.xml\" cannot be read: there is no such file")
        );
    }

    #[test]
    fn the_number_of_reported_errors_is_limited() {
        let text = format!("{{ \"steps\": [{}1] }}", "1,".repeat(100));
        let result = read("case.json", &text, &mut |_| {
            Err(io::ErrorKind::NotFound.into())
        });
        let Err(ScenarioError::Mistakes(mistakes)) = result else {
            panic!("a number is not a step")
        };
        assert_eq!(mistakes.iter().count(), MAX_ERRORS);
    }
}
