//! A property over random sessions: whatever the ad servers respond, and however late, content does
//! not start before the pre-roll is over.
//!
//! `check` plays a session and tries the laws that hold for all of them. What breaks one is printed
//! as a small scenario, with the command that shows it again. With the feature `proptest`,
//! `testing::sessions` is a strategy instead.
//!
//! Run with `cargo run --example property`.

use playsim::api::EventName;
use playsim::testing::{Options, Source, Vary, check, scenario};
use playsim::{Scenario, ScenarioError};

const BASE: &str = r#"
videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 10s }, default: { duration: 4s } }
player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://ads.test/a, https://ads.test/b] }] }
network:
  https://ads.test/a: { after: 200ms, text: "<VAST version='4.2'/>" }
  https://ads.test/b: { after: 100ms, text: "<VAST version='4.2'><Ad><InLine><Creatives><Creative><Linear>
    <MediaFiles><MediaFile delivery='progressive' type='video/mp4'>spot.mp4</MediaFile></MediaFiles>
    </Linear></Creative></Creatives></InLine></Ad></VAST>" }
"#;

fn main() -> Result<(), ScenarioError> {
    let options = Options::default().around(&BASE.parse::<Scenario>()?, Vary::World);
    for seed in 0..500 {
        let session = scenario(&mut Source::from_seed(seed), &options);
        let trace = check(&session).unwrap_or_else(|broken| panic!("{broken}"));
        let first = |name| trace.events().position(|event| event.name == name);
        if let Some(start) = first(EventName::Start) {
            assert!(
                first(EventName::AdEnd).is_some_and(|end| end < start),
                "seed {seed}\n{}",
                session.to_yaml()
            );
        }
    }
    println!("the property holds in 500 sessions");
    Ok(())
}
