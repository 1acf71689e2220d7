//! Tables of plain text, aligned by the number of columns that a terminal gives to each character.

use std::fmt::{self, Write};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::escape;

/// Returns the width of a text in columns: two for a wide character such as `広`, none for a
/// combining mark.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// Returns a text on one line, padded to a number of columns.
#[must_use]
pub fn padded(text: &str, columns: usize) -> String {
    format!(
        "{text}{:gap$}",
        "",
        gap = columns.saturating_sub(width(text))
    )
}

/// Returns the byte offset at which a number of columns is filled; `None` if the text is narrower,
/// or a wide character lies across that column.
#[must_use]
pub fn offset_of_column(text: &str, columns: usize) -> Option<usize> {
    let mut used = 0;
    for (offset, letter) in text.char_indices() {
        if used >= columns {
            return (used == columns).then_some(offset);
        }
        used += letter.width().unwrap_or(0);
    }
    None
}

/// Returns a text on one line, shortened to a number of columns. The middle is left out, because
/// URLs differ at their ends.
#[must_use]
pub fn fitted(text: &str, columns: usize) -> String {
    let text = escape::line(text);
    if width(&text) <= columns {
        return text.into_owned();
    }
    let tail = from_end(&text, columns.saturating_sub(1) / 2);
    let head = from_start(&text, columns.saturating_sub(width(tail) + 1));
    format!("{head}…{tail}")
}

/// Returns as much of the start of a text as a number of columns has room for.
fn from_start(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let is_beyond = |letter: char| {
        used += letter.width().unwrap_or(0);
        used > columns
    };
    text.find(is_beyond).map_or(text, |end| &text[..end])
}

/// Returns as much of its end, without marks that belong to a character before it.
fn from_end(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let is_beyond = |letter: char| {
        used += letter.width().unwrap_or(0);
        used > columns
    };
    let end = text.rfind(is_beyond).map_or(text, |before| {
        let length = text[before..].chars().next().map_or(0, char::len_utf8);
        &text[before + length..]
    });
    end.trim_start_matches(|letter: char| letter.width() == Some(0))
}

/// Whether the output is coloured for a terminal.
#[derive(Debug, Clone, Copy)]
pub struct Paint(pub bool);

/// The emphasis of a text on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// None.
    Plain,
    /// Success.
    Good,
    /// Failure.
    Bad,
    /// Less important.
    Faint,
    /// A heading.
    Strong,
}

impl Paint {
    /// Success.
    #[must_use]
    pub fn good(self, text: &str) -> String {
        self.with(Tone::Good, text)
    }

    /// Failure.
    #[must_use]
    pub fn bad(self, text: &str) -> String {
        self.with(Tone::Bad, text)
    }

    /// Less important.
    #[must_use]
    pub fn faint(self, text: &str) -> String {
        self.with(Tone::Faint, text)
    }

    /// A heading.
    #[must_use]
    pub fn strong(self, text: &str) -> String {
        self.with(Tone::Strong, text)
    }

    /// With this emphasis.
    #[must_use]
    pub fn with(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Good => "32",
            Tone::Bad => "31",
            Tone::Faint => "2",
            Tone::Strong => "1",
        };
        if self.0 && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

/// A column of a table: its name, its side, and the limits of its width.
#[derive(Debug, Clone)]
pub struct Column {
    name: String,
    is_right: bool,
    least: usize,
    most: usize,
    gap: usize,
}

impl Column {
    /// A column of text.
    #[must_use]
    pub fn left(name: impl Into<String>) -> Column {
        Column {
            name: name.into(),
            is_right: false,
            least: 0,
            most: usize::MAX,
            gap: 2,
        }
    }

    /// A column of numbers.
    #[must_use]
    pub fn right(name: impl Into<String>) -> Column {
        Column {
            is_right: true,
            ..Column::left(name)
        }
    }

    /// A column of numbers if its name begins with `>`, otherwise of text.
    #[must_use]
    pub fn named(name: &str) -> Column {
        name.strip_prefix('>')
            .map_or_else(|| Column::left(name), Column::right)
    }

    /// At least so many columns of the terminal wide.
    #[must_use]
    pub fn at_least(self, least: usize) -> Column {
        Column { least, ..self }
    }

    /// At most so many wide; longer cells lose their middle.
    #[must_use]
    pub fn at_most(self, most: usize) -> Column {
        Column { most, ..self }
    }

    /// One blank apart from the column before it, to which it belongs.
    #[must_use]
    pub fn close(self) -> Column {
        Column { gap: 1, ..self }
    }
}

/// A cell of a table.
#[derive(Debug, Clone)]
pub struct Cell {
    text: String,
    tone: Tone,
}

impl Cell {
    /// A cell with an emphasis.
    #[must_use]
    pub fn with(tone: Tone, text: &str) -> Cell {
        Cell {
            text: escape::line(text).into_owned(),
            tone,
        }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::with(Tone::Plain, &text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::with(Tone::Plain, text)
    }
}

#[derive(Debug, Clone)]
enum Row {
    Cells(Vec<Cell>, Tone),
    Line(String),
}

/// A table whose columns are as wide as their widest cell, two blanks apart. Cells are escaped.
#[derive(Debug, Clone)]
pub struct Columns {
    columns: Vec<Column>,
    rows: Vec<Row>,
    indent: usize,
}

impl Columns {
    /// Returns a table with these columns. Without any name it has no head.
    #[must_use]
    pub fn of(columns: impl IntoIterator<Item = Column>) -> Columns {
        Columns {
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
            indent: 0,
        }
    }

