//! The reader of a field's value, wherever it is written: in JSON, in a scenario or in page code.
//!
//! Forms of the edit call hold strings only: those are read by
//! [`FieldKind::read`](super::FieldKind::read), which this reader uses too.
//!
//! Rules: EDIT-12, EDIT-27, EDIT-29, EDIT-30, EDIT-32, EDIT-33, META-1, CON-19, CH-9.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::fault::{InvalidValue, quoted};
use super::{Field, FieldKind, Shape, ValueSource};
use playsim_base::escape;
use playsim_base::value::{Fields, Text, Value};
use playsim_base::words;

/// A value in one of the forms in which records are written.
pub trait Written: Sized {
    /// Returns its type and content.
    fn seen(&self) -> Seen<'_, Self>;
}

/// The type and content of a written value.
pub enum Seen<'a, W> {
    /// Null or missing.
    Nothing,
    /// A truth value.
    Truth(bool),
    /// A number in its spelling.
    Number(Cow<'a, str>),
    /// A string.
    Text(&'a str),
    /// A list.
    List(&'a [W]),
    /// Named values in their order.
    Map(Vec<(&'a str, &'a W)>),
    /// A value that no field accepts, formatted for messages.
    Other(String),
}

/// One error in a value.
pub struct Wrong<'a, W> {
    /// The value, or the object with the key.
    pub at: &'a W,
    /// The key, if the key is wrong.
    pub key: Option<&'a str>,
    /// The message, without the suggestion.
    pub message: String,
    /// The suggestion: the value that was probably intended.
    pub meant: Option<String>,
}

impl Field {
    /// Reads a value that is written under one of the field's names, and reports to `wrong` the
    /// errors with it. `None`: there is nothing usable.
    pub fn read<'w, W: Written>(
        &self,
        written: &'w W,
        name: &str,
        source: ValueSource<'_>,
        wrong: &mut dyn FnMut(Wrong<'w, W>),
    ) -> Option<Value> {
        Reading {
            kind: self.kind,
            name,
            source,
            wrong,
        }
        .value(written)
    }
}

struct Reading<'r, 'w, W> {
    kind: &'static FieldKind,
    name: &'r str,
    source: ValueSource<'r>,
    wrong: &'r mut dyn FnMut(Wrong<'w, W>),
}

/// The location of a string, a value or a key of an object, and its name in messages if it is only
/// a part of the field's value.
struct StringPlace<'w, 'p, W> {
    at: &'w W,
    key: Option<&'w str>,
    part: Option<&'p str>,
}

impl<'w, W> StringPlace<'w, '_, W> {
    fn of(at: &'w W) -> StringPlace<'w, 'static, W> {
        StringPlace {
            at,
            key: None,
            part: None,
        }
    }
}

