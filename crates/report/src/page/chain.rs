//! The chain of causes of a line: each line with its rule and the gist of the rule.
//!
//! Rules: TRACE-4, TRACE-7.

use maud::{Markup, html};

use super::{View, line_link, prose};
use playsim_api::Kind;
use playsim_base::html::{BR, Text};
use playsim_trace::line_words;

/// The most links that are shown; the middle of a longer chain is left out.
const MOST: usize = 8;
/// The longest line that is shown whole, in characters.
const LONGEST: usize = 200;

/// Returns the chain as a list, the line itself first. With `with_gists`, each rule has its gist,
/// once.
pub(super) fn list(view: &View<'_>, seq: u32, with_gists: bool) -> Markup {
    let Some(causes) = view.trace.causes(seq) else {
        return html! {};
    };
    let links = &causes.links;
    let left_out = links.len().saturating_sub(MOST);
    let hidden = if left_out > 0 {
        MOST - 2..MOST - 2 + left_out
    } else {
        0..0
    };
    let shown: Vec<_> = links
        .iter()
        .enumerate()
        .filter(|(index, _)| !hidden.contains(index))
        .collect();
    let is_first = |nth: usize| {
        let rule = shown[nth].1.record.rule;
        shown[..nth]
            .iter()
            .all(|(_, earlier)| earlier.record.rule != rule)
    };
    html! {
        ol.chain {
            @for (nth, (index, link)) in shown.iter().enumerate() {
                @if left_out > 0 && *index == hidden.end { li.muted { "… " (left_out) " more lines in between" } }
                li {
                    (line_link(view, link.seq))
                    " " span.muted { (link.at) } " " code { (Text(&shortened(&line_words(link.record)))) }
                    @if let Some(rule) = link.record.rule {
                        (BR)
                        span.small.muted {
                            (rule)
                            @if with_gists && is_first(nth) { ": " (prose(rule.row().gist)) }
                        }
                    }
                }
            }
        }
        @match (causes.lost, links.last().map(|link| link.record.kind)) {
            (Some(lost), _) => { p.small.muted { "Its cause, line " (lost) ", is not in this trace." } }
            (None, Some(kind)) if kind.is_act() => {
                p.small.muted { "That is a step of the scenario and has no cause." }
            }
            (None, Some(Kind::Header) | None) => {}
            (None, Some(_)) => { p.small.muted { "The trace does not name its cause." } }
        }
    }
}

fn shortened(words: &str) -> String {
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words.to_owned(),
    }
}
