//! `playsim run`: plays scenarios, prints their traces and checks their expectations.

use std::path::{Path, PathBuf};

use playsim::api::{AdLine, EventName, Kind};
use playsim::catalog::Catalog;
use playsim::check;
use playsim::knobs::KNOBS;
use playsim::place::Place;
use playsim::scenario::Scenario;
use playsim::sim::Simulation;
use playsim::testing::LAWS;
use playsim::trace::{Filter, Trace};
use playsim_base::words::{self, seconds};

use super::failure::{Failure, bail};
use super::format::{Format, formats};
use super::input::Given;
use super::lines::{self, Lines, words_of};
use super::output::{Out, Talk};
use super::playground::Playground;
use super::setting::Setting;
use super::{Exit, exits, input};

const FORMATS: &[Format] = &[
    Format::Text,
    Format::Jsonl,
    Format::Html,
    Format::ChromeTrace,
    Format::Har,
    Format::Pixels,
    Format::Summary,
];

#[derive(Debug, clap::Args)]
#[command(after_help = exits(&[(Exit::AsExpected, "every scenario was played, and what it expects is so"), (Exit::Difference, "an expectation failed, or --check-determinism found two traces"), (Exit::WrongInput, "invalid input: arguments, scenario or documents"), (Exit::NothingSelected, "no line was selected")]))]
pub(super) struct Run {
    /// Scenarios in YAML or JSON; - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The output format: text for people, jsonl for programs, html for browsers, chrome-trace for
    /// Perfetto, har for network panels, pixels for the list of called trackers, summary for
    /// requests and their results
    #[arg(long, value_parser = formats(FORMATS), default_value = "text", value_name = "FORMAT")]
    format: Format,
    #[command(flatten)]
    lines: Lines,
    /// Show the deciding rule on each line
    #[arg(long)]
    why: bool,
    #[command(flatten)]
    setting: Setting,
    #[command(flatten)]
    playground: Playground,
    /// Use the records of a catalog (a file of playsim serve, or a JSON list) instead of the
    /// scenarios'
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "FILE")]
    catalog: Option<PathBuf>,
    /// Write the traces to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Play each scenario again in several ways (in steps, in time slices, forked), and compare the
    /// traces
    #[arg(long)]
    check_determinism: bool,
}

impl Run {
    /// Plays every file in turn.
    pub(super) fn play(self, talk: &Talk) -> Result<Exit, Failure> {
        if let Some(output) = &self.output
            && let Some(file) = self.files.iter().find(|file| input::is_same(file, output))
        {
            bail!(
                "{} is a scenario of this run, and -o would overwrite it",
                input::name(file)
            );
        }
        self.playground.check(self.format == Format::Html)?;
        if self.format.is_one_document() && self.files.len() > 1 {
            return Err(self.one_at_a_time());
        }
        #[cfg(feature = "serve")]
        let records = self.catalog.as_deref().map(super::catalog::records);
        #[cfg(feature = "serve")]
        let records = records.transpose()?;
        #[cfg(not(feature = "serve"))]
        let records = None;
        let filter = self.lines.filter(self.format.view());
        let mut out = Out::to(self.output.clone());
        let mut exit = Exit::AsExpected;
        let mut missed: Option<Vec<String>> = None;
        let mut is_any_shown = false;
        for file in &self.files {
            let played = self.play_one(file, records.as_ref(), &filter, &mut out, talk);
            exit = exit.and(match played {
                Ok((trace, exit)) => {
                    if lines::shows_any(&trace, &filter) {
                        is_any_shown = true;
                    } else {
                        missed.get_or_insert_default().extend(words_of(&trace));
                    }
                    exit
                }
                Err(failure) => failure.report(talk),
            });
            if out.is_closed() {
                break;
            }
        }
        if let Some(known) = missed.filter(|_| !is_any_shown && self.lines.are_chosen()) {
            talk.error(&self.lines.nothing_matches(&known));
            exit = exit.and(Exit::NothingSelected);
        }
        Ok(exit.and(out.finish(talk)))
    }

    fn play_one(
        &self,
        file: &Path,
        records: Option<&Catalog>,
        filter: &Filter,
        out: &mut Out,
        talk: &Talk,
    ) -> Result<(Trace, Exit), Failure> {
        let overrides = self.setting.overrides();
        let mut given = input::scenario(file, &overrides)?;
        let is_output = |document: &PathBuf| {
            self.output
                .as_ref()
                .is_some_and(|output| input::is_same(document, output))
        };
        if let Some(document) = input::documents(file, &given.scenario).find(is_output) {
            bail!(
                "{} is a document of {}, and -o would overwrite it",
                input::name(&document),
                input::name(file)
            );
        }
        self.setting.change(&mut given.scenario);
        if let Some(records) = records {
            given.scenario = given.scenario.with_catalog(records);
        }
        let name = input::name(file);
        let trace = play(&name, &given.scenario)?;
        if self.format.has_headings() && self.files.len() > 1 {
            let gap = if out.is_untouched() { "" } else { "\n" };
            out.text(&format!("{gap}# {}\n", input::heading(file)));
        }
        // `out` keeps a write error for the end.
        let _ = self.format.write(
            &given.scenario,
            &trace,
            filter,
            self.why,
            &self.playground,
            out,
        );
        out.flush();
        let mut exit = judge(&name, &given, &trace, talk);
        if self.check_determinism {
            let mut laws = LAWS.iter().filter(|law| law.plays_again());
            let broken =
                laws.find_map(|law| Some((law.name, law.judge(&given.scenario, &trace).err()?)));
            match &broken {
                Some((law, why)) => {
                    talk.error(&format!("{name}: this does not hold: {law}: {why}"))
                }
                None => talk.say(&format!(
                    "{name}: the same trace in every way it was played, digest {}",
                    trace.digest
                )),
            }
            exit = exit.and(Exit::of(broken.is_none()));
        }
        Ok((trace, exit))
    }

