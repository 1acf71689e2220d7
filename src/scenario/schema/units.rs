//! The schema of units: what their scripts say.

use serde_json::{Map, Value as Json, json};

use super::form::{described, list, names, object, text, within, words};
use crate::media::{SimidMessage, VpaidCall, VpaidEvent};
use crate::scenario::read::{SIMID_MAX_TIMES, SIMID_REPLIES};

fn truth(about: &str, default: bool) -> Json {
    json!({ "description": about, "type": "boolean", "default": default })
}

/// Fields of one object.
fn fields(properties: Json) -> Map<String, Json> {
    match properties {
        Json::Object(fields) => fields,
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Array(_) => Map::new(),
    }
}

/// What a VPAID unit does, and what it says.
pub(super) fn vpaid() -> Json {
    let messages = || words(VpaidEvent::ALL.iter().map(|event| event.name()));
    object(
        "For a VPAID unit: what it does by itself, and its script.",
        &json!({
            "own_sound": truth("It plays sound until the player's mute reaches it.", false),
            "reports_click": truth("It tells the player of clicks.", false),
            "version": text("What it answers to the handshake. Default: 2.0."),
            "handshake_after": within("How long it takes to answer the handshake, or never.", "length_or_never"),
            "loaded_after": within("How long after initAd comes AdLoaded, or never.", "length_or_never"),
            "starts_after": within("How long after startAd comes AdStarted, or never.", "length_or_never"),
            "stop_after": within("How long it takes to leave with AdStopped, or never.", "length_or_never"),
            "answers_after": within("How long it takes to answer other calls.", "length"),
            "linear": truth("Whether it stands in place of the content.", true),
            "skippable": truth("Whether it lets itself be skipped at first.", false),
            "silent": list("What it would say by itself and does not.", &messages()),
            "script": list("What it says besides.", &vpaid_step(messages())),
        }),
        &[],
    )
}

fn vpaid_step(messages: Json) -> Json {
    let mut properties = fields(json!({
        "at": within("When it has played so long, counted from AdStarted.", "length"),
        "on": described(
            "When the player calls this.",
            words(VpaidCall::ALL.iter().map(|call| call.name())),
        ),
        "after": within("How long after the call.", "length"),
        "event": described("The message.", messages),
        "url": text("Of AdClickThru: where it leads. Default: where the VAST document says."),
        "player_handles": truth("Of AdClickThru: whether the player is to open the address.", true),
        "for": within("Of AdPaused: how long it stands before it goes on by itself.", "length"),
        "duration": within("Of AdDurationChange: its length.", "length"),
        "remaining": within("Of AdRemainingTimeChange: what is left of its length.", "length"),
        "text": text("Of AdError and AdLog: its words."),
        "id": text("Of AdClickThru and AdInteraction: what it is about."),
    }));
    properties.insert(
        "volume".to_owned(),
        json!({ "description": "Of AdVolumeChange.", "type": "number", "minimum": 0, "maximum": 1 }),
    );
    for (name, about) in [
        ("skippable", "Of AdSkippableStateChange: whether it lets itself be skipped."),
        ("linear", "Of AdLinearChange: whether it stands in place of the content."),
        ("expanded", "Of AdExpandedChange: whether it is large."),
    ] {
        properties.insert(name.to_owned(), json!({ "description": about, "type": "boolean" }));
    }
    let mut step = object("A message.", &Json::Object(properties), &["event"]);
    step["oneOf"] = json!([
        { "required": ["at"], "not": { "required": ["after"] } },
        { "required": ["on"] },
    ]);
    step
}

/// What a SIMID unit asks and answers.
pub(super) fn simid() -> Json {
    let code =
        |about: &str| json!({ "description": about, "type": "integer", "minimum": 1100, "maximum": 1111 });
    let reply = |about: &str| {
        let reject =
            object("It refuses, with an error code.", &json!({ "reject": code("The code.") }), &["reject"]);
        json!({ "description": about, "anyOf": [words(names(SIMID_REPLIES)), reject] })
    };
    let step = object(
        "A message.",
        &json!({
            "at": within("When the ad has played so long.", "length"),
            "message": described("Which.", words(SimidMessage::ALL.iter().map(|message| message.name()))),
            "times": {
                "description": "How often it comes, at one instant.",
                "type": "integer",
                "minimum": 1,
                "maximum": SIMID_MAX_TIMES,
            },
            "url": text("Of clickThru and requestNavigation: where it leads."),
            "player_handles": truth("Of clickThru: whether the player is to open the address.", true),
            "by": within("Of requestChangeAdDuration: how much more time.", "length"),
            "for": within(
                "Of requestPause and expandNonlinear: for how long, before the unit takes it back.",
                "length",
            ),
            "urls": list("Of reportTracking: the addresses.", &text("An address.")),
            "code": code("Of fatalError: its code."),
            "text": text("Of fatalError: its words."),
        }),
        &["at", "message"],
    );
    object(
        "For the page of a SIMID unit: its script.",
        &json!({
            "version": text("The version that it speaks. Default: 1.2."),
            "session_after": within("How long it takes to ask for a session, or never.", "length_or_never"),
            "init": reply("What it answers to init. Default: resolve."),
            "init_after": within("How long that takes.", "length"),
            "start": reply("What it answers to startCreative. Default: resolve."),
            "start_after": within("How long that takes.", "length"),
            "script": list("What it says besides.", &step),
        }),
        &[],
    )
}
