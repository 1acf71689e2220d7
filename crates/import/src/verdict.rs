//! The second step: the verdict about the page, from evidence alone, before anything is simulated.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use super::evidence::{Bodies, Certainty, Damage, Evidence, RecordedAnswer};
use super::recording::{Body, Exchange, RecordedOutcome};
use playsim_base::place::Place;
use playsim_base::time::{Span, Time};
use playsim_vast::names::Name;
use playsim_vast::{TrackedEvent, TrackingEvent};

mod bids;
mod breaks;
mod headline;
mod length;
mod limit;
mod pixels;
mod reason;
mod refused;
mod tags;
mod text;
mod us;

pub(super) use headline::{LONG, idle_before, kinds, short, words};
pub(super) use length::source as ad_source;
pub use pixels::{PixelFault, PixelVerdict};
pub(super) use pixels::{error_code, sent_with, unfilled};
pub(super) use reason::{is_found, reason};
pub(super) use refused::Refusal;
pub(super) use text::{Printer, capital, played};

/// The verdict about the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageVerdict {
    /// The result in sentences, each with how sure it is.
    pub headline: Headline,
    /// The ad breaks, in order.
    pub breaks: Vec<BreakVerdict>,
    /// How long the player waits for a tag, if the recording shows that.
    pub limit: Option<PlayerLimit>,
    /// The length of the content.
    pub content: ContentLength,
    /// The pixels as they were sent, in order.
    pub pixels: Vec<PixelVerdict>,
    /// The bids of auctions, which are not tags, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bids: Vec<BidVerdict>,
    /// The unknown parts of the recording.
    pub unknown: Vec<Unknown>,
    /// The requests that led to breaks, as the scenario plays them.
    #[serde(skip)]
    pub(super) plan: Vec<Planned>,
    /// The tags of other players than the first, and of other films than its first.
    #[serde(skip)]
    others: BTreeSet<usize>,
    /// The ads that the page refused.
    #[serde(skip)]
    pub(super) refused: Vec<Refusal>,
}

/// The result of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Headline {
    /// Whether an ad was shown.
    pub shown: Shown,
    /// Whether the result depends on something unknown.
    pub is_unknown: bool,
    /// The sentences.
    pub sentences: Vec<Sentence>,
}

/// Whether an ad was shown on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// In every break that asked for ads.
    All,
    /// In some of the breaks.
    Some,
    /// In none.
    None,
    /// The recording does not show it.
    Unknown,
}

impl Shown {
    /// Returns the words for it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Shown::All => "in every break",
            Shown::Some => "in some breaks",
            Shown::None => "in no break",
            Shown::Unknown => "unknown",
        }
    }
}

/// A sentence about the recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sentence {
    /// The text.
    pub text: String,
    /// How sure it is.
    pub certainty: Certainty,
}

/// Something that a recording does not show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unknown {
    /// The unknown part, with the reason.
    pub what: String,
    /// How to know it next time.
    pub next_time: Option<String>,
    /// Whether the result depends on it.
    pub is_essential: bool,
}

/// An ad break.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BreakVerdict {
    /// Its possible kinds, the likeliest first.
    pub kinds: Vec<RecordedBreakKind>,
    /// How sure that is.
    pub certainty: Certainty,
    /// When its first tag was asked.
    #[serde(rename = "begin_us", serialize_with = "us::time")]
    pub begin: Time,
    /// The index of the break in its schedule, if it is of one.
    #[serde(skip)]
    pub(super) scheduled: Option<usize>,
    /// How much of the content was played before it; `None` for a pre-roll or if it is unknown.
    #[serde(rename = "cue_us", serialize_with = "us::maybe_span")]
    pub cue: Option<Span>,
    /// Its tags in the order in which they were asked.
    pub tags: Vec<TagVerdict>,
    /// The ads that were on the screen, in order.
    pub ads: Vec<AdVerdict>,
    /// Ads of tags that filled that were not on the screen, as their films or error pixels show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingAd>,
}

