//! Calls of the API, and getters and properties that are read.

use std::ops::Range;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::value::VALUE;
use super::{Definitions, Node, Reading, Writer, WrittenForm, Wrong, described};
use crate::form::{one_of, write_field};
use crate::read::node::{Key, Tree, shown};
use crate::read::scalar;
use crate::{Condition, HIDDEN, StepAct, Target};
use playsim_api::{Call, Query, Text, Value};

/// Calls whose second argument is a listener.
const BINDING: &[Call] = &[
    Call::On,
    Call::Once,
    Call::Off,
    Call::Add,
    Call::AddOnce,
    Call::Remove,
];

/// An example of a call, for messages.
const TAKES: &str = "a call, like play or { currentTime: 4 }";

/// A call: a bare word, or `{ word: arguments }`. The bare word of a property or attribute is a
/// reading.
pub(super) struct CallForm;

/// The field of a call that is for another player. Rule EVT-22.
pub(super) const PLAYER: &str = "player";

/// The key of a kept value among arguments.
const USE: &str = "use";

/// The name of a reading of another player.
const READ: &str = "read";

/// How a call for another player is written, for messages.
const FOR_ANOTHER: &str =
    "write the call and its player side by side, like { pause: [], player: two }";

/// The name of a call.
#[derive(Clone, Copy)]
pub(super) struct CallName;

/// The name of a listener of the scenario.
#[derive(Clone, Copy)]
pub(super) struct ListenerName;

/// The name of a getter or property.
#[derive(Clone, Copy)]
pub(super) struct QueryName;

/// One getter, or a list of them.
pub(super) struct Queries;

/// A name for a value, and the getter that it is read from: `{ before: volume }`.
pub(super) struct Kept;

/// What must be so for an action: `{ hidden: true }`.
pub(super) struct Conditions;

/// The field for the conditions of an action.
pub(super) const WHEN: &str = "when";

impl WrittenForm for ListenerName {
    type Of = Arc<str>;

    fn read(&self, node: &Node, _: &str, reading: &mut Reading<'_>) -> Option<Arc<str>> {
        let name = reading.keep(scalar::text(node, "a listener"))?;
        let found = reading
            .listeners
            .iter()
            .find(|known| **known == name)
            .cloned()
            .ok_or_else(|| {
                let known = reading.listeners.iter().map(|known| &**known);
                Wrong::unknown(&node.range, "listener", &name, known)
            });
        reading.keep(found)
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        super::text_schema()
    }

    fn write(&self, value: &Arc<str>, out: &mut Writer) {
        out.text(value);
    }
}

impl WrittenForm for CallName {
    type Of = Call;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Call> {
        let word = reading.keep(scalar::name(node, what))?;
        reading.keep(call_name(&node.range, &word))
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define("call_name", |_| {
            described("A call.", one_of(Call::ALL.iter().map(|call| call.name())))
        })
    }

    fn write(&self, value: &Call, out: &mut Writer) {
        out.text(value.name());
    }
}

fn call_name(range: &Range<usize>, word: &str) -> Result<Call, Wrong> {
    if let Some(call) = Call::from_name(word) {
        return Ok(call);
    }
    if Query::from_name(word).is_some() {
        return Err(Wrong::new(
            range,
            format!("\"{word}\" is a property; read it by its bare name"),
        ));
    }
    if word == "do" {
        return Err(Wrong::new(
            range,
            format!("the name of the call comes without \"do\" here; {FOR_ANOTHER}"),
        ));
    }
    let known = Call::ALL.iter().map(|call| call.name());
    Err(Wrong::unknown(range, "call", word, known))
}

/// Whether no call has this name: then it can only be read.
fn is_no_call(word: &str) -> bool {
    Call::from_name(word).is_none()
}

/// Whether a getter's bare word reads it, and does not call a method of that name.
pub(super) fn is_read_by_its_word(query: Query) -> bool {
    Query::PROPERTIES.contains(&query) || is_no_call(query.name())
}

