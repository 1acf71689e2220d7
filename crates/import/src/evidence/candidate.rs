//! Tags that are known, and requests that may be tags.

use super::answer::{self, RecordedAnswer};
use super::find::Finder;
use super::{Role, is_schedule};
use crate::recording::{Exchange, RecordedOutcome};
use playsim_base::time::{Span, Time};
use playsim_vast::TrackingEvent;
use playsim_vast::names::Named;

/// The shortest wait that has to be filled.
pub(super) const SHORTEST: Span = Span::from_millis(40);
/// The longest time that a tag without an answer was open.
pub(super) const LONGEST_WAIT: Span = Span::from_secs(35);
/// A request that failed sooner is one whose time the tool does not say.
const SHORTEST_LIMIT: Span = Span::from_millis(200);

/// A tag that is known, from its request until everything that it led to was over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    pub(super) exchange: usize,
    pub(super) asked: Time,
    pub(super) over: Time,
    /// Whether an ad of it was shown, or it was a schedule: nothing is asked in its place.
    pub(super) is_last: bool,
}

/// A request that may be a tag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) exchange: usize,
    pub(super) asked: Time,
    pub(super) over: Time,
    pub(super) end: End,
    pub(super) holds: Holds,
    /// Whether its answer is that of an auction.
    pub(super) is_auction: bool,
    pub(super) is_taken: bool,
}

/// What the answer to a request holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Nothing that a page could use but as the answer of an ad server.
    Nothing,
    /// Data for the page, perhaps.
    Data,
    /// The recording does not have its body.
    Unread,
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Answered,
    Failed,
    /// It failed, and the tool does not say when.
    Open,
}

/// Returns the time between a request and the next one that it does not explain; `None` if one is
/// not the next of the other.
pub(super) fn link(it: &Candidate, next: Time, longest: Span) -> Option<Span> {
    if it.asked > next {
        return None;
    }
    if it.end == End::Open {
        return (next - it.asked <= LONGEST_WAIT).then_some(Span::ZERO);
    }
    if it.over > next {
        // The player continued before it was over.
        return Some(if it.end == End::Answered {
            SHORTEST.min(it.over - next)
        } else {
            Span::ZERO
        });
    }
    Some(next - it.over).filter(|pause| *pause <= longest)
}

/// Returns the tags that are known.
pub(super) fn anchors(finder: &Finder<'_>) -> Vec<Anchor> {
    let documents = &finder.documents;
    let mut roots: Vec<usize> = Vec::with_capacity(documents.len());
    for (index, document) in documents.iter().enumerate() {
        let above = document
            .by
            .map(|by| finder.names.all[by].document)
            .filter(|above| *above < index);
        roots.push(above.map_or(index, |above| roots[above]));
    }
    let mut all: Vec<Anchor> = documents
        .iter()
        .map(|it| Anchor {
            exchange: it.exchange,
            asked: finder.exchanges[it.exchange].at(),
            over: finder.exchanges[it.answer]
                .over()
                .max(finder.exchanges[it.exchange].over()),
            is_last: it.read.as_ref().is_some_and(is_schedule),
        })
        .collect();
    for (index, root) in roots.iter().enumerate() {
        all[*root].over = all[*root].over.max(all[index].over);
    }
    for (finding, it) in finder.findings.iter().zip(finder.exchanges) {
        let (name, is_shown) = if let Role::Media(name) | Role::Interactive(name) = finding.role {
            (name, it.status().is_some_and(|status| status < 400))
        } else if let Role::Pixel(name) = finding.role {
            let impression = Named::Pixel(TrackingEvent::Impression.into());
            (name, finder.names.all[name].what == impression)
        } else {
            continue;
        };
        let root = &mut all[roots[finder.names.all[name].document]];
        root.is_last |= is_shown;
        if matches!(finding.role, Role::Media(_)) {
            root.over = root.over.max(it.over());
        }
    }
    let is_root = |index: &usize| roots[*index] == *index;
    let mut tags: Vec<Anchor> = (0..documents.len())
        .filter(is_root)
        .map(|index| all[index])
        .collect();
    tags.sort_by_key(|anchor| (anchor.asked, anchor.exchange));
    tags
}

