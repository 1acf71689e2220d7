//! A recording and its simulation, side by side.
//!
//! All times are microseconds. Times of the recording count from the start of the simulation: the
//! two clocks show the same when the player asks for its first tag.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::waterfall::AdEnd;
use playsim_base::escape;
use playsim_vast::TrackedEvent;

mod text;

/// A recorded session next to its simulation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ProductComparison {
    /// The name of the recording.
    pub recording: String,
    /// The largest difference between two times that does not count.
    pub within_us: u64,
    /// Ad tags, wrapper hops, media and ads, in the order of the recording.
    pub steps: Vec<ComparedStep>,
    /// The pixels, in the order of the recording; those that only the simulation fired are where
    /// they fired.
    pub pixels: Vec<Pixel>,
}

/// A request for a document or a media file, or an ad on the screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedStep {
    /// Its kind.
    pub kind: StepKind,
    /// The index of its break, from 0, as in the report of the waterfalls.
    pub ad_break: usize,
    /// The index of its tag in the waterfall, from 0; `None` if only the recording has it.
    pub wp: Option<u32>,
    /// For a wrapper hop: how many documents are above it.
    pub hop: Option<u32>,
    /// The URL; for an ad, its id.
    pub name: String,
    /// The recorded side.
    pub recorded: Option<Seen>,
    /// The simulated side.
    pub simulated: Option<Seen>,
    /// Whether the two agree.
    pub verdict: StepVerdict,
    /// Why they differ, or why nothing can be said.
    pub note: Option<String>,
}

/// The kind of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    /// The request for an ad tag.
    Tag,
    /// The request for a document that a wrapper names.
    Hop,
    /// The request for a media file of an ad.
    Media,
    /// An ad on the screen, from its start to its end.
    Ad,
}

/// One side of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// When it began.
    pub from_us: u64,
    /// When it was over; `None` if it never was, or it is unknown.
    pub to_us: Option<u64>,
    /// The outcome.
    pub outcome: SeenOutcome,
}

/// The outcome of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeenOutcome {
    /// Unknown, or of no interest.
    Unknown,
    /// A response with this status.
    Status(u16),
    /// No whole response.
    Failed,
    /// The end of an ad.
    Ended(AdEnd),
}

impl fmt::Display for SeenOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeenOutcome::Unknown => Ok(()),
            SeenOutcome::Status(status) => write!(f, "{status}"),
            SeenOutcome::Failed => f.write_str("failed"),
            SeenOutcome::Ended(end) => f.write_str(end.word()),
        }
    }
}

impl Serialize for SeenOutcome {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

fn event_name<S: Serializer>(event: &Option<TrackedEvent>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(event.as_ref().map_or("", TrackedEvent::name))
}

/// One call of a tracking URL on either side or both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pixel {
    /// The event: `impression`, `start`, `error`, ...; `None` if no document names the URL, written
    /// as an empty string.
    #[serde(serialize_with = "event_name")]
    pub event: Option<TrackedEvent>,
    /// The index of its break, from 0; `None` if only the recording has it.
    pub ad_break: Option<usize>,
    /// The index of its tag, from 0.
    pub wp: Option<u32>,
    /// The position of its document in the wrapper chain, from 0.
    pub hop: Option<u32>,
    /// The id of its ad.
    pub ad: Option<String>,
    /// The URL that was called.
    pub url: String,
    /// When the recording has it.
    pub recorded_us: Option<u64>,
    /// When the simulation has it.
    pub simulated_us: Option<u64>,
    /// How much later than simulated it was recorded, both counted from the start of the ad or,
    /// outside of ads, of the break.
    pub difference_us: Option<i64>,
    /// Whether the two agree.
    pub verdict: StepVerdict,
    /// The rule by which the simulation fires it.
    pub rule: Option<String>,
    /// Why they differ, or why nothing can be said.
    pub note: Option<String>,
}

/// Whether recording and simulation agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepVerdict {
    /// Both have it, at the same time within the limit.
    Same,
    /// Both have it, at different times.
    OtherTime,
    /// Both have it, with different outcomes.
    OtherOutcome,
    /// Only the recording has it.
    OnlyRecorded,
    /// Only the simulation has it.
    OnlySimulated,
    /// The recording cannot show it, such as a request after its end.
    Unknown,
}

impl ProductComparison {
    /// Returns how many steps and pixels differ.
    #[must_use]
    pub fn differences(&self) -> usize {
        let verdicts = self.steps.iter().map(|step| step.verdict);
        verdicts
            .chain(self.pixels.iter().map(|pixel| pixel.verdict))
            .filter(|it| it.is_difference())
            .count()
    }

    /// Returns one JSON object, indented, without a line feed at its end.
    #[must_use]
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self)
            .expect("strings and numbers can always be written as JSON");
        escape::json(&text).into_owned()
    }

    /// Returns tables for reading, in a width in columns. `color` marks differences for terminals,
    /// unless strings contain control characters; those are shown escaped. Rule TRACE-9.
    #[must_use]
    pub fn text(&self, width: usize, color: bool) -> String {
        match escape::lines(&text::text(self, width, false)) {
            Cow::Borrowed(_) if color => text::text(self, width, true),
            shown @ (Cow::Borrowed(_) | Cow::Owned(_)) => shown.into_owned(),
        }
    }
}

impl StepVerdict {
    /// Returns the words used in tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            StepVerdict::Same => "same",
            StepVerdict::OtherTime => "other time",
            StepVerdict::OtherOutcome => "other outcome",
            StepVerdict::OnlyRecorded => "not by the rules",
            StepVerdict::OnlySimulated => "missing on the page",
            StepVerdict::Unknown => "cannot tell",
        }
    }

    /// Returns whether the real player left the simulated behaviour.
    #[must_use]
    pub const fn is_difference(self) -> bool {
        match self {
            StepVerdict::Same | StepVerdict::Unknown => false,
            StepVerdict::OtherTime
            | StepVerdict::OtherOutcome
            | StepVerdict::OnlyRecorded
            | StepVerdict::OnlySimulated => true,
        }
    }
}
