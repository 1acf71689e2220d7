//! The entries of a waterfall report: tags, requests, ads, beacons.
//!
//! Rules: BRK-7, BRK-23, REQ-2 to REQ-10, REQ-17.

use super::kinds::{AdFaultKind, RequestFault};
use playsim_trace::session::{AdBreakOutcome, AdEnd, RequestPurpose};
use playsim_vast::TrackedEvent;
use serde::Serialize;

/// One ad tag.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Tag {
    /// The index of its pod in the break, from 0.
    pub pod: u32,
    /// Its index in its waterfall, from 0.
    pub wp: u32,
    /// Its URL as written in the waterfall, before macros are replaced.
    pub address: String,
    /// The number of documents on the path to its ad, or on the longest path that was requested; 0
    /// if none was.
    pub hops: u32,
    /// When it was requested; `None` if it never was, or if its document is embedded in a VMAP
    /// break.
    pub asked_us: Option<u64>,
    /// When its own document arrived, not those of its wrappers.
    pub answered_us: Option<u64>,
    /// When it was decided whether the tag fills.
    pub decided_us: Option<u64>,
    /// The outcome.
    pub outcome: TagOutcome,
    /// The error code with which it failed.
    pub code: Option<u16>,
    /// The message of its `adError`.
    pub message: Option<String>,
    /// Why it failed.
    pub reason: Option<String>,
    /// The place of the failure: `file:line:column`, or the name of the document.
    pub at: Option<String>,
    /// The requests for it, documents and media, in order.
    pub requests: Vec<TagRequest>,
    /// Its ads that cannot be used.
    pub rejected: Vec<Rejected>,
    /// Problems with its ads, which may nevertheless play: parts that could not be run or shown, or
    /// are unwanted.
    pub faults: Vec<AdFault>,
    /// The ads of its documents that were ignored because of where they appear.
    pub ignored: Vec<Ignored>,
    /// The deviations that were tolerated in its documents.
    pub warnings: Vec<DocumentWarning>,
}

/// The outcome of an ad tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TagOutcome {
    /// One of its ads was ready to be shown.
    Filled,
    /// The response was a VMAP document: breaks instead of ads.
    Scheduled,
    /// It gave no ad.
    NoFill,
    /// It was never tried.
    #[default]
    NotAsked,
    /// It was tried, but the break or the run ended before the decision.
    Undecided,
    /// It depends on a document that is not given.
    Unknown,
}

/// One request for a tag.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct TagRequest {
    /// Its purpose.
    pub purpose: RequestPurpose,
    /// The position of the document on the path, 0 for the tag's own; media have none.
    pub hop: Option<u32>,
    /// The URL, with macros replaced.
    pub url: String,
    /// When it was requested.
    pub asked_us: u64,
    /// When it was answered or failed; `None` if not while anything waited for it.
    pub answered_us: Option<u64>,
    /// When it timed out.
    pub timed_out_us: Option<u64>,
    /// When the response came after nothing waited for it any more.
    pub late_us: Option<u64>,
    /// The status of the response.
    pub status: Option<u16>,
    /// Why there was no response: `refused`, `reset`, `truncated`, `decode`, ...
    pub fault: Option<RequestFault>,
    /// The file that was the response.
    pub file: Option<String>,
    /// Whether the scenario lists the URL; one that is not listed gets a 404.
    pub listed: bool,
}

/// An ad that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Rejected {
    /// When it was rejected.
    pub at_us: u64,
    /// Its id.
    pub ad: Option<String>,
    /// The code.
    pub code: Option<u16>,
    /// Why.
    pub reason: Option<String>,
    /// The place: `file:line:column`.
    pub at: Option<String>,
}

/// A part of an ad that could not be run or shown, or is unwanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AdFault {
    /// When it was noticed.
    pub at_us: u64,
    /// Its kind.
    pub what: AdFaultKind,
    /// The id of the ad.
    pub ad: Option<String>,
    /// The code with which error URLs are called.
    pub code: Option<u16>,
    /// Why.
    pub reason: Option<String>,
    /// The place: `file:line:column`.
    pub at: Option<String>,
}

/// An ad that was ignored because of where it appears.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Ignored {
    /// Its id.
    pub ad: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// The place: `file:line:column`.
    pub at: Option<String>,
}

/// A deviation in a document that was tolerated.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct DocumentWarning {
    /// Its code.
    pub code: String,
    /// The description.
    pub text: String,
    /// The place: `file:line:column`.
    pub at: Option<String>,
}

/// An ad that was ready to be shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Played {
    /// The pod of its tag.
    pub pod: u32,
    /// The index of its tag.
    pub wp: u32,
    /// Its id.
    pub ad: Option<String>,
    /// The number of documents on the path to it, including its own.
    pub hops: Option<u32>,
    /// The URL of its media file; an overlay has none.
    pub media: Option<String>,
    /// Its duration; `None` if unknown.
    pub duration_us: Option<u64>,
    /// The source of the duration of its media: `given` by the media description, its own `ad`, or
    /// `assumed` because there is no source; `None` if the report cannot know.
    pub length_from: Option<LengthFrom>,
    /// When it started; `None` if it never did.
    pub start_us: Option<u64>,
    /// When it ended; `None` if the run ended first.
    pub end_us: Option<u64>,
    /// How it ended; `None` if it did not.
    pub end: Option<AdEnd>,
    /// Its place in its document: `file:line:column`.
    pub at: Option<String>,
}

