//! `playsim waterfall --vary` and `--compare`: the same waterfall with other settings.

use std::path::PathBuf;

use playsim::api::Code;
use playsim::report::page::Page;
use playsim::report::waterfall::{Unanswered, Waterfalls};
use playsim::scenario::Scenario;
use playsim::sweep::{self, Axis, Configuration, Price, Sweep, SweepError, Table};
use playsim::trace::{Filter, Trace};

use super::spec;
use super::tag::Tag;
use super::world::World;
use crate::cli::command_line;
use crate::cli::failure::{Failure, Invalid};
use crate::cli::format::{Format, ReportFormat};
use crate::cli::output::{Out, Talk};
use crate::cli::progress::Progress;
use crate::cli::{Exit, width};

/// How many runs of each row are played beforehand, to find the URLs that they request.
const TRIALS: u64 = 16;
/// How many runs in all are played beforehand at most.
const MAX_TRIALS: usize = 2_000;
/// How often more responses are looked for. Every wrapper hop may need one more round.
const ROUNDS: usize = 32;

#[derive(Debug, clap::Args)]
pub(super) struct Vary {
    /// Play with several values, see below; may be repeated for all combinations
    #[arg(long, value_name = "NAME=VALUES")]
    vary: Vec<String>,
    /// Play configurations side by side: base, a profile, settings such as ad.timeout=2s, or several with +
    /// in between, such as ima+ad.timeout=2s; put the tags first
    #[arg(long, value_name = "CONFIGURATION", num_args = 1..)]
    compare: Vec<String>,
    /// How often to play, if a latency or a fill rate is random [default: 10000]
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// How many threads play; the results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// What 1,000 impressions of a tag earn, such as tag1=2.50; may be repeated. Other ads earn what Pricing with
    /// the model CPM in their documents says
    #[arg(long, value_name = "TAG=CPM", value_delimiter = ',', value_parser = price)]
    price: Vec<Price>,
}

impl Vary {
    /// Returns whether anything is varied or compared.
    pub(super) fn is_given(&self) -> bool {
        !self.vary.is_empty() || !self.compare.is_empty()
    }

    /// Checks the options that only make sense together.
    pub(super) fn check(&self, format: ReportFormat) -> Result<(), Failure> {
        if let ReportFormat::Trace(format) = format
            && format != Format::Html
            && self.is_given()
        {
            return Err(Failure::Input(format!(
                "--format {} shows one run; with --vary and --compare the formats are text, json and html",
                format.name()
            )));
        }
        let alone = [
            (self.runs.is_some(), "--runs"),
            (self.threads.is_some(), "--threads"),
            (!self.price.is_empty(), "--price"),
        ];
        match alone.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, option)) if !self.is_given() => Err(Failure::Input(format!(
                "{option} is about many runs; add what differs between them, such as \
                 --vary 'tag1.after=lognormal(300ms, 0.5)'"
            ))),
            Some(_) | None => Ok(()),
        }
    }

    /// Plays the tags with all settings. Returns the table, and the URLs that have no response.
    pub(super) fn play(
        &self,
        world: &mut World,
        tags: &[Tag],
        talk: &Talk,
    ) -> Result<(Table, Vec<Unanswered>), Failure> {
        let (axes, configurations) = self.read(talk)?;
        world.play(tags)?;
        let seed = world.scenario().seed;
        let mut unanswered: Vec<Unanswered> = Vec::new();
        for _ in 0..ROUNDS {
            world.ignore_macros();
            unanswered.clear();
            let mut is_new = false;
            let scenario = world.scenario().clone();
            let sweep = set_up(Sweep::of(&scenario).seed(seed), &axes, &configurations);
            for run in sweep.samples(TRIALS).map_err(failure(""))?.take(MAX_TRIALS) {
                let trace = run.map_err(failure(""))?.run();
                if trace.records.iter().any(|record| record.is(Code::AddressNotListed)) {
                    for it in Waterfalls::of(&trace).unanswered {
                        let bare = world.without_macros(&it.url);
                        if !unanswered.iter().any(|known| world.without_macros(&known.url) == bare) {
                            unanswered.push(it);
                        }
                    }
                }
                is_new |= world.learn(&trace)?;
            }
            if !is_new {
                break;
            }
        }
        Ok((self.sweep(world.scenario(), &axes, &configurations)?, unanswered))
    }

    /// Plays a scenario with all settings.
    pub(super) fn play_scenario(&self, scenario: &Scenario, talk: &Talk) -> Result<Table, Failure> {
        let (axes, configurations) = self.read(talk)?;
        self.sweep(scenario, &axes, &configurations)
    }

    fn read(&self, talk: &Talk) -> Result<(Vec<Axis>, Vec<Configuration>), Failure> {
        let mut answer = |word: &str| spec::answer(word, talk).map_err(|failure| failure.words().0);
        let axes = self.vary.iter().map(|text| Axis::read(text, &mut answer).map_err(failure("--vary ")));
        let axes = axes.collect::<Result<Vec<Axis>, Failure>>()?;
        if let Some(axis) = axes.iter().find(|axis| !self.compare.is_empty() && axis.len() > 1) {
            return Err(Failure::Input(format!(
                "--compare already makes the columns, and --vary {} has {} values; give it one, or write the values \
                 as configurations: --compare {0}=... {0}=...",
                axis.name(),
                axis.len()
            )));
        }
        let configurations = self.compare.iter().map(|text| self.configuration(text, &mut answer));
        Ok((axes, configurations.collect::<Result<Vec<Configuration>, Failure>>()?))
    }

    fn sweep(
        &self,
        scenario: &Scenario,
        axes: &[Axis],
        configurations: &[Configuration],
    ) -> Result<Table, Failure> {
        let progress = Progress::of("playing");
        let tell = |done, all| progress.tell(done, all);
        let mut sweep = set_up(Sweep::of(scenario).seed(scenario.seed), axes, configurations);
        sweep = sweep.threads(self.threads.unwrap_or_else(sweep::cores)).progress(&tell);
        if let Some(runs) = self.runs {
            sweep = sweep.runs(runs);
        }
        for price in &self.price {
            sweep = sweep.price(*price);
        }
        sweep.run().map_err(failure(""))
    }

    fn configuration(
        &self,
        text: &str,
        answer: &mut sweep::ReadAnswer<'_>,
    ) -> Result<Configuration, Failure> {
        Configuration::read(text, answer).map_err(|error| {
            let is_tag = std::path::Path::new(spec::suffixes(text).0).exists() || spec::is_url(text);
            let hint = if is_tag { "\n  is it a tag? put the tags before --compare" } else { "" };
            Failure::Input(format!("--compare {error}{hint}"))
        })
    }
}

