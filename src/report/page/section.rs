//! Sections that a caller adds to a page, as plain data: text, tables and charts.

use std::fmt::{self, Write};

use super::chart::{ByValue, DistributionChart};
use super::table::PageTable;
use crate::html::Text;

/// A section of the page, such as what would have helped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// One or two sentences below it: the answer first. May be empty.
    pub lead: String,
    /// Its contents, in order.
    pub parts: Vec<Part>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A smaller heading.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A table.
    Table(PageTable),
    /// Results by the value of one parameter.
    ByValue(ByValue),
    /// How results are distributed.
    Distribution(DistributionChart),
}

impl Section {
    pub(crate) fn write(&self, id: &str, html: &mut String) -> fmt::Result {
        writeln!(html, "<section id=\"{id}\"><h2>{}</h2>", Text(&self.title))?;
        if !self.lead.is_empty() {
            writeln!(html, "<p class=\"lead\">{}</p>", Text(&self.lead))?;
        }
        for (index, part) in self.parts.iter().enumerate() {
            match part {
                Part::Heading(text) => writeln!(html, "<h3>{}</h3>", Text(text))?,
                Part::Text(text) => writeln!(html, "<p>{}</p>", Text(text))?,
                Part::Table(table) => table.write(html)?,
                Part::ByValue(chart) => chart.write(&format!("{id}-{index}"), html)?,
                Part::Distribution(chart) => chart.write(html)?,
            }
        }
        html.push_str("</section>\n");
        Ok(())
    }
}
