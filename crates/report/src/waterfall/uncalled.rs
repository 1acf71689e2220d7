//! Which pixels of the documents were not called, and why.
//!
//! A pixel was called if a beacon has the same document position, event and ad, and its URL is the
//! pixel's with macros replaced (or ends in it, if the pixel's is relative). The reason for a pixel
//! that was not called follows from the outcome of its ad.
//!
//! Rules: BRK-1, BRK-3, REQ-5, VMAP-13; VAST 4.3 section 3.14.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::by_url::ByUrl;
use super::{AdBreakReport, Beacon, Played, Tag, TagOutcome, Uncalled, Waterfalls, schedules};
use playsim_base::place::Place;
use playsim_vast::pixels::{self, Pixel, TrackedPart};
use playsim_vast::vmap::AdSourceKind;
use playsim_vast::{Ad, AdKind, Document, Root, TrackedEvent, TrackingEvent, Url};

mod reasons;

use reasons::{NO_URL, ON_ERROR};

/// A document of a tag: the response to its URL, received or not.
#[derive(Debug, Clone)]
pub(super) struct Held {
    /// Its name in messages.
    pub(super) name: Arc<str>,
    pub(super) document: Arc<Document>,
    /// The number of documents before it.
    pub(super) hop: u32,
    /// The URL that was requested for it; `None` if none was.
    pub(super) url: Option<String>,
    /// Whether it was used: it arrived, and in time.
    pub(super) is_used: bool,
}

/// The beacons of a report, in which those of a pixel are found by its event and its URL.
pub(super) struct Beacons<'r> {
    /// By break, event and ad.
    of_ads: BTreeMap<(usize, &'r str, Option<&'r str>), ByUrl<'r, &'r Beacon>>,
    /// Those of VMAP breaks, by event.
    of_schedules: BTreeMap<&'r str, ByUrl<'r, &'r Beacon>>,
    /// Why scheduled breaks did not take place, by their places.
    reasons: BTreeMap<&'r str, Option<&'r str>>,
}

