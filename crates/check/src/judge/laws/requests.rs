//! Requests that the documents do not name as they are.
//!
//! Rules: TRK-16, TRK-17.

use std::collections::BTreeMap;

use crate::judge::lines::{called, requested};
use crate::judge::{Findings, Session, Sure};
use crate::recording::RequestVia;
use playsim_api::{Kind, NetLine};
use playsim_base::escape;
use playsim_base::words::counted;

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
