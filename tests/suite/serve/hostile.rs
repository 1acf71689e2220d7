//! Requests that no client should send: each is answered according to the rules, nothing is
//! written, and the server goes on.

use std::time::Duration;

use playsim::knobs::Knobs;
use playsim::serve::Limits;

use super::server::{Running, knobs};
use super::wire::{BOUNDARY, form, request};

const PATH: &str = "/apiv3/video/edit/v1.json";

/// A part of a form with this disposition.
fn part(disposition: &str, value: &[u8]) -> Vec<u8> {
    let head = format!("--{BOUNDARY}\r\nContent-Disposition: {disposition}\r\n\r\n");
    [head.as_bytes(), value, b"\r\n"].concat()
}

fn end() -> Vec<u8> {
    format!("--{BOUNDARY}--\r\n").into_bytes()
}

/// A valid part, so that a partial write would be noticed.
fn good() -> Vec<u8> {
    part("form-data; name=\"name\"", b"Written")
}

/// A request of any type.
fn typed(content_type: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nHost: t\r\n{content_type}Content-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn assert_each_refused(cases: &[(&str, u16, Vec<u8>)], knobs: Knobs, limits: Limits) {
    let server = Running::with(knobs, limits);
    let before = server.records();
    for (what, status, bytes) in cases {
        let answer = server.wire().ask(bytes);
        assert_eq!(
            answer.status,
            *status,
            "{what}: {}",
            String::from_utf8_lossy(&answer.body)
        );
        server.assert_untouched(&before, what);
    }
}

fn assert_refused(cases: &[(&str, u16, Vec<u8>)]) {
    assert_each_refused(cases, Knobs::default(), Limits::default());
}

// shows: EDIT-4, EDIT-5, EDIT-49
#[test]
fn malformed_forms_write_nothing() {
    let multipart = "Content-Type: multipart/form-data; boundary=----playsim\r\n";
    let name_of_bytes = [b"form-data; name=\"n", &b"\xff\xfe"[..], b"\""].concat();
    let bad_name = [
        format!("--{BOUNDARY}\r\nContent-Disposition: ").as_bytes(),
        &name_of_bytes,
        b"\r\n\r\nx\r\n",
        &end(),
    ]
    .concat();
    let whole = [good(), end()].concat();
    assert_refused(&[
        ("no type", 415, typed("", &whole)),
        (
            "plain text",
            415,
            typed("Content-Type: text/plain\r\n", b"name=x"),
        ),
        (
            "JSON",
            415,
            typed("Content-Type: application/json\r\n", b"{\"name\":\"x\"}"),
        ),
        (
            "URL-encoded",
            415,
            typed(
                "Content-Type: application/x-www-form-urlencoded\r\n",
                b"name=x",
            ),
        ),
        (
            "other multipart",
            415,
            typed(
                "Content-Type: multipart/mixed; boundary=----playsim\r\n",
                &whole,
            ),
        ),
        (
            "no boundary",
            400,
            typed("Content-Type: multipart/form-data\r\n", &whole),
        ),
        (
            "empty boundary",
            400,
            typed(
                "Content-Type: multipart/form-data; boundary=\"\"\r\n",
                &whole,
            ),
        ),
        (
            "another boundary",
            400,
            typed(
                "Content-Type: multipart/form-data; boundary=zzz\r\n",
                &whole,
            ),
        ),
        ("empty body", 400, typed(multipart, b"")),
        ("no end", 400, typed(multipart, &good())),
        (
            "an end cut short",
            400,
            typed(multipart, &whole[..whole.len() - 4]),
        ),
        (
            "headers without end",
            400,
            typed(multipart, format!("--{BOUNDARY}\r\nContent-Dis").as_bytes()),
        ),
        (
            "no disposition",
            400,
            typed(
                multipart,
                &[good(), format!("--{BOUNDARY}\r\n\r\nx\r\n").into(), end()].concat(),
            ),
        ),
        (
            "no name",
            400,
            typed(
                multipart,
                &[good(), part("form-data", b"x"), end()].concat(),
            ),
        ),
        (
            "a name without a quote",
            400,
            typed(
                multipart,
                &[good(), part("form-data; name=\"x", b"x"), end()].concat(),
            ),
        ),
        (
            "an empty name",
            400,
            typed(
                multipart,
                &[good(), part("form-data; name=\"\"", b"x"), end()].concat(),
            ),
        ),
        (
            "a value that is not UTF-8",
            400,
            typed(
                multipart,
                &[good(), part("form-data; name=\"tags\"", b"\xc3\x28"), end()].concat(),
            ),
        ),
        ("a name that is not UTF-8", 400, typed(multipart, &bad_name)),
        (
            "lines that end with LF alone",
            400,
            typed(
                multipart,
                String::from_utf8(whole.clone())
                    .unwrap()
                    .replace("\r\n", "\n")
                    .as_bytes(),
            ),
        ),
        ("nothing but NUL", 400, typed(multipart, &[0; 4096])),
    ]);
}

// shows: EDIT-7
#[test]
fn thousands_of_fields_and_deep_names_write_nothing() {
    let many: Vec<(String, String)> = (0..5000)
        .map(|n| (format!("x{n}"), "1".to_owned()))
        .collect();
    let mut many: Vec<(&str, &str)> = many
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    many.insert(0, ("name", "Written"));
    let deep = format!("a{}", "[b]".repeat(65));
    let abyss = format!("a{}", "[".repeat(100_000));
    assert_refused(&[
        ("thousands of fields", 400, request(PATH, &form(&many))),
        (
            "65 levels",
            400,
            request(PATH, &form(&[("name", "Written"), (&deep, "1")])),
        ),
    ]);
    // Unclosed brackets are part of an unknown name.
    let server = Running::new(&[]);
    let answer = server.wire().ask(&request(PATH, &form(&[(&abyss, "1")])));
    assert!([200, 400].contains(&answer.status), "{}", answer.text());
}

// shows: EDIT-42
#[test]
fn large_bodies_are_413_and_not_kept_in_memory() {
    let limits = Limits {
        held_bytes: 256 << 10,
        drained_bytes: 8 << 20,
        ..Limits::default()
    };
    let server = Running::with(knobs(&[("edit.max_body", "64KiB")]), limits);
    let before = server.records();
    let large = form(&[("name", &"x".repeat(4 << 20))]);
    let head = |length: &str| {
        format!(
            "POST {PATH} HTTP/1.1\r\nHost: t\r\nContent-Type: multipart/form-data; boundary={BOUNDARY}\r\n{length}\r\n"
        )
    };
    let announced = server.wire().ask(&request(PATH, &large));
    assert_eq!(announced.status, 413, "{}", announced.text());
    server.assert_untouched(&before, "announced");
    // No client sends 9 exabytes: one that sends `Expect` gets the refusal at once.
    let mut wire = server.wire();
    let asks = head("Content-Length: 9000000000000000000\r\nExpect: 100-continue\r\n");
    assert_eq!(wire.ask(asks.as_bytes()).status, 413);
    server.assert_untouched(&before, "asked first");
    let mut wire = server.wire();
    wire.send(head("Transfer-Encoding: chunked\r\n").as_bytes())
        .unwrap();
    let chunk = [b"10000\r\n", &vec![b'x'; 0x10000][..], b"\r\n"].concat();
    for _ in 0..32 {
        wire.send(&chunk)
            .expect("a body that is too large is read to its end");
    }
    assert_eq!(wire.ask(b"0\r\n\r\n").status, 413);
    server.assert_untouched(&before, "in chunks");
    let exact = form(&[("name", "x")]);
    let fits = form(&[("name", &"x".repeat((64 << 10) - exact.len() + 1))]);
    assert_eq!(fits.len(), 64 << 10);
    assert_eq!(
        server.wire().ask(&request(PATH, &fits)).status,
        200,
        "a body of exactly the limit is accepted"
    );
}

#[test]
fn bodies_share_a_memory_limit() {
    let limits = Limits {
        held_bytes: 64 << 10,
        ..Limits::default()
    };
    let server = Running::with(Knobs::default(), limits);
    let bytes = request(PATH, &form(&[("name", &"x".repeat(48 << 10))]));
    let (most, rest) = bytes.split_at(bytes.len() - 10);
    let mut uploads = [server.wire(), server.wire()];
    for wire in &mut uploads {
        wire.send(most).unwrap();
    }
    // There is not enough capacity for both: one of them is refused before its end.
    let refused = 'refused: loop {
        for (index, wire) in uploads.iter_mut().enumerate() {
            if wire.has_answer_within(Duration::from_millis(20)) {
                break 'refused index;
            }
        }
    };
    let answer = uploads[refused].answer().unwrap().unwrap();
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (503, Some("1"))
    );
    let other = uploads[1 - refused].ask(rest);
    assert!([200, 503].contains(&other.status), "{}", other.status);
    assert_eq!(
        server.wire().ask(&bytes).status,
        200,
        "the capacity is free again"
    );
}

