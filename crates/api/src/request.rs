//! The requests of a player.

use std::sync::Arc;

use super::break_number::BreakNumber;
use playsim_base::named::named;

/// A request's number, unique within a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u32);

named! {
    /// The purpose of a request. Its name is the one in a trace.
    Purpose {
        AdTag "ad-tag" "The first document of an ad tag.",
        Wrapper "wrapper" "A document that a wrapper points to.",
        Media "media" "A media file, of content or of an ad.",
        Record "record" "A video's record.",
        Playlist "playlist" "A playlist file. Rule LPL-1.",
    }
}

/// A request to a server.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
