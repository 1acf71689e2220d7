//! The control route that plans faults. Rule EDIT-44.

use serde_json::value::RawValue;

use super::object::{Object, Wrong};
use crate::records::not_json;
use playsim_base::time::Span;
use playsim_scenario::edit::{FaultPlan, Route, ServiceFault};

const FORM: &str = "faults must be a JSON list such as [{ \"nth\": 2, \"status\": 503 }, \
                    { \"id\": \"v1\", \"after\": \"250ms\" }]";

/// Reads faults from a JSON list.
pub(super) fn read(text: &str) -> Result<Vec<FaultPlan>, Vec<Wrong>> {
    let list: Vec<&RawValue> =
        serde_json::from_str(text).map_err(|error| not_json(text, text, &error, FORM))?;
    let mut plans = Vec::new();
    let mut wrong = Vec::new();
    for raw in list {
        match plan(text, raw.get()) {
            Ok(plan) => plans.push(plan),
            Err(errors) => wrong.extend(errors),
        }
    }
    if wrong.is_empty() {
        Ok(plans)
    } else {
        Err(wrong)
    }
}

fn plan(text: &str, whole: &str) -> Result<FaultPlan, Vec<Wrong>> {
    let mut object = Object::read(text, whole, FORM)?;
    let flag = "true or false";
    let fault = ServiceFault {
        after: object
            .take("after", "a duration such as \"250ms\"", |text: String| {
                text.parse::<Span>().ok()
            })
            .unwrap_or_default(),
        status: object.take(
            "status",
            "a status from 200 to 599 that allows a body, such as 503",
            status,
        ),
        cut: object.take("cut", flag, Some::<bool>).unwrap_or_default(),
        empty: object.take("empty", flag, Some::<bool>).unwrap_or_default(),
    };
    let plan = FaultPlan {
        fault,
        nth: object.take(
            "nth",
            "the number of the request, counted from 1",
            |nth: u32| (nth > 0).then_some(nth),
        ),
        id: object.take("id", "the id of a video, such as \"v1\"", Some::<String>),
        route: object.take(
            "route",
            "\"v3\", \"v3-form\" or \"v2-form\"",
            |name: String| Route::from_name(&name),
        ),
        always: object
            .take("always", flag, Some::<bool>)
            .unwrap_or_default(),
    };
    if fault == ServiceFault::default() && object.is_well() {
        object.refuse(
            "this fault has no effect; set after, status, cut or empty, such as \"status\": 503"
                .to_owned(),
        );
    }
    object.end("a fault").map(|()| plan)
}

/// Checks that a status allows a body: 204, 205 and 304 do not.
fn status(status: u16) -> Option<u16> {
    ((200..600).contains(&status) && !matches!(status, 204 | 205 | 304)).then_some(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> Vec<String> {
        read(text)
            .unwrap_err()
            .iter()
            .map(Wrong::to_string)
            .collect()
    }

    #[test]
    fn a_list_of_faults_is_read() {
        let plans = read(
            r#"[{ "nth": 2, "status": 503 }, { "id": "v1", "after": "250ms", "always": true }]"#,
        );
        let first = FaultPlan {
            fault: ServiceFault {
                status: Some(503),
                ..ServiceFault::default()
            },
            nth: Some(2),
            ..FaultPlan::default()
        };
        let second = FaultPlan {
            fault: ServiceFault {
                after: Span::from_millis(250),
                ..ServiceFault::default()
            },
            id: Some("v1".to_owned()),
            always: true,
            ..FaultPlan::default()
        };
        assert_eq!(plans, Ok(vec![first, second]));
        assert_eq!(read("[]"), Ok(vec![]));
    }

    #[test]
    fn errors_have_a_place_and_a_suggestion() {
        let found = wrong(
            "[{ \"status\": 42 },\n { \"aftr\": \"1s\", \"cut\": true },\n {}, { \"nth\": 0, \"cut\": true }]",
        );
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(
            found[0],
            "1:14: field \"status\" is 42; it must be a status from 200 to 599 that allows a body, such as 503"
        );
        assert!(
            found[1].starts_with("2:12: ") && found[1].ends_with("did you mean \"after\"?"),
            "{}",
            found[1]
        );
        assert!(
            found[2].starts_with("3:2: this fault has no effect"),
            "{}",
            found[2]
        );
        assert!(
            found[3].starts_with("3:15: field \"nth\" is 0"),
            "{}",
            found[3]
        );
        assert!(wrong("{}")[0].contains("faults must be a JSON list"));
    }
}
