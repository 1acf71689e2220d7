//! What driving does, case by case.

use std::sync::{Arc, Mutex};

use playsim::api::{
    Act, Call, Code, Command, Decimal, EventName, Fetched, Fields, Input, Kind, NetLine, Outcome,
    Output, PageChange, Purpose, Query, Request, Response, Value,
};
use playsim::check;
use playsim::knobs::Knobs;
use playsim::knobs::values::Switch;
use playsim::media::ElementConfig;
use playsim::media::MediaInfo;
use playsim::player::Settings;
use playsim::report::waterfall::Waterfalls;
use playsim::scenario::{AnswerScript, MediaScript, ScriptedAnswer, StepAct, Target};
use playsim::sim::{Heard, LiveError, Recorder, Simulation};
use playsim::time::{Span, Time};
use playsim::trace::record::RecordView;
use playsim::trace::{Record, Trace, TraceEvent};
use playsim::video::{ChapterMark, Rendition, Video};
use playsim::{Scenario, ScenarioError};

const TAG: &str = "https://ads.test/a";

/// Ten seconds of content, and a pre-roll whose tag has no ad after 200 ms.
fn scenario() -> Scenario {
    let ad = Fields::one("adType", 0)
        .with("adTimeType", "s")
        .with("mobile", Value::List(vec![TAG.into()]));
    Scenario::default()
        .with_video(Video::new("film").with_rendition(Rendition::Sd, "film.mp4"))
        .with_media("film.mp4", MediaScript::of_length(Span::from_secs(10)))
        .with_ad(ad)
        .with_answer(
            TAG,
            AnswerScript::body("<VAST version='4.2'/>").after(Span::from_millis(200)),
        )
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
    let found = simulation
        .advance_to(EventName::Start)
        .expect("content starts");
    assert_eq!(found.at, Time::from_micros(200_000));
    simulation.advance(Span::from_secs(2));
    assert_eq!(simulation.now(), Time::from_micros(2_200_000));
    assert_eq!(
        simulation.call("player", Call::CurrentTime),
        Ok(Value::from(2))
    );
    assert_eq!(simulation.call("player", Call::Pause), Ok(Value::Undefined));
    assert_eq!(
        simulation.query("player", Query::CurrentTime),
        Ok(Value::from(2))
    );
    simulation.advance(Span::from_secs(5));
    assert_eq!(
        simulation.query("player", Query::CurrentTime),
        Ok(Value::from(2))
    );
    simulation
        .act("player", Act::Play)
        .expect("there is a player");
    simulation
        .page("player", PageChange::Hidden(true))
        .expect("there is a player");
    let ended = simulation
        .advance_to(EventName::Ended)
        .expect("content ends");
    assert_eq!(ended.at, Time::from_micros(15_200_000));
    assert_eq!(simulation.advance_to(EventName::Start), None);
    finished(simulation);
}

#[test]
fn what_cannot_be_done_is_an_error() {
    let mut simulation = started();
    simulation.advance(Span::from_secs(1));
    let Err(LiveError::Call(error)) = simulation.call("nowhere", Call::Play) else {
        panic!("no player")
    };
    assert_eq!(error.code, Code::NoSuchPlayer);
    assert!(matches!(
        simulation.act("nowhere", Act::Pause),
        Err(LiveError::Call(_))
    ));
    assert!(simulation.query("nowhere", Query::Volume).is_err());
    let Err(LiveError::Call(error)) = simulation.call("player", Command::new(Call::On, ["play"]))
    else {
        panic!("no function")
    };
    assert_eq!(error.code, Code::BadArgument);
    let unknown = Command::new(
        Call::On,
        [Value::from("play"), Value::Function("mine".into())],
    );
    let error = simulation
        .call("player", unknown)
        .expect_err("there is no such listener");
    assert!(
        matches!(error, LiveError::Invalid(ScenarioError::UnknownListener(_))),
        "{error}"
    );
    let error = simulation
        .page("player", PageChange::InView(Decimal::from_integer(300)))
        .expect_err("too much");
    assert!(error.to_string().contains("in_view"), "{error}");
    assert!(simulation.on("nowhere", EventName::Play, |_| {}).is_err());
    // A URL of media has no responses.
    assert!(matches!(
        simulation.answer("film.mp4", ScriptedAnswer::Silence),
        Err(LiveError::Invalid(ScenarioError::OutOfBounds { .. }))
    ));
    // It would have been that of the request before.
    assert!(matches!(
        simulation.answer("https://ads.test/[ID]", ScriptedAnswer::Silence),
        Err(LiveError::Answer { .. })
    ));
    finished(simulation);
}

