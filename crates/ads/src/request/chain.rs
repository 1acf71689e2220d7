//! The documents of one ad tag, from its own to the one that holds the current ad.
//!
//! Each document is a level. The current ad of a level is the wrapper whose URL gave the next
//! level; on the last level, the top, it is the ad to be played. This file keeps track of whose
//! turn it is and of the outcome of earlier ads. Fetching, choosing media and reporting are done in
//! `resolve`.
//!
//! ```text
//!   next_turn ─► Ad ──────────────► mark_ready ─► mark_played ─► next_turn ...
//!     ▲          │ reject
//!     ├──────────┘ (an ad of the reserve steps in, or not)
//!     │
//!   WrapperFailed: no ad of an answer could be used, so its wrapper is rejected
//!   Exhausted:  the tag has no more ads
//! ```
//!
//! Rules: REQ-3, REQ-8, REQ-17, BRK-9, BRK-12, SEL-2 to SEL-5, CHN-6, CHN-7; VAST 4.3 sections
//! 2.3.4, 3.19.

use std::sync::Arc;

use super::hop::{Hop, HopIndex};
use super::pod::{Admission, Form, Ignored, Refusal, Turns};
use crate::error::Failure;
use playsim_api::{Cause, Response};
use playsim_base::time::Time;
use playsim_rules::knobs::{FallbackOnNoAd, KnobReader, PodPlays, PodRefused};
use playsim_rules::{self as rules, RuleId};
use playsim_vast::{Ad, AdKind, Document};

/// The documents of the current tag.
#[derive(Debug, Clone, Default, Hash)]
pub(crate) struct Chain {
    levels: Vec<Level>,
    yielded: Yield,
    /// The first failure: the one that the tag fails with if nothing can be used.
    first: Option<Failure>,
    /// Failures of pod ads, kept while it is undecided whether the tag fills, and their lines in
    /// the trace. Rule BRK-9.
    held: Vec<(Failure, Cause)>,
    /// Ads of levels already left that never had a turn, each with the index of its hop. Rule
    /// SEL-5.
    unused: Vec<(HopIndex, Hop)>,
    /// How many wrappers were followed in all. Rule CHN-10.
    followed: u32,
}

/// The ad that replaces one that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replacement<'a> {
    /// There is no replacement.
    Nobody,
    /// This stand-alone ad. Rule SEL-2.
    Reserve(&'a Ad),
    /// This ad, because the wrapper asks for a fallback. Rule SEL-3.
    Fallback(&'a Ad),
    /// None, although this ad would be available.
    Forbidden {
        /// The ad that would be available.
        ad: &'a Ad,
        /// Why it is not used.
        why: &'static str,
        /// The rule that forbids it.
        rule: RuleId,
    },
}

/// The progress of the ads of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub(crate) enum Yield {
    /// No ad was ready.
    #[default]
    Nothing,
    /// An ad was ready; none has started.
    Ready,
    /// An ad has started; none has played to its end.
    Started,
    /// An ad played to its end or was skipped.
    Played,
}

/// One document.
#[derive(Debug, Clone, Hash)]
struct Level {
    document: Arc<Document>,
    name: Arc<str>,
    text: Arc<str>,
    arrived: Time,
    turns: Turns,
    /// The ad whose turn it is.
    current: usize,
    /// Whether an ad of this level, or of a later one, was ready.
    has_yielded: bool,
    /// The first failure on this level.
    first: Option<Failure>,
}

/// LimitKind turn it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The current ad of the top level.
    Ad,
    /// The response to a wrapper had ads, but none could be used. The wrapper is the current ad of
    /// the top level.
    WrapperFailed {
        /// The first failure after the wrapper.
        failure: Failure,
        /// The form of the response: failures of pod ads were already reported one by one.
        form: Form,
    },
    /// No ad is left.
    Exhausted,
}

impl Chain {
    /// Adds a document. Returns `false`, with no change, if none of its ads is admitted.
    pub(crate) fn push(
        &mut self,
        now: Time,
        answer: &Response,
        admission: Admission,
        plays: PodPlays,
    ) -> (bool, Vec<Ignored>) {
        let (turns, ignored) = Turns::of(&answer.document, admission, plays);
        if turns.is_empty() {
            return (false, ignored);
        }
        self.levels.push(Level {
            document: Arc::clone(&answer.document),
            name: Arc::clone(&answer.name),
            text: Arc::clone(&answer.text),
            arrived: now,
            turns,
            current: 0,
            has_yielded: false,
            first: None,
        });
        (true, ignored)
    }

