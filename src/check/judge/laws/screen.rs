//! What is on screen around an ad.
//!
//! Rules: SCR-1 to SCR-3, PRE-1.

use super::super::lines::{brief, position};
use super::super::screen::Shown;
use super::super::session::Session;
use super::super::showing::{Moment, Showing};
use super::super::spots::Role;
use super::super::{Findings, Sure};
use crate::api::{EventName, Kind, LineName, UiLine};
use crate::time::Span;
use crate::vast::vmap::TimeOffset;

/// How long after an ad the session may take to go on: media have to load.
const GOES_ON: Span = Span::from_secs(3);

/// A break that begins this early in the content was meant to come before it.
const BEGINNING: Span = Span::from_secs(1);

/// While an ad is on screen, the content's playhead does not advance. Rule SCR-1.
pub(super) fn no_content_under_an_ad(session: &Session<'_>, findings: &mut Findings) {
    for showing in &session.showings {
        let (Some(from), Some(_)) = (showing.from, showing.spot) else { continue };
        let to = showing.to.map_or(session.trace.records.len(), |to| to.record);
        let Some(lines) = session.trace.records.get(from.record..to) else { continue };
        let mut first: Option<Span> = None;
        for (index, line) in (from.record..).zip(lines) {
            let is_content =
                line.data.text("src").is_some_and(|src| session.spots.role(src) == Role::Content);
            let is_update = line.is(LineName::MediaEvent(EventName::TimeUpdate));
            let Some(here) = position(line).filter(|_| is_content && is_update) else { continue };
            let start = *first.get_or_insert(here);
            if here > start + session.within {
                let [start, here] = [start, here].map(brief);
                let seen = format!(
                    "the content plays on from {start} s to {here} s while {} is on screen",
                    showing.name
                );
                findings.add(session, index, Sure::Certain, seen, "content that does not advance");
                break;
            }
        }
    }
}

/// No content is on screen between two ads of one pod. Rule SCR-2.
pub(super) fn no_content_within_a_pod(session: &Session<'_>, findings: &mut Findings) {
    let shown: Vec<&Showing> =
        session.showings.iter().filter(|it| it.from.is_some() && it.spot.is_some()).collect();
    for pair in shown.windows(2) {
        let [one, next] = pair else { continue };
        let (Some(to), Some(from)) = (one.to, next.from) else { continue };
        let is_pod = one.pod == next.pod && one.spot != next.spot && is_sequence(session, one, next);
        if let Some(film) = content_between(session, to, from).filter(|_| is_pod) {
            let length = brief(film.to.map_or(from.at, |to| to.at) - film.from.at);
            let seen = format!(
                "content is on screen for {length} s between {} and {}, two ads of one pod",
                one.name, next.name
            );
            findings.add(session, film.from.record, Sure::Certain, seen, "the next ad of the pod");
        }
    }
}

fn is_sequence(session: &Session<'_>, one: &Showing, next: &Showing) -> bool {
    let sequence = |showing: &Showing| showing.spot.and_then(|spot| session.spots.all[spot].sequence);
    matches!((sequence(one), sequence(next)), (Some(one), Some(next)) if one < next)
}

fn content_between<'s>(session: &'s Session<'_>, one: Moment, next: Moment) -> Option<&'s Shown> {
    let mut films = session.screen.iter().filter(|film| film.role == Role::Content);
    films.find(|film| film.from.record >= one.record && film.from.record < next.record)
}

/// After an ad, content comes back, or another ad, or the end. Rule SCR-3.
pub(super) fn the_session_goes_on(session: &Session<'_>, findings: &mut Findings) {
    let Some(last) = session.screen.iter().rfind(|film| film.role == Role::Ad) else { return };
    let Some(gone) = last.to else { return };
    let comes = session.screen.iter().any(|film| film.from.record >= gone.record && film.role != Role::Ad);
    // What ends, fails or is stopped need not go on.
    let ends = |name: EventName| {
        session.lines().any(|(_, line)| {
            line.media_event() == Some(name)
                && is_of_content(session, line.data.text("src").map(|src| &**src))
        })
    };
    let is_over = ends(EventName::Ended) || ends(EventName::Error) || is_stopped(session, gone);
    // A recording that ends with the ad does not say what came after it.
    let is_cut = !session.goes_on(gone.at, GOES_ON);
    if comes || is_over || is_cut || !session.hears(Kind::Ui, UiLine::Shown.name()) && !session.sees() {
        return;
    }
    let was_content = session.screen.iter().any(|film| film.role == Role::Content);
    let before = if was_content { "does not come back" } else { "does not begin" };
    let (waited, due) = (brief(session.end - gone.at), brief(GOES_ON));
    let seen =
        format!("the last ad is gone, and content {before} in the {waited} s that were recorded after it");
    findings.add(session, gone.record, Sure::Likely, seen, format!("content within {due} s, or the end"));
}

fn is_stopped(session: &Session<'_>, gone: Moment) -> bool {
    let ends = ["stop", "destroy", "pause", "src"];
    session.lines().any(|(index, line)| {
        let is_act = matches!(line.kind, Kind::Call | Kind::User);
        is_act && ends.contains(&&*line.name) && index <= gone.record + 1_000
    })
}

fn is_of_content(session: &Session<'_>, src: Option<&str>) -> bool {
    src.is_none_or(|src| session.spots.role(src) != Role::Ad)
}

/// Content is not on screen before its pre-roll. Rule PRE-1.
pub(super) fn pre_roll_before_content(session: &Session<'_>, findings: &mut Findings) {
    let Some((ad, from)) = session.showings.iter().find_map(|it| Some((it, it.from?))) else { return };
    let Some(spot) = ad.spot.map(|spot| &session.spots.all[spot]) else { return };
    let mut films = session.screen.iter();
    let Some(film) = films.find(|film| film.role == Role::Content && film.from.record < from.record) else {
        return;
    };
    let reached = session.content_at(from.record).unwrap_or_default();
    let is_asked_first = spot.asked.is_some_and(|asked| asked < film.from.record);
    let sure = match &spot.due {
        Some(TimeOffset::Start) => Sure::Certain,
        Some(TimeOffset::At(at)) if *at == Span::ZERO => Sure::Certain,
        Some(
            TimeOffset::At(_)
            | TimeOffset::End
            | TimeOffset::Share(_)
            | TimeOffset::Position(_)
            | TimeOffset::Unreadable(_),
        ) => return,
        // An ad that was asked for before the content began, and comes at its beginning.
        None if is_asked_first && reached <= BEGINNING && !has_seek(session, from) => Sure::Likely,
        None => return,
    };
    let length = brief(film.to.map_or(from.at, |to| to.at) - film.from.at);
    let seen = format!("content is on screen for {length} s before {}, its pre-roll", ad.name);
    findings.add(session, film.from.record, sure, seen, "no content before the pre-roll");
}

/// Returns whether content was moved before a moment.
fn has_seek(session: &Session<'_>, before: Moment) -> bool {
    session.lines().take(before.record).any(|(_, line)| {
        line.media_event() == Some(EventName::Seeking)
            || *line.name == *"currentTime"
            || *line.name == *"seek"
    })
}
