//! Exploration by fork: three acts at the same instant, in every order. Which orders differ, and
//! how?
//!
//! Run with `cargo run --example explore`.

use std::collections::BTreeMap;
use std::error::Error;

use playsim::api::{Call, Command, EventName};
use playsim::{Simulation, scenario};

fn main() -> Result<(), Box<dyn Error>> {
    // The three-tag waterfall that `playsim demo` plays: its ad is on screen from 2.31 s to 6.31 s.
    let [(name, text), (_, document)] = scenario::demo();
    let demo = scenario::read(name, text, &mut |_| Ok(document.to_owned()))?;
    let mut simulation = Simulation::new(&demo)?;
    simulation
        .advance_to(EventName::AdMidpoint)
        .ok_or("the ad comes half way")?;
    let from = simulation.now();

    // Every order is played to the end from the same point; orders with the same events belong
    // together.
    let mut ends: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    let acts = [
        Command::from(Call::Pause),
        Command::from(Call::Play),
        Command::new(Call::CurrentTime, [5]),
    ];
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let mut run = simulation.fork();
        for act in order {
            run.call("player", acts[act].clone())?;
        }
        let trace = run.run();
        let later = trace
            .events()
            .filter(|event| event.at >= from && event.name != EventName::TimeUpdate);
        let events = later
            .map(|event| format!("{} {}", event.name, event.at))
            .collect();
        let names: Vec<String> = order
            .iter()
            .map(|act| acts[*act].call.to_string())
            .collect();
        ends.entry(events).or_default().push(names.join(", "));
    }
    for (events, orders) in &ends {
        println!("{}", orders.join("\n"));
        println!("    {}", events.join("\n    "));
    }
    Ok(())
}
