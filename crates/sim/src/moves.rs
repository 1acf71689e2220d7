//! Moves what the world decides: when a response arrives, and when a step of the scenario is done.
//!
//! A run in which something was moved is that of another scenario, with another latency or another
//! time: [`Simulation::to_scenario`] returns it. So only what a scenario can say may be moved. Each
//! response of a URL and each load of a medium has a latency of its own, but a record has one for
//! all requests: that of the first may be moved, and the others follow.
//!
//! Rules: CLK-2, REQ-17, INIT-11.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::stage::Stage;
use super::{AgendaItem, Simulation};
use playsim_api::{PlayerIndex, Purpose, Request};
use playsim_base::time::{Span, Time};
use playsim_player::ResponseStatus;
use playsim_scenario::{MediaScript, Scenario, ScenarioError, StepAct, Trigger};

/// What was moved in a run, and which latencies are settled.
#[derive(Debug, Clone, Default, Hash)]
pub(super) struct Moves {
    /// The records that were requested: their latency is settled.
    requested: Vec<Arc<str>>,
    /// The latencies of records that were moved.
    latencies: Vec<(Arc<str>, Span)>,
    made: Made,
}

/// The moves for the saved scenario. What comes next does not depend on them.
#[derive(Debug, Clone, Default)]
struct Made {
    /// The latency of the n-th response of a URL, from 0.
    responses: Vec<(Arc<str>, u32, Span)>,
    /// The latency of the n-th load of a medium, from 0.
    loads: Vec<(Arc<str>, u32, Span)>,
    /// How often each medium was loaded.
    loaded: Vec<(Arc<str>, u32)>,
    /// The times of steps.
    steps: Vec<(usize, Time)>,
}

impl Hash for Made {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Which latency of the scenario a response on its way has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Latency {
    /// When the request was sent, or redirected.
    pub(super) sent: Time,
    pub(super) of: LatencyOf,
}

/// What it came from changes nothing any more, only whether it may be moved.
impl Hash for Latency {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        matches!(self.of, LatencyOf::Settled).hash(hasher);
    }
}

impl Latency {
    /// That of a response which may not be moved.
    pub(super) fn settled(sent: Time) -> Latency {
        Latency {
            sent,
            of: LatencyOf::Settled,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum LatencyOf {
    /// That of the n-th response of its URL, from 0.
    Response(u32),
    /// That of the n-th load of its medium, from 0.
    Load(u32),
    /// That of the record.
    Record,
    /// The scenario cannot say another one.
    Settled,
}

/// Something that the world does later.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// Its number, by which it is moved. The same in forks.
    pub number: u32,
    /// When it is due.
    pub due: Time,
    /// What it is.
    pub work: PendingWork,
}

/// What the world does later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PendingWork {
    /// A response arrives, or a redirect.
    Response {
        /// The player that sent the request.
        player: PlayerIndex,
        /// The URL, or the id of a record.
        url: Arc<str>,
        /// The purpose of the request.
        purpose: Purpose,
        /// Whether the player waits for it, or uses it although it is late.
        is_of_use: bool,
        /// When its request was sent.
        sent: Time,
        /// Whether all later requests get the same latency.
        is_for_all: bool,
    },
    /// A step of the scenario is done: its index.
    Step(usize),
}

impl Moves {
    /// Returns the latency of a record, if it was moved.
    fn latency(&self, record: &Arc<str>) -> Option<Span> {
        let mut all = self.latencies.iter();
        all.find(|(id, _)| id == record).map(|(_, after)| *after)
    }
}

impl Made {
    /// Counts a load of a medium, and returns how often it was loaded before.
    fn load(&mut self, name: Arc<str>) -> u32 {
        if let Some((_, count)) = self.loaded.iter_mut().find(|(known, _)| *known == name) {
            *count += 1;
            return *count - 1;
        }
        self.loaded.push((name, 1));
        0
    }
}

/// Notes that the n-th of something takes this long.
fn put(all: &mut Vec<(Arc<str>, u32, Span)>, name: Arc<str>, nth: u32, after: Span) {
    all.retain(|(known, other, _)| (known, *other) != (&name, nth));
    all.push((name, nth, after));
}

impl Simulation {
    /// Prepares a scenario for an explorer: responses and steps may be moved, and the trace has
    /// neither a digest nor a header of its own. Play the scenario of [`Simulation::to_scenario`]
    /// for those.
    ///
    /// # Errors
    ///
    /// If the scenario cannot be played.
    pub fn movable(scenario: &Scenario) -> Result<Simulation, ScenarioError> {
        let mut simulation = Simulation::new(scenario)?;
        simulation.moves = Some(Box::default());
        simulation.tape.leave_out_digest();
        Ok(simulation)
    }

