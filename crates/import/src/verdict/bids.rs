//! Auctions before a tag.

use std::collections::BTreeSet;

use super::{BidVerdict, BreakVerdict};
use crate::evidence::{Evidence, Ground, json};
use playsim_vast::names::{Named, Names};
use playsim_vast::{self as vast};

/// Returns the bids. One was shown if an ad on the screen has its film or pixels.
pub(super) fn of(evidence: &Evidence, breaks: &[BreakVerdict]) -> Vec<BidVerdict> {
    let shown: BTreeSet<usize> = breaks
        .iter()
        .flat_map(|it| &it.ads)
        .map(|ad| ad.document)
        .collect();
    let names = evidence.names.all.iter();
    let shown: BTreeSet<&str> = names
        .filter(|name| shown.contains(&name.document))
        .map(|name| &*name.written)
        .collect();
    let mut bids = Vec::new();
    for (finding, it) in evidence.each() {
        let text = it.text().filter(|_| finding.ground == Ground::Bid);
        for offer in text.into_iter().flat_map(|text| json::offers(text)) {
            let read = vast::read(&offer.text);
            let mut names = Names::default();
            names.add(0, &read);
            let is_own = |what: &Named| matches!(what, Named::Media | Named::Pixel(_));
            bids.push(BidVerdict {
                entry: it.number,
                url: it.url.clone(),
                price: offer.price.map(|price| price.to_string()),
                ads: read.ads.iter().filter_map(|ad| ad.id.clone()).collect(),
                is_shown: names
                    .all
                    .iter()
                    .any(|name| is_own(&name.what) && shown.contains(&*name.written)),
            });
        }
    }
    bids
}
