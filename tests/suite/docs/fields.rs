//! The tables of a scenario's fields, made of its schema.

use std::fmt::Write;

use serde_json::{Map, Value as Json};

/// The parts of the schema that have a table, and what they are.
const PARTS: &[(&str, &str)] = &[
    ("", "The scenario"),
    ("page", "`page`"),
    ("video", "An item of `videos`"),
    ("item", "A video in a configuration"),
    ("medium", "A value of `media`"),
    ("answer", "A value of `network`"),
    ("player", "`player`, and a value of `players`"),
    ("ad", "An item of `ads`"),
    ("step", "An item of `steps`"),
    ("init", "`init` of a step"),
    ("config", "`config` of a player"),
    ("queue", "`queue` of a step"),
    ("edit", "`edit` of a step"),
    ("page_change", "`page` of a step"),
];

pub(crate) fn tables() -> String {
    let schema = playsim::scenario::schema();
    let mut text = String::new();
    for (name, title) in PARTS {
        let part = if name.is_empty() {
            &schema
        } else {
            &schema["$defs"][name]
        };
        let _ = write!(
            text,
            "\n## {title}\n\n| field | | default |\n|---|---|---|\n"
        );
        rows("", part, &mut text);
    }
    text.push('\n');
    text
}

fn rows(prefix: &str, object: &Json, text: &mut String) {
    let none = Map::new();
    let fields = object["properties"].as_object().unwrap_or(&none);
    if let Some(about) = common_description(fields) {
        let names: Vec<Json> = fields.keys().map(|key| key.as_str().into()).collect();
        let _ = writeln!(
            text,
            "| `{prefix}NAME` | {about} NAME is one of {} | |",
            list(&names)
        );
        return;
    }
    for (key, field) in fields {
        if key.starts_with('$') {
            continue;
        }
        let about = field["description"].as_str().unwrap_or_default();
        let choices = field["enum"]
            .as_array()
            .map(|choices| list(choices))
            .unwrap_or_default();
        let default = field
            .get("default")
            .map(|value| format!("`{value}`"))
            .unwrap_or_default();
        let about = [about, &choices].join(" ").replace('|', "\\|");
        let _ = writeln!(
            text,
            "| `{prefix}{key}` | {} | {} |",
            about.trim(),
            default.replace('|', "\\|")
        );
        // Knobs have a chapter of their own.
        if key != "knobs" {
            rows(&format!("{prefix}{key}."), field, text);
            rows(&format!("{prefix}{key}[]."), &field["items"], text);
        }
    }
}

/// The description that all of many fields have in common: they are one row.
fn common_description(fields: &Map<String, Json>) -> Option<&str> {
    let about = fields.values().next()?["description"].as_str()?;
    let is_common = fields.values().all(|field| field["description"] == about);
    (is_common && fields.len() > 4).then_some(about)
}

/// Values as code; one that may be written as a string too is listed once.
fn list(choices: &[Json]) -> String {
    let mut words: Vec<String> = Vec::new();
    for choice in choices {
        let word = format!(
            "`{}`",
            choice
                .as_str()
                .map_or_else(|| choice.to_string(), str::to_owned)
        );
        if !words.contains(&word) {
            words.push(word);
        }
    }
    format!("{}.", words.join(", "))
}
