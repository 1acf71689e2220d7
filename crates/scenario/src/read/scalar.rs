//! Strings, numbers, lengths of time and words of a list, read from one node.
//!
//! Nothing here is rounded: a number is whole millionths or an error, a length of time whole
//! microseconds or an error.
//!
//! Rules: CLK-1, CLK-9.

use std::sync::Arc;

use super::node::{Node, Tree, Wrong, shown, subject};
use playsim_api::Decimal;
use playsim_base::time::{ParseSpanError, Position, Span, Time};
use playsim_base::words;

/// The greatest width or height of a window or a picture.
pub(crate) const MAX_PIXELS: u32 = 100_000;

/// The greatest percentage.
pub(crate) const WHOLE_PERCENT: Decimal = Decimal::from_integer(100);

/// A string. A number counts as the string of its digits, so that an id may be written `7`.
pub(crate) fn text(node: &Node, what: &str) -> Result<Arc<str>, Wrong> {
    match &node.tree {
        Tree::Text(text) | Tree::Number(text) => Ok(text.as_str().into()),
        Tree::Bool(truth) => Err(node
            .not(what, "a string; put it in quotes")
            .meant(format!("'{truth}'"))),
        Tree::Null | Tree::List(_) | Tree::Map(_) => Err(node.not(what, "a string")),
    }
}

/// A string that is not empty.
pub(crate) fn name(node: &Node, what: &str) -> Result<Arc<str>, Wrong> {
    let name = text(node, what)?;
    if name.is_empty() {
        Err(node.not(what, "a non-empty string"))
    } else {
        Ok(name)
    }
}

/// A truth value.
pub(crate) fn truth(node: &Node, what: &str) -> Result<bool, Wrong> {
    if let Tree::Bool(truth) = node.tree {
        Ok(truth)
    } else {
        Err(not_truth(node, what, "true or false"))
    }
}

/// A truth value, or 0 or 1 as the record of the edit call has it.
pub(crate) fn flag(node: &Node, what: &str) -> Result<bool, Wrong> {
    if let Tree::Number(number) = &node.tree
        && let "0" | "1" = number.as_str()
    {
        return Ok(number == "1");
    }
    if let Tree::Bool(truth) = node.tree {
        Ok(truth)
    } else {
        Err(not_truth(node, what, "0, 1, true or false"))
    }
}

/// The error for a value that is not a boolean, with a suggestion for a word that older YAML reads
/// as one.
fn not_truth(node: &Node, what: &str, takes: &str) -> Wrong {
    let wrong = node.not(what, takes);
    match node.text().and_then(words::truth) {
        Some(truth) => wrong.meant(truth.to_string()),
        None => wrong,
    }
}

