//! The occupant of a container: a player or a bare media element.
//!
//! Both take one input at a time and say when they want to be woken. This is their common
//! interface, so that the main loop need not distinguish them. An element has its own listeners,
//! bound by the scenario.
//!
//! Rules: MEL-23, INIT-19, EVT-2, ENV-1, ENV-2.

use std::ops::{Deref, DerefMut, Index, IndexMut};
use std::sync::Arc;

use playsim_api::page::Activation;
use playsim_api::{
    ApiError, EventName, Input, Outbox, PlayerIndex, Query, RequestId, UnitKind, Value, Wake,
};
use playsim_base::time::Time;
use playsim_element::{ElementInput, MediaElement};
use playsim_player::{Dispatch, ListenerIndex, Listeners, Player, ResponseStatus};
use playsim_rules::knobs::PlayActivation;
use playsim_rules::{self as rules, RuleId};

/// A player or an element, and its place on the page.
#[derive(Debug, Clone, Hash)]
pub(super) struct Seat {
    pub(super) unit: Unit,
    pub(super) container: Arc<str>,
    /// The kind of player, and the id in its configuration. Rule CON-23.
    pub(super) identity: Option<(UnitKind, Arc<str>)>,
    pub(super) on_ready: Option<ListenerIndex>,
}

/// The occupant of a seat.
#[derive(Debug, Clone, Hash)]
pub(super) enum Unit {
    Player(Box<Player>),
    Element(Box<MediaElement>, Listeners),
}

/// The players and elements of a run, in order of creation.
#[derive(Debug, Clone, Default, Hash)]
pub(super) struct Seats(Vec<Seat>);

impl Deref for Seats {
    type Target = [Seat];
    fn deref(&self) -> &[Seat] {
        &self.0
    }
}

impl DerefMut for Seats {
    fn deref_mut(&mut self) -> &mut [Seat] {
        &mut self.0
    }
}

impl Index<PlayerIndex> for Seats {
    type Output = Seat;
    #[inline]
    fn index(&self, PlayerIndex(index): PlayerIndex) -> &Seat {
        &self.0[usize::from(index)]
    }
}

impl IndexMut<PlayerIndex> for Seats {
    #[inline]
    fn index_mut(&mut self, PlayerIndex(index): PlayerIndex) -> &mut Seat {
        &mut self.0[usize::from(index)]
    }
}

impl Seats {
    pub(super) fn push(&mut self, seat: Seat) {
        self.0.push(seat);
    }

    /// Returns the index of the player that is created next.
    pub(super) fn next_index(&self) -> PlayerIndex {
        index(self.0.len())
    }

    /// Returns whether the player was created.
    pub(super) fn contains(&self, player: PlayerIndex) -> bool {
        player < self.next_index()
    }

    /// Returns the newest player in a container.
    pub(super) fn newest_in(&self, container: &str) -> Option<PlayerIndex> {
        self.0
            .iter()
            .rposition(|seat| *seat.container == *container)
            .map(index)
    }

    /// Returns the first player that meets a condition.
    pub(super) fn first(&self, is_meant: impl FnMut(&Seat) -> bool) -> Option<PlayerIndex> {
        self.0.iter().position(is_meant).map(index)
    }

    /// Returns the indices of all players so far.
    pub(super) fn indices(&self) -> impl Iterator<Item = PlayerIndex> + use<> {
        (0..self.next_index().0).map(PlayerIndex)
    }
}

fn index(number: usize) -> PlayerIndex {
    // There are at most `MAX_PLAYERS`.
    PlayerIndex(u16::try_from(number).unwrap_or(u16::MAX))
}

impl Seat {
    #[inline]
    pub(super) fn player(&self) -> Option<&Player> {
        match &self.unit {
            Unit::Player(player) => Some(player),
            Unit::Element(..) => None,
        }
    }

    #[inline]
    pub(super) fn next_wake(&self) -> Option<Wake> {
        match &self.unit {
            Unit::Player(player) => player.next_wake(),
            Unit::Element(element, _) => element.next_wake(),
        }
    }

    #[inline]
    pub(super) fn wake(&mut self, out: &mut Outbox) {
        match &mut self.unit {
            Unit::Player(player) => player.wake(out),
            Unit::Element(element, _) => element.wake(out),
        }
    }

