//! One `Ad` and what stands right inside `InLine` and `Wrapper`.

use std::sync::Arc;

use serde::Serialize;

use super::{Creative, Extension, Tracking, Url, written};
use crate::place::Place;
use crate::time::Span;

/// One `Ad`. What a wrapper cannot hold is empty there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ad {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// The `sequence` attribute: its place in a VAST pod.
    pub sequence: Option<u32>,
    /// The `adType` attribute. `None`: not said, which means video.
    pub ad_type: Option<AdType>,
    /// The `conditionalAd` attribute, which VAST 4.1 gave up. `None`: not said.
    pub conditional: Option<bool>,
    /// Whether the ad is here or elsewhere.
    pub kind: AdKind,
    /// Who serves it.
    pub ad_system: Option<Arc<str>>,
    /// The `version` attribute of `AdSystem`.
    pub ad_system_version: Option<Arc<str>>,
    /// Its title.
    pub title: Option<Arc<str>>,
    /// `AdServingId`: one id for this serving over all who take part. VAST 4.3 section 3.4.3.
    pub serving_id: Option<Arc<str>>,
    /// `Description`.
    pub description: Option<Arc<str>>,
    /// `Advertiser`.
    pub advertiser: Option<Arc<str>>,
    /// The `id` attribute of `Advertiser`.
    pub advertiser_id: Option<Arc<str>>,
    /// `Pricing`; of a chain only the outermost counts. VAST 4.3 section 3.4.8.
    pub pricing: Option<Pricing>,
    /// `Survey`, which VAST 4.1 gave up.
    pub survey: Option<Survey>,
    /// `Expires`: how long the answer may be kept before it is used. VAST 4.3 section 3.4.10.
    pub expires: Option<Span>,
    /// `Category` elements in document order. VAST 4.3 section 3.4.5.
    pub categories: Vec<Category>,
    /// Addresses called when the ad starts.
    pub impressions: Vec<Url>,
    /// Addresses called when the ad fails.
    pub errors: Vec<Url>,
    /// `ViewableImpression`. VAST 4.3 section 3.5.
    pub viewable: Option<Viewable>,
    /// `Verification` elements in document order, those of `AdVerifications` before those of extensions.
    pub verifications: Vec<Verification>,
    /// Its creatives in document order.
    pub creatives: Vec<Creative>,
    /// `Extension` elements in document order.
    pub extensions: Vec<Extension>,
    /// Where the `Ad` element stands.
    pub at: Place,
}

/// What stands inside an `Ad`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum AdKind {
    /// `InLine`: the ad itself.
    #[default]
    Inline,
    /// `Wrapper`: another document holds it.
    Wrapper(Wrapper),
    /// Neither child, or both: code 101 for this ad.
    Broken(Children),
}

/// Which children an unusable `Ad` has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Children {
    /// Neither of the two.
    Neither,
    /// Both.
    Both,
}

impl Children {
    /// What the ad holds, in words.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Children::Neither => "neither InLine nor Wrapper",
            Children::Both => "both InLine and Wrapper",
        }
    }
}

/// The `adType` attribute. VAST 4.3 section 3.3.2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdType {
    /// `video`.
    Video,
    /// `audio`.
    Audio,
    /// `hybrid`.
    Hybrid,
    /// Anything else, as written.
    Other(Arc<str>),
}

impl AdType {
    /// The word that VAST has for it.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            AdType::Video => "video",
            AdType::Audio => "audio",
            AdType::Hybrid => "hybrid",
            AdType::Other(written) => written,
        }
    }
}

/// The redirection of a wrapper. VAST 4.3 section 3.19.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrapper {
    /// `VASTAdTagURI`; `None` if it is missing or empty.
    pub tag_uri: Option<Url>,
    /// Whether a wrapper in the answer may be followed. Default true.
    pub follow_additional_wrappers: bool,
    /// Whether the answer may be a VAST pod. Default false.
    pub allow_multiple_ads: bool,
    /// Whether another ad of this document may stand in if the answer has none. `None`: not said.
    pub fallback_on_no_ad: Option<bool>,
    /// `BlockedAdCategories`: what the ad may not be about. VAST 4.3 section 3.19.2.
    pub blocked_categories: Vec<Category>,
}

/// As if no attribute were written.
impl Default for Wrapper {
    fn default() -> Wrapper {
        Wrapper {
            tag_uri: None,
            follow_additional_wrappers: true,
            allow_multiple_ads: false,
            fallback_on_no_ad: None,
            blocked_categories: Vec::new(),
        }
    }
}

/// A `Category` or a `BlockedAdCategories`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Category {
    /// Whose list of categories it is from.
    pub authority: Option<Arc<str>>,
    /// The category as written; `BlockedAdCategories` may hold several, with commas between.
    pub text: Arc<str>,
    /// Where the element stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

impl Category {
    /// The categories in the text, which are parted by commas; none is empty.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.text.split(',').map(str::trim).filter(|code| !code.is_empty())
    }
}

/// A `Pricing` element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pricing {
    /// The price as written, such as `25.00`.
    pub value: Arc<str>,
    /// The `model` attribute as written, such as `CPM`.
    pub model: Option<Arc<str>>,
    /// The `currency` attribute as written, such as `USD`.
    pub currency: Option<Arc<str>>,
    /// Where the element stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// A `Survey` element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Survey {
    /// Its address.
    #[serde(flatten)]
    pub url: Url,
    /// The MIME type as written.
    #[serde(rename = "type")]
    pub mime: Option<Arc<str>>,
}

/// A `ViewableImpression`: one of the three lists is called, once per ad.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Viewable {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// Called when the ad was seen.
    pub viewable: Vec<Url>,
    /// Called when it was not.
    pub not_viewable: Vec<Url>,
    /// Called when nobody can tell.
    pub undetermined: Vec<Url>,
    /// Where the element stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// A `Verification`. VAST 4.3 section 3.17.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Verification {
    /// Who verifies.
    pub vendor: Option<Arc<str>>,
    /// What is to be run, in document order.
    pub resources: Vec<VerificationResource>,
    /// `VerificationParameters`: handed to the resource.
    pub parameters: Option<Arc<str>>,
    /// Trackers; `verificationNotExecuted` is the only event that the standard has.
    pub tracking: Vec<Tracking>,
    /// VAST 4.0's `ViewableImpression` of a verification: an address of its own.
    pub viewable: Option<Url>,
    /// Whether it stands in an extension, as in versions before 4.0.
    pub in_extension: bool,
    /// Where the element stands.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// A `JavaScriptResource`, an `ExecutableResource` or a `FlashResource` of a verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VerificationResource {
    /// Which of the three.
    pub kind: VerificationKind,
    /// Its address.
    #[serde(flatten)]
    pub url: Url,
    /// `apiFramework`, such as `omid`.
    pub api_framework: Option<Arc<str>>,
    /// Whether it can be run without a browser; `None`: not said.
    pub browser_optional: Option<bool>,
    /// The `type` attribute of an executable as written.
    #[serde(rename = "type")]
    pub mime: Option<Arc<str>>,
}

/// What a verification resource is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VerificationKind {
    /// `JavaScriptResource`.
    JavaScript,
    /// `ExecutableResource`.
    Executable,
    /// `FlashResource`, of VAST 4.0 alone.
    Flash,
}
