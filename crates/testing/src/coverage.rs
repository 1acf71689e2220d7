//! The coverage of a series of scenarios: what was reached, and what was not.

use std::collections::BTreeMap;
use std::fmt;

use super::played::{caught, play};
use super::settings;
use playsim_ads::AD_ERRORS;
use playsim_api::{
    Call, EventName, Kind, LineName, NetLine, Outcome, PageLine, Query, StateLine, UserLine, Value,
};
use playsim_rules::knobs::{KNOBS, Knob, Profile};
use playsim_rules::{self as rules, Built, RuleId};
use playsim_scenario::Scenario;
use playsim_trace::Trace;

/// Counts the coverage of a series of scenarios: lines by kind and name, rules, profiles, values of
/// knobs.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    runs: u64,
    lines: u64,
    /// Runs with enough actions: calls, user actions, changes of the page.
    sessions: u64,
    seen: BTreeMap<&'static str, BTreeMap<String, u64>>,
    rules: BTreeMap<RuleId, u64>,
    /// Runs with a knob at another value than the default.
    knobs: BTreeMap<&'static str, BTreeMap<String, u64>>,
    profiles: BTreeMap<&'static str, u64>,
    /// The codes of ads and tags that failed.
    codes: BTreeMap<u16, u64>,
}

/// The coverage of one sort, such as events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The sort.
    pub what: &'static str,
    /// The names that were reached, each with its count.
    pub seen: Vec<(String, u64)>,
    /// The names that were not reached.
    pub missing: Vec<String>,
}

/// The number of actions that make a session.
const LEAST_ACTS: usize = 5;

/// The codes of ads that fail. No series reaches all of them: some are of products, and come with
/// their profiles only.
const CODES: &str = "error codes of ads";

impl Coverage {
    /// Counts a scenario and its trace.
    pub fn take(&mut self, scenario: &Scenario, trace: &Trace) {
        self.runs += 1;
        let mut acts = 0;
        for record in &trace.records {
            let lines = u64::from(record.lines());
            self.lines += lines;
            acts += usize::from(matches!(record.kind, Kind::Call | Kind::User | Kind::Page));
            let names_itself = matches!(record.kind, Kind::Listener | Kind::Beacon);
            let of_kind = self.seen.entry(record.kind.name()).or_default();
            count(of_kind, if names_itself { "" } else { &record.name }, lines);
            if let Some(rule) = record.rule {
                *self.rules.entry(rule).or_default() += lines;
            }
            let is_ad = matches!(record.kind, Kind::Ad | Kind::Break | Kind::Event);
            let code = record.data.integer("code").filter(|_| is_ad);
            if let Some(code) = code.and_then(|code| u16::try_from(code).ok()) {
                *self.codes.entry(code).or_default() += lines;
            }
        }
        self.sessions += u64::from(acts >= LEAST_ACTS);
        for name in scenario.profile.to_string().split('+') {
            let known = Profile::from_name(name).map_or("", Profile::name);
            *self.profiles.entry(known).or_default() += 1;
        }
        let header = trace.records.first();
        let Some(Value::Map(knobs)) = header.and_then(|header| header.data.get("knobs")) else {
            return;
        };
        for (name, value) in knobs.iter() {
            let Some(knob) = Knob::named(name) else {
                continue;
            };
            count(
                self.knobs.entry(knob.name).or_default(),
                value.as_text().map_or("", |text| text),
                1,
            );
        }
    }

    /// Plays a scenario and counts its coverage; does nothing if it cannot be played.
    pub fn play(&mut self, scenario: &Scenario) {
        if let Ok(trace) = caught(|| play(scenario)) {
            self.take(scenario, &trace);
        }
    }

    /// Adds the counts of another coverage.
    pub fn add(&mut self, other: Coverage) {
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
        for (rule, lines) in other.rules {
            *self.rules.entry(rule).or_default() += lines;
        }
        for (code, lines) in other.codes {
            *self.codes.entry(code).or_default() += lines;
        }
        for (profile, runs) in other.profiles {
            *self.profiles.entry(profile).or_default() += runs;
        }
    }

    /// The number of scenarios.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The number of lines of their traces.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The number of scenarios with at least five actions.
    #[must_use]
    pub fn sessions(&self) -> u64 {
        self.sessions
    }

