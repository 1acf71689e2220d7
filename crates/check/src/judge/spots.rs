//! The ads that the documents of a session contain, each with its film and the trackers of its
//! whole wrapper chain.
//!
//! Documents are those in the responses of the recording, or those that the caller knows. Each
//! response is an instance of its own: a document that is answered twice has two ads, which are
//! shown one after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::CheckOptions;
use super::lines::{requested, text};
use super::showing::NamedTracker;
use playsim_api::NetLine;
use playsim_base::escape;
use playsim_base::place::Place;
use playsim_base::time::Span;
use playsim_trace::Trace;
use playsim_vast::names::{Named as NamedFor, Names, browser_form};
use playsim_vast::pixels::{self, TrackedPart};
use playsim_vast::vmap::{AdSourceKind, TimeOffset};
use playsim_vast::{
    self as vast, Ad, AdKind, Companion, Creative, CreativeKind, Document, Offset, TrackedEvent,
    TrackingEvent, filled,
};

/// The most documents of a session, so that no trace takes long.
const MOST_DOCUMENTS: usize = 2_000;
/// The most documents in a wrapper chain.
const LONGEST_CHAIN: usize = 20;

/// The ads of all documents.
#[derive(Debug, Default)]
pub(super) struct Spots {
    documents: Vec<Answered>,
    names: Names,
    /// The in-line linear ads and overlays, in the order in which their documents came.
    pub(super) all: Vec<Spot>,
    /// The ads whose chain has an ad, by its document and place.
    owners: BTreeMap<(usize, Place), Vec<usize>>,
    /// The films of the content, if they are known.
    films: Vec<Arc<str>>,
    /// The URLs for which the scenario has responses.
    urls: Vec<Arc<str>>,
    /// When the ads of tags are due, if that is known.
    dues: Vec<(Arc<str>, TimeOffset)>,
}

/// A document that came.
#[derive(Debug)]
struct Answered {
    url: Arc<str>,
    /// The record of its response, or else its request.
    record: usize,
    document: Document,
    /// The URLs that it writes relative to its own. No standard says how a player resolves them.
    relative: BTreeSet<Arc<str>>,
    /// The wrapper whose tag it answers.
    wrapper: Option<Hop>,
}

/// A wrapper: its document, and the place of its ad.
#[derive(Debug, Clone, Copy)]
struct Hop {
    document: usize,
    ad: Place,
    /// Whether no other wrapper can be the one whose tag was answered.
    is_sure: bool,
}

/// An in-line ad: a linear one or an overlay.
#[derive(Debug)]
pub(super) struct Spot {
    /// Its name in findings.
    pub(super) name: String,
    /// The index of its document, which ads of one pod share.
    pub(super) document: usize,
    /// The record of the response.
    pub(super) record: usize,
    /// Its place in a pod.
    pub(super) sequence: Option<u32>,
    pub(super) media: Vec<Arc<str>>,
    pub(super) length: Option<Span>,
    /// From when on it can be skipped.
    pub(super) skip_from: Option<Span>,
    pub(super) is_overlay: bool,
    pub(super) is_scripted: bool,
    pub(super) named: Vec<NamedTracker>,
    /// When its VMAP break is due.
    pub(super) due: Option<TimeOffset>,
    /// The record of the request for its tag.
    pub(super) asked: Option<usize>,
}

/// The role of a film.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The media of an ad.
    Ad,
    /// The content.
    Content,
    /// One of the two: no document says which.
    Unknown,
}

/// A tracker that documents name with a URL.
#[derive(Debug, Clone)]
pub(super) struct Tracker {
    pub(super) event: TrackedEvent,
    pub(super) key: Arc<str>,
    /// The ads whose chain names it.
    pub(super) spots: Vec<usize>,
    /// The value in the place of its error code, if its document has a place for one.
    pub(super) code: Option<Arc<str>>,
    /// The query parameters that its document does not have.
    pub(super) added: Option<Arc<str>>,
}

impl Spot {
    /// Returns the error URLs that are due if it fails.
    pub(super) fn errors(&self) -> Vec<Arc<str>> {
        let errors = self
            .named
            .iter()
            .filter(|it| it.event == TrackingEvent::Error && it.is_due);
        errors.map(|it| it.key.clone()).collect()
    }
}

