//! The ads that were shown, by the documents of the session: their films say when, their URLs which trackers are theirs.

use std::collections::BTreeMap;

use super::lines::{called, position};
use super::screen::Shown;
use super::session::Session;
use super::showing::{Call, LAST, Moment, Showing};
use super::spots::{Role, is_same};
use crate::api::{EventName, Kind, LineName};
use crate::time::{Span, Time};
use crate::trace::Record;

/// A film that continues from a later position than this is the same showing as before.
const GOES_ON: Span = Span::from_millis(500);

/// A tracker that belongs to the end of an ad is rather that of the one before, and the reverse.
const OTHER_SIDE: Span = Span::from_secs(5);

/// Returns the ads that were shown, and those whose trackers were called although they were not.
pub(super) fn showings(session: &Session<'_>) -> Vec<Showing> {
    let mut showings = on_screen(session);
    for (index, record) in session.lines() {
        let Some(url) = called(record) else { continue };
        let Some(tracker) = session.spots.tracker(&url) else { continue };
        let candidates = || tracker.spots.iter().copied();
        if tracker.spots.is_empty() {
            continue;
        }
        let best = nearest(&showings, &tracker.spots, &tracker.event, record.at);
        let is_error = *tracker.event == *"error";
        let number = match best {
            Some(number) => number,
            // The error of a chain without an ad is not the tracker of an ad.
            None if is_error => continue,
            None => {
                let known = candidates().rfind(|spot| session.spots.all[*spot].record < index);
                let Some(spot) = known.or(candidates().next()) else { continue };
                showings.push(unseen(session, spot, index));
                showings.len() - 1
            }
        };
        let shown =
            showings.iter().filter(|it| it.spot.is_some_and(|spot| tracker.spots.contains(&spot))).count();
        let showing = &mut showings[number];
        showing.first = showing.first.min(index);
        showing.calls.push(Call {
            record: index,
            at: record.at,
            event: tracker.event,
            url,
            key: tracker.key,
            is_shared: shown > 1,
        });
    }
    showings.sort_by_key(|showing| showing.first);
    showings
}

/// Returns the showing that a call belongs to: the one that was on screen, or else the nearest in time.
fn nearest(showings: &[Showing], spots: &[usize], event: &str, at: Time) -> Option<usize> {
    let of_spots = |showing: &Showing| showing.spot.is_some_and(|spot| spots.contains(&spot));
    let begins = event == "impression" || event == "creativeView" || event == "start" || event == "loaded";
    let distance = |showing: &Showing| {
        let (Some(from), to) = (showing.from, showing.to) else {
            // Never on screen: by its other trackers.
            return showing.calls.last().map_or(Span::ZERO, |last| at - last.at);
        };
        let to = to.map_or(Time::MAX, |to| to.at);
        let (early, late) = (from.at - at, at - to);
        let penalty = (begins && late > Span::ZERO) || (LAST.contains(&event) && early > Span::ZERO);
        early + late + if penalty { OTHER_SIDE } else { Span::ZERO }
    };
    let all = showings.iter().enumerate().filter(|(_, showing)| of_spots(showing));
    all.min_by_key(|(_, showing)| distance(showing)).map(|(number, _)| number)
}

/// Returns the showing of an ad whose film was never on screen.
fn unseen(session: &Session<'_>, spot: usize, first: usize) -> Showing {
    let ad = &session.spots.all[spot];
    Showing {
        name: ad.name.clone(),
        spot: Some(spot),
        first,
        length: ad.length,
        named: Some(ad.named.clone()),
        pod: Some(ad.document),
        is_scripted: ad.is_scripted,
        is_whole: true,
        ..Showing::default()
    }
}