impl<'w, W: Written> Reading<'_, 'w, W> {
    fn value(&mut self, written: &'w W) -> Option<Value> {
        match self.kind.shape {
            Shape::String | Shape::Optional | Shape::Day => self.single(written),
            Shape::Tags => match written.seen().list() {
                Some(items) if self.is_page() => {
                    let tags: Vec<_> = items
                        .iter()
                        .filter_map(|item| self.text(StringPlace::of(item)))
                        .collect();
                    let tags = tags
                        .iter()
                        .map(|tag| tag.trim())
                        .filter(|tag| !tag.is_empty());
                    Some(Value::from(tags.collect::<Vec<_>>().join(",")))
                }
                Some(_) | None => self.single(written),
            },
            Shape::Flag | Shape::Integer | Shape::Choice => self.integer(written),
            Shape::Codes => self.codes(written),
            Shape::ByKey => self.by_key(written),
            Shape::Pairs => self.pairs(written),
            Shape::Chapters => self.chapters(written),
        }
    }

    /// A field that is one string. In page code an empty string counts as missing.
    fn single(&mut self, written: &'w W) -> Option<Value> {
        let text = self
            .text(StringPlace::of(written))
            .filter(|text| !text.is_empty() || !self.is_page())?;
        self.check(StringPlace::of(written), &text)
    }

    fn integer(&mut self, written: &'w W) -> Option<Value> {
        let is_flag = self.kind.shape == Shape::Flag;
        match (written.seen(), self.source) {
            (Seen::Nothing, ValueSource::Catalog) => Some(Value::Null),
            (Seen::Truth(truth), _) if is_flag => Some(Value::from(u8::from(truth))),
            (Seen::Text(word), ValueSource::Scenario) if self.kind.shape != Shape::Choice => {
                let meant = words::truth(word)
                    .filter(|_| is_flag)
                    .map(|truth| truth.to_string());
                self.wrong(
                    StringPlace::of(written),
                    InvalidValue {
                        meant,
                        ..InvalidValue::default()
                    },
                )
            }
            (Seen::Number(text), _) => self.check(StringPlace::of(written), &text),
            (Seen::Text(text), _) => self.check(StringPlace::of(written), text),
            _ => self.wrong(StringPlace::of(written), InvalidValue::default()),
        }
    }

    fn codes(&mut self, written: &'w W) -> Option<Value> {
        if let Seen::Text(text) = written.seen() {
            return self.check(StringPlace::of(written), text);
        }
        let Some(items) = written.seen().list() else {
            return self.unusable(written);
        };
        let mut codes = Vec::with_capacity(items.len());
        for item in items {
            let text = self.text(StringPlace {
                part: Some("an item"),
                ..StringPlace::of(item)
            });
            if let Some(Value::List(more)) =
                text.and_then(|text| self.check(StringPlace::of(item), &text))
            {
                codes.extend(more);
            }
        }
        Some(Value::List(codes))
    }

    fn by_key(&mut self, written: &'w W) -> Option<Value> {
        let Some(entries) = written.seen().entries() else {
            return self.unusable(written);
        };
        let mut read = Fields::NONE;
        for (key, value) in entries {
            let part = format!("pixel {}", escape::shown(key));
            if let Some(text) = self.text(StringPlace {
                part: Some(&part),
                ..StringPlace::of(value)
            }) {
                read.push(Text::from(key.to_owned()), text.into_owned());
            }
        }
        Some(Value::Map(read))
    }

    fn pairs(&mut self, written: &'w W) -> Option<Value> {
        const KEY: Option<&str> = Some("the key of a custom parameter");
        let mut pairs = Vec::new();
        if let Seen::Map(entries) = written.seen() {
            for (key, value) in entries {
                pairs.extend(self.pair(
                    StringPlace {
                        at: written,
                        key: Some(key),
                        part: KEY,
                    },
                    key,
                    value,
                ));
            }
            return Some(Value::List(pairs));
        }
        let Some(items) = written.seen().list() else {
            return self.unusable(written);
        };
        for item in items {
            if let Seen::List([key, value]) = item.seen() {
                let place = || StringPlace {
                    part: KEY,
                    ..StringPlace::of(key)
                };
                if let Some(text) = self.text(place()) {
                    pairs.extend(self.pair(place(), &text, value));
                }
            } else {
                let fault = InvalidValue::new(
                    "",
                    "it must be a key and its value, like [\"genre\", \"news\"]",
                );
                self.wrong::<()>(
                    StringPlace {
                        part: Some("a custom parameter"),
                        ..StringPlace::of(item)
                    },
                    fault,
                );
            }
        }
        Some(Value::List(pairs))
    }

    fn pair(&mut self, key: StringPlace<'w, '_, W>, name: &str, value: &'w W) -> Option<Value> {
        let key = self.check(key, name)?;
        let part = format!("parameter {}", escape::shown(name));
        let text = self.text(StringPlace {
            part: Some(&part),
            ..StringPlace::of(value)
        })?;
        let is_dropped = text.is_empty() && self.is_page();
        (!is_dropped).then(|| Value::List(vec![key, Value::from(text.into_owned())]))
    }

    fn chapters(&mut self, written: &'w W) -> Option<Value> {
        let Some(items) = written.seen().list() else {
            return self.unusable(written);
        };
        Some(Value::List(
            items.iter().filter_map(|item| self.chapter(item)).collect(),
        ))
    }

    fn chapter(&mut self, item: &'w W) -> Option<Value> {
        const EXAMPLE: &str = "{ \"timestamp\": \"0:40\", \"title\": \"Middle\" }";
        const NAMES: [&str; 2] = ["timestamp", "title"];
        let Some(entries) = item.seen().entries() else {
            let fault = InvalidValue::new("", format!("it must be an object, like {EXAMPLE}"));
            return self.wrong(
                StringPlace {
                    part: Some("a chapter"),
                    ..StringPlace::of(item)
                },
                fault,
            );
        };
        let unknown = entries
            .iter()
            .filter(|(key, _)| !NAMES.contains(key) && !self.is_page());
        let unknown: Vec<&str> = unknown.map(|(key, _)| *key).collect();
        for key in &unknown {
            let (message, meant) = words::unknown_or_meant("field of a chapter", key, NAMES);
            let meant = meant.map(str::to_owned);
            (self.wrong)(Wrong {
                at: item,
                key: Some(key),
                message,
                meant,
            });
        }
        let parts = NAMES.map(|name| {
            let (_, value) = entries
                .iter()
                .find(|(key, value)| *key == name && !self.is_missing(*value))?;
            let value: &'w W = value;
            let part = format!("the {name} of a chapter");
            Some((
                value,
                self.text(StringPlace {
                    part: Some(&part),
                    ..StringPlace::of(value)
                }),
            ))
        });
        let [timestamp, title] = parts;
        let title = title
            .map_or(Some("".into()), |(_, title)| title)?
            .into_owned();
        let Some((at, text)) =
            timestamp.filter(|(_, text)| !self.is_page() || text.as_deref() != Some(""))
        else {
            if unknown.is_empty() {
                let message =
                    format!("a chapter has no \"timestamp\"; it needs one, like {EXAMPLE}");
                (self.wrong)(Wrong {
                    at: item,
                    key: None,
                    message,
                    meant: None,
                });
            }
            return None;
        };
        let timestamp = self.check(
            StringPlace {
                part: Some("the timestamp of a chapter"),
                ..StringPlace::of(at)
            },
            &text?,
        )?;
        Some(Value::Map(
            Fields::one("timestamp", timestamp).with("title", title),
        ))
    }

    /// A string. In scenarios and page code it may be a number, which is read as written; anything
    /// else in page code counts as an empty string.
    fn text(&mut self, place: StringPlace<'w, '_, W>) -> Option<Cow<'w, str>> {
        match (place.at.seen(), self.source) {
            (Seen::Text(text), _) => Some(text.into()),
            (Seen::Number(number), ValueSource::Scenario | ValueSource::Page) => Some(number),
            (Seen::Nothing, ValueSource::Catalog) if place.part.is_none() => Some("".into()),
            (_, ValueSource::Page) => Some("".into()),
            (Seen::Truth(truth), ValueSource::Scenario) => {
                let fault = InvalidValue::new("", "it must be a string; put it in quotes");
                self.wrong(
                    place,
                    InvalidValue {
                        meant: Some(format!("'{truth}'")),
                        ..fault
                    },
                )
            }
            _ => {
                let due = if place.part.is_some() {
                    "it must be a string"
                } else {
                    ""
                };
                self.wrong(place, InvalidValue::new("", due))
            }
        }
    }

    /// A string, read as a value of the field.
    fn check(&mut self, place: StringPlace<'w, '_, W>, text: &str) -> Option<Value> {
        match self.kind.read(text, self.source) {
            Ok(value) => Some(value),
            Err(fault) => self.wrong(place, fault),
        }
    }

    /// Reports that the whole value is wrong, except to page code.
    fn unusable<T>(&mut self, written: &'w W) -> Option<T> {
        if self.is_page() {
            None
        } else {
            self.wrong(StringPlace::of(written), InvalidValue::default())
        }
    }

    fn wrong<T>(&mut self, place: StringPlace<'w, '_, W>, mut fault: InvalidValue) -> Option<T> {
        if fault.due.is_empty() {
            fault.due = format!("it must be {}", self.kind.takes_from(self.source));
        }
        let StringPlace { at, key, part } = place;
        let subject = match (part, self.source) {
            (Some(part), ValueSource::Catalog) => format!("field \"{}\": {part}", self.name),
            (Some(part), _) => part.to_owned(),
            (None, ValueSource::Catalog) => format!("field \"{}\"", self.name),
            (None, _) => format!("\"{}\"", self.name),
        };
        let message = fault.message(
            &subject,
            &key.map_or_else(|| found(at, self.source), quoted),
        );
        (self.wrong)(Wrong {
            at,
            key,
            message,
            meant: fault.meant,
        });
        None
    }

    /// Whether a part of the value counts as missing. In a scenario null is a mistake.
    fn is_missing(&self, part: &W) -> bool {
        matches!(part.seen(), Seen::Nothing) && !matches!(self.source, ValueSource::Scenario)
    }

    fn is_page(&self) -> bool {
        matches!(self.source, ValueSource::Page)
    }
}

