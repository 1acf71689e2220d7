//! The order of an ad's trackers.
//!
//! Rules: TRK-3, TRK-4, TRK-7, TRK-11.

use crate::judge::showing::{COURSE, LAST, Showing, TrackerCall, is_among};
use crate::judge::{Findings, Session, Sure};
use playsim_api::{EventName, Kind};
use playsim_base::time::Span;
use playsim_vast::TrackingEvent;

/// `start`, the quartiles and `complete` come in order, and none of them is left out. Rule TRK-3.
pub(super) fn in_order(session: &Session<'_>, findings: &mut Findings<'_>) {
    let is_foreign = |_: &&Showing| !session.is_own;
    for overlay in session
        .showings()
        .iter()
        .filter(is_foreign)
        .filter(|showing| showing.is_overlay && showing.named.is_some())
    {
        let Some(impression) = overlay.call(TrackingEvent::Impression) else {
            continue;
        };
        let is_missing =
            overlay.call(TrackingEvent::Start).is_none() && overlay.names(TrackingEvent::Start);
        let is_heard = session.hears_tracker(TrackingEvent::Start);
        if is_missing && is_heard && session.goes_on(impression.at, Span::from_secs(1)) {
            let seen = format!(
                "the impression of {} is called, and its start never",
                overlay.name
            );
            findings.add(
                impression.record,
                Sure::Likely,
                seen,
                "start when it is shown",
            );
        }
    }
    for showing in session.videos() {
        let mut furthest: Option<(usize, &TrackerCall)> = None;
        for call in &showing.calls {
            let Some(place) = call.course() else { continue };
            match furthest {
                // A second call of a URL is the business of another rule.
                Some((before, first)) if before > place && !showing.is_again(call) => {
                    let seen = format!(
                        "the {} of {} is called after its {}",
                        call.event, showing.name, first.event
                    );
                    let due = format!("{} before {}", call.event, first.event);
                    findings.add(call.record, showing.settled(), seen, due);
                }
                Some((before, _)) if before >= place => {}
                Some(_) | None => furthest = Some((place, call)),
            }
        }
        if let Some((place, last)) = furthest {
            let has = |event: TrackingEvent| showing.call(event).is_some();
            let is_missed = |event: &TrackingEvent| {
                !has(*event) && showing.names(*event) && session.hears_tracker(*event)
            };
            let missed: Vec<TrackingEvent> =
                COURSE.into_iter().take(place).filter(is_missed).collect();
            // Without its documents it may have one quartile; one that has two of them has all.
            let quartiles = COURSE[1..4].iter().filter(|event| has(**event)).count();
            let is_known = showing.named.is_some() || quartiles == 2 && !session.is_own;
            if showing.is_whole && !missed.is_empty() && !showing.is_lossy() && is_known {
                let sure = missed
                    .iter()
                    .map(|event| showing.sure_of_missing(session, *event))
                    .max();
                let sure = sure.unwrap_or(Sure::Certain);
                let missed = missed
                    .iter()
                    .map(|event| event.name())
                    .collect::<Vec<_>>()
                    .join(", ");
                let seen = format!(
                    "the {} of {} is called without {missed}",
                    last.event, showing.name
                );
                findings.add(last.record, sure, seen, format!("{missed} before it"));
            }
        }
        ended_without_complete(session, showing, findings);
    }
}

/// An ad whose film has played to its end has a `complete`.
fn ended_without_complete(session: &Session<'_>, showing: &Showing, findings: &mut Findings<'_>) {
    let (Some(to), Some(length), Some(_)) = (showing.to, showing.length, showing.spot) else {
        return;
    };
    let is_played = showing
        .played(to.at)
        .is_some_and(|played| played + session.within >= length);
    let is_silent = showing.last().is_none()
        && showing.names(TrackingEvent::Complete)
        && showing.named.is_some();
    let is_heard = session.hears_tracker(TrackingEvent::Complete);
    if is_played
        && is_silent
        && is_heard
        && showing.is_steady
        && session.goes_on(to.at, Span::from_secs(1))
    {
        let seen = format!(
            "{} was shown to its end, and its complete is never called",
            showing.name
        );
        findings.add(
            to.record,
            Sure::Likely,
            seen,
            "complete at the end of the ad",
        );
    }
}

impl Showing {
    /// Whether it was skipped, failed or moved, so that some of its trackers may be left out.
    fn is_lossy(&self) -> bool {
        self.from.is_some() && !self.is_steady
    }
}

