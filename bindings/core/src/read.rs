//! Scenarios and the files that they name, from a request.

use std::collections::BTreeMap;
use std::io;

use serde::Deserialize;

use crate::answers::{failure, of_scenario};
use playsim::{Scenario, Trace, scenario};
use serde_json::Value as Json;

/// A scenario as it is given.
#[derive(Deserialize)]
pub(crate) struct Given {
    scenario: String,
    name: Option<String>,
    #[serde(default)]
    files: Files,
    /// How the page is explored, if it is.
    #[cfg(feature = "explore")]
    pub(crate) explore: Option<crate::explored::Asked>,
}

/// Files by their paths relative to the scenario's folder.
#[derive(Deserialize, Default)]
pub(crate) struct Files(BTreeMap<String, String>);

impl Files {
    /// Returns the content of a file.
    pub(crate) fn load(&self, path: &str) -> io::Result<String> {
        let missing = || {
            let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
            let known = if known.is_empty() {
                "no files were given".into()
            } else {
                format!("given are {}", known.join(", "))
            };
            io::Error::other(format!("there is no such file; {known}"))
        };
        self.0.get(path).cloned().ok_or_else(missing)
    }
}

/// Whose page code a scenario is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageCode {
    /// The scenario's steps.
    Inside,
    /// That of a host: without steps nothing starts by itself.
    Outside,
}

impl Given {
    /// Returns the expectations that a trace does not meet, with their lines in the text.
    pub(crate) fn failed(&self, scenario: &Scenario, trace: &Trace) -> Json {
        let places = scenario::expectation_places(self.name(), &self.scenario);
        crate::golden::failed(scenario, &places, trace)
    }

    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("scenario.yaml")
    }

    pub(crate) fn parse(text: &str) -> Result<Given, String> {
        serde_json::from_str(text)
            .map_err(|error| failure(format!("the request cannot be read: {error}")))
    }

    /// Reads the scenario.
    pub(crate) fn scenario(&self, page_code: PageCode) -> Result<Scenario, String> {
        let name = self.name();
        let mut load = |path: &str| self.files.load(path);
        let read = match page_code {
            PageCode::Inside => scenario::read(name, &self.scenario, &mut load),
            PageCode::Outside => scenario::part::read_page(name, &self.scenario, &mut load),
        };
        read.map_err(|error| of_scenario(&error))
    }
}
