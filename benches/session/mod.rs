//! The measured session, written in Rust: a pre-roll, then content.

use std::sync::Arc;

use playsim::api::{Call, EventName, Fields, Kind, Value};
use playsim::page::Container;
use playsim::scenario::{
    AnswerScript, MediaScript, Scenario, ScriptedAnswer, Step, StepAct, Target, Trigger, UnitKind,
    VideoScript,
};
use playsim::sim::Simulation;
use playsim::time::{Span, Time};
use playsim::trace::Trace;
use playsim::video::{Rendition, Video, VideoRecord};

const TAG: &str = "https://ads.test/tag";
const SPOT: &str = "spot.mp4";
const FILM: &str = "film.mp4";

/// The parameters of a session.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Session {
    /// The number of players, each in its own container.
    pub(crate) players: usize,
    /// The length of the content.
    pub(crate) content: Span,
    /// The duration of the pause in the middle of the content.
    pub(crate) pause: Option<Span>,
}

impl Default for Session {
    fn default() -> Session {
        Session {
            players: 1,
            content: Span::from_secs(600),
            pause: None,
        }
    }
}

/// Returns a simulation of the session, ready to be forked.
pub(crate) fn prepared(session: &Session) -> Simulation {
    Simulation::new(&scenario(session)).expect("the session can be played")
}

/// The number of events in a trace, counting each time update.
pub(crate) fn events(trace: &Trace) -> u32 {
    trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Event)
        .map(|record| record.lines())
        .sum()
}

fn scenario(session: &Session) -> Scenario {
    let containers: Vec<Arc<str>> = (0..session.players)
        .map(|number| format!("player-{number}").into())
        .collect();
    let mut scenario = Scenario {
        name: "a pre-roll and content".into(),
        videos: vec![VideoScript {
            video: Arc::new(Video {
                record: VideoRecord {
                    id: "film".into(),
                    ..VideoRecord::default()
                },
                renditions: vec![(Rendition::Sd, FILM.into())],
                ..Video::default()
            }),
            record_after: Span::ZERO,
        }],
        media: vec![
            media(FILM, session.content),
            media(SPOT, Span::from_secs(30)),
        ],
        network: vec![(TAG.into(), vec![document()])],
        steps: containers.iter().flat_map(steps).collect(),
        ..Scenario::default()
    };
    scenario.page.containers = containers
        .iter()
        .map(|id| Container {
            id: id.clone(),
            player_class: true,
        })
        .collect();
    scenario.player.ads = vec![Value::Map(pre_roll())];
    if let Some(pause) = session.pause {
        let middle = Time::from_secs(60);
        for container in &containers {
            scenario
                .steps
                .push(step(Trigger::At(middle), Call::Pause, container));
            scenario
                .steps
                .push(step(Trigger::At(middle + pause), Call::Play, container));
        }
    }
    scenario
}

fn media(address: &str, duration: Span) -> (Arc<str>, MediaScript) {
    (
        address.into(),
        MediaScript {
            duration,
            ..MediaScript::default()
        },
    )
}

fn pre_roll() -> Fields {
    Fields::one("adType", 0u8)
        .with("adTimeType", "s")
        .with("mobile", Value::List(vec![Value::from(TAG)]))
}

fn document() -> AnswerScript {
    let text = "<VAST version=\"4.2\"><Ad id=\"spot\"><InLine><AdSystem>a</AdSystem><AdTitle>a spot</AdTitle>\
        <Impression>https://track.test/impression</Impression><Creatives><Creative><Linear>\
        <Duration>00:00:30</Duration><MediaFiles><MediaFile delivery=\"progressive\" type=\"video/mp4\" \
        width=\"640\" height=\"360\">spot.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives>\
        </InLine></Ad></VAST>";
    let answer = ScriptedAnswer::Body {
        status: 200,
        name: "".into(),
        text: text.into(),
    };
    AnswerScript {
        content_type: None,
        after: Span::from_millis(120),
        answer,
    }
}

fn steps(container: &Arc<str>) -> [Step; 2] {
    let config = Fields::one("id", "player")
        .with("width", "640")
        .with("height", "360")
        .with("video", "film");
    let init = StepAct::Init {
        unit: UnitKind::Player,
        div: Value::from(container),
        config: Value::Map(config),
        on_ready: None,
    };
    let ready = Trigger::On {
        event: EventName::Ready,
        nth: None,
        after: None,
    };
    [
        Step {
            trigger: Trigger::At(Time::ZERO),
            act: init,
            player: Target::First,
        },
        step(ready, Call::Play, container),
    ]
}

fn step(trigger: Trigger, call: Call, container: &Arc<str>) -> Step {
    let act = StepAct::Do {
        call,
        args: Vec::new(),
    };
    Step {
        trigger,
        act,
        player: Target::Container(container.clone()),
    }
}
