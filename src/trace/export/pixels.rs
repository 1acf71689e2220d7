//! The tracker list: each beacon that was sent, and how often each name was.
//!
//! Rule TRACE-8.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use super::left_out::LeftOut;
use super::table::{Table, on_one_line};
use super::{container, field, outcome, scenario, setting_words};
use crate::api::Kind;
use crate::trace::{Filter, Record, Trace, line_words};

/// Writes the beacons that the filter shows, one a line.
///
/// # Errors
///
/// Those of the sink.
pub fn write_pixels(trace: &Trace, filter: &Filter, why: bool, sink: &mut impl Write) -> fmt::Result {
    write_head("pixels", trace, sink)?;
    let mut columns = vec![">time", "player", "beacon", ">hop", "ad"];
    columns.extend(why.then_some("rule"));
    columns.push("address");
    let mut table = Table::new(&columns);
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
        row.extend(why.then(|| beacon.rule.map_or_else(String::new, |rule| rule.to_string())));
        row.push(field(beacon, "url"));
        table.row(row);
    }
    if table.is_empty() {
        writeln!(sink, "no beacons\n")?;
    } else {
        table.write(sink)?;
        sink.write_char('\n')?;
        write_counts("beacon", &counts, sink)?;
    }
    let held: BTreeSet<u32> = trace.records.iter().filter(is_held).map(|record| record.seq).collect();
    write_foot(trace, &LeftOut::of(trace, filter, &held), sink)
}

/// What was played, in two lines. The first is not that of a trace, for this cannot be read as one.
pub(super) fn write_head(form: &str, trace: &Trace, sink: &mut impl Write) -> fmt::Result {
    writeln!(sink, "playsim {form}  {}", setting_words(trace))?;
    let scenario = on_one_line(&scenario(trace));
    if scenario.is_empty() { sink.write_char('\n') } else { writeln!(sink, "scenario: {scenario}\n") }
}

/// How the run ended, its digest, and what is not said here.
pub(super) fn write_foot(trace: &Trace, left_out: &LeftOut, sink: &mut impl Write) -> fmt::Result {
    if let Some(outcome) = outcome(trace) {
        writeln!(sink, "outcome: {}  at {}  digest {}", line_words(outcome), outcome.at, trace.digest)?;
    }
    for sentence in left_out.sentences() {
        writeln!(sink, "{sentence}")?;
    }
    Ok(())
}

/// How often each name came, the names in alphabetical order; and an empty line.
pub(super) fn write_counts(what: &str, counts: &BTreeMap<&str, u64>, sink: &mut impl Write) -> fmt::Result {
    let mut table = Table::new(&[">count", what]);
    for (name, count) in counts {
        table.row(vec![count.to_string(), (*name).to_owned()]);
    }
    if counts.len() > 1 {
        table.row(vec![counts.values().sum::<u64>().to_string(), "in all".to_owned()]);
    }
    table.write(sink)?;
    sink.write_char('\n')
}