#[test]
fn closures_are_called_at_dispatch_and_may_call_the_player() {
    let mut simulation = started();
    let seen = Arc::new(Mutex::new(Vec::new()));
    for event in [
        EventName::AdError,
        EventName::AdEnd,
        EventName::Pause,
        EventName::Play,
    ] {
        let seen = Arc::clone(&seen);
        let note = move |text: String| seen.lock().expect("one thread").push(text);
        let bound = simulation.on("player", event, move |heard| {
            note(format!("{} {}", heard.at(), heard.event()));
            if event == EventName::AdError {
                assert_eq!(heard.data().integer("code"), Some(303));
                heard.call(Call::Pause).expect("it may be called");
                // What the call causes is delivered after the events that wait.
                note("called".to_owned());
                heard
                    .call_after(Span::from_secs(1), Call::Play)
                    .expect("it may be called");
            }
        });
        bound.expect("the container is on the page");
    }
    let trace = finished(simulation);
    let seen = seen.lock().expect("one thread");
    let due = [
        "0.200000 adError",
        "called",
        "0.200000 adEnd",
        "0.200000 play",
        "0.200000 pause",
        "1.200000 play",
    ];
    // The replay calls no closure, but the run that was saved was played once.
    assert_eq!(
        *seen,
        due,
        "{:?}",
        trace
            .events()
            .map(|event| (event.name, event.at))
            .collect::<Vec<_>>()
    );
}

#[test]
fn a_closure_that_only_looks_leaves_no_line() {
    let untouched = started().run();
    let mut simulation = started();
    for event in EventName::DOCUMENTED {
        simulation
            .on("player", *event, |heard| {
                drop(heard.query(Query::CurrentTime))
            })
            .expect("it is on the page");
    }
    assert_eq!(simulation.to_scenario(), scenario());
    assert_eq!(simulation.run(), untouched);
}

#[test]
fn an_answer_counts_for_requests_that_are_sent_from_then_on() {
    let mut simulation = started();
    simulation
        .answer(TAG, ScriptedAnswer::Silence)
        .expect("it was not used yet");
    let asked = simulation.advance_to(NetLine::Request).expect("a request");
    let late = AnswerScript::body("<VAST version='4.2'/>");
    simulation
        .answer(TAG, late)
        .expect("the next request gets it");
    let timeout = simulation
        .advance_to(NetLine::Timeout)
        .expect("nothing comes");
    assert!(timeout.at > asked.at);
    finished(simulation);
}

/// Which lengths the media at a URL have, load by load.
fn lengths(scenario: &Scenario, url: &str) -> Vec<u64> {
    let media = scenario.media.iter().find(|(listed, _)| **listed == *url);
    let loads = media.into_iter().flat_map(|(_, media)| media.loads());
    loads
        .map(|load| load.duration.micros() / 1_000_000)
        .collect()
}

#[test]
fn media_count_for_loads_that_begin_from_then_on() {
    let of_length = |seconds| MediaScript::of_length(Span::from_secs(seconds));
    let mut simulation = started();
    let loads = |simulation: &mut Simulation, count: usize| {
        for _ in 0..count {
            simulation
                .call("player", Command::new(Call::Src, ["film.mp4"]))
                .expect("it is ready");
            simulation.advance(Span::from_secs(1));
        }
        simulation
            .query("player", Query::Duration)
            .expect("there is a player")
    };
    simulation.advance(Span::from_secs(1));
    assert_eq!(loads(&mut simulation, 1), Value::from(10));
    let two = MediaScript::of_loads(vec![of_length(3), of_length(4)]).expect("two");
    simulation.answer("film.mp4", two).expect("it is listed");
    assert_eq!(loads(&mut simulation, 1), Value::from(3));
    assert_eq!(loads(&mut simulation, 2), Value::from(4));
    // What was loaded stays; what was not is replaced.
    simulation
        .answer("film.mp4", of_length(5))
        .expect("it is listed");
    assert_eq!(loads(&mut simulation, 1), Value::from(5));
    let saved = simulation.to_scenario();
    assert_eq!(lengths(&saved, "film.mp4"), [10, 10, 3, 4, 4, 5]);
    finished(simulation);
}

