//! The bars of a tag: one for each request until it was decided.

use std::fmt::{self, Write};

use crate::page::fate::Fate;
use crate::page::scale::{Scale, X, millis, seconds};
use crate::waterfall::{RequestPurpose, Tag, TagRequest};
use playsim_base::html::Text;

/// The space for bars in a row, in pixels from its top.
const TOP: u32 = 8;
const ROOM: u32 = 28;
/// The narrowest bar that is drawn as one, in thousandths of a percent; others are lines 2 pixels wide.
const NARROW: u64 = 450;
/// The narrowest wait that has its length written above it.
const ROOM_FOR_WORDS: u64 = 24_000;

/// Returns the kind of bar of a request.
pub(super) fn class(request: &TagRequest, fate: Fate, is_last: bool) -> &'static str {
    let is_lost = request.timed_out_us.is_some() || request.over_us().is_none() || request.fault.is_some();
    if is_lost {
        "b-wait"
    } else if request.purpose == RequestPurpose::Media {
        "b-media"
    } else if is_last && fate == Fate::Empty {
        "b-hollow"
    } else if request.hop.unwrap_or_default() > 0 {
        "b-hop"
    } else {
        "b-req"
    }
}

/// Returns what a request got, in a few words.
pub(super) fn answer(request: &TagRequest) -> String {
    if let Some(limit) = request.timed_out_us {
        let none = format!("none in {} s", seconds(limit.saturating_sub(request.asked_us)));
        return match request.late_us {
            Some(late) => format!("{none}; came after {} s", seconds(late.saturating_sub(request.asked_us))),
            None => none,
        };
    }
    let mut words = Vec::new();
    words.extend(request.status.map(|status| status.to_string()));
    words.extend(request.fault.clone());
    words.extend(request.file.clone());
    if !request.listed {
        words.push("not in the scenario".to_owned());
    }
    if let Some(late) = request.late_us {
        words.push(format!("came at {}, when nothing waited", seconds(late)));
    }
    match (words.is_empty(), request.over_us()) {
        (false, _) => words.join(" "),
        (true, Some(_)) => "answered".to_owned(),
        (true, None) => "none".to_owned(),
    }
}

/// Writes the bars of a tag, its glyph at their end, and the dotted lines from the tag before and to the next.
pub(super) fn tag(scale: &Scale, tag: &Tag, fate: Fate, html: &mut String) -> fmt::Result {
    let requests: Vec<&TagRequest> = tag.until_decided().collect();
    let documents = requests.iter().filter(|request| request.purpose != RequestPurpose::Media).count();
    let lanes = u32::try_from(documents.max(1)).unwrap_or(u32::MAX);
    let (height, step, top) = match lanes {
        1 => (12, 0, 16),
        _ => ((ROOM / lanes).saturating_sub(1).clamp(3, 10), (ROOM / lanes).max(3), TOP),
    };
    let Some(first) = requests.first() else { return Ok(()) };
    let over =
        |request: &TagRequest| request.over_us().unwrap_or_else(|| tag.decided_us.unwrap_or(scale.to_us()));
    let end = requests.iter().map(|request| over(request)).max().unwrap_or_default();
    let decided = tag.decided_us.unwrap_or(end).max(end);
    let from = scale.start(first.asked_us);
    write!(html, "<line class=\"lead\" x1=\"{from}\" x2=\"{from}\" y1=\"0\" y2=\"{top}\"/>")?;
    let mut lane = 0;
    let mut y = top;
    for (index, request) in requests.iter().enumerate() {
        if request.purpose != RequestPurpose::Media {
            // Very long chains share the last lane.
            y = (top + step * lane).min(TOP + ROOM - height);
            lane += 1;
        }
        let class = class(request, fate, index + 1 == requests.len());
        bar(scale, request, over(request), class, (y, height), html)?;
    }
    let at = scale.end(decided);
    if decided < scale.to_us() {
        write!(html, "<line class=\"lead\" x1=\"{at}\" x2=\"{at}\" y1=\"{}\" y2=\"46\"/>", y + height)?;
    }
    write!(
        html,
        "<svg x=\"{at}\" y=\"15\" overflow=\"visible\"><svg x=\"4\" y=\"0\" width=\"14\" height=\"14\" "
    )?;
    write!(html, "class=\"{}\"><use href=\"#g-{}\"/></svg></svg>", fate.tone(), fate.glyph())
}

fn bar(
    scale: &Scale,
    request: &TagRequest,
    over: u64,
    class: &str,
    (y, height): (u32, u32),
    html: &mut String,
) -> fmt::Result {
    let (from, to) = (scale.start(request.asked_us), scale.end(over));
    let width = from.to(to);
    let (took, url) = (over.saturating_sub(request.asked_us), Text(&request.url));
    let title = format!("{} took {} ms: {}", request.purpose, millis(took), answer(request));
    if width.0 < NARROW {
        write!(
            html,
            "<line class=\"{class} thin\" x1=\"{from}\" x2=\"{from}\" y1=\"{y}\" y2=\"{}\">",
            y + height
        )?;
        return write!(html, "<title>{}; drawn wider than it is: {url}</title></line>", Text(&title));
    }
    write!(html, "<rect class=\"{class}\" x=\"{from}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">")?;
    write!(html, "<title>{}: {url}</title></rect>", Text(&title))?;
    if class == "b-wait" && width.0 >= ROOM_FOR_WORDS {
        let middle = X(from.0 + width.0 / 2);
        write!(
            html,
            "<text class=\"b halo\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{} s",
            y - 4,
            seconds(took)
        )?;
        html.push_str("<tspan class=\"wide\"> without an answer</tspan></text>");
    }
    if let Some(late) = request.late_us.filter(|late| *late > over) {
        let late_at = scale.end(late);
        let after = to.to(late_at);
        write!(html, "<rect class=\"b-late\" x=\"{to}\" y=\"{y}\" width=\"{after}\" height=\"{height}\">")?;
        write!(html, "<title>the answer came at {}</title></rect>", seconds(late))?;
        if to.0 >= ROOM_FOR_WORDS {
            let edge = X(late_at.0.max(to.0));
            write!(
                html,
                "<text class=\"m halo\" x=\"{edge}\" y=\"{}\" text-anchor=\"end\">",
                y + height + 12
            )?;
            write!(html, "too late, {}</text>", seconds(late))?;
        }
    }
    Ok(())
}
