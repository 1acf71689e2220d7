//! The films on screen around an ad.
//!
//! Rules: SCR-1 to SCR-3, PRE-1.

use crate::judge::lines::{Act, brief, position};
use crate::judge::screen::Shown;
use crate::judge::showing::{Moment, Showing};
use crate::judge::spots::Role;
use crate::judge::{Findings, Session, Sure};
use crate::recording::RequestVia;
use playsim_api::{EventName, Kind, LineName, StateLine, UiLine};
use playsim_base::time::{Span, Time};
use playsim_trace::Record;
use playsim_vast::vmap::TimeOffset;

/// How long after an ad the session may take to continue: media have to load.
const GOES_ON: Span = Span::from_secs(3);

/// A break that begins this early in the content is taken for a pre-roll.
const BEGINNING: Span = Span::from_secs(1);

/// While an ad is on screen, the content's playhead does not advance. Rule SCR-1.
pub(super) fn no_content_under_an_ad(session: &Session<'_>, findings: &mut Findings<'_>) {
    for showing in session.showings() {
        let (Some(from), Some(_)) = (showing.from, showing.spot) else {
            continue;
        };
        let to = showing
            .to
            .map_or(session.trace.records.len(), |to| to.record);
        let Some(lines) = session.trace.records.get(from.record..to) else {
            continue;
        };
        let mut first = session.content_at(from.record);
        for (index, line) in (from.record..).zip(lines) {
            let is_content = line
                .data
                .text("src")
                .is_some_and(|src| session.spots().role(src) == Role::Content);
            let event = line.media_event().filter(|event| PLAYS.contains(event));
            let (Some(here), Some(event)) = (position(line).filter(|_| is_content), event) else {
                continue;
            };
            let start = *first.get_or_insert(here);
            if here > start + session.within && here - start <= line.at - from.at + session.within {
                let [start, here] = [start, here].map(brief);
                let seen = format!(
                    "the content plays on from {start} s to {here} s while {} is on screen",
                    showing.name
                );
                let is_update = event == EventName::TimeUpdate;
                let sure = if is_update {
                    Sure::Certain
                } else {
                    Sure::Likely
                };
                findings.add(index, sure, seen, "content that does not advance");
                break;
            }
        }
    }
}

/// The events that say where content is that has not been given another source.
const PLAYS: [EventName; 4] = [
    EventName::TimeUpdate,
    EventName::Playing,
    EventName::Pause,
    EventName::Waiting,
];

/// No content is on screen between two ads of one pod. Rule SCR-2.
pub(super) fn no_content_within_a_pod(session: &Session<'_>, findings: &mut Findings<'_>) {
    let shown: Vec<&Showing> = session
        .showings()
        .iter()
        .filter(|it| it.from.is_some() && it.spot.is_some())
        .collect();
    for pair in shown.windows(2) {
        let [one, next] = pair else { continue };
        let (Some(to), Some(from)) = (one.to, next.from) else {
            continue;
        };
        let is_pod =
            one.pod == next.pod && one.spot != next.spot && is_sequence(session, one, next);
        if let Some(film) = content_between(session, to, from).filter(|_| is_pod) {
            let length = brief(film.to.map_or(from.at, |to| to.at) - film.from.at);
            let seen = format!(
                "content is on screen for {length} s between {} and {}, two ads of one pod",
                one.name, next.name
            );
            findings.add(
                film.from.record,
                Sure::Certain,
                seen,
                "the next ad of the pod",
            );
        }
    }
}

fn is_sequence(session: &Session<'_>, one: &Showing, next: &Showing) -> bool {
    let sequence = |showing: &Showing| {
        showing
            .spot
            .and_then(|spot| session.spots().all[spot].sequence)
    };
    matches!((sequence(one), sequence(next)), (Some(one), Some(next)) if one < next)
}

