//! Macros that were left unreplaced in URLs that were requested or called.
//!
//! Rules: MAC-3, MAC-4.

use super::{AdBreakReport, Unfilled};
use playsim_vast::macros;

/// Returns the unreplaced macros of a break, in order of appearance.
pub(super) fn of(it: &AdBreakReport) -> Vec<Unfilled> {
    let asked = it
        .tags
        .iter()
        .flat_map(|tag| &tag.requests)
        .map(|request| &request.url);
    let called = it.beacons.iter().map(|beacon| &beacon.url);
    let mut found: Vec<Unfilled> = Vec::new();
    for url in asked.chain(called) {
        for (from, to) in macros(url) {
            let name = &url[from..to];
            let index = found
                .iter()
                .position(|it| it.name == name)
                .unwrap_or_else(|| {
                    found.push(Unfilled {
                        name: name.to_owned(),
                        urls: Vec::new(),
                    });
                    found.len() - 1
                });
            let urls = &mut found[index].urls;
            if !urls.contains(url) {
                urls.push(url.clone());
            }
        }
    }
    found
}
