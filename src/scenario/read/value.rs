//! Values of the host language: arguments, configurations, ad objects, expected data.

use super::node::{Node, Tree, Wrong};
use super::{Reading, scalar};
use crate::ads::AdObject;
use crate::api::{Fields, Text, Value};
use crate::knobs::Knobs;
use crate::words;

/// Values that JSON lacks, as `{ $: NaN }`. A function of no name does nothing.
pub(in crate::scenario) const SPECIAL: &[(&str, Value)] = &[
    ("NaN", Value::NaN),
    ("Infinity", Value::Infinity),
    ("-Infinity", Value::NegativeInfinity),
    ("undefined", Value::Undefined),
    ("function", Value::Function(Text::Static(""))),
];

/// Any value.
pub(super) fn value(node: &Node) -> Result<Value, Wrong> {
    match &node.tree {
        Tree::Null => Ok(Value::Null),
        Tree::Bool(truth) => Ok(Value::Bool(*truth)),
        Tree::Number(number) => scalar::decimal(node, number).map(Value::Number),
        Tree::Text(text) => Ok(Value::from(text.clone())),
        Tree::List(items) => items.iter().map(value).collect::<Result<_, _>>().map(Value::List),
        Tree::Map(entries) => {
            let Some((key, special)) = entries.iter().find(|(key, _)| key.text == "$") else {
                let fields = entries
                    .iter()
                    .map(|(key, node)| value(node).map(|value| (Text::from(key.text.clone()), value)));
                return fields.collect::<Result<Fields, Wrong>>().map(Value::Map);
            };
            if entries.len() > 1 {
                return Err(Wrong::new(&key.range, "\"$\" names a special value and stands alone"));
            }
            let (Tree::Text(name) | Tree::Number(name)) = &special.tree else {
                return Err(special.not("\"$\"", "a name, like NaN"));
            };
            SPECIAL.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).ok_or_else(|| {
                let known = SPECIAL.iter().map(|(known, _)| *known);
                Wrong::unknown(&special.range, "special value", name, known)
            })
        }
    }
}

/// Ad objects as page code would write them.
pub(super) fn ads(node: &Node, reading: &mut Reading<'_>) -> Vec<Value> {
    let example = "[{ adType: 0, adTimeType: s, mobile: [https://ads.test/a] }]";
    let Some(items) = reading.keep(node.list("ads", example)) else { return Vec::new() };
    items.iter().filter_map(|item| reading.keep(ad(item))).collect()
}

fn ad(node: &Node) -> Result<Value, Wrong> {
    let ad = value(node)?;
    let Tree::Map(entries) = &node.tree else {
        return Err(node.not("an ad", "an ad object, like { adType: 0, mobile: [https://ads.test/a] }"));
    };
    // A page's own ad object may hold more than a player reads. What looks like a field that is not there
    // was meant as that one, and says better what is wrong than that the field is missing. Three letters are
    // too few to tell.
    let is_there = |name: &str| entries.iter().any(|(key, _)| key.text == name);
    let missing = AdObject::FIELDS.iter().copied().filter(|name| name.len() > 3 && !is_there(name));
    for (key, _) in entries.iter().filter(|(key, _)| !AdObject::FIELDS.contains(&&*key.text)) {
        if words::nearest(&key.text, missing.clone()).is_some() {
            return Err(Wrong::unknown(&key.range, "field of an ad", &key.text, missing));
        }
    }
    check_ad(&ad).map_err(|message| {
        // What is said of a field begins with its name.
        let about = entries.iter().find(|(key, _)| message.split(' ').next() == Some(&*key.text));
        Wrong::new(about.map_or(&node.range, |(_, value)| &value.range), message)
    })?;
    Ok(ad)
}

/// Whether an ad object can be used as the scenario's own. What page code passes to `setAd` is not asked.
fn check_ad(ad: &Value) -> Result<(), String> {
    AdObject::read(ad, &Knobs::default(), &mut |_, _, _, _| {})
        .map(drop)
        .map_err(|error| error.text.to_string())
}
