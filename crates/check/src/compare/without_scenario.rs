//! Judges a recording by what its own documents predict, where the scenario is not known.
//!
//! A scenario that is made of a recording is a guess, which the recording must confirm first: the
//! same documents are asked for, the same films come on screen and leave it at the same times, and
//! page code and the user did the same. Only then are its trackers held against the predicted ones,
//! and of these only those that follow from a document and from the film on screen.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::findings::{Judging, recorded_marks};
use super::screen::{src, text};
use super::{Difference, DifferenceKind, Known, Prediction, What, compare};
use crate::judge::Finding;
use crate::recording::{Recording, Tolerance, heard};
use playsim_api::{Kind, LineName, UiLine, UserLine};
use playsim_base::place::Place;
use playsim_scenario::Scenario;
use playsim_trace::{Record, Trace};
use playsim_vast::names::{Named, browser_form};

/// The trackers of an ad, or of a break of a schedule, that are called where its film, or the
/// break, begins or ends.
const AT_THE_ENDS: [&str; 6] = [
    "impression",
    "creativeView",
    "start",
    "complete",
    "breakStart",
    "breakEnd",
];

/// The trackers of an ad that are called within its film.
const WITHIN_THE_FILM: [&str; 4] = ["firstQuartile", "midpoint", "thirdQuartile", "progress"];

/// The codes of errors that follow from documents and answers alone, and not from what a player can
/// show.
const OF_DOCUMENTS: [RangeInclusive<i64>; 2] = [100..=102, 300..=303];

/// Holds a recording against what its own documents, answers and acts predict: `scenario` was made
/// of them, and `predicted` is its complete trace. Nothing is said about trackers of an event that
/// a finding in `told` names.
///
/// # Errors
///
/// If the recording shows that another session was played than the predicted one, or cannot show
/// it: then nothing that is predicted counts. With the reason, as a clause.
pub fn judge_without_scenario(
    recording: &Recording,
    scenario: &Scenario,
    predicted: &Trace,
    tolerance: Option<Tolerance>,
    told: &[Finding],
) -> Result<Prediction, String> {
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
    let mut compared = compare(&recorded, &due, tolerance.unwrap_or_default());
    let judging = |compared| Judging {
        trace,
        predicted: &predicted,
        is_own: false,
        is_whole,
        asks: "its documents",
        compared,
    };
    if let Some(other) = compared.differences.iter().find(|it| is_premise(it)) {
        let other = judging(&compared).sentence(other);
        return Err(format!("its documents predict another session: {other}"));
    }
    let due = compared.pairs.iter().map(|(_, due)| *due);
    let shown = known.ads_of(due.filter_map(|seq| predicted.record(seq)));
    // Without its own lines it is not known how a film went on.
    let is_timed = trace
        .records
        .iter()
        .any(|record| known.is_film_of_an_ad(record));
    compared.differences.retain(|it| {
        let What::Tracker { event, written } = &it.of else {
            return false;
        };
        let is_any = |events: &[&str]| events.contains(&&**event);
        let is_of_ad = is_any(&AT_THE_ENDS) || is_any(&WITHIN_THE_FILM);
        let is_known = is_of_ad && known.is_of(&shown, written)
            || is_any(&["error"]) && is_of_documents(&predicted, it, written);
        let is_judged = match it.kind {
            DifferenceKind::Missing | DifferenceKind::Value => true,
            // How long the content is may not be known, and so when a break is due.
            DifferenceKind::Time | DifferenceKind::Overall => {
                (is_timed || !is_any(&WITHIN_THE_FILM)) && !is_any(&["breakStart", "breakEnd"])
            }
            // A companion has this tracker as well, and whether the page has room for it is not
            // known.
            DifferenceKind::Extra => !is_any(&["creativeView"]) || known.is_called(written),
            // Lines of one instant have no order.
            DifferenceKind::Order => false,
        };
        is_known && is_judged && !told.iter().any(|finding| names(finding, event))
    });
    Ok(judging(&compared).prediction())
}

/// An ad: the index of its document, and its place in that.
type AdPlace = (usize, Option<Place>);

impl Known {
    /// Returns the ads of these lines, each by its document and its place: those that name the
    /// trackers or the film on screen.
    fn ads_of<'r>(&self, records: impl Iterator<Item = &'r Record>) -> BTreeSet<AdPlace> {
        let urls = records.filter_map(|record| {
            let is_tracker = record.kind == Kind::Beacon;
            let url = || text(record, "url");
            (is_tracker.then(url)).or_else(|| record.is(UiLine::Shown).then(|| src(record)))
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

    /// Returns whether a line is of the film of an ad.
    fn is_film_of_an_ad(&self, record: &Record) -> bool {
        let mut names = self.names.of(&src(record)).into_iter();
        record.kind == Kind::Media && names.any(|index| self.names.all[index].what == Named::Media)
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
        // Which events there are depends on the page, too, which the recording does not show.
        What::Event
        | What::Opens
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
            && record.data.text("url").is_some_and(|url| **url == *written)
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
    let mut codes = causes
        .links
        .iter()
        .filter_map(|link| link.record.data.integer("code"));
    codes
        .next()
        .is_some_and(|code| OF_DOCUMENTS.iter().any(|codes| codes.contains(&code)))
}

/// Returns whether a finding is about trackers of an event.
fn names(finding: &Finding, event: &str) -> bool {
    let mut words = finding
        .seen
        .split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| word == event)
}
