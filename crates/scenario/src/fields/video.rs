//! Videos: their records and their media.
//!
//! The fields of a record are the rows of the table in [`video`](playsim_api::video). What they
//! look like in a scenario follows from their shape.
//!
//! Rules: CON-3, EDIT-12, EDIT-19 to EDIT-22, EDIT-27 to EDIT-30, EDIT-32, EDIT-34.

use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value as Json, json};

use super::ads::ADS;
use super::page::COUNTRY;
use super::value::VALUE;
use super::{
    Definitions, FieldRow, Node, Object, Properties, Reading, Writer, WrittenForm, Wrong, count,
    described, field_rows, list, read_rows, text_schema, write_rows,
};
use crate::VideoScript;
use crate::form::{
    Flag, Length, List, Name, name_schema, one_of, part, twice, write_field, write_some,
};
use crate::read::node::Tree;
use playsim_api::video::{
    self, Field, ID, LAST, Rendition, Seen, Shape, ValueSource, Video, VideoRecord, Written,
};
use playsim_api::{Fields, Text, Value};

/// The videos of a scenario.
pub(super) const VIDEOS: List<VideoForm> = list(
    "a video",
    VideoForm,
    "[{ id: v1, renditions: { sd: film.mp4 } }]",
)
.distinct(
    |one, other| one.video.id.cmp(&other.video.id),
    |script| format!("duplicate video \"{}\"", script.video.id),
);

/// A video with its record.
#[derive(Clone, Copy)]
pub(super) struct VideoForm;

const VIDEO: &[FieldRow<Video>] = field_rows! { Video:
    "renditions" renditions: Renditions, "Media URLs by rendition.";
    "ads" ads: ADS, "Ad objects at video level.";
};

const SCRIPT: &[FieldRow<VideoScript>] = field_rows! { VideoScript:
    "record_after" record_after: Length, "How long the response with its record takes.";
};

/// A field of a record, and its default.
type WithDefault = (&'static Field, Value);

/// The fields of a record in the order in which they are written: those before the other rows, and
/// those after them.
static WRITTEN: LazyLock<(Vec<WithDefault>, Vec<WithDefault>)> = LazyLock::new(|| {
    let base = VideoRecord::default();
    let fields = video::fields().map(|field| (field, field.get(&base)));
    let (mut first, last): (Vec<_>, Vec<_>) = fields.partition(|(field, _)| field.place < LAST);
    first.sort_by_key(|(field, _)| field.place);
    (first, last)
});

fn base() -> VideoScript {
    VideoScript {
        video: Arc::default(),
        record_after: playsim_base::time::Span::ZERO,
    }
}

impl WrittenForm for VideoForm {
    type Of = VideoScript;

    fn read(&self, node: &Node, _: &str, reading: &mut Reading<'_>) -> Option<VideoScript> {
        let example = "{ id: v1, renditions: { sd: film.mp4 } }";
        let mut fields = reading.keep(Object::of(node, "a video", example))?;
        let (mut video, mut script) = (Video::default(), base());
        reading.keep(fields.required(ID, "id: v1"));
        let mut has_id = false;
        for field in video::fields() {
            if let Some(value) = read_field(field, &mut fields, reading) {
                has_id |= field.name == ID;
                field.set(&mut video.record, &value);
            }
        }
        read_rows(VIDEO, &mut fields, &mut video, reading);
        read_rows(SCRIPT, &mut fields, &mut script, reading);
        fields.end(reading);
        script.video = Arc::new(video);
        has_id.then_some(script)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define("video", |definitions| {
            let mut video = Properties::default();
            for field in video::fields() {
                video.add(field.name, field.about, schema(field, definitions));
                for name in field.spellings().skip(1) {
                    let about = format!("The same as `{}`.", field.name);
                    video.add(name, &about, schema(field, definitions));
                }
            }
            video.require(ID);
            video.rows(VIDEO, &Video::default(), definitions);
            video.rows(SCRIPT, &base(), definitions);
            video.end("A video.")
        })
    }

    fn write(&self, value: &VideoScript, out: &mut Writer) {
        let (first, last) = &*WRITTEN;
        out.part(|| part("video", &value.video.id));
        if out.is_checking() {
            // A record is written as values, which have no bounds.
            let VideoRecord {
                id,
                channel_id,
                geo,
                ..
            } = &value.video.record;
            write_field(ID, &Name, id, out);
            write_some("channel_id", &count(1), channel_id.as_ref(), out);
            geo.iter()
                .for_each(|code| write_field("geo", &COUNTRY, code, out));
        }
        out.object(|out| {
            write_fields(first, &value.video, out);
            write_rows(VIDEO, &value.video, &Video::default(), out);
            write_rows(SCRIPT, value, &base(), out);
            write_fields(last, &value.video, out);
        });
    }
}

/// Reads a field that may have several spellings. Rule CON-3.
fn read_field(field: &Field, fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Option<Value> {
    let mut first: Option<(&str, Value)> = None;
    for name in field.spellings() {
        let Some((key, node)) = fields.entry(name) else {
            continue;
        };
        let value = field.read(node, name, ValueSource::Scenario, &mut |wrong| {
            let range = wrong
                .key
                .and_then(|key| key_range(wrong.at, key))
                .unwrap_or(&wrong.at.range);
            let suggestion = wrong.meant;
            reading.wrongs.push(Wrong {
                suggestion,
                ..Wrong::new(range, wrong.message)
            });
        });
        let Some(value) = value else { continue };
        match &first {
            Some((other, before)) if *before != value => {
                let message = format!(
                    "\"{name}\" and \"{other}\" are the same field, but their values differ"
                );
                reading.wrongs.push(Wrong::new(&key.range, message));
            }
            Some(_) => {}
            None => first = Some((name, value)),
        }
    }
    first.map(|(_, value)| value)
}

/// The place of a key of an object.
fn key_range<'n>(node: &'n Node, name: &str) -> Option<&'n std::ops::Range<usize>> {
    node.map()?
        .iter()
        .find(|(key, _)| key.text == name)
        .map(|(key, _)| &key.range)
}

