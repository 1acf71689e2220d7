//! The pixels: which fired and when, and why the others did not.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::glyphs::{ARROW, glyph};
use super::scale::{grouped, seconds};
use super::{View, pixels_id};
use crate::waterfall::{AdBreakReport, RequestFault};
use playsim_base::html::{BR, Text, head};
use playsim_base::words::counted;
use playsim_vast::{TrackedEvent, TrackingEvent};

/// The most columns of a matrix, rows of a list, breaks, and pixels of the whole page.
const MOST_ADS: usize = 6;
const MOST_EVENTS: usize = 40;
const MOST_BREAKS: usize = 20;
const MOST_PIXELS: usize = 1_500;
/// The longest reason in a cell of the matrix, in characters.
const LONGEST: usize = 30;

/// The owner of a pixel: pod and index of the tag if known, and the id of the ad.
type Owner<'a> = (Option<u32>, Option<u32>, Option<&'a str>);

/// One pixel.
struct Pixel<'a> {
    event: &'a TrackedEvent,
    hop: Option<u32>,
    url: &'a str,
    /// When it fired, and its line; or why it did not.
    fate: Result<(u64, Option<u32>), &'a str>,
    code: Option<u16>,
    /// Why it did not reach its server although it fired. Rule REQ-19.
    fault: Option<&'a str>,
}

pub(super) fn section(view: &View<'_>) -> Markup {
    let breaks = &view.report.breaks;
    let fired: usize = breaks.iter().map(|it| it.beacons.len()).sum();
    let unfired: usize = breaks.iter().map(|it| it.uncalled.len()).sum();
    let (listed, left_out) = lists(view);
    html! {
        @if !breaks.is_empty() {
            p.lead { "Which pixels fired and when, and why the others did not. Times in seconds." }
            @if fired + unfired > 0 { p.badges { (chips(fired, unfired)) } }
            (listed)
            @if fired + unfired == 0 { p { "No document that was read names a pixel." } }
            @if left_out > 0 {
                p.muted {
                    (counted(left_out, "more pixel"))
                    " are counted above and not listed; playsim waterfall --format json lists all."
                }
            }
        }
    }
}

/// Returns the pixels of each break that is drawn, and how many pixels are left out.
fn lists(view: &View<'_>) -> (Markup, usize) {
    let mut room = MOST_PIXELS;
    let mut left_out = 0;
    let mut of_break = |(index, it): (usize, &AdBreakReport)| {
        let groups = groups(view, index, it);
        let counts: Vec<usize> = groups
            .iter()
            .map(|(_, pixels)| {
                let shown = pixels.len().min(room);
                room -= shown;
                left_out += pixels.len() - shown;
                shown
            })
            .collect();
        html! {
            @if view.report.breaks.len() > 1 { h3 { (Text(&view.label(it))) } }
            @if counts.iter().any(|count| *count > 0) {
                div.pxc.few[groups.len() <= 3] {
                    @if index < MOST_BREAKS { (matrix(&groups)) }
                    div {
                        @for ((owner, pixels), shown) in groups.iter().zip(counts) { (list(view, owner, pixels, shown)) }
                    }
                }
            }
        }
    };
    let breaks = view.report.breaks.iter().enumerate();
    let listed = html! {
        @for (index, it) in breaks.clone().take(super::picture::MOST_BREAKS) {
            div.pxs id=(pixels_id(index)) { @if !it.beacons.is_empty() || !it.uncalled.is_empty() { (of_break((index, it))) } }
        }
    };
    let others = breaks.skip(super::picture::MOST_BREAKS);
    let others: usize = others
        .map(|(_, it)| it.beacons.len() + it.uncalled.len())
        .sum();
    (listed, left_out + others)
}

/// Returns how many pixels fired, and how many did not.
fn chips(fired: usize, unfired: usize) -> Markup {
    html! {
        @for (symbol, tone, count, words) in [("dot", "good", fired, "fired"), ("ring", "muted", unfired, "not fired")] {
            @if count > 0 { span class={ "chip " (tone) } { (glyph(symbol, tone)) (grouped(count as u64)) " " (words) } }
        }
    }
}

