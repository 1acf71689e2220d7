//! A scenario as JSON text: what a failing case leaves behind.
//!
//! Writes what the generator makes, that is all but expectations and cited rules.

use std::fmt::Write;

use playsim::api::{Act, PageChange, Query, Value};
use playsim::element::ElementConfig;
use playsim::knobs::{KNOBS, Takes};
use playsim::media::Delivery;
use playsim::page::{Device, Page};
use playsim::scenario::{
    AdLoop, AnswerScript, Bid, ListenerScript, MediaScript, PlayerScript, Scenario, ScriptedAnswer, Step,
    StepAct, Target, Trigger, UnitKind, Until, VideoScript,
};
use playsim::time::Span;
use playsim::video::Rendition;

use super::{beside, edits, terms, write_units};

/// The text of a scenario, as `scenario::read` takes it under a name that ends in `.json`.
pub(crate) fn json(scenario: &Scenario) -> String {
    assert!(scenario.expect.is_empty() && scenario.rules.is_empty(), "the generator makes none of them");
    let knobs = KNOBS.iter().map(|knob| {
        let value = (knob.value)(&scenario.knobs);
        (knob.name, if (knob.takes)() == Takes::Number { value } else { quoted(&value) })
    });
    let until = match scenario.until {
        Until::Idle => quoted("idle"),
        Until::At(at) => micros(at.micros()),
    };
    let default = scenario.media_default.iter().map(|script| ("default", medium(script)));
    let media = scenario.media.iter().map(|(address, script)| (&**address, medium(script)));
    let ignored = scenario.ignore_query.iter().map(|name| quoted(name));
    let answers =
        scenario.network.iter().map(|(address, answers)| (&**address, list(answers.iter().map(answer))));
    let matching = ("match", object([("ignore_query", list(ignored))]));
    let players = scenario.players.iter().map(|(container, script)| (&**container, player(script)));
    let listeners = scenario.listeners.iter().map(|(name, script)| (&**name, listener(script)));
    let fields = [
        ("name", quoted(&scenario.name)),
        ("profile", quoted(scenario.profile.name())),
        ("knobs", object(knobs)),
        ("seed", scenario.seed.to_string()),
        ("until", until),
        ("page", page(&scenario.page)),
        ("videos", lines(scenario.videos.iter().map(video))),
        ("media", object(media.chain(default))),
        ("network", object(answers.chain([matching]))),
        ("player", player(&scenario.player)),
        ("players", object(players)),
        ("listeners", object(listeners)),
        ("steps", lines(scenario.steps.iter().map(step))),
    ];
    let fields: Vec<String> =
        fields.iter().map(|(key, value)| format!("  {}: {value}", quoted(key))).collect();
    format!("{{\n{}\n}}\n", fields.join(",\n"))
}

pub(crate) fn quoted(text: &str) -> String {
    Value::from(text.to_owned()).to_string()
}

pub(crate) fn micros(micros: u64) -> String {
    format!("\"{micros}us\"")
}

pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}

/// A list with a line for each item.
fn lines(items: impl IntoIterator<Item = String>) -> String {
    let mut text = "[".to_owned();
    for (index, item) in items.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma}\n    {item}");
    }
    text.push(']');
    text
}

pub(crate) fn object<'a>(fields: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let fields = fields.into_iter().map(|(key, value)| format!("{}: {value}", quoted(key)));
    format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
}

