//! What a stretch of random scenarios reached.

use std::collections::BTreeMap;
use std::fmt;

use playsim::api::{Call, EventName, Kind, Query};
use playsim::trace::Trace;

/// How often each line was seen, by kind and name.
#[derive(Default)]
pub(crate) struct Coverage {
    runs: u64,
    lines: u64,
    seen: BTreeMap<(&'static str, String), u64>,
}

/// Every state of a player.
const STATES: &[&str] = &[
    "created",
    "initial",
    "ad-loading",
    "ad-playing",
    "ad-paused",
    "playing",
    "buffering",
    "paused",
    "ended",
    "failed",
    "destroyed",
];

/// Events that nothing in this version raises.
const NOT_BUILT: &[EventName] = &[EventName::AdsManagerLoaded, EventName::BidWon, EventName::VpaidStart];

impl Coverage {
    pub(crate) fn take(&mut self, trace: &Trace) {
        self.runs += 1;
        for record in &trace.records {
            let lines = u64::from(record.lines());
            self.lines += lines;
            let names_itself = matches!(record.kind, Kind::Listener | Kind::Beacon);
            let name = if names_itself { String::new() } else { record.name.to_string() };
            *self.seen.entry((record.kind.name(), name)).or_default() += lines;
        }
    }

    pub(crate) fn add(&mut self, other: Coverage) {
        self.runs += other.runs;
        self.lines += other.lines;
        for (key, count) in other.seen {
            *self.seen.entry(key).or_default() += count;
        }
    }

    /// Calls, getters, states, events and outcomes that never came.
    pub(crate) fn missing(&self) -> Vec<String> {
        let calls = Call::ALL.iter().map(|call| (Kind::Call, call.name()));
        let queries = Query::ALL.iter().map(|query| (Kind::Call, query.name()));
        let states = STATES.iter().map(|state| (Kind::State, *state));
        let built = EventName::DOCUMENTED.iter().filter(|event| !NOT_BUILT.contains(event));
        let events = built.map(|event| (Kind::Event, event.name()));
        let outcomes = ["idle", "until", "livelock"].map(|outcome| (Kind::Outcome, outcome));
        let nets =
            ["request", "response", "timeout", "failed", "late", "dropped"].map(|net| (Kind::Net, net));
        calls
            .chain(queries)
            .chain(states)
            .chain(events)
            .chain(outcomes)
            .chain(nets)
            .filter(|(kind, name)| !self.seen.contains_key(&(kind.name(), (*name).to_owned())))
            .map(|(kind, name)| format!("{} {name}", kind.name()))
            .collect()
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} runs, {} lines", self.runs, self.lines)?;
        let mut before = "";
        for ((kind, name), count) in &self.seen {
            if *kind != before {
                write!(f, "\n{kind:9}")?;
                before = kind;
            }
            write!(f, " {name}:{count}")?;
        }
        Ok(())
    }
}
