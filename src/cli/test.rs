//! `playsim test`: checks each scenario against its golden trace, its expectations and the
//! invariants.
//!
//! The golden trace of `case.yaml` is `case.trace` in the same folder, in the text form that
//! `playsim run` prints. It is only written with `--bless`. A case without a golden trace, and a
//! golden trace without a scenario, is reported; with `CI` set it fails.
//!
//! Rules: TRACE-7, INV-3 to INV-22.

use std::path::{Path, PathBuf};

use playsim::trace::Pattern;
use playsim_base::words;

use super::failure::Failure;
use super::output::{Out, Talk};
use super::{Exit, exits, input, joined};
use case::{Outcome, Verdict};
use find::Found;
use report::Report;

mod case;
mod find;
mod report;

#[derive(Debug, clap::Args)]
#[command(after_help = exits(&[(Exit::AsExpected, "every case is as its golden trace and as it expects"), (Exit::Difference, "a case is not; with CI set, also one without a golden trace"), (Exit::NothingSelected, "no scenario was found or selected")]))]
pub(super) struct Test {
    /// Scenarios, and folders to search for scenarios [default: the current folder]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Test only cases whose name matches, such as 'preroll*' or 'ads/*'; may be repeated
    #[arg(short = 'k', long, value_name = "PATTERN", value_delimiter = ',')]
    name: Vec<String>,
    /// Write golden traces that are missing or differ, and remove those without a scenario
    #[arg(long)]
    bless: bool,
    /// Also write a report: junit=FILE, html=FILE, sarif=FILE, github (annotations), or tap, which
    /// replaces the list
    #[arg(long, value_name = "FORMAT", value_parser = Report::read)]
    report: Vec<Report>,
}

/// Returns whether there is a scenario in a folder or below it.
pub(super) fn has_scenarios(folder: &Path) -> bool {
    find::has_cases(folder)
}

impl Test {
    /// Plays and judges every case.
    pub(super) fn judge(self, talk: &Talk) -> Result<Exit, Failure> {
        let is_ci = is_ci(std::env::var("CI").ok().as_deref());
        let Found {
            mut cases,
            mut orphans,
            strangers,
            mut exit,
        } = find::find(&self.paths, talk);
        if !strangers.is_empty() {
            talk.say(&format!("skipped, not scenarios: {}", strangers.join(", ")));
        }
        if !self.name.is_empty() {
            // A golden trace without a scenario is not a case, so no name selects it.
            orphans.clear();
            let patterns: Vec<Pattern> = self.name.iter().map(|text| Pattern::new(text)).collect();
            let known: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
            cases.retain(|case| case.is_named(&patterns));
            if cases.is_empty() && !known.is_empty() {
                talk.error(&nothing_matches(&self.name, &known));
                return Ok(exit.and(Exit::NothingSelected));
            }
        }
        if cases.is_empty() && orphans.is_empty() && exit == Exit::AsExpected {
            let text = "no scenario found; playsim new first writes one";
            return Err(Failure::NothingSelected(text.to_owned()));
        }
        let mut out = Out::to(None);
        let mut outcomes = Vec::new();
        let is_list = !self.report.iter().any(Report::is_in_place_of_list);
        let judged = cases
            .into_iter()
            .map(|case| case::judge(case, self.bless, is_ci, talk));
        let orphaned = orphans
            .into_iter()
            .map(|case| case::orphan(case, self.bless, is_ci, talk));
        for outcome in judged.chain(orphaned) {
            self.show(&outcome, is_list, &mut out, talk);
            exit = exit.and(outcome.exit);
            outcomes.push(outcome);
        }
        for report in &self.report {
            exit = exit.and(report.write(&outcomes, &mut out, talk));
        }
        exit = exit.and(out.finish(talk));
        self.summarise(&outcomes, talk);
        Ok(exit)
    }