    /// Moves to the next ad. Leaves levels that have no ads left.
    pub(crate) fn next_turn(&mut self) -> Turn {
        loop {
            let Some(level) = self.levels.last_mut() else {
                return Turn::Exhausted;
            };
            if let Some(ad) = level.turns.next() {
                level.current = ad;
                return Turn::Ad;
            }
            let Some(level) = self.levels.pop() else {
                return Turn::Exhausted;
            };
            self.unused
                .extend(level.unused(HopIndex(self.levels.len())));
            if let (false, Some(failure), false) =
                (level.has_yielded, level.first, self.levels.is_empty())
            {
                return Turn::WrapperFailed {
                    failure,
                    form: level.turns.form(),
                };
            }
        }
    }

    /// The number of documents so far, which is also the hop number of the next one.
    pub(crate) fn depth(&self) -> u32 {
        u32::try_from(self.levels.len()).unwrap_or(u32::MAX)
    }

    /// Counts that the current wrapper is followed. Returns `false` without counting if that would
    /// exceed the limit of documents, which includes the tag's own. Rule CHN-10.
    pub(crate) fn follow(&mut self, most_documents: u32) -> bool {
        let may = self.followed + 1 < most_documents;
        self.followed += u32::from(may);
        may
    }

    /// The permitted content of the next document, according to the current wrapper.
    pub(crate) fn admission(&self, knobs: &KnobReader) -> Admission {
        match self.ad().map(|ad| &ad.kind) {
            Some(AdKind::Wrapper(wrapper)) => Admission {
                wrappers: (!wrapper.follow_additional_wrappers)
                    .then_some(knobs.ad_wrapper_chained()),
                many: (!wrapper.allow_multiple_ads).then(|| match knobs.ad_wrapper_pod() {
                    PodRefused::Schema if self.is_old() => PodRefused::Play,
                    refused @ (PodRefused::Ignore
                    | PodRefused::Schema
                    | PodRefused::Size
                    | PodRefused::Play) => refused,
                }),
            },
            Some(AdKind::Inline | AdKind::Broken(_)) | None => Admission::ANY,
        }
    }

    /// Whether the tag's own document says that it is older than VAST 3. Rule CHN-7.
    fn is_old(&self) -> bool {
        let version = self
            .levels
            .first()
            .and_then(|level| level.document.version.as_ref());
        version.is_some_and(|version| {
            matches!(
                version.trim().as_bytes(),
                [b'0'..=b'2'] | [b'0'..=b'2', b'.', ..]
            )
        })
    }

    /// The current ad.
    pub(crate) fn ad(&self) -> Option<&Ad> {
        let level = self.levels.last()?;
        level.document.ads.get(level.current)
    }

    /// The failure of the current ad if it is not allowed in its place. Rules CHN-6, CHN-7.
    pub(crate) fn refusal(&self) -> Option<Refusal> {
        let level = self.levels.last()?;
        level.turns.refusal(level.current)
    }

    /// When the document of the current ad arrived.
    pub(crate) fn arrived(&self) -> Option<Time> {
        self.levels.last().map(|level| level.arrived)
    }

