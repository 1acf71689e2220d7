//! Judges a recording by what its own documents predict, where the scenario is not known.
//!
//! A scenario that is made of a recording is a guess. It holds as long as the recording confirms
//! it: the same documents are asked for, the same films come on screen and leave it at the same
//! times, and page code and the user do the same. Only so far are trackers held against the
//! predicted ones, and of these only those that follow from a document, from the film on screen and
//! from what the user does.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::findings::{Judging, OF_ACTS, Until, at, recorded_marks};
use super::screen::{film, src, text};
use super::{Difference, DifferenceKind, Known, Prediction, What, compare, since};
use crate::judge::{Finding, Sure};
use crate::recording::{Recording, Tolerance, heard};
use playsim_api::{Kind, LineName, NetLine, UiLine, UserLine};
use playsim_base::place::Place;
use playsim_base::time::{Span, Time};
use playsim_scenario::Scenario;
use playsim_trace::{Record, Trace};
use playsim_vast as vast;
use playsim_vast::names::{Name, Named, browser_form};

/// The trackers of an ad, or of a break of a schedule, that do not follow from how far a film got.
const AT_THE_ENDS: [&str; 5] = [
    "impression",
    "creativeView",
    "start",
    "breakStart",
    "breakEnd",
];

/// The trackers of an ad that follow from how far its film got.
const OF_THE_FILM: [&str; 5] = [
    "firstQuartile",
    "midpoint",
    "thirdQuartile",
    "complete",
    "progress",
];

/// The codes of errors that follow from documents alone.
const OF_DOCUMENTS: [RangeInclusive<i64>; 2] = [100..=102, 300..=303];

/// Returns whether an error code follows from documents alone, and not from what a player can show
/// or has room for.
#[must_use]
pub fn is_code_of_documents(code: i64) -> bool {
    OF_DOCUMENTS.iter().any(|codes| codes.contains(&code))
}

/// Holds a recording against what its own documents, answers and acts predict: `scenario` was made
/// of them, and `predicted` is its complete trace. Findings have the numbers of their lines.
/// Nothing is said about trackers of an event that a finding in `told` names, unless that depends,
/// nor of what comes after the first line that shows another session than the predicted one.
///
/// # Errors
///
/// If the recording cannot show which session was played: then nothing that is predicted counts.
/// With the reason, as a clause.
pub fn judge_without_scenario(
    recording: &Recording,
    scenario: &Scenario,
    predicted: &Trace,
    tolerance: Option<Tolerance>,
    told: &[Finding],
    part: Part,
) -> Result<Prediction, String> {
    let recording = &*recording.heard();
    let trace = &recording.trace;
    let hears = |name: LineName| recording.head.hears.hears(name.kind(), name.name());
    if !hears(UiLine::Shown.into()) {
        return Err("the recorder does not hear which film is on screen".to_owned());
    }
    if !hears(UserLine::Pause.into()) {
        return Err("the recorder does not hear what the user does".to_owned());
    }
    let players: BTreeSet<_> = trace
        .records
        .iter()
        .filter(|it| it.is(UiLine::Shown))
        .map(|it| it.player)
        .collect();
    if players.len() > 1 {
        return Err("several players are on the page".to_owned());
    }
    let known = Known::of(scenario).with_trace(predicted);
    if known.has_programs() {
        return Err("an ad is a program, and its decisions are not heard".to_owned());
    }
    let predicted = heard(predicted);
    // Documented events and the values of macros depend on what came before.
    let is_whole =
        part == Part::Whole && trace.records.iter().any(|record| record.event().is_some());
    let (recorded, due) = recorded_marks(&known, recording, &predicted, is_whole);
    let compared = compare(&recorded, &due, tolerance.unwrap_or_default());
    let other = compared
        .differences
        .iter()
        .find(|it| is_premise(&it.of, it.kind));
    let until = other.map(at);
    let start = recorded.start;
    // How an ad went on is confirmed by what came next.
    let confirmed = until.map_or(i64::MAX, |until| {
        let premises = recorded.all.iter();
        let premises = premises.filter(|it| is_premise(&it.what, DifferenceKind::Missing));
        let times = premises.map(|it| since(it.at, start));
        times.filter(|at| *at < until).max().unwrap_or(i64::MIN)
    });
    let due = compared.pairs.iter().map(|(_, due)| *due);
    let due = due.filter_map(|seq| predicted.record(seq));
    let media = trace.records.iter();
    let failed = recorded.all.iter().filter_map(|it| {
        let What::Tracker { event, written } = &it.what else {
            return None;
        };
        (event == "error").then(|| known.naming(written))
    });
    let ads = Ads {
        known: &known,
        predicted: &predicted,
        part,
        shown: known.ads_of(due.clone()),
        filmed: known.ads_of(due.filter(|record| record.is(UiLine::Shown))),
        timed: known.ads_of(media.filter(|record| record.kind == Kind::Media)),
        failed: failed.collect(),
    };
    let mut judged = compared.clone();
    judged.differences.retain(|it| {
        let What::Tracker { event, written } = &it.of else {
            return false;
        };
        let is_told = |it: &Finding| it.sure != Sure::Depends && names(it, event);
        let is_confirmed = !is_any(event, &OF_THE_FILM) || at(it) <= confirmed;
        until.is_none_or(|until| at(it) < until)
            && is_confirmed
            && ads.decide(it, event, written)
            && !told.iter().any(is_told)
    });
    let judging = |compared| Judging {
        trace,
        predicted: &predicted,
        is_own: false,
        is_whole,
        asks: "its documents",
        compared,
    };
    let mut prediction = judging(&judged).prediction();
    prediction.until = other.map(|other| Until {
        at: other
            .recorded
            .and_then(|place| trace.record(place.seq))
            .map_or_else(|| later(start, at(other)), |record| record.at),
        why: judging(&compared).sentence(other),
    });
    Ok(prediction)
}

