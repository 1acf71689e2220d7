//! Failures, and how they are reported.
//!
//! Rules: TRK-9, TRK-10, SCR-4.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::judge::lines::{brief, called, requested, text};
use crate::judge::spots::{Tracker, is_code, is_same};
use crate::judge::{Findings, Session, Sure};
use playsim_api::{BeaconLine, EventName, Kind, NetLine};
use playsim_base::escape;
use playsim_base::time::{Span, Time};
use playsim_report::dictionary;
use playsim_trace::Record;
use playsim_vast as vast;

/// How long a player may take to report a failure.
const REPORTS: Span = Span::from_secs(2);

/// An error URL has a code in it, the one that is due, and is called once for each failure. Rule
/// TRK-9.
pub(super) fn with_a_code(session: &Session<'_>, findings: &mut Findings<'_>) {
    let mut calls: BTreeMap<Arc<str>, Vec<(usize, Arc<str>)>> = BTreeMap::new();
    for (index, record) in session.lines() {
        let is_beacon = record.is(BeaconLine::Error);
        let Some(url) = (if is_beacon {
            text(record, "url")
        } else {
            requested(record)
        }) else {
            continue;
        };
        let known = session
            .spots()
            .tracker(&url)
            .filter(|tracker| tracker.event == vast::TrackingEvent::Error);
        let Some(key) = known
            .as_ref()
            .map(|it| it.key.clone())
            .or_else(|| is_beacon.then(|| url.clone()))
        else {
            continue;
        };
        let mut left = vast::macros(&url)
            .into_iter()
            .map(|(from, to)| &url[from..to]);
        let shown = escape::line(&url);
        if let Some(code) = left.find(|name| is_code(name)).filter(|_| !session.is_own) {
            let seen = format!("an error URL is called with {code} as it is written: {shown}");
            findings.add(index, Sure::Certain, seen, "a code in its place");
        } else if let Some(code) = known
            .and_then(|known| known.code)
            .filter(|code| !is_standard(code))
        {
            let seen = format!(
                "an error URL is called with the code \"{}\": {shown}",
                escape::line(&code)
            );
            findings.add(index, Sure::Certain, seen, "a code of the standard");
        } else if let Some((code, at)) =
            event_code(session, index).filter(|(code, _)| !has_number(&url, *code))
        {
            let seen =
                format!("an error URL is called for adError {code} with another code: {shown}");
            let sure = if session.is_own && at == record.at {
                Sure::Certain
            } else {
                Sure::Likely
            };
            // A URL without a place for a code has none.
            if url.contains(|letter: char| letter.is_ascii_digit()) && has_other_code(&url) {
                findings.add(index, sure, seen, format!("{code}"));
            }
        }
        calls.entry(key).or_default().push((index, url));
    }
    wrong_for_the_failure(session, findings);
    if session.is_own || session.spots().is_empty() {
        return;
    }
    for (key, calls) in calls {
        let Some(tracker) = session.spots().tracker(&calls[0].1) else {
            continue;
        };
        // Each answer with this URL, and each ad whose chain has it, may fail once.
        let instances = session.spots().times(&key).max(tracker.spots.len()).max(1);
        if let Some((index, url)) = calls.get(instances) {
            let seen = format!(
                "an error URL is called {} times, and {instances} could fail: {}",
                calls.len(),
                escape::line(url)
            );
            // Each part of an ad may fail, and each ad of a document that its page does not allow.
            findings.add(*index, Sure::Likely, seen, "one call for each failure");
        }
    }
}

/// Returns whether a code is one of the standard.
fn is_standard(code: &str) -> bool {
    code.parse()
        .is_ok_and(|number| dictionary::of_ad_error(number).is_some())
}

/// Returns the code of the `adError` that leads to a call, with its time.
fn event_code(session: &Session<'_>, index: usize) -> Option<(i64, Time)> {
    let records = &session.trace.records;
    let cause = session
        .trace
        .record(records[index].cause?)
        .filter(|_| session.is_own)?;
    let is_error = cause.event() == Some(EventName::AdError);
    Some((cause.data.integer("code").filter(|_| is_error)?, cause.at))
}

fn has_number(url: &str, number: i64) -> bool {
    let number = number.to_string();
    url.split(|letter: char| !letter.is_ascii_digit())
        .any(|digits| *digits == *number)
}

/// Returns whether a URL seems to have a code of the standard in its query.
fn has_other_code(url: &str) -> bool {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query
        .split(|letter: char| !letter.is_ascii_digit())
        .any(|digits| digits.len() == 3 && is_standard(digits))
}

/// A failure, and the codes that may report it.
const CODES: &[(Failure, &[&str])] = &[
    (Failure::Media, &["400", "401", "403", "405", "900"]),
    (Failure::Tag, &["300", "301", "302", "303", "900"]),
    (Failure::Empty, &["300", "303", "900"]),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    /// The media of an ad: a server says that they are not there.
    Media,
    /// The tag of a wrapper.
    Tag,
    /// The document that answers a tag has no ad.
    Empty,
}

/// A code names the failure: an ad whose media a server refuses has not timed out. Rule TRK-9.
fn wrong_for_the_failure(session: &Session<'_>, findings: &mut Findings<'_>) {
    for (index, failure, keys, what) in failures(session) {
        let Some((_, codes)) = CODES.iter().find(|(of, _)| *of == failure) else {
            continue;
        };
        for (call, tracker) in calls_soon(session, index) {
            let Some(code) = tracker
                .code
                .filter(|code| keys.contains(&tracker.key) && is_standard(code))
            else {
                continue;
            };
            if !codes.contains(&&*code) {
                let seen = format!("{what}, and its error is reported with {code}");
                findings.add(
                    call,
                    Sure::Likely,
                    seen,
                    format!("one of {}", codes.join(", ")),
                );
            }
        }
    }
}

