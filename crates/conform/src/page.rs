//! The input of the page of a case, made from the scenario: films, ads, steps, and how long it may
//! take.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::Case;
use playsim_api::{Act, AdObject, AdOrigin, Call, Carried, EventName, Value};
use playsim_base::time::{Position, Span, Time};
use playsim_rules::knobs::KnobReader;
use playsim_scenario::world::World;
use playsim_scenario::{Scenario, Step, StepAct, Trigger};
use playsim_trace::Trace;
use playsim_vast::{self as vast, Root};

/// The additional time for a page over the simulation: loading, time limits of its player, quiet at
/// the end.
const RESERVE: Span = Span::from_secs(20);
/// The longest that a page may take.
const LONGEST: Span = Span::from_secs(600);
/// Where films are whose URL has no host.
const CONTENT: &str = "http://content.test/";

impl Case {
    /// Returns the input of the page of the case, as JSON: `name`, `title`, `limit` in seconds,
    /// `films`, `ads`, `needs`, `muted`, `steps`, and the `scenario` itself.
    #[must_use]
    pub fn page(&self) -> Json {
        let scenario = &self.scenario;
        let world = World::new(scenario.surroundings());
        let films = films(scenario, &world);
        let ads = ads(scenario);
        let needs = needs(scenario, &films, &ads);
        let trace = self.play(&scenario.knobs).ok();
        let end = trace
            .as_ref()
            .and_then(|trace| Some(trace.records.last()?.at));
        let end = end.unwrap_or_default() - Time::ZERO;
        // A quarter more for what each ad and each request adds.
        let limit = (end + Span::from_micros(end.micros() / 4) + RESERVE).min(LONGEST);
        let title = if scenario.name.is_empty() {
            &self.name
        } else {
            &scenario.name
        };
        let written: Json = serde_json::from_str(&scenario.to_json()).unwrap_or_default();
        json!({
            "name": &*self.name,
            "title": &**title,
            "limit": limit.micros().div_ceil(1_000_000),
            "films": films,
            "ads": ads,
            "needs": needs,
            "muted": scenario.player.muted,
            "steps": steps(scenario, trace.as_ref()),
            "scenario": written,
        })
    }
}

/// The playlist: each film with its length.
fn films(scenario: &Scenario, world: &World) -> Vec<Json> {
    let config = scenario.steps.iter().find_map(|step| {
        if let StepAct::Init { config, .. } = &step.act {
            config.as_map()
        } else if let StepAct::Queue { entry, .. } = &step.act {
            entry.as_map()?.get("obj")?.as_map()
        } else {
            None
        }
    });
    let named = |key: &str| config.and_then(|config| config.get(key));
    let ids: Vec<&str> = match (named("playlist").and_then(Value::as_list), named("video")) {
        (Some(list), _) => list
            .iter()
            .filter_map(|id| id.as_text().map(|id| &**id))
            .collect(),
        (None, Some(id)) => id.as_text().map(|id| &**id).into_iter().collect(),
        (None, None) => scenario
            .videos
            .first()
            .map(|script| &*script.video.id)
            .into_iter()
            .collect(),
    };
    let film = |id: &str| {
        let script = scenario
            .videos
            .iter()
            .find(|script| *script.video.id == *id)?;
        let (_, url) = script.video.renditions.first()?;
        let seconds = world
            .media(url)
            .and_then(|media| Some(media.loaded.as_ref().ok()?.duration));
        Some(json!({ "src": address(url), "seconds": seconds.map(seconds_of) }))
    };
    ids.into_iter().filter_map(film).collect()
}

/// A URL as the page asks for it: the server has no TLS.
fn address(url: &str) -> String {
    match url.split_once("://") {
        Some(("https", rest)) => format!("http://{rest}"),
        Some(_) => url.to_owned(),
        None => format!("{CONTENT}{}", url.trim_start_matches('/')),
    }
}

/// One entry for each cue point, in the order of the scenario.
fn ads(scenario: &Scenario) -> Vec<Json> {
    let of_videos = scenario.videos.iter().flat_map(|script| &script.video.ads);
    let objects = scenario.player.ads.iter().chain(of_videos);
    let knobs = KnobReader::from(scenario.knobs.clone());
    let read = |ad| AdObject::read(ad, AdOrigin::Settings, &knobs, &mut |_, _, _, _| {}).ok();
    let mut entries = Vec::new();
    for ad in objects.filter_map(read) {
        let tags: Vec<String> = ad
            .tags(scenario.page.device)
            .iter()
            .map(|tag| address(tag))
            .collect();
        let mut push = |at: Json| {
            let lasts = ad.overlay_duration.map(|lasts| number(&lasts.to_string()));
            entries.push(json!({ "kind": ad.kind.word(), "at": at, "lasts": lasts, "tags": tags }));
        };
        if ad.cues.is_empty() {
            push(Json::Null);
        }
        for cue in &ad.cues {
            let written = cue.to_string();
            let unit = if written.ends_with('%') {
                "percent"
            } else {
                "seconds"
            };
            push(json!({ unit: number(written.trim_end_matches(['%', 's'])) }));
        }
    }
    entries
}

