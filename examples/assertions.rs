//! A code, a time and a tracker, as a test of a page would assert them.

use std::time::Duration;

use playsim::api::EventName;
use playsim::trace::record::Payload;
use playsim::{Simulation, Trace, scenario};

/// Plays the waterfall of `playsim demo`: no ad, no response, an ad after 190 ms.
fn demo() -> Trace {
    let [(name, text), (_, document)] = scenario::demo();
    let demo = scenario::read(name, text, &mut |_| Ok(document.to_owned())).expect("it is sound");
    Simulation::new(&demo).expect("it can be played").run()
}

fn main() {
    let trace = demo();
    let events = |name| trace.events().filter(move |event| event.name == name);

    // The first tag has no ad, and the second one does not respond in time.
    let codes = trace.events().filter_map(|event| {
        if let Payload::AdError(error) = event.payload() {
            Some(error.code)
        } else {
            None
        }
    });
    assert_eq!(codes.collect::<Vec<_>>(), [303, 301]);

    // The ad lasts four seconds.
    let start = events(EventName::AdStart).next().expect("an ad starts");
    let complete = events(EventName::AdComplete).next().expect("it completes");
    assert_eq!(complete.at - start.at, Duration::from_secs(4));

    // Its impression is called once.
    let mut trackers = trace
        .beacons()
        .filter(|tracker| tracker.name == "impression");
    let impression = trackers.next().expect("an impression is called");
    assert_eq!(impression.url, "https://track.test/impression");
    assert!(trackers.next().is_none());
}
