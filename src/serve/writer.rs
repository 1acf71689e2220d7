//! Edits on their way to the disk: all that wait are written together.
//!
//! One thread writes. While it waits for the disk, further edits gather and go with the next writing, so the pace
//! grows with the number of clients. Edits are handed over in the order in which they were handled, and none is
//! answered before it is on the disk. After a writing that failed nobody knows what the disk holds: nothing more is
//! written, and whoever waits is told.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use super::store::{Change, Store};

/// How many edits are written together at most.
const MAX_TOGETHER: usize = 1024;

/// Takes edits and has them written.
#[derive(Debug)]
pub(super) struct Writer {
    /// `None`: closed.
    queue: Option<Sender<Edit>>,
    thread: Option<JoinHandle<()>>,
}

/// Whether an edit is on the disk, as soon as that is known.
#[derive(Debug)]
pub(super) struct Written(oneshot::Receiver<Result<(), String>>);

struct Edit {
    changes: Vec<Change>,
    written: oneshot::Sender<Result<(), String>>,
}

impl Writer {
    /// Begins to write to a file; `failed` is called once, if it no longer can.
    pub(super) fn to(store: Store, failed: impl FnOnce(String) + Send + 'static) -> Writer {
        let (queue, edits) = channel();
        let thread = std::thread::spawn(move || write(&store, &edits, failed));
        Writer { queue: Some(queue), thread: Some(thread) }
    }

    /// Hands changes over that belong together.
    pub(super) fn write(&self, changes: Vec<Change>) -> Written {
        let (written, result) = oneshot::channel();
        if let Some(queue) = &self.queue {
            // If the thread is gone, so is the sender, and waiting ends.
            let _ = queue.send(Edit { changes, written });
        }
        Written(result)
    }
}

impl Written {
    /// Waits for the disk; the error says why it is not there.
    pub(super) async fn wait(self) -> Result<(), String> {
        self.0.await.unwrap_or_else(|_| Err("the catalog is closed".to_owned()))
    }
}

/// What waits is written before it goes.
impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            // A panic in it was printed already.
            let _ = thread.join();
        }
    }
}

fn write(store: &Store, edits: &Receiver<Edit>, failed: impl FnOnce(String)) {
    let mut changes = Vec::new();
    let mut waiting = Vec::new();
    while let Ok(first) = edits.recv() {
        for edit in std::iter::once(first).chain(edits.try_iter()).take(MAX_TOGETHER) {
            changes.extend(edit.changes);
            waiting.push(edit.written);
        }
        let result = store.write(&changes).map_err(|error| error.to_string());
        changes.clear();
        for written in waiting.drain(..) {
            // Whoever no longer waits has gone away.
            let _ = written.send(result.clone());
        }
        if let Err(why) = result {
            failed(why);
            return;
        }
    }
}
