//! When breaks come: at the cue points that a VMAP document gives.
//!
//! Rules: VMAP-4, CUE-3.

use crate::api::{EventName, Kind, LineName};
use crate::check::judge::lines::{brief, position};
use crate::check::judge::showing::Showing;
use crate::check::judge::spots::Role;
use crate::check::judge::{Findings, Session, Sure};
use crate::time::Span;
use crate::trace::Record;
use crate::vast::vmap::TimeOffset;

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
    let ends = session.lines().filter(|(_, line)| line.is(LineName::MediaEvent(EventName::Ended)));
    let of_content =
        |line: &Record| line.data.text("src").is_some_and(|src| session.spots().role(src) == Role::Content);
    ends.filter(|(_, line)| of_content(line)).find_map(|(_, line)| position(line))
}

/// A mid-roll comes when the content reaches its time. Rule VMAP-4.
pub(super) fn at_their_cue(session: &Session<'_>, findings: &mut Findings<'_>) {
    for (showing, due) in mid_rolls(session) {
        let Some(from) = showing.from else { continue };
        let Some(reached) = session.content_at(from.record) else { continue };
        if is_moved(session, from.record) {
            continue;
        }
        // Content plays on while the ad loads, which counts from the request for its tag.
        let asked = showing.spot.and_then(|spot| session.spots().all[spot].asked);
        let loads = asked.and_then(|asked| session.trace.records.get(asked)).map(|asked| from.at - asked.at);
        let is_ahead = asked.and_then(|asked| session.content_at(asked)).is_some_and(|at| at + AHEAD < due);
        let loads = loads.filter(|_| !is_ahead).unwrap_or_default();
        let (early, late) = (due - reached, reached - (due + loads));
        let (by, side) = if early > session.within {
            (early, "before")
        } else if late > session.within {
            (late, "after")
        } else {
            continue;
        };
        let [reached, by, due, within] = [reached, by, due, session.within].map(brief);
        let seen =
            format!("{} is shown when the content is at {reached} s, {by} s {side} its time", showing.name);
        let due = format!("at {due} s, give or take {within} s");
        findings.add(from.record, Sure::Certain, seen, due);
    }
}

/// Returns whether content was moved before a record. A seek back to where it was, after an ad, does not move it.
fn is_moved(session: &Session<'_>, before: usize) -> bool {
    session.lines().take(before).any(|(index, line)| {
        if line.event() == Some(EventName::Seeked) {
            return true;
        }
        let is_seeked = line.is(LineName::MediaEvent(EventName::Seeked));
        let is_content = || line.data.text("src").is_none_or(|src| session.spots().role(src) != Role::Ad);
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
        let Some(asked) = showing.spot.and_then(|spot| session.spots().all[spot].asked) else { continue };
        let is_act = |line: &&Record| {
            matches!(line.kind, Kind::Call | Kind::User) && ["currentTime", "seek"].contains(&&*line.name)
        };
        if is_moved(session, asked) || session.trace.records[..asked].iter().any(|line| is_act(&line)) {
            continue;
        }
        let reached = session.content_at(asked).unwrap_or_default();
        let ahead = due - reached;
        if ahead > AHEAD.max(session.within) {
            let [ahead, due] = [ahead, due].map(brief);
            let seen =
                format!("the tag of {} is requested {ahead} s of content before its time", showing.name);
            findings.add(asked, Sure::Certain, seen, format!("a request at {due} s"));
        }
    }
}
