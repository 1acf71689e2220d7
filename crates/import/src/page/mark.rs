//! How sure a statement is: a word with a shape, never a colour alone.

use maud::{Markup, html};

use crate::evidence::Certainty;
use playsim_base::html::Text;
use playsim_report::page::glyphs::glyph;

/// Returns the mark of a certainty.
pub(super) fn sure(certainty: Certainty) -> Markup {
    let word = certainty.word();
    let symbol = match certainty {
        Certainty::Assumed => "knob",
        Certainty::Seen | Certainty::Inferred | Certainty::Unknown => word,
    };
    html! { span class={ "sure " (word) } { (glyph(symbol, "")) (word) } }
}

/// Returns a text that looks as sure as it is, with its mark behind it.
pub(super) fn said(certainty: Certainty, text: &str) -> Markup {
    html! { span class={ "said " (certainty.word()) } { (Text(text)) } " " (sure(certainty)) }
}

/// Returns statements, each with how sure it is.
pub(super) fn statements(all: &[(Certainty, String)]) -> Markup {
    html! {
        ul class="stm" {
            @for (certainty, text) in all { li { (sure(*certainty)) p { (Text(text)) } } }
        }
    }
}
