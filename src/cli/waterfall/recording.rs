//! `playsim waterfall` with a recorded session: plays it again, and compares the two.

use std::path::Path;

use playsim::import;
use playsim::internal::escape;
use playsim::report::comparison::Comparison;
use playsim::report::waterfall::Waterfalls;
use playsim::time::Span;
use serde::Serialize;

use super::{Waterfall, vary};
use crate::cli::failure::Failure;
use crate::cli::format::ReportFormat;
use crate::cli::output::{Talk, as_argument};
use crate::cli::recorded::{Content, removed, say_notes};
use crate::cli::save::SavedAs;
use crate::cli::{Exit, input, run};

/// The length of the content, if it is not given.
const CONTENT: Span = Span::from_secs(60);

impl Waterfall {
    /// Plays a recorded session, and prints the report and the comparison.
    pub(super) fn play_recording(&self, file: &Path, talk: &Talk) -> Result<Exit, Failure> {
        self.check_tags()?;
        let place = self.save.as_deref().map(SavedAs::read).transpose()?;
        let name = input::name(file);
        for (output, option) in [(&self.output, "-o"), (&self.trace, "--trace")] {
            if output.as_ref().is_some_and(|output| input::is_same(file, output)) {
                let text = format!("{name} is the recording, and {option} would overwrite it");
                return Err(Failure::Input(text));
            }
        }
        let session = self.recorded.session(file, &self.content)?;
        let (mut scenario, concluded) = session.scenario(&self.overrides()?);
        self.setting.change(&mut scenario);
        scenario.steps.extend(self.acts.steps());
        if self.vary.is_given() {
            self.check_varied()?;
            say_notes(&session, &concluded, talk);
            let table = self.vary.play_scenario(&scenario, talk)?;
            let ReportFormat::Trace(format) = self.format else {
                return Ok(vary::print(&table, self.format, self.output.clone(), talk));
            };
            let trace = run::play(&name, &scenario)?;
            let filter = self.lines.filter(format.view());
            return Ok(vary::page(&table, (&scenario, &trace), &filter, self.output.clone(), talk));
        }
        let trace = run::play(&name, &scenario)?;
        let report = Waterfalls::of_played(&trace, &scenario);
        let mut compared = import::compare(&session, &trace, &report, self.within);
        compared.notes = [&session.notes[..], &concluded, &removed(&session)].concat();
        let mut exit = if compared.differences() == 0 { Exit::AsExpected } else { Exit::Difference };
        exit = exit.and(self.show(&report, &scenario, &trace, Some(&compared), talk));
        exit = exit.and(self.keep_trace(&trace, talk));
        if !matches!(self.format, ReportFormat::Text) {
            say_notes(&session, &concluded, talk);
        }
        if let Some(place) = place {
            let comment = format!("Written by: playsim waterfall {}", as_argument(&name));
            let written = place.write_scenario(&scenario, &comment, "playsim waterfall ... --save")?;
            let first = as_argument(&written[0]);
            talk.say(&format!("wrote {}\nTry next:\n  playsim run {first} --view ads", written.join(", ")));
        }
        Ok(exit)
    }

    /// Checks that no option describes tags, which a recording has itself.
    fn check_tags(&self) -> Result<(), Failure> {
        let given = [
            (!self.answer.is_empty(), "--answer"),
            (self.dir.is_some(), "--dir"),
            (!self.media.is_empty(), "--media"),
        ];
        match given.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, option)) => Err(Failure::Input(format!(
                "{option} does not work with a recording, which has its own answers; to change them, write a \
                 scenario: playsim import {} -o trial",
                as_argument(&self.tags[0])
            ))),
            None => Ok(()),
        }
    }

    /// Checks that no option is about a recording if there is none.
    pub(super) fn check_recorded(&self) -> Result<(), Failure> {
        if let Some(file) = self.tags.iter().find(|tag| crate::cli::recorded::is_recording(tag)) {
            return Err(Failure::Input(format!(
                "{file} is a recording, which must be the only argument: playsim waterfall {}",
                as_argument(file)
            )));
        }
        match self.recorded.option() {
            Some(option) => {
                Err(Failure::Input(format!("{option} only works with a recording, such as session.har")))
            }
            None => Ok(()),
        }
    }

    /// Returns the length of the content of a waterfall of tags.
    pub(super) fn content_length(&self) -> Result<Span, Failure> {
        let mut length = CONTENT;
        for it in &self.content {
            match it {
                Content::Length(given) => length = *given,
                Content::Requests(_) => {
                    return Err(Failure::Input(
                        "--content must be a length, like 60s; a part of a URL only works with a recording"
                            .to_owned(),
                    ));
                }
            }
        }
        Ok(length)
    }
}

/// Returns the report and the comparison as one JSON object.
pub(super) fn json(report: &Waterfalls, compared: &Comparison) -> String {
    #[derive(Serialize)]
    struct Both<'a> {
        #[serde(flatten)]
        report: &'a Waterfalls,
        comparison: &'a Comparison,
    }
    let text = serde_json::to_string_pretty(&Both { report, comparison: compared });
    escape::json(&text.expect("strings and numbers can always be written as JSON")).into_owned()
}
