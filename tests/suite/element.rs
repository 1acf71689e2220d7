//! Random sessions of a bare media element, and what holds in each of them.
//!
//! Media with limited bandwidth, media that stall or fail, and live streams; every call with valid
//! and invalid values, at random times and inside listeners. A session can be reproduced by its
//! number.

use std::collections::BTreeSet;

use playsim::Simulation;
use playsim::api::{Act, Call, Decimal, EventName, Kind, PageChange, Query, Value};
use playsim::media::{Delivery, Live, MediaFault};
use playsim::media::{ElementConfig, Preload};
use playsim::page::Page;
use playsim::scenario::{MediaScript, Scenario, Step, StepAct, Target, Trigger, Until};
use playsim::time::{Position, Span, Time};
use playsim::trace::{Record, Trace};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

const SESSIONS: u64 = 6_000;

/// A source of random choices.
struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0.next_u64() % end
    }

    fn chance(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).expect("an index")]
    }

    /// Times are on a grid, so that events often coincide.
    fn beats(&mut self, most: u64) -> Span {
        Span::from_millis(125 * self.below(most + 1))
    }

    fn moment(&mut self, most: u64) -> Time {
        Time::ZERO + self.beats(most)
    }
}

fn medium(dice: &mut Dice) -> MediaScript {
    let duration = Span::from_millis(500) + dice.beats(40);
    let place = |dice: &mut Dice| Position::ZERO + dice.beats(40);
    let mut script = MediaScript {
        duration,
        metadata_after: dice.beats(30),
        ..MediaScript::default()
    };
    match dice.below(8) {
        0 => script.fails = Some((None, MediaFault::Unsupported)),
        1 => {
            script.fails = Some((
                Some(place(dice)),
                dice.pick(&[MediaFault::Decode, MediaFault::Network]),
            ))
        }
        2 | 3 => {
            let mut bandwidth = (0..dice.below(4))
                .map(|_| (dice.moment(60), 250_000 * dice.below(9)))
                .collect::<Vec<_>>();
            bandwidth.sort_unstable();
            bandwidth.dedup_by_key(|(at, _)| *at);
            script.delivery = Some(Delivery {
                bitrate: 250_000 * (1 + dice.below(6)),
                bandwidth,
            });
        }
        4 => {
            let stops_at = (!dice.chance(3)).then(|| dice.moment(40));
            let back_at = stops_at
                .filter(|_| dice.chance(2))
                .map(|stop| stop + Span::from_millis(125) + dice.beats(60));
            script.live = Some(Live {
                window: dice.beats(80),
                stops_at,
                back_at,
                ends_at: (stops_at.is_none() && dice.chance(2)).then(|| dice.moment(60)),
            });
        }
        _ => {}
    }
    if dice.chance(3) {
        script.stalls = (0..=dice.below(2))
            .map(|_| (place(dice), dice.beats(40)))
            .collect();
        script.stalls.sort_unstable();
    }
    script
}

fn number(dice: &mut Dice) -> Value {
    match dice.below(12) {
        0 => Value::NaN,
        1 => Value::Infinity,
        2 => Value::Text("0.5".into()),
        3 => Value::Undefined,
        4 => Value::from(-1),
        _ => Value::Number(Decimal::from_millionths(
            i64::try_from(dice.below(24) * 250_000).expect("small"),
        )),
    }
}

fn act(dice: &mut Dice) -> StepAct {
    let truth = |dice: &mut Dice| vec![Value::Bool(dice.chance(2))];
    let (call, args) = match dice.below(19) {
        0..=3 => (Call::Play, Vec::new()),
        4 | 5 => (Call::Pause, Vec::new()),
        6..=9 => (Call::CurrentTime, vec![number(dice)]),
        10 => (Call::Load, Vec::new()),
        11 => (
            Call::Src,
            vec![Value::from(dice.pick(&[
                "a.mp4",
                "b.mp3",
                "missing.mp4",
                "",
            ]))],
        ),
        12 => (Call::Volume, vec![number(dice)]),
        13 => (Call::Muted, truth(dice)),
        14 => (Call::Loop, truth(dice)),
        15 => (Call::PlaybackRate, vec![number(dice)]),
        16 => {
            return StepAct::User(
                Act::PLAIN[usize::try_from(dice.below(4)).expect("an index")].clone(),
            );
        }
        17 => return StepAct::Page(PageChange::Rate(Decimal::from_integer(2))),
        _ => (dice.pick(Call::ALL), vec![number(dice)]),
    };
    StepAct::Do { call, args }
}

