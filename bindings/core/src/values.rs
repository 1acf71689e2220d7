//! Values of page code as JSON, with `{ "$": "NaN" }` and the like for those that JSON lacks.

use playsim::api::{Fields, Value};

/// Appends a value.
pub(crate) fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::Text(text) => write_text(text, out),
        Value::Undefined => out.push_str(r#"{"$":"undefined"}"#),
        Value::NaN => out.push_str(r#"{"$":"NaN"}"#),
        Value::Infinity => out.push_str(r#"{"$":"Infinity"}"#),
        Value::NegativeInfinity => out.push_str(r#"{"$":"-Infinity"}"#),
        Value::Function(name) => {
            out.push_str(r#"{"$":["function","#);
            write_text(name, out);
            out.push_str("]}");
        }
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Map(fields) => write_fields(fields, out),
    }
}

/// Appends an object.
pub(crate) fn write_fields(fields: &Fields, out: &mut String) {
    out.push('{');
    for (index, (key, value)) in fields.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_text(key, out);
        out.push(':');
        write(value, out);
    }
    out.push('}');
}

/// Appends a string.
pub(crate) fn write_text(text: &str, out: &mut String) {
    let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if text.bytes().all(is_plain) {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        out.push_str(&serde_json::Value::from(text).to_string());
    }
}
