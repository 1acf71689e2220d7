//! Instructions instead of times: what a session, a document, a recording and a sweep cost, counted
//! by valgrind.
//!
//! A count is the same on a busy machine. `.github/scripts/instructions COMMIT` compares with those
//! of another commit, and fails beyond two per cent.

#[expect(dead_code, reason = "its other benchmarks need more")]
#[path = "../../benches/session/mod.rs"]
mod session;

use std::hint::black_box;
use std::io;

use gungraun::prelude::*;
use gungraun::{Callgrind, EventKind};
use playsim::import::{self, Hints, PlaySettings, PlayedRecording};
use playsim::scenario::{self, Scenario};
use playsim::sim::Simulation;
use playsim::sweep::{Axis, Sweep};
use playsim::trace::Trace;
use playsim::vast::{self, Document};

const DOCUMENT: &str = include_str!("../../benches/vast/inline.xml");
const RECORDING: &[u8] = include_bytes!("../../fixtures/recordings/by_hand/late.har");
const WATERFALL: &str = include_str!("../waterfall.yaml");

/// How many sessions a sweep plays.
const RUNS: u64 = 1000;

fn prepared() -> Simulation {
    session::prepared(&session::Session::default())
}

fn waterfall() -> Scenario {
    scenario::read("waterfall.yaml", WATERFALL, &mut |_| {
        Err(io::ErrorKind::NotFound.into())
    })
    .expect("it is a scenario")
}

#[library_benchmark]
#[bench::one(setup = prepared)]
fn a_session(prepared: Simulation) -> Trace {
    black_box(prepared).run()
}

#[library_benchmark]
fn a_document() -> Document {
    vast::read(black_box(DOCUMENT))
}

#[library_benchmark]
fn a_recording() -> PlayedRecording {
    let recording = import::read("late.har", black_box(RECORDING), &mut |_| {
        Err(io::ErrorKind::NotFound.into())
    });
    import::play(
        recording.expect("it is a recording"),
        Hints::default(),
        &PlaySettings::default(),
    )
    .expect("it can be played")
}

#[library_benchmark]
#[bench::one(setup = waterfall)]
fn a_sweep(scenario: Scenario) {
    let axes = ["tag1.after=lognormal(300ms, 1.5)", "ad.timeout=1s,2s"];
    let sweep = axes
        .into_iter()
        .fold(Sweep::of(&scenario).runs(RUNS).threads(1), |sweep, text| {
            sweep.vary(text.parse::<Axis>().expect("the axis is valid"))
        });
    black_box(sweep.run().expect("the sweep runs"));
}

library_benchmark_group!(
    name = costs,
    benchmarks = [a_session, a_document, a_recording, a_sweep]
);

main!(
    config = LibraryBenchmarkConfig::default()
        .tool(Callgrind::default().soft_limits([(EventKind::Ir, 2.0)])),
    library_benchmark_groups = [costs]
);
