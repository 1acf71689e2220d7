//! Content before and after a break.
//!
//! Rules: BRK-17, END-1, MEL-12.

use crate::judge::lines::{Act, brief, position};
use crate::judge::spots::{Role, is_same};
use crate::judge::{Findings, Session, Sure};
use playsim_api::{EventName, Kind, LineName};
use playsim_base::time::{Span, Time};
use playsim_trace::Record;

/// How long after a post-roll the end may take.
const ENDS: Span = Span::from_secs(2);

/// After a mid-roll content continues where it was. Rule BRK-17.
pub(super) fn goes_on_where_it_stopped(session: &Session<'_>, findings: &mut Findings<'_>) {
    let films: Vec<_> = session
        .screen()
        .iter()
        .filter(|film| film.role == Role::Content)
        .collect();
    for pair in films.windows(2) {
        let [before, after] = pair else { continue };
        let has_ad = session.screen().iter().any(|film| {
            film.role == Role::Ad
                && film.from.record >= before.from.record
                && film.from.record < after.from.record
        });
        if !has_ad || !is_same(&before.src, &after.src) {
            continue;
        }
        let until = before.to.map_or(after.from.record, |to| to.record);
        let of_film = |line: &&Record| {
            line.data
                .text("src")
                .is_some_and(|src| is_same(src, &before.src))
        };
        let records = &session.trace.records;
        let between = &records[before.from.record..=after.from.record];
        let is_end =
            |line: &Record| line.is(LineName::MediaEvent(EventName::Ended)) && of_film(&line);
        if between.iter().any(|line| is_act(line) || is_end(line)) {
            continue;
        }
        let says = |line: &&Record| {
            !line
                .media_event()
                .is_some_and(|event| LOADS.contains(&event))
        };
        let heard = records[before.from.record..=until]
            .iter()
            .rev()
            .filter(of_film)
            .filter(says)
            .find_map(position);
        let (Some(heard), Some(left)) = (heard, session.content_at(until)) else {
            continue;
        };
        let Some(back) = first_position(session, after.from.record, left, &of_film) else {
            continue;
        };
        // Without time updates, the last position that was heard is older than where the content
        // was.
        let is_exact = session.hears(Kind::Media, EventName::TimeUpdate.name());
        let stalls = session.hears(Kind::Media, EventName::Waiting.name());
        let sure = if is_exact {
            Sure::Certain
        } else {
            Sure::Likely
        };
        let is_before = if is_exact || stalls { left } else { heard } - back > session.within;
        let is_after = back - left.max(heard) > session.within;
        if is_before || is_after {
            let side = if is_before { "before" } else { "after" };
            let by = if is_before { left - back } else { back - left };
            let [back, by, left] = [back, by, left].map(brief);
            let seen =
                format!("content goes on at {back} s after an ad, {by} s {side} where it was");
            findings.add(after.from.record, sure, seen, format!("at {left} s"));
        }
    }
}

/// The events of a film that loads: its position is not where it will play.
const LOADS: [EventName; 8] = [
    EventName::Emptied,
    EventName::LoadStart,
    EventName::Abort,
    EventName::Suspend,
    EventName::DurationChange,
    EventName::LoadedMetadata,
    EventName::LoadedData,
    EventName::Seeking,
];

/// How long after it is shown a film may take to be where it was left.
const RETURNS: Span = Span::from_secs(1);

/// Returns the position at which a film comes on screen. Its own event may be a line before, and
/// some players seek once it plays: the position counts that is nearest to where it was left.
fn first_position(
    session: &Session<'_>,
    from: usize,
    left: Span,
    of_film: &impl Fn(&&Record) -> bool,
) -> Option<Span> {
    let records = &session.trace.records;
    let (at, begin) = (records[from].at, from.saturating_sub(3));
    let says = |line: &&Record| {
        let event = line.media_event();
        let is_play = event == Some(EventName::Play);
        !is_play && !event.is_some_and(|event| LOADS.contains(&event))
    };
    let soon = records[begin..]
        .iter()
        .filter(|line| line.at >= at)
        .filter(of_film)
        .filter(says);
    let positions = soon.filter_map(|line| Some((line.at, position(line)?)));
    let off = |position: Span| (position - left) + (left - position);
    let began = |(here, position): (Time, Span)| position - (here - at).min(position);
    let first = positions.clone().next()?;
    let near = positions.take_while(|(here, _)| *here <= at + RETURNS);
    near.map(began)
        .min_by_key(|position| off(*position))
        .or(Some(began(first)))
}

