//! The timeout of the player, as a range.

use super::{BreakVerdict, NotShown, PlayerLimit, TagResult, TagVerdict};
use crate::evidence::{Certainty, Evidence};
use crate::recording::RecordedClock;
use playsim_base::time::Span;

/// An answer that was so much later may have been in time.
const CHANCE: Span = Span::from_millis(50);

/// Returns how long the player waits for a tag. A limit ends every tag, so that the shortest time
/// after which it gave up is the upper bound, unless a tag that it used took longer.
pub(super) fn of(evidence: &Evidence, breaks: &[BreakVerdict]) -> Option<PlayerLimit> {
    if evidence.recording.clock != RecordedClock::Exact {
        return None;
    }
    let tags = || {
        breaks
            .iter()
            .flat_map(|it| &it.tags)
            .filter(|tag| !tag.together)
    };
    let longest = tags()
        .filter_map(|tag| Some((answered(evidence, tag)?, tag.document)))
        .max();
    let given_up = tags().filter_map(|tag| match tag.outcome {
        // The limit may count from the request that was open, such as that for a wrapper's
        // document.
        TagResult::GivenUp {
            between: (lower, upper),
        } => {
            let open = tag.hops.last().map_or(tag.asked, |hop| hop.asked);
            Some(((lower - (open - tag.asked), upper), tag.document))
        }
        TagResult::ShownLate { .. } | TagResult::AnsweredNotShown { .. } if is_late(tag) => {
            let waited = tag.waited?;
            Some(((waited - Span::from_millis(25), waited), tag.document))
        }
        TagResult::Filled { .. }
        | TagResult::ShownLate { .. }
        | TagResult::AnsweredNotShown { .. }
        | TagResult::Scheduled { .. }
        | TagResult::NoAd { .. }
        | TagResult::Failed { .. }
        | TagResult::Unknown { .. } => None,
    });
    let least = longest.map_or(Span::ZERO, |(longest, _)| longest);
    // One that was given up sooner than another was waited for was not ended by the limit.
    let shortest = given_up
        .filter(|((_, upper), _)| *upper >= least)
        .min_by_key(|((_, upper), _)| *upper);
    match (shortest, longest) {
        (Some(((lower, upper), document)), _) => Some(PlayerLimit {
            lower: lower.max(least).min(upper),
            upper: Some(upper),
            document,
        }),
        (None, Some((longest, document))) => Some(PlayerLimit {
            lower: longest,
            upper: None,
            document,
        }),
        (None, None) => None,
    }
}

/// Judges tags whose ads were not shown anew: one that took longer than the player waits answered
/// too late.
pub(super) fn apply(limit: &PlayerLimit, breaks: &mut [BreakVerdict]) {
    let Some(upper) = limit.upper else { return };
    for tag in breaks.iter_mut().flat_map(|it| &mut it.tags) {
        let is_unknown = tag.outcome
            == TagResult::AnsweredNotShown {
                why: NotShown::Unknown,
            };
        if let Some(took) = tag
            .took
            .filter(|took| is_unknown && !tag.together && *took > upper + CHANCE)
        {
            tag.outcome = TagResult::AnsweredNotShown {
                why: NotShown::TooLate { by: took - upper },
            };
            tag.certainty = tag.certainty.max(Certainty::Inferred);
        }
    }
}

fn is_late(tag: &TagVerdict) -> bool {
    tag.waited
        .zip(tag.took)
        .is_some_and(|(waited, took)| took > waited)
}

/// Returns how long the player waited for a tag that was answered in time, with its wrappers.
fn answered(evidence: &Evidence, tag: &TagVerdict) -> Option<Span> {
    if is_late(tag) {
        return None;
    }
    match tag.outcome {
        TagResult::Filled { .. } | TagResult::Scheduled { .. } | TagResult::NoAd { .. } => {
            // The documents of later ads of a pod are requested while the ones before play.
            let first = tag.waited.unwrap_or(Span::MAX);
            let hops = tag
                .hops
                .iter()
                .filter_map(|hop| Some(hop.asked + hop.took? - tag.asked));
            hops.chain(tag.took).filter(|took| *took <= first).max()
        }
        TagResult::Failed { .. } => tag
            .took
            .filter(|_| evidence.answer(tag.document).status().is_some()),
        // An ad that was not shown may have arrived after the player had continued.
        TagResult::AnsweredNotShown { .. }
        | TagResult::ShownLate { .. }
        | TagResult::GivenUp { .. }
        | TagResult::Unknown { .. } => None,
    }
}
