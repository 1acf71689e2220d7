//! The schema of what a page plays and which ads it asks for.

use serde_json::{Value as Json, json};

use super::form::{described, list, names, object, text, whole, within, words};
use crate::page::AdMedium;
use crate::scenario::read::{CATEGORIES, CONDITIONAL, SKIPPABLE, VPAID};

/// The types of media that a page plays.
pub(super) fn plays() -> Json {
    list(
        "The media that can be played, as MIME types. Default: what browsers usually play.",
        &json!({
            "description": "A MIME type, like video/mp4 or \"video/mp4; codecs=avc1\".",
            "type": "string",
            "pattern": "^[^/;\\s]+/[^/;\\s]+",
        }),
    )
}

/// The ads that a page asks for.
pub(super) fn ads() -> Json {
    let blocked = object(
        "A category of one authority.",
        &json!({ "authority": text("Whose list it is from."), "category": text("The category.") }),
        &["category"],
    );
    let stitching = object(
        "Ads are stitched into the content: what that asks of their mezzanine files.",
        &json!({
            "transcoded": list("The addresses of those that are transcoded already.", &text("An address.")),
            "bitrate": whole("The least bitrate, in kbit/s.", 0),
            "size": within("The least width and height.", "size"),
        }),
        &[],
    );
    object(
        "Which ads the page asks for.",
        &json!({
            "types": list("Their types. Default: video and hybrid.", &words(names(AdMedium::WORDS))),
            "skippable": described("Whether ads that can be skipped are asked for.", words(names(SKIPPABLE))),
            "shortest": within("The shortest linear ad.", "length"),
            "longest": within("The longest linear ad.", "length"),
            "smallest": within("The least width and height of media.", "size"),
            "largest": within("The greatest width and height of media.", "size"),
            "categories": described("Whether an ad must say its category.", words(names(CATEGORIES))),
            "blocked": list(
                "Categories whose ads are not wanted.",
                &json!({ "anyOf": [text("A category of any authority."), blocked] }),
            ),
            "conditional": described("What is done with conditional ads.", words(names(CONDITIONAL))),
            "vpaid": described("Whether VPAID units may run.", words(names(VPAID))),
            "stitching": stitching,
        }),
        &[],
    )
}
