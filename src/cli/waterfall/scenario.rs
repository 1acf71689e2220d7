//! `playsim waterfall` with a scenario: an import, its changes and `--vary` are one flow.

use std::path::Path;

use playsim::report::waterfall::Waterfalls;
use playsim_scenario::is_scenario;

use super::places::Places;
use super::{Waterfall, spec, vary};
use crate::cli::failure::Failure;
use crate::cli::output::Talk;
use crate::cli::{Exit, file, input, run};

/// Returns whether an argument names a scenario and not the answer of a tag.
pub(super) fn is_scenario_file(word: &str) -> bool {
    let path = Path::new(word);
    if !file::has_ending(path, &["yaml", "yml", "json"]) || !path.is_file() {
        return false;
    }
    // One with mistakes is a scenario all the same: they are reported where it is read.
    file::has_ending(path, &["yaml", "yml"])
        || input::text(path).is_ok_and(|text| is_scenario(word, &text))
}

impl Waterfall {
    /// Plays a scenario, and prints the report of its waterfalls.
    pub(super) fn play_scenario(&self, file: &Path, talk: &Talk) -> Result<Exit, Failure> {
        self.check_one()?;
        let name = input::name(file);
        let mut scenario = input::scenario(file, &self.overrides()?)?.scenario;
        let is_read = |output: &Path| input::part_at(file, &scenario, output).is_some();
        self.check_outputs(is_read, &format!("read for {name}"))?;
        self.setting.change(&mut scenario);
        scenario.steps.extend(self.acts.steps());
        let mut answers = Places::read(&self.answer, |word| spec::place(word, talk))?;
        answers.replace_in(&mut scenario);
        answers.add_to(&mut scenario);
        answers.check_used(&name)?;
        let trace = run::play(&name, &scenario)?;
        if self.vary.is_given() {
            self.check_varied()?;
            let table = self.vary.play_scenario(&scenario, talk)?;
            return Ok(vary::show(
                &table,
                &scenario,
                None,
                (self.format, self.output.clone()),
                talk,
            ));
        }
        let report = Waterfalls::of_played(&trace, &scenario);
        let mut exit = Exit::of(report.is_filled());
        exit = exit.and(self.show(&report, &scenario, &trace, talk));
        exit = exit.and(self.keep_trace(&trace, talk));
        self.advise(&report.unanswered, talk);
        Ok(exit)
    }
}
