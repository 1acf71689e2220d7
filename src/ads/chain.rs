//! The documents of one ad tag, from its own to the one that holds the ad at hand.
//!
//! Each document is a level; the ad whose turn it is on a level is a wrapper that led to the level
//! above, or on the top level the ad itself. This file knows whose turn it is and what became of those
//! before. Fetching, choosing media and telling is `resolve`.
//!
//! ```text
//!   next_turn ─► Ad ──────────────► mark_ready ─► mark_played ─► next_turn ...
//!     ▲          │ reject
//!     ├──────────┘ (an ad of the reserve steps in, or not)
//!     │
//!   LedNowhere: no ad of an answer could be used, so its wrapper is rejected
//!   Exhausted:  the tag has given what it has
//! ```
//!
//! Rules: REQ-3, REQ-8, REQ-17, BRK-9, BRK-12, SEL-2 to SEL-5, CHN-6, CHN-7; VAST 4.3 sections 2.3.4, 3.19.

use std::sync::Arc;

use super::error::Failure;
use super::pod::{Admission, Form, Ignored, Refusal, Turns};
use super::tracking::Hop;
use crate::api::{Answer, Cause};
use crate::knobs::{FallbackOnNoAd, Knobs};
use crate::rule;
use crate::rules::RuleId;
use crate::time::Time;
use crate::vast::{Ad, AdKind, Document};

/// The documents of the ad tag in turn.
#[derive(Debug, Clone, Default)]
pub(super) struct Chain {
    levels: Vec<Level>,
    yielded: Yield,
    /// The first thing that went wrong: what the tag fails with if nothing can be used.
    first: Option<Failure>,
    /// What pod ads failed with while it was open whether the tag fills, and the lines that say so. Rule BRK-9.
    held: Vec<(Failure, Cause)>,
    /// Ads of levels that were left which have had no turn, with the number of their hop. Rule SEL-5.
    unused: Vec<(usize, Hop)>,
    /// How many wrappers were followed, wherever they led. Rule CHN-10.
    followed: u32,
}

/// Who steps in for an ad that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StandIn<'a> {
    /// Nobody is there.
    Nobody,
    /// This ad of the reserve. Rule SEL-2.
    Reserve(&'a Ad),
    /// This one, as its wrapper has asked for. Rule SEL-3.
    Fallback(&'a Ad),
    /// Nobody, though this one could.
    Forbidden {
        /// The ad that could.
        ad: &'a Ad,
        /// Why it does not.
        why: &'static str,
        /// The rule.
        rule: RuleId,
    },
}

/// What a tag has given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Yield {
    /// No ad that could be shown.
    #[default]
    Nothing,
    /// An ad got ready; none has started.
    Ready,
    /// An ad has started; none was shown to its end.
    Started,
    /// An ad was shown to its end, or skipped.
    Played,
}

/// One document.
#[derive(Debug, Clone)]
struct Level {
    document: Arc<Document>,
    name: Arc<str>,
    text: Arc<str>,
    arrived: Time,
    turns: Turns,
    /// The ad whose turn it is.
    current: usize,
    /// Whether an ad of this level, or of one behind it, got ready.
    has_yielded: bool,
    /// The first thing that went wrong on this level.
    first: Option<Failure>,
}

/// Whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Turn {
    /// The ad of the top level.
    Ad,
    /// A wrapper's answer had ads, and none could be used. The wrapper is the ad of the top level.
    LedNowhere {
        /// The first thing that went wrong behind it.
        failure: Failure,
        /// What its answer was: the ads of a pod were told of one by one.
        form: Form,
    },
    /// Nobody's.
    Exhausted,
}

