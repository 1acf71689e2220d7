//! `playsim fuzz`: random sessions around a scenario, judged by the laws of every session and by what the scenario
//! expects.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;
use playsim::internal::words::counted;
use playsim::knobs::Profile;
use playsim::scenario::{Overrides, Scenario};
use playsim::sim::Simulation;
use playsim::sweep;
use playsim::testing::{Broken, Checks, Coverage, Feature, Options, Vary};
use playsim::time::Span;

use super::failure::{Failure, Invalid};
use super::output::Talk;
use super::{EXIT_CODES, Exit, input, print};

mod corpus;
mod report;
mod sessions;

use sessions::{Budget, Played};

const HELP: &str = "\
Examples:
  playsim fuzz                           ten thousand sessions of every kind
  playsim fuzz case.yaml --time 60s      other steps and other responses around a scenario
  playsim fuzz case.yaml --vary steps    only other steps: its ads and media stay as they are
  playsim fuzz --corpus failures         judge the scenarios of a folder first, and add a failure
  playsim fuzz broken-17.yaml --runs 0   judge a scenario as it is

Every session is judged by the invariants of its trace, by laws such as \"reading changes nothing\", and by \
what the scenario expects. The first one that fails, by its seed, is reduced and written as a scenario.";

/// The number of sessions, unless the command line says otherwise.
const RUNS: u64 = 10_000;

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{HELP}\n\n{EXIT_CODES}"))]
pub(super) struct Fuzz {
    /// The scenario to vary, which is judged first as it is; without it, whole sessions are drawn
    #[arg(value_name = "SCENARIO")]
    scenario: Option<PathBuf>,
    /// How many random sessions to play: by default 10000, or as many as --time allows
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// How long to go on, such as 60s
    #[arg(long, value_name = "SPAN")]
    time: Option<Span>,
    /// The seed of the first session; the others have the seeds after it
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// What to draw around a scenario: its steps, its world (latencies, responses, faults), or both
    #[arg(long, value_name = "WHAT", value_parser = named::<Vary>, default_value_t = Vary::Both)]
    vary: Vary,
    /// Draw only these features, such as ads,late,faults
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = named::<Feature>)]
    feature: Vec<Feature>,
    /// Play with these profiles instead of the scenario's or any
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = named::<Profile>)]
    profile: Vec<Profile>,
    /// The most steps to draw, besides those that create players
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// A folder of scenarios to judge first; a failure is written there instead of the current folder
    #[arg(long, value_name = "FOLDER")]
    corpus: Option<PathBuf>,
    /// Also check given scenarios by the laws for documents as this command draws them: each tracker once, an error URL
    /// in each ad
    #[arg(long)]
    all_laws: bool,
    /// How many threads to use: by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// The output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
}

/// What was found: at most one failure.
struct Found {
    coverage: Coverage,
    failure: Option<Failed>,
}

/// A scenario that breaks a law.
struct Failed {
    broken: Broken,
    /// The file that it is in.
    file: String,
    /// Whether it was drawn, and the file was written now.
    is_new: bool,
}

/// Parses a name of a table.
fn named<T: FromStr<Err: ToString>>(word: &str) -> Result<T, Invalid> {
    word.parse().map_err(|error: T::Err| Invalid(error.to_string()))
}

impl Fuzz {
    /// Judges what is given and then random sessions, and prints what was found.
    pub(super) fn judge(self, talk: &Talk) -> Result<Exit, Failure> {
        // A panic is a finding, and is reported as one.
        std::panic::set_hook(Box::new(|_| {}));
        let found = self.find(talk);
        drop(std::panic::take_hook());
        let found = found?;
        let text = match self.format {
            Format::Text => report::text(&found, self.draws_settings()),
            Format::Json => report::json(&found),
        };
        let exit = if found.failure.is_some() { Exit::Difference } else { Exit::AsExpected };
        Ok(print(&text, talk).and(exit))
    }

    fn find(&self, talk: &Talk) -> Result<Found, Failure> {
        let mut found = Found { coverage: Coverage::default(), failure: None };
        let (base, prepared) = self.scenario.as_deref().map(given).transpose()?.unzip();
        let files = self.corpus.as_deref().map(corpus::files).transpose()?.unwrap_or_default();
        let stored = files.iter().map(|file| Ok((input::name(file), given(file)?.0)));
        let stored = stored.collect::<Result<Vec<(String, Scenario)>, Failure>>()?;
        let own = self.scenario.as_deref().map(input::name).into_iter().zip(base.clone());
        for (file, scenario) in own.chain(stored) {
            let checks = if self.all_laws { Checks::default().of_drawn() } else { Checks::default() };
            match checks.judge(&scenario) {
                Ok(trace) => found.coverage.take(&scenario, &trace),
                Err(broken) => {
                    found.failure = Some(Failed { broken, file, is_new: false });
                    return Ok(found);
                }
            }
        }
        let budget = Budget {
            first: self.seed,
            runs: self.runs.unwrap_or(if self.time.is_some() { u64::MAX } else { RUNS }),
            time: self.time,
            threads: self.threads.map_or_else(sweep::cores, usize::from),
        };
        if budget.runs == 0 && found.coverage.runs() == 0 {
            return Err(Failure::NothingSelected(
                "there is nothing to judge; give a scenario, a corpus with scenarios, or more --runs"
                    .to_owned(),
            ));
        }
        let Played { coverage, broken } =
            sessions::play(&self.options(base.as_ref()), prepared.as_ref(), &budget);
        found.coverage.add(coverage);
        if let Some(broken) = broken {
            talk.say(&format!("the session with seed {} fails; reducing it", broken.seed));
            let broken = corpus::inline(broken.shrunk());
            let file = corpus::write(self.corpus.as_deref().unwrap_or(Path::new("")), &broken)?;
            found.failure = Some(Failed { broken, file, is_new: true });
        }
        Ok(found)
    }

    /// Whether profiles and knobs are drawn.
    fn draws_settings(&self) -> bool {
        let is_allowed = self.feature.is_empty() || self.feature.contains(&Feature::Settings);
        self.scenario.is_none() && self.profile.is_empty() && is_allowed
    }

    fn options(&self, base: Option<&Scenario>) -> Options {
        let mut options = Options::default().profiles(self.profile.iter().copied());
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
    let prepared = prepared.map_err(|error| Failure::Input(format!("{}: {error}", input::name(file))))?;
    Ok((scenario, prepared))
}

/// Returns a number of sessions in words.
fn sessions_in_words(runs: u64) -> String {
    counted(usize::try_from(runs).unwrap_or(usize::MAX), "session")
}
