//! What a document holds, as types: ads, creatives, and what these share.
//!
//! Everything that VAST 2.0 to 4.3, the 4.4 draft and the connected-TV forms define has its place here. A field
//! that the engine has no use for is kept all the same, so that a reader of the model sees the whole document.

mod ad;
mod creative;
mod display;
mod media;
mod written;

use std::sync::Arc;

use serde::Serialize;

pub use ad::{
    Ad, AdKind, AdType, Category, Children, Pricing, Survey, Verification, VerificationKind,
    VerificationResource, Viewable, Wrapper,
};
pub use creative::{
    Companion, CompanionAds, Creative, CreativeKind, Linear, NonLinear, NonLinearAds, RenderingMode, Required,
};
pub use display::{FallbackImage, Icon, IconPosition, Resource, ResourceKind};
pub use media::{CaptionFile, InteractiveFile, MediaFile};

use crate::place::Place;
use crate::time::Span;

/// An address as written, blanks around it taken off, macros not filled.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Url {
    /// The text.
    #[serde(rename = "url")]
    pub text: Arc<str>,
    /// The `id` attribute of its element: of an impression, a click, a tracker.
    pub id: Option<Arc<str>>,
    /// Where its element stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

impl Url {
    /// An address without an `id`.
    pub fn new(text: impl Into<Arc<str>>, at: Place) -> Url {
        Url { text: text.into(), id: None, at }
    }
}

/// A point on an ad's own timeline. VAST 4.3 sections 3.8, 3.14.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offset {
    /// So long after its start.
    At(Span),
    /// A share of its duration, in millionths: 25 % is 250000.
    Share(u32),
}

/// A `Tracking` element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracking {
    /// Which event, as written.
    pub event: Arc<str>,
    /// Its address.
    pub url: Url,
    /// When, for `progress`; an unreadable offset is `None` with a warning, and then never comes.
    pub offset: Option<Offset>,
}

/// `VideoClicks`, and the clicks of overlays, companions and icons. VAST 4.3 section 3.10.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clicks {
    /// Where a click leads.
    pub through: Option<Url>,
    /// Addresses called on a click.
    pub tracking: Vec<Url>,
    /// Addresses called on other clicks.
    pub custom: Vec<Url>,
}

/// `AdParameters`: data for a scripted creative. VAST 4.3 section 3.8.2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AdParameters {
    /// The data as written.
    pub text: Arc<str>,
    /// The `xmlEncoded` attribute. `None`: not said.
    pub xml_encoded: Option<bool>,
    /// Where the element stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// A `UniversalAdId`. VAST 4.3 section 3.7.1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UniversalAdId {
    /// Who gave the id: `idRegistry`.
    pub registry: Option<Arc<str>>,
    /// The id: the element's text, or VAST 4.0's `idValue` if it has none.
    pub value: Option<Arc<str>>,
    /// The `idValue` attribute as written; only VAST 4.0 has one.
    pub id_value: Option<Arc<str>>,
    /// Where the element stands, which in old versions is inside an extension.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// An `Extension` or a `CreativeExtension`: kept as written. VAST 4.3 section 3.18.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Extension {
    /// The `type` attribute.
    #[serde(rename = "type")]
    pub kind: Option<Arc<str>>,
    /// Its other attributes by name, in document order.
    pub attributes: Vec<(Arc<str>, Arc<str>)>,
    /// The whole element as it stands in the document, tags included.
    pub xml: Arc<str>,
    /// Where it stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

impl Extension {
    /// An attribute other than `type`, such as `fallback_index`.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(found, _)| **found == *name).map(|(_, value)| &**value)
    }
}
