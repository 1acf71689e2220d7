//! The evidence of a recording beside the comparison: trackers on an axis of time, messages of the
//! page, findings of `check`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

use super::case::Case;
use playsim_api::Kind;
use playsim_base::time::Time;
use playsim_check::compare::{Marks, Stream, What, text};
use playsim_check::recording::Recording;
use playsim_check::{self as check, CheckOptions, Level, Sure};
use playsim_rules as rules;
use playsim_trace::Record;

/// The evidence for a cell.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct CellEvidence {
    /// The file of the recording, as the page links to it.
    pub file: Option<String>,
    /// Screenshots of the player, in the order of time.
    pub shots: Vec<Screenshot>,
    /// Messages on the console of the page, notes of the adapter, and uncaught errors.
    pub said: Vec<Said>,
    /// The lines of the player, and those that were due.
    /// Which recording of the case it is, from 0.
    #[serde(skip)]
    pub run: usize,
    /// When playback was first requested.
    #[serde(skip)]
    start: Time,
    #[serde(skip)]
    pub(super) recorded: Vec<Tick>,
    #[serde(skip)]
    pub(super) due: Vec<Tick>,
}

/// A screenshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Screenshot {
    /// When it was asked for, in microseconds since playback was first requested.
    pub at_us: i64,
    /// Its subject: `asked`, `ad`, `middle`, `ad-end`, `content`, `content-back`, `end`,
    /// `ad-failed`.
    pub of: String,
    /// The file, as the page links to it.
    pub file: String,
}

/// The source of something that the page said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaidLevel {
    /// An error that nothing caught.
    Uncaught,
    /// A note of the adapter.
    Note,
    /// The console, at this level, or another diagnostic of this name.
    Other(String),
}

impl SaidLevel {
    fn of(record: &Record) -> SaidLevel {
        match &*record.name {
            "uncaught" => SaidLevel::Uncaught,
            "note" => SaidLevel::Note,
            "console" => SaidLevel::Other(text(record, "level")),
            other => SaidLevel::Other(other.to_owned()),
        }
    }

    /// Returns the word for it: `uncaught`, `error`, `warn` or `note`.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            SaidLevel::Uncaught => "uncaught",
            SaidLevel::Note => "note",
            SaidLevel::Other(word) => word,
        }
    }
}

impl Serialize for SaidLevel {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.word())
    }
}

/// Something that the page said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Said {
    /// When, in microseconds since playback was first requested.
    pub at_us: i64,
    /// Its source.
    pub level: SaidLevel,
    /// What.
    pub text: String,
}

/// A rule that the player breaks, whatever the simulator does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CellFault {
    /// The rule.
    pub rule: String,
    /// The surest finding in a sentence, or the first of several that are equally sure.
    pub sentence: String,
    /// How sure that finding is.
    #[serde(serialize_with = "word")]
    pub sure: Sure,
    /// How often it is broken.
    pub count: usize,
    /// When it is broken first, in microseconds since playback was first requested.
    pub at_us: i64,
}

/// Something on the axis of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tick {
    pub(super) at_us: i64,
    pub(super) words: String,
    pub(super) is_screen: bool,
    pub(super) is_ad: bool,
}

/// The most messages of a page that are kept.
const MOST: usize = 50;

impl CellEvidence {
    pub(super) fn of(recording: &Recording, recorded: &Marks, due: &Marks) -> CellEvidence {
        CellEvidence {
            said: said(recording, recorded.start),
            start: recorded.start,
            recorded: ticks(recorded),
            due: ticks(due),
            ..CellEvidence::default()
        }
    }

    /// Returns how many errors nothing caught.
    #[must_use]
    pub fn uncaught(&self) -> usize {
        self.said
            .iter()
            .filter(|line| line.level == SaidLevel::Uncaught)
            .count()
    }

    /// Adds the file of the recording, and screenshots: the time of each in microseconds since the
    /// recorder started, what it shows, and its file.
    pub fn add_files(&mut self, file: String, shots: Vec<(u64, String, String)>) {
        let shot = |(at, of, file)| Screenshot {
            at_us: since(Time::from_micros(at), self.start),
            of,
            file,
        };
        self.shots = shots.into_iter().map(shot).collect();
        self.file = Some(file);
    }
}

fn said(recording: &Recording, start: Time) -> Vec<Said> {
    let records = recording
        .trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Diag);
    let said = records.map(|record| Said {
        at_us: since(record.at, start),
        level: SaidLevel::of(record),
        text: text(record, "text"),
    });
    said.take(MOST).collect()
}

fn ticks(marks: &Marks) -> Vec<Tick> {
    let ticks = marks
        .all
        .iter()
        .filter(|mark| mark.what.stream() != Stream::Events && mark.what != What::Addition);
    ticks
        .map(|mark| Tick {
            at_us: since(mark.at, marks.start),
            words: mark.words.clone(),
            is_screen: mark.what.stream() == Stream::Screen,
            is_ad: mark.what == What::Ad,
        })
        .collect()
}

fn since(at: Time, start: Time) -> i64 {
    let of = |time: Time| i64::try_from(time.micros()).unwrap_or(i64::MAX);
    of(at) - of(start)
}

fn word<S: Serializer>(sure: &Sure, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(sure.word())
}

/// Returns the lines with which a player tells of an ad that is not on the screen: no setting of a
/// player can be meant by them.
pub(super) fn impossible_lines(case: &Case, recording: &Recording) -> BTreeSet<u32> {
    let options = CheckOptions::default().with_scenario(&case.scenario);
    let found = check::judge(recording, &options);
    let found = found.iter().filter(|it| {
        it.rule == rules::TRK_5 && it.level == Level::Fault && it.sure == Sure::Certain
    });
    found
        .filter_map(|it| recording.trace.records.get(it.record))
        .map(|record| record.seq)
        .collect()
}

/// Returns the rules that the player breaks: those that need no simulator.
pub(super) fn faults(case: &Case, recording: &Recording, recorded: &Marks) -> Vec<CellFault> {
    let options = CheckOptions::default().with_scenario(&case.scenario);
    let mut found: BTreeMap<String, CellFault> = BTreeMap::new();
    let mut findings = check::judge(recording, &options);
    findings.retain(|finding| finding.level == Level::Fault);
    // Stable: of findings that are equally sure, the first one stays first.
    findings.sort_by_key(|finding| finding.sure);
    for finding in findings {
        let rule = finding.rule.to_string();
        let fault = found.entry(rule.clone()).or_insert_with(|| CellFault {
            rule,
            sentence: finding.seen.clone(),
            sure: finding.sure,
            count: 0,
            at_us: since(finding.at, recorded.start),
        });
        fault.count += 1;
    }
    let mut faults: Vec<CellFault> = found.into_values().collect();
    faults.sort_by_key(|fault| fault.at_us);
    faults
}
