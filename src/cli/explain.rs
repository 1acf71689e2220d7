//! `playsim explain`: the chain of causes of a trace line, each with its rule.
//!
//! Rules: TRACE-4, TRACE-7.

use std::path::{Path, PathBuf};

use playsim::diff::{self, Side};
use playsim::recording::Tolerance;
use playsim::trace::{self, Trace};

use super::failure::{Failure, Invalid, bail};
use super::options::Options;
use super::output::{Talk, as_argument};
use super::recorded;
use super::setting::Setting;
use super::source::{self, Source};
use super::{Exit, exits, input, lines, print, width, written};

#[derive(Debug, clap::Args)]
#[command(after_help = exits(&[(Exit::AsExpected, "the line was found"), (Exit::NothingSelected, "there is no such line")]))]
pub(super) struct Explain {
    #[command(flatten)]
    options: Options,
    /// A trace in JSON lines, or a scenario to play; - for standard input
    #[arg(value_name = "TRACE")]
    file: PathBuf,
    /// The line: its seq number, a name such as adStart, or the second of that name: adStart#2
    #[arg(long, value_name = "N", value_parser = line)]
    event: String,
    /// For a recording: the scenario to play. Its line that corresponds to the recorded one is
    /// explained
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
    #[command(flatten)]
    setting: Setting,
}

impl Explain {
    /// Prints the line and its causes.
    pub(super) fn print(self, talk: &Talk) -> Result<Exit, Failure> {
        let name = input::name(&self.file);
        if let Some(scenario) = &self.scenario {
            return self.print_counterpart(scenario, talk);
        }
        if recorded::is_recording(&self.file.to_string_lossy()) {
            let file = as_argument(&name);
            bail!(
                "{name} is a recording, whose lines have no causes: playsim waterfall {file} says what happened and why; \
                 playsim import {file} -o trial writes a scenario, whose lines can be explained"
            );
        }
        let source = source::read(&self.file, &self.setting, &self.options)?;
        let Source::Trace(trace) = source else {
            bail!(
                "{name} is a trace in text form, which has no causes; give the scenario, or JSON lines \
                 written by playsim run --format jsonl --why"
            );
        };
        let (seq, count) = trace::find(&trace, &self.event)
            .map_err(|error| Failure::NothingSelected(format!("{name}: {error}")))?;
        let Some(causes) = trace.causes(seq) else {
            return Ok(Exit::NothingSelected);
        };
        let text = written(|text| trace::write_causes(&trace, &causes, width(), text));
        let exit = print(&text, talk);
        if count > 1 && !self.event.contains('#') {
            talk.say(&format!(
                "{name}: {0} occurs {count} times; the next one is {0}#2",
                self.event
            ));
        }
        if !names_rules(&trace) {
            talk.say(&format!(
                "{name}: this trace names no rules; write it with playsim run --format jsonl --why"
            ));
        }
        if let Some(lost) = causes.lost {
            talk.say(&format!(
                "{name}: line {lost} is missing; write the trace with --view all, without --only and --not"
            ));
        }
        Ok(exit)
    }

    /// Prints the causes of the simulated line that corresponds to a recorded one.
    fn print_counterpart(&self, scenario: &Path, talk: &Talk) -> Result<Exit, Failure> {
        let (name, played) = (input::name(&self.file), input::name(scenario));
        let (Source::Trace(recorded), _) = source::read_either(&self.file, &Setting::default())?
        else {
            bail!("{name} is a trace in text form; --scenario is for recordings");
        };
        let (Source::Trace(simulated), true) = source::read_either(scenario, &self.setting)? else {
            bail!("{played} is not a scenario; --scenario needs one to play");
        };
        let filter = lines::all();
        let (first, second) = diff::meet(
            Side::of_trace(&name, recorded, &filter),
            Side::of_trace(&played, simulated, &filter),
        );
        let (seq, _) = trace::find(first.trace(), &self.event)
            .map_err(|error| Failure::NothingSelected(format!("{name}: {error}")))?;
        let comparison = diff::compare(&first, &second, Tolerance::default());
        let counterpart = comparison.counterpart(seq).ok_or_else(|| {
            Failure::NothingSelected(format!(
                "line {seq} of {name} has no counterpart in {played}; playsim diff {} {} shows where they part",
                as_argument(&name),
                as_argument(&played)
            ))
        })?;
        let Some(causes) = second.trace().causes(counterpart) else {
            return Ok(Exit::NothingSelected);
        };
        talk.say(&format!(
            "line {seq} of {name} corresponds to seq {counterpart} of {played}"
        ));
        let text = written(|text| trace::write_causes(second.trace(), &causes, width(), text));
        Ok(print(&text, talk))
    }
}

/// Checks the `--event` argument: a number, a name, or `name#n` for the nth line of that name.
fn line(word: &str) -> Result<String, Invalid> {
    match word.split_once('#') {
        Some((name, nth)) if nth.parse().is_ok_and(|nth: usize| nth > 0) && !name.is_empty() => {
            Ok(word.to_owned())
        }
        Some((name, _)) => Err(Invalid(format!(
            "# must be followed by a number of at least 1, such as {name}#2"
        ))),
        None => Ok(word.to_owned()),
    }
}

fn names_rules(trace: &Trace) -> bool {
    trace.records.iter().any(|record| record.rule.is_some())
}