/// `{ word: arguments }`.
fn with_arguments((key, args): &(Key, Node), reading: &mut Reading<'_>) -> Option<StepAct> {
    let call = reading.keep(call_name(&key.range, &key.text))?;
    if let Some([(key, node)]) = args.map()
        && key.text == USE
    {
        let name = reading.keep(scalar::name(node, USE))?;
        reading.used.push((node.range.clone(), Arc::clone(&name)));
        return Some(StepAct::Use { call, name });
    }
    arguments(call, args, reading).map(|args| StepAct::Do { call, args })
}

/// What page code does with another player: a call, or a reading.
fn of_another_player(act: &(Key, Node), reading: &mut Reading<'_>) -> Option<StepAct> {
    let (key, node) = act;
    if key.text == READ {
        return Queries.read(node, READ, reading).map(StepAct::Read);
    }
    let is_written_as_call = matches!(node.tree, Tree::List(_) | Tree::Null)
        && Query::PROPERTIES
            .iter()
            .any(|property| property.name() == key.text);
    if let Some(property) = Query::from_name(&key.text)
        && (is_written_as_call || is_no_call(&key.text))
    {
        let name = property.name();
        let message =
            format!("\"{name}\" is a property; read it with {{ read: {name}, player: two }}");
        return reading.keep(Err(Wrong::new(&key.range, message)));
    }
    with_arguments(act, reading)
}

/// The container of another player; nothing stands for `$player()`. There need not be a player:
/// page code may call one that does not exist. Rules INIT-18, INIT-19.
pub(super) fn another_player(node: &Node) -> Result<Target, Wrong> {
    match node.tree {
        Tree::Null => Ok(Target::NoArgument),
        Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::List(_) | Tree::Map(_) => {
            scalar::name(node, PLAYER).map(Target::Container)
        }
    }
}

/// Writes the field for the player of an action.
pub(super) fn write_player(player: &Target, of: &StepAct, out: &mut Writer) {
    let due = "only a call, a reading, a user or a page can be for another player";
    out.refuse_if(!of.is_for_a_player(), due);
    out.field(PLAYER);
    match player {
        Target::Container(id) => out.text(id),
        Target::First | Target::NoArgument => out.null(),
    }
}

/// Writes a call with a kept value without the braces around it.
pub(super) fn write_use(call: Call, name: &Arc<str>, out: &mut Writer) {
    out.field(call.name());
    out.object(|out| {
        out.field(USE);
        out.filled(name);
    });
}

/// Writes a call without the braces around it.
pub(super) fn write_call(call: Call, args: &[Value], out: &mut Writer) {
    out.field(call.name());
    match args {
        // A list would be the list of arguments.
        [arg] if !matches!(arg, Value::List(_)) => VALUE.write(arg, out),
        args => out.list(|out| {
            for (index, arg) in args.iter().enumerate() {
                let listener = arg.as_function().filter(|name| {
                    index == 1 && BINDING.contains(&call) && !name.is_empty() && !out.is_canonical()
                });
                // Where a listener is expected, its name is enough; a digest distinguishes it from
                // a string.
                match listener {
                    Some(name) => out.text(name),
                    None => VALUE.write(arg, out),
                }
            }
        }),
    }
}

