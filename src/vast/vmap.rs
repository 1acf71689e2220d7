//! The breaks of a VMAP document, as types: when ads are due, which kind, and who has them.
//!
//! [`read`](super::read) fills them. Nothing here schedules: an offset stays what the document says, also
//! where the length of the film would be needed to place it.
//!
//! Sources: VMAP 1.0.1, sections 2.3 and 2.4.

pub(super) mod read;

use std::fmt;
use std::sync::Arc;

pub use read::{MAX_BREAKS, is_broken};

use super::value::{clock, offset_text};
use super::{Document, Extension, Offset, Tracking, Url};
use crate::place::Place;
use crate::time::Span;

/// One `AdBreak`. VMAP 1.0.1 section 2.3.1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// When it is due; `None` if the document does not say. Two breaks may have the same.
    pub time_offset: Option<TimeOffset>,
    /// The kinds of ads that are wanted, the preferred one first.
    pub types: Vec<BreakType>,
    /// The `breakId` attribute. It is no key: several breaks may share one.
    pub id: Option<Arc<str>>,
    /// The break comes again each time this long after its offset. Never zero.
    pub repeat_after: Option<Span>,
    /// Who has the ads. A break without one is legal: its trackers are called all the same.
    pub source: Option<AdSource>,
    /// Trackers in document order; none has an offset.
    pub tracking: Vec<Tracking>,
    /// `Extension` elements in document order.
    pub extensions: Vec<Extension>,
    /// Where the `AdBreak` element stands.
    pub at: Place,
}

/// When a break is due. Written as VMAP writes it: `start`, `00:00:15`, `70%`, `#1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeOffset {
    /// Before the film.
    Start,
    /// Behind the film.
    End,
    /// At a position of the film.
    At(Span),
    /// At a share of the film's duration, in millionths: 70 % is 700000.
    Share(u32),
    /// At the so manieth opportunity that the player sees, from 1 on.
    Position(u32),
    /// None of these, as written: never due.
    Unreadable(Arc<str>),
}

/// A kind of ads that a break wants. VMAP 1.0.1 section 2.4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BreakType {
    /// In place of the film.
    Linear,
    /// Over the film.
    NonLinear,
    /// Beside the film.
    Display,
    /// Anything else, as written.
    Other(Arc<str>),
}

/// An `AdSource`. VMAP 1.0.1 section 2.3.2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdSource {
    /// The `id` attribute.
    pub id: Option<Arc<str>>,
    /// Whether the answer may be a VAST pod. `None`: not said, and the standard has two defaults.
    pub allow_multiple_ads: Option<bool>,
    /// Whether wrappers in the answer may be followed. `None`: not said.
    pub follow_redirects: Option<bool>,
    /// Where the ads are.
    pub kind: AdSourceKind,
    /// Where the `AdSource` element stands.
    pub at: Place,
}

/// What an ad source holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdSourceKind {
    /// `AdTagURI`: the ads are elsewhere.
    Tag {
        /// The ad tag; `None` if the element is empty.
        uri: Option<Url>,
        /// What it answers, as written: `vast3`, `proprietary`.
        template_type: Option<Arc<str>>,
    },
    /// `VASTAdData`: a VAST document with warnings and a fault of its own; its places are those of the
    /// VMAP text. Never another VMAP document.
    Vast(Arc<Document>),
    /// `CustomAdData`: looked into only if it says that it is VAST.
    Custom {
        /// What it is, as written.
        template_type: Option<Arc<str>>,
        /// The data as written.
        data: Arc<str>,
        /// The VAST document in it; `None`: it is something else.
        document: Option<Arc<Document>>,
    },
    /// None of the known children.
    Empty,
}

impl Document {
    /// The VAST documents inside the breaks of a VMAP document, in document order.
    pub fn embedded(&self) -> impl Iterator<Item = &Document> {
        self.breaks.iter().filter_map(|it| match &it.source.as_ref()?.kind {
            AdSourceKind::Vast(document) | AdSourceKind::Custom { document: Some(document), .. } => {
                Some(&**document)
            }
            AdSourceKind::Tag { .. } | AdSourceKind::Custom { document: None, .. } | AdSourceKind::Empty => {
                None
            }
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
    /// The word that VMAP has for it.
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
