//! The pixels: which fired and when, and why the rest did not.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::glyphs::{ARROW, glyph};
use super::scale::{grouped, seconds};
use super::{View, pixels_id};
use crate::waterfall::AdBreakReport;
use playsim_base::html::Text;
use playsim_base::words::counted;

/// The most columns of a matrix, rows of a list, breaks, and pixels of the whole page.
const MOST_ADS: usize = 6;
const MOST_EVENTS: usize = 40;
const MOST_BREAKS: usize = 20;
const MOST_PIXELS: usize = 1_500;
/// The longest reason in a cell of the matrix, in characters.
const LONGEST: usize = 30;

/// What a pixel belongs to: pod and index of the tag if known, and the id of the ad.
type Owner<'a> = (Option<u32>, Option<u32>, Option<&'a str>);

/// One pixel.
struct Pixel<'a> {
    event: &'a str,
    hop: Option<u32>,
    url: &'a str,
    /// When it fired, and its line; or why it did not.
    fate: Result<(u64, Option<u32>), &'a str>,
    code: Option<u16>,
    /// Why it did not reach its server although it fired. Rule REQ-19.
    fault: Option<&'a str>,
}

pub(super) fn write(view: &View<'_>, html: &mut String) -> fmt::Result {
    let fired: usize = view.report.breaks.iter().map(|it| it.beacons.len()).sum();
    let unfired: usize = view.report.breaks.iter().map(|it| it.uncalled.len()).sum();
    if view.report.breaks.is_empty() {
        return Ok(());
    }
    html.push_str("<p class=\"lead\">What fired, when, and why the rest did not. Times in seconds.</p>\n");
    if fired + unfired == 0 {
        for index in 0..view.report.breaks.len().min(super::picture::MOST_BREAKS) {
            write!(html, "<span id=\"{}\"></span>", pixels_id(index))?;
        }
        html.push_str("<p>No document that was read names a pixel.</p>");
        return Ok(());
    }
    html.push_str("<p class=\"badges\">");
    chip("dot", "good", fired, "fired", html)?;
    chip("ring", "muted", unfired, "not fired", html)?;
    html.push_str("</p>\n");
    let mut room = MOST_PIXELS;
    let mut left_out = 0;
    let has_breaks = view.report.breaks.len() > 1;
    for (index, it) in view.report.breaks.iter().enumerate() {
        let of = it.beacons.len() + it.uncalled.len();
        if index >= super::picture::MOST_BREAKS {
            left_out += of;
            continue;
        }
        write!(html, "<div id=\"{}\" class=\"pxs\">", pixels_id(index))?;
        if has_breaks && of > 0 {
            write!(html, "<h3>{}</h3>", Text(&view.label(it)))?;
        }
        if of > 0 {
            if room > 0 {
                let groups = groups(view, index, it);
                let few = if groups.len() <= 3 { " few" } else { "" };
                write!(html, "<div class=\"pxc{few}\">")?;
                if index < MOST_BREAKS {
                    matrix(&groups, html)?;
                }
                html.push_str("<div>");
                for (owner, pixels) in &groups {
                    let shown = pixels.len().min(room);
                    list(view, owner, pixels, shown, html)?;
                    room -= shown;
                    left_out += pixels.len() - shown;
                }
                html.push_str("</div></div>");
            } else {
                left_out += of;
            }
        }
        html.push_str("</div>\n");
    }
    if left_out > 0 {
        writeln!(
            html,
            "<p class=\"muted\">{} are counted above and not listed; playsim waterfall --format json lists all.</p>",
            counted(left_out, "more pixel")
        )?;
    }
    Ok(())
}

fn chip(symbol: &str, tone: &str, count: usize, what: &str, html: &mut String) -> fmt::Result {
    if count == 0 {
        return Ok(());
    }
    write!(html, "<span class=\"chip {tone}\">")?;
    glyph(symbol, tone, html)?;
    write!(html, "{} {what}</span>", grouped(count as u64))
}

/// Returns the pixels of a break by what they belong to, in the order of tags.
fn groups<'a>(view: &View<'a>, index: usize, it: &'a AdBreakReport) -> Vec<(Owner<'a>, Vec<Pixel<'a>>)> {
    let mut groups: Vec<(Owner<'a>, Vec<Pixel<'a>>)> = Vec::new();
    let mut at: BTreeMap<Owner<'a>, usize> = BTreeMap::new();
    let mut put = |owner: Owner<'a>, pixel| {
        let index = *at.entry(owner).or_insert_with(|| {
            groups.push((owner, Vec::new()));
            groups.len() - 1
        });
        groups[index].1.push(pixel);
    };
    let lines = view.lines.breaks.get(index);
    for (nth, beacon) in it.beacons.iter().enumerate() {
        let seq = lines.and_then(|lines| lines.beacons.get(nth)).copied();
        let fate = Ok((beacon.at_us, seq));
        let (event, fault) = (&beacon.event, beacon.fault.as_deref());
        let pixel = Pixel { event, hop: beacon.hop, url: &beacon.url, fate, code: beacon.code, fault };
        // Wrappers have ads of their own; what they report belongs to the ad that they led to.
        let ad = of_ad(it, (beacon.pod, beacon.wp), beacon.ad.as_deref(), beacon.at_us);
        put((beacon.pod, beacon.wp, ad), pixel);
    }
    for uncalled in &it.uncalled {
        let owner = (Some(uncalled.pod), Some(uncalled.wp));
        let only = only_ad(it, owner);
        let ad = if uncalled.hop.is_some() { only.or(uncalled.ad.as_deref()) } else { None };
        let fate = Err(uncalled.reason.as_str());
        put(
            (owner.0, owner.1, ad),
            Pixel {
                event: &uncalled.event,
                hop: uncalled.hop,
                url: &uncalled.url,
                fate,
                code: None,
                fault: None,
            },
        );
    }
    groups.sort_by_key(|((pod, wp, _), _)| (*pod, *wp));
    groups
}

