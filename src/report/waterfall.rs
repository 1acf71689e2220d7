//! Which ad tag failed, when, and why: the waterfalls of a trace, one entry a tag.
//!
//! [`Waterfalls::of`] takes them from a trace, [`Waterfalls::text`] is the table for people,
//! [`Waterfalls::json`] the contract of `playsim waterfall --format json`: the fields below, in their order,
//! every key always there. Times are microseconds on the virtual clock.
//!
//! Lines of an ad break do not name it, so they count to the one of their player that began last and is
//! still open.
//!
//! Rules: BRK-7, BRK-23, REQ-2 to REQ-10, REQ-17.

mod collect;
mod layout;
mod text;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::trace::Trace;

/// The waterfalls of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Waterfalls {
    /// The profile it was played with.
    pub profile: String,
    /// The knobs that differ from the default, and their values.
    pub knobs: BTreeMap<String, String>,
    /// The seed.
    pub seed: u64,
    /// The ad breaks in the order they began.
    pub breaks: Vec<AdBreakReport>,
    /// Addresses of documents that were asked and are not listed: each was a 404, each stands once.
    pub unanswered: Vec<Unanswered>,
    /// How the run ended: `idle`, `until`, `limit` or `livelock`.
    pub outcome: String,
    /// The trace's digest, in 32 hex digits.
    pub digest: String,
}

/// One ad break.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct AdBreakReport {
    /// The container of its player.
    pub player: Option<String>,
    /// `pre`, `mid`, `post`, `overlay` or `command`.
    pub kind: String,
    /// Why it began.
    pub why: String,
    /// Where in the content it belongs.
    pub cue_us: Option<u64>,
    /// When it began.
    pub begin_us: u64,
    /// When it ended; `None`: the run ended first.
    pub end_us: Option<u64>,
    /// `filled`, `no-fill` or `aborted`; `open`: the run ended first.
    pub outcome: String,
    /// The tags of its waterfalls, in the order they are asked.
    pub tags: Vec<Tag>,
    /// The ads that were ready to be shown, in their order.
    pub played: Vec<Played>,
    /// The beacons that were called, in their order.
    pub beacons: Vec<Beacon>,
}

/// One ad tag.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Tag {
    /// Its pod's index in the break, from 0.
    pub pod: u32,
    /// Its index in its waterfall, from 0.
    pub wp: u32,
    /// The address as the waterfall has it, macros not filled.
    pub address: String,
    /// How many documents lie on the way to its ad, or were asked for on the longest way; 0: none was.
    pub hops: u32,
    /// When it was asked.
    pub asked_us: Option<u64>,
    /// When the last of its documents was answered.
    pub answered_us: Option<u64>,
    /// When it was known whether it fills.
    pub decided_us: Option<u64>,
    /// What came of it.
    pub outcome: TagOutcome,
    /// The code it failed with.
    pub code: Option<u16>,
    /// The words of its `adError`.
    pub message: Option<String>,
    /// Why it failed.
    pub reason: Option<String>,
    /// Where: `file:line:column`, or the name of the document.
    pub at: Option<String>,
    /// What was asked for it: documents and media, in their order.
    pub requests: Vec<Request>,
    /// The ads of it that cannot be used.
    pub rejected: Vec<Rejected>,
    /// The ads of its documents that do not count where they stand.
    pub ignored: Vec<Ignored>,
    /// What was tolerated in its documents.
    pub warnings: Vec<Warning>,
}

/// What came of an ad tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TagOutcome {
    /// An ad of it was ready to be shown.
    Filled,
    /// It gave none.
    NoFill,
    /// Its turn did not come.
    #[default]
    NotAsked,
    /// Its turn came, and the break or the run ended before it was decided.
    Undecided,
}

/// One request for a tag.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Request {
    /// `ad-tag`, `wrapper` or `media`.
    pub purpose: String,
    /// The document's place on the way, 0 the tag's own; media have none.
    pub hop: Option<u32>,
    /// The address, macros filled.
    pub url: String,
    /// When it was asked.
    pub asked_us: u64,
    /// When it was answered, or failed; `None`: not while anybody waited.
    pub answered_us: Option<u64>,
    /// When its time was over.
    pub timed_out_us: Option<u64>,
    /// When the answer came that nobody waited for any more.
    pub late_us: Option<u64>,
    /// The status of the answer.
    pub status: Option<u16>,
    /// How it failed, if there was no answer: `refused`, `reset`, `truncated`, `decode`, ...
    pub fault: Option<String>,
    /// The file that was the answer.
    pub file: Option<String>,
    /// Whether the address is listed; one that is not answers 404.
    pub listed: bool,
}

