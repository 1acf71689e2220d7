//! Responses of the server itself, in addition to those of the edit API.

use axum::body::Body;
use axum::response::Response;
use hyper::header::{ALLOW, CONNECTION, CONTENT_TYPE, RETRY_AFTER};
use hyper::http::HeaderValue;
use serde::Serialize;

use super::body::NoBody;
use playsim_scenario::edit::reason;

/// The media type of errors. Rule EDIT-39.
pub(super) const PROBLEM: &str = "application/problem+json";
/// The media type of all other bodies.
pub(super) const JSON: &str = "application/json";

/// An error in one part of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Mistake {
    /// The part: a place or a field name.
    pub(super) field: String,
    /// A stable code for programs.
    pub(super) code: &'static str,
    /// The value that was found, the expected ones, and an example.
    pub(super) message: String,
}

/// Returns a successful response with a JSON body.
pub(super) fn json(body: impl Into<Body>) -> Response {
    with(200, JSON, body.into())
}

/// Returns an error response.
pub(super) fn problem(status: u16, detail: &str, errors: &[Mistake]) -> Response {
    #[derive(Serialize)]
    struct Problem<'a> {
        r#type: &'static str,
        title: &'static str,
        status: u16,
        detail: &'a str,
        errors: &'a [Mistake],
    }
    let problem = Problem {
        r#type: "about:blank",
        title: reason(status),
        status,
        detail,
        errors,
    };
    // Strings and numbers always serialize.
    with(
        status,
        PROBLEM,
        serde_json::to_string(&problem).unwrap_or_default().into(),
    )
}

/// Returns the response to a method that a path does not support.
pub(super) fn not_allowed(allow: &str) -> Response {
    let mut answer = problem(405, &format!("method not allowed; use {allow}"), &[]);
    if let Ok(allow) = HeaderValue::from_str(allow) {
        answer.headers_mut().insert(ALLOW, allow);
    }
    answer
}

/// Returns the response to a request whose body could not be read.
pub(super) fn no_body(why: NoBody) -> Response {
    let (status, detail) = match why {
        NoBody::TooLarge(max) => (413, format!("the body is larger than {max} bytes")),
        NoBody::TooSlow => (408, "the body took too long to arrive".to_owned()),
        NoBody::Cut => (
            400,
            "the body is incomplete, or its chunks are invalid".to_owned(),
        ),
        NoBody::NoSpace => (
            503,
            "the bodies of other requests use all the memory; try again".to_owned(),
        ),
    };
    let mut answer = problem(status, &detail, &[]);
    let headers = answer.headers_mut();
    match why {
        NoBody::NoSpace => {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        // The rest of the body is not read.
        NoBody::TooLarge(_) | NoBody::TooSlow | NoBody::Cut => {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
    }
    answer
}

fn with(status: u16, content_type: &'static str, body: Body) -> Response {
    let mut answer = Response::new(body);
    *answer.status_mut() = hyper::StatusCode::from_u16(status).unwrap_or_default();
    answer
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    answer
}
