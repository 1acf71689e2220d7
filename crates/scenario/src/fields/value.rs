//! Values of the host language: arguments, configurations, ad objects, expected data.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{Definitions, Node, Reading, Writer, WrittenForm, Wrong};
use crate::form::one_of;
use crate::read::DEPTH;
use crate::read::node::Tree;
use crate::read::scalar;
use playsim_api::{Fields, Text, Value};

/// Any value.
#[derive(Clone, Copy)]
pub(super) struct ValueForm;
pub(super) const VALUE: ValueForm = ValueForm;

/// The special value of functions: alone, one that does nothing; with a name, a listener.
const FUNCTION: &str = "function";

/// Values that JSON lacks, such as `{ $: NaN }`. A function without a name does nothing.
const SPECIAL: &[(&str, Value)] = &[
    ("NaN", Value::NaN),
    ("Infinity", Value::Infinity),
    ("-Infinity", Value::NegativeInfinity),
    ("undefined", Value::Undefined),
    (FUNCTION, Value::Function(Text::Static(""))),
];

impl WrittenForm for ValueForm {
    type Of = Value;

    fn read(&self, node: &Node, _: &str, reading: &mut Reading<'_>) -> Option<Value> {
        let value = value(node, reading);
        reading.keep(value)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define("value", |_| {
            let listener =
                json!({ "type": "array", "prefixItems": [{ "const": FUNCTION }, { "type": "string" }] });
            let special = json!({ "anyOf": [one_of(SPECIAL.iter().map(|(name, _)| *name)), listener] });
            json!({
                "description": "Any value; `{ $: NaN }` and the like are values that JSON lacks.",
                "if": { "type": "object", "required": ["$"] },
                "then": { "properties": { "$": special }, "additionalProperties": false },
            })
        })
    }

    fn write(&self, value: &Value, out: &mut Writer) {
        out.refuse(|name| {
            let is_deep = !fits(value, DEPTH);
            is_deep.then(|| format!("\"{name}\" must not be nested more than {DEPTH} levels deep"))
        });
        if out.is_checking() {
            return;
        }
        match value {
            Value::Null => out.null(),
            Value::Bool(truth) => out.truth(*truth),
            Value::Number(number) => out.decimal(*number),
            Value::Text(text) => out.text(text),
            Value::List(items) => {
                out.list(|out| items.iter().for_each(|item| self.write(item, out)))
            }
            Value::Map(fields) => out.object(|out| {
                for (key, value) in fields.iter() {
                    out.key(key);
                    self.write(value, out);
                }
            }),
            Value::Function(name) if !name.is_empty() => out.object(|out| {
                out.key("$");
                out.list(|out| {
                    out.text(FUNCTION);
                    out.text(name);
                });
            }),
            Value::Undefined
            | Value::NaN
            | Value::Infinity
            | Value::NegativeInfinity
            | Value::Function(_) => out.object(|out| {
                out.key("$");
                out.text(super::super::form::word_of(SPECIAL, value));
            }),
        }
    }
}

/// Whether a value has at most so many levels.
fn fits(value: &Value, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else {
        return false;
    };
    let mut items = value.as_list().unwrap_or_default().iter();
    let mut fields = value.as_map().into_iter().flat_map(Fields::iter);
    items.all(|item| fits(item, below)) && fields.all(|(_, value)| fits(value, below))
}

fn value(node: &Node, reading: &Reading<'_>) -> Result<Value, Wrong> {
    let value = |node: &Node| value(node, reading);
    match &node.tree {
        Tree::Null => Ok(Value::Null),
        Tree::Bool(truth) => Ok(Value::Bool(*truth)),
        // As JavaScript takes it: not refused because it is too fine or too large.
        Tree::Number(number) => match Value::literal(number) {
            Some(value) => Ok(value),
            None => scalar::decimal(node, number).map(Value::Number),
        },
        Tree::Text(text) => Ok(Value::from(text.clone())),
        Tree::List(items) => items
            .iter()
            .map(&value)
            .collect::<Result<_, _>>()
            .map(Value::List),
        Tree::Map(entries) => {
            let Some((key, special)) = entries.iter().find(|(key, _)| key.text == "$") else {
                let fields = entries.iter().map(|(key, node)| {
                    value(node).map(|value| (Text::from(key.text.clone()), value))
                });
                return fields.collect::<Result<Fields, Wrong>>().map(Value::Map);
            };
            if entries.len() > 1 {
                return Err(Wrong::new(
                    &key.range,
                    "\"$\" names a special value and must be the only key",
                ));
            }
            if let Tree::List(parts) = &special.tree {
                return function(special, parts, &reading.listeners);
            }
            let (Tree::Text(name) | Tree::Number(name)) = &special.tree else {
                return Err(special.not("$", "a name, like NaN"));
            };
            SPECIAL
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, value)| value.clone())
                .ok_or_else(|| {
                    let known = SPECIAL.iter().map(|(known, _)| *known);
                    Wrong::unknown(&special.range, "special value", name, known)
                })
        }
    }
}

/// `[function, L1]`: a listener of the scenario where any value may stand.
fn function(node: &Node, parts: &[Node], listeners: &[Arc<str>]) -> Result<Value, Wrong> {
    let [kind, name] = parts else {
        return Err(node.not("$", "a name, like NaN, or [function, L1]"));
    };
    if kind.text() != Some(FUNCTION) {
        return Err(kind.not("$", "a name, like NaN, or [function, L1]"));
    }
    let name = scalar::text(name, "a listener")?;
    match listeners.iter().find(|known| **known == name) {
        Some(known) => Ok(Value::Function(Text::from(known))),
        None => {
            let known = listeners.iter().map(|known| &**known);
            Err(Wrong::unknown(&node.range, "listener", &name, known))
        }
    }
}
