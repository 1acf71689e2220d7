//! Where the page left the documented behaviour: each cause once, the worst first, with its reason.

use maud::{Markup, html};

use super::mark::sure;
use super::{View, sentence};
use crate::simulation::{PageDifference, Rank};
use playsim_base::html::Text;
use playsim_base::words::{counted, seconds};
use playsim_report::page::frame::Section;
use playsim_report::page::glyphs::glyph;

/// The most differences with a row of their own.
const MOST: usize = 200;

pub(super) fn section(view: &View<'_>) -> Option<Section> {
    let within = seconds(view.comparison?.within_us);
    let all = view.played.differences();
    let body = html! {
        p class="lead" {
            @if all.is_empty() {
                "A player that follows the rules does the same with the same answers; times may differ by " (within) " s."
            } @else {
                "The worst first: what is not shown or not counted, what is counted wrongly, wrong codes, wrong times, and what \
                 changes nobody's report. Times may differ by " (within) " s."
            }
        }
        @if !all.is_empty() {
            ol class="diffs" {
                @for (index, it) in all.iter().take(MOST).enumerate() {
                    li id={ "difference-" (index + 1) } { (one(view, it)) }
                }
            }
        }
        @if all.len() > MOST { p class="muted" { (counted(all.len() - MOST, "more difference")) " left out." } }
    };
    Some(Section::new(
        "differences",
        "Where the page differed from the rules",
        body,
    ))
}

fn one(view: &View<'_>, it: &PageDifference) -> Markup {
    let (symbol, tone) = match it.rank {
        Rank::NotCounted => ("miss", "bad"),
        Rank::CountedWrongly | Rank::WrongCode | Rank::WrongTime => ("differ", "bad"),
        Rank::Cosmetic => ("dot", "muted"),
    };
    html! {
        h3 { (Text(&it.what)) }
        p class="marks" {
            span class={ "nb " (tone) } { (glyph(symbol, tone)) " " (it.rank.word()) }
            @if it.count > 1 { " " span class="chip" { (counted(it.count, "request")) } }
            " " (sure(it.certainty))
            " " span class="muted" { "from " (seconds(it.at_us)) " s on" }
        }
        p {
            @match &it.why {
                Some(why) => { b { "Why: " } (Text(&sentence(why))) }
                None => { span class="muted" { "The reason is unknown." } }
            }
            @if let Some(rule) = &it.rule { " " (link(view, rule)) }
        }
    }
}

/// Returns the rule of a difference, as a link to the first line of the trace that it decided.
fn link(view: &View<'_>, rule: &str) -> Markup {
    let line = view.simulated.as_ref().and_then(|it| it.rules.get(rule));
    html! {
        @match line {
            Some(line) => { a class="rule" href={ "#s" (line) } { (Text(rule)) } }
            None => { span class="rule muted" { (Text(rule)) } }
        }
    }
}
