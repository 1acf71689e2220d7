//! The page around the players.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::sides::SIDES;
use super::terms::{ADS, TERMS};
use super::{
    Definitions, FieldRow, Node, Opt, Reading, Shape, Writer, WrittenForm, field_rows, list,
};
use crate::form::{
    Brief, LengthOrNever, List, Name, Parsed, Properties, Size, Truth, Words, part, twice,
};
use crate::read::node::{Key, Tree, Wrong};
use playsim_api::page::{Container, Device, MacroValue, Page, is_absolute_url};
use playsim_vast::standard_macros::{given_by_pages, is_standard};

/// A page.
pub(super) const PAGE: PageForm = PageForm(&Shape {
    definition: Some("page"),
    ..Shape::new(
        "page",
        "{ device: mobile }",
        "The page around the players.",
        Page::default,
        &[OWN, SIDES, TERMS, ADS],
    )
});

/// The rest of the scenario may name its containers from here on.
#[derive(Clone, Copy)]
pub(super) struct PageForm(&'static Shape<Page>);

const OWN: &[FieldRow<Page>] = field_rows! { Page:
    "device" device: DEVICES, "The kind of device.";
    "epoch" epoch_micros: EPOCH, "The calendar instant of time 0, like 2026-01-01T00:00:00Z.";
    "containers" containers: CONTAINERS, "The elements that can hold a player, by id.";
    "country" country: Opt(COUNTRY), "The viewer's country.";
    "url" url: Opt(URL), "The page's URL: the value of PAGEURL unless `macros` sets it, and the base for relative URLs in archives.";
    "window" window: Size, "Width and height of the window, for sizes in percent.";
    "fullscreen" allows_fullscreen: FULLSCREEN, "Whether the page may enter fullscreen.";
    "gesture_policy" gesture_required: Opt(GESTURE_POLICIES),
        "Whether a script may start playback only after a user gesture. Default: required on mobile.";
    "script_after" script_after: LengthOrNever, "When the player's script has loaded, or never.";
    "outstream_script_after" outstream_script_after: LengthOrNever,
        "When the outstream script has loaded, or never.";
    "macros" macros: Macros, "Values for the macros in ad URLs that only the page knows.";
};

const DEVICES: Words<Device> = Words(&[("desktop", Device::Desktop), ("mobile", Device::Mobile)]);
const FULLSCREEN: Words<bool> = Words(&[("allowed", true), ("refused", false)]);
const GESTURE_POLICIES: Words<bool> = Words(&[("free", false), ("required", true)]);

/// A country as two letters, in upper or lower case, kept in capitals. Rule EDIT-27.
pub(super) const COUNTRY: Parsed<Arc<str>> = Parsed {
    takes: "a country as two letters, like US",
    made: Some("a country as two capital letters, like US"),
    pattern: "^[A-Za-z]{2}$",
    read: |text| {
        let is_code = text.len() == 2 && text.bytes().all(|letter| letter.is_ascii_alphabetic());
        is_code.then(|| text.to_ascii_uppercase().into())
    },
    write: |country| country.to_string(),
};

const URL: Parsed<Arc<str>> = Parsed {
    takes: "the URL of a page, like https://www.example.test/watch",
    // Browsers record URLs that are none in this sense.
    made: None,
    pattern: "^https?://[^/?#:@\\[\\]]",
    read: |text| is_absolute_url(text).then(|| text.into()),
    write: |url| url.to_string(),
};

const EPOCH: Parsed<i64> = Parsed {
    takes: "an instant no finer than a microsecond, like 2026-01-01T00:00:00Z",
    // The page is checked as a whole: an instant that no calendar has has no form.
    made: None,
    pattern: "^[-+]?[0-9]+-[0-9]{2}-[0-9]{2}",
    read: |text| {
        let instant: jiff::Timestamp = text.parse().ok()?;
        (instant.subsec_nanosecond() % 1_000 == 0).then(|| instant.as_microsecond())
    },
    write: |micros| {
        jiff::Timestamp::from_microsecond(*micros)
            .unwrap_or_default()
            .to_string()
    },
};

const CONTAINERS: List<&Brief<Container>> = list("a container", &CONTAINER, "[main, side]")
    .distinct(
        |one, other| one.id.cmp(&other.id),
        |container| format!("duplicate container \"{}\"", container.id),
    );

/// An id, or an object with more fields.
const CONTAINER: Brief<Container> = Brief {
    shape: &Shape::new(
        "a container",
        "{ id: side }",
        "A container.",
        || container(Arc::default()),
        &[field_rows! { Container:
            "id" id: Name => "id: side", "Its id.";
            "player_class" player_class: Truth, "Whether it has the player's class.";
        }],
    ),
    named: container,
    name: |container| &container.id,
};

fn container(id: Arc<str>) -> Container {
    Container {
        id,
        player_class: true,
    }
}

/// The page's values for macros in URLs. Rule MAC-5.
struct Macros;

/// The word for a value that the page knows but does not disclose.
const WITHHELD: &str = "withheld";

impl WrittenForm for PageForm {
    type Of = Page;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Page> {
        let page = self.0.read(node, what, reading)?;
        reading.set_containers(&page);
        Some(page)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        self.0.schema(definitions)
    }

    fn write(&self, value: &Page, out: &mut Writer) {
        let micros = value.epoch_micros;
        out.refuse(|_| {
            let is_none = jiff::Timestamp::from_microsecond(micros).is_err();
            is_none.then(|| format!("\"epoch\" is {micros} µs; it must be a calendar instant"))
        });
        self.0.write(value, out);
    }
}

impl WrittenForm for Macros {
    type Of = Vec<(Arc<str>, MacroValue)>;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Self::Of> {
        let entries = reading.keep(node.entries(what, "{ IFA: 6f1c, GDPRCONSENT: withheld }"))?;
        let mut macros = Vec::new();
        for (key, node) in entries {
            let value = macro_name(key).and_then(|name| Ok((name, macro_value(node, &key.text)?)));
            macros.extend(reading.keep(value));
        }
        Some(macros)
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        let item = json!({ "type": ["string", "number"] });
        let mut macros = Properties::default();
        for name in given_by_pages() {
            let about = "A value, a list of values, or `withheld`: the page knows it but does not disclose it.";
            let many = json!({ "type": "array", "minItems": 1, "items": item });
            macros.add(name, about, json!({ "anyOf": [item, many] }));
        }
        macros.end("Values for the macros in ad URLs, by the name of the macro.")
    }

    fn write(&self, value: &Self::Of, out: &mut Writer) {
        out.refuse(|_| twice("macro", value.iter().map(|(name, _)| &**name)));
        out.object(|out| {
            for (name, value) in value {
                out.refuse(|_| {
                    let why = if is_standard(name) {
                        "a page cannot set it"
                    } else {
                        "there is no such macro"
                    };
                    let is_known = given_by_pages().any(|known| *known == **name);
                    (!is_known).then(|| format!("{}: {why}", part("macro", name)))
                });
                out.refuse(|_| {
                    let has_none = *value == MacroValue::Items(Vec::new());
                    has_none
                        .then(|| format!("{} must have at least one value", part("macro", name)))
                });
                out.key(name);
                match value {
                    MacroValue::Withheld => out.text(WITHHELD),
                    MacroValue::Items(items) => match &items[..] {
                        [item] if **item != *WITHHELD => out.text(item),
                        items => out.list(|out| items.iter().for_each(|item| out.text(item))),
                    },
                }
            }
        });
    }
}

fn macro_name(key: &Key) -> Result<Arc<str>, Wrong> {
    if given_by_pages().any(|name| *name == *key.text) {
        return Ok(key.text.as_str().into());
    }
    if is_standard(&key.text) {
        let message = format!(
            "the value of {} comes from the clock, the player, the ad or chance; a page cannot set it",
            key.text
        );
        return Err(Wrong::new(&key.range, message));
    }
    Err(Wrong::unknown(
        &key.range,
        "macro of a page",
        &key.text,
        given_by_pages(),
    ))
}

fn macro_value(node: &Node, name: &str) -> Result<MacroValue, Wrong> {
    let form = "a string, a number, a list of them, or withheld";
    let item = |node: &Node| match &node.tree {
        Tree::Text(text) => Ok(Arc::from(text.as_str())),
        Tree::Number(number) => Ok(Arc::from(number.as_str())),
        Tree::Null | Tree::Bool(_) | Tree::List(_) | Tree::Map(_) => Err(node.not(name, form)),
    };
    match node.items() {
        [] => Err(node.not(name, form)),
        _ if node.text() == Some(WITHHELD) => Ok(MacroValue::Withheld),
        items => items
            .iter()
            .map(item)
            .collect::<Result<_, _>>()
            .map(MacroValue::Items),
    }
}
