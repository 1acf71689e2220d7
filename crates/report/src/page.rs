//! The report of a run as one web page: outcomes with their reasons.
//!
//! A [`ReportPage`] is built from a trace and whatever else is known of the run, and written with
//! [`ReportPage::write`]. It is one file that loads nothing. It is read, folded and filtered by
//! kinds of lines without a script; its only script adds a text filter and marks chains of causes,
//! and the page's policy allows it by its hash.
//!
//! Its parts, from the top: the verdict in one sentence, at most four key figures, the waterfall as
//! a picture whose rows open, tables of tags and pixels, the comparison with a recording, the
//! trace, and the command that gives the same page.
//!
//! Rules: TRACE-4, TRACE-7, TRACE-8, TRACE-9.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use maud::{Markup, html};

use super::comparison::ProductComparison;
use super::waterfall::{AdBreakKind, AdBreakReport, Waterfalls};
use playsim_api::{EventName, Outcome, StateLine};
use playsim_base::html::{Script, Text};
use playsim_base::time::Time;
use playsim_scenario::Scenario;
use playsim_trace::{Filter, Record, Trace, View as Selection, scenario_name, setting_words};

pub mod axis;
mod chain;
mod comparison;
mod documents;
mod fate;
pub mod frame;
pub mod glyphs;
mod lines;
mod picture;
mod pixels;
pub mod scale;
mod tags;
mod trace;
mod verdict;

use documents::Documents;
use frame::{Section, Sections};
use lines::Lines;
use verdict::Verdict;

pub use playsim_base::html::{BASE_STYLE, Page};
pub use scale::{difference, grouped};

/// The style that pages of reports share: figures, chips, lists, tools.
pub const PARTS_STYLE: &str = include_str!("page/parts.css");
/// The style of the marks of certainty.
pub const SURE_STYLE: &str = include_str!("page/sure.css");
/// The style of the page, in addition to the one that all pages share.
pub const STYLE: &str = concat!(
    include_str!("page/parts.css"),
    include_str!("page/page.css")
);
/// The script of the page. When it changes, the test of its hash fails with the new one.
pub const SCRIPT: Script = Script {
    text: include_str!("page/filter.js"),
    sha256: "b6OaCX/W2q4FOHbw2/vBNHQ/1EgaTGIuT1slYgecFvg=",
};

/// The page of a run.
#[derive(Debug, Clone)]
pub struct ReportPage<'a> {
    trace: &'a Trace,
    waterfalls: Option<&'a Waterfalls>,
    scenario: Option<&'a Scenario>,
    comparison: Option<&'a ProductComparison>,
    command: Option<String>,
    playground: Option<String>,
    filter: Filter,
}

