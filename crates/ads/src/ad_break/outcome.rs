//! The observable state of a break: its phase, its outcome, and the responses that it awaits.
//!
//! Rules: BRK-23, REQ-10, STOP-3, VMAP-1.

/// The phase of a break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Documents or media are being fetched.
    Loading,
    /// An ad is ready and waits to be started. Rules BRK-1, PAUSE-4.
    Ready,
    /// An ad is playing or waiting for data, or an overlay is visible.
    Playing,
    /// An ad is paused.
    Paused,
    /// The break is over.
    Over(BreakOutcome),
}

/// How a break ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BreakOutcome {
    /// At least one ad started.
    Filled,
    /// No ad started, but a tag responded with a schedule of breaks. Rule VMAP-1.
    Scheduled,
    /// No ad started.
    NoFill,
}

/// How the response to a request is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The break waits for it.
    Awaited,
    /// It is no longer awaited.
    GivenUp(Abandoned),
}

/// Why a response is no longer awaited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Abandoned {
    /// Its time limit passed. Rule REQ-10.
    Late,
    /// The break was aborted. Rule STOP-3.
    Dropped,
}

impl BreakOutcome {
    /// The word in a trace. Rule BRK-23.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            BreakOutcome::Filled => "filled",
            BreakOutcome::Scheduled => "scheduled",
            BreakOutcome::NoFill => "no-fill",
        }
    }
}
