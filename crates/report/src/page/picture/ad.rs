//! The row of an ad: its bar with its pixels, and its details.

use maud::{Markup, html};

use super::Figure;
use crate::page::axis::{self, NARROW};
use crate::page::scale::{seconds, short};
use crate::page::{line_link, pixels_id};
use crate::waterfall::{AdEnd, Beacon, LengthFrom, Played};
use playsim_base::html::Text;
use playsim_base::words::counted;

/// The most pixels that are drawn below a bar.
const MOST_PIXELS: usize = 60;

/// Returns the glyph, the colour and the words for how an ad ended.
pub(super) fn end(ad: &Played) -> (&'static str, &'static str, &'static str) {
    match (ad.start_us, &ad.end) {
        (None, _) => ("unread", "muted", "ready, never started"),
        (Some(_), Some(AdEnd::Complete)) => ("fill", "good", "to its end"),
        (Some(_), Some(AdEnd::Skip)) => ("fill", "good", "skipped"),
        (Some(_), Some(AdEnd::Error)) => ("cross", "bad", "failed while it played"),
        (Some(_), Some(AdEnd::Cut)) => ("block", "muted", "cut off"),
        (Some(_), Some(AdEnd::NotStarted | AdEnd::Other(_))) => ("dot", "muted", "ended"),
        (Some(_), None) => ("dot", "muted", "still playing at the end"),
    }
}

/// Returns the pixels that fired for an ad.
fn pixels<'a>(figure: &Figure<'_, 'a>, ad: &Played) -> Vec<&'a Beacon> {
    let from = ad.start_us.unwrap_or(u64::MAX);
    let to = ad.end_us.unwrap_or(u64::MAX);
    let is_own = |beacon: &&Beacon| {
        (beacon.pod, beacon.wp) == (Some(ad.pod), Some(ad.wp))
            && (from..=to).contains(&beacon.at_us)
    };
    figure.it.beacons.iter().filter(is_own).collect()
}

/// Draws the ad and a mark for each of its pixels.
pub(super) fn bar(figure: &Figure<'_, '_>, ad: &Played) -> Markup {
    let Some(start) = ad.start_us else {
        return html! {};
    };
    let (from, to) = (
        figure.scale.start(start),
        figure.scale.end(ad.end_us.unwrap_or(figure.scale.to_us())),
    );
    let mut marks: Vec<_> = pixels(figure, ad)
        .into_iter()
        .take(MOST_PIXELS)
        .map(|beacon| (figure.scale.start(beacon.at_us), beacon))
        .collect();
    marks.dedup_by_key(|(at, _)| *at);
    html! {
        line.lead x1=(from) x2=(from) y1="0" y2="16" {}
        (axis::bar("b-ad", (from, to), (16, 12), NARROW, html! {}))
        @for (at, beacon) in marks {
            line.px x1=(at) x2=(at) y1="30" y2="35" { title { (Text(beacon.event.name())) " at " (seconds(beacon.at_us)) } }
        }
        @if ad.end.is_some() { line.lead x1=(to) x2=(to) y1="28" y2="46" {} }
    }
}

pub(super) fn detail(figure: &Figure<'_, '_>, index: usize, ad: &Played) -> Markup {
    let (_, tone, end) = end(ad);
    let fired = pixels(figure, ad).len();
    let lines = figure.view.lines.breaks.get(figure.index);
    let started = figure.it.played[..=index]
        .iter()
        .filter(|ad| ad.start_us.is_some())
        .count();
    let line = started
        .checked_sub(1)
        .and_then(|nth| lines?.starts.get(nth))
        .filter(|_| ad.start_us.is_some());
    html! {
        dl {
            dt { "What" }
            dd {
                @match (ad.start_us, ad.end_us) {
                    (Some(from), Some(to)) => {
                        "Shown from " (seconds(from)) " to " (seconds(to)) ", " (short(to.saturating_sub(from))) " s; "
                        span class=(tone) { (end) } "."
                    }
                    (Some(from), None) => { "Shown from " (seconds(from)) " on; " (end) "." }
                    (None, _) => "It was ready, and the break ended before it started.",
                }
            }
            dt { "From" }
            dd {
                "tag " (u64::from(ad.wp) + 1)
                @if let Some(hops @ 2..) = ad.hops { ", " (hops) " documents away" }
                @if let Some(at) = &ad.at { ", " code { (Text(at)) } }
            }
            @if let Some(media) = &ad.media {
                dt { "Media" }
                dd {
                    code { (Text(media)) }
                    @if let Some(length) = ad.duration_us {
                        ", " (short(length)) " s"
                        @match ad.length_from {
                            Some(LengthFrom::Given) => ", as given",
                            Some(LengthFrom::Ad) => ", as the ad says",
                            Some(LengthFrom::Assumed) => ", assumed: the ad does not say",
                            None => {}
                        }
                    }
                }
            }
            @if fired > 0 {
                dt { "Told" }
                dd { a href={ "#" (pixels_id(figure.index)) } { (counted(fired, "pixel")) } }
            }
            @if let Some(seq) = line { dt { "Trace" } dd { (line_link(figure.view, *seq)) } }
        }
        div { @if let Some(place) = &ad.at { (figure.view.documents.excerpt(place)) } }
    }
}