/// The ads of a recording of which it is known how they were shown. Of each line these are the ads
/// that it may be of.
struct Ads<'a> {
    known: &'a Known,
    predicted: &'a Trace,
    part: Part,
    /// Those of lines that are as predicted.
    shown: Vec<BTreeSet<AdPlace>>,
    /// Those with a film. How long an overlay is shown, its document does not decide.
    filmed: Vec<BTreeSet<AdPlace>>,
    /// Those whose film has lines of its own: without them it is not known how it went on.
    timed: Vec<BTreeSet<AdPlace>>,
    /// Those that failed: it is not known how far they got.
    failed: Vec<BTreeSet<AdPlace>>,
}

impl Ads<'_> {
    /// Returns whether what is known decides about a difference in a tracker.
    fn decide(&self, it: &Difference, event: &str, written: &str) -> bool {
        let named = self.known.naming(written);
        let is_of_film = is_any(event, &OF_THE_FILM);
        let is_of_act = is_any(event, &OF_ACTS);
        let is_sound = is_any(event, &["mute", "unmute"]);
        let is_of_ad = if is_of_film {
            let is_failed = self.failed.iter().any(|ads| !ads.is_disjoint(&named));
            is_of(&self.filmed, &named) && !is_failed
        } else {
            let is_begun = self.part == Part::Whole || !is_sound;
            (is_any(event, &AT_THE_ENDS) || is_of_act) && is_begun && is_of(&self.shown, &named)
        };
        let is_code = event == "error" && is_of_documents(self.predicted, it, written);
        if !(is_of_ad || is_code) {
            return false;
        }
        match it.kind {
            DifferenceKind::Missing | DifferenceKind::Value => true,
            // How long the content is may not be known, and so when a break is due.
            DifferenceKind::Time | DifferenceKind::Overall => {
                (!is_of_film || is_of(&self.timed, &named))
                    && !is_any(event, &["breakStart", "breakEnd"])
            }
            // A companion has this tracker as well, and whether the page has room for it is not
            // known; nor is whether the player is muted at first.
            DifferenceKind::Extra => {
                !is_sound && (event != "creativeView" || self.known.is_called(written))
            }
            // Lines of one instant have no order.
            DifferenceKind::Order => false,
        }
    }
}

fn is_any(event: &str, events: &[&str]) -> bool {
    events.contains(&event)
}

/// Whether a recording contains the whole session. Of one that begins with a break, what depends on
/// the session before it is not known: whether the player is muted, for example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// From its beginning.
    Whole,
    /// From a break on.
    Rest,
}

