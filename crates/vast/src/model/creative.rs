//! One `Creative`: linear, overlays or companions.

use std::sync::Arc;

use serde::Serialize;

use super::{
    AdParameters, CaptionFile, Clicks, Extension, Icon, InteractiveFile, MediaFile, Offset,
    Resource, Tracking, UniversalAdId, written,
};
use playsim_base::place::Place;
use playsim_base::time::Span;

/// One `Creative`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Creative {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// The `sequence` attribute: its order within the ad.
    pub sequence: Option<u32>,
    /// `adId`, spelled `AdID` up to VAST 3.0: the id of the creative at the ad server.
    pub ad_id: Option<Arc<str>>,
    /// `apiFramework` as written.
    pub api_framework: Option<Arc<str>>,
    /// The `UniversalAdId` elements; in old versions those of extensions.
    pub universal_ids: Vec<UniversalAdId>,
    /// Its content.
    pub kind: CreativeKind,
    /// Further content, which the standard does not allow: kept in document order.
    pub also: Vec<CreativeKind>,
    /// `CreativeExtension` elements in document order.
    pub extensions: Vec<Extension>,
    /// The place of the `Creative` element.
    pub at: Place,
}

impl Creative {
    /// Returns its companions, even if it also holds a linear ad or overlays.
    pub fn companions(&self) -> impl Iterator<Item = &CompanionAds> {
        [&self.kind]
            .into_iter()
            .chain(&self.also)
            .filter_map(|kind| match kind {
                CreativeKind::Companions(companions) => Some(companions),
                CreativeKind::Linear(_) | CreativeKind::NonLinear(_) | CreativeKind::Empty => None,
            })
    }
}

/// The content of a creative.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every creative is linear; a box would save nothing there"
)]
pub enum CreativeKind {
    /// A linear ad, or in a wrapper the trackers and clicks for one.
    Linear(Linear),
    /// Overlays.
    NonLinear(NonLinearAds),
    /// Companions.
    Companions(CompanionAds),
    /// None of the known children.
    #[default]
    Empty,
}

/// A `Linear` element. VAST 4.3 section 3.8.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Linear {
    /// `Duration`. `None` if it is missing, unreadable or zero: the length of the media is used.
    pub duration: Option<Span>,
    /// The offset from which it can be skipped; `None`: never.
    pub skip_offset: Option<Offset>,
    /// `AdParameters`.
    pub ad_parameters: Option<AdParameters>,
    /// `MediaFile` elements in document order. Mezzanine files are never here.
    pub media_files: Vec<MediaFile>,
    /// `Mezzanine` elements: for stitching, never played. VAST 4.3 section 3.9.2.
    pub mezzanines: Vec<MediaFile>,
    /// `InteractiveCreativeFile` elements in document order: tried first, never played as media.
    pub interactive_files: Vec<InteractiveFile>,
    /// `ClosedCaptionFile` elements in document order.
    pub captions: Vec<CaptionFile>,
    /// Trackers in document order.
    pub tracking: Vec<Tracking>,
    /// Clicks.
    pub clicks: Clicks,
    /// `Icon` elements in document order.
    pub icons: Vec<Icon>,
    /// VAST 3.0's `CreativeExtension` elements inside it.
    pub extensions: Vec<Extension>,
}

/// A `NonLinearAds` element. VAST 4.3 section 3.12.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct NonLinearAds {
    /// `NonLinear` elements in document order: alternatives, of which one is shown. In a wrapper
    /// they hold only clicks.
    pub choices: Vec<NonLinear>,
    /// The offset from which closing it is a skip; `None`: never. Not in the standard.
    pub skip_offset: Option<Offset>,
    /// Trackers in document order.
    pub tracking: Vec<Tracking>,
    /// `Icon` elements, which the 4.4 draft has here.
    pub icons: Vec<Icon>,
}

impl NonLinearAds {
    /// Returns the `minSuggestedDuration` of the first alternative.
    #[must_use]
    pub fn min_suggested_duration(&self) -> Option<Span> {
        self.choices
            .first()
            .and_then(|choice| choice.min_suggested_duration)
    }

    /// Returns the clicks of the first alternative.
    #[must_use]
    pub fn clicks(&self) -> Option<&Clicks> {
        self.choices.first().map(|choice| &choice.clicks)
    }
}

