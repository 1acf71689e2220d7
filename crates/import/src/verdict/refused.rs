//! Ads that were not shown: those whose films failed, and those that the page refused, as its own
//! error pixel says, with a code.
//!
//! The page's word is why a refused ad was not on the screen, or why it left it. It is believed and
//! not judged: a simulation does not play the ad, and says the same code at the same time.

use std::collections::{BTreeMap, BTreeSet};

use super::{AdVerdict, MissingAd, RecordedEnd, TagFailure, ad_source, error_code};
use crate::evidence::{Evidence, Role};
use playsim_base::place::Place;
use playsim_base::time::Time;
use playsim_vast::{AdKind, TrackingEvent};

/// An ad that the page refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The index of the document that has it.
    pub document: usize,
    /// Its place in the document.
    pub at: Place,
    /// The position in the file of the request for its error pixel.
    pub entry: usize,
    /// When that was sent.
    pub time: Time,
    /// The code in it.
    pub code: u16,
}

/// Returns the ads that the page refused, by their first error pixels. An ad that went on after it
/// was not refused.
pub(super) fn of<'a>(
    evidence: &Evidence,
    ads: impl Iterator<Item = &'a AdVerdict>,
) -> Vec<Refusal> {
    let shown: BTreeMap<(usize, Place), &AdVerdict> =
        ads.map(|ad| ((ad.document, ad.at), ad)).collect();
    let mut refused: Vec<Refusal> = Vec::new();
    for (index, name, event) in evidence.pixels() {
        let it = &evidence.recording.exchanges[index];
        let code = error_code(&name.written, &it.url);
        let Some(code) = code.filter(|_| *event == TrackingEvent::Error) else {
            continue;
        };
        let key = match name.ad {
            Some(at) if name.is_inline => Some((name.document, at)),
            Some(_) => only_ad_behind(evidence, name.document),
            None => None,
        };
        let is_refused = |key: &(usize, Place)| match shown.get(key).map(|ad| &ad.end) {
            None => true,
            Some(end) => {
                matches!(end, Some((time, RecordedEnd::Error)) if *time <= it.at())
            }
        };
        let is_told = |(document, at): &(usize, Place)| {
            refused
                .iter()
                .any(|it| (it.document, it.at) == (*document, *at))
        };
        let key = key.filter(|key| is_refused(key) && !is_told(key));
        refused.extend(key.map(|(document, at)| Refusal {
            document,
            at,
            entry: it.number,
            time: it.at(),
            code,
        }));
    }
    refused
}

/// Returns the ad behind a wrapper, if there is one only: it is that of which the wrapper's own
/// pixel tells.
fn only_ad_behind(evidence: &Evidence, wrapper: usize) -> Option<(usize, Place)> {
    let (tag, hop) = (evidence.tag_of(wrapper), evidence.hop(wrapper));
    let behind = (wrapper..evidence.documents.len())
        .filter(|document| evidence.tag_of(*document) == tag && evidence.hop(*document) > hop);
    let mut ads = behind.flat_map(|document| {
        let read = evidence.documents[document].read.iter();
        let ads = read.flat_map(|read| &read.ads);
        ads.filter(|ad| ad.kind == AdKind::Inline)
            .map(move |ad| (document, ad.at))
    });
    ads.next().filter(|_| ads.next().is_none())
}

impl MissingAd {
    fn of(evidence: &Evidence, document: usize, at: Place, entry: usize, why: TagFailure) -> Self {
        MissingAd {
            document,
            id: ad_source(evidence, document, at).and_then(|ad| ad.id.clone()),
            entry,
            words: match &why {
                TagFailure::Media { words, .. } => format!("its film did not come ({words})"),
                TagFailure::Reported { code } => format!("the page's error pixel says {code}"),
                TagFailure::Status { .. }
                | TagFailure::Network { .. }
                | TagFailure::Document { .. }
                | TagFailure::NotVast { .. } => String::new(),
            },
            at,
            why,
        }
    }
}

/// The ads whose films failed, or for which the page called an error pixel, by their tags.
pub(super) struct Missing(BTreeMap<usize, Vec<MissingAd>>);

impl Missing {
    pub(super) fn of(evidence: &Evidence, refused: &[Refusal]) -> Missing {
        let mut ads: BTreeMap<(usize, Place), Option<MissingAd>> = BTreeMap::new();
        for (finding, it) in evidence.each() {
            let Role::Media(name) = finding.role else {
                continue;
            };
            let name = &evidence.names.all[name];
            let Some(at) = name.ad else { continue };
            let why = it.outcome.film_failure().map(|words| TagFailure::Media {
                entry: it.number,
                words,
            });
            let ad = why.map(|why| MissingAd::of(evidence, name.document, at, it.number, why));
            // One whose other film came was not kept from the screen by that.
            let known = ads.entry((name.document, at)).or_insert_with(|| ad.clone());
            *known = known.take().filter(|_| ad.is_some());
        }
        for it in refused {
            let why = TagFailure::Reported { code: it.code };
            let ad = || MissingAd::of(evidence, it.document, it.at, it.entry, why);
            ads.entry((it.document, it.at))
                .or_default()
                .get_or_insert_with(ad);
        }
        let mut missing = Missing(BTreeMap::new());
        for ((document, _), ad) in ads {
            let of_tag = missing.0.entry(evidence.tag_of(document)).or_default();
            of_tag.extend(ad);
        }
        missing
    }

    /// Returns why the first ad of a tag is missing.
    pub(super) fn first(&self, tag: usize) -> Option<&TagFailure> {
        self.0.get(&tag)?.first().map(|ad| &ad.why)
    }

    /// Returns those of the tags of which other ads were on the screen.
    pub(super) fn beside(&self, evidence: &Evidence, shown: &[AdVerdict]) -> Vec<MissingAd> {
        let tags: BTreeSet<usize> = shown
            .iter()
            .map(|ad| evidence.tag_of(ad.document))
            .collect();
        self.but(shown, |it| tags.contains(&evidence.tag_of(it.document)))
    }

    /// Returns those of some kind that were not on the screen.
    pub(super) fn but(
        &self,
        shown: &[AdVerdict],
        is_of: impl Fn(&MissingAd) -> bool,
    ) -> Vec<MissingAd> {
        let is_shown = |missing: &MissingAd| {
            let mut shown = shown.iter();
            shown.any(|ad| (ad.document, ad.at) == (missing.document, missing.at))
        };
        let all = self.0.values().flatten();
        all.filter(|ad| is_of(ad) && !is_shown(ad))
            .cloned()
            .collect()
    }
}
