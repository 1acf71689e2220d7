//! Reads the trace that an argument names: JSON lines, the text form, or a scenario, which is
//! played.

use std::path::Path;

use playsim::recording::{self, Recording};
use playsim::trace::Trace;
use playsim_check::diff::BEGINNING;

use super::failure::Failure;
use super::file::has_ending;
use super::input;
use super::run;
use super::setting::Setting;

/// A trace, parsed or as text.
pub(super) enum Source {
    /// Read from JSON lines, or played.
    Trace(Trace),
    /// A trace in text form.
    Text(String),
}

/// Reads a trace, or plays a scenario with the setting; a setting for a trace is an error.
pub(super) fn read(file: &Path, setting: &Setting) -> Result<Source, Failure> {
    let (source, is_played) = read_either(file, setting)?;
    match setting.option().filter(|_| !is_played) {
        Some(option) => {
            let name = input::name(file);
            Err(Failure::Input(format!(
                "{name} is a trace; {option} only works with a scenario"
            )))
        }
        None => Ok(source),
    }
}

/// Reads a trace, or plays a scenario with the setting. Returns whether it was played.
pub(super) fn read_either(file: &Path, setting: &Setting) -> Result<(Source, bool), Failure> {
    let text = input::text(file)?;
    let name = input::name(file);
    let begin = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if begin.starts_with(BEGINNING) || has_ending(file, &["trace"]) && !begin.starts_with('{') {
        return Ok((Source::Text(text), false));
    }
    if are_json_lines(file, begin) || recording::is_compact(begin) {
        let read =
            Recording::read(&name, &text).map_err(|error| Failure::Input(error.to_string()))?;
        return Ok((Source::Trace(read.trace), false));
    }
    let mut given = input::scenario_of(file, &text, &setting.overrides())?;
    setting.change(&mut given.scenario);
    run::play(&name, &given.scenario).map(|trace| (Source::Trace(trace), true))
}

/// Returns whether the file is meant as JSON lines. The first line of a scenario in JSON is never a
/// complete object with `kind` or `t`.
fn are_json_lines(file: &Path, begin: &str) -> bool {
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
