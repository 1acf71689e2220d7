//! The JSON Schema of one line of a recording.

use serde_json::{Value, json};

use super::RequestVia;
use playsim_api::{HeaderLine, Kind, NetLine, UiLine};
use playsim_trace::RECORDING_VERSION;

/// Returns the JSON Schema (draft 2020-12) of a line of a recording: the head, or any other line.
#[must_use]
pub fn schema() -> Value {
    let kinds: Vec<&str> = Kind::ALL
        .iter()
        .filter(|kind| !kind.is_frame())
        .map(|kind| kind.name())
        .collect();
    let via: Vec<&str> = RequestVia::ALL.iter().map(|via| via.name()).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://raw.githubusercontent.com/playsim/playsim/main/schema/recording.schema.json",
        "title": "A line of a recording, which is a file with one JSON object for each line",
        "if": { "properties": { "kind": { "const": Kind::Header.name() } }, "required": ["kind"] },
        "then": { "$ref": "#/$defs/head" },
        "else": { "$ref": "#/$defs/line" },
        "$defs": {
            "head": head(),
            "line": {
                "type": "object",
                "required": ["t", "kind", "name"],
                "additionalProperties": false,
                "properties": {
                    "t": { "type": "integer", "minimum": 0, "description": "Microseconds since the recorder started." },
                    "seq": { "type": "integer", "minimum": 0, "description": "The number of the line. Default: one more than the last." },
                    "player": { "type": "string", "description": "The container, on a page with several players." },
                    "break": { "type": "integer", "minimum": 1, "description": "The number of the ad break." },
                    "kind": { "enum": kinds, "description": "What kind of line it is." },
                    "name": { "type": "string", "description": "What happened: the name of an event, a call, an act." },
                    "data": { "type": "object", "description": "What belongs to it." },
                    "cause": { "type": "integer", "minimum": 0, "description": "The number of the line that led to this one." },
                    "rule": { "type": "string", "description": "The rule that decided. Recorders do not know it." },
                },
                "allOf": [
                    of_data(Kind::Net, NetLine::Request.name(), json!({
                        "url": { "type": "string", "description": "The absolute URL." },
                        "via": { "enum": via, "description": "How the page asks for it." },
                    }), &["url"]),
                    of_data(Kind::Net, NetLine::Response.name(), json!({
                        "url": { "type": "string", "description": "The URL that was asked for." },
                        "status": { "type": "integer", "description": "The HTTP status." },
                        "text": { "type": "string", "description": "The body, if it is a VAST or VMAP document." },
                    }), &["url"]),
                    of_data(Kind::Ui, UiLine::Shown.name(), src(), &["src"]),
                    of_data(Kind::Ui, UiLine::Gone.name(), src(), &["src"]),
                ],
            },
        },
    })
}

fn head() -> Value {
    let text = |about: &str| json!({ "type": "string", "description": about });
    json!({
        "type": "object",
        "required": ["t", "kind", "name", "data"],
        "properties": {
            "t": { "const": 0 },
            "kind": { "const": Kind::Header.name() },
            "name": { "const": HeaderLine::Recording.name() },
            "data": {
                "type": "object",
                "required": ["version"],
                "properties": {
                    "version": { "const": RECORDING_VERSION, "description": "The version of this form." },
                    "player": text("The player."),
                    "versions": {
                        "type": "object",
                        "additionalProperties": { "type": "string" },
                        "description": "The packages that it is made of, with their versions.",
                    },
                    "browser": text("The browser, with its version."),
                    "case": text("The name of the case."),
                    "scenario": text("The file of the scenario, relative to the suite."),
                    "hears": {
                        "type": "array",
                        "items": { "type": "string" },
                        "description": "What the recorder can hear: kinds of lines, or kind:name, with * as a wildcard. Default: everything.",
                    },
                    "adapter": {
                        "type": "object",
                        "properties": {
                            "name": text("The adapter."),
                            "decides": {
                                "type": "array",
                                "items": { "type": "string" },
                                "description": "What the adapter decides itself, one sentence each.",
                            },
                        },
                        "description": "The script between the case and the player.",
                    },
                    "cannot": text("Why the case could not be shown."),
                    "problems": {
                        "type": "array",
                        "items": { "type": "string" },
                        "description": "What kept the case from being played as it is written, one sentence each.",
                    },
                },
            },
        },
    })
}

fn src() -> Value {
    json!({ "src": { "type": "string", "description": "The URL of the film." } })
}

/// Returns the schema for the data of lines with this kind and name.
fn of_data(kind: Kind, name: &str, properties: Value, required: &[&str]) -> Value {
    json!({
        "if": { "properties": { "kind": { "const": kind.name() }, "name": { "const": name } } },
        "then": { "properties": { "data": { "properties": properties, "required": required } }, "required": ["data"] },
    })
}
