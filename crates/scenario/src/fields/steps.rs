//! Steps: what happens, when, and to which player.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::acts::{ACTS, ActRow, CONTAINER};
use super::call::{Conditions, WHEN};
use super::listeners::{TASK, write_act_of_step};
use super::{
    Definitions, Node, Object, Properties, Reading, Text, Writer, WrittenForm, Wrong, count,
    described, list,
};
use crate::form::{Length, List, When, one_of, write_field, write_some};
use crate::read::node::{Key, Tree};
use crate::read::scalar;
use crate::{Step, StepAct, Target, Trigger};
use playsim_api::EventName;

/// The steps of a scenario.
pub(super) const STEPS: Steps =
    Steps(list("a step", StepForm, "[{ at: 1s, do: play }]").numbered());

pub(super) struct Steps(List<StepForm>);

/// One step.
#[derive(Clone, Copy)]
pub(super) struct StepForm;

/// The name of an event.
#[derive(Clone, Copy)]
pub(super) struct EventForm;

impl WrittenForm for Steps {
    type Of = Vec<Step>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Vec<Step>> {
        if let Tree::List(items) = &node.tree {
            let parts =
                items
                    .iter()
                    .flat_map(|step| match step.get("task").map(|task| &task.tree) {
                        Some(Tree::List(acts)) => acts,
                        _ => std::slice::from_ref(step),
                    });
            let parts: Vec<&Node> = parts.collect();
            let elements = parts.iter().filter_map(|step| place_of_element(step));
            let elements: Vec<Arc<str>> = elements.collect();
            // A bare media element has only its own events.
            reading.hears_html |= !elements.is_empty();
            reading.containers.extend(elements);
            let put = parts.iter().filter_map(|step| id_of_container(step));
            reading.containers.extend(put);
        }
        self.0.read(node, what, reading)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        self.0.schema(definitions)
    }

    fn write(&self, value: &Vec<Step>, out: &mut Writer) {
        self.0.write(value, out);
    }
}

/// The id at which a step creates an element; other steps may wait for its events.
fn place_of_element(step: &Node) -> Option<Arc<str>> {
    let init = step.get("init")?;
    init.get("element")?;
    id(init.get("div")?)
}

/// The id of an element that a step puts in place.
fn id_of_container(step: &Node) -> Option<Arc<str>> {
    id(step.get("page")?.get(CONTAINER)?)
}

fn id(node: &Node) -> Option<Arc<str>> {
    match &node.tree {
        Tree::Text(id) | Tree::Number(id) => Some(id.as_str().into()),
        Tree::Null | Tree::Bool(_) | Tree::List(_) | Tree::Map(_) => None,
    }
}

impl WrittenForm for StepForm {
    type Of = Step;

