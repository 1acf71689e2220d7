//! The state of a run at an instant, for people who look at one: players, breaks, listeners, open
//! requests.

use std::collections::BTreeMap;
use std::sync::Arc;

use playsim_api::{
    AdLine, BreakLine, BreakNumber, EventName, NetLine, Query, RequestId, Text, Value,
};
use playsim_base::time::Time;
use playsim_player::ResponseStatus;
use playsim_trace::{PlayerIndex, Record};

use super::Simulation;
use super::seat::{Seat, Unit};

/// The state of a run at an instant.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The time on the clock.
    pub at: Time,
    /// When the next thing is due; `None` if nothing is.
    pub next_due: Option<Time>,
    /// The players and elements that were created so far, in the order of their creation.
    pub players: Vec<PlayerSnapshot>,
    /// The requests without a response, in the order in which they were sent. Pixels are not waited
    /// for.
    pub requests: Vec<OpenRequest>,
}

/// The state of a player, or of a media element without one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlayerSnapshot {
    /// The id of its container.
    pub container: Arc<str>,
    /// Whether it is a media element without a player.
    pub is_element: bool,
    /// The name of its state, such as `ad-playing`.
    pub state: &'static str,
    /// The ad break that is open.
    pub ad_break: Option<BreakSnapshot>,
    /// The getters that have a value now, as page code reads them.
    pub values: Vec<(Query, Value)>,
    /// The functions that are bound to each event, by name, the oldest first. A function without a
    /// name is an empty string.
    pub listeners: Vec<(EventName, Vec<Text>)>,
}

/// An ad break that has begun and not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BreakSnapshot {
    /// Its number.
    pub number: BreakNumber,
    /// The word for its kind, such as `pre`.
    pub kind: Text,
    /// When it began.
    pub since: Time,
    /// The position in the waterfall that was asked last, counted from 0.
    pub asked: Option<i64>,
    /// Whether a tag has filled it.
    pub is_filled: bool,
}

/// A request that has no response yet.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenRequest {
    /// The number of its line.
    pub seq: u32,
    /// The player that sent it.
    pub player: PlayerIndex,
    /// Its URL; after a redirect, the one that it leads to.
    pub url: Text,
    /// The word for its purpose, such as `ad-tag`.
    pub purpose: Text,
    /// When it was sent, or redirected.
    pub since: Time,
    /// Whether the player still waits for it.
    pub status: ResponseStatus,
}

impl Simulation {
    /// Returns the state of the run now.
    ///
    /// ```
    /// use playsim::time::Time;
    ///
    /// # let scenario = playsim::Scenario::default()
    /// #     .with_video(playsim::video::Video::new("film"));
    /// let mut simulation = playsim::Simulation::new(&scenario)?;
    /// simulation.run_until(Time::from_secs(1));
    /// let now = simulation.snapshot();
    /// println!("{}: {}", now.at, now.players[0].state);
    /// # Ok::<(), playsim::ScenarioError>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let breaks = open_breaks(self.records());
        let players = self.seats.indices().map(|index| {
            let seat = &self.seats[index];
            let read = |query: &Query| Some((*query, seat.query(self.now, *query).ok()?));
            PlayerSnapshot {
                container: Arc::clone(&seat.container),
                is_element: matches!(seat.unit, Unit::Element(..)),
                state: seat.state(self.now),
                ad_break: breaks.get(&index).cloned(),
                values: Query::ALL.iter().filter_map(read).collect(),
                listeners: self.listeners_of(seat),
            }
        });
        Snapshot {
            at: self.now,
            next_due: self.next_due(),
            players: players.collect(),
            requests: self.open_requests(),
        }
    }

    fn listeners_of(&self, seat: &Seat) -> Vec<(EventName, Vec<Text>)> {
        let bound = |event: &EventName| {
            // The one that only counts is bound from outside.
            let own = seat
                .listeners()
                .of(*event)
                .filter(|listener| *listener != self.stage.counter());
            let names: Vec<Text> = own.filter_map(|listener| self.name_of(listener)).collect();
            (!names.is_empty()).then_some((*event, names))
        };
        EventName::ALL.iter().filter_map(bound).collect()
    }

    fn open_requests(&self) -> Vec<OpenRequest> {
        let mut open = BTreeMap::new();
        for record in self.records() {
            let (Some(player), Some(id)) = (record.player, record.data.integer("id")) else {
                continue;
            };
            let key = (player, id);
            if record.is(NetLine::Request) {
                open.insert(key, record);
            } else if let Some(sent) = open.get_mut(&key) {
                match () {
                    () if record.is(NetLine::Redirect) => *sent = record,
                    () if is_answer(record) => drop(open.remove(&key)),
                    () => {}
                }
            }
        }
        let mut requests: Vec<OpenRequest> = open
            .into_iter()
            .filter_map(|((player, id), record)| {
                let url = record.data.text("to").or(record.data.text("url"))?.clone();
                let purpose = record.data.text("purpose")?.clone();
                let status = self.seats[player].expects(RequestId(u32::try_from(id).ok()?));
                Some(OpenRequest {
                    seq: record.seq,
                    player,
                    url,
                    purpose,
                    since: record.at,
                    status,
                })
            })
            .collect();
        requests.sort_by_key(|request| request.seq);
        requests
    }
}

fn is_answer(record: &Record) -> bool {
    let answers = [
        NetLine::Response,
        NetLine::Failed,
        NetLine::Late,
        NetLine::Dropped,
    ];
    answers.into_iter().any(|line| record.is(line))
}

/// Returns the break of each player that has begun and not ended.
fn open_breaks(records: &[Record]) -> BTreeMap<PlayerIndex, BreakSnapshot> {
    let mut open: BTreeMap<PlayerIndex, BreakSnapshot> = BTreeMap::new();
    for record in records {
        let (Some(player), Some(number)) = (record.player, record.in_break) else {
            continue;
        };
        if record.is(BreakLine::Begin) {
            let kind = record
                .data
                .text("kind")
                .cloned()
                .unwrap_or_else(|| "".into());
            let begun = BreakSnapshot {
                number,
                kind,
                since: record.at,
                asked: None,
                is_filled: false,
            };
            open.insert(player, begun);
        } else if let Some(of) = open.get_mut(&player).filter(|of| of.number == number) {
            if record.is(BreakLine::End) {
                open.remove(&player);
            } else if record.is(NetLine::Request) {
                of.asked = record.data.integer("wp").or(of.asked);
            } else if record.is(AdLine::Fill) {
                of.is_filled = true;
            }
        }
    }
    open
}
