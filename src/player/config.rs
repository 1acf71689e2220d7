//! The configuration that the initialiser gets, checked.
//!
//! Rules: INIT-1 to INIT-3, INIT-10.

use std::sync::Arc;

use crate::api::{ApiError, Fields, Outbox, Text, Value};
use crate::rule;
use crate::video::{Rendition, Video};
use crate::words;

mod size;

pub use size::Size;
use size::{Side, USUAL};

/// A usable configuration.
#[derive(Debug, Clone)]
pub struct Config {
    /// What is to be played.
    pub content: Vec<Content>,
    /// How wide and high it is to be. Rules INIT-2, INIT-3.
    pub size: Size,
    /// Whether `play()` follows by itself. Rule INIT-17.
    pub autoplay: bool,
    /// Whether it starts mute; `None`: as its settings say. Rule INIT-10.
    pub muted: Option<bool>,
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
    pub fn read(value: &Value, out: &mut Outbox) -> Result<Option<Config>, ApiError> {
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
        let id = text_field(fields, "id", out);
        let width = side(fields, "width", USUAL.0, out);
        let height = side(fields, "height", USUAL.1, out);
        if id.is_none() {
            missing("id", "no player is made", out);
        }
        let content = content(fields, out);
        if content.is_none() {
            missing("video", "no player is made", out);
        }
        let (Some(_), Some(content)) = (id, content) else { return Ok(None) };
        let autoplay = fields.get("autoplay").and_then(Value::as_bool).unwrap_or(false);
        let muted = fields.get("muted").and_then(Value::as_bool);
        let poster = fields.get("poster").and_then(Value::as_text).filter(|url| !url.is_empty());
        let ads = fields.get("ads").and_then(Value::as_list).unwrap_or_default().to_vec();
        Ok(Some(Config {
            content,
            size: Size::new(width, height),
            autoplay,
            muted,
            poster: poster.map(|url| Arc::from(&**url)),
            ads,
        }))
    }
}

fn missing(field: &str, effect: &str, out: &mut Outbox) {
    let text = format!("the configuration has no \"{field}\"; {effect}");
    out.diag(rule!("INIT-2"), format!("config_missing:{field}"), text);
}

/// A side of the player; the usual one if it is missing or cannot be read. Rules INIT-2, INIT-3.
fn side(fields: &Fields, key: &str, usual: Side, out: &mut Outbox) -> Side {
    let Some(text) = text_field(fields, key, out) else {
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

/// A text; a number is taken as its text. Rule INIT-3.
fn text_field(fields: &Fields, key: &str, out: &mut Outbox) -> Option<Text> {
    let value = fields.get(key)?;
    if let Value::Number(number) = value {
        let text = format!("the configuration's \"{key}\" is the number {number}; a text is asked");
        out.diag(rule!("INIT-3"), "config_type", text);
        return Some(number.to_string().into());
    }
    value.as_text().filter(|text| !text.is_empty()).cloned()
}

/// The video by its id or written out, or a playlist of both. Rules INIT-2, INIT-10.
fn content(fields: &Fields, out: &mut Outbox) -> Option<Vec<Content>> {
    if let Some(playlist) = fields.get("playlist") {
        let Value::List(items) = playlist else { return None };
        return Some(items.iter().filter_map(item).collect());
    }
    if let Some(video) = fields.get("video")?.as_map() {
        return inline(video).map(|video| vec![Content::Inline(Arc::new(video))]);
    }
    text_field(fields, "video", out).map(|id| vec![Content::Id(Arc::from(&*id))])
}

fn item(value: &Value) -> Option<Content> {
    if let Some(fields) = value.as_map() {
        return inline(fields).map(|video| Content::Inline(Arc::new(video)));
    }
    let id = if let Value::Number(id) = value { id.to_string() } else { value.as_text()?.to_string() };
    Some(Content::Id(id.into()))
}

/// A video object: an address or a map of renditions as `src` or `source`, and a name or title.
fn inline(fields: &Fields) -> Option<Video> {
    let text = |keys: [&str; 2]| -> Arc<str> {
        let found = keys.iter().find_map(|key| fields.get(key)?.as_text());
        found.map_or_else(|| "".into(), |text| Arc::from(&**text))
    };
    let source = fields.get("source").or_else(|| fields.get("src"))?;
    let renditions = match source.as_map() {
        Some(sources) => sources
            .iter()
            .filter_map(|(name, address)| Some((Rendition::read(name)?, Arc::from(&**address.as_text()?))))
            .collect(),
        None => vec![(Rendition::Sd, Arc::from(&**source.as_text()?))],
    };
    Some(Video {
        id: text(["id", "id"]),
        name: text(["name", "title"]),
        tags: text(["tags", "tags"]),
        monetize: fields
            .get("monetize")
            .is_none_or(|value| value.as_bool().unwrap_or(value.as_integer() != Some(0))),
        chapters: Vec::new(),
        renditions,
        ..Video::default()
    })
}