#[test]
fn slow_and_cut_uploads_write_nothing() {
    let limits = Limits {
        head: Duration::from_millis(300),
        body: Duration::from_millis(300),
        ..Limits::default()
    };
    let server = Running::with(Knobs::default(), limits);
    let before = server.records();
    let bytes = request(PATH, &form(&[("name", "Written")]));
    let slow = server.wire().ask(&bytes[..bytes.len() - 5]);
    assert_eq!(slow.status, 408, "{}", slow.text());
    server.assert_untouched(&before, "a slow body");
    let mut wire = server.wire();
    wire.send(&bytes[..40]).unwrap();
    assert_eq!(
        wire.answer().unwrap_or(None),
        None,
        "a head that does not end is not answered"
    );
    server.assert_untouched(&before, "a slow head");
    for at in (0..bytes.len()).step_by(7) {
        let mut wire = server.wire();
        wire.send(&bytes[..at]).unwrap();
        if at % 2 == 0 {
            wire.close_sending();
            let answer = wire.answer().unwrap_or(None);
            assert!(
                answer.is_none_or(|answer| answer.status == 400),
                "cut after {at} bytes"
            );
        }
        drop(wire);
    }
    server.assert_untouched(&before, "cut uploads");
}

// shows: EDIT-1, EDIT-3
#[test]
fn paths_are_matched_exactly() {
    let body = form(&[("name", "Written")]);
    let cases = [
        ("up and down", 404, "/apiv3/video/edit/../edit/v1.json"),
        ("up, encoded", 404, "/apiv3/video/edit/%2e%2e/edit/v1.json"),
        ("out", 404, "/../apiv3/video/edit/v1.json"),
        ("two slashes", 404, "/apiv3//video/edit/v1.json"),
        (
            "two slashes at the start",
            404,
            "//apiv3/video/edit/v1.json",
        ),
        ("a slash at the end", 404, "/apiv3/video/edit/v1.json/"),
        ("capitals", 404, "/APIv3/video/edit/v1.json"),
        ("another version", 404, "/apiv1/videos/edit.json"),
        ("no ending", 404, "/apiv3/video/edit/v1"),
        ("no id", 404, "/apiv3/video/edit/.json"),
        ("an unknown id", 404, "/apiv3/video/edit/nobody.json"),
        ("a NUL", 404, "/apiv3/video/edit/v1%00.json"),
        (
            "bytes that are not UTF-8",
            400,
            "/apiv3/video/edit/%ff%fe.json",
        ),
        ("the root", 404, "/"),
        ("an unknown control route", 404, "/_control/nothing"),
        ("a control route, encoded", 404, "/%5fcontrol/reset"),
    ];
    let cases: Vec<(&str, u16, Vec<u8>)> = cases
        .iter()
        .map(|(what, status, path)| (*what, *status, request(path, &body)))
        .collect();
    assert_refused(&cases);
}

