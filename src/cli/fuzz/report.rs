//! The report of a fuzz run, for people and for programs.

use playsim::testing::Reached;
use playsim_base::words::{counted, wrap};
use serde_json::{Value as Json, json};

use super::{Failed, FailureSource, Found, sessions_in_words};
use crate::cli::output::as_argument;
use crate::cli::width;

/// As text. Of profiles and knobs nothing is missing unless they are drawn.
pub(super) fn text(found: &Found, draws_settings: bool) -> String {
    let mut out = String::new();
    let played = sessions_in_words(found.coverage.runs());
    match &found.failure {
        Some(failed) => failure(failed, &played, &mut out),
        None => {
            let lines = found.coverage.lines();
            out.push_str(&if found.is_interrupted {
                format!(
                    "interrupted after {played}, {lines} trace lines: every law held until then\n"
                )
            } else {
                format!("{played}, {lines} trace lines: every law holds\n")
            });
        }
    }
    if found.failure.is_some() && found.is_interrupted {
        row("reduced", "in part, as it was interrupted", &mut out);
    }
    if found.coverage.runs() > 0 {
        coverage(&found.coverage.reached(), draws_settings, &mut out);
    }
    if !found.not_drawn.is_empty() {
        out.push_str("\nnot drawn around this scenario\n");
        row("features", &not_drawn(found).join(", "), &mut out);
    }
    out
}

fn not_drawn(found: &Found) -> Vec<&'static str> {
    let features = found.not_drawn.iter();
    features.map(|feature| feature.name()).collect()
}

fn coverage(sorts: &[Reached], draws_settings: bool, out: &mut String) {
    out.push_str("\nreached\n");
    for sort in sorts {
        row(
            sort.what,
            &format!(
                "{} of {}",
                sort.seen.len(),
                sort.seen.len() + sort.missing.len()
            ),
            out,
        );
    }
    out.push_str("\nnot reached\n");
    for sort in sorts {
        let is_fixed =
            !draws_settings && [Reached::PROFILES, Reached::KNOB_VALUES].contains(&sort.what);
        if sort.what == Reached::RULES {
            // Many rules never decide a line: those of a family that was not reached at all say
            // more.
            row("families of rules", &families(sort).join(", "), out);
        } else if !is_fixed && !sort.missing.is_empty() {
            row(sort.what, &sort.missing.join(", "), out);
        }
    }
}

/// The families of rules of which none was reached.
fn families(rules: &Reached) -> Vec<&str> {
    let mut missing: Vec<&str> = rules.missing.iter().map(|rule| family(rule)).collect();
    missing.dedup();
    missing.retain(|name| rules.seen.iter().all(|(rule, _)| family(rule) != *name));
    missing
}

fn family(rule: &str) -> &str {
    rule.split('-').next().unwrap_or_default()
}

/// The width of the first column.
const FIRST: usize = 19;

fn row(what: &str, text: &str, out: &mut String) {
    rows::<FIRST>(what, text, out);
}

/// Adds a text beside its name, which is as wide as a column.
pub(in crate::cli) fn rows<const FIRST: usize>(what: &str, text: &str, out: &mut String) {
    for (number, line) in (0..).zip(wrap(text, width().saturating_sub(FIRST + 4))) {
        let what = if number == 0 { what } else { "" };
        out.push_str(&format!("  {what:FIRST$}  {line}\n"));
    }
}

fn failure(failed: &Failed, played: &str, out: &mut String) {
    let Failed { broken, found } = failed;
    let begin = match found {
        FailureSource::Given { file, .. } => format!("{file} breaks a law\n"),
        FailureSource::Written(_) | FailureSource::Unwritten(_) => {
            format!("seed {} breaks a law, the last of {played}\n", broken.seed)
        }
    };
    out.push_str(&begin);
    row("law", broken.law.name, out);
    for (number, line) in broken.why.lines().enumerate() {
        row(if number == 0 { "why" } else { "" }, line, out);
    }
    match found {
        FailureSource::Given { left: 0, .. } => row("not judged", "random sessions", out),
        FailureSource::Given { left, .. } => row(
            "not judged",
            &format!("{}, and random sessions", counted(*left, "more scenario")),
            out,
        ),
        FailureSource::Written(file) => {
            row("file", file, out);
            out.push_str(&format!(
                "  {:FIRST$}  {}\n",
                "command",
                broken.command_for(&as_argument(file))
            ));
        }
        FailureSource::Unwritten(_) => {
            row(
                "scenario",
                "it cannot be written to a file; here it is",
                out,
            );
            out.push_str(&broken.text());
        }
    }
}

/// As JSON.
pub(super) fn json(found: &Found) -> String {
    let sort = |sort: Reached| {
        let seen: serde_json::Map<String, Json> = sort
            .seen
            .into_iter()
            .map(|(name, times)| (name, times.into()))
            .collect();
        (
            sort.what.to_owned(),
            json!({ "seen": seen, "missing": sort.missing }),
        )
    };
    let reached: serde_json::Map<String, Json> =
        found.coverage.reached().into_iter().map(sort).collect();
    let failure = found.failure.as_ref().map(|Failed { broken, found }| {
        let file = match found {
            FailureSource::Given { file, .. } | FailureSource::Written(file) => Some(file),
            FailureSource::Unwritten(_) => None,
        };
        json!({
            "seed": broken.seed,
            "law": broken.law.name,
            "why": broken.why,
            "file": file,
            "drawn": !matches!(found, FailureSource::Given { .. }),
            "command": file.map(|file| broken.command_for(&as_argument(file))),
            "scenario": file.is_none().then(|| broken.text()),
        })
    });
    let all = json!({
        "sessions": found.coverage.runs(),
        "lines": found.coverage.lines(),
        "interrupted": found.is_interrupted,
        "failure": failure,
        "reached": reached,
        "not_drawn": not_drawn(found),
    });
    format!("{all:#}\n")
}
