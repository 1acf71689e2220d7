//! Laws for every trace: invariants, the check list of events, the format of traces. Each is
//! asserted over all scenario fixtures.

use std::collections::BTreeSet;

use playsim::api::{Call, EventName, Kind, LineName, Query, Value};
use playsim::knobs::DispatchMode;
use playsim::scenario::{Scenario, Step, StepAct, Target, Trigger, Until};
use playsim::sim::Simulation;
use playsim::time::{Span, Time};
use playsim::trace::record::{Payload, RecordShape, RecordView};
use playsim::trace::{Filter, Record, Trace, TraceEvent, View, write_jsonl};

use super::Absence;
use super::support::{film, play};
use crate::scenarios::cases::{self, Played};

macro_rules! laws {
    ($($check:ident $name:literal [$($rule:literal),+],)*) => {
        pub(crate) const ALL: &[Absence] = &[$(Absence { name: $name, rules: &[$($rule),+], check: $check },)*];
    };
}

laws! {
    same_again "the same scenario gives the same trace, also in another thread" ["INV-1", "CLK-1"],
    split "time may be split" ["INV-2", "CLK-5"],
    forked "a snapshot continues to the same trace" ["INV-24", "CLK-11"],
    tasks "a task runs to its end before its events" ["CLK-13"],
    ordered "time and numbers rise, causes come before" ["INV-3", "INV-4", "EVT-23"],
    places "positions and indexes stay in their bounds, and only playing moves the position" ["INV-15", "INV-16", "MEL-19"],
    only_recording "getters and listeners that record change no event" ["INV-23"],
    periods "periodic time updates are one period apart" ["INV-22"],
    lines_of_json "lines are JSON with their keys in order" ["TRACE-1", "TRACE-2", "TRACE-4", "TRACE-5"],
    page_view "the page's view has only calls with what they return, events and diagnostics" ["TRACE-3", "EVT-18"],
    knobs_apart "a knob that is not read changes nothing below the header" ["INV-26", "TRACE-6"],
    odd_calls "every call with unusual arguments returns or fails, and the run continues" ["INV-19"],
    typed "the data of every record are those that its type lists" ["TRACE-1", "TRACE-2"],
    signatures "calls return what they are documented to return" ["TRACE-1", "TRACE-2"],
    documented_data "only documented events have data, and exactly theirs" ["EVT-14"],
}

/// All scenarios by name, each with its trace.
pub(crate) fn traces() -> Result<Vec<(String, &'static Played)>, String> {
    let played = cases::all()
        .into_iter()
        .map(|case| Ok((case.name.clone(), case.played()?)));
    played.collect()
}

/// Asserts a law of every trace.
pub(crate) fn law(check: impl Fn(&Scenario, &Trace) -> Result<(), String>) -> Result<(), String> {
    for (name, Played { scenario, trace }) in traces()? {
        check(scenario, trace).map_err(|problem| format!("{name}: {problem}"))?;
    }
    Ok(())
}

fn stage(scenario: &Scenario) -> Result<Simulation, String> {
    Simulation::new(scenario).map_err(|error| error.to_string())
}

fn ensure(is_so: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(problem()) }
}

fn same_again() -> Result<(), String> {
    law(|scenario, trace| {
        let prepared = stage(scenario)?;
        let other = std::thread::spawn(move || prepared.run())
            .join()
            .map_err(|_| "a panic")?;
        ensure(other == *trace, || "another trace".to_owned())
    })
}

fn split() -> Result<(), String> {
    law(|scenario, trace| {
        let mut run = stage(scenario)?;
        let end = trace.records.last().map_or(Time::ZERO, |record| record.at);
        let piece = Span::from_micros((end.micros() / 97).max(1));
        let mut at = Time::ZERO;
        while at < end {
            run.run_until(at);
            at += piece;
        }
        ensure(run.run() == *trace, || {
            "split, the trace differs".to_owned()
        })
    })
}

fn forked() -> Result<(), String> {
    law(|scenario, trace| {
        let mut run = stage(scenario)?;
        let mut forks = Vec::new();
        while run.step().is_some() {
            if forks.len() < 40 {
                forks.push(run.fork());
            }
        }
        ensure(forks.into_iter().all(|fork| fork.run() == *trace), || {
            "forked, the trace differs".to_owned()
        })
    })
}

