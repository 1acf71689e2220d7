//! Every call in every state, and every transition.
//!
//! The expectation for each cell is written in the tables here by hand, and does not come from the
//! engine. Each state is reached by a script; then the call is made, and the trace is compared with
//! that of the same script without the call. Rule INV-19.

mod calls;
mod cells;
mod facts;
mod paths;
mod transitions;
mod units;

use facts::Facts;
use paths::State;

#[test]
fn every_script_reaches_its_state() {
    for state in State::ALL {
        let facts = Facts::play(&state.path("").scenario());
        assert_eq!(
            facts.state_at(paths::CALL_AT),
            state.word(),
            "{state:?}\n{}",
            facts.text()
        );
    }
}

#[test]
fn every_call_in_every_state_does_what_its_cell_says() {
    let mut wrong = Vec::new();
    for row in calls::ROWS {
        let cells = row.cells();
        assert_eq!(cells.len(), State::ALL.len(), "{}", row.name);
        for (state, cell) in State::ALL.iter().zip(cells) {
            for call in row.calls {
                if let Err(why) = cells::check(row, call, *state, cell) {
                    wrong.push(format!("{} in {state:?} is \"{cell}\": {why}", call.name));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cells are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_transition_leads_where_the_list_says() {
    let wrong: Vec<String> = transitions::ALL
        .iter()
        .filter_map(|transition| transition.check().err())
        .collect();
    assert!(
        wrong.is_empty(),
        "{} transitions are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn arguments_of_any_kind_never_break_a_run() {
    let mut wrong = Vec::new();
    for state in State::ALL {
        for call in playsim::api::Call::ALL {
            if let Err(why) = cells::check_arguments(*state, call.name()) {
                wrong.push(why);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
