//! The bars of a tag: one for each request until it was decided.

use maud::{Markup, html};

use crate::page::axis::{self, NARROW};
use crate::page::fate::Fate;
use crate::page::scale::{Scale, X, millis, seconds};
use crate::waterfall::{RequestPurpose, Tag, TagRequest};
use playsim_base::html::Text;

/// The space for bars in a row, in pixels from its top.
const TOP: u32 = 8;
const ROOM: u32 = 28;
/// The narrowest wait that has its length written above it.
const ROOM_FOR_WORDS: X = X(24_000);

/// The kind of bar of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BarKind {
    /// Waiting for nothing.
    Wait,
    Media,
    /// The response that had no ad.
    Hollow,
    /// A document after the first.
    Hop,
    Request,
}

impl BarKind {
    pub(super) fn of(request: &TagRequest, fate: Fate, is_last: bool) -> BarKind {
        let is_lost = request.timed_out_us.is_some()
            || request.over_us().is_none()
            || request.fault.is_some();
        if is_lost {
            BarKind::Wait
        } else if request.purpose == RequestPurpose::Media {
            BarKind::Media
        } else if is_last && fate == Fate::Empty {
            BarKind::Hollow
        } else if request.hop.unwrap_or_default() > 0 {
            BarKind::Hop
        } else {
            BarKind::Request
        }
    }

    /// Returns its class in the style sheet.
    pub(super) const fn class(self) -> &'static str {
        match self {
            BarKind::Wait => "b-wait",
            BarKind::Media => "b-media",
            BarKind::Hollow => "b-hollow",
            BarKind::Hop => "b-hop",
            BarKind::Request => "b-req",
        }
    }
}

/// Returns the outcome of a request in a few words.
pub(super) fn answer(request: &TagRequest) -> String {
    if let Some(limit) = request.timed_out_us {
        let none = format!(
            "none in {} s",
            seconds(limit.saturating_sub(request.asked_us))
        );
        return match request.late_us {
            Some(late) => format!(
                "{none}; came after {} s",
                seconds(late.saturating_sub(request.asked_us))
            ),
            None => none,
        };
    }
    let mut words = Vec::new();
    words.extend(request.status.map(|status| status.to_string()));
    words.extend(request.fault.as_ref().map(ToString::to_string));
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

/// Draws the bars of a tag, its glyph at their end, and the dotted lines from the tag before and to
/// the next.
pub(super) fn tag(scale: &Scale, tag: &Tag, fate: Fate) -> Markup {
    let requests: Vec<&TagRequest> = tag.until_decided().collect();
    let Some(first) = requests.first() else {
        return html! {};
    };
    let documents = requests
        .iter()
        .filter(|request| request.purpose != RequestPurpose::Media)
        .count();
    let (height, step, top) = match u32::try_from(documents.max(1)).unwrap_or(u32::MAX) {
        1 => (12, 0, 16),
        lanes => (
            (ROOM / lanes).saturating_sub(1).clamp(3, 10),
            (ROOM / lanes).max(3),
            TOP,
        ),
    };
    let over = |request: &TagRequest| {
        request
            .over_us()
            .unwrap_or_else(|| tag.decided_us.unwrap_or(scale.to_us()))
    };
    let end = requests
        .iter()
        .map(|request| over(request))
        .max()
        .unwrap_or_default();
    let decided = tag.decided_us.unwrap_or(end).max(end);
    let (from, at) = (scale.start(first.asked_us), scale.end(decided));
    let mut lane = 0;
    let mut y = top;
    let mut bars = Vec::new();
    for (index, request) in requests.iter().enumerate() {
        if request.purpose != RequestPurpose::Media {
            // Very long chains share the last lane.
            y = (top + step * lane).min(TOP + ROOM - height);
            lane += 1;
        }
        let kind = BarKind::of(request, fate, index + 1 == requests.len());
        bars.push(bar(scale, request, over(request), kind, (y, height)));
    }
    html! {
        line.lead x1=(from) x2=(from) y1="0" y2=(top) {}
        @for bar in bars { (bar) }
        @if decided < scale.to_us() { line.lead x1=(at) x2=(at) y1=(y + height) y2="46" {} }
        svg x=(at) y="15" overflow="visible" {
            svg class=(fate.tone()) x="4" y="0" width="14" height="14" { use href={ "#g-" (fate.glyph()) } {} }
        }
    }
}

fn bar(
    scale: &Scale,
    request: &TagRequest,
    over: u64,
    kind: BarKind,
    (y, height): (u32, u32),
) -> Markup {
    let (from, to) = (scale.start(request.asked_us), scale.end(over));
    let width = from.to(to);
    let took = over.saturating_sub(request.asked_us);
    let title = format!(
        "{} took {} ms: {}",
        request.purpose,
        millis(took),
        answer(request)
    );
    let title = html! {
        title { (Text(&title)) @if width < NARROW { "; drawn wider than it is" } ": " (Text(&request.url)) }
    };
    html! {
        (axis::bar(kind.class(), (from, to), (y, height), NARROW, title))
        @if kind == BarKind::Wait && width >= ROOM_FOR_WORDS {
            text.b.halo x=(X(from.0 + width.0 / 2)) y=(y - 4) text-anchor="middle" {
                (seconds(took)) " s" tspan.wide { " without an answer" }
            }
        }
        @if let Some(late) = request.late_us.filter(|late| *late > over && width >= NARROW) {
            @let late_at = scale.end(late);
            rect.b-late x=(to) y=(y) width=(to.to(late_at)) height=(height) {
                title { "the answer came at " (seconds(late)) }
            }
            @if to >= ROOM_FOR_WORDS {
                text.m.halo x=(late_at.max(to)) y=(y + height + 12) text-anchor="end" { "too late, " (seconds(late)) }
            }
        }
    }
}
