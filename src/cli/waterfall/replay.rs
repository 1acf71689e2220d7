//! `playsim waterfall` with a scenario, and `--answer` where there are answers already: an import, its
//! changes and `--vary` are one flow.

use std::path::Path;
use std::sync::Arc;

use playsim::report::waterfall::Waterfalls;
use playsim::scenario::{AnswerScript, Scenario};
use playsim_scenario::is_scenario;

use super::places::Places;
use super::{Waterfall, spec, vary};
use crate::cli::failure::Failure;
use crate::cli::output::{Talk, as_argument};
use crate::cli::{Exit, file, input, run};

/// Returns whether an argument names a scenario and not the answer of a tag.
pub(super) fn is_scenario_file(word: &str) -> bool {
    let path = Path::new(word);
    if !file::has_ending(path, &["yaml", "yml", "json"]) || !path.is_file() {
        return false;
    }
    // One with mistakes is a scenario all the same: they are reported where it is read.
    file::has_ending(path, &["yaml", "yml"]) || input::text(path).is_ok_and(|text| is_scenario(word, &text))
}

/// Puts the answers of `--answer` in the place of those that the scenario has for the same URLs.
pub(super) fn replace(scenario: &mut Scenario, answers: &mut Places<AnswerScript>) {
    for (url, scripts) in &mut scenario.network {
        let given = answers.of(url);
        if !given.is_empty() {
            *scripts = given;
        }
    }
}

/// Checks that every URL of `--answer` was found; `name` is that of what has the URLs.
pub(super) fn check_used(answers: &Places<AnswerScript>, name: &str) -> Result<(), Failure> {
    match answers.unused().next() {
        None => Ok(()),
        Some(url) => Err(Failure::Input(format!(
            "--answer {url}: {name} has no answer for this URL; playsim waterfall {} lists the URLs that it has answers \
             for",
            as_argument(name)
        ))),
    }
}

/// Adds the answers of `--answer` for URLs that a scenario does not list.
fn add_new(scenario: &mut Scenario, answers: &mut Places<AnswerScript>) {
    let unused: Vec<String> = answers.unused().map(str::to_owned).collect();
    for url in unused.into_iter().filter(|url| !url.contains('[')) {
        let scripts = answers.of(&url);
        scenario.network.push((Arc::from(url), scripts));
    }
}

impl Waterfall {
    /// Plays a scenario, and prints the report of its waterfalls.
    pub(super) fn play_scenario(&self, file: &Path, talk: &Talk) -> Result<Exit, Failure> {
        self.check_of_scenario(file)?;
        let name = input::name(file);
        let mut scenario = input::scenario(file, &self.overrides()?)?.scenario;
        for (output, option) in [(&self.output, "-o"), (&self.trace, "--trace")] {
            let Some(output) = output else { continue };
            let is_read = input::is_same(file, output)
                || input::documents(file, &scenario).any(|document| input::is_same(&document, output));
            if is_read {
                let output = input::name(output);
                return Err(Failure::Input(format!(
                    "{output} is read for {name}, and {option} would overwrite it"
                )));
            }
        }
        self.setting.change(&mut scenario);
        scenario.steps.extend(self.acts.steps());
        let mut answers = Places::read(&self.answer, |word| spec::place(word, talk))?;
        replace(&mut scenario, &mut answers);
        add_new(&mut scenario, &mut answers);
        check_used(&answers, &name)?;
        let trace = run::play(&name, &scenario)?;
        if self.vary.is_given() {
            self.check_varied()?;
            let table = self.vary.play_scenario(&scenario, talk)?;
            return Ok(vary::show(&table, &scenario, None, (self.format, self.output.clone()), talk));
        }
        let report = Waterfalls::of_played(&trace, &scenario);
        let mut exit = if report.is_filled() { Exit::AsExpected } else { Exit::Difference };
        exit = exit.and(self.show(&report, &scenario, &trace, talk));
        exit = exit.and(self.keep_trace(&trace, talk));
        self.advise(&report.unanswered, talk);
        Ok(exit)
    }

    /// Checks that no option describes what a scenario says itself.
    fn check_of_scenario(&self, file: &Path) -> Result<(), Failure> {
        let given = [
            (self.dir.is_some(), "--dir"),
            (!self.media.is_empty(), "--media"),
            (self.kind != super::Kind::default(), "--kind"),
            (self.device != super::Device::default(), "--device"),
            (!self.content.is_empty(), "--content"),
            (self.save.is_some(), "--save"),
        ];
        match given.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, option)) => Err(Failure::Input(format!(
                "{option} does not work with a scenario, which says that itself; change {}",
                input::name(file)
            ))),
            None => Ok(()),
        }
    }
}
