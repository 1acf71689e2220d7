//! Every scenario in `fixtures/scenarios` is a test: adding a file adds a test.
//!
//! A scenario's trace is a snapshot next to it; it is played twice, split into steps, forked, and once more
//! in another process. `coverage` asserts that every built rule is shown by a trace or by one of the tests
//! in `absences`, which cover what leaves no line.

mod absences;
mod cases;
mod codes;
mod coverage;
mod tables;
mod tracking;
mod unit_codes;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let cases = cases::all();
    let mut trials: Vec<Trial> = Vec::new();
    for case in &cases {
        let case = case.clone();
        trials.push(Trial::test(case.name.clone(), move || case.check().map_err(Into::into)));
    }
    for absence in absences::all() {
        trials.push(Trial::test(format!("absence::{}", absence.name), || {
            (absence.check)().map_err(Into::into)
        }));
    }
    let known = cases.clone();
    trials.push(Trial::test("snapshots_and_scenarios_match", move || {
        cases::no_orphans(&known).map_err(Into::into)
    }));
    trials
        .push(Trial::test("every_built_rule_is_shown", move || coverage::check(&cases).map_err(Into::into)));
    let known = cases::all();
    trials.push(Trial::test("every_code_is_reported_by_a_scenario", move || {
        codes::check(&known).map_err(Into::into)
    }));
    trials.push(Trial::test("every_code_of_the_standard_is_known", || {
        codes::all_are_known().map_err(Into::into)
    }));
    let known = cases::all();
    trials.push(Trial::test("the_book_says_where_calls_and_events_are_shown", move || {
        tables::check(&known).map_err(Into::into)
    }));
    let known = cases::all();
    trials.push(Trial::test("every_error_code_of_a_unit_is_shown", move || {
        unit_codes::check(&known).map_err(Into::into)
    }));
    trials.push(Trial::test("every_tracking_event_is_called_or_it_is_said_why_not", || {
        tracking::check().map_err(Into::into)
    }));
    libtest_mimic::run(&arguments, trials).exit();
}
