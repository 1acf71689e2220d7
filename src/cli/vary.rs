//! The options of `playsim waterfall` and `playsim sweep` that vary settings between runs.

use playsim::scenario::Scenario;
use playsim::sweep::{self, Axis, Configuration, Sweep, SweepError};

use super::failure::{Failure, Invalid, bail};
use super::output::Talk;
use super::setting::whole_number;
use super::waterfall::spec;

#[derive(Debug, clap::Args)]
pub(super) struct Vary {
    /// Play with several values, see below; may be repeated for all combinations
    #[arg(long, value_name = "NAME=VALUES")]
    vary: Vec<String>,
    /// Play configurations side by side: base, a profile, settings such as ad.timeout=2s, or
    /// several with + in between, such as ima+ad.timeout=2s; files and tags come before this option
    #[arg(long, value_name = "CONFIGURATION", num_args = 1..)]
    compare: Vec<String>,
    /// How often to play, if a latency or a fill rate is random [default: 10000]
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    runs: Option<u64>,
}

/// How many threads play.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Threads {
    /// How many threads play; the results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,
}

/// The parsed options.
pub(super) struct Varied {
    axes: Vec<Axis>,
    configurations: Vec<Configuration>,
}

impl Vary {
    /// Returns whether anything is varied or compared.
    pub(super) fn is_given(&self) -> bool {
        !self.vary.is_empty() || !self.compare.is_empty()
    }

    /// Reads what is varied.
    pub(super) fn read(&self, talk: &Talk) -> Result<Varied, Failure> {
        let mut answer = |word: &str| spec::answer(word, talk).map_err(|failure| failure.words().0);
        let axes = self.vary.iter().map(|text| {
            #[cfg(feature = "fetch")]
            let text = &super::fetch::measured::replaced(text)?;
            Axis::read(text, &mut answer).map_err(failure("--vary: "))
        });
        let axes = axes.collect::<Result<Vec<Axis>, Failure>>()?;
        if let Some(axis) = axes
            .iter()
            .find(|axis| !self.compare.is_empty() && axis.has_several())
        {
            bail!(
                "--compare already makes the columns, and --vary {} has several values; give it one, or write the \
                 values as configurations: --compare {0}=... {0}=...",
                axis.name()
            );
        }
        let configurations = self
            .compare
            .iter()
            .map(|text| configuration(text, &mut answer));
        Ok(Varied {
            axes,
            configurations: configurations.collect::<Result<_, Failure>>()?,
        })
    }

    /// Returns the sweep of a scenario with its seed, ready to run.
    pub(super) fn sweep<'a>(
        &self,
        scenario: &'a Scenario,
        varied: &Varied,
        threads: Threads,
    ) -> Sweep<'a> {
        let sweep = varied.of(scenario).seed(scenario.seed);
        let sweep = sweep.threads(threads.count());
        match self.runs {
            Some(runs) => sweep.runs(runs),
            None => sweep,
        }
    }
}

impl Threads {
    pub(super) fn count(self) -> usize {
        self.threads.unwrap_or_else(sweep::cores)
    }
}

impl Varied {
    /// Returns a sweep of a scenario that varies this.
    pub(super) fn of<'a>(&self, scenario: &'a Scenario) -> Sweep<'a> {
        let sweep = self
            .axes
            .iter()
            .fold(Sweep::of(scenario), |sweep, axis| sweep.vary(axis.clone()));
        if self.configurations.is_empty() {
            sweep
        } else {
            sweep.compare(self.configurations.clone())
        }
    }
}

/// Makes a failure of what is wrong with a sweep; `option` is put before it.
pub(super) fn failure(option: &'static str) -> impl Fn(SweepError) -> Failure {
    move |error| Failure::Input(format!("{option}{error}"))
}

fn configuration(text: &str, answer: &mut sweep::ReadAnswer<'_>) -> Result<Configuration, Failure> {
    Configuration::read(text, answer).map_err(|error| {
        let is_tag = std::path::Path::new(spec::suffixes(text).0).exists() || spec::is_url(text);
        let hint = if is_tag {
            "\n  is it a tag? put the tags before --compare"
        } else {
            ""
        };
        Failure::Input(format!("--compare {error}{hint}"))
    })
}

fn threads(word: &str) -> Result<usize, Invalid> {
    let number = word
        .parse()
        .ok()
        .filter(|number| (1..=1_024).contains(number));
    number.ok_or_else(|| "must be a whole number from 1 to 1024".into())
}
