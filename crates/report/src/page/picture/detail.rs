//! What an open row of a tag says: what happened, what it means, who has to act, which error URLs were called, by
//! which rule; the place in the document, the requests, and the chain of causes.

use std::fmt::{self, Write};

use super::Figure;
use super::bars::{answer, class};
use crate::dictionary;
use crate::page::fate::{Fate, host, took};
use crate::page::scale::{Scale, millis, seconds};
use crate::page::verdict::{first_start, waited};
use crate::page::{chain, line_link, pixels_id, prose};
use crate::waterfall::{Beacon, Rejected, Tag, TagOutcome, TagRequest};
use playsim_base::html::Text;
use playsim_base::words::counted;

/// The most entries of one list.
const MOST: usize = 30;
/// The most causes of a code, and remedies, that are said; `playsim code` has all.
const MOST_ADVICE: usize = 2;

pub(super) fn tag(figure: &Figure<'_, '_>, tag: &Tag, fate: Fate, html: &mut String) -> fmt::Result {
    html.push_str("<dl>");
    what(tag, html)?;
    means(figure, tag, fate, html)?;
    let (who, how) = fate.who_acts(&host(tag));
    write!(
        html,
        "<dt>Who acts</dt><dd><b>{who}</b>{} {}</dd>",
        if who == "Nobody" { "," } else { ":" },
        Text(&how)
    )?;
    told(figure, tag, fate, html)?;
    html.push_str("</dl><div>");
    code(tag, fate, html)?;
    rule(figure, tag, html)?;
    if let Some(place) = &tag.at {
        figure.view.documents.excerpt(place, html)?;
    }
    noted(tag, html)?;
    html.push_str("</div>");
    requests(figure, tag, fate, html)?;
    let lines = figure.view.lines.breaks.get(figure.index);
    let decision = lines.and_then(|lines| lines.tags.get(&(i64::from(tag.pod), i64::from(tag.wp)))?.decision);
    if let Some(decision) = decision {
        html.push_str("<details class=\"full why\"><summary>Cause by cause</summary>");
        chain::write(figure.view, decision, true, html)?;
        html.push_str("</details>");
    }
    Ok(())
}

fn what(tag: &Tag, html: &mut String) -> fmt::Result {
    html.push_str("<dt>What</dt><dd>");
    match (tag.outcome, &tag.message, &tag.reason) {
        (TagOutcome::NoFill, Some(message), Some(reason)) => {
            write!(html, "{}: {}.", Text(&capital(message)), Text(reason))?;
        }
        (TagOutcome::NoFill, Some(text), None) | (TagOutcome::NoFill, None, Some(text)) => {
            write!(html, "{}.", Text(&capital(text)))?;
        }
        (TagOutcome::NoFill, None, None) => html.push_str("It gave no ad."),
        (TagOutcome::Filled, _, _) => match tag.hops {
            0 | 1 => html.push_str("Its document has an ad that can be shown."),
            hops => write!(html, "An ad was found after {hops} documents.")?,
        },
        (TagOutcome::Scheduled, _, _) => {
            html.push_str("The answer says when ad breaks come, and has no ads itself.")
        }
        (TagOutcome::NotAsked, _, _) => html.push_str("It was never requested."),
        (TagOutcome::Undecided, _, _) => html.push_str("It was requested, and nothing was decided."),
    }
    html.push_str("</dd>");
    Ok(())
}

/// Writes what the code means, why it usually comes, and what helps.
fn code(tag: &Tag, fate: Fate, html: &mut String) -> fmt::Result {
    let Some((number, entry)) = tag.code.and_then(|code| Some((code, dictionary::of_ad_error(code)?))) else {
        return Ok(());
    };
    let (tone, family) = (fate.tone(), entry.family.title());
    write!(html, "<h3>Code <span class=\"{tone}\">{number}</span></h3>")?;
    write!(html, "<p class=\"small\">{family}: {}.", Text(entry.title))?;
    if !fate.is_failure() {
        return html.write_str("</p>");
    }
    write!(html, " {}</p>", Text(entry.meaning))?;
    for (name, texts) in [("Often", entry.causes), ("Helps", entry.remedies)] {
        if !texts.is_empty() {
            write!(html, "<ul class=\"notes small\">")?;
            for text in texts.iter().take(MOST_ADVICE) {
                write!(html, "<li><b>{name}</b> {}</li>", Text(text))?;
            }
            html.push_str("</ul>");
        }
    }
    Ok(())
}

