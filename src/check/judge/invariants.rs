//! Those invariants of documented events that a trace has the lines for.
//!
//! A trace of playsim is judged by all of them. A recording has no breaks, causes or states, and does not read the
//! player at each instant; an invariant that needs what it cannot hear is left out.

use super::session::Session;
use super::{Finding, Sure};
use crate::api::{EventName, Kind};
use crate::check::invariants;
use crate::rules::{self, RuleId};

/// The invariants that hold for any player, each with the events that they need.
const OF_ANY: &[(RuleId, &[EventName])] = &[
    (rules::INV_5, &[]),
    (rules::INV_6, &[EventName::Play, EventName::Ended]),
    (rules::INV_7, &[EventName::Play, EventName::Start]),
    (rules::INV_8, &[EventName::AdImpression, EventName::AdComplete, EventName::AdError, EventName::AdSkip]),
    (rules::INV_9, &[EventName::Stopped]),
    (
        rules::INV_13,
        &[
            EventName::AdImpression,
            EventName::AdStart,
            EventName::AdFirstQuartile,
            EventName::AdMidpoint,
            EventName::AdThirdQuartile,
            EventName::AdComplete,
        ],
    ),
    (rules::INV_14, &[EventName::AdImpression, EventName::AdPause, EventName::AdResume]),
    (rules::INV_16, &[]),
    (rules::INV_18, &[EventName::PlaylistComplete, EventName::Ended]),
];

/// The invariants that need lines about breaks.
const OF_BREAKS: &[RuleId] = &[rules::INV_10, rules::INV_11];

/// Judges by the invariants that apply.
pub(super) fn judge(session: &Session<'_>) -> Vec<Finding> {
    let all = invariants::INVARIANTS.iter().map(|row| row.rule);
    let rules: Vec<RuleId> = all.filter(|rule| applies(session, *rule)).collect();
    let mut findings = if session.is_complete { Vec::new() } else { time_goes_on(session) };
    if rules.is_empty() {
        return findings;
    }
    for found in invariants::judge_by(session.trace, |rule| rules.contains(&rule)) {
        let at = session.trace.records.partition_point(|record| record.last_seq() < found.seq);
        let exact = session.trace.records.iter().position(|record| record.seq == found.seq);
        let index = exact.unwrap_or(at.min(session.trace.records.len().saturating_sub(1)));
        if let Some(line) = session.trace.records.get(index) {
            findings.push(Finding::new(found.rule, index, line, Sure::Certain, found.text, String::new()));
        }
    }
    findings
}

fn applies(session: &Session<'_>, rule: RuleId) -> bool {
    if session.is_complete {
        return true;
    }
    let has_breaks = || session.trace.records.iter().any(|record| record.kind == Kind::Break);
    let needs = OF_ANY.iter().find(|(any, _)| *any == rule).map(|(_, needs)| *needs);
    let hears = |events: &[EventName]| events.iter().all(|event| session.hears(Kind::Event, event.name()));
    let has_calls = rule != rules::INV_9 || session.hears(Kind::Call, "stop");
    needs.is_some_and(|needs| hears(needs) && has_calls)
        || !session.is_own && OF_BREAKS.contains(&rule) && has_breaks()
}

/// Time never goes back from line to line. Rule INV-3.
fn time_goes_on(session: &Session<'_>) -> Vec<Finding> {
    let pairs = session.trace.records.windows(2).enumerate();
    pairs
        .filter(|(_, pair)| pair[1].at < pair[0].until())
        .map(|(index, pair)| {
            let seen = format!("the time goes back from {} to {}", pair[0].until(), pair[1].at);
            Finding::new(rules::INV_3, index + 1, &pair[1], Sure::Certain, seen, String::new())
        })
        .collect()
}
