//! What types of other languages are made of: calls, getters, events with their data, and codes.
//!
//! Everything is read from the project's own tables. Scenarios, configurations, ad objects, actions
//! of the user and changes of the page are in the schema of scenarios.

use playsim::api::{Code, EventName, Kind, LineName, PageType, Query, Signature, UnitKind};
use playsim::knobs::{self, KNOBS};
use playsim::report::page::{BASE_STYLE, SCRIPT};
use playsim::scenario;
use playsim::trace::record::{RecordField, RecordShape};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Returns `calls`, `getters`, `events`, `codes` and `queues`; `settings`, which are knobs and
/// profiles; and the style and the script that pages of reports share.
#[must_use]
pub(crate) fn tables() -> Json {
    let calls: Vec<Json> = playsim::api::Call::ALL
        .iter()
        .map(|call| {
            let Signature { takes, returns, reads } = call.signature();
            let takes: Vec<Json> = takes
                .iter()
                .map(
                    |one| json!({ "name": one.name, "types": names(one.types), "optional": one.is_optional }),
                )
                .collect();
            json!({
                "name": call.name(), "about": call.gist(), "takes": takes, "returns": names(returns),
                "reads": reads.map(Query::name),
            })
        })
        .collect();
    let getters: Vec<Json> = Query::ALL
        .iter()
        .map(|query| {
            let is_of_player = Query::PROPERTIES.contains(query);
            json!({
                "name": query.name(), "about": query.gist(), "gives": names(query.gives()),
                "property": query.is_property(), "player": !query.is_property() || is_of_player,
            })
        })
        .collect();
    let events: Vec<Json> = EventName::ALL
        .iter()
        .map(|name| {
            let shapes = RecordShape::of_kind(Kind::Event).filter(|shape| !shape.is_open());
            let data = shapes.filter(|shape| shape.names().any(|of| of == LineName::Event(*name)));
            let data: Vec<Json> = data.flat_map(|shape| shape.fields).map(field).collect();
            json!({
                "name": name.name(), "about": name.gist(), "documented": name.is_documented(), "data": data,
            })
        })
        .collect();
    let codes: Vec<Json> = Code::ALL
        .iter()
        .map(|code| json!({ "name": code.name(), "about": code.gist() }))
        .collect();
    let queues: Vec<&str> = UnitKind::ALL.iter().map(|unit| unit.queue()).collect();
    json!({
        "calls": calls, "getters": getters, "events": events, "codes": codes, "queues": queues,
        "groups": KNOBS.iter().map(|knob| (knob.name, knob.group)).collect::<BTreeMap<_, _>>(),
        "settings": json_of(&knobs::print::json(&KNOBS.iter().collect::<Vec<_>>())),
        "style": BASE_STYLE, "script": SCRIPT.text,
    })
}

/// Returns the scenarios that come with playsim, the demo first.
#[must_use]
pub(crate) fn examples() -> Json {
    let demo = scenario::demo();
    let [(_, text), documents @ ..] = &demo;
    let demo = example(
        "demo",
        "a pre-roll: the first tag has no ad, the second one fills",
        text,
        documents,
    );
    let ready = scenario::FAILURES.iter().filter_map(|ready| {
        let [(_, text), documents @ ..] = ready.files else {
            return None;
        };
        Some(example(ready.name, ready.about, text, documents))
    });
    std::iter::once(demo).chain(ready).collect()
}

fn example(name: &str, about: &str, scenario: &str, documents: &[(&str, &str)]) -> Json {
    let files: BTreeMap<&str, &str> = documents.iter().copied().collect();
    json!({ "name": name, "about": about, "scenario": scenario, "files": files })
}

fn json_of(text: &str) -> Json {
    serde_json::from_str(text).expect("it is JSON")
}

fn names(types: &[PageType]) -> Vec<&'static str> {
    types.iter().map(|kind| kind.name()).collect()
}

fn field(field: &RecordField) -> Json {
    json!({ "name": field.key, "type": field.takes, "optional": field.is_optional, "about": field.gist })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named<'a>(tables: &'a Json, table: &str, name: &str) -> &'a Json {
        let rows = tables[table].as_array().expect("a table");
        rows.iter().find(|row| row["name"] == name).expect("a row")
    }

    #[test]
    fn events_have_the_data_of_their_payload() {
        let tables = tables();
        let names = |event: &str| -> Vec<String> {
            let data = named(&tables, "events", event)["data"]
                .as_array()
                .expect("a list");
            data.iter()
                .map(|field| format!("{} {}", field["name"], field["type"]))
                .collect()
        };
        assert_eq!(
            names("adError"),
            ["\"code\" \"a whole number\"", "\"message\" \"a string\""]
        );
        assert_eq!(names("adSkip"), names("adComplete"));
        assert_eq!(names("adStart"), <[String; 0]>::default());
        assert_eq!(named(&tables, "events", "waiting")["documented"], false);
    }

    #[test]
    fn calls_have_their_documented_signature() {
        let tables = tables();
        let volume = named(&tables, "calls", "volume");
        assert_eq!(
            volume["takes"],
            json!([{ "name": "volume", "types": ["number"], "optional": false }])
        );
        assert_eq!(
            (&volume["returns"], &volume["reads"]),
            (&json!(["number"]), &json!("volume"))
        );
        assert_eq!(
            named(&tables, "getters", "duration")["gives"],
            json!(["number", "null"])
        );
        assert_eq!(named(&tables, "getters", "paused")["player"], false);
        assert_eq!(named(&tables, "getters", "isReady")["property"], true);
    }
}
