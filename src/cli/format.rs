//! The output formats of `playsim run` and `playsim waterfall`.
//!
//! Rule TRACE-8.

use std::fmt::{self, Write};

use clap::ValueEnum;
use clap::builder::PossibleValue;

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

/// A form of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Format {
    #[default]
    Text,
    Jsonl,
    Html,
    ChromeTrace,
    Har,
    Pixels,
    Summary,
}

impl Format {
    /// Returns the name on the command line.
    pub(super) fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns the default view: the review view for text that people read, everything for
    /// programs. Lists select their lines themselves, and on a page the reader does.
    pub(super) fn view(self) -> View {
        if self == Format::Text {
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
            Format::Text => write_text(trace, filter, why, sink),
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

/// A form of a waterfall: its report, or any form of its trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ReportFormat {
    /// The report as tables.
    #[default]
    Text,
    /// The report as one JSON object.
    Json,
    /// The table of many recordings as CSV.
    Csv,
    /// The trace.
    Trace(Format),
}

impl ValueEnum for ReportFormat {
    fn value_variants<'a>() -> &'a [ReportFormat] {
        &[
            ReportFormat::Text,
            ReportFormat::Json,
            ReportFormat::Csv,
            ReportFormat::Trace(Format::Html),
            ReportFormat::Trace(Format::Har),
            ReportFormat::Trace(Format::Pixels),
            ReportFormat::Trace(Format::Summary),
            ReportFormat::Trace(Format::ChromeTrace),
            ReportFormat::Trace(Format::Jsonl),
            ReportFormat::Trace(Format::Text),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            ReportFormat::Text => Some(PossibleValue::new("text")),
            ReportFormat::Json => Some(PossibleValue::new("json")),
            ReportFormat::Csv => Some(PossibleValue::new("csv")),
            // The text of a trace is not that of the report.
            ReportFormat::Trace(Format::Text) => Some(PossibleValue::new("trace")),
            ReportFormat::Trace(format) => format.to_possible_value(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waterfall_has_every_form_of_a_trace() {
        for format in Format::value_variants() {
            let form = ReportFormat::Trace(*format);
            assert!(ReportFormat::value_variants().contains(&form), "{format:?}");
        }
    }
}
