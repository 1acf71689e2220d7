//! One text of a form, read as what its field takes.
//!
//! Rules: EDIT-11, EDIT-12, EDIT-15 to EDIT-28.

use super::countries;
use super::kind::{Fault, Reader};
use crate::api::Value;
use crate::knobs::{DateDigits, EmptyInteger, GeoList};
use crate::video::Day;

/// The date that stands for none. Rule EDIT-22.
const ZERO_DATE: &str = "00-00-0000";

type Read = Result<Value, Fault>;

pub(super) fn id(text: &str) -> Read {
    if text.is_empty() {
        return Err(Fault::new("empty", "an id is a text that is not empty, like \"v1\""));
    }
    Ok(Value::from(text.to_owned()))
}

/// An empty text is none. Rule EDIT-12.
pub(super) fn or_none(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { Value::from(text.to_owned()) }
}

/// Rule EDIT-15.
pub(super) fn name(text: &str) -> Read {
    if text.trim().is_empty() {
        return Err(Fault::new("empty", "a name has more than blanks, like \"Big film\""));
    }
    Ok(Value::from(text.to_owned()))
}

/// Trimmed parts without the empty ones, in their order. Rule EDIT-16.
pub(super) fn tags(text: &str) -> Value {
    Value::from(parts(text).collect::<Vec<_>>().join(", "))
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

/// Rule EDIT-18.
pub(super) fn address(text: &str) -> Read {
    if text.is_empty() || is_absolute(text) {
        return Ok(or_none(text));
    }
    let due = "an address is absolute, with http or https, like \"https://shop.test/film\"";
    Err(Fault::new("bad_address", due))
}

/// Whether it has a scheme, http or https, a host and nothing that no address has.
fn is_absolute(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let is_plain =
        |letter: char| !letter.is_whitespace() && !letter.is_control() && !"<>\"\\^`{|}".contains(letter);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let is_scheme = ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    is_scheme && rest.chars().all(is_plain) && is_host(host)
}

/// A name or an address in brackets, and perhaps a port.
fn is_host(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((inner, port)) => {
            if inner.is_empty()
                || !inner.bytes().all(|byte| byte.is_ascii_hexdigit() || b":.".contains(&byte))
            {
                return false;
            }
            ("bracketed", port)
        }
        None => host.find(':').map_or((host, ""), |colon| host.split_at(colon)),
    };
    let is_port = match port.strip_prefix(':') {
        Some(digits) => digits.is_empty() || digits.parse::<u16>().is_ok_and(|_| !digits.starts_with('+')),
        None => port.is_empty(),
    };
    is_port && !name.is_empty() && !name.starts_with('.') && !name.contains(['[', ']'])
}

/// Rules EDIT-12, EDIT-19.
pub(super) fn channel(text: &str, reader: Reader<'_>) -> Read {
    if let Some(unset) = unset(text, reader) {
        return unset;
    }
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(channel) = text.parse::<u32>().ok().filter(|channel| is_number && *channel > 0) else {
        return Err(Fault::new("not_an_integer", "a channel's id is an integer from 1, like \"7\""));
    };
    if let Some(channels) = reader.channels.filter(|channels| !channels.contains(&channel)) {
        let known: Vec<String> = channels.iter().take(20).map(u32::to_string).collect();
        let known = if known.is_empty() {
            "there are none".to_owned()
        } else {
            format!("there are: {}", known.join(", "))
        };
        return Err(Fault::new("unknown_channel", format!("there is no such channel; {known}")));
    }
    Ok(Value::from(channel))
}

/// One of some words, as an integer. Rules EDIT-12, EDIT-20, EDIT-24 to EDIT-26.
pub(super) fn listed(text: &str, words: &[(&str, u8)], due: &str, reader: Reader<'_>) -> Read {
    if let Some(unset) = unset(text, reader) {
        return unset;
    }
    match words.iter().find(|(word, _)| *word == text) {
        Some((_, value)) => Ok(Value::from(*value)),
        None => Err(Fault::new("not_allowed", format!("it takes {due}"))),
    }
}

/// What an integer that is sent empty comes to. Rule EDIT-12.
fn unset(text: &str, reader: Reader<'_>) -> Option<Read> {
    text.is_empty().then(|| match reader.knobs.edit_empty_integer {
        EmptyInteger::Error => {
            Err(Fault::new("empty", "an integer is never empty; leave the field out to keep what there is"))
        }
        EmptyInteger::Unset => Ok(Value::Null),
    })
}

