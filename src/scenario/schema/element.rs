//! The schema of a bare media element.

use serde_json::{Value as Json, json};

use super::form::{described, object, text, words};
use crate::scenario::read::PRELOADS;

/// Its content attributes.
pub(super) fn element() -> Json {
    let truth = |about: &str| json!({ "description": about, "type": "boolean", "default": false });
    let mut preload = described(
        "How much is loaded before it is to be played.",
        words(PRELOADS.iter().map(|(word, _)| *word)),
    );
    preload["default"] = "metadata".into();
    object(
        "Makes a bare media element in place of a player, with these attributes.",
        &json!({
            "src": text("The address that it plays."),
            "preload": preload,
            "autoplay": truth("Whether it starts by itself."),
            "loop": truth("Whether it starts over at the end."),
            "muted": truth("Whether it starts mute."),
        }),
        &[],
    )
}
