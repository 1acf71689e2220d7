//! The page around a player: its containers, the device it runs on, what a browser lets it do.
//!
//! Rules: AD-7, CLK-10, INIT-5, INIT-6, LOAD-2 to LOAD-4, PLAY-16, FS-5, VIEW-2, SIZE-3, ENV-4.

use std::sync::Arc;

use crate::number::Decimal;
use crate::time::{Span, Time};

mod sides;

pub use sides::{CompanionSlot, Sides, VendorFate, VerificationHost};
mod terms;

pub use terms::{AdMedium, AdTerms, Blocked, Conditional, MediaType, Skippable, Stitching, codecs_in};

/// The surroundings of all players of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// What kind of device it is; fixed for the run. Rule AD-7.
    pub device: Device,
    /// The calendar instant of time 0, in microseconds since 1970-01-01T00:00:00Z. Rule CLK-10.
    pub epoch_micros: i64,
    /// The elements that can hold a player.
    pub containers: Vec<Container>,
    /// The viewer's country as two letters; `None`: not known. Rule PL-19.
    pub country: Option<Arc<str>>,
    /// Width and height of the window in pixels, for sizes in percent. Rule SIZE-3.
    pub window: (u32, u32),
    /// Whether the page may fill the screen. Rule FS-5.
    pub allows_fullscreen: bool,
    /// Whether script may start playback only after a gesture; `None`: as the device has it. Rule PLAY-16.
    pub gesture_required: Option<bool>,
    /// When the player's script is there; `None`: never. Rules LOAD-2, LOAD-3.
    pub script_after: Option<Span>,
    /// When the outstream script is there; `None`: never. Rule LOAD-4.
    pub outstream_script_after: Option<Span>,
    /// What it plays, and which ads it asks for. Rules SEL-6 to SEL-14.
    pub ads: AdTerms,
    /// What addresses of ads learn of the page, by the name of the macro that asks. Rule MAC-5.
    pub macros: Vec<(Arc<str>, MacroValue)>,
    /// What there is for ads besides the player.
    pub sides: Sides,
}

/// What a page has for a macro in an address. Rule MAC-5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MacroValue {
    /// It is known and not told.
    Withheld,
    /// The value; several are a list.
    Items(Vec<Arc<str>>),
}

impl Page {
    /// What it is like at the start.
    #[must_use]
    pub fn situation(&self) -> Situation {
        let in_view = Decimal::from_integer(100);
        Situation { window: self.window, in_view, is_hidden: false, gesture: None }
    }

    /// Whether script may start playback only after a gesture. Rule PLAY-16.
    #[must_use]
    pub fn requires_gesture(&self) -> bool {
        self.gesture_required.unwrap_or(self.device == Device::Mobile)
    }
}

/// What the page around a player is like at the moment, as far as it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Situation {
    /// Width and height of the window in pixels. Rule SIZE-3.
    pub window: (u32, u32),
    /// How much of the player is in view, in percent. Rule VIEW-2.
    pub in_view: Decimal,
    /// Whether the page is hidden. Rule ENV-4.
    pub is_hidden: bool,
    /// When the person last made a gesture anywhere on the page. Rule PLAY-16.
    pub gesture: Option<Time>,
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
            country: None,
            window: (1280, 720),
            allows_fullscreen: true,
            gesture_required: None,
            script_after: Some(Span::ZERO),
            outstream_script_after: Some(Span::ZERO),
            ads: AdTerms::default(),
            macros: Vec::new(),
            sides: Sides::default(),
        }
    }
}