impl Written for Node {
    fn seen(&self) -> Seen<'_, Node> {
        match &self.tree {
            Tree::Null => Seen::Nothing,
            Tree::Bool(truth) => Seen::Truth(*truth),
            Tree::Number(number) => Seen::Number(number.into()),
            Tree::Text(text) => Seen::Text(text),
            Tree::List(items) => Seen::List(items),
            Tree::Map(entries) => Seen::Map(
                entries
                    .iter()
                    .map(|(key, node)| (&*key.text, node))
                    .collect(),
            ),
        }
    }
}

/// Writes the id, and the other fields that are not those of a new record.
fn write_fields(fields: &[WithDefault], record: &VideoRecord, out: &mut Writer) {
    for (field, default) in fields {
        let value = field.get(record);
        if field.name == ID || value != *default {
            out.field(field.name);
            VALUE.write(&written(field.kind.shape, value), out);
        }
    }
}

/// The value of a field as a scenario writes it.
fn written(shape: Shape, value: Value) -> Value {
    match (shape, value) {
        (Shape::Flag, value) => Value::Bool(value == Value::from(1)),
        (Shape::Choice, Value::Number(number)) => Value::from(number.to_string()),
        (Shape::Chapters, Value::List(chapters)) => {
            let is_written =
                |(name, value): &(Text, Value)| **name != *"title" || *value != Value::from("");
            let chapter = |chapter: Value| {
                let Value::Map(fields) = chapter else {
                    return chapter;
                };
                Value::Map(fields.into_iter().filter(is_written).collect::<Fields>())
            };
            Value::List(chapters.into_iter().map(chapter).collect())
        }
        (_, value) => value,
    }
}

/// The schema of a field, without its description.
fn schema(field: &Field, definitions: &mut Definitions) -> Json {
    let kind = field.kind;
    match kind.shape {
        Shape::String if field.name == ID => name_schema(),
        Shape::String | Shape::Optional | Shape::Tags => text_schema(),
        Shape::Day => json!({ "type": "string", "pattern": kind.pattern }),
        Shape::Flag => {
            let mut schema = Flag.schema(definitions);
            schema["default"] = Json::Bool(field.get(&VideoRecord::default()) == Value::from(1));
            schema
        }
        Shape::Integer => count(1).schema(definitions),
        Shape::Choice => {
            let numbers = kind
                .words
                .iter()
                .filter_map(|word| word.parse::<u32>().ok())
                .map(Json::from);
            one_of(numbers.chain(kind.words.iter().map(|word| Json::from(*word))))
        }
        Shape::Codes => {
            let code = json!({ "type": ["string", "number"], "pattern": "^[A-Za-z]{2}$" });
            json!({ "anyOf": [{ "type": ["string", "null"] }, { "type": ["array", "null"], "items": code }] })
        }
        Shape::ByKey => {
            let keys = kind.keys.iter();
            let known: Map<String, Json> = keys
                .map(|key| ((*key).to_owned(), described("A URL.", text_schema())))
                .collect();
            json!({
                "type": ["object", "null"],
                "properties": known,
                "additionalProperties": described("A value with another key.", text_schema()),
            })
        }
        Shape::Pairs => json!({ "anyOf": [
            { "type": ["object", "null"], "additionalProperties": described("A value.", text_schema()) },
            { "type": "array", "items": {
                "type": "array",
                "minItems": 2,
                "maxItems": 2,
                "items": described("The key, then the value.", text_schema()),
            } },
        ] }),
        Shape::Chapters => {
            let mut chapter = Properties::default();
            chapter.add("timestamp", "When it begins, like \"0:40\".", text_schema());
            chapter.add("title", "Its title.", text_schema());
            chapter.require("timestamp");
            json!({ "type": ["array", "null"], "items": chapter.end("A chapter.") })
        }
    }
}

/// Media URLs by rendition.
struct Renditions;

impl WrittenForm for Renditions {
    type Of = Vec<(Rendition, Arc<str>)>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Self::Of> {
        let entries = reading.keep(node.entries(what, "{ sd: film.mp4 }"))?;
        let mut renditions = Vec::with_capacity(entries.len());
        for (key, node) in entries {
            let known = Rendition::ALL.iter().map(|rendition| rendition.name());
            let rendition = key
                .text
                .parse::<Rendition>()
                .ok()
                .ok_or_else(|| Wrong::unknown(&key.range, "rendition", &key.text, known));
            let (rendition, url) = (reading.keep(rendition), Name.read(node, "a URL", reading));
            renditions.extend(rendition.zip(url));
        }
        Some(renditions)
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        let mut renditions = Properties::default();
        for rendition in Rendition::ALL {
            renditions.add(rendition.name(), "A media URL.", name_schema());
        }
        renditions.end("Media URLs by rendition.")
    }

    fn write(&self, value: &Self::Of, out: &mut Writer) {
        out.refuse(|_| twice("rendition", value.iter().map(|(of, _)| of.name())));
        out.object(|out| {
            for (rendition, url) in value {
                write_field(rendition.name(), &Name, url, out);
            }
        });
    }
}
