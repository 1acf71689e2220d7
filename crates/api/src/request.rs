//! The requests of a player.

use std::sync::Arc;

use super::break_number::BreakNumber;

/// A request's number, unique within a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u32);

/// The purpose of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// The first document of an ad tag.
    AdTag,
    /// A document that a wrapper points to.
    Wrapper,
    /// A media file, of content or of an ad.
    Media,
    /// A video's record.
    Record,
    /// A playlist file. Rule LPL-1.
    Playlist,
}

/// A request to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Its number; the response carries it.
    pub id: RequestId,
    /// The URL, or the id of a video's record.
    pub url: Arc<str>,
    /// Its purpose.
    pub purpose: Purpose,
    /// How many wrappers precede it; 0 is the ad tag itself.
    pub hop: Option<u32>,
    /// Position in the waterfall. Rule BRK-7.
    pub wp: Option<u32>,
    /// The pod's index in the break. Rule BRK-7.
    pub pod: Option<u32>,
    /// The break that sends it.
    pub in_break: Option<BreakNumber>,
}

impl Purpose {
    /// The name in a trace.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Purpose::AdTag => "ad-tag",
            Purpose::Wrapper => "wrapper",
            Purpose::Media => "media",
            Purpose::Record => "record",
            Purpose::Playlist => "playlist",
        }
    }
}
