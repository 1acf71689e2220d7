//! Forms made of other forms: optional values, lists, objects with free keys.

use std::cmp::Ordering;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{Definitions, Name, Shape, WrittenForm, name_schema};
use crate::read::node::{Node, Tree, Wrong, shown, subject};
use crate::read::reading::Reading;
use crate::writer::Writer;

/// An optional value.
#[derive(Clone, Copy)]
pub(crate) struct Opt<F>(pub(crate) F);

/// An optional value for which `null` means missing, where the default is another value.
#[derive(Clone, Copy)]
pub(crate) struct OrNull<F>(pub(crate) F);

/// A value that is shared.
#[derive(Clone, Copy)]
pub(crate) struct Shared<F>(pub(crate) F);

/// A list.
pub(crate) struct List<F: WrittenForm> {
    /// The name of an item in messages.
    each: &'static str,
    of: F,
    example: &'static str,
    is_filled: bool,
    /// Whether each item is a part of the scenario, which messages name by its number.
    is_numbered: bool,
    distinct: Option<Distinct<F::Of>>,
}

/// An order in which no two items may be equal, and the message about the second of them.
type Distinct<T> = (fn(&T, &T) -> Ordering, fn(&T) -> String);

/// Returns a list of items, which have this name in messages.
pub(crate) const fn list<F: WrittenForm + Copy>(
    each: &'static str,
    of: F,
    example: &'static str,
) -> List<F> {
    List {
        each,
        of,
        example,
        is_filled: false,
        is_numbered: false,
        distinct: None,
    }
}

impl<F: WrittenForm + Copy> List<F> {
    /// Requires at least one item.
    pub(crate) const fn filled(self) -> List<F> {
        List {
            is_filled: true,
            ..self
        }
    }

    /// Numbers the items in messages about a scenario that was made in Rust.
    pub(crate) const fn numbered(self) -> List<F> {
        List {
            is_numbered: true,
            ..self
        }
    }

    /// Requires that no two items are equal in this order.
    pub(crate) const fn distinct(
        self,
        order: fn(&F::Of, &F::Of) -> Ordering,
        says: fn(&F::Of) -> String,
    ) -> List<F> {
        List {
            distinct: Some((order, says)),
            ..self
        }
    }
}

impl<F: WrittenForm> List<F> {
    /// Returns what is wrong with a list that was made in Rust, apart from its items.
    fn wrong(&self, value: &[F::Of], name: &str) -> Option<String> {
        if self.is_filled && value.is_empty() {
            return Some(format!(
                "\"{name}\" must have at least one {}",
                noun(self.each)
            ));
        }
        let (order, says) = self.distinct?;
        let mut sorted: Vec<&F::Of> = value.iter().collect();
        sorted.sort_by(|one, other| order(one, other));
        let mut pairs = sorted.windows(2);
        let twice = pairs.find(|pair| order(pair[0], pair[1]).is_eq())?;
        Some(says(twice[1]))
    }
}

/// The name of an item without its article.
fn noun(each: &str) -> &str {
    each.split_once(' ').map_or(each, |(_, noun)| noun)
}

/// An object whose keys are free.
pub(crate) struct Entries<F> {
    of: F,
    example: &'static str,
}

/// An object that may be written as just its name, if its other fields have their defaults.
pub(crate) struct Brief<T: 'static> {
    /// The object.
    pub(crate) shape: &'static Shape<T>,
    /// Returns the object with this name, and with defaults.
    pub(crate) named: fn(Arc<str>) -> T,
    /// Returns the name of an object.
    pub(crate) name: fn(&T) -> &Arc<str>,
}

/// Returns an object with free keys, whose values have this form.
pub(crate) const fn entries<F>(of: F, example: &'static str) -> Entries<F> {
    Entries { of, example }
}

impl<F: WrittenForm> WrittenForm for Opt<F> {
    type Of = Option<F::Of>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Option<F::Of>> {
        self.0.read(node, what, reading).map(Some)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        self.0.schema(definitions)
    }

