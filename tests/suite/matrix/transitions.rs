//! The list of transitions below the matrix: from where, what happens, to where.

use playsim::time::Time;

use super::facts::Facts;
use super::paths::{Path, State};

/// One line of the list, with a script that shows it.
pub(crate) struct Transition {
    /// The transition, in words.
    line: &'static str,
    /// The script.
    path: fn() -> Path,
    /// The names of the states that follow one another from the given millisecond on.
    from_ms: u64,
    states: &'static [&'static str],
}

impl Transition {
    pub(crate) fn check(&self) -> Result<(), String> {
        let facts = Facts::play(&(self.path)().scenario());
        let found = facts.states_from(Time::from_millis(self.from_ms));
        if found.starts_with(self.states) && !self.states.is_empty() {
            Ok(())
        } else {
            Err(format!(
                "{}: {:?} instead of {:?}\n{}",
                self.line,
                found,
                self.states,
                facts.text()
            ))
        }
    }
}

/// A pre-roll that plays 2 s after a response that takes 1 s, or has no ad.
const SHORT: &str = "{ adType: 0, adTimeType: s, mobile: [https://ads.test/short] }";
const EMPTY: &str = "{ adType: 0, adTimeType: s, mobile: [https://ads.test/empty] }";
const SHORT_POST: &str = "{ adType: 2, adTimeType: s, mobile: [https://ads.test/short] }";
const EMPTY_POST: &str = "{ adType: 2, adTimeType: s, mobile: [https://ads.test/empty] }";
const SLOW_POST: &str = "{ adType: 2, adTimeType: s, mobile: [https://ads.test/slow] }";
const MID: &str = "{ adType: 1, adTimeType: s, cuepoints: [2], mobile: [https://ads.test/short] }";
const EMPTY_MID: &str =
    "{ adType: 1, adTimeType: s, cuepoints: [2], mobile: [https://ads.test/empty] }";
const TWO_PODS: &str = "{ adType: 0, adTimeType: s, mobile: [https://ads.test/short] }, \
    { adType: 0, adTimeType: s, pod: 1, mobile: [https://ads.test/slow] }";
const MID_AT_END: &str =
    "{ adType: 1, adTimeType: s, cuepoints: [3.5], mobile: [https://ads.test/short] }";

const PLAY: &str = "  - { at: 1s, do: play }\n";
const PUSH: &str = "  - { at: 10s, do: { playAd: \"https://ads.test/short\" } }\n";

fn film(film: &'static str) -> Path {
    State::I.path("").film(film)
}

fn long(ads: &'static str) -> Path {
    film("duration: 1000s").ads(ads).with(PLAY)
}

fn four_seconds(ads: &'static str) -> Path {
    film("duration: 4s").ads(ads).with(PLAY)
}

macro_rules! transitions {
    ($($line:literal, $path:expr, $from:literal => [$($state:literal),*];)*) => {
        pub(crate) const ALL: &[Transition] = &[$(Transition {
            line: $line,
            path: || $path,
            from_ms: $from,
            states: &[$($state),*],
        },)*];
    };
}

