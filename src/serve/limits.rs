//! What a server allows a client: times, sizes, numbers.
//!
//! The body limit of the edit call is a knob (`edit.max_body`); these keep the server alive, whoever calls.

use std::time::Duration;

/// Limits of a server. Times are real.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For a request's line and headers, and between two requests of a connection.
    pub head: Duration,
    /// For a request's body.
    pub body: Duration,
    /// For calls that run when the server is stopped.
    pub grace: Duration,
    /// For a request's line and headers, in bytes.
    pub head_bytes: usize,
    /// For the body of a control route, in bytes.
    pub control_bytes: usize,
    /// For all bodies that are held at one time, in bytes.
    pub held_bytes: usize,
    /// For what is read past a body's limit, so that its sender hears the answer, in bytes.
    pub drained_bytes: usize,
    /// For connections at one time; more wait to be taken.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            head: Duration::from_secs(30),
            body: Duration::from_secs(30),
            grace: Duration::from_secs(10),
            head_bytes: 64 << 10,
            control_bytes: 32 << 20,
            held_bytes: 64 << 20,
            drained_bytes: 64 << 20,
            connections: 1024,
        }
    }
}