impl Spots {
    pub(super) fn of(trace: &Trace, options: &CheckOptions) -> Spots {
        let mut spots = Spots {
            films: options.films.clone(),
            urls: options.urls.clone(),
            dues: options.dues.clone(),
            ..Spots::default()
        };
        spots.answers(trace, options);
        for index in 0..spots.documents.len() {
            spots.names.add(index, &spots.documents[index].document);
        }
        spots.hops();
        let mut all = Vec::new();
        for (index, answered) in spots.documents.iter().enumerate() {
            let due = spots.due(index);
            for ad in &answered.document.ads {
                all.extend(spots.spot(index, ad, due.clone()));
            }
            for it in &answered.document.breaks {
                if let Some(
                    AdSourceKind::Vast(inner)
                    | AdSourceKind::Custom {
                        document: Some(inner),
                        ..
                    },
                ) = it.source.as_ref().map(|source| &source.kind)
                {
                    for ad in &inner.ads {
                        all.extend(spots.spot(index, ad, it.time_offset.clone()));
                    }
                }
            }
        }
        for (index, (spot, chain)) in all.into_iter().enumerate() {
            for member in chain {
                spots.owners.entry(member).or_default().push(index);
            }
            spots.all.push(spot);
        }
        for spot in &mut spots.all {
            let url = &spots.documents[spot.document].url;
            let asks = |index: &usize| {
                requested(&trace.records[*index]).is_some_and(|asked| is_same(&asked, url))
            };
            spot.asked = (0..=spot.record.min(trace.records.len().saturating_sub(1)))
                .rev()
                .find(asks);
        }
        spots
    }

    /// Collects the documents that came: from responses with a body, or else from known ones that
    /// were requested.
    fn answers(&mut self, trace: &Trace, options: &CheckOptions) {
        let mut used: Vec<usize> = Vec::new();
        let has_text = |url: &str| {
            trace.records.iter().any(|record| {
                record.is(NetLine::Response)
                    && record.data.get("text").is_some()
                    && text(record, "url").is_some_and(|other| is_same(&other, url))
            })
        };
        let mut read = |record: usize, url: &Arc<str>, text: &str| {
            if self.documents.len() < MOST_DOCUMENTS {
                let mut document = vast::read(text);
                let resolved = document.resolve(url);
                let relative = resolved
                    .into_iter()
                    .map(|resolved| resolved.address)
                    .collect();
                self.documents.push(Answered {
                    url: url.clone(),
                    record,
                    document,
                    relative,
                    wrapper: None,
                });
            }
        };
        // A document that is known otherwise came with the response, if responses to its URL are
        // heard, or with that of the URL to which the trace says it was redirected.
        let answered = |url: &str| {
            trace.records.iter().any(|record| {
                let is_answer = record.is(NetLine::Response) || record.is(NetLine::Redirect);
                is_answer && text(record, "url").is_some_and(|other| is_same(&other, url))
            })
        };
        for (index, record) in trace.records.iter().enumerate() {
            let is_response = record.is(NetLine::Response);
            let url = if is_response {
                text(record, "url")
            } else {
                requested(record)
            };
            let Some(url) = url else { continue };
            if let Some(body) = text(record, "text").filter(|_| is_response) {
                read(index, &url, &body);
            } else if !options.documents.is_empty()
                && !has_text(&url)
                && (is_response || !answered(&url))
            {
                // Several documents of one URL are used up in order, and the last one repeats.
                let all = options.documents.iter().enumerate();
                let of_url = all
                    .filter(|(_, (known, _))| is_same(known, &url))
                    .collect::<Vec<_>>();
                let next = of_url
                    .iter()
                    .find(|(number, _)| !used.contains(number))
                    .or(of_url.last());
                if let Some((number, (_, body))) = next {
                    used.push(*number);
                    read(index, &url, body);
                }
            }
        }
    }

