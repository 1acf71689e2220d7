//! Named listeners, and tasks of the page: several actions one after the other.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::acts::{ACTS, ActRow, write_act};
use super::call::{
    CallForm, Conditions, PLAYER, QueryName, WHEN, another_player, is_read_by_its_word, write_call,
    write_player, write_use,
};
use super::{Definitions, Node, Object, Reading, Text, Writer, WrittenForm, Wrong, described};
use crate::form::{part, twice, write_field, write_unless};
use crate::read::node::{Key, Tree, shown};
use crate::{CallScript, Condition, ListenerScript, StepAct};

/// The named listeners of a scenario.
pub(super) struct Listeners;

/// A list of actions.
#[derive(Clone, Copy)]
struct ActsForm;

/// One call of a listener: actions, and `throw` at the end.
#[derive(Clone, Copy)]
struct CallOfListener;

/// The field of a step for a task of the page.
pub(super) const TASK: ActRow = ActRow {
    key: "task",
    read: |node, reading| ActsForm.read(node, "task", reading).map(StepAct::Task),
    schema: |definitions| ActsForm.schema(definitions),
    in_listeners: false,
    for_a_player: true,
};

/// The key of the exception that a listener throws.
const THROW: &str = "throw";

/// The key of the actions of each call, in order.
const CALLS: &str = "calls";

/// The key of the actions of all later calls.
const THEN: &str = "then";

impl WrittenForm for Listeners {
    type Of = Vec<(Arc<str>, ListenerScript)>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Self::Of> {
        let entries = reading.keep(node.entries(what, "{ L1: [pause, { currentTime: 4 }] }"))?;
        let mut listeners = Vec::with_capacity(entries.len());
        for (key, node) in entries {
            if key.text.is_empty() {
                reading.wrongs.push(Wrong::new(
                    &key.range,
                    "the name of a listener must not be empty",
                ));
            }
            let script = listener(&key.text, node, reading);
            listeners.extend(script.map(|script| (Arc::from(&*key.text), script)));
        }
        Some(listeners)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        let listener = definitions.define("listener", |definitions| {
            let call = CallOfListener.schema(definitions);
            let calls = json!({
                "description": "A function that does something else in each call: `calls` has the first ones, `then` all others.",
                "type": "object",
                "properties": { CALLS: { "type": "array", "items": call }, THEN: call },
                "required": [CALLS],
                "additionalProperties": false,
            });
            json!({ "anyOf": [call, calls] })
        });
        json!({ "type": ["object", "null"], "additionalProperties": listener })
    }

    fn write(&self, value: &Self::Of, out: &mut Writer) {
        out.refuse(|_| twice("listener", value.iter().map(|(name, _)| &**name)));
        out.object(|out| {
            for (name, ListenerScript { calls, then }) in value {
                out.part(|| part("listener", name));
                out.name("name");
                out.refuse_empty(name);
                out.key(name);
                if calls.is_empty() {
                    CallOfListener.write(then, out);
                    continue;
                }
                out.object(|out| {
                    out.field(CALLS);
                    out.list(|out| calls.iter().for_each(|it| CallOfListener.write(it, out)));
                    write_unless(THEN, &CallOfListener, then, &CallScript::default(), out);
                });
            }
        });
    }
}

fn listener(name: &str, node: &Node, reading: &mut Reading<'_>) -> Option<ListenerScript> {
    let what = format!("listener {}", shown(name));
    let Tree::Map(_) = &node.tree else {
        return call_of(name, &what, node, reading).map(Into::into);
    };
    let mut fields = reading.keep(Object::of(
        node,
        "a listener",
        "{ calls: [[pause], [play]] }",
    ))?;
    let calls = reading.keep(fields.required(CALLS, "[[pause], [play]]"))?;
    let then = fields.field(THEN);
    fields.end(reading);
    let calls = reading.keep(calls.list(CALLS, "[[pause], [play]]"))?;
    let calls: Vec<_> = calls
        .iter()
        .filter_map(|call| call_of(name, "a call", call, reading))
        .collect();
    let then = then.map(|node| call_of(name, THEN, node, reading));
    Some(ListenerScript {
        calls,
        then: then.unwrap_or_else(|| Some(CallScript::default()))?,
    })
}

impl WrittenForm for CallOfListener {
    type Of = CallScript;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<CallScript> {
        call_of(what, what, node, reading)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define("listener_call", |definitions| {
            let mut items = act_schemas(definitions);
            items.push(json!({ "const": THROW }));
            items.push(only("Throws an error.", THROW, described("Its message.", Text.schema(definitions))));
            json!({
                "description": "Calls in order, each for the player that the listener is bound to unless it names another; \
                                `throw` at the end; `[]` only records.",
                "type": "array",
                "items": { "anyOf": items },
            })
        })
    }

    fn write(&self, CallScript { acts, throws }: &CallScript, out: &mut Writer) {
        out.list(|out| {
            acts.iter().for_each(|act| write_item(act, out));
            if let Some(text) = throws {
                out.object(|out| write_field(THROW, &Text, text, out));
            }
        });
    }
}

