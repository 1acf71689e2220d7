//! Random changes to a document.

use std::ops::Range;
use std::sync::Arc;

use super::seeds::{Element, Seed};
use playsim::testing::Source;

/// A document that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mutant {
    pub(crate) number: u64,
    /// The original document.
    pub(crate) seed: String,
    pub(crate) text: Arc<str>,
    /// The changes made.
    pub(crate) done: Vec<&'static str>,
}

impl Mutant {
    /// The changes made, in words.
    pub(crate) fn describe(&self) -> String {
        self.done.join(", ")
    }
}

/// The maximum number of changes.
const MOST_CHANGES: usize = 6;
/// The URL that serves the mutant itself: a wrapper that points there is a loop.
pub(crate) const TAG: &str = "https://corpus.test/tag";

/// Values that occur in documents in the wrong place, or in the right place but seldom correct.
const TEXTS: &[&str] = &[
    "",
    " ",
    "0",
    "-1",
    "1",
    "4294967296",
    "99999999999999999999999999",
    "00:00:00",
    "00:00:00.001",
    "00:00:05",
    "99:59:59.999",
    "999999999:00:00",
    "-00:00:05",
    "0%",
    "50%",
    "100%",
    "101%",
    "1e9",
    "NaN",
    "true",
    "True",
    "false",
    "start",
    "complete",
    "progress",
    "about:blank",
    "javascript:0",
    "video/mp4",
    "application/javascript",
    "VPAID",
    "4.2",
    "2.0",
    TAG,
    "https://corpus.test/[CACHEBUSTING][CACHEBUSTING][ERRORCODE]",
    "[TIMESTAMP][MEDIAPLAYHEAD][ADPLAYHEAD][nonsense][",
    "&amp;&lt;&#0x41;&#65;",
    "\u{feff}\u{200b}\u{1f600}",
];

/// Strings that mean something to an XML parser.
const PIECES: &[&[u8]] = &[
    b"<",
    b">",
    b"&",
    b"\"",
    b"]]>",
    b"<![CDATA[",
    b"<!--",
    b"-->",
    b"<?xml version='1.0'?>",
    b"<!DOCTYPE a [<!ENTITY b 'bbbbbbbb'><!ENTITY c '&b;&b;&b;&b;'>]>",
    b"&c;",
    b"&#x110000;",
    b"</",
    b"/>",
    b"<Ad>",
    b"</Ad>",
    b"<VAST>",
    b"</VAST>",
    b"<Wrapper>",
    b"xmlns:a='b'",
    b"\0",
    b"\xff\xfe",
    b"\xc3",
    b"\r\n",
    b"\xef\xbb\xbf",
    b"\x1b[31m",
];

/// Returns the mutant of a number.
pub(crate) fn mutant(number: u64, seeds: &[Seed]) -> Mutant {
    let mut source = Source::from_seed(0x5eed_0000_0000 ^ number);
    // Even numbers have their elements changed: they stay well-formed. Odd ones mostly their bytes.
    let by_element = number.is_multiple_of(2) || source.chance(1, 8);
    let seed = loop {
        let seed = source.pick(seeds);
        // The largest documents are no better than others, and each costs as much as a hundred of
        // them.
        let is_large = seed.text.len() > 40_000 && !source.chance(1, 20);
        if !(is_large || by_element && seed.elements.is_empty()) {
            break seed;
        }
    };
    let changes = 1 + source.index(MOST_CHANGES);
    let (text, done) = if by_element {
        by_elements(seed, changes, &mut source)
    } else {
        by_bytes(seed, seeds, changes, &mut source)
    };
    Mutant {
        number,
        seed: seed.name.clone(),
        text: text.into(),
        done,
    }
}

/// A range of a document and its replacement.
type Edit = (Range<usize>, String);

