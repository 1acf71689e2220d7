//! What all pages of reports have at their top: key figures, and links to the sections.

use std::borrow::Cow;
use std::fmt::{self, Write};

use playsim_base::html::Text;

/// A number with its unit, what it counts, and whether it is bad.
pub struct Figure {
    /// As it is shown, without its unit.
    pub number: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// What is counted.
    pub label: String,
    /// Shown in the colour of faults.
    pub is_bad: bool,
}

impl Figure {
    /// A figure that is not bad.
    pub fn new(number: impl Into<String>, unit: impl Into<String>, label: impl Into<String>) -> Figure {
        Figure { number: number.into(), unit: unit.into(), label: label.into(), is_bad: false }
    }
}

/// Writes the key figures.
pub fn write_figures(figures: &[Figure], html: &mut String) -> fmt::Result {
    html.push_str("<dl class=\"fig\">\n");
    for figure in figures {
        let bad = if figure.is_bad { " class=\"bad\"" } else { "" };
        let (number, unit, label) = (Text(&figure.number), Text(&figure.unit), Text(&figure.label));
        writeln!(html, "<div><dt>{label}</dt><dd{bad}>{number} <span>{unit}</span></dd></div>")?;
    }
    html.push_str("</dl>\n");
    Ok(())
}

/// The sections of a page, from which its links are made.
#[derive(Debug, Default)]
pub struct Sections(Vec<Section>);

/// A section: its heading, which is also the text of the link to it, and its HTML.
#[derive(Debug)]
pub struct Section {
    id: &'static str,
    title: Cow<'static, str>,
    body: String,
}

impl Section {
    /// `id` is the anchor, `body` is HTML.
    pub fn new(id: &'static str, title: impl Into<Cow<'static, str>>, body: impl Into<String>) -> Section {
        Section { id, title: title.into(), body: body.into() }
    }
}

impl FromIterator<Section> for Sections {
    fn from_iter<I: IntoIterator<Item = Section>>(sections: I) -> Sections {
        Sections(sections.into_iter().collect())
    }
}

impl Sections {
    /// Adds a section, unless nothing is written into it.
    pub fn add(
        &mut self,
        id: &'static str,
        title: &'static str,
        write: impl FnOnce(&mut String) -> fmt::Result,
    ) -> fmt::Result {
        let mut body = String::new();
        write(&mut body)?;
        if !body.is_empty() {
            self.0.push(Section::new(id, title, body));
        }
        Ok(())
    }

    /// Writes links to the sections.
    pub fn write_links(&self, html: &mut String) -> fmt::Result {
        html.push_str("<nav aria-label=\"sections\">");
        for it in &self.0 {
            write!(html, "<a href=\"#{}\">{}</a> ", it.id, Text(&it.title))?;
        }
        html.push_str("</nav>");
        Ok(())
    }

    /// Writes the sections.
    pub fn write(&self, html: &mut String) -> fmt::Result {
        self.0.iter().try_for_each(|it| {
            let Section { id, title, body } = it;
            writeln!(html, "<section id=\"{id}\"><h2>{}</h2>\n{body}</section>", Text(title))
        })
    }
}
