//! The edit call of a step.
//!
//! A scenario may send anything; the service reports errors in the fields.
//!
//! Rules: EDIT-1, EDIT-2, EDIT-44.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{
    Definitions, FieldRow, Node, Opt, Reading, Shape, Text, Writer, WrittenForm, Wrong, field_rows,
    whole,
};
use crate::EditScript;
use crate::edit::{Route, ServiceFault};
use crate::form::{Length, Name, OrNull, Truth, Word};
use crate::read::node::{Tree, shown};

/// The edit of a step.
pub(super) const EDIT: Shape<EditScript> = Shape {
    definition: Some("edit"),
    check: |edit, fields, reading| {
        if edit.id.is_none()
            && edit.route.has_id_in_path()
            && !fields.has_unknown()
            && fields.field("id").is_none()
        {
            let message = format!("an edit has no \"id\"; it needs one, like {EXAMPLE}");
            reading.wrongs.push(Wrong::new(fields.range(), message));
        }
    },
    refine: |schema| schema["type"] = "object".into(),
    ..Shape::new(
        "an edit",
        EXAMPLE,
        "Edits a video's record.",
        EditScript::default,
        &[FIELDS],
    )
};

/// An example of an edit, for messages.
const EXAMPLE: &str = "{ id: v1, fields: { name: Other } }";

const FIELDS: &[FieldRow<EditScript>] = field_rows! { EditScript:
    "id" id: Opt(Name), "The id of the video.";
    "fields" fields: Sent, "Fields of the form, by name; a list repeats the field.";
    "route" route: ROUTE, "The route that the call takes.";
    "headers" headers: Headers, "Extra request headers; null omits one of the usual ones.";
    "fault" fault: Opt(&FAULT), "What goes wrong with the call.";
};

const ROUTE: Word<Route> = Word {
    what: "",
    takes: "",
    all: Route::ALL,
    name: Route::name,
};

const FAULT: Shape<ServiceFault> = Shape::new(
    "a fault",
    "{ after: 2s, status: 503 }",
    "What goes wrong with the call.",
    ServiceFault::default,
    &[field_rows! { ServiceFault:
        "after" after: Length, "How long the response takes.";
        "status" status: Opt(whole::<u16>(200, 599)), "The status that is returned instead of editing.";
        "cut" cut: Truth, "The connection is closed before the response.";
        "empty" empty: Truth, "The response has no body.";
    }],
);

/// Names and values; a list repeats its name.
struct Sent;

impl WrittenForm for Sent {
    type Of = Vec<(Arc<str>, Arc<str>)>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Self::Of> {
        let example = "{ \"data[Video][name]\": Other, \"data[CustomParam][key][]\": [a, b] }";
        let mut sent = Vec::new();
        for (key, node) in reading.keep(node.entries(what, example))? {
            for item in node.items() {
                // Everything is sent as a string; truth values as they are written.
                let text = match &item.tree {
                    Tree::Bool(truth) => Some(truth.to_string().into()),
                    Tree::Null => Some(Arc::default()),
                    Tree::Number(_) | Tree::Text(_) | Tree::List(_) | Tree::Map(_) => {
                        Text.read(item, &format!("field {}", shown(&key.text)), reading)
                    }
                };
                sent.extend(text.map(|text| (Arc::from(&*key.text), text)));
            }
        }
        Some(sent)
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        let scalar = json!({ "type": ["string", "number", "boolean", "null"] });
        json!({
            "type": ["object", "null"],
            "additionalProperties": { "anyOf": [scalar, { "type": "array", "items": scalar }] },
        })
    }

    fn write(&self, value: &Self::Of, out: &mut Writer) {
        out.object(|out| {
            for same in value.chunk_by(|(one, _), (other, _)| one == other) {
                out.key(&same[0].0);
                match same {
                    [(_, text)] => out.text(text),
                    same => out.list(|out| same.iter().for_each(|(_, text)| out.text(text))),
                }
            }
        });
    }
}

/// Header fields; `null` omits a usual one.
struct Headers;

impl WrittenForm for Headers {
    type Of = Vec<(Arc<str>, Option<Arc<str>>)>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Self::Of> {
        let mut headers = Vec::new();
        for (key, node) in reading.keep(node.entries(what, "{ Authorization: Bearer abc }"))? {
            let value = OrNull(Text).read(node, &format!("header {}", shown(&key.text)), reading);
            headers.extend(value.map(|value| (Arc::from(&*key.text), value)));
        }
        Some(headers)
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({
            "type": ["object", "null"],
            "additionalProperties": { "type": ["string", "number", "null"] },
        })
    }

    fn write(&self, value: &Self::Of, out: &mut Writer) {
        out.object(|out| {
            for (name, value) in value {
                out.key(name);
                Opt(Text).write(value, out);
            }
        });
    }
}
