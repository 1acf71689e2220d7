//! Which changes count as differences, and how differences are printed.

use super::*;
use playsim_base::time::Span;
use playsim_trace::{Pattern, View, read_jsonl};

fn all() -> Filter {
    Filter {
        view: View::All,
        ..Filter::default()
    }
}

/// Returns a side of lines such as `0.5 event play {"a":1} <3`; data and cause are optional.
fn side(name: &str, lines: &str) -> Side {
    let line = |line: &str| {
        let mut words = line.split(' ');
        let at = Span::from_micros((words.next()?.parse::<u64>().ok()?) * 1_000);
        let (kind, name) = (words.next()?, words.next()?);
        let mut json = format!(
            "{{\"t\":{},\"kind\":\"{kind}\",\"name\":\"{name}\"",
            at.micros()
        );
        for word in words {
            match word.strip_prefix('<') {
                Some(cause) => json.push_str(&format!(",\"cause\":{cause}")),
                None => json.push_str(&format!(",\"data\":{word}")),
            }
        }
        Some(json + "}")
    };
    let header = "{\"t\":0,\"kind\":\"header\",\"name\":\"playsim-trace\",\"data\":{\"version\":1,\"seed\":0}}";
    let lines: Vec<String> = lines
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .filter_map(line)
        .collect();
    let text = format!("{header}\n{}", lines.join("\n"));
    Side::of_trace(
        name,
        read_jsonl(name, &text).expect("it is a trace"),
        &all(),
    )
}

fn printed(first: &str, second: &str, within: Span) -> String {
    let (first, second) = (side("a", first), side("b", second));
    let comparison = compare(&first, &second, within);
    let mut text = String::new();
    if !comparison.is_equal() {
        comparison
            .write(usize::MAX, &mut text)
            .expect("writing to a string cannot fail");
    }
    text
}