impl WrittenForm for CallForm {
    type Of = StepAct;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<StepAct> {
        let wrong = match &node.tree {
            Tree::Text(word) => {
                if let Some(property) = Query::PROPERTIES
                    .iter()
                    .find(|property| property.name() == word)
                {
                    return Some(StepAct::Read(vec![*property]));
                }
                if let Some(attribute) = Query::from_name(word).filter(|_| is_no_call(word)) {
                    return Some(StepAct::Read(vec![attribute]));
                }
                if is_no_call(word) && word != "do" {
                    // Here the word of an attribute does as well, so one of them may be meant.
                    let queries = Query::ALL.iter().map(|query| query.name());
                    let known: Vec<&str> = Call::ALL
                        .iter()
                        .map(|call| call.name())
                        .chain(queries.filter(|name| is_no_call(name)))
                        .collect();
                    return reading.keep(Err(Wrong::unknown(&node.range, "call", word, known)));
                }
                let call = reading.keep(call_name(&node.range, word))?;
                return Some(StepAct::Do {
                    call,
                    args: Vec::new(),
                });
            }
            Tree::Map(entries) => {
                let player = entries.iter().find(|(key, _)| key.text == PLAYER);
                let calls: Vec<_> = entries
                    .iter()
                    .filter(|(key, _)| key.text != PLAYER)
                    .collect();
                match (&calls[..], player) {
                    ([(key, node)], None) if key.text == READ => {
                        return Queries.read(node, READ, reading).map(StepAct::Read);
                    }
                    ([call], None) => return with_arguments(call, reading),
                    ([call], Some((_, player))) => {
                        let player = reading.keep(another_player(player));
                        let act = of_another_player(call, reading).map(Box::new);
                        return Some(StepAct::For {
                            player: player?,
                            act: act?,
                        });
                    }
                    ([], Some((key, _))) => {
                        let message = format!(
                            "\"player\" says whom a call is for, but there is none; {FOR_ANOTHER}"
                        );
                        Wrong::new(&key.range, message)
                    }
                    ([], None) => node.not(what, TAKES),
                    ([_, (key, _), ..], _) => Wrong::new(
                        &key.range,
                        "one call per step; move the second one to its own step",
                    ),
                }
            }
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) => node.not(what, TAKES),
        };
        reading.keep(Err(wrong))
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define("call", |definitions| {
            let calls = Call::ALL.iter().map(|call| call.name());
            let mut bare: Vec<&str> = calls.chain(Query::ALL.iter().map(|query| query.name())).collect();
            bare.sort_unstable();
            bare.dedup();
            let value = VALUE.schema(definitions);
            let with_arguments: Map<String, Json> = Call::ALL
                .iter()
                .map(|call| {
                    let about = if BINDING.contains(call) {
                        "An event or a list of them, and the name of a listener: [adStart, L1]."
                    } else {
                        "A list of arguments, or the only argument."
                    };
                    (call.name().to_owned(), described(about, value.clone()))
                })
                .collect();
            let mut with_arguments = with_arguments;
            with_arguments.insert(READ.into(), Queries.schema(definitions));
            with_arguments.insert(WHEN.into(), Conditions.schema(definitions));
            with_arguments.insert(
                PLAYER.into(),
                json!({
                    "description": "The container of the player that it is for, if that is another one; null for $player().",
                    "type": ["string", "number", "null"],
                }),
            );
            let call = json!({
                "description": "A call with arguments, or a reading; for another player with `player` next to it.",
                "type": "object",
                "properties": with_arguments,
                "additionalProperties": false,
                "minProperties": 1,
                "if": { "required": [PLAYER] },
                "then": { "minProperties": 2, "maxProperties": 3 },
                "else": { "maxProperties": 2 },
            });
            json!({
                "description": "A call: a bare word, or `{ name: arguments }`. The bare word of what is no call reads it.",
                "anyOf": [one_of(bare), call],
            })
        })
    }

    fn write(&self, value: &StepAct, out: &mut Writer) {
        if let StepAct::For { player, act } = value {
            return out.object(|out| {
                if let StepAct::Read(queries) = &**act {
                    write_field(READ, &Queries, queries, out);
                } else if let StepAct::Do { call, args } = &**act {
                    write_call(*call, args, out);
                } else if let StepAct::Use { call, name } = &**act {
                    write_use(*call, name, out);
                }
                write_player(player, act, out);
            });
        }
        if let StepAct::Use { call, name } = value {
            return out.object(|out| write_use(*call, name, out));
        }
        let StepAct::Do { call, args } = value else {
            return;
        };
        if args.is_empty()
            && !Query::PROPERTIES
                .iter()
                .any(|property| property.name() == call.name())
        {
            return out.text(call.name());
        }
        out.object(|out| write_call(*call, args, out));
    }
}

/// A list is the list of arguments; anything else is the only argument.
fn arguments(call: Call, node: &Node, reading: &mut Reading<'_>) -> Option<Vec<Value>> {
    let Tree::List(items) = &node.tree else {
        return VALUE.read(node, "", reading).map(|value| vec![value]);
    };
    let mut arguments = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let is_listener =
            index == 1 && BINDING.contains(&call) && matches!(item.tree, Tree::Text(_));
        arguments.push(if is_listener {
            Value::Function(Text::from(ListenerName.read(item, "", reading)?))
        } else {
            VALUE.read(item, "", reading)?
        });
    }
    Some(arguments)
}

