//! One case of `playsim test`: plays the scenario, checks it, compares the trace, and blesses it if
//! requested.

use std::fs;
use std::io;

use playsim::check;
use playsim::diff::{self, Comparison, Side};
use playsim::place::Place;
use playsim::recording::{Recording, Tolerance};
use playsim::scenario::Overrides;
use playsim::trace::{Filter, Trace, write_text};

use super::find::Case;
use crate::cli::failure::Failure;
use crate::cli::input::{self, Given};
use crate::cli::output::{Talk, as_argument};
use crate::cli::{Exit, lines, reading, run, writing, written};

/// The maximum number of lines shown of a difference; `playsim diff` shows all.
const LINES: usize = 60;

/// The result of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Everything is as expected.
    Ok,
    /// There is no golden trace yet.
    New,
    /// There is no golden trace, and `CI` is set.
    Missing,
    /// The golden trace was written.
    Written,
    /// The golden trace was replaced.
    Updated,
    /// The trace differs from the golden trace.
    Differs,
    /// An expectation or an invariant is not met.
    Failed,
    /// The scenario cannot be read or played, or a file cannot be written.
    Wrong,
    /// A golden trace without a scenario.
    Orphan,
    /// A golden trace without a scenario was removed.
    Removed,
}

impl Verdict {
    pub(super) const ALL: [Verdict; 10] = [
        Verdict::Ok,
        Verdict::New,
        Verdict::Missing,
        Verdict::Written,
        Verdict::Updated,
        Verdict::Differs,
        Verdict::Failed,
        Verdict::Wrong,
        Verdict::Orphan,
        Verdict::Removed,
    ];

    pub(super) fn word(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::New => "new",
            Verdict::Missing => "missing",
            Verdict::Written => "written",
            Verdict::Updated => "updated",
            Verdict::Differs => "differs",
            Verdict::Failed => "failed",
            Verdict::Wrong => "wrong",
            Verdict::Orphan => "orphaned",
            Verdict::Removed => "removed",
        }
    }

    /// Returns whether this is about a golden trace without a scenario.
    pub(super) fn is_of_orphan(self) -> bool {
        matches!(self, Verdict::Orphan | Verdict::Removed)
    }
}

/// A failed expectation or invariant, or a difference.
#[derive(Debug)]
pub(super) struct Problem {
    /// The place in the scenario, if there is one.
    pub(super) place: Option<Place>,
    /// The message; its first line is a summary.
    pub(super) text: String,
}

/// The verdict on a case, with details.
pub(super) struct Outcome {
    pub(super) case: Case,
    pub(super) verdict: Verdict,
    /// A remark shown after the name of the case.
    pub(super) note: String,
    pub(super) problems: Vec<Problem>,
    /// Why the scenario could not be played.
    pub(super) fault: Option<Failure>,
    pub(super) exit: Exit,
}

/// The result of comparing the trace with the golden trace.
enum Golden {
    Same,
    Missing,
    Differs(String),
}

/// Plays and judges a case.
pub(super) fn judge(case: Case, bless: bool, is_ci: bool, talk: &Talk) -> Outcome {
    let name = input::name(&case.file);
    let played = scenario(&case)
        .and_then(|given| run::play(&name, &given.scenario).map(|trace| (given, trace)))
        .and_then(|(given, trace)| Ok((compare(&case, &name, &trace)?, given, trace)));
    let (golden, given, trace) = match played {
        Ok(played) => played,
        Err(fault) => return wrong(case, fault),
    };
    run::say_stopped(&name, &trace, talk);
    let mut problems = problems(&name, &given, &trace);
    let are_met = problems.is_empty();
    let verdict = match (golden, bless && are_met && !case.is_recorded()) {
        (Golden::Same, _) => Verdict::Ok,
        (Golden::Missing, true) | (Golden::Differs(_), true) => {
            let is_there = case.golden.exists();
            if let Err(error) = writing::write(&case.golden, text(&trace)) {
                let fault = Failure::cannot("write", &case.golden)(error);
                return wrong(case, fault);
            }
            if is_there {
                Verdict::Updated
            } else {
                Verdict::Written
            }
        }
        (Golden::Missing, false) => {
            if is_ci {
                Verdict::Missing
            } else {
                Verdict::New
            }
        }
        (Golden::Differs(text), false) => {
            problems.push(Problem { place: None, text });
            Verdict::Differs
        }
    };
    let note = note(&case, verdict, are_met, bless);
    let verdict = if are_met { verdict } else { Verdict::Failed };
    let exit = Exit::of(!matches!(
        verdict,
        Verdict::Missing | Verdict::Differs | Verdict::Failed
    ));
    Outcome {
        case,
        verdict,
        note,
        problems,
        fault: None,
        exit,
    }
}

/// Reads the scenario.
fn scenario(case: &Case) -> Result<Given, Failure> {
    let bytes = case.bytes().map_err(Failure::cannot("read", &case.file))?;
    let text = input::as_text(&case.file, bytes)?;
    input::scenario_of(&case.file, &text, &Overrides::default())
}

