//! The JSON Schema of scenarios, for editors that complete and check while one types.
//!
//! It says what [`read`](super::read()) accepts and names calls, events, knobs and rules from their
//! tables. Where a form has more to it than a schema can say, the schema is the wider one: it never
//! refuses what the reader takes.

use serde_json::{Map, Value as Json, json};

use form::{described, list, object, one_of_fields, text, use_of, whole, within, within_one_or_many, words};

use super::read::{BINDING, DEVICES, MEDIA_FAULTS, NETWORK_FAULTS, PROPERTIES, SPECIAL};
use crate::api::{Act, Call, EventName, Query};
use crate::knobs::{KNOBS, Profile, Takes};
use crate::rules;
use crate::video::Rendition;

mod element;
mod form;

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
    define("value", value());
    define("event", described("An event.", words(EventName::ALL.iter().map(|event| event.name()))));
    define("query", described("A getter or property.", words(Query::ALL.iter().map(|query| query.name()))));
    define("call_name", described("A call.", words(Call::ALL.iter().map(|call| call.name()))));
    define("page", page());
    define("video", video());
    define("ad", described("An ad object, as page code would write it.", json!({ "type": "object" })));
    define("medium", medium());
    define("answer", answer());
    define(
        "match",
        object(
            "How an address is looked up.",
            &json!({ "ignore_query": list("Query parameters that do not count.", &text("A name.")) }),
            &[],
        ),
    );
    define(
        "player",
        object(
            "Settings of players.",
            &json!({
                "ready_after": within("How long a player takes to get ready.", "length"),
                "ads": list("Ad objects at player level.", &use_of("ad")),
                "volume": json!({ "const": 1, "description": "The volume; always 1 in this version." }),
                "muted": json!({ "const": false, "description": "Whether mute; never in this version." }),
            }),
            &[],
        ),
    );
    define("call", call());
    define("user", user());
    define("init", init());
    define("listener", listener());
    define("step", step());
    define("expectation", expectation());
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
            Takes::Number => whole(&about, 0),
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
            Takes::Length | Takes::Words(_) | Takes::Form(_) => knob.default().into(),
        };
        (knob.name.to_owned(), schema)
    });
    object("Other readings of what the sources leave open.", &Json::Object(knobs.collect()), &[])
}

fn page() -> Json {
    let container = object(
        "A container.",
        &json!({
            "id": text("Its id."),
            "player_class": {
                "description": "Whether it carries the player's class.",
                "type": "boolean",
                "default": true,
            },
        }),
        &["id"],
    );
    object(
        "The page around the players.",
        &json!({
            "device": described("What kind of device it is.", words(DEVICES.iter().map(|(word, _)| *word))),
            "epoch": text("The calendar instant of time 0, like 2026-01-01T00:00:00Z."),
            "containers": list(
                "The ids of the elements that can hold a player.",
                &json!({ "anyOf": [text("An id."), container] }),
            ),
            "fullscreen": json!({ "const": "allowed", "description": "Nothing asks for it in this version." }),
            "gesture_policy": json!({ "const": "free", "description": "Every call may play in this version." }),
            "script_after": json!({ "const": "0s", "description": "The script is there from the start." }),
            "outstream_script_after": json!({ "const": "0s", "description": "As `script_after`." }),
        }),
        &[],
    )
}

fn video() -> Json {
    let chapter = object(
        "A chapter.",
        &json!({ "timestamp": text("When it begins, like \"0:40\"."), "title": text("Its title.") }),
        &["timestamp"],
    );
    let renditions: Map<String, Json> = Rendition::ALL
        .iter()
        .map(|rendition| (rendition.word().to_owned(), text("A media address.")))
        .collect();
    object(
        "A video.",
        &json!({
            "id": text("Its id."),
            "name": text("Its title."),
            "tags": text("Its tags, separated by commas."),
            "monetize": {
                "description": "Whether ads may be shown with it.",
                "enum": [0, 1, false, true],
                "default": 1,
            },
            "chapters": list("Its chapters.", &chapter),
            "renditions": object("Media addresses by rendition.", &Json::Object(renditions), &[]),
            "ads": list("Ad objects at video level.", &use_of("ad")),
            "record_after": within("How long the record's answer takes.", "length"),
        }),
        &["id"],
    )
}

fn medium() -> Json {
    let stall = object(
        "A place where data runs out.",
        &json!({ "at": within("Where.", "length"), "for": within("For how long.", "length") }),
        &["at", "for"],
    );
    let mut medium = object(
        "What a media address plays.",
        &json!({
            "duration": within("Its length.", "length"),
            "metadata_after": within("How long its metadata takes.", "length"),
            "stalls": list("Where data runs out, and for how long.", &stall),
            "fails": object(
                "How it fails.",
                &json!({
                    "at": within("Where; without it, before it can play.", "length"),
                    "how": words(MEDIA_FAULTS.iter().map(|(word, _)| *word)),
                }),
                &["how"],
            ),
        }),
        &[],
    );
    medium["anyOf"] = json!([{ "required": ["duration"] }, { "required": ["fails"] }]);
    medium
}

