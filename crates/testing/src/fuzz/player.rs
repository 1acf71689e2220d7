//! A fuzz target for a player without a simulation: the bytes are its surroundings.
//!
//! Some drivers are careful, like a simulation: they wake the player in time, and answer each
//! request once, with what was requested, and give back each task at once. The others are careless:
//! they wake it late or for no reason, answer twice, with anything, or what was never requested,
//! and lose, repeat or invent tasks.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::sessions::LONGEST;
use crate::cast::Cast;
use crate::documents::document;
use crate::drawn::scenario;
use crate::feature::Feature;
use crate::options::Options;
use crate::plan::Plan;
use crate::source::Source;
use crate::vary::Vary;
use playsim_api::media::{LoadFault, MediaFault};
use playsim_api::{
    ApiError, Call, Cause, Command, Fetched, Input, Item, ListenerIndex, NetworkFault, Outbox,
    Output, PlayerIndex, Purpose, Query, Request, RequestId, Response, Task, UnitKind, Value,
};
use playsim_base::time::{Span, Time};
use playsim_check as check;
use playsim_player::{Config, Player, Settings};
use playsim_scenario::world::{ReplyResult, World};
use playsim_scenario::{Scenario, StepAct};
use playsim_sim::{Recorder, player_settings};
use playsim_trace::Trace;

/// The most inputs, besides those that follow from them.
const INPUTS: usize = 300;
/// The most that a player causes at one instant: one that is woken late has passed thousands of
/// breaks, if a break of its VMAP document is repeated every quarter of a second.
const OUTPUTS: u32 = 200_000;
/// How often a player may want to be woken at one instant.
const WAKES: u32 = 600;
/// The most redirects of a request.
const REDIRECTS: usize = 20;

/// Draws a player and its surroundings from the bytes: calls, acts of the user, changes of the
/// page, responses and wakes, in any order and at any time. The player does not panic, does not
/// want to be woken without end, and does the same when it is played again. With a careful driver
/// its trace keeps the invariants.
///
/// # Panics
///
/// If that does not hold.
pub fn player(bytes: &[u8]) {
    let source = &mut Source::from_bytes(bytes);
    let (is_recorded, is_careful) = (source.chance(1, 2), source.chance(1, 2));
    let options = [Feature::Several, Feature::Elements, Feature::Queues]
        .into_iter()
        .fold(Options::default(), Options::without);
    let scenario = scenario(source, &options.steps(0..=0));
    let plan = Plan::around(&scenario, Vary::Both, &Options::default(), source);
    let cast = Cast::new(&scenario, &plan, &plan.containers, source);
    let drive = Drive {
        scenario: &scenario,
        cast: &cast,
        is_careful,
    };
    if is_recorded {
        let play = || drive.recorded(&mut source.clone());
        let Some(trace) = play() else { return };
        assert_eq!(play().as_ref(), Some(&trace), "played again, it differs");
        let findings = if is_careful {
            check::invariants(&trace)
        } else {
            Vec::new()
        };
        assert!(findings.is_empty(), "{findings:#?}");
    } else {
        let play = || drive.bare(&mut source.clone());
        assert_eq!(play(), play(), "played again, it differs");
    }
}

/// Who gives a player its inputs.
trait Host {
    fn handle(&mut self, now: Time, input: Input) -> Result<Value, ApiError>;
    fn pop(&mut self) -> Option<Output>;
    fn player(&self) -> &Player;
}

impl Host for Recorder {
    fn handle(&mut self, now: Time, input: Input) -> Result<Value, ApiError> {
        Recorder::handle(self, now, input)
    }

    fn pop(&mut self) -> Option<Output> {
        Recorder::pop(self)
    }

    fn player(&self) -> &Player {
        Recorder::player(self)
    }
}

/// The outputs of a player, and the results of its inputs.
type Caused = (Vec<Item>, Vec<Result<Value, ApiError>>);

/// A player without surroundings, and all its outputs.
struct Bare {
    player: Player,
    out: Outbox,
    caused: Vec<Item>,
    returned: Vec<Result<Value, ApiError>>,
}

