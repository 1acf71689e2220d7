//! Reading a scenario from text.
//!
//! Text becomes a tree of nodes that know their places (`yaml`, `json`), and the tree becomes the types of
//! [`scenario`](super). The tree is the same for both forms of text, so every message has its place in
//! both. What is wrong is collected as far as the text can be followed; nothing is passed over: a field
//! nobody knows is an error, and so is one that this version does not play.

use std::sync::Arc;

use super::{Overrides, Scenario, ScenarioError};
use crate::place::Place;
use crate::words;
use node::{Node, Object, Tree, Wrong};

mod acts;
mod edit;
mod element;
mod expect;
mod head;
mod json;
mod media;
mod network;
mod node;
mod page;
mod player;
mod record;
mod record_fields;
mod scalar;
mod sides;
mod simid;
mod steps;
mod terms;
mod value;
mod vpaid;
#[cfg(feature = "yaml")]
mod yaml;

pub(super) use acts::{ACTS, BINDING, PROPERTIES, SCRIPTS};
pub(super) use edit::ROUTES;
pub(super) use element::PRELOADS;
pub(super) use media::MEDIA_FAULTS;
pub(super) use network::NETWORK_FAULTS;
pub(super) use page::{DEVICES, FULLSCREEN, GESTURE_POLICIES};
pub(super) use player::BREAKS;
pub(super) use record_fields::CLICKTHROUGH;
pub(super) use sides::{NAVIGATION, VIEWABILITY};
pub(super) use simid::{MAX_TIMES as SIMID_MAX_TIMES, REPLIES as SIMID_REPLIES};
pub(super) use terms::{CATEGORIES, CONDITIONAL, SKIPPABLE, VPAID};
pub(super) use value::SPECIAL;

/// The longest text of a scenario. Bodies of answers stand in files of their own.
const MAX_BYTES: usize = 8 << 20;
/// The deepest nesting; a test thread of two megabytes must bear it in a debug build.
const MAX_DEPTH: usize = 32;
/// The most values, those behind aliases counted as often as they are used.
const MAX_NODES: usize = 300_000;
/// The most errors that are reported at once.
const MAX_ERRORS: usize = 20;

const TOO_BIG: &str = "this is too deep or has too many values for a scenario";

