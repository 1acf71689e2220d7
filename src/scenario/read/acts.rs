//! What happens in a step: a player is made, a call, the person, a reading.

use std::sync::Arc;

use super::node::{Node, Object, Tree, Wrong, shown};
use super::{Reading, scalar, value};
use crate::api::{Act, Call, Query, Text, UnitKind, Value};
use crate::scenario::StepAct;

/// Names that page code reads as properties. Written as a bare word they are read and not called.
pub(in crate::scenario) const PROPERTIES: &[Query] =
    &[Query::IsReady, Query::PlaylistLength, Query::CurrentIndex, Query::IsFullScreen, Query::LastVastXml];

/// Calls whose second argument is a listener.
pub(in crate::scenario) const BINDING: &[Call] =
    &[Call::On, Call::Once, Call::Off, Call::Add, Call::AddOnce, Call::Remove];

pub(super) fn init(node: &Node, reading: &mut Reading<'_>) -> Option<StepAct> {
    let mut fields =
        reading.keep(Object::of(node, "init", "{ div: main, config: { id: p1, video: v1 } }"))?;
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
    fields.later("element", "this version makes players only, by div and config");
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
pub(super) fn call(node: &Node, listeners: &[Arc<str>]) -> Result<StepAct, Wrong> {
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
pub(super) fn user(node: &Node) -> Result<Act, Wrong> {
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

pub(super) fn queries(node: &Node) -> Result<Vec<Query>, Wrong> {
    if let Tree::Text(_) = &node.tree {
        return Ok(vec![query(node)?]);
    }
    let items = node.list("read", "[currentTime, isReady]")?;
    if items.is_empty() {
        return Err(node.not("read", "at least one name, like [currentTime]"));
    }
    items.iter().map(query).collect()
}
