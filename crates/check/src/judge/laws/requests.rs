//! Requests that the documents do not name as they are.
//!
//! Rules: MAC-1, TRK-16, TRK-17.

use std::collections::BTreeMap;

use crate::judge::lines::{called, requested};
use crate::judge::{Findings, Session, Sure};
use crate::recording::RequestVia;
use playsim_api::{Kind, NetLine};
use playsim_base::escape;
use playsim_base::words::counted;
use playsim_vast::standard_macros::{STANDARD, Use};
use playsim_vast::{self as vast, TrackedEvent, TrackingEvent};

/// The most requests that are listed.
const MOST: usize = 20;

/// A tracker is called as its document names it, with its macros replaced and nothing added. Rule
/// TRK-16.
pub(super) fn as_they_are_written(session: &Session<'_>, findings: &mut Findings<'_>) {
    for (index, record) in session.lines() {
        let Some(url) = called(record) else { continue };
        let Some(tracker) = session.spots().tracker(&url) else {
            continue;
        };
        if let Some(added) = tracker.added {
            let [added, key] = [&added, &tracker.key].map(|text| escape::line(text).into_owned());
            let seen = format!(
                "the {} URL is called with {added} added to it",
                tracker.event
            );
            findings.add(index, Sure::Certain, seen, key);
        }
    }
}

/// The macros that players of every version of VAST know.
const OLDEST: [&str; 4] = ["ASSETURI", "CACHEBUSTING", "CONTENTPLAYHEAD", "ERRORCODE"];

/// The macros of the standard in the URLs of trackers are filled in. Rule MAC-1.
pub(super) fn macros_are_filled(session: &Session<'_>, findings: &mut Findings<'_>) {
    // For each macro the first call that has it, its event, and how many there are.
    let mut left: BTreeMap<String, (usize, TrackedEvent, usize)> = BTreeMap::new();
    for (index, record) in session.lines() {
        let Some(url) = called(record) else { continue };
        let places = vast::macros(&url);
        if places.is_empty() {
            continue;
        }
        let Some(tracker) = session.spots().tracker(&url) else {
            continue;
        };
        let uses = if tracker.event == TrackingEvent::Error {
            Use::Error
        } else {
            Use::Tracking
        };
        let is_due = |name: &&str| {
            STANDARD
                .iter()
                .any(|row| row.name == *name && row.context.allows(uses))
        };
        let names = places
            .iter()
            .filter_map(|(from, to)| url[*from..*to].strip_prefix('[')?.strip_suffix(']'));
        for name in names.filter(is_due) {
            let first = || (index, tracker.event.clone(), 0);
            left.entry(name.to_owned()).or_insert_with(first).2 += 1;
        }
    }
    for (name, (index, event, count)) in left {
        // A player of an older version leaves what it does not know.
        let sure = if OLDEST.contains(&&*name) {
            Sure::Certain
        } else {
            Sure::Likely
        };
        let more = if count > 1 {
            format!(", as in {} of other trackers", counted(count - 1, "call"))
        } else {
            String::new()
        };
        let seen = format!("the {event} URL is called with [{name}] not filled in{more}");
        findings.add(index, sure, seen, "the value of the macro, or -1");
    }
}

/// Each request is one that a document, the scenario or the content names. Rule TRK-17.
pub(super) fn known(session: &Session<'_>, findings: &mut Findings<'_>) {
    let mut unknown: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    // Without the scenario, a URL that a page fetches may be a tag or anything else; one that it
    // only calls is a tracker.
    let is_scripted = session.knows_scenario();
    let knows_media = session.knows_media();
    let is_any = |index: usize| match RequestVia::of(&session.trace.records[index]) {
        Some(RequestVia::Image | RequestVia::Beacon) => false,
        Some(RequestVia::Media) => !knows_media,
        Some(RequestVia::Script | RequestVia::Frame) => true,
        Some(RequestVia::Fetch | RequestVia::Xhr) | None => !is_scripted,
    };
    for (index, record) in session.lines() {
        let Some(url) = requested(record) else {
            continue;
        };
        let is_document = || {
            session.lines().skip(index).any(|(_, line)| {
                line.is(NetLine::Response)
                    && line.data.get("text").is_some()
                    && line.data.text("url").is_some_and(|other| **other == *url)
            })
        };
        let is_film = || {
            session.lines().any(|(_, line)| {
                let is_of = matches!(line.kind, Kind::Media | Kind::Ui);
                is_of && line.data.text("src").is_some_and(|src| **src == *url)
            })
        };
        if is_any(index)
            || session.spots().knows(&url)
            || !knows_media && is_film()
            || is_document()
        {
            continue;
        }
        let address = url.split(['?', '#']).next().unwrap_or_default();
        unknown.entry(address.to_owned()).or_insert((index, 0)).1 += 1;
    }
    let mut listed: Vec<_> = unknown.into_iter().collect();
    listed.sort_by_key(|(_, (first, _))| *first);
    for (address, (first, count)) in listed.into_iter().take(MOST) {
        let seen = format!(
            "a request that no document names: {} ({})",
            escape::line(&address),
            counted(count, "time")
        );
        findings.add(
            first,
            Sure::Depends,
            seen,
            "a tag, a tracker or media of the documents, or the content",
        );
    }
}
