//! `playsim test`: each scenario against its golden trace, its expectations and the invariants.
//!
//! The golden trace of `case.yaml` is `case.trace` beside it, in the text form that `playsim run` prints. It
//! is written with `--bless` and never otherwise. What nobody has blessed yet is told; where `CI` is set it
//! fails, and so does a golden trace whose scenario is gone.
//!
//! Rules: TRACE-7, INV-3 to INV-22.

use std::path::PathBuf;

use playsim::trace::Pattern;
use playsim::words;

use super::output::{Out, Talk, as_argument};
use super::{EXIT_CODES, Exit, input};
use case::{Outcome, Verdict};
use find::Found;
use report::Report;

mod case;
mod find;
mod report;

#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Test {
    /// Scenarios, and folders that are walked for them; without: this folder
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only cases with such a name, like 'preroll*' or 'ads/*'; may be repeated
    #[arg(short = 'k', long, value_name = "PATTERN", value_delimiter = ',')]
    name: Vec<String>,
    /// Write the golden traces that are missing or differ, and remove those whose scenario is gone
    #[arg(long)]
    bless: bool,
    /// Report in another form too: junit=FILE, html=FILE, github (annotations), or tap in place of the list
    #[arg(long, value_name = "FORM", value_parser = Report::read)]
    report: Vec<Report>,
}

impl Test {
    /// Plays and judges every case.
    pub(super) fn judge(self, talk: &Talk) -> Exit {
        let is_ci = is_ci(std::env::var("CI").ok().as_deref());
        let Found { mut cases, mut orphans, strangers, mut exit } = find::find(&self.paths, talk);
        if !strangers.is_empty() {
            talk.say(&format!("passed over, no scenarios: {}", strangers.join(", ")));
        }
        if !self.name.is_empty() {
            // An orphan belongs to no case that could be chosen.
            orphans.clear();
            let patterns: Vec<Pattern> = self.name.iter().map(|text| Pattern::new(text)).collect();
            let known: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
            cases.retain(|case| case.is_named(&patterns));
            if cases.is_empty() && !known.is_empty() {
                talk.error(&nothing_matches(&self.name, &known));
                return exit.and(Exit::NothingSelected);
            }
        }
        if cases.is_empty() && orphans.is_empty() && exit == Exit::AsExpected {
            talk.error("there is no scenario here; playsim new first writes one");
            return Exit::NothingSelected;
        }
        let mut out = Out::to(None);
        let mut outcomes = Vec::new();
        let is_list = !self.report.contains(&Report::Tap);
        for case in cases {
            let outcome = case::judge(case, self.bless, is_ci, talk);
            self.show(&outcome, is_list, &mut out, talk);
            outcomes.push(outcome);
        }
        for orphan in orphans {
            let outcome = case::orphan(orphan, self.bless, is_ci, talk);
            self.show(&outcome, is_list, &mut out, talk);
            outcomes.push(outcome);
        }
        for report in &self.report {
            exit = exit.and(report.write(&outcomes, &mut out, talk));
        }
        exit = outcomes.iter().fold(exit, |exit, outcome| exit.and(outcome.exit));
        exit = exit.and(out.finish(talk));
        self.summarise(&outcomes, talk);
        exit
    }

    /// One line, and below it what is to be seen.
    fn show(&self, outcome: &Outcome, is_list: bool, out: &mut Out, talk: &Talk) {
        if is_list {
            let note = if outcome.note.is_empty() { String::new() } else { format!("  {}", outcome.note) };
            out.text(&format!("{:8}  {}{note}\n", outcome.verdict.word(), outcome.case.name));
            for problem in &outcome.problems {
                out.text(&talk.painted(&problem.text));
                out.text("\n");
            }
        }
        // What is told about a case on the other stream stands behind its line.
        out.flush();
        if let Some(fault) = &outcome.fault {
            fault.tell(talk);
        }
    }

    fn summarise(&self, outcomes: &[Outcome], talk: &Talk) {
        if outcomes.is_empty() {
            return;
        }
        let count = |verdict: Verdict| outcomes.iter().filter(|outcome| outcome.verdict == verdict).count();
        let cases = outcomes.iter().filter(|outcome| !outcome.verdict.is_of_orphan()).count();
        let counts: Vec<String> = Verdict::ALL
            .iter()
            .filter(|verdict| count(**verdict) > 0)
            .map(|verdict| format!("{} {}", count(*verdict), verdict.word()))
            .collect();
        let s = if cases == 1 { "" } else { "s" };
        talk.say(&format!("{cases} case{s}: {}", counts.join(", ")));
        let unblessed = |outcome: &&Outcome| {
            matches!(outcome.verdict, Verdict::New | Verdict::Missing | Verdict::Differs | Verdict::Orphan)
        };
        if outcomes.iter().any(|outcome| unblessed(&outcome)) {
            let mut words = vec!["playsim test --bless".to_owned()];
            words.extend(self.name.iter().map(|name| format!("--name '{name}'")));
            words.extend(self.paths.iter().map(|path| as_argument(&input::name(path))));
            talk.say(&format!("If the traces are as they should be: {}", words.join(" ")));
        }
    }
}

/// Whether nobody sits in front of it, as other tools ask.
fn is_ci(variable: Option<&str>) -> bool {
    variable.is_some_and(|value| !["", "0", "false"].contains(&value))
}

fn nothing_matches(patterns: &[String], known: &[String]) -> String {
    let given = patterns.iter().map(|word| format!("--name '{word}'")).collect::<Vec<_>>().join(" ");
    let inside = patterns.iter().find(|word| known.iter().any(|name| name.contains(word.as_str())));
    let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    let names: Vec<String> = known.iter().map(|name| last(name)).collect();
    let nearest = || patterns.iter().find_map(|word| words::nearest(word, names.iter().map(String::as_str)));
    match inside.map(|word| format!("*{word}*")).or_else(|| nearest().map(str::to_owned)) {
        Some(meant) => format!("no case is chosen by {given}; did you mean '{meant}'?"),
        None => format!("no case is chosen by {given}; there are {}, like {}", known.len(), known[0]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_sits_there_if_ci_says_so() {
        let said = [None, Some(""), Some("0"), Some("false"), Some("true"), Some("1"), Some("woodpecker")];
        assert_eq!(said.map(is_ci), [false, false, false, false, true, true, true]);
    }

    #[test]
    fn a_name_that_nothing_has_is_told_with_one_that_is_there() {
        let known = ["ads/preroll_fills".to_owned(), "ads/other".to_owned()];
        let told = |word: &str| nothing_matches(&[word.to_owned()], &known);
        assert_eq!(told("preroll"), "no case is chosen by --name 'preroll'; did you mean '*preroll*'?");
        assert_eq!(told("othre"), "no case is chosen by --name 'othre'; did you mean 'other'?");
        assert_eq!(told("x*"), "no case is chosen by --name 'x*'; there are 2, like ads/preroll_fills");
    }
}