impl Chain {
    /// Goes one document further. `false` if no ad in it counts; then nothing changes.
    pub(super) fn push(&mut self, now: Time, answer: &Answer, admission: Admission) -> (bool, Vec<Ignored>) {
        let (turns, ignored) = Turns::of(&answer.document, admission);
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

    /// Whose turn it is now. Leaves levels that have had all their turns.
    pub(super) fn next_turn(&mut self) -> Turn {
        loop {
            let Some(level) = self.levels.last_mut() else { return Turn::Exhausted };
            if let Some(ad) = level.turns.next() {
                level.current = ad;
                return Turn::Ad;
            }
            let Some(level) = self.levels.pop() else { return Turn::Exhausted };
            self.unused.extend(level.unused(self.levels.len()));
            if let (false, Some(failure), false) = (level.has_yielded, level.first, self.levels.is_empty()) {
                return Turn::LedNowhere { failure, form: level.turns.form() };
            }
        }
    }

    /// How many documents lead to the ad in turn; the next would be this hop.
    pub(super) fn depth(&self) -> u32 {
        u32::try_from(self.levels.len()).unwrap_or(u32::MAX)
    }

    /// Notes that the wrapper in turn is followed. `false`, and no note, if that is one document too many: the
    /// tag's own counts too. Rule CHN-10.
    pub(super) fn follow(&mut self, most_documents: u32) -> bool {
        let may = self.followed + 1 < most_documents;
        self.followed += u32::from(may);
        may
    }

    /// What the next document may hold, by the wrapper in turn.
    pub(super) fn admission(&self, knobs: &Knobs) -> Admission {
        match self.ad().map(|ad| &ad.kind) {
            Some(AdKind::Wrapper(wrapper)) => Admission {
                wrappers: (!wrapper.follow_additional_wrappers).then_some(knobs.ad_wrapper_chained),
                many: (!wrapper.allow_multiple_ads).then_some(knobs.ad_wrapper_pod),
            },
            Some(AdKind::Inline | AdKind::Broken) | None => Admission::ANY,
        }
    }

    /// The ad in turn.
    pub(super) fn ad(&self) -> Option<&Ad> {
        let level = self.levels.last()?;
        level.document.ads.get(level.current)
    }

    /// With what the ad in turn fails because it may not be where it is. Rules CHN-6, CHN-7.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        let level = self.levels.last()?;
        level.turns.refusal(level.current)
    }

    /// When the document of the ad in turn has come.
    pub(super) fn arrived(&self) -> Option<Time> {
        self.levels.last().map(|level| level.arrived)
    }