fn ordered() -> Result<(), String> {
    law(|_, trace| {
        let mut next = (0, Time::ZERO);
        for record in &trace.records {
            ensure(record.seq == next.0 && record.at >= next.1, || {
                format!("line {} is out of order", record.seq)
            })?;
            next = (record.seq + record.lines(), record.until());
            let is_caused = record.cause.is_some_and(|cause| cause < record.seq);
            ensure(record.kind != Kind::Event || is_caused, || {
                format!("{} has no cause", record.name)
            })?;
            ensure(record.cause.is_none_or(|cause| cause < record.seq), || {
                format!("{} is too early", record.name)
            })?;
        }
        Ok(())
    })
}

fn places() -> Result<(), String> {
    law(|scenario, _| {
        let mut run = stage(scenario)?;
        let mut before: Vec<(&'static str, Value)> = Vec::new();
        loop {
            let Some(turn) = run.step() else {
                return Ok(());
            };
            let acts = |record: &Record| {
                matches!(
                    record.kind,
                    Kind::Call | Kind::User | Kind::State | Kind::Net
                )
            };
            let is_quiet = !turn.records.iter().any(acts);
            let mut places = Vec::new();
            for player in run.players().filter(|player| !player.is_destroyed()) {
                let ask = |query| {
                    player
                        .query(run.now(), query)
                        .map_err(|error| error.to_string())
                };
                let (position, duration) = (ask(Query::CurrentTime)?, ask(Query::Duration)?);
                let seconds = |value: &Value| {
                    if let Value::Number(seconds) = value {
                        Some(seconds.millionths())
                    } else {
                        None
                    }
                };
                let is_inside = match (seconds(&position), seconds(&duration)) {
                    (Some(position), Some(duration)) => (0..=duration).contains(&position),
                    (Some(position), None) => position >= 0,
                    (None, _) => false,
                };
                ensure(is_inside, || format!("position {position} of {duration}"))?;
                let (index, length) = (
                    ask(Query::CurrentIndex)?.as_integer(),
                    ask(Query::PlaylistLength)?.as_integer(),
                );
                let is_listed = if length == Some(0) {
                    index == Some(-1)
                } else {
                    index >= Some(0) && index < length
                };
                ensure(is_listed, || format!("index {index:?} of {length:?}"))?;
                places.push((player.state(), position));
            }
            if is_quiet && before.len() == places.len() {
                for (old, new) in before.iter().zip(&places) {
                    ensure(old.0 == "playing" || old == new, || {
                        format!("{old:?} moved to {new:?}")
                    })?;
                }
            }
            before = places;
        }
    })
}

fn only_recording() -> Result<(), String> {
    law(|scenario, trace| {
        // More lines would move an end in the middle of an instant.
        if scenario.steps.is_empty() || matches!(scenario.until, Until::Line { .. }) {
            return Ok(());
        }
        let mut heard = scenario.clone();
        let record = |event: &EventName| Step {
            trigger: Trigger::On {
                event: *event,
                nth: None,
                after: None,
            },
            act: StepAct::Read(Query::ALL.to_vec()),
            player: Target::First,
        };
        heard.steps.extend(EventName::DOCUMENTED.iter().map(record));
        let other = stage(&heard)?.run();
        let places = |trace: &Trace| {
            trace
                .events()
                .map(|event| (event.name, event.at))
                .collect::<Vec<_>>()
        };
        let is_same = places(&other) == places(trace);
        ensure(is_same, || "with listeners, it has other events".to_owned())
    })
}

/// The acts of a task are written before the events and listeners that it causes.
fn tasks() -> Result<(), String> {
    law(|scenario, trace| {
        if scenario.knobs.dispatch_mode != DispatchMode::Queued {
            return Ok(());
        }
        let mut has_delivered = false;
        for record in &trace.records {
            let is_act = record.cause.is_none()
                && matches!(record.kind, Kind::Call | Kind::User | Kind::Page);
            has_delivered &= !record.opens_turn;
            // `destroy` delivers its own event within the call. Rule EVT-20
            ensure(!(is_act && has_delivered), || {
                format!("line {} comes after events of its task", record.seq)
            })?;
            has_delivered |= matches!(record.kind, Kind::Event | Kind::Listener)
                && !record.is(EventName::DestroyBefore);
        }
        Ok(())
    })
}

fn periods() -> Result<(), String> {
    law(|scenario, trace| {
        let period = scenario.knobs.timeupdate_period;
        let runs = trace
            .records
            .iter()
            .filter_map(|record| record.run)
            .filter(|run| run.count > 1);
        for run in runs {
            ensure(run.step == period, || format!("a period of {:?}", run.step))?;
        }
        Ok(())
    })
}

fn lines_of_json() -> Result<(), String> {
    const KEYS: [&str; 9] = [
        "t", "seq", "player", "break", "kind", "name", "data", "cause", "rule",
    ];
    law(|_, trace| {
        let everything = Filter {
            view: View::All,
            ..Filter::default()
        };
        let write = |why| {
            let mut text = String::new();
            write_jsonl(trace, &everything, why, &mut text)
                .map(|()| text)
                .map_err(|error| error.to_string())
        };
        let kinds: BTreeSet<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        for line in write(true)?.lines() {
            let value: serde_json::Value =
                serde_json::from_str(line).map_err(|error| error.to_string())?;
            let kind = value["kind"].as_str().unwrap_or_default();
            ensure(kinds.contains(kind), || format!("a line of kind {kind}"))?;
            ensure(value["rule"].is_string(), || format!("no rule: {line}"))?;
            let places: Vec<Option<usize>> = KEYS
                .iter()
                .map(|key| line.find(&format!("\"{key}\":")))
                .collect();
            let tops: Vec<usize> = places.into_iter().take(2).flatten().collect();
            ensure(tops.is_sorted() && line.starts_with("{\"t\":"), || {
                format!("keys out of order: {line}")
            })?;
            let known = value
                .as_object()
                .is_some_and(|fields| fields.keys().all(|key| KEYS.contains(&&**key)));
            ensure(known && !line.contains(env!("CARGO_MANIFEST_DIR")), || {
                format!("too much: {line}")
            })?;
        }
        ensure(!write(false)?.contains("\"rule\":\""), || {
            "a rule unasked".to_owned()
        })
    })
}

fn page_view() -> Result<(), String> {
    law(|_, trace| {
        let page = Filter {
            view: View::Page,
            ..Filter::default()
        };
        for record in trace.records.iter().filter(|record| page.shows(record)) {
            let is_promise = matches!(&*record.name, "play-resolved" | "play-rejected");
            let is_seen = matches!(
                record.kind,
                Kind::Call | Kind::Event | Kind::Diag | Kind::Header | Kind::Outcome
            ) || (record.kind == Kind::Media && is_promise);
            ensure(is_seen, || format!("{} in the page's view", record.name))?;
            let is_known =
                record.kind != Kind::Event || EventName::from_name(&record.name).is_some();
            ensure(is_known, || format!("{} is not an event", record.name))?;
        }
        Ok(())
    })
}

/// What only recordings have, as `title.key`, or `title` for all of it; and what no scenario shows:
/// the media of an overlay that is not the first choice.
const ELSEWHERE: &[&str] = &[
    "Recording",
    "Film",
    "Request.via",
    "Answer.text",
    "Media.src",
    "SelectMedia.choice",
];

fn typed() -> Result<(), String> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut wrong: BTreeSet<String> = BTreeSet::new();
    for (name, Played { trace, .. }) in traces()? {
        for record in &trace.records {
            let view = record.view();
            let payload = if let RecordView::Event(event) = view {
                Some(event.payload())
            } else {
                None
            };
            let is_read = !matches!(view, RecordView::Other(_))
                && !matches!(payload, Some(Payload::Other(_)));
            let what = format!("{} {}", record.kind, record.name);
            if !is_read {
                wrong.insert(format!(
                    "{name}: {what} has data of another form: {}",
                    record.data
                ));
            }
            // What a video's record says is measured, and so has no table.
            if record.kind == Kind::Measurement {
                continue;
            }
            let shape =
                RecordShape::of(record).ok_or_else(|| format!("{name}: {what} has no shape"))?;
            for (key, _) in record.data.iter() {
                if !shape.fields.iter().any(|field| *key == field.key) {
                    wrong.insert(format!(
                        "{name}: {what} has the field {key}, which {} does not list",
                        shape.title
                    ));
                }
                seen.insert(format!("{}.{key}", shape.title));
            }
        }
    }
    for shape in Kind::ALL
        .iter()
        .flat_map(|kind| RecordShape::of_kind(*kind))
    {
        for field in shape.fields {
            let path = format!("{}.{}", shape.title, field.key);
            let is_recorded = ELSEWHERE.iter().any(|of| *of == shape.title || *of == path);
            if !is_recorded && !seen.contains(&path) {
                wrong.insert(format!("{path} is in the table and in no trace"));
            }
        }
    }
    ensure(wrong.is_empty(), || {
        wrong.into_iter().collect::<Vec<_>>().join("\n")
    })
}

