//! Actions of the user.

use serde_json::{Value as Json, json};

use super::value::VALUE;
use super::{Definitions, Node, Properties, Reading, Writer, WrittenForm, Wrong, exactly_one};
use crate::form::{Name, Word, one_of};
use crate::read::node::Tree;
use crate::read::scalar;
use playsim_api::{Act, Carried, ClickAt, Interaction, UserLine};

/// An action: a bare word, or `{ word: value }`.
pub(super) struct User;

/// An action that takes a value.
struct WithValue {
    word: &'static str,
    about: &'static str,
    /// The expected argument and an example, for a message about the bare word; `None` if the bare
    /// word is an action too.
    takes: Option<(&'static str, &'static str)>,
    read: fn(&Node, &mut Reading<'_>) -> Option<Act>,
    schema: fn(&mut Definitions) -> Json,
}

/// Makes the row of an action with a value: its word, what it does, what it takes with an example,
/// the form of the value, and how that becomes an action.
macro_rules! with_value {
    ($word:literal, $about:literal, $takes:literal, $example:literal, $form:ident, $into:expr) => {
        WithValue {
            word: $word,
            about: $about,
            takes: Some(($takes, $example)),
            read: |node, reading| $form.read(node, $word, reading).map($into),
            schema: |definitions| $form.schema(definitions),
        }
    };
}

const WITH_VALUE: &[WithValue] = &[
    with_value!(
        "seek",
        "Drags the timeline to this position, in seconds.",
        "a position to seek to",
        "{ seek: 30 }",
        VALUE,
        Act::Seek
    ),
    with_value!(
        "volume",
        "Drags the volume to this value, from 0 to 1.",
        "a volume",
        "{ volume: 0.5 }",
        VALUE,
        Act::Volume
    ),
    WithValue {
        word: "click",
        about: "Clicks at a position, in pixels from the left and from the top.",
        takes: None,
        read: |node, reading| {
            let at = click_at(node);
            reading.keep(at).map(Some).map(Act::Click)
        },
        schema: |_| {
            let pixels = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
            json!({ "type": "array", "minItems": 2, "maxItems": 2, "items": pixels })
        },
    },
    with_value!(
        "icon",
        "Clicks the icon of this program.",
        "the program whose icon is clicked",
        "{ icon: AdChoices }",
        Name,
        |name| Act::Icon(name.into())
    ),
    with_value!(
        "companion",
        "Clicks the companion in this slot.",
        "the slot whose companion is clicked",
        "{ companion: side }",
        Name,
        |name| Act::Companion(name.into())
    ),
    with_value!(
        "interact",
        "Interacts with the ad that is showing.",
        "what is done with the ad",
        "{ interact: acceptInvitation }",
        INTERACTION,
        Act::Interact
    ),
];

/// An action of the user on the ad. Rule ADX-19.
const INTERACTION: Word<Interaction> = Word {
    what: "",
    takes: "",
    all: Interaction::ALL,
    name: Interaction::name,
};

impl WrittenForm for User {
    type Of = Act;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Act> {
        let unknown = |range, word: &str| {
            Wrong::unknown(
                range,
                "user action",
                word,
                UserLine::ALL.iter().map(|act| act.name()),
            )
        };
        let with_value = |word: &str| WITH_VALUE.iter().find(|act| act.word == word);
        let plain = |word: &str| Act::PLAIN.iter().find(|act| act.name().name() == word);
        let wrong = match &node.tree {
            Tree::Text(word) => match (plain(word), with_value(word).and_then(|act| act.takes)) {
                (Some(act), _) => return Some(act.clone()),
                (None, Some((takes, meant))) => node.not(what, takes).meant(meant),
                (None, None) => unknown(&node.range, word),
            },
            Tree::Map(entries) => match &entries[..] {
                [(key, value)] => match (with_value(&key.text), plain(&key.text)) {
                    (Some(act), _) => return (act.read)(value, reading),
                    (None, Some(_)) => {
                        let message =
                            format!("\"{}\" takes no value; write it as a bare word", key.text);
                        Wrong::new(&key.range, message)
                    }
                    (None, None) => unknown(&key.range, &key.text),
                },
                [] | [_, ..] => node.not(what, "one action, like skip or { seek: 30 }"),
            },
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) => {
                node.not(what, "an action, like skip or { seek: 30 }")
            }
        };
        reading.keep(Err(wrong))
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define("user", |definitions| {
            let mut acts = Properties::default();
            for act in WITH_VALUE {
                acts.add(act.word, act.about, (act.schema)(definitions));
            }
            let acts = exactly_one(acts.end("An action with a value."));
            json!({
                "description": "What the user does.",
                "anyOf": [one_of(Act::PLAIN.iter().map(|act| act.name().name())), acts],
            })
        })
    }

    fn write(&self, value: &Act, out: &mut Writer) {
        let with = |out: &mut Writer, write: &dyn Fn(&mut Writer)| {
            out.object(|out| {
                out.field(value.name().name());
                write(out);
            });
        };
        match value.carried() {
            Carried::Nothing => out.text(value.name().name()),
            Carried::Value(to) => with(out, &|out| VALUE.write(to, out)),
            Carried::Name(_, name) => with(out, &|out| out.filled(name)),
            Carried::Interaction(interaction) => {
                with(out, &|out| INTERACTION.write(&interaction, out))
            }
            Carried::Point(at) => with(out, &|out| {
                out.list(|out| {
                    out.number(at.x.into());
                    out.number(at.y.into());
                });
            }),
        }
    }
}

/// Where the user clicks. Rule MAC-7.
fn click_at(node: &Node) -> Result<ClickAt, Wrong> {
    let form = "a position in pixels, from the left and from the top, like [320, 180]";
    let [x, y] = node.list("click", "{ click: [320, 180] }")? else {
        return Err(node.not("click", form));
    };
    let pixels = |node| scalar::count(node, "click", 0);
    Ok(ClickAt {
        x: pixels(x)?,
        y: pixels(y)?,
    })
}
