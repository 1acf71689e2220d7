//! A reference model of an ad and its content: proptest draws steps that fit the state of the
//! model, and the player must agree with the model after each. Run with
//! `cargo run --example state_machine`.

use playsim::api::{Call, Command, EventName, Query, Value};
use playsim::{Simulation, scenario, time::Span};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

const LENGTH: u64 = 10_000;
/// Whether the player plays, what is left of the ad, and the position of the content, in
/// milliseconds.
#[derive(Debug, Clone)]
struct Model(bool, u64, u64);
/// A call with its arguments, or a time that passes.
type Step = Result<(Call, Vec<u64>), u64>;

impl ReferenceStateMachine for Model {
    type State = Model;
    type Transition = Step;
    fn init_state() -> BoxedStrategy<Model> {
        Just(Model(true, 4_000, 0)).boxed()
    }
    /// Draws the next step, which depends on what is on screen.
    fn transitions(Model(plays, ad_left, position): &Model) -> BoxedStrategy<Step> {
        let wait = (1..4_000_u64).prop_map(Err);
        let call = Just(Ok((
            if *plays { Call::Pause } else { Call::Play },
            Vec::new(),
        )));
        let seek = (0..10_u64).prop_map(|to| Ok((Call::CurrentTime, vec![to])));
        match (*ad_left, *position) {
            (_, LENGTH) => wait.boxed(),
            (0, _) => prop_oneof![wait, call, seek].boxed(),
            _ => prop_oneof![wait, call].boxed(),
        }
    }

    fn apply(Model(plays, ad_left, position): Model, step: &Step) -> Model {
        match step {
            Ok((Call::CurrentTime, to)) => Model(plays, ad_left, to[0] * 1_000),
            Ok((call, _)) => Model(*call == Call::Play, ad_left, position),
            Err(_) if !plays => Model(false, ad_left, position),
            Err(time) => {
                let position = LENGTH.min(position + time.saturating_sub(ad_left));
                Model(position < LENGTH, ad_left.saturating_sub(*time), position)
            }
        }
    }
}

impl StateMachineTest for Model {
    type SystemUnderTest = Simulation;
    type Reference = Model;
    fn init_test(_: &Model) -> Simulation {
        let [(name, text), (_, ad)] = scenario::demo();
        let demo = scenario::read(name, text, &mut |_| Ok(ad.to_owned())).expect("it can be read");
        let mut player = Simulation::new(&demo).expect("it can be played");
        player
            .advance_to(EventName::AdStart)
            .expect("the third tag fills");
        player
    }
    fn apply(mut player: Simulation, _: &Model, step: Step) -> Simulation {
        match step {
            Ok((call, args)) => drop(
                player
                    .call("player", Command::new(call, args))
                    .expect("a call"),
            ),
            Err(time) => drop(player.advance(Span::from_millis(time))),
        }
        player
    }
    fn check_invariants(player: &Simulation, Model(_, ad_left, position): &Model) {
        let is = |query| player.query("player", query).expect("the player is there");
        let due = [
            Value::from(*ad_left > 0),
            Value::from(Span::from_millis(*position)),
        ];
        let replay = || player.to_scenario().inlined().to_yaml();
        assert_eq!(
            [is(Query::AdInProgress), is(Query::CurrentTime)],
            due,
            "\n{}",
            replay()
        );
    }
}

fn main() {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config.clone(), |((model, steps, seen) in Model::sequential_strategy(1..30))| {
        Model::test_sequential(config.clone(), model, steps, seen);
    });
    println!("the player does what the model does");
}