impl<'a> ReportPage<'a> {
    /// The page of a trace.
    #[must_use]
    pub fn new(trace: &'a Trace) -> ReportPage<'a> {
        let filter = Filter {
            view: Selection::All,
            ..Filter::default()
        };
        let (waterfalls, scenario, comparison) = (None, None, None);
        ReportPage {
            trace,
            waterfalls,
            scenario,
            comparison,
            command: None,
            playground: None,
            filter,
        }
    }

    /// With the waterfalls of the trace, which otherwise are derived from it alone: without
    /// documents it is not known which pixels were not called.
    #[must_use]
    pub fn with_waterfalls(mut self, waterfalls: &'a Waterfalls) -> ReportPage<'a> {
        self.waterfalls = Some(waterfalls);
        self
    }

    /// With the documents of the scenario, so that the page can show the place of a failure.
    #[must_use]
    pub fn with_documents(mut self, scenario: &'a Scenario) -> ReportPage<'a> {
        self.scenario = Some(scenario);
        self
    }

    /// With a comparison of a recording with this run.
    #[must_use]
    pub fn with_comparison(mut self, comparison: &'a ProductComparison) -> ReportPage<'a> {
        self.comparison = Some(comparison);
        self
    }

    /// With the command line that writes the same page.
    #[must_use]
    pub fn with_command(mut self, command: impl Into<String>) -> ReportPage<'a> {
        self.command = Some(command.into());
        self
    }

    /// With a link that opens the scenario in the playground.
    #[must_use]
    pub fn with_playground(mut self, link: Option<String>) -> ReportPage<'a> {
        self.playground = link;
        self
    }

    /// With those lines of the trace only that a filter shows; the default is all of them.
    /// Everything above the trace is the same.
    #[must_use]
    pub fn with_filter(mut self, filter: &Filter) -> ReportPage<'a> {
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
        let report = self.report();
        let view = self.view(&report);
        let verdict = Verdict::of(&view);
        let sections = self.sections(&view, &verdict);
        let body = html! {
            (glyphs::DEFINITIONS)
            header {
                span.eyebrow { b.about { "simulated" } (origin(self.trace)) }
                h1 { (Text(&verdict.sentence)) }
                @if let Some(player) = &report.basis { p.sub { "The rules are those of " (Text(player)) "." } }
                (frame::figures(&verdict::figures(&view)))
                (sections.links())
            }
            main { (sections) }
            (self.footer())
        };
        let title = verdict.sentence;
        Page {
            title,
            style: STYLE.into(),
            script: Some(SCRIPT),
            has_images: false,
            body,
        }
    }

    /// Returns the main part of the page, for another page that has it as a part.
    pub fn inset(&self) -> Inset {
        let report = self.report();
        let view = self.view(&report);
        let verdict = Verdict::of(&view);
        let listed = view.lines.listed.iter().rev();
        Inset {
            sections: self.sections(&view, &verdict),
            rules: listed
                .filter_map(|record| Some((record.rule?.to_string(), record.seq)))
                .collect(),
            sentence: verdict.sentence,
        }
    }

    fn report(&self) -> Cow<'a, Waterfalls> {
        self.waterfalls
            .map_or_else(|| Cow::Owned(Waterfalls::of(self.trace)), Cow::Borrowed)
    }

    fn view<'v>(&self, report: &'v Waterfalls) -> View<'v>
    where
        'a: 'v,
    {
        View {
            trace: self.trace,
            report,
            lines: Lines::of(self.trace, &self.filter),
            documents: self.scenario.map_or_else(Documents::default, Documents::of),
        }
    }

    fn sections(&self, view: &View<'_>, verdict: &Verdict) -> Sections {
        let compared = self
            .comparison
            .map_or_else(|| html! {}, comparison::section);
        let sections = [
            Section::new("session", "Session", tags::session(view)),
            Section::new(
                "waterfall",
                "Waterfall",
                picture::section(view, verdict.tag),
            ),
            Section::new("schedule", "Schedule", tags::schedules(view)),
            Section::new("tags", "Tags", tags::tags(view)),
            Section::new("pixels", "Pixels", pixels::section(view)),
            Section::new("recorded", "Recorded and simulated", compared),
            Section::new("trace", "Trace", trace::section(view, &self.filter)),
        ];
        sections.into_iter().collect()
    }

    fn footer(&self) -> Markup {
        html! {
            footer {
                (playground_link(self.playground.as_deref()))
                @if let Some(command) = &self.command {
                    p { "Played again, this gives the same bytes:" }
                    pre { (Text(command)) }
                }
                p {
                    "The run ended as " (self.trace.outcome().map_or("", Outcome::name)) "; digest "
                    span.mono { (self.trace.digest) }
                }
                p {
                    "In the trace: > call, ^ user, : listener, ? request, < answer, ! pixel, * decision, ~ diagnostic; "
                    "a bare word is an event."
                }
            }
        }
    }
}

/// Returns the link into the playground, if there is one.
pub fn playground_link(link: Option<&str>) -> Markup {
    html! { @if let Some(link) = link { p { a href=(link) { "Open and change this scenario in the playground" } } } }
}

