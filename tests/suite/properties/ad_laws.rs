//! Tests of the laws about ads: for each, a trace that was broken on purpose is found.

use playsim::api::{Kind, Value};
use playsim::scenario::Scenario;
use playsim::testing::LAWS;
use playsim::trace::{Record, Trace};

use super::{drawn, play};

fn text<'a>(record: &'a Record, field: &str) -> &'a str {
    record
        .data
        .get(field)
        .and_then(Value::as_text)
        .map_or("", |text| text)
}

fn hop(record: &Record) -> Option<i64> {
    record.data.get("hop").and_then(Value::as_integer)
}

/// The first trace without overlays that a change applies to, from the first seed on, with the
/// change made.
fn changed(change: fn(&mut Trace) -> Option<()>) -> (Scenario, Trace) {
    let is_beside = |record: &Record| {
        record.kind == Kind::Break && matches!(text(record, "kind"), "overlay" | "display")
    };
    let tried = |seed| {
        let scenario = drawn(seed);
        let mut trace =
            Some(play(&scenario)).filter(|trace| !trace.records.iter().any(is_beside))?;
        change(&mut trace).map(|()| (scenario, trace))
    };
    (0..)
        .find_map(tried)
        .expect("some random world has such a line")
}

fn find(trace: &Trace, is_it: impl Fn(&Record) -> bool) -> Option<usize> {
    trace.records.iter().position(is_it)
}

fn is_beacon(record: &Record, name: &str) -> bool {
    record.kind == Kind::Beacon && &*record.name == name && hop(record).is_some()
}

/// Asserts that a law does not hold, for this reason.
fn assert_broken(law: &str, (scenario, trace): &(Scenario, Trace), why: &str) {
    let law = LAWS
        .iter()
        .find(|known| known.name == law)
        .expect("it is a law");
    assert!(law.is_of_drawn());
    let judged = law.judge(scenario, trace);
    assert!(
        judged.as_ref().is_err_and(|text| text.contains(why)),
        "{}: {judged:?}",
        law.name
    );
}

#[test]
fn a_second_impression_a_lost_hop_and_a_wrapper_too_many_are_found() {
    let twice = changed(|trace| {
        let at = find(trace, |record| is_beacon(record, "impression"))?;
        let again = trace.records[at].clone();
        trace.records.insert(at, again);
        Some(())
    });
    assert_broken("beacons come once and in order", &twice, "second time");
    let late = changed(|trace| {
        let at = find(trace, |record| is_beacon(record, "impression"))?;
        let start = find(trace, |record| is_beacon(record, "start"))?;
        trace.records.swap(at, start);
        Some(())
    });
    assert_broken("beacons come once and in order", &late, "before it");
    let lost = changed(|trace| {
        let inner = find(trace, |record| {
            is_beacon(record, "error") && hop(record) == Some(1)
        })?;
        trace.records.remove(inner - 1);
        Some(())
    });
    assert_broken("each hop gets an error once", &lost, "the hops [1");
    let mut long =
        changed(|trace| find(trace, |record| text(record, "purpose") == "wrapper").map(|_| ()));
    long.0.knobs.ad_max_wrappers = 0;
    assert_broken("limits of ads are kept", &long, "one too many");
}