fn answer() -> Json {
    let mut answer = object(
        "What an address answers.",
        &json!({
            "after": within("How long it takes.", "length"),
            "status": {
                "description": "The HTTP status.",
                "type": "integer",
                "minimum": 100,
                "maximum": 599,
                "default": 200,
            },
            "file": text("A file with the body, in or below the scenario's folder."),
            "text": text("The body itself."),
            "fails": described("Nothing is answered.", words(NETWORK_FAULTS.iter().map(|(word, _)| *word))),
        }),
        &[],
    );
    answer["allOf"] = json!([
        { "not": { "required": ["file", "text"] } },
        { "not": { "required": ["file", "fails"] } },
        { "not": { "required": ["text", "fails"] } },
        { "not": { "required": ["status", "fails"] } },
    ]);
    answer
}

fn call() -> Json {
    let bare = Call::ALL.iter().map(|call| call.name()).chain(PROPERTIES.iter().map(|query| query.name()));
    let mut names: Vec<&str> = bare.collect();
    names.sort_unstable();
    names.dedup();
    let with_arguments = Call::ALL.iter().map(|call| {
        let about = if BINDING.contains(call) {
            "An event or a list of them, and the name of a listener: [adStart, L1]."
        } else {
            "A list of arguments, or the one argument."
        };
        (call.name().to_owned(), described(about, use_of("value")))
    });
    let mut object = object("A call with arguments.", &Json::Object(with_arguments.collect()), &[]);
    object["type"] = "object".into();
    object["minProperties"] = 1.into();
    object["maxProperties"] = 1.into();
    json!({
        "description": "A call: a bare word, or `{ name: arguments }`. A property's bare word reads it.",
        "anyOf": [words(names), object],
    })
}

fn user() -> Json {
    let drag = |about: &str, name: &str, unit: &str| {
        let mut drag = object(about, &json!({ name: within(unit, "value") }), &[name]);
        drag["type"] = "object".into();
        drag
    };
    let seek = drag("A drag on the timeline.", "seek", "Seconds.");
    let volume = drag("A drag on the volume.", "volume", "From 0 to 1.");
    json!({
        "description": "What the person does.",
        "anyOf": [words(Act::PLAIN.iter().map(Act::word)), seek, volume],
    })
}

fn init() -> Json {
    object(
        "Makes a player.",
        &json!({
            "div": within("The container's id.", "value"),
            "config": within("The player's configuration: id, width, height, video.", "value"),
            "element": element::element(),
            "on_ready": text("The listener that is the ready callback."),
        }),
        &[],
    )
}

fn listener() -> Json {
    let mut throw = object("What it throws.", &json!({ "throw": text("The text.") }), &["throw"]);
    throw["type"] = "object".into();
    json!({
        "description": "Calls in order; `throw` at the end; `[]` only records.",
        "type": "array",
        "items": { "anyOf": [use_of("call"), { "const": "throw" }, throw] },
    })
}

fn step() -> Json {
    let mut step = object(
        "One step: a trigger (at or on), one act, and which player.",
        &json!({
            "at": within("When.", "length"),
            "on": within("At which event.", "event"),
            "nth": whole("Only the n-th time the event comes.", 1),
            "after": within("So long after the event.", "length"),
            "init": use_of("init"),
            "do": use_of("call"),
            "user": use_of("user"),
            "read": within_one_or_many("What to read.", "query"),
            "player": {
                "description": "The player's container; null for $player().",
                "type": ["string", "number", "null"],
            },
        }),
        &[],
    );
    step["type"] = "object".into();
    step["dependentRequired"] = json!({ "nth": ["on"], "after": ["on"] });
    step["allOf"] = json!([one_of_fields(&["at", "on"]), one_of_fields(&["init", "do", "user", "read"])]);
    step
}

fn expectation() -> Json {
    let times = whole("How often; without it, at least once.", 0);
    let kind = |about: &str, properties: Json, required: &[&str]| {
        let mut kind = object(about, &properties, required);
        kind["type"] = "object".into();
        kind
    };
    json!({
        "description": "Something that must be so in the finished trace.",
        "anyOf": [
            kind("An event comes.", json!({
                "event": use_of("event"),
                "times": times,
                "data": described("Fields that its data must have.", json!({ "type": "object" })),
            }), &["event"]),
            kind("Events come in this order; others may stand between.", json!({
                "order": { "type": "array", "minItems": 1, "items": use_of("event") },
            }), &["order"]),
            kind("An event never comes.", json!({ "never": use_of("event") }), &["never"]),
            kind("A diagnostic is noted.", json!({ "diag": text("Its code."), "times": times }), &["diag"]),
            kind("What was read is this.", json!({
                "read": use_of("query"),
                "at": within("The reading of this time; without it, the last.", "length"),
                "is": use_of("value"),
            }), &["read", "is"]),
            kind("A call is made.", json!({
                "call": use_of("call_name"),
                "times": times,
                "error": text("The error that it ends with."),
            }), &["call"]),
        ],
    })
}
