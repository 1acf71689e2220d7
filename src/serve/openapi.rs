//! stub
use crate::knobs::Knobs;
/// stub
#[must_use]
pub fn openapi(_knobs: &Knobs) -> serde_json::Value { serde_json::Value::Null }