impl<'r> Beacons<'r> {
    pub(super) fn of(report: &'r Waterfalls) -> Beacons<'r> {
        let mut beacons = Beacons {
            of_ads: BTreeMap::new(),
            of_schedules: BTreeMap::new(),
            reasons: schedules::reasons(report),
        };
        for (index, it) in report.breaks.iter().enumerate() {
            for beacon in &it.beacons {
                let event = beacon.event.name();
                let key = (index, event, beacon.ad.as_deref());
                let of_ad = beacons.of_ads.entry(key).or_default();
                of_ad.add(&beacon.url, beacon);
                if beacon.hop.is_none() {
                    let of_schedule = beacons.of_schedules.entry(event).or_default();
                    of_schedule.add(&beacon.url, beacon);
                }
            }
        }
        let all = beacons.of_ads.values_mut();
        all.chain(beacons.of_schedules.values_mut())
            .for_each(ByUrl::sort);
        beacons
    }
}

/// Returns the uncalled pixels of a break. `held`: the documents of each of its tags.
pub(super) fn of(
    report: &Waterfalls,
    index: usize,
    held: &[Vec<Held>],
    beacons: &Beacons<'_>,
) -> Vec<Uncalled> {
    let it = &report.breaks[index];
    let mut found = Vec::new();
    let mut played: BTreeMap<(u32, u32, &str), Vec<&Played>> = BTreeMap::new();
    for ad in &it.played {
        if let Some(at) = &ad.at {
            played.entry((ad.pod, ad.wp, at)).or_default().push(ad);
        }
    }
    for (tag, held) in it.tags.iter().zip(held) {
        let mut by_url: BTreeMap<u32, ByUrl<'_, usize>> = BTreeMap::new();
        for (at, held) in held.iter().enumerate() {
            if let Some(url) = &held.url {
                by_url.entry(held.hop).or_default().add(url, at);
            }
        }
        by_url.values_mut().for_each(ByUrl::sort);
        let of_tag = OfTag {
            beacons,
            played: &played,
            index,
            by_url,
            ignored: by_place(tag.ignored.iter().map(|it| it.at.as_deref())),
            rejected: by_place(tag.rejected.iter().map(|it| it.at.as_deref())),
            it,
            tag,
            held,
        };
        for document in held {
            if document.document.root == Root::Vmap {
                of_tag.schedule(document, &mut found);
            } else {
                of_tag.document(document, None, &mut found);
            }
        }
    }
    found
}

/// A tag with its break and its documents.
struct OfTag<'r> {
    beacons: &'r Beacons<'r>,
    /// The ads of the break that were ready, by pod, waterfall position and place.
    played: &'r BTreeMap<(u32, u32, &'r str), Vec<&'r Played>>,
    /// The number of the break.
    index: usize,
    it: &'r AdBreakReport,
    tag: &'r Tag,
    held: &'r [Held],
    /// The documents by hop and URL.
    by_url: BTreeMap<u32, ByUrl<'r, usize>>,
    /// The first ad at each place that was ignored, and that was refused.
    ignored: BTreeMap<(&'r str, Place), usize>,
    rejected: BTreeMap<(&'r str, Place), usize>,
}

/// The outcome of an ad.
enum Fate<'r> {
    /// It was shown; several times if several ads after a wrapper were.
    Shown(Vec<&'r Played>),
    /// Another ad of its tag was shown.
    NotChosen,
    /// It was not shown, for this reason.
    Not(String),
}

impl OfTag<'_> {
    /// Adds the uncalled pixels of a document. `unreached`: why the break that contains it did not
    /// take place.
    fn document(&self, held: &Held, unreached: Option<&str>, found: &mut Vec<Uncalled>) {
        let name = &held.name;
        for url in &held.document.error_urls {
            let key = (self.index, TrackingEvent::Error.name(), None);
            let called = self.beacons.of_ads.get(&key);
            if called.is_none_or(|it| it.filled(&url.text).next().is_none()) {
                let reason = unreached
                    .unwrap_or("called only for a response without ads")
                    .to_owned();
                found.push(self.entry(
                    Some(held.hop),
                    None,
                    (TrackingEvent::Error.into(), url),
                    name,
                    reason,
                ));
            }
        }
        for (index, ad) in held.document.ads.iter().enumerate() {
            let fate = match unreached {
                Some(reason) => Fate::Not(reason.to_owned()),
                None => self.fate(held, index),
            };
            for pixel in pixels::of_ad(ad) {
                if !self.is_called(held, ad, &fate, &pixel) {
                    let reason = self.reason(&fate, &pixel);
                    let called = (TrackedEvent::of(pixel.event), pixel.url);
                    let entry = self.entry(Some(held.hop), ad.id.as_deref(), called, name, reason);
                    let is_beside = matches!(
                        pixel.what,
                        TrackedPart::Companion | TrackedPart::Verification
                    );
                    found.push(Uncalled {
                        rests_on_page: entry.rests_on_page || is_beside,
                        ..entry
                    });
                }
            }
        }
    }

    /// Adds the uncalled trackers of VMAP breaks, and of the documents inside breaks that did not
    /// take place.
    fn schedule(&self, held: &Held, found: &mut Vec<Uncalled>) {
        for row in &held.document.breaks {
            let at = format!("{}:{}", held.name, row.at);
            let reason = self.beacons.reasons.get(&*at).copied().flatten();
            for tracking in &row.tracking {
                let event = &tracking.event;
                let called = self.beacons.of_schedules.get(event.name());
                let called = called
                    .into_iter()
                    .flat_map(|it| it.filled(&tracking.url.text));
                if called.into_iter().any(|beacon| beacon.event == *event) {
                    continue;
                }
                let reason = match (event.known(), reason) {
                    _ if is_empty(&tracking.url.text) => NO_URL.to_owned(),
                    (Some(TrackingEvent::Error), None) => ON_ERROR.to_owned(),
                    (Some(TrackingEvent::Error), Some(why)) => {
                        format!("{ON_ERROR}; the break did not begin: {why}")
                    }
                    (_, Some(why)) => format!("the break did not begin: {why}"),
                    (Some(TrackingEvent::BreakStart | TrackingEvent::BreakEnd), None) => {
                        "the run ended first".to_owned()
                    }
                    (_, None) => format!("\"{event}\" is not an event of a VMAP break"),
                };
                found.push(self.entry(
                    None,
                    None,
                    (event.clone(), &tracking.url),
                    &held.name,
                    reason,
                ));
            }
            let inside = row.source.as_ref().and_then(|source| match &source.kind {
                AdSourceKind::Vast(document)
                | AdSourceKind::Custom {
                    document: Some(document),
                    ..
                } => Some(document),
                AdSourceKind::Tag { .. }
                | AdSourceKind::Custom { document: None, .. }
                | AdSourceKind::Empty => None,
            });
            if let (Some(document), Some(why)) = (inside, reason) {
                let inside = Held {
                    document: document.clone(),
                    url: None,
                    ..held.clone()
                };
                self.document(
                    &inside,
                    Some(&format!("the break did not begin: {why}")),
                    found,
                );
            }
        }
    }

    fn entry(
        &self,
        hop: Option<u32>,
        ad: Option<&str>,
        (event, url): (TrackedEvent, &Url),
        name: &str,
        reason: String,
    ) -> Uncalled {
        Uncalled {
            pod: self.tag.pod,
            wp: self.tag.wp,
            hop,
            ad: ad.map(str::to_owned),
            rests_on_page: event.known().is_some_and(TrackingEvent::rests_on_page),
            event,
            url: url.text.to_string(),
            at: format!("{name}:{}", url.at),
            reason,
        }
    }

    /// Returns whether a pixel of an ad was called, where the ad was shown or where it failed.
    fn is_called(&self, held: &Held, ad: &Ad, fate: &Fate<'_>, pixel: &Pixel<'_>) -> bool {
        let key = (self.index, pixel.event, ad.id.as_deref());
        let Some(beacons) = self.beacons.of_ads.get(&key) else {
            return false;
        };
        let is_it = |beacon: &&Beacon| {
            beacon.hop == Some(held.hop)
                && (beacon.pod, beacon.wp) == (Some(self.tag.pod), Some(self.tag.wp))
        };
        // Two ads of one document may have the same URLs, and the same id or none.
        let is_then = |beacon: &Beacon| match (fate, &pixel.what) {
            (
                Fate::Shown(shown),
                TrackedPart::Linear(..) | TrackedPart::Overlay | TrackedPart::Impression,
            ) => shown.iter().any(|ad| {
                ad.start_us.is_none_or(|start| {
                    start <= beacon.at_us || beacon.event == TrackingEvent::Loaded
                }) && ad.end_us.is_none_or(|end| beacon.at_us <= end)
            }),
            (Fate::Shown(_) | Fate::NotChosen | Fate::Not(_), _) => true,
        };
        let mut filled = beacons.filled(&pixel.url.text).filter(is_it);
        filled.any(is_then)
    }

    /// Returns the outcome of an ad of a document.
    fn fate(&self, held: &Held, index: usize) -> Fate<'_> {
        let ad = &held.document.ads[index];
        let mut ready = Vec::new();
        self.find_shown(held, ad, &mut ready);
        let shown: Vec<&Played> = ready
            .iter()
            .copied()
            .filter(|ad| ad.start_us.is_some())
            .collect();
        if !shown.is_empty() {
            return Fate::Shown(shown);
        }
        if let Some(why) = self
            .refusal(held, index)
            .or_else(|| self.refusal_after_wrapper(held, ad))
        {
            return Fate::Not(why);
        }
        if !ready.is_empty() {
            return Fate::Not("the ad was ready, but the break ended before it started".to_owned());
        }
        self.unused(held)
    }

    /// Finds the ads to which an ad of a document led and that were ready: itself, or those after a
    /// wrapper.
    fn find_shown<'r>(&'r self, held: &Held, ad: &Ad, ready: &mut Vec<&'r Played>) {
        let place = format!("{}:{}", held.name, ad.at);
        let here = self.played.get(&(self.tag.pod, self.tag.wp, &*place));
        let is_of_hop = |it: &&Played| it.hops.is_none_or(|hops| hops == held.hop + 1);
        ready.extend(here.into_iter().flatten().copied().filter(is_of_hop));
        for inner in self.documents_after(held, ad) {
            inner
                .document
                .ads
                .iter()
                .for_each(|ad| self.find_shown(inner, ad, ready));
        }
    }

    /// Returns the documents to which a wrapper led. Each is one hop further, so recursion ends.
    fn documents_after<'h>(&'h self, held: &'h Held, ad: &'h Ad) -> impl Iterator<Item = &'h Held> {
        let uri = match &ad.kind {
            AdKind::Wrapper(wrapper) => wrapper.tag_uri.as_ref(),
            AdKind::Inline | AdKind::Broken(_) => None,
        };
        let next = self.by_url.get(&(held.hop + 1));
        let filled = uri.zip(next);
        let mut found: Vec<usize> = filled
            .into_iter()
            .flat_map(|(uri, next)| next.filled(&uri.text))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|at| &self.held[at])
    }

    /// Returns why an ad of a document cannot be used or was ignored, if the report says so.
    fn refusal(&self, held: &Held, index: usize) -> Option<String> {
        if let Some(at) = first_within(&self.ignored, held, index) {
            let ignored = &self.tag.ignored[at];
            let why = ignored.reason.as_deref().unwrap_or("no reason given");
            return Some(format!("the ad was ignored: {why}"));
        }
        let refused = &self.tag.rejected[first_within(&self.rejected, held, index)?];
        let code = refused
            .code
            .map_or_else(String::new, |code| format!(" ({code})"));
        Some(format!(
            "the ad was refused{code}: {}",
            refused.reason.as_deref().unwrap_or("no reason given")
        ))
    }

    fn refusal_after_wrapper(&self, held: &Held, ad: &Ad) -> Option<String> {
        self.documents_after(held, ad).find_map(|inner| {
            let mut ads = inner.document.ads.iter().enumerate();
            ads.find_map(|(index, ad)| {
                self.refusal(inner, index)
                    .or_else(|| self.refusal_after_wrapper(inner, ad))
            })
        })
    }

    /// Returns why nothing of a document was used.
    fn unused(&self, held: &Held) -> Fate<'_> {
        let tag = self.tag;
        let why = match tag.outcome {
            TagOutcome::NotAsked => {
                let same_pod = |it: &&Tag| {
                    it.pod == tag.pod && it.wp < tag.wp && it.outcome == TagOutcome::Filled
                };
                match self.it.tags.iter().find(same_pod) {
                    Some(earlier) => {
                        format!(
                            "the tag was not requested: tag {} filled",
                            u64::from(earlier.wp) + 1
                        )
                    }
                    None => "the tag was not requested".to_owned(),
                }
            }
            _ if !held.is_used => "the document came too late".to_owned(),
            TagOutcome::Filled | TagOutcome::Scheduled => return Fate::NotChosen,
            TagOutcome::Unknown => "the next document is not given".to_owned(),
            TagOutcome::Undecided => "the break ended before the tag was decided".to_owned(),
            TagOutcome::NoFill => {
                let code = tag
                    .code
                    .map_or_else(String::new, |code| format!(" ({code})"));
                format!(
                    "the tag failed{code}: {}",
                    tag.reason.as_deref().unwrap_or("no reason given")
                )
            }
        };
        Fate::Not(why)
    }
}

fn is_empty(url: &str) -> bool {
    url.is_empty() || url == "about:blank"
}

/// Returns the first of the things at each place, by name and place of the document.
fn by_place<'r>(
    places: impl Iterator<Item = Option<&'r str>>,
) -> BTreeMap<(&'r str, Place), usize> {
    let mut first = BTreeMap::new();
    for (index, at) in places.enumerate() {
        if let Some(at) = at.and_then(place) {
            first.entry(at).or_insert(index);
        }
    }
    first
}

/// Reads a place: `name:line:column`, where the name may contain colons.
pub(super) fn place(at: &str) -> Option<(&str, Place)> {
    let mut parts = at.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((parts.next()?, Place { line, column }))
}

/// Returns the first of the things that lie within an ad of a document: after its beginning and
/// before the next ad.
fn first_within(
    places: &BTreeMap<(&str, Place), usize>,
    held: &Held,
    index: usize,
) -> Option<usize> {
    let (name, ads) = (&*held.name, &held.document.ads);
    let next = ads.get(index + 1).map(|next| next.at);
    let within = places
        .range((name, ads[index].at)..)
        .take_while(|((of, at), _)| *of == name && next.is_none_or(|next| *at < next));
    within.map(|(_, first)| *first).min()
}
