//! How the types that a record is made of become values, and are set from them.

use std::sync::Arc;

use super::{AgeGate, ChapterMark, Day};
use playsim_base::value::{Fields, Value};

/// A part of a record that a row of the table reads and sets.
pub(super) trait Slot {
    /// Returns its value, as JSON shows it.
    fn get(&self) -> Value;
    /// Sets it to a value that its kind has read.
    fn set(&mut self, value: &Value);
}

/// Slots: the type, how it becomes a value, how a value becomes it.
macro_rules! slots {
    ($($of:ty: |$slot:ident| $get:expr, |$value:ident| $set:expr;)*) => {$(
        impl Slot for $of {
            fn get(&self) -> Value {
                let $slot = self;
                $get
            }

            fn set(&mut self, $value: &Value) {
                *self = $set;
            }
        }
    )*};
}

slots! {
    Arc<str>: |text| Value::from(text), |value| text(value).unwrap_or_default();
    Option<Arc<str>>: |text| text.as_ref().map_or(Value::Null, Value::from), |value| text(value);
    Option<u32>: |number| number.map_or(Value::Null, Value::from),
        |value| value.as_integer().and_then(|number| u32::try_from(number).ok());
    Option<AgeGate>: |gate| gate.map_or(Value::Null, |gate| Value::from(gate as u8 + 1)),
        |value| value.as_integer().and_then(|number| AgeGate::from_name(&number.to_string()));
    Option<Day>: |day| day.map_or(Value::Null, |day| Value::from(day.to_string())),
        |value| value.as_text().and_then(|text| text.parse::<Day>().ok());
    bool: |flag| Value::from(u8::from(*flag)), |value| value.as_integer() == Some(1);
    Vec<Arc<str>>: |items| Value::List(items.iter().map(Value::from).collect()),
        |value| items(value).filter_map(text).collect();
    Vec<(Arc<str>, Arc<str>)>: |pairs| Value::List(pairs.iter().map(pair).collect()),
        |value| items(value).filter_map(read_pair).collect();
    Vec<ChapterMark>: |chapters| Value::List(chapters.iter().map(chapter).collect()),
        |value| items(value).filter_map(read_chapter).collect();
}

fn text(value: &Value) -> Option<Arc<str>> {
    value.as_text().map(|text| Arc::from(&**text))
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_list().unwrap_or_default().iter()
}

fn pair((key, value): &(Arc<str>, Arc<str>)) -> Value {
    Value::List(vec![Value::from(key), Value::from(value)])
}

fn read_pair(value: &Value) -> Option<(Arc<str>, Arc<str>)> {
    let [key, value] = value.as_list()? else {
        return None;
    };
    Some((text(key)?, text(value)?))
}

fn chapter(mark: &ChapterMark) -> Value {
    Value::Map(Fields::one("timestamp", &mark.timestamp).with("title", &mark.title))
}

fn read_chapter(value: &Value) -> Option<ChapterMark> {
    let fields = value.as_map()?;
    let title = fields.get("title").and_then(text).unwrap_or_default();
    Some(ChapterMark {
        timestamp: text(fields.get("timestamp")?)?,
        title,
    })
}