/// Returns whether the kind of a request, and the type of its answer, let it be one for data: it is
/// no page, no picture, no beacon.
pub(super) fn is_asked_like_data(it: &Exchange) -> bool {
    const OTHERS: &[&str] = &[
        "image",
        "media",
        "stylesheet",
        "font",
        "document",
        "ping",
        "beacon",
        "websocket",
        "manifest",
    ];
    let purpose = it.purpose.as_deref().unwrap_or_default();
    let mime = it.mime.as_deref().unwrap_or_default();
    let is_seen = ["image/", "font/"]
        .iter()
        .any(|kind| mime.starts_with(kind));
    let is_asked = matches!(it.method.as_str(), "GET" | "POST") && it.url.starts_with("http");
    is_asked && !OTHERS.contains(&purpose) && !is_seen && !mime.contains("css")
}

/// Returns whether a request is for a script.
pub(super) fn is_script(it: &Exchange) -> bool {
    it.purpose.as_deref() == Some("script")
        || it
            .mime
            .as_deref()
            .unwrap_or_default()
            .contains("javascript")
}

/// Returns a request as one that may be a tag, unless its kind rules that out.
pub(super) fn candidate(finder: &Finder<'_>, index: usize) -> Option<Candidate> {
    let it = &finder.exchanges[index];
    let last = &finder.exchanges[finder.last(index)];
    let answer = answer::of(last, None, None);
    let mime = last.mime.as_deref().unwrap_or_default();
    let is_script = is_script(it) || is_script(last);
    // A script that calls a function with its answer is one; any other script is code.
    let is_code = is_script
        && !matches!(
            answer,
            RecordedAnswer::Jsonp
                | RecordedAnswer::Empty
                | RecordedAnswer::None
                | RecordedAnswer::Missing
        );
    // Without a purpose, a page is recognized by its type.
    let is_page = it.purpose.is_none() && index == 0 && mime.contains("html");
    let is_beside_bid = |other: &usize| {
        let bid = &finder.exchanges[*other];
        bid.at() < it.over() && it.at() < bid.over()
    };
    let is_auctioned = finder.bids.iter().any(is_beside_bid);
    let is_other = is_code || is_page || is_auctioned;
    if !is_asked_like_data(it) || !is_asked_like_data(last) || is_other {
        return None;
    }
    let has_failed = matches!(
        last.outcome,
        RecordedOutcome::Failed(_) | RecordedOutcome::Unknown
    );
    let is_open = has_failed && !is_refused(last) && last.time.unwrap_or_default() < SHORTEST_LIMIT;
    let is_error = last.status().is_some_and(|status| status >= 400);
    // The answer of an auction says by its form that there is no bid.
    let is_auction = last.text().is_some_and(|text| {
        answer == RecordedAnswer::Json
            && ["\"seatbid\"", "\"nbr\""]
                .iter()
                .any(|key| text.contains(key))
    });
    // Where the tool does not say who asked, a page may be that of a frame.
    let is_frame = it.purpose.is_none() && answer == RecordedAnswer::Html;
    let is_data = answer.is_data() || is_frame;
    let holds = if is_script || (!is_error && !is_auction && is_data) {
        Holds::Data
    } else if answer == RecordedAnswer::Missing && !is_error {
        Holds::Unread
    } else {
        Holds::Nothing
    };
    Some(Candidate {
        exchange: index,
        asked: it.at(),
        over: last.over().max(it.over()),
        end: if is_open {
            End::Open
        } else if has_failed {
            End::Failed
        } else {
            End::Answered
        },
        holds,
        is_auction,
        is_taken: false,
    })
}

/// Returns whether a request failed on its own: it was not cancelled by the page.
pub(super) fn is_refused(it: &Exchange) -> bool {
    match &it.outcome {
        RecordedOutcome::Failed(Some(how)) => !it.outcome.is_ended_by_page() && !how.is_empty(),
        RecordedOutcome::Failed(None)
        | RecordedOutcome::Unknown
        | RecordedOutcome::Response(_)
        | RecordedOutcome::Redirect(..)
        | RecordedOutcome::BrokeOff(_) => false,
    }
}
