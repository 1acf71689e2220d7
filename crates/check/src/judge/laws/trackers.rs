//! Trackers: how often, for which ad, and with what on screen.
//!
//! Rules: TRK-1, TRK-2, TRK-5, TRK-8.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::judge::lines::brief;
use crate::judge::screen::Shown;
use crate::judge::showing::{COURSE, NamedTracker, Showing, TrackerCall, is_among};
use crate::judge::spots::is_same;
use crate::judge::{Findings, Session, Sure};
use playsim_api::{Kind, NetLine, UiLine};
use playsim_base::escape;
use playsim_base::time::{Span, Time};
use playsim_base::words::counted;
use playsim_vast::TrackingEvent;

/// No URL is called more often than its documents name it. Rule TRK-1.
pub(super) fn once(session: &Session<'_>, findings: &mut Findings<'_>) {
    for showing in session.showings() {
        let mut calls: BTreeMap<(&str, &str), Vec<&TrackerCall>> = BTreeMap::new();
        for call in showing
            .calls
            .iter()
            .filter(|call| call.event.known().is_some_and(TrackingEvent::is_once))
        {
            calls
                .entry((call.event.name(), &call.key))
                .or_default()
                .push(call);
        }
        for ((event, key), calls) in calls {
            let names = |named: &&NamedTracker| named.event.name() == event && *named.key == *key;
            let due = showing
                .named
                .as_ref()
                .map(|named| named.iter().filter(names).count().max(1));
            let Some(extra) = calls.get(due.unwrap_or(1)) else {
                continue;
            };
            let first = calls[0];
            // Without its document, a URL that is called twice at one instant may be named twice.
            if due.is_none() && calls.iter().all(|call| call.at == first.at) {
                continue;
            }
            let sure = if extra.is_shared {
                Sure::Likely
            } else {
                Sure::Certain
            };
            let seen = format!(
                "the {event} URL of {} is called {}, first at {}: {}",
                showing.name,
                counted(calls.len(), "time"),
                first.at,
                escape::line(&extra.url)
            );
            let due = due.unwrap_or(1);
            let due = format!("{} while the ad is shown once", counted(due, "call"));
            findings.add(extra.record, sure, seen, due);
        }
    }
}

/// The impression comes with the picture: not without media, and not after the trackers that follow
/// it. Rule TRK-2.
pub(super) fn impression_with_the_picture(session: &Session<'_>, findings: &mut Findings<'_>) {
    for showing in session.showings() {
        let impression = showing.call(TrackingEvent::Impression);
        let later = showing
            .calls
            .iter()
            .find(|call| is_among(&call.event, &COURSE));
        if let (Some(impression), Some(later)) = (impression, later)
            && later.turn < impression.turn
            && !showing.is_scripted
        {
            let seen = format!(
                "the impression of {} is called after its {}",
                showing.name, later.event
            );
            findings.add(
                impression.record,
                showing.settled(),
                seen,
                "the impression first",
            );
        } else if let (None, Some(later)) = (impression, later)
            && showing.names(TrackingEvent::Impression)
            && session.hears_tracker(TrackingEvent::Impression)
            && showing.is_whole
            && !showing.is_scripted
            // Of its own traces, playsim says by an event that the impression was counted.
            && (showing.named.is_some() || !session.is_own)
        {
            let sure = showing.sure_of_missing(session, TrackingEvent::Impression);
            let seen = format!(
                "the {} of {} is called, and its impression never",
                later.event, showing.name
            );
            findings.add(later.record, sure, seen, "the impression first");
        }
        late_impressions(session, showing, later, findings);
        let Some(impression) = impression else {
            continue;
        };
        if let Some(from) = showing.from {
            let early = from.at - impression.at;
            if early > session.within && !showing.is_scripted {
                let early = brief(early);
                let seen = format!(
                    "the impression of {} is called {early} s before its first picture",
                    showing.name
                );
                findings.add(
                    impression.record,
                    showing.settled(),
                    seen,
                    "with the first picture",
                );
            }
        } else if let Some(seen) = never_shown(session, showing, impression) {
            // Media may come from a store, which the recorder does not hear.
            let sure = if session.sees_ads() {
                showing.settled()
            } else {
                Sure::Depends
            };
            findings.add(
                impression.record,
                sure,
                seen,
                "no impression without a picture",
            );
        }
    }
}

/// Finds impressions that come after the first picture, but not those that come after a tracker,
/// which is said of the first.
fn late_impressions(
    session: &Session<'_>,
    showing: &Showing,
    later: Option<&TrackerCall>,
    findings: &mut Findings<'_>,
) {
    let Some(from) = showing.from.filter(|_| !showing.is_scripted) else {
        return;
    };
    let first = showing
        .call(TrackingEvent::Impression)
        .map(|call| call.turn);
    let is_said = |call: &TrackerCall| {
        Some(call.turn) == first && later.is_some_and(|later| later.turn < call.turn)
    };
    for call in showing
        .calls
        .iter()
        .filter(|call| call.event == TrackingEvent::Impression)
    {
        let late = call.at - from.at;
        if late > session.within && !showing.is_again(call) && !is_said(call) {
            let late = brief(late);
            let seen = format!(
                "an impression of {} is called {late} s after its first picture",
                showing.name
            );
            findings.add(call.record, Sure::Likely, seen, "with the first picture");
        }
    }
}

