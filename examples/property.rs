//! A property over random ad servers: whatever the tags answer, and however late, content is reached.
//!
//! proptest shrinks a scenario that breaks the property, and `Scenario::to_yaml` writes it for `playsim run`.
//!
//! Run with `cargo run --example property`.

use playsim::check::invariants;
use playsim::{Scenario, Simulation, Trace};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};

/// What stays the same in each case: content, and an ad of four seconds.
const BASE: &str = r#"
videos: [{ id: v1, renditions: { sd: content.mp4 } }]
media: { content.mp4: { duration: 10s }, default: { duration: 4s } }
"#;
const AD: &str = "<VAST version='4.2'><Ad id='spot'><InLine><AdSystem>example</AdSystem><AdTitle>Spot</AdTitle>\
    <Impression>https://track.test/impression</Impression><Creatives><Creative><Linear>\
    <Duration>00:00:04</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='640' \
    height='360'>spot.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";

// ANCHOR: property
fn main() {
    let mut runner = TestRunner::new(Config { cases: 500, failure_persistence: None, ..Config::default() });
    let result = runner.run(&prop::collection::vec(response(), 0..6), |responses| {
        let scenario = scenario(&responses);
        let trace = Simulation::new(&scenario).map_err(|error| TestCaseError::fail(error.to_string()))?.run();
        let shown = || format!("\n{}", scenario.to_yaml());

        // The invariants that hold in every trace, such as one `adEnd` for each break.
        prop_assert_eq!(invariants::judge(&trace).len(), 0, "{}", shown());
        // Every tag that was tried and gave no ad has an `adError`.
        let filled = count(&trace, "adStart");
        prop_assert_eq!(count(&trace, "requestAd"), count(&trace, "adError") + filled, "{}", shown());
        // The content starts and ends, with or without an ad.
        prop_assert_eq!((count(&trace, "start"), count(&trace, "ended")), (1, 1), "{}", shown());
        Ok(())
    });
    match result {
        Ok(()) => println!("the property holds in 500 cases"),
        Err(error) => panic!("{error}"),
    }
}

/// How one ad tag responds, as a scenario writes it.
fn response() -> impl Strategy<Value = String> {
    let body = select(vec![
        format!("text: \"{AD}\""),
        "text: \"<VAST version='4.2'/>\"".to_owned(),
        "text: \"<VAST><Ad>\"".to_owned(),
        "status: 503".to_owned(),
        "fails: refused".to_owned(),
        "fails: timeout".to_owned(),
    ]);
    (body, 0..20_000u32).prop_map(|(body, millis)| format!("{{ after: {millis}ms, {body} }}"))
}
// ANCHOR_END: property

fn scenario(responses: &[String]) -> Scenario {
    let mut text = BASE.to_owned();
    let urls: Vec<String> = (0..responses.len()).map(|number| format!("https://ads.test/{number}")).collect();
    if !urls.is_empty() {
        let routes = urls.iter().zip(responses).map(|(url, response)| format!("  {url}: {response}\n"));
        text += &format!("network:\n{}", routes.collect::<String>());
        let tags = urls.join(", ");
        text += &format!("player: {{ ads: [{{ adType: 0, adTimeType: s, mobile: [{tags}] }}] }}\n");
    }
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn count(trace: &Trace, event: &str) -> usize {
    trace.events().filter(|(name, ..)| *name == event).count()
}
