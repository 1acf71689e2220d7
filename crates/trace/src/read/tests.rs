//! Accepted JSON lines, and the messages for others.

use super::*;
use crate::{Filter, View, write_jsonl};

fn wrong(text: &str) -> String {
    read_jsonl("a.jsonl", text)
        .expect_err("it is not a trace")
        .to_string()
}

fn written(trace: &Trace) -> String {
    let mut text = String::new();
    let filter = Filter {
        view: View::All,
        ..Filter::default()
    };
    write_jsonl(trace, &filter, true, &mut text).expect("writing to a string cannot fail");
    text
}

const OURS: &str = concat!(
    r#"{"t":0,"seq":0,"kind":"header","name":"playsim-trace","data":{"version":1,"profile":"default","seed":0},"rule":"TRACE-6"}"#,
    "\n",
    r#"{"t":0,"seq":1,"player":"main","kind":"call","name":"volume","data":{"args":[0.5,null,"Infinity",["function L"],{"a\"b":-1.25}],"returns":true},"rule":"VOL-1"}"#,
    "\n",
    r#"{"t":250000,"seq":2,"player":"main","kind":"event","name":"timeupdate","cause":1,"rule":"MEL-15"}"#,
    "\n",
    r#"{"t":500000,"seq":3,"player":"main","kind":"event","name":"timeupdate","cause":1,"rule":"MEL-15"}"#,
    "\n",
    r#"{"t":500000,"seq":4,"kind":"outcome","name":"idle","data":{"lines":4,"digest":"000000000000000000000000000000ff"},"cause":3,"rule":"CLK-7"}"#,
    "\n"
);

#[test]
fn what_is_read_is_written_again_byte_for_byte() {
    let trace = read_jsonl("a.jsonl", OURS).expect("it is a trace");
    assert_eq!(written(&trace), OURS);
    assert_eq!(trace.digest, Digest(255));
    assert_eq!(trace.players, [Arc::from("main")]);
    let call = crate::line_words(&trace.records[1]);
    assert_eq!(
        call,
        "> volume(0.5, null, Infinity, [L], { a\"b: -1.25 })  = true"
    );
}

#[test]
fn a_recording_needs_time_kind_and_name_only() {
    let text = "\u{feff}{\"t\":5,\"kind\":\"event\",\"name\":\"play\",\"data\":{}}\r\n\n\
                {\"name\":\"timeupdate\",\"kind\":\"event\",\"t\":9,\"player\":null,\"data\":{\"at\":0.30000000000000004}}";
    let trace = read_jsonl("a.jsonl", text).expect("it is a trace");
    assert_eq!(
        written(&trace),
        "{\"t\":5,\"seq\":0,\"kind\":\"event\",\"name\":\"play\"}\n\
         {\"t\":9,\"seq\":1,\"kind\":\"event\",\"name\":\"timeupdate\",\"data\":{\"at\":0.3}}\n"
    );
    assert_eq!(trace.digest, Digest::default());
}

#[test]
fn an_error_has_its_place_and_a_suggestion() {
    let line = |rest: &str| {
        format!("{{\"t\":1,\"kind\":\"event\",\"name\":\"play\"}}\n{{\"t\":1,{rest}}}\n")
    };
    let due = [
        (
            line("\"kind\":\"evnt\",\"name\":\"x\""),
            "a.jsonl:2:15: unknown kind \"evnt\"; did you mean \"event\"?",
        ),
        (
            line("\"knd\":\"event\",\"name\":\"x\""),
            "a.jsonl:2:8: unknown field of a line \"knd\"; did you mean \"kind\"?",
        ),
        (
            line("\"kind\":\"event\""),
            "a.jsonl:2:1: this line has no \"name\"; it needs one, like \"name\":\"play\"",
        ),
        (
            line("\"kind\":\"event\",\"name\":7"),
            "a.jsonl:2:30: \"name\" is 7; it must be a string",
        ),
        (line("\"t\":2"), "a.jsonl:2:8: duplicate key \"t\""),
        (
            line("\"kind\":\"event\",\"name\":\"x\",\"data\":[1]"),
            "a.jsonl:2:41: \"data\" is [1]; it must be an object, like {\"code\":303}",
        ),
        (
            line("\"kind\":\"event\",\"name\":\"x\",\"seq\":-1"),
            "a.jsonl:2:40: \"seq\" is -1; it must be the number of a line, like 7",
        ),
        (
            line("\"kind\":\"event\",\"name\":\"x\",\"rule\":\"PLYA-4\""),
            "a.jsonl:2:41: unknown rule \"PLYA-4\"; did you mean \"PLAY-4\"?",
        ),
        (
            line("\"kind\":\"event\",\"name\":\"x\",\"data\":{\"n\":1e30}"),
            "a.jsonl:2:46: the number 1e30 is too large for a trace",
        ),
        (
            "{\"t\":1.5,\"kind\":\"event\",\"name\":\"x\"}".to_owned(),
            "a.jsonl:1:6: \"t\" is 1.5; it must be a whole number of microseconds, like 1500000",
        ),
        (
            "{\"t\":0,\"kind\":\"header\",\"name\":\"playsim-trace\",\"data\":{\"version\":2}}"
                .to_owned(),
            "a.jsonl:1:1: this is a trace of version 2; this playsim reads version 1",
        ),
        ("\n \n".to_owned(), "a.jsonl:1:1: the trace is empty"),
    ];
    for (text, message) in due {
        assert_eq!(wrong(&text), message);
    }
}

#[test]
fn a_line_that_is_not_an_object_is_an_error() {
    for (text, due) in [
        (
            "[{\"t\":1}]",
            "a.jsonl:1:1: this is a list; a trace has one object per line, without commas",
        ),
        (
            "{\n\"t\":1}",
            "a.jsonl:1:1: this is not a JSON object: EOF while parsing an object; a trace has one",
        ),
        (
            "{\"t\":1,}",
            "a.jsonl:1:8: this is not a JSON object: trailing comma; a trace has one object",
        ),
        (
            "play\n",
            "a.jsonl:1:1: this is not a JSON object; a trace has one object per line",
        ),
    ] {
        assert!(wrong(text).starts_with(due), "{}", wrong(text));
    }
}

#[test]
fn data_nested_too_deeply_is_refused() {
    let deep = format!(
        "{{\"t\":1,\"kind\":\"event\",\"name\":\"x\",\"data\":{{\"a\":{}{}}}}}",
        "[".repeat(100),
        "]".repeat(100)
    );
    assert!(
        wrong(&deep).ends_with("data are nested deeper than 64 levels, the limit"),
        "{}",
        wrong(&deep)
    );
    let deeper = deep
        .replace('[', &"[".repeat(1000))
        .replace(']', &"]".repeat(1000));
    assert!(wrong(&deeper).starts_with("a.jsonl:1:"));
}