/// Reads a scenario from JSON if `name` ends in `.json`, else from YAML.
///
/// `load` gives the content of a file by its path relative to the scenario's folder, or says why it
/// cannot be had; the path never leaves that folder.
///
/// # Errors
///
/// What is wrong with the text, each with its place: the first and up to 19 others.
pub fn read(
    name: &str,
    text: &str,
    load: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Scenario, ScenarioError> {
    read_over(name, text, &Overrides::default(), load)
}

/// [`read`] with what is said outside the text and wins over it.
///
/// # Errors
///
/// As those of [`read`].
pub fn read_over(
    name: &str,
    text: &str,
    overrides: &Overrides,
    load: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Scenario, ScenarioError> {
    let text_without_mark = text.strip_prefix('\u{feff}').unwrap_or(text);
    let result = tree(name, text_without_mark).map_err(|wrong| vec![wrong]).and_then(|root| {
        let mut reading = Reading {
            load,
            overrides,
            loaded: Vec::new(),
            listeners: listener_names(&root),
            containers: Vec::new(),
            hears_html: false,
            wrongs: Vec::new(),
        };
        let scenario = scenario(name, &root, &mut reading);
        if reading.wrongs.is_empty() { Ok(scenario) } else { Err(reading.wrongs) }
    });
    result.map_err(|wrongs| error(name, text_without_mark, text.len() - text_without_mark.len(), wrongs))
}

/// Where the expectations of a scenario stand in its text, in their order; none if it cannot be read.
#[must_use]
pub fn expectation_places(name: &str, text: &str) -> Vec<Place> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(Node { tree: Tree::Map(entries), .. }) = tree(name, text) else { return Vec::new() };
    let expect = entries.iter().find(|(key, _)| key.text == "expect");
    let Some((_, Node { tree: Tree::List(items), .. })) = expect else { return Vec::new() };
    items.iter().map(|item| Place::of_byte(text, item.range.start)).collect()
}

/// Whether a text is meant as a scenario, for those who look for some among other files: it names `videos`
/// or `steps`, or nearly. One that cannot be read at all may be meant as one.
#[must_use]
pub fn is_scenario(name: &str, text: &str) -> bool {
    let Ok(root) = tree(name, text.strip_prefix('\u{feff}').unwrap_or(text)) else { return true };
    let Tree::Map(entries) = root.tree else { return false };
    entries.iter().any(|(key, _)| words::nearest(&key.text, ["videos", "steps"]).is_some())
}

fn tree(name: &str, text: &str) -> Result<Node, Wrong> {
    if text.len() > MAX_BYTES {
        let message = format!("this is {} bytes long; a scenario has at most {MAX_BYTES}", text.len());
        return Err(Wrong::new(&(0..0), message));
    }
    if name.to_ascii_lowercase().ends_with(".json") {
        return json::tree(text);
    }
    #[cfg(feature = "yaml")]
    return yaml::tree(text);
    #[cfg(not(feature = "yaml"))]
    Err(Wrong::new(&(0..0), "YAML is not built in; give the scenario as a .json file"))
}

/// The errors in the order of the text, the first of them holding the others.
fn error(name: &str, text: &str, mark: usize, mut wrongs: Vec<Wrong>) -> ScenarioError {
    wrongs.sort_by_key(|wrong| wrong.range.start);
    let file: Arc<str> = name.into();
    let mut errors = wrongs.into_iter().take(MAX_ERRORS).map(|wrong| ScenarioError {
        file: Arc::clone(&file),
        place: Place::of_byte(text, wrong.range.start),
        range: wrong.range.start + mark..wrong.range.end + mark,
        message: wrong.message,
        suggestion: wrong.suggestion,
        others: Vec::new(),
    });
    let mut first = errors.next().expect("an error was reported only because there is one");
    first.others = errors.collect();
    first
}

/// What is at hand while a scenario is read.
struct Reading<'a> {
    load: &'a mut dyn FnMut(&str) -> Result<String, String>,
    overrides: &'a Overrides,
    /// Files that were read already.
    loaded: Vec<(Arc<str>, Arc<str>)>,
    /// The names of all listeners: a step may name one that is written further down.
    listeners: Vec<Arc<str>>,
    /// The ids of the page's containers.
    containers: Vec<Arc<str>>,
    /// Whether page code hears the media element's own events. Rule EVT-18.
    hears_html: bool,
    wrongs: Vec<Wrong>,
}

impl Reading<'_> {
    /// The value, or nothing and the error kept.
    fn keep<T>(&mut self, result: Result<T, Wrong>) -> Option<T> {
        result.map_err(|wrong| self.wrongs.push(wrong)).ok()
    }

    /// Name and content of a file that the scenario names.
    fn file(&mut self, node: &Node) -> Result<(Arc<str>, Arc<str>), Wrong> {
        let path = scalar::name(node, "file")?;
        let shown = node::shown(&path);
        if path.contains(['\\', ':']) || path.starts_with('/') {
            let message = format!("\"{shown}\" is no path below the scenario's folder, like answers/ad.xml");
            return Err(Wrong::new(&node.range, message));
        }
        if path.split('/').any(|part| part == "..") {
            let message = format!("\"{shown}\" leaves the scenario's folder; files stand in or below it");
            return Err(Wrong::new(&node.range, message));
        }
        if let Some((_, text)) = self.loaded.iter().find(|(known, _)| *known == path) {
            return Ok((path, Arc::clone(text)));
        }
        let text = (self.load)(&path)
            .map_err(|why| Wrong::new(&node.range, format!("file \"{shown}\" cannot be read: {why}")))?;
        let text: Arc<str> = text.into();
        self.loaded.push((Arc::clone(&path), Arc::clone(&text)));
        Ok((path, text))
    }
}

fn listener_names(root: &Node) -> Vec<Arc<str>> {
    let Tree::Map(entries) = &root.tree else { return Vec::new() };
    let listeners = entries.iter().find(|(key, _)| key.text == "listeners");
    match listeners.map(|(_, node)| &node.tree) {
        Some(Tree::Map(entries)) => entries.iter().map(|(key, _)| Arc::from(&*key.text)).collect(),
        Some(Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::List(_)) | None => {
            Vec::new()
        }
    }
}