impl Host for Bare {
    fn handle(&mut self, now: Time, input: Input) -> Result<Value, ApiError> {
        self.out.begin(PlayerIndex(0), Cause::Script, now);
        let returned = self.player.handle(input, &mut self.out);
        self.caused.extend(self.out.take_diagnostics());
        self.returned.push(returned.clone());
        returned
    }

    fn pop(&mut self) -> Option<Output> {
        let item = self.out.pop()?;
        if let Output::Event(event) = &item.output {
            let mut delivery = self.player.begin_delivery(event.name);
            while self.player.next_listener(&mut delivery).is_some() {}
        }
        self.caused.push(item.clone());
        Some(item.output)
    }

    fn player(&self) -> &Player {
        &self.player
    }
}

/// How a player is driven.
struct Drive<'a> {
    /// Its settings, and the responses of its world.
    scenario: &'a Scenario,
    cast: &'a Cast<'a>,
    is_careful: bool,
}

impl Drive<'_> {
    /// Drives a player with a recorder. `None`: its configuration is refused.
    fn recorded(&self, source: &mut Source) -> Option<Trace> {
        let (_, config) = self.config(source, &[UnitKind::Player])?;
        let container = *source.pick(&["main", "", "\u{1}"]);
        let recorder = Recorder::new("fuzz", container, config, self.settings()).ok()?;
        Some(Driver::new(self, recorder).run(source).finish())
    }

    /// Drives a player without one, and returns all its outputs and results.
    fn bare(&self, source: &mut Source) -> Option<Caused> {
        let (unit, config) = self.config(source, UnitKind::ALL)?;
        let (settings, mut out) = (self.settings(), Outbox::new());
        let config = Config::read(config, unit, &settings.knobs, &mut out).ok()??;
        let situation = settings.page.situation();
        let player = Player::new("main", config, situation, Arc::new(settings), &mut out);
        let bare = Driver::new(
            self,
            Bare {
                player,
                out,
                caused: Vec::new(),
                returned: Vec::new(),
            },
        )
        .run(source);
        Some((bare.caused, bare.returned))
    }

    fn settings(&self) -> Settings {
        player_settings(
            self.scenario,
            &self.scenario.player,
            self.scenario.page.clone(),
        )
    }

    /// The configuration of a unit of these kinds in the scenario.
    fn config(&self, source: &mut Source, kinds: &[UnitKind]) -> Option<(UnitKind, &Value)> {
        let mut configs = Vec::new();
        for step in &self.scenario.steps {
            if let StepAct::Init { unit, config, .. } = &step.act
                && kinds.contains(unit)
            {
                configs.push((*unit, config));
            }
        }
        configs.get(source.index(configs.len())).copied()
    }
}

/// A player on its way.
struct Driver<'a, H> {
    drive: &'a Drive<'a>,
    host: H,
    world: World,
    /// How many responses of each URL were used.
    used: Vec<u32>,
    now: Time,
    /// The responses on their way.
    due: BTreeMap<(Time, u32), Input>,
    /// The tasks that a careless driver has been asked for.
    tasks: Vec<Task>,
    /// The number of outputs at this instant, and how often the player was woken.
    outputs: u32,
    wakes: u32,
}

