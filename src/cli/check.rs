//! `playsim check`: judges traces by what their scenario or documents predict, and by rules.
//!
//! Rules: those of `playsim::check::LAWS`, INV-3 to INV-22.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use playsim::check::compare::{self, Prediction};
use playsim::check::{
    self, CheckOptions, Coverage, Finding, LAWS, Level, OF_THE_FORM, UNPREDICTED, WITHIN,
};
use playsim::import::{self, Replayed};
use playsim::knobs::Profiles;
use playsim::recording::{Recording, Tolerance};
use playsim::rules::{self, RuleId};
use playsim::scenario::{Overrides, Scenario};
use playsim::sim::play_observed;
use playsim::time::Span;
use playsim_base::words::counted;
use playsim_rules::print::Selection;

use super::failure::{Failure, bail};
use super::findings::FORMATS;
use super::format::{Format, formats};
use super::output::Talk;
use super::{Exit, exits, file, input, kind, print, recorded, setting};

mod items;
mod json;
mod text;

#[derive(Debug, clap::Args)]
#[command(after_help = exits(&[(Exit::AsExpected, "every trace was judged, without a fault"), (Exit::Difference, "a trace has a fault"), (Exit::WrongInput, "invalid input, or a trace in which a rule of --rule, or an event, could not be judged")]))]
pub(super) struct Check {
    /// Traces as JSON lines, of playsim, recorded from a real player, or written by hand; - for
    /// standard input
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<PathBuf>,
    /// How late or early something may be; it never excuses a wrong order [default: 450ms, and 0
    /// for a trace of playsim with its scenario]
    #[arg(long, value_name = "SPAN")]
    within: Option<Span>,
    /// Report only these rules or families, such as TRK or TRK-6; may be repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    rule: Vec<String>,
    /// Do not report these rules or families; may be repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    not_rule: Vec<String>,
    /// The scenario that was played, or a folder with the scenario of each recording's case: it is
    /// played, and what the trace has otherwise is a finding
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
    /// Play the scenario with this profile instead of its own, or several with + in between, or one
    /// from a file such as mine.yaml; playsim rules --knobs lists them
    #[arg(long, value_name = "NAME", value_parser = setting::profile, requires = "scenario")]
    profile: Option<Profiles>,
    /// Read another kind of file: an HTTP archive, whose requests are judged
    #[arg(long, value_enum, value_name = "KIND")]
    from: Option<From>,
    /// The output format
    #[arg(long, value_parser = formats(FORMATS), default_value = "text", value_name = "FORMAT")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum From {
    Har,
}

/// The verdict on a trace of which something was not judged.
const UNKNOWN: &str = "unknown";

/// A trace that was judged.
struct Judged {
    /// Its name in the output.
    file: String,
    /// Why the recorder could not show the case.
    cannot: Option<String>,
    /// The findings, each with its line in the file, from 1; `None` where lines mean nothing.
    findings: Vec<(Finding, Option<usize>)>,
    /// The number of lines.
    lines: usize,
    /// The rules that it was judged by, and those that it cannot be judged by.
    coverage: Coverage,
    /// What it was held against.
    predicted: Predicted,
    /// The rules that were asked for and not judged, each with what the trace lacks.
    unjudged: Vec<(RuleId, String)>,
}

/// What a trace was held against.
enum Predicted {
    /// What its scenario predicts.
    ByScenario(Prediction),
    /// What its own documents predict.
    ByDocuments(Replayed),
    /// Nothing but rules; with the reason, if it has documents.
    Not(Option<String>),
}

impl Predicted {
    /// Returns how many lines are as predicted.
    fn same(&self) -> Option<usize> {
        match self {
            Predicted::ByScenario(prediction) => Some(prediction.same),
            Predicted::ByDocuments(replayed) => Some(replayed.same),
            Predicted::Not(_) => None,
        }
    }

    fn findings(&self) -> &[Finding] {
        match self {
            Predicted::ByScenario(prediction) => &prediction.findings,
            Predicted::ByDocuments(replayed) => &replayed.findings,
            Predicted::Not(_) => &[],
        }
    }
}

impl Judged {
    fn count(&self, level: Level) -> usize {
        self.findings
            .iter()
            .filter(|(finding, _)| finding.level == level)
            .count()
    }

    /// Whether something was judged, and nothing that was asked for was left out.
    fn is_judged(&self) -> bool {
        self.unjudged.is_empty() && self.coverage.unknown_events.is_empty()
    }

