//! The schema of what happens and what is expected.

use serde_json::{Value as Json, json};

use super::form::{
    described, names, object, one_of_fields, text, use_of, whole, within, within_one_or_many, words,
};
use crate::api::{Act, Call, Interaction, UnitKind};
use crate::scenario::read::{ACTS, BINDING, PROPERTIES, ROUTES, SCRIPTS};

pub(super) fn call() -> Json {
    let bare = Call::ALL.iter().map(|call| call.name()).chain(PROPERTIES.iter().map(|query| query.name()));
    let mut bare: Vec<&str> = bare.collect();
    bare.sort_unstable();
    bare.dedup();
    let with_arguments = Call::ALL.iter().map(|call| {
        let about = if BINDING.contains(call) {
            "An event or a list of them, and the name of a listener: [adStart, L1]."
        } else {
            "A list of arguments, or the one argument."
        };
        (call.name().to_owned(), described(about, use_of("value")))
    });
    let call = exactly_one(object("A call with arguments.", &Json::Object(with_arguments.collect()), &[]));
    json!({
        "description": "A call: a bare word, or `{ name: arguments }`. A property's bare word reads it.",
        "anyOf": [words(bare), call],
    })
}

pub(super) fn user() -> Json {
    let drag = |about: &str, name: &str, unit: &str| {
        let mut drag = object(about, &json!({ name: within(unit, "value") }), &[name]);
        drag["type"] = "object".into();
        drag
    };
    let seek = drag("A drag on the timeline.", "seek", "Seconds.");
    let volume = drag("A drag on the volume.", "volume", "From 0 to 1.");
    let mut click = object(
        "A click at a place.",
        &json!({ "click": json!({
        "description": "Pixels from the left and from the top.",
        "type": "array",
        "minItems": 2,
        "maxItems": 2,
        "items": { "type": "integer", "minimum": 0, "maximum": u32::MAX },
    }) }),
        &["click"],
    );
    click["type"] = "object".into();
    let on = |about: &str, name: &str, form: Json| {
        let mut act = object(about, &json!({ name: form }), &[name]);
        act["type"] = "object".into();
        act
    };
    let icon = on("A click on an icon.", "icon", text("Its programme."));
    let companion = on("A click on a companion.", "companion", text("The place that it stands in."));
    let what = words(Interaction::ALL.iter().map(|what| what.name()));
    let interact = on("Something with the ad that is on.", "interact", what);
    json!({
        "description": "What the person does.",
        "anyOf": [words(Act::PLAIN.iter().map(Act::word)), seek, volume, click, icon, companion, interact],
    })
}

pub(super) fn init() -> Json {
    object(
        "Makes a player, an outstream unit, or a bare media element.",
        &json!({
            "outstream": {
                "description": "Whether it is an outstream unit, which shows ads only.",
                "type": "boolean",
                "default": false,
            },
            "div": within("The container's id.", "value"),
            "config": within("The player's configuration: id, width, height, video.", "value"),
            "element": super::element::element(),
            "on_ready": text("The listener that is the ready callback."),
        }),
        &[],
    )
}

pub(super) fn queue() -> Json {
    let entry = described(
        "An entry: div, obj (the configuration) and onReady, the name of a listener.",
        use_of("value"),
    );
    let arrays = UnitKind::ALL.iter().map(|unit| (unit.queue().to_owned(), entry.clone()));
    let queue = object("A push on a queue array of the page.", &Json::Object(arrays.collect()), &[]);
    exactly_one(queue)
}

pub(super) fn page_change() -> Json {
    let truth = |about: &str| json!({ "description": about, "type": "boolean" });
    let changes = json!({
        "in_view": {
            "description": "So much of the player is in view, in percent.",
            "anyOf": [
                { "type": "number", "minimum": 0, "maximum": 100 },
                { "type": "string", "pattern": "^[0-9.]+%$" },
            ],
        },
        "window": within("The window has this size.", "size"),
        "sticky": truth("Scrolling made the player sticky, or not any more."),
        "fullscreen": truth("The browser enters fullscreen, or leaves it as with the escape key."),
        "hidden": truth("The page is hidden, or shown again."),
        "rate": { "description": "The media element's rate.", "type": "number", "minimum": 0.0625, "maximum": 16 },
        "script": described("A script arrives, again too.", words(names(SCRIPTS))),
    });
    exactly_one(object("A change of the page.", &changes, &[]))
}

pub(super) fn edit() -> Json {
    let scalar = json!({ "type": ["string", "number", "boolean", "null"] });
    let fault = object(
        "What goes wrong with the call.",
        &json!({
            "after": within("So long the answer takes.", "length"),
            "status": {
                "description": "The status that is answered in place of the edit.",
                "type": "integer",
                "minimum": 200,
                "maximum": 599,
            },
            "cut": { "description": "The connection is cut before the answer.", "type": "boolean", "default": false },
            "empty": { "description": "The answer has no body.", "type": "boolean", "default": false },
        }),
        &[],
    );
    let mut edit = object(
        "Edits a video's record.",
        &json!({
            "id": text("The id of the video."),
            "fields": {
                "description": "Fields of the form, by name; a list repeats the field.",
                "type": ["object", "null"],
                "additionalProperties": { "anyOf": [scalar, { "type": "array", "items": scalar }] },
            },
            "route": described("The route that it takes. Default: v3.", words(names(ROUTES))),
            "headers": {
                "description": "Header fields; null leaves one out that is usual.",
                "type": ["object", "null"],
                "additionalProperties": { "type": ["string", "number", "null"] },
            },
            "fault": fault,
        }),
        &[],
    );
    edit["type"] = "object".into();
    edit
}

/// An object of exactly one of its fields.
fn exactly_one(mut object: Json) -> Json {
    object["type"] = "object".into();
    object["minProperties"] = 1.into();
    object["maxProperties"] = 1.into();
    object
}

pub(super) fn listener() -> Json {
    let made = |act: &str| {
        let mut made = object("As a step does.", &json!({ act: use_of(act) }), &[act]);
        made["type"] = "object".into();
        made
    };
    let mut throw = object("What it throws.", &json!({ "throw": text("The text.") }), &["throw"]);
    throw["type"] = "object".into();
    json!({
        "description": "Calls in order; `throw` at the end; `[]` only records.",
        "type": "array",
        "items": { "anyOf": [use_of("call"), made("init"), made("queue"), { "const": "throw" }, throw] },
    })
}

pub(super) fn step() -> Json {
    let mut step = object(
        "One step: a trigger (at or on), one act, and which player.",
        &json!({
            "at": within("When.", "length"),
            "on": within("At which event.", "event"),
            "nth": whole("Only the n-th time the event comes.", 1),
            "after": within("So long after the event.", "length"),
            "init": use_of("init"),
            "queue": use_of("queue"),
            "do": use_of("call"),
            "user": use_of("user"),
            "page": use_of("page_change"),
            "edit": use_of("edit"),
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
    step["allOf"] = json!([one_of_fields(&["at", "on"]), one_of_fields(ACTS)]);
    step
}

pub(super) fn expectation() -> Json {
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
