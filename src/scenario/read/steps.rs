//! When something happens, and to whom: steps and named listeners.

use std::sync::Arc;

use super::acts::{self, ACTS};
use super::node::{Key, Node, Object, Tree, Wrong};
use super::{Reading, element, scalar};
use crate::api::EventName;
use crate::scenario::{ListenerScript, Step, Target, Trigger};

/// All steps.
pub(super) fn steps(node: &Node, reading: &mut Reading<'_>) -> Vec<Step> {
    let items = reading.keep(node.list("steps", "[{ at: 1s, do: play }]")).unwrap_or_default();
    let elements: Vec<Arc<str>> = items.iter().filter_map(element::place).collect();
    // A bare media element has no other events than its own.
    reading.hears_html |= !elements.is_empty();
    reading.containers.extend(elements);
    items.iter().filter_map(|item| step(item, reading)).collect()
}

fn step(node: &Node, reading: &mut Reading<'_>) -> Option<Step> {
    let mut fields = reading.keep(Object::of(node, "a step", "{ at: 1s, do: play }"))?;
    let trigger = trigger(&mut fields, reading.hears_html);
    let acts: Vec<(&Key, &Node)> = ACTS.iter().filter_map(|name| fields.entry(name)).collect();
    let player = match fields.field("player") {
        None => Some(Target::First),
        Some(Node { tree: Tree::Null, .. }) => Some(Target::NoArgument),
        Some(node) => {
            let container = container(node, trigger.as_ref(), &reading.containers);
            reading.keep(container).map(Target::Container)
        }
    };
    let start = fields.range().clone();
    let has_unknown = fields.has_unknown();
    fields.end(reading);
    let trigger = match trigger {
        Ok(None) if has_unknown => return None,
        Ok(None) => {
            let message =
                "a step without a trigger; it needs a time, like at: 1s, or an event, like on: adStart";
            reading.keep(Err(Wrong::new(&start, message)))
        }
        Ok(Some(trigger)) => Some(trigger),
        Err(wrong) => reading.keep(Err(wrong)),
    };
    let act = match acts[..] {
        [] if has_unknown => return None,
        [] => {
            let message =
                format!("a step without an act; it needs one of {}, like do: play", ACTS.join(", "));
            reading.keep(Err(Wrong::new(&start, message)))
        }
        [(key, node)] => acts::act(key, node, reading),
        [(first, _), (second, _), ..] => {
            let message = format!(
                "a step has one act, not both \"{}\" and \"{}\"; make it two",
                first.text, second.text
            );
            reading.keep(Err(Wrong::new(&second.range, message)))
        }
    };
    Some(Step { trigger: trigger?, act: act?, player: player? })
}

/// The container whose player is meant. A call may name one that is not there, as page code may; but a step
/// that waits for its events would wait in vain and nobody would notice.
fn container(
    node: &Node,
    trigger: Result<&Option<Trigger>, &Wrong>,
    containers: &[Arc<str>],
) -> Result<Arc<str>, Wrong> {
    let name = scalar::text(node, "player")?;
    match trigger {
        Ok(Some(Trigger::On { .. })) if !containers.contains(&name) => {
            let known = containers.iter().map(|container| &**container);
            Err(Wrong::unknown(&node.range, "container of the page", &name, known))
        }
        Ok(Some(Trigger::On { .. } | Trigger::At(_)) | None) | Err(_) => Ok(name),
    }
}

fn trigger(fields: &mut Object<'_>, hears_html: bool) -> Result<Option<Trigger>, Wrong> {
    let (at, on) = (fields.field("at"), fields.entry("on"));
    let (nth, after) = (fields.entry("nth"), fields.entry("after"));
    match (at, on) {
        (None, None) => Ok(None),
        (Some(_), Some((key, _))) => {
            Err(Wrong::new(&key.range, "a step has one trigger, not both \"at\" and \"on\""))
        }
        (Some(at), None) => match nth.or(after) {
            Some((key, _)) => {
                Err(Wrong::new(&key.range, format!("\"{}\" goes with \"on\", not with \"at\"", key.text)))
            }
            None => scalar::time(at, "at").map(Trigger::At).map(Some),
        },
        (None, Some((_, on))) => Ok(Some(Trigger::On {
            event: event(on, hears_html)?,
            nth: nth.map(|(_, nth)| scalar::count(nth, "nth", 1)).transpose()?,
            after: after.map(|(_, after)| scalar::span(after, "after")).transpose()?,
        })),
    }
}

/// The name of an event. Those of the media element below are heard only on demand. Rule EVT-18.
pub(super) fn event(node: &Node, hears_html: bool) -> Result<EventName, Wrong> {
    let Tree::Text(name) = &node.tree else { return Err(node.not("an event", "a name, like adStart")) };
    let heard = if hears_html { EventName::ALL } else { EventName::DOCUMENTED };
    let known = heard.iter().map(|event| event.name());
    match EventName::read(name) {
        Some(event) if heard.contains(&event) => Ok(event),
        Some(_) => {
            let message = format!(
                "\"{name}\" is an event of the media element under the player; page code hears it only with \
                 knobs: {{ bus.expose_html: on }}"
            );
            Err(Wrong::new(&node.range, message))
        }
        None => Err(Wrong::unknown(&node.range, "event", name, known)),
    }
}

/// All named listeners.
pub(super) fn listeners(node: &Node, reading: &mut Reading<'_>) -> Vec<(Arc<str>, ListenerScript)> {
    let example = "{ L1: [pause, { currentTime: 4 }] }";
    let entries = reading.keep(node.entries("listeners", example)).unwrap_or_default();
    let script = |(key, node): &(Key, Node)| {
        if key.text.is_empty() {
            reading.wrongs.push(Wrong::new(&key.range, "a listener has a name that is not empty"));
        }
        let script = listener_script(&key.text, node, reading);
        reading.keep(script).map(|script| (Arc::from(&*key.text), script))
    };
    entries.iter().filter_map(script).collect()
}

fn listener_script(name: &str, node: &Node, reading: &mut Reading<'_>) -> Result<ListenerScript, Wrong> {
    let Tree::List(items) = &node.tree else {
        return Err(node.not(&format!("listener {name}"), "a list of calls, like [pause]; [] only records"));
    };
    let mut script = ListenerScript::default();
    for item in items {
        if script.throws.is_some() {
            return Err(Wrong::new(&item.range, "nothing of a listener runs after throw"));
        }
        match &item.tree {
            Tree::Text(word) if word == "throw" => script.throws = Some(format!("thrown by {name}").into()),
            Tree::Map(entries) if entries.len() == 1 && entries[0].0.text == "throw" => {
                script.throws = Some(scalar::text(&entries[0].1, "throw")?);
            }
            Tree::Map(entries) if entries.len() == 1 && is_making(&entries[0].0.text) => {
                script.acts.extend(acts::act(&entries[0].0, &entries[0].1, reading));
            }
            Tree::Text(_) | Tree::Map(_) | Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) => {
                // Goes on behind a wrong act: the next may be wrong too.
                let act = acts::call(item, &reading.listeners);
                script.acts.extend(reading.keep(act));
            }
        }
    }
    Ok(script)
}

/// Whether page code makes a player so, which it may do in a listener as well. Rule QUEUE-6.
fn is_making(act: &str) -> bool {
    matches!(act, "init" | "queue")
}
