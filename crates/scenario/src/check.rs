//! Checks a scenario that was made in Rust against the bounds that the reader enforces.
//!
//! The reader rejects values without a meaning, such as a rate of zero or a duplicate URL, and
//! reports their places in the file. A scenario made in Rust has public fields and no places, so it
//! is checked before it is played, with the same bounds.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::limits::{self, Bounds};
use super::{Expectation, Scenario, ScenarioError};
use playsim_api::page::{AdTerms, MacroValue, Page, Sides};
use playsim_api::{Fields, Value};
use playsim_base::escape::shown;
use playsim_base::time::Span;
use playsim_vast::standard_macros::{given_by_pages, is_standard};

mod acts;
mod world;

pub(crate) use world::TWICE;
/// The form of a MIME type, for messages.
pub(crate) const MIME_TYPE: &str =
    "a MIME type, like text/html or \"application/xml; charset=utf-8\"";

/// Whether a text is a MIME type that can be sent as a header.
pub(crate) fn is_mime_type(text: &str) -> bool {
    let essence = text.split(';').next().unwrap_or_default();
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
    text.bytes()
        .all(|byte| byte.is_ascii_graphic() || byte == b' ')
        && essence
            .trim_end()
            .split_once('/')
            .is_some_and(|(kind, name)| is_name(kind) && is_name(name) && !name.contains('/'))
}

/// An error in a part; the caller, which knows the part, adds its name.
type Checked = Result<(), String>;

impl Scenario {
    /// Checks that everything in it is within the bounds that hold for scenario files.
    ///
    /// Checks that need the documents and listeners of a scenario are made by
    /// `Simulation::new`, which calls this one too.
    ///
    /// # Errors
    ///
    /// The first value that no scenario file could hold, with the part that it is in.
    pub fn check(&self) -> Result<(), ScenarioError> {
        if let Some(at) = self.until.end() {
            within_text("until", at.micros()).map_err(|text| out_of_bounds("until", text))?;
        }
        self.knobs
            .check()
            .map_err(|error| out_of_bounds("knobs", error.to_string()))?;
        page(&self.page).map_err(|text| out_of_bounds("page", text))?;
        world::check(self)?;
        acts::check(self)?;
        for (number, expectation) in self.expect.iter().enumerate() {
            expected(expectation)
                .map_err(|text| out_of_bounds(format!("expectation {}", number + 1), text))?;
        }
        Ok(())
    }
}

fn out_of_bounds(part: impl Into<String>, message: String) -> ScenarioError {
    ScenarioError::OutOfBounds {
        part: part.into(),
        message,
    }
}

/// The name of a part, such as `video "v1"`.
fn part(kind: &str, name: &str) -> String {
    format!("{kind} \"{}\"", shown(name))
}

/// Checks that a number is within bounds.
fn within<T: PartialOrd + Copy + Display>(
    name: &str,
    value: T,
    (least, most): Bounds<T>,
) -> Checked {
    if value >= least && value <= most {
        Ok(())
    } else {
        Err(format!(
            "\"{name}\" is {value}; it must be a number from {least} to {most}"
        ))
    }
}

/// Checks a length of time, a point in time or a position in media, in microseconds.
fn within_text(name: &str, micros: u64) -> Checked {
    if micros <= Span::LONGEST.micros() {
        Ok(())
    } else {
        Err(format!(
            "\"{name}\" is too long; it must be at most {} s",
            Span::LONGEST
        ))
    }
}

fn length(name: &str, span: Span) -> Checked {
    within_text(name, span.micros())
}

fn lengths<'a>(spans: impl IntoIterator<Item = (&'a str, Option<Span>)>) -> Checked {
    spans
        .into_iter()
        .try_for_each(|(name, span)| span.map_or(Ok(()), |span| length(name, span)))
}

/// Checks that a string is not empty.
fn named(what: &str, text: &str) -> Checked {
    if text.is_empty() {
        Err(format!("\"{what}\" must not be empty"))
    } else {
        Ok(())
    }
}

/// Checks that no name occurs twice.
fn once<'a>(what: &str, names: impl IntoIterator<Item = &'a str>) -> Checked {
    let mut known = BTreeSet::new();
    match names.into_iter().find(|name| !known.insert(*name)) {
        Some(name) => Err(format!("duplicate {what} \"{}\"", shown(name))),
        None => Ok(()),
    }
}

