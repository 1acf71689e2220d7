//! The limits for clients of the server: times, sizes and numbers.
//!
//! The body limit of the edit API is a knob (`edit.max_body`); these limits protect the server
//! itself.

use std::time::Duration;

/// Limits of a server. Times are real.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The time for a request's line and headers, and between two requests on a connection.
    pub head: Duration,
    /// The time for a request's body.
    pub body: Duration,
    /// The time for requests in progress when the server is stopped.
    pub grace: Duration,
    /// The size of a request's line and headers, in bytes.
    pub head_bytes: usize,
    /// The size of a control route's body, in bytes.
    pub control_bytes: usize,
    /// The total size of the bodies in memory, in bytes.
    pub held_bytes: usize,
    /// How much of an oversized body is read and dropped, so that its sender gets the response, in
    /// bytes.
    pub drained_bytes: usize,
    /// The number of simultaneous connections; further ones wait.
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