impl<'a, H: Host> Driver<'a, H> {
    fn new(drive: &'a Drive<'a>, host: H) -> Driver<'a, H> {
        let world = World::new(drive.scenario.surroundings());
        let (used, now) = (vec![0; world.routes()], Time::ZERO);
        let (due, tasks) = (BTreeMap::new(), Vec::new());
        Driver {
            drive,
            host,
            world,
            used,
            now,
            due,
            tasks,
            outputs: 0,
            wakes: 0,
        }
    }

    /// Gives all inputs of the source, and then only those that are due.
    fn run(mut self, source: &mut Source) -> H {
        self.drain(source);
        for _ in 0..INPUTS {
            if source.is_exhausted() || self.drive.is_careful && self.now >= LONGEST {
                break;
            }
            self.input(source);
            self.drain(source);
        }
        let end = if self.drive.is_careful {
            LONGEST
        } else {
            self.now + (LONGEST - Time::ZERO)
        };
        self.advance(end, source);
        self.host
    }

    fn input(&mut self, source: &mut Source) {
        match source.below(if self.drive.is_careful { 10 } else { 22 }) {
            0..=3 => drop(self.next(Time::MAX)),
            4 => {
                let end = self.now + span(source);
                self.advance(end, source);
                self.move_to(end);
            }
            5..=8 => self.act(source),
            9 => self.give(Input::Edited(self.video(source))),
            10 => self.give(Input::Wake),
            11 => self.move_to(self.now + span(source)),
            12 => self.move_to(self.now + Span::from_micros(source.below(1 << 36))),
            13..=15 => {
                let any = source.index(self.due.len());
                if let Some(input) = self.due.values().nth(any).cloned() {
                    self.give(input);
                }
            }
            16 | 17 => {
                let task = self.any_task(source);
                self.give(Input::Task(task));
            }
            _ => {
                let response = self.response(source);
                self.give(response);
            }
        }
    }

    /// Takes all outputs of the player. Listeners act, too.
    fn drain(&mut self, source: &mut Source) {
        while let Some(output) = self.host.pop() {
            self.outputs += 1;
            assert!(
                self.outputs <= OUTPUTS,
                "at {} the player does not come to an end",
                self.now
            );
            match output {
                Output::Fetch(request) => self.fetch(&request),
                Output::Callback => self.give(Input::Call(Command {
                    within_ready: true,
                    ..Call::Play.into()
                })),
                Output::Task(task) if self.drive.is_careful => self.give(Input::Task(task)),
                Output::Task(task) => {
                    self.tasks.push(task);
                    if source.chance(7, 8) {
                        self.give(Input::Task(task));
                    }
                }
                // A listener.
                Output::Event(_) if source.chance(1, 8) => self.act(source),
                Output::Event(_)
                | Output::TimeUpdates(_)
                | Output::Media(_)
                | Output::Entry(_)
                | Output::Line(_) => {}
            }
        }
    }

    fn give(&mut self, input: Input) {
        // An error is an answer like any other.
        let _ = self.host.handle(self.now, input);
    }

    fn move_to(&mut self, at: Time) {
        if at > self.now {
            (self.now, self.outputs, self.wakes) = (at, 0, 0);
        }
    }

    /// Does all that is due up to an instant.
    fn advance(&mut self, end: Time, source: &mut Source) {
        self.drain(source);
        while self.next(end) {
            self.drain(source);
        }
    }

    /// Does the next thing that is due up to an instant; responses come first. Returns whether
    /// there was one.
    fn next(&mut self, end: Time) -> bool {
        let wake = self.host.player().next_wake().map(|wake| wake.at);
        let first = self
            .due
            .first_entry()
            .filter(|entry| wake.is_none_or(|at| entry.key().0 <= at));
        let (at, input) = match (first, wake) {
            (Some(entry), _) if entry.key().0 <= end => (entry.key().0, entry.remove()),
            (None, Some(at)) if at <= end => (at, Input::Wake),
            _ => return false,
        };
        self.move_to(at);
        if let Input::Wake = input {
            self.wakes += 1;
            assert!(
                self.wakes <= WAKES,
                "at {} the player wants to be woken without end",
                self.now
            );
        }
        self.give(input);
        true
    }

    /// Sends a request. Without a response nothing is due.
    fn fetch(&mut self, request: &Request) {
        let id = request.id;
        let (after, input) = match request.purpose {
            Purpose::Record => match self.world.record(&request.url) {
                Some((video, after)) => (*after, Input::Record(id, Some(Arc::clone(video)))),
                None => (Span::ZERO, Input::Record(id, None)),
            },
            Purpose::Media => match self.world.media(&request.url) {
                Some(reply) => (
                    reply.after,
                    Input::Loaded(id, reply.at(self.now + reply.after)),
                ),
                None => (
                    Span::ZERO,
                    Input::Loaded(id, Err(MediaFault::NotFound.into())),
                ),
            },
            Purpose::AdTag | Purpose::Wrapper | Purpose::Playlist => {
                let Some((after, fetched)) = self.document(&request.url) else {
                    return;
                };
                (after, Input::Fetched(id, fetched))
            }
        };
        self.due.insert((self.now + after, id.0), input);
    }

    /// The response for a document, after all redirects.
    fn document(&mut self, url: &Arc<str>) -> Option<(Span, Fetched)> {
        let (mut url, mut after) = (Arc::clone(url), Span::ZERO);
        for _ in 0..REDIRECTS {
            let Some(route) = self.world.route(&url) else {
                return Some((
                    after,
                    Fetched::Response(Response {
                        status: 404,
                        ..Response::new(url, "")
                    }),
                ));
            };
            let used = &mut self.used[World::number(route)];
            let reply = self.world.reply(route, *used)?;
            (*used, after) = (*used + 1, after + reply.after);
            match &reply.result {
                ReplyResult::Nothing => return None,
                ReplyResult::Body(body) => {
                    return Some((after, Fetched::Response(body.response())));
                }
                ReplyResult::Fails(fault) => return Some((after, Fetched::Failed(*fault))),
                ReplyResult::Redirect(_, to) => url = Arc::clone(to),
            }
        }
        Some((after, Fetched::Failed(NetworkFault::Redirects)))
    }

    /// Page code, the user or the page does something.
    fn act(&mut self, source: &mut Source) {
        match self.drive.cast.act(source) {
            StepAct::Do { call, args } => {
                let within_ready = !self.drive.is_careful && source.chance(1, 8);
                let listener = args.iter().find_map(Value::as_function).and_then(|name| {
                    self.drive
                        .cast
                        .listeners
                        .iter()
                        .position(|known| **known == **name)
                        .map(ListenerIndex)
                });
                self.give(Input::Call(Command {
                    call,
                    args,
                    within_ready,
                    listener,
                }));
            }
            StepAct::User(act) => self.give(Input::Person(act)),
            StepAct::Page(change) => self.give(Input::Page(change)),
            StepAct::Read(queries) => self.read(&queries),
            StepAct::Init { .. }
            | StepAct::Queue { .. }
            | StepAct::Element { .. }
            | StepAct::Script(_)
            | StepAct::Container(_)
            | StepAct::Edit(_)
            | StepAct::Let { .. }
            | StepAct::Use { .. }
            | StepAct::When { .. }
            | StepAct::For { .. }
            | StepAct::Task(_) => self.read(Query::ALL),
        }
    }

    fn read(&self, queries: &[Query]) {
        for query in queries {
            let _ = self.host.player().query(self.now, *query);
        }
    }

    fn video(&self, source: &mut Source) -> Arc<playsim_api::video::Video> {
        Arc::clone(&source.pick(&self.drive.scenario.videos).video)
    }

    /// A task that was asked for before, or that may never have been.
    fn any_task(&self, source: &mut Source) -> Task {
        match source.below(24) {
            0 => Task::Ready,
            1 => Task::StartAd,
            2 => Task::StartOverlay,
            3 => Task::Data,
            4 => Task::Seeked(source.below(8) as u32),
            5 => Task::Autoplay,
            6 => Task::OpenUnitBreak,
            7 => Task::DestroySelf,
            8 => Task::HeldFailure,
            9 => Task::PassOver(source.index(8)),
            10 => Task::TearDown,
            11 => Task::OpenEndBreaks,
            _ => self
                .tasks
                .get(source.index(self.tasks.len()))
                .copied()
                .unwrap_or(Task::Data),
        }
    }

    /// A response that nothing may have requested.
    fn response(&self, source: &mut Source) -> Input {
        let id = RequestId(source.below(32) as u32);
        let plan = self.drive.cast.plan;
        match source.below(6) {
            0 => Input::Fetched(id, Fetched::Failed(NetworkFault::Reset)),
            1 => Input::Fetched(
                id,
                Fetched::Response(Response::new(
                    "anything",
                    document(plan, source, &mut String::new()),
                )),
            ),
            2 => Input::Record(id, None),
            3 => Input::Record(id, Some(self.video(source))),
            4 => Input::Loaded(id, Err(LoadFault::from(MediaFault::Decode))),
            _ => {
                let reply = self.world.media(source.pick(&plan.films).as_ref());
                let loaded =
                    reply.map_or(Err(MediaFault::Network.into()), |reply| reply.at(self.now));
                Input::Loaded(id, loaded)
            }
        }
    }
}

/// A time span, often an odd one.
fn span(source: &mut Source) -> Span {
    Span::from_micros(match source.below(5) {
        0 => 1,
        1 => source.below(1 << 8),
        2 => source.below(1 << 16),
        3 => 250_000 * source.below(8),
        _ => source.below(1 << 23),
    })
}
