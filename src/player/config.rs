//! The configuration that the initialiser gets, checked.
//!
//! Rules: INIT-1 to INIT-4, INIT-10.

use std::sync::Arc;

use super::video_object::{self, Form};
use crate::api::{ApiError, Fields, Outbox, Text, UnitKind, Value};
use crate::knobs::Knobs;
use crate::rule;
use crate::video::Video;
use crate::words;

mod size;

pub use size::Size;
use size::{Side, USUAL};

/// A usable configuration.
#[derive(Debug, Clone)]
pub struct Config {
    /// What is to be made of it.
    pub unit: UnitKind,
    /// The player's id, or the unit's. Rule CON-23.
    pub id: Arc<str>,
    /// What is to be played; nothing for an outstream unit. Rule INIT-4.
    pub content: Vec<Content>,
    /// Whether it is a list, from which videos may be left out. Rule PL-19.
    pub is_list: bool,
    /// How wide and high it is to be. Rules INIT-2, INIT-3.
    pub size: Size,
    /// Whether `play()` follows by itself. Rule INIT-17.
    pub autoplay: bool,
    /// Whether it starts mute; `None`: as its settings say. Rule INIT-10.
    pub muted: Option<bool>,
    /// What the single video is called, in place of its record's name. Rule INIT-10.
    pub title: Option<Arc<str>>,
    /// The address of a picture in place of the records' own. Rule INIT-10.
    pub poster: Option<Arc<str>>,
    /// Ad objects in the configuration, added at player level. Rule INIT-10.
    pub ads: Vec<Value>,
}

/// One item as the configuration names it.
#[derive(Debug, Clone)]
pub enum Content {
    /// By the id of its record.
    Id(Arc<str>),
    /// Written out. Rule INIT-10.
    Inline(Arc<Video>),
}

const REQUIRED: [&str; 4] = ["id", "width", "height", "video"];
const EXTENSIONS: [&str; 6] = ["autoplay", "muted", "playlist", "title", "ads", "poster"];

impl Config {
    /// Checks a configuration. `None` with a diagnostic: no player can be made of it.
    ///
    /// # Errors
    ///
    /// `bad_argument` if it is no object. Rule INIT-1.
    pub fn read(
        value: &Value,
        unit: UnitKind,
        knobs: &Knobs,
        out: &mut Outbox,
    ) -> Result<Option<Config>, ApiError> {
        let Value::Map(fields) = value else {
            let text = "the second argument of the initialiser is the configuration, an object";
            return Err(ApiError { code: "bad_argument", text: text.into(), rule: rule!("INIT-1") });
        };
        for (key, _) in fields.iter() {
            if !REQUIRED.contains(&&**key) && !EXTENSIONS.contains(&&**key) {
                let text = format!("the configuration's field \"{key}\" is not known and has no effect");
                let near = words::nearest(key, REQUIRED.into_iter().chain(EXTENSIONS));
                out.diag_with(rule!("INIT-10"), "config_unknown", text, near.map(Text::Static));
            }
        }
        let id = text_field(fields, "id", knobs, out);
        let width = side(fields, "width", USUAL.0, knobs, out);
        let height = side(fields, "height", USUAL.1, knobs, out);
        if id.is_none() {
            missing("id", "no player is made", out);
        }
        let content = match unit {
            UnitKind::Player => content(fields, knobs, out),
            UnitKind::Outstream => Some(no_content(fields, out)),
        };
        if content.is_none() {
            missing("video", "no player is made", out);
        }
        let (Some(id), Some((content, is_list))) = (id, content) else { return Ok(None) };
        let autoplay = fields.get("autoplay").and_then(Value::as_bool).unwrap_or(false);
        let muted = fields.get("muted").and_then(Value::as_bool);
        let poster = fields.get("poster").and_then(Value::as_text).filter(|url| !url.is_empty());
        let title = fields.get("title").and_then(Value::as_text);
        let title = title.filter(|title| !title.is_empty()).map(|title| decoded(title));
        if title.is_some() && is_list {
            let text =
                "a playlist's items have titles of their own; the configuration's \"title\" has no effect";
            out.diag(rule!("INIT-10"), "title_ignored", text);
        }
        let ads = fields.get("ads").and_then(Value::as_list).unwrap_or_default().to_vec();
        Ok(Some(Config {
            unit,
            id: Arc::from(&*id),
            content,
            is_list,
            size: Size::new(width, height),
            autoplay,
            muted,
            title: title.filter(|_| !is_list),
            poster: poster.map(|url| Arc::from(&**url)),
            ads,
        }))
    }
}

