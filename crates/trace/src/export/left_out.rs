//! Omissions of an export: lines that have no place in its form, and lines that the filter hides.
//!
//! Rule TRACE-8.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{Filter, Record, Trace};
use playsim_api::EventName;
use playsim_base::words::counted;

/// The number of lines of each kind. Time updates, the bulk of most traces, are counted separately.
type Counts = BTreeMap<&'static str, u64>;

/// The lines of a trace that an export does not contain. Every export contains header and outcome.
#[derive(Debug, Serialize)]
pub struct LeftOutLines {
    /// The lines that the filter shows but that have no place in the form.
    no_room: Counts,
    /// The lines that the view or a pattern hides.
    hidden: Counts,
}

impl LeftOutLines {
    /// Counts all lines except those whose first numbers are in `held`.
    pub fn of(trace: &Trace, filter: &Filter, held: &BTreeSet<u32>) -> LeftOutLines {
        let mut left_out = LeftOutLines {
            no_room: Counts::new(),
            hidden: Counts::new(),
        };
        let is_frame = |record: &Record| record.kind.is_frame();
        for record in trace
            .records
            .iter()
            .filter(|record| !is_frame(record) && !held.contains(&record.seq))
        {
            let counts = if filter.shows(record) {
                &mut left_out.no_room
            } else {
                &mut left_out.hidden
            };
            let word = if record.run.is_some() {
                EventName::TimeUpdate.name()
            } else {
                record.kind.name()
            };
            *counts.entry(word).or_default() += u64::from(record.lines());
        }
        left_out
    }

    /// Returns a sentence for each of the two; empty if nothing is left out.
    pub fn sentences(&self) -> Vec<String> {
        let reasons = [
            (&self.no_room, "not part of this format"),
            (&self.hidden, "filtered out by view or name"),
        ];
        reasons
            .into_iter()
            .filter(|(counts, _)| !counts.is_empty())
            .map(|(counts, what)| format!("{what}: {}", words(counts)))
            .collect()
    }
}

/// Returns the counts in words, such as `12 state lines, 40 time updates`.
fn words(counts: &Counts) -> String {
    let word = |(kind, count): (&&'static str, &u64)| {
        let count = usize::try_from(*count).unwrap_or(usize::MAX);
        let is_update = *kind == EventName::TimeUpdate.name();
        counted(
            count,
            &if is_update {
                "time update".to_owned()
            } else {
                format!("{kind} line")
            },
        )
    };
    counts.iter().map(word).collect::<Vec<_>>().join(", ")
}
