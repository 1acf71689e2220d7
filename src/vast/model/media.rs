//! The files of an ad.

use std::sync::Arc;

use serde::Serialize;

use super::{AdParameters, Url, written};
use crate::place::Place;

/// A `MediaFile` or a `Mezzanine`. VAST 4.3 sections 3.9.1, 3.9.2.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct MediaFile {
    /// Its address; empty if the element is empty.
    pub url: Arc<str>,
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// The MIME type as written.
    #[serde(rename = "type")]
    pub mime: Option<Arc<str>>,
    /// `progressive` or `streaming`, as written.
    pub delivery: Option<Arc<str>>,
    /// `codec` as written, such as `avc1.64001F`.
    pub codec: Option<Arc<str>>,
    /// Width in pixels.
    pub width: Option<u32>,
    /// Height in pixels.
    pub height: Option<u32>,
    /// Bitrate in kbit/s: `bitrate`, else the mean of the two bounds.
    pub bitrate: Option<u32>,
    /// `minBitrate` in kbit/s.
    pub min_bitrate: Option<u32>,
    /// `maxBitrate` in kbit/s.
    pub max_bitrate: Option<u32>,
    /// Whether it may be scaled. `None`: not said.
    pub scalable: Option<bool>,
    /// Whether its proportions are kept when it is. `None`: not said.
    pub maintain_aspect_ratio: Option<bool>,
    /// `fileSize` as written: a number of bytes, or with a unit as some write it.
    pub file_size: Option<Arc<str>>,
    /// `mediaType` as written, such as `2D` or `360`.
    pub media_type: Option<Arc<str>>,
    /// `apiFramework`, such as `VPAID`.
    pub api_framework: Option<Arc<str>>,
    /// For which `MediaFile` it stands: the `mediaFileId` that a file in an extension has.
    pub media_file_id: Option<Arc<str>>,
    /// Where the element stands.
    #[serde(serialize_with = "written::some_place")]
    pub at: Option<Place>,
}

/// An `InteractiveCreativeFile`. VAST 4.3 section 3.9.3.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct InteractiveFile {
    /// Its address, or a `data:` address; empty if it holds [`InteractiveFile::html`].
    #[serde(flatten)]
    pub url: Url,
    /// The MIME type as written.
    #[serde(rename = "type")]
    pub mime: Option<Arc<str>>,
    /// `apiFramework`, such as `SIMID`.
    pub api_framework: Option<Arc<str>>,
    /// Whether it may make the ad longer or shorter. `None`: not said.
    pub variable_duration: Option<bool>,
    /// `HTMLResource`: the unit itself, as the connected-TV addendum has it.
    pub html: Option<Arc<str>>,
    /// `AdParameters` of its own, as the connected-TV addendum has them.
    pub ad_parameters: Option<AdParameters>,
    /// For which `MediaFile` it stands: the `mediaFileId` that a file in an extension has.
    pub media_file_id: Option<Arc<str>>,
}

/// A `ClosedCaptionFile`. VAST 4.3 section 3.9.4.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaptionFile {
    /// Its address.
    #[serde(flatten)]
    pub url: Url,
    /// The MIME type as written.
    #[serde(rename = "type")]
    pub mime: Option<Arc<str>>,
    /// The language as written, such as `en`.
    pub language: Option<Arc<str>>,
}
