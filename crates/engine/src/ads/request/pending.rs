//! A request whose response is awaited.

use std::sync::Arc;

use playsim_api::{Cause, Purpose, RequestId};

/// A request whose response is awaited.
#[derive(Debug, Clone, Hash)]
pub(in crate::ads) struct Pending {
    pub(in crate::ads) id: RequestId,
    pub(in crate::ads) url: Arc<str>,
    pub(in crate::ads) purpose: Purpose,
    pub(in crate::ads) hop: Option<u32>,
    /// The line of the request: the cause of its timeout.
    pub(in crate::ads) cause: Cause,
}
