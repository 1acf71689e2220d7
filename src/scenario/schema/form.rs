//! The pieces that the schema is made of.

use serde_json::{Value as Json, json};

/// An object of these fields and no others. Nothing at all counts as an empty one.
pub(super) fn object(about: &str, properties: &Json, required: &[&str]) -> Json {
    let kind = if required.is_empty() { json!(["object", "null"]) } else { "object".into() };
    let mut object = json!({
        "description": about,
        "type": kind,
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    object
}

/// A list. Nothing at all counts as an empty one.
pub(super) fn list(about: &str, items: &Json) -> Json {
    json!({ "description": about, "type": ["array", "null"], "items": items })
}

/// A text; a number counts as its spelling.
pub(super) fn text(about: &str) -> Json {
    json!({ "description": about, "type": ["string", "number"] })
}

/// A whole number.
pub(super) fn whole(about: &str, least: u32) -> Json {
    json!({ "description": about, "type": "integer", "minimum": least })
}

/// One of these words.
pub(super) fn words<T: Into<Json>>(words: impl IntoIterator<Item = T>) -> Json {
    json!({ "enum": words.into_iter().map(Into::into).collect::<Vec<Json>>() })
}

/// The words of a list that says what each means.
pub(super) fn names<T>(words: &'static [(&'static str, T)]) -> impl Iterator<Item = &'static str> {
    words.iter().map(|(word, _)| *word)
}

/// A named definition.
pub(super) fn use_of(definition: &str) -> Json {
    json!({ "$ref": format!("#/$defs/{definition}") })
}

/// A schema with a description.
pub(super) fn described(about: &str, mut schema: Json) -> Json {
    schema["description"] = about.into();
    schema
}

/// A named definition with a description.
pub(super) fn within(about: &str, definition: &str) -> Json {
    described(about, use_of(definition))
}

/// A named definition, or a list of it with something in it.
pub(super) fn within_one_or_many(about: &str, definition: &str) -> Json {
    let many = json!({ "type": "array", "minItems": 1, "items": use_of(definition) });
    json!({ "description": about, "anyOf": [use_of(definition), many] })
}

/// Exactly one of these fields.
pub(super) fn one_of_fields(names: &[&str]) -> Json {
    let each: Vec<Json> = names.iter().map(|name| json!({ "required": [name] })).collect();
    json!({ "oneOf": each })
}
