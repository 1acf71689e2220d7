//! The control routes, faults, the clock, the bearer check, the rate limit.

#![expect(
    clippy::disallowed_types,
    reason = "latency is waited for in real time"
)]

use std::time::{Duration, Instant};

use serde_json::json;

use super::server::{RECORDS, Running, knobs};
use super::wire::{form, request};

const PATH: &str = "/apiv3/video/edit/v1.json";

// shows: EDIT-46
#[test]
fn records_are_put_and_read_as_a_list() {
    let server = Running::new(&[]);
    let mut wire = server.wire();
    let records = wire.control("GET", "/_control/records", "");
    assert_eq!(records.header("content-type"), Some("application/json"));
    let ids: Vec<String> = records
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["id"].to_string())
        .collect();
    assert_eq!(ids, ["\"007\"", "\"a b/ü\"", "\"v1\""]);
    let put = wire.control(
        "PUT",
        "/_control/records",
        "[{ \"id\": \"x\", \"name\": \"X\" }]",
    );
    assert_eq!((put.status, put.json()), (200, json!({ "records": 1 })));
    assert_eq!(wire.edit(PATH, &[]).status, 404);
    assert_eq!(
        wire.edit("/apiv3/video/edit/x.json", &[("name", "Y")])
            .status,
        200
    );
    // The output is accepted as input again.
    let out = wire.control("GET", "/_control/records", "");
    assert_eq!(
        wire.control("PUT", "/_control/records", out.text()).status,
        200
    );
    assert_eq!(
        wire.control("GET", "/_control/records", "").text(),
        out.text()
    );
    let empty = wire.control("PUT", "/_control/records", "[]");
    assert_eq!((empty.status, server.records()), (200, json!([])));
}

#[test]
fn an_invalid_body_is_refused_with_place_and_suggestion() {
    let server = Running::new(&[]);
    let before = server.records();
    for (method, path, body, due) in [
        (
            "PUT",
            "/_control/records",
            "[\n  { \"id\": \"x\", \"nmae\": \"X\" }\n]",
            "2:24: unknown field of a record \"nmae\"; did you mean \"name\"?",
        ),
        (
            "PUT",
            "/_control/records",
            "[{ \"id\": \"x\" }, { \"id\": \"x\" }]",
            "1:17: duplicate id \"x\"",
        ),
        ("PUT", "/_control/records", "", "1:1: EOF while parsing"),
        (
            "POST",
            "/_control/faults",
            "[{ \"sttus\": 503 }]",
            "1:13: unknown field of a fault \"sttus\"; did you mean \"status\"?",
        ),
        (
            "POST",
            "/_control/clock",
            "{ \"advance\": \"soon\" }",
            "1:14: field \"advance\" is \"soon\"; it must be a duration",
        ),
    ] {
        let answer = server.wire().control(method, path, body);
        assert_eq!(answer.status, 400, "{body}");
        let problem = answer.json();
        let first = &problem["errors"][0];
        let said = format!(
            "{}: {}",
            first["field"].as_str().unwrap(),
            first["message"].as_str().unwrap()
        );
        assert!(said.starts_with(due), "{said}");
        assert!(
            problem["detail"].as_str().unwrap().contains(due),
            "{problem}"
        );
        server.assert_untouched(&before, body);
    }
    let not_text = [
        &b"PUT /_control/records HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\n"[..],
        b"\xff\xfe",
    ]
    .concat();
    assert_eq!(server.wire().ask(&not_text).status, 400);
    for (method, path, status, allow) in [
        ("DELETE", "/_control/records", 405, Some("GET, PUT")),
        ("GET", "/_control/reset", 405, Some("POST")),
        ("GET", "/_control", 404, None),
        ("GET", "/_control/jurnal", 404, None),
    ] {
        let answer = server.wire().control(method, path, "");
        assert_eq!(
            (answer.status, answer.header("allow")),
            (status, allow),
            "{method} {path}"
        );
        assert_eq!(answer.json()["status"], status, "{}", answer.text());
    }
}

// shows: EDIT-35, EDIT-45
#[test]
fn the_journal_lists_each_call_with_the_record_before_and_after() {
    let server = Running::new(&[]);
    server
        .wire()
        .control("POST", "/_control/clock", "{ \"advance\": \"1.5s\" }");
    server
        .wire()
        .edit(PATH, &[("name", "New"), ("colour", "red")]);
    server.wire().edit(PATH, &[("channel_id", "none")]);
    let journal = server.journal();
    let [first, second] = journal.as_array().unwrap().as_slice() else {
        panic!("two calls: {journal}")
    };
    assert_eq!(
        (&first["t"], &first["status"]),
        (&json!(1_500_000), &json!(200))
    );
    assert_eq!(
        (&first["route"], &first["unknown"]),
        (&json!("v3"), &json!(["colour"]))
    );
    assert_eq!(
        (&first["before"]["name"], &first["after"]["name"]),
        (&json!("Big film"), &json!("New"))
    );
    assert_eq!(
        (&second["status"], &second["errors"][0]["field"]),
        (&json!(422), &json!("channel_id"))
    );
    assert_eq!(second["before"], second["after"]);
}

