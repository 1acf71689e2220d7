//! Tables that a caller adds to a page, and those that stand for charts.

use std::fmt::{self, Write};

use crate::html::Text;
use crate::words::counted;

/// The most rows of a table.
const MOST_ROWS: usize = 1_000;

/// A table of plain text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageTable {
    /// What it shows; read out before the table, and not shown.
    pub caption: String,
    /// Its columns.
    pub columns: Vec<PageColumn>,
    /// Its rows, each with a cell for each column. An empty cell means that there is no value.
    pub rows: Vec<Vec<String>>,
    /// The index of the row that shows how it is now.
    pub now: Option<usize>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageColumn {
    /// Its head, with the unit.
    pub name: String,
    /// Whether it has numbers, which are aligned at the right.
    pub is_number: bool,
}

impl PageColumn {
    /// A column of text.
    #[must_use]
    pub fn text(name: &str) -> PageColumn {
        PageColumn { name: name.to_owned(), is_number: false }
    }

    /// A column of numbers.
    #[must_use]
    pub fn number(name: &str) -> PageColumn {
        PageColumn { name: name.to_owned(), is_number: true }
    }
}

impl PageTable {
    pub(super) fn write(&self, html: &mut String) -> fmt::Result {
        let label = Text(&self.caption);
        write!(html, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{label}\">")?;
        write!(html, "<table><caption class=\"off\">{label}</caption><thead><tr>")?;
        for column in &self.columns {
            let class = if column.is_number { " class=\"num\"" } else { "" };
            write!(html, "<th scope=\"col\"{class}>{}</th>", Text(&column.name))?;
        }
        html.push_str("</tr></thead><tbody>\n");
        for (index, row) in self.rows.iter().enumerate().take(MOST_ROWS) {
            html.push_str(if self.now == Some(index) { "<tr class=\"now\">" } else { "<tr>" });
            for (nth, cell) in row.iter().enumerate() {
                let class = if self.columns.get(nth).is_some_and(|column| column.is_number) {
                    " class=\"num\""
                } else {
                    ""
                };
                match nth {
                    0 => write!(html, "<th scope=\"row\"{class}>{}</th>", Text(cell))?,
                    _ => write!(html, "<td{class}>{}</td>", Text(cell))?,
                }
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody></table></div>\n");
        if self.rows.len() > MOST_ROWS {
            writeln!(
                html,
                "<p class=\"muted\">{} are left out.</p>",
                counted(self.rows.len() - MOST_ROWS, "more row")
            )?;
        }
        Ok(())
    }
}
