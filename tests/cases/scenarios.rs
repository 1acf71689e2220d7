//! Every scenario in `fixtures/scenarios` is a test: adding a file adds a test.
//!
//! A scenario's trace is a snapshot next to it; it is played twice, split into steps, forked, and
//! once more in another process. `coverage` asserts that every built rule is shown by a trace or by
//! one of the tests in `absences`, which cover what leaves no line.

mod absences;
mod cases;
mod codes;
mod coverage;
mod dictionary;
mod tables;
mod tracking;
mod unit_codes;

use cases::Case;
use libtest_mimic::Trial;

pub(crate) fn trials() -> Vec<Trial> {
    let cases = cases::all();
    let of_cases = |name: &str, check: fn(&[Case]) -> Result<(), String>| {
        let cases = cases.clone();
        trial(name, move || check(&cases))
    };
    let mut trials = vec![
        of_cases("snapshots_and_scenarios_match", cases::no_orphans),
        of_cases("every_built_rule_is_shown", coverage::check),
        of_cases("every_code_is_reported_by_a_scenario", codes::check),
        trial("every_code_of_the_standard_is_known", codes::all_are_known),
        of_cases("every_code_is_explained_with_its_rules", dictionary::check),
        trial(
            "every_code_of_the_standards_is_explained",
            dictionary::entries_are_complete,
        ),
        of_cases(
            "the_book_says_where_calls_and_events_are_shown",
            tables::check,
        ),
        of_cases("every_error_code_of_a_unit_is_shown", unit_codes::check),
        trial(
            "every_tracking_event_is_called_or_it_is_said_why_not",
            tracking::check,
        ),
    ];
    trials.extend(
        absences::all().map(|absence| trial(&format!("absence::{}", absence.name), absence.check)),
    );
    trials.extend(
        cases
            .into_iter()
            .map(|case| trial(&case.name.clone(), move || case.check())),
    );
    trials
}

fn trial(name: &str, check: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    Trial::test(format!("scenarios::{name}"), || check().map_err(Into::into))
}
