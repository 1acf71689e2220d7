//! Checks the configuration that is passed to the initialiser.
//!
//! Rules: INIT-1 to INIT-4, INIT-10.

use std::sync::Arc;

use super::video_object::{self, Inline};
use playsim_api::video::Video;
use playsim_api::{ApiError, Code, Fields, Outbox, Text, UnitKind, Value};
use playsim_base::escape::percent_decoded;
use playsim_base::words;
use playsim_rules as rules;
use playsim_rules::knobs::{KnobReader, MissingSize};
pub use size::Size;
use size::{Side, USUAL};

mod size;

/// A usable configuration.
#[derive(Debug, Clone)]
pub struct Config {
    /// Whether to create a player or an outstream unit.
    pub unit: UnitKind,
    /// The player's id, or the unit's. Rule CON-23.
    pub id: Arc<str>,
    /// The items to play; empty for an outstream unit. Rule INIT-4.
    pub content: Vec<Content>,
    /// Whether the content is a list, from which videos may be left out. Rule PL-19.
    pub is_list: bool,
    /// The width and height. Rules INIT-2, INIT-3.
    pub size: Size,
    /// Whether `play()` follows automatically. Rule INIT-17.
    pub autoplay: bool,
    /// Whether it starts muted; `None`: the settings decide. Rule INIT-10.
    pub muted: Option<bool>,
    /// The title of a single video, in place of its record's name. Rule INIT-10.
    pub title: Option<Arc<str>>,
    /// The URL of a poster, in place of those of the records. Rule INIT-10.
    pub poster: Option<Arc<str>>,
    /// Ad objects in the configuration, added at player level. Rule INIT-10.
    pub ads: Vec<Value>,
}

/// One item, as given in the configuration.
#[derive(Debug, Clone)]
pub enum Content {
    /// The id of a record.
    Id(Arc<str>),
    /// A video object. Rule INIT-10.
    Inline(Arc<Video>),
}

/// A required field.
#[derive(Clone, Copy)]
struct Required {
    key: &'static str,
    /// The code of the diagnostic if it is missing.
    missing: Code,
}

const ID: Required = Required {
    key: "id",
    missing: Code::ConfigMissingId,
};
const WIDTH: Required = Required {
    key: "width",
    missing: Code::ConfigMissingWidth,
};
const HEIGHT: Required = Required {
    key: "height",
    missing: Code::ConfigMissingHeight,
};
const VIDEO: Required = Required {
    key: "video",
    missing: Code::ConfigMissingVideo,
};
const REQUIRED: [&str; 4] = [ID.key, WIDTH.key, HEIGHT.key, VIDEO.key];
const EXTENSIONS: [&str; 6] = ["autoplay", "muted", "playlist", "title", "ads", "poster"];

impl Config {
    /// Checks a configuration. `None`: no player can be created from it, and a diagnostic says why.
    ///
    /// # Errors
    ///
    /// `bad_argument` if it is not an object. Rule INIT-1.
    pub fn read(
        value: &Value,
        unit: UnitKind,
        knobs: &KnobReader,
        out: &mut Outbox,
    ) -> Result<Option<Config>, ApiError> {
        let Value::Map(fields) = value else {
            let text =
                "the second argument of the initialiser must be an object, the configuration";
            return Err(ApiError {
                code: Code::BadArgument,
                text: text.into(),
                rule: rules::INIT_1,
            });
        };
        for (key, _) in fields.iter() {
            if !REQUIRED.contains(&&**key) && !EXTENSIONS.contains(&&**key) {
                let text = format!(
                    "the configuration has an unknown field \"{key}\", which has no effect"
                );
                let near = words::nearest(key, REQUIRED.into_iter().chain(EXTENSIONS));
                out.diag_with(
                    rules::INIT_10,
                    Code::ConfigUnknown,
                    text,
                    near.map(Text::Static),
                );
            }
        }
        let id = required(fields, ID, "a string", knobs, out);
        let refuses = unit == UnitKind::Player && knobs.init_missing_size() == MissingSize::Refuse;
        let width = side(fields, WIDTH, USUAL.0, refuses, knobs, out);
        let height = side(fields, HEIGHT, USUAL.1, refuses, knobs, out);
        let content = match unit {
            UnitKind::Player => content(fields, knobs, out),
            UnitKind::Outstream => Some(no_content(fields, out)),
        };
        let (Some(id), Some((content, is_list))) = (id, content) else {
            return Ok(None);
        };
        let (Some(width), Some(height)) = (width, height) else {
            return Ok(None);
        };
        let autoplay =
            optional(fields, "autoplay", "true or false", Value::as_bool, out).unwrap_or(false);
        let muted = optional(fields, "muted", "true or false", Value::as_bool, out);
        let poster = optional(fields, "poster", "a URL as a string", Value::as_text, out);
        let title = optional(fields, "title", "a string", Value::as_text, out);
        let title = title.filter(|title| !title.is_empty()).map(|title| {
            // Public pages percent-encode titles. If the decoded bytes are not UTF-8, the title was
            // not encoded.
            percent_decoded(title.as_bytes()).map_or_else(|| Arc::from(&**title), Arc::from)
        });
        if title.is_some() && is_list {
            let text = "the items of a playlist have their own titles; the configuration's \"title\" has no effect";
            out.diag(rules::INIT_10, Code::TitleIgnored, text);
        }
        let ads = optional(fields, "ads", "a list of ad objects", Value::as_list, out)
            .unwrap_or_default()
            .to_vec();
        Ok(Some(Config {
            unit,
            id: Arc::from(&*id),
            content,
            is_list,
            size: Size::new(width, height),
            autoplay,
            muted,
            title: title.filter(|_| !is_list),
            poster: poster
                .filter(|url| !url.is_empty())
                .map(|url| Arc::from(&**url)),
            ads,
        }))
    }
}