/// Returns the id of the ad on the screen at this time, or else the one that the document names.
fn of_ad<'a>(
    it: &'a AdBreakReport,
    tag: (Option<u32>, Option<u32>),
    named: Option<&'a str>,
    at: u64,
) -> Option<&'a str> {
    let mut shown = it.played.iter().filter(|ad| (Some(ad.pod), Some(ad.wp)) == tag);
    let now = shown.find(|ad| {
        let is_over = ad.end_us.is_some_and(|end| end < at);
        ad.start_us.is_some_and(|start| start <= at) && !is_over
    });
    // Of two that meet at one instant, the one that the document names.
    let meant = it
        .played
        .iter()
        .filter(|ad| (Some(ad.pod), Some(ad.wp)) == tag)
        .find(|ad| named.is_some() && ad.ad.as_deref() == named);
    meant.or(now).and_then(|ad| ad.ad.as_deref()).or(named)
}

/// Returns the id of the only ad that a tag gave.
fn only_ad(it: &AdBreakReport, tag: (Option<u32>, Option<u32>)) -> Option<&str> {
    let mut ads = it.played.iter().filter(|ad| (Some(ad.pod), Some(ad.wp)) == tag);
    let first = ads.next()?;
    if ads.next().is_some() { None } else { first.ad.as_deref() }
}

fn owner_name((pod, wp, ad): &Owner<'_>) -> (String, String) {
    let tag = wp.map_or_else(String::new, |wp| format!("tag {}", u64::from(wp) + 1));
    let pod =
        pod.filter(|pod| *pod > 0).map(|pod| format!(", pod {}", u64::from(pod) + 1)).unwrap_or_default();
    let none = if wp.is_some() { "no ad" } else { "the ad break" };
    let ad = ad.filter(|ad| !ad.is_empty()).unwrap_or(none).to_owned();
    (ad, format!("{tag}{pod}"))
}

