//! What is true of a scenario in every way, in forms that a team can adopt as expectations.

use std::collections::BTreeMap;

use playsim_api::{EventName, Fields, Kind, Value};
use playsim_base::time::Span;
use playsim_scenario::Expectation;

use super::OutcomeClass;

/// Pairs of events that end something, or begin what has ended: only these are compared, as most
/// others never occur together for reasons that nobody would doubt.
const ENDS: [EventName; 8] = [
    EventName::AdComplete,
    EventName::AdSkip,
    EventName::AdError,
    EventName::AdEnd,
    EventName::Ended,
    EventName::Stopped,
    EventName::PlaybackError,
    EventName::DestroyBefore,
];

/// The events after which something is due soon: each with what follows it.
pub(super) const PAIRS: [(EventName, EventName); 3] = [
    (EventName::AdEnd, EventName::Play),
    (EventName::RequestAd, EventName::AdImpression),
    (EventName::AdSkip, EventName::AdEnd),
];

/// The longest times from each event of [`PAIRS`] to the one that follows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Longest([Gap; PAIRS.len()]);

#[derive(Debug, Clone, Copy, Default)]
struct Gap {
    /// `None`: the second event never followed.
    longest: Option<Span>,
    /// Whether the second event failed to come at all.
    is_open: bool,
}

impl Longest {
    /// The second event of a pair has followed the first.
    pub(super) fn follows(&mut self, pair: usize, after: Span) {
        if let Some(gap) = self.0.get_mut(pair) {
            gap.longest = gap.longest.max(Some(after));
        }
    }

    /// The second event of a pair does not come any more.
    pub(super) fn stays_open(&mut self, pair: usize) {
        if let Some(gap) = self.0.get_mut(pair) {
            gap.is_open = true;
        }
    }

    pub(super) fn add(&mut self, other: Longest) {
        for (gap, other) in self.0.iter_mut().zip(other.0) {
            gap.longest = gap.longest.max(other.longest);
            gap.is_open |= other.is_open;
        }
    }
}

/// Returns what is true of all outcomes and of all lines that were judged.
pub(super) fn statements(outcomes: &[OutcomeClass], longest: Longest) -> Vec<Expectation> {
    // How often each event occurs in each outcome.
    let mut events: BTreeMap<EventName, Vec<u32>> = BTreeMap::new();
    for (number, class) in outcomes.iter().enumerate() {
        for (fact, times) in class
            .facts
            .iter()
            .filter(|(fact, _)| fact.kind == Kind::Event)
        {
            if let Some(event) = EventName::from_name(&fact.name) {
                events
                    .entry(event)
                    .or_insert_with(|| vec![0; outcomes.len()])[number] += times;
            }
        }
    }
    let mut found = Vec::new();
    for (event, times) in &events {
        let data = Value::Map(Fields::NONE);
        let first = times.first().copied().unwrap_or_default();
        if times.iter().all(|times| *times > 0) {
            let times = times.iter().all(|times| *times == first).then_some(first);
            found.push(Expectation::Event {
                event: *event,
                times,
                data,
            });
        }
    }
    for (place, one) in ENDS.iter().enumerate() {
        for other in &ENDS[place + 1..] {
            if let (Some(one_times), Some(other_times)) = (events.get(one), events.get(other))
                && one_times
                    .iter()
                    .zip(other_times)
                    .all(|(one, other)| *one == 0 || *other == 0)
            {
                found.push(Expectation::AtMostOne(vec![*one, *other]));
            }
        }
    }
    for ((event, comes), gap) in PAIRS.iter().zip(longest.0) {
        if let Some(longest) = gap.longest.filter(|_| !gap.is_open) {
            found.push(Expectation::After {
                event: *event,
                comes: *comes,
                within: rounded(longest),
            });
        }
    }
    let never = [
        EventName::PlaybackError,
        EventName::AdError,
        EventName::Stopped,
    ];
    found.extend(
        never
            .iter()
            .filter(|event| !events.contains_key(event))
            .map(|event| Expectation::Never(*event)),
    );
    found
}

/// Rounds up to a length that people would write: a tenth of a second, and never zero.
fn rounded(span: Span) -> Span {
    const TENTH: u64 = 100_000;
    Span::from_micros(span.micros().div_ceil(TENTH).max(1) * TENTH)
}
