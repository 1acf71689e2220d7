//! Judges a recording by what its own documents predict, where the scenario is not known.
//!
//! A scenario that is made of a recording is a guess. It holds as long as the recording confirms
//! it: the same documents are asked for, the same films come on screen and leave it at the same
//! times, and page code and the user do the same. Only so far are trackers held against the
//! predicted ones, and of these only those that follow from a document, from the film on screen and
//! from what the user does.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::findings::{Judging, OF_ACTS, at, recorded_marks};
use super::screen::{src, text};
use super::{Difference, DifferenceKind, Known, Prediction, What, compare};
use crate::judge::Finding;
use crate::recording::{Recording, Tolerance, heard};
use playsim_api::{Kind, LineName, NetLine, UiLine, UserLine};
use playsim_base::place::Place;
use playsim_scenario::Scenario;
use playsim_trace::{Record, Trace};
use playsim_vast as vast;
use playsim_vast::names::{Named, browser_form};

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

/// The codes of errors that follow from documents alone, and not from what a player can show.
const OF_DOCUMENTS: [RangeInclusive<i64>; 2] = [100..=102, 300..=303];

/// Holds a recording against what its own documents, answers and acts predict: `scenario` was made
/// of them, and `predicted` is its complete trace. Nothing is said about trackers of an event that
/// a finding in `told` names, nor of what comes after the first line that shows another session
/// than the predicted one.
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
) -> Result<Prediction, String> {
    let written = &recording.trace;
    let is_own = recording.is_own();
    let recording = &*recording.heard();
    let trace = &recording.trace;
    let hears = |name: LineName| recording.head.hears.hears(name.kind(), name.name());
    if !hears(UiLine::Shown.into()) {
        return Err("the recorder does not hear which film is on screen".to_owned());
    }
    if !hears(UserLine::Pause.into()) {
        return Err("the recorder does not hear what the user does".to_owned());
    }
    let known = Known::of(scenario).with_trace(predicted);
    if known.has_programs() {
        return Err("an ad is a program, and its decisions are not heard".to_owned());
    }
    let predicted = heard(predicted);
    let is_whole = trace.records.iter().any(|record| record.event().is_some());
    let (recorded, due) = recorded_marks(&known, recording, &predicted, is_whole);
    let compared = compare(&recorded, &due, tolerance.unwrap_or_default());
    let mut judged = compared.clone();
    let judging = |compared| Judging {
        trace,
        predicted: &predicted,
        is_own: false,
        is_whole,
        asks: "its documents",
        compared,
    };
    let other = compared.differences.iter().find(|it| is_premise(it));
    let until = other.map(|other| (at(other), judging(&compared).sentence(other)));
    let due = compared.pairs.iter().map(|(_, due)| *due);
    let due = due.filter_map(|seq| predicted.record(seq));
    let shown = known.ads_of(due.clone());
    // How long an overlay is shown, its document does not decide.
    let filmed = known.ads_of(due.filter(|record| record.is(UiLine::Shown)));
    // Without its own lines it is not known how a film went on.
    let media = trace.records.iter();
    let timed = known.ads_of(media.filter(|record| record.kind == Kind::Media));
    judged.differences.retain(|it| {
        let What::Tracker { event, written } = &it.of else {
            return false;
        };
        let is_any = |events: &[&str]| events.contains(&&**event);
        let is_of_film = is_any(&OF_THE_FILM);
        let ads = if is_of_film { &filmed } else { &shown };
        let is_of_ad = is_any(&AT_THE_ENDS) || is_of_film || is_any(&OF_ACTS);
        let is_known = is_of_ad && known.is_of(ads, written)
            || is_any(&["error"]) && is_of_documents(&predicted, it, written);
        let is_judged = match it.kind {
            DifferenceKind::Missing | DifferenceKind::Value => true,
            // How long the content is may not be known, and so when a break is due.
            DifferenceKind::Time | DifferenceKind::Overall => {
                (!is_of_film || known.is_of(&timed, written))
                    && !is_any(&["breakStart", "breakEnd"])
            }
            // A companion has this tracker as well, and whether the page has room for it is not
            // known.
            DifferenceKind::Extra => !is_any(&["creativeView"]) || known.is_called(written),
            // Lines of one instant have no order.
            DifferenceKind::Order => false,
        };
        let is_before = until.as_ref().is_none_or(|(until, _)| at(it) < *until);
        is_known && is_judged && is_before && !told.iter().any(|finding| names(finding, event))
    });
    let mut prediction = judging(&judged).prediction();
    if is_own {
        for finding in &mut prediction.findings {
            let is_it = |record: &Record| (record.seq..=record.last_seq()).contains(&finding.seq);
            finding.record = written.records.iter().position(is_it).unwrap_or_default();
        }
    }
    prediction.until =
        until.map(|(_, other)| format!("its documents predict another session: {other}"));
    Ok(prediction)
}

/// An ad: the index of its document, and its place in that.
type AdPlace = (usize, Option<Place>);

impl Known {
    /// Returns the ads of these lines, each by its document and its place: those that name the
    /// trackers or the film.
    fn ads_of<'r>(&self, records: impl Iterator<Item = &'r Record>) -> BTreeSet<AdPlace> {
        let urls = records.filter_map(|record| {
            let is_tracker = record.kind == Kind::Beacon;
            let is_film = record.is(UiLine::Shown) || record.kind == Kind::Media;
            let url = || text(record, "url");
            (is_tracker.then(url)).or_else(|| is_film.then(|| src(record)))
        });
        let names = urls.flat_map(|url| self.names.of(&url));
        names.map(|index| self.ad(index)).collect()
    }

    /// Returns whether one of these ads names a tracker.
    fn is_of(&self, ads: &BTreeSet<AdPlace>, written: &str) -> bool {
        let names = self.names.of(written).into_iter();
        names
            .map(|index| self.ad(index))
            .any(|ad| ads.contains(&ad))
    }

    fn ad(&self, name: usize) -> AdPlace {
        let name = &self.names.all[name];
        (name.document, name.ad)
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

/// Returns whether a difference shows that another session was played than the predicted one.
fn is_premise(it: &Difference) -> bool {
    match &it.of {
        What::Content | What::Flash | What::ContentEnd | What::Ad | What::Asks | What::Act => true,
        // A browser may refuse to open a page.
        What::Opens => it.kind == DifferenceKind::Missing,
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
    code.is_some_and(|code| OF_DOCUMENTS.iter().any(|codes| codes.contains(&code)))
        || status.is_some_and(|status| status >= 400)
}

/// Returns whether a finding is about trackers of an event.
fn names(finding: &Finding, event: &str) -> bool {
    let mut words = finding
        .seen
        .split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| word == event)
}