    fn read(&self, node: &Node, _: &str, reading: &mut Reading<'_>) -> Option<Step> {
        let mut fields = reading.keep(Object::of(node, "a step", "{ at: 1s, do: play }"))?;
        let wrongs = reading.wrongs.len();
        let trigger = trigger(&mut fields, reading);
        let trigger_is_wrong = reading.wrongs.len() > wrongs;
        let acts: Vec<(&ActRow, (&Key, &Node))> = all_acts()
            .filter_map(|act| fields.entry(act.key).map(|entry| (act, entry)))
            .collect();
        let when = fields.field(WHEN);
        let conditions = when.map(|node| Conditions.read(node, WHEN, reading));
        let own = fields.field("player");
        let player = match own {
            None => Some(Target::First),
            Some(Node {
                tree: Tree::Null, ..
            }) => Some(Target::NoArgument),
            Some(node) => {
                let container = container(node, trigger.as_ref(), &reading.containers);
                reading.keep(container).map(Target::Container)
            }
        };
        let start = fields.range().clone();
        let has_unknown = fields.has_unknown();
        fields.end(reading);
        if trigger.is_none() && !trigger_is_wrong {
            if has_unknown {
                return None;
            }
            let message = "the step has no trigger; it needs a time, like at: 1s, or an event, like on: adStart";
            reading.wrongs.push(Wrong::new(&start, message));
        }
        let act = match acts[..] {
            [] if has_unknown => return None,
            [] => {
                let all: Vec<&str> = all_acts().map(|act| act.key).collect();
                let message = format!(
                    "the step does nothing; it needs one of {}, like do: play",
                    all.join(", ")
                );
                reading.keep(Err(Wrong::new(&start, message)))
            }
            [(act, (_, node))] => (act.read)(node, reading),
            [(first, _), (second, (key, _)), ..] => {
                let message = format!(
                    "a step does one thing, not both \"{}\" and \"{}\"; split it in two",
                    first.key, second.key
                );
                reading.keep(Err(Wrong::new(&key.range, message)))
            }
        };
        let (trigger, act, player) = (trigger?, act?, player?);
        if trigger == Trigger::Visibility && act.changes_the_page() {
            let message =
                "what the page does at a change of visibility cannot change the page again";
            return reading.keep(Err(Wrong::new(&start, message)));
        }
        let step = match (trigger, act) {
            // A step at a time has one player, wherever it is written.
            (Trigger::At(_), StepAct::For { player, act }) if own.is_none() => Step {
                trigger,
                act: *act,
                player,
            },
            (Trigger::At(_), StepAct::For { .. }) => {
                let message = "a step at a time is for one player; leave out one of the two";
                return reading.keep(Err(Wrong::new(&start, message)));
            }
            (trigger, act) => Step {
                trigger,
                act,
                player,
            },
        };
        match conditions {
            None => Some(step),
            Some(conditions) => Some(Step {
                act: StepAct::When {
                    conditions: conditions?,
                    act: Box::new(step.act),
                },
                ..step
            }),
        }
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define("step", |definitions| {
            let mut step = Properties::default();
            step.add("at", "When: a time.", When.schema(definitions));
            let event = EventForm.schema(definitions);
            let on = json!({ "anyOf": [event, { "const": Trigger::VISIBILITY }] });
            step.add(
                "on",
                "When: at an event, or whenever the page is hidden or shown.",
                on,
            );
            step.add(
                WHEN,
                "Only if all of this is so then.",
                Conditions.schema(definitions),
            );
            step.add(
                "nth",
                "Only at the nth delivery of the event.",
                count(1).schema(definitions),
            );
            step.add(
                "after",
                "How long after the event.",
                Length.schema(definitions),
            );
            for act in all_acts() {
                step.insert(act.key, (act.schema)(definitions));
            }
            let player = json!({ "type": ["string", "number", "null"] });
            step.add(
                "player",
                "The player's container; null for $player().",
                player,
            );
            let mut step =
                step.end("A step: a trigger (at or on), one action, and which player it is for.");
            step["type"] = "object".into();
            step["dependentRequired"] = json!({ "nth": ["on"], "after": ["on"] });
            let acts: Vec<&str> = all_acts().map(|act| act.key).collect();
            step["allOf"] = json!([one_of_fields(&["at", "on"]), one_of_fields(&acts)]);
            step
        })
    }

    fn write(
        &self,
        Step {
            trigger,
            act,
            player,
        }: &Step,
        out: &mut Writer,
    ) {
        out.refuse_if(
            *trigger == Trigger::Visibility && act.changes_the_page(),
            "a step at a change of visibility cannot change the page",
        );
        out.object(|out| {
            match trigger {
                Trigger::At(at) => write_field("at", &When, at, out),
                Trigger::On { event, nth, after } => {
                    write_field("on", &EventForm, event, out);
                    write_some("nth", &count(1), nth.as_ref(), out);
                    write_some("after", &Length, after.as_ref(), out);
                }
                Trigger::Visibility => {
                    out.field("on");
                    out.text(Trigger::VISIBILITY);
                }
            }
            write_act_of_step(act, out);
            match player {
                Target::First => {}
                Target::Container(id) => write_field("player", &Text, id, out),
                Target::NoArgument => {
                    out.key("player");
                    out.null();
                }
            }
        });
    }
}