/// Checks that a value is nested no deeper than in a scenario file.
fn shallow(name: &str, value: &Value) -> Checked {
    fn fits(value: &Value, left: usize) -> bool {
        let Some(left) = left.checked_sub(1) else {
            return false;
        };
        let mut items = value.as_list().unwrap_or_default().iter();
        let mut fields = value.as_map().into_iter().flat_map(Fields::iter);
        items.all(|item| fits(item, left)) && fields.all(|(_, value)| fits(value, left))
    }
    if fits(value, limits::DEPTH) {
        Ok(())
    } else {
        Err(format!(
            "\"{name}\" must not be nested more than {} levels deep",
            limits::DEPTH
        ))
    }
}

fn size(name: &str, (width, height): (u32, u32)) -> Checked {
    within(name, width, limits::PIXELS)?;
    within(name, height, limits::PIXELS)
}

fn country(name: &str, code: &str) -> Checked {
    match limits::country(code) {
        Some(known) if *known == *code => Ok(()),
        Some(_) | None => {
            let code = shown(code);
            Err(format!(
                "\"{name}\" is \"{code}\"; it must be a country as two capital letters, like US"
            ))
        }
    }
}

fn page(page: &Page) -> Checked {
    if jiff::Timestamp::from_microsecond(page.epoch_micros).is_err() {
        return Err(format!(
            "\"epoch\" is {} µs; it must be a calendar instant",
            page.epoch_micros
        ));
    }
    once(
        "container",
        page.containers.iter().map(|container| &*container.id),
    )?;
    page.containers
        .iter()
        .try_for_each(|container| named("container", &container.id))?;
    page.country
        .as_ref()
        .map_or(Ok(()), |code| country("country", code))?;
    size("window", page.window)?;
    lengths([
        ("script_after", page.script_after),
        ("outstream_script_after", page.outstream_script_after),
    ])?;
    once("macro", page.macros.iter().map(|(name, _)| &**name))?;
    for (name, value) in &page.macros {
        if !given_by_pages().any(|known| *known == **name) {
            let why = if is_standard(name) {
                "a page cannot set it"
            } else {
                "there is no such macro"
            };
            return Err(format!("macro \"{}\": {why}", shown(name)));
        }
        if *value == MacroValue::Items(Vec::new()) {
            return Err(format!(
                "macro \"{}\" must have at least one value",
                shown(name)
            ));
        }
    }
    terms(&page.ads)?;
    sides(&page.sides)
}

fn terms(terms: &AdTerms) -> Checked {
    lengths([("shortest", terms.shortest), ("longest", terms.longest)])?;
    let stitched = terms
        .stitching
        .as_ref()
        .and_then(|stitching| stitching.size);
    for (name, pair) in [
        ("smallest", terms.smallest),
        ("largest", terms.largest),
        ("size", stitched),
    ] {
        pair.map_or(Ok(()), |pair| size(name, pair))?;
    }
    for blocked in &terms.blocked {
        named("category", &blocked.category)?;
        blocked
            .authority
            .as_ref()
            .map_or(Ok(()), |authority| named("authority", authority))?;
    }
    let transcoded = terms
        .stitching
        .iter()
        .flat_map(|stitching| &stitching.transcoded);
    transcoded
        .into_iter()
        .try_for_each(|address| named("transcoded", address))
}

fn sides(sides: &Sides) -> Checked {
    once(
        "companion slot",
        sides.companions.iter().map(|slot| &*slot.id),
    )?;
    for slot in &sides.companions {
        named("id", &slot.id)?;
        within("width", slot.width, limits::FROM_ONE)?;
        within("height", slot.height, limits::FROM_ONE)?;
    }
    sides
        .unreachable
        .iter()
        .try_for_each(|address| named("unreachable", address))?;
    match &sides.language {
        Some(text) if !limits::is_language(text) => {
            let text = shown(text);
            Err(format!(
                "\"language\" is \"{text}\"; it must be a language, like en or pt-BR"
            ))
        }
        Some(_) | None => Ok(()),
    }
}

fn expected(expectation: &Expectation) -> Checked {
    match expectation {
        Expectation::Event { data, .. } => {
            shallow("data", data)?;
            if data.as_map().is_some() {
                Ok(())
            } else {
                Err(format!("\"data\" is {data}; it must be an object"))
            }
        }
        Expectation::Order(events) if events.is_empty() => {
            Err("an order must have at least one event".to_owned())
        }
        Expectation::AtMostOne(events) if events.len() < 2 => {
            Err("at_most_one must list at least two events".to_owned())
        }
        Expectation::After { within, .. } => within_text("within", within.micros()),
        Expectation::Read { at, is, .. } => {
            at.map_or(Ok(()), |at| within_text("at", at.micros()))?;
            shallow("is", is)
        }
        Expectation::Diag { code, .. } => named("diag", code),
        Expectation::Order(_)
        | Expectation::Never(_)
        | Expectation::AtMostOne(_)
        | Expectation::Call { .. } => Ok(()),
    }
}
