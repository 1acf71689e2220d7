//! Fields of a video's record that have a form of their own: addresses, dates, countries, audience
//! measurement, custom parameters.
//!
//! Rules: CON-3, EDIT-12, EDIT-21, EDIT-22, EDIT-27, EDIT-28, EDIT-30, EDIT-32.

use std::ops::Range;
use std::sync::Arc;

use super::node::{Node, Object, Tree, Wrong, shown};
use super::{Reading, page, scalar};
use crate::video::{AgeGate, COMSCORE, Day, Record};

/// The spellings of the reference, and a short one.
pub(in crate::scenario) const CLICKTHROUGH: &[&str] = &["clickthroughURL", "clickthroughUrl", "clickthrough"];

/// Two texts: a name and what it holds.
type Pair = (Arc<str>, Arc<str>);

/// One field under its spellings. Rule CON-3.
pub(super) fn clickthrough(fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Option<Arc<str>> {
    let mut clickthrough: Option<(&str, Arc<str>)> = None;
    for name in CLICKTHROUGH {
        let Some((key, node)) = fields.entry(name) else { continue };
        let Some(address) = reading.keep(scalar::text(node, name)) else { continue };
        match &clickthrough {
            Some((other, before)) if *before != address => {
                let message = format!("\"{name}\" is another address than \"{other}\"; they are one field");
                reading.wrongs.push(Wrong::new(&key.range, message));
            }
            Some(_) => {}
            None => clickthrough = Some((name, address)),
        }
    }
    clickthrough.map(|(_, address)| address).filter(|address| !address.is_empty())
}

/// The account that owns it; an empty text is none. Rule EDIT-34.
pub(super) fn partner(fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Option<Arc<str>> {
    let node = fields.field("partner_id")?;
    reading.keep(scalar::text(node, "partner_id")).filter(|id| !id.is_empty())
}

/// A channel's id. Rule EDIT-19.
pub(super) fn channel(fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Option<u32> {
    let node = fields.field("channel_id")?;
    reading.keep(scalar::count(node, "channel_id", 1))
}

/// For whom it is meant, as the number that the edit call takes. Rule EDIT-20.
pub(super) fn age_gate(fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Option<AgeGate> {
    let node = fields.field("age_gate_id")?;
    let form = "1 for everyone, 2 for 17 and older or 3 for 18 and older";
    let text = reading.keep(scalar::text(node, "age_gate_id"))?;
    reading.keep(AgeGate::read(&text).ok_or_else(|| node.not("age_gate_id", form)))
}

/// Tracking-pixel fields by their keys. Rule EDIT-29.
pub(super) fn pixels(fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Vec<Pair> {
    let Some(node) = fields.field("pixels") else { return Vec::new() };
    let example = "{ impression: https://pixels.test/i }";
    let mut record = Record::default();
    for (key, node) in reading.keep(node.entries("pixels", example)).unwrap_or_default() {
        if let Some(text) = reading.keep(scalar::text(node, &format!("pixel {}", shown(&key.text)))) {
            record.set_pixel(&key.text, &text);
        }
    }
    record.pixels
}

/// A day, or none: what is empty, and all zeros where publishing ends. Rules EDIT-12, EDIT-21, EDIT-22.
pub(super) fn day(node: &Node, what: &str) -> Result<Option<Day>, Wrong> {
    let text = scalar::text(node, what)?;
    if text.is_empty() || (what == "kill_date" && &*text == "00-00-0000") {
        return Ok(None);
    }
    Day::read(&text).map(Some).ok_or_else(|| {
        let wrong = node.not(what, "a date as day-month-year, like 31-01-2024");
        match meant_day(&text) {
            Some(meant) => wrong.meant(meant.to_string()),
            None => wrong,
        }
    })
}

/// The day of a text with the year in front, with too few digits, or with other signs between.
fn meant_day(text: &str) -> Option<Day> {
    let parts: Vec<&str> = text.split(|letter: char| !letter.is_ascii_digit()).collect();
    let [first, month, last] = parts[..] else { return None };
    let (day, year) = if first.len() == 4 { (last, first) } else { (first, last) };
    Day::read(&format!("{day:0>2}-{month:0>2}-{year}"))
}

/// Countries, as comma-separated text or as a list. Rule EDIT-27.
pub(super) fn geo(node: &Node, reading: &mut Reading<'_>) -> Vec<Arc<str>> {
    let Tree::Text(text) = &node.tree else {
        let items = reading.keep(node.list("geo", "[US, CA]")).unwrap_or_default();
        return items.iter().filter_map(|item| reading.keep(page::country(item, "geo"))).collect();
    };
    let codes = text.split(',').map(str::trim).filter(|code| !code.is_empty());
    let country = |code: &str| {
        page::country_of(code).ok_or_else(|| {
            let message = format!("\"geo\" has \"{}\"; a country has two letters, like US", shown(code));
            Wrong::new(&node.range, message)
        })
    };
    codes.filter_map(|code| reading.keep(country(code))).collect()
}

/// Audience-measurement fields with something in them. Rule EDIT-28.
pub(super) fn comscore(fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Vec<Pair> {
    let field = |(name, _): &(&'static str, &str)| {
        let node = fields.field(name)?;
        let text = reading.keep(scalar::text(node, name))?;
        (!text.is_empty()).then(|| (Arc::from(*name), text))
    };
    COMSCORE.iter().filter_map(field).collect()
}

/// Custom targeting parameters, by key; as a list of pairs a key may stand twice. Rules EDIT-30, EDIT-32.
pub(super) fn pairs(node: &Node, reading: &mut Reading<'_>) -> Vec<Pair> {
    let pair = |range: &Range<usize>, key: Arc<str>, value: &Node| {
        if key.is_empty() {
            return Err(Wrong::new(range, "the key of a custom parameter is a text that is not empty"));
        }
        scalar::text(value, &format!("parameter {key}")).map(|value| (key, value))
    };
    if let Tree::Map(entries) = &node.tree {
        let pairs = entries.iter().map(|(key, value)| pair(&key.range, Arc::from(&*key.text), value));
        return pairs.filter_map(|pair| reading.keep(pair)).collect();
    }
    let example = "[[genre, news], [genre, sport]]";
    let items = reading.keep(node.list("custom_params", example)).unwrap_or_default();
    let pairs = items.iter().map(|item| match &item.tree {
        Tree::List(both) if both.len() == 2 => {
            let key = scalar::text(&both[0], "the key of a custom parameter")?;
            pair(&both[0].range, key, &both[1])
        }
        Tree::List(_) | Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::Map(_) => {
            Err(item.not("a custom parameter", "a key and its value, like [genre, news]"))
        }
    });
    pairs.filter_map(|pair| reading.keep(pair)).collect()
}