    /// The verdict in a word.
    fn word(&self) -> &'static str {
        if self.count(Level::Fault) > 0 {
            "faulty"
        } else if self.is_judged() {
            "ok"
        } else {
            UNKNOWN
        }
    }
}

impl Check {
    /// Judges all traces and prints the findings.
    pub(super) fn judge(self, talk: &Talk) -> Result<Exit, Failure> {
        let is_stdin = |trace: &&PathBuf| file::is_stdin(trace);
        if self.traces.iter().filter(is_stdin).count() > 1 {
            bail!("only one of the files can be standard input");
        }
        let (only, not) = (selection(&self.rule)?, selection(&self.not_rule)?);
        let is_wanted = |finding: &Finding| {
            (self.rule.is_empty() || only.has(finding.rule))
                && (self.not_rule.is_empty() || !not.has(finding.rule))
        };
        let mut exit = Exit::AsExpected;
        let mut all = Vec::new();
        for path in &self.traces {
            let read = self.read(path);
            match read.and_then(|(recording, lines)| self.judged(path, &recording, &lines)) {
                Ok(mut judged) => {
                    judged.findings.retain(|(finding, _)| is_wanted(finding));
                    if !self.rule.is_empty() {
                        let unjudged = judged.coverage.unjudged.iter();
                        let asked = unjudged.filter(|(rule, _)| only.has(*rule)).cloned();
                        judged.unjudged = asked.collect();
                        judged.unjudged.extend(self.without_law(&judged)?);
                    }
                    all.push(judged);
                }
                Err(failure) => exit = exit.and(failure.report(talk)),
            }
        }
        if !all.iter().all(Judged::is_judged) {
            exit = exit.and(Exit::WrongInput);
        }
        if all.iter().any(|judged| judged.count(Level::Fault) > 0) {
            exit = exit.and(Exit::Difference);
        }
        Ok(self.print(&all, talk).and(exit))
    }

    /// Returns of each word of --rule that names no rule with a law its first rule: only what a
    /// scenario predicts can break it.
    fn without_law(&self, judged: &Judged) -> Result<Vec<(RuleId, String)>, Failure> {
        if matches!(judged.predicted, Predicted::ByScenario(_)) {
            return Ok(Vec::new());
        }
        let mut without = Vec::new();
        for word in &self.rule {
            let named = selection(std::slice::from_ref(word))?;
            if !LAWS.iter().any(|law| named.has(law.rule)) {
                let first = rules::all().find(|rule| named.has(*rule));
                let lacks = "its scenario (--scenario): no law judges it without";
                without.extend(first.map(|rule| (rule, lacks.to_owned())));
            }
        }
        Ok(without)
    }

    /// Judges one trace: by what its scenario predicts, and by the rules that need no scenario.
    fn judged(
        &self,
        path: &Path,
        recording: &Recording,
        lines: &[usize],
    ) -> Result<Judged, Failure> {
        let mut options = CheckOptions::default();
        options.within = self.within.unwrap_or(WITHIN);
        let scenario = self.scenario_of(recording)?;
        if let Some(scenario) = &scenario {
            options = options.with_scenario(scenario);
        }
        let mut coverage = Coverage::of(recording, &options);
        let mut findings = check::judge(recording, &options);
        let predicted = match &scenario {
            Some(scenario) => Predicted::ByScenario(self.prediction(recording, scenario)?),
            None => match import::replay(recording, self.tolerance(), &findings) {
                Some(Ok(replayed)) => Predicted::ByDocuments(replayed),
                Some(Err(reason)) => Predicted::Not(Some(reason)),
                None => Predicted::Not(None),
            },
        };
        if let Predicted::ByScenario(prediction) = &predicted
            && prediction.other_acts.is_empty()
        {
            // All else that a rule says of this session is predicted.
            let is_judged = |rule: &RuleId| {
                OF_THE_FORM.contains(rule) || !prediction.is_own && UNPREDICTED.contains(rule)
            };
            findings.retain(|finding| is_judged(&finding.rule));
            let unjudged = std::mem::take(&mut coverage.unjudged).into_iter();
            let (media, others): (Vec<_>, Vec<_>) = unjudged.partition(|(rule, _)| is_judged(rule));
            coverage.unjudged = media;
            coverage
                .judged
                .extend(others.into_iter().map(|(rule, _)| rule));
        }
        findings.splice(0..0, predicted.findings().iter().cloned());
        // Stable: what was predicted comes first.
        findings.sort_by_key(|finding| finding.level);
        let line = |finding: &Finding| lines.get(finding.record).copied();
        Ok(Judged {
            file: input::name(path),
            cannot: recording.head.cannot.as_ref().map(ToString::to_string),
            findings: findings
                .into_iter()
                .map(|finding| {
                    let line = line(&finding);
                    (finding, line)
                })
                .collect(),
            lines: recording.trace.records.len(),
            coverage,
            predicted,
            unjudged: Vec::new(),
        })
    }

