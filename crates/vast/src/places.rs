//! Lines and columns of many byte offsets in one document.
//!
//! [`Place::of_byte`] walks the document from its start. Here that is done once, so that look-ups
//! stay cheap even in a document of ten megabytes on one line.

use std::cell::Cell;
use std::ops::Add;

use playsim_base::place::Place;

/// The number of bytes between two stored character counts.
const STRIDE: usize = 256;

/// The offset of a byte in a document shorter than 4 GiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ByteOffset(u32);

impl ByteOffset {
    /// The offset as an index into the text of the document.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<usize> for ByteOffset {
    fn from(offset: usize) -> ByteOffset {
        ByteOffset(number(offset))
    }
}

/// The offset of a byte that many bytes later.
impl Add<usize> for ByteOffset {
    type Output = ByteOffset;
    fn add(self, bytes: usize) -> ByteOffset {
        ByteOffset(self.0.saturating_add(number(bytes)))
    }
}

/// The places in one document.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    text: &'a str,
    /// The offset after each line feed.
    line_starts: Vec<u32>,
    /// The number of characters that start before each multiple of [`STRIDE`]; empty if the
    /// document is ASCII.
    characters: Vec<u32>,
    start: Start,
    /// The line found last: places are mostly asked for in the order of the document.
    last: Cell<usize>,
}

/// The place at which an embedded document starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// It is a verbatim piece that begins here, or the whole document.
    At(Place),
    /// It was encoded differently: every place in it is reported as this one.
    AllAt(Place),
}

impl<'a> Places<'a> {
    /// Indexes `text`, which is shorter than 4 GiB.
    pub(crate) fn new(text: &'a str) -> Places<'a> {
        Places::from(text, Start::At(Place { line: 1, column: 1 }))
    }

    /// Indexes an embedded document.
    pub(crate) fn from(text: &'a str, start: Start) -> Places<'a> {
        let mut line_starts = Vec::with_capacity(text.len() / 32);
        line_starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| number(at + 1)));
        let mut characters = Vec::new();
        if !text.is_ascii() {
            let mut sum = 0;
            for chunk in text.as_bytes().chunks(STRIDE) {
                characters.push(sum);
                sum += starts(chunk);
            }
            characters.push(sum);
        }
        Places {
            text,
            line_starts,
            characters,
            start,
            last: Cell::new(0),
        }
    }

    /// Returns the place of a byte offset; an offset beyond the end is the end.
    pub(crate) fn of(&self, offset: ByteOffset) -> Place {
        let byte = offset.index().min(self.text.len());
        let line = self.line_of(byte);
        let start = if line == 0 {
            0
        } else {
            self.line_starts[line - 1] as usize
        };
        let column = self.characters_before(byte) - self.characters_before(start);
        match self.start {
            Start::AllAt(place) => place,
            Start::At(first) if line == 0 => Place {
                line: first.line,
                column: column.saturating_add(first.column),
            },
            Start::At(first) => Place {
                line: number(line).saturating_add(first.line),
                column: column.saturating_add(1),
            },
        }
    }

    /// The number of line feeds before a byte.
    fn line_of(&self, byte: usize) -> usize {
        let starts_by = |line: usize| {
            self.line_starts
                .get(line)
                .is_some_and(|start| *start as usize <= byte)
        };
        let last = self.last.get();
        let line = if last > 0 && !starts_by(last - 1) {
            self.line_starts[..last].partition_point(|start| *start as usize <= byte)
        } else if !starts_by(last) {
            last
        } else if !starts_by(last + 1) {
            last + 1
        } else {
            last + self.line_starts[last..].partition_point(|start| *start as usize <= byte)
        };
        self.last.set(line);
        line
    }

    fn characters_before(&self, byte: usize) -> u32 {
        if self.characters.is_empty() {
            return number(byte);
        }
        let stored = byte / STRIDE;
        self.characters[stored] + starts(&self.text.as_bytes()[stored * STRIDE..byte])
    }
}

/// Returns the number of characters that start in these bytes of UTF-8.
fn starts(bytes: &[u8]) -> u32 {
    number(bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count())
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_agree_with_the_plain_walk_in_any_order() {
        let long = "\u{e9}x\n".repeat(150) + &"\u{20ac}".repeat(300) + "\r\nend";
        for text in ["", "\n", "a\nb", long.as_str(), "plain\n\nascii"] {
            let mut bytes: Vec<usize> = text.char_indices().map(|(byte, _)| byte).collect();
            bytes.extend([text.len(), text.len() + 9]);
            let backwards: Vec<usize> = bytes.iter().rev().copied().collect();
            let from_both_ends: Vec<usize> = bytes
                .iter()
                .zip(&backwards)
                .flat_map(|(first, last)| [*first, *last])
                .collect();
            for order in [bytes, backwards, from_both_ends] {
                let places = Places::new(text);
                for byte in order {
                    assert_eq!(
                        places.of(byte.into()),
                        Place::of_byte(text, byte),
                        "{byte} in {text:?}"
                    );
                }
            }
        }
    }
}