    /// Applies an input.
    pub(super) fn handle(&mut self, input: Input, out: &mut Outbox) -> Result<Value, ApiError> {
        let (element, listeners) = match &mut self.unit {
            Unit::Player(player) => return player.handle(input, out),
            Unit::Element(element, listeners) => (element, listeners),
        };
        match input {
            Input::Call(command) => listeners
                .call_on_element(&command, out)
                .unwrap_or_else(|| element.handle(ElementInput::Call(command), out)),
            Input::Person(act) => element.handle(ElementInput::Person(act), out),
            Input::Page(change) => element.handle(ElementInput::Page(change), out),
            Input::Loaded(id, answer) => {
                let answer = answer.map_err(|fault| fault.how);
                element.handle(ElementInput::Loaded(id, answer), out)
            }
            Input::Wake => element.handle(ElementInput::Wake, out),
            // An element requests neither documents nor records, and has no player tasks.
            Input::Fetched(..) | Input::Record(..) | Input::Edited(_) | Input::Task(_) => {
                Ok(Value::Undefined)
            }
        }
    }

    /// Reads a getter, a property or an attribute.
    pub(super) fn query(&self, now: Time, query: Query) -> Result<Value, ApiError> {
        match &self.unit {
            Unit::Player(player) => player.query(now, query),
            Unit::Element(element, _) => Ok(element.query(now, query)),
        }
    }

    /// Reads as a listener does that only reads. Rules MEL-2, INV-23.
    pub(super) fn query_after_scripts(&self, now: Time, query: Query) -> Result<Value, ApiError> {
        match &self.unit {
            Unit::Player(player) => player.query(now, query),
            Unit::Element(element, _) => Ok(element.query_after_scripts(now, query)),
        }
    }

    /// Returns the rule of a getter's result.
    pub(super) fn rule_of_query(&self, query: Query) -> RuleId {
        match &self.unit {
            Unit::Player(player) => player.rule_of_query(query),
            Unit::Element(..) => rules::MEL_8,
        }
    }

    pub(super) fn expects(&self, id: RequestId) -> ResponseStatus {
        match &self.unit {
            Unit::Player(player) => player.expects(id),
            Unit::Element(element, _) if element.awaits(id) => ResponseStatus::Awaited,
            Unit::Element(..) => ResponseStatus::Dropped,
        }
    }

    pub(super) fn state(&self, now: Time) -> &'static str {
        match &self.unit {
            Unit::Player(player) => player.state(),
            Unit::Element(element, _) => element.state(now),
        }
    }

    /// The activation of the page by the user has changed. Rules PLAY-22, PLAY-23.
    pub(super) fn note_activation(&mut self, activation: Activation) {
        match &mut self.unit {
            Unit::Player(player) => player.note_activation(activation),
            Unit::Element(element, _) if matches!(activation, Activation::At(_)) => {
                element.note_gesture()
            }
            Unit::Element(..) => {}
        }
    }

    /// The transient activation of the page has ended. A player computes that on its own. Rule
    /// PLAY-23.
    pub(super) fn end_activation(&mut self, play: PlayActivation) {
        if let Unit::Element(element, _) = &mut self.unit {
            element.end_activation(play);
        }
    }

    /// Whether it is the page's fullscreen element. Rule FS-8.
    pub(super) fn is_fullscreen(&self) -> bool {
        self.player().is_some_and(Player::is_fullscreen)
    }

    /// Another player has taken the screen, or given it back. Rule FS-8.
    pub(super) fn note_fullscreen(&mut self, fills: bool, out: &mut Outbox) {
        if let Unit::Player(player) = &mut self.unit {
            player.note_fullscreen(fills, out);
        }
    }

    #[inline]
    pub(super) fn is_destroyed(&self) -> bool {
        self.player().is_some_and(Player::is_destroyed)
    }

    pub(super) fn is_leaving(&self) -> bool {
        self.player().is_some_and(Player::is_leaving)
    }

    #[inline]
    pub(super) fn listeners(&self) -> &Listeners {
        match &self.unit {
            Unit::Player(player) => player.listeners(),
            Unit::Element(_, listeners) => listeners,
        }
    }

    #[inline(always)]
    pub(super) fn next_listener(&mut self, delivery: &mut Dispatch) -> Option<ListenerIndex> {
        match &mut self.unit {
            Unit::Player(player) => player.next_listener(delivery),
            Unit::Element(_, listeners) => listeners.next(delivery),
        }
    }

    /// A later player has taken the container: nothing that was bound to this one is called any
    /// more. Rule DESTROY-12.
    pub(super) fn forget_listeners(&mut self) {
        match &mut self.unit {
            Unit::Player(player) => player.forget_listeners(),
            Unit::Element(_, listeners) => *listeners = Listeners::default(),
        }
    }

    pub(super) fn bind(&mut self, event: EventName, listener: ListenerIndex) {
        match &mut self.unit {
            Unit::Player(player) => player.bind(event, listener),
            Unit::Element(_, listeners) => listeners.bind(event, listener, false),
        }
    }
}