    /// Returns the players and elements that are on the page, in the order of their creation: the
    /// newest in each container, unless it was destroyed.
    pub fn live_players(&self) -> impl Iterator<Item = PlayerIndex> + '_ {
        self.seats.indices().filter(|player| {
            let seat = &self.seats[*player];
            !seat.is_destroyed() && self.seats.newest_in(&seat.container) == Some(*player)
        })
    }

    /// Returns everything that the world will do and that may come at another time, the next first.
    #[must_use]
    pub fn pending(&self) -> Vec<Pending> {
        let entries = self.agenda.entries().filter_map(|(number, due, item)| {
            let work = match movable(&self.stage, item)? {
                Movable::Response(player, request, latency) => {
                    let is_of_use = match self.seats[player].expects(request.id) {
                        ResponseStatus::Awaited => true,
                        ResponseStatus::Late => self.uses_late_answers(player),
                        ResponseStatus::Dropped => false,
                    };
                    let (url, purpose) = (Arc::clone(&request.url), request.purpose);
                    PendingWork::Response {
                        player,
                        url,
                        purpose,
                        is_of_use,
                        sent: latency.sent,
                        is_for_all: matches!(latency.of, LatencyOf::Record),
                    }
                }
                Movable::Step(line) => PendingWork::Step(line),
            };
            Some(Pending { number, due, work })
        });
        if self.moves.is_some() {
            entries.collect()
        } else {
            Vec::new()
        }
    }

    /// Returns the number of the response to the next request: all that were sent so far have
    /// smaller ones.
    #[must_use]
    pub fn next_number(&self) -> u32 {
        self.agenda.newest()
    }

    /// When something was last done that a listener had put off. A step of that instant comes
    /// before it.
    #[must_use]
    pub fn put_off_at(&self) -> Option<Time> {
        self.put_off_at
    }

    /// Lets something pending come at another time, which must not be in the past. Returns whether
    /// it could be moved.
    pub fn reschedule(&mut self, number: u32, due: Time) -> bool {
        let medium = self.agenda.entry(number).and_then(|item| {
            let Some(Movable::Response(_, request, _)) = movable(&self.stage, item) else {
                return None;
            };
            self.medium(request)
        });
        let (Some(moves), Some(item)) = (&mut self.moves, self.agenda.entry(number)) else {
            return false;
        };
        let due = due.max(self.now);
        match movable(&self.stage, item) {
            Some(Movable::Response(_, request, latency)) => {
                let after = due - latency.sent;
                match latency.of {
                    LatencyOf::Response(nth) => {
                        let url = Arc::clone(&request.url);
                        put(&mut moves.made.responses, url, nth, after);
                    }
                    LatencyOf::Load(nth) => {
                        let Some(medium) = medium else { return false };
                        put(&mut moves.made.loads, medium, nth, after);
                    }
                    LatencyOf::Record => {
                        let id = Arc::clone(&request.url);
                        moves.latencies.retain(|(known, _)| *known != id);
                        moves.latencies.push((id, after));
                    }
                    LatencyOf::Settled => return false,
                }
            }
            Some(Movable::Step(line)) => {
                moves.made.steps.retain(|(other, _)| *other != line);
                moves.made.steps.push((line, due));
            }
            None => return false,
        }
        self.agenda.reschedule(number, due);
        true
    }

    /// Returns the latency of media or of a record: the one that it was moved to, or the
    /// scenario's.
    pub(super) fn latency_of(&mut self, request: &Request, after: Span) -> (Span, Latency) {
        let sent = self.now;
        let medium = self.medium(request);
        let Some(moves) = &mut self.moves else {
            return (after, Latency::settled(sent));
        };
        if request.purpose != Purpose::Record {
            let nth = medium.map(|medium| moves.made.load(medium));
            let of = nth.map_or(LatencyOf::Settled, LatencyOf::Load);
            return (after, Latency { sent, of });
        }
        let after = moves.latency(&request.url).unwrap_or(after);
        if moves.requested.contains(&request.url) {
            return (after, Latency::settled(sent));
        }
        moves.requested.push(Arc::clone(&request.url));
        let of = LatencyOf::Record;
        (after, Latency { sent, of })
    }

