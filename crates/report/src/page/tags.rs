//! The tables of the picture: all ad breaks of the session, all tags, and the schedules of VMAP documents.

use std::fmt::{self, Write};

use super::fate::{Fate, took, words};
use super::glyphs::glyph;
use super::scale::{Scale, end_of, seconds};
use super::verdict::{first_start, waited};
use super::{View, break_id};
use crate::waterfall::{AdBreakOutcome, AdBreakReport, TagOutcome};
use playsim_base::html::Text;
use playsim_base::words::counted;

/// The most rows of each table.
const MOST: usize = 500;

/// Writes the overview of a session with several breaks, which is also the index of their pictures.
pub(super) fn session(view: &View<'_>, html: &mut String) -> fmt::Result {
    let breaks = &view.report.breaks;
    if breaks.len() < 2 {
        return Ok(());
    }
    html.push_str("<p class=\"lead\">The ad breaks in the order in which they began.</p>\n");
    html.push_str("<table class=\"list\"><thead><tr><th scope=\"col\">ad break</th>");
    html.push_str(
        "<th scope=\"col\" class=\"num\">began, s</th><th scope=\"col\" class=\"num\">waited, s</th>",
    );
    html.push_str("<th scope=\"col\">outcome</th><th scope=\"col\" class=\"num\">tags tried</th>");
    html.push_str(
        "<th scope=\"col\" class=\"num\">ads shown</th><th scope=\"col\" class=\"num\">pixels</th>",
    );
    let scale = Scale::tight(0, breaks.iter().map(end_of).max().unwrap_or_default());
    writeln!(html, "<th scope=\"col\">0 to {} s</th></tr></thead><tbody>", seconds(scale.to_us()))?;
    let (mut waits, mut tried, mut shown, mut pixels) = (0_u64, 0, 0, 0);
    for (index, it) in breaks.iter().enumerate() {
        let asked = it.tags.iter().filter(|tag| tag.outcome != TagOutcome::NotAsked).count();
        let ads = it.played.iter().filter(|ad| ad.start_us.is_some()).count();
        waits = waits.saturating_add(waited(it).unwrap_or_default());
        (tried, shown, pixels) = (tried + asked, shown + ads, pixels + it.beacons.len());
        if index >= MOST {
            continue;
        }
        let heading = view.label(it);
        write!(html, "<tr><th scope=\"row\">")?;
        if index < super::picture::MOST_BREAKS {
            write!(html, "<a href=\"#{}\">{}</a>", break_id(index), Text(&heading))?;
        } else {
            write!(html, "{}", Text(&heading))?;
        }
        write!(
            html,
            "</th><td class=\"num\" data-l=\"at \">{}</td><td class=\"num\" data-l=\"waited \">",
            seconds(it.begin_us)
        )?;
        if let Some(wait) = waited(it) {
            html.push_str(&seconds(wait));
        }
        html.push_str("</td><td>");
        let (symbol, tone) = match (first_start(it), &it.outcome) {
            (Some(_), _) => ("fill", "good"),
            (None, outcome) => outcome_glyph(outcome),
        };
        glyph(symbol, tone, html)?;
        write!(html, " {}</td><td class=\"num\" data-l=\"tags \">{asked}</td>", Text(it.outcome.word()))?;
        write!(html, "<td class=\"num\" data-l=\"ads \">{ads}</td>")?;
        write!(html, "<td class=\"num\" data-l=\"pixels \">{}</td><td class=\"strip\">", it.beacons.len())?;
        strip(&scale, it, html)?;
        html.push_str("</td></tr>\n");
    }
    write!(
        html,
        "<tr class=\"total\"><th scope=\"row\">{}</th><td></td>",
        counted(breaks.len(), "ad break")
    )?;
    write!(
        html,
        "<td class=\"num\" data-l=\"waited \">{}</td><td></td><td class=\"num\" data-l=\"tags \">{tried}</td>",
        seconds(waits)
    )?;
    write!(
        html,
        "<td class=\"num\" data-l=\"ads \">{shown}</td><td class=\"num\" data-l=\"pixels \">{pixels}</td><td></td></tr></tbody></table>"
    )
}

