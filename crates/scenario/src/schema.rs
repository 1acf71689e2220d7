//! The JSON Schema of scenarios, for completion and checks in editors.
//!
//! It is made from the tables that [`read`](super::read()) uses. Where a schema cannot express a
//! constraint, it is the more permissive of the two: it never rejects input that the reader
//! accepts.

use serde_json::Value as Json;

use super::fields;
use super::form::Definitions;

/// Returns the schema, draft 2020-12.
#[must_use]
pub fn schema() -> Json {
    let mut definitions = Definitions::default();
    let mut schema = fields::schema(&mut definitions);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["$id"] =
        "https://raw.githubusercontent.com/playsim/playsim/main/schema/scenario.schema.json".into();
    schema["title"] = "playsim scenario".into();
    schema["$defs"] = definitions.end();
    schema
}
