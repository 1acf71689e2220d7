//! The breaks of a VMAP document, as types: when each break starts, the kind of its ads, and their
//! source.
//!
//! [`read`](super::read) fills them. Nothing here schedules: an offset is kept as the document has
//! it, even if it is relative to the length of the content.
//!
//! Sources: VMAP 1.0.1, sections 2.3 and 2.4.

mod meant;
pub(super) mod read;

use std::fmt;
use std::sync::Arc;

pub(super) use meant::{UNPARSED, WRONG, is_broken, is_of_vmap};
pub use read::MAX_BREAKS;

use super::value::{clock, offset_text};
use super::{Document, Extension, Offset, Tracking, Url};
use playsim_base::place::Place;
use playsim_base::time::Span;

/// One `AdBreak`. VMAP 1.0.1 section 2.3.1.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Break {
    /// When it starts; `None` if the document does not say. Several breaks may have the same
    /// offset.
    pub time_offset: Option<TimeOffset>,
    /// The kinds of ads, the preferred one first.
    pub types: Vec<BreakType>,
    /// The `breakId` attribute. It is not unique: several breaks may share one.
    pub id: Option<Arc<str>>,
    /// The break is repeated at this interval after its offset. Never zero.
    pub repeat_after: Option<Span>,
    /// The source of the ads. A break may have none: its trackers are requested anyway.
    pub source: Option<AdSource>,
    /// The trackers in document order; none has an offset.
    pub tracking: Vec<Tracking>,
    /// The `Extension` elements in document order.
    pub extensions: Vec<Extension>,
    /// The place of the `AdBreak` element.
    pub at: Place,
}

/// When a break starts. Displayed as VMAP writes it: `start`, `00:00:15`, `70%`, `#1`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TimeOffset {
    /// Before the content.
    Start,
    /// After the content.
    End,
    /// At a position in the content.
    At(Span),
    /// At a fraction of the content's duration, in millionths: 70 % is 700000.
    Share(u32),
    /// At the nth opportunity that the player sees, counted from 1.
    Position(u32),
    /// Anything else, as written: the break never starts.
    Unreadable(Arc<str>),
}

/// A kind of ads in a break. VMAP 1.0.1 section 2.4.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BreakType {
    /// Instead of the content.
    Linear,
    /// On top of the content.
    NonLinear,
    /// Next to the content.
    Display,
    /// Anything else, as written.
    Other(Arc<str>),
}

/// An `AdSource`. VMAP 1.0.1 section 2.3.2.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AdSource {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// Whether the response may be a VAST pod. `None`: not specified, and the standard has two
    /// defaults.
    pub allow_multiple_ads: Option<bool>,
    /// Whether wrappers in the response may be followed. `None`: not specified.
    pub follow_redirects: Option<bool>,
    /// The ads, or where they are.
    pub kind: AdSourceKind,
    /// The place of the `AdSource` element.
    pub at: Place,
}

/// The content of an ad source.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AdSourceKind {
    /// `AdTagURI`: the ads must be requested.
    Tag {
        /// The ad tag; `None` if the element is empty.
        uri: Option<Url>,
        /// The format of the response, as written: `vast3`, `proprietary`.
        template_type: Option<Arc<str>>,
    },
    /// `VASTAdData`: a VAST document with its own warnings and fault. Its places are those in the
    /// VMAP document. It is never another VMAP document.
    Vast(Arc<Document>),
    /// `CustomAdData`: read only if it is declared as VAST.
    Custom {
        /// The format, as written.
        template_type: Option<Arc<str>>,
        /// The data as written.
        data: Arc<str>,
        /// The VAST document in it; `None` if it is something else.
        document: Option<Arc<Document>>,
    },
    /// None of the known children.
    Empty,
}

impl Document {
    /// Returns the VAST documents embedded in the breaks of a VMAP document, in document order.
    pub fn embedded(&self) -> impl Iterator<Item = &Document> {
        self.breaks
            .iter()
            .filter_map(|it| match &it.source.as_ref()?.kind {
                AdSourceKind::Vast(document)
                | AdSourceKind::Custom {
                    document: Some(document),
                    ..
                } => Some(&**document),
                AdSourceKind::Tag { .. }
                | AdSourceKind::Custom { document: None, .. }
                | AdSourceKind::Empty => None,
            })
    }
}

impl fmt::Display for TimeOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeOffset::Start => f.write_str("start"),
            TimeOffset::End => f.write_str("end"),
            TimeOffset::At(span) => f.write_str(&clock(*span)),
            TimeOffset::Share(share) => f.write_str(&offset_text(Offset::Share(*share))),
            TimeOffset::Position(number) => write!(f, "#{number}"),
            TimeOffset::Unreadable(written) => f.write_str(written),
        }
    }
}

impl BreakType {
    /// Returns VMAP's keyword for it.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            BreakType::Linear => "linear",
            BreakType::NonLinear => "nonlinear",
            BreakType::Display => "display",
            BreakType::Other(written) => written,
        }
    }
}
