//! Tests of the invariants: for each, a trace that was broken on purpose is found.

use std::collections::BTreeMap;

use playsim::api::{Decimal, EventName, Fields, Kind, Value};
use playsim::check;
use playsim::sim::Simulation;
use playsim::testing::{LAWS, Options, Source, scenario};
use playsim::time::{Span, Time};
use playsim::trace::{Record, Trace};

use super::play;

/// A playlist with a pre-roll from two tags, its ad paused and resumed, then a stop and some reads.
fn sound() -> Trace {
    played("sound.json", include_str!("sound.json"))
}

/// An overlay, and a mid-roll from two tags that loads meanwhile and then replaces it.
fn with_attachments() -> Trace {
    played("attachments.json", include_str!("attachments.json"))
}

fn played(name: &str, text: &str) -> Trace {
    let mut load = |path: &str| Err(std::io::Error::other(format!("no file {path} is needed")));
    let scenario = playsim::scenario::read(name, text, &mut load).expect("it reads without error");
    play(&scenario)
}

/// The index of the n-th such line, from 0.
fn place(trace: &Trace, kind: Kind, name: &str, nth: usize) -> usize {
    let is_it = |(_, record): &(usize, &Record)| record.kind == kind && *record.name == *name;
    let found = trace.records.iter().enumerate().filter(is_it).nth(nth);
    found
        .unwrap_or_else(|| panic!("no {} {name} number {nth}", kind.name()))
        .0
}

fn event(trace: &Trace, name: EventName, nth: usize) -> usize {
    place(trace, Kind::Event, name.name(), nth)
}

/// Puts a copy of a line at another index.
fn copy(trace: &mut Trace, from: usize, to: usize) {
    let mut copy = trace.records[from].clone();
    copy.at = trace.records[to.saturating_sub(1)].at;
    copy.cause = Some(0);
    trace.records.insert(to, copy);
    renumber(trace);
}

fn remove(trace: &mut Trace, at: usize) {
    trace.records.remove(at);
    renumber(trace);
}

/// Renumbers the lines from one; a line whose cause was removed gets the header as its cause.
fn renumber(trace: &mut Trace) {
    let (mut next, mut moved) = (0, BTreeMap::new());
    for record in &mut trace.records {
        moved.entry(record.seq).or_insert(next);
        record.seq = next;
        record.cause = record
            .cause
            .map(|cause| moved.get(&cause).copied().unwrap_or(0));
        next += record.lines();
    }
}

fn set(trace: &mut Trace, at: usize, field: &'static str, value: Value) {
    let old = std::mem::take(&mut trace.records[at].data);
    let others = old.iter().filter(|(key, _)| &***key != field);
    let fields: Fields = others
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    trace.records[at].data = fields.with(field, value);
}