fn content_between<'s>(session: &'s Session<'_>, one: Moment, next: Moment) -> Option<&'s Shown> {
    let mut films = session
        .screen()
        .iter()
        .filter(|film| film.role == Role::Content);
    films.find(|film| film.from.record >= one.record && film.from.record < next.record)
}

/// After an ad, content resumes, starts or ends, or another ad follows. Rule
/// SCR-3.
pub(super) fn the_session_goes_on(session: &Session<'_>, findings: &mut Findings<'_>) {
    if session.is_complete {
        return no_player_is_left_in_a_break(session, findings);
    }
    if !session.hears(Kind::Ui, UiLine::Shown.name()) && !session.sees() {
        return;
    }
    let is_scripted = session.showings().iter().any(|it| it.is_scripted);
    let last = session.screen().iter().rfind(|film| film.role == Role::Ad);
    // A unit may go on without its film.
    let Some(gone) = last.and_then(|film| film.to).filter(|_| !is_scripted) else {
        return;
    };
    let is_shown = |film: &Shown| film.role != Role::Ad && film.from.record >= gone.record;
    // Playback that ends, fails or is stopped need not continue.
    let ends = |name: EventName| {
        session.lines().any(|(_, line)| {
            line.media_event() == Some(name)
                && is_of_content(session, line.data.text("src").map(|src| &**src))
        })
    };
    let fails = [
        EventName::Ended,
        EventName::Error,
        EventName::PlaybackError,
        EventName::LiveStreamStopped,
    ];
    let is_over = fails.into_iter().any(ends) || is_stopped(session);
    // Media that are still loading may start; a recording that ends with the ad does not show that.
    let is_cut =
        !session.goes_on(gone.at, GOES_ON) || !session.goes_on(last_request(session), GOES_ON);
    if session.screen().iter().any(is_shown) || is_over || is_cut {
        return;
    }
    let was_content = session
        .screen()
        .iter()
        .any(|film| film.role == Role::Content);
    let before = if was_content {
        "does not come back"
    } else {
        "does not begin"
    };
    let (waited, due) = (brief(session.end - gone.at), brief(GOES_ON));
    let seen = format!(
        "the last ad is gone, and content {before} in the {waited} s that were recorded after it"
    );
    findings.add(
        gone.record,
        Sure::Likely,
        seen,
        format!("content within {due} s, or the end"),
    );
}

/// When a run is over, no player waits for an ad of a break that has ended; and content that was
/// playing before a break is not paused after it, unless somebody pauses it. Rule SCR-3.
fn no_player_is_left_in_a_break(session: &Session<'_>, findings: &mut Findings<'_>) {
    for lines in session.players() {
        // The last state of the content, and whether anything has stopped it since.
        let (mut was_playing, mut is_stopped) = (false, false);
        let mut last = None;
        for line in lines.records() {
            let stops = [Act::Stop, Act::Destroy, Act::Pause, Act::Src];
            is_stopped |= Act::of(line).is_some_and(|act| stops.contains(&act))
                || line.media_event() == Some(EventName::Ended)
                || line.event() == Some(EventName::Ended);
            let Some(LineName::State(state)) = line.line_name() else {
                continue;
            };
            let was_ad = last.is_some_and(|(_, state)| OF_ADS.contains(&state));
            if was_ad && was_playing && !is_stopped && state == StateLine::Paused {
                let seen = "the break is over, and content stays paused, which nobody has paused";
                findings.broken(line, seen);
            }
            if !OF_ADS.contains(&state) {
                was_playing = [StateLine::Playing, StateLine::Buffering].contains(&state);
                is_stopped = false;
            }
            last = Some((line, state));
        }
        let Some((line, _)) = last.filter(|(_, state)| OF_ADS.contains(state)) else {
            continue;
        };
        let is_open = lines
            .placed()
            .iter()
            .filter(|it| it.is_linear)
            .fold(0_i32, |open, it| {
                open + i32::from(it.record.begins_break()) - i32::from(it.record.ends_break())
            });
        if is_open <= 0 && !session.trace.is_cut_short() {
            findings.broken(
                line,
                "the break is over, and content neither comes back nor ends",
            );
        }
    }
}