/// The effect of a missing required field. Rule INIT-2.
const NOT_MADE: &str = "no player is created";
/// The effect of a missing or unusable size. Rules INIT-2, INIT-3.
const USUAL_SIZE: &str = "640 by 360 is used";

/// Reports a required field that is missing or empty, which means the same. Rule INIT-2.
fn missing(fields: &Fields, field: Required, effect: &str, out: &mut Outbox) {
    let Required { key, missing } = field;
    let is_empty = fields.get(key).and_then(Value::as_text).is_some();
    let text = if is_empty {
        format!("the configuration's \"{key}\" is empty; {effect}")
    } else {
        format!("the configuration has no \"{key}\"; {effect}")
    };
    out.diag(rules::INIT_2, missing, text);
}

/// Reports a field with a value of the wrong type. Rule INIT-3.
fn wrong_type(field: &str, value: &Value, due: &str, effect: &str, out: &mut Outbox) {
    let text = format!(
        "the configuration's \"{field}\" is {}; it must be {due}; {effect}",
        value.shown()
    );
    out.diag(rules::INIT_3, Code::ConfigType, text);
}

/// The value of an optional field, if it has the right type. Rules INIT-3, INIT-10.
fn optional<'a, T>(
    fields: &'a Fields,
    key: &str,
    due: &str,
    read: impl FnOnce(&'a Value) -> Option<T>,
    out: &mut Outbox,
) -> Option<T> {
    let value = given(fields, key)?;
    let read = read(value);
    if read.is_none() {
        wrong_type(key, value, due, "it has no effect", out);
    }
    read
}

/// One side of the player. The default is used if the value cannot be read, or if it is missing and
/// need not be given. Rules INIT-2, INIT-3.
fn side(
    fields: &Fields,
    field: Required,
    usual: Side,
    refuses: bool,
    knobs: &KnobReader,
    out: &mut Outbox,
) -> Option<Side> {
    let due = "a size as a string, like \"640\"";
    let effect = if refuses { NOT_MADE } else { USUAL_SIZE };
    let Some(text) = text_field(fields, field, due, effect, knobs, out) else {
        return (!refuses).then_some(usual);
    };
    Some(Side::read(&text).unwrap_or_else(|| {
        let text = format!(
            "the configuration's \"{}\" is \"{text}\"; write a number of pixels, a percentage or a ratio \
             such as 16x9. The one of 640 by 360 is used instead",
            field.key
        );
        out.diag(rules::INIT_3, Code::ConfigSize, text);
        usual
    }))
}

/// A field without which no player is created. Rules INIT-2, INIT-3.
fn required(
    fields: &Fields,
    field: Required,
    due: &str,
    knobs: &KnobReader,
    out: &mut Outbox,
) -> Option<Text> {
    text_field(fields, field, due, NOT_MADE, knobs, out)
}

