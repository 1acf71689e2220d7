//! The output formats of all commands, and how a trace is written in them.
//!
//! Rule TRACE-8.

use std::fmt::{self, Write};

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};

use playsim::report::page::ReportPage;
use playsim::report::waterfall::Waterfalls;
use playsim::scenario::Scenario;
use playsim::trace::{
    Filter, Site, Trace, View, write_chrome_trace, write_har, write_jsonl, write_pixels,
    write_summary, write_text,
};
use playsim_scenario::world::world;

use super::command_line;
use super::playground::Playground;

/// A form of output. Each command says which it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
    Jsonl,
    Csv,
    Md,
    Junit,
    Github,
    Sarif,
    Tap,
    Html,
    /// A folder for any web server: pages, the recordings and their screenshots
    Site,
    // The text of a trace, where that of a report is another one.
    Trace,
    ChromeTrace,
    Har,
    Pixels,
    Summary,
}

/// Parses a format of a command that has these.
pub(super) fn formats(known: &[Format]) -> ValueParser {
    parser(known.iter().filter_map(ValueEnum::to_possible_value))
}

/// Parses a format of a command that has these, and may say more about them in its help.
pub(super) fn parser(known: impl IntoIterator<Item = PossibleValue>) -> ValueParser {
    PossibleValuesParser::new(known)
        .map(|word| Format::from_str(&word, false).expect("it is one of these"))
        .into()
}

/// The formats of a command that has no others.
pub(super) fn text_or_json() -> ValueParser {
    formats(&[Format::Text, Format::Json])
}

impl Format {
    /// Returns the name on the command line.
    pub(super) fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns the option that asks for it.
    pub(super) fn option(self) -> String {
        format!("--format {}", self.name())
    }

    /// Returns the default view: the review view for text that people read, everything for
    /// programs. Lists select their lines themselves, and on a page the reader does.
    pub(super) fn view(self) -> View {
        if matches!(self, Format::Text | Format::Trace) {
            View::Review
        } else {
            View::All
        }
    }

    /// Returns whether the output is one document, which cannot hold a second trace.
    pub(super) fn is_one_document(self) -> bool {
        matches!(self, Format::Html | Format::ChromeTrace | Format::Har)
    }

    /// Returns whether a heading may precede a trace.
    pub(super) fn has_headings(self) -> bool {
        matches!(self, Format::Text | Format::Pixels | Format::Summary)
    }

    /// Writes the trace of a scenario.
    pub(super) fn write(
        self,
        scenario: &Scenario,
        trace: &Trace,
        filter: &Filter,
        why: bool,
        playground: &Playground,
        sink: &mut impl Write,
    ) -> fmt::Result {
        match self {
            Format::Jsonl => write_jsonl(trace, filter, why, sink),
            Format::Html => {
                let report = Waterfalls::of_played(trace, scenario);
                write_page(&report, scenario, trace, filter, playground, sink)
            }
            Format::ChromeTrace => write_chrome_trace(trace, filter, why, sink),
            Format::Har => {
                let world = world(scenario);
                let (epoch_micros, url) = (scenario.page.epoch_micros, scenario.page.address());
                let site = Site {
                    epoch_micros,
                    url,
                    bodies: &mut world.bodies(),
                };
                write_har(trace, filter, why, site, sink)
            }
            Format::Pixels => write_pixels(trace, filter, why, sink),
            Format::Summary => write_summary(trace, filter, why, sink),
            // A command that prints traces has no others of these.
            Format::Text
            | Format::Trace
            | Format::Json
            | Format::Csv
            | Format::Md
            | Format::Junit
            | Format::Github
            | Format::Sarif
            | Format::Tap
            | Format::Site => write_text(trace, filter, why, sink),
        }
    }
}

/// Writes a run as a page.
pub(super) fn write_page(
    report: &Waterfalls,
    scenario: &Scenario,
    trace: &Trace,
    filter: &Filter,
    playground: &Playground,
    sink: &mut impl Write,
) -> fmt::Result {
    let page = ReportPage::new(trace)
        .with_waterfalls(report)
        .with_documents(scenario);
    let page = page.with_playground(playground.link(scenario));
    page.with_filter(filter)
        .with_command(command_line::current())
        .write(sink)
}
