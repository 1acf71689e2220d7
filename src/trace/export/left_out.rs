//! What an export does not show: lines that it has no room for, and lines that nobody asked for.
//!
//! Rule TRACE-8.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::api::Kind;
use crate::trace::{Filter, Record, Trace};

/// How many lines of each kind; time updates, the bulk of most traces, stand apart.
type Counts = BTreeMap<&'static str, u64>;

/// The lines of a trace that an export does not show. Header and outcome have a place in each.
#[derive(Debug, Serialize)]
pub(super) struct LeftOut {
    /// They are wanted, but the form has no room for them.
    no_room: Counts,
    /// A view or a pattern hides them.
    hidden: Counts,
}

impl LeftOut {
    /// All lines but those whose first numbers these are.
    pub(super) fn of(trace: &Trace, filter: &Filter, held: &BTreeSet<u32>) -> LeftOut {
        let mut left_out = LeftOut { no_room: Counts::new(), hidden: Counts::new() };
        let is_frame = |record: &Record| matches!(record.kind, Kind::Header | Kind::Outcome);
        for record in trace.records.iter().filter(|record| !is_frame(record) && !held.contains(&record.seq)) {
            let counts = if filter.shows(record) { &mut left_out.no_room } else { &mut left_out.hidden };
            let word = if record.run.is_some() { "timeupdate" } else { record.kind.name() };
            *counts.entry(word).or_default() += u64::from(record.lines());
        }
        left_out
    }

    /// What to say of it, a sentence each; nothing if nothing is left out.
    pub(super) fn sentences(&self) -> Vec<String> {
        let told = [
            (&self.no_room, "left out, there is no room for them here"),
            (&self.hidden, "hidden by view or name"),
        ];
        told.into_iter()
            .filter(|(counts, _)| !counts.is_empty())
            .map(|(counts, what)| format!("{what}: {}", words(counts)))
            .collect()
    }
}

/// `12 state lines, 40 time updates`.
fn words(counts: &Counts) -> String {
    let word = |(kind, count): (&&'static str, &u64)| {
        let s = if *count == 1 { "" } else { "s" };
        match *kind {
            "timeupdate" => format!("{count} time update{s}"),
            kind => format!("{count} {kind} line{s}"),
        }
    };
    counts.iter().map(word).collect::<Vec<_>>().join(", ")
}