    /// Returns when the break of a document is due, whose tag it answers.
    fn due(&self, index: usize) -> Option<TimeOffset> {
        let url = &self.documents[index].url;
        let known: Vec<&TimeOffset> = self
            .dues
            .iter()
            .filter(|(tag, _)| is_same(tag, url))
            .map(|(_, due)| due)
            .collect();
        let names = self
            .names
            .of(url)
            .into_iter()
            .map(|name| &self.names.all[name]);
        let breaks = names.filter_map(|name| {
            let NamedFor::BreakTag(number) = name.what else {
                return None;
            };
            self.documents[name.document]
                .document
                .breaks
                .get(number)?
                .time_offset
                .as_ref()
        });
        let breaks: Vec<&TimeOffset> = breaks.collect();
        // If a schedule has a tag for several times, the answer does not say for which of them it
        // was asked.
        if let Some(first) = breaks.first() {
            return Some((*first).clone())
                .filter(|_| known.is_empty() && breaks.iter().all(|it| it == first));
        }
        let before = self.documents[..index]
            .iter()
            .filter(|other| is_same(&other.url, url))
            .count();
        if let Some(due) = known.get(before).or(known.last()) {
            return Some((*due).clone());
        }
        None
    }

    /// Returns an in-line linear ad with the ads of its chain, its own first.
    fn spot(
        &self,
        document: usize,
        ad: &Ad,
        due: Option<TimeOffset>,
    ) -> Option<(Spot, Vec<(usize, Place)>)> {
        if ad.kind != AdKind::Inline {
            return None;
        }
        let creative = creative(ad)?;
        let mut chain = vec![(document, ad.at)];
        let mut named = self.named(document, ad, 0);
        let (mut at, mut due, mut is_sure) = (document, due, true);
        while chain.len() < LONGEST_CHAIN
            && let Some((hop, wrapper)) = self.wrapper_of(at)
        {
            is_sure &= hop.is_sure;
            let above = self.named(hop.document, wrapper, chain.len());
            named.extend(above.into_iter().map(|it| NamedTracker {
                is_due: it.is_due && is_sure,
                ..it
            }));
            chain.push((hop.document, wrapper.at));
            due = due.or_else(|| self.due(hop.document));
            at = hop.document;
        }
        let (linear, is_overlay) = match creative {
            CreativeKind::Linear(linear) => (Some(linear), false),
            CreativeKind::NonLinear(_) | CreativeKind::Companions(_) | CreativeKind::Empty => {
                (None, true)
            }
        };
        let files = || linear.iter().flat_map(|linear| &linear.media_files);
        let media: Vec<Arc<str>> = files().map(|file| file.url.clone()).collect();
        let id = ad.id.as_ref().filter(|id| !id.is_empty());
        let name = id.map_or_else(
            || {
                media
                    .first()
                    .map_or("an ad".into(), |url| file_name(url).into())
            },
            |id| format!("ad {id}"),
        );
        let length = linear.and_then(|linear| linear.duration);
        let skip_from = linear.and_then(|linear| match linear.skip_offset? {
            Offset::At(at) => Some(at),
            Offset::Share(share) => length.map(|length| length.share(u64::from(share), 1_000_000)),
        });
        let spot = Spot {
            name: escape::line(&name).into_owned(),
            document,
            record: self.documents[document].record,
            sequence: ad.sequence,
            media,
            length,
            skip_from,
            is_overlay,
            // The parts of an ad have trackers of their own.
            is_scripted: linears(ad) > 1
                || files().any(|file| file.api_framework.is_some())
                || linear.is_some_and(|linear| !linear.interactive_files.is_empty()),
            named,
            due,
            asked: None,
        };
        Some((spot, chain))
    }