/// The features that a player must have to show the case.
fn needs(scenario: &Scenario, films: &[Json], ads: &[Json]) -> Vec<&'static str> {
    let is_kind = |kind: &str| ads.iter().any(|ad| ad["kind"] == kind);
    let documents = || scenario.network.iter().flat_map(|(_, answers)| answers);
    let is_vmap = documents().any(|answer| match &answer.answer {
        playsim_scenario::ScriptedAnswer::Body { text, .. } => vast::read(text).root == Root::Vmap,
        playsim_scenario::ScriptedAnswer::Redirect { .. }
        | playsim_scenario::ScriptedAnswer::Fails(_)
        | playsim_scenario::ScriptedAnswer::Silence => false,
    });
    let is_waterfall = ads
        .iter()
        .any(|ad| ad["tags"].as_array().is_some_and(|tags| tags.len() > 1));
    [
        ("waterfall", is_waterfall),
        ("pre", is_kind("pre")),
        ("mid", is_kind("mid")),
        ("post", is_kind("post")),
        ("overlay", is_kind("overlay")),
        ("vmap", is_vmap),
        ("playlist", films.len() > 1),
    ]
    .into_iter()
    .filter_map(|(need, is_needed)| is_needed.then_some(need))
    .collect()
}

/// The acts of page code and users. The page makes the player and calls `play()` itself, so the
/// steps that do so are left out. A step that the simulated player does not reach is optional.
fn steps(scenario: &Scenario, trace: Option<&Trace>) -> Vec<Json> {
    let times = |event: EventName| {
        let records = trace.into_iter().flat_map(|trace| &trace.records);
        records
            .filter(|record| record.event() == Some(event))
            .count()
    };
    let is_start = |step: &Step| {
        let is_early = match step.trigger {
            Trigger::At(at) => at == Time::ZERO,
            Trigger::On { event, .. } => event == EventName::Ready,
            Trigger::Visibility => false,
        };
        is_early
            && matches!(
                step.act,
                StepAct::Do {
                    call: Call::Play,
                    ..
                }
            )
    };
    let mut has_started = false;
    let mut steps = Vec::new();
    for step in &scenario.steps {
        if !has_started && is_start(step) {
            has_started = true;
            continue;
        }
        let Some(act) = act(&step.act) else { continue };
        steps.push(match step.trigger {
            Trigger::Visibility => continue,
            Trigger::At(at) => {
                json!({ "on": null, "nth": null, "at": seconds_of(at - Time::ZERO), "after": 0, "do": act })
            }
            Trigger::On { event, nth, after } => {
                let after = seconds_of(after.unwrap_or_default());
                let due = nth.map_or(1, |nth| nth as usize);
                let mut step =
                    json!({ "on": event.name(), "nth": nth, "at": null, "after": after, "do": act });
                if trace.is_some() && times(event) < due {
                    step["optional"] = json!(true);
                }
                step
            }
        });
    }
    steps
}

/// The action of a step, if a page can do it.
fn act(act: &StepAct) -> Option<Json> {
    match act {
        StepAct::Do { call, args } => {
            let args: Vec<Json> = args.iter().map(json_of).collect();
            Some(json!({ "call": call.name(), "args": args }))
        }
        StepAct::User(act) => {
            let args: Vec<Json> = match act.carried() {
                Carried::Nothing => Vec::new(),
                Carried::Value(value) => vec![json_of(value)],
                Carried::Name(_, name) => vec![json!(&**name)],
                Carried::Interaction(kind) => vec![json!(kind.name())],
                Carried::Point(at) => vec![json!(at.x), json!(at.y)],
            };
            Some(json!({ "user": Act::name(act).name(), "args": args }))
        }
        StepAct::Init { .. }
        | StepAct::Queue { .. }
        | StepAct::Element { .. }
        | StepAct::Page(_)
        | StepAct::Script(_)
        | StepAct::Container(_)
        | StepAct::Edit(_)
        | StepAct::Read(_)
        | StepAct::Let { .. }
        | StepAct::Use { .. }
        | StepAct::When { .. }
        // A case has one player.
        | StepAct::For { .. }
        | StepAct::Task(_) => None,
    }
}

/// A value of page code as JSON, which has no infinity and no functions.
fn json_of(value: &Value) -> Json {
    match value {
        Value::Undefined
        | Value::Null
        | Value::NaN
        | Value::Infinity
        | Value::NegativeInfinity
        | Value::Function(_) => Json::Null,
        Value::Bool(is) => json!(is),
        Value::Number(value) => number(&value.to_string()),
        Value::Text(text) => json!(&**text),
        Value::List(items) => items.iter().map(json_of).collect(),
        Value::Map(fields) => {
            let entries = fields
                .iter()
                .map(|(key, value)| (key.to_string(), json_of(value)));
            Json::Object(entries.collect::<Map<String, Json>>())
        }
    }
}

/// A decimal as a number of JSON.
fn number(decimal: &str) -> Json {
    serde_json::from_str(decimal).unwrap_or_default()
}

/// A length in seconds, as a number.
fn seconds_of(span: Span) -> Json {
    let written = (Position::ZERO + span).to_string();
    let (whole, fraction) = written.split_once('.').unwrap_or((&written, ""));
    let fraction = fraction.trim_end_matches('0');
    number(&if fraction.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    })
}

/// The names of the hosts of a scenario's URLs that do not lead to the server.
#[must_use]
pub fn foreign_hosts(scenario: &Scenario) -> Vec<Arc<str>> {
    let listed = scenario
        .network
        .iter()
        .map(|(url, _)| url)
        .chain(scenario.media.iter().map(|(url, _)| url));
    let mut hosts: Vec<Arc<str>> = listed
        .filter_map(|url| url.split_once("://"))
        .map(|(_, rest)| rest.split(['/', '?', ':']).next().unwrap_or_default())
        .filter(|host| !host.ends_with(".test"))
        .map(Arc::from)
        .collect();
    hosts.sort();
    hosts.dedup();
    hosts
}
