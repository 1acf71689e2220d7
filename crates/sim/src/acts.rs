//! Actions of page scripts and of the user.
//!
//! The line of a call contains its return value; its effects follow below it.
//!
//! Rules: INIT-1, INIT-5 to INIT-9, INIT-18, INIT-19, DESTROY-4, DESTROY-8, ENV-2.

use std::sync::Arc;

use super::outcome::Stop;
use super::seat::{Seat, Unit};
use super::{MAX_PLAYERS, Simulation};
use playsim_api::page::Activation;
use playsim_api::{
    Act, ApiError, Call, Cause, Code, Command, Fields, Input, Line, LineName, MakingLine,
    PlayerIndex, Query, Text, UnitKind, Value,
};
use playsim_base::number::Decimal;
use playsim_base::watch;
use playsim_player::{Config, ListenerIndex, Player};
use playsim_rules::knobs::NoClass;
use playsim_rules::{self as rules, RuleId};
use playsim_scenario::{Condition, HIDDEN, StepAct, Target};
use playsim_trace::NewLine;

/// The player that an action applies to, or the error if there is none.
pub(super) type Found = Result<PlayerIndex, ApiError>;

impl Simulation {
    /// Performs an action of the agenda.
    pub(super) fn do_act(&mut self, act: &StepAct, target: &Target, cause: Cause) {
        self.act_within(act, target, None, cause);
    }

    /// Performs an action, within a listener of the player in `seat` if there is one. Rules EVT-1,
    /// DESTROY-6.
    pub(super) fn act_within(
        &mut self,
        act: &StepAct,
        target: &Target,
        seat: Option<PlayerIndex>,
        cause: Cause,
    ) {
        self.act_as(act, target, seat, seat.is_some(), cause);
    }

    /// Performs an action that was put off by a listener of the player in `seat`. It is for that
    /// player, even if a later one has taken its container. Rule DESTROY-12.
    pub(super) fn act_later(
        &mut self,
        act: &StepAct,
        target: &Target,
        seat: PlayerIndex,
        cause: Cause,
    ) {
        self.act_as(act, target, Some(seat), false, cause);
    }

    pub(super) fn act_as(
        &mut self,
        act: &StepAct,
        target: &Target,
        seat: Option<PlayerIndex>,
        is_within: bool,
        cause: Cause,
    ) {
        if let StepAct::For { player, act } = act {
            return self.act_as(act, player, seat, is_within, cause);
        }
        if let StepAct::When { conditions, act } = act {
            if self.hold(conditions, target, seat) {
                self.act_as(act, target, seat, is_within, cause);
            }
            return;
        }
        if let StepAct::Use { call, name } = act {
            let act = StepAct::Do {
                call: *call,
                args: vec![self.page.kept(name)],
            };
            return self.act_as(&act, target, seat, is_within, cause);
        }
        let brings_events = match act {
            // A reading causes no events. INV-23
            StepAct::Do { call, args } => {
                !args.is_empty() || Query::from_name(call.name()).is_none()
            }
            StepAct::User(_) | StepAct::Page(_) => true,
            StepAct::Init { .. }
            | StepAct::Element { .. }
            | StepAct::Queue { .. }
            | StepAct::Script(_)
            | StepAct::Container(_)
            | StepAct::Edit(_)
            | StepAct::Read(_)
            | StepAct::Let { .. }
            | StepAct::Use { .. }
            | StepAct::When { .. }
            | StepAct::For { .. }
            | StepAct::Task(_) => false,
        };
        // Events that are still waiting when a player is destroyed are not delivered.
        if brings_events
            && !matches!(
                act,
                StepAct::Do {
                    call: Call::Destroy,
                    ..
                }
            )
        {
            self.deliver_waiting();
        }
        if self.stopped.is_some() {
            return;
        }
        match act {
            StepAct::Init {
                unit,
                div,
                config,
                on_ready,
            } => {
                let rule = match unit {
                    UnitKind::Player => rules::INIT_9,
                    UnitKind::Outstream => rules::OUT_1,
                };
                self.init(*unit, div, config, on_ready.as_ref(), rule, cause);
            }
            StepAct::Element { div, config } => self.init_element(div, config, cause),
            StepAct::Queue {
                unit,
                entry,
                on_ready,
            } => self.push(*unit, entry, on_ready.as_ref(), cause),
            StepAct::Script(unit) => self.script_arrives(*unit, cause),
            StepAct::Container(id) => self.put_container(id, cause),
            StepAct::Edit(script) => self.make_edit(script, cause),
            StepAct::Do { call, args } => {
                let found = self.find(target, seat);
                self.make_call(found, *call, args, cause);
            }
            StepAct::User(act) => {
                let found = self.find(target, seat);
                self.person(found, act, cause);
            }
            StepAct::Page(change) => {
                let found = self.find(target, seat);
                self.page_changes(found, target, *change, cause);
            }
            StepAct::Read(queries) => {
                for query in queries {
                    self.read_of(target, seat, *query, is_within, cause);
                }
            }
            StepAct::Task(acts) => {
                let outer = std::mem::replace(&mut self.is_in_task, true);
                for act in acts {
                    self.act_as(act, target, seat, is_within, cause);
                }
                self.is_in_task = outer;
            }
            StepAct::Let { name, query } => {
                let found = self.find(target, seat);
                let read = found.and_then(|seat| self.reading(seat, *query));
                self.read_of(target, seat, *query, is_within, cause);
                self.page.keep(name, read.unwrap_or(Value::Undefined));
            }
            StepAct::Use { .. } | StepAct::When { .. } | StepAct::For { .. } => {}
        }
        if brings_events {
            self.deliver_waiting();
        }
        if !is_within {
            self.checkpoint();
        }
        self.last_change = self.now;
    }