    /// Finds the wrapper whose tag each document answers: of those that came before it, the last
    /// one that waits for an answer. If several wait for the same URL, any of them may be meant.
    fn hops(&mut self) {
        let mut answered: Vec<(usize, Option<Place>)> = Vec::new();
        let mut is_doubtful: BTreeSet<Arc<str>> = BTreeSet::new();
        for index in 0..self.documents.len() {
            let url = &self.documents[index].url;
            let names = self
                .names
                .of(url)
                .into_iter()
                .map(|name| &self.names.all[name]);
            let hops: Vec<(usize, Option<Place>)> = names
                .filter(|name| name.what == NamedFor::Hop && name.document < index)
                .map(|name| (name.document, name.ad))
                .collect();
            let waiting = hops.iter().filter(|hop| !answered.contains(hop));
            let waits: BTreeSet<_> = waiting
                .clone()
                .map(|(document, ad)| (&self.documents[*document].url, ad))
                .collect();
            if waits.len() > 1 {
                is_doubtful.insert(url.clone());
            }
            // The first of those in one document.
            let last = waiting.clone().map(|(document, _)| *document).max();
            let first = waiting
                .into_iter()
                .find(|(document, _)| Some(*document) == last);
            let Some((document, Some(ad))) = first.or(hops.last()).copied() else {
                continue;
            };
            answered.push((document, Some(ad)));
            let is_sure = !is_doubtful.contains(url);
            self.documents[index].wrapper = Some(Hop {
                document,
                ad,
                is_sure,
            });
        }
    }

    /// Returns the wrapper whose tag a document answers.
    fn wrapper_of(&self, index: usize) -> Option<(Hop, &Ad)> {
        let hop = self.documents[index].wrapper?;
        let ad = self.documents[hop.document]
            .document
            .ads
            .iter()
            .find(|ad| ad.at == hop.ad)?;
        Some((hop, ad))
    }

