//! Resources and icons, which are shown on or next to an ad.

use std::sync::Arc;

use serde::Serialize;

use super::{Clicks, Url, written};
use playsim_base::place::Place;
use playsim_base::time::Span;

/// Content shown by an icon, an overlay or a companion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Hash)]
pub struct Resource {
    /// How it is provided.
    pub kind: ResourceKind,
    /// The URL or, for [`ResourceKind::Html`], the code itself, as written.
    pub content: Arc<str>,
    /// The MIME type of a static resource as written: `creativeType`.
    #[serde(rename = "type")]
    pub mime: Option<Arc<str>>,
    /// The `xmlEncoded` attribute of VAST 3.0's HTML code. `None`: not specified.
    pub xml_encoded: Option<bool>,
    /// The place of the element.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// How a resource is provided. VAST 4.3 section 3.15.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Hash)]
#[serde(rename_all = "lowercase")]
pub enum ResourceKind {
    /// `StaticResource`: the URL of an image or a script.
    Static,
    /// `IFrameResource`: the URL of a page.
    IFrame,
    /// `HTMLResource`: HTML code.
    Html,
}

impl ResourceKind {
    /// Returns the word for it in this program.
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
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Hash)]
pub struct Icon {
    /// The programme that it represents, such as `AdChoices`.
    pub program: Option<Arc<str>>,
    /// Width in pixels.
    pub width: Option<u32>,
    /// Height in pixels.
    pub height: Option<u32>,
    /// `xPosition`, from the left.
    #[serde(serialize_with = "written::position")]
    pub x: Option<IconPosition>,
    /// `yPosition`, from the top.
    #[serde(serialize_with = "written::position")]
    pub y: Option<IconPosition>,
    /// How long after the start of the ad it appears. `None`: immediately.
    #[serde(rename = "offset_us", serialize_with = "written::micros")]
    pub offset: Option<Span>,
    /// How long it stays. `None`: until the end of the ad.
    #[serde(rename = "duration_us", serialize_with = "written::micros")]
    pub duration: Option<Span>,
    /// `apiFramework` as written.
    pub api_framework: Option<Arc<str>>,
    /// `pxratio` as written: device pixels per pixel.
    pub px_ratio: Option<Arc<str>>,
    /// `altText` as written.
    pub alt_text: Option<Arc<str>>,
    /// `hoverText` as written.
    pub hover_text: Option<Arc<str>>,
    /// `regs` of the connected-TV addendum as written: `1` for the European Digital Services Act.
    pub regs: Option<Arc<str>>,
    /// Its resources in document order; one of them is shown.
    pub resources: Vec<Resource>,
    /// `IconClicks`.
    pub clicks: Clicks,
    /// `IconClickFallbackImage` elements: shown on a click if no page can be opened.
    pub fallback_images: Vec<FallbackImage>,
    /// URLs requested when it is shown.
    pub view_tracking: Vec<Url>,
    /// The place of the element.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// The position of an icon along one side of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IconPosition {
    /// `left` or `top`.
    Near,
    /// `right` or `bottom`.
    Far,
    /// Pixels from the left or the top.
    Pixels(u32),
    /// A fraction of the picture in millionths, as in the 4.4 draft.
    Share(u32),
}

/// An `IconClickFallbackImage`. VAST 4.3 section 3.11.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Hash)]
pub struct FallbackImage {
    /// Width in pixels.
    pub width: Option<u32>,
    /// Height in pixels.
    pub height: Option<u32>,
    /// `AltText`.
    pub alt_text: Option<Arc<str>>,
    /// Its resources.
    pub resources: Vec<Resource>,
    /// The place of the element.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}