/// Returns the name of the scenario and its settings.
fn origin(trace: &Trace) -> Markup {
    let (name, settings) = (scenario_name(trace), setting_words(trace));
    let parts = [name.trim(), settings.trim()]
        .into_iter()
        .flat_map(|part| part.split("  "));
    html! { @for part in parts.filter(|part| !part.is_empty()) { " · " (Text(part)) } }
}

/// The main part of a page in another one.
pub struct Inset {
    /// Its verdict, as plain text.
    pub sentence: String,
    /// Its sections.
    pub sections: Sections,
    /// The first line of the trace that each rule decided, of those that it lists.
    pub rules: BTreeMap<String, u32>,
}

/// The data that all parts of the page read.
struct View<'a> {
    trace: &'a Trace,
    report: &'a Waterfalls,
    lines: Lines<'a>,
    documents: Documents<'a>,
}

impl View<'_> {
    /// Returns whether lines and breaks must say which player they belong to.
    fn has_players(&self) -> bool {
        self.trace.players.len() > 1
    }

    /// Returns the name of a break, with its player where there are several.
    fn label(&self, it: &AdBreakReport) -> String {
        let player = it.player.as_deref().filter(|_| self.has_players());
        player.map_or_else(
            || label(it),
            |player| format!("{}, player {player}", label(it)),
        )
    }

    /// Returns when the content of a player plays after a break that ended at this time; `None` if
    /// another break comes first, or nothing.
    fn content_after(&self, player: Option<&str>, end_us: u64) -> Option<u64> {
        let end = Time::from_micros(end_us);
        let from = self.trace.records.partition_point(|record| record.at < end);
        let is_own = |record: &&Record| self.trace.container(record).map(|id| &**id) == player;
        let mut own = self.trace.records.get(from..)?.iter().filter(is_own);
        // The same instant may begin with lines from before the end of the break.
        let is_next = |record: &Record| {
            let begins = record.begins_break() && record.at > end;
            begins || record.is(StateLine::Playing) || record.event() == Some(EventName::Start)
        };
        own.find(|record| is_next(record))
            .filter(|record| !record.begins_break())
            .map(|record| record.at.micros())
    }
}

/// Returns the name of a break: `Mid-roll at 30 s`.
fn label(it: &AdBreakReport) -> String {
    let kind = match it.kind {
        AdBreakKind::Pre => "Pre-roll",
        AdBreakKind::Mid => "Mid-roll",
        AdBreakKind::Post => "Post-roll",
        AdBreakKind::Overlay => "Overlay",
        AdBreakKind::Command => "Ad on command",
        AdBreakKind::Display => "Display ad",
        AdBreakKind::Other(_) => "Ad break",
    };
    let at = match it.cue_us {
        Some(cue) if matches!(it.kind, AdBreakKind::Mid | AdBreakKind::Overlay) => {
            format!(" at {} s", scale::short(cue))
        }
        _ => String::new(),
    };
    let id = it
        .id
        .as_deref()
        .filter(|id| !id.is_empty())
        .map(|id| format!(" \u{201c}{id}\u{201d}"))
        .unwrap_or_default();
    format!("{kind}{at}{id}")
}

/// Returns the id of a break's picture.
fn break_id(index: usize) -> String {
    format!("b{}", index + 1)
}

/// Returns the id of a break's pixels.
fn pixels_id(index: usize) -> String {
    format!("px{}", index + 1)
}

/// Returns the number of a line, as a link if the page lists it.
fn line_link(view: &View<'_>, seq: u32) -> Markup {
    html! {
        @match view.lines.target(seq) {
            Some(target) => { a href={ "#s" (target.seq) } { "line " (seq) } }
            None => { "line " (seq) }
        }
    }
}

/// Returns a sentence in which `code` is marked as in Markdown.
pub fn prose(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 0 { (Text(part)) } @else { code { (Text(part)) } }
        }
    }
}

#[cfg(test)]
mod tests;
