//! The report: players side by side, one row for each case.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use serde::Serialize;

use super::case::{Behaviour, Case};
use super::cell::{Cell, Judging, RuleOf, Verdict, adds_none};
use super::outcome::{CellOutcome, Change};
use super::played::Proven;
use super::settings::FittedSetting;
use super::shared::{Shared, SharedDifference};
use playsim_base::escape;
use playsim_check::recording::{Recording, Tolerance};
use playsim_rules::knobs::Knobs;
use playsim_scenario::ScenarioError;

mod text;

pub use text::write_text;

/// The version of its JSON form.
pub const VERSION: u32 = 2;

/// Players side by side, case by case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The version of the form.
    pub version: u32,
    /// How far times may differ from those of the simulator, counted from the film that was last
    /// shown.
    pub within_us: u64,
    /// How far times may differ, counted from the start.
    pub overall_us: u64,
    /// The players, in the order given.
    pub players: Vec<TestedPlayer>,
    /// The cases, by name.
    pub cases: Vec<CaseRow>,
    /// Whether it was held against a baseline: then only what changed counts.
    pub has_baseline: bool,
}

/// A player, and how many cases it passes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestedPlayer {
    /// Its name.
    pub name: String,
    /// Its name with what tells it from other columns: its browser, its versions.
    pub label: String,
    /// The packages that it is made of, with their versions.
    pub versions: BTreeMap<String, String>,
    /// The browser.
    pub browser: Option<String>,
    /// The profile that it was compared with.
    pub profile: String,
    /// The knobs of that profile which are not at their default.
    pub settings: Vec<FittedSetting>,
    /// The decisions of its adapter, which say nothing about the player.
    pub decides: Vec<String>,
    /// Its differences that many cases share: left out of the cells.
    pub shared: Vec<SharedDifference>,
    /// The sums of its column.
    pub counts: Counts,
}

/// How many cells have which result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// The player behaves like the simulator.
    pub same: usize,
    /// It does but for what many cases share.
    pub shared: usize,
    /// It does with one knob turned.
    pub knob: usize,
    /// It does not.
    pub differs: usize,
    /// The case was not played as written.
    pub not_played: usize,
    /// The recording does not say.
    pub unknown: usize,
    /// Cells in which `check` finds a fault.
    pub faulty: usize,
    /// Cells whose recordings differ from each other.
    pub flaky: usize,
    /// Cells that are new, fixed or changed against the baseline.
    pub new: usize,
    /// See above.
    pub fixed: usize,
    /// See above.
    pub changed: usize,
}

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseRow {
    /// The name of its file.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The rules that it tests, with their basis.
    pub rules: Vec<RuleOf>,
    /// A cell for each player; `None` if there is no recording.
    pub cells: Vec<Option<Cell>>,
}

/// The recordings of one player in one version and browser, and the behaviour that it is compared
/// with.
#[derive(Debug)]
pub struct Recorded {
    /// The name of the player.
    pub player: String,
    /// The behaviour that it is compared with.
    pub behaviour: Behaviour,
    /// The recordings, each with the index of its case: several of one case are repetitions.
    pub recordings: Vec<(usize, Recording)>,
}

impl Counts {
    /// Counts the cells of one column, or of any others.
    #[must_use]
    pub fn of<'a>(cells: impl Iterator<Item = &'a Cell>) -> Counts {
        let mut counts = Counts::default();
        for cell in cells {
            let verdict = match cell.verdict {
                Verdict::Same => &mut counts.same,
                Verdict::Shared => &mut counts.shared,
                Verdict::Knob { .. } => &mut counts.knob,
                Verdict::Differs => &mut counts.differs,
                Verdict::NotPlayed { .. } => &mut counts.not_played,
                Verdict::Unknown { .. } => &mut counts.unknown,
            };
            *verdict += 1;
            counts.faulty += usize::from(!cell.faults.is_empty());
            counts.flaky += usize::from(cell.is_flaky());
            match cell.change {
                Some(Change::New) => counts.new += 1,
                Some(Change::Fixed) => counts.fixed += 1,
                Some(Change::Changed) => counts.changed += 1,
                None => {}
            }
        }
        counts
    }

    /// Returns how many cells can be compared.
    #[must_use]
    pub const fn compared(&self) -> usize {
        self.same + self.shared + self.knob + self.differs
    }
}

