//! What is due at positions of a linear ad: quartiles and progress.
//!
//! Rules: BRK-3, BRK-4; VAST 4.3 section 3.14.

use crate::ads::tracking::Hop;
use crate::api::EventName;
use crate::time::{Position, Span};
use crate::vast::{Offset, Url};

/// Something due at a position.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    pub(super) at: Position,
    pub(super) what: MarkKind,
}

#[derive(Debug, Clone)]
pub(super) enum MarkKind {
    Quartile { event: EventName, beacon: &'static str },
    Progress { hop: usize, url: Url },
}

const QUARTILES: [(EventName, &str); 3] = [
    (EventName::AdFirstQuartile, "firstQuartile"),
    (EventName::AdMidpoint, "midpoint"),
    (EventName::AdThirdQuartile, "thirdQuartile"),
];

/// The marks of an ad of this length, ascending; its quartiles are left out where a unit tells them.
pub(super) fn of(hops: &[Hop], duration: Span, has_quartiles: bool) -> Vec<Mark> {
    let quartiles: &[_] = if has_quartiles { &QUARTILES } else { &[] };
    let mut marks: Vec<Mark> = (1..)
        .zip(quartiles.iter().copied())
        .map(|(part, (event, beacon))| Mark {
            at: duration.share(part, 4).end(),
            what: MarkKind::Quartile { event, beacon },
        })
        .collect();
    for (hop, ad) in hops.iter().enumerate() {
        let trackers = ad.linears().flat_map(|linear| &linear.tracking);
        for tracking in trackers.filter(|tracking| &*tracking.event == "progress") {
            let at = tracking.offset.map(|offset| place(offset, duration));
            if let Some(at) = at.filter(|at| *at <= duration.end()) {
                marks.push(Mark { at, what: MarkKind::Progress { hop, url: tracking.url.clone() } });
            }
        }
    }
    // Quartiles come before progress at a tie, and hops outermost first: the sort is stable.
    marks.sort_by_key(|mark| mark.at);
    marks
}

/// The position of an offset on a timeline of this length.
pub(super) fn place(offset: Offset, duration: Span) -> Position {
    match offset {
        Offset::At(span) => span.end(),
        Offset::Share(millionths) => duration.share(u64::from(millionths), 1_000_000).end(),
    }
}