/// A tracking URL that was called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Beacon {
    /// When it was called.
    pub at_us: u64,
    /// The event: `impression`, `start`, `error`, ...
    pub event: TrackedEvent,
    /// The pod of the tag that was being tried.
    pub pod: Option<u32>,
    /// The index of the tag that was being tried.
    pub wp: Option<u32>,
    /// The position of its document on the path: 0 for the tag's own document.
    pub hop: Option<u32>,
    /// The id of the ad that contains it.
    pub ad: Option<String>,
    /// The URL, with macros replaced.
    pub url: String,
    /// Why it did not reach its server: `blocked`. Rule REQ-19.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<RequestFault>,
    /// For an error: the reported code.
    pub code: Option<u16>,
    /// For an error: the reason.
    pub reason: Option<String>,
    /// For an error: the place, as `file:line:column`.
    pub at: Option<String>,
}

/// A tracking URL in a document that was not called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Uncalled {
    /// The pod of its tag.
    pub pod: u32,
    /// The index of its tag.
    pub wp: u32,
    /// The position of its document on the path: 0 for the tag's own; the trackers of a VMAP break
    /// have none.
    pub hop: Option<u32>,
    /// The id of the ad that contains it.
    pub ad: Option<String>,
    /// The event for which it would be called.
    pub event: TrackedEvent,
    /// The URL as written.
    pub url: String,
    /// Its place: `file:line:column`.
    pub at: String,
    /// Why it was not called.
    pub reason: String,
    /// Whether that rests on the page: on its slots for companions, or on what of the player is in
    /// view.
    #[serde(skip)]
    pub rests_on_page: bool,
}

/// A macro that was left unreplaced in a URL that was requested or called.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Unfilled {
    /// The macro as written: `[NAME]`, `%%NAME%%`, `${NAME}`.
    pub name: String,
    /// The URLs that contain it, each once.
    pub urls: Vec<String>,
}

/// The breaks that a VMAP document schedules.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Schedule {
    /// The container of the player.
    pub player: Option<String>,
    /// The name of the document in messages.
    pub document: String,
    /// Its breaks in document order.
    pub breaks: Vec<ScheduledBreak>,
}

/// One `AdBreak` of a VMAP document.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct ScheduledBreak {
    /// Its id.
    pub id: Option<String>,
    /// When it is due, as written in the document.
    pub offset: Option<String>,
    /// The types of ads that it allows, the preferred one first.
    pub types: Vec<String>,
    /// Its place: `file:line:column`.
    pub at: String,
    /// When it began; several times if it repeats.
    pub begin_us: Vec<u64>,
    /// Its outcome; if it did not begin, why not.
    pub outcome: AdBreakOutcome,
    /// Why it did not begin.
    pub reason: Option<String>,
}

/// The source of a media duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LengthFrom {
    /// The description of the media files.
    Given,
    /// The ad that plays the file.
    Ad,
    /// None: the duration is assumed.
    Assumed,
}

/// A URL that the scenario does not list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Unanswered {
    /// The URL.
    pub url: String,
    /// A listed URL that is nearly the same.
    pub suggestion: Option<String>,
}

impl TagOutcome {
    /// Returns the word used in tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            TagOutcome::Filled => "filled",
            TagOutcome::Scheduled => "schedule",
            TagOutcome::NoFill => "no fill",
            TagOutcome::NotAsked => "not requested",
            TagOutcome::Undecided => "undecided",
            TagOutcome::Unknown => "cannot tell",
        }
    }
}

impl Tag {
    /// Returns the documents that were requested for it.
    pub fn documents(&self) -> impl Iterator<Item = &TagRequest> {
        self.requests
            .iter()
            .filter(|request| request.purpose != RequestPurpose::Media)
    }

    /// Returns the requests up to the decision whether it fills. The later ads of a VAST pod are
    /// requested while it plays.
    pub fn until_decided(&self) -> impl Iterator<Item = &TagRequest> {
        let decided = self.decided_us.unwrap_or(u64::MAX);
        self.requests
            .iter()
            .filter(move |request| request.asked_us <= decided)
    }

    /// Returns the documents that were requested after the decision, for the later ads of a VAST
    /// pod.
    pub fn after_decided(&self) -> impl Iterator<Item = &TagRequest> {
        let decided = self.decided_us.unwrap_or(u64::MAX);
        self.documents()
            .filter(move |request| request.asked_us > decided)
    }
}

impl TagRequest {
    /// Returns when it was over, whatever the result.
    #[must_use]
    pub fn over_us(&self) -> Option<u64> {
        self.answered_us.or(self.timed_out_us)
    }
}
