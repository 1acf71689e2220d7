//! Content, ad media of 4 s and three ad URLs, in a few lines of YAML.

use playsim::api::{EventName, Kind, Value};
use playsim::trace::Trace;

use super::super::support;

/// A document with one ad whose media lasts 4 s.
pub(super) const SPOT: &str = "<VAST version='4.2'><Ad id='spot'><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle>\
    <Impression>https://t.test/i</Impression><Creatives><Creative><Linear skipoffset='00:00:01'>\
    <Duration>00:00:04</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4'>\
    https://m.test/spot.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";

/// A document without ads.
pub(super) const EMPTY: &str = "<VAST version='4.2'/>";

/// Makes a player of `v1` and plays when it is ready.
pub(super) const PLAY: &str = r#"
  - { at: 0s, init: { div: player, config: { id: p, width: "1", height: "1", video: v1 } } }
  - { on: ready, do: play }
"#;

/// Plays steps against ad objects; `/spot` and `/spot2` have an ad, `/empty` has none, all after
/// 100 ms.
pub(super) fn play(ads: &str, steps: &str) -> Trace {
    play_with(ads, steps, "")
}

/// The same with additional top-level fields.
pub(super) fn play_with(ads: &str, steps: &str, more: &str) -> Trace {
    support::play(&format!("{}{more}", text(ads, steps)))
}

/// The scenario as YAML.
pub(super) fn text(ads: &str, steps: &str) -> String {
    format!(
        r#"
videos:
  - {{ id: v1, renditions: {{ sd: film.mp4 }} }}
  - {{ id: v2, renditions: {{ sd: film.mp4 }} }}
  - {{ id: unpaid, monetize: 0, renditions: {{ sd: film.mp4 }} }}
  - {{ id: own, renditions: {{ sd: film.mp4 }}, ads: [{{ adType: 0, mobile: [https://ads.test/empty] }}] }}
media:
  film.mp4: {{ duration: 2s, metadata_after: 1s }}
  https://m.test/spot.mp4: {{ duration: 4s }}
network:
  https://ads.test/spot: {{ after: 100ms, text: "{SPOT}" }}
  https://ads.test/spot2: {{ after: 100ms, text: "{SPOT}" }}
  https://ads.test/empty: {{ after: 100ms, text: "{EMPTY}" }}
player: {{ ads: {ads} }}
steps: {steps}
"#
    )
}

/// The ad tags that were requested, without the host.
pub(super) fn asked(trace: &Trace) -> Vec<&str> {
    let requests = trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Net && *record.name == *"request");
    requests
        .filter(|record| record.data.get("purpose") == Some(&Value::from("ad-tag")))
        .filter_map(|record| record.data.get("url")?.as_text())
        .map(|url| url.trim_start_matches("https://ads.test/"))
        .collect()
}

/// The values that a getter returned, in order.
pub(super) fn reads<'a>(trace: &'a Trace, name: &str) -> Vec<&'a Value> {
    let calls = trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Call && *record.name == *name);
    calls
        .map(|record| record.data.get("returns").unwrap_or(&Value::Undefined))
        .collect()
}

/// The same as strings.
pub(super) fn read_words(trace: &Trace, name: &str) -> Vec<String> {
    reads(trace, name).iter().map(ToString::to_string).collect()
}

/// The number of times an event was fired.
pub(super) fn count(trace: &Trace, event: &str) -> usize {
    let event: EventName = event.parse().expect("an event");
    trace.events().filter(|fired| fired.name == event).count()
}
