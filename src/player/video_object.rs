//! Video objects: items that page code or a playlist file writes out, in place of a record.
//!
//! What cannot be used is left out and noted; only an object without any media is none. A description is
//! accepted and goes nowhere: nothing gives it back.
//!
//! Rules: INIT-10, SRC-1, SRC-6 to SRC-8, LPL-2, LPL-7, QUAL-15, CON-3, CON-19.

use std::sync::Arc;

use crate::api::{Fields, Value};
use crate::rule;
use crate::rules::RuleId;
use crate::video::{ChapterMark, Day, Record, Rendition, Video};
use crate::words;

/// Where an object stands, which decides what it can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// In the configuration: all that a record holds. Rule INIT-10.
    Config,
    /// The argument of `src`. Rules SRC-1, SRC-6, SRC-8.
    Source,
    /// In a playlist file. Rule LPL-2.
    File,
}

/// Takes a diagnostic: its rule, its code and its text.
pub(super) type Note<'a> = dyn FnMut(RuleId, &'static str, String) + 'a;

/// Reads a video object; `None` if it has no media.
pub(super) fn read(fields: &Fields, form: Form, note: &mut Note<'_>) -> Option<Video> {
    let sources: &[&str] = match form {
        Form::Config | Form::Source => &["src", "source"],
        Form::File => &["src", "source", "file"],
    };
    let renditions = sources.iter().find_map(|key| renditions(fields.get(key)?, note))?;
    let common = Record {
        id: text(fields, &["id"]).unwrap_or_default(),
        name: text(fields, &["title", "name"]).unwrap_or_default(),
        monetize: flag(fields, "monetize", true, note),
        image: text(fields, &["image"]),
        ..Record::default()
    };
    let record = match form {
        Form::Source => common,
        Form::File => Record { tags: tags(fields), clickthrough: clickthrough(fields), ..common },
        Form::Config => Record {
            tags: tags(fields),
            clickthrough: clickthrough(fields),
            chapters: chapters(fields, note),
            rejected: flag(fields, "rejected", false, note),
            publish: day(fields, "publish", note),
            kill_date: day(fields, "kill_date", note),
            geo_on: flag(fields, "geo_on", false, note),
            geo: parts(fields.get("geo")).into_iter().map(Arc::from).collect(),
            comscore: comscore(fields),
            custom_params: custom_params(fields),
            ..common
        },
    };
    let ads = match form {
        Form::Source | Form::File => Vec::new(),
        Form::Config => fields.get("ads").and_then(Value::as_list).unwrap_or_default().to_vec(),
    };
    Some(Video { record, renditions, ads })
}

/// A bare address is a single rendition, sd; the keys of a map name theirs. Rule QUAL-15.
fn renditions(value: &Value, note: &mut Note<'_>) -> Option<Vec<(Rendition, Arc<str>)>> {
    let Some(map) = value.as_map() else {
        return Some(vec![(Rendition::Sd, word(value)?)]);
    };
    let mut renditions: Vec<(Rendition, Arc<str>)> = Vec::new();
    for (name, address) in map.iter() {
        let (rendition, address) = (Rendition::read(name), word(address));
        match (rendition, address) {
            (Some(rendition), Some(address)) => renditions.push((rendition, address)),
            (Some(_), None) => {
                note(
                    rule!("QUAL-15"),
                    "bad_source",
                    format!("rendition {name} has no address, and is left out"),
                );
            }
            (None, _) => {
                let known = Rendition::ALL.iter().map(|rendition| rendition.word());
                note(rule!("QUAL-1"), "unknown_rendition", words::unknown("rendition", name, known));
            }
        }
    }
    (!renditions.is_empty()).then_some(renditions)
}

/// A text that is not empty.
fn word(value: &Value) -> Option<Arc<str>> {
    value.as_text().filter(|text| !text.is_empty()).map(|text| Arc::from(&**text))
}

/// The first of these fields that is a text, and not an empty one; a number counts as its spelling.
fn text(fields: &Fields, keys: &[&str]) -> Option<Arc<str>> {
    keys.iter().find_map(|key| {
        let value = fields.get(key)?;
        let number =
            || if let Value::Number(number) = value { Some(number.to_string().into()) } else { None };
        word(value).or_else(number)
    })
}

/// One field under its spellings. Rule CON-3.
fn clickthrough(fields: &Fields) -> Option<Arc<str>> {
    text(fields, &["clickthroughURL", "clickthroughUrl", "clickthrough"])
}

/// A truth value, or 0 or 1 as the record of the edit call has it, as text too. Rule CON-19.
fn flag(fields: &Fields, key: &str, default: bool, note: &mut Note<'_>) -> bool {
    let value = match fields.get(key) {
        None | Some(Value::Undefined) => return default,
        Some(value) => value,
    };
    let integer =
        || value.as_integer().filter(|integer| (0..=1).contains(integer)).map(|integer| integer == 1);
    let text = || match value.as_text().map(|text| &**text) {
        Some("0" | "false") => Some(false),
        Some("1" | "true") => Some(true),
        Some(_) | None => None,
    };
    value.as_bool().or_else(integer).or_else(text).unwrap_or_else(|| {
        note(rule!("CON-19"), "bad_flag", format!("\"{key}\" is {value}; it is true, false, 1 or 0"));
        default
    })
}

