//! The schema of what is there: page, videos, media, answers, settings of players.

use serde_json::{Map, Value as Json, json};

use super::form::{described, list, object, text, use_of, within, words};
use crate::scenario::read::{DEVICES, MEDIA_FAULTS, NETWORK_FAULTS};
use crate::video::Rendition;

pub(super) fn page() -> Json {
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

pub(super) fn video() -> Json {
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

pub(super) fn medium() -> Json {
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

pub(super) fn answer() -> Json {
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

/// Settings of players.
pub(super) fn player() -> Json {
    object(
        "Settings of players.",
        &json!({
            "ready_after": within("How long a player takes to get ready.", "length"),
            "ads": list("Ad objects at player level.", &use_of("ad")),
            "volume": json!({ "const": 1, "description": "The volume; always 1 in this version." }),
            "muted": json!({ "const": false, "description": "Whether mute; never in this version." }),
        }),
        &[],
    )
}
