//! Which ads of one document come when.
//!
//! Ads with a `sequence` are a VAST pod and all have their turn; ads without one are stand-alone. With a
//! pod they are its reserve, without one the first has its turn and the rest is the reserve. An ad of
//! the reserve steps in once. A pod here is the document's, not the slot of a break.
//!
//! Rules: BRK-9, SEL-2, CHN-6, CHN-7; VAST 4.3 sections 2.3.6, 3.3.1, 3.19.

use std::collections::VecDeque;

use super::error::AdErrorCode;
use crate::knobs::{ChainedWrapper, PodRefused};
use crate::rule;
use crate::rules::RuleId;
use crate::vast::{Ad, AdKind, Document};

/// What a document may hold at its place in the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Admission {
    /// What becomes of wrappers: `followAdditionalWrappers` of the wrapper before. `None`: they are followed.
    pub(super) wrappers: Option<ChainedWrapper>,
    /// What becomes of more than one ad: `allowMultipleAds` of the wrapper before. `None`: all count.
    pub(super) many: Option<PodRefused>,
}

/// The ads of one document, by their index, in the order of their turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Turns {
    due: VecDeque<usize>,
    reserve: VecDeque<usize>,
    /// Those that have a turn and fail in it.
    refused: Vec<(usize, Refusal)>,
    form: Form,
}

/// With what an ad fails that may not be where it is.
pub(super) type Refusal = (AdErrorCode, &'static str, RuleId);

/// What the ads of a document are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// One of them is shown.
    StandAlone,
    /// Those with a `sequence` are all shown.
    VastPod,
}

/// An ad that does not count, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ignored {
    /// Its index in the document.
    pub(super) ad: usize,
    /// Why.
    pub(super) why: &'static str,
    /// The rule.
    pub(super) rule: RuleId,
}

/// What becomes of an ad that may not be where it is.
enum Verdict {
    Ignored(&'static str, RuleId),
    Fails(Refusal),
}

/// Why a wrapper behind a wrapper does not count.
pub(super) const NO_WRAPPERS: &str = "followAdditionalWrappers is false";

impl Admission {
    /// What an ad tag's own document may hold: anything.
    pub(super) const ANY: Admission = Admission { wrappers: None, many: None };

    /// Whether an ad counts, be it only to fail.
    pub(super) fn counts(self, ad: &Ad) -> bool {
        !matches!(self.verdict(ad), Some(Verdict::Ignored(..)))
    }

    /// What becomes of an ad; `None`: it counts. Rules CHN-6, CHN-7.
    fn verdict(self, ad: &Ad) -> Option<Verdict> {
        let no_pod = "allowMultipleAds is false and the ad has a sequence";
        let is_wrapper = matches!(ad.kind, AdKind::Wrapper(_));
        let chained = self.wrappers.filter(|_| is_wrapper).map(|chained| match chained {
            ChainedWrapper::Ignore => Verdict::Ignored(NO_WRAPPERS, rule!("CHN-6")),
            ChainedWrapper::Unavailable => {
                Verdict::Fails((AdErrorCode::Timeout, NO_WRAPPERS, rule!("CHN-6")))
            }
            ChainedWrapper::Unexpected => {
                Verdict::Fails((AdErrorCode::Unexpected, NO_WRAPPERS, rule!("CHN-6")))
            }
        });
        chained.or_else(|| match self.many.filter(|_| ad.sequence.is_some())? {
            PodRefused::Ignore => Some(Verdict::Ignored(no_pod, rule!("CHN-7"))),
            PodRefused::Schema => Some(Verdict::Fails((AdErrorCode::Schema, no_pod, rule!("CHN-7")))),
            PodRefused::Size => Some(Verdict::Fails((AdErrorCode::Size, no_pod, rule!("CHN-7")))),
            PodRefused::Play => None,
        })
    }

