//! Values of the API and of traces.
//!
//! Not-a-number and infinity are cases of their own; other numbers are exact decimals.
//!
//! Rules: CLK-1, CLK-9.

mod json;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use crate::escape;
use crate::number::Decimal;
use crate::time::{Position, Span};

/// A string that is either part of the program or shared.
#[derive(Clone)]
pub enum Text {
    /// Part of the program: a name, a keyword, a key.
    Static(&'static str),
    /// From a scenario or a document.
    Shared(Arc<str>),
}

/// A JavaScript value, to the extent that the API and the trace need it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// No value.
    Undefined,
    /// JavaScript's null; in traces also an unknown duration. Rule CLK-9.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number with up to six decimals.
    Number(Decimal),
    /// Not a number.
    NaN,
    /// Positive infinity: the duration of a live stream.
    Infinity,
    /// Negative infinity.
    NegativeInfinity,
    /// A string.
    Text(Text),
    /// A list.
    List(Vec<Value>),
    /// An object; its keys keep their order.
    Map(Fields),
    /// A function, with the name of its listener.
    Function(Text),
}

impl Value {
    /// The number that JavaScript takes a decimal literal for; `None` if it is none.
    #[must_use]
    pub fn literal(text: &str) -> Option<Value> {
        Some(match Decimal::literal(text)? {
            Ok(number) => Value::Number(number),
            Err(true) => Value::NegativeInfinity,
            Err(false) => Value::Infinity,
        })
    }
}

/// Named values in their order: a JavaScript object, or the data of a trace line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Fields(Vec<(Text, Value)>);

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        match self {
            Text::Static(text) => text,
            Text::Shared(text) => text,
        }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        **self == **other
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (**self).hash(hasher);
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Text {
        Text::Static(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::Shared(text.into())
    }
}

impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Text {
        Text::Shared(text)
    }
}

impl From<&Arc<str>> for Text {
    fn from(text: &Arc<str>) -> Text {
        Text::Shared(Arc::clone(text))
    }
}