    /// Returns whether conditions of page code hold: about the page, getters, and kept values.
    fn hold(&self, conditions: &[Condition], target: &Target, seat: Option<PlayerIndex>) -> bool {
        conditions.iter().all(|(name, value)| {
            let is = if **name == *HIDDEN {
                self.page.situation.is_hidden.into()
            } else if let Some(query) = Query::from_name(name) {
                let found = self.find(target, seat);
                let read = found.and_then(|seat| self.reading(seat, query));
                read.unwrap_or(Value::Undefined)
            } else {
                self.page.kept(name)
            };
            // A getter may return a position, which an explorer has to know.
            match (is.as_number(), value.as_number()) {
                (Some(one), Some(other)) => {
                    let micros = |number: Decimal| number.millionths().max(0).unsigned_abs();
                    watch::is_equal(micros(one), micros(other)) && one == other
                }
                _ => is == *value,
            }
        })
    }

    /// Calls `$player(div, config, onReady)`. `rule` is the rule of the call's line if it succeeds.
    pub(super) fn init(
        &mut self,
        unit: UnitKind,
        div: &Value,
        config: &Value,
        on_ready: Option<&Arc<str>>,
        mut rule: RuleId,
        cause: Cause,
    ) {
        let seat = self.seats.next_index();
        self.out
            .begin(seat, Cause::Line(self.tape.next_seq()), self.now);
        let of_channel = self.of_channel(config);
        let made = self.make(unit, div, of_channel.as_ref().unwrap_or(config), on_ready);
        if of_channel.is_some() {
            rule = rules::EDIT_61;
        }
        let mut args = vec![div.clone(), config.clone()];
        args.extend(on_ready.map(|name| Value::Function(name.into())));
        let mut data = Fields::one("args", Value::List(args));
        // Without a player, the rule is that of the last diagnostic, which says why.
        let refused = self.out.last_diagnostic().unwrap_or(rules::INIT_2);
        match made {
            Ok(Some(container)) => data.push("returns", format!("$player('{container}')")),
            Ok(None) => rule = refused,
            Err(error) => {
                rule = error.rule;
                data.push("error", error.code.name());
                data.push("text", error.text);
            }
        }
        let player = self.seats.contains(seat).then_some(seat);
        let line = Line::new(MakingLine::Player, data);
        self.tape.write(
            self.now,
            NewLine {
                cause,
                rule: Some(rule),
                player,
                in_break: None,
                line,
            },
        );
        if player.is_some() {
            self.after_input(seat);
        } else {
            self.write_diagnostics();
        }
    }