    /// Returns the error for several scenarios where only one is possible, with a command for the
    /// first.
    fn one_at_a_time(&self) -> Failure {
        let format = self.format.name();
        let file = &self.files[0];
        let output = file.with_extension(if self.format == Format::ChromeTrace {
            "trace.json"
        } else {
            &format
        });
        let [file, output] = [file.as_path(), &output].map(input::argument);
        Failure::Input(format!(
            "--format {format} writes a single document; give one scenario at a time, such as: \
             playsim run {file} --format {format} -o {output}"
        ))
    }
}

/// Plays a scenario to its end.
pub(super) fn play(name: &str, scenario: &Scenario) -> Result<Trace, Failure> {
    let simulation = Simulation::new(scenario).map_err(Failure::about(name))?;
    Ok(simulation.run())
}

/// Says that a run was stopped, if it was.
pub(super) fn say_stopped(name: &str, trace: &Trace, talk: &Talk) {
    if let Some(outcome) = trace.outcome().filter(|_| trace.is_cut_short()) {
        let circle = trace
            .circle()
            .map(|lines| format!("; these lines go round: {lines}"))
            .unwrap_or_default();
        talk.say(&format!(
            "{name}: the run was stopped with outcome {outcome}{circle}"
        ));
    }
}

/// Prints the expectations of the scenario that failed.
pub(super) fn judge(name: &str, given: &Given, trace: &Trace, talk: &Talk) -> Exit {
    say_stopped(name, trace, talk);
    let failures = failures(given, trace);
    for (place, failure) in &failures {
        let place = place.map_or_else(String::new, |place| format!(":{place}"));
        talk.error(&format!("{name}{place}: {failure}"));
    }
    if failures.is_empty() {
        return Exit::AsExpected;
    }
    for diagnosed in diagnosed(trace) {
        talk.say(&format!("{name}: {diagnosed}"));
    }
    let of = given.scenario.expect.len();
    talk.say(&format!(
        "{name}: {} of {} failed",
        failures.len(),
        words::counted(of, "expectation")
    ));
    Exit::Difference
}

/// Returns the diagnostics of acts of the page and the user, each with the ad on the screen and the
/// knobs on which it depends.
fn diagnosed(trace: &Trace) -> Vec<String> {
    let mut ad = None;
    let mut diagnosed = Vec::new();
    for record in &trace.records {
        if record.is(AdLine::Fill) {
            ad = record.data.text("at");
        } else if record.is(EventName::AdEnd) {
            ad = None;
        }
        let act = record.cause.and_then(|cause| trace.record(cause));
        let act = act.filter(|act| matches!(act.kind, Kind::User | Kind::Call));
        let (Some(act), Kind::Diag) = (act, record.kind) else {
            continue;
        };
        let why = record.data.text("text").map_or("", |text| text);
        let at = seconds(record.at.micros());
        let ad = ad
            .map(|at| format!(" (the ad of {at})"))
            .unwrap_or_default();
        let knobs = KNOBS
            .iter()
            .filter(|knob| record.rule.is_some_and(|rule| knob.rules.contains(&rule)));
        let knobs: Vec<&str> = knobs.map(|knob| knob.name).collect();
        let knobs = match &knobs[..] {
            [] => String::new(),
            names => format!("; that depends on --knob {}", names.join(" or ")),
        };
        diagnosed.push(format!(
            "{} at {at} s: {why}{ad} [{}]{knobs}",
            act.name, record.name
        ));
    }
    diagnosed
}

/// Returns the expectations that failed, each with its place in the scenario.
pub(super) fn failures(given: &Given, trace: &Trace) -> Vec<(Option<Place>, String)> {
    let failures = check::expectations(&given.scenario.expect, trace).into_iter();
    let problems = failures.map(|failure| {
        let place = failure
            .number
            .checked_sub(1)
            .and_then(|index| given.expect_at.get(index));
        let text = format!(
            "expectation {} failed\n  expected  {}\n  found     {}",
            failure.number, failure.expected, failure.found
        );
        (place.copied(), text)
    });
    problems.collect()
}
