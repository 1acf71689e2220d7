//! The schema of what is there: page, videos, media, answers, settings of players.

use serde_json::{Map, Value as Json, json};

use super::form::{described, list, names, object, text, use_of, whole, within, words};
use super::terms;
use crate::ads::given_by_pages;
use crate::page::VendorFate;
use crate::scenario::read::{
    BREAKS, CLICKTHROUGH, DEVICES, FULLSCREEN, GESTURE_POLICIES, MEDIA_FAULTS, NAVIGATION, NETWORK_FAULTS,
    VIEWABILITY,
};
use crate::video::{COMSCORE, PIXELS, Rendition};

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
            "device": described("What kind of device it is.", words(names(DEVICES))),
            "epoch": text("The calendar instant of time 0, like 2026-01-01T00:00:00Z."),
            "containers": list(
                "The ids of the elements that can hold a player.",
                &json!({ "anyOf": [text("An id."), container] }),
            ),
            "country": described("The viewer's country.", use_of("country")),
            "window": within("Width and height of the window, for sizes in percent.", "size"),
            "fullscreen": described("Whether the page may fill the screen.", words(names(FULLSCREEN))),
            "gesture_policy": described(
                "Whether script may start playback only after a gesture. Default: required on mobile.",
                words(names(GESTURE_POLICIES)),
            ),
            "script_after": within("When the player's script is there, or never.", "length_or_never"),
            "macros": macros(),
            "companions": companions(),
            "verification": verification(),
            "unreachable": list(
                "Addresses that images and pages of ads cannot be had from.",
                &text("An address."),
            ),
            "viewability": described(
                "Whether the player can measure how much of it is in view.",
                words(names(VIEWABILITY)),
            ),
            "navigation": described("Whether a click can open a page.", words(names(NAVIGATION))),
            "language": {
                "description": "The language of the page, for captions of ads, like en or pt-BR.",
                "type": "string",
                "pattern": "^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*$",
            },
            "outstream_script_after": within("When the outstream script is there, or never.", "length_or_never"),
            "plays": terms::plays(),
            "bitrate": {
                "description": "The best bitrate that is wanted of ad media, in kbit/s.",
                "type": "integer",
                "minimum": 0,
                "default": 2500,
            },
            "ads": terms::ads(),
        }),
        &[],
    )
}

fn companions() -> Json {
    let slot = json!({
        "id": text("Its id, which a companion may ask for."),
        "width": whole("Width in pixels.", 1),
        "height": whole("Height in pixels.", 1),
    });
    let slot = object("A place.", &slot, &["id", "width", "height"]);
    list("Where companions of ads can be shown, in the order in which they are filled.", &slot)
}

fn verification() -> Json {
    let fate = words(VendorFate::ALL.iter().map(|fate| fate.name()));
    let vendors = json!({
        "description": "What becomes of the verifications of these vendors.",
        "type": ["object", "null"],
        "additionalProperties": fate,
    });
    let omid = json!({
        "description": "Whether Open Measurement scripts can run.",
        "type": "boolean",
        "default": true,
    });
    object("Who may verify ads.", &json!({ "omid": omid, "vendors": vendors }), &[])
}

fn macros() -> Json {
    let item = json!({ "type": ["string", "number"] });
    let value = json!({
        "description": "A value, several as a list, or `withheld`: known and not told.",
        "anyOf": [item, { "type": "array", "minItems": 1, "items": item }],
    });
    let values: Map<String, Json> = given_by_pages().map(|name| (name.to_owned(), value.clone())).collect();
    object("What addresses of ads learn of the page, by the macro that asks.", &Json::Object(values), &[])
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
    let pixels: Map<String, Json> =
        PIXELS.iter().map(|key| ((*key).to_owned(), text("An address."))).collect();
    let flag = |about: &str, default: u8| json!({ "description": about, "enum": [0, 1, false, true], "default": default });
    let mut properties = json!({
        "id": text("Its id."),
        "name": text("Its title."),
        "tags": text("Its tags, separated by commas."),
        "image": text("The address of its picture."),
        "monetize": flag("Whether ads may be shown with it.", 1),
        "rejected": flag("Whether it is left out of playlists.", 0),
        "partner_id": text("The account that owns it."),
        "channel_id": whole("The channel that it belongs to.", 1),
        "age_gate_id": {
            "description": "For whom it is meant: 1 everyone, 2 from 17, 3 from 18.",
            "enum": [1, 2, 3, "1", "2", "3"],
        },
        "pixels": {
            "description": "Tracking pixels by their keys; they have no effect.",
            "type": ["object", "null"],
            "properties": Json::Object(pixels),
            "additionalProperties": text("A pixel of another key."),
        },
        "publish": day("The first day it is published."),
        "kill_date": day("The first day it is not published any more; all zeros: it stays."),
        "geo_on": flag("Whether it is only for the countries of `geo`.", 0),
        "geo": {
            "description": "Countries as two letters: a list, or text with commas.",
            "anyOf": [{ "type": ["string", "null"] }, list("Countries.", &use_of("country"))],
        },
        "chapters": list("Its chapters.", &chapter),
        "renditions": object("Media addresses by rendition.", &Json::Object(renditions), &[]),
        "ads": list("Ad objects at video level.", &use_of("ad")),
        "custom_params": {
            "description": "Custom targeting parameters, by key; as a list of pairs a key may stand twice.",
            "anyOf": [
                { "type": ["object", "null"], "additionalProperties": text("A value.") },
                list("Keys and values.", &json!({
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 2,
                    "items": text("The key, then the value."),
                })),
            ],
        },
        "record_after": within("How long the record's answer takes.", "length"),
    });
    for name in CLICKTHROUGH {
        properties[*name] = text("Where a click on it leads.");
    }
    for (name, about) in COMSCORE {
        properties[*name] = text(&format!("Audience measurement. {about}"));
    }
    object("A video.", &properties, &["id"])
}

