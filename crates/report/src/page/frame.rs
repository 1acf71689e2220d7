//! The top of each page of reports, key figures and links to the sections; and the sections
//! themselves.

use std::borrow::Cow;

use maud::{Markup, PreEscaped, Render, html};

use playsim_base::html::Text;

/// The field that filters by text. It needs the script of the page.
pub const FIND: PreEscaped<&str> =
    PreEscaped(r#"<input type="search" id="find" autocomplete="off"/>"#);

/// Returns a check box.
pub fn check_box(id: &str, is_checked: bool) -> Markup {
    let checked = if is_checked { r#" checked="""# } else { "" };
    PreEscaped(format!(r#"<input type="checkbox" id="{id}"{checked}/>"#))
}

/// A number with its unit and its meaning.
pub struct Figure {
    /// As it is shown, without its unit.
    pub number: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// Its meaning.
    pub label: String,
    /// Whether it counts faults, and has their colour.
    pub is_bad: bool,
}

impl Figure {
    /// A figure that is not bad.
    pub fn new(
        number: impl Into<String>,
        unit: impl Into<String>,
        label: impl Into<String>,
    ) -> Figure {
        Figure {
            number: number.into(),
            unit: unit.into(),
            label: label.into(),
            is_bad: false,
        }
    }
}

/// Returns the key figures of a page.
pub fn figures(figures: &[Figure]) -> Markup {
    html! {
        dl.fig {
            @for it in figures {
                div {
                    dt { (Text(&it.label)) }
                    dd class=[it.is_bad.then_some("bad")] { (Text(&it.number)) " " span { (Text(&it.unit)) } }
                }
            }
        }
    }
}

/// A section: its heading, which is also the text of the link to it, and its content.
#[derive(Debug)]
pub struct Section {
    id: &'static str,
    title: Cow<'static, str>,
    body: Markup,
}

impl Section {
    /// `id` is the anchor.
    pub fn new(id: &'static str, title: impl Into<Cow<'static, str>>, body: Markup) -> Section {
        Section {
            id,
            title: title.into(),
            body,
        }
    }
}

/// The sections of a page. As a part of a template they are written in full.
#[derive(Debug)]
pub struct Sections(Vec<Section>);

/// Sections without content are left out.
impl FromIterator<Section> for Sections {
    fn from_iter<I: IntoIterator<Item = Section>>(sections: I) -> Sections {
        Sections(
            sections
                .into_iter()
                .filter(|it| !it.body.0.is_empty())
                .collect(),
        )
    }
}

impl Sections {
    /// Keeps the section with this anchor.
    #[must_use]
    pub fn only(mut self, id: &str) -> Sections {
        self.0.retain(|section| section.id == id);
        self
    }

    /// Returns links to the sections.
    pub fn links(&self) -> Markup {
        html! {
            nav aria-label="sections" {
                @for it in &self.0 { a href={ "#" (it.id) } { (Text(&it.title)) } " " }
            }
        }
    }
}

impl Render for Sections {
    fn render(&self) -> Markup {
        html! {
            @for Section { id, title, body } in &self.0 { section id=(id) { h2 { (Text(title)) } (body) } }
        }
    }
}