/// An ad that was not on the screen, although its tag filled: its film failed, or the page's error
/// pixel says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissingAd {
    /// The index of the document that has it.
    pub document: usize,
    /// Its id.
    pub id: Option<Arc<str>>,
    /// The position in the file of the request for its film, or for its error pixel.
    pub entry: usize,
    /// Why, in words: `its film did not come (status 404)`.
    pub words: String,
    /// Its place in the document.
    #[serde(skip)]
    at: Place,
    #[serde(skip)]
    why: TagFailure,
}

/// A bid of an auction: an ad in JSON that the page did not play from there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BidVerdict {
    /// The position of the request in the file, from 0.
    pub entry: usize,
    /// The URL of the bidder.
    pub url: Arc<str>,
    /// The price, as it is written.
    pub price: Option<String>,
    /// The ids of its ads.
    pub ads: Vec<Arc<str>>,
    /// Whether one of its ads was on the screen, by way of a tag.
    pub is_shown: bool,
}

/// The kind of a break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordedBreakKind {
    /// Before the content.
    PreRoll,
    /// Within it.
    MidRoll,
    /// After it.
    PostRoll,
    /// Before another video of a playlist.
    NextPreRoll,
    /// Over the content, which plays on.
    Overlay,
    /// Of a unit without content.
    Outstream,
    /// Of another player on the page, which asked for ads while the first was busy.
    OtherPlayer,
    /// Not a break: the request for a schedule of breaks.
    Schedule,
}

/// The outcome of a tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TagVerdict {
    /// Its number in the break, from 1.
    pub number: usize,
    /// Its pod in the break, from 1.
    pub pod: usize,
    /// The index of its document in the evidence.
    pub document: usize,
    /// The position of its request in the file, from 0.
    pub entry: usize,
    /// Its URL.
    pub url: Arc<str>,
    /// When it was asked.
    #[serde(rename = "asked_us", serialize_with = "us::time")]
    pub asked: Time,
    /// How long its own document took, across redirects; `None` if it never came or that is
    /// unknown.
    #[serde(rename = "took_us", serialize_with = "us::maybe_span")]
    pub took: Option<Span>,
    /// How long the page was occupied with it: until the next tag was asked, or its ad began.
    #[serde(rename = "waited_us", serialize_with = "us::maybe_span")]
    pub waited: Option<Span>,
    /// Whether it was asked at once with others, and not after them.
    pub together: bool,
    /// The status of its own answer.
    pub status: Option<u16>,
    /// The answer.
    pub answer: RecordedAnswer,
    /// Its outcome.
    pub outcome: TagResult,
    /// How sure that is.
    pub certainty: Certainty,
    /// The error codes that pixels reported for it.
    pub codes: Vec<u16>,
    /// Its redirects, and the documents of its wrappers with theirs, in order.
    pub hops: Vec<Hop>,
}

/// A redirect, or a document that a wrapper names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hop {
    /// The number of wrappers above it.
    pub hop: u32,
    /// The position of the request in the file, from 0.
    pub entry: usize,
    /// Whether an HTTP redirect led to it, and not a wrapper.
    pub is_redirect: bool,
    /// The URL.
    pub url: Arc<str>,
    /// When it was asked.
    #[serde(rename = "asked_us", serialize_with = "us::time")]
    pub asked: Time,
    /// How long it took.
    #[serde(rename = "took_us", serialize_with = "us::maybe_span")]
    pub took: Option<Span>,
    /// The answer in words.
    pub how: String,
}

/// The outcome of a tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum TagResult {
    /// Its ad was on the screen.
    Filled {
        /// The position in the file of the request that shows it.
        entry: usize,
        /// The kind of that request.
        by: ShownBy,
    },
    /// Its ad was on the screen after the player had continued.
    ShownLate {
        /// The position in the file of the request that shows it.
        entry: usize,
    },
    /// It had an ad that was not shown.
    AnsweredNotShown {
        /// Why.
        why: NotShown,
    },
    /// It was answered with a schedule of breaks.
    Scheduled {
        /// The number of breaks.
        breaks: usize,
    },
    /// It was answered without an ad.
    NoAd {
        /// How that was said.
        how: String,
    },
    /// It failed.
    Failed {
        /// Why.
        cause: TagFailure,
    },
    /// The player stopped waiting for it.
    GivenUp {
        /// The shortest and the longest time that it can have waited.
        #[serde(rename = "between_us", serialize_with = "us::range")]
        between: (Span, Span),
    },
    /// The recording does not show it.
    Unknown {
        /// Why not.
        why: String,
    },
}

