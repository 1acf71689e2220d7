//! Reads the trace that an argument names: JSON lines, the text form, or a scenario, which is
//! played.

use std::path::Path;

use playsim::recording::{self, Recording};
use playsim::trace::Trace;
use playsim_check::diff::BEGINNING;

use super::failure::{Failure, bail};
use super::file::has_ending;
use super::input;
use super::kind::{are_json_lines, begin};
use super::options::Options;
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
pub(super) fn read(file: &Path, setting: &Setting, given: &Options) -> Result<Source, Failure> {
    let (source, is_played) = read_either(file, setting)?;
    match given.of::<Setting>().filter(|_| !is_played) {
        Some(option) => {
            let name = input::name(file);
            bail!("{name} is a trace; {option} only works with a scenario")
        }
        None => Ok(source),
    }
}

/// Reads a trace, or plays a scenario with the setting. Returns whether it was played.
pub(super) fn read_either(file: &Path, setting: &Setting) -> Result<(Source, bool), Failure> {
    let text = input::text(file)?;
    let name = input::name(file);
    let begin = begin(&text);
    if begin.starts_with(BEGINNING) || has_ending(file, &["trace"]) && !begin.starts_with('{') {
        return Ok((Source::Text(text), false));
    }
    if are_json_lines(file, begin) || recording::is_compact(begin) {
        let read = Recording::read(&name, &text).map_err(Failure::input)?;
        return Ok((Source::Trace(read.trace), false));
    }
    let mut given = input::scenario_of(file, &text, &setting.overrides())?;
    setting.change(&mut given.scenario);
    run::play(&name, &given.scenario).map(|trace| (Source::Trace(trace), true))
}
