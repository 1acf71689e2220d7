//! Reads playlist files, JSON, into videos.
//!
//! A file is an array of items, or an object that has them under `playlist` or `Video`; a single
//! object there is a list of one. An item without media is left out with a diagnostic.
//!
//! Rules: LPL-2, LPL-5, LPL-7.

use serde_json::Value as Json;

use crate::api::video_object::{self, Inline, Note};
use playsim_api::video::Video;
use playsim_api::{Code, Decimal, Fields, Text, Value};
use playsim_rules as rules;

/// The longest file that is read.
const MAX_BYTES: usize = 4 << 20;
/// The largest number of items in a file.
const MAX_ITEMS: usize = 10_000;

/// Why a file gives no playlist. Rule LPL-5.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum FileFault {
    /// It is too large.
    #[error("the file has {0} bytes, more than the limit of {MAX_BYTES}")]
    TooLong(usize),
    /// It is not JSON; the message says where and why.
    #[error("the file is not valid JSON: {0}")]
    NoJson(String),
    /// It is JSON, but not a playlist.
    #[error(
        "the file is {0}; it must be an array of items, or an object with \"playlist\" or \"Video\""
    )]
    OtherForm(&'static str),
    /// It has too many items.
    #[error("the file has {0} items, more than the limit of {MAX_ITEMS}")]
    TooMany(usize),
    /// None of its items has media.
    #[error("the file has no item that can be played")]
    NoItem,
}

/// Reads a playlist file.
pub(super) fn read(text: &str, note: &mut Note<'_>) -> Result<Vec<Video>, FileFault> {
    if text.len() > MAX_BYTES {
        return Err(FileFault::TooLong(text.len()));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file: Json =
        serde_json::from_str(text).map_err(|error| FileFault::NoJson(error.to_string()))?;
    let items = items(file)?;
    if items.len() > MAX_ITEMS {
        return Err(FileFault::TooMany(items.len()));
    }
    let mut videos = Vec::with_capacity(items.len());
    for (number, item) in (1..).zip(items) {
        let video = value(item)
            .as_map()
            .ok_or("is not an object")
            .and_then(|fields| {
                video_object::read(fields, Inline::File, note).ok_or("has no source")
            });
        match video {
            Ok(video) => videos.push(video),
            Err(why) => {
                let text = format!("item {number} of the playlist file {why}; it is left out");
                note(rules::LPL_7, Code::BadItem, text);
            }
        }
    }
    if videos.is_empty() {
        Err(FileFault::NoItem)
    } else {
        Ok(videos)
    }
}

fn items(file: Json) -> Result<Vec<Json>, FileFault> {
    let mut object = match file {
        Json::Array(items) => return Ok(items),
        Json::Object(object) => object,
        Json::Null => return Err(FileFault::OtherForm("null")),
        Json::Bool(_) => return Err(FileFault::OtherForm("a boolean")),
        Json::Number(_) => return Err(FileFault::OtherForm("a number")),
        Json::String(_) => return Err(FileFault::OtherForm("a string")),
    };
    match ["playlist", "Video"]
        .into_iter()
        .find_map(|key| object.remove(key))
    {
        Some(Json::Array(items)) => Ok(items),
        Some(item @ Json::Object(_)) => Ok(vec![item]),
        Some(Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_)) => {
            Err(FileFault::NoItem)
        }
        None => Err(FileFault::OtherForm("an object without them")),
    }
}

/// A value of a file as page code would hold it. The JSON parser has limited its depth.
fn value(json: Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(truth),
        Json::Number(number) => number
            .to_string()
            .parse::<Decimal>()
            .ok()
            .map_or(Value::NaN, Value::Number),
        Json::String(text) => Value::from(text),
        Json::Array(items) => Value::List(items.into_iter().map(value).collect()),
        Json::Object(fields) => {
            let fields: Fields = fields
                .into_iter()
                .map(|(name, json)| (Text::from(name), value(json)))
                .collect();
            Value::Map(fields)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn outcome(text: &str) -> (Result<Vec<String>, String>, usize) {
        let mut bad = 0;
        let videos = read(text, &mut |_, _, _| bad += 1);
        let name = |video: &Video| format!("{}={}", video.name, video.renditions[0].1);
        (
            videos
                .map(|videos| videos.iter().map(name).collect())
                .map_err(|fault| fault.to_string()),
            bad,
        )
    }

    #[test]
    fn items_are_read_from_all_three_forms() {
        let items =
            r#"[{ "title": "A", "file": "a.mp4" }, { "name": "B", "source": { "hd": "b.mp4" } }]"#;
        let due = (Ok(vec!["A=a.mp4".to_owned(), "B=b.mp4".to_owned()]), 0);
        assert_eq!(outcome(items), due);
        assert_eq!(
            outcome(&format!("\u{feff} {{ \"playlist\": {items} }}")),
            due
        );
        assert_eq!(
            outcome(&format!("{{ \"Player\": {{}}, \"Video\": {items} }}")),
            due
        );
        let one = (Ok(vec!["=c.mp4".to_owned()]), 0);
        assert_eq!(outcome(r#"{ "Video": { "src": "c.mp4" } }"#), one);
    }

    #[test]
    fn items_without_media_are_left_out() {
        let (videos, bad) =
            outcome(r#"[{ "title": "A" }, "b.mp4", null, { "src": "d.mp4" }, { "src": 1e3 }]"#);
        assert_eq!((videos, bad), (Ok(vec!["=d.mp4".to_owned()]), 4));
    }

    #[test]
    fn a_file_that_is_not_a_playlist_is_rejected_with_the_reason() {
        for (text, due) in [
            (
                "",
                "the file is not valid JSON: EOF while parsing a value at line 1 column 0",
            ),
            ("[]", "the file has no item that can be played"),
            (
                "{ \"Video\": [] }",
                "the file has no item that can be played",
            ),
            (
                "{ \"playlist\": 4 }",
                "the file has no item that can be played",
            ),
            ("[4]", "the file has no item that can be played"),
        ] {
            assert_eq!(outcome(text).0, Err(due.to_owned()), "{text}");
        }
        for (text, kind) in [
            ("4", "a number"),
            ("null", "null"),
            ("{}", "an object without them"),
        ] {
            assert!(
                outcome(text)
                    .0
                    .is_err_and(|outcome| outcome.starts_with(&format!("the file is {kind};"))),
                "{text}"
            );
        }
        assert!(outcome(&"[".repeat(100_000)).0.is_err());
        assert!(
            outcome(&format!("[{}4]", "4,".repeat(MAX_ITEMS)))
                .0
                .is_err()
        );
        assert!(outcome(&" ".repeat(MAX_BYTES + 1)).0.is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

        #[test]
        fn no_input_panics(text in r#"([\[\]{}:, 0-9e\-."]|"src"|"source"|"sd"|"Video"|"tags"|null|true|\PC){0,40}"#) {
            let _ = outcome(&text);
        }
    }
}
