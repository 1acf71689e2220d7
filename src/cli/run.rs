//! `playsim run`: plays scenarios, prints their traces, judges them.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use playsim::check;
use playsim::place::Place;
use playsim::scenario::{Scenario, Until};
use playsim::sim::Simulation;
use playsim::trace::{Filter, Trace, View, write_jsonl, write_text};

use super::input::{Fault, Given};
use super::lines::{Lines, words_of};
use super::output::{Out, Talk};
use super::setting::Setting;
use super::{EXIT_CODES, Exit, determinism, input};

#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Run {
    /// Scenarios, in YAML or JSON; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The trace's form: text for people, jsonl for programs
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    format: Format,
    #[command(flatten)]
    lines: Lines,
    /// Show with each line the rule that decided
    #[arg(long)]
    why: bool,
    /// Play with this seed instead of the scenario's
    #[arg(long, value_name = "N", value_parser = input::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    setting: Setting,
    /// End here instead of where the scenario ends: a time like 120s, or idle
    #[arg(long, value_name = "TIME", value_parser = input::until)]
    until: Option<Until>,
    /// Write the traces to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Play each scenario again in several ways (in steps, in pieces, forked) and compare
    #[arg(long)]
    check_determinism: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    #[default]
    Text,
    Jsonl,
}

impl Run {
    /// Plays every file, one after the other.
    pub(super) fn play(self, talk: &Talk) -> Exit {
        if let Some(output) = &self.output
            && let Some(file) = self.files.iter().find(|file| input::is_same(file, output))
        {
            talk.error(&format!("{} is a scenario of this run; -o would overwrite it", input::name(file)));
            return Exit::WrongInput;
        }
        let filter = self.lines.filter(match self.format {
            Format::Text => View::Review,
            Format::Jsonl => View::All,
        });
        let mut out = Out::to(self.output.clone());
        let mut exit = Exit::AsExpected;
        let mut missed: Option<Vec<String>> = None;
        let mut is_any_shown = false;
        for file in &self.files {
            let result = self.play_one(file, &filter, &mut out, talk);
            exit = exit.and(result.as_ref().map_or_else(|exit| *exit, |(_, exit)| *exit));
            if let Ok((trace, _)) = &result {
                if shows_any(trace, &filter) {
                    is_any_shown = true;
                } else {
                    missed.get_or_insert_default().extend(words_of(trace));
                }
            }
            if out.is_closed() {
                break;
            }
        }
        if let Some(known) = missed.filter(|_| !is_any_shown && self.lines.are_chosen()) {
            talk.error(&self.lines.nothing_matches(&known));
            exit = exit.and(Exit::NothingSelected);
        }
        exit.and(out.finish(talk))
    }

    fn play_one(
        &self,
        file: &Path,
        filter: &Filter,
        out: &mut Out,
        talk: &Talk,
    ) -> Result<(Trace, Exit), Exit> {
        let overrides = self.setting.overrides();
        let mut given = input::scenario(file, &overrides).map_err(|fault| fault.tell(talk))?;
        let scenario = &mut given.scenario;
        scenario.seed = self.seed.unwrap_or(scenario.seed);
        scenario.until = self.until.unwrap_or(scenario.until);
        let name = input::name(file);
        let trace = play(&name, scenario).map_err(|fault| fault.tell(talk))?;
        if self.format == Format::Text && self.files.len() > 1 {
            let gap = if out.is_untouched() { "" } else { "\n" };
            out.text(&format!("{gap}# {}\n", input::heading(file)));
        }
        // What goes wrong in writing is kept by `out`.
        let _ = match self.format {
            Format::Text => write_text(&trace, filter, self.why, out),
            Format::Jsonl => write_jsonl(&trace, filter, self.why, out),
        };
        out.flush();
        let mut exit = judge(&name, &given, &trace, talk);
        if self.check_determinism {
            exit = exit.and(match determinism::check(&given.scenario, &trace) {
                Ok(()) => {
                    talk.say(&format!(
                        "{name}: the same in every way it was played, digest {}",
                        trace.digest
                    ));
                    Exit::AsExpected
                }
                Err(difference) => {
                    talk.error(&format!("{name}: {difference}"));
                    Exit::Difference
                }
            });
        }
        Ok((trace, exit))
    }
}

/// Plays a scenario to its end.
pub(super) fn play(name: &str, scenario: &Scenario) -> Result<Trace, Fault> {
    let simulation = Simulation::new(scenario).map_err(|error| Fault::Input(format!("{name}: {error}")))?;
    Ok(simulation.run())
}

/// Says which expectations of the scenario failed.
pub(super) fn judge(name: &str, given: &Given, trace: &Trace, talk: &Talk) -> Exit {
    if !matches!(trace.outcome(), "idle" | "until") {
        talk.say(&format!("{name}: the run was stopped, its outcome is {}", trace.outcome()));
    }
    let failures = failures(given, trace);
    for (place, failure) in &failures {
        let place = place.map_or_else(String::new, |place| format!(":{place}"));
        talk.error(&format!("{name}{place}: {failure}"));
    }
    if failures.is_empty() {
        return Exit::AsExpected;
    }
    let of = given.scenario.expect.len();
    let s = if of == 1 { "" } else { "s" };
    talk.say(&format!("{name}: {} of {of} expectation{s} failed", failures.len()));
    Exit::Difference
}

/// The expectations that failed, each with its place in the scenario.
pub(super) fn failures(given: &Given, trace: &Trace) -> Vec<(Option<Place>, String)> {
    let failures = check::expectations(&given.scenario.expect, trace).into_iter();
    let told = failures.map(|failure| {
        let place = failure.number.checked_sub(1).and_then(|index| given.expect_at.get(index));
        let text = format!(
            "expectation {} failed\n  expected  {}\n  found     {}",
            failure.number, failure.expected, failure.found
        );
        (place.copied(), text)
    });
    told.collect()
}

/// Whether more than header and outcome is printed.
fn shows_any(trace: &Trace, filter: &Filter) -> bool {
    let inner = trace.records.len().saturating_sub(1);
    trace.records.iter().take(inner).skip(1).any(|record| filter.shows(record))
}