    /// Whether only the first stand-alone ad counts.
    fn is_single(self) -> bool {
        self.many.is_some_and(|refused| refused != PodRefused::Play)
    }
}

impl Turns {
    /// The turns of a document's ads, and those that do not count.
    pub(super) fn of(document: &Document, admission: Admission) -> (Turns, Vec<Ignored>) {
        let (mut pod, mut alone, mut ignored) = (Vec::new(), VecDeque::new(), Vec::new());
        let mut refused = Vec::new();
        let before = "allowMultipleAds is false and an ad came before";
        for (index, ad) in document.ads.iter().enumerate() {
            match admission.verdict(ad) {
                Some(Verdict::Ignored(why, rule)) => {
                    ignored.push(Ignored { ad: index, why, rule });
                    continue;
                }
                Some(Verdict::Fails(refusal)) => refused.push((index, refusal)),
                None => {}
            }
            match ad.sequence {
                Some(sequence) => pod.push((sequence, index)),
                None if admission.is_single() && !alone.is_empty() => {
                    ignored.push(Ignored { ad: index, why: before, rule: rule!("CHN-7") });
                }
                None => alone.push_back(index),
            }
        }
        // Ties keep the document's order: the sort is stable.
        pod.sort_by_key(|(sequence, _)| *sequence);
        let turns = if pod.is_empty() {
            let due = alone.pop_front().into_iter().collect();
            Turns { due, reserve: alone, refused, form: Form::StandAlone }
        } else {
            let due = pod.into_iter().map(|(_, index)| index).collect();
            Turns { due, reserve: alone, refused, form: Form::VastPod }
        };
        (turns, ignored)
    }

    /// Whether no ad has a turn.
    pub(super) fn is_empty(&self) -> bool {
        self.due.is_empty()
    }

    /// What the ads are to each other.
    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// The next ad.
    pub(super) fn next(&mut self) -> Option<usize> {
        self.due.pop_front()
    }

    /// With what an ad fails that has its turn where it may not be.
    pub(super) fn refusal(&self, ad: usize) -> Option<Refusal> {
        self.refused.iter().find(|(refused, _)| *refused == ad).map(|(_, refusal)| *refusal)
    }

    /// The ads that have not had a turn, in the order in which they would have had it.
    pub(super) fn left(&self) -> impl Iterator<Item = usize> + '_ {
        self.due.iter().chain(&self.reserve).copied()
    }

    /// The ads of a pod whose turn is still to come; they have it no more.
    pub(super) fn take_due(&mut self) -> Vec<usize> {
        self.due.drain(..).collect()
    }

    /// The next ad of the reserve.
    pub(super) fn next_reserve(&self) -> Option<usize> {
        self.reserve.front().copied()
    }

    /// An ad of the reserve steps in for the one whose turn it was. Gives its index.
    pub(super) fn stand_in(&mut self) -> Option<usize> {
        let ad = self.reserve.pop_front()?;
        self.due.push_front(ad);
        Some(ad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ads::tests::{ad, document, sequenced, wrapper};

    fn order(mut turns: Turns) -> Vec<usize> {
        std::iter::from_fn(|| turns.next()).collect()
    }

    #[test]
    fn a_pod_comes_in_ascending_order_and_stand_alone_ads_are_its_reserve() {
        let ads =
            vec![ad("r"), sequenced(ad("b"), 2), sequenced(ad("a"), 1), sequenced(ad("b2"), 2), ad("s")];
        let (mut turns, ignored) = Turns::of(&document(ads), Admission::ANY);
        assert_eq!((turns.form(), ignored.len()), (Form::VastPod, 0));
        assert_eq!(order(turns.clone()), [2, 1, 3]);
        assert_eq!(turns.next(), Some(2));
        assert_eq!(turns.stand_in(), Some(0));
        assert_eq!(turns.stand_in(), Some(4));
        assert_eq!(turns.stand_in(), None);
        assert_eq!(order(turns), [4, 0, 1, 3]);
    }

    #[test]
    fn of_stand_alone_ads_one_has_its_turn() {
        let (turns, _) = Turns::of(&document(vec![ad("a"), ad("b")]), Admission::ANY);
        assert_eq!(order(turns), [0]);
    }

    #[test]
    fn a_wrapper_may_forbid_pods_and_wrappers() {
        let admission = Admission { wrappers: Some(ChainedWrapper::Ignore), many: Some(PodRefused::Ignore) };
        let ads = vec![sequenced(ad("a"), 1), wrapper("w", "https://w.test"), ad("b"), ad("c")];
        let (turns, ignored) = Turns::of(&document(ads), admission);
        assert_eq!(order(turns), [2]);
        assert_eq!(ignored.iter().map(|ignored| ignored.ad).collect::<Vec<_>>(), [0, 1, 3]);
    }
}
