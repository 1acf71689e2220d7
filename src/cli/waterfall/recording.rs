//! `playsim waterfall` with a recorded session: plays it again, and compares the two.

use std::path::Path;

use playsim::import::{self, Hints, PlaySettings, PlayedRecording, RecordingPage};
use playsim::scenario::Scenario;
use playsim::sweep::{RecordedBasis, alternatives};
use playsim::time::Span;

use super::session::{Session, Show};
use crate::cli::failure::Failure;
use crate::cli::format::Format;
use crate::cli::output::{Out, as_argument};
use crate::cli::recorded::{self, say_notes};
use crate::cli::save::SavedAs;
use crate::cli::{Exit, command_line, input, width};

impl Session<'_> {
    /// Plays a recorded session, and prints the report and the comparison. Times may differ by
    /// `within`.
    pub(super) fn play_recording(
        &self,
        file: &Path,
        hints: Hints,
        within: Option<Span>,
    ) -> Result<Exit, Failure> {
        let place = self.save.map(SavedAs::read).transpose()?;
        let name = input::name(file);
        self.check_outputs(|output| input::is_same(file, output), "the recording")?;
        let mut answers = self.play.answers(self.talk)?;
        let mut settings = PlaySettings {
            overrides: self.play.overrides()?,
            ..PlaySettings::default()
        };
        settings.within = within.unwrap_or(settings.within);
        let change = |scenario: &mut Scenario| {
            self.play.change(scenario);
            answers.replace_in(scenario);
        };
        let played = import::play_changed(recorded::read(file)?, hints, &settings, change);
        let played = played.map_err(Failure::input)?;
        answers.check_used(&name)?;
        if self.play.vary.vary.is_given() {
            return self.vary_recording(&played);
        }
        // Whether an ad was shown in every break, as documented, and nothing essential is unknown.
        let mut exit = Exit::of(played.is_as_documented());
        exit = exit.and(self.show_recording(file, &played)?);
        if self.output.format != Format::Text {
            say_notes(&played.notes, self.talk);
        }
        let Some(simulation) = &played.simulation else {
            return Ok(exit);
        };
        exit = exit.and(self.keep_trace(&simulation.trace));
        let scenario = &simulation.scenario;
        if let Some(place) = place {
            place.write_scenario(scenario, "playsim waterfall ... --save", self.talk)?;
        }
        Ok(exit)
    }

    /// Plays what a recording shows with several settings.
    fn vary_recording(&self, played: &PlayedRecording) -> Result<Exit, Failure> {
        let simulation = played.simulation.as_ref().ok_or_else(bodiless)?;
        say_notes(&played.notes, self.talk);
        let mut table = self.vary(&simulation.scenario)?;
        let unknown = played.verdict.unknown.iter().filter(|it| it.is_essential);
        let unknown = unknown.map(|it| format!("Not known, and played as nothing: {}.", it.what));
        table.answer.extend(unknown);
        let notes: Vec<(String, &'static str)> = played
            .notes
            .iter()
            .map(|note| (note.text.clone(), note.certainty.word()))
            .collect();
        let limit = played.limit_certainty(&self.play.overrides()?);
        let name = &played.evidence.recording.name;
        let recording = RecordedBasis {
            name,
            notes: &notes,
            limit: limit.word(),
        };
        let exit = Exit::of(!played.verdict.headline.is_unknown);
        let exit_of_table = self.show_table(&table, &simulation.scenario, Some(recording));
        Ok(exit.and(exit_of_table))
    }

    /// Prints what happened on the page, and after it the simulation; or the trace of the
    /// simulation.
    fn show_recording(&self, file: &Path, played: &PlayedRecording) -> Result<Exit, Failure> {
        let simulation = played.simulation.as_ref();
        if self.output.is_trace() {
            let it = simulation.ok_or_else(bodiless)?;
            return Ok(self.show(&it.report, &it.scenario, &it.trace));
        }
        let Show {
            lines, playground, ..
        } = self.show;
        // Without a trace, the options that select its lines are a mistake.
        if lines.are_chosen() && simulation.is_none() {
            return Err(bodiless());
        }
        let text = |paints| played.text(width(), paints, self.detail());
        let page = |out: &mut Out| {
            let filter = lines.filter(Format::Html.view());
            let proposal = format!(
                "playsim waterfall {} --vary ad.timeout=250ms..5s/250ms",
                as_argument(&file.to_string_lossy())
            );
            let alternatives = simulation.map(|it| alternatives(&it.scenario));
            let page = RecordingPage::new(played)
                .with_filter(&filter)
                .with_alternatives(alternatives.unwrap_or_default())
                .with_proposal(proposal)
                .with_playground(simulation.and_then(|it| playground.link(&it.scenario)))
                .with_command(command_line::current());
            // `out` keeps a write error for the end.
            let _ = page.write(out);
            let judged = simulation.map(|it| lines.judge(&it.trace, &filter, self.talk));
            judged.unwrap_or_default()
        };
        Ok(self.output.print(self.talk, || played.json(), text, page))
    }
}

/// The error for a simulation of answers that the recording does not have.
fn bodiless() -> Failure {
    Failure::Input(
        "the recording has no bodies, so that nothing can be simulated; save it with content (\"Save all as HAR with \
         content\")"
            .to_owned(),
    )
}
