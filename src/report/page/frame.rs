//! What all pages of reports have at their top: key figures, and links to the sections.

use std::fmt::{self, Write};

use crate::html::Text;

/// A number with its unit, what it counts, and whether it is bad.
pub(crate) struct Figure {
    pub(crate) number: String,
    pub(crate) unit: String,
    pub(crate) label: String,
    pub(crate) is_bad: bool,
}

impl Figure {
    pub(crate) fn new(
        number: impl Into<String>,
        unit: impl Into<String>,
        label: impl Into<String>,
    ) -> Figure {
        Figure { number: number.into(), unit: unit.into(), label: label.into(), is_bad: false }
    }
}

/// Writes the key figures.
pub(crate) fn write_figures(figures: &[Figure], html: &mut String) -> fmt::Result {
    html.push_str("<dl class=\"fig\">\n");
    for figure in figures {
        let bad = if figure.is_bad { " class=\"bad\"" } else { "" };
        let (number, unit, label) = (Text(&figure.number), Text(&figure.unit), Text(&figure.label));
        writeln!(html, "<div><dt>{label}</dt><dd{bad}>{number} <span>{unit}</span></dd></div>")?;
    }
    html.push_str("</dl>\n");
    Ok(())
}

/// Writes links to the sections of the main part.
pub(crate) fn write_links(main: &str, html: &mut String) -> fmt::Result {
    html.push_str("<nav aria-label=\"sections\">");
    for (id, title) in headings(main) {
        write!(html, "<a href=\"#{id}\">{title}</a> ")?;
    }
    html.push_str("</nav>");
    Ok(())
}

/// Returns the ids and titles of the sections.
fn headings(main: &str) -> impl Iterator<Item = (&str, &str)> {
    main.split("<section id=\"").skip(1).filter_map(|rest| {
        let (id, rest) = rest.split_once("\"><h2>")?;
        Some((id, rest.split_once("</h2>")?.0))
    })
}
