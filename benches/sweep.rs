//! The cost of a swept session: three tags with random latencies, content of 600 s, what is
//! prepared shared, no trace.

#![expect(clippy::disallowed_types, reason = "real time is measured here")]

mod measure;

use std::hint::black_box;

use measure::{Cost, Table, costs};
use playsim::api::{Fields, Value};
use playsim::scenario::{AnswerScript, MediaScript, Scenario};
use playsim::sim::Simulation;
use playsim::sweep::{Axis, Summary, Sweep};
use playsim::time::Span;
use playsim::video::{Rendition, Video};

/// How many sessions one sample plays: few, so that a sample is short enough to find the machine
/// idle.
const RUNS: u64 = 100;

const TAGS: [&str; 3] = [
    "https://ads.test/1",
    "https://ads.test/2",
    "https://ads.test/3",
];
const AD: &str = "<VAST version=\"4.2\"><Ad id=\"spot\"><InLine><AdSystem>a</AdSystem><AdTitle>a spot</AdTitle>\
    <Impression>https://track.test/impression</Impression><Creatives><Creative><Linear>\
    <Duration>00:00:30</Duration><MediaFiles><MediaFile delivery=\"progressive\" type=\"video/mp4\" \
    width=\"640\" height=\"360\">spot.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives>\
    </InLine></Ad></VAST>";

fn main() {
    let scenario = scenario();
    let axes = [
        "tag1.fill=30%",
        "tag2.after=lognormal(300ms, 1.5)",
        "tag3.after=p50=300ms,p95=1.2s",
    ];
    let sweep = axes
        .into_iter()
        .fold(Sweep::of(&scenario).runs(RUNS), |sweep, text| {
            sweep.vary(text.parse::<Axis>().expect("the axis is valid"))
        });
    let fresh = || {
        let mut summary = Summary::default();
        Simulation::new(&scenario)
            .expect("the scenario can be played")
            .run_into(&mut summary);
        black_box(summary.outcome());
    };
    let prepared = Simulation::new(&scenario).expect("the scenario can be played");
    let kept = || _ = black_box(prepared.fork().run());
    let mut late = scenario.clone();
    late.network[2].1[0].after = Span::from_secs(1);
    let again =
        |other: &Scenario| _ = black_box(prepared.with_scenario(other).expect("it can be played"));
    let [new, knob, latency] = costs([
        &mut || _ = black_box(Simulation::new(&scenario).expect("the scenario can be played")),
        &mut || again(&scenario),
        &mut || again(&late),
    ]);
    let [alone, both, fresh, kept] = costs([
        &mut || _ = black_box(sweep.clone().threads(1).run().expect("the sweep runs")),
        &mut || _ = black_box(sweep.clone().threads(2).run().expect("the sweep runs")),
        &mut { fresh },
        &mut { kept },
    ]);
    let each = |cost: Cost| Cost {
        min: cost.min / RUNS as f64,
        median: cost.median / RUNS as f64,
    };
    let mut table = Table::default();
    table.heading("A session of three tags with random latencies and 600 s of content");
    table.cost("preparing it alone", new);
    table.cost("  from another one with the same world", knob);
    table.cost("  from another one with other latencies", latency);
    table.cost("prepared anew, no trace kept", fresh);
    table.cost("prepared once, trace kept", kept);
    table.cost_within("swept on one thread", each(alone), 6.0);
    table.multiple("sweep", "one prepared anew", [each(alone), fresh], 0.4);
    table.cost("swept on two threads", each(both));
    table.heading("How often it is played; cost of a session");
    let mut before = None;
    for runs in [100, 200, 400, 800] {
        let sweep = sweep.clone().runs(runs).threads(1);
        let [cost] = costs([&mut || _ = black_box(sweep.run().expect("the sweep runs"))]);
        table.grown(&format!("{runs} runs"), cost.min / runs as f64, &mut before);
    }
    table.print();
}

fn scenario() -> Scenario {
    let list = Value::List(TAGS.map(Value::from).into());
    let pre_roll = Fields::one("adType", 0)
        .with("adTimeType", "s")
        .with("mobile", list);
    let ad = || AnswerScript::body(AD).after(Span::from_millis(200));
    Scenario::default()
        .with_video(Video::new("film").with_rendition(Rendition::Sd, "film.mp4"))
        .with_media("film.mp4", MediaScript::of_length(Span::from_secs(600)))
        .with_media("spot.mp4", MediaScript::of_length(Span::from_secs(30)))
        .with_ad(pre_roll)
        .with_answer(TAGS[0], ad())
        .with_answer(TAGS[1], ad())
        .with_answer(TAGS[2], ad())
}
