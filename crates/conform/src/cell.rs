//! The result of one case for one player.

use std::collections::BTreeSet;

use serde::Serialize;

use super::case::{Behaviour, Case, Held};
use super::evidence::{CellEvidence, CellFault, faults};
use super::outcome::{CellOutcome, Change, DIFFERS, SAME, UNKNOWN};
use super::played::Proven;
use super::settings::{FittedSetting, settings};
use super::shared::Shared;
use playsim_api::{Decimal, Kind};
use playsim_check::compare::{Compared, Difference, DifferenceKind, Marks};
use playsim_check::recording::{Recording, Tolerance};
use playsim_rules::knobs::Knob;
use playsim_rules::{Basis, RuleId};
use playsim_scenario::ScenarioError;
use playsim_trace::{Trace, line_words};

/// Whether a player behaves like the simulator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It does.
    Same,
    /// It does, but for differences that many cases share, which the report names once.
    Shared,
    /// It does if one knob is turned: its behaviour has a name. The knob explains the whole case.
    Knob {
        /// The knobs, any one of which is enough.
        settings: Vec<FittedSetting>,
    },
    /// It does not.
    Differs,
    /// The case was not played as it is written: an adapter, a page or a step failed. It says
    /// nothing about the player.
    NotPlayed {
        /// Why, in a sentence each.
        why: Vec<String>,
    },
    /// The recording does not say.
    Unknown {
        /// Why.
        why: String,
    },
}

impl Verdict {
    /// Returns whether the recording was compared with the simulator.
    #[must_use]
    pub const fn is_compared(&self) -> bool {
        match self {
            Verdict::Same | Verdict::Shared | Verdict::Knob { .. } | Verdict::Differs => true,
            Verdict::NotPlayed { .. } | Verdict::Unknown { .. } => false,
        }
    }

    /// Returns it in a word or two.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Verdict::Same => SAME.to_owned(),
            Verdict::Shared => "same but for what many share".to_owned(),
            Verdict::Knob { settings } => settings.first().map_or_else(
                || "with a knob".to_owned(),
                |setting| format!("with {setting}"),
            ),
            Verdict::Differs => DIFFERS.to_owned(),
            Verdict::NotPlayed { .. } => "not played".to_owned(),
            Verdict::Unknown { .. } => UNKNOWN.to_owned(),
        }
    }
}

/// The result of one case for one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Cell {
    /// The result.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// How many requests, trackers, films and events are the same.
    pub same: usize,
    /// The differences without any knob turned, the most noticeable first.
    pub differences: Vec<Difference>,
    /// All differences in words, without times.
    #[serde(skip)]
    all: BTreeSet<String>,
    /// How many differences are left out, because many cases share them.
    pub shared: usize,
    /// The first difference, explained.
    pub first: Option<Explained>,
    /// The findings of `check`, which needs no simulation.
    pub faults: Vec<CellFault>,
    /// Other evidence from the recording.
    pub evidence: CellEvidence,
    /// The outcome of each recording of the case, if they differ from each other.
    pub runs: Vec<CellOutcome>,
    /// The change since the baseline.
    pub change: Option<Change>,
}

impl Cell {
    /// A cell of which nothing is known but its verdict.
    #[must_use]
    pub fn of(verdict: Verdict) -> Cell {
        Cell {
            verdict,
            same: 0,
            differences: Vec::new(),
            all: BTreeSet::new(),
            shared: 0,
            first: None,
            faults: Vec::new(),
            evidence: CellEvidence::default(),
            runs: Vec::new(),
            change: None,
        }
    }

    /// Returns its outcome: what was recorded and what was due, and nothing that depends on the
    /// other cases of the report.
    #[must_use]
    pub fn outcome(&self) -> CellOutcome {
        let verdict = match &self.verdict {
            _ if !self.all.is_empty() => DIFFERS.to_owned(),
            Verdict::NotPlayed { .. } | Verdict::Unknown { .. } => self.verdict.word(),
            Verdict::Same | Verdict::Shared | Verdict::Knob { .. } | Verdict::Differs => {
                SAME.to_owned()
            }
        };
        let faults = self.faults.iter().map(|fault| fault.rule.clone());
        CellOutcome {
            verdict,
            differences: self.all.clone(),
            faults: faults.collect(),
        }
    }

