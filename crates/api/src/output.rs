//! The outputs of a player, each with its reason.
//!
//! Rules: CLK-4, EVT-1.

use super::because::Because;
use super::break_number::BreakNumber;
use super::command::UnitKind;
use super::event::{Event, EventName};
use super::line::Line;
use super::player_index::PlayerIndex;
use super::request::Request;
use playsim_base::time::{Span, Time};

/// Work that a player puts off to a later moment of the same instant. Rule CLK-4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Task {
    /// The ready work is done. Rules INIT-11, INIT-12.
    Ready,
    /// Start the linear ad that is ready. Rule BRK-1.
    StartAd,
    /// Show the overlay that is ready. Rule OVL-2.
    StartOverlay,
    /// The metadata have been announced: check how far the available data suffice. Rule MEL-3.
    Data,
    /// A seek has its data; the number distinguishes it from one that a later seek replaced. Rules
    /// MEL-13, TIME-10.
    Seeked(u32),
    /// Call `play()` automatically, once `ready` has been delivered. Rule INIT-17.
    Autoplay,
    /// An outstream unit opens its break, once `ready` has been delivered. Rule OUT-3.
    OpenUnitBreak,
    /// An outstream unit destroys itself, once `adEnd` has been delivered. Rule OUT-6.
    DestroySelf,
    /// A failure of the content from before `ready` takes effect, now that `ready` has been
    /// delivered. Rule INIT-15.
    HeldFailure,
    /// Open the breaks after the content, once `ended` has been delivered before them. Rule END-2.
    OpenEndBreaks,
    /// Continue after the item with this index, which failed, with the next one. Rule PL-16.
    PassOver(usize),
    /// Continue `destroy` after `destroyBefore` has been delivered. Rules EVT-20, DESTROY-1.
    TearDown,
}

/// Consecutive time updates with nothing in between. A single one is a run of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeUpdates {
    /// The time of the first.
    pub first: Time,
    /// The interval between two of them.
    pub step: Span,
    /// The number of them.
    pub count: u32,
}

/// A task of a bare media element, with the load that it belongs to. It is dropped if another load
/// has begun before it runs. Rule MEL-23.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MediaTask {
    /// The load's number.
    pub load: u32,
    /// The work to do.
    pub work: MediaWork,
}

/// The work of a task of a media element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MediaWork {
    /// Fires an event.
    Event(EventName),
    /// Fires time updates.
    TimeUpdates(TimeUpdates),
    /// Is passed back to the element.
    Step(MediaStep),
}

/// Work that a media element puts off to a later moment of the same instant. Rule CLK-4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MediaStep {
    /// Check how far the available data suffice. Rule MEL-3.
    Data,
    /// Report the outcome of play requests. Rules MEL-9, MEL-10.
    Settle,
    /// Pause after a failure, now that `error` has been delivered. Rules MEL-6, MEL-7.
    Stop,
    /// Fail, as the chosen source has an empty address. Rule MEL-6.
    Refuse,
}

/// An output of a player.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Output {
    /// An event for the listeners.
    Event(Event),
    /// Time updates.
    TimeUpdates(TimeUpdates),
    /// The `onReady` callback runs now. Rule INIT-12.
    Callback,
    /// Pass this task back as an input later in the same instant.
    Task(Task),
    /// A task of a bare media element.
    Media(MediaTask),
    /// Initialise the oldest entry of this queue array: a task of the page, not of a player. Rule
    /// QUEUE-3.
    Entry(UnitKind),
    /// Fetch a document, a record or media.
    Fetch(Request),
    /// A line for the trace.
    Line(Line),
}

/// Where an output comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Provenance {
    /// The player that it belongs to.
    pub player: PlayerIndex,
    /// Why it was put.
    pub because: Because,
    /// The break it belongs to.
    pub in_break: Option<BreakNumber>,
    /// Its number, by which later items can name it as their cause; `u32::MAX` if none can.
    pub ticket: u32,
}

/// One output with its provenance.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Item {
    /// Where the output comes from.
    pub from: Provenance,
    /// The output itself.
    pub output: Output,
}