fn signatures() -> Result<(), String> {
    let mut wrong: BTreeSet<String> = BTreeSet::new();
    for (name, Played { trace, .. }) in traces()? {
        for record in trace
            .records
            .iter()
            .filter(|record| record.kind == Kind::Call)
        {
            let Some(value) = record.data.get("returns") else {
                continue;
            };
            let types = match record.line_name() {
                Some(LineName::Call(call)) => call.signature().returns,
                Some(LineName::Query(query)) => query.gives(),
                _ => continue,
            };
            // A call of a media element without a value reads its attribute.
            let read = Query::from_name(&record.name).map_or(types, Query::gives);
            if !types.iter().chain(read).any(|kind| kind.holds(value)) {
                wrong.insert(format!(
                    "{name}: {} returns {value}, not one of {types:?}",
                    record.name
                ));
            }
        }
    }
    ensure(wrong.is_empty(), || {
        wrong.into_iter().collect::<Vec<_>>().join("\n")
    })
}

fn documented_data() -> Result<(), String> {
    law(|_, trace| {
        for TraceEvent { name, data, .. } in trace.events() {
            let due: &[&str] = match name.name() {
                "adComplete" | "adSkip" => &["wp", "pod", "pods"],
                "adError" => &["code", "message"],
                "mutechange" => &["muted"],
                "stickyChange" => &["sticky", "interaction"],
                _ => &[],
            };
            let keys: Vec<&str> = data.iter().map(|(key, _)| &**key).collect();
            ensure(keys == due, || format!("{name} carries {keys:?}"))?;
        }
        Ok(())
    })
}

