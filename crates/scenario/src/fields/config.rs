//! The configuration that `init` and the queues give a player, for the schema.
//!
//! Page code may pass anything, so nothing is rejected here. The schema shows editors which fields
//! have an effect.
//!
//! Rule INIT-10.

use serde_json::{Map, Value as Json, json};

use super::Definitions;
use playsim_api::video::{self, Rendition};

/// The fields of a configuration.
const FIELDS: &[(&str, &str)] = &[
    ("id", "The player's id."),
    (
        "width",
        "Its width: 640, \"640\", \"50%\", or a share of the height like \"16x9\".",
    ),
    ("height", "Its height, written as the width is."),
    ("autoplay", "Whether it plays as soon as it is ready."),
    ("muted", "Whether it starts muted."),
    (
        "title",
        "A title to use instead of the name of the single video.",
    ),
    (
        "poster",
        "The URL of a picture to use instead of the videos' own.",
    ),
    ("ads", "Ad objects, added at player level."),
];

/// Fields of a video that is written out instead of being named by its id, in addition to those of
/// its record.
const ITEM: &[(&str, &str)] = &[
    ("title", "Its title."),
    ("description", "Its description. It has no effect."),
    ("ads", "Ad objects at video level."),
];

/// The schema of a configuration.
pub(super) fn schema(definitions: &mut Definitions) -> Json {
    definitions.define("config", |definitions| {
        let item = item(definitions);
        let mut fields = described_all(FIELDS.iter().copied());
        fields.insert("video".to_owned(), item.clone());
        let playlist = "Several videos: a list of ids and videos, or the URL of a playlist file.";
        fields.insert("playlist".to_owned(), json!({ "description": playlist, "items": item }));
        json!({
            "description": "The configuration of a player: id, width, height, and video or playlist.",
            "properties": fields,
        })
    })
}

/// A video, by its id or written out.
fn item(definitions: &mut Definitions) -> Json {
    definitions.define("item", |_| {
        let mut fields = described_all(video::fields().map(|field| (field.name, field.about)));
        fields.extend(described_all(ITEM.iter().copied()));
        let renditions =
            described_all(Rendition::ALL.iter().map(|rendition| (rendition.name(), "A media URL.")));
        for name in ["src", "source"] {
            let about = "What it plays: a media URL, or media URLs by rendition.";
            fields.insert(name.to_owned(), json!({ "description": about, "properties": renditions }));
        }
        json!({
            "description": "The id of a video, or a video that is written out with the fields of its record.",
            "properties": fields,
        })
    })
}

fn described_all<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> Map<String, Json> {
    fields
        .map(|(name, about)| (name.to_owned(), json!({ "description": about })))
        .collect()
}
