//! Fuzz targets that play sessions, and their budget.

use crate::checks::Checks;
use crate::drawn::scenario;
use crate::options::Options;
use crate::source::Source;
use playsim_api::video::{Rendition, Video};
use playsim_api::{Fields, Value};
use playsim_base::time::{Span, Time};
use playsim_scenario::{self as scenarios, AnswerScript, MediaScript, Scenario, Until};
use playsim_sim::Simulation;
use playsim_trace::Trace;

/// The longest session.
pub(super) const LONGEST: Time = Time::from_secs(60);
/// The most tasks of a second.
const TASKS: u32 = 2_000;

/// Draws a session from the bytes and checks the laws on it.
///
/// # Panics
///
/// If a law does not hold.
pub fn session(bytes: &[u8]) {
    judge(
        &scenario(&mut Source::from_bytes(bytes), &Options::default()),
        Checks::default().of_drawn(),
    );
}

/// Plays any document as the response of an ad tag, before and within a film.
///
/// # Panics
///
/// If a law does not hold.
pub fn vast(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let tag = "https://ads.test/a";
    let ad = |kind: i64| {
        let tags = Value::List(vec![tag.into()]);
        Fields::one("adType", kind)
            .with("adTimeType", "s")
            .with("mobile", tags)
    };
    let middle = ad(1).with("cuepoints", Value::List(vec![Value::from(2)]));
    let scenario = Scenario::default()
        .with_video(Video::new("film").with_rendition(Rendition::Sd, "film.mp4"))
        .with_media("film.mp4", MediaScript::of_length(Span::from_secs(5)))
        .with_ad(ad(0))
        .with_ad(middle)
        .with_answer(tag, AnswerScript::body(text).after(Span::from_millis(250)));
    judge(
        &Scenario {
            media_default: Some(MediaScript::of_length(Span::from_secs(2))),
            ..scenario
        },
        Checks::default(),
    );
}

/// Reads any text as a scenario in JSON, and in YAML with the feature `yaml`. One that is valid is
/// written and read back unchanged, and the laws hold for it.
///
/// # Panics
///
/// If a law does not hold, or the scenario changes by being written.
pub fn text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let name = if cfg!(feature = "yaml") {
        "fuzz.yaml"
    } else {
        "fuzz.json"
    };
    let Ok(read) = scenarios::read(name, text, &mut load) else {
        return;
    };
    let written = read.to_json();
    let again = scenarios::read("again.json", &written, &mut load);
    assert!(
        again.as_ref().is_ok_and(|again| *again == read),
        "it reads back otherwise: {again:?}\n{written}"
    );
    judge(
        &Scenario {
            expect: Vec::new(),
            ..read
        },
        Checks::default(),
    );
}

/// Plays a scenario and checks the laws on it. `None`: it cannot be played, although it can be
/// read.
pub(super) fn judge(given: &Scenario, checks: Checks) -> Option<Trace> {
    let mut scenario = given.clone();
    scenario.until = Until::At(given.until.end().map_or(LONGEST, |at| at.min(LONGEST)));
    scenario.knobs.limit_tasks_per_second = given.knobs.limit_tasks_per_second.min(TASKS);
    Simulation::new(&scenario).ok()?;
    match checks.sampled().judge(&scenario) {
        Ok(trace) => Some(trace),
        Err(broken) => panic!("{}", broken.shrunk()),
    }
}
