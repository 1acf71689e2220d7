//! The counts of one tag, and the recordings that show them most clearly.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::latencies::Latencies;
use super::lost::Lost;
use crate::verdict::{NotShown, TagFailure, TagResult, TagVerdict};

/// The outcome of a tag, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// Its ad was on the screen.
    Filled,
    /// It was answered without an ad.
    NoAd,
    /// It failed.
    Failed,
    /// The page stopped waiting for it.
    GivenUp,
    /// Its ad came after the page had gone on.
    Late,
    /// It had an ad that was not shown for another reason, or an unknown one.
    NotShown,
    /// It was answered with a schedule of breaks.
    Schedule,
    /// The recording cannot tell.
    Unknown,
}

impl OutcomeKind {
    /// All of them, in the order of the table.
    pub const ALL: [OutcomeKind; 8] = [
        OutcomeKind::Filled,
        OutcomeKind::NoAd,
        OutcomeKind::Failed,
        OutcomeKind::GivenUp,
        OutcomeKind::Late,
        OutcomeKind::NotShown,
        OutcomeKind::Schedule,
        OutcomeKind::Unknown,
    ];

    /// Returns the words for it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            OutcomeKind::Filled => "filled",
            OutcomeKind::NoAd => "no ad",
            OutcomeKind::Failed => "failed",
            OutcomeKind::GivenUp => "given up",
            OutcomeKind::Late => "late",
            OutcomeKind::NotShown => "not shown",
            OutcomeKind::Schedule => "schedule",
            OutcomeKind::Unknown => "unknown",
        }
    }

    /// Returns whether more of it is worse, less of it better, or neither.
    #[must_use]
    pub const fn is_bad(self) -> Option<bool> {
        match self {
            OutcomeKind::Filled => Some(false),
            OutcomeKind::Failed | OutcomeKind::GivenUp | OutcomeKind::Late => Some(true),
            OutcomeKind::NoAd
            | OutcomeKind::NotShown
            | OutcomeKind::Schedule
            | OutcomeKind::Unknown => None,
        }
    }

    /// Returns whether tables have a column for it even if it never happened.
    pub(super) const fn is_usual(self) -> bool {
        match self {
            OutcomeKind::Filled
            | OutcomeKind::NoAd
            | OutcomeKind::Failed
            | OutcomeKind::GivenUp
            | OutcomeKind::Late => true,
            OutcomeKind::NotShown | OutcomeKind::Schedule | OutcomeKind::Unknown => false,
        }
    }

    pub(crate) fn of(result: &TagResult) -> OutcomeKind {
        match result {
            TagResult::Filled { .. } => OutcomeKind::Filled,
            TagResult::ShownLate { .. }
            | TagResult::AnsweredNotShown {
                why: NotShown::TooLate { .. },
            } => OutcomeKind::Late,
            TagResult::AnsweredNotShown {
                why: NotShown::OtherWasShown | NotShown::NotDue | NotShown::Unknown,
            } => OutcomeKind::NotShown,
            TagResult::Scheduled { .. } => OutcomeKind::Schedule,
            TagResult::NoAd { .. } => OutcomeKind::NoAd,
            TagResult::Failed { .. } => OutcomeKind::Failed,
            TagResult::GivenUp { .. } => OutcomeKind::GivenUp,
            TagResult::Unknown { .. } => OutcomeKind::Unknown,
        }
    }
}

/// Why a tag failed, without what differs from one recording to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The answer had this status.
    Status(u16),
    /// There was no answer, or the browser refused it.
    Network,
    /// The document is broken.
    Document,
    /// The answer is no ad document.
    NotVast,
    /// The film of its ad failed.
    Media,
    /// An error pixel reported this code.
    Reported(u16),
}

impl FailureKind {
    pub(crate) fn of(cause: &TagFailure) -> FailureKind {
        match cause {
            TagFailure::Status { status, .. } => FailureKind::Status(*status),
            TagFailure::Network { .. } => FailureKind::Network,
            TagFailure::Document { .. } => FailureKind::Document,
            TagFailure::NotVast { .. } => FailureKind::NotVast,
            TagFailure::Media { .. } => FailureKind::Media,
            TagFailure::Reported { code } => FailureKind::Reported(*code),
        }
    }

    /// Returns the words for it.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            FailureKind::Status(status) => format!("status {status}"),
            FailureKind::Network => "no usable answer".to_owned(),
            FailureKind::Document => "broken document".to_owned(),
            FailureKind::NotVast => "no ad document".to_owned(),
            FailureKind::Media => "media failed".to_owned(),
            FailureKind::Reported(code) => format!("reported {code}"),
        }
    }
}

