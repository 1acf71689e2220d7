//! The pages of the book about products: what they name exists, and they have every setting of
//! every profile.

use std::collections::BTreeSet;

use playsim::knobs::{Knobs, Profiles};
use serde_json::Value as Json;

fn read(file: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The code after a word, such as knob `ad.timeout`.
fn named<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    let start = format!("{word} `");
    text.split(&start)
        .skip(1)
        .filter_map(|rest| rest.split('`').next())
        .collect()
}

/// Whether a path of keys leads through a schema. Lists, maps with any keys and choices are passed
/// through.
fn leads<'s>(root: &'s Json, schema: &'s Json, path: &[&str], seen: &mut Vec<&'s str>) -> bool {
    let Some((key, rest)) = path.split_first() else {
        return true;
    };
    if let Some(name) = schema["$ref"].as_str() {
        if seen.contains(&name) {
            return false;
        }
        seen.push(name);
        let leads = leads(
            root,
            &root["$defs"][name.trim_start_matches("#/$defs/")],
            path,
            seen,
        );
        seen.pop();
        return leads;
    }
    if leads_on(root, &schema["properties"][*key], rest) {
        return true;
    }
    let choices = ["anyOf", "oneOf", "allOf"]
        .iter()
        .filter_map(|word| schema[*word].as_array())
        .flatten();
    let within = ["items", "additionalProperties"]
        .iter()
        .map(|word| &schema[*word]);
    choices
        .chain(within)
        .filter(|inner| inner.is_object())
        .any(|inner| leads(root, inner, path, seen))
}

fn leads_on(root: &Json, schema: &Json, rest: &[&str]) -> bool {
    schema.is_object() && leads(root, schema, rest, &mut Vec::new())
}

#[test]
fn what_the_terms_of_products_name_exists() {
    let page = read("docs/src/product-terms.md");
    let schema: Json =
        serde_json::from_str(&read("schema/scenario.schema.json")).expect("it is JSON");
    let words = |place: &str| -> BTreeSet<String> {
        let words = schema["$defs"][place]["enum"]
            .as_array()
            .expect("it lists words");
        words
            .iter()
            .filter_map(|word| word.as_str().map(str::to_owned))
            .collect()
    };
    let mut wrong = Vec::new();
    for text in named(&page, "knob") {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let known = Knobs::default()
            .set(name, value)
            .map_err(|error| error.to_string());
        let is_known =
            value.is_empty() && playsim::knobs::KNOBS.iter().any(|knob| knob.name == name);
        if let Err(error) = known
            && !is_known
        {
            wrong.push(error);
        }
    }
    for path in named(&page, "field") {
        let keys: Vec<&str> = path.split('.').collect();
        if !leads(&schema, &schema, &keys, &mut Vec::new()) {
            wrong.push(format!("no field {path}"));
        }
    }
    let (calls, events) = (words("call_name"), words("event"));
    let getters = ["getAdInProgress", "adDuration", "adRemainingTime"];
    wrong.extend(
        named(&page, "call")
            .into_iter()
            .filter(|call| !calls.contains(*call) && !getters.contains(call))
            .map(|call| format!("no call {call}")),
    );
    wrong.extend(
        named(&page, "event")
            .into_iter()
            .filter(|event| !events.contains(*event))
            .map(|event| format!("no event {event}")),
    );
    let profiles = named(&page, "profile")
        .into_iter()
        .chain(named(&page, "Profile"));
    wrong.extend(
        profiles
            .filter_map(|name| name.parse::<Profiles>().err())
            .map(|error| error.to_string()),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for word in ["knob", "field", "call", "event", "profile"] {
        assert!(named(&page, word).len() > 3, "the page names no {word}");
    }
}

#[test]
fn every_row_of_the_terms_says_something() {
    let page = read("docs/src/product-terms.md");
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| term"));
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 2, "{row}");
        assert!(!cells.iter().any(|cell| cell.is_empty()), "{row}");
    }
}

#[test]
fn the_sources_are_those_of_the_profiles() {
    let file = "docs/src/product-sources.md";
    let due = playsim::knobs::print::sources();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        std::fs::write(path, &due).expect("the page can be written");
    }
    assert!(
        read(file) == due,
        "{file}: write it anew with UPDATE_DOCS=1 and read the difference"
    );
}
