//! The ads that were shown, by the documents of the session: their films say when, their URLs which
//! trackers are theirs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Session;
use super::lines::{Act, called, position};
use super::screen::Shown;
use super::showing::{FIRST, LAST, Moment, NamedTracker, Showing, TrackerCall, is_among};
use super::spots::{Role, Tracker, is_same};
use playsim_api::{EventName, Kind, LineName};
use playsim_base::time::{Span, Time};
use playsim_trace::Record;
use playsim_vast::TrackingEvent;

/// A film that continues from a later position than this is the same showing as before.
const GOES_ON: Span = Span::from_millis(500);

/// A tracker that belongs to the end of an ad is rather that of the one before, and the reverse.
const OTHER_SIDE: Span = Span::from_secs(5);

/// Returns the ads that were shown, and those whose trackers were called although they were not.
pub(super) fn showings(session: &Session<'_>) -> Vec<Showing> {
    let mut showings = on_screen(session);
    let calls = session.lines().filter_map(|(index, record)| {
        let url = called(record)?;
        let tracker = session
            .spots()
            .tracker(&url)
            .filter(|tracker| !tracker.spots.is_empty())?;
        Some((index, record, url, tracker))
    });
    let mut calls: Vec<_> = calls.collect();
    // An ad's own trackers say when it is shown; those of the wrappers around it belong to one of
    // these times.
    calls.sort_by_key(|(_, _, _, tracker)| !is_its_own(session, tracker));
    for (index, record, url, tracker) in calls {
        let is_error = tracker.event == TrackingEvent::Error;
        let number = match nearest(session, &showings, &tracker, index) {
            Some(number) => number,
            // The error of a chain without an ad is not the tracker of an ad.
            None if is_error => continue,
            // Nor does a wrapper round several ads say which of them is shown.
            None if tracker.spots.len() > 1 && !is_its_own(session, &tracker) => continue,
            None => {
                let Some(spot) = unused(session, &showings, &tracker, index) else {
                    continue;
                };
                showings.push(unseen(session, spot, index));
                showings.len() - 1
            }
        };
        let is_around_several = tracker.spots.len() > 1 && !is_its_own(session, &tracker);
        let shown = showings
            .iter()
            .filter(|it| it.spot.is_some_and(|spot| tracker.spots.contains(&spot)))
            .count();
        let showing = &mut showings[number];
        showing.first = showing.first.min(index);
        showing.calls.push(TrackerCall {
            record: index,
            turn: 0,
            at: record.at,
            event: tracker.event,
            url,
            key: tracker.key,
            is_shared: shown > 1 || is_around_several,
            code: tracker.code,
        });
    }
    for showing in &mut showings {
        showing.settle(session.is_own);
    }
    showings.sort_by_key(|showing| showing.first);
    showings
}

/// Returns the showing that a call belongs to: the one that was on screen, or else the nearest in
/// time. `None` if it is one that has not begun.
fn nearest(
    session: &Session<'_>,
    showings: &[Showing],
    tracker: &Tracker,
    index: usize,
) -> Option<usize> {
    let (event, at) = (&tracker.event, session.trace.records[index].at);
    let begins = is_among(event, &FIRST);
    let distance = |showing: &Showing| {
        let (Some(from), to) = (showing.from, showing.to) else {
            // Never on screen: it goes on from its first tracker until another one begins.
            let first = showing.calls.iter().min_by_key(|call| call.record);
            let Some(first) = first else {
                return (false, Span::ZERO);
            };
            let is_ahead = index < first.record;
            let may_be_first = begins || *event == TrackingEvent::Error;
            return (is_ahead && !may_be_first, (at - first.at) + (first.at - at));
        };
        let is_over = to.is_some_and(|to| to.record < index);
        let to = to.map_or(Time::MAX, |to| to.at);
        let (early, late) = (from.at - at, at - to);
        let penalty = (begins && is_over) || (is_among(event, &LAST) && from.record > index);
        let far = if penalty { OTHER_SIDE } else { Span::ZERO };
        (false, early + late + far)
    };
    let all = showings.iter().enumerate();
    let player = session.trace.records[index].player;
    let is_his = |it: &Showing| it.player.is_none() || player.is_none() || it.player == player;
    let of_spots = all
        .filter(|(_, it)| it.spot.is_some_and(|spot| tracker.spots.contains(&spot)))
        .filter(|(_, it)| is_his(it));
    let (number, best) = of_spots.min_by_key(|(_, showing)| distance(showing))?;
    // An ad that begins again is another one of its kind, if one more has arrived.
    let is_again = || {
        best.calls
            .iter()
            .any(|call| call.key == tracker.key && call.event == *event)
    };
    let is_over = best.from.is_none() || best.to.is_some_and(|to| to.record < index);
    let is_other = is_over && begins && is_again();
    (!is_other || unused(session, showings, tracker, index).is_none()).then_some(number)
}

