//! Reads VAST 2.0 to 4.3 and VMAP 1.0 documents.
//!
#![doc = include_str!("../README.md")]

mod ad;
mod address;
mod base;
mod carrier;
mod companion;
mod creative;
mod declaration;
mod defects;
mod element;
mod entity;
mod event;
mod extension;
mod foreign;
mod icon;
mod linear;
mod model;
pub mod names;
mod not_xml;
mod notes;
mod overlay;
mod pattern;
pub mod pixels;
mod places;
pub mod print;
mod read;
mod reader;
mod required;
mod resource;
pub mod standard_macros;
pub mod strict;
mod sweep;
mod tracked;
mod tracking;
mod tree;
mod value;
mod verification;
pub mod vmap;
mod warning;

use std::borrow::Cow;
use std::sync::Arc;

pub use address::resolve;
pub use address::scheme;
pub use base::{Resolved, UrlScope};
pub use model::{
    Ad, AdKind, AdParameters, AdType, CaptionFile, Category, Children, Clicks, Companion,
    CompanionAds, Creative, CreativeKind, Extension, FallbackImage, Icon, IconPosition,
    InteractiveFile, Linear, MediaFile, NonLinear, NonLinearAds, Offset, Pricing, RenderingMode,
    Required, Resource, ResourceKind, Survey, Tracking, UniversalAdId, Url, Verification,
    VerificationKind, VerificationResource, Viewable, Wrapper,
};
pub use pattern::filled;
pub use pattern::{UrlAnchor, is_filled, macros};
pub use playsim_base::place::Place;
pub use playsim_base::time::Span;
pub use read::{MAX_ADS, MAX_BYTES, read};
pub use reader::MAX_PARTS;
pub use tracked::{TRACKING_EVENTS, TrackedEvent, TrackingEvent};
pub use tree::{MAX_ATTRIBUTES, MAX_DEPTH, MAX_NODES};
pub use warning::{Strictly, Warning, WarningCode};

/// The part of a document that could be understood.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Document {
    /// The root element.
    pub root: Root,
    /// The `version` attribute as written.
    pub version: Option<Arc<str>>,
    /// The error URLs of the root, requested when there is no ad. VAST 4.3 section 3.2.1.
    pub error_urls: Vec<Url>,
    /// The ads in document order.
    pub ads: Vec<Ad>,
    /// The breaks of a VMAP document in document order. An empty list means no ads and is not a
    /// fault.
    pub breaks: Vec<vmap::Break>,
    /// The `Extension` elements of the root of a VMAP document, in document order.
    pub extensions: Vec<Extension>,
    /// The reason why nothing in the document can be used, if there is one.
    pub fault: Option<Fault>,
    /// Everything that was tolerated, in document order. A document embedded in a break has its own
    /// list.
    pub warnings: Vec<Warning>,
}

/// The root element.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub enum Root {
    /// There is none: the input is empty or not XML.
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

/// The reason why a document has nothing to play.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fault {
    /// The error code. For VAST: 100 not XML, 101 not what the schema allows, 102 an unsupported
    /// version, 303 empty. For VMAP, if the root element is one of VMAP's: 1000 not what the schema
    /// allows, 1002 not XML.
    pub code: u16,
    /// The reason, in words.
    pub text: Arc<str>,
    /// Where.
    pub at: Place,
}

impl Document {
    /// Returns the faults of the document as a whole and of single ads. Embedded documents have
    /// their own.
    pub fn faults(&self) -> impl Iterator<Item = Fault> {
        let ads = self.ads.iter().filter_map(|ad| match ad.kind {
            AdKind::Broken(children) => {
                let text = format!(
                    "the ad contains {}; expected exactly one of them",
                    children.in_words()
                );
                Some(Fault {
                    code: 101,
                    text: text.into(),
                    at: ad.at,
                })
            }
            AdKind::Inline | AdKind::Wrapper(_) => None,
        });
        self.fault.clone().into_iter().chain(ads)
    }
}

impl Fault {
    /// Whether the code is one of VMAP's: the document was meant to be VMAP.
    #[must_use]
    pub fn is_of_vmap(&self) -> bool {
        self.code >= 1000
    }
}

/// Whether the first bytes say that the input is another kind of file: compressed, an image, a
/// video, JSON.
#[must_use]
pub fn is_other_file(text: &str) -> bool {
    foreign::by_mark(text).is_some()
}

/// Removes white space at both ends. Most text has none, as its first and its last byte show.
fn trim(text: &str) -> &str {
    let is_ink = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_graphic);
    let bytes = text.as_bytes();
    if is_ink(bytes.first()) && is_ink(bytes.last()) {
        text
    } else {
        text.trim()
    }
}

/// Shortens a value for a message: its first line, at most 60 characters of it.
fn clip(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 60;
    let text = text.trim_end();
    let line = text.lines().next().unwrap_or_default();
    let short = line
        .char_indices()
        .nth(LONGEST)
        .map_or(line, |(end, _)| &line[..end]);
    if short.len() < text.len() {
        format!("{short}...").into()
    } else {
        short.into()
    }
}