const READ: &[Query] = &[
    Query::CurrentTime,
    Query::Duration,
    Query::Paused,
    Query::Ended,
    Query::Seeking,
    Query::ReadyState,
    Query::Error,
    Query::Loop,
    Query::Volume,
];

fn scenario(number: u64) -> Scenario {
    let mut dice = Dice(Xoshiro256PlusPlus::seed_from_u64(number));
    let config = ElementConfig {
        source: (!dice.chance(10)).then(|| "a.mp4".into()),
        preload: dice.pick(&[Preload::None, Preload::Metadata, Preload::Auto]),
        autoplay: dice.chance(6),
        looping: dice.chance(6),
        muted: dice.chance(6),
    };
    let mut steps = vec![(
        Trigger::At(Time::ZERO),
        StepAct::Element {
            div: "e".into(),
            config,
        },
    )];
    for _ in 0..=dice.below(12) {
        let trigger = if dice.chance(3) {
            let after = dice.chance(4).then(|| dice.beats(8));
            let nth = Some(1 + u32::try_from(dice.below(3)).expect("small"));
            Trigger::On {
                event: dice.pick(EventName::ALL),
                nth,
                after,
            }
        } else {
            Trigger::At(dice.moment(80))
        };
        let act = if dice.chance(4) {
            StepAct::Read(READ.to_vec())
        } else {
            act(&mut dice)
        };
        steps.push((trigger, act));
    }
    Scenario {
        media: vec![
            ("a.mp4".into(), medium(&mut dice)),
            ("b.mp3".into(), medium(&mut dice)),
        ],
        until: Until::At(Time::from_secs(20)),
        page: Page {
            gesture_required: Some(dice.chance(4)),
            ..Page::default()
        },
        steps: steps
            .into_iter()
            .map(|(trigger, act)| Step {
                trigger,
                act,
                player: Target::Container("e".into()),
            })
            .collect(),
        ..Scenario::default()
    }
}

fn is_event(record: &Record, name: &str) -> bool {
    record.kind == Kind::Event && *record.name == *name
}

/// `pause` and `seeked` follow a time update immediately, as recorded in browsers.
fn follows_a_time_update(trace: &Trace) -> Result<(), String> {
    let heard: Vec<&Record> = trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Event)
        .filter(|record| !["progress", "suspend", "stalled"].contains(&&*record.name))
        .collect();
    for pair in heard.windows(2) {
        let is_due = is_event(pair[1], "pause") || is_event(pair[1], "seeked");
        if is_due && !is_event(pair[0], "timeupdate") {
            return Err(format!(
                "{} at {} follows {}",
                pair[1].name, pair[1].at, pair[0].name
            ));
        }
    }
    Ok(())
}

/// Each play request is settled once at most; there are as many as calls of `play`.
fn one_outcome(trace: &Trace) -> Result<(), String> {
    let mut reported = BTreeSet::new();
    for record in &trace.records {
        if record.kind == Kind::Media && record.name.starts_with("play-re") {
            let request = record.data.get("request").and_then(Value::as_integer);
            if !reported.insert(request) {
                return Err(format!(
                    "request {request:?} is settled twice, at {}",
                    record.at
                ));
            }
        }
    }
    let starts = |record: &&Record| {
        let is_call = record.kind == Kind::Call && &*record.name == "play";
        is_call || (record.kind == Kind::User && ["play", "click"].contains(&&*record.name))
    };
    let calls = trace.records.iter().filter(starts).count();
    if reported.len() <= calls {
        Ok(())
    } else {
        Err(format!("{} requests, {calls} calls", reported.len()))
    }
}