fn means(figure: &Figure<'_, '_>, tag: &Tag, fate: Fate, html: &mut String) -> fmt::Result {
    let it = figure.it;
    html.push_str("<dt>Means</dt><dd>");
    let cost = took(tag);
    match (fate, cost) {
        (Fate::Filled, Some(cost)) => {
            write!(html, "Its first ad was ready {} s after it was requested.", seconds(cost))?
        }
        (Fate::Scheduled, Some(cost)) => {
            write!(html, "It was there after {} s. Ads come when its breaks are due.", seconds(cost))?;
        }
        (Fate::Filled | Fate::Scheduled, None) => html.push_str("It needed no request of its own."),
        (Fate::NotAsked, _) => html.push_str("It cost nothing and earned nothing."),
        (Fate::Empty, Some(cost)) => {
            write!(html, "An ordinary no-fill. It cost {} s and nothing else.", seconds(cost))?
        }
        (Fate::Undecided, _) => html.push_str("Whether it would have filled cannot be said."),
        (_, Some(cost)) => {
            write!(html, "The viewer waited {} s for it", seconds(cost))?;
            if let Some(whole) = waited(it).filter(|whole| *whole > 0 && cost > 0) {
                let percent = cost.saturating_mul(100).checked_div(whole).unwrap_or_default().min(100);
                let until =
                    if first_start(it).is_some() { "until the first ad" } else { "before the break gave up" };
                write!(html, ", {percent} % of the time {until}")?;
            }
            html.push('.');
        }
        (_, None) => html.push_str("It gave nothing to show."),
    }
    let late =
        tag.requests.iter().find_map(|request| Some(request.late_us?.saturating_sub(request.timed_out_us?)));
    if let Some(late) = late {
        write!(
            html,
            " The answer came {} s too late and was not read, so none of its pixels fired.",
            seconds(late)
        )?;
    }
    html.push_str("</dd>");
    Ok(())
}

/// Writes which error URLs were called.
fn told(figure: &Figure<'_, '_>, tag: &Tag, fate: Fate, html: &mut String) -> fmt::Result {
    if !matches!(tag.outcome, TagOutcome::NoFill) && tag.rejected.is_empty() && tag.faults.is_empty() {
        return Ok(());
    }
    let is_own = |beacon: &&Beacon| {
        beacon.event == "error" && (beacon.pod, beacon.wp) == (Some(tag.pod), Some(tag.wp))
    };
    let errors: Vec<&Beacon> = figure.it.beacons.iter().filter(is_own).collect();
    html.push_str("<dt>Told</dt><dd>");
    if errors.is_empty() {
        html.push_str("Nobody: no error URL was called.");
        if matches!(fate, Fate::Status | Fate::Connection | Fate::TimedOut) && tag.hops <= 1 {
            html.push_str(" Without a document there is none to call.");
        }
    } else {
        let codes: std::collections::BTreeSet<u16> = errors.iter().filter_map(|beacon| beacon.code).collect();
        let codes: Vec<String> = codes.iter().map(u16::to_string).collect();
        let with = if codes.is_empty() { String::new() } else { format!(" with {}", codes.join(", ")) };
        write!(
            html,
            "{}{with}, see <a href=\"#{}\">pixels</a>.",
            counted(errors.len(), "error URL"),
            pixels_id(figure.index)
        )?;
    }
    html.push_str("</dd>");
    Ok(())
}

fn rule(figure: &Figure<'_, '_>, tag: &Tag, html: &mut String) -> fmt::Result {
    let lines = figure.view.lines.breaks.get(figure.index);
    let Some(lines) = lines.and_then(|lines| lines.tags.get(&(i64::from(tag.pod), i64::from(tag.wp)))) else {
        return Ok(());
    };
    if lines.rules.is_empty() {
        html.push_str("<h3>Trace</h3>");
    } else {
        html.push_str("<h3>Rule</h3><ul class=\"notes small\">");
        for rule in &lines.rules {
            write!(html, "<li><b>{rule}</b> ")?;
            prose(rule.row().gist, html)?;
            html.push_str("</li>");
        }
        html.push_str("</ul>");
    }
    html.push_str("<p class=\"small\">");
    let ends = [lines.first, lines.decision.filter(|decision| Some(*decision) != lines.first)];
    for (index, seq) in ends.into_iter().flatten().enumerate() {
        html.push_str(if index == 0 { "Trace " } else { " to " });
        line_link(figure.view, seq, html)?;
    }
    html.push_str("</p>");
    Ok(())
}