/// Rules EDIT-21, EDIT-22.
pub(super) fn date(text: &str, reader: Reader<'_>) -> Read {
    if is_zero(text, reader) {
        return Err(Fault::new(
            "zero_date",
            "all zeros are no day to publish on; sent empty, it is published at once",
        ));
    }
    end_date(text, reader)
}

/// Rules EDIT-21, EDIT-22.
pub(super) fn end_date(text: &str, reader: Reader<'_>) -> Read {
    if text.is_empty() || is_zero(text, reader) {
        return Ok(Value::Null);
    }
    let full = in_full(text, reader);
    if let Some(day) = full.as_deref().and_then(Day::read) {
        return Ok(Value::from(day.to_string()));
    }
    let is_formed = full.as_deref().is_some_and(is_formed);
    if is_formed {
        return Err(Fault::new(
            "no_such_date",
            "there is no such day; dates are day-month-year, like \"31-01-2024\"",
        ));
    }
    let due = match meant_day(text) {
        Some(meant) => format!("dates are day-month-year, like \"{meant}\""),
        None => "dates are day-month-year, like \"31-01-2024\"".to_owned(),
    };
    Err(Fault::new("bad_date", due))
}

fn is_zero(text: &str, reader: Reader<'_>) -> bool {
    in_full(text, reader).as_deref() == Some(ZERO_DATE)
}

/// With two digits for day and month, where fewer are taken.
fn in_full(text: &str, reader: Reader<'_>) -> Option<String> {
    match reader.knobs.edit_date_digits {
        DateDigits::Strict => Some(text.to_owned()),
        DateDigits::Lenient => {
            let parts: Vec<&str> = text.split('-').collect();
            let [day, month, year] = parts[..] else { return None };
            let is_short = |part: &str| (1..=2).contains(&part.len());
            (is_short(day) && is_short(month)).then(|| format!("{day:0>2}-{month:0>2}-{year}"))
        }
    }
}

fn is_formed(text: &str) -> bool {
    text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 2 || at == 5 { byte == b'-' } else { byte.is_ascii_digit() })
}

/// The day of a text with the year in front, with too few digits, or with other signs between.
pub(super) fn meant_day(text: &str) -> Option<Day> {
    let parts: Vec<&str> = text.split(|letter: char| !letter.is_ascii_digit()).collect();
    let [first, month, last] = parts[..] else { return None };
    let (day, year) = if first.len() == 4 { (last, first) } else { (first, last) };
    Day::read(&format!("{day:0>2}-{month:0>2}-{year}"))
}

/// Rule EDIT-27.
pub(super) fn countries(text: &str, reader: Reader<'_>) -> Read {
    let country = |part: &str| {
        let code = part.to_ascii_uppercase();
        let is_code = code.len() == 2 && code.bytes().all(|letter| letter.is_ascii_uppercase());
        let is_known = match reader.knobs.edit_geo_list {
            GeoList::Iso => countries::is_country(&code),
            GeoList::AnyTwoLetters => is_code,
        };
        if is_known {
            return Ok(Value::from(code));
        }
        let shown: String = part.chars().take(20).collect();
        let meant = countries::meant(&code).unwrap_or("US");
        let due = format!("\"{shown}\" is no country; countries are codes of two letters, like \"{meant}\"");
        Err(Fault::new("unknown_country", due))
    };
    parts(text).map(country).collect::<Result<_, _>>().map(Value::List)
}

/// Rule EDIT-28, where it is checked.
pub(super) fn air_date(text: &str) -> Read {
    let turned = |text: &str| {
        let (year, rest) = text.split_once('-')?;
        let (month, day) = rest.split_once('-')?;
        Day::read(&format!("{day}-{month}-{year}"))
    };
    if text.is_empty() || turned(text).is_some() {
        return Ok(Value::from(text.to_owned()));
    }
    Err(Fault::new("bad_date", "dates of audience measurement are year-month-day, like \"2024-01-31\""))
}

/// Rule EDIT-28, where it is checked.
pub(super) fn text_flag(text: &str) -> Read {
    if matches!(text, "" | "0" | "1") {
        return Ok(Value::from(text.to_owned()));
    }
    Err(Fault::new("not_allowed", "it takes 0 or 1, like \"0\""))
}

#[cfg(test)]
mod tests;
