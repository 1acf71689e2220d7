//! The fields of a record: a row each, with its names, its values, its meaning and where it is
//! kept.
//!
//! A new field is a row here and a field of [`VideoRecord`]. Forms of the edit call, records as
//! JSON, `videos` of a scenario, video objects of page code and all schemas use these rows.
//!
//! Rules: EDIT-6, EDIT-15 to EDIT-34, CON-3, CON-19, CON-27, CON-38.

use super::VideoRecord;
use super::kind::{self, FieldKind};
use super::slot::Slot;
use playsim_base::value::{Fields, Value};
use playsim_rules::{self as rules, RuleId};

/// The field that says which video a record is of.
pub const ID: &str = "id";
/// The field that says which account owns a video. Rule EDIT-34.
pub const OWNER: &str = "partner_id";

/// One row: a field of the record.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name in a record's JSON, in `videos` of a scenario and in messages.
    pub name: &'static str,
    /// Its names in forms, without prefix; the first spelling is that of the reference's table.
    pub form: &'static [&'static str],
    /// Other spellings in scenarios and page code. Rule CON-3.
    pub also: &'static [&'static str],
    /// Its place in forms with prefix. Rule EDIT-6.
    pub group: Group,
    /// Its values.
    pub kind: &'static FieldKind,
    /// The rule that says so.
    pub rule: RuleId,
    /// Its meaning, in a sentence.
    pub about: &'static str,
    /// A string that it accepts.
    pub example: &'static str,
    /// The video objects of page code that have it: these and those that hold more.
    pub inline: Inline,
    /// Its place in a scenario that is written out, on which the scenario's digest depends; fields
    /// with [`LAST`] follow all others, in the order of the table.
    pub place: u8,
    /// Whether it is for audience measurement: the record keeps those that are set as pairs, and
    /// JSON omits the others. Rule EDIT-28.
    pub is_measured: bool,
    get: fn(&VideoRecord) -> Value,
    set: fn(&mut VideoRecord, &Value),
}

/// The place of fields that are written after everything else of a video.
pub const LAST: u8 = u8::MAX;

/// The place of a field in forms with prefix. Rule EDIT-6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// In `data[Video][name]`.
    Video,
    /// In `data[Name]`: it is a group of its own.
    Own,
}

/// Where page code writes a video out, from what holds the least to what holds all fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Inline {
    /// The argument of `src`. Rules SRC-1, SRC-6, SRC-8.
    Source,
    /// An item of a playlist file. Rule LPL-2.
    File,
    /// The configuration of a player. Rule INIT-10.
    Config,
}

use Inline::{File, Source};

/// Rows: `"name" slot: KIND RULE, "example", "What it means.";`, with columns that differ from the
/// usual ones before the semicolon. A slot is a field of the record, or a pair of functions.
macro_rules! record_fields {
    ($($name:literal $slot:tt: $kind:ident $rule:ident, $example:literal, $about:literal
        $(, $column:ident = $value:expr)*;)*) => {
        &[$(Field {
            $($column: $value,)*
            ..Field {
                name: $name,
                form: &[$name],
                also: &[],
                group: Group::Video,
                kind: &kind::$kind,
                rule: rules::$rule,
                about: $about,
                example: $example,
                inline: Inline::Config,
                place: LAST,
                is_measured: record_fields!(@is_measured $slot),
                get: record_fields!(@get $slot $name),
                set: record_fields!(@set $slot $name),
            }
        }),*]
    };
    (@is_measured measured) => { true };
    (@is_measured $slot:tt) => { false };
    (@get measured $name:literal) => { |record| record.measured($name) };
    (@set measured $name:literal) => {
        |record, value| record.set_comscore($name, value.as_text().map_or("", |text| text))
    };
    (@get ($get:expr, $set:expr) $name:literal) => { $get };
    (@set ($get:expr, $set:expr) $name:literal) => { $set };
    (@get $slot:ident $name:literal) => { |record| record.$slot.get() };
    (@set $slot:ident $name:literal) => { |record, value| record.$slot.set(value) };
}