/// Changes elements at places that do not overlap.
fn by_elements(seed: &Seed, changes: usize, source: &mut Source) -> (String, Vec<&'static str>) {
    let (mut edits, mut done): (Vec<Edit>, Vec<&'static str>) = (Vec::new(), Vec::new());
    for _ in 0..changes {
        let (name, new) = element_change(seed, source);
        let touches = |range: &Range<usize>| {
            edits.iter().any(|(other, _)| {
                range.start < other.end && other.start < range.end || range == other
            })
        };
        if !new.is_empty() && !new.iter().any(|(range, _)| touches(range)) {
            edits.extend(new);
            done.push(name);
        }
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut text = String::with_capacity(seed.text.len());
    let mut at = 0;
    for (range, instead) in &edits {
        text.push_str(&seed.text[at..range.start]);
        text.push_str(instead);
        at = range.end;
    }
    text.push_str(&seed.text[at..]);
    (text, done)
}

fn element_change(seed: &Seed, source: &mut Source) -> (&'static str, Vec<Edit>) {
    let index = source.index(seed.elements.len());
    let element = &seed.elements[index];
    let range = element.range.clone();
    let own = &seed.text[range.clone()];
    match source.index(8) {
        0 => ("remove", vec![(range, String::new())]),
        1 => {
            // A document whose parts are doubled repeatedly must stay small enough to play.
            let most = (20_000 / own.len().max(1)).clamp(1, 40);
            (
                "double",
                vec![(range, own.repeat(1 + source.count(1, most)))],
            )
        }
        2 => ("swap", swap(seed, index, source)),
        3 => ("move", carry(seed, element, source)),
        4 => {
            let levels = *source.pick(&[1, 3, 40, 300]);
            let text = format!(
                "{}{own}{}",
                "<Extension>".repeat(levels),
                "</Extension>".repeat(levels)
            );
            ("nest", vec![(range, text)])
        }
        5 => match &element.inner {
            Some(inner) => (
                "text",
                vec![(inner.clone(), (*source.pick(TEXTS)).to_owned())],
            ),
            None => ("remove", vec![(range, String::new())]),
        },
        6 if !seed.attributes.is_empty() => {
            let (_, value) = source.pick(&seed.attributes);
            (
                "attribute",
                vec![(value.clone(), (*source.pick(TEXTS)).to_owned())],
            )
        }
        _ if !seed.attributes.is_empty() => {
            let (attribute, _) = source.pick(&seed.attributes);
            ("no attribute", vec![(attribute.clone(), String::new())])
        }
        _ => ("remove", vec![(range, String::new())]),
    }
}

/// Swaps two children of one element.
fn swap(seed: &Seed, index: usize, source: &mut Source) -> Vec<Edit> {
    let element = &seed.elements[index];
    let siblings: Vec<&Element> = seed
        .elements
        .iter()
        .filter(|other| other.parent == element.parent && **other != *element)
        .collect();
    if siblings.is_empty() {
        return Vec::new();
    }
    let other = *source.pick(&siblings);
    let (own, its) = (
        &seed.text[element.range.clone()],
        &seed.text[other.range.clone()],
    );
    vec![
        (element.range.clone(), its.to_owned()),
        (other.range.clone(), own.to_owned()),
    ]
}

/// Moves an element before another one that it does not contain.
fn carry(seed: &Seed, element: &Element, source: &mut Source) -> Vec<Edit> {
    let other = source.pick(&seed.elements);
    let at = other.range.start;
    if element.range.contains(&at) || at == element.range.end {
        return Vec::new();
    }
    vec![
        (element.range.clone(), String::new()),
        (at..at, seed.text[element.range.clone()].to_owned()),
    ]
}

/// Changes bytes; invalid UTF-8 is then replaced, as a browser does.
fn by_bytes(
    seed: &Seed,
    seeds: &[Seed],
    changes: usize,
    source: &mut Source,
) -> (String, Vec<&'static str>) {
    let mut bytes = seed.text.clone().into_bytes();
    let mut done = Vec::new();
    for _ in 0..changes {
        let at = source.index(bytes.len() + 1);
        let stretch = |source: &mut Source| at..(at + source.count(1, 64)).min(bytes.len());
        done.push(match source.index(7) {
            0 if at < bytes.len() => {
                bytes[at] ^= 1 << source.index(8);
                "flip"
            }
            1 if at < bytes.len() => {
                bytes[at] = u8::try_from(source.index(256)).unwrap_or_default();
                "set"
            }
            2 => {
                let range = stretch(source);
                drop(bytes.drain(range));
                "cut out"
            }
            3 => {
                let range = stretch(source);
                let again = bytes[range].repeat(source.count(1, 30));
                drop(bytes.splice(at..at, again));
                "repeat"
            }
            4 if source.chance(1, 4) => {
                bytes.truncate(at);
                "cut off"
            }
            5 if source.chance(1, 4) => {
                let other = source.pick(seeds).text.as_bytes();
                let from = source.index(other.len().max(1)).min(other.len());
                let piece = &other[from..(from + 2_000).min(other.len())];
                drop(bytes.splice(at..at, piece.iter().copied()));
                "graft"
            }
            _ => {
                drop(bytes.splice(at..at, source.pick(PIECES).iter().copied()));
                "insert"
            }
        });
    }
    (String::from_utf8_lossy(&bytes).into_owned(), done)
}