/// Returns whether a tracker is one of an ad itself, and not of a wrapper around it.
fn is_its_own(session: &Session<'_>, tracker: &Tracker) -> bool {
    let of = |spot: &usize| {
        session.spots().all[*spot]
            .named
            .iter()
            .any(|it| it.hops == 0 && it.key == tracker.key)
    };
    tracker.spots.iter().any(of)
}

/// Returns the first ad with this tracker that has arrived and was not shown.
fn unused(
    session: &Session<'_>,
    showings: &[Showing],
    tracker: &Tracker,
    index: usize,
) -> Option<usize> {
    let is_unused = |spot: &&usize| showings.iter().all(|showing| showing.spot != Some(**spot));
    let mut free = tracker.spots.iter().filter(is_unused);
    // Of several, the one whose wrappers are called as well.
    let arrived: Vec<&usize> = free
        .clone()
        .filter(|spot| session.spots().all[**spot].record < index)
        .collect();
    let calls = if arrived.len() > 1 {
        called_keys(session)
    } else {
        Vec::new()
    };
    let at = session.trace.records[index].at;
    let arrived = arrived
        .into_iter()
        .min_by_key(|spot| uncalled(session, &calls, **spot, at).unwrap_or_default());
    let is_first = || {
        !showings
            .iter()
            .any(|it| it.spot.is_some_and(|spot| tracker.spots.contains(&spot)))
    };
    arrived
        .or_else(|| free.next().filter(|_| is_first()))
        .copied()
}

