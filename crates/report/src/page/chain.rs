//! The chain of causes of a line: each line with its rule and what the rule says.
//!
//! Rules: TRACE-4, TRACE-7.

use std::fmt::{self, Write};

use super::{View, line_link, prose};
use playsim_api::Kind;
use playsim_base::html::Text;
use playsim_trace::line_words;

/// The most links that are shown; the middle of a longer chain is left out.
const MOST: usize = 8;
/// The longest line that is shown whole, in characters.
const LONGEST: usize = 200;

/// Writes the chain as a list, the line itself first. `with_rules` also says what each rule says.
pub(super) fn write(view: &View<'_>, seq: u32, with_rules: bool, html: &mut String) -> fmt::Result {
    let Some(causes) = view.trace.causes(seq) else { return Ok(()) };
    let left_out = causes.links.len().saturating_sub(MOST);
    let mut told = Vec::new();
    html.push_str("<ol class=\"chain\">");
    for (index, link) in causes.links.iter().enumerate() {
        if left_out > 0 && (MOST - 2..MOST - 2 + left_out).contains(&index) {
            if index == MOST - 2 {
                write!(html, "<li class=\"muted\">… {left_out} more lines in between</li>")?;
            }
            continue;
        }
        html.push_str("<li>");
        line_link(view, link.seq, html)?;
        let words = line_words(link.record);
        let short: String = words.chars().take(LONGEST).collect();
        let more = if short.len() < words.len() { "…" } else { "" };
        write!(html, " <span class=\"muted\">{}</span> <code>{}{more}</code>", link.at, Text(&short))?;
        if let Some(rule) = link.record.rule {
            write!(html, "<br/><span class=\"small muted\">{rule}")?;
            // A rule is said once.
            if with_rules && !told.contains(&rule) {
                html.push_str(": ");
                prose(rule.row().gist, html)?;
                told.push(rule);
            }
            html.push_str("</span>");
        }
        html.push_str("</li>");
    }
    html.push_str("</ol>");
    let last = causes.links.last().map(|link| link.record.kind);
    match (causes.lost, last) {
        (Some(lost), _) => {
            write!(html, "<p class=\"small muted\">Its cause, line {lost}, is not in this trace.</p>")
        }
        (None, Some(kind)) if kind.is_act() => {
            html.write_str("<p class=\"small muted\">That is a step of the scenario and has no cause.</p>")
        }
        (None, Some(Kind::Header) | None) => Ok(()),
        (None, Some(_)) => html.write_str("<p class=\"small muted\">The trace does not name its cause.</p>"),
    }
}
