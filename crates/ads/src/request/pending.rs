//! A request whose response is awaited.

use std::sync::Arc;

use playsim_api::{Cause, Purpose, RequestId};

/// A request whose response is awaited.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Pending {
    pub(crate) id: RequestId,
    pub(crate) url: Arc<str>,
    pub(crate) purpose: Purpose,
    pub(crate) hop: Option<u32>,
    /// The line of the request: the cause of its timeout.
    pub(crate) cause: Cause,
}