/// Returns the showing of an ad whose film was never on screen.
fn unseen(session: &Session<'_>, spot: usize, first: usize) -> Showing {
    let ad = &session.spots().all[spot];
    Showing {
        name: ad.name.clone(),
        spot: Some(spot),
        known: Some(spot),
        player: session.trace.records[first].player,
        skip_from: ad.skip_from,
        first,
        length: ad.length,
        is_length_written: true,
        is_overlay: ad.is_overlay,
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
    let calls = called_keys(session);
    // How often each ad was shown.
    let mut times: BTreeMap<usize, usize> = BTreeMap::new();
    for film in session.screen().iter().filter(|film| film.role == Role::Ad) {
        if let Some(last) = showings
            .iter_mut()
            .rev()
            .find(|it| is_of(session, it, &film.src))
            && continues(session, last, film)
        {
            last.still.extend(last.to.map(|to| (to.at, film.from.at)));
            last.to = film.to;
            continue;
        }
        let spots = session.spots().with_film(&film.src);
        let came = |spot: &&usize| session.spots().all[**spot].record <= film.from.record;
        let shown = |spot: &usize| times.get(spot).copied().unwrap_or_default();
        // The first answer that has not been shown, rather one whose trackers are called now, with
        // those of its wrappers; of a pod, the first ad.
        let free = || spots.iter().filter(came).filter(|spot| shown(spot) == 0);
        let called =
            free().filter_map(|spot| Some((uncalled(session, &calls, *spot, film.from.at)?, spot)));
        let next = called.min().map(|(_, spot)| spot).or(free().min());
        let Some(spot) = next
            .or_else(|| spots.iter().rfind(came))
            .or(spots.first())
            .copied()
        else {
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

/// Returns the trackers that are called, each with its time.
fn called_keys(session: &Session<'_>) -> Vec<(Time, Arc<str>)> {
    let key = |line: &Record| Some((line.at, session.spots().tracker(&called(line)?)?.key));
    session.lines().filter_map(|(_, line)| key(line)).collect()
}

/// Returns how many of an ad's first trackers are not called when a film comes on screen; `None` if
/// none of the ad itself is.
fn uncalled(
    session: &Session<'_>,
    calls: &[(Time, Arc<str>)],
    spot: usize,
    from: Time,
) -> Option<usize> {
    let first = session.spots().all[spot]
        .named
        .iter()
        .filter(|it| is_among(&it.event, &FIRST));
    let is_called = |it: &&NamedTracker| {
        calls
            .iter()
            .any(|(at, key)| *at + NEAR >= from && *at <= from + NEAR && *key == it.key)
    };
    let is_own = first
        .clone()
        .filter(|it| it.hops == 0)
        .any(|it| is_called(&it));
    is_own.then(|| first.filter(|it| it.is_due && !is_called(it)).count())
}

/// A tracker that is called this near to the beginning of a film is one of its beginning.
const NEAR: Span = Span::from_millis(500);

fn is_of(session: &Session<'_>, showing: &Showing, src: &str) -> bool {
    showing.spot.is_some_and(|spot| {
        session.spots().all[spot]
            .media
            .iter()
            .any(|media| is_same(media, src))
    })
}

/// Returns whether a film continues where the previous showing left it.
fn continues(session: &Session<'_>, last: &Showing, film: &Shown) -> bool {
    let between = last.to.map_or(0, |to| to.record)..=film.from.record;
    let Some(lines) = session.trace.records.get(between) else {
        return false;
    };
    let is_over = |event: EventName| {
        lines
            .iter()
            .any(|line| line.is(LineName::MediaEvent(event)) && is_film(line, &film.src))
    };
    let at = session.trace.records[..=film.from.record]
        .iter()
        .rev()
        .find(|line| is_film(line, &film.src));
    let at = at.and_then(position).unwrap_or_default();
    at > GOES_ON && !is_over(EventName::Ended) && !is_over(EventName::LoadStart)
}

/// Finds when the film of a showing was paused or stalled, and how long it lasts.
fn watch(session: &Session<'_>, showing: &mut Showing) {
    let Some(from) = showing.from else { return };
    let until = showing
        .to
        .map_or(session.trace.records.len(), |to| to.record + 1);
    let Some(src) = session.trace.records[from.record].data.text("src") else {
        return;
    };
    let is_skip = |line: &Record| Act::of(line) == Some(Act::Skip);
    let is_skipped = session.trace.records[from.record..until.min(session.trace.records.len())]
        .iter()
        .any(is_skip);
    let mut since: Option<Time> = None;
    let mut is_steady = true;
    let mut before: Option<(Time, Span)> = None;
    // The last event of a film may come after the line that says that it is gone.
    let end = (until + 2).min(session.trace.records.len());
    for record in &session.trace.records[from.record..end] {
        match record.event() {
            Some(EventName::AdPause) => _ = since.get_or_insert(record.at),
            Some(EventName::AdResume) => showing
                .still
                .extend(since.take().map(|since| (since, record.at))),
            Some(_) | None => {}
        }
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
            Some(EventName::Seeking | EventName::Seeked | EventName::RateChange) => {
                is_steady = false
            }
            Some(EventName::Ended) => {
                // The media themselves say how long they are, unless they were brought to an end.
                // Rule BRK-22
                if let Some(length) = here.filter(|length| *length > Span::ZERO && !is_skipped) {
                    showing.length = Some(length);
                    showing.is_length_written = false;
                }
                // Before its end a film is paused. What its element does after it does not concern
                // the ad.
                since = None;
                break;
            }
            // Its element has another film.
            Some(EventName::Emptied) => break,
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
        showing.positions.extend(before.filter(|_| here.is_some()));
    }
    if let Some(since) = since {
        showing
            .still
            .push((since, showing.to.map_or(session.end, |to: Moment| to.at)));
    }
    showing.is_steady = is_steady;
}

fn is_film(record: &Record, src: &str) -> bool {
    record.data.text("src").is_some_and(|own| is_same(own, src))
}
