//! The page around a player: its containers, the device it runs on, the browser's permissions.
//!
//! Rules: AD-7, CLK-10, INIT-5, INIT-6, LOAD-2 to LOAD-4, PLAY-16, FS-5, VIEW-2, SIZE-3, ENV-4.

use std::sync::Arc;

use playsim_base::number::Decimal;
use playsim_base::time::{Span, Time};
use playsim_rules::knobs::PlayActivation;

mod sides;

pub use sides::{CompanionSlot, INLINE, Sides, VendorFate, VerificationHost};
mod terms;

pub use terms::codecs_in;
pub use terms::{AdMedium, AdTerms, Blocked, Conditional, MediaType, Skippable, Stitching};

/// The page that all players of a run are on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The kind of device; fixed for the run. Rule AD-7.
    pub device: Device,
    /// The calendar instant of time 0, in microseconds since 1970-01-01T00:00:00Z. Rule CLK-10.
    pub epoch_micros: i64,
    /// The elements that can contain a player.
    pub containers: Vec<Container>,
    /// The viewer's country as two letters; `None`: unknown. Rule PL-19.
    pub country: Option<Arc<str>>,
    /// Its URL; `None`: unknown to ads. Rules MAC-5, TRACE-8.
    pub url: Option<Arc<str>>,
    /// Width and height of the window in pixels, for sizes in percent. Rule SIZE-3.
    pub window: (u32, u32),
    /// Whether the page may use fullscreen. Rule FS-5.
    pub allows_fullscreen: bool,
    /// Whether script may start playback only after a gesture; `None`: depends on the device. Rule
    /// PLAY-16.
    pub gesture_required: Option<bool>,
    /// When the player's script has loaded; `None`: never. Rules LOAD-2, LOAD-3.
    pub script_after: Option<Span>,
    /// When the outstream script has loaded; `None`: never. Rule LOAD-4.
    pub outstream_script_after: Option<Span>,
    /// Which media can be played, and which ads are requested. Rules SEL-6 to SEL-14.
    pub ads: AdTerms,
    /// Facts about the page that macros put into the URLs of ads, by macro name. Rule MAC-5.
    pub macros: Vec<(Arc<str>, MacroValue)>,
    /// The parts of the page that ads can use besides the player.
    pub sides: Sides,
}

/// A page's value for a macro in a URL. Rule MAC-5.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MacroValue {
    /// It is known, but withheld.
    Withheld,
    /// The value; several are a list.
    Items(Vec<Arc<str>>),
}

impl Page {
    /// Its URL: `url`, or the one given to ads, or a placeholder for a page without one.
    #[must_use]
    pub fn address(&self) -> &str {
        let given = self.macros.iter().find_map(|(name, value)| match value {
            MacroValue::Items(items) if **name == *"PAGEURL" => items.first(),
            MacroValue::Items(_) | MacroValue::Withheld => None,
        });
        let given = given.filter(|url| is_absolute_url(url));
        self.url
            .as_ref()
            .or(given)
            .map_or("https://page.test/", |url| url)
    }

    /// The changing parts of the page at the start.
    #[must_use]
    pub fn situation(&self) -> Situation {
        let in_view = Decimal::from_integer(100);
        Situation {
            window: self.window,
            in_view,
            is_hidden: false,
            activation: Activation::Never,
        }
    }

    /// Whether script may start playback only after a gesture. Browsers that follow a form of
    /// activation require one on every device. Rules PLAY-16, PLAY-22.
    #[must_use]
    pub fn requires_gesture(&self, activation: PlayActivation) -> bool {
        let is_usual = self.device == Device::Mobile || activation != PlayActivation::Gesture;
        self.gesture_required.unwrap_or(is_usual)
    }
}

/// Whether a string can be the URL of a page: an absolute URL with a host.
pub fn is_absolute_url(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let is_plain = |letter: char| letter.is_ascii_graphic() && !"\"<>\\^`{|}".contains(letter);
    rest.is_some_and(|rest| {
        !rest.starts_with(['/', '?', '#', ':', '@', '[', ']']) && !rest.is_empty()
    }) && text.chars().all(is_plain)
}

/// The parts of the page around a player that change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Situation {
    /// Width and height of the window in pixels. Rule SIZE-3.
    pub window: (u32, u32),
    /// How much of the player is in view, in percent. Rule VIEW-2.
    pub in_view: Decimal,
    /// Whether the page is hidden. Rule ENV-4.
    pub is_hidden: bool,
    /// How the user has activated the page. Rules PLAY-16, PLAY-22.
    pub activation: Activation,
}

/// How the user has activated a page by gestures anywhere on it: HTML's last activation timestamp.
/// Rule PLAY-22.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Activation {
    /// Not yet.
    #[default]
    Never,
    /// At this time; since then, nothing has consumed it.
    At(Time),
    /// The last activation has been consumed.
    Consumed,
}

impl Activation {
    /// Whether the page was ever activated: sticky activation.
    #[must_use]
    pub fn is_sticky(self) -> bool {
        self != Activation::Never
    }

    /// Whether it was activated less than this time ago, and nothing has consumed that: transient
    /// activation.
    #[must_use]
    pub fn is_transient(self, now: Time, lasts: Span) -> bool {
        matches!(self, Activation::At(at) if now < at + lasts)
    }
}

/// An element with an id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Container {
    /// Its id.
    pub id: Arc<str>,
    /// Whether it carries the class that the reference requires. Rule INIT-6.
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
            containers: vec![Container {
                id: "player".into(),
                player_class: true,
            }],
            country: None,
            url: None,
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
