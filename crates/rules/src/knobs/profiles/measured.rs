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
    /// How many recordings differ more without it.
    pub decided_by: usize,
    /// How many recordings differ more with it.
    pub contradicted_by: usize,
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
        self.decided_by >= FEWEST_RECORDINGS && self.contradicted_by == 0
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
pub(super) static CONTRIB_ADS: Read =
    LazyLock::new(|| read(include_str!("measured/contrib-ads.json")));
