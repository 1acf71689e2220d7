//! Prints the chain of causes of a line: each line with its rule and what that rule says.
//!
//! Rules: TRACE-4, TRACE-7.

use std::fmt::{self, Write};

use super::{Causes, Kind, Link, Trace, line_words};
use playsim_base::escape;
use playsim_base::words;

/// The minimum width for the sentences of rules.
const NARROWEST: usize = 40;

/// Why a trace has no such line; the message lists the existing ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoSuchLine(String);

/// Finds a line by its sequence number, by a name such as `adStart`, or by the nth line of a name,
/// such as `adStart#2`. Also returns how many lines of that name there are.
///
/// A name is looked up among the events first, then among all other lines.
///
/// # Errors
///
/// If there is no such line; the message lists the existing ones.
pub fn find(trace: &Trace, word: &str) -> Result<(u32, usize), NoSuchLine> {
    find_line(trace, word).map_err(NoSuchLine)
}

fn find_line(trace: &Trace, word: &str) -> Result<(u32, usize), String> {
    if let Ok(seq) = word.parse::<u32>() {
        return if trace.record(seq).is_some() {
            Ok((seq, 1))
        } else {
            Err(no_number(trace, seq))
        };
    }
    let (name, nth) = match word.split_once('#') {
        Some((name, nth)) => (
            name,
            nth.parse()
                .ok()
                .filter(|nth| *nth > 0)
                .ok_or_else(|| wrong_place(name))?,
        ),
        None => (word, 1),
    };
    let lines = |is_event: bool| {
        let of_kind = move |kind: Kind| (kind == Kind::Event) == is_event;
        let records = trace
            .records
            .iter()
            .filter(move |record| of_kind(record.kind));
        let named = records.filter(|record| *record.name == *name);
        named
            .flat_map(|record| record.each().map(|(seq, _)| seq))
            .collect::<Vec<u32>>()
    };
    let events = lines(true);
    let found = if events.is_empty() {
        lines(false)
    } else {
        events
    };
    match (found.get(nth - 1), found.len()) {
        (Some(seq), count) => Ok((*seq, count)),
        (None, 0) => {
            let mut known: Vec<&str> = trace.records.iter().map(|record| &*record.name).collect();
            known.sort_unstable();
            known.dedup();
            let proposal = words::nearest(name, known)
                .map_or_else(String::new, |meant| format!("; did you mean \"{meant}\"?"));
            Err(format!(
                "unknown line \"{}\"{proposal}",
                escape::shown(name)
            ))
        }
        (None, count) => {
            let seqs: Vec<String> = found.iter().take(5).map(u32::to_string).collect();
            let more = if count > seqs.len() { ", ..." } else { "" };
            Err(format!(
                "there are only {count} {name} lines: seq {}{more}",
                seqs.join(", ")
            ))
        }
    }
}

fn wrong_place(name: &str) -> String {
    format!("lines with the same name are numbered from 1, like {name}#2")
}

fn no_number(trace: &Trace, seq: u32) -> String {
    let numbers = trace.records.iter().map(|record| record.seq);
    let first = numbers.min().unwrap_or(0);
    let last = trace
        .records
        .iter()
        .map(|record| record.last_seq())
        .max()
        .unwrap_or(0);
    let gap = if (first..=last).contains(&seq) {
        ", with gaps"
    } else {
        ""
    };
    format!("no line has seq {seq}; the trace has {first} to {last}{gap}")
}

