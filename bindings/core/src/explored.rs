//! A page that is explored by an explorer outside, who plays it once for each way.
//!
//! [`World::again`] begins a way. Times are whole microseconds. Operations:
//!
//! - `play` with `until` and `isBegun`: plays the next instant, or the rest of the present one. It
//!   stops where page code was called, so that its promises can settle, and before a response that
//!   is due. The answer says whether one is, and whether the run is over.
//! - `lines`: a digest of the lines so far. `place` adds what may be moved, and with `wantsKey` a
//!   digest of the state, for which `acts` and `moves` say how many of each were done.
//! - `acts` with `next`: which acts may matter before the next instant.
//! - `act`, `move`, `hold`: a choice; the answer has its words, or null if there is nothing to do.
//! - `end` with `judges`: what came of it. `keep`: the scenario that plays to it.

use std::sync::{Arc, OnceLock};

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::Answer;
use crate::answers::{failure, of_scenario};
use crate::read::{Given, PageCode};
use crate::world::World;
use playsim::api::PlayerIndex;
use playsim::sim::PendingWork;
use playsim::testing::explore::replay::{self, Past, PossibleAct, Replay};
use playsim::testing::explore::{Action, Fact, USUAL};
use playsim::time::Time;
use playsim::{Simulation, Trace};

/// How a page is to be explored.
#[derive(Deserialize)]
pub(crate) struct Asked {
    /// The acts; without them the usual ones.
    #[serde(rename = "do")]
    actions: Option<Vec<String>>,
    /// Whether there is page code outside.
    #[serde(default, rename = "hasPage")]
    has_page: bool,
}

/// What an explored page has besides its state.
#[derive(Clone)]
pub(crate) struct Explored {
    replay: Arc<Replay>,
    past: Past,
    /// The trace of the way without a choice.
    base: Arc<OnceLock<Trace>>,
}

#[derive(Deserialize)]
struct Operation {
    until: Option<u64>,
    #[serde(default, rename = "isBegun")]
    is_begun: bool,
    next: Option<u64>,
    #[serde(default)]
    acts: u32,
    #[serde(default)]
    moves: u32,
    #[serde(default)]
    at: u64,
    #[serde(default)]
    action: usize,
    #[serde(default)]
    seat: u16,
    #[serde(default)]
    number: u32,
    #[serde(default, rename = "wantsKey")]
    wants_key: bool,
    #[serde(default)]
    judges: bool,
}

impl Explored {
    pub(crate) fn new(given: &Given, asked: &Asked) -> Result<(Simulation, Box<Explored>), String> {
        let actions = match &asked.actions {
            Some(words) => words
                .iter()
                .map(|word| word.parse())
                .collect::<Result<Vec<Action>, String>>(),
            None => Action::list(USUAL),
        };
        let actions = actions.map_err(failure)?;
        let scenario = given.scenario(if asked.has_page {
            PageCode::Outside
        } else {
            PageCode::Inside
        })?;
        let replay = Replay::new(scenario, actions).map_err(|error| of_scenario(&error))?;
        let (simulation, past) = replay.begin();
        Ok((
            simulation,
            Box::new(Explored {
                replay: Arc::new(replay),
                past,
                base: Arc::default(),
            }),
        ))
    }

    /// Begins a way.
    pub(crate) fn again(&self) -> (Simulation, Box<Explored>) {
        let (simulation, past) = self.replay.begin();
        let (replay, base) = (Arc::clone(&self.replay), Arc::clone(&self.base));
        (simulation, Box::new(Explored { replay, past, base }))
    }
}

impl World {
    /// Performs an operation of an explorer; `None` if it is none.
    pub(crate) fn explore(&mut self, op: &str, text: &str) -> Option<Answer> {
        self.explored.as_ref()?;
        let read = || serde_json::from_str::<Operation>(text).map_err(failure);
        let perform: fn(&mut World, &Operation, &mut Explored) -> Json = match op {
            "play" => World::play,
            "lines" => World::lines,
            "place" => World::place,
            "acts" => World::possible_acts,
            "act" => World::act_of_way,
            "move" => |world, asked, _| {
                let to = Some(Time::from_micros(asked.at));
                json!({ "word": replay::reschedule(&mut world.simulation, asked.number, to) })
            },
            "hold" => {
                |world, asked, _| json!({ "word": replay::reschedule(&mut world.simulation, asked.number, None) })
            }
            "end" => World::end_of_way,
            "keep" => World::kept,
            _ => return None,
        };
        Some(read().map(|asked| {
            self.end_task();
            let Some(mut explored) = self.explored.take() else {
                return String::new();
            };
            let answer = perform(self, &asked, &mut explored);
            self.explored = Some(explored);
            answer.to_string()
        }))
    }

