//! Recordings without bodies: documents by their media types, pixels and films by their order.

use super::answer;
use super::find::{Finder, is_media};
use super::{Bodies, Certainty, Ground, RequestFinding, Role};
use crate::recording::{Body, Exchange, RequestRecording};
use playsim_base::time::{Span, Time};
use playsim_vast::TrackingEvent;

/// The maximum delay between the response with an ad and the request for its film.
const SOON: Span = Span::from_secs(3);
/// The maximum number of documents that are inferred.
const MOST: usize = 64;

/// Words in the URLs of pixels, in lower case and without separators, with the event.
const WORDS: &[(&str, TrackingEvent)] = &[
    ("firstquartile", TrackingEvent::FirstQuartile),
    ("thirdquartile", TrackingEvent::ThirdQuartile),
    ("midpoint", TrackingEvent::Midpoint),
    ("complete", TrackingEvent::Complete),
    ("creativeview", TrackingEvent::CreativeView),
    ("impression", TrackingEvent::Impression),
    ("impr", TrackingEvent::Impression),
    ("start", TrackingEvent::Start),
    ("error", TrackingEvent::Error),
    ("skip", TrackingEvent::Skip),
];

/// Returns whether a recording has the relevant bodies. They are missing if there is no ad
/// document, and the XML responses, or all text responses, have no bodies.
pub(super) fn bodies(recording: &RequestRecording) -> Bodies {
    let is = |it: &Exchange, parts: &[&str]| {
        let mime = it.mime.as_deref().unwrap_or_default();
        parts.iter().any(|part| mime.contains(part))
    };
    let texts = || {
        let texts = ["xml", "json", "html", "javascript", "text"];
        recording.exchanges.iter().filter(move |it| is(it, &texts))
    };
    let missing = || texts().filter(|it| it.body == Body::Missing);
    let is_kept = texts().any(|it| matches!(it.body, Body::Text(_)));
    let lacks_xml = missing().any(|it| is(it, &["xml"]));
    let has_document = || {
        recording
            .exchanges
            .iter()
            .any(|it| answer::document(it).is_some())
    };
    if missing().next().is_some() && (!is_kept || lacks_xml && !has_document()) {
        Bodies::Missing
    } else {
        Bodies::Kept
    }
}

/// Adds the documents, films and pixels of a recording without bodies.
pub(super) fn add(finder: &mut Finder<'_>) {
    let is_xml = |index: usize| {
        let it = &finder.exchanges[finder.last(index)];
        it.mime
            .as_deref()
            .is_some_and(|mime| mime.contains("xml") && !mime.contains("html"))
            && !is_media(it)
    };
    let is_data = |it: &Exchange| {
        !matches!(
            it.purpose.as_deref(),
            Some("image" | "document" | "stylesheet")
        )
    };
    let all = 0..finder.exchanges.len();
    let found = all.filter(|index| {
        finder.findings[*index].role == Role::Other
            && is_data(&finder.exchanges[*index])
            && is_xml(*index)
    });
    let found: Vec<usize> = found.take(MOST).collect();
    for index in found {
        let mime = finder.exchanges[finder.last(index)]
            .mime
            .clone()
            .unwrap_or_default();
        finder.document(
            index,
            None,
            RequestFinding::inferred(Role::Other, Ground::MediaType { mime }),
        );
    }
    films(finder);
    pixels(finder);
    alone(finder);
}

/// Treats the only film of a recording as the content if no pixel shows that an ad was on the
/// screen. It could be either.
fn alone(finder: &mut Finder<'_>) {
    let roles = || finder.findings.iter().map(|finding| finding.role);
    let is_shown =
        |role: Role| matches!(role, Role::Called(event) if event != TrackingEvent::Error);
    let mut films = roles()
        .enumerate()
        .filter(|(_, role)| *role == Role::Film)
        .map(|(index, _)| index);
    let (Some(film), None) = (films.next(), films.next()) else {
        return;
    };
    let is_other = |(role, it): (Role, &Exchange)| {
        role == Role::Content && super::bare(&it.url) != super::bare(&finder.exchanges[film].url)
    };
    if !roles().any(is_shown) && !roles().zip(finder.exchanges).any(is_other) {
        finder.findings[film] = RequestFinding {
            role: Role::Content,
            certainty: Certainty::Unknown,
            ground: Ground::Nothing,
        };
    }
}

/// Finds the films of ads: those first requested soon after a document arrived, except the film
/// that was requested before any document.
fn films(finder: &mut Finder<'_>) {
    let Some(first) = finder
        .documents
        .iter()
        .map(|it| finder.exchanges[it.exchange].at())
        .min()
    else {
        return;
    };
    let mut answered: Vec<Time> = finder
        .documents
        .iter()
        .map(|it| finder.exchanges[it.answer].over())
        .collect();
    answered.sort_unstable();
    let mut known: std::collections::BTreeSet<&str> = std::collections::BTreeSet::new();
    for (index, it) in finder.exchanges.iter().enumerate() {
        if finder.findings[index].role != Role::Content {
            continue;
        }
        let at = it.at();
        let before = answered.partition_point(|time| *time <= at);
        let is_soon = before > 0 && at - answered[before - 1] <= SOON;
        if known.insert(super::bare(&it.url)) && at >= first && is_soon {
            let document = finder
                .documents
                .iter()
                .rposition(|it| finder.exchanges[it.answer].over() <= at);
            let tag = document.map_or(0, |document| finder.documents[document].exchange);
            finder.findings[index] = RequestFinding::inferred(Role::Film, Ground::Follows { tag });
        }
    }
}

/// Finds pixels: images and beacons after the first document whose URLs contain the name of an
/// event.
fn pixels(finder: &mut Finder<'_>) {
    let Some(first) = finder
        .documents
        .first()
        .map(|it| finder.exchanges[it.exchange].at())
    else {
        return;
    };
    for (index, it) in finder.exchanges.iter().enumerate() {
        let mime = it.mime.as_deref().unwrap_or_default();
        let is_pixel = matches!(it.purpose.as_deref(), Some("image" | "ping" | "beacon"))
            || mime.starts_with("image/gif")
            || it.status() == Some(204);
        if finder.findings[index].role != Role::Other || it.at() < first || !is_pixel {
            continue;
        }
        let path = it.url.split_once("://").map_or(&*it.url, |(_, rest)| rest);
        let path = path.find(['/', '?']).map_or("", |at| &path[at..]);
        let path: String = path
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|it| it.to_ascii_lowercase())
            .collect();
        if let Some((word, event)) = WORDS.iter().find(|(word, _)| path.contains(word)) {
            let ground = Ground::Word {
                word: (*word).to_owned(),
            };
            finder.findings[index] = RequestFinding::inferred(Role::Called(*event), ground);
        }
    }
}