// shows: EDIT-44, EDIT-46
#[test]
fn faults_affect_the_calls_that_they_match() {
    let server = Running::new(&[]);
    let faults = json!([
        { "nth": 2, "status": 503 }, { "id": "007", "cut": true }, { "route": "v2-form", "empty": true, "always": true },
    ]);
    let planned = server
        .wire()
        .control("POST", "/_control/faults", &faults.to_string());
    assert_eq!(
        (planned.status, planned.json()),
        (200, json!({ "faults": 3 }))
    );
    let mut wire = server.wire();
    assert_eq!(wire.edit(PATH, &[("name", "One")]).status, 200);
    let refused = wire.edit(PATH, &[("name", "Two")]);
    assert_eq!((refused.status, wire.edit(PATH, &[]).status), (503, 200));
    let cut = server.wire().try_ask(&request(
        "/apiv3/video/edit/007.json",
        &form(&[("name", "Cut")]),
    ));
    assert_eq!(cut, None, "the connection is cut");
    for _ in 0..2 {
        let empty = wire.edit(
            "/apiv2/videos/edit.json",
            &[("data[Video][id]", "v1"), ("tags", "empty")],
        );
        assert_eq!((empty.status, empty.text()), (200, ""));
    }
    let names = server.records();
    assert_eq!(
        (&names[0]["name"], &names[2]["name"]),
        (&json!("Cut"), &json!("One"))
    );
    assert_eq!(
        server
            .wire()
            .control("POST", "/_control/faults", "[]")
            .json(),
        json!({ "faults": 0 })
    );
    assert_ne!(
        wire.edit("/apiv2/videos/edit.json", &[("id", "v1")]).text(),
        ""
    );
}

// shows: EDIT-44
#[test]
fn latency_takes_real_time() {
    let server = Running::new(&[]);
    server
        .wire()
        .control("POST", "/_control/faults", "[{ \"after\": \"120ms\" }]");
    let start = Instant::now();
    assert_eq!(server.wire().edit(PATH, &[("name", "Late")]).status, 200);
    assert!(start.elapsed() >= Duration::from_millis(120));
    let now = server
        .wire()
        .control("POST", "/_control/clock", "{}")
        .json();
    assert_eq!(now["t"], 0, "the server's own clock does not move");
}

// shows: EDIT-46
#[test]
fn the_clock_does_not_move_unless_it_is_set() {
    let server = Running::new(&[]);
    let mut wire = server.wire();
    let mut clock = |body: &str| wire.control("POST", "/_control/clock", body);
    assert_eq!(
        clock("{}").json(),
        json!({ "now": "2000-01-01T00:00:00Z", "t": 0, "follow": "still" })
    );
    assert_eq!(
        clock("{ \"advance\": \"90s\" }").json()["now"],
        "2000-01-01T00:01:30Z"
    );
    assert_eq!(
        clock("{ \"at\": \"2000-01-02T00:00:00Z\" }").json()["t"],
        86_400_000_000_u64
    );
    let back = clock("{ \"at\": \"2000-01-01T00:00:00Z\" }");
    assert_eq!(back.status, 409);
    assert!(
        back.text()
            .contains("the clock is at 2000-01-02T00:00:00Z and cannot go back"),
        "{}",
        back.text()
    );
    let real = clock("{ \"follow\": \"real\" }").json();
    assert_eq!(real["follow"], "real");
    assert!(real["now"].as_str() > Some("2026"), "{real}");
    assert_eq!(clock("{ \"follow\": \"still\" }").json()["follow"], "still");
    assert_eq!(clock("{}").json()["t"], clock("{}").json()["t"]);
}

// shows: EDIT-46
#[test]
fn a_reset_restores_the_initial_state() {
    let server = Running::new(&[]);
    let before = server.records();
    let mut wire = server.wire();
    wire.edit(PATH, &[("name", "Gone")]);
    wire.control("POST", "/_control/clock", "{ \"advance\": \"1h\" }");
    wire.control("POST", "/_control/faults", "[{ \"status\": 500 }]");
    assert_eq!(
        wire.control("POST", "/_control/reset", "").json(),
        json!({ "records": 3 })
    );
    assert_eq!((server.records(), server.journal()), (before, json!([])));
    assert_eq!(wire.control("POST", "/_control/clock", "{}").json()["t"], 0);
    assert_eq!(wire.edit(PATH, &[]).status, 200);
    // Records that were put become the new initial state.
    wire.control("PUT", "/_control/records", "[{ \"id\": \"x\" }]");
    wire.edit("/apiv3/video/edit/x.json", &[("name", "Gone")]);
    assert_eq!(
        wire.control("POST", "/_control/reset", "").json(),
        json!({ "records": 1 })
    );
    assert_eq!(server.records()[0]["name"], "");
}

