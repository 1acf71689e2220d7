//! The effects of seeks.
//!
//! Rules: TIME-2, MEL-13.

use std::collections::BTreeMap;

use super::settings::land;
use crate::judge::lines::{brief, position, seconds};
use crate::judge::screen::Shown;
use crate::judge::spots::Role;
use crate::judge::{Findings, Session, Sure};
use playsim_api::{Call, EventName, Kind, UserLine, Value};
use playsim_base::time::Span;
use playsim_trace::Record;

/// How long a seek may take.
const TAKES: Span = Span::from_secs(2);

/// A seek to a position reaches it. Rule TIME-2.
pub(super) fn reach_their_target(session: &Session<'_>, findings: &mut Findings<'_>) {
    if session.is_complete {
        return land(session, findings);
    }
    if session.is_own || !session.hears(Kind::Media, EventName::Seeked.name()) {
        return;
    }
    // A player may ignore seeks during an ad, and may show ads that the recorder does not hear.
    if !session.sees_ads() && !session.spots().is_empty() {
        return;
    }
    for (index, record) in session.lines() {
        let Some(target) = target(record) else {
            continue;
        };
        // A player may ignore seeks during an ad.
        let is_in_ad = |film: &Shown| {
            film.role == Role::Ad
                && film.from.record <= index
                && film.to.is_none_or(|to| to.record > index)
        };
        if session.screen().iter().any(is_in_ad) || is_mixed(session) {
            continue;
        }
        let after = &session.trace.records[index + 1..];
        // The next seek replaces this one.
        let until = after
            .iter()
            .position(|line| self::target(line).is_some())
            .unwrap_or(after.len());
        let lines = || {
            after[..until]
                .iter()
                .filter(|line| of_content(session, line))
        };
        // The position at `seeked` is where the seek lands; content that plays on from there may
        // pass the target.
        let lands = lines().any(|line| line.media_event() == Some(EventName::Seeked));
        let says = |line: &&Record| !lands || line.media_event() == Some(EventName::Seeked);
        let positions = || lines().filter(says).filter_map(position);
        let longest = session
            .lines()
            .filter(|(_, line)| {
                line.media_event() == Some(EventName::Ended) && of_content(session, line)
            })
            .find_map(|(_, line)| position(line));
        // A target past the end is clamped to the end.
        let target = longest.map_or(target, |longest| target.min(longest));
        let off = |position: Span| (position - target) + (target - position);
        let Some(nearest) = positions().min_by_key(|position| off(*position)) else {
            continue;
        };
        let last = after[..until].last().map_or(record.at, |last| last.at);
        let is_over = after[..until]
            .iter()
            .any(|line| line.media_event() == Some(EventName::Ended));
        if off(nearest) > session.within && last - record.at > TAKES && (lands || !is_over) {
            let [target, nearest] = [target, nearest].map(brief);
            let seen = format!("a seek to {target} s lands at {nearest} s");
            findings.add(index, Sure::Likely, seen, format!("content at {target} s"));
        }
    }
}

/// Returns whether several films are on screen, and nothing says which of them is the content.
fn is_mixed(session: &Session<'_>) -> bool {
    let mut films = session
        .screen()
        .iter()
        .filter(|film| film.role == Role::Unknown);
    let first = films.next();
    first.is_some_and(|first| films.any(|film| film.src != first.src))
}

/// Returns the target of a line that moves the content.
fn target(record: &Record) -> Option<Span> {
    let is_seek = record.is(Call::CurrentTime) || record.is(UserLine::Seek);
    let argument = record
        .data
        .get("args")
        .and_then(Value::as_list)
        .and_then(<[Value]>::first);
    let number = argument
        .or_else(|| record.data.get("to"))
        .and_then(Value::as_number);
    number.filter(|_| is_seek).and_then(seconds)
}

fn of_content(session: &Session<'_>, record: &Record) -> bool {
    record.kind == Kind::Media
        && record
            .data
            .text("src")
            .is_some_and(|src| session.spots().role(src) != Role::Ad)
}

/// Each `seeking` is followed by `seeked`, unless another source is loaded or the trace ends. Rule
/// MEL-13.
pub(super) fn are_answered(session: &Session<'_>, findings: &mut Findings<'_>) {
    let mut open: BTreeMap<String, usize> = BTreeMap::new();
    for (index, record) in session
        .lines()
        .filter(|(_, record)| record.media_event().is_some())
    {
        let src = record
            .data
            .text("src")
            .map_or_else(String::new, |src| src.to_string());
        match record.media_event() {
            Some(EventName::Seeking) => {
                open.insert(src, index);
            }
            Some(
                EventName::Seeked | EventName::Emptied | EventName::Error | EventName::LoadStart,
            ) => {
                // A documented event does not say of which film it is.
                open.retain(|film, _| !src.is_empty() && *film != src);
            }
            _ => {}
        }
    }
    for (src, index) in open {
        let at = session.trace.records[index].at;
        let is_replaced = session.trace.records[index..].iter().any(|line| {
            matches!(
                line.media_event(),
                Some(EventName::LoadStart | EventName::Emptied)
            )
        });
        // A seek may wait for data, or for an ad. Content that plays on has ended it.
        let later = session.trace.records[index..].iter().filter(|line| {
            line.at >= at + TAKES
                && line.media_event() == Some(EventName::TimeUpdate)
                && line.data.text("src").is_none_or(|own| **own == *src)
        });
        let mut positions = later.filter_map(position);
        let first = positions.next();
        let plays_on = positions.any(|position| first.is_some_and(|first| position > first));
        if plays_on && !is_replaced {
            let film = playsim_base::escape::line(&src).into_owned();
            let seen = format!("seeking of {film}, and no seeked");
            findings.add(
                index,
                Sure::Likely,
                seen,
                format!("seeked within {} s", brief(TAKES)),
            );
        }
    }
}