    /// The wrappers that lead to the current ad and the ad itself, outermost first.
    pub(crate) fn hops(&self) -> impl Iterator<Item = Hop> + '_ {
        self.levels.iter().map(Level::hop)
    }

    /// The source text of the last document. Rule VX-3.
    pub(crate) fn text(&self) -> Option<&Arc<str>> {
        self.levels.last().map(|level| &level.text)
    }

    /// The form of the document that holds the current ad.
    pub(crate) fn form(&self) -> Form {
        self.levels
            .last()
            .map_or(Form::StandAlone, |level| level.turns.form())
    }

    /// The current ad cannot be used. A stand-alone ad of its document replaces it, if there is one
    /// and no rule forbids it. Rules SEL-2, SEL-3.
    pub(crate) fn reject(&mut self, failure: &Failure, knobs: &KnobReader) -> Replacement<'_> {
        self.first.get_or_insert_with(|| failure.clone());
        let Some(level) = self.levels.last_mut() else {
            return Replacement::Nobody;
        };
        level.first.get_or_insert_with(|| failure.clone());
        let next = level
            .turns
            .next_reserve()
            .and_then(|ad| level.document.ads.get(ad));
        let Some(ad) = next else {
            return Replacement::Nobody;
        };
        let fallback = match level.document.ads.get(level.current).map(|ad| &ad.kind) {
            Some(AdKind::Wrapper(wrapper)) => Some(wrapper.fallback_on_no_ad),
            Some(AdKind::Inline | AdKind::Broken(_)) | None => None,
        };
        let forbidden = match (fallback, knobs.ad_fallback_on_no_ad(), level.turns.form()) {
            (Some(Some(_)), FallbackOnNoAd::Ignore, _) => {
                Some(("fallbackOnNoAd is ignored", rules::SEL_3))
            }
            // An explicit `false` forbids a fallback. VAST 4.3 section 3.19
            (Some(Some(false)), FallbackOnNoAd::Act, _) => {
                Some(("fallbackOnNoAd is false", rules::SEL_3))
            }
            (None | Some(None), _, Form::VastPod) if !knobs.ad_pod_reserve().is_on() => {
                Some(("stand-alone ads do not replace ads of a pod", rules::SEL_2))
            }
            (Some(None), FallbackOnNoAd::Ignore, _) => {
                Some(("wrappers are not replaced by other ads", rules::SEL_3))
            }
            (
                None | Some(None | Some(true)),
                _,
                Form::StandAlone | Form::VastPod | Form::RefusedPod,
            ) => None,
        };
        if let Some((why, rule)) = forbidden {
            return Replacement::Forbidden { ad, why, rule };
        }
        level.turns.take_replacement();
        if fallback == Some(Some(true)) {
            Replacement::Fallback(ad)
        } else {
            Replacement::Reserve(ad)
        }
    }

    /// Keeps the failure of a pod ad, and the line that reports it, until the tag fills. Rule
    /// BRK-9.
    pub(crate) fn hold(&mut self, failure: Failure, line: Cause) {
        self.held.push((failure, line));
    }

    /// The current ad is ready, so the tag has filled. Returns the failures kept so far. Rule
    /// BRK-9.
    pub(crate) fn mark_ready(&mut self) -> Vec<(Failure, Cause)> {
        for level in &mut self.levels {
            level.has_yielded = true;
        }
        if self.yielded == Yield::Nothing {
            self.yielded = Yield::Ready;
        }
        std::mem::take(&mut self.held)
    }

    /// The current ad was ready but can no longer be started: it does not count towards the tag
    /// having filled. Rules SEL-12, VPAID-4.
    pub(crate) fn take_back_ready(&mut self) {
        if self.yielded == Yield::Ready {
            self.yielded = Yield::Nothing;
            for level in &mut self.levels {
                level.has_yielded = false;
            }
        }
    }

    /// The current ad has started.
    pub(crate) fn mark_started(&mut self) {
        self.yielded = self.yielded.max(Yield::Started);
    }

    /// Whether ads of a VAST pod are still to come.
    pub(crate) fn has_pod_due(&self) -> bool {
        self.levels
            .iter()
            .any(|level| level.turns.form() == Form::VastPod && !level.turns.is_empty())
    }

    /// The current ad played to its end or was skipped.
    pub(crate) fn mark_played(&mut self) {
        self.yielded = Yield::Played;
    }

    /// The progress of the ads of the tag.
    pub(crate) fn yielded(&self) -> Yield {
        self.yielded
    }

    /// Takes the failure of the tag: the first one.
    pub(crate) fn take_failure(&mut self) -> Option<Failure> {
        self.first.take()
    }

    /// Takes the ads that have not had and will not get a turn, each with the index of its hop.
    /// Rule SEL-5.
    pub(crate) fn take_unused(&mut self) -> Vec<(HopIndex, Hop)> {
        let mut unused = std::mem::take(&mut self.unused);
        for (index, level) in self.levels.drain(..).enumerate().rev() {
            unused.extend(level.unused(HopIndex(index)));
        }
        unused
    }

    /// Takes the pod ads that are still to come, each with the wrappers that lead to it; they no
    /// longer get a turn. The innermost pod comes first. Rule SEL-4.
    pub(crate) fn take_due(&mut self) -> Vec<Vec<Hop>> {
        let mut due = Vec::new();
        for top in (0..self.levels.len()).rev() {
            for ad in self.levels[top].turns.take_due() {
                let outer = self.levels[..top].iter().map(Level::hop);
                let level = &self.levels[top];
                due.push(
                    outer
                        .chain([Hop::new(&level.document, &level.name, ad)])
                        .collect(),
                );
            }
        }
        due
    }
}

impl Level {
    fn hop(&self) -> Hop {
        Hop::new(&self.document, &self.name, self.current)
    }

    /// The ads of this level that had no turn, each with the index of its hop.
    fn unused(&self, index: HopIndex) -> impl Iterator<Item = (HopIndex, Hop)> {
        self.turns
            .left()
            .map(move |ad| (index, Hop::new(&self.document, &self.name, ad)))
    }
}