    /// Returns whether nothing is wrong with it: it agrees, and breaks no rule.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.verdict == Verdict::Same && self.faults.is_empty()
    }

    /// Returns whether repeated recordings differ.
    #[must_use]
    pub const fn is_flaky(&self) -> bool {
        !self.runs.is_empty()
    }
}

/// A difference with what led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// The difference, in one sentence.
    pub sentence: String,
    /// The line of the recording.
    pub recorded: Option<String>,
    /// The line of the simulation.
    pub simulated: Option<String>,
    /// Settings each of which makes this difference go away, and adds none to any recording of the
    /// player.
    pub settings: Vec<FittedSetting>,
    /// The rule that differs: the one that those settings turn. If there are none, the rule that
    /// decided the simulated line.
    pub rule: Option<RuleOf>,
    /// The causes of the simulated line, the nearest first.
    pub causes: Vec<String>,
    /// The rule that decided the simulated line.
    #[serde(skip)]
    pub decided: Option<RuleId>,
}

impl Explained {
    /// Returns the settings with which this difference goes away, in words.
    #[must_use]
    pub fn remedy(&self) -> Option<String> {
        let settings: Vec<String> = self.settings.iter().map(ToString::to_string).collect();
        (!settings.is_empty()).then(|| format!("the same here with {}", settings.join(" or ")))
    }

    /// Leaves those of its settings that stand, and names the rule that differs.
    pub(super) fn settle(&mut self, stands: impl FnMut(&FittedSetting) -> bool) {
        self.settings.retain(stands);
        let turned = self.settings.first();
        let turned = turned.and_then(|it| Knob::named(it.knob)?.rules.first());
        self.rule = turned.copied().or(self.decided).map(RuleOf::of);
    }
}

/// A rule, with its gist and its basis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleOf {
    /// Its ID.
    pub id: String,
    /// Its gist.
    pub gist: &'static str,
    /// `reference`, `standard` or `choice`.
    pub basis: &'static str,
}

const CHOICE: &str = "choice";

impl RuleOf {
    /// Returns a rule with its row.
    #[must_use]
    pub fn of(rule: RuleId) -> RuleOf {
        let basis = match rule.row().basis {
            Basis::Stated => "reference",
            Basis::Html | Basis::Iab => "standard",
            Basis::Chosen | Basis::NotModelled => CHOICE,
        };
        RuleOf {
            id: rule.to_string(),
            gist: rule.row().gist,
            basis,
        }
    }

    /// Returns whether it is a choice of ours, from which a player may differ.
    #[must_use]
    pub fn is_choice(&self) -> bool {
        self.basis == CHOICE
    }
}

/// Holds a recording against a case.
///
/// # Errors
///
/// If the case cannot be played with the settings.
pub fn judge(
    case: &Case,
    recording: &Recording,
    behaviour: &Behaviour,
    tolerance: Tolerance,
) -> Result<Cell, ScenarioError> {
    Ok(
        Judging::of(case, recording, &Proven::default(), behaviour, tolerance)?
            .cell(&Shared::default()),
    )
}

/// A recording held against a case, before it is known what many cases share.
pub(super) struct Judging<'a> {
    behaviour: &'a Behaviour,
    cell: Cell,
    compared: Option<Unturned<'a>>,
}

/// Both sides with all knobs at their defaults.
struct Unturned<'a> {
    held: Held<'a>,
    marks: Marks,
    trace: Trace,
    /// The knobs that the run has read. No other one can change it.
    read: BTreeSet<&'static str>,
    /// The lines for which the recording ends too early.
    unseen: Vec<String>,
}

