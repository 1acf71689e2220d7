//! Lengths: of the content, and of the played part of an ad.

use std::collections::BTreeMap;

use super::{AdVerdict, BreakVerdict, ContentLength, Planned, PlayedLength, RecordedBreakKind};
use crate::evidence::{Certainty, Evidence, HeardFilms, Role, bare};
use crate::recording::Exchange;
use playsim_base::place::Place;
use playsim_base::time::{Span, Time};
use playsim_vast::vmap::TimeOffset;
use playsim_vast::{Ad, CreativeKind, TrackingEvent};

/// The pixels whose time is a share of the ad's length, in quarters.
const QUARTERS: &[(TrackingEvent, u64)] = &[
    (TrackingEvent::FirstQuartile, 1),
    (TrackingEvent::Midpoint, 2),
    (TrackingEvent::ThirdQuartile, 3),
    (TrackingEvent::Complete, 4),
];
/// Pixels that are this much apart from where they are due are so by chance.
const CHANCE: Span = Span::from_millis(400);
/// The pixel of the start, which a browser sends while it is busy with the film, may be this much
/// apart.
const START: Span = Span::from_millis(600);

/// Returns the ad at a place of a document.
pub(crate) fn source(evidence: &Evidence, document: usize, at: Place) -> Option<&Ad> {
    let read = evidence.documents.get(document)?.read.as_ref()?;
    let inner = read.embedded().flat_map(|inner| &inner.ads);
    read.ads.iter().chain(inner).find(|it| it.at == at)
}

/// Returns the length of an ad as its document says.
pub(super) fn documented(evidence: &Evidence, document: usize, at: Place) -> Option<Span> {
    source(evidence, document, at)?
        .creatives
        .iter()
        .find_map(|creative| match &creative.kind {
            CreativeKind::Linear(linear) => linear.duration,
            CreativeKind::NonLinear(_) | CreativeKind::Companions(_) | CreativeKind::Empty => None,
        })
}

/// Finds out from the spacing of their pixels how much of each ad was played.
pub(super) fn measure(evidence: &Evidence, ads: &mut [AdVerdict]) {
    let mut times: BTreeMap<(usize, Place), Vec<(TrackingEvent, Time)>> = BTreeMap::new();
    for (index, name, event) in evidence.pixels() {
        if let (Some(at), true, Some(event)) = (name.ad, name.is_inline, event.known()) {
            let it = &evidence.recording.exchanges[index];
            times
                .entry((name.document, at))
                .or_default()
                .push((event, it.at()));
        }
    }
    let films = films(evidence);
    for ad in ads {
        let key = (ad.document, ad.at);
        if let (Some(events), Some(documented)) = (times.get(&key), ad.documented) {
            let chance = CHANCE + evidence.recording.clock.slack();
            ad.played = played(ad, events, documented, films.get(&key).copied(), chance);
        }
    }
}

/// Returns the lengths of the ads' files whose headers the recording has.
fn films(evidence: &Evidence) -> BTreeMap<(usize, Place), Span> {
    let mut films = BTreeMap::new();
    for (finding, it) in evidence.each() {
        if let (Role::Media(index), Some(length)) = (&finding.role, it.film) {
            let name = &evidence.names.all[*index];
            if let Some(at) = name.ad {
                films.entry((name.document, at)).or_insert(length);
            }
        }
    }
    films
}

fn played(
    ad: &AdVerdict,
    events: &[(TrackingEvent, Time)],
    documented: Span,
    film: Option<Span>,
    chance: Span,
) -> PlayedLength {
    let start = events
        .iter()
        .find(|(event, at)| *event == TrackingEvent::Start && *at >= ad.start);
    let start = start.map_or(ad.start, |(_, at)| *at);
    // How long it was paused before a time.
    let paused = |until: Time| {
        let mut since = None;
        let mut paused = Span::ZERO;
        for (event, at) in events.iter().filter(|(_, at)| *at >= start && *at <= until) {
            if *event == TrackingEvent::Pause {
                since = since.or(Some(*at));
            } else if *event == TrackingEvent::Resume {
                paused += since.take().map_or(Span::ZERO, |since| *at - since);
            }
        }
        paused
    };
    let seen: Vec<(TrackingEvent, u64, Span)> = QUARTERS
        .iter()
        .filter_map(|(event, quarters)| {
            let (_, at) = events
                .iter()
                .find(|(other, at)| other == event && *at >= start)?;
            Some((*event, *quarters, (*at - start) - paused(*at)))
        })
        .collect();
    let apart = |a: Span, b: Span| (a - b).max(b - a);
    // If all are early or late by the same time, it is the pixel of the start that was late or
    // early.
    let fits = |length: Span| {
        let due = |quarters: u64| length.share(quarters, 4);
        let most = seen
            .iter()
            .map(|(_, quarters, at)| apart(*at, due(*quarters)))
            .max()
            .unwrap_or_default();
        let early = seen.iter().map(|(_, quarters, at)| due(*quarters) - *at);
        let late = seen.iter().map(|(_, quarters, at)| *at - due(*quarters));
        let is_same = |spans: Vec<Span>| {
            let (least, most) = (spans.iter().min().copied(), spans.iter().max().copied());
            seen.len() >= 3
                && most
                    .zip(least)
                    .is_some_and(|(most, least)| least + chance.share(1, 2) >= most)
        };
        most <= chance || most <= START && is_same(early.collect()) && is_same(late.collect())
    };
    if seen.len() < 2 {
        return PlayedLength::Unknown;
    }
    let is_documented = |length: Span| apart(length, documented) <= chance;
    match film {
        Some(file) if !is_documented(file) && fits(file) => {
            return PlayedLength::OtherLength { file };
        }
        Some(_) | None if fits(documented) => return PlayedLength::AsDocumented,
        Some(_) | None => {}
    }
    // The length that the last pixel shows: if all others fit it, the file is that long.
    let length = seen
        .last()
        .map(|(_, quarters, at)| at.times(4).share(1, *quarters))
        .unwrap_or_default();
    if film.is_none() && seen.len() >= 3 && length > chance.times(2) && fits(length) {
        let millis = (length.micros() + 50_000) / 100_000 * 100;
        return PlayedLength::OtherPace {
            length: Span::from_millis(millis),
        };
    }
    let due = film.unwrap_or(documented);
    let early = seen.iter().filter_map(|(event, quarters, at)| {
        let by = due.share(*quarters, 4) - *at;
        (by > chance).then_some((*event, by))
    });
    let events: Vec<(TrackingEvent, Span)> = early.collect();
    if events.is_empty() {
        PlayedLength::Unknown
    } else {
        PlayedLength::FiredEarly { events, file: film }
    }
}

