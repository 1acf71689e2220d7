//! The outcome of a way, in terms that people know: events, trackers, failures, last states.

use std::fmt;
use std::sync::Arc;

use playsim_api::{EventName, Kind, Text};
use playsim_trace::{Record, Trace};

use super::history::makes_the_outcome;

/// Something that tells outcomes apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fact {
    /// The kind of its line.
    pub kind: Kind,
    /// The name of its line, or the last state of a player.
    pub name: Text,
    /// The code of a failure.
    pub code: Option<i64>,
    /// The container of its player, if there are several.
    pub container: Option<Arc<str>>,
}

/// The outcome of a way.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) facts: Vec<(Fact, u32)>,
}

impl Outline {
    pub(super) fn of(trace: &Trace) -> Outline {
        let has_several = trace.players.len() > 1;
        let container = |record: &Record| {
            let player = record.player.filter(|_| has_several)?;
            trace.players.get(usize::from(player.0)).cloned()
        };
        let mut facts: Vec<(Fact, u32)> = Vec::new();
        let mut add = |fact: Fact| match facts.iter_mut().find(|(known, _)| *known == fact) {
            Some((_, count)) => *count += 1,
            None => facts.push((fact, 1)),
        };
        for record in trace
            .records
            .iter()
            .filter(|record| makes_the_outcome(record))
        {
            let (kind, name) = (record.kind, record.name.clone());
            add(Fact {
                kind,
                name,
                code: record.data.integer("code"),
                container: container(record),
            });
        }
        let states = trace
            .records
            .last()
            .and_then(|last| last.data.get("states")?.as_map());
        for (container, state) in states.into_iter().flat_map(|states| states.iter()) {
            let container = has_several.then(|| Arc::from(&**container));
            let name = state.as_text().cloned().unwrap_or_else(|| "".into());
            add(Fact {
                kind: Kind::State,
                name,
                code: None,
                container,
            });
        }
        Outline { facts }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.kind == Kind::State {
            "ends as "
        } else if self.kind == Kind::Beacon {
            "tracker "
        } else {
            ""
        };
        write!(f, "{kind}{}", self.name)?;
        if let Some(code) = self.code {
            write!(f, " {code}")?;
        }
        if let Some(container) = &self.container {
            write!(f, " in {container}")?;
        }
        Ok(())
    }
}

/// Returns what a viewer sees of an outcome, in words: the ads, the content, how it ends.
pub(super) fn seen(facts: &[(Fact, u32)]) -> String {
    let mut containers: Vec<Option<&Arc<str>>> = facts
        .iter()
        .map(|(fact, _)| fact.container.as_ref())
        .collect();
    containers.sort();
    containers.dedup();
    let of = |container: Option<&Arc<str>>| {
        let own = || {
            facts
                .iter()
                .filter(move |(fact, _)| fact.container.as_ref() == container)
        };
        let times = |event: EventName| {
            let mut all =
                own().filter(|(fact, _)| fact.kind == Kind::Event && *fact.name == *event.name());
            all.next().map_or(0, |(_, times)| *times)
        };
        let ads = [
            (EventName::AdStart, "begin"),
            (EventName::AdComplete, "complete"),
            (EventName::AdSkip, "skipped"),
        ];
        let ads = ads
            .into_iter()
            .map(|(event, word)| (times(event), word))
            .filter(|(times, _)| *times > 0);
        let mut words: Vec<String> = ads.map(|(times, word)| format!("{times} {word}")).collect();
        let ads = if words.is_empty() {
            "no ad".to_owned()
        } else {
            format!("ads: {}", words.join(", "))
        };
        words.clear();
        words.push(ads);
        words.push(match (times(EventName::Start), times(EventName::Ended)) {
            (0, _) => "no content".to_owned(),
            (_, 0) => "content begins".to_owned(),
            (_, 1) => "content to its end".to_owned(),
            (_, often) => format!("content to its end {often} times"),
        });
        words.extend(
            own()
                .filter(|(fact, _)| fact.kind == Kind::State)
                .map(|(fact, _)| format!("last {}", fact.name)),
        );
        let words = words.join("; ");
        container.map_or_else(
            || words.clone(),
            |container| format!("{container}: {words}"),
        )
    };
    containers
        .into_iter()
        .map(of)
        .collect::<Vec<_>>()
        .join(" | ")
}

/// Returns the first line in which a trace differs from another, with its time.
pub(super) fn parting(base: &Trace, other: &Trace) -> Option<String> {
    let lines = |trace: &'_ Trace| {
        let shown = |record: &Record| {
            (
                record.at,
                record.kind,
                record.name.clone(),
                record.data.clone(),
                record.run,
            )
        };
        trace.records.iter().skip(1).map(shown).collect::<Vec<_>>()
    };
    let (base, other) = (lines(base), lines(other));
    let place = base
        .iter()
        .zip(&other)
        .position(|(a, b)| a != b)
        .unwrap_or(base.len().min(other.len()));
    let (at, kind, name, ..) = other.get(place)?;
    Some(format!("{at} {} {name}", kind.name()))
}
