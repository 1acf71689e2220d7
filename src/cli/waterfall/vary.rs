//! `playsim waterfall --vary` and `--compare`: the same waterfall with other settings.

use playsim::api::Code;
use playsim::report::waterfall::{Unanswered, Waterfalls};
use playsim::scenario::Scenario;
use playsim::sweep::{Price, RecordedBasis, SweepError, Table, WhatIfPage};

use super::tag::Tag;
use super::world::World;
use super::{REPORTS, Waterfall};
use crate::cli::command_line;
use crate::cli::failure::{Failure, Invalid, bail};
use crate::cli::format::Format;
use crate::cli::output::{Out, Talk};
use crate::cli::progress::Progress;
use crate::cli::vary::{Varied, Vary, failure};
use crate::cli::{Exit, width};

/// How many runs of each row are played beforehand, to find the URLs that they request.
const TRIALS: u64 = 16;
/// How many runs in all are played beforehand at most.
const MAX_TRIALS: usize = 2_000;
/// How often more responses are looked for. Every wrapper hop may need one more round.
const ROUNDS: usize = 32;

#[derive(Debug, clap::Args)]
pub(super) struct WhatIf {
    #[command(flatten)]
    vary: Vary,
    /// What 1,000 impressions of a tag earn, such as tag1=2.50; may be repeated. Other ads earn
    /// what Pricing with the model CPM in their documents says
    #[arg(long, value_name = "TAG=CPM", value_delimiter = ',', value_parser = price)]
    price: Vec<Price>,
}

impl WhatIf {
    /// Returns whether anything is varied or compared.
    pub(super) fn is_given(&self) -> bool {
        self.vary.is_given()
    }

    /// Returns one of the options that were given, but for the number of threads.
    pub(super) fn option(&self) -> Option<&'static str> {
        self.vary.option().or(self.priced())
    }

    /// Returns how many threads were asked for.
    pub(super) fn threads(&self) -> Option<usize> {
        self.vary.threads()
    }

    /// Checks that nothing is said about many runs if there is one.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match self.vary.of_many().or(self.priced()) {
            Some(option) => bail!(
                "{option} is about many runs; add what differs between them, such as \
                 --vary 'tag1.after=lognormal(300ms, 0.5)'"
            ),
            None => Ok(()),
        }
    }

    fn priced(&self) -> Option<&'static str> {
        (!self.price.is_empty()).then_some("--price")
    }

    /// Plays the tags with all settings. Returns the table, and the URLs that have no response.
    pub(super) fn play(
        &self,
        world: &mut World,
        tags: &[Tag],
        talk: &Talk,
    ) -> Result<(Table, Vec<Unanswered>), Failure> {
        let varied = self.vary.read(talk)?;
        world.play(tags)?;
        let seed = world.scenario().seed;
        let mut unanswered: Vec<Unanswered> = Vec::new();
        for _ in 0..ROUNDS {
            world.ignore_macros();
            unanswered.clear();
            let mut is_new = false;
            let scenario = world.scenario().clone();
            let sweep = varied.of(&scenario).seed(seed);
            for run in sweep.samples(TRIALS).map_err(failure(""))?.take(MAX_TRIALS) {
                let trace = run.map_err(failure(""))?.run();
                if trace
                    .records
                    .iter()
                    .any(|record| record.is(Code::AddressNotListed))
                {
                    for it in Waterfalls::of(&trace).unanswered {
                        let bare = world.without_macros(&it.url);
                        if !unanswered
                            .iter()
                            .any(|known| world.without_macros(&known.url) == bare)
                        {
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
        for it in &unanswered {
            world.leave_open(&it.url);
        }
        Ok((self.sweep(world.scenario(), &varied)?, unanswered))
    }

    /// Plays a scenario with all settings.
    pub(super) fn play_scenario(&self, scenario: &Scenario, talk: &Talk) -> Result<Table, Failure> {
        let varied = self.vary.read(talk)?;
        self.sweep(scenario, &varied)
    }

    fn sweep(&self, scenario: &Scenario, varied: &Varied) -> Result<Table, Failure> {
        let progress = Progress::of("playing");
        let tell = |done, all| progress.tell(done, all);
        let mut sweep = self.vary.sweep(scenario, varied).progress(&tell);
        for price in &self.price {
            sweep = sweep.price(*price);
        }
        sweep.run().map_err(failure(""))
    }
}

impl Waterfall {
    /// Prints a table in the form that was asked for. A scenario that was made of a recording
    /// rests on it.
    pub(super) fn show_table(
        &self,
        table: &Table,
        scenario: &Scenario,
        recording: Option<RecordedBasis<'_>>,
        talk: &Talk,
    ) -> Exit {
        let exit = Exit::of(table.is_filled());
        let mut out = Out::to(self.output.clone());
        if self.format == Format::Json {
            out.text(&(table.json() + "\n"));
        } else if REPORTS.contains(&self.format) {
            out.text(&table.text(width()));
        } else {
            let command = command_line::current();
            let page = WhatIfPage::new(table)
                .with_scenario(scenario)
                .with_command(&command);
            let page = recording.map_or(page, |it| page.with_recording(it));
            // `out` keeps a write error for the end.
            let _ = page.write(&mut out);
        }
        exit.and(out.finish(talk))
    }
}

fn price(word: &str) -> Result<Price, Invalid> {
    word.parse()
        .map_err(|error: SweepError| Invalid(error.to_string()))
}