/// Returns the failures: the record, its kind, its error URLs, a clause about it.
fn failures(session: &Session<'_>) -> Vec<(usize, Failure, Vec<Arc<str>>, String)> {
    let mut all = Vec::new();
    for (index, record) in session.lines() {
        let Some(url) = failed_request(record) else {
            continue;
        };
        let is_refused = record.is(NetLine::Response);
        let spots = session.spots();
        let spot = spots
            .with_film(&url)
            .into_iter()
            .rfind(|spot| spots.all[*spot].record <= index);
        if let Some(spot) = spot
            .map(|spot| &spots.all[spot])
            .filter(|spot| is_refused && spot.media.len() == 1)
        {
            all.push((
                index,
                Failure::Media,
                spot.errors(),
                format!("a server refuses the film of {}", spot.name),
            ));
        } else if let Some(keys) = wrapper_errors(session, index, &url) {
            all.push((
                index,
                Failure::Tag,
                keys,
                format!("the tag of a wrapper fails ({})", escape::line(&url)),
            ));
        }
    }
    for (index, keys) in session.spots().empty() {
        all.push((
            index,
            Failure::Empty,
            keys,
            "a document has no ad".to_owned(),
        ));
    }
    all
}

/// Returns the error URLs of the wrapper whose tag this is.
fn wrapper_errors(session: &Session<'_>, index: usize, url: &str) -> Option<Vec<Arc<str>>> {
    let mut wrappers = session
        .spots()
        .wrappers()
        .filter(|(came, _)| *came <= index);
    let is_of = |ad: &vast::Ad| matches!(&ad.kind, vast::AdKind::Wrapper(wrapper) if wrapper.tag_uri.as_ref().is_some_and(|uri| is_same(&uri.text, url)));
    let (_, ad) = wrappers.find(|(_, ad)| is_of(ad))?;
    Some(
        ad.errors
            .iter()
            .map(|url| vast::names::browser_form(&url.text).into())
            .collect(),
    )
}

/// Returns the trackers that are called soon after a record.
fn calls_soon(session: &Session<'_>, index: usize) -> Vec<(usize, Tracker)> {
    let by = session.trace.records[index].at + REPORTS;
    let soon = session
        .lines()
        .skip(index)
        .take_while(|(_, line)| line.at <= by);
    soon.filter_map(|(at, line)| Some((at, session.spots().tracker(&called(line)?)?)))
        .collect()
}

/// An ad whose media fail, and a wrapper whose tag fails, calls its error URL. Rule TRK-10.
pub(super) fn failures_are_reported(session: &Session<'_>, findings: &mut Findings<'_>) {
    for (index, record) in session.lines() {
        if !session.goes_on(record.at, REPORTS) {
            continue;
        }
        if let Some(src) = failed_media(record) {
            let spots = session.spots().with_film(&src);
            let came = |spot: &&usize| session.spots().all[**spot].record <= index;
            let Some(spot) = spots
                .iter()
                .rfind(came)
                .map(|spot| &session.spots().all[*spot])
            else {
                continue;
            };
            let keys = spot.errors();
            // Another media file of the same ad may play instead.
            let is_shown = session.showings().iter().any(|it| {
                it.spot
                    .is_some_and(|other| session.spots().all[other].document == spot.document)
                    && it.from.is_some_and(|from| from.record > index)
            });
            let what = format!("the film of {} fails", spot.name);
            if !is_shown {
                report(session, findings, index, &keys, &what);
            }
        }
    }
    for (index, failure, keys, what) in failures(session) {
        if failure != Failure::Media && session.goes_on(session.trace.records[index].at, REPORTS) {
            report(session, findings, index, &keys, &what);
        }
    }
}

/// Reports a failure none of whose error URLs is called.
fn report(
    session: &Session<'_>,
    findings: &mut Findings<'_>,
    index: usize,
    keys: &[Arc<str>],
    what: &str,
) {
    let calls: Vec<Arc<str>> = calls_soon(session, index)
        .into_iter()
        .map(|(_, tracker)| tracker.key)
        .collect();
    let missing: Vec<&Arc<str>> = keys.iter().filter(|key| !calls.contains(key)).collect();
    if let Some(first) = missing.first() {
        let seen = format!(
            "{what}, and an error URL is not called: {}",
            escape::line(first)
        );
        findings.add(
            index,
            Sure::Likely,
            seen,
            format!("a call within {} s", brief(REPORTS)),
        );
    }
}

/// Returns the film that cannot be played.
fn failed_media(record: &Record) -> Option<Arc<str>> {
    let fails = record.kind == Kind::Media && record.media_event() == Some(EventName::Error);
    text(record, "src").filter(|_| fails)
}

/// Returns the URL of a request that failed.
fn failed_request(record: &Record) -> Option<Arc<str>> {
    let is_bad = record
        .data
        .integer("status")
        .is_some_and(|status| status >= 400);
    let fails = record.is(NetLine::Failed) || record.is(NetLine::Response) && is_bad;
    text(record, "url").filter(|_| fails)
}

/// No error of the page or the player is uncaught. Rule SCR-4.
pub(super) fn no_uncaught_error(session: &Session<'_>, findings: &mut Findings<'_>) {
    for (index, record) in session.lines() {
        if record.kind == Kind::Diag && *record.name == *"uncaught" {
            let what = text(record, "text").unwrap_or_default();
            let seen = format!("an uncaught error: {}", escape::line(&what));
            findings.add(index, Sure::Certain, seen, "errors that are caught");
        }
    }
}
