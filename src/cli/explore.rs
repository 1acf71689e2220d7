//! `playsim explore`: a scenario in all its ways within bounds.

#![expect(clippy::disallowed_types, reason = "--for is real time")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use playsim::scenario::{Overrides, Scenario};
use playsim::sweep;
use playsim::testing::explore::{Action, Bounds, Explored, USUAL, explore_while};
use playsim::time::Span;

use super::command_line;
use super::failure::{Failure, Invalid, bail};
use super::format::{Format, text_or_json};
use super::fuzz::with_quiet_panics;
use super::interrupt::Interrupt;
use super::output::{Out, Talk};
use super::progress::Progress;
use super::reading;
use super::save::SavedAs;
use super::{EXIT_CODES, Exit, input, joined, print, written};

mod page;
mod report;

const HELP: &str = "\
Examples:
  playsim explore case.yaml                    one act and one other latency in each way
  playsim explore case.yaml --acts 0           only one other latency: quickly complete
  playsim explore case.yaml --acts 2           every pair of acts, at any two instants
  playsim explore case.yaml --do skip,stop()   only these acts
  playsim explore case.yaml --acts 0 --moves 2 only the world: responses and steps at other times
  playsim explore case.yaml --keep ways        write a scenario for each outcome and each failure

An instant stands for others only where every comparison with time that the run makes has the same answer \
at all of them; each such region is entered, within a microsecond of its ends. A response, and each load of \
a medium, may have any latency, until nobody waits for it. A step comes at another time if the user, the page \
or a call does it; those that make players, bind listeners or keep values stay. Acts are done from the \
moment that a player is on the page until a minute after nothing is due any more. Ways that come to the \
same state with the same lines behind them are played on once, so most ways are counted and not played; the \
lines of all are judged by the laws that look at a trace and by what the scenario expects. What was not \
tried is said at the top, and by exit code 5.

Acts: gesture, play, pause, click, skip, close, next, previous, mute, unmute, fullscreen, seek (to the middle, \
or back to the start), hide and show (the page), destroy, src (the next video), and calls without arguments \
such as stop().

Ctrl-C ends it with what was found so far.";

const CODES: &str = "  5  nothing is broken, but not everything within the bounds was tried
  130  ended early by Ctrl-C or SIGTERM; nothing was broken until then";

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{HELP}\n\n{EXIT_CODES}\n{CODES}"))]
pub(super) struct Explore {
    /// A scenario in YAML or JSON; - for standard input
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,
    /// The most acts of the user or the page in one way
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=8))]
    acts: u32,
    /// The most responses and steps in one way that come at another time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=8))]
    moves: u32,
    /// The acts; see below
    #[arg(long = "do", value_name = "ACTS", default_value = USUAL, value_parser = actions)]
    actions: Actions,
    /// How much earlier or later a step of the scenario may come
    #[arg(
        long,
        value_name = "SPAN",
        default_value = "50ms",
        allow_negative_numbers = true
    )]
    within: Span,
    /// Keep latencies within the same span, too: only what comes close together changes its order
    #[arg(long)]
    near: bool,
    /// How long to go on, such as 60s; by default until all ways are tried
    #[arg(long = "for", value_name = "SPAN", allow_negative_numbers = true)]
    time: Option<Span>,
    /// How often to divide the instants of one choice where those of a second one change their
    /// order; 0: not at all, which is said
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=64))]
    orders: u32,
    /// How much memory to use for what is found, in megabytes: by default a quarter of the
    /// machine's
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: Option<u64>,
    /// How many threads to use: by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// How many outcomes to list of those that look alike to a viewer
    #[arg(long, value_name = "N", default_value_t = 4)]
    list: usize,
    /// Write a scenario for each outcome and each failure to this folder, with the fewest acts and
    /// moves that lead to it
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Also write a page with the map of all acts and latencies, and each outcome as a story
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// The output format
    #[arg(long, value_parser = text_or_json(), default_value = "text", value_name = "FORMAT")]
    format: Format,
}

/// The acts, as one value of an option.
#[derive(Debug, Clone)]
struct Actions(Vec<Action>);

fn actions(words: &str) -> Result<Actions, Invalid> {
    Action::list(words).map(Actions).map_err(Invalid)
}