#[test]
fn an_absolute_request_target_and_an_encoded_id_are_accepted() {
    let server = Running::new(&[]);
    for path in [
        "http://other.test/apiv3/video/edit/v1.json",
        "/apiv3/video/edit/v1.json?a=b",
        "/apiv3/video/edit/%76%31.json",
        "/apiv3/video/edit/007.json",
        "/apiv3/video/edit/a%20b%2F%C3%BC.json",
    ] {
        let answer = server.wire().edit(path, &[("name", "Seen")]);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
    let names: Vec<String> = server
        .records()
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["name"].to_string())
        .collect();
    assert_eq!(names, ["\"Seen\""; 3]);
}

// shows: EDIT-3
#[test]
fn other_methods_are_405_with_the_allowed_ones() {
    let server = Running::new(&[]);
    let before = server.records();
    for path in [PATH, "/apiv3/videos/edit.json", "/apiv2/videos/edit.json"] {
        for method in [
            "GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PURGE", "post",
        ] {
            let mut wire = server.wire();
            let head = format!("{method} {path} HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
            wire.send(head.as_bytes()).unwrap();
            let answer = if method == "HEAD" {
                wire.head()
            } else {
                wire.answer().unwrap().unwrap()
            };
            assert_eq!(
                (answer.status, answer.header("allow")),
                (405, Some("POST")),
                "{method} {path}"
            );
        }
    }
    server.assert_untouched(&before, "methods");
}

#[test]
fn malformed_http_does_no_harm() {
    let server = Running::new(&[]);
    let before = server.records();
    let huge_header = format!(
        "POST {PATH} HTTP/1.1\r\nHost: t\r\nX: {}\r\n\r\n",
        "x".repeat(1 << 20)
    );
    let many_headers = format!(
        "POST {PATH} HTTP/1.1\r\nHost: t\r\n{}\r\n",
        "X: x\r\n".repeat(5000)
    );
    let long_path = format!("POST /{} HTTP/1.1\r\nHost: t\r\n\r\n", "x".repeat(1 << 20));
    let smuggled = format!(
        "POST {PATH} HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    );
    let cases: &[(&str, &[u8])] = &[
        ("a header of a megabyte", huge_header.as_bytes()),
        ("thousands of headers", many_headers.as_bytes()),
        ("a path of a megabyte", long_path.as_bytes()),
        ("two lengths", b"POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"),
        ("a length that is not a number", b"POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n"),
        ("length and chunks", smuggled.as_bytes()),
        ("a bad chunk", b"POST /apiv3/video/edit/v1.json HTTP/1.1\r\nHost: t\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        ("no HTTP", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
        ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        ("NUL", &[0; 10_000]),
        ("a NUL in the path", b"POST /apiv3/video/edit/v1\x00.json HTTP/1.1\r\nHost: t\r\n\r\n"),
        ("nothing", b""),
    ];
    for (what, bytes) in cases {
        let mut wire = server.wire();
        // The server may close the connection before everything is sent.
        let _ = wire.send(bytes);
        let _ = wire.try_close_sending();
        if let Ok(Some(answer)) = wire.answer() {
            assert!(
                (400..=431).contains(&answer.status) || answer.status == 505,
                "{what}: {}",
                answer.status
            );
        }
        server.assert_untouched(&before, what);
    }
}

#[test]
fn large_calls_do_not_accumulate_in_the_journal() {
    let server = Running::new(&[]);
    let large = request(PATH, &form(&[("name", &"x".repeat(9 << 20))]));
    let mut wire = server.wire();
    for _ in 0..10 {
        assert_eq!(wire.ask(&large).status, 200);
    }
    assert_eq!(wire.edit(PATH, &[("name", "Small")]).status, 200);
    let journal = server.journal();
    let numbers: Vec<&serde_json::Value> = journal
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["number"])
        .collect();
    assert_eq!(
        numbers,
        [4, 5, 6, 7, 8, 9, 10, 11],
        "the oldest are dropped"
    );
}
