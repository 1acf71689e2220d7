//! Sends a body as its pieces say: with pauses, cut off, or never to its end.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use tokio::sync::watch;
use tokio::time::{Sleep, sleep};

use super::duration;
use super::journal::{OriginOutcome, Writer};
use crate::origin::{End, OriginBody};
use playsim_base::time::Span;

/// How many bytes are made at once.
const CHUNK: u64 = 64 << 10;
/// How long the network has to deliver sent data before a connection is cut.
const FLUSH: Span = Span::from_millis(20);

/// Why a connection ends within an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Broken {
    /// It is closed.
    #[error("the connection is closed, as the scenario says")]
    Closed,
    /// It is reset.
    #[error("the connection is reset, as the scenario says")]
    Reset,
}

/// A body on its way.
pub(super) struct Sending {
    body: OriginBody,
    /// The piece that is next.
    piece: usize,
    /// How much of it was sent.
    done: u64,
    /// The pending event.
    wait: Option<Pin<Box<Sleep>>>,
    is_ending: bool,
    over: Pin<Box<dyn Future<Output = ()> + Send>>,
    writer: Writer,
}

impl Sending {
    pub(super) fn new(
        body: OriginBody,
        over: Option<watch::Receiver<bool>>,
        writer: Writer,
    ) -> Sending {
        let mut sending = Sending {
            body,
            piece: 0,
            done: 0,
            wait: None,
            is_ending: false,
            over: Box::pin(is_over(over)),
            writer,
        };
        sending.wait_for_piece();
        if sending.body.sent() == 0 && sending.body.end == End::Complete {
            sending.writer.ended(OriginOutcome::Sent);
        }
        sending
    }

    fn wait_for_piece(&mut self) {
        let wait = self
            .body
            .pieces
            .get(self.piece)
            .map_or(Span::ZERO, |piece| piece.wait);
        self.wait = (wait > Span::ZERO).then(|| Box::pin(sleep(duration(wait))));
    }
}

/// Resolves when the receiver gets `true`.
pub(super) async fn is_over(over: Option<watch::Receiver<bool>>) {
    if let Some(mut over) = over
        && over.wait_for(|is_over| *is_over).await.is_ok()
    {
        return;
    }
    std::future::pending().await
}

impl HttpBody for Sending {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        let this = self.get_mut();
        loop {
            if this.over.as_mut().poll(context).is_ready() {
                return Poll::Ready(Some(Err(Broken::Reset)));
            }
            if let Some(wait) = &mut this.wait {
                ready!(wait.as_mut().poll(context));
                this.wait = None;
            }
            if this.is_ending {
                this.writer.ended(OriginOutcome::Cut);
                return Poll::Ready(Some(Err(Broken::Closed)));
            }
            let Some(piece) = this.body.pieces.get(this.piece) else {
                match this.body.end {
                    End::Complete => return Poll::Ready(None),
                    End::Never => return Poll::Pending,
                    End::Cut(after) => {
                        this.is_ending = true;
                        this.wait = Some(Box::pin(sleep(duration(after.max(FLUSH)))));
                    }
                }
                continue;
            };
            let from = piece.bytes.start + this.done;
            if from >= piece.bytes.end {
                this.piece += 1;
                this.done = 0;
                this.wait_for_piece();
                continue;
            }
            let to = piece.bytes.end.min(from + CHUNK);
            let bytes = this.body.source.read(from..to);
            if bytes.is_empty() {
                // The source is shorter than its pieces say: there are no more bytes.
                return Poll::Ready(Some(Err(Broken::Closed)));
            }
            this.done += bytes.len() as u64;
            this.writer.sent(bytes.len() as u64);
            let is_last = this.piece + 1 == this.body.pieces.len()
                && this.done >= piece.bytes.end - piece.bytes.start;
            if is_last && this.body.end == End::Complete {
                this.writer.ended(OriginOutcome::Sent);
            }
            return Poll::Ready(Some(Ok(Frame::data(bytes.into()))));
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.pieces.is_empty() && self.body.end == End::Complete
    }

    fn size_hint(&self) -> SizeHint {
        // The head says how long a body is, even if less is sent.
        SizeHint::default()
    }
}
