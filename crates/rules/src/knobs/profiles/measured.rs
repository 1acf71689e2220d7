//! What recordings of a product decide about what its profile claims.
//!
//! The files are written by `playsim conform fit --measured` from the recordings in
//! `conform/results`.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// Recordings of a player, and what they say about settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measurement {
    /// The packages of the player, each with its version.
    pub player: String,
    /// The browser, with its version.
    pub browser: String,
    /// The day on which it was recorded: `2026-11-24`.
    pub recorded: String,
    /// How many recordings were compared.
    pub recordings: usize,
    /// The settings that were held against them, by knob.
    pub settings: Vec<MeasuredSetting>,
}

/// A setting, and how many recordings speak for and against it. The others do not tell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredSetting {
    /// The knob.
    pub knob: String,
    /// Its value.
    pub value: String,
    /// Whether they decide it.
    pub decision: Decision,
    /// How many recordings differ more without it.
    pub decided_by: usize,
    /// How many recordings differ more with it.
    pub contradicted_by: usize,
}

/// Whether recordings decide a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// At least three need it, and none contradicts it.
    #[serde(rename = "decided")]
    Decided,
    /// Fewer than three need it, and none contradicts it.
    #[serde(rename = "not decided")]
    NotDecided,
    /// One of them contradicts it.
    #[serde(rename = "contradicted")]
    Contradicted,
}

impl Decision {
    /// Returns what comes of so many recordings that need a setting and that contradict it.
    #[must_use]
    pub const fn of(needing: usize, contradicting: usize) -> Decision {
        if contradicting > 0 {
            Decision::Contradicted
        } else if needing < FEWEST_RECORDINGS {
            Decision::NotDecided
        } else {
            Decision::Decided
        }
    }

    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Decision::Decided => "decided",
            Decision::NotDecided => "not decided",
            Decision::Contradicted => "contradicted",
        }
    }
}

/// How many recordings must ask for a setting.
pub const FEWEST_RECORDINGS: usize = 3;

impl Measurement {
    /// Returns what the recordings say about a knob, whether they decide it or not.
    #[must_use]
    pub fn of(&self, knob: &str) -> Option<&MeasuredSetting> {
        self.settings.iter().find(|it| it.knob == knob)
    }
}

impl MeasuredSetting {
    /// Returns whether enough recordings ask for it, and none contradicts it.
    #[must_use]
    pub const fn is_decided(&self) -> bool {
        matches!(self.decision, Decision::Decided)
    }
}

/// A file, read once.
type Read = LazyLock<Measurement>;

fn read(text: &str) -> Measurement {
    serde_json::from_str(text).expect("the file is as it was written, which a test shows")
}

pub(super) static FLUID_PLAYER: Read =
    LazyLock::new(|| read(include_str!("measured/fluid-player.json")));
pub(super) static SHAKA: Read = LazyLock::new(|| read(include_str!("measured/shaka.json")));
pub(super) static VAST_PLAYER: Read =
    LazyLock::new(|| read(include_str!("measured/vast-player.json")));
pub(super) static CONTRIB_ADS: Read =
    LazyLock::new(|| read(include_str!("measured/contrib-ads.json")));