/// Returns the pixels of a break by their owner, in the order of tags.
fn groups<'a>(
    view: &View<'a>,
    index: usize,
    it: &'a AdBreakReport,
) -> Vec<(Owner<'a>, Vec<Pixel<'a>>)> {
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
        let (event, fault) = (&beacon.event, beacon.fault.as_ref().map(RequestFault::word));
        let pixel = Pixel {
            event,
            hop: beacon.hop,
            url: &beacon.url,
            fate,
            code: beacon.code,
            fault,
        };
        // Wrappers have ads of their own; their pixels belong to the ad that they led to.
        let ad = of_ad(
            it,
            (beacon.pod, beacon.wp),
            beacon.ad.as_deref(),
            beacon.at_us,
        );
        put((beacon.pod, beacon.wp, ad), pixel);
    }
    for uncalled in &it.uncalled {
        let owner = (Some(uncalled.pod), Some(uncalled.wp));
        let only = only_ad(it, owner);
        let ad = if uncalled.hop.is_some() {
            only.or(uncalled.ad.as_deref())
        } else {
            None
        };
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
    let mut shown = it
        .played
        .iter()
        .filter(|ad| (Some(ad.pod), Some(ad.wp)) == tag);
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
    let mut ads = it
        .played
        .iter()
        .filter(|ad| (Some(ad.pod), Some(ad.wp)) == tag);
    let first = ads.next()?;
    if ads.next().is_some() {
        None
    } else {
        first.ad.as_deref()
    }
}

fn owner_name((pod, wp, ad): &Owner<'_>) -> (String, String) {
    let tag = wp.map_or_else(String::new, |wp| format!("tag {}", u64::from(wp) + 1));
    let pod = pod
        .filter(|pod| *pod > 0)
        .map(|pod| format!(", pod {}", u64::from(pod) + 1))
        .unwrap_or_default();
    let none = if wp.is_some() {
        "no ad"
    } else {
        "the ad break"
    };
    let ad = ad.filter(|ad| !ad.is_empty()).unwrap_or(none).to_owned();
    (ad, format!("{tag}{pod}"))
}

/// Returns a table of events by ads.
fn matrix(groups: &[(Owner<'_>, Vec<Pixel<'_>>)]) -> Markup {
    let ads = &groups[..groups.len().min(MOST_ADS)];
    let mut events: Vec<&TrackedEvent> = Vec::new();
    for pixel in ads.iter().flat_map(|(_, pixels)| pixels) {
        if !events.contains(&pixel.event) {
            events.push(pixel.event);
        }
    }
    let place = |event: TrackingEvent| ORDER.iter().position(|known| *known == event);
    events.sort_by_key(|event| event.known().and_then(place).unwrap_or(ORDER.len()));
    html! {
        div.scroll tabindex="0" role="group" aria-label="pixels by event and ad" {
            table.mx {
                thead {
                    tr {
                        th scope="col" { "event" }
                        @for (owner, _) in ads {
                            @let (ad, tag) = owner_name(owner);
                            th scope="col" { b { (Text(&shortened(&ad, 24))) } " " small { (tag) } }
                        }
                    }
                }
                tbody {
                    @for event in events.iter().take(MOST_EVENTS) {
                        tr { th scope="row" { (Text(event.name())) } @for (_, pixels) in ads { (cell(event, pixels)) } }
                    }
                }
            }
            @if groups.len() > MOST_ADS || events.len() > MOST_EVENTS {
                p.small.muted { "The table has the first ads and events only; the lists have the others." }
            }
        }
    }
}

/// The order of events in the matrix; others follow.
const ORDER: &[TrackingEvent] = &[
    TrackingEvent::BreakStart,
    TrackingEvent::Impression,
    TrackingEvent::CreativeView,
    TrackingEvent::Loaded,
    TrackingEvent::Start,
    TrackingEvent::FirstQuartile,
    TrackingEvent::Midpoint,
    TrackingEvent::ThirdQuartile,
    TrackingEvent::Complete,
    TrackingEvent::BreakEnd,
    TrackingEvent::Error,
    TrackingEvent::Mute,
    TrackingEvent::Unmute,
    TrackingEvent::Pause,
    TrackingEvent::Resume,
    TrackingEvent::Skip,
];