    /// The coverage, sort by sort.
    #[must_use]
    pub fn reached(&self) -> Vec<Reached> {
        let mut all: Vec<Reached> = known_lines()
            .map(|(what, names)| self.reached_lines(what, names))
            .into();
        let profiles = Profile::ALL.iter().map(|profile| profile.name());
        let profiles = profiles.map(|name| (name.to_owned(), self.profiles.get(name).copied()));
        all.push(Reached::of(Reached::PROFILES, profiles));
        all.push(self.reached_values());
        let codes = AD_ERRORS
            .iter()
            .map(|(code, _)| (code.to_string(), self.codes.get(code).copied()));
        all.push(Reached::of(CODES, codes));
        let built = rules::all().filter(|rule| rule.row().built == Built::Yes);
        let built = built.map(|rule| (rule.to_string(), self.rules.get(&rule).copied()));
        all.push(Reached::of(Reached::RULES, built));
        all
    }

    /// The names that were not reached, apart from rules and codes: each with its sort.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let sorts = self
            .reached()
            .into_iter()
            .filter(|sort| ![CODES, Reached::RULES].contains(&sort.what));
        let each = |sort: Reached| {
            sort.missing
                .into_iter()
                .map(|name| format!("{}: {name}", sort.what))
                .collect::<Vec<_>>()
        };
        sorts.flat_map(each).collect()
    }

    fn reached_lines(&self, what: &'static str, names: Vec<LineName>) -> Reached {
        let times = |name: &LineName| self.seen.get(name.kind().name())?.get(name.name()).copied();
        Reached::of(
            what,
            names
                .iter()
                .map(|name| (name.name().to_owned(), times(name))),
        )
    }

    /// Values of knobs. A knob at its default is not counted; of durations and numbers any value
    /// will do.
    fn reached_values(&self) -> Reached {
        let mut reached = Reached {
            what: Reached::KNOB_VALUES,
            seen: Vec::new(),
            missing: Vec::new(),
        };
        for knob in KNOBS {
            let set = self.knobs.get(knob.name);
            let seen = set
                .into_iter()
                .flatten()
                .map(|(value, times)| (format!("{}={value}", knob.name), *times));
            reached.seen.extend(seen);
            let values = settings::values(knob);
            if values.is_empty() && set.is_none() {
                reached.missing.push(knob.name.to_owned());
            }
            let is_set = |value: &String| set.is_some_and(|set| set.contains_key(value));
            let missing = values
                .iter()
                .filter(|value| **value != knob.default() && !is_set(value));
            reached
                .missing
                .extend(missing.map(|value| format!("{}={value}", knob.name)));
        }
        reached
    }
}

impl Reached {
    /// The sort of rules. No series reaches all of them: many rules never decide a line.
    pub const RULES: &'static str = "rules";
    /// The sort of profiles.
    pub const PROFILES: &'static str = "profiles";
    /// The sort of the values of knobs.
    pub const KNOB_VALUES: &'static str = "knob values";

    fn of(what: &'static str, known: impl Iterator<Item = (String, Option<u64>)>) -> Reached {
        let mut reached = Reached {
            what,
            seen: Vec::new(),
            missing: Vec::new(),
        };
        for (name, times) in known {
            match times {
                Some(times) => reached.seen.push((name, times)),
                None => reached.missing.push(name),
            }
        }
        reached
    }
}

/// The names of lines that random scenarios reach, by sort.
fn known_lines() -> [(&'static str, Vec<LineName>); 8] {
    fn names<T: Copy + Into<LineName>>(all: &[T]) -> Vec<LineName> {
        all.iter().map(|name| (*name).into()).collect()
    }
    // Scripts that arrive late, and elements that come later, are scenarios of their own.
    let is_drawn = |name: &&PageLine| !matches!(name, PageLine::Script | PageLine::Container);
    let pages = PageLine::ALL
        .iter()
        .filter(is_drawn)
        .map(|name| LineName::from(*name))
        .collect();
    // Nothing that is drawn is as long as the limits.
    let is_drawn = |name: &&Outcome| **name != Outcome::Limit;
    let outcomes = Outcome::ALL
        .iter()
        .filter(is_drawn)
        .map(|name| LineName::from(*name))
        .collect();
    [
        ("events", names(EventName::ALL)),
        ("calls", names(Call::ALL)),
        ("getters", names(Query::ALL)),
        ("user actions", names(UserLine::ALL)),
        ("changes of the page", pages),
        ("states", names(StateLine::ALL)),
        ("network", names(NetLine::ALL)),
        ("outcomes", outcomes),
    ]
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
