//! Positions in text: file, line, column.

use std::fmt;
use std::sync::Arc;

use crate::number::{Decimal, LONGEST};

/// A line and column in text, both counted from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// The start of the file.
impl Default for Place {
    fn default() -> Place {
        Place { line: 1, column: 1 }
    }
}

impl Place {
    /// The place of a byte offset in `text`. An offset past the end is treated as the end.
    #[must_use]
    pub fn of_byte(text: &str, byte: usize) -> Place {
        let mut end = byte.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Place {
            line: count(before.bytes().filter(|byte| *byte == b'\n').count()).saturating_add(1),
            column: count(before[line_start..].chars().count()).saturating_add(1),
        }
    }

    /// Writes `file:line:column` for a file of this name, several times faster than `format!`: many
    /// trace lines contain places.
    pub fn in_file(self, file: &str) -> String {
        let (line, column) = (
            Decimal::from_integer(self.line.into()),
            Decimal::from_integer(self.column.into()),
        );
        let (mut first, mut second) = ([0; LONGEST], [0; LONGEST]);
        [
            file,
            ":",
            line.written(&mut first),
            ":",
            column.written(&mut second),
        ]
        .concat()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A place in a named file, written `file:line:column`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePlace {
    /// The file's name as the user gave it, never an absolute path.
    pub file: Arc<str>,
    /// The line and column in it.
    pub place: Place,
}

impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_from_one() {
        let text = "ab\n\u{e9}x";
        assert_eq!(Place::of_byte(text, 0), Place { line: 1, column: 1 });
        assert_eq!(Place::of_byte(text, 5), Place { line: 2, column: 2 });
        assert_eq!(Place::of_byte(text, 99), Place { line: 2, column: 3 });
    }

    #[test]
    fn a_place_in_a_file_is_written_as_it_is_formatted() {
        for (line, column) in [(1, 1), (10, 999), (u32::MAX, u32::MAX)] {
            let place = Place { line, column };
            assert_eq!(
                place.in_file("a.xml"),
                FilePlace {
                    file: "a.xml".into(),
                    place
                }
                .to_string()
            );
        }
    }
}
