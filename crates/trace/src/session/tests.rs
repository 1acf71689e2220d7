//! Traces whose lines contain break numbers, and traces without them.

use super::AdBreaks;
use crate::{Trace, read_jsonl};

/// An overlay break that is still loading when a mid-roll begins, and ends after it.
const LINES: &[&str] = &[
    r#"{"t":0,"seq":0,"player":"a","break":1,"kind":"break","name":"begin","data":{"kind":"overlay"}}"#,
    r#"{"t":0,"seq":1,"player":"a","break":1,"kind":"net","name":"request","data":{"id":0,"wp":0},"cause":0}"#,
    r#"{"t":1,"seq":2,"player":"a","break":2,"kind":"break","name":"begin","data":{"kind":"mid"}}"#,
    r#"{"t":1,"seq":3,"player":"b","break":1,"kind":"break","name":"begin","data":{"kind":"pre"}}"#,
    r#"{"t":2,"seq":4,"player":"a","kind":"event","name":"timeupdate"}"#,
    r#"{"t":2,"seq":5,"player":"a","break":1,"kind":"net","name":"response","data":{"id":0,"wp":0},"cause":1}"#,
    r#"{"t":2,"seq":6,"player":"a","break":1,"kind":"ad","name":"fill","data":{"wp":0},"cause":5}"#,
    r#"{"t":2,"seq":7,"player":"b","break":1,"kind":"event","name":"adError","cause":3}"#,
    r#"{"t":3,"seq":8,"player":"a","break":2,"kind":"event","name":"adEnd","cause":2}"#,
    r#"{"t":3,"seq":9,"player":"a","break":2,"kind":"break","name":"end","data":{"kind":"mid"},"cause":2}"#,
    r#"{"t":4,"seq":10,"player":"a","break":1,"kind":"break","name":"end","data":{"kind":"overlay"},"cause":5}"#,
    r#"{"t":4,"seq":11,"player":"a","break":1,"kind":"beacon","name":"breakEnd","cause":10}"#,
];

fn found(trace: &Trace) -> Vec<Option<usize>> {
    let mut breaks: AdBreaks<'_> = AdBreaks::of(trace);
    trace
        .records
        .iter()
        .map(|record| Some(breaks.take(record)?.index))
        .collect()
}

#[test]
fn a_line_belongs_to_the_break_of_its_player_and_number() {
    let trace = read_jsonl("a.jsonl", &LINES.join("\n")).expect("it is a trace");
    let due = [0, 0, 1, 2, 9, 0, 0, 2, 1, 1, 0, 0].map(|index| (index < 9).then_some(index));
    assert_eq!(found(&trace), due);
}

#[test]
fn without_numbers_the_causes_decide() {
    let text = LINES
        .join("\n")
        .replace("\"break\":1,", "")
        .replace("\"break\":2,", "");
    let mut trace = read_jsonl("a.jsonl", &text).expect("it is a trace");
    assert!(trace.records.iter().all(|record| record.in_break.is_none()));
    let due = [0, 0, 1, 2, 9, 0, 0, 2, 1, 1, 0].map(|index| (index < 9).then_some(index));
    assert_eq!(found(&trace)[..11], due);
    // A tracking URL called after the end of all breaks belongs to the newest one.
    assert_eq!(found(&trace)[11], Some(1));
    trace.records.truncate(1);
    assert_eq!(found(&trace), [Some(0)]);
}