/// An ad that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Rejected {
    /// When it was seen.
    pub at_us: u64,
    /// Its id.
    pub ad: Option<String>,
    /// The code.
    pub code: Option<u16>,
    /// Why.
    pub reason: Option<String>,
    /// Where: `file:line:column`.
    pub at: Option<String>,
}

/// An ad that does not count where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Ignored {
    /// Its id.
    pub ad: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// Where: `file:line:column`.
    pub at: Option<String>,
}

/// Something in a document that was tolerated.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Warning {
    /// Its code.
    pub code: String,
    /// What it is.
    pub text: String,
    /// Where: `file:line:column`.
    pub at: Option<String>,
}

/// An ad that was ready to be shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Played {
    /// Its tag's pod.
    pub pod: u32,
    /// Its tag's index.
    pub wp: u32,
    /// Its id.
    pub ad: Option<String>,
    /// How many documents lie on the way to it, its own included.
    pub hops: Option<u32>,
    /// The address of its media file; an overlay has none.
    pub media: Option<String>,
    /// Its length; `None`: not known.
    pub duration_us: Option<u64>,
    /// When it started; `None`: never.
    pub start_us: Option<u64>,
    /// When it ended; `None`: the run ended first.
    pub end_us: Option<u64>,
    /// `complete`, `skip`, `error`, or `cut`: the break ended first; `None`: it did not end.
    pub end: Option<String>,
    /// Where it stands in its document: `file:line:column`.
    pub at: Option<String>,
}

/// A tracking address that was called.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Beacon {
    /// When.
    pub at_us: u64,
    /// The event: `impression`, `start`, `error`, ...
    pub event: String,
    /// The pod of the tag whose turn it was.
    pub pod: Option<u32>,
    /// The index of the tag whose turn it was.
    pub wp: Option<u32>,
    /// Whose it is: 0 the tag's own document.
    pub hop: Option<u32>,
    /// The id of the ad that holds it.
    pub ad: Option<String>,
    /// The address, macros filled.
    pub url: String,
}

/// An address that is not listed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Unanswered {
    /// The address.
    pub url: String,
    /// A listed address that is nearly the same.
    pub suggestion: Option<String>,
}

impl Waterfalls {
    /// The waterfalls of a trace.
    #[must_use]
    pub fn of(trace: &Trace) -> Waterfalls {
        collect::collect(trace)
    }

    /// Whether any break was filled.
    #[must_use]
    pub fn is_filled(&self) -> bool {
        self.breaks
            .iter()
            .any(|it| it.outcome == "filled" || it.played.iter().any(|ad| ad.start_us.is_some()))
    }

    /// One JSON object, indented, without a line feed at its end.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers can always be written as JSON")
    }

    /// Tables for people: each break's tags, what played, which beacons were called. Made for a width in
    /// columns; only addresses stand out of it. `color` marks outcomes for terminals.
    #[must_use]
    pub fn text(&self, width: usize, color: bool) -> String {
        text::text(self, width, color)
    }
}

impl TagOutcome {
    /// The word in tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            TagOutcome::Filled => "filled",
            TagOutcome::NoFill => "no fill",
            TagOutcome::NotAsked => "not asked",
            TagOutcome::Undecided => "undecided",
        }
    }
}

impl Tag {
    /// The documents that were asked for it.
    pub fn documents(&self) -> impl Iterator<Item = &Request> {
        self.requests.iter().filter(|request| request.purpose != "media")
    }

    /// What was asked until it was decided whether it fills. The later ads of a VAST pod are asked for
    /// while it plays.
    pub fn until_decided(&self) -> impl Iterator<Item = &Request> {
        let decided = self.decided_us.unwrap_or(u64::MAX);
        self.requests.iter().filter(move |request| request.asked_us <= decided)
    }
}

impl Request {
    /// When it was over, one way or the other.
    #[must_use]
    pub fn over_us(&self) -> Option<u64> {
        self.answered_us.or(self.timed_out_us)
    }
}