impl WrittenForm for QueryName {
    type Of = Query;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Query> {
        let Tree::Text(name) = &node.tree else {
            return reading.keep(Err(node.not(what, "a name, like currentTime")));
        };
        let known = Query::ALL.iter().map(|query| query.name());
        reading.keep(match Query::from_name(name) {
            Some(query) => Ok(query),
            None if Call::from_name(name).is_some() => {
                let message = format!(
                    "\"{}\" is a call and cannot be read; write do: {name}, or {name} alone in a listener \
                     or task",
                    shown(name)
                );
                Err(Wrong::new(&node.range, message))
            }
            None => Err(Wrong::unknown(&node.range, "getter", name, known)),
        })
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define("query", |_| {
            described(
                "A getter or property.",
                one_of(Query::ALL.iter().map(|query| query.name())),
            )
        })
    }

    fn write(&self, value: &Query, out: &mut Writer) {
        out.text(value.name());
    }
}

impl WrittenForm for Kept {
    type Of = (Arc<str>, Query);

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Self::Of> {
        let Some([(key, getter)]) = node.map() else {
            return reading.keep(Err(
                node.not(what, "a name and a getter, like { before: volume }")
            ));
        };
        if key.text.is_empty() || key.text == HIDDEN || Query::from_name(&key.text).is_some() {
            let message = "a kept value needs a name of its own, like { before: volume }";
            return reading.keep(Err(Wrong::new(&key.range, message)));
        }
        let name: Arc<str> = key.text.as_str().into();
        reading.kept.push(Arc::clone(&name));
        Some((name, QueryName.read(getter, what, reading)?))
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({
            "description": "A name, and the getter whose value is kept under it.",
            "type": "object",
            "additionalProperties": QueryName.schema(definitions),
            "minProperties": 1,
            "maxProperties": 1,
        })
    }

    fn write(&self, (name, query): &Self::Of, out: &mut Writer) {
        out.refuse_empty(name);
        out.refuse(|_| {
            (**name == *HIDDEN || Query::from_name(name).is_some()).then(|| {
                format!("\"{name}\" has a meaning of its own; a kept value needs another name")
            })
        });
        out.object(|out| {
            out.key(name);
            QueryName.write(query, out);
        });
    }
}

impl WrittenForm for Conditions {
    type Of = Vec<Condition>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Self::Of> {
        let entries = reading.keep(node.entries(what, "{ hidden: true }"))?;
        let mut conditions = Vec::new();
        for (key, value) in entries {
            let name: Arc<str> = key.text.as_str().into();
            if *name != *HIDDEN && Query::from_name(&name).is_none() {
                reading.used.push((key.range.clone(), Arc::clone(&name)));
            }
            conditions.push((name, VALUE.read(value, what, reading)?));
        }
        Some(conditions)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({
            "description": "Only if all of this is so: `hidden` of the page, getters of the player, kept values.",
            "type": "object",
            "additionalProperties": VALUE.schema(definitions),
        })
    }

    fn write(&self, conditions: &Self::Of, out: &mut Writer) {
        out.object(|out| {
            for (name, value) in conditions {
                out.refuse_empty(name);
                out.key(name);
                VALUE.write(value, out);
            }
        });
    }
}

impl WrittenForm for Queries {
    type Of = Vec<Query>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Vec<Query>> {
        if let Tree::Text(_) = &node.tree {
            return QueryName.read(node, what, reading).map(|query| vec![query]);
        }
        super::list("read", QueryName, "[currentTime, isReady]")
            .filled()
            .read(node, what, reading)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        let query = QueryName.schema(definitions);
        let queries =
            json!({ "anyOf": [query, { "type": "array", "minItems": 1, "items": query }] });
        described("What to read.", queries)
    }

    fn write(&self, value: &Vec<Query>, out: &mut Writer) {
        let due = "\"read\" must name at least one getter or property";
        out.refuse_if(value.is_empty(), due);
        match &value[..] {
            [query] => QueryName.write(query, out),
            queries => out.list(|out| queries.iter().for_each(|query| QueryName.write(query, out))),
        }
    }
}
