//! Ads without a tag: those that a server puts into the stream and names in JSON for the page to
//! report, and reports of something that an answer may name which the recording does not have.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{bare, find};
use crate::recording::Exchange;
use playsim_base::number::Decimal;
use playsim_base::time::{Span, Time};
use playsim_base::words::{counted, seconds};
use playsim_vast::{self as vast, TrackingEvent};

/// The field of an ad with its pixels, as AWS Elemental MediaTailor answers a request for tracking.
const PIXELS: &str = "trackingEvents";
/// The events that share out the length of what is played.
const QUARTERS: [TrackingEvent; 5] = [
    TrackingEvent::Start,
    TrackingEvent::FirstQuartile,
    TrackingEvent::Midpoint,
    TrackingEvent::ThirdQuartile,
    TrackingEvent::Complete,
];
/// Reports that are this much apart from where they are due are so by chance.
const CHANCE: Span = Span::from_millis(400);

/// An ad that JSON names.
struct Named {
    id: String,
    length: Option<String>,
    /// The position in the file of the answer.
    entry: usize,
    /// The event and the URL of each pixel.
    pixels: Vec<(String, String)>,
}

/// Says which ads a server put into the stream, and what the page reported of them.
pub(super) fn stitched(exchanges: &[Exchange]) -> Option<String> {
    let mut ads: Vec<Named> = Vec::new();
    for it in exchanges {
        let text = it.text().filter(|text| text.contains(PIXELS));
        if let Some(json) = text.and_then(|text| serde_json::from_str(text).ok()) {
            named(&json, it.number, &mut ads);
        }
    }
    let each = ads.iter().map(|ad| {
        let called = |(event, url): &(String, String)| {
            let mut all = exchanges.iter();
            let it = all.find(|it| *it.url == **url || vast::is_filled(url, &it.url))?;
            Some((event.clone(), it.at()))
        };
        let called: Vec<(String, Time)> = ad.pixels.iter().filter_map(called).collect();
        let times = || called.iter().map(|(_, at)| at.micros());
        let length = ad.length.as_ref();
        let length = length.map_or_else(String::new, |length| format!(" ({length} s)"));
        let reported = match times().min().zip(times().max()) {
            None => "none of its pixels was called".to_owned(),
            Some((from, to)) => {
                let events: Vec<&str> = called.iter().map(|(event, _)| &**event).collect();
                let events = events.join(", ");
                let (from, to) = (seconds(from), seconds(to));
                format!("the page reported {events}, from {from} to {to} s")
            }
        };
        format!("{}{length}, named by entry {}: {reported}", ad.id, ad.entry)
    });
    let each: Vec<String> = each.collect();
    let count = counted(each.len(), "ad");
    (!each.is_empty()).then(|| {
        format!(
            "a server put {count} into the stream, for which the page asks no tags itself: {}; which ad server was asked, \
             and what it answered, is not in the recording",
            each.join("; ")
        )
    })
}

/// Adds the ads in JSON that are not known yet: a page asks for the same list again and again.
fn named(json: &Value, entry: usize, ads: &mut Vec<Named>) {
    if let Some(pixels) = json[PIXELS].as_array() {
        let urls = |it: &Value| {
            let event = it["eventType"].as_str()?.to_owned();
            let urls = it["beaconUrls"].as_array()?.iter();
            let urls = urls.filter_map(|url| Some((event.clone(), url.as_str()?.to_owned())));
            Some(urls.collect::<Vec<_>>())
        };
        let pixels: Vec<_> = pixels.iter().filter_map(urls).flatten().collect();
        if !pixels.is_empty() && ads.iter().all(|ad| ad.pixels != pixels) {
            let length = json["durationInSeconds"].as_number();
            let length = length.and_then(|it| Decimal::parse_rounded(&it.to_string()));
            let micros = length.and_then(|it| u64::try_from(it.millionths()).ok());
            ads.push(Named {
                id: json["adId"].as_str().unwrap_or("an ad").to_owned(),
                length: micros.map(seconds),
                entry,
                pixels,
            });
        }
    }
    match json {
        Value::Array(all) => all.iter().for_each(|it| named(it, entry, ads)),
        Value::Object(all) => all.values().for_each(|it| named(it, entry, ads)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Says what may have been an ad, if an answer names it that was asked for before and that the
/// recording does not have: a film, and reports of it at its start, at each quarter and at its end.
/// Players report their content in the same way, so that it remains open.
pub(super) fn reported(exchanges: &[Exchange], unread: Time) -> Option<String> {
    let mut reports: BTreeMap<String, Vec<(TrackingEvent, &Exchange)>> = BTreeMap::new();
    for it in exchanges.iter().filter(|it| it.at() > unread) {
        let url = it.url.to_ascii_lowercase();
        let word = |event: &TrackingEvent| url.find(&event.name().to_ascii_lowercase());
        // The word of the start is the least telling one.
        let mut found = QUARTERS.iter().rev();
        if let Some((event, at)) = found.find_map(|it| Some((*it, word(it)?))) {
            // All but the event and the numbers is the same.
            let rest = format!("{}{}", &url[..at], &url[at + event.name().len()..]);
            let kind: String = rest.chars().filter(|it| !it.is_ascii_digit()).collect();
            reports.entry(kind).or_default().push((event, it));
        }
    }
    reports.values().find_map(|all| {
        let of = |event: TrackingEvent| all.iter().find(|(it, _)| *it == event);
        let all: Vec<_> = QUARTERS.iter().filter_map(|event| of(*event)).collect();
        let [(_, start), .., (_, end)] = all[..] else {
            return None;
        };
        let length = end.at() - start.at();
        let is_due = |(quarter, (_, it)): (u64, &&(TrackingEvent, &Exchange))| {
            let due = start.at() + length.share(quarter, 4);
            (it.at() - due).max(due - it.at()) <= CHANCE
        };
        if all.len() < QUARTERS.len() || !(0..).zip(&all).all(is_due) {
            return None;
        }
        let is_before = |it: &&Exchange| it.at() <= start.at() && find::is_media(it);
        let film = exchanges.iter().rfind(is_before)?;
        // Of a film after which no other one was asked for it is more likely the content's own.
        let is_next = |it: &Exchange| it.at() >= end.at() && bare(&it.url) != bare(&film.url);
        if !exchanges.iter().any(|it| find::is_media(it) && is_next(it)) {
            return None;
        }
        let length = seconds(length.micros());
        Some(format!(
            "an ad of {length} s may have been shown, if one of these answers names it: after the film {} (entry {}), \
             entries {} to {} report something from its start at {} s to its end",
            bare(&film.url),
            film.number,
            start.number,
            end.number,
            seconds(start.at().micros())
        ))
    })
}
