//! A waterfall of three ad tags, written in Rust: which tag failed, when, and with which code.
//!
//! Run with `cargo run --example waterfall`.

use std::error::Error;

use playsim::api::{EventName, Fields, Value};
use playsim::report::waterfall::Waterfalls;
use playsim::scenario::{AnswerScript, MediaScript, ScriptedAnswer};
use playsim::time::{Span, Time};
use playsim::video::{Rendition, Video};
use playsim::{Scenario, Simulation};

const AD: &str = r#"
<VAST version="4.2"><Ad id="spot"><InLine>
  <AdSystem>example</AdSystem><AdTitle>Spot</AdTitle>
  <Impression>https://track.test/impression</Impression>
  <Creatives><Creative><Linear>
    <Duration>00:00:04</Duration>
    <MediaFiles>
      <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">spot.mp4</MediaFile>
    </MediaFiles>
  </Linear></Creative></Creatives>
</InLine></Ad></VAST>"#;

fn main() -> Result<(), Box<dyn Error>> {
    let scenario = scenario();
    let trace = Simulation::new(&scenario)?.run();

    let report = Waterfalls::of_played(&trace, &scenario);
    for tag in report.breaks.iter().flat_map(|ad_break| &ad_break.tags) {
        let decided = tag.decided_us.map(Time::from_micros).unwrap_or_default();
        let code = tag.code.map(|code| format!(" {code}")).unwrap_or_default();
        let reason = tag.reason.as_deref().unwrap_or_default();
        println!(
            "{decided}  {}  {:?}{code}  {reason}",
            tag.address, tag.outcome
        );
    }

    println!();
    for event in trace
        .events()
        .filter(|event| event.name != EventName::TimeUpdate)
    {
        println!("{}  {} {}", event.at, event.name, event.data);
    }
    Ok(())
}

/// Content of ten seconds, and a pre-roll with three tags.
fn scenario() -> Scenario {
    let tags = [
        "https://ads.test/empty",
        "https://ads.test/silent",
        "https://ads.test/spot",
    ];
    let pre_roll = Fields::one("adType", 0)
        .with("adTimeType", "s")
        .with("mobile", Value::List(tags.map(Value::from).into()));
    let media = |seconds| MediaScript::of_length(Span::from_secs(seconds));
    let body = |text, millis| AnswerScript::body(text).after(Span::from_millis(millis));

    Scenario::default()
        .with_video(Video::new("v1").with_rendition(Rendition::Sd, "content.mp4"))
        .with_media("content.mp4", media(10))
        .with_media("spot.mp4", media(4))
        .with_ad(pre_roll)
        .with_answer(tags[0], body("<VAST version='4.2'/>", 120))
        .with_answer(tags[1], ScriptedAnswer::Silence)
        .with_answer(tags[2], body(AD, 190))
}