/// A day as day-month-year; all zeros are none.
fn day(fields: &Fields, key: &str, note: &mut Note<'_>) -> Option<Day> {
    let text = text(fields, &[key]).filter(|text| **text != *"00-00-0000")?;
    let day = Day::read(&text);
    if day.is_none() {
        let text = format!("\"{key}\" is \"{text}\"; dates are day-month-year, like \"31-01-2024\"");
        note(rule!("EDIT-55"), "bad_date", text);
    }
    day
}

/// The texts of a list, or of a text with commas; blanks around them do not count, nor what is empty.
fn parts(value: Option<&Value>) -> Vec<&str> {
    let parts: Vec<&str> = match value {
        Some(Value::List(items)) => items.iter().filter_map(Value::as_text).map(|text| &**text).collect(),
        Some(Value::Text(text)) => text.split(',').collect(),
        Some(_) | None => Vec::new(),
    };
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// As the record has them: one text with commas. Rule META-1.
fn tags(fields: &Fields) -> Arc<str> {
    match fields.get("tags") {
        Some(Value::Text(text)) => Arc::from(&**text),
        tags => parts(tags).join(",").into(),
    }
}

fn chapters(fields: &Fields, note: &mut Note<'_>) -> Vec<ChapterMark> {
    let items = fields.get("chapters").and_then(Value::as_list).unwrap_or_default();
    let mut chapter = |item: &Value| {
        let mark = item.as_map().and_then(|fields| {
            let title = text(fields, &["title"]).unwrap_or_default();
            Some(ChapterMark { timestamp: text(fields, &["timestamp"])?, title })
        });
        if mark.is_none() {
            note(rule!("CH-9"), "bad_chapter", format!("chapter {item} has no timestamp, and is left out"));
        }
        mark
    };
    items.iter().filter_map(&mut chapter).collect()
}

/// Audience-measurement fields with something in them.
fn comscore(fields: &Fields) -> Vec<(Arc<str>, Arc<str>)> {
    let names = fields.iter().map(|(name, _)| name);
    names
        .filter(|name| name.starts_with("ns_"))
        .filter_map(|name| Some((Arc::from(&**name), text(fields, &[name])?)))
        .collect()
}

fn custom_params(fields: &Fields) -> Vec<(Arc<str>, Arc<str>)> {
    let Some(params) = fields.get("custom_params").and_then(Value::as_map) else { return Vec::new() };
    let names = params.iter().map(|(name, _)| name);
    names.filter_map(|name| Some((Arc::from(&**name), text(params, &[name])?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Decimal;

    fn told(fields: &Fields, form: Form) -> (Option<Video>, Vec<&'static str>) {
        let mut codes = Vec::new();
        let video = read(fields, form, &mut |_, code, _| codes.push(code));
        (video, codes)
    }

    #[test]
    fn flags_are_truth_values_or_integers() {
        let monetize = |value: Value| {
            let (video, codes) = told(&Fields::one("src", "a.mp4").with("monetize", value), Form::Source);
            (video.expect("it has a source").monetize, codes.len())
        };
        for no in [Value::Bool(false), Value::from(0), Value::from("0"), Value::from("false")] {
            assert_eq!(monetize(no), (false, 0));
        }
        for yes in [Value::Bool(true), Value::from(1), Value::from("1"), Value::Undefined] {
            assert_eq!(monetize(yes), (true, 0));
        }
        let half = Value::Number(Decimal::from_millionths(500_000));
        for odd in [Value::Null, Value::from(2), half, Value::from("no"), Value::NaN, Value::List(Vec::new())]
        {
            assert_eq!(monetize(odd), (true, 1));
        }
    }

    #[test]
    fn a_source_is_an_address_or_a_map_of_renditions() {
        let map = Fields::one("hd", "hd.mp4").with("8k", "large.mp4").with("ld", 4);
        let (video, codes) = told(&Fields::one("source", Value::Map(map)), Form::File);
        assert_eq!(video.expect("it has a source").renditions, [(Rendition::Hd, "hd.mp4".into())]);
        assert_eq!(codes, ["unknown_rendition", "bad_source"]);
        let bare = Fields::one("src", "").with("file", "a.mp4");
        assert_eq!(told(&bare, Form::Source).0, None);
        let (video, _) = told(&bare, Form::File);
        assert_eq!(video.expect("it has a file").renditions, [(Rendition::Sd, "a.mp4".into())]);
        for none in [Value::Null, Value::from(4), Value::List(Vec::new()), Value::Map(Fields::NONE)] {
            assert_eq!(told(&Fields::one("src", none), Form::Config).0, None);
        }
    }

    #[test]
    fn what_an_object_holds_depends_on_where_it_stands() {
        let geo = Value::List(vec!["US".into(), " CA ".into()]);
        let fields = Fields::one("src", "a.mp4").with("tags", "a, b").with("kill_date", "00-00-0000");
        let fields = fields.with("publish", "2024-01-31").with("geo_on", 1).with("geo", geo);
        let (video, codes) = told(&fields, Form::Config);
        let video = video.expect("it has a source");
        assert_eq!((&*video.tags, video.publish, video.kill_date, video.geo.len()), ("a, b", None, None, 2));
        assert!(video.geo_on);
        assert_eq!(codes, ["bad_date"]);
        let (video, codes) = told(&fields, Form::File);
        assert_eq!(video.map(|video| (video.tags.clone(), video.geo_on)), Some(("a, b".into(), false)));
        assert!(codes.is_empty());
        assert_eq!(told(&fields, Form::Source).0.map(|video| video.tags.clone()), Some("".into()));
    }
}