/// A text whose bytes may be written as `%20`, as public pages write titles. What is no such byte stays.
///
/// Rule INIT-10.
fn decoded(text: &str) -> Arc<str> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let byte = match behind {
            [high, low, ..] if *first == b'%' => {
                digit(*high).zip(digit(*low)).map(|(high, low)| high * 16 + low)
            }
            _ => None,
        };
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &behind[2..] } else { behind };
    }
    // Bytes that are no text were never encoded from one.
    String::from_utf8(bytes).map_or_else(|_| text.into(), Arc::from)
}

fn missing(field: &str, effect: &str, out: &mut Outbox) {
    let text = format!("the configuration has no \"{field}\"; {effect}");
    out.diag(rule!("INIT-2"), format!("config_missing:{field}"), text);
}

/// A side of the player; the usual one if it is missing or cannot be read. Rules INIT-2, INIT-3.
fn side(fields: &Fields, key: &str, usual: Side, knobs: &Knobs, out: &mut Outbox) -> Side {
    let Some(text) = text_field(fields, key, knobs, out) else {
        missing(key, "640 by 360 is used", out);
        return usual;
    };
    Side::read(&text).unwrap_or_else(|| {
        let text = format!(
            "the configuration's \"{key}\" is \"{text}\"; a size is digits, a percentage or a ratio such as \
             16x9. That of 640 by 360 is used"
        );
        out.diag(rule!("INIT-3"), "config_size", text);
        usual
    })
}

/// A text; a number is taken as its text, or with the knob as nothing at all. Rule INIT-3.
fn text_field(fields: &Fields, key: &str, knobs: &Knobs, out: &mut Outbox) -> Option<Text> {
    let value = fields.get(key)?;
    if let Value::Number(number) = value {
        let is_strict = knobs.init_strict_types.is_on();
        let effect = if is_strict { "it does not count" } else { "it is taken as one" };
        let text =
            format!("the configuration's \"{key}\" is the number {number}; a text is asked, and {effect}");
        out.diag_with(rule!("INIT-3"), "config_type", text, Some(format!("'{number}'").into()));
        return (!is_strict).then(|| number.to_string().into());
    }
    value.as_text().filter(|text| !text.is_empty()).cloned()
}

/// A unit shows ads only. Rule INIT-4.
fn no_content(fields: &Fields, out: &mut Outbox) -> (Vec<Content>, bool) {
    for key in ["video", "playlist"].into_iter().filter(|key| fields.get(key).is_some()) {
        let text = format!("an outstream unit has no content; the configuration's \"{key}\" has no effect");
        out.diag(rule!("INIT-4"), "content_ignored", text);
    }
    (Vec::new(), false)
}

/// The video by its id or written out, or a list of both, and whether it is one. Rules INIT-2, INIT-10.
fn content(fields: &Fields, knobs: &Knobs, out: &mut Outbox) -> Option<(Vec<Content>, bool)> {
    match fields.get("playlist") {
        Some(Value::List(items)) => return Some((list(items, out), true)),
        Some(other) => {
            let text =
                format!("the configuration's \"playlist\" is {other}; it is a list of ids and video objects");
            out.diag(rule!("INIT-10"), "playlist_form", text);
        }
        None => {}
    }
    let content = match fields.get("video")?.as_map() {
        Some(video) => inline(video, out)?,
        None => Content::Id(Arc::from(&*text_field(fields, "video", knobs, out)?)),
    };
    Some((vec![content], false))
}

/// The items of a list; what is none is left out.
fn list(items: &[Value], out: &mut Outbox) -> Vec<Content> {
    let mut content = Vec::with_capacity(items.len());
    for (number, value) in (1..).zip(items) {
        let item = if let Some(fields) = value.as_map() {
            inline(fields, out)
        } else if let Value::Number(id) = value {
            Some(Content::Id(id.to_string().into()))
        } else {
            value.as_text().filter(|id| !id.is_empty()).map(|id| Content::Id(Arc::from(&**id)))
        };
        match item {
            Some(item) => content.push(item),
            None => {
                let text = format!(
                    "item {number} of the configuration's playlist is {value}, which cannot be played; it is left out"
                );
                out.diag(rule!("INIT-10"), "bad_item", text);
            }
        }
    }
    content
}

/// A video object.
fn inline(fields: &Fields, out: &mut Outbox) -> Option<Content> {
    let note = &mut |rule, code, text| out.diag(rule, code, text);
    video_object::read(fields, Form::Config, note).map(|video| Content::Inline(Arc::new(video)))
}
