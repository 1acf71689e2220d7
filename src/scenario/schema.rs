//! The JSON Schema of scenarios, for editors that complete and check while one types.
//!
//! It says what [`read`](super::read()) accepts and names calls, events, knobs and rules from their
//! tables. Where a form has more to it than a schema can say, the schema is the wider one: it never
//! refuses what the reader takes.

use serde_json::{Map, Value as Json, json};

use form::{described, list, object, text, use_of, whole, words};

use super::read::SPECIAL;
use crate::api::{Call, EventName, Query};
use crate::knobs::{KNOBS, Profile, Takes};
use crate::rules;

mod element;
mod form;
mod steps;
mod terms;
mod units;
mod world;

/// The schema, draft 2020-12.
#[must_use]
pub fn schema() -> Json {
    let mut schema = object("A scenario: what is there, what happens, what is expected.", &scenario(), &[]);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "playsim scenario".into();
    schema["$defs"] = definitions();
    schema
}

fn scenario() -> Json {
    let every =
        |definition: &str| json!({ "type": ["object", "null"], "additionalProperties": use_of(definition) });
    json!({
        "$schema": { "description": "Where this schema stands, for editors." },
        "name": text("What the scenario shows, in a few words. Default: the file's name."),
        "rules": list(
            "Rules that the scenario is meant to show; for readers.",
            &words(rules::all().map(|rule| rule.to_string())),
        ),
        "profile": described(
            "The set of knobs to start from.",
            words(Profile::ALL.iter().map(|profile| profile.name())),
        ),
        "knobs": knobs(),
        "seed": whole("The seed of everything random.", 0),
        "until": {
            "description": "When the run ends: `idle` (nothing can happen any more) or a time.",
            "anyOf": [{ "const": "idle" }, use_of("length")],
            "default": "idle",
        },
        "page": use_of("page"),
        "videos": list("The videos, as the edit call knows them.", &use_of("video")),
        "media": described(
            "What media addresses play, by address; `default`: those not listed.",
            every("medium"),
        ),
        "network": described("What addresses answer, by address.", json!({
            "type": ["object", "null"],
            "properties": { "match": use_of("match") },
            "additionalProperties": {
                "anyOf": [
                    use_of("answer"),
                    { "type": "array", "minItems": 1, "items": use_of("answer"),
                      "description": "Answers used up in order; the last repeats." },
                ],
            },
        })),
        "player": use_of("player"),
        "players": described("Settings on top of those of `player`, by container.", every("player")),
        "channels": list("The ids of the channels that there are. Default: any.", &whole("A channel.", 1)),
        "listeners": described("Named listeners, for `on`, `once`, `off` and `on_ready`.", every("listener")),
        "steps": list(
            "What happens. Without: one player for the first video, played when it is ready.",
            &use_of("step"),
        ),
        "expect": list("What must be so in the finished trace.", &use_of("expectation")),
    })
}

fn definitions() -> Json {
    let mut definitions = Map::new();
    let mut define = |name: &str, definition: Json| {
        definitions.insert(name.to_owned(), definition);
    };
    define("length", length());
    define("length_or_never", json!({ "anyOf": [use_of("length"), { "const": "never" }] }));
    define(
        "country",
        json!({ "description": "A country as two letters.", "type": "string", "pattern": "^[A-Za-z]{2}$" }),
    );
    define(
        "size",
        json!({
            "description": "Width and height in pixels.",
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "items": { "type": "integer", "minimum": 0 },
        }),
    );
    define("value", value());
    // Those of the media element are heard only on demand, which is too much to say here.
    define("event", described("An event.", words(EventName::ALL.iter().map(|event| event.name()))));
    define("query", described("A getter or property.", words(Query::ALL.iter().map(|query| query.name()))));
    define("call_name", described("A call.", words(Call::ALL.iter().map(|call| call.name()))));
    define("page", world::page());
    define("video", world::video());
    define("ad", described("An ad object, as page code would write it.", json!({ "type": "object" })));
    define("medium", world::medium());
    define("answer", world::answer());
    define(
        "match",
        object(
            "How an address is looked up.",
            &json!({ "ignore_query": list("Query parameters that do not count.", &text("A name.")) }),
            &[],
        ),
    );
    define("player", world::player());
    define("call", steps::call());
    define("user", steps::user());
    define("init", steps::init());
    define("queue", steps::queue());
    define("edit", steps::edit());
    define("page_change", steps::page_change());
    define("listener", steps::listener());
    define("step", steps::step());
    define("expectation", steps::expectation());
    Json::Object(definitions)
}

fn length() -> Json {
    json!({
        "description": "A length of time with its unit: 1.5s, 250ms, 2m or 01:02:03.500.",
        "type": "string",
        "pattern": "^([0-9].*[A-Za-z\u{b5}\u{3bc}]|[0-9]+:[0-9]{2}:[0-9]{2}([.,][0-9]+)?)$",
    })
}

fn value() -> Json {
    let special = words(SPECIAL.iter().map(|(name, _)| *name));
    json!({
        "description": "Any value; `{ $: NaN }` and the like are values that JSON lacks.",
        "if": { "type": "object", "required": ["$"] },
        "then": { "properties": { "$": special }, "additionalProperties": false },
    })
}

fn knobs() -> Json {
    let knobs = KNOBS.iter().map(|knob| {
        let rules: Vec<String> = knob.rules.iter().map(ToString::to_string).collect();
        let about = format!("{} It takes {}. Rule {}.", knob.about, knob.takes_in_words(), rules.join(", "));
        let mut schema = match (knob.takes)() {
            Takes::Length => json!({ "description": about, "anyOf": [use_of("length"), { "const": 0 }] }),
            Takes::Limit => json!({
                "description": about,
                "anyOf": [use_of("length"), { "enum": [0, "off", false] }],
            }),
            Takes::Number => json!({
                "description": about,
                "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "string", "pattern": "^[0-9]+$" }],
            }),
            Takes::Words(choices) => {
                let mut known: Vec<Json> = choices.iter().map(|(word, _)| (*word).into()).collect();
                known.extend(choices.iter().filter_map(|(word, _)| word.parse::<u32>().ok().map(Json::from)));
                if choices.iter().any(|(word, _)| *word == "on") {
                    known.extend([true.into(), false.into()]);
                }
                json!({ "description": about, "enum": known })
            }
            Takes::Form(_) => text(&about),
        };
        schema["default"] = match (knob.takes)() {
            Takes::Number => knob.default().parse::<u32>().map_or(Json::Null, Json::from),
            Takes::Length | Takes::Limit | Takes::Words(_) | Takes::Form(_) => knob.default().into(),
        };
        (knob.name.to_owned(), schema)
    });
    object("Other readings of what the sources leave open.", &Json::Object(knobs.collect()), &[])
}
