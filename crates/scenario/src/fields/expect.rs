//! Expectations of the finished trace.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::call::{CallName, QueryName};
use super::steps::EventForm;
use super::value::VALUE;
use super::{
    Definitions, Node, Object, Properties, Reading, Writer, WrittenForm, Wrong, count, list,
    optional, required,
};
use crate::Expectation;
use crate::form::{Length, List, Name, When, Whole, write_field, write_some, write_unless};
use crate::read::node::{Key, Tree};
use playsim_api::{Code, Fields, Value};
use playsim_base::words;

/// The expectations of a scenario.
pub(super) const EXPECTATIONS: List<ExpectationForm> = list(
    "an expectation",
    ExpectationForm,
    "[{ event: adComplete, times: 1 }]",
);

/// One expectation: an object whose subject field says which kind it is.
#[derive(Clone, Copy)]
pub(super) struct ExpectationForm;

/// The kinds of expectations, each with the field that identifies it.
const KINDS: &[Kind] = &[
    Kind {
        key: "event",
        about: "An event fires.",
        details: &[Detail::Times, Detail::Data],
        read: event,
    },
    Kind {
        key: "order",
        about: "Events fire in this order; others may fire in between.",
        details: &[],
        read: order,
    },
    Kind {
        key: "never",
        about: "An event never fires.",
        details: &[],
        read: never,
    },
    Kind {
        key: "at_most_one",
        about: "At most one of these events fires, however often.",
        details: &[],
        read: at_most_one,
    },
    Kind {
        key: "after",
        about: "Each time this event fires, another of the same player follows in time.",
        details: &[Detail::Comes, Detail::Within],
        read: after,
    },
    Kind {
        key: "diag",
        about: "A diagnostic is recorded.",
        details: &[Detail::Times],
        read: diag,
    },
    Kind {
        key: "read",
        about: "A getter or property had this value when it was read.",
        details: &[Detail::At, Detail::Is],
        read: reading_of,
    },
    Kind {
        key: "call",
        about: "A call is made.",
        details: &[Detail::Times, Detail::Error],
        read: call,
    },
];

/// One kind of expectation.
struct Kind {
    /// The field with its subject.
    key: &'static str,
    about: &'static str,
    /// Its other fields.
    details: &'static [Detail],
    read: fn(&Node, &mut Object<'_>, &mut Reading<'_>) -> Option<Expectation>,
}

/// A field of an expectation beside its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    Times,
    Data,
    At,
    Is,
    Error,
    Comes,
    Within,
}

impl Detail {
    const fn key(self) -> &'static str {
        match self {
            Detail::Times => "times",
            Detail::Data => "data",
            Detail::At => "at",
            Detail::Is => "is",
            Detail::Error => "error",
            Detail::Comes => "comes",
            Detail::Within => "within",
        }
    }

    /// Whether an expectation of its kind must have it.
    const fn is_required(self) -> bool {
        matches!(self, Detail::Is | Detail::Comes | Detail::Within)
    }
}

const TIMES: Whole<u32> = count(0);
const ORDER: List<EventForm> = list("an event", EventForm, "[adStart, adEnd]").filled();
const AT_MOST_ONE: List<EventForm> = list("an event", EventForm, "[adComplete, adSkip]").filled();

