//! What goes in and out, as JSON Schema: forms, records, answers, and what the control routes take.

use serde_json::{Map, Value as Json, json};

use crate::catalog::{Field, FieldKind, Group, fields};
use crate::edit::{MAX_FIELDS, Route};
use crate::knobs::{EditPrefix, Knobs, ReadDate};
use crate::video::PIXELS;

const DATE: &str = "^[0-9]{2}-[0-9]{2}-[0-9]{4}$";
const YEAR_FIRST: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";

/// How a field is named in a form. Rule EDIT-6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Bare,
    Prefixed,
}

/// A reference to a schema of the document.
pub(super) fn reference(name: &str) -> Json {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The schema of the form that a route takes.
fn form_name(route: Route, knobs: &Knobs) -> &'static str {
    match (knobs.edit_prefix, route.has_id_in_path()) {
        (EditPrefix::Both, _) => "Form",
        (EditPrefix::ByRoute, true) => "BareForm",
        (EditPrefix::ByRoute, false) => "PrefixedForm",
    }
}

/// What a route takes: a form, which names the video if its path does not. Rule EDIT-10.
pub(super) fn form_of(route: Route, knobs: &Knobs) -> Json {
    let form = reference(form_name(route, knobs));
    let named = |name: &str| json!({ "required": [name] });
    match (route.has_id_in_path(), knobs.edit_prefix) {
        (true, _) => form,
        (false, EditPrefix::Both) => {
            json!({ "allOf": [form], "anyOf": [named("id"), named("data[Video][id]")] })
        }
        (false, EditPrefix::ByRoute) => json!({ "allOf": [form], "required": ["data[Video][id]"] }),
    }
}

/// All schemas, by name.
pub(super) fn all(knobs: &Knobs) -> Json {
    let mut all = json!({
        "Record": record(DATE, true),
        "Records": { "type": "array", "items": record(DATE, false) },
        "Video": record(match knobs.edit_read_date { ReadDate::DayFirst => DATE, ReadDate::YearFirst => YEAR_FIRST }, true),
        "Edited": object(json!({
            "status": { "const": "success" }, "videoId": { "type": "string" }, "Video": reference("Video"),
        })),
        "FieldError": object(json!({
            "field": text("The field, named bare; of a control route's body line and column."),
            "code": text("A stable word for programs."),
            "message": text("What was found, what was due, and a form to copy."),
        })),
        "Problem": object(json!({
            "type": { "const": "about:blank" },
            "title": { "type": "string" },
            "status": { "type": "integer", "minimum": 200, "maximum": 599 },
            "detail": text("What is wrong, in a sentence."),
            "errors": { "type": "array", "items": reference("FieldError") },
        })),
        "Failure": object(json!({
            "message": text("What is wrong, in a sentence."),
            "errors": { "type": "array", "items": { "type": "string" } },
            "validation": {
                "type": "object",
                "additionalProperties": { "type": "array", "items": { "type": "string" } },
            },
        })),
        "Openapi": { "type": "object", "required": ["openapi", "paths"] },
    });
    match knobs.edit_prefix {
        EditPrefix::Both => all["Form"] = form(&[Named::Bare, Named::Prefixed]),
        EditPrefix::ByRoute => {
            all["BareForm"] = form(&[Named::Bare]);
            all["PrefixedForm"] = form(&[Named::Prefixed]);
        }
    }
    if let Some(all) = all.as_object_mut() {
        all.extend(controlled());
    }
    all
}

