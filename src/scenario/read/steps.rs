//! What happens: triggers, acts and named listeners.

use std::sync::Arc;

use super::node::{Key, Node, Object, Tree, Wrong, shown};
use super::{Reading, element, scalar, value};
use crate::api::{Act, Call, EventName, Query, Text, UnitKind, Value};
use crate::scenario::{ListenerScript, Step, StepAct, Target, Trigger};

/// Names that page code reads as properties. Written as a bare word they are read and not called.
pub(in crate::scenario) const PROPERTIES: &[Query] =
    &[Query::IsReady, Query::PlaylistLength, Query::CurrentIndex, Query::IsFullScreen, Query::LastVastXml];

/// Calls whose second argument is a listener.
pub(in crate::scenario) const BINDING: &[Call] =
    &[Call::On, Call::Once, Call::Off, Call::Add, Call::AddOnce, Call::Remove];

/// All steps.
pub(super) fn steps(node: &Node, reading: &mut Reading<'_>) -> Vec<Step> {
    let items = reading.keep(node.list("steps", "[{ at: 1s, do: play }]")).unwrap_or_default();
    reading.containers.extend(items.iter().filter_map(element::place));
    items.iter().filter_map(|item| step(item, reading)).collect()
}

fn step(node: &Node, reading: &mut Reading<'_>) -> Option<Step> {
    let mut fields = reading.keep(Object::of(node, "a step", "{ at: 1s, do: play }"))?;
    let trigger = trigger(&mut fields);
    let acts: Vec<(&Key, &Node)> =
        ["init", "do", "user", "read"].into_iter().filter_map(|name| fields.entry(name)).collect();
    let player = match fields.field("player") {
        None => Some(Target::First),
        Some(Node { tree: Tree::Null, .. }) => Some(Target::NoArgument),
        Some(node) => {
            let container = container(node, trigger.as_ref(), &reading.containers);
            reading.keep(container).map(Target::Container)
        }
    };
    fields.later("queue", "this version makes players by init: { div: main, config: {...} }");
    fields.later("page", "this version has surroundings that never change");
    fields.later("edit", "this version plays records as the videos of the scenario give them");
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
            let message = "a step without an act; it needs one of init, do, user, read, like do: play";
            reading.keep(Err(Wrong::new(&start, message)))
        }
        [(key, node)] => match &*key.text {
            "init" => init(node, reading),
            "do" => reading.keep(call(node, &reading.listeners)),
            "user" => reading.keep(user(node)).map(StepAct::User),
            _ => reading.keep(queries(node)).map(StepAct::Read),
        },
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

fn trigger(fields: &mut Object<'_>) -> Result<Option<Trigger>, Wrong> {
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
            event: event(on)?,
            nth: nth.map(|(_, nth)| scalar::count(nth, "nth", 1)).transpose()?,
            after: after.map(|(_, after)| scalar::span(after, "after")).transpose()?,
        })),
    }
}

/// The name of an event.
pub(super) fn event(node: &Node) -> Result<EventName, Wrong> {
    let Tree::Text(name) = &node.tree else { return Err(node.not("an event", "a name, like adStart")) };
    let known = EventName::ALL.iter().map(|event| event.name());
    EventName::read(name).ok_or_else(|| Wrong::unknown(&node.range, "event", name, known))
}

fn init(node: &Node, reading: &mut Reading<'_>) -> Option<StepAct> {
    let mut fields =
        reading.keep(Object::of(node, "init", "{ div: main, config: { id: p1, video: v1 } }"))?;
    if let Some(attributes) = fields.field("element") {
        let div = match fields.field("div") {
            Some(node) => reading.keep(scalar::text(node, "div")),
            None => {
                reading.keep(Err(node.not("init", "a div with an element, like { div: e, element: {} }")))
            }
        };
        fields.end(reading);
        let config = element::element(attributes, reading);
        return Some(StepAct::Element { div: div?, config: config? });
    }
    let mut given = |node: Option<&Node>| match node {
        Some(node) => reading.keep(value::value(node)),
        None => Some(Value::Undefined),
    };
    let div = given(fields.field("div"));
    let config = given(fields.field("config"));
    let on_ready = match fields.field("on_ready") {
        Some(node) => reading.keep(listener(node, &reading.listeners)).map(Some),
        None => Some(None),
    };
    fields.later("outstream", "this version makes players only, by div and config");
    fields.end(reading);
    Some(StepAct::Init { unit: UnitKind::Player, div: div?, config: config?, on_ready: on_ready? })
}

/// The name of a listener of this scenario.
fn listener(node: &Node, listeners: &[Arc<str>]) -> Result<Arc<str>, Wrong> {
    let name = scalar::text(node, "a listener")?;
    listeners.iter().find(|known| **known == name).cloned().ok_or_else(|| {
        let known = listeners.iter().map(|known| &**known);
        Wrong::unknown(&node.range, "listener", &name, known)
    })
}

