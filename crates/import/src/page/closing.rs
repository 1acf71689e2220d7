//! The end of the page: the simulation, unknown points, the command.

use maud::{Markup, html};

use super::mark::sure;
use super::{View, sentence};
use crate::evidence::Certainty;
use playsim_base::html::Text;
use playsim_report::page::frame::Section;
use playsim_report::page::glyphs::ARROW;
use playsim_report::page::playground_link;

/// Returns the report of the simulation, folded.
pub(super) fn simulation(view: &View<'_>) -> Option<Section> {
    let it = view.simulated.as_ref()?;
    let trace = &view.played.simulation.as_ref()?.trace;
    let body = html! {
        p class="lead" { "What a player that follows the rules does with the recorded answers. Nothing above rests on it but the differences." }
        details class="sim" {
            summary {
                (ARROW) b { "Simulated: " (Text(&it.sentence)) }
                " " span class="muted" { (trace.records.len()) " lines of trace" }
            }
            (it.sections)
        }
    };
    Some(Section::new("simulation", "The simulation", body))
}

/// Returns the unknown points, how to know them next time, and how the recording was read.
pub(super) fn unknown(view: &View<'_>) -> Option<Section> {
    let (unknown, notes) = (&view.verdict.unknown, &view.played.notes);
    let body = html! {
        p class="lead" { "And how to know it next time." }
        @if unknown.is_empty() { p { "Nothing of what matters here." } }
        @if !unknown.is_empty() { ul class="stm" {
            @for it in unknown {
                li {
                    (sure(Certainty::Unknown))
                    p {
                        b { (Text(&sentence(&it.what))) }
                        @if let Some(how) = &it.next_time { " " (Text(&sentence(how))) }
                    }
                }
            }
        } }
        @if !notes.is_empty() {
            h3 { "How it was read" }
            ul class="stm" { @for note in notes { li { (sure(note.certainty)) p { (Text(&note.text)) "." } } } }
        }
    };
    (!unknown.is_empty() || !notes.is_empty())
        .then(|| Section::new("unknown", "What the recording cannot tell", body))
}

/// Returns the end of the page: the command that gives the same bytes.
pub(super) fn footer(command: Option<&str>, playground: Option<&str>) -> Markup {
    html! {
        footer {
            (playground_link(playground))
            @if let Some(command) = command {
                p { "From the same file, this gives the same bytes:" }
                pre { (Text(command)) }
            }
            p { "Times are seconds since the earliest time in the recording." }
        }
    }
}