impl Report {
    /// Compares every recording with its case.
    ///
    /// # Errors
    ///
    /// The first case that cannot be played with its settings.
    pub fn of(
        cases: &[Case],
        players: &[Recorded],
        tolerance: Tolerance,
    ) -> Result<Report, ScenarioError> {
        let mut rows: Vec<CaseRow> = cases
            .iter()
            .map(|case| CaseRow::of(case, players.len()))
            .collect();
        let mut all_shared = Vec::new();
        for (column, player) in players.iter().enumerate() {
            let (cells, shared) = player.judge(cases, tolerance)?;
            for (row, cell) in rows.iter_mut().zip(cells) {
                row.cells[column] = cell;
            }
            all_shared.push(shared);
        }
        let cells = |column: usize| {
            rows.iter()
                .filter_map(move |row| row.cells[column].as_ref())
        };
        let columns = players.iter().enumerate().zip(all_shared);
        let mut players: Vec<TestedPlayer> = columns
            .map(|((column, it), shared)| TestedPlayer::of(it, shared, Counts::of(cells(column))))
            .collect();
        label(&mut players);
        Ok(Report {
            version: VERSION,
            within_us: tolerance.within.micros(),
            overall_us: tolerance.overall.micros(),
            players,
            cases: rows,
            has_baseline: false,
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

    /// Counts the cells of each column again, after cells have changed.
    pub fn recount(&mut self) {
        for (column, player) in self.players.iter_mut().enumerate() {
            player.counts = Counts::of(
                self.cases
                    .iter()
                    .filter_map(|row| row.cells[column].as_ref()),
            );
        }
    }

    /// Returns whether a cell fails: it was not played; or it is new or changed against the
    /// baseline. Without a baseline everything fails that is not the same, or breaks a rule.
    #[must_use]
    pub fn is_red(&self, cell: &Cell) -> bool {
        match (&cell.verdict, self.has_baseline) {
            (Verdict::NotPlayed { .. }, _) => true,
            (Verdict::Unknown { .. }, _) => false,
            (_, true) => matches!(cell.change, Some(Change::New | Change::Changed)),
            (_, false) => !cell.is_clean(),
        }
    }

    /// Returns whether any cell fails.
    #[must_use]
    pub fn has_red(&self) -> bool {
        self.cases
            .iter()
            .flat_map(|row| row.cells.iter().flatten())
            .any(|cell| self.is_red(cell))
    }
}

/// Gives each column a name of its own.
fn label(players: &mut [TestedPlayer]) {
    let labels: Vec<String> = (0..players.len())
        .map(|index| {
            let it = &players[index];
            let same: Vec<&TestedPlayer> = players
                .iter()
                .filter(|other| other.name == it.name)
                .collect();
            let mut label = it.name.clone();
            if same.iter().any(|other| other.browser != it.browser) {
                label.push_str(&format!(
                    " on {}",
                    it.browser.as_deref().unwrap_or("an unknown browser")
                ));
            }
            if same.iter().any(|other| other.versions != it.versions) {
                let versions: Vec<&str> = it.versions.values().map(String::as_str).collect();
                label.push_str(&format!(" {}", versions.join("+")));
            }
            label
        })
        .collect();
    for (player, label) in players.iter_mut().zip(labels) {
        player.label = label;
    }
}

impl Recorded {
    /// Judges the recordings: a cell for each case that has one, and what many of them share.
    fn judge(
        &self,
        cases: &[Case],
        tolerance: Tolerance,
    ) -> Result<(Vec<Option<Cell>>, Vec<SharedDifference>), ScenarioError> {
        let proven = Proven::by(self.recordings.iter().map(|(_, recording)| recording));
        let mut judged = Vec::new();
        for (index, recording) in &self.recordings {
            let case = &cases[*index];
            judged.push((
                *index,
                Judging::of(case, recording, &proven, &self.behaviour, tolerance)?,
            ));
        }
        let compared = judged.iter().filter(|(_, judging)| judging.is_compared());
        let of_cases =
            compared.map(|(index, judging)| (&*cases[*index].name, judging.differences()));
        let (shared, named) = Shared::among(of_cases);
        let mut found: Vec<Vec<Cell>> = cases.iter().map(|_| Vec::new()).collect();
        for (index, judging) in judged {
            found[index].push(judging.cell(&shared));
        }
        self.drop_contradicted(cases, &mut found, &shared, tolerance)?;
        Ok((found.into_iter().map(repeated).collect(), named))
    }

    /// Takes back settings that would add a difference to any recording: what explains one case and
    /// is refuted by another is no description of the player.
    fn drop_contradicted(
        &self,
        cases: &[Case],
        found: &mut [Vec<Cell>],
        shared: &Shared,
        tolerance: Tolerance,
    ) -> Result<(), ScenarioError> {
        let mut witnesses = Vec::new();
        let mut nth = vec![0; cases.len()];
        for (index, recording) in &self.recordings {
            let (case, cell) = (&cases[*index], &found[*index][nth[*index]]);
            nth[*index] += 1;
            if cell.verdict.is_compared() {
                let (trace, read) = case.play_noting(&self.behaviour.knobs)?;
                let held = case.held(recording, tolerance);
                let before = held.compare_but(&held.marks(&trace), shared);
                witnesses.push((held, read, before));
            }
        }
        let mut known: BTreeMap<FittedSetting, bool> = BTreeMap::new();
        let mut stands = |setting: &FittedSetting| {
            *known.entry(setting.clone()).or_insert_with(|| {
                let Some(knobs) = setting.on(&self.behaviour.knobs) else {
                    return false;
                };
                witnesses.iter().all(|(held, read, before)| {
                    !read.contains(setting.knob)
                        || held.case.play(&knobs).is_ok_and(|trace| {
                            let after = held.compare_but(&held.marks(&trace), shared);
                            adds_none(&after, (&before.differences, before.unseen.len()))
                        })
                })
            })
        };
        for cell in found.iter_mut().flatten() {
            if let Some(first) = &mut cell.first {
                first.settle(&mut stands);
            }
            if let Verdict::Knob { settings } = &mut cell.verdict {
                settings.retain(&mut stands);
                if settings.is_empty() {
                    cell.verdict = Verdict::Differs;
                }
            }
        }
        Ok(())
    }
}

/// Returns the cell of a case that was recorded several times: the first that was played, with all
/// outcomes if they differ.
fn repeated(cells: Vec<Cell>) -> Option<Cell> {
    let outcomes: Vec<CellOutcome> = cells.iter().map(Cell::outcome).collect();
    let differ = outcomes.iter().any(|outcome| *outcome != outcomes[0]);
    let shown = cells
        .iter()
        .position(|cell| cell.verdict.is_compared())
        .unwrap_or_default();
    let mut cell = cells.into_iter().nth(shown)?;
    cell.evidence.run = shown;
    if differ {
        cell.runs = outcomes;
    }
    Some(cell)
}

impl CaseRow {
    fn of(case: &Case, players: usize) -> CaseRow {
        CaseRow {
            name: case.name.to_string(),
            title: case.scenario.name.to_string(),
            rules: case
                .scenario
                .rules
                .iter()
                .map(|rule| RuleOf::of(*rule))
                .collect(),
            cells: vec![None; players],
        }
    }
}

impl TestedPlayer {
    fn of(it: &Recorded, shared: Vec<SharedDifference>, counts: Counts) -> TestedPlayer {
        let heads = || it.recordings.iter().map(|(_, recording)| &recording.head);
        let mut decides: Vec<String> = heads()
            .flat_map(|head| &head.decides)
            .map(ToString::to_string)
            .collect();
        decides.sort_unstable();
        decides.dedup();
        let versions = heads().flat_map(|head| &head.versions);
        let setting = |(knob, value)| FittedSetting { knob, value };
        TestedPlayer {
            name: it.player.clone(),
            label: it.player.clone(),
            versions: versions
                .map(|(name, version)| (name.to_string(), version.to_string()))
                .collect(),
            browser: heads()
                .find_map(|head| head.browser.as_ref())
                .map(ToString::to_string),
            profile: it.behaviour.name.clone(),
            settings: it
                .behaviour
                .knobs
                .differing_from(Knobs::default())
                .map(setting)
                .collect(),
            decides,
            shared,
            counts,
        }
    }
}
