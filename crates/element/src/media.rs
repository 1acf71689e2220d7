//! The state of one load: its source, its data, and its progress.
//!
//! Rules: MEL-3, MEL-6, MEL-7, MEL-23, LIVE-3.

use std::sync::Arc;

use super::data::{Data, Ready};
use super::live::Stream;
use super::seek::Seek;
use playsim_api::RequestId;
use playsim_api::media::{LoadFault, MediaInfo, Playhead};

/// The state of one load; another load begins with a new one. Rule MEL-23.
#[derive(Debug, Clone, Default, Hash)]
pub(super) struct Media {
    pub(super) resource: Resource,
    pub(super) network: Network,
    /// How far the data suffice, as announced last.
    pub(super) ready: Ready,
    pub(super) error: Option<Failure>,
    /// Whether the first frame has been announced. Rule MEL-3.
    pub(super) has_shown: bool,
    pub(super) head: Playhead,
    /// The state of a live stream. Rule LIVE-3.
    pub(super) stream: Option<Stream>,
    pub(super) data: Data,
    pub(super) seek: Option<Seek>,
}

/// The element's `networkState`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[repr(u8)]
pub(super) enum Network {
    #[default]
    Empty = 0,
    Idle = 1,
    Loading = 2,
    NoSource = 3,
}

/// The state of the source in use.
#[derive(Debug, Clone, Default, Hash)]
pub(super) enum Resource {
    /// No source has been chosen, or it failed.
    #[default]
    Nothing,
    /// The request waits until playback is wanted.
    Deferred,
    /// Its metadata have been requested.
    Asked(RequestId),
    /// Its metadata have arrived.
    Here(Arc<MediaInfo>),
}

/// Why nothing can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Failure {
    pub(super) fault: LoadFault,
    /// The code of the element's `error`.
    pub(super) code: u8,
}
