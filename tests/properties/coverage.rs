//! What a stretch of random scenarios reached, and what they should have reached.

use std::collections::BTreeMap;
use std::fmt;

use playsim::api::{Act, Call, Decimal, EventName, Kind, PageChange, Query, Value};
use playsim::knobs::{KNOBS, Knob, Profile};
use playsim::scenario::Scenario;
use playsim::trace::Trace;

use super::settings;

/// How often each line was seen, by kind and name; how often each knob had which value.
#[derive(Default)]
pub(crate) struct Coverage {
    runs: u64,
    lines: u64,
    /// Runs of enough acts: calls, what the person does, changes of the page.
    sessions: u64,
    seen: BTreeMap<&'static str, BTreeMap<String, u64>>,
    /// Runs with a knob at another value than the default.
    knobs: BTreeMap<&'static str, BTreeMap<String, u64>>,
    profiles: BTreeMap<&'static str, u64>,
}

/// So many acts make a session.
const LEAST_ACTS: usize = 5;

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

/// Changes of the page, by their words.
const CHANGES: [&str; 6] = [
    PageChange::InView(Decimal::ZERO).word(),
    PageChange::Window(0, 0).word(),
    PageChange::Sticky(true).word(),
    PageChange::Fullscreen(true).word(),
    PageChange::Hidden(true).word(),
    PageChange::Rate(Decimal::ONE).word(),
];

impl Coverage {
    pub(crate) fn take(&mut self, scenario: &Scenario, trace: &Trace) {
        self.runs += 1;
        let mut acts = 0;
        for record in &trace.records {
            let lines = u64::from(record.lines());
            self.lines += lines;
            acts += usize::from(matches!(record.kind, Kind::Call | Kind::User | Kind::Page));
            let names_itself = matches!(record.kind, Kind::Listener | Kind::Beacon);
            count(
                self.seen.entry(record.kind.name()).or_default(),
                if names_itself { "" } else { &record.name },
                lines,
            );
        }
        self.sessions += u64::from(acts >= LEAST_ACTS);
        *self.profiles.entry(scenario.profile.name()).or_default() += 1;
        let Some(Value::Map(knobs)) = trace.records[0].data.get("knobs") else { return };
        for (name, value) in knobs.iter() {
            let Some(knob) = Knob::read(name) else { continue };
            count(self.knobs.entry(knob.name).or_default(), value.as_text().map_or("", |text| text), 1);
        }
    }

    pub(crate) fn add(&mut self, other: Coverage) {
        self.runs += other.runs;
        self.lines += other.lines;
        self.sessions += other.sessions;
        for (mine, theirs) in [(&mut self.seen, other.seen), (&mut self.knobs, other.knobs)] {
            for (kind, counts) in theirs {
                for (name, times) in counts {
                    count(mine.entry(kind).or_default(), &name, times);
                }
            }
        }
        for (profile, runs) in other.profiles {
            *self.profiles.entry(profile).or_default() += runs;
        }
    }

    /// How many runs had enough acts.
    pub(crate) fn sessions(&self) -> u64 {
        self.sessions
    }

    /// Calls, getters, acts, changes, states, events and outcomes that never came, and knobs and profiles
    /// that were never set so.
    pub(crate) fn missing(&self) -> Vec<String> {
        let calls = Call::ALL.iter().map(|call| (Kind::Call, call.name()));
        let queries = Query::ALL.iter().map(|query| (Kind::Call, query.name()));
        let acts = Act::WORDS.iter().map(|word| (Kind::User, *word));
        let changes = CHANGES.map(|change| (Kind::Page, change));
        let states = STATES.iter().map(|state| (Kind::State, *state));
        let events = EventName::ALL.iter().map(|event| (Kind::Event, event.name()));
        let outcomes = ["idle", "until", "livelock"].map(|outcome| (Kind::Outcome, outcome));
        let nets = ["request", "redirect", "response", "timeout", "failed", "late", "dropped"]
            .map(|net| (Kind::Net, net));
        let lines = calls.chain(queries).chain(acts).chain(changes).chain(states).chain(events);
        let lines = lines
            .chain(outcomes)
            .chain(nets)
            .filter(|(kind, name)| self.seen.get(kind.name()).is_none_or(|names| !names.contains_key(*name)));
        let profiles = Profile::ALL.iter().map(|profile| profile.name());
        let profiles = profiles.filter(|profile| !self.profiles.contains_key(profile));
        lines
            .map(|(kind, name)| format!("{} {name}", kind.name()))
            .chain(profiles.map(|profile| format!("profile {profile}")))
            .chain(KNOBS.iter().flat_map(|knob| self.missing_values(knob)))
            .collect()
    }

    fn missing_values(&self, knob: &Knob) -> Vec<String> {
        let set = self.knobs.get(knob.name);
        let values = settings::values(knob);
        if values.is_empty() && set.is_none() {
            return vec![format!("knob {}", knob.name)];
        }
        let is_missing = |value: &String| {
            let is_default = *value == knob.default();
            !is_default && set.is_none_or(|values| !values.contains_key(value.as_str()))
        };
        let missing = values.iter().filter(|value| is_missing(value));
        missing.map(|value| format!("knob {} at {value}", knob.name)).collect()
    }
}

fn count(counts: &mut BTreeMap<String, u64>, name: &str, times: u64) {
    match counts.get_mut(name) {
        Some(count) => *count += times,
        None => drop(counts.insert(name.to_owned(), times)),
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} runs, {} of {LEAST_ACTS} acts or more, {} lines",
            self.runs, self.sessions, self.lines
        )?;
        for (kind, names) in self.seen.iter().chain(&self.knobs) {
            write!(f, "\n{kind:9}")?;
            for (name, count) in names {
                write!(f, " {name}:{count}")?;
            }
        }
        Ok(())
    }
}
