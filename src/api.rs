//! The words that go into a player and come out of it.
//!
//! [`Input`] is everything that can happen to a player, [`Output`] everything it can cause. The player
//! itself never fetches, waits or reads a clock: it asks, and is told.

mod ahead;
mod command;
mod event;
mod outbox;
mod request;
mod value;

pub use ahead::Ahead;
pub use command::{Act, ApiError, Call, ClickAt, Command, Interaction, PageChange, Query, UnitKind};
pub use event::{Event, EventName};
pub use outbox::{
    Cause, Item, Kind, Line, MediaStep, MediaTask, MediaWork, Outbox, Output, Task, TimeUpdates,
};
pub use request::{Purpose, Request, RequestId};
pub use value::{Fields, Text, Value};

pub use crate::number::Decimal;

use std::sync::Arc;

use crate::media::{MediaFault, MediaInfo};
use crate::time::Time;
use crate::vast;
use crate::video::Video;

/// What can happen to a player.
#[derive(Debug, Clone)]
pub enum Input {
    /// Page code calls the JavaScript API.
    Call(Command),
    /// The person in front of the player does something.
    Person(Act),
    /// The surroundings change.
    Page(PageChange),
    /// A document was answered, or could not be had.
    Fetched(RequestId, Fetched),
    /// A video's record was answered; `None` if there is no such video.
    Record(RequestId, Option<Arc<Video>>),
    /// A video's record was edited. Rule META-2.
    Edited(Arc<Video>),
    /// A media address gave its metadata, or failed.
    Loaded(RequestId, Result<Arc<MediaInfo>, MediaFault>),
    /// A task that the player put off to a later moment of the same instant. Rule CLK-4.
    Task(Task),
    /// The instant that `next_wake` named has come.
    Wake,
}

/// The answer to a request for a document.
#[derive(Debug, Clone)]
pub enum Fetched {
    /// The server answered.
    Answer(Answer),
    /// No answer was received: the connection was refused, reset or cut.
    Failed(NetworkFault),
}

/// A server's answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body as received; empty if there was none.
    pub text: Arc<str>,
    /// What messages call the body: its file's name, or its address.
    pub name: Arc<str>,
    /// The body, read once per scenario and shared.
    pub document: Arc<vast::Document>,
}

/// Why a request got no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkFault {
    /// Nobody listens there.
    Refused,
    /// The connection broke before the answer.
    Reset,
    /// The connection broke within the answer.
    Truncated,
    /// One redirect of HTTP led to another, too often. Rule CHN-4.
    Redirects,
}

impl NetworkFault {
    /// The word in scenarios and traces.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            NetworkFault::Refused => "refused",
            NetworkFault::Reset => "reset",
            NetworkFault::Truncated => "truncated",
            NetworkFault::Redirects => "too-many-redirects",
        }
    }
}

/// When something wants to be woken, and in which class of work. Rules CLK-2, CLK-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wake {
    /// When.
    pub at: Time,
    /// As what: entries of one instant run in the order of their classes.
    pub class: Class,
}

/// The classes of work at one instant, in their order. Rule CLK-2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Answers: documents, media, scripts, a delayed ready.
    Net,
    /// What follows from position or data.
    Media,
    /// Time-outs and waits.
    Timer,
    /// Steps of the scenario.
    Action,
}
