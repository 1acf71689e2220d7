//! Traces that no run has written: records in any order, with any number, cause and time. Whatever
//! reads traces must cope with them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use playsim::api::{Fields, Kind, Text, Value};
use playsim::check::{expectations, invariants};
use playsim::diff::{self, Side};
use playsim::report::page::ReportPage;
use playsim::report::waterfall::Waterfalls;
use playsim::scenario::Scenario;
use playsim::time::{Span, Time};
use playsim::trace::{self, Filter, PlayerIndex, Record, Run, Trace};

use super::{drawn, play};
use playsim::testing::Source;

const NUMBERS: &[u32] = &[0, 1, 2, 7, u32::MAX - 1, u32::MAX];
const TIMES: &[u64] = &[0, 1, 250_000, i64::MAX as u64, u64::MAX - 1, u64::MAX];

/// Values that occur where nothing expects them.
fn value(source: &mut Source) -> Value {
    let values = [
        Value::Undefined,
        Value::Null,
        Value::NaN,
        Value::NegativeInfinity,
        Value::Bool(true),
        Value::from(i64::MAX),
        Value::from(i64::MIN),
        Value::from(-1),
        Value::from(""),
        Value::from("\u{1b}[31m\u{0}\u{feff}\u{202e}\n"),
        Value::List(Vec::new()),
        Value::Map(Fields::one("", Value::NaN)),
    ];
    source.pick(&values).clone()
}

/// Changes a trace at several places.
fn spoil(trace: &mut Trace, source: &mut Source) {
    for _ in 0..source.count(1, 12) {
        if trace.records.is_empty() {
            return;
        }
        let (one, other) = (
            source.index(trace.records.len()),
            source.index(trace.records.len()),
        );
        let copy = trace.records[other].clone();
        let record = &mut trace.records[one];
        match source.below(14) {
            0 => record.seq = *source.pick(NUMBERS),
            1 => record.seq = copy.seq,
            2 => record.cause = Some(*source.pick(NUMBERS)),
            3 => record.cause = copy.cause,
            4 => record.at = Time::from_micros(*source.pick(TIMES)),
            5 => {
                record.player = source
                    .chance(1, 2)
                    .then(|| PlayerIndex(*source.pick(&[0, 1, 2, u16::MAX])))
            }
            6 => {
                let step = Span::from_micros(*source.pick(TIMES));
                record.run = Some(Run {
                    step,
                    count: *source.pick(&[0, 1, 3]),
                });
            }
            7 => record.kind = *source.pick(Kind::ALL),
            8 => {
                record.name = if source.chance(1, 2) {
                    copy.name
                } else {
                    Text::Static("")
                }
            }
            9 => record.data = copy.data,
            10 => {
                let fields = record.data.iter();
                record.data = fields
                    .map(|(key, _)| (key.clone(), value(source)))
                    .collect();
            }
            11 => trace.records.swap(one, other),
            12 => trace.records.insert(one, copy),
            _ => {
                let _ = trace.records.remove(one);
            }
        }
    }
    if source.chance(1, 8) {
        let _ = trace.players.pop();
    }
    if source.chance(1, 8) {
        trace
            .records
            .truncate(source.index(trace.records.len() + 1));
    }
}

/// Reads a trace in every available way.
fn read_everywhere(scenario: &Scenario, sound: &Trace, spoiled: &Trace, source: &mut Source) {
    let all = Filter::default();
    let mut sink = String::new();
    let _ = invariants(spoiled);
    let _ = expectations(&scenario.expect, spoiled);
    for why in [false, true] {
        trace::write_jsonl(spoiled, &all, why, &mut sink).expect("writing to a vector succeeds");
        trace::write_text(spoiled, &all, why, &mut sink).expect("writing to a vector succeeds");
        trace::write_chrome_trace(spoiled, &all, why, &mut sink)
            .expect("writing to a vector succeeds");
        trace::write_summary(spoiled, &all, why, &mut sink).expect("writing to a vector succeeds");
        trace::write_pixels(spoiled, &all, why, &mut sink).expect("writing to a vector succeeds");
    }
    let epoch = *source.pick(&[0, i64::MIN, i64::MAX]);
    let site = trace::Site {
        epoch_micros: epoch,
        url: "https://page.test/",
        bodies: &mut |_| None,
    };
    trace::write_har(spoiled, &all, true, site, &mut sink).expect("writing to a vector succeeds");
    let waterfalls = Waterfalls::of(spoiled);
    let page = ReportPage::new(spoiled)
        .with_waterfalls(&waterfalls)
        .with_documents(scenario);
    page.write(&mut sink).expect("writing to a vector succeeds");
    let _ = (
        waterfalls.json(),
        waterfalls.text(80, true),
        waterfalls.is_filled(),
    );
    let seqs = spoiled
        .records
        .iter()
        .map(|record| record.seq)
        .chain(NUMBERS.iter().copied());
    for seq in seqs.collect::<Vec<_>>() {
        let record: Option<&Record> = spoiled.record(seq);
        assert!(record.is_none_or(|record| record.seq <= seq && seq <= record.last_seq()));
        if let Some(causes) = spoiled.causes(seq).filter(|_| source.chance(1, 4)) {
            trace::write_causes(spoiled, &causes, 80, &mut sink)
                .expect("writing to a vector succeeds");
        }
    }
    for word in ["adStart", "7", "4294967295", ""] {
        let _ = trace::find(spoiled, word);
    }
    let _ = (spoiled.outcome(), spoiled.events().count());
    let side = |trace: &Trace| Side::of_trace("a", trace.clone(), &all);
    let (sound, spoiled) = (side(sound), side(spoiled));
    for (one, other) in [(&sound, &spoiled), (&spoiled, &sound), (&spoiled, &spoiled)] {
        let compared = diff::compare(one, other, Span::from_millis(250));
        compared
            .write(20, &mut sink)
            .expect("writing to a vector succeeds");
    }
}

#[test]
fn everything_that_reads_traces_handles_records_made_by_hand() {
    let cases = super::from_environment("PLAYSIM_HAND_MADE", crate::nightly::cases(400, 1_500));
    for seed in 0..cases {
        let scenario = drawn(seed % 500);
        let sound = play(&scenario);
        let source = &mut Source::from_seed(seed);
        let mut spoiled = sound.clone();
        spoil(&mut spoiled, source);
        let read = AssertUnwindSafe(|| read_everywhere(&scenario, &sound, &spoiled, source));
        assert!(
            catch_unwind(read).is_ok(),
            "reading a trace made by hand panics, seed {seed}"
        );
    }
}