/// A call: a bare word, or `{ word: arguments }`.
fn call(node: &Node, listeners: &[Arc<str>]) -> Result<StepAct, Wrong> {
    match &node.tree {
        Tree::Text(word) => {
            if let Some(property) = PROPERTIES.iter().find(|property| property.name() == word) {
                return Ok(StepAct::Read(vec![*property]));
            }
            Ok(StepAct::Do { call: call_name(&node.range, word)?, args: Vec::new() })
        }
        Tree::Map(entries) => match &entries[..] {
            [(key, args)] => {
                let call = call_name(&key.range, &key.text)?;
                Ok(StepAct::Do { call, args: arguments(call, args, listeners)? })
            }
            [] => Err(node.not("do", "a call, like play or { currentTime: 4 }")),
            [_, (key, _), ..] => {
                Err(Wrong::new(&key.range, "one call at a time; a second one is another step"))
            }
        },
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) => {
            Err(node.not("do", "a call, like play or { currentTime: 4 }"))
        }
    }
}

/// The call of this name.
pub(super) fn call_name(range: &std::ops::Range<usize>, word: &str) -> Result<Call, Wrong> {
    if let Some(call) = Call::read(word) {
        return Ok(call);
    }
    if Query::read(word).is_some() {
        return Err(Wrong::new(range, format!("\"{word}\" is a property; read it by its bare name")));
    }
    let known = Call::ALL.iter().map(|call| call.name());
    Err(Wrong::unknown(range, "call", word, known))
}

/// A list is the list of arguments; anything else is the one argument.
fn arguments(call: Call, node: &Node, listeners: &[Arc<str>]) -> Result<Vec<Value>, Wrong> {
    let Tree::List(items) = &node.tree else { return Ok(vec![value::value(node)?]) };
    let binds = BINDING.contains(&call);
    let argument = |(index, item): (usize, &Node)| match &item.tree {
        Tree::Text(_) if binds && index == 1 => {
            listener(item, listeners).map(|name| Value::Function(Text::from(name)))
        }
        Tree::Text(_) | Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) | Tree::Map(_) => {
            value::value(item)
        }
    };
    items.iter().enumerate().map(argument).collect()
}

/// What the person does.
fn user(node: &Node) -> Result<Act, Wrong> {
    let unknown = |range, word: &str| Wrong::unknown(range, "user act", word, Act::WORDS.iter().copied());
    match &node.tree {
        Tree::Text(word) if word == "seek" => {
            Err(node.not("user", "a place to seek to").meant("{ seek: 30 }"))
        }
        Tree::Text(word) if word == "volume" => Err(node.not("user", "a volume").meant("{ volume: 0.5 }")),
        Tree::Text(word) => {
            let act = Act::PLAIN.iter().find(|act| act.word() == word);
            act.cloned().ok_or_else(|| unknown(&node.range, word))
        }
        Tree::Map(entries) => match &entries[..] {
            [(key, seconds)] if key.text == "seek" => value::value(seconds).map(Act::Seek),
            [(key, volume)] if key.text == "volume" => value::value(volume).map(Act::Volume),
            [(key, _)] if Act::PLAIN.iter().any(|act| act.word() == key.text) => {
                let message = format!("\"{}\" takes no value; write it as a bare word", key.text);
                Err(Wrong::new(&key.range, message))
            }
            [(key, _)] => Err(unknown(&key.range, &key.text)),
            [] | [_, ..] => Err(node.not("user", "one act, like skip or { seek: 30 }")),
        },
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) => {
            Err(node.not("user", "an act, like skip or { seek: 30 }"))
        }
    }
}

/// The name of a getter or property.
pub(super) fn query(node: &Node) -> Result<Query, Wrong> {
    let Tree::Text(name) = &node.tree else { return Err(node.not("read", "a name, like currentTime")) };
    let known = Query::ALL.iter().map(|query| query.name());
    match Query::read(name) {
        Some(query) => Ok(query),
        None if Call::read(name).is_some() => {
            let message = format!("\"{}\" is a call, nothing to read; write do: {name}", shown(name));
            Err(Wrong::new(&node.range, message))
        }
        None => Err(Wrong::unknown(&node.range, "getter", name, known)),
    }
}

fn queries(node: &Node) -> Result<Vec<Query>, Wrong> {
    if let Tree::Text(_) = &node.tree {
        return Ok(vec![query(node)?]);
    }
    let items = node.list("read", "[currentTime, isReady]")?;
    if items.is_empty() {
        return Err(node.not("read", "at least one name, like [currentTime]"));
    }
    items.iter().map(query).collect()
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
            Tree::Text(_) | Tree::Map(_) | Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) => {
                // Goes on behind a wrong act: the next may be wrong too.
                let act = call(item, &reading.listeners);
                script.acts.extend(reading.keep(act));
            }
        }
    }
    Ok(script)
}