impl<T: Into<Text>> From<T> for Value {
    fn from(text: T) -> Value {
        Value::Text(text.into())
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

impl From<Decimal> for Value {
    fn from(number: Decimal) -> Value {
        Value::Number(number)
    }
}

macro_rules! from_integer {
    ($($type:ty)*) => {$(
        impl From<$type> for Value {
            fn from(integer: $type) -> Value {
                Value::Number(Decimal::from_integer(i64::try_from(integer).unwrap_or(i64::MAX)))
            }
        }
    )*};
}

from_integer!(u8 u16 u32 u64 usize i32 i64);

/// Seconds; the maximum is infinity, the length of a live stream. Rule DUR-2.
impl From<Span> for Value {
    fn from(span: Span) -> Value {
        if span == Span::MAX {
            Value::Infinity
        } else {
            Value::Number(Decimal::seconds(span.micros()))
        }
    }
}

/// Seconds; the maximum is infinity.
impl From<Position> for Value {
    fn from(position: Position) -> Value {
        Value::from(position - Position::ZERO)
    }
}

impl Fields {
    /// No fields.
    pub const NONE: Fields = Fields(Vec::new());

    /// No fields, and capacity for this many.
    #[must_use]
    pub fn with_room(fields: usize) -> Fields {
        Fields(Vec::with_capacity(fields))
    }

    /// One field.
    #[must_use]
    pub fn one(key: impl Into<Text>, value: impl Into<Value>) -> Fields {
        Fields::NONE.with(key, value)
    }

    /// The fields with one more at the end.
    #[must_use]
    pub fn with(mut self, key: impl Into<Text>, value: impl Into<Value>) -> Fields {
        self.push(key, value);
        self
    }

    /// The fields with one more, if there is a value.
    #[must_use]
    pub fn with_some(self, key: impl Into<Text>, value: Option<impl Into<Value>>) -> Fields {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// The fields with others after them.
    #[must_use]
    pub fn and(mut self, others: Fields) -> Fields {
        self.0.extend(others.0);
        self
    }

    /// Adds a field at the end.
    pub fn push(&mut self, key: impl Into<Text>, value: impl Into<Value>) {
        self.0.push((key.into(), value.into()));
    }

    /// The value of the first field with this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0
            .iter()
            .find(|(name, _)| &**name == key)
            .map(|(_, value)| value)
    }

    /// Returns a field that is a string.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&Text> {
        self.get(key)?.as_text()
    }

    /// Returns a field that is an integer.
    #[must_use]
    pub fn integer(&self, key: &str) -> Option<i64> {
        self.get(key)?.as_integer()
    }

    /// Keys and values in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Text, &Value)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Returns the fields with each value changed by a function.
    #[must_use]
    pub fn map(self, mut change: impl FnMut(Value) -> Value) -> Fields {
        self.into_iter()
            .map(|(key, value)| (key, change(value)))
            .collect()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(Text, Value)> for Fields {
    fn from_iter<I: IntoIterator<Item = (Text, Value)>>(fields: I) -> Fields {
        Fields(fields.into_iter().collect())
    }
}

impl IntoIterator for Fields {
    type Item = (Text, Value);
    type IntoIter = std::vec::IntoIter<(Text, Value)>;

    /// Keys and values in their order.
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Value {
    /// Formats the value for a message: shortened, and with line ends escaped.
    #[must_use]
    pub fn shown(&self) -> String {
        escape::shown(&self.to_string())
    }

    /// The string, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&Text> {
        if let Value::Text(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// The items, if it is a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Value::List(items) = self {
            Some(items)
        } else {
            None
        }
    }

    /// The fields, if it is an object.
    #[must_use]
    pub fn as_map(&self) -> Option<&Fields> {
        if let Value::Map(fields) = self {
            Some(fields)
        } else {
            None
        }
    }

    /// The number as an integer, if it is one.
    #[must_use]
    pub fn as_integer(&self) -> Option<i64> {
        if let Value::Number(number) = self {
            number.as_integer()
        } else {
            None
        }
    }

    /// Returns the name, if it is a function.
    #[must_use]
    pub fn as_function(&self) -> Option<&Text> {
        if let Value::Function(name) = self {
            Some(name)
        } else {
            None
        }
    }

    /// Returns the number, if it is a finite one.
    #[must_use]
    pub fn as_number(&self) -> Option<Decimal> {
        if let Value::Number(number) = self {
            Some(*number)
        } else {
            None
        }
    }

    /// Returns the truth value, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(truth) = self {
            Some(*truth)
        } else {
            None
        }
    }

    /// Returns the value with each of its items or fields changed by a function.
    pub fn map_parts(self, change: impl FnMut(Value) -> Value) -> Value {
        if let Value::List(items) = self {
            Value::List(items.into_iter().map(change).collect())
        } else if let Value::Map(fields) = self {
            Value::Map(fields.map(change))
        } else {
            self
        }
    }
}

/// As JSON; values that JSON lacks become `null` or a string. Rule CLK-9.
///
/// The alternate form `{:#}` is for people: strings are escaped as in source code. Rule TRACE-9.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Undefined | Value::Null | Value::NaN => f.write_str("null"),
            Value::Bool(truth) => write!(f, "{truth}"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Infinity => f.write_str("\"Infinity\""),
            Value::NegativeInfinity => f.write_str("\"-Infinity\""),
            Value::Text(text) => write_json_text(f, text),
            Value::Function(name) => write_json_text(f, &format!("function {name}")),
            Value::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    fmt::Display::fmt(item, f)?;
                }
                f.write_str("]")
            }
            Value::Map(fields) => fmt::Display::fmt(fields, f),
        }
    }
}

/// As a JSON object; `{:#}` as with [`Value`].
impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, (key, value)) in self.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            write_json_text(f, key)?;
            f.write_str(":")?;
            fmt::Display::fmt(value, f)?;
        }
        f.write_str("}")
    }
}

fn write_json_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if f.alternate() {
        return f.write_str(&escape::quoted(text));
    }
    let quoted = serde_json::to_string(text).map_err(|_| fmt::Error)?;
    f.write_str(&escape::json(&quoted))
}
