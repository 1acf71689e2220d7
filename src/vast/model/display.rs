//! What is shown over or beside an ad: resources and icons.

use std::sync::Arc;

use serde::Serialize;

use super::{Clicks, Url, written};
use crate::place::Place;
use crate::time::Span;

/// What an icon, an overlay or a companion shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resource {
    /// How it is given.
    pub kind: ResourceKind,
    /// An address, or for [`ResourceKind::Html`] the code itself, as written.
    pub content: Arc<str>,
    /// The MIME type of a static resource as written: `creativeType`.
    #[serde(rename = "type")]
    pub mime: Option<Arc<str>>,
    /// The `xmlEncoded` attribute of VAST 3.0's HTML code. `None`: not said.
    pub xml_encoded: Option<bool>,
    /// Where the element stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// How a resource is given. VAST 4.3 section 3.15.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ResourceKind {
    /// `StaticResource`: the address of an image or a script.
    Static,
    /// `IFrameResource`: the address of a page.
    IFrame,
    /// `HTMLResource`: HTML code.
    Html,
}

impl ResourceKind {
    /// The word that this program has for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            ResourceKind::Static => "static",
            ResourceKind::IFrame => "iframe",
            ResourceKind::Html => "html",
        }
    }
}

/// An `Icon`. VAST 4.3 section 3.11.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Icon {
    /// Which programme it stands for, such as `AdChoices`.
    pub program: Option<Arc<str>>,
    /// Width in pixels.
    pub width: Option<u32>,
    /// Height in pixels.
    pub height: Option<u32>,
    /// `xPosition`: from the left.
    #[serde(serialize_with = "written::position")]
    pub x: Option<IconPosition>,
    /// `yPosition`: from the top.
    #[serde(serialize_with = "written::position")]
    pub y: Option<IconPosition>,
    /// How long after the ad's start it comes. `None`: at once.
    #[serde(rename = "offset_us", serialize_with = "written::micros")]
    pub offset: Option<Span>,
    /// How long it stays. `None`: to the ad's end.
    #[serde(rename = "duration_us", serialize_with = "written::micros")]
    pub duration: Option<Span>,
    /// `apiFramework` as written.
    pub api_framework: Option<Arc<str>>,
    /// `pxratio` as written: device pixels to one pixel.
    pub px_ratio: Option<Arc<str>>,
    /// `altText` as written.
    pub alt_text: Option<Arc<str>>,
    /// `hoverText` as written.
    pub hover_text: Option<Arc<str>>,
    /// `regs` of the connected-TV addendum as written: `1` for the European Digital Services Act.
    pub regs: Option<Arc<str>>,
    /// What it shows, in document order; one of them is chosen.
    pub resources: Vec<Resource>,
    /// `IconClicks`.
    pub clicks: Clicks,
    /// `IconClickFallbackImage` elements: shown on a click where no page can be opened.
    pub fallback_images: Vec<FallbackImage>,
    /// Addresses called when it is shown.
    pub view_tracking: Vec<Url>,
    /// Where the element stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// Where an icon stands along one side of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IconPosition {
    /// `left` or `top`.
    Near,
    /// `right` or `bottom`.
    Far,
    /// So many pixels from the left or the top.
    Pixels(u32),
    /// A share of the picture in millionths, as the 4.4 draft has it.
    Share(u32),
}

/// An `IconClickFallbackImage`. VAST 4.3 section 3.11.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct FallbackImage {
    /// Width in pixels.
    pub width: Option<u32>,
    /// Height in pixels.
    pub height: Option<u32>,
    /// `AltText`.
    pub alt_text: Option<Arc<str>>,
    /// What it shows.
    pub resources: Vec<Resource>,
    /// Where the element stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}