    /// Returns the scenario of a recording, if one was given.
    fn scenario_of(&self, recording: &Recording) -> Result<Option<Scenario>, Failure> {
        let Some(given) = &self.scenario else {
            return Ok(None);
        };
        let mut overrides = Overrides::default();
        if let Some(profile) = &self.profile {
            overrides.set_profile(profile.clone());
        }
        let given = if given.is_dir() {
            input::found_scenario(&case_in(given, recording)?, &overrides)?
        } else {
            input::scenario(given, &overrides)?
        };
        Ok(Some(given.scenario))
    }

    fn prediction(
        &self,
        recording: &Recording,
        scenario: &Scenario,
    ) -> Result<Prediction, Failure> {
        let predicted = play_observed(scenario, &recording.trace).map_err(Failure::input)?;
        Ok(compare::judge(
            recording,
            scenario,
            &predicted,
            self.tolerance(),
        ))
    }

    fn tolerance(&self) -> Option<Tolerance> {
        self.within.map(Into::into)
    }

    /// Reads a trace, and the line in the file of each of its records.
    fn read(&self, path: &Path) -> Result<(Recording, Vec<usize>), Failure> {
        let name = input::name(path);
        if self.from == Some(From::Har) {
            let lines = recorded::read(path)?
                .lines()
                .map_err(Failure::about(&name))?;
            return Ok((lines, Vec::new()));
        }
        let text = input::text(path)?;
        let recording = Recording::read(&name, &text).map_err(|error| {
            let begin = kind::begin(&text);
            let advice = if begin.starts_with("{") && begin.contains("\"entries\"") {
                "\nThis may be an HTTP archive: playsim check --from har"
            } else if begin.starts_with('{') {
                ""
            } else {
                "\ncheck reads JSON lines, such as those of: playsim run SCENARIO --format jsonl"
            };
            Failure::Input(format!("{error}{advice}"))
        })?;
        let numbers: Vec<usize> = (1..)
            .zip(text.lines())
            .filter(|(_, line)| !is_blank(line))
            .map(|(number, _)| number)
            .collect();
        let is_by_line = numbers.len() == recording.trace.records.len();
        Ok((recording, if is_by_line { numbers } else { Vec::new() }))
    }

    fn print(&self, all: &[Judged], talk: &Talk) -> Exit {
        let within = self.within.unwrap_or(WITHIN);
        let text = if self.format == Format::Json {
            json::json(all, within)
        } else {
            let written = items::findings(all).written(self.format);
            written.unwrap_or_else(|| text::text(all))
        };
        let exit = print(&text, talk);
        if self.format == Format::Text && !all.is_empty() {
            talk.say(&summary(all, within));
        }
        exit
    }
}

fn selection(names: &[String]) -> Result<Selection, Failure> {
    let mut selection = Selection::default();
    let named = names.iter().try_for_each(|name| selection.name(name));
    named.map(|()| selection).map_err(Failure::input)
}

/// Returns the scenario in a folder that the head of a recording names, by its file or by its case.
fn case_in(folder: &Path, recording: &Recording) -> Result<PathBuf, Failure> {
    let head = &recording.head;
    let named = head.scenario.as_ref().map(ToString::to_string);
    let named = named.or_else(|| head.case.as_ref().map(|case| format!("{case}.yaml")));
    let Some(named) = named else {
        bail!("the head of this recording names no case; give its scenario: --scenario FILE");
    };
    // The name comes from the recording: only its last part counts.
    match Path::new(&named).file_name() {
        Some(name) => Ok(folder.join(name)),
        None => bail!("the head of this recording names the scenario {named}, which is not a file"),
    }
}

fn is_blank(line: &str) -> bool {
    line.trim_start_matches('\u{feff}').trim().is_empty()
}

fn summary(all: &[Judged], within: Span) -> String {
    let within = match within.micros() {
        micros if micros.is_multiple_of(1_000) => format!("{}ms", micros / 1_000),
        _ => within.in_seconds(),
    };
    let total = |level: Level| all.iter().map(|judged| judged.count(level)).sum::<usize>();
    let (faults, information) = (total(Level::Fault), total(Level::Information));
    format!(
        "{}: {}, {information} for information; times may differ by {within} (--within)",
        counted(all.len(), "trace"),
        counted(faults, "fault")
    )
}