    /// Creates a player, if container and configuration allow it. Rules INIT-1, INIT-5 to INIT-8.
    fn make(
        &mut self,
        unit: UnitKind,
        div: &Value,
        config: &Value,
        on_ready: Option<&Arc<str>>,
    ) -> Result<Option<Arc<str>>, ApiError> {
        self.needs_script(unit)?;
        let Some(div) = div.as_text() else {
            let text =
                "the first argument of the initialiser must be a string, the container's id".into();
            return Err(ApiError {
                code: Code::BadArgument,
                text,
                rule: rules::INIT_1,
            });
        };
        let stage = Arc::clone(&self.stage);
        let container = self
            .page
            .container(&stage.scenario.page.containers, div)
            .cloned();
        if self
            .seats
            .iter()
            .any(|seat| *seat.container == **div && !seat.is_destroyed())
        {
            let text = format!("container \"{div}\" already holds a player").into();
            return Err(ApiError {
                code: Code::AlreadyInitialised,
                text,
                rule: rules::INIT_7,
            });
        }
        let knobs = &stage.knobs;
        let Some(config) = Config::read(config, unit, knobs, &mut self.out)? else {
            return Ok(None);
        };
        let Some(container) = container else {
            let text = format!("the page has no container \"{div}\"; no player is created");
            self.out.diag(rules::INIT_5, Code::NoContainer, text);
            return Ok(None);
        };
        if !container.player_class {
            let effect = match knobs.init_no_class() {
                NoClass::Warn => "the player is created anyway",
                NoClass::Refuse => "no player is created",
            };
            let text = format!("container \"{div}\" lacks the player's class; {effect}");
            self.out.diag(rules::INIT_6, Code::NoClass, text);
            if knobs.init_no_class() == NoClass::Refuse {
                return Ok(None);
            }
        }
        let identity = (unit, config.id.clone());
        self.note_twins(&identity, div);
        let id = container.id.clone();
        let settings = Arc::clone(stage.settings(&id));
        let situation = self.page.situation_in(&id);
        let player = Player::new(&id, config, situation, settings, &mut self.out);
        self.tape.add_player(id.clone());
        let on_ready = on_ready.map(|name| self.listener(name).unwrap_or_else(|| stage.nameless()));
        let unit = Unit::Player(Box::new(player));
        self.sit_down(Seat {
            unit,
            container: id.clone(),
            identity: Some(identity),
            on_ready,
        });
        Ok(Some(id))
    }

    /// Puts a player or element into its container. The listeners of steps are bound to the first
    /// one in a container.
    pub(super) fn sit_down(&mut self, mut seat: Seat) {
        let stage = Arc::clone(&self.stage);
        let is_first = !self
            .seats
            .iter()
            .any(|other| other.container == seat.container);
        let mut lost: Vec<Text> = Vec::new();
        for (number, script) in stage.scripts.iter().enumerate() {
            if let Some(step) = script
                .step
                .as_ref()
                .filter(|step| step.container == seat.container)
            {
                if is_first {
                    seat.bind(step.event, ListenerIndex(number));
                } else {
                    lost.push(script.name.clone());
                }
            }
        }
        if !is_first {
            lost.extend(self.live_listeners(&seat.container));
            let earlier = self.seats.iter_mut();
            earlier
                .filter(|other| other.container == seat.container)
                .for_each(Seat::forget_listeners);
        }
        self.note_lost(&lost, &seat.container);
        for event in &self.listened {
            seat.bind(*event, stage.counter());
        }
        self.seats.push(seat);
        self.alarms.add_player();
        if self.seats.len() == MAX_PLAYERS {
            self.stopped = Some(Stop::Players);
        }
    }

    /// Returns whether no later player has taken the container of this one.
    pub(super) fn is_newest(&self, seat: PlayerIndex) -> bool {
        self.seats.newest_in(&self.seats[seat].container) == Some(seat)
    }

    /// Writes a diagnostic if steps waited for events of an earlier player in the container. Rule
    /// DESTROY-11.
    fn note_lost(&mut self, steps: &[Text], container: &str) {
        let (Some(first), rest) = (steps.first(), steps.len().saturating_sub(1)) else {
            return;
        };
        let more = if rest == 0 {
            String::new()
        } else {
            format!(" and {rest} more")
        };
        let text = format!(
            "{first}{more} listened to the destroyed player in container \"{container}\", and its listeners are gone: \
             bind a listener again with on()"
        );
        self.out.diag(rules::DESTROY_11, Code::ListenersGone, text);
    }

