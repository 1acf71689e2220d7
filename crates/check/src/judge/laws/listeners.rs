//! Listeners: which of them run.
//!
//! Rules: EVT-2, EVT-5, EVT-7.

use std::collections::BTreeMap;

use crate::judge::{Findings, Session, Sure};
use playsim_api::{Kind, Value};
use playsim_trace::{PlayerIndex, Record};

/// A listener: its player, the event that it hears, its name.
type Binding = (Option<PlayerIndex>, String, String);

fn binding(record: &Record) -> Option<Binding> {
    let name = record
        .data
        .text("binding")
        .filter(|_| record.kind == Kind::Listener)?;
    Some((record.player, record.name.to_string(), name.to_string()))
}

/// Returns the bindings that a call makes or removes.
fn called(record: &Record, names: [&str; 2]) -> Vec<Binding> {
    if record.kind != Kind::Call
        || !names.contains(&&*record.name)
        || record.data.get("error").is_some()
    {
        return Vec::new();
    }
    let args = record
        .data
        .get("args")
        .and_then(Value::as_list)
        .unwrap_or_default();
    let [events, listener, ..] = args else {
        return Vec::new();
    };
    let Some(listener) = listener.as_function() else {
        return Vec::new();
    };
    let events = events
        .as_list()
        .unwrap_or(std::slice::from_ref(events))
        .iter()
        .filter_map(Value::as_text);
    events
        .map(|event| (record.player, event.to_string(), listener.to_string()))
        .collect()
}

/// A listener runs when its event fires. Rule EVT-2.
pub(super) fn hear_their_event(session: &Session<'_>, findings: &mut Findings<'_>) {
    for (index, record) in session.lines() {
        let Some((player, event, name)) = binding(record) else {
            continue;
        };
        // The ready callback is not an event.
        if event == "onReady" || !session.hears(Kind::Event, &event) {
            continue;
        }
        let is_heard = session.trace.records[..index]
            .iter()
            .rev()
            .any(|line| line.kind == Kind::Event && line.player == player && *line.name == *event);
        if !is_heard {
            let seen = format!("the listener {name} for {event} runs, and {event} has not fired");
            findings.add(index, Sure::Certain, seen, format!("{event} first"));
        }
    }
}

/// A listener bound with `once` runs once. Rule EVT-5.
pub(super) fn once_runs_once(session: &Session<'_>, findings: &mut Findings<'_>) {
    let mut allowed: BTreeMap<Binding, Option<usize>> = BTreeMap::new();
    for (index, record) in session.lines() {
        for binding in called(record, ["on", "add"]) {
            allowed.insert(binding, None);
        }
        for binding in called(record, ["once", "addOnce"]) {
            if let Some(times) = allowed.entry(binding).or_insert(Some(0)) {
                *times += 1;
            }
        }
        let Some(binding) = binding(record) else {
            continue;
        };
        let Some(Some(left)) = allowed.get_mut(&binding) else {
            continue;
        };
        if *left == 0 {
            let (_, event, name) = binding;
            let seen = format!("the listener {name}, bound to {event} with once, runs again");
            findings.add(index, Sure::Certain, seen, "one run for each once");
        } else {
            *left -= 1;
        }
    }
}

/// A listener removed with `off` does not run. Rule EVT-7.
pub(super) fn off_is_off(session: &Session<'_>, findings: &mut Findings<'_>) {
    let mut removed: Vec<Binding> = Vec::new();
    for (index, record) in session.lines() {
        for binding in called(record, ["off", "remove"]) {
            removed.push(binding);
        }
        for names in [["on", "add"], ["once", "addOnce"]] {
            let bound = called(record, names);
            removed.retain(|binding| !bound.contains(binding));
        }
        let Some(binding) = binding(record) else {
            continue;
        };
        if removed.contains(&binding) {
            let (_, event, name) = binding;
            let seen = format!("the listener {name} for {event} runs, and off has removed it");
            findings.add(index, Sure::Certain, seen, "no run after off");
        }
    }
}