/// Writes the ads that were not used, what else was noticed, and what was tolerated.
fn noted(tag: &Tag, html: &mut String) -> fmt::Result {
    let mut notes: Vec<(String, Option<&str>)> = Vec::new();
    // The last one is why the tag failed, which is said above.
    let is_said = |it: &Rejected| it.reason == tag.reason && it.at == tag.at;
    for it in tag.rejected.iter().filter(|it| !is_said(it)) {
        let ad = it.ad.as_deref().map(|ad| format!("ad {ad} ")).unwrap_or_default();
        let code = it.code.map(|code| format!(" ({code})")).unwrap_or_default();
        notes.push((
            format!("{ad}not used{code}: {}", it.reason.as_deref().unwrap_or("no reason given")),
            it.at.as_deref(),
        ));
    }
    for it in &tag.ignored {
        let ad = it.ad.as_deref().map(|ad| format!("ad {ad} ")).unwrap_or_default();
        notes.push((
            format!("{ad}ignored: {}", it.reason.as_deref().unwrap_or("no reason given")),
            it.at.as_deref(),
        ));
    }
    for it in &tag.faults {
        let code = it.code.map(|code| format!(" ({code})")).unwrap_or_default();
        notes.push((
            format!("{}{code}: {}", it.what.word(), it.reason.as_deref().unwrap_or("no reason given")),
            it.at.as_deref(),
        ));
    }
    for it in &tag.warnings {
        notes.push((format!("tolerated: {}", it.text), it.at.as_deref()));
    }
    if notes.is_empty() {
        return Ok(());
    }
    html.push_str("<h3>Noted</h3><ul class=\"notes\">");
    for (note, at) in notes.iter().take(MOST) {
        write!(html, "<li>{}", Text(note))?;
        if let Some(at) = at {
            write!(html, " <code>{}</code>", Text(at))?;
        }
        html.push_str("</li>");
    }
    html.push_str("</ul>");
    if notes.len() > MOST {
        write!(html, "<p class=\"small muted\">{} more</p>", notes.len() - MOST)?;
    }
    Ok(())
}

/// Writes all requests of a tag on an axis of their own.
fn requests(figure: &Figure<'_, '_>, tag: &Tag, fate: Fate, html: &mut String) -> fmt::Result {
    let Some(first) = tag.requests.first() else { return Ok(()) };
    let over = |request: &TagRequest| {
        let end = tag.decided_us.or(figure.it.end_us);
        request.over_us().or(end).unwrap_or(request.asked_us).max(request.asked_us)
    };
    let last = tag.requests.iter().map(|request| request.late_us.unwrap_or(0).max(over(request))).max();
    let scale = Scale::tight(first.asked_us, last.unwrap_or(first.asked_us));
    html.push_str("<div class=\"full\"><table class=\"hops\"><thead><tr><th scope=\"col\">hop</th>");
    html.push_str("<th scope=\"col\">address</th><th scope=\"col\" class=\"num\">took, ms</th><th scope=\"col\">answer</th>");
    write!(
        html,
        "<th scope=\"col\">{} to {}, its own scale</th>",
        seconds(first.asked_us),
        seconds(last.unwrap_or_default())
    )?;
    html.push_str("</tr></thead><tbody>");
    let decided = tag.until_decided().count();
    for (index, request) in tag.requests.iter().enumerate().take(MOST) {
        let hop = request.hop.map_or_else(|| "media".to_owned(), |hop| hop.to_string());
        write!(
            html,
            "<tr><td data-l=\"hop \">{hop}</td><td><code>{}</code></td><td class=\"num\" data-l=\"ms \">",
            Text(&request.url)
        )?;
        if let Some(over) = request.over_us() {
            html.push_str(&millis(over.saturating_sub(request.asked_us)));
        }
        let is_bad = request.timed_out_us.is_some()
            || request.fault.is_some()
            || request.status.is_some_and(|status| status >= 400);
        let bad = if is_bad { " class=\"bad\"" } else { "" };
        let class = class(request, fate, index + 1 == decided);
        let (from, to) = (scale.start(request.asked_us), scale.end(over(request)));
        write!(
            html,
            "</td><td><span{bad}>{}</span></td><td class=\"hp\"><svg aria-hidden=\"true\">",
            Text(&answer(request))
        )?;
        if from.to(to).0 < 300 {
            write!(html, "<line class=\"{class} thin\" x1=\"{from}\" x2=\"{from}\" y1=\"4\" y2=\"14\"/>")?;
        } else {
            write!(
                html,
                "<rect class=\"{class}\" x=\"{from}\" y=\"4\" width=\"{}\" height=\"10\"/>",
                from.to(to)
            )?;
        }
        if let Some(late) = request.late_us {
            let width = to.to(scale.end(late));
            write!(html, "<rect class=\"b-late\" x=\"{to}\" y=\"4\" width=\"{width}\" height=\"10\"/>")?;
        }
        html.push_str("</svg></td></tr>");
    }
    html.push_str("</tbody></table>");
    if tag.requests.len() > MOST {
        write!(
            html,
            "<p class=\"small muted\">{} are not listed.</p>",
            counted(tag.requests.len() - MOST, "more request")
        )?;
    }
    html.push_str("</div>");
    Ok(())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