fn knobs_apart() -> Result<(), String> {
    let text = film("{ at: 1s, do: pause }\n{ at: 2s, do: play }");
    let below = |trace: &Trace| {
        let mut lines = String::new();
        write_jsonl(
            trace,
            &Filter {
                view: View::All,
                ..Filter::default()
            },
            true,
            &mut lines,
        )
        .expect("writing to a string succeeds");
        // The last line has a digest of everything, including the header.
        let below: Vec<String> = lines.lines().skip(1).map(str::to_owned).collect();
        below[..below.len() - 1].to_vec()
    };
    let first = below(&play(&text));
    for knob in [
        "ad.engine: sdk",
        "vpaid.start: instead",
        "gesture.violation: play_muted",
        "playlist.wrap: on",
    ] {
        let other = below(&play(&format!("{text}\nknobs: {{ {knob} }}\n")));
        ensure(first == other, || {
            format!("{knob} changes a run that does not read it")
        })?;
    }
    Ok(())
}

fn odd_calls() -> Result<(), String> {
    for arguments in [
        "[]",
        "[null]",
        "[-1]",
        "[3, 4, 5]",
        "[{ a: [1] }]",
        "[true, 1e9]",
    ] {
        for call in Call::ALL {
            let name = call.name();
            let steps = format!(
                "{{ at: 1s, do: {{ {name}: {arguments} }} }}\n{{ at: 2s, read: [isReady] }}"
            );
            let trace = play(&film(&steps));
            let count = |name: &str| {
                let is_it = |record: &&Record| record.kind == Kind::Call && *record.name == *name;
                trace.records.iter().filter(is_it).count()
            };
            ensure(count(name) > 0 && count("isReady") > 0, || {
                format!("{name} {arguments}")
            })?;
        }
    }
    Ok(())
}
