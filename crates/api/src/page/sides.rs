//! The parts of a page that ads can use besides the player: slots for companions, a host for
//! verification, resources.
//!
//! Rules: ADX-2, ADX-6, ADX-10, ADX-12, ADX-14, ADX-25, SIMID-2.

use std::sync::Arc;

use crate::media::SimidScript;
use playsim_base::named::named;

/// The parts of a page that ads can use besides the player.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sides {
    /// Where companions can be shown, in the order in which they are filled. Rule ADX-12.
    pub companions: Vec<CompanionSlot>,
    /// The host for scripts that verify whether ads are visible. Rule ADX-2.
    pub verification: VerificationHost,
    /// URLs of images and pages that cannot be loaded. Rules ADX-12, ADX-14, ADX-21.
    pub unreachable: Vec<Arc<str>>,
    /// Whether the player can measure how much of it is in view. Rule ADX-6.
    pub measures_view: bool,
    /// Whether a click can open a page. Rule ADX-10.
    pub opens_pages: bool,
    /// The language of the page, such as `en` or `pt-BR`. Rule ADX-25.
    pub language: Option<Arc<str>>,
    /// The script of SIMID pages that are embedded in VAST documents; `None`: the default script.
    /// Rule SIMID-2.
    pub inline_unit: Option<Arc<SimidScript>>,
}

/// The URL under which a scenario scripts the pages that are embedded in documents.
pub const INLINE: &str = "inline";

/// A slot on the page for a companion.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CompanionSlot {
    /// Its id, which a companion may name.
    pub id: Arc<str>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The page's host for verification scripts. Rule ADX-2.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VerificationHost {
    /// Whether the page can run Open Measurement scripts.
    pub omid: bool,
    /// Vendors that are treated otherwise.
    pub vendors: Vec<(Arc<str>, VendorFate)>,
}

named! {
    /// How a vendor's verification script is treated. Rule ADX-2.
    VendorFate {
        Runs "runs" "It runs, whatever its type.",
        Refused "refused" "The page does not let it run.",
        Unsupported "unsupported" "The page cannot run it.",
        LoadError "load_error" "Its resource cannot be loaded.",
    }
}

impl Sides {
    /// Whether a URL can be loaded.
    #[must_use]
    pub fn reaches(&self, url: &str) -> bool {
        !self.unreachable.iter().any(|address| **address == *url)
    }
}

impl Default for Sides {
    fn default() -> Sides {
        Sides {
            companions: Vec::new(),
            verification: VerificationHost {
                omid: true,
                vendors: Vec::new(),
            },
            unreachable: Vec::new(),
            measures_view: true,
            opens_pages: true,
            language: None,
            inline_unit: None,
        }
    }
}
