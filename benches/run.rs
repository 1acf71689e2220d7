//! The cost of a run: a session compared with a bare loop, allocations, and how costs scale.
//!
//! The session: one player, a pre-roll of 30 s, content of 600 s, a time update every 250 ms. A
//! simulation is prepared once; what is measured is one run of a fork of it, from the header to the
//! digest, including dropping the trace.

#![expect(clippy::disallowed_types, reason = "real time is measured here")]

mod measure;
mod session;

use std::hint::black_box;

use measure::{Table, costs};
use playsim::api::EventName;
use playsim::sim::Simulation;
use playsim::time::Span;
use session::{Session, events, prepared};

fn main() {
    let mut table = Table::default();
    one_session(&mut table);
    if std::env::args().any(|word| word == "session") {
        return table.print();
    }
    allocations(&mut table);
    players(&mut table);
    lengths(&mut table);
    listeners(&mut table);
    idle(&mut table);
    cue_points(&mut table);
    table.print();
}

/// A session that reaches many cue points, each with a tag without an ad.
fn cue_points(table: &mut Table) {
    table.heading("Many cue points, all of which are reached; cost of a cue point");
    let mut before = None;
    for cues in [1_000, 4_000, 16_000] {
        let places: Vec<String> = (1..=cues).map(|cue| format!("{}", cue * 10)).collect();
        let scenario = format!(
            r#"{{"videos": [{{"id": "v", "renditions": {{"sd": "film.mp4"}}}}],
            "media": {{"default": {{"duration": "{}s"}}}},
            "network": {{"https://ads.test/a": {{"text": "<VAST version='4.2'/>"}}}},
            "steps": [{{"at": "0s", "init": {{"div": "player", "config": {{"id": "p", "video": "v", "autoplay": true,
            "ads": [{{"adType": 1, "adTimeType": "s", "cuepoints": [{}], "mobile": ["https://ads.test/a"]}}]}}}}}}]}}"#,
            cues * 10 + 10,
            places.join(",")
        );
        let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
        let scenario = playsim::scenario::read("bench.json", &scenario, &mut load);
        let simulation = Simulation::new(&scenario.expect("it reads")).expect("it can be played");
        let requests = simulation.fork().run().records.len();
        assert!(
            requests > cues * 5,
            "every cue point has a break: {requests}"
        );
        let [all] = costs([&mut || run(&simulation)]);
        // The instructions are the same for each; a trace of millions of lines is slower to reach
        // in memory than one of thousands. A cost that grew with the square would be 4 here.
        table.grown_within(
            &format!("{cues} cue points"),
            all.min / cues as f64,
            &mut before,
            1.5,
        );
    }
}

/// No player: picks the earliest of four due times and writes a record of 24 bytes for each; all
/// are kept and hashed.
fn bare_loop(events: u32) -> u128 {
    // A time update, a quartile, the last second, the end.
    let periods = black_box([250_000_u64, 150_000_000, 599_000_000, 600_000_000]);
    let mut due = periods;
    let mut records = Vec::with_capacity(24 * events as usize);
    for seq in 0..events {
        let (which, at) = due
            .into_iter()
            .enumerate()
            .min_by_key(|(_, at)| *at)
            .unwrap_or_default();
        let mut record = [0; 24];
        record[..8].copy_from_slice(&at.to_le_bytes());
        record[8..12].copy_from_slice(&seq.to_le_bytes());
        record[12..16].copy_from_slice(&seq.wrapping_sub(1).to_le_bytes());
        record[16] = which as u8;
        records.extend_from_slice(&record);
        due[which] += periods[which];
    }
    xxhash_rust::xxh3::xxh3_128(&records)
}

fn run(prepared: &Simulation) {
    black_box(prepared.fork().run());
}

