//! The content attributes of a media element, as a page writes them.
//!
//! Rules: MEL-12, MEL-18.

use std::sync::Arc;

/// The initial content attributes of an element.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct ElementConfig {
    /// The URL; `None`: there is no such attribute.
    pub source: Option<Arc<str>>,
    /// How much is loaded before playback is requested.
    pub preload: Preload,
    /// Whether it starts automatically.
    pub autoplay: bool,
    /// Whether it starts over at the end. Rule MEL-12.
    pub looping: bool,
    /// Whether it starts muted.
    pub muted: bool,
}

/// The element's `preload`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Preload {
    /// Nothing is loaded.
    None,
    /// Enough to know the metadata and to start.
    #[default]
    Metadata,
    /// Everything.
    Auto,
}

impl Preload {
    /// The word in scenarios.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Preload::None => "none",
            Preload::Metadata => "metadata",
            Preload::Auto => "auto",
        }
    }
}