/// Returns the ads whose films were on screen.
fn on_screen(session: &Session<'_>) -> Vec<Showing> {
    let mut showings: Vec<Showing> = Vec::new();
    // How often each ad was shown.
    let mut times: BTreeMap<usize, usize> = BTreeMap::new();
    for film in session.screen.iter().filter(|film| film.role == Role::Ad) {
        if let Some(last) = showings.iter_mut().rev().find(|it| is_of(session, it, &film.src))
            && continues(session, last, film)
        {
            last.still.extend(last.to.map(|to| (to.at, film.from.at)));
            last.to = film.to;
            continue;
        }
        let spots = session.spots.with_film(&film.src);
        let came = |spot: &&usize| session.spots.all[**spot].record <= film.from.record;
        let shown = |spot: &usize| times.get(spot).copied().unwrap_or_default();
        // The last answer that has not been shown; of a pod, the first ad.
        let next = spots.iter().filter(came).filter(|spot| shown(spot) == 0).min();
        let Some(spot) = next.or_else(|| spots.iter().rfind(came)).or(spots.first()).copied() else {
            continue;
        };
        *times.entry(spot).or_default() += 1;
        let mut showing = unseen(session, spot, film.from.record);
        showing.from = Some(film.from);
        showing.to = film.to;
        showings.push(showing);
    }
    for showing in &mut showings {
        watch(session, showing);
    }
    showings
}

fn is_of(session: &Session<'_>, showing: &Showing, src: &str) -> bool {
    showing.spot.is_some_and(|spot| session.spots.all[spot].media.iter().any(|media| is_same(media, src)))
}

/// Returns whether a film goes on where the showing before has left it.
fn continues(session: &Session<'_>, last: &Showing, film: &Shown) -> bool {
    let between = last.to.map_or(0, |to| to.record)..=film.from.record;
    let Some(lines) = session.trace.records.get(between) else { return false };
    let is_over = |event: EventName| {
        lines.iter().any(|line| line.is(LineName::MediaEvent(event)) && is_film(line, &film.src))
    };
    let at = session.trace.records[..=film.from.record].iter().rev().find(|line| is_film(line, &film.src));
    let at = at.and_then(position).unwrap_or_default();
    at > GOES_ON && !is_over(EventName::Ended) && !is_over(EventName::LoadStart)
}

/// Finds when the film of a showing was paused or stalled, and how long it lasts.
fn watch(session: &Session<'_>, showing: &mut Showing) {
    let Some(from) = showing.from else { return };
    let until = showing.to.map_or(session.trace.records.len(), |to| to.record + 1);
    let Some(src) = session.trace.records[from.record].data.text("src") else { return };
    let is_skip = |line: &Record| matches!(line.kind, Kind::User | Kind::Call) && *line.name == *"skip";
    let is_skipped =
        session.trace.records[from.record..until.min(session.trace.records.len())].iter().any(is_skip);
    let mut since: Option<Time> = None;
    let mut is_steady = true;
    let mut before: Option<(Time, Span)> = None;
    // The last event of a film may come after the line that says that it is gone.
    let end = (until + 2).min(session.trace.records.len());
    for record in &session.trace.records[from.record..end] {
        if record.kind != Kind::Media || !is_film(record, src) {
            continue;
        }
        let here = position(record);
        match record.media_event() {
            Some(EventName::Pause | EventName::Waiting) => {
                since.get_or_insert(record.at);
            }
            Some(EventName::Playing) => {
                if let Some(since) = since.take() {
                    showing.still.push((since, record.at));
                }
            }
            Some(EventName::Seeking | EventName::Seeked | EventName::RateChange) => is_steady = false,
            Some(EventName::Ended) => {
                // The media themselves say how long they are, unless they were brought to an end. Rule BRK-22
                if !is_skipped {
                    showing.length = here.filter(|length| *length > Span::ZERO).or(showing.length);
                }
                // Before its end a film is paused.
                since = None;
            }
            Some(EventName::Error) => is_steady = false,
            // A film whose position does not advance has stalled, even if no event says so.
            Some(EventName::TimeUpdate) => {
                if let (Some((at, position)), Some(here)) = (before, here)
                    && since.is_none()
                {
                    let lost = (record.at - at) - (here - position);
                    if lost > session.within {
                        showing.still.push((at, at + lost));
                    }
                }
            }
            _ => {}
        }
        before = here.map(|here| (record.at, here)).or(before);
    }
    if let Some(since) = since {
        showing.still.push((since, showing.to.map_or(session.end, |to: Moment| to.at)));
    }
    showing.is_steady = is_steady;
}

fn is_film(record: &Record, src: &str) -> bool {
    record.data.text("src").is_some_and(|own| is_same(own, src))
}
