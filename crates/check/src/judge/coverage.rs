//! What a judge could judge of a trace, and what it could not.

use std::collections::BTreeSet;

use super::{CheckOptions, LAWS, Session};
use crate::recording::Recording;
use playsim_api::Kind;
use playsim_rules::RuleId;

/// Which rules a trace can be judged by. A rule that was not judged is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Coverage {
    /// The rules that were judged, in the order of [`LAWS`](super::LAWS).
    pub judged: Vec<RuleId>,
    /// Those that were not, each with what the trace would have to contain.
    pub unjudged: Vec<(RuleId, String)>,
    /// The events whose names nobody knows, in the order of their names.
    pub unknown_events: Vec<String>,
    /// Whether it is a trace of playsim without its last line.
    pub is_cut: bool,
}

impl Coverage {
    /// Says what a recording can be judged by.
    #[must_use]
    pub fn of(recording: &Recording, options: &CheckOptions) -> Coverage {
        let session = Session::new(&recording.trace, &recording.head.hears, options);
        let mut coverage = Coverage::default();
        for law in LAWS {
            let missing = law.needs.iter().find_map(|need| need.missing(&session));
            match missing {
                None => coverage.judged.push(law.rule),
                Some(missing) => coverage.unjudged.push((law.rule, missing)),
            }
        }
        let records = &recording.trace.records;
        let unknown: BTreeSet<String> = records
            .iter()
            .filter(|record| record.kind == Kind::Event && record.line_name().is_none())
            .map(|record| record.name.to_string())
            .collect();
        coverage.unknown_events = unknown.into_iter().collect();
        coverage.is_cut =
            session.is_own && records.last().is_none_or(|last| last.kind != Kind::Outcome);
        coverage
    }
}