/// Returns the length of the content that the header of its file says: of the first film, if there
/// are several.
pub(super) fn of_file(evidence: &Evidence) -> Option<Span> {
    let contents = || {
        let films = evidence.contents().filter(|(_, film)| *film == 0);
        films.map(|(it, _)| it)
    };
    // A stream has a playlist for each quality, and many files.
    let is_playlist = |it: &Exchange| it.text().is_some_and(|text| text.starts_with(['#', '<']));
    let streams = contents().filter(|it| is_playlist(it));
    let lengths: Vec<Span> = streams.filter_map(|it| it.film).collect();
    if let Some((least, most)) = lengths.iter().min().zip(lengths.iter().max()) {
        return Some(*most).filter(|most| *most <= *least + Span::from_secs(1));
    }
    let mut urls = contents().map(|it| bare(&it.url));
    let first = urls.next()?;
    if urls.any(|url| url != first) {
        return None;
    }
    contents().find_map(|it| it.film)
}

/// Returns the length of the content, as far as its file or breaks show it.
pub(super) fn of(evidence: &Evidence, plan: &[Planned], breaks: &[BreakVerdict]) -> ContentLength {
    if let Some(length) = evidence.hints.content_length {
        return ContentLength {
            length: Some(length),
            certainty: Certainty::Assumed,
            why: "--content says so".to_owned(),
        };
    }
    if let Some(length) = of_file(evidence) {
        let why = "the header of its file, or its playlist, says so".to_owned();
        return ContentLength {
            length: Some(length),
            certainty: Certainty::Seen,
            why,
        };
    }
    if let Some(length) = evidence.heard.as_ref().and_then(HeardFilms::length) {
        let why = "its media element says so".to_owned();
        return ContentLength {
            length: Some(length),
            certainty: Certainty::Seen,
            why,
        };
    }
    // When the content played: from the end of one break to the begin of the next.
    let ends = |it: &BreakVerdict| {
        let ads = it.ads.iter().map(|ad| {
            ad.end
                .as_ref()
                .map_or(ad.start + ad.documented.unwrap_or_default(), |(end, _)| {
                    *end
                })
        });
        let tags = it
            .tags
            .iter()
            .map(|tag| tag.asked + tag.waited.or(tag.took).unwrap_or_default());
        ads.chain(tags).max().unwrap_or(it.begin)
    };
    let played_before = |last: &BreakVerdict| {
        let mut before: Vec<(Time, Time)> = breaks
            .iter()
            .filter(|it| it.begin < last.begin && it.kinds != [RecordedBreakKind::Schedule])
            .map(|it| (it.begin, ends(it)))
            .collect();
        before.sort_unstable();
        let start = before.first().map_or(last.begin, |(_, end)| *end);
        let busy = before
            .iter()
            .skip(1)
            .fold(Span::ZERO, |sum, (begin, end)| sum + (*end - *begin));
        (last.begin - start) - busy
    };
    let post = breaks
        .iter()
        .find(|it| it.kinds == [RecordedBreakKind::PostRoll]);
    let offsets = plan.iter().flat_map(|it| it.pods.iter().flatten());
    let reads = offsets.filter_map(|root| evidence.documents[*root].read.as_ref());
    let has_end = reads
        .flat_map(|read| &read.breaks)
        .any(|it| it.time_offset == Some(TimeOffset::End));
    if let (Some(post), true) = (post, has_end) {
        // A player may ask for the ads of all breaks ahead: then only an ad of it shows when it
        // came.
        let shown = post.ads.first().map(|ad| ad.start);
        let begins = breaks
            .iter()
            .filter(|it| it.kinds != [RecordedBreakKind::Schedule])
            .map(|it| it.begin);
        let is_ahead = begins
            .filter(|begin| *begin <= post.begin + CHANCE && *begin + CHANCE >= post.begin)
            .count()
            > 1;
        let at = if is_ahead { shown } else { Some(post.begin) };
        if let Some(at) = at {
            let length = played_before(&BreakVerdict {
                begin: at,
                ..post.clone()
            });
            let why = "the post-roll of the schedule came when it was over".to_owned();
            return ContentLength {
                length: Some(length),
                certainty: Certainty::Inferred,
                why,
            };
        }
    }
    let why = "nothing in the recording shows it".to_owned();
    ContentLength {
        length: None,
        certainty: Certainty::Unknown,
        why,
    }
}
