//! Calls of the JavaScript API and what a person does.
//!
//! A call carries its arguments as page code would give them, of any number and type: what a wrong one
//! does is the player's to decide, never the reader's.

use super::named::named;
use super::value::{Text, Value};
use crate::rules::RuleId;

/// A call as page code makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Which call or property.
    pub call: Call,
    /// The arguments in order. A property read by its bare name is a [`Query`] instead.
    pub args: Vec<Value>,
}

named! {
    /// A call of the documented API that is built.
    Call {
        On "on" "Binds a listener. Rules EVT-3, EVT-4.",
        Once "once" "Binds a listener for one dispatch. Rule EVT-5.",
        Off "off" "Removes a listener. Rules EVT-7, EVT-8.",
        Add "add" "The older spelling of `on`. Rule EVT-9.",
        AddOnce "addOnce" "The older spelling of `once`. Rule EVT-9.",
        Remove "remove" "The older spelling of `off`. Rule EVT-9.",
        Destroy "destroy" "Removes the player. Rule EVT-20.",
        Play "play" "Starts or resumes. Rules PLAY-1 to PLAY-21.",
        Pause "pause" "Pauses. Rules PAUSE-1 to PAUSE-6.",
        Stop "stop" "Back to the initial state. Rules STOP-1 to STOP-8.",
        CurrentTime "currentTime" "Reads or seeks. Rules TIME-1 to TIME-13.",
        CurrentChapter "currentChapter" "Reads the chapter or jumps to one. Rules CH-1 to CH-12.",
        Next "next" "Plays the next item. Rule PL-4.",
        Previous "previous" "Plays the item before. Rule PL-4.",
        PlayByIndex "playByIndex" "Plays one item. Rule PL-6.",
        SetAd "setAd" "Adds an ad object. Rules AD-10 to AD-17.",
        Duration "duration" "Reads the content's length. Rules DUR-1 to DUR-3.",
        CurrentSrc "currentSrc" "Reads the media address in use.",
        GetAdInProgress "getAdInProgress" "Whether an ad is on. Rules GAP-1, GAP-2.",
        GetTitle "getTitle" "Reads the current video's title.",
        GetTags "getTags" "Reads the current video's tags.",
        IsReady "isReady" "A property written as a call. Rule READY-2.",
        PlaylistLength "playlistLength" "A property written as a call. Rule PL-3.",
        CurrentIndex "currentIndex" "A property written as a call. Rule PL-3.",
    }
}

named! {
    /// A documented getter or property. Reading it never changes anything. Rule INV-23.
    Query {
        IsReady "isReady" "Whether the API is usable. Rule READY-1.",
        CurrentTime "currentTime" "The content position in seconds. Rule TIME-1.",
        Duration "duration" "The content's length in seconds. Rule DUR-1.",
        CurrentChapter "currentChapter" "The chapter at the position. Rule CH-1.",
        CurrentSrc "currentSrc" "The media address in use.",
        PlaylistLength "playlistLength" "How many items. Rule PL-1.",
        CurrentIndex "currentIndex" "The item in use. Rule PL-2.",
        GetAdInProgress "getAdInProgress" "Whether an ad is on. Rule GAP-1.",
        GetTitle "getTitle" "The current video's title.",
        GetTags "getTags" "The current video's tags.",
        LastVastXml "values.lastVASTXML" "The last VAST document received. Rules VX-1 to VX-4.",
    }
}

/// What the person in front of the player does. Rules ENV-1, ENV-2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// The play button.
    Play,
    /// The pause button.
    Pause,
    /// The skip button of an ad. Rules BRK-13, BRK-14.
    Skip,
    /// The button for the next item.
    Next,
    /// The button for the item before.
    Previous,
    /// A drag on the timeline, in seconds.
    Seek(Value),
}

impl Act {
    /// The word in scenarios and traces.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Act::Play => "play",
            Act::Pause => "pause",
            Act::Skip => "skip",
            Act::Next => "next",
            Act::Previous => "previous",
            Act::Seek(_) => "seek",
        }
    }
}

/// A call that fails in the host language. It is traced, and changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {text}")]
pub struct ApiError {
    /// A stable code, such as `bad_argument`.
    pub code: &'static str,
    /// What was found and what was due.
    pub text: Text,
    /// The rule that decided.
    pub rule: RuleId,
}
