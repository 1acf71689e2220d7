//! One string, read as what its field takes.
//!
//! Rules: EDIT-11, EDIT-12, EDIT-15 to EDIT-28, EDIT-30, EDIT-33.

use super::countries;
use super::fault::{InvalidValue, ValueSource};
use super::{Day, read_timestamp};
use playsim_base::value::Value;
use playsim_rules as rules;
use playsim_rules::knobs::{DateDigits, EmptyInteger, GeoList};

/// The date that means no date. Rule EDIT-22.
const ZERO_DATE: &str = "00-00-0000";

type Read = Result<Value, InvalidValue>;

/// A string as it is.
pub(super) fn kept(text: &str) -> Value {
    Value::from(text.to_owned())
}

/// An empty string means none. Rule EDIT-12.
pub(super) fn or_none(text: &str) -> Value {
    if text.is_empty() {
        Value::Null
    } else {
        kept(text)
    }
}

/// A string that is kept if it is right.
fn kept_if(is_right: bool, text: &str, code: &'static str) -> Read {
    if is_right {
        Ok(kept(text))
    } else {
        Err(InvalidValue::new(code, ""))
    }
}

/// Rule EDIT-11.
pub(super) fn id(text: &str, _: ValueSource<'_>) -> Read {
    kept_if(!text.is_empty(), text, "empty")
}

/// The edit call takes no name without a letter; a record may have none. Rule EDIT-15.
pub(super) fn name(text: &str, source: ValueSource<'_>) -> Read {
    kept_if(
        source.knobs().is_none() || !text.trim().is_empty(),
        text,
        "empty",
    )
}

/// The key of a custom parameter. Rule EDIT-30.
pub(super) fn key(text: &str, _: ValueSource<'_>) -> Read {
    if text.is_empty() {
        return Err(InvalidValue::new(
            "empty",
            "it must be a non-empty string, like genre",
        ));
    }
    Ok(kept(text))
}

/// When a chapter begins. Rules EDIT-33, CH-9.
pub(super) fn timestamp(text: &str, source: ValueSource<'_>) -> Read {
    if source.is_checked() && read_timestamp(text).is_none() {
        return Err(InvalidValue::new(
            "bad_timestamp",
            "it must be a time, like 90, 1:30 or 0:01:30.5",
        ));
    }
    Ok(kept(text))
}