#[test]
fn media_and_responses_change_for_one_of_the_urls_that_a_relative_one_is() {
    let ad = "<VAST version='4.2'><Ad><InLine><Impression/><Creatives><Creative><Linear>\
              <MediaFiles><MediaFile type='video/mp4'>spot.mp4</MediaFile></MediaFiles>\
              </Linear></Creative></Creatives></InLine></Ad></VAST>";
    let wrapper =
        "<VAST version='4.2'><Ad><Wrapper><VASTAdTagURI>inner</VASTAdTagURI></Wrapper></Ad></VAST>";
    let mut scenario = scenario()
        .with_media("spot.mp4", MediaScript::of_length(Span::from_secs(2)))
        .with_answer("inner", AnswerScript::body(ad));
    scenario.network[0].1 = vec![AnswerScript::body(wrapper)];
    let mut simulation = Simulation::new(&scenario).expect("it can be played");
    let plays = |simulation: &mut Simulation| {
        simulation
            .call("player", Command::new(Call::PlayAd, [TAG]))
            .expect("there is a player");
        let start = simulation.advance_to(EventName::AdStart)?.at;
        let end = simulation.advance_to(EventName::AdEnd)?.at;
        Some((end - start).micros() / 1_000_000)
    };
    simulation.advance_to(EventName::Start).expect("content");
    assert_eq!(plays(&mut simulation), Some(2));
    let film = |seconds| MediaScript::of_length(Span::from_secs(seconds));
    simulation.answer("spot.mp4", film(3)).expect("as written");
    assert_eq!(plays(&mut simulation), Some(3));
    let resolved = "https://ads.test/spot.mp4";
    simulation.answer(resolved, film(1)).expect("as resolved");
    assert_eq!(plays(&mut simulation), Some(1));
    simulation
        .answer("inner", ScriptedAnswer::Silence)
        .expect("as written");
    simulation
        .answer("https://ads.test/inner", AnswerScript::body(ad))
        .expect("as resolved");
    assert_eq!(plays(&mut simulation), Some(1));
    finished(simulation);
}

#[test]
fn time_updates_come_one_by_one() {
    let mut simulation = started();
    let updates: Vec<Time> = std::iter::from_fn(|| simulation.advance_to(EventName::TimeUpdate))
        .map(|it| it.at)
        .take(4)
        .collect();
    let due = [450_000, 700_000, 950_000, 1_200_000].map(Time::from_micros);
    assert_eq!(updates, due);
    assert_eq!(simulation.now(), due[3]);
    assert_eq!(finished(simulation), started().run());
}

#[test]
fn a_listener_that_only_counts_is_called_for_each_update() {
    let alone = started().run();
    let updates = |until| {
        let all = alone
            .events()
            .filter(|event| event.name == EventName::TimeUpdate && event.at <= until);
        u32::try_from(all.count()).expect("a few")
    };
    let mut counted = started();
    counted.listen(EventName::TimeUpdate);
    for until in [
        Time::from_micros(2_300_000),
        Time::from_micros(2_450_000),
        Time::MAX,
    ] {
        counted.run_until(until);
        assert_eq!(counted.calls_heard(), updates(until), "{until}");
    }
    assert!(updates(Time::MAX) > 30);
    assert_eq!(counted.run(), alone);
}

#[test]
fn a_fork_is_driven_on_its_own() {
    let mut simulation = started();
    simulation.advance(Span::from_secs(3));
    let mut other = simulation.fork();
    other.call("player", Call::Stop).expect("there is a player");
    other
        .answer(TAG, ScriptedAnswer::Silence)
        .expect("it may change");
    assert_ne!(finished(other), started().run());
    assert_eq!(finished(simulation), started().run());
}

