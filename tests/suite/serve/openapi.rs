//! The description and the server agree: every response that it lists is given, and every response
//! given is listed.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use playsim::knobs::{Knobs, Profile};
use playsim::serve::{Limits, openapi};
use serde_json::{Value as Json, json};

use super::program;
use super::server::{RECORDS, Running};
use super::wire::{Answer, Wire, form, request};
use crate::json_schema::Schema;

/// A description that responses are checked against.
pub(crate) struct Described(Json);

impl Described {
    pub(crate) fn with(knobs: &Knobs) -> Described {
        Described(openapi(knobs))
    }

    /// The documented operation of a method and a path template.
    fn operation(&self, method: &str, template: &str) -> Option<&Json> {
        self.0["paths"]
            .get(template)?
            .get(method.to_ascii_lowercase())
    }

    /// All operations: method in capitals, path template, definition.
    fn operations(&self) -> Vec<(String, String, &Json)> {
        let paths = self.0["paths"].as_object().expect("paths are an object");
        let of_path = |(template, path): (&String, &'_ Json)| -> Vec<(String, String)> {
            let methods = path.as_object().expect("a path is an object").keys();
            methods
                .map(|method| (method.to_ascii_uppercase(), template.clone()))
                .collect()
        };
        let all: Vec<(String, String)> = paths.iter().flat_map(of_path).collect();
        let found = |(method, template): (String, String)| {
            let operation = self
                .operation(&method, &template)
                .expect("it was just found");
            (method, template, operation)
        };
        all.into_iter().map(found).collect()
    }

    fn schema(&self, schema: &Json) -> Schema {
        let mut whole = schema.clone();
        whole["components"] = self.0["components"].clone();
        Schema::of(&whole)
    }

    /// What is wrong with a response, according to the description of the operation.
    pub(crate) fn judge(
        &self,
        method: &str,
        template: &str,
        answer: &Answer,
    ) -> Result<(), String> {
        let operation = self
            .operation(method, template)
            .ok_or(format!("{method} {template} is missing"))?;
        let responses = &operation["responses"];
        let response = responses
            .get(answer.status.to_string())
            .or(responses.get("default"));
        let response =
            response.ok_or(format!("{} is missing: {}", answer.status, answer.text()))?;
        let Some(content) = response.get("content") else {
            return if answer.body.is_empty() {
                Ok(())
            } else {
                Err(format!("a body: {}", answer.text()))
            };
        };
        if answer.body.is_empty() {
            return Err(format!("{} has no body", answer.status));
        }
        let said = answer.header("content-type").unwrap_or_default();
        let schema = &content
            .get(said)
            .ok_or(format!("{} is {said:?}", answer.status))?["schema"];
        let wrong = self.schema(schema).faults(&answer.json());
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(format!("{}: {}", answer.status, wrong.join("; ")))
        }
    }
}

#[test]
fn the_description_is_the_committed_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/edit.openapi.json");
    let text = format!("{:#}\n", openapi(&Knobs::default()));
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &text).expect("it can be written");
    }
    let committed = std::fs::read_to_string(&path).expect("it is there");
    assert!(
        text == committed,
        "the description changed; run this test with UPDATE_SCHEMA=1 and commit it"
    );
    let served = Running::new(&[])
        .wire()
        .control("GET", "/_control/openapi.json", "");
    assert_eq!(served.text(), text, "what is served is what is committed");
}

/// A request that an operation answers with this status.
fn asked(method: &str, template: &str, status: u16) -> Vec<u8> {
    let is_edit = !template.starts_with("/_control");
    let id = if template.contains("{id}") {
        vec![]
    } else {
        vec![("data[Video][id]", "v1")]
    };
    let path = template.replace("{id}", "v1");
    let edit = |fields: &[(&str, &str)]| request(&path, &form(&[&id[..], fields].concat()));
    let raw = |headers: &str, body: &str| {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: t\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    };
    let good = match template {
        "/_control/records" => "[{ \"id\": \"v1\", \"partner_id\": \"7\" }]",
        "/_control/faults" => "[]",
        _ => "{}",
    };
    let (large, larger) = ("x".repeat(100 << 10), "x".repeat(300 << 10));
    match (status, is_edit) {
        (200, true) => edit(&[
            ("name", "Other"),
            ("Chapter[timestamp][]", "0:00"),
            ("Chapter[title][]", "Start"),
        ]),
        (200, false) => raw("", if method == "GET" { "" } else { good }),
        (400, true) => raw("Content-Type: multipart/form-data; boundary=b\r\n", "--b"),
        (400, false) => raw("", "no such request"),
        (403, true) => edit(&[("partner_id", "8")]),
        (403, false) => raw("Origin: https://elsewhere.test\r\n", ""),
        (404, true) if id.is_empty() => request("/apiv3/video/edit/nobody.json", &form(&[])),
        (404, true) => request(&path, &form(&[("id", "nobody")])),
        (401, true) => request(&path, &form(&id)),
        (408, _) => {
            let whole = raw(
                "Content-Type: multipart/form-data; boundary=b\r\n",
                "nothing",
            );
            whole[..whole.len() - 1].to_vec()
        }
        (409, false) => raw("", "{ \"at\": \"1999-01-01T00:00:00Z\" }"),
        (413, true) => edit(&[("name", &larger)]),
        (413, false) => raw("", &larger),
        (415, true) => raw("Content-Type: text/plain\r\n", "name=x"),
        (422, true) => edit(&[("channel_id", "none"), ("geo", "XX")]),
        (503, true) => edit(&[("name", &large)]),
        (503, false) => raw("", &large),
        other => panic!("{method} {template}: no request is known that gives {other:?}"),
    }
}

