//! `playsim waterfall` with a scenario.

use std::path::Path;

use playsim::report::waterfall::Waterfalls;

use super::session::Session;
use crate::cli::failure::Failure;
use crate::cli::{Exit, input, run};

impl Session<'_> {
    /// Plays a scenario, and prints the report of its waterfalls.
    pub(super) fn play_scenario(&self, file: &Path) -> Result<Exit, Failure> {
        let name = input::name(file);
        let mut scenario = input::scenario(file, &self.play.overrides()?)?.scenario;
        let is_read = |output: &Path| input::part_at(file, &scenario, output).is_some();
        self.check_outputs(is_read, &format!("read for {name}"))?;
        self.play.change(&mut scenario);
        let mut answers = self.play.answers(self.talk)?;
        answers.replace_in(&mut scenario);
        answers.add_to(&mut scenario);
        answers.check_used(&name)?;
        let trace = run::play(&name, &scenario)?;
        if self.play.vary.vary.is_given() {
            let table = self.vary(&scenario)?;
            return Ok(self.show_table(&table, &scenario, None));
        }
        let report = Waterfalls::of_played(&trace, &scenario);
        let mut exit = Exit::of(report.is_filled());
        exit = exit.and(self.show(&report, &scenario, &trace));
        exit = exit.and(self.keep_trace(&trace));
        self.advise(&report.unanswered, None);
        Ok(exit)
    }
}
