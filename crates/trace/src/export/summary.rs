//! The summary: requests and responses, the outcome of each ad tag, break and ad, and how often
//! each event occurred.
//!
//! Rule TRACE-8.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use super::exchange::{Exchange, exchanges};
use super::left_out::LeftOutLines;
use super::pixels::{write_counts, write_foot, write_head};
use super::{container, field};
use crate::session::{Ads, Tag, ads};
use crate::{Filter, Record, Trace};
use playsim_api::{EventName, Kind};
use playsim_base::time::Time;
use playsim_base::words::Columns;

/// Writes the summary of the lines that the filter shows; with `why`, rules are added to requests
/// and decisions.
///
/// # Errors
///
/// If the sink fails.
pub fn write_summary(
    trace: &Trace,
    filter: &Filter,
    why: bool,
    sink: &mut impl Write,
) -> fmt::Result {
    let mut summary = Summary {
        trace,
        filter,
        why,
        held: BTreeSet::new(),
    };
    let ads = ads(trace);
    write_head("summary", trace, sink)?;
    summary.requests(sink)?;
    summary.tags(&ads, sink)?;
    summary.breaks(&ads, sink)?;
    summary.spots(&ads, sink)?;
    summary.counts(Kind::Event, "event", sink)?;
    summary.counts(Kind::Beacon, "beacon", sink)?;
    summary.counts(Kind::Diag, "diagnostic", sink)?;
    summary.errors(sink)?;
    write_foot(trace, &LeftOutLines::of(trace, filter, &summary.held), sink)
}

struct Summary<'a> {
    trace: &'a Trace,
    filter: &'a Filter,
    why: bool,
    /// The lines that are included, if only in a count.
    held: BTreeSet<u32>,
}