/// All actions of a step.
fn all_acts() -> impl Iterator<Item = &'static ActRow> {
    ACTS.iter().chain([&TASK])
}

/// The schema for exactly one of these fields.
fn one_of_fields(names: &[&str]) -> Json {
    let each: Vec<Json> = names
        .iter()
        .map(|name| json!({ "required": [name] }))
        .collect();
    json!({ "oneOf": each })
}

/// The container of the player that a step is for. A call may name one that does not exist, as page
/// code may; but a step that waits for its events would wait forever without an error.
fn container(
    node: &Node,
    trigger: Option<&Trigger>,
    containers: &[Arc<str>],
) -> Result<Arc<str>, Wrong> {
    let name = scalar::text(node, "player")?;
    match trigger {
        Some(Trigger::On { .. }) if !containers.contains(&name) => {
            let known = containers.iter().map(|container| &**container);
            Err(Wrong::unknown(
                &node.range,
                "container of the page",
                &name,
                known,
            ))
        }
        Some(Trigger::On { .. } | Trigger::At(_) | Trigger::Visibility) | None => Ok(name),
    }
}

fn trigger(fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Option<Trigger> {
    let (at, on) = (fields.field("at"), fields.entry("on"));
    let (nth, after) = (fields.entry("nth"), fields.entry("after"));
    let wrong = match (at, on) {
        (None, None) => return None,
        (Some(_), Some((key, _))) => {
            Wrong::new(&key.range, "a step has either \"at\" or \"on\", not both")
        }
        (Some(at), None) => match nth.or(after) {
            Some((key, _)) => Wrong::new(
                &key.range,
                format!(
                    "\"{}\" requires \"on\" and cannot be used with \"at\"",
                    key.text
                ),
            ),
            None => return When.read(at, "at", reading).map(Trigger::At),
        },
        (None, Some((_, on))) if on.text() == Some(Trigger::VISIBILITY) => match nth.or(after) {
            Some((key, _)) => Wrong::new(
                &key.range,
                format!(
                    "\"{}\" requires an event of a player, and cannot be used with {}",
                    key.text,
                    Trigger::VISIBILITY
                ),
            ),
            None => return Some(Trigger::Visibility),
        },
        (None, Some((_, on))) => {
            let event = EventForm.read(on, "an event", reading);
            let nth = nth.map_or(Some(None), |(_, node)| {
                count(1).read(node, "nth", reading).map(Some)
            });
            let after = after.map_or(Some(None), |(_, node)| {
                Length.read(node, "after", reading).map(Some)
            });
            return Some(Trigger::On {
                event: event?,
                nth: nth?,
                after: after?,
            });
        }
    };
    reading.keep(Err(wrong))
}

impl WrittenForm for EventForm {
    type Of = EventName;

    /// Those of the underlying media element are delivered only on demand. Rule EVT-18.
    fn read(&self, node: &Node, _: &str, reading: &mut Reading<'_>) -> Option<EventName> {
        let Tree::Text(name) = &node.tree else {
            return reading.keep(Err(node.not("an event", "a name, like adStart")));
        };
        let heard = if reading.hears_html {
            EventName::ALL
        } else {
            EventName::DOCUMENTED
        };
        let known = heard.iter().map(|event| event.name());
        reading.keep(match EventName::from_name(name) {
            Some(event) if heard.contains(&event) => Ok(event),
            Some(_) => {
                let message = format!(
                    "\"{name}\" is an event of the media element under the player; page code receives it only \
                     with knobs: {{ bus.expose_html: on }}"
                );
                Err(Wrong::new(&node.range, message))
            }
            None => Err(Wrong::unknown(&node.range, "event", name, known)),
        })
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        // Events of the media element are delivered only on demand, which a schema cannot express.
        definitions.define("event", |_| {
            described(
                "An event.",
                one_of(EventName::ALL.iter().map(|event| event.name())),
            )
        })
    }

    fn write(&self, value: &EventName, out: &mut Writer) {
        out.text(value.name());
    }
}
