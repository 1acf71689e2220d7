//! The JSON Schemas of request and response bodies: forms, records, errors, and the bodies of the
//! control routes.

use serde_json::{Map, Value as Json, json};

use playsim_api::video::{Field, FieldKind, ID, Shape, fields};
use playsim_rules::knobs::{EditPrefix, Knobs, ReadDate};
use playsim_scenario::edit::{MAX_FIELDS, Route};

const DATE: &str = "^[0-9]{2}-[0-9]{2}-[0-9]{4}$";
const YEAR_FIRST: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";

/// Whether a form field is named without or with the prefix. Rule EDIT-6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Bare,
    Prefixed,
}

/// Returns a reference to a schema of the document.
pub(super) fn reference(name: &str) -> Json {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Returns the name of the schema of a route's form.
fn form_name(route: Route, knobs: &Knobs) -> &'static str {
    match (knobs.edit_prefix, route.has_id_in_path()) {
        (EditPrefix::Both, _) => "Form",
        (EditPrefix::ByRoute, true) => "BareForm",
        (EditPrefix::ByRoute, false) => "PrefixedForm",
    }
}

/// Returns the schema of a route's body: a form, which must contain the id if the path does not.
/// Rule EDIT-10.
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

/// Returns all schemas, by name.
pub(super) fn all(knobs: &Knobs) -> Json {
    let mut all = json!({
        "Record": record(DATE, true),
        "Records": { "type": "array", "items": record(DATE, false) },
        "Video": record(match knobs.edit_read_date { ReadDate::DayFirst => DATE, ReadDate::YearFirst => YEAR_FIRST }, true),
        "Edited": object(json!({
            "status": { "const": "success" }, "videoId": { "type": "string" }, "Video": reference("Video"),
        })),
        "FieldError": object(json!({
            "field": text("The field's name without prefix; for a control route, line and column."),
            "code": text("A stable code for programs."),
            "message": text("What was found, what was expected, and an example."),
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

/// Returns the schemas of the control routes' bodies.
fn controlled() -> Map<String, Json> {
    let (count, flag) = (
        json!({ "type": "integer", "minimum": 0 }),
        json!({ "type": "boolean" }),
    );
    let span = json!({ "type": "string", "pattern": "[0-9]", "description": "A duration.", "examples": ["250ms"] });
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
    let is_on =
        |name: &str| json!({ "required": [name], "properties": { name: { "const": true } } });
    let goes_wrong = json!([{ "required": ["after"] }, { "required": ["status"] }, is_on("cut"), is_on("empty")]);
    let plan = json!({ "type": "object", "properties": plan, "additionalProperties": false, "anyOf": goes_wrong });
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

/// Returns the schema of an object with exactly these properties.
fn object(properties: Json) -> Json {
    let names: Vec<String> = properties
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .map(ToOwned::to_owned)
        .collect();
    json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
}

fn text(about: &str) -> Json {
    json!({ "type": "string", "description": about })
}

/// Returns the schema of a form. Rules EDIT-6, EDIT-7, EDIT-35.
fn form(named: &[Named]) -> Json {
    let mut properties = Map::new();
    for field in fields() {
        for named in named {
            for (name, schema) in parts(field, *named == Named::Prefixed) {
                properties.insert(name, schema);
            }
        }
    }
    json!({
        "type": "object",
        "description": "Fields that are not sent stay unchanged; unknown fields have no effect.",
        "properties": properties,
        "maxProperties": MAX_FIELDS,
    })
}

/// The names of a field in a form, each with the schema of its value.
fn parts(field: &Field, has_prefix: bool) -> Vec<(String, Json)> {
    let kind = field.kind;
    let example = |example: &str| json!({ "type": "string", "examples": [example] });
    let mut parts = Vec::new();
    for form in field.form {
        let name = field.form_name(form, has_prefix);
        for (list, shown) in kind.lists {
            let schema =
                json!({ "type": "array", "description": field.about, "items": example(shown) });
            parts.push((format!("{name}[{list}][]"), schema));
        }
        for key in kind.keys {
            parts.push((
                format!("{name}[{key}]"),
                text("A tracking pixel, kept as sent."),
            ));
        }
        if kind.lists.is_empty() && kind.keys.is_empty() {
            let mut schema = example(field.example);
            schema["description"] = json!(field.about);
            if !kind.words.is_empty() {
                schema["enum"] = json!(kind.words);
            }
            if let Some(pattern) = kind.pattern {
                schema["pattern"] = json!(pattern);
            }
            parts.push((name, schema));
        }
    }
    parts
}

/// Returns the schema of a record. A record in a response is whole, except that empty fields for
/// audience measurement are left out; in a request, every field except the id is optional.
fn record(date: &str, is_whole: bool) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields() {
        let mut schema = value(field.kind, date);
        schema["description"] = json!(field.about);
        if field.name == ID {
            schema["minLength"] = json!(1);
        }
        // In a request, an optional value may be empty, and `null` means the value of a new record.
        // EDIT-12
        if let (false, Some(pattern)) = (is_whole, schema["pattern"].as_str()) {
            schema["pattern"] = json!(format!("^$|{pattern}"));
        }
        let is_id = field.name == ID;
        if !is_whole && !is_id {
            schema = json!({ "anyOf": [schema, { "type": "null" }] });
        }
        properties.insert(field.name.to_owned(), schema);
        if is_id || (is_whole && !field.is_measured) {
            required.push(field.name);
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn value(kind: &FieldKind, date: &str) -> Json {
    match kind.shape {
        Shape::String | Shape::Tags => json!({ "type": "string" }),
        Shape::Optional => match kind.pattern {
            Some(pattern) => json!({ "type": ["string", "null"], "pattern": pattern }),
            None => json!({ "type": ["string", "null"] }),
        },
        Shape::Day => json!({ "type": ["string", "null"], "pattern": date }),
        Shape::Flag => json!({ "enum": [0, 1] }),
        Shape::Integer => json!({ "type": ["integer", "null"], "minimum": 1, "maximum": u32::MAX }),
        Shape::Choice => {
            let integers = kind
                .words
                .iter()
                .filter_map(|word| word.parse::<u32>().ok());
            json!({ "enum": integers.map(Json::from).chain([Json::Null]).collect::<Vec<_>>() })
        }
        Shape::Codes => {
            json!({ "type": "array", "items": { "type": "string", "pattern": "^[A-Za-z]{2}$" } })
        }
        Shape::ByKey => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        Shape::Pairs => {
            let pair = json!({ "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 2 });
            json!({ "type": "array", "items": pair })
        }
        Shape::Chapters => json!({
            "type": "array",
            "items": object(json!({ "timestamp": { "type": "string" }, "title": { "type": "string" } })),
        }),
    }
}
