//! Parts of a scenario on their own, as JSON: what a driver of a running simulation is given.

use std::io;
use std::sync::Arc;

use super::read::node::{Node, Wrong};
use super::read::reading::Reading;
use super::{Answers, Overrides, Scenario, ScenarioError, StepAct, fields, read};
use playsim_api::Value;

/// Reads a scenario whose page code is outside of it: videos are optional, and without steps no
/// player is created automatically. Otherwise like [`read`](fn@super::read).
///
/// # Errors
///
/// As those of [`read`](fn@super::read).
pub fn read_page(
    name: &str,
    text: &str,
    load: &mut dyn FnMut(&str) -> io::Result<String>,
) -> Result<Scenario, ScenarioError> {
    read::read_with(name, text, load, &Overrides::default(), |reading| {
        reading.is_driven = true
    })
}

/// Reads an act in the form of a listener's, such as `{ "user": "skip" }`,
/// `{ "page": { "hidden": true } }` or `{ "currentTime": 4, "player": "two" }`. `listeners` are the
/// names that it may use.
///
/// # Errors
///
/// [`ScenarioError::Mistakes`], with their places in the text.
pub fn read_act(text: &str, listeners: &[Arc<str>]) -> Result<StepAct, ScenarioError> {
    part("act.json", text, listeners, &mut no_files, fields::read_act)
}

/// Reads what a URL answers, in the form of `network` or of `media`: one answer such as
/// `{ "after": "50ms", "status": 503 }` or `{ "duration": "10s" }`, or a list of those. `is_media`
/// says whether the URL is one of media; without it the fields decide.
///
/// # Errors
///
/// [`ScenarioError::Mistakes`], with their places in the text.
pub fn read_answers(
    text: &str,
    is_media: Option<bool>,
    load: &mut dyn FnMut(&str) -> io::Result<String>,
) -> Result<Answers, ScenarioError> {
    let name = if is_media == Some(true) {
        "media.json"
    } else {
        "response.json"
    };
    part(name, text, &[], load, |node, reading| {
        fields::read_answers(node, is_media, reading)
    })
}

/// Reads a value of page code: JSON, and `{ "$": "NaN" }` and the like for values that JSON lacks.
/// Numbers are rounded to six decimals; those that are too large are infinite.
///
/// # Errors
///
/// [`ScenarioError::Mistakes`], with their places in the text.
pub fn read_value(text: &str, listeners: &[Arc<str>]) -> Result<Value, ScenarioError> {
    part(
        "value.json",
        text,
        listeners,
        &mut no_files,
        fields::read_value,
    )
}

fn no_files(_: &str) -> io::Result<String> {
    Err(io::Error::other("there are no files here"))
}

fn part<T>(
    name: &str,
    text: &str,
    listeners: &[Arc<str>],
    load: &mut dyn FnMut(&str) -> io::Result<String>,
    form: impl FnOnce(&Node, &mut Reading<'_>) -> Option<T>,
) -> Result<T, ScenarioError> {
    let overrides = Overrides::default();
    let read = |root: Node| {
        let mut reading = Reading::new(load, &overrides, listeners.to_vec());
        match form(&root, &mut reading) {
            Some(part) if reading.wrongs.is_empty() => Ok(part),
            _ if reading.wrongs.is_empty() => {
                Err(vec![Wrong::new(&root.range, "this cannot be read")])
            }
            _ => Err(reading.wrongs),
        }
    };
    read::tree(name, text)
        .map_err(|wrong| vec![wrong])
        .and_then(read)
        .map_err(|wrongs| read::mistakes(name, text, 0, wrongs).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use playsim_api::{Act, Decimal, Fields};

    #[test]
    fn acts_are_read_as_in_a_listener() {
        let listeners = [Arc::from("L1")];
        assert_eq!(
            read_act("{ \"user\": \"skip\" }", &listeners),
            Ok(StepAct::User(Act::Skip))
        );
        let error =
            read_act("{ \"user\": \"skp\" }", &listeners).map_err(|error| error.to_string());
        assert_eq!(
            error,
            Err("act.json:1:11: unknown user action \"skp\"; did you mean \"skip\"?".into())
        );
        assert!(read_act("{ \"on\": [\"adEnd\", \"L2\"] }", &listeners).is_err());
    }

    #[test]
    fn values_that_json_lacks_are_read() {
        let listeners = [Arc::from("L1")];
        let read = |text: &str| read_value(text, &listeners).map_err(|error| error.to_string());
        assert_eq!(
            read("{ \"a\": { \"$\": \"NaN\" } }"),
            Ok(Value::Map(Fields::one("a", Value::NaN)))
        );
        assert_eq!(
            read("{ \"$\": [\"function\", \"L1\"] }"),
            Ok(Value::Function("L1".into()))
        );
        assert!(read("{ \"$\": [\"function\", \"L2\"] }").is_err());
        let half: Decimal = "0.5".parse().expect("a number");
        let largest: Decimal = "9223372036854".parse().expect("a number");
        assert_eq!(
            read("[0.5, 1e300, 1e309, -1e309]"),
            Ok(Value::List(vec![
                Value::Number(half),
                Value::Number(largest),
                Value::Infinity,
                Value::NegativeInfinity,
            ]))
        );
        assert_eq!(
            read("0.30000000000000004"),
            Ok(Value::Number("0.3".parse().expect("a number")))
        );
    }
}
