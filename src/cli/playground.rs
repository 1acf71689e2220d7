//! A link that opens a scenario in the playground: the scenario and its documents are in the link
//! itself, after the #, so that no server sees them and a page on the same disk can be opened
//! without a network.

use std::collections::BTreeMap;
use std::io::Write;

use data_encoding::BASE64URL_NOPAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use playsim::scenario::Scenario;
use serde::Serialize;

use super::failure::{Failure, bail};
use super::save;

/// Where the playground is.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Playground {
    /// For --format html: link the scenario into the playground at this address, such as
    /// playground.html for a file beside the page
    #[arg(long, value_name = "ADDRESS")]
    playground: Option<String>,
}

/// A scenario as the playground reads it.
#[derive(Serialize)]
struct Shared {
    name: &'static str,
    scenario: String,
    files: BTreeMap<String, String>,
}

impl Playground {
    /// Checks that it is about a page if it was given.
    pub(super) fn check(&self, is_page: bool) -> Result<(), Failure> {
        if self.playground.is_some() && !is_page {
            bail!("--playground is about a link in a page; add --format html");
        }
        Ok(())
    }

    /// Returns the link for a scenario, if an address was given.
    pub(super) fn link(&self, scenario: &Scenario) -> Option<String> {
        let address = self.playground.as_ref()?;
        let shared = Shared {
            name: "scenario.yaml",
            scenario: scenario.to_yaml(),
            files: save::documents(scenario).collect(),
        };
        let json = serde_json::to_vec(&shared).ok()?;
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
        // Writing to memory cannot fail.
        packed.write_all(&json).ok()?;
        let packed = packed.finish().ok()?;
        Some(format!("{address}#s={}", BASE64URL_NOPAD.encode(&packed)))
    }
}
