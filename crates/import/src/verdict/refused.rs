//! Ads that the page refused: its own error pixel says so, with a code.
//!
//! The page's word is why such an ad was not on the screen, or why it left it. It is believed and
//! not judged: a simulation does not play the ad, and says the same code at the same time.

use std::collections::BTreeMap;

use super::{AdVerdict, RecordedEnd, error_code};
use crate::evidence::Evidence;
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