/// Returns whether a line asks content to play: a call, a person, or its element.
fn plays(session: &Session<'_>, record: &Record) -> bool {
    let is_content = || {
        record
            .data
            .text("src")
            .is_some_and(|src| session.spots().role(src) == Role::Content)
    };
    let is_own = |event: EventName| record.event() == Some(event) && record.kind == Kind::Event;
    Act::of(record) == Some(Act::Play)
        || is_own(EventName::Play)
        || record.is(LineName::MediaEvent(EventName::Play)) && is_content()
}

/// The events of content that does not play.
const AT_REST: [EventName; 4] = [
    EventName::Seeking,
    EventName::Seeked,
    EventName::TimeUpdate,
    EventName::Pause,
];

/// Content that has ended stays at its end until it is played again, moved, or another source is
/// loaded. Rule MEL-12.
pub(super) fn stays_at_its_end(session: &Session<'_>, findings: &mut Findings<'_>) {
    let mut ended: Option<(Span, &str)> = None;
    for (index, record) in session.lines() {
        if is_act(record) || plays(session, record) {
            ended = None;
        }
        let src = record
            .data
            .text("src")
            .filter(|src| session.spots().role(src) == Role::Content);
        let (Some(src), Some(event)) = (
            src,
            record.media_event().filter(|_| record.kind == Kind::Media),
        ) else {
            continue;
        };
        let here = position(record);
        if event == EventName::Ended {
            ended = here.map(|here| (here, &**src));
        } else if !AT_REST.contains(&event) {
            // It is loaded again, or plays.
            ended = None;
        } else if let (Some((end, film)), Some(here)) = (ended, here)
            && event != EventName::Seeking
            && is_same(film, src)
            && end - here > session.within
        {
            let [end, here] = [end, here].map(brief);
            let seen = format!(
                "content that has ended at {end} s is at {here} s, and nobody played it again"
            );
            findings.add(
                index,
                Sure::Likely,
                seen,
                format!("content that stays at {end} s"),
            );
            ended = None;
        }
    }
}

/// Returns whether a line is an action of the user or page code that moves the content.
pub(super) fn is_act(record: &Record) -> bool {
    let moves = [
        "currentTime",
        "seek",
        "stop",
        "src",
        "next",
        "previous",
        "playByIndex",
        "currentChapter",
    ];
    matches!(record.kind, Kind::Call | Kind::User) && moves.contains(&&*record.name)
}

/// After a post-roll the session ends. Rule END-1.
pub(super) fn ends_after_its_post_roll(session: &Session<'_>, findings: &mut Findings<'_>) {
    if !session.hears(Kind::Event, EventName::Ended.name()) && !session.hears(Kind::Native, "ended")
    {
        return;
    }
    let Some(post) = session.showings().last() else {
        return;
    };
    let (Some(from), Some(to)) = (post.from, post.to) else {
        return;
    };
    let is_end = |line: &Record| {
        line.is(LineName::MediaEvent(EventName::Ended))
            && line
                .data
                .text("src")
                .is_some_and(|src| session.spots().role(src) == Role::Content)
    };
    let records = &session.trace.records;
    let Some(end) = records[..from.record].iter().rposition(is_end) else {
        return;
    };
    // Someone may play it again: then the ad is a pre-roll.
    let is_again = records[end..from.record]
        .iter()
        .any(|line| is_act(line) || plays(session, line));
    let goes_on = session
        .screen()
        .iter()
        .any(|it| it.role == Role::Content && it.from.record > from.record);
    let is_post = !is_again && !goes_on;
    let ends = session.lines().any(|(_, line)| {
        matches!(line.kind, Kind::Event | Kind::Native) && *line.name == *EventName::Ended.name()
    });
    if is_post && !ends && session.goes_on(to.at, ENDS) {
        let seen = format!("{}, a post-roll, is over, and ended never comes", post.name);
        findings.add(
            to.record,
            Sure::Likely,
            seen,
            format!("ended within {} s", brief(ENDS)),
        );
    }
}