fn day(about: &str) -> Json {
    json!({ "description": about, "type": "string", "pattern": "^([0-9]{2}-[0-9]{2}-[0-9]{4})?$" })
}

pub(super) fn medium() -> Json {
    let stall = object(
        "A place where data runs out.",
        &json!({ "at": within("Where.", "length"), "for": within("For how long.", "length") }),
        &["at", "for"],
    );
    let bandwidth = object(
        "A bandwidth.",
        &json!({ "at": within("From when on.", "length"), "bps": whole("Bits a second.", 0) }),
        &["at", "bps"],
    );
    let mut medium = object(
        "What a media address plays.",
        &json!({
            "duration": within("Its length.", "length"),
            "metadata_after": within("How long its metadata takes.", "length"),
            "live": { "description": "Whether it is a live stream.", "type": "boolean", "default": false },
            "window": within("Of a live stream: how far back one can seek.", "length"),
            "stops_at": within("Of a live stream: when it stops running.", "length"),
            "back_at": within("Of a live stream: when it runs again.", "length"),
            "bitrate": whole("Bits that a second of it takes; goes with `bandwidth`.", 1),
            "bandwidth": list("How fast its data arrive; goes with `bitrate`.", &bandwidth),
            "switch_after": within("How long it takes to show it in place of another rendition.", "length"),
            "vpaid": super::units::vpaid(),
            "simid": super::units::simid(),
            "stalls": list("Where data runs out, and for how long.", &stall),
            "fails": object(
                "How it fails.",
                &json!({
                    "at": within("Where; without it, before it can play.", "length"),
                    "how": words(names(MEDIA_FAULTS)),
                }),
                &["how"],
            ),
        }),
        &[],
    );
    medium["anyOf"] = json!([
        { "required": ["duration"] },
        { "required": ["fails"] },
        { "required": ["simid"] },
        { "required": ["live"], "properties": { "live": { "const": true } } },
    ]);
    medium["dependentRequired"] =
        json!({ "bitrate": ["bandwidth"], "bandwidth": ["bitrate"], "back_at": ["stops_at"] });
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
            "redirect": text("The address that answers in its place; the status is 302 if none is said."),
            "fails": described("Nothing is answered.", words(names(NETWORK_FAULTS))),
        }),
        &[],
    );
    answer["allOf"] = json!([
        { "not": { "required": ["file", "text"] } },
        { "not": { "required": ["file", "fails"] } },
        { "not": { "required": ["text", "fails"] } },
        { "not": { "required": ["status", "fails"] } },
        { "not": { "required": ["redirect", "file"] } },
        { "not": { "required": ["redirect", "text"] } },
        { "not": { "required": ["redirect", "fails"] } },
    ]);
    answer
}

/// Settings of players.
pub(super) fn player() -> Json {
    let bid = object(
        "A header bid that wins: its address becomes an ad tag.",
        &json!({
            "break": described("For which kind of break.", words(names(BREAKS))),
            "nth": { "description": "For which of them.", "type": "integer", "minimum": 1, "default": 1 },
            "url": text("The address."),
        }),
        &["break", "url"],
    );
    let ad_loop = object(
        "The first pre-roll slot is asked again within the content; other pre-roll slots are not.",
        &json!({
            "times": whole("How many loops an item has, the pre-roll included.", 1),
            "every": within("From one loop to the next, in content; above zero.", "length"),
            "impressions": whole("So many ads that have started end the loop. Default: any number.", 1),
        }),
        &["times", "every"],
    );
    let counted = |about: &str, least: u32| {
        let mut counted = whole(about, least);
        counted["default"] = least.into();
        counted
    };
    object(
        "Settings of players.",
        &json!({
            "ready_after": within("How long a player takes to get ready.", "length"),
            "ads": list("Ad objects at player level.", &use_of("ad")),
            "plan": {
                "description": "The renditions that the account's plan allows. Default: all.",
                "type": "array",
                "minItems": 1,
                "items": words(Rendition::ALL.iter().map(|rendition| rendition.word())),
            },
            "volume": {
                "description": "The volume at the start.",
                "type": "number",
                "minimum": 0,
                "maximum": 1,
                "default": 1,
            },
            "muted": { "description": "Whether it starts mute.", "type": "boolean", "default": false },
            "bids": list("Header bids that win.", &bid),
            "ad_loop": ad_loop,
            "ad_frequency": counted("Ads come on every so manieth video only.", 1),
            "ad_offset": counted("So many videos come before the first one with ads.", 0),
            "videos_seen": counted("So many videos were seen before this page was loaded.", 0),
        }),
        &[],
    )
}