/// Why an ad that came was not shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum NotShown {
    /// It came after the player had continued, by this much.
    TooLate {
        /// How much later.
        #[serde(rename = "by_us", serialize_with = "us::span")]
        by: Span,
    },
    /// Another tag that was asked at the same time filled.
    OtherWasShown,
    /// Its break comes later in the content than the recording can have got.
    NotDue,
    /// The recording does not say.
    Unknown,
}

/// Why a tag failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum TagFailure {
    /// The answer had this status.
    Status {
        /// The status.
        status: u16,
        /// The number of wrappers above the document that failed.
        hop: u32,
    },
    /// There was no answer, or the browser refused it.
    Network {
        /// The browser's message.
        words: String,
        /// Its meaning.
        meaning: Option<String>,
    },
    /// The document is broken.
    Document {
        /// The error.
        damage: Damage,
    },
    /// The answer is not an ad document.
    NotVast {
        /// Its kind.
        answer: RecordedAnswer,
    },
    /// The film of its ad failed.
    Media {
        /// The position of the request in the file.
        entry: usize,
        /// The status, or the browser's message.
        words: String,
    },
    /// An error pixel says so.
    Reported {
        /// Its code.
        code: u16,
    },
}

/// An ad that was on the screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AdVerdict {
    /// The index of the document that has it.
    pub document: usize,
    /// Its id.
    pub id: Option<Arc<str>>,
    /// Its place in the document.
    #[serde(skip)]
    pub at: Place,
    /// When it began.
    #[serde(rename = "start_us", serialize_with = "us::time")]
    pub start: Time,
    /// When it ended, and how.
    #[serde(serialize_with = "us::end")]
    pub end: Option<(Time, RecordedEnd)>,
    /// The position in the file of the request that shows it, and what that was.
    pub shown_by: (usize, ShownBy),
    /// The length that its document says.
    #[serde(rename = "documented_us", serialize_with = "us::maybe_span")]
    pub documented: Option<Span>,
    /// The length that was played, according to its pixels.
    pub played: PlayedLength,
}

/// The evidence that an ad was on the screen: a pixel for an event, or the request for its film.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ShownBy {
    /// The pixel for its impression.
    Impression,
    /// The pixel for its start.
    Start,
    /// The pixel for the view of its creative.
    CreativeView,
    /// The request for its film.
    Media,
}

/// The pixel that shows how an ad ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RecordedEnd {
    /// It played to its end.
    Complete,
    /// The viewer skipped it.
    Skip,
    /// The viewer closed it, a linear ad.
    CloseLinear,
    /// The viewer closed it.
    Close,
    /// It failed.
    Error,
}

/// The finding about the spacing of an ad's pixels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum PlayedLength {
    /// The ad was as long as its document says.
    AsDocumented,
    /// The file has another length, as its header says.
    OtherLength {
        /// The length of the file.
        #[serde(rename = "file_us", serialize_with = "us::span")]
        file: Span,
    },
    /// All pixels are early or late by the same share: the file has this length, or they were fired
    /// so. The recording does not have the header of the file, which would say so.
    OtherPace {
        /// The length that the pixels show.
        #[serde(rename = "length_us", serialize_with = "us::span")]
        length: Span,
    },
    /// These pixels were sent too early, though the file or the other pixels show the documented
    /// length.
    FiredEarly {
        /// Each event with how much too early it was.
        #[serde(serialize_with = "us::events")]
        events: Vec<(TrackingEvent, Span)>,
        /// The length of the file, if the recording has its header.
        #[serde(rename = "file_us", serialize_with = "us::maybe_span")]
        file: Option<Span>,
    },
    /// There are too few pixels, or the document says no length.
    Unknown,
}