fn value(value: &Value) -> String {
    let special = |name: &str| object([("$", quoted(name))]);
    match value {
        Value::Undefined => special("undefined"),
        Value::NaN => special("NaN"),
        Value::Infinity => special("Infinity"),
        Value::NegativeInfinity => special("-Infinity"),
        Value::Function(name) if name.is_empty() => special("function"),
        Value::Function(name) => quoted(name),
        Value::List(items) => list(items.iter().map(self::value)),
        Value::Map(fields) => object(fields.iter().map(|(key, field)| (&**key, self::value(field)))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => value.to_string(),
    }
}

fn page(page: &Page) -> String {
    let device = match page.device {
        Device::Desktop => "desktop",
        Device::Mobile => "mobile",
    };
    let containers = page.containers.iter().map(|container| {
        object([("id", quoted(&container.id)), ("player_class", container.player_class.to_string())])
    });
    let epoch = jiff::Timestamp::from_microsecond(page.epoch_micros).expect("an epoch is a calendar instant");
    let script = |after: Option<Span>| after.map_or_else(|| quoted("never"), |after| micros(after.micros()));
    let mut fields = vec![
        ("device", quoted(device)),
        ("epoch", quoted(&epoch.to_string())),
        ("containers", list(containers)),
        ("window", size(page.window)),
        ("fullscreen", quoted(if page.allows_fullscreen { "allowed" } else { "refused" })),
        ("script_after", script(page.script_after)),
        ("outstream_script_after", script(page.outstream_script_after)),
    ];
    fields.extend(page.country.iter().map(|country| ("country", quoted(country))));
    let policy = |required| quoted(if required { "required" } else { "free" });
    fields.extend(page.gesture_required.map(|required| ("gesture_policy", policy(required))));
    fields.extend(terms::written(&page.ads));
    fields.extend(beside::written(&page.sides));
    object(fields)
}

pub(crate) fn size((width, height): (u32, u32)) -> String {
    list([width.to_string(), height.to_string()])
}

fn video(VideoScript { video, record_after }: &VideoScript) -> String {
    let chapters = video.chapters.iter().map(|chapter| {
        object([("timestamp", quoted(&chapter.timestamp)), ("title", quoted(&chapter.title))])
    });
    let renditions = video.renditions.iter().map(|(rendition, address)| (rendition.word(), quoted(address)));
    let pairs = video.custom_params.iter().map(|(key, value)| list([quoted(key), quoted(value)]));
    let mut fields = vec![
        ("id", quoted(&video.id)),
        ("name", quoted(&video.name)),
        ("tags", quoted(&video.tags)),
        ("monetize", video.monetize.to_string()),
        ("rejected", video.rejected.to_string()),
        ("geo_on", video.geo_on.to_string()),
        ("geo", list(video.geo.iter().map(|country| quoted(country)))),
        ("chapters", list(chapters)),
        ("renditions", object(renditions)),
        ("ads", list(video.ads.iter().map(value))),
        ("custom_params", list(pairs)),
        ("record_after", micros(record_after.micros())),
    ];
    fields.extend(video.partner_id.iter().map(|id| ("partner_id", quoted(id))));
    fields.extend(video.channel_id.map(|id| ("channel_id", id.to_string())));
    fields.extend(video.age_gate.map(|gate| ("age_gate_id", gate.to_string())));
    let pixels = video.pixels.iter().map(|(key, text)| (&**key, quoted(text)));
    fields.push(("pixels", object(pixels)));
    fields.extend(video.clickthrough.iter().map(|address| ("clickthroughURL", quoted(address))));
    fields.extend(video.image.iter().map(|address| ("image", quoted(address))));
    fields.extend(video.publish.map(|day| ("publish", quoted(&day.to_string()))));
    fields.extend(video.kill_date.map(|day| ("kill_date", quoted(&day.to_string()))));
    fields.extend(video.comscore.iter().map(|(name, text)| (&**name, quoted(text))));
    object(fields)
}

fn medium(script: &MediaScript) -> String {
    let stalls = script
        .stalls
        .iter()
        .map(|(at, length)| object([("at", micros(at.micros())), ("for", micros(length.micros()))]));
    let mut fields = vec![
        ("metadata_after", micros(script.metadata_after.micros())),
        ("stalls", list(stalls)),
        ("switch_after", micros(script.switch_after.micros())),
    ];
    match script.live {
        Some(live) => {
            fields.extend([("live", "true".to_owned()), ("window", micros(live.window.micros()))]);
            fields.extend(live.stops_at.map(|at| ("stops_at", micros(at.micros()))));
            fields.extend(live.back_at.map(|at| ("back_at", micros(at.micros()))));
        }
        None => fields.push(("duration", micros(script.duration.micros()))),
    }
    if let Some(Delivery { bitrate, bandwidth }) = &script.delivery {
        let bandwidth = bandwidth
            .iter()
            .map(|(at, bits)| object([("at", micros(at.micros())), ("bps", bits.to_string())]));
        fields.extend([("bitrate", bitrate.to_string()), ("bandwidth", list(bandwidth))]);
    }
    if let Some(vpaid) = script.vpaid {
        fields.push(("vpaid", write_units::vpaid(vpaid, script.vpaid_script.as_deref())));
    }
    fields.extend(script.simid.iter().map(|simid| ("simid", write_units::simid(simid))));
    if let Some((at, how)) = script.fails {
        let at = at.map(|at| ("at", micros(at.micros())));
        fields.push(("fails", object(at.into_iter().chain([("how", quoted(how.word()))]))));
    }
    object(fields)
}

fn answer(AnswerScript { after, answer }: &AnswerScript) -> String {
    let mut fields = vec![("after", micros(after.micros()))];
    match answer {
        ScriptedAnswer::Body { status, text, .. } => {
            fields.extend([("status", status.to_string()), ("text", quoted(text))]);
        }
        ScriptedAnswer::Redirect { status, to } => {
            fields.extend([("status", status.to_string()), ("redirect", quoted(to))]);
        }
        ScriptedAnswer::Fails(fault) => fields.push(("fails", quoted(fault.word()))),
        ScriptedAnswer::Silence => fields.push(("fails", quoted("timeout"))),
    }
    object(fields)
}

fn player(script: &PlayerScript) -> String {
    let bids = script.bids.iter().map(|Bid { kind, nth, url }| {
        object([("break", quoted(kind.word())), ("nth", nth.to_string()), ("url", quoted(url))])
    });
    let mut fields = vec![
        ("ready_after", micros(script.ready_after.micros())),
        ("ads", list(script.ads.iter().map(value))),
        ("volume", script.volume.to_string()),
        ("muted", script.muted.to_string()),
        ("bids", list(bids)),
    ];
    if let Some(AdLoop { times, every, impressions }) = script.ad_loop {
        let mut parts = vec![("times", times.to_string()), ("every", micros(every.micros()))];
        parts.extend(impressions.map(|most| ("impressions", most.to_string())));
        fields.push(("ad_loop", object(parts)));
    }
    let turns = script.ad_turns;
    fields.extend([
        ("ad_frequency", turns.every.to_string()),
        ("ad_offset", turns.offset.to_string()),
        ("videos_seen", turns.seen.to_string()),
    ]);
    let words = |plan: &Vec<Rendition>| list(plan.iter().map(|rendition| quoted(rendition.word())));
    fields.extend(script.plan.iter().map(|plan| ("plan", words(plan))));
    object(fields)
}

fn listener(script: &ListenerScript) -> String {
    let act = |act: &StepAct| match act {
        StepAct::Do { call, args } => object([(call.name(), list(args.iter().map(value)))]),
        StepAct::Read(queries) => quoted(queries.first().map_or("", |query| query.name())),
        StepAct::Init { .. } | StepAct::Queue { .. } => object([self::act(act)]),
        StepAct::Element { .. }
        | StepAct::User(_)
        | StepAct::Page(_)
        | StepAct::Edit(_)
        | StepAct::Script(_) => {
            unreachable!("a listener makes calls and players")
        }
    };
    let throws = script.throws.iter().map(|text| object([("throw", quoted(text))]));
    list(script.acts.iter().map(act).chain(throws))
}

fn step(step: &Step) -> String {
    let mut fields = Vec::new();
    match step.trigger {
        Trigger::At(at) => fields.push(("at", micros(at.micros()))),
        Trigger::On { event, nth, after } => {
            fields.push(("on", quoted(event.name())));
            fields.extend(nth.map(|nth| ("nth", nth.to_string())));
            fields.extend(after.map(|after| ("after", micros(after.micros()))));
        }
    }
    fields.push(act(&step.act));
    match &step.player {
        Target::First => {}
        Target::Container(id) => fields.push(("player", quoted(id))),
        Target::NoArgument => fields.push(("player", "null".to_owned())),
    }
    object(fields)
}

/// The field of a step that says what it does, and what stands in it.
fn act(act: &StepAct) -> (&'static str, String) {
    match act {
        StepAct::Init { unit, div, config, on_ready } => {
            let outstream = (*unit == UnitKind::Outstream).then(|| ("outstream", "true".to_owned()));
            let on_ready = on_ready.iter().map(|name| ("on_ready", quoted(name)));
            let fields = [("div", value(div)), ("config", value(config))];
            ("init", object(outstream.into_iter().chain(fields).chain(on_ready)))
        }
        StepAct::Element { div, config } => {
            let ElementConfig { source, preload, autoplay, looping, muted } = config;
            let source = source.iter().map(|address| ("src", quoted(address)));
            let attributes = [
                ("preload", quoted(preload.word())),
                ("autoplay", autoplay.to_string()),
                ("loop", looping.to_string()),
                ("muted", muted.to_string()),
            ];
            let element = object(source.chain(attributes));
            ("init", object([("div", quoted(div)), ("element", element)]))
        }
        StepAct::Queue { unit, entry, on_ready } => {
            let entry = match (entry, on_ready) {
                (Value::Map(fields), Some(name)) => {
                    let fields = fields.iter().map(|(key, field)| (&**key, value(field)));
                    object(fields.chain([("onReady", quoted(name))]))
                }
                _ => value(entry),
            };
            ("queue", object([(unit.queue(), entry)]))
        }
        StepAct::Do { call, args } => ("do", object([(call.name(), list(args.iter().map(value)))])),
        StepAct::User(Act::Seek(place)) => ("user", object([("seek", value(place))])),
        StepAct::User(Act::Volume(volume)) => ("user", object([("volume", value(volume))])),
        StepAct::User(Act::Icon(program)) => ("user", object([("icon", quoted(program))])),
        StepAct::User(Act::Companion(slot)) => ("user", object([("companion", quoted(slot))])),
        StepAct::User(Act::Interact(what)) => ("user", object([("interact", quoted(what.name()))])),
        StepAct::User(act) => ("user", quoted(act.word())),
        StepAct::Page(change) => {
            let to = match change {
                PageChange::InView(number) | PageChange::Rate(number) => number.to_string(),
                PageChange::Window(width, height) => size((*width, *height)),
                PageChange::Sticky(truth) | PageChange::Fullscreen(truth) | PageChange::Hidden(truth) => {
                    truth.to_string()
                }
            };
            ("page", object([(change.word(), to)]))
        }
        StepAct::Edit(script) => ("edit", edits::written(script)),
        StepAct::Script(unit) => ("page", object([("script", quoted(unit.name()))])),
        StepAct::Read(queries) => ("read", list(queries.iter().map(|query: &Query| quoted(query.name())))),
    }
}
