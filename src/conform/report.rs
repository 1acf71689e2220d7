//! The report: players side by side, one row for each case.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use serde::Serialize;

use super::case::{Behaviour, Case};
use super::cell::{Cell, RuleOf, Verdict, judge};
use super::settings::FittedSetting;
use crate::escape;
use crate::knobs::Knobs;
use crate::recording::{Recording, Tolerance};
use crate::scenario::ScenarioError;

mod text;

pub use text::write_text;

/// The version of its JSON form.
pub const VERSION: u32 = 1;

/// Players side by side, case by case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The version of the form.
    pub version: u32,
    /// How far times may differ from those of the simulator, counted from the film that was last shown.
    pub within_us: u64,
    /// How far times may differ, counted from the start.
    pub overall_us: u64,
    /// The players, in the order given.
    pub players: Vec<TestedPlayer>,
    /// The cases, by name.
    pub cases: Vec<CaseRow>,
}

/// A player, and how many cases it passes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestedPlayer {
    /// Its name.
    pub name: String,
    /// The packages that it is made of, with their versions.
    pub versions: BTreeMap<String, String>,
    /// The browser.
    pub browser: Option<String>,
    /// The profile that it was compared with.
    pub profile: String,
    /// The knobs of that profile which are not at their default.
    pub settings: Vec<FittedSetting>,
    /// What its adapter decides itself, so that it says nothing about the player.
    pub decides: Vec<String>,
    /// The sums of its column.
    pub counts: Counts,
}

/// How many cells have which result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// The player does what the simulator does.
    pub same: usize,
    /// It does with one knob turned.
    pub knob: usize,
    /// It does not.
    pub differs: usize,
    /// The recording does not say.
    pub unknown: usize,
}

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseRow {
    /// The name of its file.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The rules that it tests, with what they rest on.
    pub rules: Vec<RuleOf>,
    /// A cell for each player; `None` if there is no recording.
    pub cells: Vec<Option<Cell>>,
}

/// The recordings of one player, and the behaviour that it is compared with.
#[derive(Debug)]
pub struct Recorded {
    /// The name of the player.
    pub player: String,
    /// The behaviour that it is compared with.
    pub behaviour: Behaviour,
    /// The recordings, each with the index of its case.
    pub recordings: Vec<(usize, Recording)>,
}

impl Counts {
    /// Counts the cells of one column, or of any others.
    #[must_use]
    pub fn of<'a>(cells: impl Iterator<Item = &'a Cell>) -> Counts {
        let mut counts = Counts::default();
        for cell in cells {
            match cell.verdict {
                Verdict::Same => counts.same += 1,
                Verdict::Knob { .. } => counts.knob += 1,
                Verdict::Differs { .. } => counts.differs += 1,
                Verdict::Unknown { .. } => counts.unknown += 1,
            }
        }
        counts
    }

    /// Returns how many cells can be compared.
    #[must_use]
    pub const fn compared(&self) -> usize {
        self.same + self.knob + self.differs
    }
}

impl Report {
    /// Compares every recording with its case.
    ///
    /// # Errors
    ///
    /// The first case that cannot be played with its settings.
    pub fn of(cases: &[Case], players: &[Recorded], tolerance: Tolerance) -> Result<Report, ScenarioError> {
        let mut rows: Vec<CaseRow> = cases.iter().map(|case| CaseRow::of(case, players.len())).collect();
        for (column, player) in players.iter().enumerate() {
            for (index, recording) in &player.recordings {
                let cell = judge(&cases[*index], recording, &player.behaviour, tolerance)?;
                rows[*index].cells[column] = Some(cell);
            }
        }
        let cells = |column: usize| rows.iter().filter_map(move |row| row.cells[column].as_ref());
        let players = players.iter().enumerate();
        let players = players.map(|(column, it)| TestedPlayer::of(it, Counts::of(cells(column)))).collect();
        Ok(Report {
            version: VERSION,
            within_us: tolerance.within.micros(),
            overall_us: tolerance.overall.micros(),
            players,
            cases: rows,
        })
    }

    /// Writes it as JSON.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn write_json(&self, sink: &mut impl Write) -> fmt::Result {
        let text = serde_json::to_string_pretty(self).map_err(|_| fmt::Error)?;
        // Names and lines come from recordings.
        writeln!(sink, "{}", escape::json(&text))
    }

    /// Returns whether any player differs in any case.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.players.iter().any(|player| player.counts.differs > 0)
    }
}

impl CaseRow {
    fn of(case: &Case, players: usize) -> CaseRow {
        CaseRow {
            name: case.name.to_string(),
            title: case.scenario.name.to_string(),
            rules: case.scenario.rules.iter().map(|rule| RuleOf::of(*rule)).collect(),
            cells: vec![None; players],
        }
    }
}

impl TestedPlayer {
    fn of(it: &Recorded, counts: Counts) -> TestedPlayer {
        let heads = || it.recordings.iter().map(|(_, recording)| &recording.head);
        let mut decides: Vec<String> =
            heads().flat_map(|head| &head.decides).map(ToString::to_string).collect();
        decides.sort_unstable();
        decides.dedup();
        let versions = heads().flat_map(|head| &head.versions);
        let setting = |(knob, value)| FittedSetting { knob, value };
        TestedPlayer {
            name: it.player.clone(),
            versions: versions.map(|(name, version)| (name.to_string(), version.to_string())).collect(),
            browser: heads().find_map(|head| head.browser.as_ref()).map(ToString::to_string),
            profile: it.behaviour.name.clone(),
            settings: it.behaviour.knobs.differing_from(Knobs::default()).map(setting).collect(),
            decides,
            counts,
        }
    }
}
