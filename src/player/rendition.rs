//! Renditions: which one is in use, and changing it.
//!
//! Rules: QUAL-1 to QUAL-16.

use super::*;

impl Player {
    /// Rule QUAL-10.
    pub(super) fn is_hd(&self) -> bool {
        false
    }

    /// `setHD(toggle)`.
    pub(super) fn set_hd(
        &mut self,
        _now: Time,
        _toggle: Option<&Value>,
        _out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        Err(not_built("setHD"))
    }

    /// `setVideoSource(rendition)`.
    pub(super) fn set_video_source(
        &mut self,
        _now: Time,
        _rendition: Option<&Value>,
        _out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        Err(not_built("setVideoSource"))
    }
}
