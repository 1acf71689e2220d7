//! Checks whether a trace meets the expectations of its scenario.
//!
//! A failure names the expectation, the finding instead and its time, so that the place can be
//! found without reading the trace. Numbers are compared exactly. The line of an expectation in the
//! scenario is not known here, only its number; `scenario::expectation_places` returns the place.
//!
//! Rules: TRACE-1, INV-23.

use std::fmt;

use playsim_api::{Call, EventName, Fields, Kind, Outcome, Query, Value};
use playsim_base::time::{Span, Time};
use playsim_scenario::Expectation;
use playsim_trace::{Record, Trace, TraceEvent};

/// The maximum number of times or names listed in a message.
const LISTED: usize = 5;

/// An expectation that a trace does not meet.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnmetExpectation {
    /// Its number, from 1 in the order of the scenario.
    pub number: usize,
    /// The expectation.
    pub expected: String,
    /// The finding instead, and its time.
    pub found: String,
    /// The relevant time, if there is one.
    pub at: Option<Time>,
}

impl fmt::Display for UnmetExpectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expectation {}: expected {}; {}",
            self.number, self.expected, self.found
        )
    }
}

/// The finding instead, and the relevant time.
type Found = (String, Option<Time>);

/// Returns the expectations that a trace does not meet, in the scenario's order.
#[must_use]
pub fn expectations(expect: &[Expectation], trace: &Trace) -> Vec<UnmetExpectation> {
    let numbered = expect.iter().enumerate();
    let failures = numbered.filter_map(|(index, expectation)| {
        let (found, at) = against(expectation, trace)?;
        Some(UnmetExpectation {
            number: index + 1,
            expected: expected(expectation),
            found,
            at,
        })
    });
    failures.collect()
}

/// Returns how a trace fails an expectation; `None` if it meets it.
fn against(expectation: &Expectation, trace: &Trace) -> Option<Found> {
    match expectation {
        Expectation::Event { event, times, data } => against_event(*event, *times, data, trace),
        Expectation::Order(names) => against_order(names, trace),
        Expectation::Never(event) => against_event(*event, Some(0), &Value::Undefined, trace),
        Expectation::AtMostOne(events) => against_at_most_one(events, trace),
        Expectation::After {
            event,
            comes,
            within,
        } => against_after(*event, *comes, *within, trace),
        Expectation::Diag { code, times } => against_diag(code, *times, trace),
        Expectation::Read { query, at, is } => against_read(*query, *at, is, trace),
        Expectation::Call { call, times, error } => {
            against_call(*call, *times, error.as_deref(), trace)
        }
    }
}

/// Returns an expectation in words.
fn expected(expectation: &Expectation) -> String {
    match expectation {
        Expectation::Event { event, times, data } => {
            let data = if let Value::Map(fields) = data {
                with(fields)
            } else {
                String::new()
            };
            format!("event {event}{data} {}", how_often(*times))
        }
        Expectation::Order(names) => {
            let names: Vec<&str> = names.iter().map(|name| name.name()).collect();
            format!("events in the order {}", names.join(", "))
        }
        Expectation::Never(event) => format!("no {event} event"),
        Expectation::AtMostOne(events) => {
            let names: Vec<&str> = events.iter().map(|name| name.name()).collect();
            format!("at most one of {}", names.join(", "))
        }
        Expectation::After {
            event,
            comes,
            within,
        } => {
            format!("{comes} within {} after each {event}", within.in_seconds())
        }
        Expectation::Diag { code, times } => format!("diagnostic {code} {}", how_often(*times)),
        Expectation::Read { query, at, is } => {
            let at = at.map_or_else(String::new, |at| format!(" at {at}"));
            format!("{} to be {is}{at}", query.name())
        }
        Expectation::Call { call, times, error } => {
            let error = error
                .as_ref()
                .map_or_else(String::new, |code| format!(" with error {code}"));
            format!("call {}{error} {}", call.name(), how_often(*times))
        }
    }
}

fn against_event(
    event: EventName,
    times: Option<u32>,
    data: &Value,
    trace: &Trace,
) -> Option<Found> {
    let wanted = if let Value::Map(fields) = data {
        fields
    } else {
        &Fields::NONE
    };
    let of_name = || trace.events().filter(|fired| fired.name == event);
    let came: Vec<Time> = of_name()
        .filter(|fired| has(fired.data, wanted))
        .map(|fired| fired.at)
        .collect();
    if is_count(came.len(), times) {
        return None;
    }
    let others = of_name().filter(|fired| !has(fired.data, wanted));
    let others: Vec<(Time, String)> = others
        .map(|TraceEvent { at, data, .. }| (at, format!("at {at} with {}", instead(data, wanted))))
        .collect();
    if came.is_empty() && !others.is_empty() {
        let at = others.first().map(|(at, _)| *at);
        let texts = others.into_iter().map(|(_, text)| text);
        return Some((format!("it fired {}", listed(texts)), at));
    }
    Some(counted("it fired", "it never fired", &came, trace))
}

