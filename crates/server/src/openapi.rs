//! The OpenAPI 3.1 description of the server, built from the tables of routes and fields.
//!
//! It describes the service with the knobs in force: paths, authentication, and the format of
//! responses. The server returns it, and the description with default knobs is committed.
//!
//! Rules: EDIT-1 to EDIT-6, EDIT-37 to EDIT-46.

use serde_json::{Map, Value as Json, json};

use super::answer::{JSON, PROBLEM};
use super::control::routes::{Act, ROUTES as CONTROL_ROUTES, Route as ControlRoute};
use playsim_rules::knobs::{
    EditAuth, EditRoutes, ErrorShape, Knobs, RateLimit, SuccessShape, Urlencoded,
};
use playsim_scenario::edit::{ROUTES, RouteRow, UNKNOWN_FIELDS, reason};

mod schemas;

/// The description of the API.
const ABOUT: &str = "\
A stand-in for the video edit API of a video platform. Other methods on its paths are answered with 405 and \
Allow, unknown paths with 404, and other operations of the platform with 501. Invalid HTTP is answered with \
400, 414 or 431 and no body. The routes below /_control let tests control the server; requests of foreign pages are \
answered with 403.";

/// The description of responses caused by planned faults.
const BY_ORDER: &str = "A status requested with POST /_control/faults, which can also cut the connection or \
omit the body of any response.";

/// Returns the description of a server with these knobs.
#[must_use]
pub fn openapi(knobs: &Knobs) -> Json {
    let mut paths = Map::new();
    for row in ROUTES.iter().filter(|row| is_there(row, knobs)) {
        paths.insert(row.path.to_owned(), json!({ "post": edit(row, knobs) }));
    }
    for route in CONTROL_ROUTES {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.to_ascii_lowercase()] = controlled(route);
    }
    let mut components = json!({ "schemas": schemas::all(knobs) });
    if let Some((_, scheme)) = scheme(knobs) {
        components["securitySchemes"] = json!({ "token": scheme });
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "playsim serve", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": components,
    })
}

fn is_there(row: &RouteRow, knobs: &Knobs) -> bool {
    match knobs.edit_routes {
        EditRoutes::All => true,
        EditRoutes::MainOnly => row.route.has_id_in_path(),
    }
}

/// Returns the security scheme, if requests must authenticate. Rule EDIT-37.
fn scheme(knobs: &Knobs) -> Option<(&'static str, Json)> {
    match knobs.edit_auth {
        EditAuth::None => None,
        EditAuth::Bearer => Some(("bearer", json!({ "type": "http", "scheme": "bearer" }))),
        EditAuth::Header => Some((
            "header",
            json!({ "type": "apiKey", "in": "header", "name": "X-Api-Key" }),
        )),
    }
}

fn edit(row: &RouteRow, knobs: &Knobs) -> Json {
    let form = schemas::form_of(row.route, knobs);
    let mut content = json!({ "multipart/form-data": { "schema": form } });
    if knobs.edit_urlencoded == Urlencoded::Accept {
        content["application/x-www-form-urlencoded"] = json!({ "schema": form });
    }
    let mut operation = json!({
        "operationId": format!("edit-{}", row.route.name()),
        "summary": "Edits a video: changes all fields that are sent, or none of them.",
        "tags": ["edit"],
        "requestBody": { "required": true, "content": content },
        "responses": responses(knobs),
    });
    if row.route.has_id_in_path() {
        operation["parameters"] = json!([{
            "name": "id", "in": "path", "required": true, "description": "The id of the video.",
            "schema": { "type": "string", "minLength": 1 }, "example": "v1",
        }]);
    }
    if scheme(knobs).is_some() {
        operation["security"] = json!([{ "token": [] }]);
    }
    operation
}

/// Returns the responses of the edit API. Rules EDIT-38, EDIT-39.
fn responses(knobs: &Knobs) -> Json {
    let success = match knobs.edit_success_shape {
        SuccessShape::Obs => Some("Edited"),
        SuccessShape::RecordOnly => Some("Video"),
        SuccessShape::Empty => None,
    };
    let (error_type, error) = match knobs.edit_error_shape {
        ErrorShape::Problem => (PROBLEM, Some("Problem")),
        ErrorShape::MessageErrorsValidation => (JSON, Some("Failure")),
        ErrorShape::EmptyBody => (PROBLEM, None),
    };
    let mut responses = json!({ "200": response("The record after the edit.", JSON, success) });
    let mut failure = |status: u16, about: &str| {
        responses[status.to_string()] = response(about, error_type, error);
    };
    failure(
        400,
        "The body is broken, contains invalid UTF-8, or has too many fields.",
    );
    if scheme(knobs).is_some() {
        failure(401, "The request has no token, or an invalid one.");
    }
    if knobs.edit_partner_check.is_on() {
        failure(403, "The video belongs to another account.");
    }
    failure(404, "There is no video with this id.");
    failure(413, "The body is too large.");
    failure(415, "The body is not a multipart form.");
    failure(
        422,
        "Some fields are invalid; the response lists all of them.",
    );
    if knobs.edit_rate != RateLimit::Off {
        failure(
            429,
            "Too many requests within a second; Retry-After says when to try again.",
        );
    }
    responses["default"] = response(BY_ORDER, error_type, error);
    if let Some(responses) = responses.as_object_mut() {
        for response in responses.values_mut() {
            response["headers"] = json!({ UNKNOWN_FIELDS: {
                "description": "The form's unknown fields, which have no effect: names separated by commas, \
                    percent-encoded, each with the known name that may be meant. Absent if there are none.",
                "schema": { "type": "string" }, "example": "Name; meant=name, foo",
            } });
        }
    }
    for (status, about) in [
        (408, "The body took too long to arrive."),
        (
            500,
            "The catalog file cannot be written; the edit is not saved.",
        ),
        (503, "The bodies of other requests use all the memory."),
    ] {
        responses[status.to_string()] = response(about, PROBLEM, Some("Problem"));
    }
    responses
}

fn controlled(route: &ControlRoute) -> Json {
    let mut responses = json!({ "200": response(reason(200), JSON, Some(route.gives)) });
    let mut failures = vec![403];
    if route.takes.is_some() {
        failures.extend([400, 408, 413, 503]);
    }
    match route.act {
        Act::PutRecords | Act::Reset => failures.push(500),
        Act::SetClock => failures.push(409),
        Act::GiveRecords | Act::GiveJournal | Act::PlanFaults | Act::GiveOpenapi => {}
    }
    failures.sort_unstable();
    for status in failures {
        responses[status.to_string()] = response(reason(status), PROBLEM, Some("Problem"));
    }
    let name = route
        .path
        .trim_start_matches("/_control/")
        .trim_end_matches(".json");
    let mut operation = json!({
        "operationId": format!("{}-{name}", route.method.to_ascii_lowercase()),
        "summary": route.about,
        "tags": ["control"],
        "responses": responses,
    });
    if let Some(takes) = route.takes {
        let content = json!({ JSON: { "schema": schemas::reference(takes) } });
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    operation
}

fn response(about: &str, content_type: &str, schema: Option<&str>) -> Json {
    match schema {
        Some(schema) => {
            let content = json!({ content_type: { "schema": schemas::reference(schema) } });
            json!({ "description": about, "content": content })
        }
        None => json!({ "description": about }),
    }
}
