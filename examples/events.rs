//! The events of a pre-roll whose only ad tag has no ad.
//!
//! Run with `cargo run --example events`.

use playsim::api::EventName;
use playsim::{Scenario, ScenarioError, Simulation};

fn main() -> Result<(), ScenarioError> {
    let scenario: Scenario = r#"
        videos: [{ id: film, renditions: { sd: film.mp4 } }]
        media: { film.mp4: { duration: 10s } }
        player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://ads.test/a] }] }
        network: { https://ads.test/a: { after: 200ms, text: "<VAST version='4.2'/>" } }
    "#
    .parse()?;
    let trace = Simulation::new(&scenario)?.run();
    for event in trace
        .events()
        .filter(|event| event.name != EventName::TimeUpdate)
    {
        println!("{}  {} {}", event.at, event.name, event.data);
    }
    Ok(())
}
