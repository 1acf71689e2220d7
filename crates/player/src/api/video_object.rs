//! Video objects: items that page code or a playlist file writes out, instead of naming a record.
//!
//! Unusable parts are left out and reported; only an object without media is not a video. A
//! description is accepted without effect: no call returns it.
//!
//! Rules: INIT-10, SRC-1, SRC-6 to SRC-8, LPL-2, LPL-7, QUAL-15, CON-3, CON-19.

use std::sync::Arc;

pub(crate) use playsim_api::video::Inline;
use playsim_api::video::{Rendition, ValueSource, Video, VideoRecord, fields, proposing};
use playsim_api::{Code, Fields, Value};
use playsim_base::words;
use playsim_rules::{self as rules, RuleId};

/// Takes a diagnostic: its rule, its code and its message.
pub(crate) type Note<'a> = dyn FnMut(RuleId, Code, String) + 'a;

/// Reads a video object; `None` if it has no media.
pub(crate) fn read(object: &Fields, inline: Inline, note: &mut Note<'_>) -> Option<Video> {
    let sources: &[&str] = match inline {
        Inline::Config | Inline::Source => &["src", "source"],
        Inline::File => &["src", "source", "file"],
    };
    let renditions = sources
        .iter()
        .find_map(|key| renditions(object.get(key)?, note))?;
    let mut record = VideoRecord::default();
    for field in fields().filter(|field| field.inline <= inline) {
        // The documented name of a title is preferred to that of the record.
        let title = (field.name == "name").then_some("title");
        let value = title.into_iter().chain(field.spellings()).find_map(|name| {
            let written = object
                .get(name)
                .filter(|value| **value != Value::Undefined)?;
            field.read(written, name, ValueSource::Page, &mut |wrong| {
                if let Some((rule, code)) = field.kind.note {
                    note(rule, code, proposing(wrong.message, wrong.meant.as_deref()));
                }
            })
        });
        if let Some(value) = value {
            field.set(&mut record, &value);
        }
    }
    let ads = match inline {
        Inline::Source | Inline::File => Vec::new(),
        Inline::Config => object
            .get("ads")
            .and_then(Value::as_list)
            .unwrap_or_default()
            .to_vec(),
    };
    Some(Video {
        record,
        renditions,
        ads,
    })
}

/// The record of a video object in a configuration, as the player reads it.
#[must_use]
pub fn inline_record(object: &Fields) -> Option<VideoRecord> {
    read(object, Inline::Config, &mut |_, _, _| {}).map(|video| video.record)
}

/// A string is the URL of a single rendition, sd; the keys of an object name renditions. Rule
/// QUAL-15.
fn renditions(value: &Value, note: &mut Note<'_>) -> Option<Vec<(Rendition, Arc<str>)>> {
    let Some(map) = value.as_map() else {
        return Some(vec![(Rendition::Sd, word(value)?)]);
    };
    let mut renditions: Vec<(Rendition, Arc<str>)> = Vec::new();
    for (name, address) in map.iter() {
        let (rendition, address) = (name.parse::<Rendition>().ok(), word(address));
        match (rendition, address) {
            (Some(rendition), Some(address)) => renditions.push((rendition, address)),
            (Some(_), None) => {
                note(
                    rules::QUAL_15,
                    Code::BadSource,
                    format!("rendition \"{name}\" has no URL and is left out"),
                );
            }
            (None, _) => {
                let known = Rendition::ALL.iter().map(|rendition| rendition.name());
                note(
                    rules::QUAL_1,
                    Code::UnknownRendition,
                    words::unknown("rendition", name, known),
                );
            }
        }
    }
    (!renditions.is_empty()).then_some(renditions)
}

/// A non-empty string.
fn word(value: &Value) -> Option<Arc<str>> {
    value
        .as_text()
        .filter(|text| !text.is_empty())
        .map(|text| Arc::from(&**text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use playsim_api::Decimal;

    fn read_and_codes(fields: &Fields, inline: Inline) -> (Option<Video>, Vec<&'static str>) {
        let mut codes = Vec::new();
        let video = read(fields, inline, &mut |_, code, _| codes.push(code.name()));
        (video, codes)
    }

    #[test]
    fn flags_are_truth_values_or_integers() {
        let monetize = |value: Value| {
            let (video, codes) = read_and_codes(
                &Fields::one("src", "a.mp4").with("monetize", value),
                Inline::Source,
            );
            (video.expect("it has a source").monetize, codes.len())
        };
        for no in [
            Value::Bool(false),
            Value::from(0),
            Value::from("0"),
            Value::from("false"),
        ] {
            assert_eq!(monetize(no), (false, 0));
        }
        for yes in [
            Value::Bool(true),
            Value::from(1),
            Value::from("1"),
            Value::Undefined,
        ] {
            assert_eq!(monetize(yes), (true, 0));
        }
        let half = Value::Number(Decimal::from_millionths(500_000));
        for odd in [
            Value::Null,
            Value::from(2),
            half,
            Value::from("no"),
            Value::NaN,
            Value::List(Vec::new()),
        ] {
            assert_eq!(monetize(odd), (true, 1));
        }
    }

    #[test]
    fn a_source_is_a_url_or_an_object_of_renditions() {
        let map = Fields::one("hd", "hd.mp4")
            .with("8k", "large.mp4")
            .with("ld", 4);
        let (video, codes) = read_and_codes(&Fields::one("source", Value::Map(map)), Inline::File);
        assert_eq!(
            video.expect("it has a source").renditions,
            [(Rendition::Hd, "hd.mp4".into())]
        );
        assert_eq!(codes, ["unknown_rendition", "bad_source"]);
        let bare = Fields::one("src", "").with("file", "a.mp4");
        assert_eq!(read_and_codes(&bare, Inline::Source).0, None);
        let (video, _) = read_and_codes(&bare, Inline::File);
        assert_eq!(
            video.expect("it has a file").renditions,
            [(Rendition::Sd, "a.mp4".into())]
        );
        for none in [
            Value::Null,
            Value::from(4),
            Value::List(Vec::new()),
            Value::Map(Fields::NONE),
        ] {
            assert_eq!(
                read_and_codes(&Fields::one("src", none), Inline::Config).0,
                None
            );
        }
    }

    #[test]
    fn what_an_object_holds_depends_on_where_it_is_written() {
        let geo = Value::List(vec!["US".into(), " CA ".into()]);
        let fields = Fields::one("src", "a.mp4")
            .with("tags", "a, b")
            .with("kill_date", "00-00-0000");
        let fields = fields
            .with("publish", "2024-01-31")
            .with("geo_on", 1)
            .with("geo", geo);
        let (video, codes) = read_and_codes(&fields, Inline::Config);
        let video = video.expect("it has a source");
        assert_eq!(
            (
                &*video.tags,
                video.publish,
                video.kill_date,
                video.geo.len()
            ),
            ("a, b", None, None, 2)
        );
        assert!(video.geo_on);
        assert_eq!(codes, ["bad_date"]);
        let (video, codes) = read_and_codes(&fields, Inline::File);
        assert_eq!(
            video.map(|video| (video.tags.clone(), video.geo_on)),
            Some(("a, b".into(), false))
        );
        assert!(codes.is_empty());
        assert_eq!(
            read_and_codes(&fields, Inline::Source)
                .0
                .map(|video| video.tags.clone()),
            Some("".into())
        );
    }
}
