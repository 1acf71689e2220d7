//! Content before and after a break.
//!
//! Rules: BRK-17, END-1.

use super::super::lines::{brief, position};
use super::super::session::Session;
use super::super::spots::{Role, is_same};
use super::super::{Findings, Sure};
use crate::api::{EventName, Kind, LineName};
use crate::time::Span;
use crate::trace::Record;

/// How long after a post-roll the end may take.
const ENDS: Span = Span::from_secs(2);

/// After a mid-roll content goes on where it was. Rule BRK-17.
pub(super) fn goes_on_where_it_stopped(session: &Session<'_>, findings: &mut Findings) {
    let films: Vec<_> = session.screen.iter().filter(|film| film.role == Role::Content).collect();
    for pair in films.windows(2) {
        let [before, after] = pair else { continue };
        let has_ad = session.screen.iter().any(|film| {
            film.role == Role::Ad
                && film.from.record >= before.from.record
                && film.from.record < after.from.record
        });
        if !has_ad || !is_same(&before.src, &after.src) {
            continue;
        }
        let until = before.to.map_or(after.from.record, |to| to.record);
        let of_film = |line: &&Record| line.data.text("src").is_some_and(|src| is_same(src, &before.src));
        let records = &session.trace.records;
        let left = records[before.from.record..=until].iter().rev().filter(of_film).find_map(position);
        let (Some(left), Some(back)) = (left, first_position(records, after.from.record, &of_film)) else {
            continue;
        };
        let between = &records[before.from.record..=after.from.record];
        let is_end = |line: &Record| line.is(LineName::MediaEvent(EventName::Ended)) && of_film(&line);
        let is_moved = between.iter().any(|line| is_act(line) || is_end(line));
        let by = left - back;
        if by > session.within && !is_moved {
            let [back, by, left] = [back, by, left].map(brief);
            let seen = format!("content goes on at {back} s after an ad, {by} s before where it was");
            findings.add(session, after.from.record, Sure::Certain, seen, format!("at {left} s"));
        }
        let by = back - left;
        // Without time updates the last position that was heard is older.
        if by > session.within && !is_moved && session.hears(Kind::Media, "timeupdate") {
            let [back, by, left] = [back, by, left].map(brief);
            let seen = format!("content goes on at {back} s after an ad, {by} s after where it was");
            findings.add(session, after.from.record, Sure::Certain, seen, format!("at {left} s"));
        }
    }
}

/// Returns the position of a film when it comes on screen: its own event is the line before or after.
fn first_position(records: &[Record], from: usize, of_film: &impl Fn(&&Record) -> bool) -> Option<Span> {
    let here = |line: &&Record| line.at == records[from].at && position(line).is_some() && of_film(line);
    let before = records[..from].iter().rev().take(3).find(here);
    before
        .or_else(|| records[from..].iter().find(|line| of_film(line) && position(line).is_some()))
        .and_then(position)
}

/// Returns whether a line is what a person or page code does to move the content.
fn is_act(record: &Record) -> bool {
    let moves = ["currentTime", "seek", "stop", "play", "src", "next", "previous", "playByIndex"];
    matches!(record.kind, Kind::Call | Kind::User) && moves.contains(&&*record.name)
}

/// After a post-roll the session ends. Rule END-1.
pub(super) fn ends_after_its_post_roll(session: &Session<'_>, findings: &mut Findings) {
    if !session.hears(Kind::Event, EventName::Ended.name()) && !session.hears(Kind::Native, "ended") {
        return;
    }
    let Some(post) = session.showings.last() else { return };
    let (Some(from), Some(to)) = (post.from, post.to) else { return };
    let is_end = |line: &Record| {
        line.is(LineName::MediaEvent(EventName::Ended))
            && line.data.text("src").is_some_and(|src| session.spots.role(src) == Role::Content)
    };
    let is_post = session.trace.records[..from.record].iter().any(is_end);
    let ends = session.lines().any(|(_, line)| {
        matches!(line.kind, Kind::Event | Kind::Native) && *line.name == *EventName::Ended.name()
    });
    if is_post && !ends && session.goes_on(to.at, ENDS) {
        let seen = format!("{}, a post-roll, is over, and ended never comes", post.name);
        findings.add(session, to.record, Sure::Likely, seen, format!("ended within {} s", brief(ENDS)));
    }
}
