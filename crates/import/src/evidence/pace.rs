//! How quickly a page continues, as the recording itself shows it.
//!
//! A page on a busy machine takes longer from an answer to the request that follows from it. The
//! longest pause between two tags of one waterfall follows from that: from what documents name, and
//! from tags that are known.

use std::collections::BTreeMap;

use super::Role;
use super::find::Finder;
use playsim_base::time::{Span, Time};
use playsim_vast::TrackingEvent;
use playsim_vast::names::Named;

/// The longest pause between two tags of a quick page, and of any.
const LEAST: Span = Span::from_millis(150);
const MOST: Span = Span::from_millis(1_500);
/// A request that follows an answer later than this did not wait for it.
const LONGEST: Span = Span::from_secs(2);

/// Returns how long the page took from each answer to the first request that follows from it.
pub(super) fn reactions(finder: &Finder<'_>) -> Vec<Span> {
    let mut first: BTreeMap<usize, Time> = BTreeMap::new();
    for (finding, it) in finder.findings.iter().zip(finder.exchanges) {
        let name = if let Role::Media(name) | Role::Interactive(name) = finding.role {
            Some(name)
        } else if let Role::Pixel(name) = finding.role {
            let error = Named::Pixel(TrackingEvent::Error.into());
            Some(name).filter(|name| finder.names.all[*name].what == error)
        } else if let Role::Document(document) = finding.role {
            finder.documents[document].by
        } else {
            None
        };
        if let Some(name) = name {
            first
                .entry(finder.names.all[name].document)
                .or_insert(it.at());
        }
    }
    let reaction = |(document, at): (usize, Time)| {
        at - finder.exchanges[finder.documents[document].answer].over()
    };
    first
        .into_iter()
        .map(reaction)
        .filter(|span| *span <= LONGEST)
        .collect()
}

/// Returns how long the page usually takes.
pub(super) fn usual(mut seen: Vec<Span>) -> Span {
    seen.sort_unstable();
    seen.get(seen.len() / 2).copied().unwrap_or_default()
}

/// Returns the longest pause between two tags of one waterfall: half more than the page usually
/// takes.
pub(super) fn longest_pause(usual: Span) -> Span {
    usual.share(3, 2).clamp(LEAST, MOST)
}