/// A `NonLinear` element.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Hash)]
pub struct NonLinear {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// Width in pixels.
    pub width: Option<u32>,
    /// Height in pixels.
    pub height: Option<u32>,
    /// Width in pixels when it is expanded.
    pub expanded_width: Option<u32>,
    /// Height in pixels when it is expanded.
    pub expanded_height: Option<u32>,
    /// Whether it may be scaled. `None`: not specified.
    pub scalable: Option<bool>,
    /// Whether scaling keeps its proportions. `None`: not specified.
    pub maintain_aspect_ratio: Option<bool>,
    /// The suggested minimum time on screen. Never zero.
    #[serde(
        rename = "min_suggested_duration_us",
        serialize_with = "written::micros"
    )]
    pub min_suggested_duration: Option<Span>,
    /// `apiFramework` as written.
    pub api_framework: Option<Arc<str>>,
    /// Its resources in document order; one of them is shown.
    pub resources: Vec<Resource>,
    /// Clicks.
    pub clicks: Clicks,
    /// `AdParameters`.
    pub ad_parameters: Option<AdParameters>,
    /// `Duration`, which the 4.4 draft has here. Never zero.
    #[serde(rename = "duration_us", serialize_with = "written::micros")]
    pub duration: Option<Span>,
    /// `MediaFile` elements, which the 4.4 draft and connected TV have here.
    pub media_files: Vec<MediaFile>,
    /// `Mezzanine` elements next to them.
    pub mezzanines: Vec<MediaFile>,
    /// `InteractiveCreativeFile` elements next to them.
    pub interactive_files: Vec<InteractiveFile>,
    /// `ClosedCaptionFile` elements next to them.
    pub captions: Vec<CaptionFile>,
    /// VAST 3.0's `CreativeExtension` elements inside it.
    pub extensions: Vec<Extension>,
    /// The place of the element.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// A `CompanionAds` element. VAST 4.3 section 3.13.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Hash)]
pub struct CompanionAds {
    /// How many of them must be shown with the ad. `None`: not specified, which means none.
    pub required: Option<Required>,
    /// `Companion` elements in document order.
    pub companions: Vec<Companion>,
    /// The place of the element.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

impl CompanionAds {
    /// Returns the companion that is shown if any one suffices: the first with a resource.
    #[must_use]
    pub fn shown(&self) -> Option<&Companion> {
        self.companions
            .iter()
            .find(|companion| !companion.resources.is_empty())
    }
}

/// The `required` attribute of `CompanionAds`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Hash)]
#[serde(rename_all = "lowercase")]
pub enum Required {
    /// `all`.
    All,
    /// `any`.
    Any,
    /// `none`.
    None,
}

impl Required {
    /// Returns VAST's keyword for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Required::All => "all",
            Required::Any => "any",
            Required::None => "none",
        }
    }
}

/// A `Companion` element.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Hash)]
pub struct Companion {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// Width of its slot in pixels.
    pub width: Option<u32>,
    /// Height of its slot in pixels.
    pub height: Option<u32>,
    /// Width of its content in pixels.
    pub asset_width: Option<u32>,
    /// Height of its content in pixels.
    pub asset_height: Option<u32>,
    /// Width in pixels when it is expanded.
    pub expanded_width: Option<u32>,
    /// Height in pixels when it is expanded.
    pub expanded_height: Option<u32>,
    /// `apiFramework` as written.
    pub api_framework: Option<Arc<str>>,
    /// `adSlotId`, spelled `adSlotID` in VAST 4.0: the slot on the page that it is for.
    pub ad_slot_id: Option<Arc<str>>,
    /// `pxratio` as written: device pixels per pixel.
    pub px_ratio: Option<Arc<str>>,
    /// When it is shown. `None`: not specified.
    #[serde(serialize_with = "rendering_word")]
    pub rendering_mode: Option<RenderingMode>,
    /// Its resources in document order; one of them is shown.
    pub resources: Vec<Resource>,
    /// `CompanionClickThrough` and `CompanionClickTracking`.
    pub clicks: Clicks,
    /// `AltText`.
    pub alt_text: Option<Arc<str>>,
    /// `AdParameters`.
    pub ad_parameters: Option<AdParameters>,
    /// The trackers in document order; the only event in the standard is `creativeView`.
    pub tracking: Vec<Tracking>,
    /// `CreativeExtension` elements in document order.
    pub extensions: Vec<Extension>,
    /// The place of the element.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// The `renderingMode` attribute of a companion. VAST 4.3 section 3.13.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RenderingMode {
    /// `default`: the player decides.
    Default,
    /// `end-card`: after the linear ad.
    EndCard,
    /// `concurrent`: during the linear ad.
    Concurrent,
    /// Anything else, as written.
    Other(Arc<str>),
}

impl RenderingMode {
    /// Returns VAST's keyword for it.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            RenderingMode::Default => "default",
            RenderingMode::EndCard => "end-card",
            RenderingMode::Concurrent => "concurrent",
            RenderingMode::Other(written) => written,
        }
    }
}

fn rendering_word<S: serde::Serializer>(
    mode: &Option<RenderingMode>,
    to: S,
) -> Result<S::Ok, S::Error> {
    mode.as_ref().map(RenderingMode::word).serialize(to)
}
