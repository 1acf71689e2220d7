//! The state of a run at an instant, for people who look at one: players, breaks, listeners, open
//! requests.

use std::collections::BTreeMap;
use std::sync::Arc;

use playsim_api::{AdLine, BreakNumber, EventName, Kind, NetLine, Query, RequestId, Text, Value};
use playsim_base::time::Time;
use playsim_player::ResponseStatus;
use playsim_trace::record::RecordView;
use playsim_trace::session::AdBreaks;
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
        let breaks = breaks(self.records());
        let players = self.seats.indices().map(|index| {
            let seat = &self.seats[index];
            let read = |query: &Query| Some((*query, seat.query(self.now, *query).ok()?));
            let newest = breaks.all.iter().rfind(|it| it.player == Some(index));
            PlayerSnapshot {
                container: Arc::clone(&seat.container),
                is_element: matches!(seat.unit, Unit::Element(..)),
                state: seat.state(self.now),
                ad_break: newest.filter(|it| it.end.is_none()).and_then(|it| {
                    Some(BreakSnapshot {
                        number: it.number?,
                        kind: it.kind.word().to_owned().into(),
                        since: it.begin,
                        asked: it.own.0,
                        is_filled: it.own.1,
                    })
                }),
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
        for record in self.records().iter().filter(|it| it.kind == Kind::Net) {
            let key = |id| (record.player, id);
            if let RecordView::Request(it) = record.view() {
                open.insert(key(it.id), (record, it.url, it.purpose));
            } else if let RecordView::Answer(it) = record.view() {
                match (it.name, open.get_mut(&key(it.id))) {
                    (NetLine::Redirect, Some(sent)) => {
                        *sent = (record, it.to.unwrap_or(it.url), it.purpose);
                    }
                    (NetLine::Redirect | NetLine::Request | NetLine::Timeout, _) => {}
                    (NetLine::Response | NetLine::Failed | NetLine::Late | NetLine::Dropped, _) => {
                        _ = open.remove(&key(it.id))
                    }
                }
            }
        }
        let requests = open.into_iter();
        let mut requests: Vec<OpenRequest> = requests
            .filter_map(|((player, id), (record, url, purpose))| {
                Some(OpenRequest {
                    seq: record.seq,
                    player: player?,
                    url: url.to_owned().into(),
                    purpose: purpose?.to_owned().into(),
                    since: record.at,
                    status: self.seats[player?].expects(RequestId(id?)),
                })
            })
            .collect();
        requests.sort_by_key(|request| request.seq);
        requests
    }
}

/// What is known of a break: the position that was asked last, and whether a tag has filled it.
type Asked = (Option<i64>, bool);

fn breaks(records: &[Record]) -> AdBreaks<'static, Asked> {
    let mut breaks: AdBreaks<'_, Asked> = AdBreaks::default();
    for record in records {
        let Some(its) = breaks.take(record) else {
            continue;
        };
        let (asked, is_filled) = &mut its.own;
        if record.is(NetLine::Request) {
            *asked = record.tag().map(|tag| tag.wp.into()).or(*asked);
        }
        *is_filled |= record.is(AdLine::Fill);
    }
    breaks
}