    /// Returns the medium of which a scenario may say the latency: as it is listed, for all URLs
    /// that lead to it, or a URL of the media that all others play.
    fn medium(&self, request: &Request) -> Option<Arc<str>> {
        if self.moves.is_none() || request.purpose == Purpose::Record {
            return None;
        }
        let scenario = &self.stage.scenario;
        let name = match self.stage.world.listed_media(&request.url) {
            Some(media) => &scenario.media.get(media.listed()?)?.0,
            None => scenario.media_default.as_ref().map(|_| &request.url)?,
        };
        Some(Arc::clone(name))
    }

    /// Writes what was moved into a scenario.
    pub(super) fn write_moves(&self, scenario: &mut Scenario) {
        let Some(moves) = &self.moves else { return };
        for (line, at) in &moves.made.steps {
            if let Some(step) = scenario.steps.get_mut(*line) {
                step.trigger = Trigger::At(*at);
            }
        }
        let world = &self.stage.world;
        for (url, nth, after) in &moves.made.responses {
            let listing = world
                .route(url)
                .and_then(|route| world.listing(route, &mut scenario.network));
            let Some((_, answers)) = listing else {
                continue;
            };
            let (Some(last), Ok(nth)) = (answers.last().cloned(), usize::try_from(*nth)) else {
                continue;
            };
            // The last response repeats, with the latency that it had.
            if answers.len() < nth + 2 {
                answers.resize(nth + 2, last);
            }
            answers[nth].after = *after;
        }
        for (url, nth, after) in &moves.made.loads {
            let all = &mut scenario.media;
            let known = all.iter().position(|(listed, _)| listed == url);
            let place = known.unwrap_or_else(|| {
                let medium = scenario.media_default.clone().unwrap_or_default();
                all.push((Arc::clone(url), medium));
                all.len() - 1
            });
            let medium = &mut all[place].1;
            let last = MediaScript {
                earlier: Vec::new(),
                ..medium.clone()
            };
            // The last load repeats, with the latency that it had.
            let nth = *nth as usize;
            let loads = medium.earlier.len().max(nth + 1);
            medium.earlier.resize(loads, last);
            medium.earlier[nth].metadata_after = *after;
        }
        for (id, after) in &moves.latencies {
            let mut videos = scenario.videos.iter_mut();
            if let Some(script) = videos.find(|script| *script.video.id == **id) {
                script.record_after = *after;
            }
        }
    }
}

/// An entry of the agenda that may come at another time.
enum Movable<'a> {
    Response(PlayerIndex, &'a Request, Latency),
    /// The index of a step of the scenario.
    Step(usize),
}

fn movable<'a>(stage: &Stage, item: &'a AgendaItem) -> Option<Movable<'a>> {
    match item {
        AgendaItem::Answer {
            seat,
            request,
            latency,
            ..
        }
        | AgendaItem::Redirect {
            seat,
            request,
            latency,
            ..
        } => {
            let is_open = !matches!(latency.of, LatencyOf::Settled);
            is_open.then_some(Movable::Response(*seat, request, *latency))
        }
        AgendaItem::Steps(number) => match stage.timed[*number].1.as_slice() {
            [line] if is_of_the_world(&stage.scenario.steps[*line].act) => {
                Some(Movable::Step(*line))
            }
            _ => None,
        },
        AgendaItem::Start
        | AgendaItem::Script(_)
        | AgendaItem::ActivationEnds(_)
        | AgendaItem::Delayed { .. }
        | AgendaItem::PageTask
        | AgendaItem::Live { .. }
        | AgendaItem::Edited { .. } => None,
    }
}

/// Whether the time of a step is up to the user, the page or the network, and no page code comes
/// with it.
fn is_of_the_world(act: &StepAct) -> bool {
    matches!(act, StepAct::User(_) | StepAct::Page(_))
        || matches!(act, StepAct::Do { .. } if !act.binds())
}
