//! The order in which the ads of one document get their turns.
//!
//! Ads with a `sequence` form a VAST pod and all get a turn; ads without one are stand-alone. Next
//! to a pod, the stand-alone ads are its reserve; without a pod the first one gets a turn and the
//! others are its reserve. Each ad of the reserve replaces at most one ad. If none of the pod's ads
//! is allowed, all of them fail and the first stand-alone ad gets a turn. A pod here is that of a
//! document, not the slot of a break.
//!
//! Rules: BRK-9, SEL-2, CHN-6, CHN-7; VAST 4.3 sections 2.3.6, 3.3.1, 3.19.

use std::collections::VecDeque;

use crate::error::AdErrorCode;
use playsim_rules::knobs::{ChainedWrapper, PodPlays, PodRefused};
use playsim_rules::{self as rules, RuleId};
use playsim_vast::vmap::AdSource;
use playsim_vast::{Ad, AdKind, Document};

/// The permitted content of a document at its place in the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Admission {
    /// How wrappers are treated, by `followAdditionalWrappers` of the previous wrapper; `None`:
    /// they are followed.
    pub(crate) wrappers: Option<ChainedWrapper>,
    /// How several ads are treated, by `allowMultipleAds` of the previous wrapper; `None`: all of
    /// them count.
    pub(crate) many: Option<PodRefused>,
}

/// The ads of one document, by their index, in the order of their turns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Turns {
    due: VecDeque<usize>,
    reserve: VecDeque<usize>,
    /// Ads that get a turn in which they fail.
    refused: Vec<(usize, Refusal)>,
    form: Form,
}

/// The code, reason and rule with which an ad fails that is not allowed in its place.
pub(crate) type Refusal = (AdErrorCode, &'static str, RuleId);

/// How the ads of a document relate to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// One of them is shown.
    StandAlone,
    /// Those with a `sequence` are all shown.
    VastPod,
    /// Those with a `sequence` all fail because they are not allowed; one of the others is shown.
    RefusedPod,
}

/// An ad that is ignored, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ignored {
    /// Its index in the document.
    pub(crate) ad: usize,
    /// The reason.
    pub(crate) why: &'static str,
    /// The rule.
    pub(crate) rule: RuleId,
}

/// How an ad is treated that is not allowed in its place.
enum Verdict {
    Ignored(&'static str, RuleId),
    Fails(Refusal),
}

/// Why a wrapper after another wrapper is not used.
pub(crate) const NO_WRAPPERS: &str = "followAdditionalWrappers is false";

impl Admission {
    /// The permitted content of the own document of an ad tag: anything.
    pub(crate) const ANY: Admission = Admission {
        wrappers: None,
        many: None,
    };

    /// The permitted content of the first document of a VMAP break, according to its ad source.
    /// Rule VMAP-11.
    pub(crate) fn of_source(source: Option<&AdSource>) -> Admission {
        // Missing means true: the standard gives two defaults for one attribute and none for the
        // other.
        let says = |said: fn(&AdSource) -> Option<bool>| source.and_then(said).unwrap_or(true);
        Admission {
            wrappers: (!says(|it| it.follow_redirects)).then_some(ChainedWrapper::Ignore),
            many: (!says(|it| it.allow_multiple_ads)).then_some(PodRefused::Ignore),
        }
    }

    /// The same for one document: where a pod is refused with 203, a single ad with a sequence is
    /// none. Rule CHN-7.
    pub(crate) fn within(self, document: &Document) -> Admission {
        let in_pod = document.ads.iter().filter(|ad| ad.sequence.is_some());
        let many = match self.many {
            Some(PodRefused::Size) if in_pod.count() < 2 => Some(PodRefused::Play),
            many => many,
        };
        Admission { many, ..self }
    }

    /// Whether an ad gets a turn, even if only to fail.
    pub(crate) fn counts(self, ad: &Ad) -> bool {
        !matches!(self.verdict(ad), Some(Verdict::Ignored(..)))
    }

