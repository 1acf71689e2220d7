//! `playsim fuzz`: random sessions around a scenario, judged by the laws of every session and by
//! what the scenario expects.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use playsim::knobs::Profiles;
use playsim::scenario::{Overrides, Scenario};
use playsim::sim::Simulation;
use playsim::sweep;
use playsim::testing::{Broken, Checks, Coverage, Feature, MAX_STEPS, Options, Vary};
use playsim::time::Span;
use playsim_base::words::counted;
use playsim_testing::is_catching;

use super::failure::{Failure, Invalid};
use super::format::{Format, text_or_json};
use super::interrupt::Interrupt;
use super::output::Talk;
use super::setting::{profile, whole_number};
use super::{Exit, exits, input, print};

mod corpus;
mod report;
mod sessions;

pub(super) use report::rows;

use sessions::{Budget, Played};

const HELP: &str = "\
Examples:
  playsim fuzz                           ten thousand sessions of every kind
  playsim fuzz case.yaml --time 60s      other steps and other responses around a scenario
  playsim fuzz case.yaml --vary steps    only other steps: its ads and media stay as they are
  playsim fuzz --corpus failures         judge the scenarios of a folder first, and add a failure
  playsim fuzz broken-17.yaml --runs 0   judge a scenario as it is

Every session is judged by the invariants of its trace, by laws such as \"reading changes nothing\", and by \
what the scenario expects. The first one that fails, by its seed, is reduced and written as a scenario. \
Scenarios that are given are judged by each law wholly: at every instant, with every value of a knob.

Ctrl-C ends it with what was found so far; a failure is then reduced as far as it was.";

const CODES: &[(Exit, &str)] = &[
    (Exit::AsExpected, "every law held"),
    (
        Exit::Difference,
        "a law was broken, or an expectation failed",
    ),
    (Exit::NothingSelected, "there was nothing to judge"),
    (
        Exit::Interrupted,
        "ended early by Ctrl-C or SIGTERM; every law held until then",
    ),
];

/// The number of sessions, unless the command line says otherwise.
const RUNS: u64 = 10_000;

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{HELP}\n\n{}\n\n{}", features(), exits(CODES)))]
pub(super) struct Fuzz {
    /// The scenario to vary, which is judged first as it is; without it, whole sessions are drawn
    #[arg(value_name = "SCENARIO")]
    scenario: Option<PathBuf>,
    /// How many random sessions to play: by default 10000, or as many as --time allows
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    runs: Option<u64>,
    /// How long to go on, such as 60s
    #[arg(long, value_name = "SPAN", allow_negative_numbers = true)]
    time: Option<Span>,
    /// The seed of the first session; the others have the seeds after it
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true, default_value_t = 0)]
    seed: u64,
    /// What to draw around a scenario: its steps, its world (latencies, responses, faults), or both
    #[arg(long, value_name = "WHAT", value_parser = named::<Vary>, default_value_t = Vary::Both, requires = "scenario")]
    vary: Vary,
    /// Draw only these features, such as ads,late,faults; see below
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = named::<Feature>)]
    feature: Vec<Feature>,
    /// Play each session with one of these profiles, on which the scenario's own knobs are set:
    /// names, with + in between to join them, or a file such as mine.yaml
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = profile)]
    profile: Vec<Profiles>,
    /// The most steps to draw, in addition to those that create players
    #[arg(long, value_name = "N", value_parser = steps, allow_negative_numbers = true)]
    steps: Option<usize>,
    /// A folder of scenarios to judge first, without its subfolders; a failure is written there
    /// instead of the current folder
    #[arg(long, value_name = "FOLDER")]
    corpus: Option<PathBuf>,
    /// Also check the given scenarios by laws about their documents, which must list no tracker
    /// twice and have an error URL in each ad
    #[arg(long)]
    all_laws: bool,
    /// How many threads to use: by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// The output format
    #[arg(long, value_parser = text_or_json(), default_value = "text", value_name = "FORMAT")]
    format: Format,
}

/// The results: coverage, and at most one failure.
struct Found {
    coverage: Coverage,
    failure: Option<Failed>,
    /// Whether a signal ended it.
    is_interrupted: bool,
    /// The features that were asked for, and that no session around the scenario has.
    not_drawn: Vec<Feature>,
}

/// A scenario that breaks a law.
struct Failed {
    broken: Broken,
    found: FailureSource,
}

/// Where a scenario that breaks a law is.
enum FailureSource {
    /// In a file that was given. So many others were not judged.
    Given { file: String, left: usize },
    /// It was drawn, and written to this file.
    Written(String),
    /// It was drawn, and cannot be written.
    Unwritten(Failure),
}

/// Parses a name of a table.
fn named<T: FromStr<Err: ToString>>(word: &str) -> Result<T, Invalid> {
    word.parse()
        .map_err(|error: T::Err| Invalid(error.to_string()))
}

/// Parses a number of steps.
fn steps(word: &str) -> Result<usize, Invalid> {
    let number = word.parse().ok().filter(|number| *number <= MAX_STEPS);
    number.ok_or_else(|| Invalid(format!("must be a whole number from 0 to {MAX_STEPS}")))
}

/// Returns the list of the features.
fn features() -> String {
    let line = |feature: &Feature| format!("\n  {:<13} {}", feature.name(), feature.gist());
    format!(
        "Features:{}",
        Feature::ALL.iter().map(line).collect::<String>()
    )
}