fn one_session(table: &mut Table) {
    let [delivered, as_runs] = [EventName::TimeUpdate, EventName::StickyChange].map(|event| {
        let mut simulation = prepared(&Session::default());
        simulation.listen(event);
        simulation
    });
    let trace = delivered.fork().run();
    let events = events(&trace);
    assert_eq!(
        trace.digest,
        as_runs.fork().run().digest,
        "the trace is the same whether time updates are delivered or not"
    );
    let mut all = delivered.fork();
    all.run_until(playsim::time::Time::MAX);
    let heard = all.calls_heard();
    assert!(heard > 2_390, "time updates reach the listener: {heard}");

    let [bare, each, runs] = costs([
        &mut || _ = black_box(bare_loop(black_box(events))),
        &mut || run(&delivered),
        &mut || run(&as_runs),
    ]);
    table.heading(&format!(
        "One session, {events} events, {heard} of them delivered; one digest, {}",
        trace.digest
    ));
    table.cost("bare loop: next of four due times, 24 bytes, hash", bare);
    table.cost_within(
        "every time update delivered, trace kept and hashed",
        each,
        75.0,
    );
    table.multiple("session", "the bare loop", [each, bare], 3.0);
    table.number(
        "  for each event",
        &format!("{:.1} ns", each.min / f64::from(events)),
    );
    table.cost_within("time updates as runs, trace kept and hashed", runs, 3.0);
}

fn allocations(table: &mut Table) {
    let counted = |seconds| {
        let mut simulation = prepared(&Session {
            content: Span::from_secs(seconds),
            ..Session::default()
        });
        simulation.listen(EventName::TimeUpdate);
        let mut updates = 0;
        let counted = allocation_counter::measure(|| {
            let mut run = simulation.fork();
            run.run_until(playsim::time::Time::MAX);
            updates = run.calls_heard();
        });
        (counted.count_total, updates)
    };
    let ((short, few), (long, many)) = (counted(600), counted(1_200));
    table.heading("Heap allocations");
    table.number(
        "in a session, including those of the fork",
        &short.to_string(),
    );
    let per_update = (long as f64 - short as f64) / f64::from(many - few);
    table.number_within("for each additional time update", per_update, 0.0);
}

/// A single player is cheaper: its consecutive time updates form one record. With other lines
/// between them, each is a record of its own, kept and hashed. From two players on, the cost per
/// event is constant.
fn players(table: &mut Table) {
    table.heading("Players, each with its session of 600 s; cost of an event");
    for (event, how) in [
        (EventName::TimeUpdate, "delivered"),
        (EventName::StickyChange, "as runs"),
    ] {
        let mut before = None;
        for players in [1, 2, 4, 8, 16] {
            let mut simulation = prepared(&Session {
                players,
                ..Session::default()
            });
            simulation.listen(event);
            let events = events(&simulation.fork().run());
            let [cost] = costs([&mut || run(&simulation)]);
            let what = format!("{players} players, {events} events, {how}");
            table.grown(&what, cost.min / f64::from(events), &mut before);
            if players == 1 {
                before = None;
            }
        }
    }
}

fn lengths(table: &mut Table) {
    table.heading("Length of content, every time update delivered; cost of an event");
    let mut before = None;
    for seconds in [600, 1_200, 2_400, 4_800] {
        let mut simulation = prepared(&Session {
            content: Span::from_secs(seconds),
            ..Session::default()
        });
        simulation.listen(EventName::TimeUpdate);
        let events = events(&simulation.fork().run());
        let [cost] = costs([&mut || run(&simulation)]);
        table.grown(
            &format!("{seconds} s, {events} events"),
            cost.min / f64::from(events),
            &mut before,
        );
    }
}

/// A call of a listener costs the less, the more of them share what the event costs itself.
fn listeners(table: &mut Table) {
    table
        .heading("Listeners, content of 60 s, every time update delivered to each; cost of a call");
    let mut before = None;
    for listeners in [1, 10, 100, 1_000] {
        let mut simulation = prepared(&Session {
            content: Span::from_secs(60),
            ..Session::default()
        });
        (0..listeners).for_each(|_| simulation.listen(EventName::TimeUpdate));
        let mut all = simulation.fork();
        all.run_until(playsim::time::Time::MAX);
        let calls = all.calls_heard();
        let [cost] = costs([&mut || run(&simulation)]);
        table.grown(
            &format!("{listeners} listeners, {calls} calls"),
            cost.min / f64::from(calls),
            &mut before,
        );
    }
}

fn idle(table: &mut Table) {
    table.heading("A pause in the middle without events; cost of the run");
    let mut before = None;
    for seconds in [3_600, 7_200, 14_400, 28_800] {
        let session = Session {
            pause: Some(Span::from_secs(seconds)),
            ..Session::default()
        };
        let mut simulation = prepared(&session);
        simulation.listen(EventName::TimeUpdate);
        let [cost] = costs([&mut || run(&simulation)]);
        table.grown(&format!("{seconds} s"), cost.min, &mut before);
    }
}