/// All rows, in the order of the reference's table.
const FIELDS: &[Field] = record_fields! {
    "id" id: ID EDIT_11, "v1", "Its id.", place = 0, inline = Source;
    "partner_id" partner_id: OWNER EDIT_34, "p1", "The account that owns it.", place = 6;
    "name" name: NAME EDIT_15, "Big film", "Its name: the player's title.", place = 1, inline = Source;
    "tags" tags: TAGS EDIT_16, "news, sport", "Its tags, separated by commas.", place = 2, inline = File;
    "clickthroughURL" clickthrough: URL EDIT_17, "https://shop.test/", "The page that a click on it opens.",
        form = &["clickthroughURL", "clickthroughUrl"], also = &["clickthrough"], inline = File;
    "channel_id" channel_id: CHANNEL EDIT_19, "7", "The channel that it belongs to.", place = 7;
    "age_gate_id" age_gate: AGE_GATE EDIT_20, "1", "Its audience: 1 everyone, 2 from 17, 3 from 18.", place = 8;
    "publish" publish: DATE EDIT_21, "31-01-2026", "The first day it is published.", place = 10;
    "kill_date" kill_date: END_DATE EDIT_22, "31-12-2026",
        "The first day it is no longer published; all zeros: it stays.", place = 11;
    "rejected" rejected: FLAG EDIT_24, "0", "1 excludes it from playlists.", place = 5;
    "image" image: URL EDIT_18, "https://pictures.test/v1.png", "The URL of its picture.",
        place = 3, inline = Source;
    "monetize" monetize: FLAG EDIT_25, "1", "0: no ads are shown with it.", place = 4, inline = Source;
    "geo_on" geo_on: SWITCH EDIT_26, "true", "Whether it is only for the countries of `geo`.", place = 12;
    "geo" geo: COUNTRIES EDIT_27, "US, CA", "The countries, as two letters each.", place = 13;
    "pixels" (pixels, add_pixels): PIXELS EDIT_29, "https://pixels.test/i",
        "Tracking pixels, by their keys.", place = 9;
    "ns_st_sn" measured: TEXT EDIT_28, "1", "Season number.";
    "ns_st_en" measured: TEXT EDIT_28, "1", "Episode number.";
    "ns_st_ge" measured: TEXT EDIT_28, "1", "Genre.";
    "ns_st_ddt" measured: AIR_DATE EDIT_28, "2026-01-31", "Digital air date.";
    "ns_st_tdt" measured: AIR_DATE EDIT_28, "2026-01-31", "TV air date.";
    "ns_st_st" measured: TEXT EDIT_28, "1", "Station title.";
    "ns_st_pu" measured: TEXT EDIT_28, "1", "Publisher brand.";
    "ns_st_ce" measured: TEXT_FLAG EDIT_28, "0", "Whether it is a complete episode, as a string.";
    "ns_user_gen" measured: TEXT_FLAG EDIT_28, "0", "Whether users made it, as a string.";
    "custom_params" custom_params: PAIRS EDIT_30, "genre",
        "Custom targeting parameters: keys and their values; a key may occur more than once.",
        form = &["CustomParam"], group = Group::Own, place = 15;
    "chapters" chapters: CHAPTERS EDIT_33, "0:40", "Chapters: times and titles.",
        form = &["Chapter"], group = Group::Own, place = 14;
};

/// All fields: those of the reference's table, audience measurement, parameters, chapters.
pub fn fields() -> impl Iterator<Item = &'static Field> + Clone {
    FIELDS.iter()
}

/// The field of this name in a record's JSON, where a second spelling of forms counts too. Rule
/// CON-3.
#[must_use]
pub fn field(name: &str) -> Option<&'static Field> {
    fields().find(|field| {
        field.name == name || (field.group == Group::Video && field.form.contains(&name))
    })
}

impl Field {
    /// Its names in scenarios and page code, the best first. Rule CON-3.
    pub fn spellings(&self) -> impl Iterator<Item = &'static str> {
        let forms = self.form.iter().filter(|_| self.group == Group::Video);
        let others = forms
            .chain(self.also)
            .copied()
            .filter(|spelling| *spelling != self.name);
        std::iter::once(self.name).chain(others)
    }

    /// Its names in forms, with or without prefix, with the brackets that belong to it. Rule
    /// EDIT-6.
    ///
    /// A field in two lists has both, and pixels have each key that the reference names.
    #[must_use]
    pub fn form_names(&self, has_prefix: bool) -> Vec<String> {
        let lists = self
            .kind
            .lists
            .iter()
            .map(|(list, _)| format!("[{list}][]"));
        let mut brackets: Vec<String> = lists
            .chain(self.kind.keys.iter().map(|key| format!("[{key}]")))
            .collect();
        if brackets.is_empty() {
            brackets.push(String::new());
        }
        let heads = self
            .form
            .iter()
            .map(|form| self.form_name(form, has_prefix));
        heads
            .flat_map(|head| {
                brackets
                    .iter()
                    .map(move |bracket| format!("{head}{bracket}"))
            })
            .collect()
    }

    /// One of its names in forms, without the brackets that belong to it. Rule EDIT-6.
    pub fn form_name(&self, form: &str, has_prefix: bool) -> String {
        match (has_prefix, self.group) {
            (false, _) => form.to_owned(),
            (true, Group::Video) => format!("data[Video][{form}]"),
            (true, Group::Own) => format!("data[{form}]"),
        }
    }

    /// Returns its value in a record, as JSON shows it.
    #[must_use]
    pub fn get(&self, record: &VideoRecord) -> Value {
        (self.get)(record)
    }

    /// Sets its value in a record to one that this field's kind has read; null means that of a new
    /// record.
    ///
    /// Pixels are added to the existing ones; every other value replaces the former one. A value of
    /// another kind changes nothing, or sets the same as an empty value.
    pub fn set(&self, record: &mut VideoRecord, value: &Value) {
        if *value == Value::Null {
            (self.set)(record, &(self.get)(&VideoRecord::default()));
        } else {
            (self.set)(record, value);
        }
    }
}

fn pixels(record: &VideoRecord) -> Value {
    Value::Map(
        record
            .pixels
            .iter()
            .map(|(key, text)| (key.into(), Value::from(text)))
            .collect(),
    )
}

fn add_pixels(record: &mut VideoRecord, value: &Value) {
    for (key, text) in value.as_map().unwrap_or(&Fields::NONE).iter() {
        record.set_pixel(key, text.as_text().map_or("", |text| text));
    }
}
