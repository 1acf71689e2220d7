//! Faults as a control route takes them. Rule EDIT-44.

use serde_json::value::RawValue;

use super::object::{Object, Wrong};
use crate::edit::{FaultPlan, Route, ServiceFault};
use crate::serve::records::not_json;
use crate::time::Span;

const FORM: &str = "faults are a JSON list, like [{ \"nth\": 2, \"status\": 503 }, { \"id\": \"v1\", \"after\": \"250ms\" }]";

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
    if wrong.is_empty() { Ok(plans) } else { Err(wrong) }
}

fn plan(text: &str, whole: &str) -> Result<FaultPlan, Vec<Wrong>> {
    let mut object = Object::read(text, whole, FORM)?;
    let flag = "true or false, like true";
    let fault = ServiceFault {
        after: object
            .take("after", "a length of time, like \"250ms\"", |text: String| Span::read(&text).ok())
            .unwrap_or_default(),
        status: object.take("status", "a status from 200 to 599 that has a body, like 503", status),
        cut: object.take("cut", flag, Some::<bool>).unwrap_or_default(),
        empty: object.take("empty", flag, Some::<bool>).unwrap_or_default(),
    };
    let plan = FaultPlan {
        fault,
        nth: object
            .take("nth", "which of the calls it is, from 1, like 2", |nth: u32| (nth > 0).then_some(nth)),
        id: object.take("id", "the id of a video, like \"v1\"", Some::<String>),
        route: object.take("route", "v3, v3-form or v2-form, like \"v3\"", |name: String| Route::read(&name)),
        always: object.take("always", flag, Some::<bool>).unwrap_or_default(),
    };
    if fault == ServiceFault::default() && object.is_well() {
        object.refuse(
            "nothing goes wrong by this fault; it takes after, status, cut or empty, like \"status\": 503"
                .to_owned(),
        );
    }
    object.end("a fault").map(|()| plan)
}

/// A status that a server may answer with a body; 204 and 304 have none.
fn status(status: u16) -> Option<u16> {
    ((200..600).contains(&status) && !matches!(status, 204 | 205 | 304)).then_some(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> Vec<String> {
        read(text).unwrap_err().iter().map(Wrong::to_string).collect()
    }

    #[test]
    fn a_list_of_faults_is_read() {
        let plans =
            read(r#"[{ "nth": 2, "status": 503 }, { "id": "v1", "after": "250ms", "always": true }]"#);
        let first = FaultPlan {
            fault: ServiceFault { status: Some(503), ..ServiceFault::default() },
            nth: Some(2),
            ..FaultPlan::default()
        };
        let second = FaultPlan {
            fault: ServiceFault { after: Span::from_millis(250), ..ServiceFault::default() },
            id: Some("v1".to_owned()),
            always: true,
            ..FaultPlan::default()
        };
        assert_eq!(plans, Ok(vec![first, second]));
        assert_eq!(read("[]"), Ok(vec![]));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place_and_a_proposal() {
        let found = wrong(
            "[{ \"status\": 42 },\n { \"aftr\": \"1s\", \"cut\": true },\n {}, { \"nth\": 0, \"cut\": true }]",
        );
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(
            found[0],
            "1:14: field \"status\" is 42; it takes a status from 200 to 599 that has a body, like 503"
        );
        assert_eq!(found[1], "2:12: no field of a fault is named \"aftr\"; did you mean \"after\"?");
        assert!(found[2].starts_with("3:2: nothing goes wrong by this fault"), "{}", found[2]);
        assert!(found[3].starts_with("3:15: field \"nth\" is 0"), "{}", found[3]);
        assert!(wrong("{}")[0].contains("faults are a JSON list"));
    }
}
