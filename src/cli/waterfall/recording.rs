//! `playsim waterfall` with a recorded session: plays it again, and compares the two.

use std::path::Path;

use playsim::import::{self, Certainty, ImportFault, PlaySettings, PlayedRecording, RecordingPage};
use playsim::scenario::Scenario;
use playsim::sweep::RecordedBasis;
use playsim::time::Span;

use super::places::Places;
use super::{Waterfall, alternatives, replay, spec, vary};
use crate::cli::failure::Failure;
use crate::cli::format::{Format, ReportFormat};
use crate::cli::lines::words_of;
use crate::cli::output::{Out, Talk, as_argument};
use crate::cli::recorded::{self, Content, say_notes};
use crate::cli::save::SavedAs;
use crate::cli::{Exit, command_line, input, run, width};

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
        let mut answers = Places::read(&self.answer, |word| spec::place(word, talk))?;
        let settings = PlaySettings { overrides: self.overrides()?, within: self.within };
        let change = |scenario: &mut Scenario| {
            self.setting.change(scenario);
            scenario.steps.extend(self.acts.steps());
            replay::replace(scenario, &mut answers);
        };
        let (recording, hints) = (recorded::read(file)?, self.recorded.hints(&self.content));
        let failed = |fault: ImportFault| Failure::Input(fault.to_string());
        let played = import::play(recording, hints, &settings, change).map_err(failed)?;
        replay::check_used(&answers, &name)?;
        if self.vary.is_given() {
            return self.vary_recording(&played, talk);
        }
        let mut exit = if played.is_as_documented() { Exit::AsExpected } else { Exit::Difference };
        exit = exit.and(self.show_recording(&played, talk)?);
        if !matches!(self.format, ReportFormat::Text) {
            say_notes(&played.notes, talk);
        }
        let Some(simulation) = &played.simulation else { return Ok(exit) };
        exit = exit.and(self.keep_trace(&simulation.trace, talk));
        let scenario = &simulation.scenario;
        if let Some(place) = place {
            let comment = format!("Written by: playsim waterfall {}", as_argument(&name));
            let written = place.write_scenario(scenario, &comment, "playsim waterfall ... --save")?;
            let first = as_argument(&written[0]);
            talk.say(&format!("wrote {}\nTry next:\n  playsim run {first} --view ads", written.join(", ")));
        }
        Ok(exit)
    }

    /// Plays what a recording shows with several settings.
    fn vary_recording(&self, played: &PlayedRecording, talk: &Talk) -> Result<Exit, Failure> {
        self.check_varied()?;
        let simulation = played.simulation.as_ref().ok_or_else(bodiless)?;
        say_notes(&played.notes, talk);
        let table = self.vary.play_scenario(&simulation.scenario, talk)?;
        let notes: Vec<(String, &'static str)> =
            played.notes.iter().map(|note| (note.text.clone(), note.certainty.word())).collect();
        let limit = match &played.verdict.limit {
            _ if self.overrides()?.sets_knob("ad.timeout") => Certainty::Assumed,
            Some(_) => Certainty::Inferred,
            None => Certainty::Unknown,
        };
        let name = &played.evidence.recording.name;
        let recording = RecordedBasis { name, notes: &notes, limit: limit.word() };
        let form = (self.format, self.output.clone());
        Ok(vary::show(&table, &simulation.scenario, Some(recording), form, talk))
    }

    /// Prints what happened on the page, and after it the simulation; or the trace of the simulation.
    fn show_recording(&self, played: &PlayedRecording, talk: &Talk) -> Result<Exit, Failure> {
        let paints = talk.paints() && self.output.is_none();
        let text = match self.format {
            ReportFormat::Text | ReportFormat::Csv => played.text(width(), paints, self.detail()),
            ReportFormat::Json => played.json() + "\n",
            ReportFormat::Trace(Format::Html) => return self.show_recorded_page(played, talk),
            ReportFormat::Trace(_) => {
                let it = played.simulation.as_ref().ok_or_else(bodiless)?;
                return Ok(self.show(&it.report, &it.scenario, &it.trace, talk));
            }
        };
        let mut out = Out::to(self.output.clone());
        if matches!(self.format, ReportFormat::Text) {
            out.painted(&text)
        } else {
            out.text(&text)
        }
        Ok(out.finish(talk))
    }

    /// Writes the page of a recording.
    fn show_recorded_page(&self, played: &PlayedRecording, talk: &Talk) -> Result<Exit, Failure> {
        let filter = self.lines.filter(Format::Html.view());
        let trace = played.simulation.as_ref().map(|it| &it.trace);
        // Without a trace, the options that select its lines are a mistake.
        let chosen = if self.lines.are_chosen() { Some(trace.ok_or_else(bodiless)?) } else { None };
        let proposal =
            format!("playsim waterfall {} --vary ad.timeout=250ms..5s/250ms", as_argument(&self.tags[0]));
        let alternatives = played.simulation.as_ref().map(alternatives::of).unwrap_or_default();
        let page = RecordingPage::new(played)
            .with_filter(&filter)
            .with_alternatives(alternatives)
            .with_proposal(proposal);
        let mut out = Out::to(self.output.clone());
        // `out` keeps a write error for the end.
        let _ = page.with_command(command_line::current()).write(&mut out);
        let exit = out.finish(talk);
        match chosen.filter(|trace| !run::shows_any(trace, &filter)) {
            Some(trace) => {
                talk.error(&self.lines.nothing_matches(&words_of(trace)));
                Ok(exit.and(Exit::NothingSelected))
            }
            None => Ok(exit),
        }
    }

    /// Checks that no option describes tags, which a recording has itself.
    fn check_tags(&self) -> Result<(), Failure> {
        let given = [(self.dir.is_some(), "--dir"), (!self.media.is_empty(), "--media")];
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

/// The error for a simulation of answers that the recording does not have.
fn bodiless() -> Failure {
    Failure::Input(
        "the recording has no bodies, so that nothing can be simulated; save it with content (\"Save all as HAR with \
         content\")"
            .to_owned(),
    )
}
