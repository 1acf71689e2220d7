//! The files of an ad.

use std::sync::Arc;

use serde::Serialize;

use super::{AdParameters, Url, written};
use playsim_base::place::Place;

/// A `MediaFile` or a `Mezzanine`. VAST 4.3 sections 3.9.1, 3.9.2.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Hash)]
pub struct MediaFile {
    /// Its URL; empty if the element is empty.
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
    /// Bitrate in kbit/s: `bitrate` or, if it is missing, the mean of the two bounds.
    pub bitrate: Option<u32>,
    /// `minBitrate` in kbit/s.
    pub min_bitrate: Option<u32>,
    /// `maxBitrate` in kbit/s.
    pub max_bitrate: Option<u32>,
    /// Whether it may be scaled. `None`: not specified.
    pub scalable: Option<bool>,
    /// Whether scaling keeps its proportions. `None`: not specified.
    pub maintain_aspect_ratio: Option<bool>,
    /// `fileSize` as written: a number of bytes; some documents add a unit.
    pub file_size: Option<Arc<str>>,
    /// `mediaType` as written, such as `2D` or `360`.
    pub media_type: Option<Arc<str>>,
    /// `apiFramework`, such as `VPAID`.
    pub api_framework: Option<Arc<str>>,
    /// The `MediaFile` that it replaces: the `mediaFileId` of a file in an extension.
    pub media_file_id: Option<Arc<str>>,
    /// The place of the element.
    #[serde(serialize_with = "written::some_place")]
    pub at: Option<Place>,
}

/// An `InteractiveCreativeFile`. VAST 4.3 section 3.9.3.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Hash)]
pub struct InteractiveFile {
    /// Its URL, which may be a `data:` URL; empty if [`InteractiveFile::html`] is set.
    #[serde(flatten)]
    pub url: Url,
    /// The MIME type as written.
    #[serde(rename = "type")]
    pub mime: Option<Arc<str>>,
    /// `apiFramework`, such as `SIMID`.
    pub api_framework: Option<Arc<str>>,
    /// Whether it may change the length of the ad. `None`: not specified.
    pub variable_duration: Option<bool>,
    /// `HTMLResource`: the unit itself, as in the connected-TV addendum.
    pub html: Option<Arc<str>>,
    /// Its own `AdParameters`, as in the connected-TV addendum.
    pub ad_parameters: Option<AdParameters>,
    /// The `MediaFile` that it replaces: the `mediaFileId` of a file in an extension.
    pub media_file_id: Option<Arc<str>>,
}

/// A `ClosedCaptionFile`. VAST 4.3 section 3.9.4.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Hash)]
pub struct CaptionFile {
    /// Its URL.
    #[serde(flatten)]
    pub url: Url,
    /// The MIME type as written.
    #[serde(rename = "type")]
    pub mime: Option<Arc<str>>,
    /// The language as written, such as `en`.
    pub language: Option<Arc<str>>,
}