/// The events of a load come in their order, each once.
fn loads_in_order(trace: &Trace) -> Result<(), String> {
    const ORDER: &[&str] = &[
        "loadstart",
        "durationchange",
        "loadedmetadata",
        "loadeddata",
        "canplay",
    ];
    let mut reached = ORDER.len();
    for record in trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Event)
        // A live stream that ends for good has a length then.
        .filter(|record| record.rule != Some(playsim::rules::LIVE_5))
    {
        let Some(place) = ORDER.iter().position(|name| **name == *record.name) else {
            continue;
        };
        let is_next = match place {
            0 => true,
            // It comes again after a seek and a stall.
            4 => reached >= 3,
            _ => place == reached + 1,
        };
        if !is_next {
            return Err(format!("{} at {} is out of order", record.name, record.at));
        }
        reached = place;
    }
    Ok(())
}

/// The attributes are consistent, and a listener of `ended` reads the expected values.
fn attributes_fit(trace: &Trace) -> Result<(), String> {
    let reads: Vec<(&str, &Value)> = trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Call)
        .filter_map(|record| Some((&*record.name, record.data.get("returns")?)))
        .collect();
    for group in reads.windows(READ.len()) {
        let is_group = group
            .iter()
            .zip(READ)
            .all(|((name, _), query)| *name == query.name());
        let [
            (_, time),
            (_, duration),
            (_, paused),
            (_, ended),
            (_, seeking),
            (_, ready),
            (_, error),
            (_, looping),
            _,
        ] = group
        else {
            continue;
        };
        if !is_group {
            continue;
        }
        let fail = |what: &str| Err(format!("{what}: {group:?}"));
        let (Value::Number(time), ready) = (time, ready.as_integer()) else {
            return fail("no time");
        };
        if let (Value::Number(duration), Some(1..)) = (duration, ready)
            && time > duration
        {
            return fail("after the end");
        }
        if ready == Some(0) && !matches!(duration, Value::NaN) {
            return fail("a duration without metadata");
        }
        if ended.as_bool() == Some(true) {
            let is_over = seeking.as_bool() == Some(false) && looping.as_bool() == Some(false);
            if !is_over || *duration != &Value::Number(*time) || paused.as_bool() == Some(false) {
                return fail("ended before the end");
            }
        }
        if **error != Value::Null && ready == Some(0) && !matches!(duration, Value::NaN) {
            return fail("a failure before metadata that has a duration");
        }
    }
    Ok(())
}

/// Split into steps and forked, the trace is the same.
fn same_again(scenario: &Scenario, trace: &Trace) -> Result<(), String> {
    let stage = Simulation::new(scenario).expect("it can be played");
    let mut split = stage.fork();
    for tenth in 0..200 {
        split.run_until(Time::from_millis(tenth * 99));
    }
    if split.fork().run().digest != trace.digest {
        return Err("split into steps, the trace differs".to_owned());
    }
    if stage.run().digest != trace.digest {
        return Err("run again, the trace differs".to_owned());
    }
    Ok(())
}

#[test]
fn random_sessions_of_an_element_keep_its_laws() {
    let mut heard = BTreeSet::new();
    for number in 0..SESSIONS {
        let scenario = scenario(number);
        let trace = Simulation::new(&scenario).expect("it can be played").run();
        heard.extend(trace.events().map(|event| event.name.to_string()));
        let outcome = trace.records.last().expect("an outcome");
        let result = follows_a_time_update(&trace)
            .and_then(|()| one_outcome(&trace))
            .and_then(|()| loads_in_order(&trace))
            .and_then(|()| attributes_fit(&trace))
            .and_then(|()| {
                if number % 16 == 0 {
                    same_again(&scenario, &trace)
                } else {
                    Ok(())
                }
            })
            .and_then(|()| match &*outcome.name {
                "idle" | "until" => Ok(()),
                other => Err(format!("it ended as {other}")),
            });
        if let Err(problem) = result {
            let mut text = String::new();
            let everything = playsim::trace::Filter {
                view: playsim::trace::View::All,
                ..Default::default()
            };
            playsim::trace::write_text(&trace, &everything, true, &mut text)
                .expect("writing to a string succeeds");
            panic!("session {number}: {problem}\n{text}");
        }
    }
    let own = EventName::ALL.iter().filter(|event| !event.is_documented());
    let missing: Vec<&str> = own
        .map(|event| event.name())
        .filter(|name| !heard.contains(*name))
        .collect();
    assert!(missing.is_empty(), "never heard: {missing:?}");
}
