//! Errors as JSON.

use playsim::api::ApiError;
use playsim::report::page::Page;
use playsim::sim::LiveError;
use playsim::{Scenario, ScenarioError};
use serde_json::{Value as Json, json};

/// An error with only a message.
pub(crate) fn failure(error: impl std::fmt::Display) -> String {
    json!({ "message": error.to_string() }).to_string()
}

/// A call of the player that failed as documented.
pub(crate) fn of_call(error: &ApiError) -> String {
    json!({ "message": &*error.text, "code": error.code.name(), "rule": error.rule.to_string() })
        .to_string()
}

/// A text that cannot be read, or a scenario that cannot be played, as a JSON text with `message`,
/// and with `mistakes` if there are any.
#[must_use]
pub fn of_scenario(error: &ScenarioError) -> String {
    let ScenarioError::Mistakes(mistakes) = error else {
        return failure(error);
    };
    let each = |it: &playsim::scenario::Mistake| {
        json!({
            "message": it.message,
            "line": it.place.line,
            "column": it.place.column,
            "range": [it.range.start, it.range.end],
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

/// A page without its frame: `{ "title", "style", "body" }`.
pub(crate) fn page(page: &Page) -> String {
    json!({ "title": page.title, "style": page.style, "body": page.body.0 }).to_string()
}

/// A whole page, as a JSON string.
#[cfg(feature = "recordings")]
pub(crate) fn whole_page(page: &Page) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = page.write(&mut text);
    Json::from(text).to_string()
}

/// A scenario and the files that it names: `{ "yaml", "files" }`.
pub(crate) fn scenario(scenario: &Scenario) -> String {
    let files = scenario.files();
    let files: serde_json::Map<String, Json> = files
        .iter()
        .map(|(path, text)| (path.to_string(), Json::from(&**text)))
        .collect();
    json!({ "yaml": scenario.to_yaml(), "files": files }).to_string()
}