/// Plays the player of the scenario in a world that responds as the scenario does, and edits the
/// record when content starts.
fn recorded(edited: Option<Arc<Video>>) -> Trace {
    let knobs = Knobs {
        record_live_update: Switch::On,
        ..Knobs::default()
    };
    let settings = Settings {
        ads: scenario().player.ads,
        knobs: knobs.into(),
        ..Settings::default()
    };
    let config = Fields::one("id", "player")
        .with("width", "640")
        .with("height", "360")
        .with("video", "film");
    let mut player =
        Recorder::new("", "player", &Value::Map(config), settings).expect("it can be created");
    let (mut now, mut responses) = (Time::ZERO, Vec::new());
    loop {
        while let Some(output) = player.pop() {
            match output {
                Output::Fetch(request) => responses.push(respond(now, &request)),
                Output::Callback => drop(
                    player
                        .handle(now, Input::Call(Call::Play.into()))
                        .expect("it plays"),
                ),
                Output::Event(event) if event.name == EventName::Start => {
                    if let Some(video) = edited.clone() {
                        player
                            .handle(now, Input::Edited(video))
                            .expect("an edit is no call");
                    }
                }
                Output::Event(_) | Output::TimeUpdates(_) | Output::Line(_) | Output::Task(_) => {}
                Output::Media(_) | Output::Entry(_) => panic!("a player puts no {output:?}"),
            }
        }
        responses.sort_by_key(|(at, _)| *at);
        let wake = player.next_wake().map_or(Time::MAX, |wake| wake.at);
        if responses.first().is_some_and(|(at, _)| *at <= wake) {
            let (at, input) = responses.remove(0);
            now = at;
            player.handle(now, input).expect("a response is no call");
        } else if wake < Time::MAX {
            now = wake;
            player.handle(now, Input::Wake).expect("a wake is no call");
        } else {
            return player.finish();
        }
    }
}

fn respond(now: Time, request: &Request) -> (Time, Input) {
    let film = || Arc::new(Video::new("film").with_rendition(Rendition::Sd, "film.mp4"));
    match request.purpose {
        Purpose::Record => (now, Input::Record(request.id, Some(film()))),
        Purpose::Media => {
            let info = MediaInfo {
                duration: Span::from_secs(10),
                ..MediaInfo::default()
            };
            (now, Input::Loaded(request.id, Ok(Arc::new(info))))
        }
        Purpose::AdTag | Purpose::Wrapper | Purpose::Playlist => {
            let response = Response::new(Arc::clone(&request.url), "<VAST version='4.2'/>");
            (
                now + Span::from_millis(200),
                Input::Fetched(request.id, Fetched::Response(response)),
            )
        }
    }
}

#[test]
fn a_recorded_player_has_the_trace_of_a_simulated_one() {
    let (trace, simulated) = (recorded(None), started().run());
    let event = |event: TraceEvent<'_>| (event.name, event.at, event.data.clone());
    let events = |trace: &Trace| trace.events().map(event).collect::<Vec<_>>();
    assert_eq!(events(&trace), events(&simulated));
    assert_eq!(check::invariants(&trace), []);
    let (report, due) = (Waterfalls::of(&trace), Waterfalls::of(&simulated));
    assert_eq!(report.breaks.len(), 1);
    assert_eq!(report.breaks[0].tags[0].code, due.breaks[0].tags[0].code);
    let is_read = |record: &&Record| !matches!(record.view(), RecordView::Other(_));
    assert_eq!(
        trace.records.iter().filter(is_read).count(),
        trace.records.len()
    );
    assert_eq!(trace.outcome(), Some(Outcome::Idle));
}

#[test]
fn what_an_edit_causes_names_it() {
    let chapter = ChapterMark {
        timestamp: "no time".into(),
        title: "Title".into(),
    };
    let mut film = Video::new("film").with_rendition(Rendition::Sd, "film.mp4");
    film.record.chapters.push(chapter);
    let trace = recorded(Some(Arc::new(film)));
    let bad = trace
        .records
        .iter()
        .find(|record| record.is(Code::BadChapter))
        .expect("it is in the trace");
    let cause = bad
        .cause
        .and_then(|line| trace.record(line))
        .expect("it has a cause");
    assert_eq!(
        (cause.kind, cause.data.get("id")),
        (Kind::Edit, Some(&Value::from("film")))
    );
    assert_eq!(check::invariants(&trace), []);
}

#[test]
fn a_counter_is_out_of_reach_of_the_page() {
    let mut simulation = started();
    simulation.listen(EventName::TimeUpdate);
    simulation.advance(Span::from_secs(3));
    let nameless = Command::new(Call::Off, ["timeupdate".into(), Value::Function("".into())]);
    simulation
        .call("player", nameless)
        .expect("it may be removed");
    let own = Command::new(
        Call::On,
        ["timeupdate".into(), Value::Function("step 1".into())],
    );
    let refused = simulation
        .call("player", own)
        .expect_err("no listener has this name");
    assert!(refused.to_string().contains("step 1"), "{refused}");
    simulation.run_until(Time::MAX);
    let heard = simulation.calls_heard() as usize;
    let trace = simulation.run();
    assert_eq!(
        heard,
        trace
            .events()
            .filter(|event| event.name == EventName::TimeUpdate)
            .count()
    );
}