/// Checks a response for each status that the document lists, and returns all of them.
fn assert_described(values: &[(&str, &str)], profile: Profile, fills_disks: bool) -> BTreeSet<u16> {
    let limits = Limits {
        body: Duration::from_millis(100),
        held_bytes: 64 << 10,
        control_bytes: 200 << 10,
        ..Limits::default()
    };
    let mut knobs = profile.knobs();
    for (name, value) in [&[("edit.max_body", "200KiB")], values].concat() {
        knobs
            .set(name, value)
            .expect("the knob exists and accepts the value");
    }
    let described = Described::with(&knobs);
    let mut named = BTreeSet::new();
    for (method, template, operation) in described.operations() {
        for status in operation["responses"]
            .as_object()
            .expect("answers are an object")
            .keys()
        {
            if status == "500" && !fills_disks {
                continue;
            }
            let server = Running::with(knobs.clone(), limits);
            let mut wire = server.wire();
            let (status, answer) = match status.as_str() {
                // Applies to every operation; shown with one that has no response like it.
                "default" => {
                    wire.control("POST", "/_control/faults", "[{ \"status\": 502 }]");
                    (502, wire.ask(&token(asked(&method, &template, 200))))
                }
                "500" => (500, with_a_full_disk(&method, &template)),
                "429" => {
                    let once = token(asked(&method, &template, 200));
                    wire.ask(&once);
                    (429, wire.ask(&once))
                }
                "401" => (401, wire.ask(&asked(&method, &template, 401))),
                status => {
                    let status = status.parse().expect("a status is a number");
                    (status, wire.ask(&token(asked(&method, &template, status))))
                }
            };
            named.insert(status);
            assert_eq!(
                answer.status,
                status,
                "{method} {template}: {}",
                answer.text()
            );
            let verdict = described.judge(&method, &template, &answer);
            assert_eq!(verdict, Ok(()), "{method} {template} {status}");
            wire_is_well(&server);
        }
    }
    named
}

/// The request with a token, for servers that require one.
fn token(request: Vec<u8>) -> Vec<u8> {
    let at = request
        .windows(9)
        .position(|bytes| bytes == b"Host: t\r\n")
        .expect("every request has a host")
        + 9;
    [
        &request[..at],
        b"Authorization: Bearer t\r\n",
        &request[at..],
    ]
    .concat()
}

fn wire_is_well(server: &Running) {
    assert_eq!(
        server.wire().control("GET", "/_control/journal", "").status,
        200
    );
}

/// The response of a server whose disk is full.
fn with_a_full_disk(method: &str, template: &str) -> Answer {
    let folder = program::folder("full_described");
    // A reset rewrites all records.
    let much = "x".repeat(4 << 20);
    let large = json!([{ "id": "v1", "name": &much }]).to_string();
    let is_reset = template == "/_control/reset";
    let program = program::full(&folder, if is_reset { &large } else { RECORDS });
    let path = template.replace("{id}", "v1");
    let mut wire = Wire::to(program.address);
    match method {
        "PUT" => wire.control(method, &path, &large),
        _ if is_reset => wire.control(method, &path, ""),
        _ => wire.edit(&path, &[("data[Video][id]", "v1"), ("name", &much)]),
    }
}

// shows: EDIT-38, EDIT-39, EDIT-46
#[cfg(unix)]
#[test]
fn every_described_response_occurs() {
    let named = assert_described(&[], Profile::Default, true);
    let due = BTreeSet::from([200, 400, 403, 404, 408, 409, 413, 415, 422, 500, 502, 503]);
    assert_eq!(named, due);
}

// shows: EDIT-37, EDIT-43
#[cfg(unix)]
#[test]
fn every_response_is_described_under_other_knobs_too() {
    let named = assert_described(&[("edit.rate", "1")], Profile::Observed, false);
    assert!(named.contains(&401) && named.contains(&429), "{named:?}");
    for shape in ["record_only", "empty"] {
        assert_described(
            &[
                ("edit.success_shape", shape),
                ("edit.error_shape", "empty_body"),
            ],
            Profile::Default,
            false,
        );
    }
    let routes = [
        ("edit.routes", "main_only"),
        ("edit.prefix", "by_route"),
        ("edit.read_date", "Y-m-d"),
    ];
    assert_described(&routes, Profile::Default, false);
}

#[test]
fn every_reference_of_the_description_resolves() {
    let text = openapi(&Knobs::default()).to_string();
    let document = openapi(&Knobs::default());
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap_or_default();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
    let schemas = document["components"]["schemas"]
        .as_object()
        .expect("schemas are an object");
    for (name, schema) in schemas {
        let is_used = text.contains(&format!("#/components/schemas/{name}\""));
        assert!(
            is_used || name == "Failure" || name == "Video",
            "nothing refers to {name}"
        );
        Described(document.clone()).schema(schema);
    }
}
