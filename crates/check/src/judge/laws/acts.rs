//! A viewer's actions on an ad: their trackers, and whether the ad allows them.
//!
//! Rules: TRK-12 to TRK-15.

use std::sync::Arc;

use crate::judge::lines::{Act, brief, called};
use crate::judge::showing::{Showing, TrackerCall};
use crate::judge::{Findings, Session, Sure};
use playsim_api::{EventName, UiLine, Value};
use playsim_base::escape;
use playsim_base::time::{Span, Time};
use playsim_rules::knobs::SkipOffset;
use playsim_trace::Record;
use playsim_vast::TrackingEvent;

/// How long an act and its tracker may be apart.
const SOON: Span = Span::from_secs(1);
/// A pause shorter than this may be the beginning of playback.
const NO_PAUSE: Span = Span::from_millis(100);

/// Skip, click, pause, resume, mute and unmute call the trackers that documents name for them. Rule
/// TRK-12.
pub(super) fn call_their_trackers(session: &Session<'_>, findings: &mut Findings<'_>) {
    for showing in session.videos() {
        let (Some(named), Some((from, to))) = (&showing.named, span(session, showing)) else {
            continue;
        };
        for (index, record) in session.lines().skip(from).take(to.saturating_sub(from) + 1) {
            let Some((tracker, sure)) = act(session, showing, index, record) else {
                continue;
            };
            let keys = named
                .iter()
                .filter(|it| it.event == tracker && it.is_due)
                .map(|it| &it.key);
            let is_soon = |at: Time| at + SOON >= record.at && at <= record.at + SOON;
            // When a complete is due is judged by TRK-6.
            let is_call =
                |call: &TrackerCall| tracker == TrackingEvent::Complete || is_soon(call.at);
            let is_called = |key: &Arc<str>| {
                showing
                    .calls
                    .iter()
                    .any(|call| call.key == *key && is_call(call))
            };
            let missing = keys.clone().find(|key| !is_called(key));
            if let Some(key) = missing.filter(|_| session.goes_on(record.at, SOON)) {
                let seen = format!(
                    "{} of {}, and its {tracker} tracker is not called: {}",
                    record.name,
                    showing.name,
                    escape::line(key)
                );
                findings.add(
                    index,
                    sure,
                    seen,
                    format!("{tracker} within {} s", brief(SOON)),
                );
            }
        }
    }
}

/// Returns the records from the beginning of an ad to its end. If no film is heard, the ad lasts at
/// least to its last tracker, and nothing is known of what comes after that.
fn span(session: &Session<'_>, showing: &Showing) -> Option<(usize, usize)> {
    let from = showing
        .from
        .map(|from| from.record)
        .or_else(|| showing.calls.first().map(|call| call.record))?;
    let last = if showing.from.is_some() {
        session.trace.records.len().saturating_sub(1)
    } else {
        let last = showing.last().or(showing.calls.last());
        last.map_or(from, |call| call.record)
    };
    Some((from, showing.to.map_or(last, |to| to.record)))
}

/// Returns the tracker that a line calls for, and how sure that is: an event says what happened, an
/// act only what was tried.
fn act(
    session: &Session<'_>,
    showing: &Showing,
    index: usize,
    record: &Record,
) -> Option<(TrackingEvent, Sure)> {
    let is_muted = || record.data.get("muted").and_then(Value::as_bool);
    let found = match record.event() {
        Some(EventName::AdSkip) => Some(TrackingEvent::Skip),
        // Where breaks are known, the event is that of this ad; some knobs lose its tracker.
        Some(EventName::AdComplete) => {
            Some(TrackingEvent::Complete).filter(|_| session.is_own && !session.has_knobs())
        }
        Some(EventName::AdClicked) => Some(TrackingEvent::ClickTracking),
        Some(EventName::AdPause) => Some(TrackingEvent::Pause),
        Some(EventName::AdResume) => Some(TrackingEvent::Resume),
        Some(EventName::MuteChange) => is_muted().map(|is_muted| {
            if is_muted {
                TrackingEvent::Mute
            } else {
                TrackingEvent::Unmute
            }
        }),
        Some(_) | None => None,
    };
    if let Some(tracker) = found {
        let sure = if session.is_own {
            Sure::Certain
        } else {
            Sure::Likely
        };
        return Some((tracker, sure));
    }
    let tried = Act::of(record);
    let soon = || {
        session
            .lines()
            .skip(index)
            .take_while(|(_, line)| line.at <= record.at + SOON)
    };
    let media = |name: EventName| soon().any(|(_, line)| line.media_event() == Some(name));
    let length = showing.length.unwrap_or(Span::MAX);
    let is_early = || {
        showing
            .played(record.at)
            .is_some_and(|played| played + SOON + session.within < length)
    };
    let is_gone = || showing.to.is_some_and(|to| to.at <= record.at + SOON);
    let found = if session.is_own {
        None
    } else if tried == Some(Act::Skip) && is_early() && is_gone() {
        Some(TrackingEvent::Skip)
    } else if tried == Some(Act::Click) && soon().any(|(_, line)| line.is(UiLine::Navigate)) {
        Some(TrackingEvent::ClickTracking)
    } else if tried == Some(Act::Pause) && media(EventName::Pause) && is_early() {
        Some(TrackingEvent::Pause)
    } else if tried == Some(Act::Play)
        && media(EventName::Playing)
        && was_paused(showing, record.at)
    {
        Some(TrackingEvent::Resume)
    } else if tried == Some(Act::Mute) && media(EventName::VolumeChange) {
        Some(TrackingEvent::Mute)
    } else if tried == Some(Act::Unmute) && media(EventName::VolumeChange) {
        Some(TrackingEvent::Unmute)
    } else {
        None
    };
    found.map(|tracker| (tracker, Sure::Likely))
}