/// Writes a line and its causes, one below the other, each with its rule if the trace names rules.
///
/// # Errors
///
/// If the sink fails.
pub fn write_causes(
    trace: &Trace,
    causes: &Causes<'_>,
    columns: usize,
    sink: &mut impl Write,
) -> fmt::Result {
    let container = |link: &Link<'_>| {
        escape::line(trace.container(link.record).map_or("", |id| id)).into_owned()
    };
    let ids = causes
        .links
        .iter()
        .map(|link| words::width(&container(link)))
        .max()
        .unwrap_or(0);
    let gap = if ids == 0 { "" } else { "  " };
    let indent = 5 + 7 + 15 + ids + gap.len() + 2;
    let width = columns.saturating_sub(indent).max(NARROWEST);
    for (index, link) in causes.links.iter().enumerate() {
        let arrow = if index == 0 { "" } else { "<-" };
        let (seq, at, id) = (link.seq, link.at, words::padded(&container(link), ids));
        writeln!(
            sink,
            "{arrow:>5}{seq:>7}{at:15}{gap}{id}  {}",
            line_words(link.record)
        )?;
        if let Some(rule) = link.record.rule {
            let row = rule.row();
            let text = format!("{rule} ({}): {}", row.basis.word(), row.gist);
            for line in words::wrap(&text, width) {
                writeln!(sink, "{:indent$}{line}", "")?;
            }
        }
    }
    let last = causes.links.last().map(|link| link.record.kind);
    let end = match (causes.lost, last) {
        (Some(lost), _) => format!("Its cause, seq {lost}, is not in this trace."),
        (None, Some(kind)) if kind.is_act() => {
            "This is a step of the scenario and has no cause.".to_owned()
        }
        (None, Some(Kind::Header)) => "This is the first line of the trace.".to_owned(),
        (None, _) => "The trace does not name its cause.".to_owned(),
    };
    writeln!(sink, "{:indent$}{end}", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_jsonl;

    fn trace() -> Trace {
        let text = "{\"t\":0,\"seq\":1,\"player\":\"main\",\"kind\":\"call\",\"name\":\"play\",\"rule\":\"PLAY-1\"}\n\
                    {\"t\":250000,\"seq\":2,\"player\":\"main\",\"kind\":\"event\",\"name\":\"play\",\"cause\":1}\n\
                    {\"t\":500000,\"seq\":4,\"player\":\"main\",\"kind\":\"event\",\"name\":\"play\",\"cause\":3}\n";
        read_jsonl("a.jsonl", text).expect("it is a trace")
    }

    #[test]
    fn a_line_is_found_by_number_and_by_name() {
        let trace = trace();
        assert_eq!(find(&trace, "4"), Ok((4, 1)));
        assert_eq!(find(&trace, "play"), Ok((2, 2)));
        assert_eq!(find(&trace, "play#2"), Ok((4, 2)));
        let wrong = |word| {
            find(&trace, word)
                .expect_err("there is no such line")
                .to_string()
        };
        assert_eq!(
            wrong("3"),
            "no line has seq 3; the trace has 1 to 4, with gaps"
        );
        assert_eq!(wrong("9"), "no line has seq 9; the trace has 1 to 4");
        assert_eq!(
            wrong("plya"),
            "unknown line \"plya\"; did you mean \"play\"?"
        );
        assert_eq!(wrong("play#3"), "there are only 2 play lines: seq 2, 4");
        assert_eq!(
            wrong("play#0"),
            "lines with the same name are numbered from 1, like play#2"
        );
    }

    #[test]
    fn wide_characters_of_a_container_take_two_columns() {
        let text = "{\"t\":0,\"seq\":1,\"player\":\"広告\",\"kind\":\"call\",\"name\":\"play\"}\n\
                    {\"t\":0,\"seq\":2,\"player\":\"b\",\"kind\":\"event\",\"name\":\"play\",\"cause\":1}\n";
        let trace = read_jsonl("a.jsonl", text).expect("it is a trace");
        let mut shown = String::new();
        let causes = trace.causes(2).expect("there is such a line");
        write_causes(&trace, &causes, 60, &mut shown).expect("writing to a string cannot fail");
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], "           2       0.000000  b     play");
        assert_eq!(lines[1], "   <-      1       0.000000  広告  > play");
    }

    #[test]
    fn each_line_of_a_chain_has_its_rule_and_the_end_is_explained() {
        let trace = trace();
        let chain = |seq| {
            let mut text = String::new();
            let causes = trace.causes(seq).expect("there is such a line");
            write_causes(&trace, &causes, 60, &mut text).expect("writing to a string cannot fail");
            text
        };
        let text = chain(2);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "           2       0.250000  main  play");
        assert_eq!(lines[1], "   <-      1       0.000000  main  > play");
        assert!(
            lines[2].starts_with(&format!("{:35}PLAY-1 (", "")),
            "{text}"
        );
        assert!(
            text.ends_with("This is a step of the scenario and has no cause.\n"),
            "{text}"
        );
        assert!(chain(4).ends_with("Its cause, seq 3, is not in this trace.\n"));
    }
}