    /// Returns the trackers of an ad that is this many documents above the one that is shown.
    fn named(&self, document: usize, ad: &Ad, hops: usize) -> Vec<NamedTracker> {
        let relative = &self.documents[document].relative;
        let is_usable = |url: &Arc<str>| {
            !relative.contains(url)
                && (url.starts_with(['[', '%', '$', '{']) || vast::scheme(url).is_some())
        };
        let all = pixels::of_ad(ad).into_iter().map(|pixel| NamedTracker {
            event: TrackedEvent::of(pixel.event),
            key: browser_form(&pixel.url.text).into(),
            hops,
            is_of_playback: matches!(
                pixel.what,
                TrackedPart::Impression
                    | TrackedPart::Error
                    | TrackedPart::Linear(..)
                    | TrackedPart::Overlay
            ),
            is_due: is_usable(&pixel.url.text),
        });
        all.filter(|named| !named.key.is_empty()).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Returns the role of a film.
    pub(super) fn role(&self, src: &str) -> Role {
        if self.films.iter().any(|film| is_same(film, src)) {
            return Role::Content;
        }
        let is_of = |spot: &Spot| spot.media.iter().any(|media| is_same(media, src));
        if self.all.iter().any(is_of) {
            Role::Ad
        } else if self.all.is_empty() || !self.films.is_empty() {
            Role::Unknown
        } else {
            Role::Content
        }
    }

    /// Returns the ads with this film, in order.
    pub(super) fn with_film(&self, src: &str) -> Vec<usize> {
        let is_of = |index: &usize| {
            self.all[*index]
                .media
                .iter()
                .any(|media| is_same(media, src))
        };
        (0..self.all.len()).filter(is_of).collect()
    }

    /// Returns the tracker that a URL is, if a document names it as one, also if a query parameter
    /// has been added to it.
    pub(super) fn tracker(&self, url: &str) -> Option<Tracker> {
        self.exact(url).or_else(|| {
            self.names.with_additions(url).and_then(|(short, added)| {
                let found = self.exact(&short)?;
                Some(Tracker {
                    added: Some(added.into()),
                    ..found
                })
            })
        })
    }

    fn exact(&self, url: &str) -> Option<Tracker> {
        let mut found: Option<Tracker> = None;
        for name in self.names.of(url) {
            let name = &self.names.all[name];
            let NamedFor::Pixel(event) = &name.what else {
                continue;
            };
            let key = browser_form(&name.written);
            let tracker = found.get_or_insert_with(|| Tracker {
                event: event.clone(),
                code: filled(&key, &browser_form(url), is_code).map(Arc::from),
                key: key.into(),
                spots: Vec::new(),
                added: None,
            });
            if let Some(owners) = name.ad.and_then(|ad| self.owners.get(&(name.document, ad))) {
                tracker.spots.extend(
                    owners
                        .iter()
                        .filter(|owner| !tracker.spots.contains(owner))
                        .copied()
                        .collect::<Vec<_>>(),
                );
            }
        }
        found
    }

    /// Returns whether documents, or what else is known of the session, name a URL for anything.
    pub(super) fn knows(&self, url: &str) -> bool {
        !self.names.of(url).is_empty()
            || self.names.with_additions(url).is_some()
            || self
                .films
                .iter()
                .chain(&self.urls)
                .any(|film| is_same(film, url))
            || self.dues.iter().any(|(tag, _)| is_same(tag, url))
            || self
                .documents
                .iter()
                .any(|document| is_same(&document.url, url))
    }

    /// Returns the documents without an ad, each with the record of its response and its error
    /// URLs.
    pub(super) fn empty(&self) -> impl Iterator<Item = (usize, Vec<Arc<str>>)> {
        let is_empty = |document: &Document| document.ads.is_empty() && document.breaks.is_empty();
        self.documents
            .iter()
            .filter(move |answered| is_empty(&answered.document))
            .map(|answered| {
                let urls = answered.document.error_urls.iter();
                (
                    answered.record,
                    urls.map(|url| browser_form(&url.text).into()).collect(),
                )
            })
    }

    /// Returns the `creativeView` URLs of the companions with this id or resource, if no other
    /// companion has them.
    pub(super) fn companion_views(&self, id: Option<&str>, url: Option<&str>) -> Vec<Arc<str>> {
        let ads = self
            .documents
            .iter()
            .flat_map(|answered| &answered.document.ads);
        let companions = ads
            .flat_map(|ad| &ad.creatives)
            .flat_map(Creative::companions)
            .flat_map(|companions| &companions.companions);
        let is_it = |companion: &&Companion| {
            let is_named = id.is_some() && companion.id.as_deref() == id;
            is_named
                || url.is_some_and(|url| {
                    companion
                        .resources
                        .iter()
                        .any(|it| is_same(&it.content, url))
                })
        };
        let mut found = companions.filter(is_it);
        let (Some(companion), None) = (found.next(), found.next()) else {
            return Vec::new();
        };
        let views = companion
            .tracking
            .iter()
            .filter(|tracking| tracking.event == TrackingEvent::CreativeView);
        views
            .map(|tracking| browser_form(&tracking.url.text).into())
            .collect()
    }

    /// Returns how often documents name an error URL, once for each answer.
    pub(super) fn times(&self, key: &str) -> usize {
        let is_it = |name: &&playsim_vast::names::Name| {
            matches!(&name.what, NamedFor::Pixel(event) if *event == TrackingEvent::Error)
                && browser_form(&name.written) == *key
        };
        self.names.all.iter().filter(is_it).count()
    }

    /// Returns the ads of the documents that have no linear ad: wrappers, with the documents that
    /// answered their tags.
    pub(super) fn wrappers(&self) -> impl Iterator<Item = (usize, &Ad)> {
        self.documents.iter().flat_map(|answered| {
            let ads = answered.document.ads.iter();
            ads.filter(|ad| matches!(ad.kind, AdKind::Wrapper(_)))
                .map(|ad| (answered.record, ad))
        })
    }
}

/// Returns the linear creative of an ad, or else its overlays.
fn creative(ad: &Ad) -> Option<&CreativeKind> {
    let kinds = || ad.creatives.iter().map(|creative| &creative.kind);
    let linear = kinds().find(|kind| matches!(kind, CreativeKind::Linear(_)));
    linear.or_else(|| kinds().find(|kind| matches!(kind, CreativeKind::NonLinear(_))))
}

fn linears(ad: &Ad) -> usize {
    ad.creatives
        .iter()
        .filter(|creative| matches!(creative.kind, CreativeKind::Linear(_)))
        .count()
}

/// Returns whether a macro stands for an error code.
pub(super) fn is_code(name: &str) -> bool {
    ["ERRORCODE", "ERROR_CODE"]
        .iter()
        .any(|of| name.to_ascii_uppercase().contains(of))
}

/// Returns whether two URLs are the same; one of them may be only the name of a file, as some
/// recorders write it.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(browser_form);
    let ends = |whole: &str, part: &str| {
        !part.is_empty() && !part.contains('/') && file_name(whole) == part
    };
    one == other || ends(&one, &other) || ends(&other, &one)
}

/// Returns the last part of the path of a URL.
pub(super) fn file_name(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}
