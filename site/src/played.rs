//! Scenarios that are played while the site is built, so that no output on it is written by hand.

use std::io::ErrorKind;

use playsim::report::page::ReportPage;
use playsim::scenario::{self, Overrides};
use playsim::trace::{Filter, View, write_text};
use playsim::{Scenario, Simulation, Trace};

use crate::Failure;

/// A scenario and its trace.
pub(crate) struct Played {
    /// The scenario as it is written.
    pub(crate) text: &'static str,
    scenario: Scenario,
    trace: Trace,
}

impl Played {
    /// Plays a scenario, which is the first of its files.
    pub(crate) fn of(files: &[(&'static str, &'static str)]) -> Result<Played, Failure> {
        let (name, text) = *files
            .first()
            .ok_or_else(|| Failure::new("a scenario without files"))?;
        let mut load = |path: &str| {
            let file = files.iter().find(|(name, _)| *name == path);
            file.map(|(_, text)| (*text).to_owned())
                .ok_or_else(|| ErrorKind::NotFound.into())
        };
        let scenario = scenario::read_over(name, text, &Overrides::default(), &mut load)
            .map_err(|error| Failure::new(format!("{name}: {error}")))?;
        let simulation =
            Simulation::new(&scenario).map_err(|error| Failure::new(format!("{name}: {error}")))?;
        let trace = simulation.run();
        Ok(Played {
            text,
            scenario,
            trace,
        })
    }

    /// Returns the lines of the trace that are about ads.
    pub(crate) fn ads(&self) -> String {
        let filter = Filter {
            view: View::Ads,
            ..Filter::default()
        };
        let mut text = String::new();
        write_text(&self.trace, &filter, false, &mut text)
            .expect("writing to a string cannot fail");
        text
    }

    /// Returns the report.
    pub(crate) fn report(&self) -> ReportPage<'_> {
        ReportPage::new(&self.trace).with_documents(&self.scenario)
    }
}
