//! The output formats of `playsim run`.
//!
//! Rule TRACE-8.

use std::fmt::{self, Write};

use clap::ValueEnum;

use playsim::internal::world;
use playsim::scenario::Scenario;
use playsim::trace::{
    Filter, Site, Trace, View, write_chrome_trace, write_har, write_html, write_jsonl, write_pixels,
    write_summary, write_text,
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
    /// Returns the name on the command line.
    pub(super) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns the default view: the review view for formats that people read, everything for programs. Lists
    /// select their lines themselves.
    pub(super) fn view(self) -> View {
        if matches!(self, Format::Text | Format::Html) { View::Review } else { View::All }
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
        sink: &mut impl Write,
    ) -> fmt::Result {
        match self {
            Format::Text => write_text(trace, filter, why, sink),
            Format::Jsonl => write_jsonl(trace, filter, why, sink),
            Format::Html => write_html(trace, filter, why, sink),
            Format::ChromeTrace => write_chrome_trace(trace, filter, why, sink),
            Format::Har => {
                let world = world(scenario);
                let (epoch_micros, url) = (scenario.page.epoch_micros, scenario.page.address());
                let site = Site { epoch_micros, url, bodies: &mut world.bodies() };
                write_har(trace, filter, why, site, sink)
            }
            Format::Pixels => write_pixels(trace, filter, why, sink),
            Format::Summary => write_summary(trace, filter, why, sink),
        }
    }
}