impl PlayedLength {
    /// Returns how sure it is: the header of a file shows its length, pixels only hint at it.
    pub(super) const fn certainty(&self) -> Certainty {
        match self {
            PlayedLength::OtherLength { .. } | PlayedLength::FiredEarly { file: Some(_), .. } => {
                Certainty::Seen
            }
            PlayedLength::AsDocumented
            | PlayedLength::OtherPace { .. }
            | PlayedLength::FiredEarly { file: None, .. } => Certainty::Inferred,
            PlayedLength::Unknown => Certainty::Unknown,
        }
    }
}

/// How long the player waits for a tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerLimit {
    /// It waits at least this long.
    #[serde(rename = "lower_us", serialize_with = "us::span")]
    pub lower: Span,
    /// It waits at most this long; `None` if it never gave up.
    #[serde(rename = "upper_us", serialize_with = "us::maybe_span")]
    pub upper: Option<Span>,
    /// The document that shows it.
    pub document: usize,
}

/// The length of the content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContentLength {
    /// The length, if it follows from the recording or was given.
    #[serde(rename = "length_us", serialize_with = "us::maybe_span")]
    pub length: Option<Span>,
    /// How sure that is.
    pub certainty: Certainty,
    /// Why.
    pub why: String,
}

/// Whose break it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The first player's, in the first film that it played.
    First,
    /// The first player's, in another film: an episode of its own.
    OtherFilm {
        /// Whether the film began with it.
        begins: bool,
    },
    /// Another player's.
    OtherPlayer,
}

/// The tags of a break as a scenario asks for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Planned {
    /// How much of the content was played before it; `None` for a pre-roll.
    pub cue: Option<Span>,
    /// Whose break it is.
    pub(super) whose: Whose,
    /// For each pod, the documents of its tags in the order in which they were asked.
    pub(super) pods: Vec<Vec<usize>>,
    /// The ads that were on the screen, in order.
    pub ads: Vec<AdVerdict>,
}

impl Planned {
    /// Returns when its first tag was requested.
    pub(super) fn begin(&self, evidence: &Evidence) -> Time {
        let first = self.pods.first().and_then(|tags| tags.first());
        first.map_or(Time::ZERO, |tag| evidence.exchange(*tag).at())
    }
}

impl TagVerdict {
    /// Returns the shortest and the longest time that the player can have waited, if it gave up.
    pub(super) fn given_up(&self) -> Option<(Span, Span)> {
        if let TagResult::GivenUp { between } = self.outcome {
            Some(between)
        } else {
            None
        }
    }

    fn is_shown(&self) -> bool {
        matches!(
            self.outcome,
            TagResult::Filled { .. } | TagResult::ShownLate { .. }
        )
    }
}

impl PageVerdict {
    /// Judges the page.
    #[must_use]
    pub fn of(evidence: &Evidence) -> PageVerdict {
        let plan = breaks::find(evidence);
        let refused = refused::of(evidence, plan.iter().flat_map(|it| &it.ads));
        let gone = refused::Missing::of(evidence, &refused);
        let waits = tags::Waits::of(evidence, &plan, &gone);
        let mut breaks = breaks::judge(evidence, &plan, &waits, &gone);
        let limit = limit::of(evidence, &breaks);
        limit
            .iter()
            .for_each(|limit| limit::apply(limit, &mut breaks));
        let mut verdict = PageVerdict {
            headline: Headline {
                shown: Shown::None,
                is_unknown: false,
                sentences: Vec::new(),
            },
            limit,
            content: length::of(evidence, &plan, &breaks),
            pixels: pixels::of(evidence),
            bids: bids::of(evidence, &breaks),
            unknown: Vec::new(),
            breaks,
            others: plan
                .iter()
                .filter(|it| it.whose != Whose::First)
                .flat_map(|it| it.pods.iter().flatten())
                .copied()
                .collect(),
            plan,
            refused,
        };
        verdict.unknown = headline::unknown(evidence, &verdict);
        verdict.headline = headline::of(evidence, &verdict);
        verdict
    }