/// Says that an ad whose impression is called never was on screen, if the trace could have shown
/// that.
fn never_shown(
    session: &Session<'_>,
    showing: &Showing,
    impression: &TrackerCall,
) -> Option<String> {
    let spot = &session.spots().all[showing
        .spot
        .filter(|_| !showing.is_overlay && !showing.is_scripted)?];
    // A recorder that hears the content's element need not hear those of ads.
    let sees = session.hears(Kind::Ui, UiLine::Shown.name()) || session.sees_ads();
    // Ads of a pod may have one film, which stays on screen.
    let is_on = |it: &Shown| {
        it.from.at <= impression.at + session.within
            && it
                .to
                .is_none_or(|to| impression.at <= to.at + session.within)
            && spot.media.iter().any(|media| is_same(media, &it.src))
    };
    if session.screen().iter().any(is_on) {
        return None;
    }
    let could_see = sees && session.goes_on(impression.at, session.within + Span::from_secs(1));
    let is_loaded = session.trace.records.iter().any(|record| {
        let url = record
            .data
            .text("url")
            .filter(|_| record.is(NetLine::Request));
        let src = record
            .data
            .text("src")
            .filter(|_| record.kind == Kind::Media);
        url.or(src)
            .is_some_and(|url| spot.media.iter().any(|media| is_same(media, url)))
    });
    let is_heard = session.hears(Kind::Net, NetLine::Request.name());
    if could_see {
        Some(format!(
            "the impression of {} is called, and the ad is never on screen",
            showing.name
        ))
    } else if !sees && is_heard && !is_loaded && !spot.media.is_empty() {
        Some(format!(
            "the impression of {} is called, and none of its media is requested",
            showing.name
        ))
    } else {
        None
    }
}

/// Trackers of playback belong to the ad that is on screen. Rule TRK-5.
pub(super) fn of_the_ad_on_screen(session: &Session<'_>, findings: &mut Findings<'_>) {
    for showing in session
        .showings()
        .iter()
        .filter(|showing| showing.spot.is_some())
    {
        never_on_screen(session, showing, findings);
        for call in showing
            .calls
            .iter()
            .filter(|call| is_among(&call.event, &COURSE))
        {
            let Some(on) = on_screen(session, call.at) else {
                continue;
            };
            let is_own = showing.from.is_some_and(|from| {
                from.at <= call.at + session.within
                    && showing
                        .to
                        .is_none_or(|to| call.at <= to.at + session.within)
            });
            if is_own || call.is_shared || on.spot == showing.spot {
                continue;
            }
            let seen = format!(
                "the {} of {} is called while {} is on screen",
                call.event, showing.name, on.name
            );
            findings.add(
                call.record,
                Sure::Certain,
                seen,
                format!("a tracker of {}", on.name),
            );
        }
    }
}

/// An ad that is never on screen, and whose impression is not counted either, has no trackers.
fn never_on_screen(session: &Session<'_>, showing: &Showing, findings: &mut Findings<'_>) {
    let is_counted = showing.call(TrackingEvent::Impression).is_some();
    if showing.from.is_some()
        || showing.is_overlay
        || showing.is_scripted
        || is_counted
        || !session.sees()
    {
        return;
    }
    let plays =
        |call: &&TrackerCall| is_among(&call.event, &COURSE) || is_among(&call.event, &OF_PLAYBACK);
    if let Some(call) = showing.calls.iter().find(plays) {
        let seen = format!(
            "the {} of {} is called, and the ad is never on screen",
            call.event, showing.name
        );
        findings.add(
            call.record,
            Sure::Likely,
            seen,
            "no tracker of an ad that is not shown",
        );
    }
}

/// The trackers of a viewer's actions on a playing ad.
const OF_PLAYBACK: [TrackingEvent; 5] = [
    TrackingEvent::Pause,
    TrackingEvent::Resume,
    TrackingEvent::Mute,
    TrackingEvent::Unmute,
    TrackingEvent::Skip,
];

fn on_screen<'s>(session: &'s Session<'_>, at: Time) -> Option<&'s Showing> {
    session.showings().iter().find(|showing| {
        showing.from.is_some_and(|from| from.at <= at) && showing.to.is_none_or(|to| at <= to.at)
    })
}

/// If a tracker of an ad is called, so are those of the same event in all documents of its chain.
/// Rule TRK-8.
pub(super) fn of_the_whole_chain(session: &Session<'_>, findings: &mut Findings<'_>) {
    // The parts of an ad have trackers of their own.
    for showing in session
        .showings()
        .iter()
        .filter(|showing| !showing.is_scripted)
    {
        let Some(named) = &showing.named else {
            continue;
        };
        for event in std::iter::once(TrackingEvent::Impression).chain(COURSE) {
            let of_event: Vec<_> = named
                .iter()
                .filter(|it| it.event == event && it.is_of_playback && it.is_due)
                .collect();
            let Some(call) = showing.call(event) else {
                continue;
            };
            // A URL that several ads share may be called for any of them.
            let is_near = |other: &TrackerCall| {
                other.at <= call.at + session.within && call.at <= other.at + session.within
            };
            let is_called = |key: &Arc<str>| {
                showing.calls.iter().any(|call| call.key == *key)
                    || session
                        .showings()
                        .iter()
                        .flat_map(|it| &it.calls)
                        .any(|it| it.key == *key && is_near(it))
            };
            // Events right after the last line are not in the recording.
            if !session.goes_on(call.at, session.within) {
                continue;
            }
            let missing: Vec<_> = of_event.iter().filter(|it| !is_called(&it.key)).collect();
            if let Some(first) = missing.first() {
                let place = if first.hops == 0 {
                    "the ad itself"
                } else {
                    "a wrapper"
                };
                let seen = format!(
                    "{} of {} {event} URLs of {} are called; one of {place} is not: {}",
                    of_event.len() - missing.len(),
                    of_event.len(),
                    showing.name,
                    escape::line(&first.key)
                );
                let sure = showing.sure_of_missing(session, event);
                findings.add(call.record, sure, seen, "all of them, in the whole chain");
            }
        }
    }
}
