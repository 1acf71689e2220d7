//! Which lines of the trace the page has, and which of them a tag, an ad or a pixel comes from.

use std::collections::{BTreeMap, BTreeSet};

use playsim_api::{AdLine, BeaconLine, EventName, Kind, LineName, NetLine};
use playsim_rules::RuleId;
use playsim_trace::session::{AdBreaks, TagPosition};
use playsim_trace::{Filter, Record, Trace};

/// The most lines that a page lists, and the most failures after them.
const MOST_LINES: usize = 3_000;
const MOST_FAILURES: usize = 500;

/// The lines of a tag.
#[derive(Debug, Default)]
pub(super) struct TagLines {
    pub(super) first: Option<u32>,
    /// The decision whether it fills.
    pub(super) decision: Option<u32>,
    /// The rules of the decision and of the lines that led to it, each once.
    pub(super) rules: Vec<RuleId>,
}

/// The lines of a break.
#[derive(Debug, Default)]
pub(super) struct BreakLines {
    pub(super) tags: BTreeMap<TagPosition, TagLines>,
    /// The tag that is being tried.
    in_turn: TagPosition,
    /// In the order of the report's beacons.
    pub(super) beacons: Vec<u32>,
    /// The starts of ads.
    pub(super) starts: Vec<u32>,
}

/// The lines of a trace as a page needs them.
pub(super) struct Lines<'a> {
    trace: &'a Trace,
    /// The records that the page lists.
    pub(super) listed: Vec<&'a Record>,
    ids: BTreeSet<u32>,
    /// The numbers of records that the filter shows but that are too many, and of failures among
    /// them.
    pub(super) beyond: (usize, usize),
    pub(super) breaks: Vec<BreakLines>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(trace: &'a Trace, filter: &Filter) -> Lines<'a> {
        let is_listed = |record: &&Record| !record.kind.is_frame() && filter.shows(record);
        let mut rest = trace.records.iter().filter(is_listed);
        let mut listed: Vec<&Record> = rest.by_ref().take(MOST_LINES).collect();
        let rest: Vec<&Record> = rest.collect();
        let failures = rest
            .iter()
            .filter(|record| is_failure(record))
            .take(MOST_FAILURES);
        let before = listed.len();
        listed.extend(failures);
        let kept = listed.len() - before;
        let ids = listed.iter().map(|record| record.seq).collect();
        Lines {
            trace,
            listed,
            ids,
            beyond: (rest.len() - kept, kept),
            breaks: breaks(trace),
        }
    }

    /// Returns the listed record that has this line, as the target of a link.
    pub(super) fn target(&self, seq: u32) -> Option<&'a Record> {
        self.trace
            .record(seq)
            .filter(|record| self.ids.contains(&record.seq))
    }

    /// Returns the numbers of the listed records.
    pub(super) fn ids(&self) -> &BTreeSet<u32> {
        &self.ids
    }
}

fn breaks(trace: &Trace) -> Vec<BreakLines> {
    let mut breaks: AdBreaks<'_, BreakLines> = AdBreaks::of(trace);
    for record in &trace.records {
        if let Some(its) = breaks.take(record) {
            its.own.take(record);
        }
    }
    breaks.all.into_iter().map(|it| it.own).collect()
}

impl BreakLines {
    fn take(&mut self, record: &Record) {
        if let Some(tag) = record.tag() {
            self.in_turn = tag;
            let lines = self.tags.entry(tag).or_default();
            lines.first.get_or_insert(record.seq);
        }
        if record.kind == Kind::Beacon {
            self.beacons.push(record.seq);
        } else if record.event() == Some(EventName::AdStart) {
            self.starts.push(record.seq);
        }
        let is_decision = [AdLine::NoFill, AdLine::Fill, AdLine::Schedule]
            .iter()
            .any(|name| record.is(*name));
        let leads =
            record.is(NetLine::Timeout) || record.is(NetLine::Failed) || record.is(AdLine::Reject);
        let Some(tag) = self
            .tags
            .get_mut(&self.in_turn)
            .filter(|tag| tag.decision.is_none())
        else {
            return;
        };
        if (is_decision || leads)
            && let Some(rule) = record.rule.filter(|rule| !tag.rules.contains(rule))
        {
            tag.rules.push(rule);
        }
        if is_decision {
            tag.decision = Some(record.seq);
        }
    }
}

/// Returns whether a line reports a failure.
pub(super) fn is_failure(record: &Record) -> bool {
    let has = |key| record.data.get(key).is_some();
    let status = || record.data.integer("status");
    record
        .line_name()
        .is_some_and(|name| FAILURES.contains(&name))
        || record.kind == Kind::Net && status().is_some_and(|status| status >= 400)
        || matches!(record.kind, Kind::Call | Kind::Listener) && has("error")
        || record.kind == Kind::Edit && has("errors")
}

/// The names of lines that report a failure.
const FAILURES: &[LineName] = &[
    LineName::Event(EventName::AdError),
    LineName::Event(EventName::PlaybackError),
    LineName::Net(NetLine::Timeout),
    LineName::Net(NetLine::Failed),
    LineName::Ad(AdLine::NoFill),
    LineName::Ad(AdLine::Reject),
    LineName::Ad(AdLine::Failed),
    LineName::MediaEvent(EventName::Error),
    LineName::Beacon(BeaconLine::Error),
];
