//! The content of a document as types: ads, creatives, and their common parts.
//!
//! Everything that VAST 2.0 to 4.3, the 4.4 draft and the connected-TV forms define is here. Fields
//! that the engine does not use are kept as well, so that the model shows the whole document.

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
    Companion, CompanionAds, Creative, CreativeKind, Linear, NonLinear, NonLinearAds,
    RenderingMode, Required,
};
pub use display::{FallbackImage, Icon, IconPosition, Resource, ResourceKind};
pub use media::{CaptionFile, InteractiveFile, MediaFile};

use super::tracked::TrackedEvent;
use playsim_base::place::Place;
use playsim_base::time::Span;

/// A URL as written, without white space around it, before macro expansion.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Hash)]
pub struct Url {
    /// The URL.
    #[serde(rename = "url")]
    pub text: Arc<str>,
    /// The `id` attribute of the impression, click or tracker.
    pub id: Option<Arc<str>>,
    /// The place of its element.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

impl Url {
    /// Returns a URL without an `id`.
    pub fn new(text: impl Into<Arc<str>>, at: Place) -> Url {
        Url {
            text: text.into(),
            id: None,
            at,
        }
    }
}

/// A point on an ad's own timeline. VAST 4.3 sections 3.8, 3.14.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Offset {
    /// This long after its start.
    At(Span),
    /// A fraction of its duration, in millionths: 25 % is 250000.
    Share(u32),
}

/// A `Tracking` element.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tracking {
    /// The event, as written.
    pub event: TrackedEvent,
    /// Its URL.
    pub url: Url,
    /// The offset of `progress`. An unreadable one is `None`, with a warning: the tracker is never
    /// requested.
    pub offset: Option<Offset>,
}

/// `VideoClicks`, and the clicks of overlays, companions and icons. VAST 4.3 section 3.10.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Clicks {
    /// The URL that a click opens.
    pub through: Option<Url>,
    /// URLs requested on a click.
    pub tracking: Vec<Url>,
    /// URLs requested on other clicks.
    pub custom: Vec<Url>,
}

/// `AdParameters`: data for a scripted creative. VAST 4.3 section 3.8.2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Hash)]
pub struct AdParameters {
    /// The data as written.
    pub text: Arc<str>,
    /// The `xmlEncoded` attribute. `None`: not specified.
    pub xml_encoded: Option<bool>,
    /// The place of the element.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// A `UniversalAdId`. VAST 4.3 section 3.7.1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Hash)]
pub struct UniversalAdId {
    /// The registry of the id: `idRegistry`.
    pub registry: Option<Arc<str>>,
    /// The id: the element's text, or VAST 4.0's `idValue` if it has none.
    pub value: Option<Arc<str>>,
    /// The `idValue` attribute as written, which only VAST 4.0 has.
    pub id_value: Option<Arc<str>>,
    /// The place of the element, which in old versions is inside an extension.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// An `Extension` or a `CreativeExtension`: kept as written. VAST 4.3 section 3.18.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Hash)]
pub struct Extension {
    /// The `type` attribute.
    #[serde(rename = "type")]
    pub kind: Option<Arc<str>>,
    /// Its other attributes by name, in document order.
    pub attributes: Vec<(Arc<str>, Arc<str>)>,
    /// The source of the whole element, including its tags.
    pub xml: Arc<str>,
    /// Its place.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

impl Extension {
    /// Returns an attribute other than `type`, such as `fallback_index`.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(found, _)| **found == *name)
            .map(|(_, value)| &**value)
    }
}
