//! The symbols of the page: one shape for each kind of thing, always next to a word.

use maud::{Markup, PreEscaped, Render, html};

/// The definitions of all symbols and patterns; other SVG of the page refers to them.
pub const DEFINITIONS: PreEscaped<&str> = PreEscaped(include_str!("glyphs.svg"));

/// The arrow of a row that opens.
pub const ARROW: PreEscaped<&str> =
    PreEscaped(r##"<svg class="tw" aria-hidden="true"><use href="#g-open"/></svg>"##);

/// The colour of a symbol and of the words beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlyphTone {
    /// As it should be.
    Good,
    /// Worth a look.
    Note,
    /// Neither good nor bad.
    Muted,
    /// A failure.
    Bad,
}

/// As the class of the style sheet.
impl Render for GlyphTone {
    fn render_to(&self, out: &mut String) {
        out.push_str(match self {
            GlyphTone::Good => "good",
            GlyphTone::Note => "note",
            GlyphTone::Muted => "muted",
            GlyphTone::Bad => "bad",
        });
    }
}

/// Returns a symbol in the line of text. `tone` is a class for its colour.
pub fn glyph(name: &str, tone: impl Render) -> Markup {
    html! { svg class={ "g " (tone) } aria-hidden="true" { use href={ "#g-" (name) } {} } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_well_formed() {
        let document = roxmltree::Document::parse(DEFINITIONS.0).expect("it is XML");
        let ids = document
            .descendants()
            .filter_map(|node| node.attribute("id"));
        assert!(ids.filter(|id| id.starts_with("g-")).count() > 10);
    }
}