/// Reads one call of the listener `name`; `what` is its name in messages.
fn call_of(name: &str, what: &str, node: &Node, reading: &mut Reading<'_>) -> Option<CallScript> {
    let Tree::List(items) = &node.tree else {
        return reading.keep(Err(
            node.not(what, "a list of calls, like [pause]; [] only records")
        ));
    };
    let mut script = CallScript::default();
    for item in items {
        if script.throws.is_some() {
            return reading.keep(Err(Wrong::new(
                &item.range,
                "nothing in a listener runs after throw",
            )));
        }
        match (item.text(), item.map()) {
            (Some(THROW), _) => script.throws = Some(format!("thrown by {name}").into()),
            (_, Some([(key, text)])) if key.text == THROW => {
                script.throws = Some(Text.read(text, THROW, reading)?);
            }
            // Continue after an invalid action, to report the others too.
            _ => script.acts.extend(read_item(item, reading)),
        }
    }
    Some(script)
}

impl WrittenForm for ActsForm {
    type Of = Vec<StepAct>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Vec<StepAct>> {
        let items = reading.keep(node.list(what, "[play, { currentTime: 4 }]"))?;
        Some(
            items
                .iter()
                .filter_map(|item| read_item(item, reading))
                .collect(),
        )
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        let items = act_schemas(definitions);
        json!({
            "description": "Several actions as one task of the page: what they cause comes after the last one.",
            "type": ["array", "null"],
            "items": { "anyOf": items },
        })
    }

    fn write(&self, acts: &Vec<StepAct>, out: &mut Writer) {
        let is_of_steps = |act: &StepAct| matches!(act.done(), StepAct::Task(_) | StepAct::Edit(_));
        let due = "a task of the page has neither tasks nor edit calls";
        out.refuse_if(acts.iter().any(is_of_steps), due);
        out.list(|out| acts.iter().for_each(|act| write_item(act, out)));
    }
}

/// The schemas of an action in a list: a call, or an object with the key of another action.
fn act_schemas(definitions: &mut Definitions) -> Vec<Json> {
    let mut items = vec![CallForm.schema(definitions)];
    for act in ACTS.iter().filter(|act| act.in_listeners) {
        let mut item = only("What a step can do.", act.key, (act.schema)(definitions));
        item["properties"][WHEN] = Conditions.schema(definitions);
        if act.for_a_player {
            item["properties"][PLAYER] = json!({ "type": ["string", "number", "null"] });
        }
        items.push(item);
    }
    items
}

/// An object with one field.
fn only(about: &str, key: &str, schema: Json) -> Json {
    json!({
        "description": about,
        "type": "object",
        "properties": { key: schema },
        "required": [key],
        "additionalProperties": false,
    })
}

/// Reads an action in a list: a call, or an object with the key of another action and perhaps a
/// player.
pub(super) fn read_item(item: &Node, reading: &mut Reading<'_>) -> Option<StepAct> {
    let Some(when) = item.map().and(item.get(WHEN)) else {
        return read_plain(item, reading);
    };
    let conditions = Conditions.read(when, WHEN, reading);
    let act = read_plain(&item.without(WHEN), reading).map(Box::new);
    Some(StepAct::When {
        conditions: conditions?,
        act: act?,
    })
}

fn read_plain(item: &Node, reading: &mut Reading<'_>) -> Option<StepAct> {
    let entries = item.map().unwrap_or_default();
    let row_of = |(key, _): &(Key, Node)| {
        ACTS.iter()
            .find(|act| act.in_listeners && act.key == key.text)
    };
    let (Some((row, entry)), 1..=2) = (
        entries
            .iter()
            .find_map(|entry| Some((row_of(entry)?, entry))),
        entries.len(),
    ) else {
        return CallForm.read(item, "do", reading);
    };
    let other = entries.iter().find(|(key, _)| key.text != row.key);
    let act = (row.read)(&entry.1, reading);
    let Some((key, player)) = other else {
        return act;
    };
    if key.text != PLAYER || !row.for_a_player {
        let known = row.for_a_player.then_some(PLAYER);
        let what = format!("field next to \"{}\"", row.key);
        return reading.keep(Err(Wrong::unknown(&key.range, &what, &key.text, known)));
    }
    let player = reading.keep(another_player(player));
    Some(StepAct::For {
        player: player?,
        act: Box::new(act?),
    })
}

/// Writes the field for the action of a step.
pub(super) fn write_act_of_step(act: &StepAct, out: &mut Writer) {
    if let StepAct::Task(acts) = act {
        write_field(TASK.key, &ActsForm, acts, out);
    } else if let StepAct::When { conditions, act } = act {
        write_act_of_step(act, out);
        write_conditions(conditions, act, out);
    } else {
        write_act(act, out);
    }
}

/// Writes the field for the conditions of an action.
fn write_conditions(conditions: &Vec<Condition>, act: &StepAct, out: &mut Writer) {
    let has_some = matches!(act, StepAct::When { .. });
    out.refuse_if(has_some, "conditions cannot have conditions");
    write_field(WHEN, &Conditions, conditions, out);
}

fn write_item(act: &StepAct, out: &mut Writer) {
    if let StepAct::Do { .. } | StepAct::Use { .. } = act {
        CallForm.write(act, out);
    } else if let StepAct::Read(queries) = act
        && let [query] = queries[..]
        && is_read_by_its_word(query)
    {
        QueryName.write(&query, out);
    } else {
        out.object(|out| write_open(act, out));
    }
}

/// Writes an action of a list without the braces around it.
fn write_open(act: &StepAct, out: &mut Writer) {
    if let StepAct::When { conditions, act } = act {
        write_open(act, out);
        write_conditions(conditions, act, out);
    } else if let StepAct::For { player, act } = act {
        write_open(act, out);
        write_player(player, act, out);
    } else if let StepAct::Do { call, args } = act {
        write_call(*call, args, out);
    } else if let StepAct::Use { call, name } = act {
        write_use(*call, name, out);
    } else {
        write_act(act, out);
    }
}
