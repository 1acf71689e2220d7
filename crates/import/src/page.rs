//! A recording as one web page: first the verdict, then where the page left the documented
//! behaviour, last and folded the simulation.
//!
//! The page states the verdict, and marks how sure each statement is. It loads nothing, and is read
//! and folded without a script; the script of the trace's filter is that of every report.
//!
//! Rules: TRACE-8, TRACE-9.

use std::fmt;

use maud::{Markup, html};

use super::evidence::Evidence;
use super::play::PlayedRecording;
use super::verdict::PageVerdict;
use playsim_base::html::{Page, Text};
use playsim_base::time::Time;
use playsim_report::alternative::Alternative;
use playsim_report::comparison::{ComparedStep, ProductComparison, Seen, StepKind};
use playsim_report::page::frame::Sections;
use playsim_report::page::{Inset, ReportPage, SCRIPT, STYLE, SURE_STYLE, glyphs};
use playsim_trace::{Filter, View as Selection};

mod closing;
mod differences;
mod drawing;
mod figure;
mod head;
mod help;
mod mark;
mod outcome;
mod panel;
mod picture;
mod pixels;
mod tables;

/// The style of the page, in addition to that of all reports.
const OWN_STYLE: &str = include_str!("page/page.css");

/// The page of a recording.
#[derive(Debug, Clone)]
pub struct RecordingPage<'a> {
    played: &'a PlayedRecording,
    alternatives: Vec<Alternative>,
    proposal: Option<String>,
    command: Option<String>,
    playground: Option<String>,
    filter: Filter,
}

impl<'a> RecordingPage<'a> {
    /// The page of a recording.
    #[must_use]
    pub fn new(played: &'a PlayedRecording) -> RecordingPage<'a> {
        let filter = Filter {
            view: Selection::All,
            ..Filter::default()
        };
        let (proposal, command, playground) = (None, None, None);
        RecordingPage {
            played,
            alternatives: Vec::new(),
            proposal,
            command,
            playground,
            filter,
        }
    }

    /// With the recorded answers played with other settings; the first one is how it is now.
    #[must_use]
    pub fn with_alternatives(mut self, all: Vec<Alternative>) -> RecordingPage<'a> {
        self.alternatives = all;
        self
    }

    /// With the command line that finds out what other settings would have done.
    #[must_use]
    pub fn with_proposal(mut self, command: impl Into<String>) -> RecordingPage<'a> {
        self.proposal = Some(command.into());
        self
    }

    /// With the command line that writes the same page.
    #[must_use]
    pub fn with_command(mut self, command: impl Into<String>) -> RecordingPage<'a> {
        self.command = Some(command.into());
        self
    }

    /// With a link that opens the scenario of the simulation in the playground.
    #[must_use]
    pub fn with_playground(mut self, link: Option<String>) -> RecordingPage<'a> {
        self.playground = link;
        self
    }

    /// With those lines of the simulation's trace only that a filter shows; the default is all of
    /// them.
    #[must_use]
    pub fn with_filter(mut self, filter: &Filter) -> RecordingPage<'a> {
        self.filter = filter.clone();
        self
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn write(&self, sink: &mut impl fmt::Write) -> fmt::Result {
        self.page().write(sink)
    }

    /// Returns the page, whose body can be shown in another frame.
    #[must_use]
    pub fn page(&self) -> Page {
        let view = View {
            played: self.played,
            evidence: &self.played.evidence,
            verdict: &self.played.verdict,
            comparison: self.played.simulation.as_ref().map(|it| &it.comparison),
            simulated: self.simulated(),
        };
        let sections = self.sections(&view);
        let title = head::title(&view);
        let body = html! {
            (glyphs::DEFINITIONS)
            header { (head::head(&view, &title)) (sections.links()) }
            main { (sections) }
            (closing::footer(self.command.as_deref(), self.playground.as_deref()))
        };
        let style = format!("{STYLE}{SURE_STYLE}{OWN_STYLE}");
        Page {
            title,
            style: style.into(),
            script: Some(SCRIPT),
            has_images: false,
            body,
        }
    }

    /// Returns the report of the simulation, as a part of this page.
    fn simulated(&self) -> Option<Inset> {
        let it = self.played.simulation.as_ref()?;
        let page = ReportPage::new(&it.trace)
            .with_waterfalls(&it.report)
            .with_documents(&it.scenario)
            .with_comparison(&it.comparison)
            .with_filter(&self.filter);
        Some(page.inset())
    }

    fn sections(&self, view: &View<'_>) -> Sections {
        let sections = [
            Some(picture::section(view)),
            differences::section(view),
            help::section(view, &self.alternatives, self.proposal.as_deref()),
            tables::tags(view),
            tables::pixels(view),
            closing::simulation(view),
            closing::unknown(view),
        ];
        sections.into_iter().flatten().collect()
    }
}

/// The data that all parts of the page read.
struct View<'a> {
    played: &'a PlayedRecording,
    evidence: &'a Evidence,
    verdict: &'a PageVerdict,
    comparison: Option<&'a ProductComparison>,
    simulated: Option<Inset>,
}

impl<'a> View<'a> {
    /// Returns the step of the comparison that was recorded at this time under this URL.
    fn step(&self, kind: StepKind, at: Time, url: &str) -> Option<&'a ComparedStep> {
        let is_it = |seen: &Seen| seen.from_us == at.micros();
        self.comparison?.steps.iter().find(|step| {
            step.kind == kind && step.name == url && step.recorded.as_ref().is_some_and(is_it)
        })
    }
}

/// Returns a URL or a piece of source as it is.
fn code(text: &str) -> Markup {
    html! { code { (Text(text)) } }
}

/// Returns a sentence with a capital at its begin and a full stop.
fn sentence(text: &str) -> String {
    let mut sentence = super::verdict::capital(text);
    if !sentence.ends_with(['.', '?', '!']) {
        sentence.push('.');
    }
    sentence
}