impl Fuzz {
    /// Judges what is given and then random sessions, and prints what was found.
    pub(super) fn judge(self, talk: &Talk) -> Result<Exit, Failure> {
        let found = with_quiet_panics(|| self.find(talk))?;
        let text = if self.format == Format::Json {
            report::json(&found)
        } else {
            report::text(&found, self.draws_settings())
        };
        let printed = print(&text, talk);
        Ok(match found.failure {
            None if found.is_interrupted => printed.and(Exit::Interrupted),
            None => printed,
            Some(Failed {
                found: FailureSource::Unwritten(failure),
                ..
            }) => failure.report(talk),
            Some(_) => printed.and(Exit::Difference),
        })
    }

    fn find(&self, talk: &Talk) -> Result<Found, Failure> {
        let interrupt = Interrupt::listen().map_err(Failure::of_signals)?;
        let mut found = Found {
            coverage: Coverage::default(),
            failure: None,
            is_interrupted: false,
            not_drawn: self.not_drawn(),
        };
        let (base, prepared) = self.scenario.as_deref().map(given).transpose()?.unzip();
        let files = self
            .corpus
            .as_deref()
            .map(corpus::files)
            .transpose()?
            .unwrap_or_default();
        let stored = files
            .iter()
            .map(|file| Ok((input::name(file), given(file)?.0)));
        let stored = stored.collect::<Result<Vec<(String, Scenario)>, Failure>>()?;
        if let Some(folder) = self.corpus.as_deref().filter(|_| stored.is_empty()) {
            talk.say(&format!(
                "there are no scenarios in {} yet",
                input::name(folder)
            ));
        }
        let own = self
            .scenario
            .as_deref()
            .map(input::name)
            .into_iter()
            .zip(base.clone());
        let mut left = own.len() + stored.len();
        for (file, scenario) in own.chain(stored) {
            if interrupt.is_raised() {
                found.is_interrupted = true;
                return Ok(found);
            }
            left -= 1;
            let checks = Checks::default().wholly();
            let checks = if self.all_laws {
                checks.of_drawn()
            } else {
                checks
            };
            match checks.judge(&scenario) {
                Ok(trace) => found.coverage.take(&scenario, &trace),
                Err(broken) => {
                    found.coverage.play(&scenario);
                    found.failure = Some(Failed {
                        broken,
                        found: FailureSource::Given { file, left },
                    });
                    return Ok(found);
                }
            }
        }
        let budget = Budget {
            first: self.seed,
            runs: self
                .runs
                .unwrap_or(if self.time.is_some() { u64::MAX } else { RUNS }),
            time: self.time,
            threads: self.threads.map_or_else(sweep::cores, usize::from),
            interrupt: interrupt.clone(),
        };
        if budget.runs == 0 && found.coverage.runs() == 0 {
            return Err(Failure::NothingSelected(
                "there is nothing to judge; give a scenario, a corpus with scenarios, or more --runs"
                    .to_owned(),
            ));
        }
        let options = self.options(base.as_ref());
        let Played { coverage, broken } = sessions::play(&options, prepared.as_ref(), &budget);
        found.coverage.add(coverage);
        if let Some(broken) = broken {
            talk.say(&format!(
                "the session with seed {} fails; reducing it",
                broken.seed
            ));
            let broken = broken.shrunk_while(options.base(), || !interrupt.is_raised());
            let written = corpus::write(self.corpus.as_deref().unwrap_or(Path::new("")), &broken);
            found.failure = Some(Failed {
                broken,
                found: written.map_or_else(FailureSource::Unwritten, FailureSource::Written),
            });
        }
        found.is_interrupted = interrupt.is_raised();
        Ok(found)
    }

    /// The features that no session has because they are drawn around a scenario.
    fn not_drawn(&self) -> Vec<Feature> {
        let asked = if self.feature.is_empty() {
            Feature::ALL
        } else {
            &self.feature
        };
        let is_left_out =
            |feature: &&Feature| self.scenario.is_some() && !feature.is_drawn_around(self.vary);
        asked.iter().filter(is_left_out).copied().collect()
    }

    /// Whether profiles and knobs are drawn.
    fn draws_settings(&self) -> bool {
        let is_allowed = self.feature.is_empty() || self.feature.contains(&Feature::Settings);
        self.scenario.is_none() && self.profile.is_empty() && is_allowed
    }

    fn options(&self, base: Option<&Scenario>) -> Options {
        let mut options = Options::default().profiles(self.profile.iter().cloned());
        if !self.feature.is_empty() {
            options = options.features(self.feature.iter().copied());
        }
        if let Some(most) = self.steps {
            options = options.steps(most.min(1)..=most);
        }
        match base {
            Some(base) => options.around(base, self.vary),
            None => options,
        }
    }
}

/// Reads a scenario that can be played, and prepares it.
fn given(file: &Path) -> Result<(Scenario, Simulation), Failure> {
    let scenario = input::scenario(file, &Overrides::default())?.scenario;
    let prepared = Simulation::new(&scenario);
    let prepared = prepared.map_err(Failure::about(&input::name(file)))?;
    Ok((scenario, prepared))
}

/// Does what may panic in a session: that is a finding, and is reported as one.
pub(super) fn with_quiet_panics<T>(find: impl FnOnce() -> T) -> T {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !is_catching() {
            usual(panic);
        }
    }));
    let found = find();
    drop(std::panic::take_hook());
    found
}

/// Returns a number of sessions in words.
fn sessions_in_words(runs: u64) -> String {
    counted(usize::try_from(runs).unwrap_or(usize::MAX), "session")
}
