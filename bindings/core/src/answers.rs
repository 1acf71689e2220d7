//! Errors as JSON.

use playsim::ScenarioError;
use playsim::api::ApiError;
use playsim::sim::LiveError;
use serde_json::{Value as Json, json};

/// An error with only a message.
pub(crate) fn failure(error: impl std::fmt::Display) -> String {
    json!({ "message": error.to_string() }).to_string()
}

/// A call of the player that failed as documented.
pub(crate) fn of_call(error: &ApiError) -> String {
    json!({ "message": &*error.text, "code": error.code.name(), "rule": error.rule.to_string() }).to_string()
}

/// A text that cannot be read, or a scenario that cannot be played.
pub(crate) fn of_scenario(error: &ScenarioError) -> String {
    let ScenarioError::Mistakes(mistakes) = error else { return failure(error) };
    let each = |it: &playsim::scenario::Mistake| {
        json!({
            "message": it.message,
            "line": it.place.line,
            "column": it.place.column,
            "suggestion": it.suggestion,
        })
    };
    let all: Vec<Json> = mistakes.iter().map(each).collect();
    json!({ "message": error.to_string(), "mistakes": all }).to_string()
}

/// An act that a running simulation cannot perform.
pub(crate) fn of_act(error: &LiveError) -> String {
    match error {
        LiveError::Call(error) => of_call(error),
        LiveError::Invalid(error) => of_scenario(error),
        LiveError::Over | LiveError::Answer { .. } | _ => failure(error),
    }
}
