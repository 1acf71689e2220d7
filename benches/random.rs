//! The cost of a random session: made, prepared, played and judged, as property tests and fuzzers
//! do.

#![expect(clippy::disallowed_types, reason = "real time is measured here")]

#[expect(dead_code, reason = "not every benchmark needs every form of a line")]
mod measure;

use std::hint::black_box;

use measure::{Cost, Table, costs};
use playsim::check;
use playsim::scenario::Scenario;
use playsim::sim::Simulation;
use playsim::testing::{Options, Source, scenario};
use playsim::trace::Trace;

/// How many sessions one sample has; they differ much.
const SEEDS: u64 = 200;

fn made(seed: u64) -> Scenario {
    scenario(&mut Source::from_seed(seed), &Options::default())
}

fn prepared(scenario: &Scenario) -> Option<Simulation> {
    Simulation::new(scenario).ok()
}

fn main() {
    let scenarios: Vec<Scenario> = (0..SEEDS).map(made).collect();
    let simulations: Vec<Simulation> = scenarios.iter().filter_map(prepared).collect();
    let traces: Vec<Trace> = simulations
        .iter()
        .map(|simulation| simulation.fork().run())
        .collect();
    let whole = |seed| prepared(&made(seed)).map(|it| check::invariants(&it.run()));
    let [make, prepare, play, judge, all] = costs([
        &mut || (0..SEEDS).for_each(|seed| _ = black_box(made(seed))),
        &mut || {
            scenarios
                .iter()
                .for_each(|scenario| _ = black_box(prepared(scenario)))
        },
        &mut || {
            simulations
                .iter()
                .for_each(|simulation| _ = black_box(simulation.fork().run()))
        },
        &mut || {
            traces
                .iter()
                .for_each(|trace| _ = black_box(check::invariants(trace)))
        },
        &mut || (0..SEEDS).for_each(|seed| _ = black_box(whole(seed))),
    ]);
    let each = |cost: Cost| Cost {
        min: cost.min / SEEDS as f64,
        median: cost.median / SEEDS as f64,
    };
    let mut table = Table::default();
    table.heading(&format!("A random session, on average of {SEEDS}"));
    table.cost("made", each(make));
    table.cost("prepared", each(prepare));
    table.cost("played", each(play));
    table.cost("judged", each(judge));
    table.cost_within("all of it", each(all), 100.0);
    table.print();
}