/// Returns the signs and words of the lines that differ.
fn signs(first: &str, second: &str) -> Vec<String> {
    let text = printed(first, second, Span::ZERO);
    let places = text.lines().skip_while(|line| !line.contains("place"));
    let rows = places
        .filter(|line| line.starts_with(['-', '+', '~']) && line.as_bytes().get(2) == Some(&b' '));
    rows.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn the_order_of_data_and_the_numbers_of_requests_are_not_compared() {
    let first =
        "0 event adError {\"code\":303,\"message\":\"x\"}\n0 net request {\"id\":1,\"url\":\"a\"}";
    let second = "0 event adError {\"message\":\"x\",\"code\":303.0}\n0 net request {\"id\":7,\"url\":\"a\"}";
    assert_eq!(printed(first, second, Span::ZERO), "");
}

#[test]
fn different_data_is_reported_line_by_line() {
    let first = "0 event play\n1000 event adError {\"code\":303}\n1000 event start";
    let second = first.replace("303", "301");
    assert_eq!(
        signs(first, &second),
        ["- 1.000000 adError code=303", "+ adError code=301"]
    );
    let state = "0 state playing {\"from\":\"initial\"}";
    assert_eq!(
        signs(state, &state.replace("initial", "paused")),
        [
            "- 0.000000 * state playing (from=\"initial\")",
            "+ * state playing (from=\"paused\")"
        ]
    );
}

#[test]
fn an_extra_line_does_not_affect_later_lines() {
    let first = "0 event play\n0 event start\n1000 event pause";
    let second = "0 event play\n0 event beforeStart\n0 event start\n1000 event pause";
    assert_eq!(signs(first, second), ["+ beforeStart"]);
}

#[test]
fn one_delay_is_one_place_and_may_be_tolerated() {
    let first =
        "0 event play\n1000 event adStart\n2000 event adEnd\n3000 event start\n9000 event ended";
    let second =
        "0 event play\n1200 event adStart\n2200 event adEnd\n3200 event start\n9200 event ended";
    let text = printed(first, second, Span::ZERO);
    assert!(
        text.contains("1 place differs, after 1 identical line"),
        "{text}"
    );
    assert!(
        text.contains("~      1.000000        adStart  (0.200000 s later)\n"),
        "{text}"
    );
    assert!(
        text.contains("... and the next 3 lines, also 0.200000 s later\n"),
        "{text}"
    );
    assert_eq!(printed(first, second, Span::from_millis(200)), "");
    assert_ne!(printed(first, second, Span::from_millis(199)), "");
}

#[test]
fn time_updates_are_aligned_between_the_other_lines() {
    let beat = |times: &[u64]| -> String {
        times
            .iter()
            .map(|at| format!("{at} event timeupdate\n"))
            .collect::<Vec<_>>()
            .concat()
    };
    let first = format!(
        "0 event start\n{}1100 event ended",
        beat(&[250, 500, 750, 1000])
    );
    let second = format!(
        "0 event start\n{}1100 event ended",
        beat(&[250, 500, 600, 750, 1000])
    );
    assert_eq!(signs(&first, &second), ["+ 0.600000 timeupdate"]);
    let none = "0 event start\n1100 event ended";
    assert_eq!(
        signs(&first, none),
        ["- 0.250000 timeupdate 4 times, every 0.250000, to 1.000000"],
        "updates on one side only are one line"
    );
    let (a, b) = (side("a", &first), side("b", none));
    assert!(compare(&a, &b, Span::ZERO).differs_in_updates_only());
    let slow = format!(
        "0 event start\n{}1100 event ended",
        beat(&[260, 520, 780, 1040])
    );
    assert_eq!(signs(&first, &slow).len(), 4);
    assert_eq!(printed(&first, &slow, Span::from_millis(40)), "");
}

#[test]
fn the_first_difference_has_its_causes_on_both_sides() {
    let first = "0 call play\n1 net response {\"url\":\"a\",\"status\":200} <1\n1 event adStart <2";
    let second =
        "0 call play\n1 net response {\"url\":\"a\",\"status\":404} <1\n1 event adError <2";
    let text = printed(first, second, Span::ZERO);
    let causes: Vec<&str> = text.lines().skip_while(|line| *line != "- a has").collect();
    assert_eq!(
        causes,
        [
            "- a has",
            "         seq 2       0.001000  < a  200",
            "      <- seq 1       0.000000  > play",
            "",
            "+ b has",
            "         seq 2       0.001000  < a  404",
            "      <- seq 1       0.000000  > play",
        ]
    );
    let end = printed("0 event play\n1 event start", "0 event play", Span::ZERO);
    assert!(end.ends_with("\n+ b has no more lines here\n"), "{end}");
}

#[test]
fn only_the_kinds_of_lines_in_a_recording_are_compared() {
    let ours = side(
        "a",
        "0 call play\n0 event play {\"at\":1}\n5 state playing\n5 event start",
    );
    let text = "{\"t\":0,\"kind\":\"event\",\"name\":\"play\",\"data\":{\"at\":1}}\n\
                {\"t\":5000,\"kind\":\"event\",\"name\":\"start\"}";
    let recording = Side::of_trace("b", read_jsonl("b", text).expect("it is a trace"), &all());
    assert!(recording.is_recording() && !ours.is_recording());
    let comparison = compare(&ours, &recording, Span::ZERO);
    assert!(comparison.is_equal());
    assert_eq!(comparison.compared(), 2);
}

#[test]
fn text_form_is_compared_by_its_words() {
    let text = "playsim trace 1  profile default  seed 0\n\
                \x20    0.000000  main  > volume(undefined)\n\
                \x20                    = 0.5\n\
                \x20    0.001000  main  @\n\
                \x20                    play\n\
                \x20    0.001000        idle  main playing\n";
    let lines = "{\"t\":0,\"kind\":\"header\",\"name\":\"playsim-trace\",\"data\":{\"version\":1,\"profile\":\"default\",\"seed\":7}}\n\
                 {\"t\":0,\"seq\":4,\"player\":\"main\",\"kind\":\"call\",\"name\":\"volume\",\"data\":{\"args\":[null],\"returns\":0.5}}\n\
                 {\"t\":1000,\"seq\":9,\"player\":\"main\",\"kind\":\"event\",\"name\":\"play\",\"cause\":4}\n\
                 {\"t\":1000,\"seq\":10,\"kind\":\"outcome\",\"name\":\"idle\",\"data\":{\"states\":{\"main\":\"playing\"},\"digest\":\"00\"}}";
    let text = Side::of_text("a", text, &all()).expect("it is a trace");
    let lines = Side::of_trace("b", read_jsonl("b", lines).expect("it is a trace"), &all());
    let comparison = compare(&text, &lines, Span::ZERO);
    assert!(comparison.is_equal(), "{comparison:?}");
    let heads = comparison.other_heads().expect("the seeds differ");
    assert!(
        heads.0.ends_with("seed 0") && heads.1.ends_with("seed 7"),
        "{heads:?}"
    );
}

#[test]
fn a_filter_chooses_what_is_compared() {
    let only = Filter {
        only: vec![Pattern::new("ad*")],
        ..all()
    };
    let read = |text: &str| read_jsonl("a", text).expect("it is a trace");
    let first = "{\"t\":0,\"kind\":\"event\",\"name\":\"adStart\"}\n{\"t\":0,\"kind\":\"event\",\"name\":\"play\"}";
    let second = "{\"t\":0,\"kind\":\"event\",\"name\":\"adStart\"}";
    let sides = [
        Side::of_trace("a", read(first), &only),
        Side::of_trace("b", read(second), &only),
    ];
    assert!(compare(&sides[0], &sides[1], Span::ZERO).is_equal());
    assert!(!sides[0].is_empty());
}

#[test]
fn no_more_than_the_requested_lines_are_written() {
    let first: String = (0..50)
        .map(|n| format!("{n} event play {{\"n\":{n}}}\n"))
        .collect();
    let (a, b) = (side("a", &first), side("b", "0 event pause"));
    let comparison = compare(&a, &b, Span::ZERO);
    let mut text = String::new();
    assert_eq!(comparison.write(10, &mut text), Ok(false));
    assert_eq!(
        text.lines().filter(|line| line.contains(" play ")).count(),
        10 + 1,
        "{text}"
    );
    assert_eq!(comparison.write(1_000, &mut text), Ok(true));
}

#[test]
fn wide_characters_of_a_container_take_two_columns() {
    let side = |name: &str, event: &str| {
        let text = format!(
            "{{\"t\":0,\"seq\":1,\"player\":\"広告\",\"kind\":\"event\",\"name\":\"{event}\"}}\n\
             {{\"t\":0,\"seq\":2,\"player\":\"b\",\"kind\":\"event\",\"name\":\"{event}\"}}"
        );
        Side::of_trace(
            name,
            read_jsonl(name, &text).expect("it is a trace"),
            &all(),
        )
    };
    let (first, second) = (side("a", "play"), side("b", "pause"));
    let mut text = String::new();
    compare(&first, &second, Span::ZERO)
        .write(usize::MAX, &mut text)
        .expect("writing to a string cannot fail");
    for line in [
        "-      0.000000  広告  play",
        "-      0.000000  b     play",
        "+      0.000000  広告  pause",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn traces_with_the_same_content_differ_in_a_line_or_in_their_end() {
    let first = "a\nb \u{1b}[2J\nc\n";
    assert_eq!(
        layout("x.trace", first, "a\nb\nc\n"),
        "x.trace:2:1: same content, but a different layout\n-b \\u{1b}[2J\n+b\n"
    );
    assert_eq!(
        layout("x.trace", "a\n", "a\nb\n"),
        "x.trace:2:1: same content, but a different layout\n-\n+b\n"
    );
    assert_eq!(
        layout("x.trace", "a\n", "a"),
        "x.trace: same lines, but a different end of the file\n"
    );
}