fn wrong(case: Case, fault: Failure) -> Outcome {
    let exit = fault.exit();
    Outcome {
        case,
        verdict: Verdict::Wrong,
        note: String::new(),
        problems: Vec::new(),
        fault: Some(fault),
        exit,
    }
}

/// Returns a remark about the golden trace.
fn note(case: &Case, verdict: Verdict, are_met: bool, bless: bool) -> String {
    let golden = input::name(&case.golden);
    let is_unblessed = matches!(verdict, Verdict::New | Verdict::Missing);
    if bless && case.is_recorded() && verdict == Verdict::Differs {
        format!("{golden} was recorded from a player; --bless does not replace it")
    } else if bless && (is_unblessed || verdict == Verdict::Differs) {
        format!("{golden} is unchanged: a failed case is not blessed")
    } else if is_unblessed && !are_met {
        "no golden trace yet".to_owned()
    } else if verdict == Verdict::New {
        "no golden trace yet; --bless writes it".to_owned()
    } else if verdict == Verdict::Missing {
        let file = input::argument(&case.file);
        format!("no golden trace; playsim test --bless {file} writes it")
    } else {
        String::new()
    }
}

/// Returns the failed expectations and invariants.
fn problems(name: &str, given: &Given, trace: &Trace) -> Vec<Problem> {
    let failed = run::failures(given, trace)
        .into_iter()
        .map(|(place, text)| {
            let at = place.map_or_else(String::new, |place| format!(":{place}"));
            Problem {
                place,
                text: format!("{name}{at}: {text}"),
            }
        });
    let found = check::invariants(trace).into_iter();
    let found = found.map(|finding| Problem {
        place: None,
        text: format!("{name}: {finding}"),
    });
    failed.chain(found).collect()
}

/// Compares the trace with the golden trace, as text, or with a recording of a real player, as
/// `playsim diff` does.
fn compare(case: &Case, name: &str, trace: &Trace) -> Result<Golden, Failure> {
    let golden_name = input::name(&case.golden);
    let side = |filter: &Filter| Side::of_trace(name, trace.clone(), filter);
    if case.is_recorded() {
        let recording = Recording::read(&golden_name, &input::found_text(&case.golden)?);
        let recorded = recording.map_err(Failure::input)?.trace;
        let filter = lines::all();
        let recorded = Side::of_trace(&golden_name, recorded, &filter);
        let (first, second) = diff::meet(recorded, side(&filter));
        let comparison = diff::compare(&first, &second, Tolerance::default());
        return Ok(if comparison.is_equal() {
            Golden::Same
        } else {
            Golden::Differs(differences(&comparison, &golden_name, name))
        });
    }
    let golden = match reading::bytes_found(&case.golden) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Golden::Missing),
        golden => golden.map_err(Failure::cannot("read", &case.golden))?,
    };
    // A checkout may have changed the line endings.
    let golden = String::from_utf8_lossy(&golden).replace("\r\n", "\n");
    let now = text(trace);
    if golden == now {
        return Ok(Golden::Same);
    }
    let filter = Filter::default();
    Ok(Golden::Differs(
        match Side::of_text(&golden_name, &golden, &filter) {
            Err(error) => error.to_string(),
            Ok(first) => {
                let second = side(&filter);
                let comparison = diff::compare(&first, &second, Tolerance::EXACT);
                if comparison.is_equal() && comparison.other_heads().is_none() {
                    diff::layout(&golden_name, &golden, &now)
                } else {
                    differences(&comparison, &golden_name, name)
                }
            }
        },
    ))
}

/// Returns the first differences in words.
fn differences(comparison: &Comparison<'_>, golden_name: &str, name: &str) -> String {
    let mut text = String::new();
    let are_all = comparison.write(LINES, &mut text);
    if are_all == Ok(false) {
        let arguments = [golden_name, name].map(as_argument).join(" ");
        text.push_str(&format!(
            "\nThere are more differences; playsim diff {arguments} shows all.\n"
        ));
    }
    text
}

/// Returns the text form of a trace, as in a golden trace.
fn text(trace: &Trace) -> String {
    written(|text| write_text(trace, &Filter::default(), false, text))
}

/// Judges a golden trace without a scenario, and removes it if requested.
pub(super) fn orphan(case: Case, bless: bool, is_ci: bool, talk: &Talk) -> Outcome {
    let mut outcome = Outcome {
        verdict: Verdict::Orphan,
        note: "it has no scenario; --bless removes it".to_owned(),
        problems: Vec::new(),
        fault: None,
        exit: Exit::of(!is_ci || bless),
        case: Case {
            name: input::name(&case.golden),
            ..case
        },
    };
    if bless {
        let golden = &outcome.case.golden;
        match fs::remove_file(golden).map_err(Failure::cannot("remove", golden)) {
            Ok(()) => {
                outcome.verdict = Verdict::Removed;
                outcome.note = "it has no scenario".to_owned();
            }
            Err(failure) => outcome.exit = failure.report(talk),
        }
    }
    outcome
}
