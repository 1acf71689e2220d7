//! What a file is, by its text, and the command that most people want for it.

use std::path::Path;

use playsim::{import, recording};
use playsim_check::diff::BEGINNING;
use playsim_scenario as scenario;
use playsim_vast as vast;

use super::failure::Failure;
use super::file::{self, has_ending};
use super::output::as_argument;

/// What a file or folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Scenario,
    /// A trace as JSON lines: of playsim, or recorded from a player.
    Trace,
    /// A trace in text form.
    Text,
    /// An HTTP archive and the like.
    Recording,
    /// A VAST or VMAP document.
    Document,
    /// A response with its head, as `curl -si` prints it.
    Answer,
    /// A folder with recordings and nothing else that is known.
    Recordings,
    /// A folder with scenarios.
    Scenarios,
}

impl Kind {
    /// Returns what a file is by its text; `None` if it is nothing that a command reads.
    pub(super) fn of_text(file: &Path, text: &str) -> Option<Kind> {
        let begin = begin(text);
        if begin.starts_with(BEGINNING) {
            Some(Kind::Text)
        } else if import::is_recording(begin.as_bytes()) {
            Some(Kind::Recording)
        } else if !begin.starts_with('[') && are_json_lines(file, begin)
            || recording::is_compact(begin)
        {
            Some(Kind::Trace)
        } else if begin.starts_with('<') {
            match vast::read(text).root {
                vast::Root::Other(_) => None,
                // What is not XML to its end may be a document that was cut: `vast` says where.
                vast::Root::None | vast::Root::Vast | vast::Root::Vmap | vast::Root::Vast1 => {
                    Some(Kind::Document)
                }
            }
        } else if begin.starts_with("HTTP/") {
            Some(Kind::Answer)
        } else {
            // One that is broken is a scenario if it is named or written like one.
            let is_like_one = has_ending(file, &["yaml", "yml", "json"])
                || ["videos", "steps"].iter().any(|key| text.contains(key));
            let is_one = is_like_one && scenario::is_scenario(&file::name(file), text);
            is_one.then_some(Kind::Scenario)
        }
    }

    /// Returns the command that most people want for it.
    pub(super) const fn command(self) -> &'static str {
        match self {
            Kind::Scenario => "run",
            Kind::Scenarios | Kind::Text => "test",
            Kind::Trace => "check",
            Kind::Recording | Kind::Recordings | Kind::Answer => "waterfall",
            Kind::Document => "vast",
        }
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            Kind::Scenario => "a scenario",
            Kind::Scenarios => "a folder with scenarios",
            Kind::Trace => "a trace",
            Kind::Text => "a trace in text form",
            Kind::Recording => "a recording",
            Kind::Recordings => "a folder with recordings",
            Kind::Document => "a VAST or VMAP document",
            Kind::Answer => "an HTTP response",
        }
    }
}

/// Says which command reads a file that was given as a scenario and is something else.
pub(super) fn no_scenario(file: &Path, text: &str) -> Option<Failure> {
    let kind = Kind::of_text(file, text).filter(|kind| *kind != Kind::Scenario)?;
    let name = file::name(file);
    let instead = if kind == Kind::Text {
        "it is compared with playsim diff SCENARIO TRACE".to_owned()
    } else {
        format!("playsim {} {} reads it", kind.command(), as_argument(&name))
    };
    Some(Failure::Input(format!(
        "{name} is {}, not a scenario; {instead}",
        kind.words()
    )))
}

/// Returns a text from its first letter on.
pub(super) fn begin(text: &str) -> &str {
    text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
}

/// Returns whether the file is meant as JSON lines. The first line of a scenario in JSON is never a
/// complete object with `kind` or `t`.
pub(super) fn are_json_lines(file: &Path, begin: &str) -> bool {
    if has_ending(file, &["jsonl", "ndjson"]) {
        return true;
    }
    if has_ending(file, &["yaml", "yml"]) {
        return false;
    }
    // A list is neither a scenario nor a trace; the error of the trace reader fits better.
    if begin.starts_with('[') {
        return true;
    }
    let line = begin.lines().next().unwrap_or_default();
    let first: Option<serde_json::Value> = serde_json::from_str(line).ok();
    first.is_some_and(|first| first.get("kind").is_some() || first.get("t").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_lines_are_distinguished_from_a_scenario_in_json() {
        let line = "{\"t\":0,\"kind\":\"event\",\"name\":\"play\"}\n{}";
        for (file, begin, are) in [
            ("a.jsonl", "", true),
            ("-", line, true),
            ("a.json", line, true),
            ("a.json", "[{", true),
            ("a.yaml", line, false),
            ("a.json", "{ \"videos\": [] }", false),
            ("a.json", "{\n\"kind\": 1 }", false),
            ("-", "videos: []", false),
        ] {
            assert_eq!(
                are_json_lines(Path::new(file), begin),
                are,
                "{file}: {begin}"
            );
        }
    }
}