    /// Writes a diagnostic if another player has the same id. Players are identified by their
    /// containers, not by the id in their configurations. Rule CON-23.
    fn note_twins(&mut self, identity: &(UnitKind, Arc<str>), div: &str) {
        let is_twin =
            |seat: &&Seat| seat.identity.as_ref() == Some(identity) && !seat.is_destroyed();
        let twin = self.seats.iter().find(is_twin);
        let Some(twin) = twin.map(|seat| seat.container.clone()) else {
            return;
        };
        let text = format!(
            "the player in container \"{twin}\" also has the id \"{}\"; players are identified by container",
            identity.1
        );
        let meant = Text::from(format!("$player('{div}')"));
        self.out
            .diag_with(rules::CON_23, Code::SamePlayerId, text, Some(meant));
    }

    /// Finds the player that an action applies to. Rules LOAD-1, INIT-18, INIT-19, DESTROY-8,
    /// DESTROY-9.
    pub(super) fn find(&self, target: &Target, within: Option<PlayerIndex>) -> Found {
        let found = match target {
            // Within a listener, it is the player that the listener is bound to. INIT-13, EVT-15
            Target::First => within.or_else(|| self.seats.newest_in(&self.stage.first)),
            Target::Container(id) => self.seats.newest_in(id),
            Target::NoArgument => self.seats.first(|seat| !seat.is_destroyed()),
        };
        // If a player exists, the script has loaded and `$player()` works. A call that names a
        // container, or comes before any player, may be too early.
        let is_early = *target != Target::NoArgument || self.seats.is_empty();
        if found.is_none() && is_early {
            self.needs_any_script()?;
        }
        found.ok_or_else(|| ApiError {
            code: Code::NoSuchPlayer,
            text: match target {
                Target::Container(id) => self.no_player_in(id).into(),
                Target::First | Target::NoArgument => "there is no player".into(),
            },
            rule: match target {
                Target::NoArgument if !self.seats.is_empty() => rules::DESTROY_9,
                Target::Container(_) | Target::First | Target::NoArgument => rules::INIT_19,
            },
        })
    }

    /// Returns the error text for a container without a player, with a hint if the name is the id
    /// in a player's configuration. Rule CON-23.
    fn no_player_in(&self, id: &str) -> String {
        let is_meant = |seat: &&Seat| {
            seat.identity.as_ref().is_some_and(|(_, own)| **own == *id) && !seat.is_destroyed()
        };
        let twin = self.seats.iter().find(is_meant);
        let hint = twin.map(|seat| {
            format!(
                "; the player with that id is in container \"{}\"",
                seat.container
            )
        });
        format!(
            "there is no player in container \"{id}\"{}",
            hint.unwrap_or_default()
        )
    }

    fn make_call(&mut self, found: Found, call: Call, args: &[Value], cause: Cause) {
        let listener = args
            .get(1)
            .and_then(Value::as_function)
            .and_then(|name| self.listener(name));
        let command = Command {
            call,
            args: args.to_vec(),
            within_ready: self.within_ready,
            listener,
        };
        let player = found.as_ref().ok().map(|seat| &self.seats[*seat]);
        let line = self.tape.next_seq();
        let was_leaving = player.is_some_and(Seat::is_leaving);
        let result = found.clone().and_then(|seat| {
            self.out
                .begin(seat, Cause::Line(self.tape.next_seq()), self.now);
            self.seats[seat].handle(Input::Call(command), &mut self.out)
        });
        let rule = found.is_ok().then(|| self.out.decision()).flatten();
        let data = Fields::one("args", Value::List(args.to_vec()));
        self.write_call(&found, call.into(), data, result, rule, cause);
        if let Ok(seat) = found {
            self.note_choice(seat);
            self.after_input(seat);
            if call == Call::Destroy && !was_leaving && self.seats[seat].is_leaving() {
                self.destroy(seat, args);
            }
            self.settle_fullscreen(seat, line);
        }
    }

