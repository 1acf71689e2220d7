//! Which ad tag failed, when, and why: the waterfalls of a trace, with one entry per tag.
//!
//! [`Waterfalls::of`] derives them from a trace and [`Waterfalls::text`] prints them as tables.
//! [`Waterfalls::json`] is the contract of `playsim waterfall --format json`: the fields below, in
//! their order, with every key always present. Times are microseconds on the virtual clock.
//!
//! [`Waterfalls::of_played`] also reads the documents of the scenario. With them the report can
//! list which pixels were not called and why, and the outcome of each break of a VMAP document.
//!
//! Rules: BRK-7, BRK-22, BRK-23, REQ-2 to REQ-10, REQ-17, VMAP-1.

mod addresses;
mod by_url;
mod collect;
mod data;
mod documents;
mod entries;
mod kinds;
mod layout;
mod schedules;
mod text;
mod uncalled;
mod unfilled;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use playsim_api::Outcome;
use playsim_base::escape;
use playsim_scenario::Scenario;
use playsim_trace::Trace;
use playsim_vast::TrackingEvent;

pub use kinds::{AdFaultKind, RequestFault};
pub use playsim_trace::session::{AdBreakKind, AdBreakOutcome, AdEnd, RequestPurpose};

pub use entries::{
    AdFault, Beacon, DocumentWarning, Ignored, LengthFrom, Played, Rejected, Schedule,
    ScheduledBreak, Tag, TagOutcome, TagRequest, Unanswered, Uncalled, Unfilled,
};

/// The waterfalls of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Waterfalls {
    /// The profile of the run.
    pub profile: String,
    /// Which player that is and what is known of it, such as "shaka, measured in 120 recordings";
    /// `None` for the default, and if only the trace is known.
    pub basis: Option<String>,
    /// The knobs that differ from the default, with their values.
    pub knobs: BTreeMap<String, String>,
    /// The seed.
    pub seed: u64,
    /// The time limit for a tag with all its wrappers: `ad.timeout`.
    pub timeout_us: u64,
    /// The time limit for the media of an ad: `ad.media_timeout`.
    pub media_timeout_us: u64,
    /// The duration of the content; `None` if it never loaded or is live.
    pub content_us: Option<u64>,
    /// The ad breaks in the order in which they began.
    pub breaks: Vec<AdBreakReport>,
    /// The VMAP documents that were received, with all their breaks.
    pub schedules: Vec<Schedule>,
    /// The URLs of requested documents that the scenario does not list. Each got a 404, and is
    /// included once.
    pub unanswered: Vec<Unanswered>,
    /// How the run ended: `idle`, `until`, `limit` or `livelock`; empty if the trace does not say.
    #[serde(serialize_with = "outcome_name")]
    pub outcome: Option<Outcome>,
    /// The digest of the trace, as 32 hex digits.
    pub digest: String,
}

fn outcome_name<S: Serializer>(outcome: &Option<Outcome>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(outcome.map_or("", Outcome::name))
}

/// One ad break.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct AdBreakReport {
    /// The container of its player.
    pub player: Option<String>,
    /// Its kind.
    pub kind: AdBreakKind,
    /// Why it began.
    pub why: String,
    /// The position in the content that it belongs to.
    pub cue_us: Option<u64>,
    /// When it began.
    pub begin_us: u64,
    /// When it ended; `None` if the run ended first.
    pub end_us: Option<u64>,
    /// How it ended.
    pub outcome: AdBreakOutcome,
    /// For a VMAP break: its id.
    pub id: Option<String>,
    /// For a VMAP break: when it is due, as written in the document.
    pub offset: Option<String>,
    /// For a VMAP break: its place, as `file:line:column`.
    pub at: Option<String>,
    /// The tags of its waterfalls, in the order in which they are tried.
    pub tags: Vec<Tag>,
    /// The ads that were ready to be shown, in order.
    pub played: Vec<Played>,
    /// The beacons that were called, in order.
    pub beacons: Vec<Beacon>,
    /// The tracking URLs in its documents that were not called; filled only if the documents are
    /// known.
    pub uncalled: Vec<Uncalled>,
    /// The macros that were left unreplaced in URLs that were requested or called.
    pub unfilled: Vec<Unfilled>,
}

/// How much detail of a report is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Detail {
    /// Whether each pixel that was not called has a line.
    pub pixels: bool,
    /// Whether each tolerated deviation has a line, and not only the first one of each tag.
    pub warnings: bool,
}

impl Waterfalls {
    /// Returns the waterfalls of a trace.
    #[must_use]
    pub fn of(trace: &Trace) -> Waterfalls {
        collect::collect(trace)
    }

    /// Returns the waterfalls of a trace, completed from the documents of its scenario.
    #[must_use]
    pub fn of_played(trace: &Trace, scenario: &Scenario) -> Waterfalls {
        let mut report = collect::collect(trace);
        documents::add(&mut report, scenario);
        report.basis = scenario.profile.basis();
        report
    }

    /// Leaves open what rests on the 404 of a URL that has no response: a tag that failed with it
    /// is [`TagOutcome::Unknown`], and its failure was not reported.
    pub fn leave_open(&mut self) {
        for it in &mut self.breaks {
            for tag in &mut it.tags {
                let is_open = |request: &TagRequest| {
                    !request.listed && request.purpose != RequestPurpose::Media
                };
                let Some(request) = tag.requests.iter_mut().find(|request| is_open(request)) else {
                    continue;
                };
                if tag.outcome != TagOutcome::NoFill {
                    continue;
                }
                request.status = None;
                tag.outcome = TagOutcome::Unknown;
                tag.reason = Some(format!("what {} answers is not given", request.url));
                (tag.code, tag.message, tag.at) = (None, None, None);
                tag.rejected.clear();
                let wp = Some(tag.wp);
                it.beacons
                    .retain(|beacon| beacon.wp != wp || beacon.event != TrackingEvent::Error);
            }
        }
    }

    /// Returns whether every tag that was asked is decided by what is given.
    #[must_use]
    pub fn is_told(&self) -> bool {
        let mut tags = self.breaks.iter().flat_map(|it| &it.tags);
        tags.all(|tag| tag.outcome != TagOutcome::Unknown)
    }

    /// Returns whether any break was filled.
    #[must_use]
    pub fn is_filled(&self) -> bool {
        self.breaks.iter().any(|it| {
            it.outcome == AdBreakOutcome::Filled || it.played.iter().any(|ad| ad.start_us.is_some())
        })
    }

    /// Returns one JSON object, indented, without a line feed at its end.
    #[must_use]
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self)
            .expect("strings and numbers can always be written as JSON");
        escape::json(&text).into_owned()
    }

    /// Returns tables for reading: the tags of each break, what played, and which beacons were
    /// called. They fit a width in columns, except for URLs that are longer. `color` marks outcomes
    /// for terminals, unless strings of the run contain control characters; those are shown
    /// escaped. Rule TRACE-9.
    #[must_use]
    pub fn text(&self, width: usize, color: bool) -> String {
        self.detailed_text(width, color, Detail::default())
    }

    /// Returns the same tables with more or less detail.
    #[must_use]
    pub fn detailed_text(&self, width: usize, color: bool, detail: Detail) -> String {
        match escape::lines(&text::text(self, width, false, detail)) {
            Cow::Borrowed(_) if color => text::text(self, width, true, detail),
            shown @ (Cow::Borrowed(_) | Cow::Owned(_)) => shown.into_owned(),
        }
    }
}
