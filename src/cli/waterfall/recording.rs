//! `playsim waterfall` with a recorded session: plays it again, and compares the two.

use std::path::Path;

use playsim::import::{self, PlaySettings, PlayedRecording, RecordingPage};
use playsim::scenario::Scenario;
use playsim::sweep::{RecordedBasis, alternatives};

use super::places::Places;
use super::{REPORTS, Waterfall, spec};
use crate::cli::failure::Failure;
use crate::cli::format::Format;
use crate::cli::output::{Out, Talk, as_argument};
use crate::cli::recorded::{self, say_notes};
use crate::cli::save::SavedAs;
use crate::cli::{Exit, command_line, input, width};

impl Waterfall {
    /// Plays a recorded session, and prints the report and the comparison.
    pub(super) fn play_recording(&self, file: &Path, talk: &Talk) -> Result<Exit, Failure> {
        let place = self.save.as_deref().map(SavedAs::read).transpose()?;
        let name = input::name(file);
        self.check_outputs(|output| input::is_same(file, output), "the recording")?;
        let mut answers = Places::read(&self.answer, |word| spec::place(word, talk))?;
        let mut settings = PlaySettings {
            overrides: self.overrides()?,
            ..PlaySettings::default()
        };
        settings.within = self.within.unwrap_or(settings.within);
        let change = |scenario: &mut Scenario| {
            self.setting.change(scenario);
            scenario.steps.extend(self.acts.steps());
            answers.replace_in(scenario);
        };
        let (recording, hints) = (recorded::read(file)?, self.recorded.hints(&self.content));
        let played = import::play_changed(recording, hints, &settings, change);
        let played = played.map_err(Failure::input)?;
        answers.check_used(&name)?;
        if self.vary.is_given() {
            return self.vary_recording(&played, talk);
        }
        // Whether an ad was shown in every break, as documented, and nothing essential is unknown.
        let mut exit = Exit::of(played.is_as_documented());
        exit = exit.and(self.show_recording(&played, talk)?);
        if self.format != Format::Text {
            say_notes(&played.notes, talk);
        }
        let Some(simulation) = &played.simulation else {
            return Ok(exit);
        };
        exit = exit.and(self.keep_trace(&simulation.trace, talk));
        let scenario = &simulation.scenario;
        if let Some(place) = place {
            place.write_scenario(scenario, "playsim waterfall ... --save", talk)?;
        }
        Ok(exit)
    }

    /// Plays what a recording shows with several settings.
    fn vary_recording(&self, played: &PlayedRecording, talk: &Talk) -> Result<Exit, Failure> {
        let simulation = played.simulation.as_ref().ok_or_else(bodiless)?;
        say_notes(&played.notes, talk);
        let mut table = self.vary.play_scenario(&simulation.scenario, talk)?;
        let unknown = played.verdict.unknown.iter().filter(|it| it.is_essential);
        let unknown = unknown.map(|it| format!("Not known, and played as nothing: {}.", it.what));
        table.answer.extend(unknown);
        let notes: Vec<(String, &'static str)> = played
            .notes
            .iter()
            .map(|note| (note.text.clone(), note.certainty.word()))
            .collect();
        let limit = played.limit_certainty(&self.overrides()?);
        let name = &played.evidence.recording.name;
        let recording = RecordedBasis {
            name,
            notes: &notes,
            limit: limit.word(),
        };
        let exit = Exit::of(!played.verdict.headline.is_unknown);
        let exit_of_table = self.show_table(&table, &simulation.scenario, Some(recording), talk);
        Ok(exit.and(exit_of_table))
    }

    /// Prints what happened on the page, and after it the simulation; or the trace of the
    /// simulation.
    fn show_recording(&self, played: &PlayedRecording, talk: &Talk) -> Result<Exit, Failure> {
        if self.format == Format::Html {
            return self.show_recorded_page(played, talk);
        }
        if !REPORTS.contains(&self.format) {
            let it = played.simulation.as_ref().ok_or_else(bodiless)?;
            return Ok(self.show(&it.report, &it.scenario, &it.trace, talk));
        }
        let mut out = Out::to(self.output.clone());
        if self.format == Format::Json {
            out.text(&(played.json() + "\n"));
        } else {
            let paints = talk.paints() && self.output.is_none();
            out.painted(&played.text(width(), paints, self.detail()));
        }
        Ok(out.finish(talk))
    }

    /// Writes the page of a recording.
    fn show_recorded_page(&self, played: &PlayedRecording, talk: &Talk) -> Result<Exit, Failure> {
        let filter = self.lines.filter(Format::Html.view());
        let simulation = played.simulation.as_ref();
        // Without a trace, the options that select its lines are a mistake.
        if self.lines.are_chosen() && simulation.is_none() {
            return Err(bodiless());
        }
        let proposal = format!(
            "playsim waterfall {} --vary ad.timeout=250ms..5s/250ms",
            as_argument(&self.tags[0])
        );
        let alternatives = simulation.map(|it| alternatives(&it.scenario));
        let page = RecordingPage::new(played)
            .with_filter(&filter)
            .with_alternatives(alternatives.unwrap_or_default())
            .with_proposal(proposal);
        let page =
            page.with_playground(simulation.and_then(|it| self.playground.link(&it.scenario)));
        let mut out = Out::to(self.output.clone());
        // `out` keeps a write error for the end.
        let _ = page.with_command(command_line::current()).write(&mut out);
        let exit = out.finish(talk);
        Ok(match simulation {
            Some(it) => exit.and(self.lines.judge(&it.trace, &filter, talk)),
            None => exit,
        })
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