fn against_order(names: &[EventName], trace: &Trace) -> Option<Found> {
    let mut events = trace
        .events()
        .map(|fired| (fired.name, fired.at))
        .enumerate();
    let mut last: Option<(usize, EventName, Time)> = None;
    for (place, wanted) in names.iter().enumerate() {
        if let Some((index, (name, at))) = events.find(|(_, (name, _))| name == wanted) {
            last = Some((index, name, at));
            continue;
        }
        let Some((index, name, at)) = last else {
            let found = format!("{wanted} did not fire at all{}", ended(trace));
            return Some((found, None));
        };
        let before = trace
            .events()
            .take(index)
            .filter(|fired| fired.name == *wanted)
            .last();
        let before = before.map_or_else(String::new, |fired| {
            format!(" (before that, it last fired at {})", fired.at)
        });
        let mut after: Vec<String> = Vec::new();
        for TraceEvent { name, at, .. } in trace.events().skip(index + 1) {
            // Of several equal events in a row, only the first is listed.
            if after
                .last()
                .is_none_or(|text| !text.starts_with(&format!("{name} ")))
            {
                after.push(format!("{name} {at}"));
            }
        }
        let after = if after.is_empty() {
            format!("nothing{}", ended(trace))
        } else {
            listed(after)
        };
        let number = place + 1;
        let found = format!(
            "event {number}, {wanted}, did not fire after {name} at {at}{before}; that was followed by {after}"
        );
        return Some((found, Some(at)));
    }
    None
}

fn against_at_most_one(events: &[EventName], trace: &Trace) -> Option<Found> {
    let mut fired: Vec<TraceEvent<'_>> = Vec::new();
    for event in trace.events().filter(|event| events.contains(&event.name)) {
        if fired.iter().all(|known| known.name != event.name) {
            fired.push(event);
        }
    }
    let [_, second, ..] = &*fired else {
        return None;
    };
    let all = fired
        .iter()
        .map(|event| format!("{} {}", event.name, event.at));
    Some((format!("these fired: {}", listed(all)), Some(second.at)))
}

fn against_after(event: EventName, comes: EventName, within: Span, trace: &Trace) -> Option<Found> {
    let last = trace.records.last();
    // A run that was cut may have gone on in time.
    let is_cut = last.is_some_and(|last| !last.is(Outcome::Idle));
    let end = last.map_or(Time::ZERO, |last| last.at);
    for first in trace.events().filter(|fired| fired.name == event) {
        let follows = |fired: &TraceEvent<'_>| {
            fired.name == comes
                && fired.seq > first.seq
                && fired.record.player == first.record.player
        };
        let found = trace.events().find(follows).map(|fired| fired.at);
        let deadline = first.at + within;
        if found.is_some_and(|at| at <= deadline) || found.is_none() && is_cut && end < deadline {
            continue;
        }
        let instead = match found {
            Some(at) => format!("it fired only at {at}"),
            None => format!("it never fired{}", ended(trace)),
        };
        return Some((
            format!("after {event} at {} {instead}", first.at),
            Some(first.at),
        ));
    }
    None
}

fn against_diag(code: &str, times: Option<u32>, trace: &Trace) -> Option<Found> {
    let diags = || {
        trace
            .records
            .iter()
            .filter(|record| record.kind == Kind::Diag)
    };
    let came: Vec<Time> = diags()
        .filter(|record| *record.name == *code)
        .map(|record| record.at)
        .collect();
    if is_count(came.len(), times) {
        return None;
    }
    let others: Vec<String> = diags()
        .map(|record| format!("{} {}", record.name, record.at))
        .collect();
    if came.is_empty() && !others.is_empty() {
        return Some((
            format!("it was not reported; others were: {}", listed(others)),
            None,
        ));
    }
    Some(counted(
        "it was reported",
        "it was never reported",
        &came,
        trace,
    ))
}

