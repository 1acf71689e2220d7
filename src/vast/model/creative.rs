//! One `Creative`: linear, overlays, companions.

use std::sync::Arc;

use serde::Serialize;

use super::{
    AdParameters, CaptionFile, Clicks, Extension, Icon, InteractiveFile, MediaFile, Offset, Resource,
    Tracking, UniversalAdId, written,
};
use crate::place::Place;
use crate::time::Span;

/// One `Creative`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Creative {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// The `sequence` attribute: its order within the ad.
    pub sequence: Option<u32>,
    /// `adId`, which up to VAST 3.0 is `AdID`: the ad server's name for it.
    pub ad_id: Option<Arc<str>>,
    /// `apiFramework` as written.
    pub api_framework: Option<Arc<str>>,
    /// `UniversalAdId` elements, in old versions those of extensions.
    pub universal_ids: Vec<UniversalAdId>,
    /// What it holds.
    pub kind: CreativeKind,
    /// What else it holds, which the standard does not foresee: kept, in document order.
    pub also: Vec<CreativeKind>,
    /// `CreativeExtension` elements in document order.
    pub extensions: Vec<Extension>,
    /// Where the `Creative` element stands.
    pub at: Place,
}

impl Creative {
    /// Its companions, also where it holds a linear ad or overlays beside them.
    pub fn companions(&self) -> impl Iterator<Item = &CompanionAds> {
        [&self.kind].into_iter().chain(&self.also).filter_map(|kind| match kind {
            CreativeKind::Companions(companions) => Some(companions),
            CreativeKind::Linear(_) | CreativeKind::NonLinear(_) | CreativeKind::Empty => None,
        })
    }
}

/// What a creative holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Linear {
    /// `Duration`; `None` if missing, unreadable or zero: then the media's length counts.
    pub duration: Option<Span>,
    /// From when on it can be skipped; `None`: never.
    pub skip_offset: Option<Offset>,
    /// `AdParameters`.
    pub ad_parameters: Option<AdParameters>,
    /// `MediaFile` elements in document order. Mezzanine files are never here.
    pub media_files: Vec<MediaFile>,
    /// `Mezzanine` elements: for stitching, never played. VAST 4.3 section 3.9.2.
    pub mezzanines: Vec<MediaFile>,
    /// `InteractiveCreativeFile` elements in document order: tried first, never the media itself.
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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NonLinearAds {
    /// `NonLinear` elements in document order: choices, of which one is shown. In a wrapper they hold
    /// clicks alone.
    pub choices: Vec<NonLinear>,
    /// From when on closing it is a skip; `None`: it never is. An extension: the standard has none.
    pub skip_offset: Option<Offset>,
    /// Trackers in document order.
    pub tracking: Vec<Tracking>,
    /// `Icon` elements, which the 4.4 draft has here.
    pub icons: Vec<Icon>,
}

impl NonLinearAds {
    /// The first choice's `minSuggestedDuration`.
    #[must_use]
    pub fn min_suggested_duration(&self) -> Option<Span> {
        self.choices.first().and_then(|choice| choice.min_suggested_duration)
    }

    /// The first choice's clicks.
    #[must_use]
    pub fn clicks(&self) -> Option<&Clicks> {
        self.choices.first().map(|choice| &choice.clicks)
    }
}

/// A `NonLinear` element.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
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
    /// Whether it may be scaled. `None`: not said.
    pub scalable: Option<bool>,
    /// Whether its proportions are kept when it is. `None`: not said.
    pub maintain_aspect_ratio: Option<bool>,
    /// How long it should show at least. Never zero.
    #[serde(rename = "min_suggested_duration_us", serialize_with = "written::micros")]
    pub min_suggested_duration: Option<Span>,
    /// `apiFramework` as written.
    pub api_framework: Option<Arc<str>>,
    /// What it shows, in document order; one of them is chosen.
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
    /// `Mezzanine` elements beside them.
    pub mezzanines: Vec<MediaFile>,
    /// `InteractiveCreativeFile` elements beside them.
    pub interactive_files: Vec<InteractiveFile>,
    /// `ClosedCaptionFile` elements beside them.
    pub captions: Vec<CaptionFile>,
    /// VAST 3.0's `CreativeExtension` elements inside it.
    pub extensions: Vec<Extension>,
    /// Where the element stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// A `CompanionAds` element. VAST 4.3 section 3.13.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CompanionAds {
    /// How many of them must be shown with the ad. `None`: not said, which means none.
    pub required: Option<Required>,
    /// `Companion` elements in document order.
    pub companions: Vec<Companion>,
    /// Where the element stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

impl CompanionAds {
    /// The one that is shown where any will do: the first that has something to show.
    #[must_use]
    pub fn shown(&self) -> Option<&Companion> {
        self.companions.iter().find(|companion| !companion.resources.is_empty())
    }
}

/// The `required` attribute of `CompanionAds`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
    /// The word that VAST has for it.
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
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Companion {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// Width of its slot in pixels.
    pub width: Option<u32>,
    /// Height of its slot in pixels.
    pub height: Option<u32>,
    /// Width of what it shows in pixels.
    pub asset_width: Option<u32>,
    /// Height of what it shows in pixels.
    pub asset_height: Option<u32>,
    /// Width in pixels when it is expanded.
    pub expanded_width: Option<u32>,
    /// Height in pixels when it is expanded.
    pub expanded_height: Option<u32>,
    /// `apiFramework` as written.
    pub api_framework: Option<Arc<str>>,
    /// `adSlotId`, which VAST 4.0 spells `adSlotID`: which slot of the page it is for.
    pub ad_slot_id: Option<Arc<str>>,
    /// `pxratio` as written: device pixels to one pixel.
    pub px_ratio: Option<Arc<str>>,
    /// When it is to be shown. `None`: not said.
    #[serde(serialize_with = "rendering_word")]
    pub rendering_mode: Option<RenderingMode>,
    /// What it shows, in document order; one of them is chosen.
    pub resources: Vec<Resource>,
    /// `CompanionClickThrough` and `CompanionClickTracking`.
    pub clicks: Clicks,
    /// `AltText`.
    pub alt_text: Option<Arc<str>>,
    /// `AdParameters`.
    pub ad_parameters: Option<AdParameters>,
    /// Trackers in document order; `creativeView` is the only event that the standard has.
    pub tracking: Vec<Tracking>,
    /// `CreativeExtension` elements in document order.
    pub extensions: Vec<Extension>,
    /// Where the element stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// The `renderingMode` attribute of a companion. VAST 4.3 section 3.13.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderingMode {
    /// `default`: as the player likes.
    Default,
    /// `end-card`: behind the linear ad.
    EndCard,
    /// `concurrent`: together with the linear ad.
    Concurrent,
    /// Anything else, as written.
    Other(Arc<str>),
}

impl RenderingMode {
    /// The word that VAST has for it.
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

fn rendering_word<S: serde::Serializer>(mode: &Option<RenderingMode>, to: S) -> Result<S::Ok, S::Error> {
    mode.as_ref().map(RenderingMode::word).serialize(to)
}
