//! A sweep: which time limit for ad tags would have helped, and how often, if the latency of one is
//! random?
//!
//! Run with `cargo run --example sweep`.

use std::error::Error;

use playsim::scenario;
use playsim::sweep::{Sweep, cores};

fn main() -> Result<(), Box<dyn Error>> {
    // The three-tag waterfall that `playsim demo` plays: no ad, no response, an ad after 190 ms.
    let [(name, text), (_, document)] = scenario::demo();
    let demo = scenario::read(name, text, &mut |_| Ok(document.to_owned()))?;

    let table = Sweep::of(&demo)
        .vary("ad.timeout=100ms..600ms/125ms".parse()?)
        .run()?;
    println!("ad.timeout  first frame");
    for (row, outcome) in table
        .rows
        .iter()
        .filter_map(|row| Some((row, row.outcome.as_ref()?)))
    {
        let frame = outcome.first_frame.ok_or("there is a picture")?;
        println!(
            "{:>10}  {:>8} ms, {:?}",
            row.values[0],
            frame.after_us / 1_000,
            frame.of
        );
    }
    for tip in &table.tipping_points {
        let by = tip
            .after
            .filled_by
            .first()
            .map_or("no tag".to_owned(), ToString::to_string);
        println!("from {} = {} on: filled by {by}", tip.name, tip.value);
    }

    let random = Sweep::of(&demo)
        .vary("tag3.after=lognormal(1s, 0.5)".parse()?)
        .vary("ad.timeout=1s,2s,4s".parse()?)
        .runs(1_000)
        .seed(1)
        .threads(cores());
    println!("\nad.timeout  share of sessions with an ad, and its interval");
    for (row, figures) in random
        .run()?
        .rows
        .iter()
        .filter_map(|row| Some((row, row.figures.as_ref()?)))
    {
        let filled = figures.filled;
        println!(
            "{:>10}  {}  {} to {}",
            row.values[0], filled.share, filled.low, filled.high
        );
    }
    Ok(())
}