/// Returns the symbol and the colour of a break's outcome.
fn outcome_glyph(outcome: &AdBreakOutcome) -> (&'static str, &'static str) {
    match outcome {
        AdBreakOutcome::Filled => ("fill", "good"),
        AdBreakOutcome::Scheduled => ("plan", "good"),
        AdBreakOutcome::NoFill => ("empty", "muted"),
        AdBreakOutcome::Aborted
        | AdBreakOutcome::Open
        | AdBreakOutcome::LeftOut
        | AdBreakOutcome::Dropped
        | AdBreakOutcome::NeverReached
        | AdBreakOutcome::Other(_) => ("unread", "muted"),
    }
}

/// Draws when a break waited and when its ads played, on the axis of the whole session.
fn strip(scale: &Scale, it: &AdBreakReport, html: &mut String) -> fmt::Result {
    html.push_str("<svg aria-hidden=\"true\">");
    write!(html, "<line class=\"gr\" x1=\"0%\" x2=\"100%\" y1=\"10\" y2=\"10\"/>")?;
    let wait = waited(it).map(|wait| (it.begin_us, it.begin_us.saturating_add(wait)));
    let class =
        if first_start(it).is_some() || it.outcome == AdBreakOutcome::Scheduled { "b-req" } else { "b-wait" };
    let ads = it.played.iter().filter_map(|ad| Some((ad.start_us?, ad.end_us.unwrap_or(scale.to_us()))));
    let bars = wait.into_iter().map(|span| (class, span)).chain(ads.map(|span| ("b-ad", span)));
    for (class, (from, to)) in bars {
        let (from, to) = (scale.start(from), scale.end(to));
        if from.to(to).0 < 1_000 {
            write!(html, "<line class=\"{class} thin\" x1=\"{from}\" x2=\"{from}\" y1=\"5\" y2=\"15\"/>")?;
        } else {
            write!(
                html,
                "<rect class=\"{class}\" x=\"{from}\" y=\"5\" width=\"{}\" height=\"10\"/>",
                from.to(to)
            )?;
        }
    }
    html.push_str("</svg>");
    Ok(())
}

/// Writes the tags of all breaks with their outcomes and reasons.
pub(super) fn tags(view: &View<'_>, html: &mut String) -> fmt::Result {
    let all = view.report.breaks.iter().enumerate();
    let all: Vec<_> = all
        .flat_map(|(index, it)| it.tags.iter().enumerate().map(move |(nth, tag)| (index, it, nth, tag)))
        .collect();
    if all.is_empty() {
        return Ok(());
    }
    let has_breaks = view.report.breaks.len() > 1;
    html.push_str("<p class=\"lead\">Each tag with its outcome and the reason.</p>\n");
    html.push_str("<table class=\"list\"><thead><tr>");
    html.push_str(if has_breaks { "<th scope=\"col\">ad break</th>" } else { "" });
    html.push_str("<th scope=\"col\" class=\"num\">tag</th><th scope=\"col\">outcome</th>");
    html.push_str("<th scope=\"col\" class=\"num\">code</th><th scope=\"col\" class=\"num\">asked, s</th><th scope=\"col\" class=\"num\">took, s</th>");
    html.push_str("<th scope=\"col\" class=\"num\">documents</th><th scope=\"col\">address and reason</th></tr></thead><tbody>\n");
    for (index, it, nth, tag) in all.iter().take(MOST) {
        let fate = Fate::of(tag);
        html.push_str("<tr>");
        if has_breaks {
            write!(html, "<td>{}</td>", Text(&view.label(it)))?;
        }
        let pod = if it.tags.iter().any(|tag| tag.pod > 0) {
            format!("{}.", u64::from(tag.pod) + 1)
        } else {
            String::new()
        };
        let number = format!("{pod}{}", u64::from(tag.wp) + 1);
        if *index < super::picture::MOST_BREAKS && *nth < super::picture::MOST_ROWS {
            write!(
                html,
                "<td class=\"num\" data-l=\"tag \"><a href=\"#{}-t{nth}\">{number}</a></td><td>",
                break_id(*index)
            )?;
        } else {
            write!(html, "<td class=\"num\" data-l=\"tag \">{number}</td><td>")?;
        }
        glyph(fate.glyph(), fate.tone(), html)?;
        write!(html, " {}</td><td class=\"num {}\">", Text(&words(tag, view.report)), fate.tone())?;
        if let Some(code) = tag.code {
            write!(html, "{code}")?;
        }
        html.push_str("</td><td class=\"num\" data-l=\"at \">");
        html.push_str(&tag.asked_us.map(seconds).unwrap_or_default());
        html.push_str("</td><td class=\"num\" data-l=\"took \">");
        html.push_str(&took(tag).map(seconds).unwrap_or_default());
        html.push_str("</td><td class=\"num\" data-l=\"documents \">");
        if tag.hops > 0 {
            write!(html, "{}", tag.hops)?;
        }
        write!(html, "</td><td class=\"wrap\"><code>{}</code>", Text(&tag.address))?;
        if let Some(reason) = &tag.reason {
            write!(html, "<br/>{}", Text(reason))?;
        }
        html.push_str("</td></tr>\n");
    }
    html.push_str("</tbody></table>\n");
    if all.len() > MOST {
        writeln!(html, "<p class=\"muted\">{} are left out.</p>", counted(all.len() - MOST, "more tag"))?;
    }
    unanswered(view, html)?;
    Ok(())
}

