//! A trace read as types: what became of each tag, and which trackers were called.
//!
//! Run with `cargo run --example records`.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "it is about a few of many kinds of records"
)]

use std::error::Error;

use playsim::api::Outcome;
use playsim::trace::record::{Payload, RecordView};
use playsim::{Simulation, scenario};

fn main() -> Result<(), Box<dyn Error>> {
    // The three-tag waterfall that `playsim demo` plays: no ad, no response, an ad after 190 ms.
    let [(name, text), (_, document)] = scenario::demo();
    let demo = scenario::read(name, text, &mut |_| Ok(document.to_owned()))?;
    let trace = Simulation::new(&demo)?.run();

    for record in &trace.records {
        let at = record.at;
        match record.view() {
            RecordView::Request(request) if request.purpose == Some("ad-tag") => {
                println!("{at}  asks {}", request.url);
            }
            RecordView::NoFill(tag) => {
                println!("{at}  tag {} gives no ad: {} {}", tag.wp, tag.code, tag.why)
            }
            RecordView::Fill(tag) => {
                println!("{at}  tag {} fills, documents: {}", tag.wp, tag.hops)
            }
            RecordView::Beacon(beacon) => println!("{at}  calls {} {}", beacon.name, beacon.url),
            RecordView::Event(event) => {
                if let Payload::AdError(error) = event.payload() {
                    println!("{at}  the page hears {} {}", error.code, error.message);
                }
            }
            _ => {}
        }
    }
    assert_eq!(trace.outcome(), Some(Outcome::Idle));
    Ok(())
}
