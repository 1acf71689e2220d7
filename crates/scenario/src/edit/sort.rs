//! Assigns the values of a form to fields.
//!
//! A name may have the prefix `data[..]`; with and without it, it means the same field. A field
//! that is sent both ways counts once.
//!
//! Rules: EDIT-6, EDIT-8, EDIT-29, EDIT-30, EDIT-33, EDIT-35, CON-27.

use std::sync::Arc;

use super::names::{Leaf, Part};
use super::{Form, Route};
use playsim_api::video::{Field, Group, Shape, fields};
use playsim_rules::knobs::EditPrefix;

/// A field of the form, with its values, all sent with a prefix or all without.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    pub(super) field: &'static Field,
    /// Its name without prefix: `name`, `pixels[impression]`, `CustomParam`.
    pub(super) name: Arc<str>,
    /// Whether it was sent with prefix.
    pub(super) has_prefix: bool,
    /// The position of its first value in the form.
    pub(super) at: usize,
    pub(super) values: Vec<SentValue>,
}

/// One value of a field.
#[derive(Debug, Clone)]
pub(super) struct SentValue {
    /// Its role in its field.
    pub(super) role: Role,
    pub(super) text: Arc<str>,
}

/// The role of a value in its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The value of a field that has one.
    Only,
    /// A value of the first list of two: a key, a timestamp.
    First,
    /// A value of the second: a value, a title.
    Second,
    /// The field must not be sent like this.
    Misplaced,
}

/// A form, sorted by field.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// Its fields, in the order of the form.
    pub(super) sent: Vec<Sent>,
    /// Names that belong to no field, as sent and in the form's order, with their places.
    pub(super) unknown: Vec<(usize, Arc<str>)>,
}

/// Sorts the values of a form.
pub(super) fn sort(form: &Form, leaves: &[Leaf], route: Route, prefix: EditPrefix) -> Sorted {
    let entries: Vec<(&Arc<str>, &Arc<str>)> = form.iter().collect();
    let mut sorted = Sorted::default();
    for leaf in leaves {
        let (name, text) = entries[leaf.at];
        let Some((field, name, has_prefix, role)) = meant(leaf, route, prefix) else {
            sorted.unknown.push((leaf.at, Arc::clone(name)));
            continue;
        };
        let value = SentValue {
            role,
            text: Arc::clone(text),
        };
        let same = |sent: &&mut Sent| *sent.name == *name && sent.has_prefix == has_prefix;
        match sorted.sent.iter_mut().find(same) {
            Some(sent) => {
                sent.at = sent.at.min(leaf.at);
                sent.values.push(value);
            }
            None => {
                let values = vec![value];
                sorted.sent.push(Sent {
                    field,
                    name: name.into(),
                    has_prefix,
                    at: leaf.at,
                    values,
                });
            }
        }
    }
    sorted.sent.sort_by_key(|sent| sent.at);
    sorted.unknown.sort();
    sorted
        .unknown
        .dedup_by(|(_, later), (_, first)| later == first);
    sorted
}

/// The field of a name, the name without prefix, whether it has the prefix, and the value's role.
fn meant(
    leaf: &Leaf,
    route: Route,
    prefix: EditPrefix,
) -> Option<(&'static Field, String, bool, Role)> {
    let word = |part: &Part| {
        if let Part::Word(word) = part {
            Some(word.clone())
        } else {
            None
        }
    };
    let first = word(&leaf.path[0])?;
    let has_prefix = first == "data";
    let (group, name, rest) = if has_prefix {
        let group = word(leaf.path.get(1)?)?;
        if group == "Video" {
            (Group::Video, word(leaf.path.get(2)?)?, &leaf.path[3..])
        } else {
            (Group::Own, group, &leaf.path[2..])
        }
    } else {
        let field = fields().find(|field| field.form.contains(&first.as_str()))?;
        (field.group, first, &leaf.path[1..])
    };
    let is_read = match prefix {
        EditPrefix::Both => true,
        EditPrefix::ByRoute => has_prefix != route.has_id_in_path(),
    };
    let field = fields().find(|field| field.group == group && field.form.contains(&name.as_str()));
    let field = field.filter(|_| is_read)?;
    if let [(one, _), (other, _)] = field.kind.lists {
        let list = rest.first().map(ToString::to_string);
        let role = match list.as_deref() {
            Some(list) if list == *one || list == *other => match rest.len() {
                2 if list == *one => Role::First,
                2 => Role::Second,
                _ => Role::Misplaced,
            },
            Some(_) => return None,
            None => Role::Misplaced,
        };
        return Some((field, name, has_prefix, role));
    }
    if field.kind.shape == Shape::ByKey {
        return Some(match rest {
            [key] => (field, format!("{name}[{key}]"), has_prefix, Role::Only),
            _ => (field, name, has_prefix, Role::Misplaced),
        });
    }
    let role = if rest.is_empty() {
        Role::Only
    } else {
        Role::Misplaced
    };
    Some((field, name, has_prefix, role))
}