impl Summary<'_> {
    fn requests(&mut self, sink: &mut impl Write) -> fmt::Result {
        let columns = [
            ">requested",
            ">ended",
            "player",
            "purpose",
            ">status",
            ">bytes",
            "outcome",
            "URL",
        ];
        let mut table = Columns::new(&self.columns(&columns));
        for exchange in exchanges(self.trace)
            .iter()
            .filter(|exchange| exchange.is_shown(self.filter))
        {
            self.held.extend(exchange.lines().map(|line| line.seq));
            let request = exchange.request;
            let answered = |key| {
                exchange
                    .answer
                    .map_or_else(String::new, |answer| field(answer, key))
            };
            let row = [
                request.at.to_string(),
                time(exchange.answer),
                container(self.trace, request).to_owned(),
                field(request, "purpose"),
                answered("status"),
                answered("bytes"),
                outcome(exchange),
                field(request, "url"),
            ];
            table.row(self.cells(row, exchange.answer.unwrap_or(request)));
        }
        section("requests", &table, sink)
    }

    fn tags(&mut self, ads: &Ads<'_>, sink: &mut impl Write) -> fmt::Result {
        let columns = [
            ">requested",
            "player",
            "break",
            ">wp",
            ">pod",
            "URL",
            "outcome",
        ];
        let mut table = Columns::new(&self.columns(&columns));
        for tag in &ads.tags {
            let decisions = tag.decisions.iter().copied();
            let Some(first) = tag.request.or(tag.decisions.first().copied()) else {
                continue;
            };
            if !decisions
                .clone()
                .chain([first])
                .any(|line| self.filter.shows(line))
            {
                continue;
            }
            self.held.extend(decisions.map(|line| line.seq));
            let row = [
                first.at.to_string(),
                container(self.trace, first).to_owned(),
                tag.in_break.map_or_else(String::new, |index| {
                    ads.breaks[index].first_kind().to_string()
                }),
                field(first, "wp"),
                field(first, "pod"),
                tag.request
                    .map_or_else(String::new, |request| field(request, "url")),
                verdict(tag),
            ];
            table.row(self.cells(row, tag.decisions.last().copied().unwrap_or(first)));
        }
        section("ad tags", &table, sink)
    }

    fn breaks(&mut self, ads: &Ads<'_>, sink: &mut impl Write) -> fmt::Result {
        let columns = [
            ">begin", ">end", "player", "break", ">cue", ">pods", "outcome", "why",
        ];
        let mut table = Columns::new(&self.columns(&columns));
        for one in ads.breaks.iter().filter(|one| one.is_shown(self.filter)) {
            self.held.extend(one.own.iter().map(|line| line.seq));
            let (begin, end) = (one.first(), one.last());
            let why_ended = end.map_or_else(String::new, |end| field(end, "why"));
            let reasons = [field(begin, "why"), why_ended]
                .into_iter()
                .filter(|why| !why.is_empty());
            let row = [
                begin.at.to_string(),
                time(end),
                container(self.trace, begin).to_owned(),
                one.first_kind().to_string(),
                field(begin, "cue"),
                field(begin, "pods"),
                one.outcome().to_owned(),
                reasons.collect::<Vec<_>>().join("; then: "),
            ];
            table.row(self.cells(row, end.unwrap_or(begin)));
        }
        section("breaks", &table, sink)
    }

    fn spots(&mut self, ads: &Ads<'_>, sink: &mut impl Write) -> fmt::Result {
        let columns = [
            ">start",
            ">end",
            "player",
            "break",
            ">wp",
            ">pod",
            ">hops",
            ">duration",
            "outcome",
            "ad",
        ];
        let mut table = Columns::new(&self.columns(&columns));
        for spot in ads.spots.iter().filter(|spot| self.filter.shows(spot.fill)) {
            let row = [
                time(spot.start),
                time(spot.end),
                container(self.trace, spot.fill).to_owned(),
                spot.in_break.map_or_else(String::new, |index| {
                    ads.breaks[index].first_kind().to_string()
                }),
                field(spot.fill, "wp"),
                field(spot.fill, "pod"),
                field(spot.fill, "hops"),
                field(spot.fill, "duration"),
                spot.outcome().to_owned(),
                spot.name(),
            ];
            table.row(self.cells(row, spot.fill));
        }
        section("ads", &table, sink)
    }

    /// Writes how often each name occurred.
    fn counts(&mut self, kind: Kind, what: &str, sink: &mut impl Write) -> fmt::Result {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        let is_meant = |record: &&Record| record.kind == kind && self.filter.shows(record);
        for record in self.trace.records.iter().filter(is_meant) {
            self.held.insert(record.seq);
            *counts.entry(&record.name).or_default() += u64::from(record.lines());
        }
        if counts.is_empty() {
            return Ok(());
        }
        write_counts(what, &counts, sink)
    }

    /// Writes the codes of the errors that page code observed.
    fn errors(&self, sink: &mut impl Write) -> fmt::Result {
        let mut counts: BTreeMap<(&str, String), u64> = BTreeMap::new();
        for record in self
            .trace
            .records
            .iter()
            .filter(|record| self.filter.shows(record))
        {
            if matches!(
                record.event(),
                Some(EventName::AdError | EventName::PlaybackError)
            ) {
                *counts
                    .entry((&record.name, field(record, "code")))
                    .or_default() += 1;
            }
        }
        let mut table = Columns::new(&[">count", "error", ">code"]);
        for ((name, code), count) in counts {
            table.row(vec![count.to_string(), name.to_owned(), code]);
        }
        if table.is_empty() {
            return Ok(());
        }
        table.write(sink)?;
        sink.write_char('\n')
    }

    fn columns<'c>(&self, columns: &[&'c str]) -> Vec<&'c str> {
        columns
            .iter()
            .copied()
            .chain(self.why.then_some("rule"))
            .collect()
    }

    /// Returns the cells of a row, with the rule of the line that decided it if rules are wanted.
    fn cells<const N: usize>(&self, row: [String; N], settled: &Record) -> Vec<String> {
        let rule = || {
            settled
                .rule
                .map_or_else(String::new, |rule| rule.to_string())
        };
        row.into_iter().chain(self.why.then(rule)).collect()
    }
}

/// Writes a table below its title, or nothing if it has no rows.
fn section(name: &str, table: &Columns, sink: &mut impl Write) -> fmt::Result {
    if table.is_empty() {
        return Ok(());
    }
    writeln!(sink, "{name}")?;
    table.write(sink)?;
    sink.write_char('\n')
}

fn time(line: Option<&Record>) -> String {
    line.map_or_else(|| "-".to_owned(), |line| Time::to_string(&line.at))
}

/// Returns the outcome of a request, and how it failed.
fn outcome(exchange: &Exchange<'_>) -> String {
    let how = exchange
        .answer
        .map_or_else(String::new, |answer| field(answer, "how"));
    let late = exchange
        .late
        .map_or_else(String::new, |late| format!("late at {}", late.at));
    let words = [exchange.word().to_owned(), how, late];
    words
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the outcome of a tag: each decision about one of its ads. Of several decisions in a row
/// with the same reason, only the last one gives it.
fn verdict(tag: &Tag<'_>) -> String {
    let why = |line: &Record| field(line, "why");
    let next = tag
        .decisions
        .iter()
        .skip(1)
        .map(|line| why(line))
        .chain([String::new()]);
    let words = tag.decisions.iter().zip(next).map(|(line, next)| {
        let why = if why(line) == next {
            String::new()
        } else {
            why(line)
        };
        let breaks = field(line, "breaks");
        let of = if breaks.is_empty() {
            breaks
        } else {
            format!("of {breaks} breaks (VMAP)")
        };
        let parts = [
            line.name.to_string(),
            of,
            field(line, "ad"),
            field(line, "code"),
            why,
        ];
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() {
        "undecided".to_owned()
    } else {
        words.join("; ")
    }
}
