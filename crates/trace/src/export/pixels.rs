//! The tracker list: each beacon that was sent, and how often each name occurred.
//!
//! Rule TRACE-8.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use super::left_out::LeftOutLines;
use super::{container, field, outcome, scenario, setting_words};
use crate::{Filter, Record, Trace, line_words};
use playsim_api::Kind;
use playsim_base::escape;
use playsim_base::words::Columns;

/// Writes the beacons that the filter shows, one per line.
///
/// # Errors
///
/// If the sink fails.
pub fn write_pixels(
    trace: &Trace,
    filter: &Filter,
    why: bool,
    sink: &mut impl Write,
) -> fmt::Result {
    write_head("pixels", trace, sink)?;
    let mut columns = vec![">time", "player", "beacon", ">hop", "ad"];
    columns.extend(why.then_some("rule"));
    columns.push("address");
    let mut table = Columns::new(&columns);
    let is_held = |record: &&Record| record.kind == Kind::Beacon && filter.shows(record);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for beacon in trace.records.iter().filter(is_held) {
        *counts.entry(&beacon.name).or_default() += 1;
        let mut row = vec![
            beacon.at.to_string(),
            container(trace, beacon).to_owned(),
            beacon.name.to_string(),
            field(beacon, "hop"),
            field(beacon, "ad"),
        ];
        row.extend(why.then(|| {
            beacon
                .rule
                .map_or_else(String::new, |rule| rule.to_string())
        }));
        let how = field(beacon, "how");
        let url = field(beacon, "url");
        row.push(if how.is_empty() {
            url
        } else {
            format!("{url}  {how}")
        });
        table.row(row);
    }
    if table.is_empty() {
        writeln!(sink, "no beacons\n")?;
    } else {
        table.write(sink)?;
        sink.write_char('\n')?;
        write_counts("beacon", &counts, sink)?;
    }
    let held: BTreeSet<u32> = trace
        .records
        .iter()
        .filter(is_held)
        .map(|record| record.seq)
        .collect();
    write_foot(trace, &LeftOutLines::of(trace, filter, &held), sink)
}

/// Writes the head, in two lines. The first differs from that of a trace, because this is not a
/// trace.
pub(super) fn write_head(form: &str, trace: &Trace, sink: &mut impl Write) -> fmt::Result {
    writeln!(sink, "playsim {form}  {}", setting_words(trace))?;
    let scenario = scenario(trace);
    let scenario = escape::line(&scenario);
    if scenario.is_empty() {
        sink.write_char('\n')
    } else {
        writeln!(sink, "scenario: {scenario}\n")
    }
}

/// Writes how the run ended, its digest, and the omissions of the list.
pub(super) fn write_foot(
    trace: &Trace,
    left_out: &LeftOutLines,
    sink: &mut impl Write,
) -> fmt::Result {
    if let Some(outcome) = outcome(trace) {
        writeln!(
            sink,
            "outcome: {}  at {}  digest {}",
            line_words(outcome),
            outcome.at,
            trace.digest
        )?;
    }
    for sentence in left_out.sentences() {
        writeln!(sink, "{sentence}")?;
    }
    Ok(())
}

/// Writes how often each name occurred, in alphabetical order, and an empty line.
pub(super) fn write_counts(
    what: &str,
    counts: &BTreeMap<&str, u64>,
    sink: &mut impl Write,
) -> fmt::Result {
    let mut table = Columns::new(&[">count", what]);
    for (name, count) in counts {
        table.row(vec![count.to_string(), (*name).to_owned()]);
    }
    if counts.len() > 1 {
        table.row(vec![
            counts.values().sum::<u64>().to_string(),
            "total".to_owned(),
        ]);
    }
    table.write(sink)?;
    sink.write_char('\n')
}