    /// How an ad is treated; `None` if it is used. Rules CHN-6, CHN-7.
    fn verdict(self, ad: &Ad) -> Option<Verdict> {
        let no_pod = "allowMultipleAds is false and the ad has a sequence";
        let is_wrapper = matches!(ad.kind, AdKind::Wrapper(_));
        let fails = |code| Some(Verdict::Fails((code, NO_WRAPPERS, rules::CHN_6)));
        let chained = self
            .wrappers
            .filter(|_| is_wrapper)
            .and_then(|chained| match chained {
                ChainedWrapper::Ignore => Some(Verdict::Ignored(NO_WRAPPERS, rules::CHN_6)),
                ChainedWrapper::Unavailable => fails(AdErrorCode::Timeout),
                ChainedWrapper::Unexpected => fails(AdErrorCode::Unexpected),
                ChainedWrapper::Follow => None,
            });
        chained.or_else(|| match self.many.filter(|_| ad.sequence.is_some())? {
            PodRefused::Ignore | PodRefused::Schema => Some(Verdict::Ignored(no_pod, rules::CHN_7)),
            PodRefused::Size => Some(Verdict::Fails((AdErrorCode::Size, no_pod, rules::CHN_7))),
            PodRefused::Play => None,
        })
    }

    /// Whether only the first stand-alone ad is used.
    fn is_single(self) -> bool {
        self.many.is_some_and(|refused| refused != PodRefused::Play)
    }
}

impl Turns {
    /// Returns the turns of a document's ads, and the ads that are ignored. Rules CHN-6, CHN-7,
    /// PRD-27.
    pub(crate) fn of(
        document: &Document,
        admission: Admission,
        plays: PodPlays,
    ) -> (Turns, Vec<Ignored>) {
        let (mut pod, mut alone, mut ignored) = (Vec::new(), VecDeque::new(), Vec::new());
        let (mut refused, mut is_admitted) = (Vec::new(), false);
        let before = "allowMultipleAds is false and there is an earlier ad";
        for (index, ad) in document.ads.iter().enumerate() {
            let place = match plays {
                PodPlays::All | PodPlays::First => ad.sequence,
                PodPlays::Listed => ad.sequence.map(|_| 0),
                PodPlays::Every | PodPlays::FirstOfDocument => Some(0),
            };
            match admission.verdict(ad) {
                Some(Verdict::Ignored(why, rule)) => {
                    ignored.push(Ignored {
                        ad: index,
                        why,
                        rule,
                    });
                    continue;
                }
                Some(Verdict::Fails(refusal)) => refused.push((index, refusal)),
                None => is_admitted |= place.is_some(),
            }
            match place {
                Some(sequence) => pod.push((sequence, index)),
                None if admission.is_single() && !alone.is_empty() => {
                    ignored.push(Ignored {
                        ad: index,
                        why: before,
                        rule: rules::CHN_7,
                    });
                }
                None => alone.push_back(index),
            }
        }
        // On a tie the order of the document counts: the sort is stable.
        pod.sort_by_key(|(sequence, _)| *sequence);
        let mut due: VecDeque<usize> = pod.into_iter().map(|(_, index)| index).collect();
        let form = match (due.is_empty(), is_admitted) {
            (true, _) => Form::StandAlone,
            (false, true) => Form::VastPod,
            (false, false) => Form::RefusedPod,
        };
        if form != Form::VastPod {
            due.extend(alone.pop_front());
        }
        (
            Turns {
                due,
                reserve: alone,
                refused,
                form,
            },
            ignored,
        )
    }

    /// Whether no ad has a turn.
    pub(crate) fn is_empty(&self) -> bool {
        self.due.is_empty()
    }

    /// How the ads relate to each other.
    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// The next ad.
    pub(crate) fn next(&mut self) -> Option<usize> {
        self.due.pop_front()
    }

    /// The failure of an ad that is not allowed in its place.
    pub(crate) fn refusal(&self, ad: usize) -> Option<Refusal> {
        self.refused
            .iter()
            .find(|(refused, _)| *refused == ad)
            .map(|(_, refusal)| *refusal)
    }

    /// The ads that have not had a turn, in the order in which they would get one.
    pub(crate) fn left(&self) -> impl Iterator<Item = usize> + '_ {
        self.due.iter().chain(&self.reserve).copied()
    }

    /// Takes the ads of a pod that are still to come; they no longer get a turn.
    pub(crate) fn take_due(&mut self) -> Vec<usize> {
        self.due.drain(..).collect()
    }

    /// The next ad of the reserve. For a refused pod there is none until the stand-alone ad was
    /// tried.
    pub(super) fn next_reserve(&self) -> Option<usize> {
        let is_early = self.form == Form::RefusedPod && !self.due.is_empty();
        self.reserve.front().copied().filter(|_| !is_early)
    }

