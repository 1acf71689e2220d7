//! What a page has for ads besides the player: places for companions, a host for verification, what loads.
//!
//! Rules: ADX-2, ADX-6, ADX-10, ADX-12, ADX-14, ADX-25.

use std::sync::Arc;

use crate::named::named;

/// What a page has for ads besides the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sides {
    /// Where companions can be shown, in the order in which they are filled. Rule ADX-12.
    pub companions: Vec<CompanionSlot>,
    /// Who may look whether ads are seen. Rule ADX-2.
    pub verification: VerificationHost,
    /// Addresses of images and pages that cannot be had. Rules ADX-12, ADX-14, ADX-21.
    pub unreachable: Vec<Arc<str>>,
    /// Whether the player can measure how much of it is in view. Rule ADX-6.
    pub measures_view: bool,
    /// Whether a click can open a page. Rule ADX-10.
    pub opens_pages: bool,
    /// The language of the page, such as `en` or `pt-BR`. Rule ADX-25.
    pub language: Option<Arc<str>>,
}

/// A place on the page for a companion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanionSlot {
    /// Its id, which a companion may name.
    pub id: Arc<str>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Who may verify on the page. Rule ADX-2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerificationHost {
    /// Whether the page can run Open Measurement scripts.
    pub omid: bool,
    /// Vendors for which something else holds.
    pub vendors: Vec<(Arc<str>, VendorFate)>,
}

named! {
    /// What becomes of a vendor's verification. Rule ADX-2.
    VendorFate {
        Runs "runs" "It runs, whatever it is.",
        Refused "refused" "The page does not let it run.",
        Unsupported "unsupported" "Nothing on the page can run it.",
        LoadError "load_error" "Its resource cannot be loaded.",
    }
}

impl Sides {
    /// Whether an address can be had.
    #[must_use]
    pub fn reaches(&self, url: &str) -> bool {
        !self.unreachable.iter().any(|address| **address == *url)
    }
}

impl Default for Sides {
    fn default() -> Sides {
        Sides {
            companions: Vec::new(),
            verification: VerificationHost { omid: true, vendors: Vec::new() },
            unreachable: Vec::new(),
            measures_view: true,
            opens_pages: true,
            language: None,
        }
    }
}
