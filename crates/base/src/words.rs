//! Words for messages and tables: the nearest known word, and text in lines of a given width.

use std::fmt::Write as _;
use std::io::{self, ErrorKind};

use strsim::osa_distance;

use crate::escape;

mod columns;

pub use columns::{Cell, Column, Columns, Paint, Tone, fitted, offset_of_column, padded, width};

/// The known word most similar to `word`, if one is similar enough to be meant.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = word.to_lowercase();
    let length = folded.chars().count();
    known
        .into_iter()
        .filter_map(|candidate| {
            let most = 1 + candidate.chars().count().max(length) / 4;
            let lower = candidate.to_lowercase();
            // Each character that one of them has more is an error.
            let is_far = length.abs_diff(lower.chars().count()) > most;
            let distance = if is_far {
                None
            } else {
                distance(cut(&folded), cut(&lower), most)
            }?;
            Some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many typing errors lie between two texts; `None`: more than `most`. What both have at their
/// start and at their end makes no difference: for URLs that is most of them.
fn distance(one: &str, other: &str, most: usize) -> Option<usize> {
    let start = alike(one.chars(), other.chars());
    let (one, other) = (&one[start..], &other[start..]);
    let end = alike(one.chars().rev(), other.chars().rev());
    let (one, other) = (&one[..one.len() - end], &other[..other.len() - end]);
    // Each character that the other text lacks is an error. To count them costs much less than to
    // align the texts.
    let lacking = one
        .chars()
        .filter(|letter| !other.contains(*letter))
        .count();
    let distance = (lacking <= most).then(|| osa_distance(one, other));
    distance.filter(|distance| *distance <= most)
}

/// How many bytes two texts have in common before they differ.
fn alike(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    let same = one.zip(other).take_while(|(one, other)| one == other);
    same.map(|(letter, _)| letter.len_utf8()).sum()
}

/// The known URL that differs from `address` by at most two typing errors. URLs are long and
/// similar to each other, so [`nearest`] would suggest too many.
#[must_use]
pub fn slip<'a>(address: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(address.len()) <= 2)
        .filter_map(|candidate| Some((distance(cut(address), cut(candidate), 2)?, candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The message for an unknown word: `unknown call "curentTime"; did you mean "currentTime"?`, or a
/// list of the known ones.
#[must_use]
pub fn unknown<'a>(
    what: &str,
    word: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    match unknown_or_meant(what, word, known) {
        (message, Some(meant)) => format!("{message}; did you mean \"{meant}\"?"),
        (message, None) => message,
    }
}

/// `unknown call "curentTime"` and the nearest known word; if none is near, with a list of the
/// known ones.
pub fn unknown_or_meant<'a>(
    what: &str,
    word: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> (String, Option<&'a str>) {
    let message = format!("unknown {what} \"{}\"", escape::shown(word));
    match nearest(word, known.clone()) {
        Some(meant) => (message, Some(meant)),
        None => {
            let all: Vec<String> = known.into_iter().map(escape::shown).collect();
            (
                format!("{message}; it must be one of: {}", all.join(", ")),
                None,
            )
        }
    }
}

/// Returns seconds with three decimals, rounded: `2.000`.
#[must_use]
pub fn seconds(micros: u64) -> String {
    let millis = micros.saturating_add(500) / 1_000;
    format!("{}.{:03}", millis / 1_000, millis % 1_000)
}

/// Returns a count with its noun, in the plural where it needs one: `1 line`, `2 lines`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Whether a string consists of these pieces in order, with anything between them.
#[must_use]
pub fn consists_of<'a>(text: &str, pieces: impl IntoIterator<Item = &'a str>) -> bool {
    let mut pieces = pieces.into_iter();
    let Some(mut rest) = text.strip_prefix(pieces.next().unwrap_or_default()) else {
        return false;
    };
    let mut last = None;
    for piece in pieces {
        if let Some(piece) = last.replace(piece) {
            let Some(at) = rest.find(piece) else {
                return false;
            };
            rest = &rest[at + str::len(piece)..];
        }
    }
    last.map_or(rest.is_empty(), |last| rest.ends_with(last))
}

/// Says why a file cannot be read or written.
#[must_use]
pub fn io_error(error: &io::Error) -> String {
    const KNOWN: &[(ErrorKind, &str)] = &[
        (ErrorKind::NotFound, "no such file or folder"),
        (ErrorKind::PermissionDenied, "permission denied"),
        (ErrorKind::IsADirectory, "it is a folder"),
        (ErrorKind::NotADirectory, "it is not a folder"),
        (ErrorKind::AlreadyExists, "there is a file of that name"),
    ];
    let known = KNOWN.iter().find(|(kind, _)| *kind == error.kind());
    known.map_or_else(|| error.to_string(), |(_, words)| (*words).to_owned())
}

/// The truth value meant by a word that older YAML takes for one.
pub fn truth(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "yes" | "on" | "y" | "true" => Some(true),
        "no" | "off" | "n" | "false" => Some(false),
        _ => None,
    }
}

/// Returns the first 256 characters of a word, so that comparing two stays cheap.
fn cut(word: &str) -> &str {
    word.char_indices()
        .nth(256)
        .map_or(word, |(end, _)| &word[..end])
}

/// Returns text in lines of at most so many columns, broken at white space; a longer word has a
/// line of its own.
#[must_use]
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Writes an entry of a list: the first line begins with its head, and all parts are wrapped to so
/// many columns to the right of it.
pub fn write_rows(out: &mut String, head: &str, parts: &[String], columns: usize) {
    for (number, line) in parts
        .iter()
        .flat_map(|part| wrap(part, columns))
        .enumerate()
    {
        let start = if number == 0 { head } else { "" };
        let _ = writeln!(out, "{}{line}", padded(start, width(head)));
    }
}

/// Writes a row of a table in Markdown.
pub fn write_cells(out: &mut String, cells: &[String]) {
    for cell in cells {
        let _ = write!(out, "| {} ", cell.replace('|', "\\|"));
    }
    out.push_str("|\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_suggested_if_it_is_near() {
        assert_eq!(
            nearest("curentTime", ["duration", "currentTime"]),
            Some("currentTime")
        );
        assert_eq!(nearest("adStarted", ["adStart", "start"]), Some("adStart"));
        assert_eq!(nearest("xyz", ["duration", "currentTime"]), None);
        assert_eq!(nearest("映画館の", ["on"]), None);
    }

    #[test]
    fn wrapping_never_splits_a_word() {
        assert_eq!(wrap("広告 広告 a", 7), ["広告", "広告 a"]);
        assert_eq!(
            wrap("no ad in the response", 12),
            ["no ad in the", "response"]
        );
        assert_eq!(
            wrap("https://a.test/long why", 5),
            ["https://a.test/long", "why"]
        );
        assert_eq!(wrap(" \n", 5), [""; 0]);
    }

    #[test]
    fn a_url_is_suggested_only_for_a_typing_error() {
        let known = ["https://ads.test/first", "https://ads.test/other"];
        assert_eq!(
            slip("https://ads.test/frist", known),
            Some("https://ads.test/first")
        );
        assert_eq!(slip("https://ads.test/third", known), None);
    }
}
