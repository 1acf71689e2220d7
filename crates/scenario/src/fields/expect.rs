//! Expectations of the finished trace.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::call::{CallName, QueryName};
use super::steps::EventForm;
use super::value::VALUE;
use super::{Definitions, Node, Reading, Writer, WrittenForm, Wrong, count, list};
use crate::Expectation;
use crate::form::choice::{Choice, choice};
use crate::form::{Length, List, Name, Opt, When, Whole};
use crate::read::node::Tree;
use playsim_api::{Code, Fields, Value};
use playsim_base::words;

/// The expectations of a scenario.
pub(super) const EXPECTATIONS: List<&Choice<Expectation>> = list(
    "an expectation",
    &EXPECTATION,
    "[{ event: adComplete, times: 1 }]",
)
.numbered();

const EXPECTATION: Choice<Expectation> = choice! { Expectation, "expectation":
    "an expectation", "{ event: adComplete, times: 1 }", "Something that must be true of the finished trace.";
    Event {
        "event" event: EventForm, "";
        times: Opt(TIMES), Default(None), "How often. Default: at least once.";
        data: Data, Default(Value::Map(Fields::NONE)), "Fields that its data must have.";
    } "An event fires.";
    Order { "order" 0: ORDER, ""; } "Events fire in this order; others may fire in between.";
    Never { "never" 0: EventForm, ""; } "An event never fires.";
    AtMostOne { "at_most_one" 0: AT_MOST_ONE, ""; } "At most one of these events fires, however often.";
    After {
        "after" event: EventForm, "";
        comes: EventForm, Required("comes: play"), "";
        within: Length, Required("within: 2s"), "The longest time between them.";
    } "Each time this event fires, another of the same player follows in time.";
    Diag {
        "diag" code: KnownCode("diagnostic"), "Its code.";
        times: Opt(TIMES), Default(None), "How often. Default: at least once.";
    } "A diagnostic is recorded.";
    Read {
        "read" query: QueryName, "";
        at: Opt(When), Default(None), "The time of the reading. Default: the last one.";
        is: VALUE, Required("is: 44"), "";
    } "A getter or property had this value when it was read.";
    Call {
        "call" call: CallName, "";
        times: Opt(TIMES), Default(None), "How often. Default: at least once.";
        error: Opt(KnownCode("error")), Default(None), "The code of the error that it fails with.";
    } "A call is made.";
};

const TIMES: Whole<u32> = count(0);
const ORDER: List<EventForm> = list("an event", EventForm, "[adStart, adEnd]").filled();
const AT_MOST_ONE: List<EventForm> = list("an event", EventForm, "[adComplete, adSkip]").filled();

/// Data that an event must have.
struct Data;

impl WrittenForm for Data {
    type Of = Value;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Value> {
        match node.tree {
            Tree::Map(_) => VALUE.read(node, what, reading),
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::List(_) => {
                reading.keep(Err(node.not(what, "an object, like { wp: 1 }")))
            }
        }
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({ "type": "object" })
    }

    fn write(&self, value: &Value, out: &mut Writer) {
        let is_object = value.as_map().is_some();
        out.refuse(|name| {
            (!is_object).then(|| format!("\"{name}\" is {value}; it must be an object"))
        });
        VALUE.write(value, out);
    }
}

/// The code of a diagnostic or an error, with the word for it in messages. One that resembles a
/// known code is an error: it would never occur, and `times: 0` would hold for the wrong reason.
struct KnownCode(&'static str);

impl WrittenForm for KnownCode {
    type Of = Arc<str>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Arc<str>> {
        let code = Name.read(node, what, reading)?;
        let known = || Code::ALL.iter().map(|code| code.name());
        if Code::from_name(&code).is_none() && words::nearest(&code, known()).is_some() {
            return reading.keep(Err(Wrong::unknown(&node.range, self.0, &code, known())));
        }
        Some(code)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        Name.schema(definitions)
    }

    fn write(&self, code: &Arc<str>, out: &mut Writer) {
        Name.write(code, out);
    }
}