transitions! {
    "U, script arrives: C for each queue entry",
        State::U.path("  - { at: 2s, queue: { _player_queue: { div: main, obj: { id: p, width: \"1\", \
            height: \"1\", video: v1 } } } }\n"), 60_000 => ["created", "initial"];
    "C, ready work done: I", State::C.path(""), 60_000 => ["initial"];
    "I, play, tags to try: L", long(SHORT), 1_000 => ["ad-loading", "ad-playing"];
    "I, play, no break: P", long(""), 1_000 => ["playing"];
    "I, play, no break, no data: B",
        film("duration: 1000s, metadata_after: 5s").with(PLAY), 1_000 => ["buffering", "playing"];
    "L, ad ready, not paused in L: A", long(SHORT), 2_000 => ["ad-playing"];
    "L, ad ready, paused in L: L (held); play: A",
        long(SHORT).with("  - { at: 1.5s, do: pause }\n  - { at: 9s, do: play }\n"),
        1_500 => ["ad-playing", "playing"];
    "L, nothing fills, pre-roll: P", long(EMPTY), 1_000 => ["ad-loading", "playing"];
    "L, nothing fills, mid-roll: P",
        long(EMPTY_MID).with("  - { at: 8s, do: pause }\n"), 1_000 => ["playing", "paused"];
    "L, nothing fills, post-roll: E", four_seconds(EMPTY_POST), 5_000 => ["ad-loading", "ended"];
    "L, nothing fills, paused in L, pre-roll: I",
        long(EMPTY).with("  - { at: 1.5s, do: pause }\n"), 1_000 => ["ad-loading", "initial"];
    "L, nothing fills, paused in L, post-roll: E",
        four_seconds(EMPTY_POST).with("  - { at: 5.5s, do: pause }\n"), 5_000 => ["ad-loading", "ended"];
    "A, pause: AP; AP, play: A",
        long(SHORT).with("  - { at: 2.5s, do: pause }\n  - { at: 9s, do: play }\n"),
        2_000 => ["ad-playing", "ad-paused", "ad-playing", "playing"];
    "A, ad over, more of the break to come: L", long(TWO_PODS), 2_000 => ["ad-playing", "ad-loading"];
    "AP, ad skipped, more of the break to come: L",
        long(TWO_PODS).with("  - { at: 3.5s, do: pause }\n  - { at: 3.6s, user: skip }\n"),
        2_000 => ["ad-playing", "ad-paused", "ad-loading"];
    "A, last ad of the break over: as L without fill", long(SHORT), 2_000 => ["ad-playing", "playing"];
    "L (post-roll), seek back: P",
        four_seconds(SLOW_POST).with("  - { at: 8s, do: { currentTime: 1 } }\n"),
        5_000 => ["ad-loading", "playing", "ad-loading"];
    "L (post-roll), seek back, paused in L: Z",
        four_seconds(SLOW_POST).with("  - { at: 7s, do: pause }\n  - { at: 8s, do: { currentTime: 1 } }\n"),
        5_000 => ["ad-loading", "paused"];
    "P, data runs out: B; data back: P",
        film("duration: 1000s, stalls: [{ at: 2s, for: 5s }]").with(PLAY),
        3_000 => ["buffering", "playing"];
    "P, pause: Z", long("").with("  - { at: 5s, do: pause }\n"), 5_000 => ["paused"];
    "B, pause: Z", State::B.path("  - { at: 5s, do: pause }\n"), 5_000 => ["paused"];
    "P, mid-roll ready: A", long(MID), 1_000 => ["playing", "ad-playing", "playing"];
    "P, commanded ad ready: A", long("").with(PUSH), 10_000 => ["ad-playing", "playing"];
    "B, commanded ad ready: A", State::B.path(PUSH), 10_000 => ["ad-playing", "buffering"];
    "I, commanded ad ready: A, and back", State::I.path(PUSH), 10_000 => ["ad-playing", "initial"];
    "Z, commanded ad ready: A, and back", State::Z.path(PUSH), 10_000 => ["ad-playing", "paused"];
    "E, commanded ad ready: A, and back", State::E.path(PUSH), 10_000 => ["ad-playing", "ended"];
    "P, end, post-roll armed: L", four_seconds(SHORT_POST), 5_000 => ["ad-loading", "ad-playing", "ended"];
    "P, end, a break pending: L", four_seconds(MID_AT_END), 5_000 => ["ad-loading", "ad-playing", "ended"];
    "P, end, none: E", four_seconds(""), 5_000 => ["ended"];
    "Z, play: P", State::Z.path("  - { at: 10s, do: play }\n"), 10_000 => ["playing"];
    "Z, play, no data: B",
        State::B.path("  - { at: 5s, do: pause }\n  - { at: 10s, do: play }\n"), 10_000 => ["buffering"];
    "E, play: the next item", State::E.path("  - { at: 10s, do: play }\n"), 10_000 => ["initial", "buffering"];
    "E, seek back: Z", State::E.path("  - { at: 10s, do: { currentTime: 1 } }\n"), 10_000 => ["paused"];
    "C is not live for stop", State::C.path("  - { at: 10s, do: stop }\n"), 10_000 => ["initial"];
    "L, stop: I", State::L.path("  - { at: 10s, do: stop }\n"), 10_000 => ["initial"];
    "A, stop: I", State::A.path("  - { at: 10s, do: stop }\n"), 10_000 => ["initial"];
    "AP, stop: I", State::AP.path("  - { at: 10s, do: stop }\n"), 10_000 => ["initial"];
    "P, stop: I", State::P.path("  - { at: 10s, do: stop }\n"), 10_000 => ["initial"];
    "B, stop: I", State::B.path("  - { at: 10s, do: stop }\n"), 10_000 => ["initial"];
    "Z, stop: I", State::Z.path("  - { at: 10s, do: stop }\n"), 10_000 => ["initial"];
    "E, stop: I", State::E.path("  - { at: 10s, do: stop }\n"), 10_000 => ["initial"];
    "X, stop: I", State::X.path("  - { at: 10s, do: stop }\n"), 10_000 => ["initial"];
    "P, src: plays what replaces it", State::P.path("  - { at: 10s, do: { src: other.mp4 } }\n"), 10_000 => ["initial"];
    "A, loadPlaylist done: plays what replaces it",
        State::A.path("  - { at: 10s, do: { loadPlaylist: \"https://lists.test/two.json\" } }\n"),
        10_000 => ["initial"];
    "A, next: start path of the new item",
        State::A.path("  - { at: 10s, do: next }\n"), 10_000 => ["initial", "ad-loading"];
    "P, content failure: X", State::X.path(""), 3_000 => ["failed"];
    "A, content failure: held",
        film("fails: { how: network }, metadata_after: 3s").ads(SHORT).with(PLAY),
        2_000 => ["ad-playing", "failed"];
    "P, live stream stopped: X",
        film("live: true, window: 30s, stops_at: 8s").with(PLAY), 8_000 => ["failed"];
    "X, play: start path without pre-roll",
        State::X.path("  - { at: 10s, do: play }\n").ads(""), 10_000 => ["buffering", "playing", "failed"];
    "A, destroy: D", State::A.path("  - { at: 10s, do: destroy }\n"), 10_000 => ["destroyed"];
    "C, destroy: D", State::C.path("  - { at: 10s, do: destroy }\n"), 10_000 => ["destroyed"];
}