/// The states of a player with an ad.
const OF_ADS: [StateLine; 3] = [
    StateLine::AdLoading,
    StateLine::AdPlaying,
    StateLine::AdPaused,
];

/// Returns the time of the last request or answer that may hold the content up.
fn last_request(session: &Session<'_>) -> Time {
    let is_one = |line: &Record| {
        let is_media = RequestVia::of(line) == Some(RequestVia::Media);
        let is_tracker = || {
            line.data
                .text("url")
                .is_some_and(|url| session.spots().tracker(url).is_some())
        };
        line.kind == Kind::Net && !is_media && !is_tracker()
    };
    session
        .lines()
        .rfind(|(_, line)| is_one(line))
        .map_or(Time::ZERO, |(_, line)| line.at)
}

/// Returns whether the player was stopped and has not been started again.
fn is_stopped(session: &Session<'_>) -> bool {
    let stops = [Act::Stop, Act::Destroy, Act::Pause, Act::Src];
    let mut acts = session.lines().filter_map(|(_, line)| Act::of(line));
    acts.rfind(|act| stops.contains(act) || *act == Act::Play)
        .is_some_and(|act| act != Act::Play)
}

fn is_of_content(session: &Session<'_>, src: Option<&str>) -> bool {
    src.is_none_or(|src| session.spots().role(src) != Role::Ad)
}

/// Content is not on screen before its pre-roll. Rule PRE-1.
pub(super) fn pre_roll_before_content(session: &Session<'_>, findings: &mut Findings<'_>) {
    let Some((ad, from)) = session
        .showings()
        .iter()
        .find_map(|it| Some((it, it.from?)))
    else {
        return;
    };
    let Some(spot) = ad.spot.map(|spot| &session.spots().all[spot]) else {
        return;
    };
    let mut films = session.screen().iter();
    let Some(film) =
        films.find(|film| film.role == Role::Content && film.from.record < from.record)
    else {
        return;
    };
    // Where positions are not heard, content gets as far as the time that it is on screen.
    let on_screen = film.to.map_or(from.at, |to| to.at) - film.from.at;
    let reached = session.content_at(from.record).unwrap_or(on_screen);
    let is_at_begin = reached <= BEGINNING;
    let is_asked_first = spot.asked.is_some_and(|asked| asked < film.from.record);
    // Once its document has arrived, a player has no reason to show content first.
    let is_there = if spot.record < film.from.record {
        Sure::Certain
    } else {
        Sure::Likely
    };
    let sure = match &spot.due {
        // Page code may ask for it later.
        Some(TimeOffset::Start) if is_asked_first => is_there,
        Some(TimeOffset::At(at)) if *at == Span::ZERO && is_asked_first => is_there,
        Some(
            TimeOffset::Start
            | TimeOffset::At(_)
            | TimeOffset::End
            | TimeOffset::Share(_)
            | TimeOffset::Position(_)
            | TimeOffset::Unreadable(_),
        ) => return,
        // An ad that was asked for before the content began, and comes at its beginning.
        None if is_asked_first && is_at_begin && !has_seek(session, from) => Sure::Likely,
        None => return,
    };
    let length = brief(film.to.map_or(from.at, |to| to.at) - film.from.at);
    let seen = format!(
        "content is on screen for {length} s before {}, its pre-roll",
        ad.name
    );
    findings.add(
        film.from.record,
        sure,
        seen,
        "no content before the pre-roll",
    );
}

/// Returns whether content was moved before a moment.
fn has_seek(session: &Session<'_>, before: Moment) -> bool {
    session.lines().take(before.record).any(|(_, line)| {
        line.media_event() == Some(EventName::Seeking)
            || *line.name == *"currentTime"
            || *line.name == *"seek"
    })
}
