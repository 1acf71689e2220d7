//! Actions of steps: creates a player, makes a call, or acts as the user, the page, an edit or a
//! reading.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::call::{CallForm, Kept, ListenerName, Queries};
use super::edit::EDIT;
use super::user::User;
use super::value::VALUE;
use super::{
    Definitions, Node, Object, Opt, Properties, Reading, Shape, Text, Writer, WrittenForm, Wrong,
    config, exactly_one, field_rows, optional,
};
use crate::StepAct;
use crate::form::{
    Name, Number, Percent, Size, Truth, Words, write_field, write_some, write_unless,
};
use crate::read::node::{Key, Tree};
use playsim_api::media::Rate;
use playsim_api::media::{ElementConfig, Preload};
use playsim_api::{Fields, PageChange, PageLine, UnitKind, Value};

/// One of the fields for the action of a step, and how it is read.
pub(super) struct ActRow {
    pub(super) key: &'static str,
    pub(super) read: fn(&Node, &mut Reading<'_>) -> Option<StepAct>,
    pub(super) schema: fn(&mut Definitions) -> Json,
    /// Whether a listener or a task of the page may do it too. Rule QUEUE-6.
    pub(super) in_listeners: bool,
    /// Whether it is done to a player, which may be another one than the listener's.
    pub(super) for_a_player: bool,
}

/// Makes a row of a key, a form, and how the value of the form becomes a step.
macro_rules! row {
    ($key:literal, $form:ident, $into:expr, $in_listeners:literal) => {
        ActRow {
            key: $key,
            read: |node, reading| $form.read(node, $key, reading).map($into),
            schema: |definitions| $form.schema(definitions),
            in_listeners: $in_listeners,
            for_a_player: true,
        }
    };
    ($key:literal, $read:ident, $schema:ident for_a_player $for_a_player:literal) => {
        ActRow {
            key: $key,
            read: $read,
            schema: $schema,
            in_listeners: true,
            for_a_player: $for_a_player,
        }
    };
}

/// All of them but `task`, which consists of these. [`write_act`] writes one.
pub(super) const ACTS: &[ActRow] = &[
    row!("init", read_init, init_schema for_a_player false),
    row!("queue", read_entry, queue_schema for_a_player false),
    row!("do", CallForm, |act| act, false),
    row!("user", User, StepAct::User, true),
    row!("page", read_change, change_schema for_a_player true),
    row!("edit", EDIT, StepAct::Edit, false),
    row!("read", Queries, StepAct::Read, false),
    row!(
        "let",
        Kept,
        |(name, query)| StepAct::Let { name, query },
        true
    ),
];

/// Writes the field for the action of a step.
pub(super) fn write_act(act: &StepAct, out: &mut Writer) {
    match act {
        StepAct::Init {
            unit,
            div,
            config,
            on_ready,
        } => {
            out.field("init");
            out.object(|out| {
                write_unless(
                    "outstream",
                    &Truth,
                    &(*unit == UnitKind::Outstream),
                    &false,
                    out,
                );
                for (key, value) in [("div", div), ("config", config)] {
                    write_unless(key, &VALUE, value, &Value::Undefined, out);
                }
                write_some("on_ready", &ListenerName, on_ready.as_ref(), out);
            });
        }
        StepAct::Element { div, config } => {
            out.field("init");
            out.object(|out| {
                write_field("div", &Text, div, out);
                write_field("element", &ELEMENT, config, out);
            });
        }
        StepAct::Queue {
            unit,
            entry,
            on_ready,
        } => {
            out.field("queue");
            out.object(|out| {
                out.key(unit.queue());
                match (entry, on_ready) {
                    (Value::Map(fields), Some(listener)) => {
                        let entry = fields.clone().with(ON_READY, listener);
                        VALUE.write(&Value::Map(entry), out);
                    }
                    (entry, _) => VALUE.write(entry, out),
                }
            });
        }
        StepAct::Do { .. } | StepAct::Use { .. } | StepAct::For { .. } => {
            write_field("do", &CallForm, act, out);
        }
        StepAct::Let { name, query } => {
            write_field("let", &Kept, &(Arc::clone(name), *query), out);
        }
        // Whoever writes the fields around it writes the conditions.
        StepAct::When { act, .. } => write_act(act, out),
        StepAct::User(act) => write_field("user", &User, act, out),
        StepAct::Page(change) => {
            out.field("page");
            out.object(|out| {
                out.key(change.name().name());
                match change {
                    PageChange::InView(share) => Percent.write(share, out),
                    // Rule MEL-22 covers rates that no browser plays.
                    PageChange::Rate(rate) => out.decimal(*rate),
                    PageChange::Window(width, height) => Size.write(&(*width, *height), out),
                    PageChange::Sticky(on)
                    | PageChange::Fullscreen(on)
                    | PageChange::Hidden(on) => {
                        out.truth(*on);
                    }
                }
            });
        }
        StepAct::Script(unit) => {
            out.field("page");
            out.object(|out| write_field(PageLine::Script.name(), &SCRIPT, unit, out));
        }
        StepAct::Container(id) => {
            out.field("page");
            out.object(|out| write_field(CONTAINER, &Name, id, out));
        }
        StepAct::Edit(edit) => {
            let has_none = edit.id.is_none() && edit.route.has_id_in_path();
            out.refuse_if(has_none, "an edit by this route must have an \"id\"");
            write_field("edit", &EDIT, edit, out);
        }
        StepAct::Read(queries) => write_field("read", &Queries, queries, out),
        // `steps` writes tasks, which contain no others.
        StepAct::Task(_) => {}
    }
}

const ELEMENT: Shape<ElementConfig> = Shape::new(
    "element",
    "{ src: movie.mp4, preload: none }",
    "Creates a bare media element instead of a player, with these attributes.",
    ElementConfig::default,
    &[field_rows! { ElementConfig:
        "src" source: Opt(Text), "The URL that it plays.";
        "preload" preload: PRELOAD, "How much is loaded before playback is requested.";
        "autoplay" autoplay: Truth, "Whether it starts on its own.";
        "loop" looping: Truth, "Whether it starts over at the end.";
        "muted" muted: Truth, "Whether it starts muted.";
    }],
);

const PRELOAD: Words<Preload> = Words(&[
    (Preload::None.word(), Preload::None),
    (Preload::Metadata.word(), Preload::Metadata),
    (Preload::Auto.word(), Preload::Auto),
]);

/// Creates a player, an outstream unit or a bare media element.
fn read_init(node: &Node, reading: &mut Reading<'_>) -> Option<StepAct> {
    let mut fields = reading.keep(Object::of(
        node,
        "init",
        "{ div: main, config: { id: p1, video: v1 } }",
    ))?;
    if let Some(attributes) = fields.field("element") {
        let div = match fields.field("div") {
            Some(node) => Text.read(node, "div", reading),
            None => reading.keep(Err(node.not(
                "init",
                "a div with an element, like { div: e, element: {} }",
            ))),
        };
        fields.end(reading);
        let config = ELEMENT.read(attributes, "element", reading);
        return Some(StepAct::Element {
            div: div?,
            config: config?,
        });
    }
    let div = optional(&VALUE, "div", &mut fields, reading);
    let config = optional(&VALUE, "config", &mut fields, reading);
    let on_ready = optional(&ListenerName, "on_ready", &mut fields, reading);
    let outstream = optional(&Truth, "outstream", &mut fields, reading);
    fields.end(reading);
    let unit = if outstream?.unwrap_or(false) {
        UnitKind::Outstream
    } else {
        UnitKind::Player
    };
    let given = |value: Option<Value>| value.unwrap_or(Value::Undefined);
    Some(StepAct::Init {
        unit,
        div: given(div?),
        config: given(config?),
        on_ready: on_ready?,
    })
}

fn init_schema(definitions: &mut Definitions) -> Json {
    definitions.define("init", |definitions| {
        let mut init = Properties::default();
        let outstream = json!({ "type": "boolean", "default": false });
        init.add(
            "outstream",
            "Whether it is an outstream unit, which shows ads only.",
            outstream,
        );
        init.add("div", "The id of the container.", VALUE.schema(definitions));
        init.insert("config", config::schema(definitions));
        init.add("element", ELEMENT.about, ELEMENT.schema(definitions));
        init.add(
            "on_ready",
            "The listener that is the ready callback.",
            ListenerName.schema(definitions),
        );
        init.end("Creates a player, an outstream unit, or a bare media element.")
    })
}

/// The field of a queue entry that holds its ready callback.
const ON_READY: &str = "onReady";

/// A push onto one of the queue arrays. The player reports errors in the entry; only a listener
/// that it names must exist. Rules QUEUE-1 to QUEUE-5.
fn read_entry(node: &Node, reading: &mut Reading<'_>) -> Option<StepAct> {
    let what = "queue";
    let example = "{ _player_queue: { div: main, obj: { id: p1, video: v1 } } }";
    let known = UnitKind::ALL.iter().map(|unit| unit.queue());
    let (key, entry) = reading.keep(the_one(node, what, "queue array", example, known))?;
    let unit = UnitKind::ALL
        .iter()
        .find(|unit| unit.queue() == key.text)
        .copied()?;
    let Tree::Map(entries) = &entry.tree else {
        let entry = VALUE.read(entry, what, reading)?;
        return Some(StepAct::Queue {
            unit,
            entry,
            on_ready: None,
        });
    };
    let named =
        |(key, node): &(Key, Node)| key.text == ON_READY && matches!(node.tree, Tree::Text(_));
    let Some((_, listener)) = entries.iter().find(|entry| named(entry)) else {
        let entry = VALUE.read(entry, what, reading)?;
        return Some(StepAct::Queue {
            unit,
            entry,
            on_ready: None,
        });
    };
    let on_ready = Some(ListenerName.read(listener, what, reading)?);
    let mut values = Fields::NONE;
    for (key, node) in entries.iter().filter(|entry| !named(entry)) {
        values.push(key.text.clone(), VALUE.read(node, what, reading)?);
    }
    Some(StepAct::Queue {
        unit,
        entry: Value::Map(values),
        on_ready,
    })
}

fn queue_schema(definitions: &mut Definitions) -> Json {
    definitions.define("queue", |definitions| {
        let mut obj = Properties::default();
        obj.add("div", "The id of the container.", VALUE.schema(definitions));
        obj.insert("obj", config::schema(definitions));
        obj.add(
            ON_READY,
            "The listener that is the ready callback.",
            VALUE.schema(definitions),
        );
        let mut entry =
            obj.end("An entry: div, obj (the configuration) and onReady, the name of a listener.");
        // Page code may push anything.
        for narrows in ["type", "additionalProperties"] {
            entry.as_object_mut().map(|entry| entry.remove(narrows));
        }
        let arrays: Map<String, Json> = UnitKind::ALL
            .iter()
            .map(|unit| (unit.queue().to_owned(), entry.clone()))
            .collect();
        exactly_one(json!({
            "description": "A push onto a queue array of the page.",
            "properties": arrays,
            "additionalProperties": false,
        }))
    })
}

/// One change of the page.
struct ChangeRow {
    word: &'static str,
    about: &'static str,
    read: fn(&Node, &'static str, &mut Reading<'_>) -> Option<StepAct>,
    schema: fn(&mut Definitions) -> Json,
}

/// Rows of changes: `Name FORM => what it makes of the value, "What it is.";`
macro_rules! changes {
    ($($name:ident $form:expr => $make:expr, $about:literal;)*) => {
        &[$(ChangeRow {
            word: PageLine::$name.name(),
            about: $about,
            read: |node, what, reading| WrittenForm::read(&$form, node, what, reading).map($make),
            schema: |definitions| WrittenForm::schema(&$form, definitions),
        }),*]
    };
}

const CHANGES: &[ChangeRow] = changes! {
    InView Percent => |share| StepAct::Page(PageChange::InView(share)),
        "How much of the player is in view, in percent.";
    Window Size => |(width, height)| StepAct::Page(PageChange::Window(width, height)),
        "The window is resized.";
    Sticky Truth => |on| StepAct::Page(PageChange::Sticky(on)),
        "Scrolling makes the player sticky, or ends that.";
    Fullscreen Truth => |on| StepAct::Page(PageChange::Fullscreen(on)),
        "The browser enters fullscreen, or leaves it as with the escape key.";
    Hidden Truth => |on| StepAct::Page(PageChange::Hidden(on)), "The page is hidden, or shown again.";
    Rate RATE => |rate| StepAct::Page(PageChange::Rate(rate)), "The playback rate of the media element.";
    Script SCRIPT => StepAct::Script, "A script loads, possibly not for the first time.";
    Container Name => StepAct::Container, "The page puts an element with this id in place, which can hold a player.";
};

/// The word for an element that the page puts in place.
pub(super) const CONTAINER: &str = PageLine::Container.name();

const RATE: Number = Number {
    least: Rate::LEAST,
    most: Rate::MOST,
};

const SCRIPT: Words<UnitKind> = Words(&[
    (UnitKind::Player.name(), UnitKind::Player),
    (UnitKind::Outstream.name(), UnitKind::Outstream),
]);

/// The page or the browser changes, or a script loads. Rules ENV-1, LOAD-2, LOAD-5.
fn read_change(node: &Node, reading: &mut Reading<'_>) -> Option<StepAct> {
    let known = CHANGES.iter().map(|change| change.word);
    let (key, value) = reading.keep(the_one(
        node,
        "page",
        "change of the page",
        "{ in_view: 30 }",
        known,
    ))?;
    let change = CHANGES.iter().find(|change| change.word == key.text)?;
    (change.read)(value, change.word, reading)
}

fn change_schema(definitions: &mut Definitions) -> Json {
    definitions.define("page_change", |definitions| {
        let mut changes = Properties::default();
        for change in CHANGES {
            changes.add(change.word, change.about, (change.schema)(definitions));
        }
        exactly_one(changes.end("A change of the page."))
    })
}

/// Returns the only field of an object, which must be one of these.
fn the_one<'a, 'n>(
    node: &'a Node,
    name: &str,
    what: &str,
    example: &str,
    known: impl IntoIterator<Item = &'n str> + Clone,
) -> Result<&'a (Key, Node), Wrong> {
    match node.entries(name, example)? {
        [] => Err(Wrong::new(
            &node.range,
            format!("\"{name}\" is empty; it needs one {what}, like {example}"),
        )),
        [one] if known.clone().into_iter().any(|known| known == one.0.text) => Ok(one),
        [(key, _)] => Err(Wrong::unknown(&key.range, what, &key.text, known)),
        [_, (key, _), ..] => Err(Wrong::new(
            &key.range,
            format!("one {what} per step; move the second one to its own step"),
        )),
    }
}
