//! The times of breaks: the cue points of a VMAP document.
//!
//! Rules: VMAP-4, CUE-3.

use super::content::is_act;
use crate::judge::lines::{brief, position, requested};
use crate::judge::showing::Showing;
use crate::judge::spots::Role;
use crate::judge::{Findings, Session, Sure};
use crate::recording::RequestVia;
use playsim_api::{EventName, Kind, LineName, NetLine};
use playsim_base::time::Span;
use playsim_trace::Record;
use playsim_vast::vmap::TimeOffset;

/// A break whose tag is asked for this long before its cue point is asked for ahead of time.
const AHEAD: Span = Span::from_secs(1);

/// The first ad of each break within the content that has a time, with that time.
fn mid_rolls<'s>(session: &'s Session<'_>) -> impl Iterator<Item = (&'s Showing, Span)> {
    let duration = content_length(session);
    let mut seen: Vec<usize> = Vec::new();
    session.showings().iter().filter_map(move |showing| {
        let spot = &session.spots().all[showing.spot?];
        let due = match &spot.due {
            Some(TimeOffset::At(at)) if *at > Span::ZERO => Some(*at),
            Some(TimeOffset::Share(share)) if *share > 0 && *share < 1_000_000 => {
                duration.map(|duration| duration.share(u64::from(*share), 1_000_000))
            }
            Some(_) | None => None,
        }?;
        let is_first = !seen.contains(&spot.document);
        seen.push(spot.document);
        (is_first && showing.from.is_some()).then_some((showing, due))
    })
}

/// Returns how long the content is, from where it ended.
fn content_length(session: &Session<'_>) -> Option<Span> {
    session
        .lines()
        .filter(|(_, line)| is_end(session, line))
        .find_map(|(_, line)| position(line))
}

/// A post-roll comes when the content is over, and not before the rest of it. Rule VMAP-4.
fn post_rolls_at_the_end(session: &Session<'_>, findings: &mut Findings<'_>) {
    let Some(length) = content_length(session) else {
        return;
    };
    for showing in session.showings() {
        let due = showing
            .spot
            .and_then(|spot| session.spots().all[spot].due.as_ref());
        let Some(from) = showing.from.filter(|_| due == Some(&TimeOffset::End)) else {
            continue;
        };
        let Some(reached) = session.content_at(from.record) else {
            continue;
        };
        let has_ended = session
            .lines()
            .take(from.record)
            .any(|(_, line)| is_end(session, line));
        if !has_ended && !is_moved(session, from.record) && reached + session.within < length {
            let [reached, length] = [reached, length].map(brief);
            let seen = format!(
                "{}, a post-roll, is shown when the content is at {reached} s",
                showing.name
            );
            findings.add(
                from.record,
                Sure::Certain,
                seen,
                format!("at the end, {length} s"),
            );
        }
    }
}

/// Returns whether a line is the end of the content.
fn is_end(session: &Session<'_>, line: &Record) -> bool {
    line.is(LineName::MediaEvent(EventName::Ended))
        && line
            .data
            .text("src")
            .is_some_and(|src| session.spots().role(src) == Role::Content)
}

/// A mid-roll comes when the content reaches its time. Rule VMAP-4.
pub(super) fn at_their_cue(session: &Session<'_>, findings: &mut Findings<'_>) {
    post_rolls_at_the_end(session, findings);
    for (showing, due) in mid_rolls(session) {
        let Some(from) = showing.from else { continue };
        let Some(reached) = session.content_at(from.record) else {
            continue;
        };
        if is_moved(session, from.record)
            || !starts_at_its_beginning(session)
            || is_asked_for(session, from.record)
        {
            continue;
        }
        let (early, late) = (due - reached, reached - due);
        let (by, side) = if early > session.within {
            (early, "before")
        } else if late > session.within && !loads_in_time(session, due, from.record) {
            (late, "after")
        } else {
            continue;
        };
        let [reached, by, due, within] = [reached, by, due, session.within].map(brief);
        let seen = format!(
            "{} is shown when the content is at {reached} s, {by} s {side} its time",
            showing.name
        );
        let due = format!("at {due} s, give or take {within} s");
        findings.add(from.record, Sure::Certain, seen, due);
    }
}

/// Returns whether anything was requested when the content was at a cue point. Content plays on
/// while a break loads: its tag, those that are asked before it and fill nothing, another break.
fn loads_in_time(session: &Session<'_>, due: Span, before: usize) -> bool {
    let is_one = |record: &Record| {
        record.is(NetLine::Request)
            && RequestVia::of(record) != Some(RequestVia::Media)
            && requested(record).is_some_and(|url| session.spots().tracker(&url).is_none())
    };
    session
        .lines()
        .take(before)
        .filter(|(_, record)| is_one(record))
        .filter_map(|(index, _)| session.content_at(index))
        .any(|at| at + AHEAD >= due && at <= due + session.within)
}

/// Returns whether page code asks for ads itself, at any time.
fn is_asked_for(session: &Session<'_>, before: usize) -> bool {
    let asks =
        |line: &Record| line.kind == Kind::Call && ["playAd", "pushAds"].contains(&&*line.name);
    session.lines().take(before).any(|(_, line)| asks(line))
}

/// Returns whether content starts at its beginning: that of a live stream does not, nor does one
/// with an offset.
fn starts_at_its_beginning(session: &Session<'_>) -> bool {
    let is_content = |line: &Record| {
        line.data
            .text("src")
            .is_some_and(|src| session.spots().role(src) == Role::Content)
    };
    let plays = session
        .lines()
        .filter(|(_, line)| line.is(LineName::MediaEvent(EventName::Playing)));
    let first = plays
        .filter(|(_, line)| is_content(line))
        .find_map(|(_, line)| position(line));
    first.is_none_or(|first| first <= AHEAD)
}

/// Returns whether content was moved before a record. A seek back to where it was, after an ad,
/// does not move it.
fn is_moved(session: &Session<'_>, before: usize) -> bool {
    session.lines().take(before).any(|(index, line)| {
        if line.event() == Some(EventName::Seeked) || is_act(line) {
            return true;
        }
        let is_seeked = line.is(LineName::MediaEvent(EventName::Seeked));
        let is_content = || {
            line.data
                .text("src")
                .is_none_or(|src| session.spots().role(src) != Role::Ad)
        };
        let stays = || {
            let (here, was) = position(line).zip(session.content_at(index))?;
            Some((here - was) + (was - here) <= session.within)
        };
        is_seeked && is_content() && stays() != Some(true)
    })
}

/// The tag of a mid-roll is requested when its cue point is reached. Rule CUE-3.
pub(super) fn not_asked_ahead(session: &Session<'_>, findings: &mut Findings<'_>) {
    for (showing, due) in mid_rolls(session) {
        let Some(asked) = showing
            .spot
            .and_then(|spot| session.spots().all[spot].asked)
        else {
            continue;
        };
        if is_moved(session, asked) {
            continue;
        }
        let reached = session.content_at(asked).unwrap_or_default();
        let ahead = due - reached;
        if ahead > AHEAD.max(session.within) {
            let [ahead, due] = [ahead, due].map(brief);
            let seen = format!(
                "the tag of {} is requested {ahead} s of content before its time",
                showing.name
            );
            findings.add(asked, Sure::Certain, seen, format!("a request at {due} s"));
        }
    }
}
