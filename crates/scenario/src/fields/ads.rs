//! The ad objects that a scenario gives to players and videos.

use serde_json::{Value as Json, json};

use super::value::VALUE;
use super::{Definitions, Node, Properties, Reading, Writer, WrittenForm, Wrong, list};
use crate::form::{List, one_of};
use crate::read::node::Tree;
use playsim_api::{AdObject, AdOrigin, UnreadField, Value, ad_fields, unread};
use playsim_rules::knobs::KnobReader;

/// Ad objects as page code would write them.
pub(super) const ADS: List<Ad> = list(
    "an ad",
    Ad,
    "[{ adType: 0, adTimeType: s, mobile: [https://ads.test/a] }]",
);

/// An ad object.
#[derive(Clone, Copy)]
pub(super) struct Ad;

const TYPE: &str = "adType";

/// The schema of a field of an ad object.
fn takes(name: &str) -> Json {
    match name {
        TYPE => one_of([0, 1, 2, 3]),
        "adTimeType" => one_of(["s", "%"]),
        "mobile" | "desktop" => urls(),
        "adTagUrl" => json!({ "anyOf": [{ "type": "string" }, urls()] }),
        "cuepoints" => json!({ "anyOf": [number(), { "type": "array", "items": number() }] }),
        "overlayStartAt" | "overlayDuration" => number(),
        "pod" => json!({ "type": "integer", "minimum": 0 }),
        _ => json!({}),
    }
}

fn urls() -> Json {
    json!({ "type": "array", "items": { "type": "string" } })
}

/// A number may be written as a string.
fn number() -> Json {
    json!({ "type": ["number", "string"] })
}

impl WrittenForm for Ad {
    type Of = Value;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Value> {
        let ad = VALUE.read(node, what, reading)?;
        check(node, what, &ad, reading).then_some(ad)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define("ad", |_| {
            let mut ad = Properties::default();
            for (name, about) in ad_fields() {
                let absent = json!([{ "type": "null" }, { "type": "object", "required": ["$"] }]);
                let schema = takes(name);
                // A field may be null or undefined, which counts as missing.
                let all = if name == TYPE {
                    schema
                } else {
                    json!({ "anyOf": [schema, { "anyOf": absent }] })
                };
                ad.add(name, about, all);
            }
            let mut ad = ad.end("An ad object, as page code would write it.");
            ad["type"] = "object".into();
            ad["required"] = json!([TYPE]);
            ad
        })
    }

    fn write(&self, value: &Value, out: &mut Writer) {
        VALUE.write(value, out);
    }
}

/// Checks that a player can use an ad object, and that every field has an effect. Rules AD-2,
/// AD-19.
fn check(node: &Node, what: &str, ad: &Value, reading: &mut Reading<'_>) -> bool {
    let (Tree::Map(entries), Some(fields)) = (&node.tree, ad.as_map()) else {
        let due = "an ad object, like { adType: 0, mobile: [https://ads.test/a] }";
        reading.keep::<()>(Err(node.not(what, due)));
        return false;
    };
    // A misspelled field explains more than the one that is therefore missing.
    let unread: Vec<UnreadField> =
        unread(fields, AdObject::kind_of(fields), AdOrigin::Settings).collect();
    for UnreadField { name, text, meant } in &unread {
        let key = entries
            .iter()
            .map(|(key, _)| key)
            .find(|key| key.text == **name);
        let (range, names) = (
            key.map_or(&node.range, |key| &key.range),
            ad_fields().map(|(name, _)| name),
        );
        let wrong = if names.clone().any(|known| known == &**name) {
            let wrong = Wrong::new(range, text.clone());
            if let Some(meant) = meant {
                wrong.meant(*meant)
            } else {
                wrong
            }
        } else {
            Wrong::unknown(range, "field of an ad", name, names)
        };
        reading.keep::<()>(Err(wrong));
    }
    if !unread.is_empty() {
        return false;
    }
    let read = AdObject::read(
        ad,
        AdOrigin::Settings,
        &KnobReader::default(),
        &mut |_, _, _, _| {},
    );
    let usable = read.map(drop).map_err(|error| {
        let message = error.text.to_string();
        // A message about a field begins with its name.
        let about = entries
            .iter()
            .find(|(key, _)| message.split(' ').next() == Some(&*key.text));
        Wrong::new(
            about.map_or(&node.range, |(_, value)| &value.range),
            message,
        )
    });
    reading.keep(usable).is_some()
}
