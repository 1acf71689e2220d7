//! Content from page code: custom sources and loaded playlists.
//!
//! Rules: SRC-1 to SRC-11, LPL-1 to LPL-7.

use super::*;

impl Player {
    /// `src(source)`.
    pub(super) fn set_source(
        &mut self,
        _now: Time,
        _source: Option<&Value>,
        _within_ready: bool,
        _out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        Err(not_built("src"))
    }

    /// `loadPlaylist(address)`.
    pub(super) fn load_playlist(
        &mut self,
        _now: Time,
        _address: Option<&Value>,
        _out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        Err(not_built("loadPlaylist"))
    }
}
