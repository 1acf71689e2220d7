//! The fields of a record: a row each, with its names, what it takes, what it means and where it is kept.
//!
//! Reading forms, records as JSON and the description of the service all come from these rows.
//!
//! Rules: EDIT-6, EDIT-15 to EDIT-34, CON-3, CON-19, CON-27, CON-38.

use std::sync::Arc;

use super::kind::FieldKind;
use crate::api::{Fields, Text, Value};
use crate::rule;
use crate::rules::RuleId;
use crate::video::{AgeGate, COMSCORE, ChapterMark, Day, PIXELS, Record};

/// One row: a field of the record.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// What it is called in a record's JSON, in `videos:` of a scenario and in messages.
    pub name: &'static str,
    /// What it is called in forms, bare; the first spelling is that of the reference's table.
    pub form: &'static [&'static str],
    /// Where it stands in forms with prefix. Rule EDIT-6.
    pub group: Group,
    /// What it takes.
    pub kind: FieldKind,
    /// The rule that says so.
    pub rule: RuleId,
    /// What it means, in a sentence.
    pub about: &'static str,
    /// A text that it takes.
    pub example: &'static str,
    slot: Slot,
}

/// Where a field stands in forms with prefix. Rule EDIT-6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// In `data[Video][name]`.
    Video,
    /// In `data[Name]`: it is a group of its own.
    Own,
}

/// Where a record keeps it.
#[derive(Debug, Clone, Copy)]
enum Slot {
    Id,
    Partner,
    Name,
    Tags,
    Clickthrough,
    Channel,
    AgeGate,
    Publish,
    KillDate,
    Rejected,
    Image,
    Monetize,
    GeoOn,
    Geo,
    Pixels,
    Comscore(&'static str),
    Params,
    Chapters,
}

macro_rules! rows {
    ($($name:literal $form:expr, $group:ident, $slot:ident, $kind:ident, $rule:literal, $example:literal, $about:literal;)*) => {
        &[$(Field {
            name: $name,
            form: $form,
            group: Group::$group,
            kind: FieldKind::$kind,
            rule: rule!($rule),
            about: $about,
            example: $example,
            slot: Slot::$slot,
        },)*]
    };
}

const FIRST: &[Field] = rows! {
    "id" &["id"], Video, Id, Id, "EDIT-11", "v1", "Its id.";
    "partner_id" &["partner_id"], Video, Partner, Owner, "EDIT-34", "p1", "The account that owns it.";
    "name" &["name"], Video, Name, Name, "EDIT-15", "Big film", "Its name: the player's title.";
    "tags" &["tags"], Video, Tags, Tags, "EDIT-16", "news, sport", "Its tags, separated by commas.";
    "clickthroughURL" &["clickthroughURL", "clickthroughUrl"], Video, Clickthrough, Address, "EDIT-17",
        "https://shop.test/", "Where a click on it leads.";
    "channel_id" &["channel_id"], Video, Channel, Channel, "EDIT-19", "7", "The channel that it belongs to.";
    "age_gate_id" &["age_gate_id"], Video, AgeGate, AgeGate, "EDIT-20", "1",
        "For whom it is meant: 1 everyone, 2 from 17, 3 from 18.";
    "publish" &["publish"], Video, Publish, Date, "EDIT-21", "31-01-2026", "The first day it is published.";
    "kill_date" &["kill_date"], Video, KillDate, EndDate, "EDIT-22", "31-12-2026",
        "The first day it is not published any more; all zeros: it stays.";
    "rejected" &["rejected"], Video, Rejected, Flag, "EDIT-24", "0", "1 leaves it out of playlists.";
    "image" &["image"], Video, Image, Address, "EDIT-18", "https://pictures.test/v1.png",
        "The address of its picture.";
    "monetize" &["monetize"], Video, Monetize, Flag, "EDIT-25", "1", "0: no ads are shown with it.";
    "geo_on" &["geo_on"], Video, GeoOn, Switch, "EDIT-26", "true",
        "Whether it is only for the countries of `geo`.";
    "geo" &["geo"], Video, Geo, Countries, "EDIT-27", "US, CA", "Countries as two letters, separated by commas.";
    "pixels" &["pixels"], Video, Pixels, Pixels, "EDIT-29", "https://pixels.test/i",
        "Tracking pixels, by their keys.";
};

const LAST: &[Field] = rows! {
    "custom_params" &["CustomParam"], Own, Params, Pairs, "EDIT-30", "genre",
        "Custom targeting parameters: keys and values that go together by their order.";
    "chapters" &["Chapter"], Own, Chapters, Chapters, "EDIT-33", "0:40",
        "Chapters: times and titles that go together by their order.";
};

/// All fields: those of the reference's table, audience measurement, parameters, chapters.
pub fn fields() -> impl Iterator<Item = Field> {
    let comscore = COMSCORE.iter().map(|(name, about)| Field {
        name,
        form: std::slice::from_ref(name),
        group: Group::Video,
        kind: FieldKind::comscore(name),
        rule: rule!("EDIT-28"),
        about,
        example: FieldKind::comscore(name).example(),
        slot: Slot::Comscore(name),
    });
    FIRST.iter().copied().chain(comscore).chain(LAST.iter().copied())
}

/// The field of this name in a record's JSON; a second spelling of forms counts too. Rule CON-3.
#[must_use]
pub fn field(name: &str) -> Option<Field> {
    fields().find(|field| field.name == name || (field.group == Group::Video && field.form.contains(&name)))
}

impl Field {
    /// What it is called in forms, bare or with prefix, with the brackets that belong to it. Rule EDIT-6.
    ///
    /// Of a field in two lists both come, of pixels each that the reference names.
    #[must_use]
    pub fn form_names(&self, has_prefix: bool) -> Vec<String> {
        let brackets: Vec<String> = match (self.kind, self.kind.lists()) {
            (_, Some((first, second))) => vec![format!("[{first}][]"), format!("[{second}][]")],
            (FieldKind::Pixels, None) => PIXELS.iter().map(|key| format!("[{key}]")).collect(),
            (_, None) => vec![String::new()],
        };
        let named = |name: &&str| match (has_prefix, self.group) {
            (false, _) => (*name).to_owned(),
            (true, Group::Video) => format!("data[Video][{name}]"),
            (true, Group::Own) => format!("data[{name}]"),
        };
        let heads = self.form.iter().map(named);
        heads.flat_map(|head| brackets.iter().map(move |bracket| format!("{head}{bracket}"))).collect()
    }