/// Writes events against ads.
fn matrix(groups: &[(Owner<'_>, Vec<Pixel<'_>>)], html: &mut String) -> fmt::Result {
    let mut events: Vec<&str> = Vec::new();
    for pixel in groups.iter().take(MOST_ADS).flat_map(|(_, pixels)| pixels) {
        if !events.contains(&pixel.event) {
            events.push(pixel.event);
        }
    }
    events.sort_by_key(|event| ORDER.iter().position(|known| known == event).unwrap_or(ORDER.len()));
    html.push_str(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"pixels by event and ad\">",
    );
    html.push_str("<table class=\"mx\"><thead><tr><th scope=\"col\">event</th>");
    for (owner, _) in groups.iter().take(MOST_ADS) {
        let (ad, tag) = owner_name(owner);
        write!(html, "<th scope=\"col\"><b>{}</b> <small>{tag}</small></th>", Text(&shortened(&ad, 24)))?;
    }
    html.push_str("</tr></thead><tbody>\n");
    for event in events.iter().take(MOST_EVENTS) {
        write!(html, "<tr><th scope=\"row\">{}</th>", Text(event))?;
        for (_, pixels) in groups.iter().take(MOST_ADS) {
            cell(event, pixels, html)?;
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table>");
    if groups.len() > MOST_ADS || events.len() > MOST_EVENTS {
        html.push_str("<p class=\"small muted\">The table has the first ads and events only; the lists have the others.</p>");
    }
    html.push_str("</div>\n");
    Ok(())
}

/// The order of events in the matrix; others follow.
const ORDER: &[&str] = &[
    "breakStart",
    "impression",
    "creativeView",
    "loaded",
    "start",
    "firstQuartile",
    "midpoint",
    "thirdQuartile",
    "complete",
    "breakEnd",
    "error",
    "mute",
    "unmute",
    "pause",
    "resume",
    "skip",
    "click",
];

fn cell(event: &str, pixels: &[Pixel<'_>], html: &mut String) -> fmt::Result {
    let own = || pixels.iter().filter(|pixel| pixel.event == event);
    let fired: Vec<u64> = own().filter_map(|pixel| pixel.fate.ok().map(|(at, _)| at)).collect();
    let reasons: Vec<&str> = own().filter_map(|pixel| pixel.fate.err()).collect();
    match (fired.first(), reasons.first()) {
        (Some(at), unfired) => {
            html.push_str("<td>");
            glyph("dot", "good", html)?;
            write!(html, " {}", seconds(*at))?;
            if fired.len() > 1 {
                write!(html, " <small>×{}</small>", fired.len())?;
            }
            if unfired.is_some() {
                write!(html, " <small>of {}</small>", fired.len() + reasons.len())?;
            }
            if let Some(fault) = own().find_map(|pixel| pixel.fault) {
                write!(html, " <small>{}</small>", Text(fault))?;
            }
            html.push_str("</td>");
        }
        (None, Some(reason)) => {
            html.push_str("<td class=\"muted\">");
            glyph("ring", "muted", html)?;
            write!(html, " <span class=\"why\">{}</span>", Text(&brief(reason)))?;
            if reasons.len() > 1 {
                write!(html, " <small>×{}</small>", reasons.len())?;
            }
            html.push_str("</td>");
        }
        (None, None) => html.push_str("<td class=\"muted\">–</td>"),
    }
    Ok(())
}

/// Writes all pixels of an ad with their addresses, folded.
fn list(
    view: &View<'_>,
    owner: &Owner<'_>,
    pixels: &[Pixel<'_>],
    shown: usize,
    html: &mut String,
) -> fmt::Result {
    let (ad, tag) = owner_name(owner);
    let fired = pixels.iter().filter(|pixel| pixel.fate.is_ok()).count();
    write!(
        html,
        "<details class=\"pxl\"><summary>{ARROW}<b>{}</b> <span class=\"muted small\">{tag}</span> ",
        Text(&ad)
    )?;
    chip("dot", "good", fired, "fired", html)?;
    chip("ring", "muted", pixels.len() - fired, "not fired", html)?;
    html.push_str("</summary><table class=\"list\"><thead><tr><th scope=\"col\">event</th><th scope=\"col\" class=\"num\">at, s</th>");
    html.push_str("<th scope=\"col\" class=\"num\">hop</th><th scope=\"col\">address, and why it did not fire</th></tr></thead><tbody>\n");
    for pixel in &pixels[..shown] {
        html.push_str("<tr><td>");
        let (symbol, tone) = if pixel.fate.is_ok() { ("dot", "good") } else { ("ring", "muted") };
        glyph(symbol, tone, html)?;
        write!(html, " {}</td><td class=\"num\">", Text(pixel.event))?;
        match pixel.fate {
            Ok((at, Some(seq))) if view.lines.target(seq).is_some() => {
                write!(html, "<a href=\"#s{seq}\">{}</a>", seconds(at))?;
            }
            Ok((at, _)) => html.push_str(&seconds(at)),
            Err(_) => {}
        }
        html.push_str("</td><td class=\"num\" data-l=\"hop \">");
        if let Some(hop) = pixel.hop {
            write!(html, "{hop}")?;
        }
        write!(html, "</td><td class=\"wrap\"><code>{}</code>", Text(pixel.url))?;
        if let Err(reason) = pixel.fate {
            write!(html, "<br/><span class=\"muted\">{}</span>", Text(reason))?;
        }
        if let Some(fault) = pixel.fault {
            write!(html, "<br/><span class=\"muted\">did not reach its server: {}</span>", Text(fault))?;
        }
        if let Some(number) = pixel.code {
            write!(html, "<br/><span class=\"muted\">told {number}</span>")?;
        }
        html.push_str("</td></tr>\n");
    }
    html.push_str("</tbody></table>");
    if shown < pixels.len() {
        write!(
            html,
            "<p class=\"small muted\">{} are left out.</p>",
            counted(pixels.len() - shown, "more pixel")
        )?;
    }
    html.push_str("</details>\n");
    Ok(())
}

/// How reasons are said in a cell: the list below the matrix has them whole.
const BRIEF: &[(&str, &str)] = &[
    ("called only on an error", "no error"),
    ("called only for a response without ads", "had an ad"),
    ("called only on a ", "no "),
    ("called only when ", "only when "),
    ("the ad was refused", "refused"),
    ("the ad was ignored", "ignored"),
    ("the ad was not chosen", "not chosen"),
    ("the document came too late", "too late"),
    ("the tag failed", "tag failed"),
    ("the tag was not requested", "not requested"),
    ("the break did not begin", "no break"),
];

/// Returns a reason in a few words.
fn brief(reason: &str) -> String {
    let known = BRIEF.iter().find_map(|(long, brief)| Some((*brief, reason.strip_prefix(long)?)));
    match known {
        Some((brief, rest)) if brief.ends_with(' ') => shortened(&format!("{brief}{rest}"), LONGEST),
        Some((brief, _)) => brief.to_owned(),
        None => shortened(reason, LONGEST),
    }
}

fn shortened(text: &str, longest: usize) -> String {
    // What follows a colon explains; the beginning says it.
    let text = text.split_once(": ").map_or(text, |(first, _)| first);
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