    fn write(&self, value: &Option<F::Of>, out: &mut Writer) {
        match value {
            Some(value) => self.0.write(value, out),
            None => out.null(),
        }
    }
}

impl<F: WrittenForm> WrittenForm for OrNull<F> {
    type Of = Option<F::Of>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Option<F::Of>> {
        if matches!(node.tree, Tree::Null) {
            Some(None)
        } else {
            self.0.read(node, what, reading).map(Some)
        }
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({ "anyOf": [self.0.schema(definitions), { "type": "null" }] })
    }

    fn write(&self, value: &Option<F::Of>, out: &mut Writer) {
        Opt(&self.0).write(value, out);
    }
}

impl<T: PartialEq> WrittenForm for Brief<T> {
    type Of = T;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<T> {
        if node.map().is_some() {
            return self.shape.read(node, what, reading);
        }
        Name.read(node, what, reading).map(self.named)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({ "anyOf": [name_schema(), self.shape.schema(definitions)] })
    }

    fn write(&self, value: &T, out: &mut Writer) {
        let name = (self.name)(value);
        if *value == (self.named)(Arc::clone(name)) {
            Name.write(name, out)
        } else {
            self.shape.write(value, out)
        }
    }
}

impl<F: WrittenForm> WrittenForm for Shared<F> {
    type Of = Arc<F::Of>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Arc<F::Of>> {
        self.0.read(node, what, reading).map(Arc::new)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        self.0.schema(definitions)
    }

    fn write(&self, value: &Arc<F::Of>, out: &mut Writer) {
        self.0.write(value, out);
    }
}

impl<F: WrittenForm> WrittenForm for List<F> {
    type Of = Vec<F::Of>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Vec<F::Of>> {
        let nodes = reading.keep(node.list(what, self.example))?;
        if self.is_filled && nodes.is_empty() {
            let message = format!(
                "{} is empty; it needs at least one item, like {}",
                subject(what),
                self.example
            );
            return reading.keep(Err(Wrong::new(&node.range, message)));
        }
        let mut items: Vec<F::Of> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let Some(item) = self.of.read(node, self.each, reading) else {
                continue;
            };
            if let Some((order, says)) = self.distinct
                && items.iter().any(|known| order(known, &item).is_eq())
            {
                reading.wrongs.push(Wrong::new(&node.range, says(&item)));
            }
            items.push(item);
        }
        Some(items)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        let items = self.of.schema(definitions);
        if self.is_filled {
            json!({ "type": "array", "minItems": 1, "items": items })
        } else {
            json!({ "type": ["array", "null"], "items": items })
        }
    }

    fn write(&self, value: &Vec<F::Of>, out: &mut Writer) {
        out.list(|out| {
            let noun = noun(self.each);
            for (index, item) in value.iter().enumerate() {
                if self.is_numbered {
                    out.part(|| format!("{noun} {}", index + 1));
                }
                out.name(noun);
                self.of.write(item, out);
            }
        });
        out.refuse(|name| self.wrong(value, name));
    }
}

impl<F: WrittenForm> WrittenForm for Entries<F> {
    type Of = Vec<(Arc<str>, F::Of)>;

    fn read(
        &self,
        node: &Node,
        what: &str,
        reading: &mut Reading<'_>,
    ) -> Option<Vec<(Arc<str>, F::Of)>> {
        let entries = reading.keep(node.entries(what, self.example))?;
        let mut read = Vec::with_capacity(entries.len());
        for (key, node) in entries {
            read.extend(
                self.of
                    .read(node, &shown(&key.text), reading)
                    .map(|value| (Arc::from(&*key.text), value)),
            );
        }
        Some(read)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({ "type": ["object", "null"], "additionalProperties": self.of.schema(definitions) })
    }

    fn write(&self, value: &Vec<(Arc<str>, F::Of)>, out: &mut Writer) {
        out.object(|out| {
            for (key, value) in value {
                out.key(key);
                self.of.write(value, out);
            }
        });
    }
}