    /// Its value in a record, as JSON shows it.
    #[must_use]
    pub fn get(&self, record: &Record) -> Value {
        let flag = |flag: bool| Value::from(u8::from(flag));
        match self.slot {
            Slot::Id => Value::from(&record.id),
            Slot::Partner => optional(record.partner_id.as_ref()),
            Slot::Name => Value::from(&record.name),
            Slot::Tags => Value::from(&record.tags),
            Slot::Clickthrough => optional(record.clickthrough.as_ref()),
            Slot::Channel => record.channel_id.map_or(Value::Null, Value::from),
            Slot::AgeGate => record.age_gate.map_or(Value::Null, |gate| Value::from(gate as u8 + 1)),
            Slot::Publish => record.publish.map_or(Value::Null, |day| Value::from(day.to_string())),
            Slot::KillDate => record.kill_date.map_or(Value::Null, |day| Value::from(day.to_string())),
            Slot::Rejected => flag(record.rejected),
            Slot::Image => optional(record.image.as_ref()),
            Slot::Monetize => flag(record.monetize),
            Slot::GeoOn => flag(record.geo_on),
            Slot::Geo => Value::List(record.geo.iter().map(Value::from).collect()),
            Slot::Pixels => map(&record.pixels),
            Slot::Comscore(name) => {
                let found = record.comscore.iter().find(|(known, _)| **known == *name);
                found.map_or_else(|| Value::from(""), |(_, text)| Value::from(text))
            }
            Slot::Params => Value::List(record.custom_params.iter().map(pair).collect()),
            Slot::Chapters => Value::List(record.chapters.iter().map(chapter).collect()),
        }
    }

    /// Puts a value into a record that this field's kind has read.
    ///
    /// Pixels are put beside those there are; every other value takes the place of the former one. What is
    /// no value of this kind changes nothing.
    pub fn set(&self, record: &mut Record, value: &Value) {
        let text = || value.as_text().map(|text| Arc::from(&**text));
        let day = || value.as_text().and_then(|text| Day::read(text));
        let items = || value.as_list().unwrap_or_default();
        let is_set = || value.as_integer() == Some(1);
        match self.slot {
            Slot::Id => record.id = text().unwrap_or_default(),
            Slot::Partner => record.partner_id = text(),
            Slot::Name => record.name = text().unwrap_or_default(),
            Slot::Tags => record.tags = text().unwrap_or_default(),
            Slot::Clickthrough => record.clickthrough = text(),
            Slot::Channel => {
                record.channel_id = value.as_integer().and_then(|number| u32::try_from(number).ok());
            }
            Slot::AgeGate => {
                record.age_gate = value.as_integer().and_then(|number| AgeGate::read(&number.to_string()));
            }
            Slot::Publish => record.publish = day(),
            Slot::KillDate => record.kill_date = day(),
            Slot::Rejected => record.rejected = is_set(),
            Slot::Image => record.image = text(),
            Slot::Monetize => record.monetize = *value == Value::Null || is_set(),
            Slot::GeoOn => record.geo_on = is_set(),
            Slot::Geo => record.geo = items().iter().filter_map(Value::as_text).map(shared).collect(),
            Slot::Pixels => {
                for (key, text) in value.as_map().unwrap_or(&Fields::NONE).iter() {
                    record.set_pixel(key, text.as_text().map_or("", |text| text));
                }
            }
            Slot::Comscore(name) => record.set_comscore(name, &text().unwrap_or_default()),
            Slot::Params => record.custom_params = items().iter().filter_map(read_pair).collect(),
            Slot::Chapters => record.chapters = items().iter().filter_map(read_chapter).collect(),
        }
    }
}

fn optional(text: Option<&Arc<str>>) -> Value {
    text.map_or(Value::Null, Value::from)
}

fn shared(text: &Text) -> Arc<str> {
    Arc::from(&**text)
}

fn map(pairs: &[(Arc<str>, Arc<str>)]) -> Value {
    Value::Map(pairs.iter().map(|(key, text)| (Text::from(key), Value::from(text))).collect())
}

fn pair((key, value): &(Arc<str>, Arc<str>)) -> Value {
    Value::List(vec![Value::from(key), Value::from(value)])
}

fn read_pair(value: &Value) -> Option<(Arc<str>, Arc<str>)> {
    let [key, value] = value.as_list()? else { return None };
    Some((shared(key.as_text()?), shared(value.as_text()?)))
}

fn chapter(mark: &ChapterMark) -> Value {
    Value::Map(Fields::one("timestamp", &mark.timestamp).with("title", &mark.title))
}

fn read_chapter(value: &Value) -> Option<ChapterMark> {
    let fields = value.as_map()?;
    let text = |key| fields.get(key).and_then(Value::as_text).map(shared);
    Some(ChapterMark { timestamp: text("timestamp")?, title: text("title")? })
}
