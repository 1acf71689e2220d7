//! Aligned columns of plain text.

use std::fmt::{self, Write};

use crate::escape;

/// A table whose columns are as wide as their widest cell.
pub struct Columns {
    /// Whether each column is right-aligned, as for numbers.
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// Returns a table with these columns; a name that begins with `>` is that of a column of numbers.
    pub fn new(columns: &[&str]) -> Columns {
        let right = columns.iter().map(|name| name.starts_with('>')).collect();
        let names = columns.iter().map(|name| name.trim_start_matches('>').to_owned()).collect();
        Columns { right, rows: vec![names] }
    }

    /// Adds a row, escaped.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.iter().map(|cell| escape::line(cell).into_owned()).collect());
    }

    /// Returns whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }

    /// Writes the names and the rows.
    pub fn write(&self, sink: &mut impl Write) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.right.len()).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, width), right) in row.iter().zip(&widths).zip(&self.right) {
                let gap = if line.is_empty() { "" } else { "  " };
                if *right {
                    write!(line, "{gap}{cell:>width$}")?;
                } else {
                    write!(line, "{gap}{cell:width$}")?;
                }
            }
            writeln!(sink, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