    /// Returns a table with columns of these names, as in [`Column::named`].
    #[must_use]
    pub fn new(names: &[&str]) -> Columns {
        Columns::of(names.iter().map(|name| Column::named(name)))
    }

    /// With so many blanks before each row.
    #[must_use]
    pub fn indented(self, indent: usize) -> Columns {
        Columns { indent, ..self }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<Cell>>) {
        self.row_with(Tone::Plain, cells);
    }

    /// Adds a row with an emphasis.
    pub fn row_with(&mut self, tone: Tone, cells: impl IntoIterator<Item = impl Into<Cell>>) {
        self.rows.push(Row::Cells(
            cells.into_iter().map(Into::into).collect(),
            tone,
        ));
    }

    /// Adds lines across all columns, as they are.
    pub fn lines(&mut self, lines: impl IntoIterator<Item = String>) {
        self.rows.extend(lines.into_iter().map(Row::Line));
    }

    /// Returns whether it has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the names and the rows.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    /// Writes the names and the rows.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn write(&self, sink: &mut impl Write) -> fmt::Result {
        self.paint(Paint(false), sink)
    }

    /// Writes them with colours.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn paint(&self, paint: Paint, sink: &mut impl Write) -> fmt::Result {
        let widths = self.widths();
        if self.columns.iter().any(|column| !column.name.is_empty()) {
            let names: Vec<Cell> = self
                .columns
                .iter()
                .map(|column| Cell::from(&*column.name))
                .collect();
            writeln!(
                sink,
                "{}",
                self.aligned(&names, Tone::Faint, &widths, paint)
            )?;
        }
        self.rows.iter().try_for_each(|row| match row {
            Row::Cells(cells, tone) => {
                writeln!(sink, "{}", self.aligned(cells, *tone, &widths, paint))
            }
            Row::Line(line) => writeln!(sink, "{line}"),
        })
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self
            .columns
            .iter()
            .map(|column| width(&column.name).max(column.least))
            .collect();
        for row in &self.rows {
            let Row::Cells(cells, _) = row else { continue };
            for (widest, cell) in widths.iter_mut().zip(cells) {
                *widest = width(&cell.text).max(*widest);
            }
        }
        widths
            .iter()
            .zip(&self.columns)
            .map(|(widest, column)| (*widest).min(column.most))
            .collect()
    }

    /// Returns a row without blanks at its end.
    fn aligned(&self, cells: &[Cell], tone: Tone, widths: &[usize], paint: Paint) -> String {
        let mut line = " ".repeat(self.indent);
        for ((cell, column), columns) in cells.iter().zip(&self.columns).zip(widths) {
            let gap = if line.len() == self.indent {
                0
            } else {
                column.gap
            };
            let text = fitted(&cell.text, *columns);
            let room = columns - width(&text);
            let text = paint.with(cell.tone, &text);
            let (before, after) = if column.is_right {
                (gap + room, 0)
            } else {
                (gap, room)
            };
            line += &format!("{:before$}{text}{:after$}", "", "");
        }
        paint.with(tone, line.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_and_combining_marks_keep_columns_aligned() {
        let mut table = Columns::new(&["name", ">count", "end"]);
        table.row(["広告", "1", "x"]);
        table.row(["e\u{301}te\u{301}", "22", "x"]);
        table.row(["plain", "333", "x\u{1b}[2J"]);
        let due = "name   count  end\n広告       1  x\ne\u{301}te\u{301}       22  x\nplain    333  x\\u{1b}[2J\n";
        assert_eq!(table.text(), due);
        assert!(
            table
                .text()
                .lines()
                .skip(1)
                .all(|line| width(&line[..line.find("  x").expect("an end")]) == 12)
        );
    }

    #[test]
    fn widths_have_limits() {
        let mut table =
            Columns::of([Column::left("").at_most(5), Column::right("").at_least(3)]).indented(1);
        table.row(["abcdefghi", "1"]);
        table.lines(["   a note".to_owned()]);
        table.row(["広告広告", "2"]);
        assert_eq!(table.text(), " ab…hi    1\n   a note\n 広…告    2\n");
    }

    #[test]
    fn colours_do_not_count() {
        let mut table = Columns::new(&["a", "b"]);
        table.row([Cell::with(Tone::Bad, "no"), Cell::from("x")]);
        let mut painted = String::new();
        table
            .paint(Paint(true), &mut painted)
            .expect("writing to a string cannot fail");
        assert_eq!(
            painted,
            "\u{1b}[2ma   b\u{1b}[0m\n\u{1b}[31mno\u{1b}[0m  x\n"
        );
    }

    #[test]
    fn a_text_that_is_too_long_keeps_both_ends() {
        assert_eq!(fitted("https://ads.test/a", 18), "https://ads.test/a");
        assert_eq!(
            fitted("https://ads.test/inner/x.xml", 15),
            "https:/…r/x.xml"
        );
        assert_eq!(fitted("a\nb", 5), "a\\nb");
        for columns in 1..8 {
            for text in ["広告広告".to_owned(), "e\u{301}".repeat(9)] {
                assert!(
                    width(&fitted(&text, columns)) <= columns,
                    "{text} in {columns}"
                );
            }
        }
        assert_eq!(fitted("abcde\u{301}", 5), "abcde\u{301}");
        assert_eq!(fitted("abcdee\u{301}", 3), "a…e\u{301}");
    }
}
