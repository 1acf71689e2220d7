//! How long an exploration goes on, and what it leaves out.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Roughly what a state takes in memory.
pub(super) const STATE_BYTES: u64 = 160;

/// Something that was not tried, although it is within the bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotTried {
    /// A way was not played on after 20,000 instants.
    Instants,
    /// The order of two choices may change again between two instants of the first, whose next
    /// choices were not compared any more.
    Orders,
    /// Ways of three and more choices: only two at a time were compared at all their instants.
    Depth,
    /// Acts at an instant after what happens then, and before what a listener has put off by no
    /// time.
    PutOff,
    /// The memory that may be used was used.
    Memory,
    /// The instants at which a URL has the time in it for which an answer is listed.
    Clock,
}

/// The limits of an exploration.
pub(super) struct Limits<'s> {
    goes_on: &'s (dyn Fn() -> bool + Sync),
    has_stopped: AtomicBool,
    memory: u64,
    used: AtomicU64,
    left_out: [AtomicUsize; 6],
}

/// What is said of it.
impl fmt::Display for NotTried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotTried::Instants => "ways that go on for very long were cut",
            NotTried::Orders => {
                "regions of one choice in which the instants of a second one may change their order"
            }
            NotTried::Depth => "three or more choices were not compared at all their instants",
            NotTried::PutOff => "acts just before what a listener puts off by no time",
            NotTried::Memory => "the memory that may be used was used",
            NotTried::Clock => {
                "the instants at which a URL has the time in it for which an answer is listed"
            }
        })
    }
}

impl NotTried {
    /// Its word in output for programs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            NotTried::Instants => "instants",
            NotTried::Orders => "orders",
            NotTried::Depth => "depth",
            NotTried::PutOff => "putOff",
            NotTried::Memory => "memory",
            NotTried::Clock => "clock",
        }
    }
}

impl<'s> Limits<'s> {
    pub(super) fn new(memory: u64, goes_on: &'s (dyn Fn() -> bool + Sync)) -> Limits<'s> {
        Limits {
            goes_on,
            has_stopped: AtomicBool::new(false),
            memory,
            used: AtomicU64::new(0),
            left_out: Default::default(),
        }
    }

    /// Whether to go on. It is asked at every instant.
    pub(super) fn goes_on(&self) -> bool {
        if self.has_stopped.load(Ordering::Relaxed) {
            return false;
        }
        let goes_on = (self.goes_on)();
        if !goes_on {
            self.has_stopped.store(true, Ordering::Relaxed);
        }
        goes_on
    }

    /// Takes some memory.
    pub(super) fn take(&self, bytes: u64) {
        if self.used.fetch_add(bytes, Ordering::Relaxed) + bytes > self.memory {
            self.has_stopped.store(true, Ordering::Relaxed);
            self.leave_out_all(NotTried::Memory);
        }
    }

    /// Something is not tried.
    pub(super) fn leave_out(&self, what: NotTried) {
        self.left_out[what as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Something is not tried, and how often is not counted.
    pub(super) fn leave_out_all(&self, what: NotTried) {
        self.left_out[what as usize].store(1, Ordering::Relaxed);
    }

    /// Returns what was not tried, and how often.
    pub(super) fn left_out(&self) -> Vec<(NotTried, usize)> {
        let all = [
            NotTried::Instants,
            NotTried::Orders,
            NotTried::Depth,
            NotTried::PutOff,
            NotTried::Memory,
            NotTried::Clock,
        ];
        all.into_iter()
            .map(|what| (what, self.left_out[what as usize].load(Ordering::Relaxed)))
            .filter(|(_, times)| *times > 0)
            .collect()
    }
}
