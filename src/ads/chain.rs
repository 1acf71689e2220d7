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
//! Rules: REQ-3, REQ-8, REQ-17, BRK-9, BRK-12; VAST 4.3 sections 2.3.4, 3.19.

use std::sync::Arc;

use super::error::Failure;
use super::pod::{Admission, Form, Ignored, Turns};
use super::tracking::Hop;
use crate::api::Answer;
use crate::vast::{Ad, AdKind, Document};

/// The documents of the ad tag in turn.
#[derive(Debug, Clone, Default)]
pub(super) struct Chain {
    levels: Vec<Level>,
    yielded: Yield,
    /// The first thing that went wrong: what the tag fails with if nothing can be used.
    first: Option<Failure>,
    /// What pod ads failed with while it was open whether the tag fills. Rule BRK-9.
    held: Vec<Failure>,
}

/// What a tag has given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Yield {
    /// No ad that could be shown.
    #[default]
    Nothing,
    /// An ad got ready; none was shown to its end.
    Ready,
    /// An ad was shown to its end, or skipped.
    Played,
}

/// One document.
#[derive(Debug, Clone)]
struct Level {
    document: Arc<Document>,
    name: Arc<str>,
    text: Arc<str>,
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
    pub(super) fn push(&mut self, answer: &Answer, admission: Admission) -> (bool, Vec<Ignored>) {
        let (turns, ignored) = Turns::of(&answer.document, admission);
        if turns.is_empty() {
            return (false, ignored);
        }
        self.levels.push(Level {
            document: Arc::clone(&answer.document),
            name: Arc::clone(&answer.name),
            text: Arc::clone(&answer.text),
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
            if let (false, Some(failure), false) = (level.has_yielded, level.first, self.levels.is_empty()) {
                return Turn::LedNowhere { failure, form: level.turns.form() };
            }
        }
    }

    /// How many documents lead to the ad in turn; the next would be this hop.
    pub(super) fn depth(&self) -> u32 {
        u32::try_from(self.levels.len()).unwrap_or(u32::MAX)
    }

    /// What the next document may hold, by the wrapper in turn.
    pub(super) fn admission(&self) -> Admission {
        match self.ad().map(|ad| &ad.kind) {
            Some(AdKind::Wrapper(wrapper)) => {
                Admission { wrappers: wrapper.follow_additional_wrappers, many: wrapper.allow_multiple_ads }
            }
            Some(AdKind::Inline | AdKind::Broken) | None => Admission::ANY,
        }
    }

    /// The ad in turn.
    pub(super) fn ad(&self) -> Option<&Ad> {
        let level = self.levels.last()?;
        level.document.ads.get(level.current)
    }

    /// The ads on the way to the one in turn, itself included, outermost first.
    pub(super) fn hops(&self) -> impl Iterator<Item = Hop> + '_ {
        self.levels.iter().map(|level| Hop::new(&level.document, &level.name, level.current))
    }

    /// The text of the last document. Rule VX-3.
    pub(super) fn text(&self) -> Option<&Arc<str>> {
        self.levels.last().map(|level| &level.text)
    }

    /// Whether the ad in turn is one of a VAST pod on its own level.
    pub(super) fn form(&self) -> Form {
        self.levels.last().map_or(Form::StandAlone, |level| level.turns.form())
    }

    /// The ad in turn cannot be used. An ad of its document's reserve steps in, if there is one and the
    /// ad does not forbid it; gives that ad.
    pub(super) fn reject(&mut self, failure: &Failure) -> Option<&Ad> {
        self.first.get_or_insert_with(|| failure.clone());
        let level = self.levels.last_mut()?;
        level.first.get_or_insert_with(|| failure.clone());
        match level.document.ads.get(level.current).map(|ad| &ad.kind) {
            // Said outright: no other ad for this one. VAST 4.3 section 3.19
            Some(AdKind::Wrapper(wrapper)) if wrapper.fallback_on_no_ad == Some(false) => None,
            Some(AdKind::Inline | AdKind::Wrapper(_) | AdKind::Broken) | None => {
                let ad = level.turns.stand_in()?;
                level.document.ads.get(ad)
            }
        }
    }

    /// Keeps what a pod ad failed with until the tag fills. Rule BRK-9.
    pub(super) fn hold(&mut self, failure: Failure) {
        self.held.push(failure);
    }

    /// The ad in turn got ready: the tag has filled. Gives what was held. Rule BRK-9.
    pub(super) fn mark_ready(&mut self) -> Vec<Failure> {
        for level in &mut self.levels {
            level.has_yielded = true;
        }
        if self.yielded == Yield::Nothing {
            self.yielded = Yield::Ready;
        }
        std::mem::take(&mut self.held)
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
    pub(super) fn into_failure(self) -> Option<Failure> {
        self.first
    }
}