/// A count, and the recordings that show it most clearly.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RecordedCount {
    /// How often.
    pub count: u64,
    /// At most five recordings, the longest wait first.
    pub recordings: Vec<Arc<str>>,
}

/// How many recordings a count names.
const NAMED: usize = 5;

/// A count that is still made.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    pub count: u64,
    /// The recordings with the longest waits, these first; those of one length by name.
    worst: Vec<(Reverse<u64>, Arc<str>)>,
}

impl Tally {
    /// Counts one more, in a recording in which it took so long.
    pub(super) fn add(&mut self, name: &Arc<str>, micros: u64) {
        self.count += 1;
        self.name(Reverse(micros), name.clone());
    }

    fn name(&mut self, micros: Reverse<u64>, name: Arc<str>) {
        match self.worst.iter_mut().find(|(_, other)| *other == name) {
            Some((longest, _)) => *longest = (*longest).min(micros),
            None => self.worst.push((micros, name)),
        }
        self.worst.sort();
        self.worst.truncate(NAMED);
    }

    pub(super) fn merge(&mut self, other: Tally) {
        self.count += other.count;
        other
            .worst
            .into_iter()
            .for_each(|(micros, name)| self.name(micros, name));
    }

    pub(super) fn done(self) -> RecordedCount {
        RecordedCount {
            count: self.count,
            recordings: self.worst.into_iter().map(|(_, name)| name).collect(),
        }
    }
}

/// The counts of one tag.
#[derive(Debug, Clone, Default)]
pub(super) struct TagRow {
    /// The names of the recordings that ask it, as hashes.
    names: Vec<u64>,
    pub(super) asked: Tally,
    pub(super) outcomes: [Tally; OutcomeKind::ALL.len()],
    pub(super) failures: BTreeMap<FailureKind, Tally>,
    pub(super) codes: BTreeMap<u16, Tally>,
    pub(super) latencies: Latencies,
    /// How much of the time to the first ad was spent on it, in microseconds.
    pub(super) waited: u64,
    /// The impressions that were due, and those that were lost.
    pub(super) due: u64,
    pub(super) lost: Tally,
}

impl TagRow {
    /// Adds a request for it.
    pub(super) fn add(&mut self, name: &Arc<str>, tag: &TagVerdict) {
        let micros = tag.took.or(tag.waited).unwrap_or_default().micros();
        self.asked.add(name, micros);
        self.names.push(xxh3_64(name.as_bytes()));
        let outcome = OutcomeKind::of(&tag.outcome);
        self.outcomes[outcome as usize].add(name, micros);
        let mut codes = tag.codes.clone();
        if let TagResult::Failed { cause } = &tag.outcome {
            self.failures
                .entry(FailureKind::of(cause))
                .or_default()
                .add(name, micros);
            if let TagFailure::Reported { code } = cause {
                codes.push(*code);
            }
        }
        // A code that several pixels report is one failure.
        codes.sort_unstable();
        codes.dedup();
        for code in codes {
            self.codes.entry(code).or_default().add(name, micros);
        }
        match (&tag.outcome, tag.took) {
            (_, Some(took)) => self.latencies.came(took.micros()),
            (TagResult::GivenUp { between }, None) => self.latencies.given_up(between.0.micros()),
            (_, None) => {}
        }
    }

    /// Adds the impressions of its ads.
    pub(super) fn lose(&mut self, name: &Arc<str>, impressions: Lost) {
        self.due += impressions.due;
        for _ in 0..impressions.lost {
            self.lost.add(name, 0);
        }
    }

    /// Returns how many recordings ask it.
    pub(super) fn recordings(&mut self) -> u64 {
        self.names.sort_unstable();
        self.names.dedup();
        self.names.len() as u64
    }

    pub(super) fn merge(&mut self, other: TagRow) {
        self.names.extend(other.names);
        self.asked.merge(other.asked);
        for (own, other) in self.outcomes.iter_mut().zip(other.outcomes) {
            own.merge(other);
        }
        for (kind, tally) in other.failures {
            self.failures.entry(kind).or_default().merge(tally);
        }
        for (code, tally) in other.codes {
            self.codes.entry(code).or_default().merge(tally);
        }
        self.latencies.merge(other.latencies);
        self.waited += other.waited;
        self.due += other.due;
        self.lost.merge(other.lost);
    }
}
