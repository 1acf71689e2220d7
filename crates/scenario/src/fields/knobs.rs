//! The knobs of a scenario: on top of its profile's, and below those that are set outside the file.

use serde_json::{Value as Json, json};

use super::{
    Definitions, FieldRow, Node, Properties, Reading, Scenario, WrittenForm, Wrong, text_schema,
};
use crate::form::{Length, one_of};
use crate::read::node::{Key, Tree};
use crate::read::scalar;
use playsim_rules::knobs::values::Limit;
use playsim_rules::knobs::{KNOBS, Knob, Knobs, Takes};

/// The field `knobs`. It is read into `reading`, and put on top of the profile by [`settle`].
pub(super) const KNOBS_ROW: FieldRow<Scenario> = FieldRow {
    key: "knobs",
    about: "Alternatives where the sources leave something open.",
    required: None,
    read: |node, _, reading| {
        let set = read_knobs(node, reading);
        reading.knobs.extend(set);
        true
    },
    same: |scenario, _| scenario.knobs == scenario.profile.known().knobs(),
    write: |scenario, out| {
        out.object(|out| {
            for (name, value) in scenario
                .knobs
                .differing_from(scenario.profile.known().knobs())
            {
                out.key(name);
                out.text(&value);
            }
        });
    },
    schema: |definitions| schema(definitions),
};

/// Reads the names and values of knobs.
pub(crate) fn read_knobs(node: &Node, reading: &mut Reading<'_>) -> Vec<(&'static str, String)> {
    let entries = reading
        .keep(node.entries("knobs", "{ ad.timeout: 5s }"))
        .unwrap_or_default();
    entries
        .iter()
        .filter_map(|(key, node)| reading.keep(knob(key, node)))
        .collect()
}

/// Sets the knobs of the file on top of the profile's, and those from outside the file on top of
/// both.
pub(super) fn settle(scenario: &mut Scenario, reading: &mut Reading<'_>) {
    let own = std::mem::take(&mut reading.knobs);
    let set_own = |knobs: &mut Knobs| {
        for (name, value) in &own {
            knobs
                .set(name, value)
                .expect("a knob is checked when it is read");
        }
    };
    // Whether the file is valid depends on its own knobs, whatever it is played with.
    let mut of_text = scenario.profile.knobs();
    set_own(&mut of_text);
    scenario.profile = reading
        .overrides
        .profile_over(std::mem::take(&mut scenario.profile));
    scenario.knobs = scenario.profile.knobs();
    set_own(&mut scenario.knobs);
    reading.overrides.put_on(&mut scenario.knobs);
    reading.hears_html = of_text.bus_expose_html.is_on() || scenario.knobs.bus_expose_html.is_on();
}

/// Reads the name and value of a knob.
fn knob(key: &Key, node: &Node) -> Result<(&'static str, String), Wrong> {
    let known = KNOBS.iter().map(|knob| knob.name);
    let Some(knob) = Knob::named(&key.text) else {
        return Err(Wrong::unknown(&key.range, "knob", &key.text, known));
    };
    let value = match (&node.tree, (knob.takes)()) {
        (Tree::Text(word), Takes::Limit) if word == Limit::OFF => word.clone(),
        (Tree::Bool(false), Takes::Limit) => Limit::OFF.to_owned(),
        (
            Tree::Text(text) | Tree::Number(text),
            Takes::Number | Takes::Words(_) | Takes::Form(_),
        ) => text.clone(),
        (Tree::Bool(truth), Takes::Words(_)) => (if *truth { "on" } else { "off" }).to_owned(),
        (Tree::Number(zero), Takes::Length | Takes::Limit) if zero == "0" => zero.clone(),
        (_, Takes::Length | Takes::Limit) => scalar::span(node, knob.name)?.in_seconds(),
        (_, Takes::Number) => return Err(node.not(knob.name, "a whole number")),
        (_, Takes::Words(_) | Takes::Form(_)) => {
            return Err(node.not(knob.name, &knob.takes_in_words()));
        }
    };
    match Knobs::default().set(knob.name, &value) {
        Ok(()) => Ok((knob.name, value)),
        Err(_) => {
            let takes = (knob.takes)();
            let words = takes.words().iter().map(|(word, _)| *word);
            Err(node
                .not(knob.name, &knob.takes_in_words())
                .meant_among(&value, words))
        }
    }
}

fn schema(definitions: &mut Definitions) -> Json {
    let length = Length.schema(definitions);
    let mut properties = Properties::default();
    for knob in KNOBS {
        let rules: Vec<String> = knob.rules.iter().map(ToString::to_string).collect();
        let about = format!(
            "{} One of: {}. Rule {}.",
            knob.about,
            knob.takes_in_words(),
            rules.join(", ")
        );
        let mut schema = match (knob.takes)() {
            Takes::Length => json!({ "anyOf": [length, { "const": 0 }] }),
            Takes::Limit => json!({ "anyOf": [length, { "enum": [0, Limit::OFF, false] }] }),
            Takes::Number => json!({
                "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "string", "pattern": "^[0-9]+$" }],
            }),
            Takes::Words(choices) => {
                let mut known: Vec<Json> = choices.iter().map(|(word, _)| (*word).into()).collect();
                known.extend(
                    choices
                        .iter()
                        .filter_map(|(word, _)| word.parse::<u32>().ok().map(Json::from)),
                );
                if choices.iter().any(|(word, _)| *word == "on") {
                    known.extend([true.into(), false.into()]);
                }
                one_of(known)
            }
            Takes::Form(_) => text_schema(),
        };
        schema["default"] = match (knob.takes)() {
            Takes::Number => knob.default().parse::<u32>().map_or(Json::Null, Json::from),
            Takes::Length | Takes::Limit | Takes::Words(_) | Takes::Form(_) => {
                knob.default().into()
            }
        };
        properties.add(knob.name, &about, schema);
    }
    properties.end("Alternatives where the sources leave something open.")
}