fn set_up<'a>(sweep: Sweep<'a>, axes: &[Axis], configurations: &[Configuration]) -> Sweep<'a> {
    let sweep = axes.iter().fold(sweep, |sweep, axis| sweep.vary(axis.clone()));
    if configurations.is_empty() { sweep } else { sweep.compare(configurations.to_vec()) }
}

/// Writes the page of the waterfall as it is, with the table as one of its sections.
pub(super) fn page(
    table: &Table,
    (scenario, trace): (&Scenario, &Trace),
    filter: &Filter,
    file: Option<PathBuf>,
    talk: &Talk,
) -> Exit {
    let exit = if table.is_filled() { Exit::AsExpected } else { Exit::Difference };
    let waterfalls = Waterfalls::of_played(trace, scenario);
    let page = Page::new(trace).with_waterfalls(&waterfalls).with_documents(scenario).with_filter(filter);
    let mut out = Out::to(file);
    // `out` keeps a write error for the end.
    let _ = page.with_section(table.section()).with_command(command_line::current()).write(&mut out);
    exit.and(out.finish(talk))
}

/// Prints a table.
pub(super) fn print(table: &Table, format: ReportFormat, file: Option<PathBuf>, talk: &Talk) -> Exit {
    let exit = if table.is_filled() { Exit::AsExpected } else { Exit::Difference };
    let mut out = Out::to(file);
    match format {
        ReportFormat::Json => out.text(&(table.json() + "\n")),
        ReportFormat::Text | ReportFormat::Trace(_) => out.text(&table.text(width())),
    }
    exit.and(out.finish(talk))
}

fn failure(option: &'static str) -> impl Fn(SweepError) -> Failure {
    move |error| Failure::Input(format!("{option}{error}"))
}

fn threads(word: &str) -> Result<usize, Invalid> {
    let number = word.parse().ok().filter(|number| (1..=1_024).contains(number));
    number.ok_or_else(|| "must be a whole number from 1 to 1024".into())
}

fn price(word: &str) -> Result<Price, Invalid> {
    word.parse().map_err(|error: SweepError| Invalid(error.to_string()))
}
