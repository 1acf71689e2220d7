//! `playsim waterfall --vary` and `--compare`: the same session with other settings.

use playsim::api::Code;
use playsim::report::waterfall::{Unanswered, Waterfalls};
use playsim::scenario::Scenario;
use playsim::sweep::Table;

use super::session::{Session, WhatIf};
use super::tag::Tag;
use super::world::World;
use crate::cli::failure::Failure;
use crate::cli::progress::Progress;
use crate::cli::vary::{Varied, failure};

/// How many runs of each row are played beforehand, to find the URLs that they request.
const TRIALS: u64 = 16;
/// How many runs in all are played beforehand at most.
const MAX_TRIALS: usize = 2_000;
/// How often more responses are looked for. Every wrapper hop may need one more round.
const ROUNDS: usize = 32;

impl Session<'_> {
    /// Plays the tags with all settings. Returns the table, and the URLs that have no response.
    pub(super) fn vary_tags(
        &self,
        world: &mut World,
        tags: &[Tag],
    ) -> Result<(Table, Vec<Unanswered>), Failure> {
        let varied = self.play.vary.vary.read(self.talk)?;
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
    pub(super) fn vary(&self, scenario: &Scenario) -> Result<Table, Failure> {
        let varied = self.play.vary.vary.read(self.talk)?;
        self.sweep(scenario, &varied)
    }

    fn sweep(&self, scenario: &Scenario, varied: &Varied) -> Result<Table, Failure> {
        let progress = Progress::of("playing");
        let tell = |done, all| progress.tell(done, all);
        let WhatIf { vary, price } = &self.play.vary;
        let sweep = vary.sweep(scenario, varied, self.threads);
        let mut sweep = sweep.progress(&tell);
        for price in price {
            sweep = sweep.price(*price);
        }
        sweep.run().map_err(failure(""))
    }
}