    /// Completes `destroy`, which is synchronous: `destroyBefore` and the teardown are first in the
    /// queue and are delivered now. Without `true`, the container is removed too. Rules EVT-20,
    /// DESTROY-1, DESTROY-4, DESTROY-6, CON-8.
    fn destroy(&mut self, seat: PlayerIndex, args: &[Value]) {
        let keeps = args.first() == Some(&Value::Bool(true));
        if keeps && !std::mem::replace(&mut self.page.reported_destroy_true, true) {
            let text = "destroy(true) keeps the container, although the name of its argument suggests otherwise";
            self.out.diag_with(
                rules::CON_8,
                Code::DeldivTrueKeeps,
                text,
                Some("destroy()".into()),
            );
            self.write_diagnostics();
        }
        while self.stopped.is_none()
            && !self.seats[seat].is_destroyed()
            && let Some(item) = self.out.pop()
        {
            self.deliver(item);
        }
        if !keeps {
            self.page.remove(&self.seats[seat].container);
        }
    }

    /// Reads a getter, and writes its line.
    fn read_of(
        &mut self,
        target: &Target,
        seat: Option<PlayerIndex>,
        query: Query,
        is_within: bool,
        cause: Cause,
    ) {
        if !is_within {
            // Each reading is a separate input.
            self.tape.begin_turn();
        }
        let found = self.find(target, seat);
        self.read(found, query, cause);
    }

    /// What an act of page code reads.
    fn reading(&self, seat: PlayerIndex, query: Query) -> Result<Value, ApiError> {
        let seat = &self.seats[seat];
        if self.sources.only_reads {
            seat.query_after_scripts(self.now, query)
        } else {
            seat.query(self.now, query)
        }
    }

    fn read(&mut self, found: Found, query: Query, cause: Cause) {
        let rule = found
            .as_ref()
            .ok()
            .map(|seat| self.seats[*seat].rule_of_query(query));
        // Before the script has loaded, `isReady` fails like every call, but by a different rule.
        let is_early = |error: &ApiError| query == Query::IsReady && error.rule == rules::LOAD_1;
        let found = found.map_err(|error| {
            let rule = if is_early(&error) {
                rules::READY_3
            } else {
                error.rule
            };
            ApiError { rule, ..error }
        });
        let result = found.clone().and_then(|seat| self.reading(seat, query));
        let is_method = Call::from_name(query.name()).is_some() && !query.is_property();
        let data = if is_method {
            Fields::one("args", Value::List(Vec::new()))
        } else {
            Fields::NONE
        };
        // A reading shows an undefined value as null. VX-1
        let result = result.map(|value| {
            if value == Value::Undefined {
                Value::Null
            } else {
                value
            }
        });
        self.write_call(&found, query.into(), data, result, rule, cause);
    }

    fn write_call(
        &mut self,
        found: &Found,
        name: LineName,
        mut data: Fields,
        result: Result<Value, ApiError>,
        mut rule: Option<RuleId>,
        cause: Cause,
    ) {
        match result {
            Ok(Value::Undefined) => {}
            Ok(value) => data.push("returns", value),
            Err(error) => {
                data.push("error", error.code.name());
                data.push("text", error.text);
                rule = Some(error.rule);
            }
        }
        let player = found.as_ref().ok().copied();
        self.tape.write(
            self.now,
            NewLine {
                cause,
                rule,
                player,
                in_break: None,
                line: Line::new(name, data),
            },
        );
    }

    /// Performs an action of the user. Rule ENV-2.
    fn person(&mut self, found: Found, act: &Act, cause: Cause) {
        let player = found.as_ref().ok().copied();
        let rule = Some(rules::ENV_2);
        let line = Line::new(act.name(), act.data());
        let line = self.tape.write(
            self.now,
            NewLine {
                cause,
                rule,
                player,
                in_break: None,
                line,
            },
        );
        // A gesture counts for the whole page. PLAY-16
        self.activate(Activation::At(self.now), line);
        let Ok(seat) = found else { return };
        self.out.begin(seat, Cause::Line(line), self.now);
        // A user action is not a call and cannot fail.
        let _ = self.seats[seat].handle(Input::Person(act.clone()), &mut self.out);
        self.note_choice(seat);
        self.after_input(seat);
        self.settle_fullscreen(seat, line);
    }
}
