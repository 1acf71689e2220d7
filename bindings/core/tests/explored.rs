//! What the npm package must find in a scenario without page code: the same as the explorer here, which forks.
//!
//! Its test reads the same file. `UPDATE_EXPLORED=1` writes it anew.

use playsim::testing::explore::{Bounds, Deed, Way, explore};
use serde_json::{Value as Json, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../js/test/explored.json");

fn words(way: &Way) -> Vec<String> {
    way.choices.iter().map(ToString::to_string).collect()
}

#[test]
fn the_outcomes_for_the_npm_package_are_those_of_the_explorer() {
    let text = std::fs::read_to_string(FILE).expect("the file is there");
    let mut case: Json = serde_json::from_str(&text).expect("it is JSON");
    let scenario = playsim::scenario::read("page.json", &case["scenario"].to_string(), &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    });
    let known: Vec<&str> = case["do"].as_array().expect("a list").iter().filter_map(Json::as_str).collect();
    let bounds = Bounds::default().deeds(Deed::list(&known.join(",")).expect("they are known"));
    let found = explore(&scenario.expect("it can be read"), &bounds).expect("it can be played");
    let outcomes = found.outcomes.iter().map(|class| {
        let facts = class.facts.iter().map(|(fact, times)| {
            let code = fact.code.map(|code| format!(" {code}")).unwrap_or_default();
            format!("{} {}{code}: {times}", fact.kind.name(), fact.name)
        });
        let facts = facts.collect::<Vec<_>>().join(", ");
        json!({ "ways": class.ways.to_string(), "seen": class.seen, "facts": facts, "way": words(&class.way), "partsAt": class.way.parts_at })
    });
    let broken = found.broken.iter().map(|broken| json!([broken.law, broken.why, words(&broken.way)]));
    case["ways"] = found.ways.to_string().into();
    case["outcomes"] = outcomes.collect();
    case["broken"] = broken.collect();
    let now = format!("{case:#}\n");
    if std::env::var_os("UPDATE_EXPLORED").is_some() {
        std::fs::write(FILE, now).expect("it can be written");
    } else {
        assert!(
            text == now,
            "bindings/js/test/explored.json is not what is found; UPDATE_EXPLORED=1 writes it anew"
        );
    }
}