impl WrittenForm for ExpectationForm {
    type Of = Expectation;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Expectation> {
        let mut fields = reading.keep(Object::of(
            node,
            "an expectation",
            "{ event: adComplete, times: 1 }",
        ))?;
        let kinds: Vec<(&Kind, (&Key, &Node))> = KINDS
            .iter()
            .filter_map(|kind| fields.entry(kind.key).map(|entry| (kind, entry)))
            .collect();
        match kinds[..] {
            [] => {
                for detail in KINDS.iter().flat_map(|kind| kind.details) {
                    let _ = fields.field(detail.key());
                }
                if fields.has_unknown() {
                    fields.end(reading);
                    return None;
                }
                let all: Vec<&str> = KINDS.iter().map(|kind| kind.key).collect();
                let message = format!("{what} has no subject; it needs one of {}", all.join(", "));
                reading.keep(Err(Wrong::new(fields.range(), message)))
            }
            [(kind, (_, subject))] => {
                let expectation = (kind.read)(subject, &mut fields, reading);
                fields.end(reading);
                expectation
            }
            [(first, _), (second, (key, _)), ..] => {
                let message = format!(
                    "an expectation has one subject, not both \"{}\" and \"{}\"; split it in two",
                    first.key, second.key
                );
                reading.keep(Err(Wrong::new(&key.range, message)))
            }
        }
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define("expectation", |definitions| {
            let kinds: Vec<Json> = KINDS.iter().map(|kind| kind.schema(definitions)).collect();
            json!({ "description": "Something that must be true of the finished trace.", "anyOf": kinds })
        })
    }

    fn write(&self, value: &Expectation, out: &mut Writer) {
        let how_often = |times: &Option<u32>, out: &mut Writer| {
            write_some("times", &TIMES, times.as_ref(), out)
        };
        out.object(|out| match value {
            Expectation::Event { event, times, data } => {
                write_field("event", &EventForm, event, out);
                how_often(times, out);
                write_unless("data", &VALUE, data, &Value::Map(Fields::NONE), out);
            }
            Expectation::Order(events) => write_field("order", &ORDER, events, out),
            Expectation::Never(event) => write_field("never", &EventForm, event, out),
            Expectation::AtMostOne(events) => write_field("at_most_one", &AT_MOST_ONE, events, out),
            Expectation::After {
                event,
                comes,
                within,
            } => {
                write_field("after", &EventForm, event, out);
                write_field("comes", &EventForm, comes, out);
                write_field("within", &Length, within, out);
            }
            Expectation::Diag { code, times } => {
                write_field("diag", &Name, code, out);
                how_often(times, out);
            }
            Expectation::Read { query, at, is } => {
                write_field("read", &QueryName, query, out);
                write_some("at", &When, at.as_ref(), out);
                write_field("is", &VALUE, is, out);
            }
            Expectation::Call { call, times, error } => {
                write_field("call", &CallName, call, out);
                how_often(times, out);
                write_some("error", &Name, error.as_ref(), out);
            }
        });
    }
}

impl Kind {
    fn schema(&self, definitions: &mut Definitions) -> Json {
        let mut kind = Properties::default();
        match self.key {
            "event" | "never" | "after" => kind.insert(self.key, EventForm.schema(definitions)),
            "order" => kind.insert(self.key, ORDER.schema(definitions)),
            "at_most_one" => kind.insert(self.key, AT_MOST_ONE.schema(definitions)),
            "diag" => kind.add(self.key, "Its code.", Name.schema(definitions)),
            "read" => kind.insert(self.key, QueryName.schema(definitions)),
            _ => kind.insert(self.key, CallName.schema(definitions)),
        }
        for detail in self.details {
            match detail {
                Detail::Times => kind.add(
                    "times",
                    "How often. Default: at least once.",
                    TIMES.schema(definitions),
                ),
                Detail::Data => kind.add(
                    "data",
                    "Fields that its data must have.",
                    json!({ "type": "object" }),
                ),
                Detail::At => kind.add(
                    "at",
                    "The time of the reading. Default: the last one.",
                    When.schema(definitions),
                ),
                Detail::Is => kind.insert("is", VALUE.schema(definitions)),
                Detail::Error => kind.add(
                    "error",
                    "The code of the error that it fails with.",
                    Name.schema(definitions),
                ),
                Detail::Comes => kind.insert("comes", EventForm.schema(definitions)),
                Detail::Within => kind.add(
                    "within",
                    "The longest time between them.",
                    Length.schema(definitions),
                ),
            }
        }
        let mut schema = kind.end(self.about);
        schema["type"] = "object".into();
        let due: Vec<&str> = std::iter::once(self.key)
            .chain(
                self.details
                    .iter()
                    .filter(|detail| detail.is_required())
                    .map(|detail| detail.key()),
            )
            .collect();
        schema["required"] = json!(due);
        schema
    }
}

