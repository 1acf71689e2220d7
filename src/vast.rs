//! VAST and VMAP documents, read into types.
//!
//! [`read`] is total: whatever the text, it gives a [`Document`] that holds what could be understood, and
//! says what was tolerated ([`Warning`]) and what made it unusable ([`Fault`]). It reads what players read
//! in the wild: undeclared prefixes, blanks around addresses, legacy spellings, broken ends of CDATA.
//!
//! Nothing here fetches or plays. Sources: VAST 2.0.1 to 4.3, section 3; VMAP 1.0.1; the notes beside
//! each type.

mod ad;
mod carrier;
mod companion;
mod creative;
mod entity;
mod event;
mod extension;
mod icon;
mod known;
mod linear;
mod model;
mod not_xml;
mod notes;
mod overlay;
mod places;
pub mod print;
mod read;
mod reader;
mod resource;
pub mod strict;
mod sweep;
mod tree;
mod value;
mod verification;
pub mod vmap;

use std::borrow::Cow;
use std::sync::Arc;

pub use event::OF_ADS as TRACKING_EVENTS;
pub use model::{
    Ad, AdKind, AdParameters, AdType, CaptionFile, Category, Children, Clicks, Companion, CompanionAds,
    Creative, CreativeKind, Extension, FallbackImage, Icon, IconPosition, InteractiveFile, Linear, MediaFile,
    NonLinear, NonLinearAds, Offset, Pricing, RenderingMode, Required, Resource, ResourceKind, Survey,
    Tracking, UniversalAdId, Url, Verification, VerificationKind, VerificationResource, Viewable, Wrapper,
};
pub use read::{MAX_ADS, MAX_BYTES, read};
pub use reader::MAX_PARTS;
pub use tree::{MAX_ATTRIBUTES, MAX_DEPTH, MAX_NODES};

use crate::place::Place;

/// A document, as far as it could be understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// What its root element is.
    pub root: Root,
    /// The `version` attribute as written.
    pub version: Option<Arc<str>>,
    /// Error addresses of the root: called when there is no ad. VAST 4.3 section 3.2.1.
    pub error_urls: Vec<Url>,
    /// The ads in document order.
    pub ads: Vec<Ad>,
    /// The breaks of a VMAP document in document order. None of them: no ads, and no fault.
    pub breaks: Vec<vmap::Break>,
    /// `Extension` elements of the root of a VMAP document, in document order.
    pub extensions: Vec<Extension>,
    /// Why nothing in it can be used, if so.
    pub fault: Option<Fault>,
    /// What was tolerated, in document order. A document inside a break has its own.
    pub warnings: Vec<Warning>,
}

/// The root element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Root {
    /// There is none: the text is empty or not XML.
    #[default]
    None,
    /// `VAST`.
    Vast,
    /// `VMAP`: breaks instead of ads.
    Vmap,
    /// `VideoAdServingTemplate`: VAST 1.0.
    Vast1,
    /// Anything else, by name.
    Other(Arc<str>),
}

/// Why a document gives nothing to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The VAST error code: 100 not XML, 101 not the schema, 102 not a version that is read.
    pub code: u16,
    /// What is wrong.
    pub text: Arc<str>,
    /// Where.
    pub at: Place,
}

/// Something that is not as the standard has it, and was tolerated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// A stable word for it, such as `duration-zero`.
    pub code: &'static str,
    /// What was found and how it was taken.
    pub text: Arc<str>,
    /// Where.
    pub at: Place,
}

/// What is quoted of a found text: its first line, and not much of that.
fn clip(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 60;
    let text = text.trim_end();
    let line = text.lines().next().unwrap_or_default();
    let short = line.char_indices().nth(LONGEST).map_or(line, |(end, _)| &line[..end]);
    if short.len() < text.len() { format!("{short}...").into() } else { short.into() }
}
