//! Scripts for each state: a scenario whose player is in that state from 5 s on.

/// The time at which the call is made.
pub(crate) const CALL_AT: u64 = 10;

/// The states of a player, in the order of the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    U,
    C,
    I,
    L,
    A,
    AP,
    P,
    B,
    Z,
    E,
    X,
    D,
}

/// A scenario in pieces.
#[derive(Debug, Clone, Default)]
pub(crate) struct Path {
    page: &'static str,
    player: &'static str,
    /// The behaviour of `film.mp4`.
    film: &'static str,
    /// The player-level ads.
    ads: &'static str,
    steps: String,
}

impl State {
    pub(crate) const ALL: &[State] = &[
        State::U,
        State::C,
        State::I,
        State::L,
        State::A,
        State::AP,
        State::P,
        State::B,
        State::Z,
        State::E,
        State::X,
        State::D,
    ];

    /// The state's name in traces; before the script has loaded there is no player.
    pub(crate) fn word(self) -> &'static str {
        match self {
            State::U => "",
            State::C => "created",
            State::I => "initial",
            State::L => "ad-loading",
            State::A => "ad-playing",
            State::AP => "ad-paused",
            State::P => "playing",
            State::B => "buffering",
            State::Z => "paused",
            State::E => "ended",
            State::X => "failed",
            State::D => "destroyed",
        }
    }

    /// The script that leads to the state, followed by the steps of `more`.
    pub(crate) fn path(self, more: &str) -> Path {
        let plain = Path {
            film: "duration: 1000s",
            ..Path::default()
        };
        let play = "  - { at: 1s, do: play }\n";
        let path = match self {
            State::U => Path {
                page: "script_after: 60s",
                ..plain
            },
            State::C => Path {
                player: "ready_after: 60s",
                ..plain
            },
            State::I => plain,
            State::L => Path { ads: SLOW, ..plain }.with(play),
            State::A => Path { ads: LONG, ..plain }.with(play),
            State::AP => Path { ads: LONG, ..plain }
                .with(play)
                .with("  - { at: 5s, do: pause }\n"),
            State::P => plain.with(play),
            State::B => Path {
                film: "duration: 1000s, stalls: [{ at: 2s, for: 500s }]",
                ..plain
            }
            .with(play),
            State::Z => plain.with(play).with("  - { at: 5s, do: pause }\n"),
            State::E => Path {
                film: "duration: 4s",
                ..plain
            }
            .with(play),
            State::X => Path {
                film: "duration: 1000s, fails: { at: 2s, how: decode }",
                ..plain
            }
            .with(play),
            State::D => plain
                .with(play)
                .with("  - { at: 5s, do: { destroy: true } }\n"),
        };
        path.with(more)
    }
}

/// A pre-roll whose response takes 30 s.
const SLOW: &str = "{ adType: 0, adTimeType: s, mobile: [https://ads.test/slow] }";
/// A pre-roll of 100 s.
const LONG: &str = "{ adType: 0, adTimeType: s, mobile: [https://ads.test/long] }";

impl Path {
    /// Adds steps.
    pub(crate) fn with(mut self, steps: &str) -> Path {
        self.steps.push_str(steps);
        self
    }

    /// Replaces the video.
    pub(crate) fn film(self, film: &'static str) -> Path {
        Path { film, ..self }
    }

    /// Replaces the player-level ads.
    pub(crate) fn ads(self, ads: &'static str) -> Path {
        Path { ads, ..self }
    }

    /// Writes the scenario as YAML.
    pub(crate) fn scenario(&self) -> String {
        let Path {
            page,
            player,
            film,
            ads,
            steps,
        } = self;
        let comma = if page.is_empty() { "" } else { ", " };
        let (player, ads) = if player.is_empty() {
            ("", format!("ads: [{ads}]"))
        } else {
            (*player, format!(", ads: [{ads}]"))
        };
        let short = SPOT.replace("long.mp4", "short.mp4");
        format!(
            r#"
until: 60s
knobs: {{ ad.timeout: 100s, playlist.advance_delay: 100s, playlist.play_in_delay: advance, playlist.wrap: on }}
page: {{ {page}{comma}containers: [main, other] }}
videos:
  - id: v1
    name: One
    tags: a, b
    chapters: [{{ timestamp: "0", title: Start }}, {{ timestamp: "3", title: Middle }}]
    renditions: {{ sd: film.mp4, hd: film-hd.mp4 }}
  - {{ id: v2, name: Two, renditions: {{ sd: other.mp4 }} }}
  - {{ id: v3, name: Three, renditions: {{ sd: other.mp4 }} }}
media:
  film.mp4: {{ {film} }}
  film-hd.mp4: {{ {film} }}
  other.mp4: {{ duration: 1000s }}
  long.mp4: {{ duration: 100s }}
  short.mp4: {{ duration: 2s }}
network:
  https://ads.test/slow: {{ after: 30s, text: "{SPOT}" }}
  https://ads.test/long: {{ text: "{SPOT}" }}
  https://ads.test/short: {{ after: 1s, text: "{short}" }}
  https://ads.test/empty: {{ after: 1s, text: "<VAST version='4.2'/>" }}
  https://lists.test/two.json: {{ text: "[{{ \"src\": \"other.mp4\" }}, {{ \"src\": \"other.mp4\" }}]" }}
player: {{ {player}{ads} }}
listeners: {{ L1: [isReady] }}
steps:
  - {{ at: 0s, init: {{ div: main, config: {{ id: p, width: "640", height: "360", playlist: [v1, v2, v3] }} }} }}
{steps}"#
        )
    }
}

/// An ad of 100 s that can be skipped from 1 s on.
pub(crate) const SPOT: &str = "<VAST version='4.2'><Ad id='spot'><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle>\
    <Impression>https://t.test/i</Impression><Creatives><Creative><Linear skipoffset='00:00:01'>\
    <Duration>00:01:40</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4'>\
    long.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";