impl<'a> Judging<'a> {
    pub(super) fn of(
        case: &'a Case,
        recording: &'a Recording,
        proven: &Proven,
        behaviour: &'a Behaviour,
        tolerance: Tolerance,
    ) -> Result<Judging<'a>, ScenarioError> {
        let problems = proven.problems(recording);
        let verdict = if problems.is_empty() || recording.head.cannot.is_some() {
            unknown(recording).map(|why| Verdict::Unknown { why })
        } else {
            Some(Verdict::NotPlayed { why: problems })
        };
        let held = case.held(recording, tolerance);
        let (trace, read) = case.play_noting(&behaviour.knobs)?;
        let marks = held.marks(&trace);
        let compared = held.compare(&marks);
        let mut cell = Cell::of(verdict.clone().unwrap_or(Verdict::Differs));
        cell.evidence = CellEvidence::of(recording, held.recorded(), &marks);
        if recording.head.cannot.is_some() {
            return Ok(Judging {
                behaviour,
                cell,
                compared: None,
            });
        }
        cell.same = compared.same;
        cell.differences = compared.differences;
        // Stable: within a rank in the order of time.
        cell.differences.sort_by_key(|it| it.importance);
        if verdict.is_none() {
            let words = |it: &Difference| format!("{}: {}", it.kind.word(), it.what);
            cell.all = cell.differences.iter().map(words).collect();
        }
        cell.faults = faults(case, recording, held.recorded());
        let unseen = compared.unseen;
        let compared = verdict.is_none().then_some(Unturned {
            held,
            marks,
            trace,
            read,
            unseen,
        });
        Ok(Judging {
            behaviour,
            cell,
            compared,
        })
    }

    pub(super) const fn is_compared(&self) -> bool {
        self.compared.is_some()
    }

    pub(super) fn differences(&self) -> impl Iterator<Item = &Difference> {
        self.cell.differences.iter()
    }

    /// Judges it, apart from what many cases share.
    pub(super) fn cell(self, shared: &Shared) -> Cell {
        let Judging {
            behaviour,
            mut cell,
            compared,
        } = self;
        let Some(compared) = compared else {
            // The lines that were seen may be why a step was never taken; but they are no behaviour
            // in this case.
            let differences = std::mem::take(&mut cell.differences);
            if let (Verdict::NotPlayed { why }, Some(first)) =
                (&mut cell.verdict, differences.first())
            {
                why.push(format!("what was recorded shows: {}", sentence(first)));
            }
            (cell.same, cell.faults) = (0, Vec::new());
            return cell;
        };
        let all = cell.differences.len();
        cell.differences.retain(|it| !shared.has(it));
        cell.shared = all - cell.differences.len();
        cell.first = cell
            .differences
            .first()
            .map(|it| explain(it, compared.held.recording, &compared.trace));
        cell.verdict = match (all, &mut cell.first) {
            (_, None) if !compared.unseen.is_empty() => Verdict::Unknown {
                why: compared.ends_early(),
            },
            (0, _) => Verdict::Same,
            (_, None) => Verdict::Shared,
            (_, Some(first)) => {
                let (verdict, settings) = compared.turned(&cell.differences, behaviour, shared);
                first.settings = settings;
                first.settle(|_| true);
                verdict
            }
        };
        cell
    }
}

/// Returns why a recording cannot be compared; `None` if it can.
pub(super) fn unknown(recording: &Recording) -> Option<String> {
    if let Some(cannot) = &recording.head.cannot {
        return Some(cannot.to_string());
    }
    let is_comparable = |kind: Kind| {
        matches!(
            kind,
            Kind::Net | Kind::Beacon | Kind::Ui | Kind::Event | Kind::Media
        )
    };
    let has = recording
        .trace
        .records
        .iter()
        .any(|record| is_comparable(record.kind));
    (!has).then(|| "the recording has no requests, no events and nothing on screen".to_owned())
}

