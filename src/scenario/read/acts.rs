//! What happens in a step: a player is made or asked for, a call, the person, the page, a reading.

use std::sync::Arc;

use super::node::{Key, Node, Object, Tree, Wrong, shown};
use super::{Reading, edit, element, scalar, value};
use crate::api::{
    Act, Call, ClickAt, Decimal, Fields, Interaction, PageChange, Query, Text, UnitKind, Value,
};
use crate::scenario::StepAct;

/// Names that page code reads as properties. Written as a bare word they are read and not called.
pub(in crate::scenario) const PROPERTIES: &[Query] =
    &[Query::IsReady, Query::PlaylistLength, Query::CurrentIndex, Query::IsFullScreen, Query::LastVastXml];

/// Calls whose second argument is a listener.
pub(in crate::scenario) const BINDING: &[Call] =
    &[Call::On, Call::Once, Call::Off, Call::Add, Call::AddOnce, Call::Remove];

/// The fields of a step that say what it does.
pub(in crate::scenario) const ACTS: &[&str] = &["init", "queue", "do", "user", "page", "edit", "read"];

/// What may change on a page.
const CHANGES: &[&str] = &["in_view", "window", "sticky", "fullscreen", "hidden", "rate", "script"];

/// The words for scripts.
pub(in crate::scenario) const SCRIPTS: &[(&str, UnitKind)] =
    &[(UnitKind::Player.name(), UnitKind::Player), (UnitKind::Outstream.name(), UnitKind::Outstream)];

/// Browsers play no slower and no faster. Rule MEL-22.
const RATES: (Decimal, Decimal) = (Decimal::from_millionths(62_500), Decimal::from_integer(16));

/// The field of a queue's entry that is its ready callback.
const ON_READY: &str = "onReady";

/// What a step does, by the field that says it.
pub(super) fn act(key: &Key, node: &Node, reading: &mut Reading<'_>) -> Option<StepAct> {
    match &*key.text {
        "init" => init(node, reading),
        "queue" => queue(node, reading),
        "do" => reading.keep(call(node, &reading.listeners)),
        "user" => reading.keep(user(node)).map(StepAct::User),
        "page" => reading.keep(page_change(node)),
        "edit" => edit::edit(node, reading).map(StepAct::Edit),
        _ => reading.keep(queries(node)).map(StepAct::Read),
    }
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
    let outstream = fields.field("outstream").map(|node| scalar::truth(node, "outstream")).transpose();
    fields.end(reading);
    let outstream = reading.keep(outstream)?.unwrap_or(false);
    let unit = if outstream { UnitKind::Outstream } else { UnitKind::Player };
    Some(StepAct::Init { unit, div: div?, config: config?, on_ready: on_ready? })
}

/// A push on one of the queue arrays. What is wrong with the entry is the player's to say; only a listener
/// that it names must be there. Rules QUEUE-1 to QUEUE-5.
fn queue(node: &Node, reading: &mut Reading<'_>) -> Option<StepAct> {
    let example = "{ _player_queue: { div: main, obj: { id: p1, video: v1 } } }";
    let known = UnitKind::ALL.iter().map(|unit| unit.queue());
    let (key, entry) = reading.keep(the_one(node, "queue", "queue array", example, known))?;
    let unit = UnitKind::ALL.iter().find(|unit| unit.queue() == key.text).copied()?;
    let mut on_ready = None;
    let entry = match &entry.tree {
        Tree::Map(fields) if fields.iter().any(|(key, _)| key.text == ON_READY) => {
            let mut values = Fields::NONE;
            for (key, node) in fields {
                if let (ON_READY, Tree::Text(_)) = (&*key.text, &node.tree) {
                    on_ready = Some(reading.keep(listener(node, &reading.listeners))?);
                } else {
                    values.push(Text::from(key.text.clone()), reading.keep(value::value(node))?);
                }
            }
            Value::Map(values)
        }
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::List(_) | Tree::Map(_) => {
            reading.keep(value::value(entry))?
        }
    };
    Some(StepAct::Queue { unit, entry, on_ready })
}

