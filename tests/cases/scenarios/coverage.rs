//! Every built rule is shown: by a scenario whose trace cites it, or by a test of what leaves no
//! line.
//!
//! A contradiction of the reference is not a behaviour of its own; it is handled by rules that its
//! row names. It is shown by a scenario whose `rules` name it, that has an expectation, and whose
//! trace cites the row, one of those rules, or another that the scenario names.
//!
//! The evidence for each rule is kept in `crates/rules/src/shown_by.txt`, which `playsim rules`
//! prints. With `UPDATE_SHOWN_BY=1` the file is rewritten.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use playsim::rules::{self, Built, RuleId};

use super::absences;
use super::cases::Case;

pub(crate) fn check(cases: &[Case]) -> Result<(), String> {
    let mut shown = shown_by(cases)?;
    let unproven = contradictions(cases, &mut shown)?;
    let waiting: Vec<String> = shown
        .keys()
        .filter(|rule| rule.row().built != Built::Yes)
        .map(|rule| format!("{rule} is shown, but the table says that it is not built yet"))
        .collect();
    let missing: Vec<String> = rules::all()
        .filter(|rule| rule.row().built == Built::Yes && !shown.contains_key(rule))
        .map(|rule| format!("{rule} is built, but nothing shows it: {}", rule.row().gist))
        .collect();
    let mut problems = [waiting, missing, unproven].concat();
    if let Err(problem) = compare_with_file(&shown) {
        problems.push(problem);
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

fn shown_by(cases: &[Case]) -> Result<BTreeMap<RuleId, BTreeSet<String>>, String> {
    let mut shown: BTreeMap<RuleId, BTreeSet<String>> = BTreeMap::new();
    for case in cases {
        let trace = &case.played()?.trace;
        let lines = trace.records.iter();
        // The header and the outcome are in every trace and show their rules with one.
        for rule in lines.filter_map(|record| record.rule) {
            shown
                .entry(rule)
                .or_default()
                .insert(format!("fixtures/scenarios/{}.yaml", case.name));
        }
    }
    // Each invariant is checked on the trace of every scenario here, and on those of the random
    // ones. The other laws, of traces from anywhere, have a broken trace each; most of their rules
    // are shown by scenarios as well.
    for law in playsim::check::LAWS {
        if law.is_invariant() {
            let judges = ["every scenario below fixtures/scenarios", "test properties"];
            shown
                .entry(law.rule)
                .or_default()
                .extend(judges.map(str::to_owned));
        } else {
            let name = law.rule.to_string().to_lowercase().replace('-', "_");
            let broken = format!("fixtures/check/{name}_broken.jsonl");
            shown
                .entry(law.rule)
                .or_insert_with(|| BTreeSet::from([broken]));
        }
    }
    // What `Case::check` does with every scenario, and `tests/suite/properties` with random ones.
    for (id, how) in [
        (
            "INV-1",
            "every scenario below fixtures/scenarios, twice and in another process",
        ),
        (
            "INV-2",
            "every scenario below fixtures/scenarios, split into steps",
        ),
        ("INV-23", "test properties"),
        (
            "INV-24",
            "every scenario below fixtures/scenarios, forked in the middle",
        ),
    ] {
        let rule = id
            .parse::<RuleId>()
            .ok()
            .ok_or(format!("unknown rule {id}"))?;
        shown.entry(rule).or_default().insert(how.to_owned());
    }
    for absence in absences::all() {
        for id in absence.rules {
            let rule = id
                .parse::<RuleId>()
                .ok()
                .ok_or(format!("{}: unknown rule {id}", absence.name))?;
            shown
                .entry(rule)
                .or_default()
                .insert(format!("test {}", absence.name));
        }
    }
    for (id, test) in served()? {
        let rule = id
            .parse::<RuleId>()
            .ok()
            .ok_or(format!("{test}: unknown rule {id}"))?;
        shown
            .entry(rule)
            .or_default()
            .insert(format!("test {test}"));
    }
    Ok(shown)
}

/// The rules shown by tests over a real socket: each test has a line `// shows: EDIT-46` above its
/// name.
fn served() -> Result<Vec<(String, String)>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/serve");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    let mut shown = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
        for part in text.split("\n// shows: ").skip(1) {
            let (ids, below) = part.split_once('\n').unwrap_or((part, ""));
            let name = below
                .split("fn ")
                .nth(1)
                .and_then(|below| below.split('(').next());
            let name = name
                .ok_or(format!("{}: no test below it shows {ids}", file.display()))?
                .replace('_', " ");
            shown.extend(ids.split(", ").map(|id| (id.to_owned(), name.clone())));
        }
    }
    Ok(shown)
}

/// Adds the scenarios that show contradictions; returns what is wrong with those that are meant to.
fn contradictions(
    cases: &[Case],
    shown: &mut BTreeMap<RuleId, BTreeSet<String>>,
) -> Result<Vec<String>, String> {
    let mut problems = Vec::new();
    for case in cases {
        let scenario = &case.played()?.scenario;
        let is_contradiction = |rule: &RuleId| rule.family() == "CON";
        let (named, others): (Vec<RuleId>, Vec<RuleId>) =
            scenario.rules.iter().copied().partition(is_contradiction);
        let is_meant = case.name.strip_prefix("contradictions/");
        if let Some(file) = is_meant {
            let number = file
                .strip_prefix("con_")
                .and_then(|file| file.get(..2)?.parse().ok());
            if named.first().map(|rule| rule.number()) != number {
                problems.push(format!(
                    "{}: its name and its first rule are two contradictions",
                    case.name
                ));
            }
        }
        if named.is_empty() {
            continue;
        }
        let trace = &case.played()?.trace;
        let cited: BTreeSet<RuleId> = trace
            .records
            .iter()
            .filter_map(|record| record.rule)
            .collect();
        for rule in named {
            let is_cited = handling(rule)
                .chain(others.iter().copied())
                .any(|rule| cited.contains(&rule));
            if is_cited && !scenario.expect.is_empty() {
                shown
                    .entry(rule)
                    .or_default()
                    .insert(format!("fixtures/scenarios/{}.yaml", case.name));
            } else if is_meant.is_some() {
                problems.push(format!(
                    "{} expects nothing, or cites nothing that handles {rule}",
                    case.name
                ));
            }
        }
    }
    Ok(problems)
}

/// A contradiction and the rules that its row names.
fn handling(rule: RuleId) -> impl Iterator<Item = RuleId> {
    let words = rule
        .row()
        .gist
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    std::iter::once(rule).chain(words.filter_map(|word| word.parse::<RuleId>().ok()))
}

/// At most three scenarios or tests for each rule, which is enough for a reader.
fn compare_with_file(shown: &BTreeMap<RuleId, BTreeSet<String>>) -> Result<(), String> {
    let mut text = String::new();
    for (rule, witnesses) in shown {
        let witnesses: Vec<&str> = witnesses.iter().take(3).map(String::as_str).collect();
        let _ = writeln!(text, "{rule}: {}", witnesses.join(", "));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/rules/src/shown_by.txt");
    if std::env::var_os("UPDATE_SHOWN_BY").is_some() {
        return std::fs::write(&path, text).map_err(|error| error.to_string());
    }
    let kept = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    if kept == text {
        Ok(())
    } else {
        Err(
            "crates/rules/src/shown_by.txt is not up to date; run this test with UPDATE_SHOWN_BY=1"
                .to_owned(),
        )
    }
}