/// One word of a list.
pub(crate) fn word<T: Copy>(
    node: &Node,
    what: &str,
    words: &[(&'static str, T)],
) -> Result<T, Wrong> {
    let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let wrong = node.not(what, &all.join(" or "));
    let Some(found) = node.text() else {
        return Err(wrong);
    };
    match words.iter().find(|(word, _)| *word == found) {
        Some((_, value)) => Ok(*value),
        None => Err(wrong.meant_among(found, all)),
    }
}

/// Whether a value that may be this word or a length of time is the word. Another word is an error.
pub(crate) fn is_word(node: &Node, what: &str, word: &str, takes: &str) -> Result<bool, Wrong> {
    match node.text() {
        Some(found) if found == word => Ok(true),
        Some(found) if found.chars().all(char::is_alphabetic) => {
            Err(node.not(what, takes).meant_among(found, [word]))
        }
        Some(_) | None => Ok(false),
    }
}

/// A whole number from `least` up.
pub(crate) fn whole(node: &Node, what: &str, least: u64, most: u64) -> Result<u64, Wrong> {
    let takes = match (least, most) {
        (_, most) if most >= u32::MAX.into() => format!("a whole number from {least}"),
        _ => format!("a whole number from {least} to {most}"),
    };
    let number = if let Tree::Number(number) = &node.tree {
        number.parse().ok()
    } else {
        None
    };
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| node.not(what, &takes))
}

/// A whole number that counts something.
pub(crate) fn count(node: &Node, what: &str, least: u32) -> Result<u32, Wrong> {
    let most = u32::MAX;
    whole(node, what, least.into(), most.into()).map(|count| u32::try_from(count).unwrap_or(most))
}

/// A number within bounds.
pub(crate) fn number(
    node: &Node,
    what: &str,
    least: Decimal,
    most: Decimal,
) -> Result<Decimal, Wrong> {
    let takes = format!("a number from {least} to {most}");
    let Tree::Number(number) = &node.tree else {
        return Err(node.not(what, &takes));
    };
    let number = decimal(node, number)?;
    if (least..=most).contains(&number) {
        Ok(number)
    } else {
        Err(node.not(what, &takes))
    }
}

/// A percentage: `30`, or `30%`.
pub(crate) fn percent(node: &Node, what: &str) -> Result<Decimal, Wrong> {
    let most = WHOLE_PERCENT;
    let Some(text) = node.text().filter(|text| text.ends_with('%')) else {
        return number(node, what, Decimal::ZERO, most);
    };
    let percent = text.trim_end_matches('%').parse::<Decimal>().ok();
    let within = percent.filter(|percent| (Decimal::ZERO..=most).contains(percent));
    within.ok_or_else(|| node.not(what, "a percentage from 0% to 100%"))
}

/// Width and height in pixels.
pub(crate) fn size(node: &Node, what: &str) -> Result<(u32, u32), Wrong> {
    let wrong = || node.not(what, "width and height, like [1280, 720]");
    let Tree::List(items) = &node.tree else {
        return Err(wrong());
    };
    let [width, height] = &items[..] else {
        return Err(wrong());
    };
    let pixels = |node, what| {
        whole(node, what, 0, MAX_PIXELS.into())
            .map(|pixels| u32::try_from(pixels).unwrap_or(MAX_PIXELS))
    };
    Ok((pixels(width, "width")?, pixels(height, "height")?))
}

/// A decimal as whole millionths.
pub(crate) fn decimal(node: &Node, number: &str) -> Result<Decimal, Wrong> {
    number.parse::<Decimal>().map_err(|_| {
        let shown = shown(number);
        let fraction = number.split(['e', 'E']).next().and_then(|mantissa| mantissa.split_once('.'));
        let lower = number.trim_start_matches(['+', '-']).to_ascii_lowercase();
        match lower.as_str() {
            ".nan" => {
                Wrong::new(&node.range, format!("\"{shown}\" is not a finite number")).meant("{ $: NaN }")
            }
            ".inf" => {
                let sign = if number.starts_with('-') { "-" } else { "" };
                Wrong::new(&node.range, format!("\"{shown}\" is not a finite number"))
                    .meant(format!("{{ $: {sign}Infinity }}"))
            }
            _ if fraction.is_some_and(|(_, digits)| digits.trim_end_matches('0').len() > 6) => {
                Wrong::new(&node.range, format!("\"{shown}\" has more than six decimals"))
            }
            _ if lower.starts_with("0x") || lower.starts_with("0o") || lower.contains('_') => Wrong::new(
                &node.range,
                format!("\"{shown}\" is not a decimal number; put it in quotes if it is meant as a string"),
            ),
            _ => Wrong::new(
                &node.range,
                format!("\"{shown}\" is too large or too fine; a number has at most six decimals"),
            ),
        }
    })
}

const LENGTH: &str = "a length of time with its unit, like 1.5s, 250ms, 2m or 01:02:03.500";

/// A length of time with its unit.
pub(crate) fn span(node: &Node, what: &str) -> Result<Span, Wrong> {
    let wrong = |found: &str, why: ParseSpanError| {
        Wrong::new(
            &node.range,
            format!("{} is \"{}\"; {why}", subject(what), shown(found)),
        )
    };
    match &node.tree {
        Tree::Text(text) => match text.parse() {
            Ok(span) => Ok(span),
            Err(ParseSpanError::Form) => Err(node.not(what, LENGTH)),
            Err(why) => Err(wrong(text, why)),
        },
        Tree::Number(number) if number.starts_with('-') => {
            Err(wrong(number, ParseSpanError::Negative))
        }
        Tree::Number(number) => {
            let what_is = format!("{} is \"{}\", without a unit", subject(what), shown(number));
            let unit = meant_unit(what, number);
            Err(Wrong::new(&node.range, what_is).meant(format!("{number}{unit}")))
        }
        Tree::Null | Tree::Bool(_) | Tree::List(_) | Tree::Map(_) => Err(node.not(what, LENGTH)),
    }
}

/// Returns the unit that a length without one probably has. Nobody waits minutes for a response:
/// delays of that size are in milliseconds, as everywhere in JavaScript.
fn meant_unit(what: &str, number: &str) -> &'static str {
    const LEAST_DELAY: u64 = 50;
    const LEAST: u64 = 20_000;
    let is_delay = what == "after" || what.ends_with("_after") || what.ends_with("timeout");
    let least = if is_delay { LEAST_DELAY } else { LEAST };
    let is_whole = number.parse::<u64>();
    if is_whole.is_ok_and(|number| number >= least) {
        "ms"
    } else {
        "s"
    }
}

/// A length of time, or `never`.
pub(crate) fn span_or_never(node: &Node, what: &str) -> Result<Option<Span>, Wrong> {
    let is_never = is_word(node, what, "never", "a length of time, like 1.5s, or never")?;
    if is_never {
        Ok(None)
    } else {
        span(node, what).map(Some)
    }
}

/// A point on the virtual clock, written as the time since the start.
pub(crate) fn time(node: &Node, what: &str) -> Result<Time, Wrong> {
    span(node, what).map(|span| Time::ZERO + span)
}

/// A position on a media timeline, written as the length before it.
pub(crate) fn position(node: &Node, what: &str) -> Result<Position, Wrong> {
    span(node, what).map(Span::end)
}
