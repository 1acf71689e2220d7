//! The outcome of a tag or an ad, as a row shows it: symbol, colour, few words, and the reason
//! where it is inferred.

use super::View;
use crate::evidence::Certainty;
use crate::verdict::{
    AdVerdict, BreakVerdict, NotShown, RecordedBreakKind, TagFailure, TagResult, TagVerdict,
    reason, words,
};
use playsim_base::time::{Span, Time};
use playsim_report::page::glyphs::GlyphTone;

/// The shortest wait that makes a row the costliest one.
const WORTH: Span = Span::from_millis(300);

/// Returns the symbol and the colour of the outcome of a tag.
pub(super) fn look(result: &TagResult) -> (&'static str, GlyphTone) {
    match result {
        TagResult::Filled { .. } => ("fill", GlyphTone::Good),
        TagResult::ShownLate { .. } => ("fill", GlyphTone::Note),
        TagResult::Scheduled { .. } => ("plan", GlyphTone::Good),
        TagResult::NoAd { .. } => ("empty", GlyphTone::Muted),
        TagResult::GivenUp { .. } => ("quit", GlyphTone::Bad),
        TagResult::AnsweredNotShown {
            why: NotShown::TooLate { .. },
        } => ("time", GlyphTone::Bad),
        TagResult::AnsweredNotShown {
            why: NotShown::OtherWasShown | NotShown::NotDue | NotShown::Unknown,
        } => ("ring", GlyphTone::Muted),
        TagResult::Failed { cause } => match cause {
            TagFailure::Network { words, .. } if words.to_ascii_lowercase().contains("blocked") => {
                ("block", GlyphTone::Bad)
            }
            TagFailure::Status { .. }
            | TagFailure::Network { .. }
            | TagFailure::Reported { .. } => ("cross", GlyphTone::Bad),
            TagFailure::Document { .. } | TagFailure::NotVast { .. } => ("broken", GlyphTone::Bad),
            TagFailure::Media { .. } => ("media", GlyphTone::Bad),
        },
        TagResult::Unknown { .. } => ("unknown", GlyphTone::Muted),
    }
}

/// Returns the outcome of a tag in as few words as fit into a row.
pub(super) fn brief(tag: &TagVerdict) -> String {
    match &tag.outcome {
        TagResult::Failed {
            cause: TagFailure::Network { words, .. },
        } => format!("failed: {words}"),
        TagResult::AnsweredNotShown {
            why: NotShown::Unknown,
        } => "answered with an ad that was not shown".to_owned(),
        TagResult::Unknown { .. } => "unknown".to_owned(),
        TagResult::Filled { .. }
        | TagResult::ShownLate { .. }
        | TagResult::AnsweredNotShown { .. }
        | TagResult::Scheduled { .. }
        | TagResult::NoAd { .. }
        | TagResult::Failed { .. }
        | TagResult::GivenUp { .. } => words(tag),
    }
}

/// Returns the same for the row of a tag, which says of one that is unknown only that.
pub(super) fn row_reason(view: &View<'_>, tag: &TagVerdict) -> Option<String> {
    if let TagResult::Unknown { why } = &tag.outcome {
        Some(why.clone())
    } else {
        reason(view.evidence, tag)
    }
}

/// Returns the ground for the kind of a break, if the kind is not seen.
pub(super) fn kind_reason(it: &BreakVerdict) -> Option<&'static str> {
    match (it.certainty, it.kinds.first()) {
        (Certainty::Seen, _) | (_, None) => None,
        // No option gives the kind of a break.
        (Certainty::Assumed, Some(_)) => None,
        (Certainty::Unknown, _) if it.kinds.contains(&RecordedBreakKind::Overlay) => {
            Some("only overlays came, and nothing tells what was wanted")
        }
        (Certainty::Unknown, _) if it.kinds.contains(&RecordedBreakKind::Outstream) => {
            Some("no content was asked for")
        }
        (Certainty::Inferred, Some(RecordedBreakKind::Overlay)) => {
            Some("only overlays came, and the error code is one of overlays")
        }
        (Certainty::Unknown, Some(RecordedBreakKind::PreRoll)) => {
            Some("content was asked for long before it, and may have been played")
        }
        (Certainty::Unknown, Some(_)) => Some("the recording ends too soon after it to tell"),
        (Certainty::Inferred, Some(RecordedBreakKind::PreRoll)) => {
            Some("its requests show no content that was played before it")
        }
        (Certainty::Inferred, Some(RecordedBreakKind::NextPreRoll)) => {
            Some("other content was asked for after it")
        }
        (Certainty::Inferred, Some(RecordedBreakKind::OtherPlayer)) => {
            Some("another script asked while the first player was busy")
        }
        (Certainty::Inferred, Some(RecordedBreakKind::MidRoll)) if it.cue.is_none() => {
            Some("content was asked for piece after piece before it")
        }
        (Certainty::Inferred, Some(RecordedBreakKind::MidRoll)) => {
            Some("content or another break followed it")
        }
        (
            Certainty::Inferred,
            Some(
                RecordedBreakKind::PostRoll
                | RecordedBreakKind::Schedule
                | RecordedBreakKind::Outstream,
            ),
        ) => None,
    }
}

/// Returns the tag of the whole recording that cost most and gave nothing: its break and its place
/// in it.
pub(super) fn worst(view: &View<'_>) -> Option<(usize, usize)> {
    let breaks = view.verdict.breaks.iter().enumerate();
    let all = breaks.flat_map(|(at, it)| {
        it.tags
            .iter()
            .enumerate()
            .map(move |(nth, tag)| ((at, nth), tag))
    });
    let costly = all.filter(|(_, tag)| !tag.together && look(&tag.outcome).1 == GlyphTone::Bad);
    let cost =
        costly.filter_map(|(place, tag)| Some((tag.waited.filter(|it| *it >= WORTH)?, place)));
    // Of equal ones, the first.
    cost.max_by_key(|(waited, (at, nth))| (*waited, usize::MAX - at, usize::MAX - nth))
        .map(|(_, place)| place)
}

/// Returns when the last thing is seen of an ad: its end, or else its last pixel.
pub(super) fn seen_until(view: &View<'_>, ad: &AdVerdict, until: Time) -> Time {
    if let Some((end, _)) = &ad.end {
        return *end;
    }
    let is_own = |document: Option<usize>| document == Some(ad.document);
    let pixels = view
        .verdict
        .pixels
        .iter()
        .filter(|pixel| is_own(pixel.document));
    let times = pixels
        .map(|pixel| pixel.at)
        .filter(|at| (ad.start..until).contains(at));
    times.max().unwrap_or(ad.start)
}

/// Returns how an ad ended, and how sure that is.
pub(super) fn ended(ad: &AdVerdict) -> (Certainty, String) {
    match &ad.end {
        Some((_, how)) => (Certainty::Seen, format!("ended with {how}")),
        None => (Certainty::Unknown, "no pixel shows its end".to_owned()),
    }
}
