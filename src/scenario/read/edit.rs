//! The edit call of a step, and the channels that there are.
//!
//! What is wrong with the fields themselves is the service's to say: a scenario may send what it likes.
//!
//! Rules: EDIT-1, EDIT-2, EDIT-19, EDIT-44.

use std::sync::Arc;

use super::node::{Key, Node, Object, Tree, Wrong};
use super::{Reading, scalar};
use crate::edit::{Route, ServiceFault};
use crate::scenario::EditScript;

/// The words for routes.
pub(in crate::scenario) const ROUTES: &[(&str, Route)] = &[
    (Route::V3.name(), Route::V3),
    (Route::V3Form.name(), Route::V3Form),
    (Route::V2Form.name(), Route::V2Form),
];

/// What an edit looks like.
const EXAMPLE: &str = "{ id: v1, fields: { name: Other } }";

/// The edit of a step.
pub(super) fn edit(node: &Node, reading: &mut Reading<'_>) -> Option<EditScript> {
    let mut fields = reading.keep(Object::of(node, "an edit", EXAMPLE))?;
    let id = fields.field("id").map(|node| scalar::name(node, "id")).transpose();
    let id = reading.keep(id);
    let sent = fields.field("fields").map(|node| form(node, reading)).unwrap_or_default();
    let route = fields.field("route").map(|node| scalar::word(node, "route", ROUTES)).transpose();
    let route = reading.keep(route);
    let headers = fields.field("headers").map(|node| headers(node, reading)).unwrap_or_default();
    let fault = fields.field("fault").map(|node| fault(node, reading));
    let has_unknown = fields.has_unknown();
    fields.end(reading);
    let (id, route) = (id?, route?.unwrap_or_default());
    if id.is_none() && route.has_id_in_path() {
        if !has_unknown {
            let message = format!("an edit has no \"id\"; it needs one, like {EXAMPLE}");
            reading.wrongs.push(Wrong::new(&node.range, message));
        }
        return None;
    }
    Some(EditScript { id, fields: sent, route, headers, fault })
}

/// Names and texts; a list of texts repeats its name.
fn form(node: &Node, reading: &mut Reading<'_>) -> Vec<(Arc<str>, Arc<str>)> {
    let example = "{ \"data[Video][name]\": Other, \"data[CustomParam][key][]\": [a, b] }";
    let mut sent = Vec::new();
    for (key, node) in reading.keep(node.entries("fields", example)).unwrap_or_default() {
        let texts = match &node.tree {
            Tree::List(items) => items.as_slice(),
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::Map(_) => {
                std::slice::from_ref(node)
            }
        };
        for item in texts {
            if let Some(text) = reading.keep(sent_text(item, key)) {
                sent.push((Arc::from(&*key.text), text));
            }
        }
    }
    sent
}

/// Everything is sent as text; truth values as they are written.
fn sent_text(node: &Node, key: &Key) -> Result<Arc<str>, Wrong> {
    match &node.tree {
        Tree::Bool(truth) => Ok(truth.to_string().into()),
        Tree::Null => Ok(Arc::default()),
        Tree::Number(_) | Tree::Text(_) | Tree::List(_) | Tree::Map(_) => {
            scalar::text(node, &format!("field {}", super::node::shown(&key.text)))
        }
    }
}

/// Header fields; `null` leaves one out that is usual.
fn headers(node: &Node, reading: &mut Reading<'_>) -> Vec<(Arc<str>, Option<Arc<str>>)> {
    let example = "{ Authorization: Bearer abc }";
    let mut headers = Vec::new();
    for (key, node) in reading.keep(node.entries("headers", example)).unwrap_or_default() {
        let value = match &node.tree {
            Tree::Null => Some(None),
            Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::List(_) | Tree::Map(_) => reading
                .keep(scalar::text(node, &format!("header {}", super::node::shown(&key.text))))
                .map(Some),
        };
        headers.extend(value.map(|value| (Arc::from(&*key.text), value)));
    }
    headers
}

fn fault(node: &Node, reading: &mut Reading<'_>) -> ServiceFault {
    let example = "{ after: 2s, status: 503 }";
    let Some(mut fields) = reading.keep(Object::of(node, "a fault", example)) else {
        return ServiceFault::default();
    };
    let after = fields.field("after").map(|node| scalar::span(node, "after")).transpose();
    let status = fields.field("status").map(|node| scalar::whole(node, "status", 200, 599)).transpose();
    let cut = fields.field("cut").map(|node| scalar::truth(node, "cut")).transpose();
    let empty = fields.field("empty").map(|node| scalar::truth(node, "empty")).transpose();
    fields.end(reading);
    let status = reading.keep(status).flatten();
    ServiceFault {
        after: reading.keep(after).flatten().unwrap_or_default(),
        status: status.and_then(|status| u16::try_from(status).ok()),
        cut: reading.keep(cut).flatten().unwrap_or(false),
        empty: reading.keep(empty).flatten().unwrap_or(false),
    }
}

/// The ids of the channels that there are.
pub(super) fn channels(node: &Node, reading: &mut Reading<'_>) -> Vec<u32> {
    let items = reading.keep(node.list("channels", "[7, 12]")).unwrap_or_default();
    items.iter().filter_map(|item| reading.keep(scalar::count(item, "a channel", 1))).collect()
}