    /// Prints the line of a case, followed by its problems.
    fn show(&self, outcome: &Outcome, is_list: bool, out: &mut Out, talk: &Talk) {
        if is_list {
            let note = if outcome.note.is_empty() {
                String::new()
            } else {
                format!("  {}", outcome.note)
            };
            out.text(&format!(
                "{:8}  {}{note}\n",
                outcome.verdict.word(),
                outcome.case.name
            ));
            for problem in &outcome.problems {
                out.painted(&talk.painted(&problem.text));
                out.text("\n");
            }
        }
        // Messages about the case on standard error must follow its line.
        out.flush();
        if let Some(fault) = &outcome.fault {
            fault.report(talk);
        }
    }

    fn summarise(&self, outcomes: &[Outcome], talk: &Talk) {
        if outcomes.is_empty() {
            return;
        }
        let count = |verdict: Verdict| {
            outcomes
                .iter()
                .filter(|outcome| outcome.verdict == verdict)
                .count()
        };
        let cases = outcomes
            .iter()
            .filter(|outcome| !outcome.verdict.is_of_orphan())
            .count();
        let counts = Verdict::ALL
            .iter()
            .filter(|verdict| count(**verdict) > 0)
            .map(|verdict| format!("{} {}", count(*verdict), verdict.word()));
        talk.say(&format!(
            "{}: {}",
            words::counted(cases, "case"),
            joined(counts, ", ")
        ));
        let unblessed = |outcome: &&Outcome| {
            matches!(
                outcome.verdict,
                Verdict::New | Verdict::Missing | Verdict::Differs | Verdict::Orphan
            )
        };
        if outcomes.iter().any(|outcome| unblessed(&outcome)) {
            let mut words = vec!["playsim test --bless".to_owned()];
            words.extend(self.name.iter().map(|name| format!("--name '{name}'")));
            words.extend(self.paths.iter().map(|path| input::argument(path)));
            talk.say(&format!("To accept these traces: {}", words.join(" ")));
        }
    }
}

/// Returns whether the variable `CI` is set, as other tools read it.
fn is_ci(variable: Option<&str>) -> bool {
    variable.is_some_and(|value| !["", "0", "false"].contains(&value))
}

fn nothing_matches(patterns: &[String], known: &[String]) -> String {
    let given = joined(patterns.iter().map(|word| format!("--name '{word}'")), " ");
    let inside = patterns
        .iter()
        .find(|word| known.iter().any(|name| name.contains(word.as_str())));
    let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    let names: Vec<String> = known.iter().map(|name| last(name)).collect();
    let nearest = || {
        patterns
            .iter()
            .find_map(|word| words::nearest(word, names.iter().map(String::as_str)))
    };
    match inside
        .map(|word| format!("*{word}*"))
        .or_else(|| nearest().map(str::to_owned))
    {
        Some(meant) => format!("no case matches {given}; did you mean '{meant}'?"),
        None => format!(
            "no case matches {given}; there are {} cases, such as {}",
            known.len(),
            known[0]
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ci_is_set_unless_empty_or_false() {
        let said = [
            None,
            Some(""),
            Some("0"),
            Some("false"),
            Some("true"),
            Some("1"),
            Some("woodpecker"),
        ];
        assert_eq!(
            said.map(is_ci),
            [false, false, false, false, true, true, true]
        );
    }

    #[test]
    fn the_error_for_an_unknown_name_suggests_a_case() {
        let known = ["ads/preroll_fills".to_owned(), "ads/other".to_owned()];
        let message = |word: &str| nothing_matches(&[word.to_owned()], &known);
        assert_eq!(
            message("preroll"),
            "no case matches --name 'preroll'; did you mean '*preroll*'?"
        );
        assert_eq!(
            message("othre"),
            "no case matches --name 'othre'; did you mean 'other'?"
        );
        assert_eq!(
            message("x*"),
            "no case matches --name 'x*'; there are 2 cases, such as ads/preroll_fills"
        );
    }
}