fn against_read(query: Query, at: Option<Time>, is: &Value, trace: &Trace) -> Option<Found> {
    let name = query.name();
    let calls: Vec<&Record> = calls(name, trace).collect();
    let at_time = |record: &&&Record| at.is_none_or(|at| record.at == at);
    let read = calls
        .iter()
        .filter(at_time)
        .rev()
        .find_map(|record| Some((record, record.data.get("returns")?)));
    if let Some((record, value)) = read {
        let found = format!("it was {value} at {}", record.at);
        return (!same(value, is)).then_some((found, Some(record.at)));
    }
    if let Some(record) = calls.iter().rfind(at_time) {
        let error = record
            .data
            .get("error")
            .map_or_else(|| "nothing".to_owned(), |code| format!("error {code}"));
        return Some((
            format!("reading it gave {error} at {}", record.at),
            Some(record.at),
        ));
    }
    let step = at.map_or_else(|| "...".to_owned(), |at| format!("{}s", trimmed(at)));
    let found = if calls.is_empty() {
        format!("it was never read; add a step that reads it: {{ at: {step}, read: [{name}] }}")
    } else {
        format!(
            "it was not read at that time, only at {}",
            listed(calls.iter().map(|record| record.at.to_string()))
        )
    };
    Some((found, at))
}

fn against_call(
    call: Call,
    times: Option<u32>,
    error: Option<&str>,
    trace: &Trace,
) -> Option<Found> {
    let code = |record: &Record| record.data.text("error").map(ToString::to_string);
    let of_error =
        |record: &&Record| error.is_none_or(|error| code(record).as_deref() == Some(error));
    let made: Vec<Time> = calls(call.name(), trace)
        .filter(of_error)
        .map(|record| record.at)
        .collect();
    if is_count(made.len(), times) {
        return None;
    }
    let others: Vec<String> = calls(call.name(), trace)
        .map(|record| match code(record) {
            Some(code) => format!("at {} with error {code}", record.at),
            None => format!("at {} without error", record.at),
        })
        .collect();
    if made.is_empty() && !others.is_empty() {
        return Some((format!("it was made {}", listed(others)), None));
    }
    Some(counted("it was made", "it was never made", &made, trace))
}

fn calls<'a>(name: &'a str, trace: &'a Trace) -> impl Iterator<Item = &'a Record> {
    trace
        .records
        .iter()
        .filter(move |record| record.kind == Kind::Call && *record.name == *name)
}

/// Returns whether data contain all the wanted fields.
fn has(data: &Fields, wanted: &Fields) -> bool {
    wanted
        .iter()
        .all(|(key, value)| data.get(key).is_some_and(|found| same(found, value)))
}

/// Returns whether values are equal for page code: key order does not matter, and a trace writes
/// undefined as null.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Undefined | Value::Null, Value::Undefined | Value::Null) => true,
        (Value::Map(a), Value::Map(b)) => a.iter().len() == b.iter().len() && has(a, b),
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (a, b) => a == b,
    }
}

fn is_count(count: usize, times: Option<u32>) -> bool {
    times.map_or(count > 0, |times| usize::try_from(times) == Ok(count))
}

fn how_often(times: Option<u32>) -> String {
    match times {
        None => "at least once".to_owned(),
        Some(0) => "never".to_owned(),
        Some(1) => "once".to_owned(),
        Some(2) => "twice".to_owned(),
        Some(times) => format!("{times} times"),
    }
}

/// Returns how often something occurred, and when.
fn counted(what: &str, never: &str, came: &[Time], trace: &Trace) -> Found {
    let times = u32::try_from(came.len()).unwrap_or(u32::MAX);
    let often = how_often(Some(times));
    if times == 0 {
        return (format!("{never}{}", ended(trace)), None);
    }
    let when = listed(came.iter().map(Time::to_string));
    (format!("{what} {often}, at {when}"), came.first().copied())
}

/// Returns how and when the run ended.
fn ended(trace: &Trace) -> String {
    let last = trace.records.last();
    last.map_or_else(String::new, |record| {
        format!(" (the run ended at {}: {})", record.at, record.name)
    })
}

fn with(fields: &Fields) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    if fields.is_empty() {
        String::new()
    } else {
        format!(" with {}", fields.join(" "))
    }
}

/// Returns the data that were found instead of the wanted ones.
fn instead(data: &Fields, wanted: &Fields) -> String {
    let fields = wanted.iter().map(|(key, _)| match data.get(key) {
        Some(value) => format!("{key}={value}"),
        None => format!("no {key}"),
    });
    fields.collect::<Vec<_>>().join(" ")
}

/// Returns the first few, and how many more there are.
fn listed(texts: impl IntoIterator<Item = String>) -> String {
    let mut texts = texts.into_iter();
    let mut list: Vec<String> = texts.by_ref().take(LISTED).collect();
    let more = texts.count();
    if more > 0 {
        list.push(format!("and {more} more"));
    }
    list.join(", ")
}

/// Returns the seconds without trailing zeros.
fn trimmed(at: Time) -> String {
    let text = at.to_string();
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests;
