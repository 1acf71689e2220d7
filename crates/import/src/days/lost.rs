//! Impressions that were lost: pixels that were due, because their ad was on the screen, and did
//! not arrive.
use playsim_vast::TrackingEvent;

use std::collections::BTreeMap;

use crate::evidence::{Evidence, Role};
use crate::recording::{Exchange, RecordedOutcome};
use crate::verdict::{PageVerdict, PixelFault};
use playsim_base::place::Place;
use playsim_base::time::Span;

/// A pixel that is missing this long after its ad began was not sent. Before that the recording may
/// just have ended.
const SILENCE: Span = Span::from_secs(2);

/// Impressions of the ads of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Lost {
    /// Those that were due, if their outcome is known.
    pub(super) due: u64,
    /// Those that were refused, failed, or were not sent.
    pub(super) lost: u64,
}

/// Counts the impressions of the ads that were on the screen, by the index of the tag's document:
/// those of the ad's own document and those of the wrappers around it.
pub(super) fn by_tag(evidence: &Evidence, verdict: &PageVerdict) -> BTreeMap<usize, Lost> {
    let mut named: BTreeMap<(usize, Option<Place>), Vec<&str>> = BTreeMap::new();
    for name in evidence.names.all.iter().filter(|name| {
        name.what
            .tracked()
            .is_some_and(|event| *event == TrackingEvent::Impression)
    }) {
        named
            .entry((name.document, name.ad))
            .or_default()
            .push(&name.written);
    }
    let mut sent: BTreeMap<&str, Vec<Option<bool>>> = BTreeMap::new();
    for (finding, it) in evidence.each() {
        if let Role::Pixel(name) = finding.role {
            sent.entry(&evidence.names.all[name].written)
                .or_default()
                .push(arrived(it));
        }
    }
    let end = evidence.end();
    let mut found: BTreeMap<usize, Lost> = BTreeMap::new();
    for ad in verdict.ads() {
        let mut due: Vec<&str> = Vec::new();
        let mut at = Some((ad.document, Some(ad.at)));
        while let Some((document, place)) = at {
            due.extend(named.get(&(document, place)).into_iter().flatten());
            // A document is named by an earlier one, so that this ends.
            let by = evidence.documents[document]
                .by
                .map(|by| &evidence.names.all[by]);
            at = by
                .filter(|name| name.document < document)
                .map(|name| (name.document, name.ad));
        }
        due.sort_unstable();
        due.dedup();
        let of_tag = found.entry(evidence.tag_of(ad.document)).or_default();
        for url in due {
            let is_lost = match sent.get(url) {
                Some(tries) if tries.contains(&Some(true)) => Some(false),
                Some(tries) => tries.contains(&Some(false)).then_some(true),
                None => (end >= ad.start + SILENCE).then_some(true),
            };
            if let Some(is_lost) = is_lost {
                of_tag.due += 1;
                of_tag.lost += u64::from(is_lost);
            }
        }
    }
    found
}

/// Counts the impressions that did not arrive and that no document names: they belong to no tag.
pub(super) fn stray(verdict: &PageVerdict) -> usize {
    let is_lost = |faults: &[PixelFault]| {
        faults
            .iter()
            .any(|it| matches!(it, PixelFault::Status { .. } | PixelFault::Failed { .. }))
    };
    let stray = verdict
        .pixels
        .iter()
        .filter(|it| it.document.is_none() && it.event == TrackingEvent::Impression);
    stray.filter(|it| is_lost(&it.faults)).count()
}

/// Returns whether a pixel arrived; `None` if that is unknown, as for one that the page itself
/// ended.
fn arrived(it: &Exchange) -> Option<bool> {
    match &it.outcome {
        RecordedOutcome::Response(status) => Some(*status < 400),
        RecordedOutcome::Redirect(..) => Some(true),
        RecordedOutcome::Failed(Some(_)) if !it.outcome.is_ended_by_page() => Some(false),
        RecordedOutcome::Failed(_) | RecordedOutcome::BrokeOff(_) | RecordedOutcome::Unknown => {
            None
        }
    }
}
