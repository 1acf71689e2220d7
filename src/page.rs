//! The page around a player: its containers and the device it runs on.
//!
//! Rules: AD-7, CLK-10, INIT-5, INIT-6.

use std::sync::Arc;

/// The surroundings of all players of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// What kind of device it is; fixed for the run. Rule AD-7.
    pub device: Device,
    /// The calendar instant of time 0, in microseconds since 1970-01-01T00:00:00Z. Rule CLK-10.
    pub epoch_micros: i64,
    /// The elements that can hold a player.
    pub containers: Vec<Container>,
}

/// An element with an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container {
    /// Its id.
    pub id: Arc<str>,
    /// Whether it carries the class that the reference asks for. Rule INIT-6.
    pub player_class: bool,
}

/// The kind of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Device {
    /// A desktop browser.
    #[default]
    Desktop,
    /// A mobile browser.
    Mobile,
}

/// 2000-01-01T00:00:00Z. Rule CLK-10.
const DEFAULT_EPOCH_MICROS: i64 = 946_684_800_000_000;

impl Default for Page {
    fn default() -> Page {
        Page {
            device: Device::Desktop,
            epoch_micros: DEFAULT_EPOCH_MICROS,
            containers: vec![Container { id: "player".into(), player_class: true }],
        }
    }
}