    /// The ads on the way to the one in turn, itself included, outermost first.
    pub(super) fn hops(&self) -> impl Iterator<Item = Hop> + '_ {
        self.levels.iter().map(Level::hop)
    }

    /// The text of the last document. Rule VX-3.
    pub(super) fn text(&self) -> Option<&Arc<str>> {
        self.levels.last().map(|level| &level.text)
    }

    /// Whether the ad in turn is one of a VAST pod on its own level.
    pub(super) fn form(&self) -> Form {
        self.levels.last().map_or(Form::StandAlone, |level| level.turns.form())
    }

    /// The ad in turn cannot be used. An ad of its document's reserve steps in, if there is one and nothing
    /// forbids it. Rules SEL-2, SEL-3.
    pub(super) fn reject(&mut self, failure: &Failure, knobs: &Knobs) -> StandIn<'_> {
        self.first.get_or_insert_with(|| failure.clone());
        let Some(level) = self.levels.last_mut() else { return StandIn::Nobody };
        level.first.get_or_insert_with(|| failure.clone());
        let next = level.turns.next_reserve().and_then(|ad| level.document.ads.get(ad));
        let Some(ad) = next else { return StandIn::Nobody };
        let fallback = match level.document.ads.get(level.current).map(|ad| &ad.kind) {
            Some(AdKind::Wrapper(wrapper)) => Some(wrapper.fallback_on_no_ad),
            Some(AdKind::Inline | AdKind::Broken) | None => None,
        };
        let forbidden = match (fallback, knobs.ad_fallback_on_no_ad, level.turns.form()) {
            (Some(_), FallbackOnNoAd::Ignore, _) => Some(("fallbackOnNoAd is not acted on", rule!("SEL-3"))),
            // Said outright: no other ad for this one. VAST 4.3 section 3.19
            (Some(Some(false)), FallbackOnNoAd::Act, _) => Some(("fallbackOnNoAd is false", rule!("SEL-3"))),
            (None | Some(None), _, Form::VastPod) if !knobs.ad_pod_reserve.is_on() => {
                Some(("stand-alone ads do not replace ads of a pod", rule!("SEL-2")))
            }
            (None | Some(None | Some(true)), _, Form::StandAlone | Form::VastPod) => None,
        };
        if let Some((why, rule)) = forbidden {
            return StandIn::Forbidden { ad, why, rule };
        }
        level.turns.stand_in();
        if fallback == Some(Some(true)) { StandIn::Fallback(ad) } else { StandIn::Reserve(ad) }
    }

    /// Keeps what a pod ad failed with, which that line says, until the tag fills. Rule BRK-9.
    pub(super) fn hold(&mut self, failure: Failure, line: Cause) {
        self.held.push((failure, line));
    }

    /// The ad in turn got ready: the tag has filled. Gives what was held. Rule BRK-9.
    pub(super) fn mark_ready(&mut self) -> Vec<(Failure, Cause)> {
        for level in &mut self.levels {
            level.has_yielded = true;
        }
        if self.yielded == Yield::Nothing {
            self.yielded = Yield::Ready;
        }
        std::mem::take(&mut self.held)
    }

    /// The ad in turn got ready and can be started no more: the tag has filled by those before it only.
    /// Rules SEL-12, VPAID-4.
    pub(super) fn take_back_ready(&mut self) {
        if self.yielded == Yield::Ready {
            self.yielded = Yield::Nothing;
            for level in &mut self.levels {
                level.has_yielded = false;
            }
        }
    }

    /// The ad in turn has started.
    pub(super) fn mark_started(&mut self) {
        self.yielded = self.yielded.max(Yield::Started);
    }

    /// Whether ads of a VAST pod have their turn still to come.
    pub(super) fn has_pod_due(&self) -> bool {
        self.levels.iter().any(|level| level.turns.form() == Form::VastPod && !level.turns.is_empty())
    }

    /// The ad in turn was shown to its end, or skipped.
    pub(super) fn mark_played(&mut self) {
        self.yielded = Yield::Played;
    }

    /// What the tag has given so far.
    pub(super) fn yielded(&self) -> Yield {
        self.yielded
    }

    /// What the tag failed with: the first thing that went wrong.
    pub(super) fn take_failure(&mut self) -> Option<Failure> {
        self.first.take()
    }

    /// The ads that have had no turn and will have none, each with the number of its hop. Rule SEL-5.
    pub(super) fn take_unused(&mut self) -> Vec<(usize, Hop)> {
        let mut unused = std::mem::take(&mut self.unused);
        for (index, level) in self.levels.drain(..).enumerate().rev() {
            unused.extend(level.unused(index));
        }
        unused
    }

    /// The ads of pods whose turn is still to come, each with the ads on the way to it; they have it no more.
    /// The innermost pod's first. Rule SEL-4.
    pub(super) fn take_due(&mut self) -> Vec<Vec<Hop>> {
        let mut due = Vec::new();
        for top in (0..self.levels.len()).rev() {
            for ad in self.levels[top].turns.take_due() {
                let outer = self.levels[..top].iter().map(Level::hop);
                let level = &self.levels[top];
                due.push(outer.chain([Hop::new(&level.document, &level.name, ad)]).collect());
            }
        }
        due
    }
}

impl Level {
    fn hop(&self) -> Hop {
        Hop::new(&self.document, &self.name, self.current)
    }

    /// Its ads that have had no turn, with the number of their hop.
    fn unused(&self, index: usize) -> impl Iterator<Item = (usize, Hop)> {
        self.turns.left().map(move |ad| (index, Hop::new(&self.document, &self.name, ad)))
    }
}
