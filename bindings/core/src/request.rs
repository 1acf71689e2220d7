//! Requests without a running simulation.

use serde::Deserialize;
use serde_json::json;

use crate::Answer;
use crate::answers::{failure, of_scenario};
use crate::operation::{Wanted, shown};
use crate::read::{Given, PageCode};
use crate::tables::tables;
use playsim::Simulation;

#[derive(Deserialize)]
struct Request<'a> {
    op: &'a str,
}

/// Answers a request: `{ "op": "run" | "read" | "schema" | "tables" | "version", ... }`.
///
/// - `run` plays `scenario` to its end with its own steps, and answers with the parts of `want`, as
///   [`World::perform`](crate::World::perform) does for `trace`.
/// - `read` only reads it, and answers with the scenario as JSON: `{ "scenario": { ... } }`.
/// - `schema` is the JSON schema of scenarios.
/// - `tables` are calls, getters, events with their data, and codes, which types of other languages are made of.
/// - `version` is that of playsim.
///
/// # Errors
///
/// A JSON text with `message`, and with `mistakes` if the scenario cannot be read.
pub fn request(text: &str) -> Answer {
    let wrong = |error: serde_json::Error| failure(format!("the request cannot be read: {error}"));
    let Request { op } = serde_json::from_str(text).map_err(wrong)?;
    match op {
        "run" => {
            let scenario = Given::parse(text)?.scenario(PageCode::Inside)?;
            let trace = Simulation::new(&scenario).map_err(|error| of_scenario(&error))?.run();
            let wanted: Wanted = serde_json::from_str(text).map_err(wrong)?;
            shown(&trace, &scenario, &wanted)
        }
        "read" => {
            let mut scenario = Given::parse(text)?.scenario(PageCode::Outside)?;
            Simulation::new(&scenario).map_err(|error| of_scenario(&error))?;
            if scenario.steps.iter().all(|step| step.act.parts().is_empty()) {
                scenario.steps.clear();
            }
            Ok(format!("{{\"scenario\":{}}}", scenario.to_json()))
        }
        "schema" => Ok(playsim::scenario::schema().to_string()),
        "tables" => Ok(tables().to_string()),
        "version" => {
            Ok(json!({ "version": env!("CARGO_PKG_VERSION"), "trace": playsim::trace::VERSION }).to_string())
        }
        other => Err(failure(format!(
            "there is no request \"{other}\"; there are run, read, schema, tables and version"
        ))),
    }
}