/// A required string. A number is converted to a string, or rejected with knob `init.strict_types`.
/// `None`: a diagnostic has been written. Rules INIT-2, INIT-3.
fn text_field(
    fields: &Fields,
    field: Required,
    due: &str,
    effect: &str,
    knobs: &KnobReader,
    out: &mut Outbox,
) -> Option<Text> {
    let key = field.key;
    let Some(value) =
        given(fields, key).filter(|value| value.as_text().is_none_or(|text| !text.is_empty()))
    else {
        missing(fields, field, effect, out);
        return None;
    };
    if let Value::Number(number) = value {
        let is_strict = knobs.init_strict_types().is_on();
        let effect = if is_strict {
            effect
        } else {
            "it is converted to one"
        };
        let text = format!(
            "the configuration's \"{key}\" is the number {number}; it must be a string; {effect}"
        );
        out.diag_with(
            rules::INIT_3,
            Code::ConfigType,
            text,
            Some(format!("'{number}'").into()),
        );
        return (!is_strict).then(|| number.to_string().into());
    }
    let text = value.as_text().cloned();
    if text.is_none() {
        wrong_type(key, value, due, effect, out);
    }
    text
}

/// The value of a field; undefined and null count as missing.
fn given<'a>(fields: &'a Fields, key: &str) -> Option<&'a Value> {
    fields
        .get(key)
        .filter(|value| !matches!(value, Value::Undefined | Value::Null))
}

/// The empty content of an outstream unit, which shows ads only. Rule INIT-4.
fn no_content(fields: &Fields, out: &mut Outbox) -> (Vec<Content>, bool) {
    for key in ["video", "playlist"]
        .into_iter()
        .filter(|key| fields.get(key).is_some())
    {
        let text = format!(
            "an outstream unit has no content; the configuration's \"{key}\" has no effect"
        );
        out.diag(rules::INIT_4, Code::ContentIgnored, text);
    }
    (Vec::new(), false)
}

/// The items to play, and whether they are a list. A single video is an id or a video object; a
/// list has any number of either. Rules INIT-2, INIT-10.
fn content(fields: &Fields, knobs: &KnobReader, out: &mut Outbox) -> Option<(Vec<Content>, bool)> {
    match given(fields, "playlist") {
        Some(Value::List(items)) => return Some((list(items, out), true)),
        Some(other) => {
            let text = format!(
                "the configuration's \"playlist\" is {other}; it must be a list of ids and video objects"
            );
            out.diag(rules::INIT_10, Code::PlaylistForm, text);
        }
        None => {}
    }
    let content = match given(fields, "video") {
        Some(Value::Map(video)) => {
            let content = inline(video, out);
            if content.is_none() {
                let text = "the configuration's \"video\" is an object without a usable \"src\" or \"source\"";
                out.diag(
                    rules::INIT_10,
                    Code::NoSource,
                    format!("{text}; {NOT_MADE}"),
                );
            }
            content?
        }
        Some(videos @ Value::List(_)) => {
            let text = format!(
                "the configuration's \"video\" is {videos}; it must be a single video; {NOT_MADE}. Write a \
                 list of videos as \"playlist\""
            );
            out.diag_with(
                rules::INIT_3,
                Code::ConfigType,
                text,
                Some("playlist".into()),
            );
            return None;
        }
        Some(_) | None => {
            let due = "the id of a video as a string, or a video object";
            Content::Id(Arc::from(&*required(fields, VIDEO, due, knobs, out)?))
        }
    };
    Some((vec![content], false))
}

/// The items of a list; invalid items are left out.
fn list(items: &[Value], out: &mut Outbox) -> Vec<Content> {
    let mut content = Vec::with_capacity(items.len());
    for (number, value) in (1..).zip(items) {
        let item = if let Some(fields) = value.as_map() {
            inline(fields, out)
        } else if let Value::Number(id) = value {
            Some(Content::Id(id.to_string().into()))
        } else {
            value
                .as_text()
                .filter(|id| !id.is_empty())
                .map(|id| Content::Id(Arc::from(&**id)))
        };
        match item {
            Some(item) => content.push(item),
            None => {
                let text = format!(
                    "item {number} of the configuration's playlist is {}, not an id or a playable \
                     video object; it is left out",
                    value.shown()
                );
                out.diag(rules::INIT_10, Code::BadItem, text);
            }
        }
    }
    content
}

/// Reads a video object.
fn inline(fields: &Fields, out: &mut Outbox) -> Option<Content> {
    let note = &mut |rule, code, text| out.diag(rule, code, text);
    video_object::read(fields, Inline::Config, note).map(|video| Content::Inline(Arc::new(video)))
}