fn was_paused(showing: &Showing, at: Time) -> bool {
    showing
        .still
        .iter()
        .any(|(begin, end)| *begin + NO_PAUSE < at && at <= *end + SOON)
}

/// A companion that is shown calls its `creativeView`. Rule TRK-13.
pub(super) fn companions_are_counted(session: &Session<'_>, findings: &mut Findings<'_>) {
    for (index, record) in session.lines() {
        let is_shown = record.data.get("visible").and_then(Value::as_bool) == Some(true);
        if !record.is(UiLine::Companion) || !is_shown || !session.goes_on(record.at, SOON) {
            continue;
        }
        let [id, url] = ["id", "url"].map(|key| record.data.text(key));
        let views = session
            .spots()
            .companion_views(id.map(|id| &**id), url.map(|url| &**url));
        let soon = session
            .lines()
            .filter(|(_, line)| line.at + SOON >= record.at && line.at <= record.at + SOON);
        let calls: Vec<Arc<str>> = soon
            .filter_map(|(_, line)| session.spots().tracker(&called(line)?))
            .map(|tracker| tracker.key)
            .collect();
        if let Some(missing) = views.iter().find(|key| !calls.contains(key)) {
            let seen = format!(
                "a companion is shown, and its creativeView is not called: {}",
                escape::line(missing)
            );
            findings.add(
                index,
                Sure::Likely,
                seen,
                format!("a call within {} s", brief(SOON)),
            );
        }
    }
}

/// The earliest that a player which reads skip offsets like this takes for one. Rule PRD-42.
fn at_the_earliest(due: Span, length: Option<Span>, reading: SkipOffset) -> Span {
    match reading {
        SkipOffset::Exact | SkipOffset::Times => due,
        SkipOffset::WholeSeconds => Span::from_secs(due.micros() / 1_000_000),
        SkipOffset::WholePercent => {
            let length = length.unwrap_or(Span::ZERO);
            let percent = due
                .micros()
                .saturating_mul(100)
                .checked_div(length.micros());
            percent.map_or(due, |percent| length.share(percent, 100))
        }
    }
}

/// An ad is skipped no earlier than its document allows. Rule TRK-14.
pub(super) fn not_before_the_offset(session: &Session<'_>, findings: &mut Findings<'_>) {
    for showing in session.videos() {
        let Some(due) = showing.skip_from else {
            continue;
        };
        let due = at_the_earliest(due, showing.length, session.knobs.skip_offset);
        let skips = session
            .lines()
            .filter(|(_, line)| line.event() == Some(EventName::AdSkip));
        let own = skips.filter(|(_, line)| {
            showing.from.is_some_and(|from| from.at <= line.at)
                && showing.to.is_none_or(|to| line.at <= to.at)
        });
        let called = showing
            .call(TrackingEvent::Skip)
            .map(|call| (call.record, call.at));
        let Some((record, at)) =
            called.or_else(|| own.map(|(index, line)| (index, line.at)).next())
        else {
            continue;
        };
        let Some(played) = showing.played(at) else {
            continue;
        };
        // Some players show a countdown of whole seconds.
        if due - played > session.within && showing.is_steady {
            let [played, due] = [played, due].map(brief);
            let seen = format!("{} is skipped after {played} s", showing.name);
            findings.add(
                record,
                Sure::Certain,
                seen,
                format!("no skip before {due} s"),
            );
        }
    }
}

/// The ads of a pod are shown in the order of their sequence numbers. Rule TRK-15.
pub(super) fn in_sequence(session: &Session<'_>, findings: &mut Findings<'_>) {
    let spots = &session.spots().all;
    let numbered = session.showings().iter().filter_map(|showing| {
        let spot = &spots[showing.known?];
        Some((showing, spot.document, spot.sequence?))
    });
    let numbered: Vec<_> = numbered.collect();
    for pair in numbered.windows(2) {
        let [(one, document, before), (next, other, after)] = pair else {
            continue;
        };
        if document == other && before > after {
            let seen = format!(
                "{}, number {after} of its pod, is shown after {}, which has number {before}",
                next.name, one.name
            );
            findings.add(
                next.first,
                Sure::Certain,
                seen,
                "the order of the sequence numbers",
            );
        }
    }
}
