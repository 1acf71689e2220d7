//! Writes edits to the catalog file, all pending ones together.
//!
//! A single thread writes. While it waits for the disk, further edits gather and are written in the
//! next transaction, so the throughput grows with the number of clients. Edits are written in the
//! order in which they were handled, and none is answered before it is on disk. After a failed
//! write the content of the disk is unknown, so nothing more is written, and all pending edits
//! fail.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use super::store::{CatalogChange, Store};

/// The maximum number of edits in one transaction.
const MAX_TOGETHER: usize = 1024;

/// Queues edits and writes them in a thread.
#[derive(Debug)]
pub(super) struct Writer {
    /// `None` once closed.
    queue: Option<Sender<Edit>>,
    thread: Option<JoinHandle<()>>,
}

/// Resolves when an edit is on disk, or has failed.
#[derive(Debug)]
pub(super) struct Written(oneshot::Receiver<Result<(), String>>);

struct Edit {
    changes: Vec<CatalogChange>,
    written: oneshot::Sender<Result<(), String>>,
}

impl Writer {
    /// Starts to write to a file. `failed` is called, once, if writing fails.
    pub(super) fn to(store: Store, failed: impl FnOnce(String) + Send + 'static) -> Writer {
        let (queue, edits) = channel();
        let thread = std::thread::spawn(move || write(&store, &edits, failed));
        Writer {
            queue: Some(queue),
            thread: Some(thread),
        }
    }

    /// Queues changes that belong together.
    pub(super) fn write(&self, changes: Vec<CatalogChange>) -> Written {
        let (written, result) = oneshot::channel();
        if let Some(queue) = &self.queue {
            // If the thread has ended, the sender is dropped, and `Written` resolves with an error.
            let _ = queue.send(Edit { changes, written });
        }
        Written(result)
    }
}

impl Written {
    /// Waits until the edit is on disk; the error says why it is not.
    pub(super) async fn wait(self) -> Result<(), String> {
        self.0
            .await
            .unwrap_or_else(|_| Err("the catalog is closed".to_owned()))
    }
}

/// Writes all pending edits before it is dropped.
impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was printed already.
            let _ = thread.join();
        }
    }
}

fn write(store: &Store, edits: &Receiver<Edit>, failed: impl FnOnce(String)) {
    let mut changes = Vec::new();
    let mut waiting = Vec::new();
    while let Ok(first) = edits.recv() {
        for edit in std::iter::once(first)
            .chain(edits.try_iter())
            .take(MAX_TOGETHER)
        {
            changes.extend(edit.changes);
            waiting.push(edit.written);
        }
        let result = store.write(&changes).map_err(|error| error.to_string());
        changes.clear();
        for written in waiting.drain(..) {
            // A client that has disconnected no longer waits.
            let _ = written.send(result.clone());
        }
        if let Err(why) = result {
            failed(why);
            return;
        }
    }
}