/// An invariant's ID, and the change that makes a sound trace violate it.
type Break = (&'static str, fn(&mut Trace));

/// One or more ways to break a trace, for each invariant.
const BREAKS: &[Break] = &[
    ("INV-3", |trace| trace.records[5].seq += 1),
    ("INV-3", |trace| {
        let last = trace.records.len() - 1;
        trace.records[last].at = Time::ZERO;
    }),
    ("INV-4", |trace| {
        let at = event(trace, EventName::AdStart, 0);
        trace.records[at].cause = None;
    }),
    ("INV-4", |trace| {
        let at = event(trace, EventName::AdStart, 0);
        trace.records[at].cause = Some(trace.records[at].seq + 1);
    }),
    ("INV-5", |trace| {
        copy(
            trace,
            event(trace, EventName::Ready, 0),
            event(trace, EventName::Play, 0),
        )
    }),
    ("INV-5", |trace| {
        let gone = place(trace, Kind::State, "destroyed", 0);
        copy(trace, event(trace, EventName::Play, 0), gone + 1);
    }),
    ("INV-6", |trace| {
        let ended = event(trace, EventName::Ended, 0);
        copy(trace, ended, ended + 1);
    }),
    ("INV-7", |trace| {
        let start = event(trace, EventName::Start, 0);
        copy(trace, start, start + 1);
    }),
    ("INV-7", |trace| {
        remove(trace, event(trace, EventName::Play, 0))
    }),
    ("INV-7", |trace| {
        let before = event(trace, EventName::BeforeStart, 0);
        copy(trace, before, before + 1);
    }),
    ("INV-7", |trace| {
        let before = event(trace, EventName::BeforeStart, 0);
        copy(trace, event(trace, EventName::Ready, 0), before + 1);
    }),
    ("INV-8", |trace| {
        copy(
            trace,
            event(trace, EventName::Play, 0),
            event(trace, EventName::AdMidpoint, 0),
        )
    }),
    ("INV-8", |trace| {
        let read = place(trace, Kind::Call, "getAdInProgress", 0);
        set(trace, read, "returns", Value::Bool(false));
    }),
    ("INV-9", |trace| {
        remove(trace, event(trace, EventName::Stopped, 0))
    }),
    ("INV-9", |trace| {
        copy(
            trace,
            event(trace, EventName::Stopped, 0),
            event(trace, EventName::Ended, 0),
        )
    }),
    ("INV-10", |trace| {
        copy(
            trace,
            event(trace, EventName::AdError, 0),
            event(trace, EventName::Start, 0),
        )
    }),
    ("INV-10", |trace| {
        let ad = event(trace, EventName::AdMidpoint, 0);
        copy(trace, ad, ad);
        trace.records[ad].name = EventName::PlaybackError.name().into();
    }),
    ("INV-11", |trace| {
        remove(trace, event(trace, EventName::AdEnd, 0))
    }),
    ("INV-11", |trace| {
        let end = event(trace, EventName::AdEnd, 0);
        copy(trace, end, end);
    }),
    ("INV-12", |trace| {
        remove(trace, event(trace, EventName::RequestAd, 0))
    }),
    ("INV-12", |trace| {
        remove(trace, event(trace, EventName::AdError, 0))
    }),
    ("INV-13", |trace| {
        remove(trace, event(trace, EventName::AdComplete, 0))
    }),
    ("INV-13", |trace| {
        remove(trace, event(trace, EventName::AdMidpoint, 0))
    }),
    ("INV-13", |trace| {
        let done = event(trace, EventName::AdComplete, 0);
        copy(trace, done, done + 1);
    }),
    ("INV-14", |trace| {
        remove(trace, event(trace, EventName::AdPause, 0))
    }),
    ("INV-15", |trace| {
        let read = place(trace, Kind::Call, "currentTime", 1);
        set(
            trace,
            read,
            "returns",
            Value::from(Decimal::from_millionths(1_100_001)),
        );
    }),
    ("INV-15", |trace| {
        let read = place(trace, Kind::Call, "currentTime", 0);
        set(trace, read, "returns", Value::from(99));
    }),
    ("INV-16", |trace| {
        let read = place(trace, Kind::Call, "currentIndex", 0);
        set(trace, read, "returns", Value::from(2));
    }),
    ("INV-17", |trace| {
        let play = event(trace, EventName::Play, 0);
        for _ in 0..2 {
            copy(trace, play, play + 1);
            trace.records[play + 1].name = EventName::MuteChange.name().into();
            trace.records[play + 1].data = Fields::one("muted", true);
        }
    }),
    ("INV-17", |trace| {
        let call = place(trace, Kind::Call, "volume", 1);
        set(
            trace,
            call,
            "returns",
            Value::from(Decimal::from_millionths(500_000)),
        );
    }),
    ("INV-17", |trace| {
        let call = place(trace, Kind::Call, "volume", 0);
        set(trace, call, "returns", Value::from(2));
    }),
    ("INV-17", |trace| {
        let call = place(trace, Kind::Call, "muted", 1);
        set(trace, call, "returns", Value::Bool(true));
    }),
    ("INV-17", |trace| {
        let muted = event(trace, EventName::MuteChange, 0);
        trace.records[muted].name = EventName::VolumeChange.name().into();
    }),
    ("INV-17", |trace| {
        let call = place(trace, Kind::Call, "toggleFullScreen", 1);
        set(trace, call, "returns", Value::Bool(true));
    }),
    ("INV-17", |trace| {
        let knobs = Fields::one("fullscreen.event", "button_only");
        set(trace, 0, "knobs", Value::Map(knobs));
    }),
    ("INV-17", |trace| {
        let call = place(trace, Kind::Call, "resize", 0);
        set(
            trace,
            call,
            "args",
            Value::List(vec![Value::from(640), Value::from(360)]),
        );
    }),
    ("INV-17", |trace| {
        let resized = event(trace, EventName::PlayerResize, 0);
        let window = place(trace, Kind::Page, "window", 0);
        trace.records[resized].cause = Some(trace.records[window].seq);
    }),
    ("INV-17", |trace| {
        let sticky = event(trace, EventName::StickyChange, 1);
        set(trace, sticky, "sticky", Value::Bool(true));
    }),
    ("INV-17", |trace| {
        let volume = event(trace, EventName::VolumeChange, 0);
        trace.records[volume].name = EventName::QualityChange.name().into();
    }),
    ("INV-18", |trace| {
        remove(trace, event(trace, EventName::Ended, 1))
    }),
    ("INV-20", |trace| {
        set(
            trace,
            0,
            "knobs",
            Value::Map(Fields::one("ad.engine", "sdk")),
        )
    }),
    ("INV-21", |trace| {
        let unpaid = place(trace, Kind::Ad, "not-monetized", 0);
        copy(trace, event(trace, EventName::RequestAd, 0), unpaid + 1);
    }),
    ("INV-22", |trace| {
        let updates = event(trace, EventName::TimeUpdate, 1);
        if let Some(run) = &mut trace.records[updates].run {
            run.step = Span::from_millis(240);
        }
    }),
    ("INV-22", |trace| {
        remove(trace, event(trace, EventName::TimeUpdate, 0))
    }),
];

/// Ways to break a trace in which an overlay and a linear break are open at once.
const WITH_ATTACHMENTS: &[Break] = &[
    ("INV-7", |trace| {
        let before = event(trace, EventName::BeforeStart, 0);
        copy(trace, event(trace, EventName::Ready, 0), before + 1);
    }),
    ("INV-8", |trace| {
        copy(
            trace,
            event(trace, EventName::Play, 0),
            event(trace, EventName::AdMidpoint, 0),
        )
    }),
    ("INV-8", |trace| {
        // An overlay does not count as an ad in progress.
        let read = place(trace, Kind::Call, "getAdInProgress", 0);
        set(trace, read, "returns", Value::Bool(true));
    }),
    ("INV-8", |trace| {
        let read = place(trace, Kind::Call, "getAdInProgress", 1);
        set(trace, read, "returns", Value::Bool(false));
    }),
    // The end of the overlay's break, and that of the mid-roll's.
    ("INV-11", |trace| {
        remove(trace, event(trace, EventName::AdEnd, 0))
    }),
    ("INV-11", |trace| {
        remove(trace, event(trace, EventName::AdEnd, 1))
    }),
    ("INV-11", |trace| {
        let end = event(trace, EventName::AdEnd, 0);
        copy(trace, end, end);
        trace.records[end].in_break = trace.records[end + 1].in_break;
    }),
    ("INV-12", |trace| {
        remove(trace, event(trace, EventName::RequestAd, 0))
    }),
    ("INV-12", |trace| {
        remove(trace, event(trace, EventName::RequestAd, 2))
    }),
    ("INV-12", |trace| {
        remove(trace, event(trace, EventName::AdError, 0))
    }),
    ("INV-12", |trace| {
        // The error of the mid-roll's tag names the overlay's break.
        let (error, overlay) = (
            event(trace, EventName::AdError, 0),
            event(trace, EventName::AdStart, 0),
        );
        trace.records[error].in_break = trace.records[overlay].in_break;
    }),
    ("INV-13", |trace| {
        remove(trace, event(trace, EventName::AdComplete, 0))
    }),
    ("INV-13", |trace| {
        remove(trace, event(trace, EventName::AdThirdQuartile, 0))
    }),
];

#[test]
fn a_valid_trace_has_no_findings() {
    assert_eq!(check::invariants(&sound()), []);
    assert_eq!(check::invariants(&with_attachments()), []);
}

#[test]
fn every_invariant_finds_a_broken_trace() {
    let breaks = BREAKS.iter().map(|each| (each, sound()));
    for ((rule, break_it), mut trace) in breaks.chain(
        WITH_ATTACHMENTS
            .iter()
            .map(|each| (each, with_attachments())),
    ) {
        break_it(&mut trace);
        let invariant = check::LAWS
            .iter()
            .find(|known| known.rule.to_string() == *rule);
        let found = invariant.expect("it is an invariant").judge(&trace);
        assert!(!found.is_empty(), "{rule} finds nothing");
        assert!(
            found
                .iter()
                .all(|finding| finding.rule.to_string() == *rule),
            "{rule}: {found:?}"
        );
    }
    for invariant in check::LAWS.iter().filter(|law| law.is_invariant()) {
        let rule = invariant.rule.to_string();
        assert!(
            BREAKS.iter().any(|(broken, _)| **broken == *rule),
            "no broken trace shows {rule}"
        );
    }
}

#[test]
fn laws_judge_traces_that_were_cut() {
    for seed in 0..20 {
        let drawn = scenario(&mut Source::from_seed(seed), &Options::default());
        let whole = Simulation::new(&drawn).expect("it can be played").run();
        let mut none = whole.clone();
        none.records.clear();
        for place in 0..whole.records.len() {
            let mut cut = whole.clone();
            cut.records.remove(place);
            for law in LAWS.iter().filter(|law| place < 4 || !law.plays_again()) {
                let _ = law.judge(&drawn, &cut);
                let _ = law.judge(&drawn, &none);
            }
        }
    }
}
