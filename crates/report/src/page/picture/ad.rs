//! The row of an ad: its bar with its pixels, and what it says when it is open.

use std::fmt::{self, Write};

use super::Figure;
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
        (beacon.pod, beacon.wp) == (Some(ad.pod), Some(ad.wp)) && (from..=to).contains(&beacon.at_us)
    };
    figure.it.beacons.iter().filter(is_own).collect()
}

/// Draws the ad and a mark for each of its pixels.
pub(super) fn bar(figure: &Figure<'_, '_>, ad: &Played, html: &mut String) -> fmt::Result {
    let Some(start) = ad.start_us else { return Ok(()) };
    let (from, to) = (figure.scale.start(start), figure.scale.end(ad.end_us.unwrap_or(figure.scale.to_us())));
    write!(html, "<line class=\"lead\" x1=\"{from}\" x2=\"{from}\" y1=\"0\" y2=\"16\"/>")?;
    if from.to(to).0 < 450 {
        write!(html, "<line class=\"b-ad thin\" x1=\"{from}\" x2=\"{from}\" y1=\"16\" y2=\"28\"/>")?;
    } else {
        write!(html, "<rect class=\"b-ad\" x=\"{from}\" y=\"16\" width=\"{}\" height=\"12\"/>", from.to(to))?;
    }
    let mut last = None;
    for beacon in pixels(figure, ad).into_iter().take(MOST_PIXELS) {
        let at = figure.scale.start(beacon.at_us);
        if last != Some(at) {
            write!(
                html,
                "<line class=\"px\" x1=\"{at}\" x2=\"{at}\" y1=\"30\" y2=\"35\"><title>{} at {}</title></line>",
                Text(&beacon.event),
                seconds(beacon.at_us)
            )?;
        }
        last = Some(at);
    }
    if ad.end.is_some() {
        write!(html, "<line class=\"lead\" x1=\"{to}\" x2=\"{to}\" y1=\"28\" y2=\"46\"/>")?;
    }
    Ok(())
}

pub(super) fn detail(figure: &Figure<'_, '_>, index: usize, ad: &Played, html: &mut String) -> fmt::Result {
    let (_, tone, end) = end(ad);
    html.push_str("<dl><dt>What</dt><dd>");
    match (ad.start_us, ad.end_us) {
        (Some(from), Some(to)) => write!(
            html,
            "Shown from {} to {}, {} s; <span class=\"{tone}\">{end}</span>.",
            seconds(from),
            seconds(to),
            short(to.saturating_sub(from))
        )?,
        (Some(from), None) => write!(html, "Shown from {} on; {end}.", seconds(from))?,
        (None, _) => html.push_str("It was ready, and the break ended before it started."),
    }
    let hops = match ad.hops {
        None | Some(0 | 1) => String::new(),
        Some(hops) => format!(", {hops} documents away"),
    };
    write!(html, "</dd><dt>From</dt><dd>tag {}{hops}", u64::from(ad.wp) + 1)?;
    if let Some(at) = &ad.at {
        write!(html, ", <code>{}</code>", Text(at))?;
    }
    html.push_str("</dd>");
    if let Some(media) = &ad.media {
        write!(html, "<dt>Media</dt><dd><code>{}</code>", Text(media))?;
        if let Some(length) = ad.duration_us {
            let source = match ad.length_from {
                Some(LengthFrom::Given) => ", as given",
                Some(LengthFrom::Ad) => ", as the ad says",
                Some(LengthFrom::Assumed) => ", assumed: the ad does not say",
                None => "",
            };
            write!(html, ", {} s{source}", short(length))?;
        }
        html.push_str("</dd>");
    }
    let fired = pixels(figure, ad).len();
    if fired > 0 {
        let id = pixels_id(figure.index);
        write!(html, "<dt>Told</dt><dd><a href=\"#{id}\">{}</a></dd>", counted(fired, "pixel"))?;
    }
    let lines = figure.view.lines.breaks.get(figure.index);
    let started = figure.it.played[..=index].iter().filter(|ad| ad.start_us.is_some()).count();
    let line =
        started.checked_sub(1).and_then(|nth| lines?.starts.get(nth)).filter(|_| ad.start_us.is_some());
    if let Some(seq) = line {
        html.push_str("<dt>Trace</dt><dd>");
        line_link(figure.view, *seq, html)?;
        html.push_str("</dd>");
    }
    html.push_str("</dl><div>");
    if let Some(place) = &ad.at {
        figure.view.documents.excerpt(place, html)?;
    }
    html.push_str("</div>");
    Ok(())
}
