//! VAST and VMAP documents, read into types.
//!
//! [`read`] is total: whatever the text, it gives a [`Document`] that holds what could be understood, and
//! says what was tolerated ([`Warning`]) and what made it unusable ([`Fault`]). It reads what players read
//! in the wild: undeclared prefixes, blanks around addresses, legacy spellings, broken ends of CDATA.
//!
//! Nothing here fetches or plays. Sources: VAST 2.0.1 to 4.3, section 3; VMAP 1.0.1; the notes beside
//! each type.

mod ad;
mod creative;
mod entity;
mod not_xml;
mod notes;
mod places;
pub mod print;
mod read;
mod reader;
mod tree;
mod value;
pub mod vmap;

use std::borrow::Cow;
use std::sync::Arc;

pub use read::{MAX_ADS, MAX_BYTES, read};

use crate::place::Place;
use crate::time::Span;

/// A document, as far as it could be understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// What its root element is.
    pub root: Root,
    /// The `version` attribute as written.
    pub version: Option<Arc<str>>,
    /// Error addresses of the root: called when there is no ad. VAST 4.3 section 3.2.1.
    pub error_urls: Vec<Url>,
    /// The ads in document order.
    pub ads: Vec<Ad>,
    /// The breaks of a VMAP document in document order. None of them: no ads, and no fault.
    pub breaks: Vec<vmap::Break>,
    /// Why nothing in it can be used, if so.
    pub fault: Option<Fault>,
    /// What was tolerated, in document order. A document inside a break has its own.
    pub warnings: Vec<Warning>,
}

/// The root element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Root {
    /// There is none: the text is empty or not XML.
    #[default]
    None,
    /// `VAST`.
    Vast,
    /// `VMAP`: breaks instead of ads.
    Vmap,
    /// `VideoAdServingTemplate`: VAST 1.0.
    Vast1,
    /// Anything else, by name.
    Other(Arc<str>),
}

/// An address as written, blanks around it taken off, macros not filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Url {
    /// The text.
    pub text: Arc<str>,
    /// Where its element stands.
    pub at: Place,
}

/// One `Ad`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ad {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// The `sequence` attribute: its place in a VAST pod.
    pub sequence: Option<u32>,
    /// Whether the ad is here or elsewhere.
    pub kind: AdKind,
    /// Who serves it.
    pub ad_system: Option<Arc<str>>,
    /// Its title.
    pub title: Option<Arc<str>>,
    /// Addresses called when the ad starts.
    pub impressions: Vec<Url>,
    /// Addresses called when the ad fails.
    pub errors: Vec<Url>,
    /// Its creatives in document order.
    pub creatives: Vec<Creative>,
    /// Where the `Ad` element stands.
    pub at: Place,
}

/// What stands inside an `Ad`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdKind {
    /// `InLine`: the ad itself.
    Inline,
    /// `Wrapper`: another document holds it.
    Wrapper(Wrapper),
    /// Neither child, or both: code 101 for this ad.
    Broken,
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
}

/// One `Creative`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Creative {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// The `sequence` attribute: its order within the ad.
    pub sequence: Option<u32>,
    /// What it holds.
    pub kind: CreativeKind,
    /// Where the `Creative` element stands.
    pub at: Place,
}

/// What a creative holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreativeKind {
    /// A linear ad, or in a wrapper the trackers and clicks for one.
    Linear(Linear),
    /// Overlays.
    NonLinear(NonLinear),
    /// Companions: kept as a count.
    Companions(u32),
    /// None of the known children.
    Empty,
}

/// A `Linear` element. VAST 4.3 section 3.8.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Linear {
    /// `Duration`; `None` if missing, unreadable or zero: then the media's length counts.
    pub duration: Option<Span>,
    /// From when on it can be skipped; `None`: never.
    pub skip_offset: Option<Offset>,
    /// `MediaFile` elements in document order. Mezzanine files are never here.
    pub media_files: Vec<MediaFile>,
    /// `InteractiveCreativeFile` elements in document order: tried first, never the media itself.
    pub interactive_files: Vec<InteractiveFile>,
    /// Trackers in document order.
    pub tracking: Vec<Tracking>,
    /// Clicks.
    pub clicks: Clicks,
    /// How many icons.
    pub icons: u32,
}

/// A `NonLinearAds` element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NonLinear {
    /// How many `NonLinear` choices it holds.
    pub choices: u32,
    /// The first choice's `minSuggestedDuration`.
    pub min_suggested_duration: Option<Span>,
    /// From when on closing it is a skip; `None`: it never is. An extension: the standard has none.
    pub skip_offset: Option<Offset>,
    /// Trackers in document order.
    pub tracking: Vec<Tracking>,
    /// The first choice's clicks. VAST 4.3 section 3.12.
    pub clicks: Clicks,
}

/// A point on an ad's own timeline. VAST 4.3 sections 3.8, 3.14.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offset {
    /// So long after its start.
    At(Span),
    /// A share of its duration, in millionths: 25 % is 250000.
    Share(u32),
}

/// A `MediaFile`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MediaFile {
    /// Its address; empty if the element is empty.
    pub url: Arc<str>,
    /// The MIME type as written.
    pub mime: Option<Arc<str>>,
    /// `progressive` or `streaming`, as written.
    pub delivery: Option<Arc<str>>,
    /// Width in pixels.
    pub width: Option<u32>,
    /// Height in pixels.
    pub height: Option<u32>,
    /// Bitrate in kbit/s: `bitrate`, else the mean of the two bounds.
    pub bitrate: Option<u32>,
    /// `apiFramework`, such as `VPAID`.
    pub api_framework: Option<Arc<str>>,
    /// Where the element stands.
    pub at: Option<Place>,
}

/// An `InteractiveCreativeFile`. VAST 4.3 section 3.9.3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InteractiveFile {
    /// Its address, or a `data:` address.
    pub url: Url,
    /// The MIME type as written.
    pub mime: Option<Arc<str>>,
    /// `apiFramework`, such as `SIMID`.
    pub api_framework: Option<Arc<str>>,
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

/// `VideoClicks`. VAST 4.3 section 3.10.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clicks {
    /// Where a click leads.
    pub through: Option<Url>,
    /// Addresses called on a click.
    pub tracking: Vec<Url>,
    /// Addresses called on other clicks.
    pub custom: Vec<Url>,
}

/// Why a document gives nothing to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The VAST error code: 100 not XML, 101 not the schema, 102 not a version that is read.
    pub code: u16,
    /// What is wrong.
    pub text: Arc<str>,
    /// Where.
    pub at: Place,
}

/// Something that is not as the standard has it, and was tolerated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// A stable word for it, such as `duration-zero`.
    pub code: &'static str,
    /// What was found and how it was taken.
    pub text: Arc<str>,
    /// Where.
    pub at: Place,
}

/// What is quoted of a found text: its first line, and not much of that.
fn clip(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 60;
    let text = text.trim_end();
    let line = text.lines().next().unwrap_or_default();
    let short = line.char_indices().nth(LONGEST).map_or(line, |(end, _)| &line[..end]);
    if short.len() < text.len() { format!("{short}...").into() } else { short.into() }
}
