//! The result of one case for one player.

use serde::Serialize;

use super::case::{Behaviour, Case, Held};
use super::compare::{Difference, DifferenceKind};
use super::marks::Marks;
use super::settings::{FittedSetting, settings};
use crate::api::Kind;
use crate::recording::{Recording, Tolerance};
use crate::rules::{Basis, RuleId};
use crate::scenario::ScenarioError;
use crate::trace::{Trace, line_words};

/// Whether a player does what the simulator does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It does.
    Same,
    /// It does if one knob is turned: its behaviour has a name.
    Knob {
        /// The knobs, any one of which is enough.
        settings: Vec<FittedSetting>,
    },
    /// It does not.
    Differs {
        /// The knob that brings the simulator nearest, and how many differences remain with it.
        nearest: Option<(FittedSetting, usize)>,
    },
    /// The recording does not say.
    Unknown {
        /// Why.
        why: String,
    },
}

/// The result of one case for one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The result.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// How many requests, trackers, films and events are the same.
    pub same: usize,
    /// What differs without any knob turned, in the order of time.
    pub differences: Vec<Difference>,
    /// The first difference, explained.
    pub first: Option<Explained>,
}

/// A difference with what led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// What differs, in one sentence.
    pub sentence: String,
    /// The line of the recording.
    pub recorded: Option<String>,
    /// The line of the simulation.
    pub simulated: Option<String>,
    /// The rule that decided the simulated line or, if there is none, the one of the last line before it that is the
    /// same on both sides.
    pub rule: Option<RuleOf>,
    /// The causes of the simulated line, the nearest first.
    pub causes: Vec<String>,
}

/// A rule, with what it says and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleOf {
    /// Its ID.
    pub id: String,
    /// What it says.
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
        RuleOf { id: rule.to_string(), gist: rule.row().gist, basis }
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
    if let Some(why) = unknown(recording) {
        return Ok(Cell { verdict: Verdict::Unknown { why }, same: 0, differences: Vec::new(), first: None });
    }
    let held = case.held(recording, tolerance);
    let trace = case.play(&behaviour.knobs)?;
    let marks = held.marks(&trace);
    let compared = held.compare(&marks);
    let first = compared.differences.first().map(|it| explain(it, recording, &trace));
    let verdict = if compared.differences.is_empty() {
        Verdict::Same
    } else {
        turned(&held, behaviour, &marks, compared.distance())
    };
    Ok(Cell { verdict, same: compared.same, differences: compared.differences, first })
}

/// Returns why a recording cannot be compared; `None` if it can.
pub(super) fn unknown(recording: &Recording) -> Option<String> {
    if let Some(cannot) = &recording.head.cannot {
        return Some(cannot.to_string());
    }
    let is_comparable =
        |kind: Kind| matches!(kind, Kind::Net | Kind::Beacon | Kind::Ui | Kind::Event | Kind::Media);
    let has = recording.trace.records.iter().any(|record| is_comparable(record.kind));
    (!has).then(|| "the recording has no requests, no events and nothing on screen".to_owned())
}

/// Turns one knob after another. `unturned` are the marks with none of them turned, which are so far apart.
fn turned(held: &Held<'_>, behaviour: &Behaviour, unturned: &Marks, distance: u64) -> Verdict {
    let mut enough: Vec<FittedSetting> = Vec::new();
    let mut nearest: Option<(u64, FittedSetting, usize)> = None;
    for setting in settings(&behaviour.knobs) {
        if held.case.sets(setting.knob) {
            continue;
        }
        let Some(knobs) = setting.on(&behaviour.knobs) else { continue };
        let Ok(trace) = held.case.play(&knobs) else { continue };
        let marks = held.marks(&trace);
        // Most settings change nothing that can be heard.
        if marks == *unturned {
            continue;
        }
        let compared = held.compare(&marks);
        if compared.differences.is_empty() {
            // Of several values of a knob the first is enough.
            if enough.iter().all(|it| it.knob != setting.knob) {
                enough.push(setting);
            }
        } else if compared.distance() < nearest.as_ref().map_or(distance, |(nearest, ..)| *nearest) {
            nearest = Some((compared.distance(), setting, compared.differences.len()));
        }
    }
    if enough.is_empty() {
        Verdict::Differs { nearest: nearest.map(|(_, setting, left)| (setting, left)) }
    } else {
        Verdict::Knob { settings: enough }
    }
}

/// The longest chain of causes that is listed.
const LONGEST_CHAIN: usize = 6;

fn explain(it: &Difference, recording: &Recording, simulated: &Trace) -> Explained {
    let line = |trace: &Trace, seq: u32| trace.record(seq).map(line_words);
    let seq = it.simulated.map(|place| place.seq);
    let causes = seq.and_then(|seq| simulated.causes(seq));
    let chain = causes.iter().flat_map(|causes| &causes.links).skip(1).take(LONGEST_CHAIN);
    let cause = |link: &crate::trace::Link<'_>| {
        let rule = link.record.rule.map_or_else(String::new, |rule| format!("  [{rule}]"));
        format!("{}  {}{rule}", link.at, line_words(link.record))
    };
    let rule = seq.and_then(|seq| simulated.record(seq)?.rule);
    Explained {
        sentence: sentence(it),
        recorded: it.recorded.and_then(|place| line(&recording.trace, place.seq)),
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
        DifferenceKind::Time | DifferenceKind::Overall => {
            let micros = it.late_us.unwrap_or_default();
            let millis = micros.unsigned_abs().div_ceil(1_000);
            let late = if micros < 0 { "earlier" } else { "later" };
            let from = match it.kind {
                DifferenceKind::Overall => "counted from the start",
                DifferenceKind::Extra
                | DifferenceKind::Missing
                | DifferenceKind::Order
                | DifferenceKind::Time => "counted from the film that was last shown",
            };
            format!("The player is {millis} ms {late}, {from}: {what}.")
        }
    }
}
