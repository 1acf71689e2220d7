//! What fails, and how it is reported.
//!
//! Rules: TRK-9, TRK-10, SCR-4.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::lines::{brief, called, requested, text};
use super::super::session::Session;
use super::super::spots::is_same;
use super::super::{Findings, Sure};
use crate::api::{EventName, Kind, NetLine};
use crate::escape;
use crate::time::Span;
use crate::trace::Record;
use crate::vast;

/// How long a player may take to report a failure.
const REPORTS: Span = Span::from_secs(2);

/// An error URL has a code in it, and is called once for each failure. Rule TRK-9.
pub(super) fn with_a_code(session: &Session<'_>, findings: &mut Findings) {
    let mut calls: BTreeMap<Arc<str>, Vec<(usize, Arc<str>)>> = BTreeMap::new();
    for (index, record) in session.lines() {
        let is_beacon = record.kind == Kind::Beacon && *record.name == *"error";
        let Some(url) = (if is_beacon { text(record, "url") } else { requested(record) }) else { continue };
        let known = session.spots.tracker(&url).filter(|tracker| *tracker.event == *"error");
        let Some(key) = known.map(|it| it.key).or_else(|| is_beacon.then(|| url.clone())) else { continue };
        let left = vast::macros(&url).into_iter().map(|(from, to)| &url[from..to]);
        let code = left
            .into_iter()
            .find(|name| ["ERRORCODE", "ERROR_CODE"].iter().any(|of| name.to_ascii_uppercase().contains(of)));
        if let Some(code) = code.filter(|_| !session.is_own) {
            let seen = format!("an error URL is called with {code} as it is written: {}", escape::line(&url));
            findings.add(session, index, Sure::Certain, seen, "a code in its place");
        }
        calls.entry(key).or_default().push((index, url));
    }
    if session.is_own || session.spots.is_empty() {
        return;
    }
    for (key, calls) in calls {
        let Some(tracker) = session.spots.tracker(&calls[0].1) else { continue };
        // Each answer with this URL, and each ad whose chain has it, may fail once.
        let instances = session.spots.times(&key).max(tracker.spots.len()).max(1);
        if let Some((index, url)) = calls.get(instances) {
            let seen = format!(
                "an error URL is called {} times, and {instances} could fail: {}",
                calls.len(),
                escape::line(url)
            );
            findings.add(session, *index, Sure::Certain, seen, "one call for each failure");
        }
    }
}

/// An ad whose media fail, and a wrapper whose tag fails, calls its error URL. Rule TRK-10.
pub(super) fn failures_are_reported(session: &Session<'_>, findings: &mut Findings) {
    if session.spots.is_empty() || !session.hears(Kind::Net, NetLine::Request.name()) {
        return;
    }
    for (index, record) in session.lines() {
        if !session.goes_on(record.at, REPORTS) {
            continue;
        }
        if let Some(src) = failed_media(record) {
            let spots = session.spots.with_film(&src);
            let came = |spot: &&usize| session.spots.all[**spot].record <= index;
            let Some(spot) = spots.iter().rfind(came).map(|spot| &session.spots.all[*spot]) else { continue };
            let keys: Vec<Arc<str>> =
                spot.named.iter().filter(|it| *it.event == *"error").map(|it| it.key.clone()).collect();
            // Another media file of the same ad may play instead.
            let is_shown = session.showings.iter().any(|it| {
                it.spot.is_some_and(|other| session.spots.all[other].document == spot.document)
                    && it.from.is_some_and(|from| from.record > index)
            });
            let what = format!("the film of {} fails", spot.name);
            if !is_shown {
                report(session, findings, index, &keys, &what);
            }
        } else if let Some(url) = failed_request(record) {
            let wrapper = session.spots.wrappers().filter(|(came, _)| *came <= index).find(|(_, ad)| {
                matches!(&ad.kind, vast::AdKind::Wrapper(wrapper) if wrapper.tag_uri.as_ref().is_some_and(|uri| is_same(&uri.text, &url)))
            });
            if let Some((_, ad)) = wrapper {
                let keys: Vec<Arc<str>> =
                    ad.errors.iter().map(|url| vast::names::browser_form(&url.text).into()).collect();
                let what = format!("the tag of a wrapper fails ({})", escape::line(&url));
                report(session, findings, index, &keys, &what);
            }
        }
    }
}

/// Reports a failure none of whose error URLs is called.
fn report(session: &Session<'_>, findings: &mut Findings, index: usize, keys: &[Arc<str>], what: &str) {
    let records = &session.trace.records;
    let by = records[index].at + REPORTS;
    let soon = records[index..].iter().take_while(|line| line.at <= by);
    let calls: Vec<Arc<str>> = soon
        .filter_map(called)
        .filter_map(|url| session.spots.tracker(&url).map(|tracker| tracker.key.clone()))
        .collect();
    let missing: Vec<&Arc<str>> = keys.iter().filter(|key| !calls.contains(key)).collect();
    if let Some(first) = missing.first() {
        let seen = format!("{what}, and an error URL is not called: {}", escape::line(first));
        findings.add(session, index, Sure::Likely, seen, format!("a call within {} s", brief(REPORTS)));
    }
}

/// Returns the film that cannot be played.
fn failed_media(record: &Record) -> Option<Arc<str>> {
    let fails = record.kind == Kind::Media && record.media_event() == Some(EventName::Error);
    text(record, "src").filter(|_| fails)
}

/// Returns the URL of a request that failed.
fn failed_request(record: &Record) -> Option<Arc<str>> {
    let is_bad = record.data.integer("status").is_some_and(|status| status >= 400);
    let fails = record.is(NetLine::Failed) || record.is(NetLine::Response) && is_bad;
    text(record, "url").filter(|_| fails)
}

/// No error of the page or the player is uncaught. Rule SCR-4.
pub(super) fn no_uncaught_error(session: &Session<'_>, findings: &mut Findings) {
    for (index, record) in session.lines() {
        if record.kind == Kind::Diag && *record.name == *"uncaught" {
            let what = text(record, "text").unwrap_or_default();
            let seen = format!("an uncaught error: {}", escape::line(&what));
            findings.add(session, index, Sure::Certain, seen, "errors that are caught");
        }
    }
}