    /// Returns all tags, in the order of the breaks.
    pub fn tags(&self) -> impl Iterator<Item = &TagVerdict> {
        self.breaks.iter().flat_map(|it| &it.tags)
    }

    /// Returns the ads that were on the screen, in order.
    pub fn ads(&self) -> impl Iterator<Item = &AdVerdict> {
        self.plan.iter().flat_map(|it| &it.ads)
    }

    /// Returns the breaks of the first player in its first film, which are those that are
    /// simulated.
    pub(super) fn simulated(&self) -> impl Iterator<Item = &Planned> {
        self.plan.iter().filter(|it| it.whose == Whose::First)
    }

    /// Returns whether a document was asked for by the first player, for its first film.
    pub(super) fn is_simulated(&self, evidence: &Evidence, document: usize) -> bool {
        self.others.is_empty() || !self.others.contains(&evidence.documents[document].root)
    }

    /// Returns whether the page refused the ad that a name belongs to.
    pub(super) fn is_refused(&self, name: &Name) -> bool {
        let mut refused = self.refused.iter();
        refused.any(|it| (it.document, Some(it.at)) == (name.document, name.ad))
    }

    /// Returns whether an ad was shown in every break, and nothing essential is unknown.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.headline.shown == Shown::All && !self.headline.is_unknown
    }
}

impl ShownBy {
    /// Returns the finding from a pixel for an event, if it is one that an ad's start sends.
    fn of(event: &TrackedEvent) -> Option<ShownBy> {
        let all = [ShownBy::Impression, ShownBy::Start, ShownBy::CreativeView];
        all.into_iter().find(|it| it.word() == event.name())
    }

    /// Returns the name of the event, or `media`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            ShownBy::Impression => "impression",
            ShownBy::Start => "start",
            ShownBy::CreativeView => "creativeView",
            ShownBy::Media => "media",
        }
    }
}

impl RecordedEnd {
    const ALL: [RecordedEnd; 5] = [
        RecordedEnd::Complete,
        RecordedEnd::Skip,
        RecordedEnd::CloseLinear,
        RecordedEnd::Close,
        RecordedEnd::Error,
    ];

    /// Returns the end that a pixel for an event shows.
    fn of(event: &TrackedEvent) -> Option<RecordedEnd> {
        RecordedEnd::ALL
            .into_iter()
            .find(|it| it.word() == event.name())
    }

    /// Returns the name of the event.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            RecordedEnd::Complete => "complete",
            RecordedEnd::Skip => "skip",
            RecordedEnd::CloseLinear => "closeLinear",
            RecordedEnd::Close => "close",
            RecordedEnd::Error => "error",
        }
    }
}

impl fmt::Display for ShownBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl fmt::Display for RecordedEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Evidence {
    /// Returns whether the tool cut the body of an ad document.
    pub(super) fn is_cut(&self) -> bool {
        let is_cut = |it: &Exchange| matches!(it.body, Body::Cut(_));
        let mut documents = self.documents.iter();
        documents.any(|it| is_cut(&self.recording.exchanges[it.answer]))
    }

    /// Returns the document of a wrapper that was asked for again, and came, when the request for
    /// it had failed. Some players ask first with the cookies of the server, and then without.
    pub(super) fn again(&self, document: usize) -> Option<usize> {
        let outcome = &self.answer(document).outcome;
        let has_failed = matches!(outcome, RecordedOutcome::Failed(_));
        let by = self.documents[document].by.filter(|_| has_failed)?;
        let mut later = document + 1..self.documents.len();
        let next = later.find(|at| self.documents[*at].by == Some(by))?;
        self.documents[next].read.as_ref().map(|_| next)
    }

    /// Returns whether nothing can be simulated, because no answer has its body.
    #[must_use]
    pub fn is_bodiless(&self) -> bool {
        self.bodies == Bodies::Missing
    }
}