/// What the control routes take and give.
fn controlled() -> Map<String, Json> {
    let count = json!({ "type": "integer", "minimum": 0 });
    let flag = json!({ "type": "boolean" });
    let span = json!({ "type": "string", "pattern": "[0-9]", "description": "A length of time.", "examples": ["250ms"] });
    let routes: Vec<&str> = Route::ALL.iter().map(|route| route.name()).collect();
    let fault = json!({
        "after": span,
        "status": { "type": "integer", "minimum": 200, "maximum": 599, "not": { "enum": [204, 205, 304] } },
        "cut": flag,
        "empty": flag,
    });
    let mut plan = fault.clone();
    plan["nth"] = json!({ "type": "integer", "minimum": 1 });
    plan["id"] = json!({ "type": "string" });
    plan["route"] = json!({ "enum": routes });
    plan["always"] = flag;
    let is_on = |name: &str| json!({ "required": [name], "properties": { name: { "const": true } } });
    let goes_wrong =
        json!([{ "required": ["after"] }, { "required": ["status"] }, is_on("cut"), is_on("empty")]);
    let plan =
        json!({ "type": "object", "properties": plan, "additionalProperties": false, "anyOf": goes_wrong });
    let change = json!({
        "type": "object",
        "properties": {
            "advance": span,
            "at": { "type": "string", "format": "date-time" },
            "follow": { "enum": ["still", "real"] },
        },
        "additionalProperties": false,
        "maxProperties": 1,
    });
    let diag = object(json!({
        "code": { "type": "string" }, "text": { "type": "string" }, "rule": { "type": "string" },
    }));
    let entry = json!({
        "type": "object",
        "properties": {
            "number": count, "t": count, "method": { "type": "string" }, "path": { "type": "string" },
            "route": { "enum": routes }, "id": { "type": "string" },
            "fields": { "type": "object" },
            "unknown": { "type": "array", "items": { "type": "string" } },
            "status": count, "detail": { "type": "string" },
            "errors": { "type": "array", "items": reference("FieldError") },
            "diags": { "type": "array", "items": diag },
            "fault": { "type": "object", "properties": fault, "additionalProperties": false },
            "before": reference("Record"), "after": reference("Record"), "rule": { "type": "string" },
        },
        "required": ["number", "t", "method", "path", "fields", "unknown", "status", "errors", "diags", "rule"],
        "additionalProperties": false,
    });
    let clock = object(json!({
        "now": { "type": "string", "format": "date-time" },
        "t": { "type": "integer", "minimum": 0, "description": "Microseconds since the epoch." },
        "follow": { "enum": ["still", "real"] },
    }));
    let counted = json!({
        "type": "object",
        "properties": { "records": count, "faults": count },
        "additionalProperties": false,
        "minProperties": 1,
    });
    [
        ("Count", counted),
        ("Journal", json!({ "type": "array", "items": entry })),
        ("Faults", json!({ "type": "array", "items": plan })),
        ("ClockChange", change),
        ("Clock", clock),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}

/// An object that has all of these, and nothing else.
fn object(properties: Json) -> Json {
    let names: Vec<String> =
        properties.as_object().into_iter().flat_map(Map::keys).map(ToOwned::to_owned).collect();
    json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
}

fn text(about: &str) -> Json {
    json!({ "type": "string", "description": about })
}

/// A form. Rules EDIT-6, EDIT-7, EDIT-35.
fn form(named: &[Named]) -> Json {
    let mut properties = Map::new();
    for field in fields() {
        for named in named {
            for (name, schema) in parts(&field, *named) {
                properties.insert(name, schema);
            }
        }
    }
    json!({
        "type": "object",
        "description": "Fields that are not sent stay as they are; those that nobody knows have no effect.",
        "properties": properties,
        "maxProperties": MAX_FIELDS,
    })
}

/// The names of a field in a form, and what goes there.
fn parts(field: &Field, named: Named) -> Vec<(String, Json)> {
    let name = |form: &str, below: &str| match (named, field.group) {
        (Named::Bare, _) => format!("{form}{below}"),
        (Named::Prefixed, Group::Video) => format!("data[Video][{form}]{below}"),
        (Named::Prefixed, Group::Own) => format!("data[{form}]{below}"),
    };
    let form = field.form.first().copied().unwrap_or(field.name);
    let list = |about: &str, example: &str| {
        json!({
            "type": "array", "description": about,
            "items": { "type": "string", "examples": [example] },
        })
    };
    match field.kind {
        FieldKind::Pixels => {
            let pixel =
                |key: &&str| (name(form, &format!("[{key}]")), text("A tracking pixel, kept as sent."));
            PIXELS.iter().map(pixel).collect()
        }
        FieldKind::Pairs => vec![
            (name(form, "[key][]"), list(field.about, field.example)),
            (name(form, "[value][]"), list(field.about, "drama")),
        ],
        FieldKind::Chapters => vec![
            (name(form, "[timestamp][]"), list(field.about, field.example)),
            (name(form, "[title][]"), list(field.about, "Middle")),
        ],
        kind @ (FieldKind::Id
        | FieldKind::Owner
        | FieldKind::Name
        | FieldKind::Text
        | FieldKind::AirDate
        | FieldKind::TextFlag
        | FieldKind::Tags
        | FieldKind::Address
        | FieldKind::Channel
        | FieldKind::AgeGate
        | FieldKind::Date
        | FieldKind::EndDate
        | FieldKind::Flag
        | FieldKind::Switch
        | FieldKind::Countries) => {
            let mut schema =
                json!({ "type": "string", "description": field.about, "examples": [field.example] });
            if !kind.words().is_empty() {
                schema["enum"] = json!(kind.words());
            }
            if let Some(pattern) = kind.pattern() {
                schema["pattern"] = json!(pattern);
            }
            field.form.iter().map(|form| (name(form, ""), schema.clone())).collect()
        }
    }
}

/// A record: whole as it comes out, where fields of audience measurement are only there with something in them; as
/// it is put, all but its id may be left out.
fn record(date: &str, is_whole: bool) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields() {
        let mut schema = value(field.kind, date);
        schema["description"] = json!(field.about);
        // What is put may be empty where there may be none, and `null` stands for what a new record has. EDIT-12
        if let (false, Some(pattern)) = (is_whole, schema["pattern"].as_str()) {
            schema["pattern"] = json!(format!("^$|{pattern}"));
        }
        if !is_whole && field.kind != FieldKind::Id {
            schema = json!({ "anyOf": [schema, { "type": "null" }] });
        }
        properties.insert(field.name.to_owned(), schema);
        let is_measurement = matches!(field.kind, FieldKind::Text | FieldKind::AirDate | FieldKind::TextFlag);
        if (is_whole && !is_measurement) || field.kind == FieldKind::Id {
            required.push(field.name);
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn value(kind: FieldKind, date: &str) -> Json {
    match kind {
        FieldKind::Id => json!({ "type": "string", "minLength": 1 }),
        FieldKind::Name | FieldKind::Text | FieldKind::AirDate | FieldKind::TextFlag | FieldKind::Tags => {
            json!({ "type": "string" })
        }
        FieldKind::Owner => json!({ "type": ["string", "null"] }),
        FieldKind::Address => {
            json!({ "type": ["string", "null"], "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]+" })
        }
        FieldKind::Channel => json!({ "type": ["integer", "null"], "minimum": 1, "maximum": u32::MAX }),
        FieldKind::AgeGate => json!({ "enum": [1, 2, 3, null] }),
        FieldKind::Date | FieldKind::EndDate => json!({ "type": ["string", "null"], "pattern": date }),
        FieldKind::Flag | FieldKind::Switch => json!({ "enum": [0, 1] }),
        FieldKind::Countries => {
            json!({ "type": "array", "items": { "type": "string", "pattern": "^[A-Za-z]{2}$" } })
        }
        FieldKind::Pixels => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        FieldKind::Pairs => {
            let pair =
                json!({ "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 2 });
            json!({ "type": "array", "items": pair })
        }
        FieldKind::Chapters => json!({
            "type": "array",
            "items": object(json!({ "timestamp": { "type": "string" }, "title": { "type": "string" } })),
        }),
    }
}
