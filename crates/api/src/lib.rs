//! The types of the inputs and outputs of a player.
//!
//! [`Input`] is everything that can happen to a player, [`Output`] everything it can cause. The
//! player itself never fetches, waits or reads a clock: it sends requests, and gets the results as
//! inputs.

pub mod catalog;
pub mod media;
pub mod page;
pub mod video;

mod ad_object;
mod ad_options;
mod ahead;
mod because;
mod break_number;
mod command;
mod event;
mod line;
mod outbox;
mod output;
mod player_index;
mod request;
mod signature;
mod within;

pub use ad_object::bad_ad;
pub use ad_object::{
    AdObject, AdOrigin, AdPlacement, Cue, CueUnit, UnreadField, ad_fields, unread,
};
pub use ad_options::{AdLoop, AdTurns, Bid};
pub use ahead::Ahead;
pub use because::{Because, Cause, Reason};
pub use break_number::BreakNumber;
pub use command::Carried;
pub use command::{
    Act, ApiError, Call, ClickAt, Command, Interaction, ListenerIndex, PageChange, PageLine, Query,
    UnitKind, UserLine,
};
pub use event::{Event, EventName};
pub use line::{
    AdLine, BeaconLine, BreakKind, BreakLine, HeaderLine, Kind, Line, LineName, MakingLine,
    MeasurementLine, MediaLine, NetLine, Outcome, StateLine, UiLine,
};
pub use outbox::Outbox;
pub use output::{Item, MediaStep, MediaTask, MediaWork, Output, Provenance, Task, TimeUpdates};
pub use player_index::PlayerIndex;
pub use request::{Purpose, Request, RequestId};
pub use signature::{PageType, Parameter, Signature};
pub use within::Within;

pub use playsim_base::code::Code;
pub use playsim_base::named::{ParseError, UnknownName};
pub use playsim_base::number::Decimal;
pub use playsim_base::value::{Fields, Text, Value};

use std::sync::Arc;

use crate::media::{LoadFault, MediaInfo};
use crate::video::Video;
use playsim_base::named::named;
use playsim_base::time::Time;
use playsim_rules::{self as rules, RuleId};
use playsim_vast as vast;

/// An input of a player.
#[derive(Debug, Clone)]
pub enum Input {
    /// Page code calls the JavaScript API.
    Call(Command),
    /// The user does something.
    Person(Act),
    /// The page changes.
    Page(PageChange),
    /// The response to a request for a document, or its failure.
    Fetched(RequestId, Fetched),
    /// The response to a request for a video's record; `None` if there is no such video.
    Record(RequestId, Option<Arc<Video>>),
    /// A video's record was edited. Rule META-2.
    Edited(Arc<Video>),
    /// The response to a request for media: metadata, or a failure.
    Loaded(RequestId, Result<Arc<MediaInfo>, LoadFault>),
    /// A task that the player put off to a later moment of the same instant. Rule CLK-4.
    Task(Task),
    /// The instant that `next_wake` returned has been reached.
    Wake,
}

/// The response to a request for a document.
#[derive(Debug, Clone, Hash)]
pub enum Fetched {
    /// The server responded.
    Response(Response),
    /// The page received no response.
    Failed(NetworkFault),
}

/// A server's response.
#[derive(Debug, Clone, Hash)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The body as received; empty if there was none.
    pub text: Arc<str>,
    /// The name of the body in messages: its file's name, or its URL.
    pub name: Arc<str>,
    /// The body, read once per scenario and shared.
    pub document: Arc<vast::Document>,
}

impl Response {
    /// Returns the response of a URL with this body, with status 200.
    #[must_use]
    pub fn new(url: impl Into<Arc<str>>, text: &str) -> Response {
        let document = Arc::new(vast::read(text));
        Response {
            status: 200,
            text: text.into(),
            name: url.into(),
            document,
        }
    }
}

named! {
    /// Why a request got no response. Rules REQ-3, REQ-18, REQ-19.
    NetworkFault {
        Refused "refused" "No server is listening.",
        Reset "reset" "The connection broke before the response.",
        Truncated "truncated" "The connection broke within the response.",
        Redirects "too-many-redirects" "There were too many HTTP redirects in a row. Rule CHN-4.",
        Cors "cors" "The server responded, but without the CORS headers that let the page read it. Rule REQ-18.",
        Blocked "blocked" "The browser did not send the request, because of an ad blocker. Rule REQ-19.",
    }
}

impl NetworkFault {
    /// Returns the rule that a failed request shows.
    #[must_use]
    pub const fn rule(self) -> RuleId {
        match self {
            NetworkFault::Cors => rules::REQ_18,
            NetworkFault::Blocked => rules::REQ_19,
            NetworkFault::Refused
            | NetworkFault::Reset
            | NetworkFault::Truncated
            | NetworkFault::Redirects => rules::REQ_17,
        }
    }

    /// Returns the reason for messages.
    #[must_use]
    pub fn why(self) -> String {
        match self {
            NetworkFault::Cors => {
                "the page may not read the response: it has no CORS header for it (cors)".to_owned()
            }
            NetworkFault::Blocked => {
                "the browser did not send the request: an ad blocker stops it (blocked)".to_owned()
            }
            NetworkFault::Refused
            | NetworkFault::Reset
            | NetworkFault::Truncated
            | NetworkFault::Redirects => format!("the connection failed: {self}"),
        }
    }
}

/// When something has to be woken, and in which class of work. Rules CLK-2, CLK-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wake {
    /// The time.
    pub at: Time,
    /// The class of work: work of one instant runs in the order of the classes.
    pub class: Class,
}

/// The classes of work at one instant, in their order. Rule CLK-2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Responses: documents, media, scripts, a delayed ready.
    Net,
    /// Work caused by position or data.
    Media,
    /// Timeouts and delays.
    Timer,
    /// Steps of the scenario.
    Action,
}
