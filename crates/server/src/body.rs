//! Reads a request's body, with limits on its size, its duration, and the total size of all bodies.
//!
//! Rule EDIT-42.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::limits::Limits;

/// The unit in which the memory for bodies is counted, in bytes.
const UNIT: usize = 4096;

/// The memory that all bodies share.
#[derive(Debug, Clone)]
pub(super) struct Space {
    units: Arc<Semaphore>,
    body: Duration,
    drained_bytes: usize,
}

/// A body that was read, and the memory reserved for it.
#[derive(Debug)]
pub(super) struct HeldBody {
    /// The bytes of the body.
    pub(super) bytes: Bytes,
    _space: Option<OwnedSemaphorePermit>,
}

/// Why a body cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoBody {
    /// It is larger than this number of bytes.
    TooLarge(u64),
    /// It took too long.
    TooSlow,
    /// It is incomplete, or its transfer coding is invalid.
    Cut,
    /// The bodies of other requests use all the memory.
    NoSpace,
}

impl Space {
    pub(super) fn new(limits: &Limits) -> Space {
        let units = Arc::new(Semaphore::new(
            (limits.held_bytes / UNIT).min(Semaphore::MAX_PERMITS),
        ));
        Space {
            units,
            body: limits.body,
            drained_bytes: limits.drained_bytes,
        }
    }

    /// Reads a body of at most `max` bytes. `waits` says whether its sender waits for
    /// `100 Continue`.
    pub(super) async fn read<B>(
        &self,
        mut body: B,
        max: u64,
        waits: bool,
    ) -> Result<HeldBody, NoBody>
    where
        B: Body<Data = Bytes> + Unpin,
    {
        let slow = sleep(self.body);
        tokio::pin!(slow);
        let is_announced = body.size_hint().lower() > max;
        let result = if is_announced {
            Err(NoBody::TooLarge(max))
        } else {
            tokio::select! {
                result = self.read_all(&mut body, max) => result,
                () = &mut slow => Err(NoBody::TooSlow),
            }
        };
        if matches!(result, Err(NoBody::TooLarge(_) | NoBody::NoSpace)) && !(is_announced && waits)
        {
            // Many clients read the response only after sending the whole body, so the rest is read
            // and dropped.
            tokio::select! {
                () = self.drain(&mut body) => {}
                () = &mut slow => {}
            }
        }
        result
    }

    async fn read_all<B: Body<Data = Bytes> + Unpin>(
        &self,
        body: &mut B,
        max: u64,
    ) -> Result<HeldBody, NoBody> {
        let mut read: Vec<u8> = Vec::new();
        let mut first = None;
        let mut space: Option<OwnedSemaphorePermit> = None;
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| NoBody::Cut)?;
            let Ok(data) = frame.into_data() else {
                continue;
            };
            let len = read.len() + first.as_ref().map_or(0, Bytes::len) + data.len();
            if len as u64 > max {
                return Err(NoBody::TooLarge(max));
            }
            let held = space.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
            let more = u32::try_from(len.div_ceil(UNIT) - held).unwrap_or(u32::MAX);
            if more > 0 {
                let units = Arc::clone(&self.units)
                    .try_acquire_many_owned(more)
                    .map_err(|_| NoBody::NoSpace)?;
                match &mut space {
                    Some(space) => space.merge(units),
                    None => space = Some(units),
                }
            }
            // A body that arrives in one piece is not copied.
            if first.is_none() && read.is_empty() {
                first = Some(data);
            } else {
                read.extend_from_slice(&first.take().unwrap_or_default());
                read.extend_from_slice(&data);
            }
        }
        Ok(HeldBody {
            bytes: first.unwrap_or_else(|| read.into()),
            _space: space,
        })
    }

    async fn drain<B: Body<Data = Bytes> + Unpin>(&self, body: &mut B) {
        let mut left = self.drained_bytes;
        while left > 0 {
            // A client that has stopped sending waits for the response.
            let Ok(Some(Ok(frame))) = timeout(Duration::from_secs(1), body.frame()).await else {
                return;
            };
            left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
        }
    }
}
