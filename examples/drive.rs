//! A running simulation is driven: what page code, user and server do is decided while it plays.
//! What was done is saved as a scenario. Run with `cargo run --example drive`.

use std::error::Error;

use playsim::api::{Act, Call, EventName};
use playsim::scenario::{self, AnswerScript};
use playsim::{Simulation, time::Span, time::Time};

fn main() -> Result<(), Box<dyn Error>> {
    // The three-tag waterfall that `playsim demo` plays: no ad, no response, an ad after 190 ms.
    let [(name, text), (_, document)] = scenario::demo();
    let demo = scenario::read(name, text, &mut |_| Ok(document.to_owned()))?;
    let mut simulation = Simulation::new(&demo)?;

    // A closure that only looks changes nothing. One that acts does so within the delivery, as page
    // code does.
    simulation.on("player", EventName::AdError, |heard| {
        println!("{}  {}", heard.at(), heard.data())
    })?;
    simulation.on("player", EventName::AdFirstQuartile, |heard| {
        heard.call(Call::Pause).expect("an ad can be paused");
    })?;

    // The second tag responds after all. From here on, what happens depends on what is seen.
    simulation.answer(
        "https://two.test/tag",
        AnswerScript::body("<VAST version='4.2'/>"),
    )?;
    let paused = simulation
        .advance_to(EventName::AdPause)
        .ok_or("the ad is paused")?;
    println!("{}  paused", paused.at);
    simulation.advance(Span::from_secs(3));
    simulation.act("player", Act::Play)?;
    if let Err(error) = simulation.call("nowhere", Call::Play) {
        println!("{}  {error}", simulation.now());
    }

    simulation.run_until(Time::MAX);
    let saved = simulation.to_scenario();
    let trace = simulation.run();
    assert_eq!(Simulation::new(&saved)?.run().digest, trace.digest);
    println!(
        "\nsteps:{}",
        saved
            .to_yaml()
            .split_once("steps:")
            .ok_or("it has steps")?
            .1
            .trim_end()
    );
    Ok(())
}
