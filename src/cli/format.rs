//! The forms in which `playsim run` prints a trace.
//!
//! Rule TRACE-8.

use std::fmt::{self, Write};

use clap::ValueEnum;

use playsim::scenario::Scenario;
use playsim::trace::{
    Filter, Trace, View, write_chrome_trace, write_har, write_html, write_jsonl, write_pixels, write_summary,
    write_text,
};

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
    /// The name on the command line.
    pub(super) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// What is shown if no view is asked for: what people read is for review, what programs read is whole.
    /// Lists choose by themselves.
    pub(super) fn view(self) -> View {
        match self {
            Format::Text | Format::Html => View::Review,
            Format::Jsonl | Format::ChromeTrace | Format::Har | Format::Pixels | Format::Summary => View::All,
        }
    }

    /// Whether a trace is a document of its own, behind which no other can stand.
    pub(super) fn is_one_document(self) -> bool {
        matches!(self, Format::Html | Format::ChromeTrace | Format::Har)
    }

    /// Whether a heading can stand above a trace.
    pub(super) fn has_headings(self) -> bool {
        matches!(self, Format::Text | Format::Pixels | Format::Summary)
    }

    /// Writes the trace that a scenario gave.
    pub(super) fn write(
        self,
        scenario: &Scenario,
        trace: &Trace,
        filter: &Filter,
        why: bool,
        sink: &mut impl Write,
    ) -> fmt::Result {
        match self {
            Format::Text => write_text(trace, filter, why, sink),
            Format::Jsonl => write_jsonl(trace, filter, why, sink),
            Format::Html => write_html(trace, filter, why, sink),
            Format::ChromeTrace => write_chrome_trace(trace, filter, why, sink),
            Format::Har => write_har(trace, filter, why, scenario.page.epoch_micros, sink),
            Format::Pixels => write_pixels(trace, filter, why, sink),
            Format::Summary => write_summary(trace, filter, why, sink),
        }
    }
}
