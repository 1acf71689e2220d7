//! Values as JSON through serde, as in a trace.
//!
//! Rule: CLK-9.

use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};

use super::{Fields, Value};

/// As JSON, as in a trace.
impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.iter().len()))?;
        for (key, value) in self.iter() {
            map.serialize_entry(&**key, value)?;
        }
        map.end()
    }
}

/// As JSON, as in a trace.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Undefined | Value::Null | Value::NaN => serializer.serialize_unit(),
            Value::Bool(truth) => serializer.serialize_bool(*truth),
            Value::Number(number) => match number.as_integer() {
                Some(integer) => serializer.serialize_i64(integer),
                None => serde_json::value::RawValue::from_string(number.to_string())
                    .map_err(S::Error::custom)?
                    .serialize(serializer),
            },
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(items) => serializer.collect_seq(items),
            Value::Map(fields) => fields.serialize(serializer),
            Value::Infinity => serializer.serialize_str("Infinity"),
            Value::NegativeInfinity => serializer.serialize_str("-Infinity"),
            Value::Function(name) => serializer.serialize_str(&format!("function {name}")),
        }
    }
}
