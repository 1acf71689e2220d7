//! One `Ad` and the direct children of `InLine` and `Wrapper`.

use std::sync::Arc;

use serde::Serialize;

use super::{Creative, Extension, Tracking, Url, written};
use playsim_base::place::Place;
use playsim_base::time::Span;

/// One `Ad`. Fields that a wrapper cannot have are empty in one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Ad {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// The `sequence` attribute: its place in a VAST pod.
    pub sequence: Option<u32>,
    /// The `adType` attribute. `None`: not specified, which means video.
    pub ad_type: Option<AdType>,
    /// The `conditionalAd` attribute, which VAST 4.1 deprecates. `None`: not specified.
    pub conditional: Option<bool>,
    /// Whether the ad is in this document or another one.
    pub kind: AdKind,
    /// Whether `InLine` or `Wrapper` is in another letter case, which this reader tolerates.
    pub is_misnamed: bool,
    /// The ad server.
    pub ad_system: Option<Arc<str>>,
    /// The `version` attribute of `AdSystem`.
    pub ad_system_version: Option<Arc<str>>,
    /// Its title.
    pub title: Option<Arc<str>>,
    /// `AdServingId`: the id of this delivery, shared by all parties. VAST 4.3 section 3.4.3.
    pub serving_id: Option<Arc<str>>,
    /// `Description`.
    pub description: Option<Arc<str>>,
    /// `Advertiser`.
    pub advertiser: Option<Arc<str>>,
    /// The `id` attribute of `Advertiser`.
    pub advertiser_id: Option<Arc<str>>,
    /// `Pricing`; in a chain only the outermost one is valid. VAST 4.3 section 3.4.8.
    pub pricing: Option<Pricing>,
    /// `Survey`, which VAST 4.1 deprecates.
    pub survey: Option<Survey>,
    /// `Expires`: how long the response may be cached before it is used. VAST 4.3 section 3.4.10.
    pub expires: Option<Span>,
    /// `Category` elements in document order. VAST 4.3 section 3.4.5.
    pub categories: Vec<Category>,
    /// URLs requested when the ad starts.
    pub impressions: Vec<Url>,
    /// URLs requested when the ad fails.
    pub errors: Vec<Url>,
    /// `ViewableImpression`. VAST 4.3 section 3.5.
    pub viewable: Option<Viewable>,
    /// The `Verification` elements in document order, those of `AdVerifications` before those of
    /// extensions.
    pub verifications: Vec<Verification>,
    /// Its creatives in document order.
    pub creatives: Vec<Creative>,
    /// `Extension` elements in document order.
    pub extensions: Vec<Extension>,
    /// The place of the `Ad` element.
    pub at: Place,
}

/// The content of an `Ad`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub enum AdKind {
    /// `InLine`: the ad itself.
    #[default]
    Inline,
    /// `Wrapper`: the ad is in another document.
    Wrapper(Wrapper),
    /// Neither child, or both: code 101 for this ad.
    Broken(Children),
}

/// The children of an unusable `Ad`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Children {
    /// Neither of the two.
    Neither,
    /// Both.
    Both,
}

impl Children {
    /// Returns the children in words.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Children::Neither => "neither InLine nor Wrapper",
            Children::Both => "both InLine and Wrapper",
        }
    }
}

/// The `adType` attribute. VAST 4.3 section 3.3.2.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
    /// Returns VAST's keyword for it.
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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Wrapper {
    /// `VASTAdTagURI`; `None` if it is missing or empty.
    pub tag_uri: Option<Url>,
    /// Whether a wrapper in the response may be followed. Default true.
    pub follow_additional_wrappers: bool,
    /// Whether the response may be a VAST pod. Default false.
    pub allow_multiple_ads: bool,
    /// Whether another ad of this document may be used if the response has none. `None`: not
    /// specified.
    pub fallback_on_no_ad: Option<bool>,
    /// `BlockedAdCategories`: the categories that the ad must not have. VAST 4.3 section 3.19.2.
    pub blocked_categories: Vec<Category>,
}

/// A wrapper without attributes.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Hash)]
pub struct Category {
    /// The authority whose list of categories it is from.
    pub authority: Option<Arc<str>>,
    /// The category as written; `BlockedAdCategories` may hold several, separated by commas.
    pub text: Arc<str>,
    /// The place of the element.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

impl Category {
    /// Returns the comma-separated categories; none is empty.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.text
            .split(',')
            .map(str::trim)
            .filter(|code| !code.is_empty())
    }
}

/// A `Pricing` element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Hash)]
pub struct Pricing {
    /// The price as written, such as `25.00`.
    pub value: Arc<str>,
    /// The `model` attribute as written, such as `CPM`.
    pub model: Option<Arc<str>>,
    /// The `currency` attribute as written, such as `USD`.
    pub currency: Option<Arc<str>>,
    /// The place of the element.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// A `Survey` element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Hash)]
pub struct Survey {
    /// Its URL.
    #[serde(flatten)]
    pub url: Url,
    /// The MIME type as written.
    #[serde(rename = "type")]
    pub mime: Option<Arc<str>>,
}

/// A `ViewableImpression`: one of the three lists is requested, once per ad.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Hash)]
pub struct Viewable {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// Requested when the ad was seen.
    pub viewable: Vec<Url>,
    /// Requested when it was not.
    pub not_viewable: Vec<Url>,
    /// Requested when that is unknown.
    pub undetermined: Vec<Url>,
    /// The place of the element.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// A `Verification`. VAST 4.3 section 3.17.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Hash)]
pub struct Verification {
    /// The vendor of the verification.
    pub vendor: Option<Arc<str>>,
    /// The resources to run, in document order.
    pub resources: Vec<VerificationResource>,
    /// `VerificationParameters`: passed to the resource.
    pub parameters: Option<Arc<str>>,
    /// The trackers; the only event in the standard is `verificationNotExecuted`.
    pub tracking: Vec<Tracking>,
    /// VAST 4.0's `ViewableImpression` of a verification: a URL of its own.
    pub viewable: Option<Url>,
    /// Whether it is in an extension, as in versions before 4.0.
    pub in_extension: bool,
    /// The place of the element.
    #[serde(serialize_with = "written::place")]
    pub at: Place,
}

/// A `JavaScriptResource`, an `ExecutableResource` or a `FlashResource` of a verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Hash)]
pub struct VerificationResource {
    /// The kind of resource.
    pub kind: VerificationKind,
    /// Its URL.
    #[serde(flatten)]
    pub url: Url,
    /// `apiFramework`, such as `omid`.
    pub api_framework: Option<Arc<str>>,
    /// Whether it can be run without a browser; `None`: not specified.
    pub browser_optional: Option<bool>,
    /// The `type` attribute of an executable as written.
    #[serde(rename = "type")]
    pub mime: Option<Arc<str>>,
}

/// The kind of a verification resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Hash)]
#[serde(rename_all = "lowercase")]
pub enum VerificationKind {
    /// `JavaScriptResource`.
    JavaScript,
    /// `ExecutableResource`.
    Executable,
    /// `FlashResource`, only in VAST 4.0.
    Flash,
}