    fn play(&mut self, asked: &Operation, _: &mut Explored) -> Json {
        let until = asked.until.map_or(Time::MAX, Time::from_micros);
        let mut has_called = false;
        if !asked.is_begun {
            let written = |run: &Simulation| {
                (
                    run.records().len(),
                    run.records().last().map(|it| it.last_seq()),
                )
            };
            let before = written(&self.simulation);
            while !has_called
                && written(&self.simulation) == before
                && replay::next_due(&self.simulation).is_some_and(|due| due <= until)
            {
                self.simulation.turn_until(until);
                has_called = self.has_called();
            }
        }
        let mut waits = false;
        while !has_called && self.simulation.next_due() == Some(self.simulation.now()) {
            let now = self.simulation.now();
            waits = self
                .simulation
                .pending()
                .iter()
                .any(|pending| pending.due == now);
            if waits {
                break;
            }
            self.simulation.turn_until(now);
            has_called = self.has_called();
        }
        json!({ "waits": waits, "isOver": self.simulation.outcome().is_some() })
    }

    fn lines(&mut self, _: &Operation, explored: &mut Explored) -> Json {
        explored.replay.take(&self.simulation, &mut explored.past);
        json!({ "exact": hex(explored.past.exact()), "order": hex(explored.past.order()) })
    }

    fn place(&mut self, asked: &Operation, explored: &mut Explored) -> Json {
        let run = &self.simulation;
        explored.replay.take(run, &mut explored.past);
        let key = asked
            .wants_key
            .then(|| explored.past.key(run, asked.acts, asked.moves))
            .flatten();
        let pending = run.pending();
        let pending = pending.iter().map(|it| {
            json!({
                "number": it.number,
                "due": it.due.micros(),
                "isResponse": matches!(it.work, PendingWork::Response { .. }),
                "isAwaited": replay::is_awaited(it),
            })
        });
        json!({
            "pending": pending.collect::<Vec<_>>(),
            "exact": hex(explored.past.exact()),
            "key": key.map(hex),
        })
    }

    fn possible_acts(&mut self, asked: &Operation, explored: &mut Explored) -> Json {
        let next = asked.next.map(Time::from_micros);
        let acts = self.mute(|| explored.replay.possible_acts(&self.simulation, next));
        let acts = acts
            .iter()
            .map(|it| json!({ "at": it.at.micros(), "action": it.action, "seat": it.player.0 }));
        json!({ "acts": acts.collect::<Vec<_>>() })
    }

    fn act_of_way(&mut self, asked: &Operation, explored: &mut Explored) -> Json {
        let act = PossibleAct::new(
            Time::from_micros(asked.at),
            asked.action,
            PlayerIndex(asked.seat),
        );
        let Explored { replay, past, .. } = explored;
        json!({ "word": replay.act(&mut self.simulation, past, act) })
    }

    fn end_of_way(&mut self, asked: &Operation, explored: &mut Explored) -> Json {
        explored.replay.take(&self.simulation, &mut explored.past);
        let trace = self.simulation.ending_now().run();
        let end = explored.past.end(&trace);
        let broken = if asked.judges {
            explored.replay.judge(&trace)
        } else {
            Vec::new()
        };
        let fact = |(fact, times): &(Fact, u32)| {
            json!({
                "kind": fact.kind.name(),
                "name": &*fact.name,
                "code": fact.code,
                "container": fact.container.as_deref(),
                "times": times,
            })
        };
        let broken = broken
            .iter()
            .map(|it| json!({ "law": it.law, "why": it.why, "kind": it.kind }));
        let answer = json!({
            "outcome": hex(end.outcome),
            "seen": end.seen,
            "facts": end.facts.iter().map(fact).collect::<Vec<_>>(),
            "broken": broken.collect::<Vec<_>>(),
        });
        // The first one that ends is the way without a choice.
        explored.base.get_or_init(|| trace);
        answer
    }

    fn kept(&mut self, _: &Operation, explored: &mut Explored) -> Json {
        let run = self.simulation.ending_now();
        let scenario = run.to_scenario().inlined();
        let parts_at = explored
            .base
            .get()
            .and_then(|base| replay::parts_at(base, &run.run()));
        json!({ "yaml": scenario.to_yaml(), "partsAt": parts_at })
    }
}

fn hex(digest: u128) -> String {
    format!("{digest:032x}")
}
