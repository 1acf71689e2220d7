//! Which ads of one document come when.
//!
//! Ads with a `sequence` are a VAST pod and all have their turn; ads without one are stand-alone. With a
//! pod they are its reserve, without one the first has its turn and the rest is the reserve. An ad of
//! the reserve steps in once. A pod here is the document's, not the slot of a break.
//!
//! Rules: BRK-9; VAST 4.3 sections 2.3.6, 3.3.1, 3.19.

use std::collections::VecDeque;

use crate::vast::{Ad, AdKind, Document};

/// What a document may hold at its place in the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Admission {
    /// Whether wrappers are followed: `followAdditionalWrappers` of the wrapper before.
    pub(super) wrappers: bool,
    /// Whether more than one ad counts: `allowMultipleAds` of the wrapper before.
    pub(super) many: bool,
}

/// The ads of one document, by their index, in the order of their turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Turns {
    due: VecDeque<usize>,
    reserve: VecDeque<usize>,
    form: Form,
}

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
}

/// Why a wrapper behind a wrapper does not count.
pub(super) const NO_WRAPPERS: &str = "followAdditionalWrappers is false";

impl Admission {
    /// What an ad tag's own document may hold: anything.
    pub(super) const ANY: Admission = Admission { wrappers: true, many: true };

    /// Why an ad does not count, if it does not.
    pub(super) fn refusal(self, ad: &Ad) -> Option<&'static str> {
        match ad.kind {
            AdKind::Wrapper(_) if !self.wrappers => Some(NO_WRAPPERS),
            AdKind::Inline | AdKind::Wrapper(_) | AdKind::Broken if !self.many && ad.sequence.is_some() => {
                Some("allowMultipleAds is false and the ad has a sequence")
            }
            AdKind::Inline | AdKind::Wrapper(_) | AdKind::Broken => None,
        }
    }
}

impl Turns {
    /// The turns of a document's ads, and those that do not count.
    pub(super) fn of(document: &Document, admission: Admission) -> (Turns, Vec<Ignored>) {
        let (mut pod, mut alone, mut ignored) = (Vec::new(), VecDeque::new(), Vec::new());
        for (index, ad) in document.ads.iter().enumerate() {
            match (admission.refusal(ad), ad.sequence) {
                (Some(why), _) => ignored.push(Ignored { ad: index, why }),
                (None, Some(sequence)) => pod.push((sequence, index)),
                (None, None) if !admission.many && !alone.is_empty() => {
                    ignored
                        .push(Ignored { ad: index, why: "allowMultipleAds is false and an ad came before" });
                }
                (None, None) => alone.push_back(index),
            }
        }
        // Ties keep the document's order: the sort is stable.
        pod.sort_by_key(|(sequence, _)| *sequence);
        let turns = if pod.is_empty() {
            let due = alone.pop_front().into_iter().collect();
            Turns { due, reserve: alone, form: Form::StandAlone }
        } else {
            let due = pod.into_iter().map(|(_, index)| index).collect();
            Turns { due, reserve: alone, form: Form::VastPod }
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
        let admission = Admission { wrappers: false, many: false };
        let ads = vec![sequenced(ad("a"), 1), wrapper("w", "https://w.test"), ad("b"), ad("c")];
        let (turns, ignored) = Turns::of(&document(ads), admission);
        assert_eq!(order(turns), [2]);
        assert_eq!(ignored.iter().map(|ignored| ignored.ad).collect::<Vec<_>>(), [0, 1, 3]);
    }
}