/// Writes the addresses that the scenario does not have, and the macros that were not replaced.
fn unanswered(view: &View<'_>, html: &mut String) -> fmt::Result {
    if !view.report.unanswered.is_empty() {
        html.push_str("<h3>Addresses without an answer</h3><p class=\"muted\">The scenario does not list them; each got a 404.</p><ul class=\"notes\">");
        for it in view.report.unanswered.iter().take(MOST) {
            write!(html, "<li><code>{}</code>", Text(&it.url))?;
            if let Some(near) = &it.suggestion {
                write!(html, ", nearly the same as <code>{}</code>", Text(near))?;
            }
            html.push_str("</li>");
        }
        html.push_str("</ul>");
    }
    let unfilled: Vec<_> = view.report.breaks.iter().flat_map(|it| &it.unfilled).take(MOST).collect();
    if !unfilled.is_empty() {
        html.push_str("<h3>Macros left as they were</h3><ul class=\"notes\">");
        for it in unfilled {
            write!(html, "<li><code>{}</code> in {}", Text(&it.name), counted(it.urls.len(), "address"))?;
            if let Some(url) = it.urls.first() {
                write!(html, ", such as <code>{}</code>", Text(url))?;
            }
            html.push_str("</li>");
        }
        html.push_str("</ul>");
    }
    Ok(())
}

/// Writes what became of the breaks that VMAP documents schedule.
pub(super) fn schedules(view: &View<'_>, html: &mut String) -> fmt::Result {
    if view.report.schedules.is_empty() {
        return Ok(());
    }
    html.push_str("<p class=\"lead\">The ad breaks of VMAP documents, in document order.</p>\n");
    for schedule in &view.report.schedules {
        write!(
            html,
            "<h3><code>{}</code></h3><table class=\"list\"><thead><tr><th scope=\"col\">offset</th>",
            Text(&schedule.document)
        )?;
        html.push_str("<th scope=\"col\">id</th><th scope=\"col\">outcome</th><th scope=\"col\" class=\"num\">began, s</th>");
        html.push_str("<th scope=\"col\">place and reason</th></tr></thead><tbody>\n");
        for it in schedule.breaks.iter().take(MOST) {
            let text = |text: &Option<String>| Text(text.as_deref().unwrap_or_default()).to_string();
            let (symbol, tone) = outcome_glyph(&it.outcome);
            write!(html, "<tr><td>{}</td><td>{}</td><td>", text(&it.offset), text(&it.id))?;
            glyph(symbol, tone, html)?;
            let began: Vec<String> = it.begin_us.iter().map(|us| seconds(*us)).collect();
            write!(
                html,
                " {}</td><td class=\"num\" data-l=\"at \">{}</td>",
                Text(it.outcome.word()),
                began.join("<br/>")
            )?;
            write!(html, "<td class=\"wrap\"><code>{}</code>", Text(&it.at))?;
            if let Some(reason) = &it.reason {
                write!(html, "<br/>{}", Text(reason))?;
            }
            html.push_str("</td></tr>\n");
        }
        html.push_str("</tbody></table>\n");
        if schedule.breaks.len() > MOST {
            writeln!(
                html,
                "<p class=\"muted\">{} are left out.</p>",
                counted(schedule.breaks.len() - MOST, "more break")
            )?;
        }
    }
    Ok(())
}
