//! A parameter sweep: how long may an ad tag take, and how many impressions does each limit cost?
//!
//! One scenario is played with each value of the knob `ad.timeout` against each latency of the ad server.
//!
//! Run with `cargo run --example sweep`.

use std::error::Error;

use playsim::Simulation;
use playsim::report::waterfall::Waterfalls;
use playsim::scenario::{self, Scenario};
use playsim::time::Span;

const TIMEOUTS: [&str; 5] = ["500ms", "1s", "2s", "4s", "8s"];
const LATENCIES: [u64; 6] = [100, 400, 900, 1_800, 3_500, 7_000];

// ANCHOR: sweep
fn main() -> Result<(), Box<dyn Error>> {
    // The three-tag waterfall that `playsim demo` plays.
    let [(name, text), (_, document)] = scenario::demo();
    let base = scenario::read(name, text, &mut |_| Ok(document.to_owned()))?;

    println!("milliseconds until the pre-roll is decided, by latency of the ad server; * an ad is shown");
    println!("{:>10}{}", "ad.timeout", LATENCIES.map(|latency| format!("{latency:>8} ")).concat());
    for timeout in TIMEOUTS {
        let mut row = format!("{timeout:>10}");
        for latency in LATENCIES {
            let mut scenario = base.clone();
            scenario.knobs.set("ad.timeout", timeout)?;
            delay(&mut scenario, Span::from_millis(latency));
            let trace = Simulation::new(&scenario)?.run();
            let report = Waterfalls::of(&trace);
            let tags = report.breaks.iter().flat_map(|ad_break| &ad_break.tags);
            let wait = tags.filter_map(|tag| tag.decided_us).max().unwrap_or_default() / 1_000;
            let mark = if report.is_filled() { '*' } else { ' ' };
            row += &format!("{wait:>8}{mark}");
        }
        println!("{row}");
    }
    Ok(())
}

/// Gives every response of the network this latency.
fn delay(scenario: &mut Scenario, latency: Span) {
    for answer in scenario.network.iter_mut().flat_map(|(_, answers)| answers) {
        answer.after = latency;
    }
}
// ANCHOR_END: sweep
