//! What driving does, case by case.

use std::sync::{Arc, Mutex};

use playsim::api::{Act, Call, Code, Command, Decimal, EventName, Fields, NetLine, PageChange, Query, Value};
use playsim::scenario::{AnswerScript, MediaScript, ScriptedAnswer};
use playsim::sim::{LiveError, Simulation};
use playsim::time::{Span, Time};
use playsim::trace::Trace;
use playsim::video::{Rendition, Video};
use playsim::{Scenario, ScenarioError};

const TAG: &str = "https://ads.test/a";

/// Ten seconds of content, and a pre-roll whose tag has no ad after 200 ms.
fn scenario() -> Scenario {
    let ad = Fields::one("adType", 0).with("adTimeType", "s").with("mobile", Value::List(vec![TAG.into()]));
    Scenario::default()
        .with_video(Video::new("film").with_rendition(Rendition::Sd, "film.mp4"))
        .with_media("film.mp4", MediaScript::of_length(Span::from_secs(10)))
        .with_ad(ad)
        .with_answer(TAG, AnswerScript::body("<VAST version='4.2'/>").after(Span::from_millis(200)))
}

fn started() -> Simulation {
    Simulation::new(&scenario()).expect("it can be played")
}

/// Plays to the end, checks that the saved scenario plays to the same trace, and returns it.
fn finished(mut simulation: Simulation) -> Trace {
    simulation.run_until(Time::MAX);
    let saved = simulation.to_scenario();
    let trace = simulation.run();
    let replayed = Simulation::new(&saved).expect("it can be played").run();
    assert_eq!(replayed.digest, trace.digest, "{}", saved.to_yaml());
    trace
}

#[test]
fn a_call_returns_what_the_player_returns() {
    let mut simulation = started();
    let found = simulation.advance_to(EventName::Start).expect("content starts");
    assert_eq!(found.at, Time::from_micros(200_000));
    simulation.advance(Span::from_secs(2));
    assert_eq!(simulation.now(), Time::from_micros(2_200_000));
    assert_eq!(simulation.call("player", Call::CurrentTime), Ok(Value::from(2)));
    assert_eq!(simulation.call("player", Call::Pause), Ok(Value::Undefined));
    assert_eq!(simulation.query("player", Query::CurrentTime), Ok(Value::from(2)));
    simulation.advance(Span::from_secs(5));
    assert_eq!(simulation.query("player", Query::CurrentTime), Ok(Value::from(2)));
    simulation.act("player", Act::Play).expect("there is a player");
    simulation.page("player", PageChange::Hidden(true)).expect("there is a player");
    let ended = simulation.advance_to(EventName::Ended).expect("content ends");
    assert_eq!(ended.at, Time::from_micros(15_200_000));
    assert_eq!(simulation.advance_to(EventName::Start), None);
    finished(simulation);
}

#[test]
fn what_cannot_be_done_is_an_error() {
    let mut simulation = started();
    simulation.advance(Span::from_secs(1));
    let Err(LiveError::Call(error)) = simulation.call("nowhere", Call::Play) else { panic!("no player") };
    assert_eq!(error.code, Code::NoSuchPlayer);
    assert!(matches!(simulation.act("nowhere", Act::Pause), Err(LiveError::Call(_))));
    assert!(simulation.query("nowhere", Query::Volume).is_err());
    let Err(LiveError::Call(error)) = simulation.call("player", Command::new(Call::On, ["play"])) else {
        panic!("no function")
    };
    assert_eq!(error.code, Code::BadArgument);
    let unknown = Command::new(Call::On, [Value::from("play"), Value::Function("mine".into())]);
    let error = simulation.call("player", unknown).expect_err("there is no such listener");
    assert!(matches!(error, LiveError::Invalid(ScenarioError::UnknownListener(_))), "{error}");
    let error =
        simulation.page("player", PageChange::InView(Decimal::from_integer(300))).expect_err("too much");
    assert!(error.to_string().contains("in_view"), "{error}");
    assert!(simulation.on("nowhere", EventName::Play, |_| {}).is_err());
    assert!(matches!(simulation.answer("a.xml", ScriptedAnswer::Silence), Err(LiveError::Answer { .. })));
    finished(simulation);
}

#[test]
fn closures_are_called_at_dispatch_and_may_call_the_player() {
    let mut simulation = started();
    let seen = Arc::new(Mutex::new(Vec::new()));
    for event in [EventName::AdError, EventName::AdEnd, EventName::Pause, EventName::Play] {
        let seen = Arc::clone(&seen);
        let note = move |text: String| seen.lock().expect("one thread").push(text);
        let bound = simulation.on("player", event, move |heard| {
            note(format!("{} {}", heard.at(), heard.event()));
            if event == EventName::AdError {
                assert_eq!(heard.data().integer("code"), Some(303));
                heard.call(Call::Pause).expect("it may be called");
                // What the call causes is delivered after the events that wait.
                note("called".to_owned());
                heard.call_after(Span::from_secs(1), Call::Play).expect("it may be called");
            }
        });
        bound.expect("the container is on the page");
    }
    let trace = finished(simulation);
    let seen = seen.lock().expect("one thread");
    let due =
        ["0.200000 adError", "called", "0.200000 adEnd", "0.200000 play", "0.200000 pause", "1.200000 play"];
    // The replay calls no closure, but the run that was saved was played once.
    assert_eq!(*seen, due, "{:?}", trace.events().map(|(name, at, _)| (name, at)).collect::<Vec<_>>());
}

#[test]
fn a_closure_that_only_looks_leaves_no_line() {
    let untouched = started().run();
    let mut simulation = started();
    for event in EventName::DOCUMENTED {
        simulation
            .on("player", *event, |heard| drop(heard.query(Query::CurrentTime)))
            .expect("it is on the page");
    }
    assert_eq!(simulation.to_scenario(), scenario());
    assert_eq!(simulation.run(), untouched);
}

#[test]
fn an_answer_counts_for_requests_that_are_sent_from_then_on() {
    let mut simulation = started();
    simulation.answer(TAG, ScriptedAnswer::Silence).expect("it was not used yet");
    let asked = simulation.advance_to(NetLine::Request).expect("a request");
    let late = AnswerScript::body("<VAST version='4.2'/>");
    simulation.answer(TAG, late).expect("the next request gets it");
    let timeout = simulation.advance_to(NetLine::Timeout).expect("nothing comes");
    assert!(timeout.at > asked.at);
    finished(simulation);
}

#[test]
fn time_updates_come_one_by_one() {
    let mut simulation = started();
    let updates: Vec<Time> =
        std::iter::from_fn(|| simulation.advance_to(EventName::TimeUpdate)).map(|it| it.at).take(4).collect();
    let due = [450_000, 700_000, 950_000, 1_200_000].map(Time::from_micros);
    assert_eq!(updates, due);
    assert_eq!(simulation.now(), due[3]);
    assert_eq!(finished(simulation), started().run());
}

#[test]
fn a_fork_is_driven_on_its_own() {
    let mut simulation = started();
    simulation.advance(Span::from_secs(3));
    let mut other = simulation.fork();
    other.call("player", Call::Stop).expect("there is a player");
    other.answer(TAG, ScriptedAnswer::Silence).expect("it may change");
    assert_ne!(finished(other), started().run());
    assert_eq!(finished(simulation), started().run());
}