impl Unturned<'_> {
    /// Says until when both sides are the same, and which lines the recording cannot show.
    fn ends_early(&self) -> String {
        let recorded = self.held.recorded();
        let length = Decimal::seconds((recorded.end - recorded.start).micros() / 1_000 * 1_000);
        let first = self.unseen.first().map_or("", String::as_str);
        let more = match self.unseen.len() {
            0 | 1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        format!(
            "the same until the recording ends, {length} s after play(); it is too short for: {first}{more}"
        )
    }

    /// Turns one knob after another. A knob explains the case if it explains everything that no
    /// other case shares; without such a knob, returns those that explain the first difference, and
    /// add none of another class.
    fn turned(
        &self,
        before: &[Difference],
        behaviour: &Behaviour,
        shared: &Shared,
    ) -> (Verdict, Vec<FittedSetting>) {
        let (mut enough, mut partly): (Vec<FittedSetting>, Vec<FittedSetting>) = Default::default();
        for setting in settings(&behaviour.knobs) {
            // Of several values of a knob the first is enough.
            let is_known = |all: &[FittedSetting]| all.iter().any(|it| it.knob == setting.knob);
            if !self.read.contains(setting.knob) || is_known(&enough) {
                continue;
            }
            let Some(knobs) = setting.on(&behaviour.knobs) else {
                continue;
            };
            let Ok(trace) = self.held.case.play(&knobs) else {
                continue;
            };
            let marks = self.held.marks(&trace);
            // Most settings change nothing that can be heard.
            if marks == self.marks {
                continue;
            }
            let after = self.held.compare_but(&marks, shared);
            let is_first =
                |it: &Difference| it.class == before[0].class && it.what == before[0].what;
            if after.differences.is_empty() && after.unseen.is_empty() {
                enough.push(setting);
            } else if !is_known(&partly)
                && adds_none(&after, (before, self.unseen.len()))
                && !after.differences.iter().any(is_first)
            {
                partly.push(setting);
            }
        }
        if enough.is_empty() {
            (Verdict::Differs, partly)
        } else {
            let settings = enough.clone();
            (Verdict::Knob { settings }, enough)
        }
    }
}

/// Whether no difference is of a class that was not there before, and no more lines are due after
/// the end of the recording than were before.
pub(super) fn adds_none(after: &Compared, (before, unseen): (&[Difference], usize)) -> bool {
    let is_known = |it: &Difference| before.iter().any(|known| known.class == it.class);
    after.unseen.len() <= unseen && after.differences.iter().all(is_known)
}

/// The longest chain of causes that is listed.
const LONGEST_CHAIN: usize = 6;

fn explain(it: &Difference, recording: &Recording, simulated: &Trace) -> Explained {
    let line = |trace: &Trace, seq: u32| trace.record(seq).map(line_words);
    let seq = it.simulated.map(|place| place.seq);
    let causes = seq.and_then(|seq| simulated.causes(seq));
    let chain = causes
        .iter()
        .flat_map(|causes| &causes.links)
        .skip(1)
        .take(LONGEST_CHAIN);
    let cause = |link: &playsim_trace::Link<'_>| {
        let rule = link
            .record
            .rule
            .map_or_else(String::new, |rule| format!("  [{rule}]"));
        format!("{}  {}{rule}", link.at, line_words(link.record))
    };
    let rule = seq.and_then(|seq| simulated.record(seq)?.rule);
    Explained {
        settings: Vec::new(),
        decided: rule,
        sentence: sentence(it),
        recorded: it
            .recorded
            .and_then(|place| line(&recording.trace, place.seq)),
        simulated: seq.and_then(|seq| line(simulated, seq)),
        rule: rule.map(RuleOf::of),
        causes: chain.map(cause).collect(),
    }
}

/// Returns a difference in one sentence.
fn sentence(it: &Difference) -> String {
    let what = &it.what;
    match it.kind {
        DifferenceKind::Extra => format!("Only the player has: {what}."),
        DifferenceKind::Missing => format!("Only the simulator has: {what}."),
        DifferenceKind::Order => format!("Both have it, in another order: {what}."),
        DifferenceKind::Value => format!("The player calls it with another code: {what}."),
        DifferenceKind::Time | DifferenceKind::Overall => {
            let micros = it.late_us.unwrap_or_default();
            let millis = micros.unsigned_abs().div_ceil(1_000);
            let late = if micros < 0 { "earlier" } else { "later" };
            let from = match it.kind {
                DifferenceKind::Overall => "counted from the start",
                DifferenceKind::Extra
                | DifferenceKind::Missing
                | DifferenceKind::Order
                | DifferenceKind::Value
                | DifferenceKind::Time => "counted from the film that was last shown",
            };
            format!("The player is {millis} ms {late}, {from}: {what}.")
        }
    }
}