fn later(start: Time, us: i64) -> Time {
    match u64::try_from(us) {
        Ok(us) => start + Span::from_micros(us),
        Err(_) => Time::from_micros(start.micros().saturating_sub(us.unsigned_abs())),
    }
}

/// An ad: the index of its document, and its place in that.
type AdPlace = (usize, Option<Place>);

impl Known {
    /// Returns the ads that each of these lines may be of: those that name its tracker or its film.
    fn ads_of<'r>(&self, records: impl Iterator<Item = &'r Record>) -> Vec<BTreeSet<AdPlace>> {
        let place = |name: &Name| (name.document, name.ad);
        let ads = records.map(|record| -> BTreeSet<AdPlace> {
            if record.kind == Kind::Beacon {
                let named = self.names.of(&text(record, "url"));
                named
                    .into_iter()
                    .map(|index| place(&self.names.all[index]))
                    .collect()
            } else if record.is(UiLine::Shown) || record.kind == Kind::Media {
                let src = src(record);
                let is_it =
                    |name: &&Name| name.what == Named::Media && *film(&name.written) == *src;
                self.names.all.iter().filter(is_it).map(place).collect()
            } else {
                BTreeSet::new()
            }
        });
        let mut ads: Vec<_> = ads.filter(|ads| !ads.is_empty()).collect();
        ads.sort_unstable();
        ads.dedup();
        ads
    }

    /// Returns the ads that name a URL.
    fn naming(&self, written: &str) -> BTreeSet<AdPlace> {
        let names = self.names.all.iter();
        let names = names.filter(|name| *name.written == *written);
        names.map(|name| (name.document, name.ad)).collect()
    }

    /// Returns whether the simulation calls a tracker.
    fn is_called(&self, written: &str) -> bool {
        self.called.contains_key(&browser_form(written))
    }

    /// Returns whether a document has an ad that is a program.
    fn has_programs(&self) -> bool {
        self.names
            .all
            .iter()
            .any(|it| it.what == Named::Interactive)
    }
}

/// Returns whether one of the ads, whichever of several it is, is among those that name a tracker.
fn is_of(ads: &[BTreeSet<AdPlace>], named: &BTreeSet<AdPlace>) -> bool {
    ads.iter().any(|ads| ads.is_subset(named))
}

/// Returns whether a difference shows that another session was played than the predicted one.
fn is_premise(of: &What, kind: DifferenceKind) -> bool {
    match of {
        What::Content | What::Flash | What::ContentEnd | What::Ad | What::Asks | What::Act => true,
        // A browser may refuse to open a page.
        What::Opens => kind == DifferenceKind::Missing,
        // Which events there are depends on the page, too, which the recording does not show.
        What::Event
        | What::Stranger
        | What::Addition
        | What::Tracker { .. }
        | What::Update
        | What::Line(_) => false,
    }
}

/// Returns whether the simulation calls an error tracker for what a document or an answer is.
fn is_of_documents(predicted: &Trace, it: &Difference, written: &str) -> bool {
    let is_it = |record: &&Record| {
        record.kind == Kind::Beacon
            && *record.name == *"error"
            && record
                .data
                .text("url")
                .is_some_and(|url| vast::is_filled(written, url))
    };
    let called = || {
        predicted
            .records
            .iter()
            .find(is_it)
            .map(|record| record.seq)
    };
    let seq = it.simulated.map(|place| place.seq).or_else(called);
    let Some(causes) = seq.and_then(|seq| predicted.causes(seq)) else {
        return false;
    };
    let mut links = causes.links.iter().map(|link| link.record);
    let code = links.clone().find_map(|it| it.data.integer("code"));
    // An answer with the status of an error needs no document.
    let answer = links.find(|it| it.kind == Kind::Net);
    let status = answer.filter(|it| it.is(NetLine::Response));
    let status = status.and_then(|it| it.data.integer("status"));
    code.is_some_and(is_code_of_documents) || status.is_some_and(|status| status >= 400)
}

/// Returns whether a finding is about trackers of an event.
fn names(finding: &Finding, event: &str) -> bool {
    let mut words = finding
        .seen
        .split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| word == event)
}