fn event(
    subject: &Node,
    fields: &mut Object<'_>,
    reading: &mut Reading<'_>,
) -> Option<Expectation> {
    let times = optional(&TIMES, "times", fields, reading);
    let data = match fields.field("data") {
        Some(
            node @ Node {
                tree: Tree::Map(_), ..
            },
        ) => VALUE.read(node, "data", reading),
        Some(node) => reading.keep(Err(node.not("data", "an object, like { wp: 1 }"))),
        None => Some(Value::Map(Fields::NONE)),
    };
    let event = EventForm.read(subject, "an event", reading);
    Some(Expectation::Event {
        event: event?,
        times: times?,
        data: data?,
    })
}

fn order(subject: &Node, _: &mut Object<'_>, reading: &mut Reading<'_>) -> Option<Expectation> {
    ORDER
        .read(subject, "order", reading)
        .map(Expectation::Order)
}

fn never(subject: &Node, _: &mut Object<'_>, reading: &mut Reading<'_>) -> Option<Expectation> {
    EventForm
        .read(subject, "an event", reading)
        .map(Expectation::Never)
}

fn at_most_one(
    subject: &Node,
    _: &mut Object<'_>,
    reading: &mut Reading<'_>,
) -> Option<Expectation> {
    AT_MOST_ONE
        .read(subject, "at_most_one", reading)
        .map(Expectation::AtMostOne)
}

fn after(
    subject: &Node,
    fields: &mut Object<'_>,
    reading: &mut Reading<'_>,
) -> Option<Expectation> {
    let comes = required(&EventForm, ("comes", "comes: play"), fields, reading);
    let within = required(&Length, ("within", "within: 2s"), fields, reading);
    let event = EventForm.read(subject, "an event", reading);
    Some(Expectation::After {
        event: event?,
        comes: comes?,
        within: within?,
    })
}

fn diag(subject: &Node, fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Option<Expectation> {
    let times = optional(&TIMES, "times", fields, reading);
    let code = code(subject, "diag", "diagnostic");
    Some(Expectation::Diag {
        code: reading.keep(code)?,
        times: times?,
    })
}

fn reading_of(
    subject: &Node,
    fields: &mut Object<'_>,
    reading: &mut Reading<'_>,
) -> Option<Expectation> {
    let at = optional(&When, "at", fields, reading);
    let is = required(&VALUE, ("is", "is: 44"), fields, reading);
    let query = QueryName.read(subject, "read", reading);
    Some(Expectation::Read {
        query: query?,
        at: at?,
        is: is?,
    })
}

fn call(subject: &Node, fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Option<Expectation> {
    let times = optional(&TIMES, "times", fields, reading);
    let error = fields
        .field("error")
        .map(|node| code(node, "error", "error"))
        .transpose();
    let error = reading.keep(error);
    let call = CallName.read(subject, "call", reading);
    Some(Expectation::Call {
        call: call?,
        times: times?,
        error: error?,
    })
}

/// The code of a diagnostic or an error. One that resembles a known code is an error: it would
/// never occur, and `times: 0` would hold for the wrong reason.
fn code(node: &Node, field: &str, what: &str) -> Result<Arc<str>, Wrong> {
    let code = crate::read::scalar::name(node, field)?;
    let known = || Code::ALL.iter().map(|code| code.name());
    if Code::from_name(&code).is_none() && words::nearest(&code, known()).is_some() {
        return Err(Wrong::unknown(&node.range, what, &code, known()));
    }
    Ok(code)
}