fn scenario(name: &str, root: &Node, reading: &mut Reading<'_>) -> Scenario {
    let mut scenario = Scenario { name: stem(name).into(), ..Scenario::default() };
    let example = "{ videos: [...], network: {...} }";
    let Some(mut fields) = reading.keep(Object::of(root, "a scenario", example)) else { return scenario };
    // For editors of JSON; those of YAML take a comment.
    let _ = fields.field("$schema");
    head::head(&mut fields, &mut scenario, reading);
    if let Some(node) = fields.field("page") {
        scenario.page = page::page(node, reading);
    }
    reading.containers = scenario.page.containers.iter().map(|container| container.id.clone()).collect();
    if let Some(node) = fields.field("videos") {
        scenario.videos = record::videos(node, reading);
    }
    if let Some(node) = fields.field("media") {
        (scenario.media, scenario.media_default) = media::media(node, reading);
    }
    if let Some(node) = fields.field("network") {
        (scenario.network, scenario.ignore_query) = network::network(node, reading);
    }
    if let Some(node) = fields.field("player") {
        scenario.player = player::player(node, scenario.player, reading);
    }
    if let Some(node) = fields.field("players") {
        scenario.players = player::players(node, &scenario.player, reading);
    }
    if let Some(node) = fields.field("listeners") {
        scenario.listeners = steps::listeners(node, reading);
    }
    if let Some(node) = fields.field("steps") {
        scenario.steps = steps::steps(node, reading);
    }
    if let Some(node) = fields.field("expect") {
        scenario.expect = expect::expectations(node, reading);
    }
    if let Some(node) = fields.field("channels") {
        scenario.channels = Some(edit::channels(node, reading));
    }
    let start = fields.range().clone();
    fields.end(reading);
    if reading.wrongs.is_empty() && scenario.videos.is_empty() && scenario.steps.is_empty() {
        let message = "there is nothing to play; a scenario has videos, or steps, or both";
        reading.wrongs.push(Wrong::new(&start, message));
    }
    scenario
}

/// The file's name without folder and ending: what a scenario without a name is called.
fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, text: &str) -> String {
        let mut load = |_: &str| Err("there is no such file".to_owned());
        read(name, text, &mut load).map_or_else(|error| error.to_string(), |scenario| format!("{scenario:?}"))
    }

    #[test]
    fn json_has_places_without_the_reader_of_yaml() {
        let text = "{\n  \"videos\": [{ \"id\": \"v\\\"1\", \"nmae\": 1 }]\n}";
        assert_eq!(
            told("case.json", text),
            "case.json:2:30: no field of a video is named \"nmae\"; did you mean \"name\"?"
        );
        assert_eq!(told("case.JSON", "{\n  é}"), "case.JSON:2:3: this is no JSON: key must be a string");
    }

    #[test]
    fn what_names_videos_or_steps_is_meant_as_a_scenario() {
        for text in ["{ \"videos\": 1 }", "{ \"step\": [] }", "{ \"name\": 1, \"vidoes\": [] }", "{"] {
            assert!(is_scenario("case.json", text), "{text}");
        }
        for text in ["{ \"name\": \"x\", \"services\": {} }", "[]", "7", "{}"] {
            assert!(!is_scenario("case.json", text), "{text}");
        }
    }

    #[cfg(not(feature = "yaml"))]
    #[test]
    fn yaml_is_refused_with_a_word_on_what_works() {
        let expected = "case.yaml:1:1: YAML is not built in; give the scenario as a .json file";
        assert_eq!(told("case.yaml", "videos: []"), expected);
    }

    #[test]
    fn a_path_never_leaves_the_folder() {
        for path in ["../a", "a/../../b", "/a", "C:/a", "a\\\\b", "file:///a", ""] {
            let text = format!("{{ \"network\": {{ \"x\": {{ \"file\": \"{path}\" }} }} }}");
            assert!(!told("case.json", &text).contains("cannot be read"), "{path}");
        }
        let text = "{ \"network\": { \"x\": { \"file\": \"a/..b.xml\" } } }";
        assert!(told("case.json", text).contains("\"a/..b.xml\" cannot be read: there is no such file"));
    }

    #[test]
    fn no_more_errors_are_told_than_one_reads() {
        let text = format!("{{ \"steps\": [{}1] }}", "1,".repeat(100));
        let error = read("case.json", &text, &mut |_| Err(String::new())).expect_err("numbers are no steps");
        assert_eq!(error.all().count(), MAX_ERRORS);
    }
}