/// The surroundings change, or a script arrives. Rules ENV-1, LOAD-2, LOAD-5.
fn page_change(node: &Node) -> Result<StepAct, Wrong> {
    let known = CHANGES.iter().copied();
    let (key, value) = the_one(node, "page", "change of the page", "{ in_view: 30 }", known)?;
    let truth = |name| scalar::truth(value, name);
    let change = match &*key.text {
        "in_view" => PageChange::InView(scalar::percent(value, "in_view")?),
        "window" => scalar::size(value, "window").map(|(width, height)| PageChange::Window(width, height))?,
        "sticky" => PageChange::Sticky(truth("sticky")?),
        "fullscreen" => PageChange::Fullscreen(truth("fullscreen")?),
        "hidden" => PageChange::Hidden(truth("hidden")?),
        "rate" => PageChange::Rate(scalar::number(value, "rate", RATES.0, RATES.1)?),
        _ => return scalar::word(value, "script", SCRIPTS).map(StepAct::Script),
    };
    Ok(StepAct::Page(change))
}

/// The one field of an object that has exactly one, and that is one of these.
fn the_one<'a, 'n>(
    node: &'a Node,
    name: &str,
    what: &str,
    example: &str,
    known: impl IntoIterator<Item = &'n str> + Clone,
) -> Result<&'a (Key, Node), Wrong> {
    match node.entries(name, example)? {
        [] => {
            Err(Wrong::new(&node.range, format!("\"{name}\" is empty; it takes one {what}, like {example}")))
        }
        [one] if known.clone().into_iter().any(|known| known == one.0.text) => Ok(one),
        [(key, _)] => Err(Wrong::unknown(&key.range, what, &key.text, known)),
        [_, (key, _), ..] => {
            Err(Wrong::new(&key.range, format!("one {what} at a time; a second one is another step")))
        }
    }
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
fn user(node: &Node) -> Result<Act, Wrong> {
    let unknown = |range, word: &str| Wrong::unknown(range, "user act", word, Act::WORDS.iter().copied());
    match &node.tree {
        Tree::Text(word) if word == "seek" => {
            Err(node.not("user", "a place to seek to").meant("{ seek: 30 }"))
        }
        Tree::Text(word) if word == "volume" => Err(node.not("user", "a volume").meant("{ volume: 0.5 }")),
        Tree::Text(word) if word == "icon" => {
            Err(node.not("user", "a programme whose icon is clicked").meant("{ icon: AdChoices }"))
        }
        Tree::Text(word) if word == "companion" => {
            Err(node.not("user", "a place whose companion is clicked").meant("{ companion: side }"))
        }
        Tree::Text(word) if word == "interact" => {
            let meant = "{ interact: acceptInvitation }";
            Err(node.not("user", "what is done with the ad").meant(meant))
        }
        Tree::Text(word) => {
            let act = Act::PLAIN.iter().find(|act| act.word() == word);
            act.cloned().ok_or_else(|| unknown(&node.range, word))
        }
        Tree::Map(entries) => match &entries[..] {
            [(key, seconds)] if key.text == "seek" => value::value(seconds).map(Act::Seek),
            [(key, volume)] if key.text == "volume" => value::value(volume).map(Act::Volume),
            [(key, program)] if key.text == "icon" => {
                scalar::name(program, "icon").map(|name| Act::Icon(name.into()))
            }
            [(key, slot)] if key.text == "companion" => {
                scalar::name(slot, "companion").map(|name| Act::Companion(name.into()))
            }
            [(key, what)] if key.text == "interact" => interaction(what).map(Act::Interact),
            [(key, place)] if key.text == "click" => click_at(place).map(Some).map(Act::Click),
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

/// What the person does with the ad. Rule ADX-19.
fn interaction(node: &Node) -> Result<Interaction, Wrong> {
    let words: Vec<(&'static str, Interaction)> =
        Interaction::ALL.iter().map(|what| (what.name(), *what)).collect();
    scalar::word(node, "interact", &words)
}

/// Where the person clicks. Rule MAC-7.
fn click_at(node: &Node) -> Result<ClickAt, Wrong> {
    let form = "a place in pixels, from the left and from the top, like [320, 180]";
    let [x, y] = node.list("click", "{ click: [320, 180] }")? else { return Err(node.not("click", form)) };
    let pixels = |node| scalar::whole(node, "click", 0, u64::from(u32::MAX));
    let pixels = |node| pixels(node).map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    Ok(ClickAt { x: pixels(x)?, y: pixels(y)? })
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