/// Nothing of the playback comes after its end. Rule TRK-4.
pub(super) fn nothing_after_the_end(session: &Session<'_>, findings: &mut Findings<'_>) {
    for showing in session.videos() {
        let Some(last) = showing.last() else { continue };
        for call in showing.calls.iter().filter(|call| call.turn > last.turn) {
            // The error URL of a wrapper is that of all its ads.
            let is_another_ads = call.is_shared && call.event == TrackingEvent::Error;
            let is_other = call.event != last.event && !showing.is_again(call) && !is_another_ads;
            let is_of_course = call.course().is_some_and(|place| place < COURSE.len() - 1);
            let is_second_end =
                is_among(&call.event, &LAST) && call.event != TrackingEvent::CloseLinear;
            // `skip` and `closeLinear` are called together by some players.
            let is_both = [&call.event, &last.event]
                .iter()
                .any(|event| **event == TrackingEvent::CloseLinear);
            // An earlier tracker after `complete` is out of order, which is reported as that.
            let is_reported = last.event == TrackingEvent::Complete && is_of_course;
            let is_wrong = is_of_course
                || is_second_end
                || is_among(&call.event, &[TrackingEvent::Pause, TrackingEvent::Resume]);
            if is_other && is_wrong && !is_both && !is_reported {
                let seen = format!(
                    "the {} of {} is called after its {}",
                    call.event, showing.name, last.event
                );
                findings.add(call.record, showing.settled(), seen, "nothing after it");
            }
        }
    }
}

/// `pause` and `resume` take turns, and begin with `pause`. Rule TRK-7.
pub(super) fn pause_and_resume_take_turns(session: &Session<'_>, findings: &mut Findings<'_>) {
    for showing in session.videos() {
        let mut paused: Option<&TrackerCall> = None;
        let mut resumed: Option<&TrackerCall> = None;
        for call in &showing.calls {
            match call.event.known() {
                Some(TrackingEvent::Pause) => {
                    // Each document of the chain may have one.
                    if let Some(before) = paused.filter(|before| before.key == call.key) {
                        let seen = format!(
                            "pause of {} is called again, and there was no resume since {}",
                            showing.name, before.at
                        );
                        if showing.names(TrackingEvent::Resume)
                            && session.hears_tracker(TrackingEvent::Resume)
                        {
                            findings.add(
                                call.record,
                                Sure::Certain,
                                seen,
                                "resume between the two",
                            );
                        }
                    }
                    paused = Some(paused.unwrap_or(call));
                    resumed = None;
                }
                Some(TrackingEvent::Resume) => {
                    let is_together = resumed.is_some_and(|before| before.key != call.key);
                    if paused.is_none() && !is_together && was_not_paused(session, showing, call) {
                        let seen = format!(
                            "resume of {} is called, and it was not paused",
                            showing.name
                        );
                        findings.add(
                            call.record,
                            Sure::Certain,
                            seen,
                            "no resume without a pause",
                        );
                    }
                    paused = None;
                    resumed = Some(resumed.unwrap_or(call));
                }
                Some(_) | None => {}
            }
        }
    }
}

/// Returns whether nothing says that the ad was paused before: a document without `pause` has none
/// that could be called.
fn was_not_paused(session: &Session<'_>, showing: &Showing, call: &TrackerCall) -> bool {
    let has_tracker =
        showing.names(TrackingEvent::Pause) && session.hears_tracker(TrackingEvent::Pause);
    let was_still = showing.still.iter().any(|(begin, _)| *begin <= call.at);
    let is_heard = has_tracker || session.hears(Kind::Media, EventName::Pause.name());
    is_heard && showing.is_whole && (has_tracker || !was_still)
}

/// `creativeView` comes before `start`. Rule TRK-11.
pub(super) fn creative_view_before_start(session: &Session<'_>, findings: &mut Findings<'_>) {
    for showing in session.videos() {
        let Some(named) = &showing.named else {
            continue;
        };
        let is_linear = |call: &&TrackerCall| {
            call.event == TrackingEvent::CreativeView
                && named.iter().any(|named| {
                    named.key == call.key && named.event == call.event && named.is_of_playback
                })
        };
        let (view, start) = (
            showing.calls.iter().find(is_linear),
            showing.call(TrackingEvent::Start),
        );
        if let (Some(view), Some(start)) = (view, start)
            && start.turn < view.turn
        {
            let seen = format!(
                "the creativeView of {} is called after its start",
                showing.name
            );
            findings.add(view.record, Sure::Certain, seen, "creativeView first");
        }
        let is_due = showing.names(TrackingEvent::CreativeView);
        if let (None, Some(start)) = (view, start)
            && is_due
            && session.goes_on(start.at, session.within)
            && session.hears_tracker(TrackingEvent::CreativeView)
        {
            let seen = format!(
                "the start of {} is called, and its creativeView never",
                showing.name
            );
            findings.add(start.record, Sure::Certain, seen, "creativeView before it");
        }
    }
}