impl<'a, W> Seen<'a, W> {
    /// The items of a list; a missing value counts as an empty list.
    fn list(self) -> Option<&'a [W]> {
        if let Seen::List(items) = self {
            return Some(items);
        }
        matches!(self, Seen::Nothing).then_some(&[])
    }

    /// Names and values of an object; a missing value counts as an empty object.
    fn entries(self) -> Option<Vec<(&'a str, &'a W)>> {
        let is_nothing = matches!(self, Seen::Nothing);
        if let Seen::Map(entries) = self {
            Some(entries)
        } else {
            is_nothing.then(Vec::new)
        }
    }
}

/// Formats a value for messages.
fn found<W: Written>(written: &W, source: ValueSource<'_>) -> String {
    match written.seen() {
        Seen::Nothing if matches!(source, ValueSource::Scenario) => "empty".to_owned(),
        Seen::Nothing => "null".to_owned(),
        Seen::Truth(truth) => truth.to_string(),
        Seen::Number(number) => escape::shown(&number),
        Seen::Text(text) => quoted(text),
        Seen::List(_) => "a list".to_owned(),
        Seen::Map(_) => "an object".to_owned(),
        Seen::Other(shown) => shown,
    }
}

impl Written for Json {
    fn seen(&self) -> Seen<'_, Json> {
        match self {
            Json::Null => Seen::Nothing,
            Json::Bool(truth) => Seen::Truth(*truth),
            Json::Number(number) => Seen::Number(number.to_string().into()),
            Json::String(text) => Seen::Text(text),
            Json::Array(items) => Seen::List(items),
            Json::Object(entries) => Seen::Map(
                entries
                    .iter()
                    .map(|(key, value)| (key.as_str(), value))
                    .collect(),
            ),
        }
    }
}

impl Written for Value {
    fn seen(&self) -> Seen<'_, Value> {
        match self {
            Value::Undefined | Value::Null => Seen::Nothing,
            Value::Bool(truth) => Seen::Truth(*truth),
            Value::Number(number) => Seen::Number(number.to_string().into()),
            Value::Text(text) => Seen::Text(text),
            Value::List(items) => Seen::List(items),
            Value::Map(fields) => {
                Seen::Map(fields.iter().map(|(key, value)| (&**key, value)).collect())
            }
            Value::NaN | Value::Infinity | Value::NegativeInfinity | Value::Function(_) => {
                Seen::Other(self.to_string())
            }
        }
    }
}
