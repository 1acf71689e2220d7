//! The grounds of inferences: why a request is taken for a tag, and why a tag is judged as it is.

use super::{NotShown, TagFailure, TagResult, TagVerdict};
use crate::evidence::{Certainty, Evidence, Ground, RecordedAnswer};
use playsim_base::words::seconds;

/// Returns why a tag is judged as it is, if that is not seen.
pub(crate) fn reason(evidence: &Evidence, tag: &TagVerdict) -> Option<String> {
    if tag.certainty == Certainty::Seen {
        return None;
    }
    let found = is_found(evidence, tag).map(|ground| format!("it is a tag, since {ground}"));
    let reasons: Vec<String> = found.into_iter().chain(judged(evidence, tag)).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// Returns why a request is taken for a tag, if its answer does not say so.
pub(crate) fn is_found(evidence: &Evidence, tag: &TagVerdict) -> Option<String> {
    let finding = evidence.finding(tag.document);
    let is_plain = matches!(finding.ground, Ground::Body | Ground::Named { .. });
    (finding.certainty != Certainty::Seen || !is_plain).then(|| evidence.ground(&finding.ground))
}

/// Returns the evidence for the outcome of a tag.
fn judged(evidence: &Evidence, tag: &TagVerdict) -> Option<String> {
    let waited = tag.waited.map(|waited| seconds(waited.micros()));
    match &tag.outcome {
        TagResult::GivenUp { .. } => {
            waited.map(|waited| format!("the page went on {waited} s after it had asked"))
        }
        TagResult::AnsweredNotShown { why: NotShown::TooLate { .. } } => {
            waited.map(|waited| format!("the page had gone on after {waited} s, before the answer was there"))
        }
        TagResult::AnsweredNotShown { why: NotShown::OtherWasShown } => {
            Some("nothing of it was requested after its answer".to_owned())
        }
        TagResult::AnsweredNotShown { why: NotShown::NotDue } => Some(
            "its schedule has the break later than the content can have got when the recording ends"
                .to_owned(),
        ),
        TagResult::AnsweredNotShown { why: NotShown::Unknown } => Some(
            "neither its film nor a pixel of it was requested, and the recording goes on after its answer"
                .to_owned(),
        ),
        TagResult::Filled { entry, .. } | TagResult::ShownLate { entry } => {
            let mut each = evidence.each();
            let is_shared = each.any(|(finding, it)| {
                it.number == *entry && matches!(finding.ground, Ground::NamedBySeveral { .. })
            });
            is_shared.then(|| {
                format!("several answers name entry {entry}, which shows it; by its time and film it is of this one")
            })
        }
        TagResult::Failed { cause: TagFailure::Network { .. } } => match (&tag.answer, waited) {
            (RecordedAnswer::Document { .. }, _) => {
                Some("the header fields of its answer say so, not the browser".to_owned())
            }
            (_, Some(waited))
                if tag.took.is_none() && evidence.answer(tag.document).outcome.words().is_none() =>
            {
                Some(format!("the recording has no answer, and the page went on after {waited} s"))
            }
            _ => None,
        },
        TagResult::NoAd { .. }
        | TagResult::Scheduled { .. }
        | TagResult::Failed { .. }
        | TagResult::Unknown { .. } => None,
    }
}