fn cell(event: &TrackedEvent, pixels: &[Pixel<'_>]) -> Markup {
    let own = || pixels.iter().filter(|pixel| pixel.event == event);
    let fired: Vec<u64> = own()
        .filter_map(|pixel| pixel.fate.ok().map(|(at, _)| at))
        .collect();
    let reasons: Vec<&str> = own().filter_map(|pixel| pixel.fate.err()).collect();
    let times = |count: usize| html! { @if count > 1 { " " small { "×" (count) } } };
    html! {
        @match (fired.first(), reasons.first()) {
            (Some(at), unfired) => {
                td {
                    (glyph("dot", "good")) " " (seconds(*at)) (times(fired.len()))
                    @if unfired.is_some() { " " small { "of " (fired.len() + reasons.len()) } }
                    @if let Some(fault) = own().find_map(|pixel| pixel.fault) { " " small { (Text(fault)) } }
                }
            }
            (None, Some(reason)) => {
                td.muted { (glyph("ring", "muted")) " " span.why { (Text(&brief(reason))) } (times(reasons.len())) }
            }
            (None, None) => { td.muted { "–" } }
        }
    }
}

/// Returns all pixels of an ad with their URLs, folded.
fn list(view: &View<'_>, owner: &Owner<'_>, pixels: &[Pixel<'_>], shown: usize) -> Markup {
    let (ad, tag) = owner_name(owner);
    let fired = pixels.iter().filter(|pixel| pixel.fate.is_ok()).count();
    html! {
        details.pxl {
            summary { (ARROW) b { (Text(&ad)) } " " span.muted.small { (tag) } " " (chips(fired, pixels.len() - fired)) }
            table.list {
                (head(&["event", ">at, s", ">hop", "address, and why it did not fire"]))
                tbody { @for pixel in &pixels[..shown] { (row(view, pixel)) } }
            }
            @if shown < pixels.len() {
                p.small.muted { (counted(pixels.len() - shown, "more pixel")) " are left out." }
            }
        }
    }
}

fn row(view: &View<'_>, pixel: &Pixel<'_>) -> Markup {
    let symbol = if pixel.fate.is_ok() {
        glyph("dot", "good")
    } else {
        glyph("ring", "muted")
    };
    let note = |words: &str, text: &str| html! { (BR) span.muted { (words) (Text(text)) } };
    html! {
        tr {
            td { (symbol) " " (Text(pixel.event.name())) }
            td.num {
                @match pixel.fate {
                    Ok((at, Some(seq))) if view.lines.target(seq).is_some() => { a href={ "#s" (seq) } { (seconds(at)) } }
                    Ok((at, _)) => { (seconds(at)) }
                    Err(_) => {}
                }
            }
            td.num data-l="hop " { @if let Some(hop) = pixel.hop { (hop) } }
            td.wrap {
                code { (Text(pixel.url)) }
                @if let Err(reason) = pixel.fate { (note("", reason)) }
                @if let Some(fault) = pixel.fault { (note("did not reach its server: ", fault)) }
                @if let Some(code) = pixel.code { (note("reported ", &code.to_string())) }
            }
        }
    }
}

/// Reasons in short, for cells: the list below the matrix has them in full.
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
    let known = BRIEF
        .iter()
        .find_map(|(long, brief)| Some((*brief, reason.strip_prefix(long)?)));
    match known {
        Some((brief, rest)) if brief.ends_with(' ') => {
            shortened(&format!("{brief}{rest}"), LONGEST)
        }
        Some((brief, _)) => brief.to_owned(),
        None => shortened(reason, LONGEST),
    }
}

fn shortened(text: &str, longest: usize) -> String {
    // The text after a colon is an explanation.
    let text = text.split_once(": ").map_or(text, |(first, _)| first);
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