/// Trimmed parts without the empty ones, in their order. Rule EDIT-16.
pub(super) fn tags(text: &str, source: ValueSource<'_>) -> Value {
    if !source.is_checked() {
        return kept(text);
    }
    Value::from(parts(text).collect::<Vec<_>>().join(", "))
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// Rule EDIT-18.
pub(super) fn url(text: &str, source: ValueSource<'_>) -> Read {
    if text.is_empty() || !source.is_checked() || is_absolute(text) {
        return Ok(or_none(text));
    }
    Err(InvalidValue::new("bad_address", "").of(rules::EDIT_18))
}

/// Whether it has the scheme http or https, a host, and no character that a URL cannot have.
fn is_absolute(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let is_plain = |letter: char| {
        !letter.is_whitespace() && !letter.is_control() && !"<>\"\\^`{|}".contains(letter)
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let is_scheme = ["http", "https"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    is_scheme && rest.chars().all(is_plain) && is_host(host)
}

/// A name or an IP address in brackets, with or without a port.
fn is_host(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((inner, port)) => {
            if inner.is_empty()
                || !inner
                    .bytes()
                    .all(|byte| byte.is_ascii_hexdigit() || b":.".contains(&byte))
            {
                return false;
            }
            ("bracketed", port)
        }
        None => host
            .find(':')
            .map_or((host, ""), |colon| host.split_at(colon)),
    };
    let is_port = match port.strip_prefix(':') {
        Some(digits) => {
            digits.is_empty()
                || digits
                    .parse::<u16>()
                    .is_ok_and(|_| !digits.starts_with('+'))
        }
        None => port.is_empty(),
    };
    is_port && !name.is_empty() && !name.starts_with('.') && !name.contains(['[', ']'])
}

/// Rules EDIT-12, EDIT-19.
pub(super) fn channel(text: &str, source: ValueSource<'_>) -> Read {
    if let Some(unset) = unset(text, source) {
        return unset;
    }
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(channel) = text
        .parse::<u32>()
        .ok()
        .filter(|channel| is_number && *channel > 0)
    else {
        return Err(InvalidValue::new("not_an_integer", ""));
    };
    match source {
        ValueSource::Call {
            channels: Some(channels),
            ..
        } if !channels.contains(&channel) => {
            let known: Vec<String> = channels.iter().take(20).map(u32::to_string).collect();
            let due = if known.is_empty() {
                "no channels exist".to_owned()
            } else {
                format!("it must be an existing channel: {}", known.join(", "))
            };
            Err(InvalidValue::new("unknown_channel", due))
        }
        ValueSource::Call { .. }
        | ValueSource::Catalog
        | ValueSource::Scenario
        | ValueSource::Page => Ok(Value::from(channel)),
    }
}

/// One of some words, as an integer. Rules EDIT-12, EDIT-20, EDIT-24 to EDIT-26.
pub(super) fn listed(text: &str, words: &[(&str, u8)], source: ValueSource<'_>) -> Read {
    if let Some(unset) = unset(text, source) {
        return unset;
    }
    let found = words.iter().find(|(word, _)| *word == text);
    found
        .map(|(_, value)| Value::from(*value))
        .ok_or_else(|| InvalidValue::new("not_allowed", ""))
}

/// The meaning of an integer that is sent empty. Rule EDIT-12.
fn unset(text: &str, source: ValueSource<'_>) -> Option<Read> {
    let empty = source
        .knobs()
        .map_or(EmptyInteger::Error, |knobs| knobs.edit_empty_integer());
    text.is_empty().then(|| match empty {
        EmptyInteger::Error => {
            let due = "an integer must not be empty; omit the field to keep its value";
            Err(InvalidValue::new("empty", due).of(rules::EDIT_12))
        }
        EmptyInteger::Unset => Ok(Value::Null),
    })
}

/// Page code may write all zeros here too. Rules EDIT-21, EDIT-22.
pub(super) fn date(text: &str, source: ValueSource<'_>) -> Read {
    if is_zero(text, source) && !matches!(source, ValueSource::Page) {
        let due = "all zeros are not a day; leave it empty to publish at once";
        return Err(InvalidValue::new("zero_date", due).of(rules::EDIT_22));
    }
    end_date(text, source)
}

/// Rules EDIT-21, EDIT-22.
pub(super) fn end_date(text: &str, source: ValueSource<'_>) -> Read {
    if text.is_empty() || is_zero(text, source) {
        return Ok(Value::Null);
    }
    let full = in_full(text, source);
    if let Some(day) = full.as_deref().and_then(|day| day.parse::<Day>().ok()) {
        return Ok(Value::from(day.to_string()));
    }
    let code = if full.as_deref().is_some_and(is_formed) {
        "no_such_date"
    } else {
        "bad_date"
    };
    let meant = meant_day(text).map(|day| day.to_string());
    Err(InvalidValue {
        meant,
        ..InvalidValue::new(code, "").of(rules::EDIT_21)
    })
}

fn is_zero(text: &str, source: ValueSource<'_>) -> bool {
    in_full(text, source).as_deref() == Some(ZERO_DATE)
}

/// With two digits for day and month, where fewer are accepted.
fn in_full(text: &str, source: ValueSource<'_>) -> Option<String> {
    match source
        .knobs()
        .map_or(DateDigits::Strict, |knobs| knobs.edit_date_digits())
    {
        DateDigits::Strict => Some(text.to_owned()),
        DateDigits::Lenient => {
            let parts: Vec<&str> = text.split('-').collect();
            let [day, month, year] = parts[..] else {
                return None;
            };
            let is_short = |part: &str| (1..=2).contains(&part.len());
            (is_short(day) && is_short(month)).then(|| format!("{day:0>2}-{month:0>2}-{year}"))
        }
    }
}

fn is_formed(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| {
            if at == 2 || at == 5 {
                byte == b'-'
            } else {
                byte.is_ascii_digit()
            }
        })
}

/// The day of a string with the year first, with too few digits, or with other separators.
fn meant_day(text: &str) -> Option<Day> {
    let parts: Vec<&str> = text
        .split(|letter: char| !letter.is_ascii_digit())
        .collect();
    let [first, month, last] = parts[..] else {
        return None;
    };
    let (day, year) = if first.len() == 4 {
        (last, first)
    } else {
        (first, last)
    };
    format!("{day:0>2}-{month:0>2}-{year}").parse::<Day>().ok()
}

/// Rule EDIT-27.
pub(super) fn countries(text: &str, source: ValueSource<'_>) -> Read {
    let country = |part: &str| {
        if matches!(source, ValueSource::Page) {
            return Ok(Value::from(part.to_owned()));
        }
        let code = part.to_ascii_uppercase();
        let is_code = code.len() == 2 && code.bytes().all(|letter| letter.is_ascii_uppercase());
        let is_known = match source
            .knobs()
            .map_or(GeoList::AnyTwoLetters, |knobs| knobs.edit_geo_list())
        {
            GeoList::Iso => countries::is_country(&code),
            GeoList::AnyTwoLetters => is_code,
        };
        if is_known {
            return Ok(Value::from(code));
        }
        let (part, meant) = (
            Some(part.to_owned()),
            countries::meant(&code).map(str::to_owned),
        );
        let fault = InvalidValue::new(
            "unknown_country",
            "it must be a country as two letters, like US",
        );
        Err(InvalidValue {
            part,
            meant,
            ..fault
        })
    };
    parts(text)
        .map(country)
        .collect::<Result<_, _>>()
        .map(Value::List)
}

/// Whether audience measurement is checked. Rule EDIT-28.
fn is_measured(source: ValueSource<'_>) -> bool {
    source
        .knobs()
        .is_some_and(|knobs| knobs.edit_comscore_check().is_on())
}

/// Rule EDIT-28.
pub(super) fn air_date(text: &str, source: ValueSource<'_>) -> Read {
    let turned = |text: &str| {
        let (year, rest) = text.split_once('-')?;
        let (month, day) = rest.split_once('-')?;
        format!("{day}-{month}-{year}").parse::<Day>().ok()
    };
    kept_if(
        !is_measured(source) || text.is_empty() || turned(text).is_some(),
        text,
        "bad_date",
    )
}

/// Rule EDIT-28.
pub(super) fn text_flag(text: &str, source: ValueSource<'_>) -> Read {
    kept_if(
        !is_measured(source) || matches!(text, "" | "0" | "1"),
        text,
        "not_allowed",
    )
}

#[cfg(test)]
mod tests;