#[test]
fn closures_hear_elements_that_were_created_live() {
    let mut simulation = started();
    let element = StepAct::Element {
        div: "fresh".into(),
        config: ElementConfig::default(),
    };
    simulation
        .perform(element, Target::First)
        .expect("it is created");
    simulation
        .on("fresh", EventName::Play, |_| {})
        .expect("it is there");
    assert!(simulation.on("stale", EventName::Play, |_| {}).is_err());
}

#[test]
fn a_recorder_refuses_what_cannot_be_played() {
    let created = |config: Fields, knobs: Knobs| {
        Recorder::new(
            "",
            "player",
            &Value::Map(config),
            Settings {
                knobs: knobs.into(),
                ..Settings::default()
            },
        )
    };
    let config = Fields::one("id", "player")
        .with("width", "640")
        .with("height", "360");
    let error = created(config.clone(), Knobs::default()).expect_err("it has no video");
    assert!(error.text.contains("no \"video\""), "{}", error.text);
    let knobs = Knobs {
        timeupdate_period: Span::ZERO,
        ..Knobs::default()
    };
    let error = created(config.with("video", "film"), knobs).expect_err("time would stand still");
    assert!(error.text.contains("timeupdate.period"), "{}", error.text);
}

#[test]
fn a_closure_that_acts_at_every_update_replays() {
    let mut simulation = started();
    let louder = |heard: &mut Heard<'_>| {
        heard
            .call(Command::new(Call::Volume, [Value::from(Decimal::ONE)]))
            .expect("it may be set");
    };
    simulation
        .on("player", EventName::TimeUpdate, louder)
        .expect("it is on the page");
    finished(simulation);
    // An endless one.
    let knobs = Knobs {
        limit_tasks_per_second: 600,
        ..Knobs::default()
    };
    let mut simulation = Simulation::new(&Scenario {
        knobs,
        ..scenario()
    })
    .expect("it can be played");
    let toggle = |heard: &mut Heard<'_>| {
        let is_full = heard
            .query(Query::Volume)
            .is_ok_and(|volume| volume == Value::from(Decimal::ONE));
        let volume = if is_full {
            Value::from(0)
        } else {
            Value::from(1)
        };
        heard
            .call(Command::new(Call::Volume, [volume]))
            .expect("it may be set");
    };
    simulation
        .on("player", EventName::VolumeChange, toggle)
        .expect("it is on the page");
    simulation
        .call("player", Command::new(Call::Volume, [Value::from(0)]))
        .expect("there is a player");
    assert_eq!(finished(simulation).outcome(), Some(Outcome::Livelock));
}

#[test]
fn a_listener_calls_the_player_of_another_container() {
    let text = r#"
page: { containers: [one, two] }
videos: [{ id: v1, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 10s } }
steps:
  - { at: 0s, init: { div: one, config: { id: p1, width: "640", height: "360", video: v1 } } }
  - { at: 0s, init: { div: two, config: { id: p2, width: "640", height: "360", video: v1 } } }
  - { at: 1s, do: play, player: one }
"#;
    let scenario = text.parse::<Scenario>().expect("it is a scenario");
    let mut simulation = Simulation::new(&scenario).expect("it can be played");
    let start_the_other = |heard: &mut Heard<'_>| {
        assert_eq!(heard.call_in("two", Call::Play), Ok(Value::Undefined));
        let error = heard
            .call_in("three", Call::Play)
            .expect_err("it has no player");
        assert!(matches!(error, LiveError::Call(_)), "{error}");
    };
    simulation
        .on("one", EventName::Start, start_the_other)
        .expect("it is on the page");
    let trace = finished(simulation);
    let started: Vec<String> = trace
        .records
        .iter()
        .filter(|record| record.event() == Some(EventName::Start))
        .filter_map(|record| trace.container(record).map(ToString::to_string))
        .collect();
    assert_eq!(started, ["one", "two"]);
}