impl Explore {
    /// Plays all ways and prints what was found.
    pub(super) fn run(self, talk: &Talk) -> Result<Exit, Failure> {
        let scenario = input::scenario(&self.scenario, &Overrides::default())?.scenario;
        self.check_page(&scenario)?;
        let (found, is_interrupted) = with_quiet_panics(|| self.explore(&scenario))?;
        let kept = self
            .keep
            .as_deref()
            .map(|folder| keep(folder, &found))
            .transpose()?;
        let case = report::Case {
            file: &input::name(&self.scenario),
            asked: &self,
            found: &found,
        };
        let text = if self.format == Format::Json {
            report::json(&case)
        } else {
            report::text(&case, kept.as_deref().unwrap_or_default())
        };
        let mut printed = print(&text, talk);
        if let Some(file) = &self.page {
            let page = page::page(&case, &command_line::current());
            let mut out = Out::to(Some(file.clone()));
            out.painted(&written(|html| page.write(html)));
            printed = printed.and(out.finish(talk));
        }
        let is_complete = found.cut.is_none() && found.not_tried.is_empty();
        Ok(match found.broken.is_empty() {
            false => printed.and(Exit::Difference),
            true if is_interrupted => printed.and(Exit::Interrupted),
            true if !is_complete => printed.and(Exit::NotTried),
            true => printed,
        })
    }

    /// Neither the scenario nor one of its documents may be what --page names.
    fn check_page(&self, scenario: &Scenario) -> Result<(), Failure> {
        let Some(page) = &self.page else {
            return Ok(());
        };
        let Some(what) = input::part_at(&self.scenario, scenario, page) else {
            return Ok(());
        };
        bail!(
            "{} is {what}, and --page would overwrite it",
            input::name(page)
        )
    }

    fn explore(&self, scenario: &Scenario) -> Result<(Explored, bool), Failure> {
        let interrupt = Interrupt::listen().map_err(Failure::of_signals)?;
        let begin = Instant::now();
        let end = self
            .time
            .and_then(|time| begin.checked_add(Duration::from_micros(time.micros())));
        let progress = Progress::counting("exploring", "states");
        let goes_on = |now: playsim::testing::explore::Progress| {
            progress.count(u64::try_from(now.states).unwrap_or(u64::MAX));
            !interrupt.is_raised() && end.is_none_or(|end| Instant::now() < end)
        };
        let found = explore_while(scenario, &self.bounds(), &goes_on);
        let found = found.map_err(Failure::about(&input::name(&self.scenario)))?;
        Ok((found, interrupt.is_raised()))
    }

    fn bounds(&self) -> Bounds {
        let Actions(actions) = &self.actions;
        Bounds::default()
            .actions(actions.clone())
            .acts(self.acts)
            .moves(self.moves)
            .within(self.within)
            .any_latency(!self.near)
            .orders(self.orders)
            .memory(
                self.memory
                    .map_or_else(memory, |megabytes| megabytes.saturating_mul(1_000_000)),
            )
            .threads(self.threads.map_or_else(sweep::cores, usize::from))
    }
}

/// Returns a quarter of the machine's memory in bytes, or a gigabyte where it is not known.
fn memory() -> u64 {
    reading::memory_of_machine().map_or(1_000_000_000, |bytes| bytes / 4)
}

/// Writes a scenario for each outcome and each failure, and returns the names of the files.
fn keep(folder: &Path, found: &Explored) -> Result<Vec<String>, Failure> {
    std::fs::create_dir_all(folder).map_err(Failure::cannot("make", folder))?;
    let broken = found.broken.iter().enumerate().map(|(number, broken)| {
        (
            format!("broken-{}", number + 1),
            format!("breaks: {}", broken.law),
            &broken.way,
        )
    });
    let outcomes = found.outcomes.iter().enumerate().map(|(number, class)| {
        let name = if class.way.choices.is_empty() {
            "as it is".to_owned()
        } else {
            joined(&class.way.choices, ", ")
        };
        (format!("outcome-{}", number + 1), name, &class.way)
    });
    let mut written = Vec::new();
    for (stem, name, way) in broken.chain(outcomes) {
        let mut scenario = way.scenario.inlined();
        scenario.name = name.into();
        let files = [(format!("{stem}.yaml"), scenario.to_yaml())];
        written.extend(SavedAs::read(&folder.join(&stem))?.write(&files, "--keep")?);
    }
    Ok(written)
}
