//! Any bytes as a recording: reading, understanding, playing and comparing never panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use playsim::import::{self, Hints, Session};
use playsim::report::waterfall::Waterfalls;
use playsim::scenario::Overrides;
use playsim::sim::Simulation;
use playsim::time::Span;

fuzz_target!(|bytes: &[u8]| {
    let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let Ok(recording) = import::read("fuzz", bytes, &mut load) else { return };
    let Ok(session) = Session::of(recording, Hints::default()) else { return };
    let (scenario, _) = session.scenario(&Overrides::default());
    let trace = Simulation::new(&scenario).expect("an imported scenario is valid").run();
    let report = Waterfalls::of_played(&trace, &scenario);
    let compared = import::compare(&session, &trace, &report, Span::from_millis(500));
    let _ = compared.text(100, false);
});