// shows: EDIT-37
#[test]
fn a_bearer_token_is_required_when_the_knob_is_on() {
    let config = playsim::serve::ServerConfig {
        seeds: super::server::seeds(),
        knobs: knobs(&[("edit.auth", "bearer")]),
        token: Some("s3cret".to_owned()),
        ..playsim::serve::ServerConfig::default()
    };
    let server = Running::of(config);
    let body = form(&[("name", "Named")]);
    let with = |header: &str| {
        let text = String::from_utf8(request(PATH, &body)).unwrap();
        text.replacen("Host: t\r\n", &format!("Host: t\r\n{header}"), 1)
            .into_bytes()
    };
    for header in [
        "",
        "Authorization: Basic s3cret\r\n",
        "Authorization: Bearer wrong\r\n",
    ] {
        let refused = server.wire().ask(&with(header));
        assert_eq!(
            (refused.status, refused.header("www-authenticate")),
            (401, Some("Bearer realm=\"video\""))
        );
    }
    assert_eq!(server.records()[2]["name"], "Big film");
    assert_eq!(
        server
            .wire()
            .ask(&with("Authorization: bearer s3cret\r\n"))
            .status,
        200
    );
    let control = server.wire().control("GET", "/_control/records", "");
    assert_eq!(
        (control.status, &control.json()[2]["name"]),
        (200, &json!("Named"))
    );
}

// shows: EDIT-43
#[test]
fn the_rate_limit_follows_the_servers_own_clock() {
    let server = Running::new(&[("edit.rate", "2")]);
    let mut wire = server.wire();
    assert_eq!(
        [200, 200],
        [wire.edit(PATH, &[]).status, wire.edit(PATH, &[]).status]
    );
    let refused = wire.edit(PATH, &[("name", "Too fast")]);
    assert_eq!(
        (refused.status, refused.header("retry-after")),
        (429, Some("1"))
    );
    wire.control("POST", "/_control/clock", "{ \"advance\": \"1s\" }");
    assert_eq!(wire.edit(PATH, &[]).status, 200);
    assert_eq!(server.records()[2]["name"], "Big film");
}

#[test]
fn the_records_of_tests_are_read_as_users_write_them() {
    let server = Running::new(&[]);
    let put = server.wire().control(
        "PUT",
        "/_control/records",
        &format!("{{ \"videos\": {RECORDS} }}"),
    );
    assert_eq!(put.json(), json!({ "records": 3 }));
}

#[test]
fn a_page_of_another_origin_has_no_control() {
    let server = Running::new(&[]);
    let ask = |path: &str, host: &str, origin: Option<&str>| {
        let origin = origin.map_or_else(String::new, |it| format!("Origin: {it}\r\n"));
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{origin}\r\n");
        server.wire().ask(request.as_bytes()).status
    };
    let records = "/_control/records";
    for (host, origin, due) in [
        ("127.0.0.1:8080", None, 200),
        ("localhost", Some("http://localhost"), 200),
        ("127.0.0.1:8080", Some("http://127.0.0.1:8080"), 200),
        ("127.0.0.1:8080", Some("http://127.0.0.1:3000"), 403),
        ("127.0.0.1:8080", Some("https://site.test"), 403),
        ("127.0.0.1:8080", Some("null"), 403),
        ("site.test:8080", None, 403),
        ("site.test:8080", Some("http://site.test:8080"), 403),
        ("127.0.0.1.site.test", None, 403),
    ] {
        assert_eq!(ask(records, host, origin), due, "{host} {origin:?}");
        // What is not there says no more.
        let due = if due == 200 { 404 } else { due };
        assert_eq!(
            ask("/_control/nothing", host, origin),
            due,
            "{host} {origin:?}"
        );
    }
    let absolute = "GET http://site.test/_control/records HTTP/1.1\r\nHost: t\r\n\r\n";
    assert_eq!(server.wire().ask(absolute.as_bytes()).status, 403);
    // The service itself answers whoever asks.
    let edit = String::from_utf8(request(PATH, &form(&[("name", "Named")]))).unwrap();
    let edit = edit.replacen(
        "Host: t\r\n",
        "Host: site.test\r\nOrigin: http://a.test\r\n",
        1,
    );
    assert_eq!(server.wire().ask(edit.as_bytes()).status, 200);
}
