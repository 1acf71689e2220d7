//! The coverage of a series of random scenarios, and what they should have reached.

use std::collections::BTreeMap;
use std::fmt;

use playsim::api::{
    Call, EventName, Kind, LineName, NetLine, Outcome, PageLine, Query, StateLine, UserLine, Value,
};
use playsim::knobs::{KNOBS, Knob, Profile};
use playsim::scenario::Scenario;
use playsim::trace::Trace;

use super::settings;

/// How often each line was recorded, by kind and name; how often each knob had which value.
#[derive(Default)]
pub(crate) struct Coverage {
    runs: u64,
    lines: u64,
    /// Runs with enough actions: calls, user actions, changes of the page.
    sessions: u64,
    seen: BTreeMap<&'static str, BTreeMap<String, u64>>,
    /// Runs with a knob at another value than the default.
    knobs: BTreeMap<&'static str, BTreeMap<String, u64>>,
    profiles: BTreeMap<&'static str, u64>,
}

/// The number of actions that make a session.
const LEAST_ACTS: usize = 5;

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
        for name in scenario.profile.to_string().split('+') {
            let known = Profile::from_name(name).map_or("", Profile::name);
            *self.profiles.entry(known).or_default() += 1;
        }
        let Some(Value::Map(knobs)) = trace.records[0].data.get("knobs") else { return };
        for (name, value) in knobs.iter() {
            let Some(knob) = Knob::named(name) else { continue };
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

    /// The number of runs with enough actions.
    pub(crate) fn sessions(&self) -> u64 {
        self.sessions
    }

    /// Calls, getters, actions, changes, states, events and outcomes that never occurred, and knobs and
    /// profiles that were never set to a value.
    pub(crate) fn missing(&self) -> Vec<String> {
        let calls = Call::ALL.iter().map(|call| LineName::from(*call));
        let queries = Query::ALL.iter().map(|query| LineName::from(*query));
        let users = UserLine::ALL.iter().map(|name| LineName::from(*name));
        // Scripts that arrive late are scenarios of their own.
        let pages = PageLine::ALL.iter().filter(|name| **name != PageLine::Script);
        let pages = pages.map(|name| LineName::from(*name));
        let states = StateLine::ALL.iter().map(|name| LineName::from(*name));
        let events = EventName::ALL.iter().map(|name| LineName::from(*name));
        // Nothing that is drawn here is as long as the limits.
        let outcomes = Outcome::ALL.iter().filter(|name| **name != Outcome::Limit);
        let outcomes = outcomes.map(|name| LineName::from(*name));
        let nets = NetLine::ALL.iter().map(|name| LineName::from(*name));
        let lines = calls.chain(queries).chain(users).chain(pages).chain(states).chain(events);
        let lines =
            lines.chain(outcomes).chain(nets).map(|name| (name.kind(), name.name())).filter(
                |(kind, name)| self.seen.get(kind.name()).is_none_or(|names| !names.contains_key(*name)),
            );
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
            "{} runs, {} with {LEAST_ACTS} actions or more, {} lines",
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
