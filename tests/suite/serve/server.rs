//! A server in the test's own process, with limits as a test needs them. It serves until the tests
//! end.

use std::net::SocketAddr;

use playsim::catalog::Catalog;
use playsim::knobs::Knobs;
use playsim::serve::{Limits, Server, ServerConfig};
use playsim_server::records::read as read_records;
use serde_json::Value as Json;

use super::wire::Wire;

/// The records that tests begin with.
pub(crate) const RECORDS: &str = r#"[
  { "id": "v1", "name": "Big film", "tags": "news, sport", "partner_id": "7" },
  { "id": "007", "name": "Agent" },
  { "id": "a b/ü", "name": "Odd id" }
]"#;

/// A server and its state.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
}

pub(crate) fn seeds() -> Catalog {
    read_records(RECORDS).expect("the records are well formed")
}

/// Knobs by name and value.
pub(crate) fn knobs(values: &[(&str, &str)]) -> Knobs {
    let mut knobs = Knobs::default();
    for (name, value) in values {
        knobs
            .set(name, value)
            .expect("the knob exists and accepts the value");
    }
    knobs
}

impl Running {
    pub(crate) fn new(knob_values: &[(&str, &str)]) -> Running {
        Running::with(knobs(knob_values), Limits::default())
    }

    pub(crate) fn with(knobs: Knobs, limits: Limits) -> Running {
        Running::of(ServerConfig {
            seeds: seeds(),
            knobs,
            limits,
            ..ServerConfig::default()
        })
    }

    pub(crate) fn of(config: ServerConfig) -> Running {
        let server = Server::open(config).expect("a free port is available");
        let address = server.address();
        std::thread::spawn(move || server.run(std::future::pending()));
        Running { address }
    }

    pub(crate) fn wire(&self) -> Wire {
        Wire::to(self.address)
    }

    pub(crate) fn records(&self) -> Json {
        self.wire().control("GET", "/_control/records", "").json()
    }

    pub(crate) fn journal(&self) -> Json {
        self.wire().control("GET", "/_control/journal", "").json()
    }

    /// Checks that nothing was written, and that the next edit works.
    pub(crate) fn assert_untouched(&self, before: &Json, what: &str) {
        assert_eq!(&self.records(), before, "{what}: something was written");
        let answer = self.wire().edit("/apiv3/video/edit/v1.json", &[]);
        assert_eq!(
            answer.status,
            200,
            "{what}: the server still works: {}",
            answer.text()
        );
    }
}