    /// Gives the next ad of the reserve a turn, in place of the current ad. Returns its index.
    pub(super) fn take_replacement(&mut self) -> Option<usize> {
        let ad = self.reserve.pop_front()?;
        self.due.push_front(ad);
        Some(ad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{ad, document, sequenced, wrapper};

    fn order(mut turns: Turns) -> Vec<usize> {
        std::iter::from_fn(|| turns.next()).collect()
    }

    #[test]
    fn pod_ads_are_ascending_and_stand_alone_ads_are_their_reserve() {
        let ads = vec![
            ad("r"),
            sequenced(ad("b"), 2),
            sequenced(ad("a"), 1),
            sequenced(ad("b2"), 2),
            ad("s"),
        ];
        let (mut turns, ignored) = Turns::of(&document(ads), Admission::ANY, PodPlays::All);
        assert_eq!((turns.form(), ignored.len()), (Form::VastPod, 0));
        assert_eq!(order(turns.clone()), [2, 1, 3]);
        assert_eq!(turns.next(), Some(2));
        assert_eq!(turns.take_replacement(), Some(0));
        assert_eq!(turns.take_replacement(), Some(4));
        assert_eq!(turns.take_replacement(), None);
        assert_eq!(order(turns), [4, 0, 1, 3]);
    }

    #[test]
    fn only_one_stand_alone_ad_gets_a_turn() {
        let (turns, _) = Turns::of(
            &document(vec![ad("a"), ad("b")]),
            Admission::ANY,
            PodPlays::All,
        );
        assert_eq!(order(turns), [0]);
    }

    #[test]
    fn a_stand_alone_ad_follows_a_refused_pod_but_replaces_failed_ads_of_an_allowed_one() {
        let (size, chained) = (Some(PodRefused::Size), Some(ChainedWrapper::Unavailable));
        let ads = vec![
            sequenced(ad("b"), 2),
            ad("c"),
            sequenced(ad("a"), 1),
            ad("d"),
        ];
        let (turns, ignored) = Turns::of(
            &document(ads),
            Admission {
                wrappers: None,
                many: size,
            },
            PodPlays::All,
        );
        assert_eq!((turns.form(), ignored.len()), (Form::RefusedPod, 1));
        assert_eq!(turns.next_reserve(), None);
        assert_eq!(order(turns), [2, 0, 1]);
        let ads = |other| {
            vec![
                sequenced(wrapper("w", "https://w.test"), 1),
                other,
                ad("c"),
                ad("d"),
            ]
        };
        let admission = Admission {
            wrappers: chained,
            many: None,
        };
        let (mut turns, _) = Turns::of(&document(ads(ad("a"))), admission, PodPlays::All);
        assert_eq!((turns.next(), turns.next_reserve()), (Some(0), None));
        assert_eq!((turns.next(), turns.next_reserve()), (Some(1), Some(2)));
        let (turns, _) = Turns::of(
            &document(ads(sequenced(ad("a"), 2))),
            admission,
            PodPlays::All,
        );
        assert_eq!(
            (turns.form(), turns.next_reserve()),
            (Form::VastPod, Some(2))
        );
        assert_eq!(order(turns), [0, 1]);
    }

    #[test]
    fn a_single_ad_with_a_sequence_is_no_pod_where_pods_are_refused_with_203() {
        let refused = |many, ads| {
            Admission {
                wrappers: None,
                many: Some(many),
            }
            .within(&document(ads))
        };
        let one = || vec![sequenced(ad("a"), 1), ad("b")];
        let two = || vec![sequenced(ad("a"), 1), sequenced(ad("b"), 2)];
        assert_eq!(
            refused(PodRefused::Size, one()).many,
            Some(PodRefused::Play)
        );
        assert_eq!(
            refused(PodRefused::Size, two()).many,
            Some(PodRefused::Size)
        );
        assert_eq!(
            refused(PodRefused::Ignore, one()).many,
            Some(PodRefused::Ignore)
        );
    }

    #[test]
    fn a_wrapper_may_forbid_pods_and_wrappers() {
        let admission = Admission {
            wrappers: Some(ChainedWrapper::Ignore),
            many: Some(PodRefused::Ignore),
        };
        let ads = vec![
            sequenced(ad("a"), 1),
            wrapper("w", "https://w.test"),
            ad("b"),
            ad("c"),
        ];
        let (turns, ignored) = Turns::of(&document(ads), admission, PodPlays::All);
        assert_eq!(order(turns), [2]);
        assert_eq!(
            ignored.iter().map(|ignored| ignored.ad).collect::<Vec<_>>(),
            [0, 1, 3]
        );
    }
}
