//! A player in a world of your own, with a trace: each input is written before the player gets it,
//! and each output before the world does.
//!
//! The trace is a trace like any other: checks and reports read it.
//!
//! Rules: TRACE-1, TRACE-6, CLK-4, EDIT-62, REQ-10, REQ-17.

use std::sync::Arc;

use super::dispatch::dropped;
use super::net::{Reply, answer_line, request_fields};
use super::outcome::Stop;
use playsim_api::{
    ApiError, Because, Cause, Code, EventName, Fields, HeaderLine, Input, Line, MakingLine,
    NetLine, Outbox, Output, Provenance, Request, RequestId, Task, Text, UnitKind, Value, Wake,
};
use playsim_base::time::Time;
use playsim_player::{Config, Player, ResponseStatus, Settings};
use playsim_rules::{self as rules, RuleId};
use playsim_scenario::edit::Route;
use playsim_trace::{NewLine, PlayerIndex, Record, Tape, Trace, VERSION};

/// A player that is driven from outside, and its trace.
///
/// Pass inputs to [`Recorder::handle`], take outputs by [`Recorder::pop`] until none is left, and
/// wake the player at [`Recorder::next_wake`]. A call between an event and the next
/// [`Recorder::pop`] is one of the event's listeners, and caused by it.
#[derive(Debug, Clone)]
pub struct Recorder {
    player: Player,
    out: Outbox,
    tape: Tape,
    now: Time,
    /// The requests without an answer, with their lines.
    requests: Vec<(Request, u32)>,
    /// The line of the event that was popped last, until the next is popped: its listeners make
    /// calls.
    heard: Option<u32>,
    last_change: Time,
}

const PLAYER: PlayerIndex = PlayerIndex(0);

impl Recorder {
    /// Creates a player in a container, as the initialiser does. `name` is the name of the scenario
    /// in the header.
    ///
    /// # Errors
    ///
    /// If page code could not create a player with this configuration, or
    /// [`KnobReader::check`](playsim_rules::knobs::KnobReader::check) rejects a knob.
    pub fn new(
        name: &str,
        container: &str,
        config: &Value,
        settings: Settings,
    ) -> Result<Recorder, ApiError> {
        let refused = |text: Text| ApiError {
            code: Code::BadArgument,
            text,
            rule: rules::INIT_2,
        };
        settings
            .knobs
            .check()
            .map_err(|error| refused(error.to_string().into()))?;
        let (now, mut out, mut tape) = (Time::ZERO, Outbox::new(), Tape::new());
        tape.begin_turn();
        let knobs = settings
            .knobs
            .differing()
            .map(|(name, value)| (name.into(), Value::from(value)));
        let knobs: Fields = knobs.collect();
        let data = Fields::one("version", VERSION).with("profile", "default");
        let data = if knobs.is_empty() {
            data
        } else {
            data.with("knobs", Value::Map(knobs))
        };
        let data = data
            .with("scenario", name.to_owned())
            .with("seed", settings.seed);
        let line = Line::new(HeaderLine::Trace, data);
        let rule = Some(rules::TRACE_6);
        tape.write(
            now,
            NewLine {
                cause: Cause::Script,
                rule,
                player: None,
                in_break: None,
                line,
            },
        );
        tape.begin_turn();
        out.begin(PLAYER, Cause::Line(tape.next_seq()), now);
        let Some(read) = Config::read(config, UnitKind::Player, &settings.knobs, &mut out)? else {
            let text = out
                .take_diagnostics()
                .last()
                .map(|item| item.output)
                .and_then(|output| {
                    if let Output::Line(line) = output {
                        line.data().text("text").cloned()
                    } else {
                        None
                    }
                });
            return Err(refused(
                text.unwrap_or(Text::Static("the configuration is incomplete")),
            ));
        };
        let situation = settings.page.situation();
        let player = Player::new(container, read, situation, Arc::new(settings), &mut out);
        tape.add_player(container.into());
        let args = Value::List(vec![Value::from(container.to_owned()), config.clone()]);
        let data = Fields::one("args", args).with("returns", format!("$player('{container}')"));
        let mut recorder = Recorder {
            player,
            out,
            tape,
            now,
            requests: Vec::new(),
            heard: None,
            last_change: now,
        };
        recorder.write(
            Cause::Script,
            Some(rules::INIT_9),
            Line::new(MakingLine::Player, data),
        );
        recorder.write_diagnostics();
        Ok(recorder)
    }

    /// Gives the player an input. A time before that of the last input counts as that time.
    ///
    /// A response that is no longer awaited is written, and not given to the player, unless it uses
    /// late ones.
    ///
    /// # Errors
    ///
    /// The error of a call that would throw in JavaScript. Nothing else fails.
    pub fn handle(&mut self, now: Time, input: Input) -> Result<Value, ApiError> {
        let now = self.now.max(now);
        self.now = now;
        let heard = self.heard.filter(|_| matches!(input, Input::Call(_)));
        let by = heard.map_or(Cause::Script, Cause::Line);
        if by == Cause::Script {
            self.tape.begin_turn();
        }
        match input {
            Input::Call(command) => {
                let mut data = Fields::one("args", Value::List(command.args.clone()));
                let name = command.call;
                self.out
                    .begin(PLAYER, Cause::Line(self.tape.next_seq()), now);
                let result = self.player.handle(Input::Call(command), &mut self.out);
                let mut rule = self.out.decision();
                match &result {
                    Ok(Value::Undefined) => {}
                    Ok(value) => data.push("returns", value.clone()),
                    Err(error) => {
                        rule = Some(error.rule);
                        data.push("error", error.code.name());
                        data.push("text", error.text.clone());
                    }
                }
                self.write(by, rule, Line::new(name, data));
                self.write_diagnostics();
                result
            }
            Input::Person(act) => {
                let line = self.write(
                    Cause::Script,
                    Some(rules::ENV_2),
                    Line::new(act.name(), act.data()),
                );
                self.player.note_gesture(now);
                self.give(Cause::Line(line), Input::Person(act))
            }
            Input::Page(change) => {
                let line = Line::new(change.name(), change.data());
                let line = self.write(Cause::Script, Some(rules::ENV_1), line);
                self.give(Cause::Line(line), Input::Page(change))
            }
            Input::Fetched(id, fetched) => self.answered(id, Reply::Fetched(fetched)),
            Input::Loaded(id, loaded) => self.answered(id, Reply::Loaded(loaded)),
            Input::Record(id, record) => self.answered(id, Reply::Record(record)),
            Input::Edited(video) => {
                let line = Line::edit(Route::default().name(), Fields::one("id", video.id.clone()));
                let line = self.write(Cause::Script, Some(rules::EDIT_62), line);
                self.give(Cause::Line(line), Input::Edited(video))
            }
            Input::Task(_) | Input::Wake => self.give(Cause::Script, input),
        }
    }

    /// Takes the oldest output of the player and writes it to the trace; `None` if none is left.
    /// Tasks of the player are run here.
    pub fn pop(&mut self) -> Option<Output> {
        self.heard = None;
        loop {
            let item = self.out.pop()?;
            let Provenance {
                because,
                in_break,
                ticket,
                ..
            } = item.from;
            let (Because { rule, cause }, player) = (because, Some(PLAYER));
            let is_dropped = self.player.is_destroyed()
                && matches!(item.output, Output::Event(_) | Output::TimeUpdates(_));
            let line = match &item.output {
                Output::Event(event) if is_dropped => dropped(event.name),
                Output::TimeUpdates(_) if is_dropped => dropped(EventName::TimeUpdate),
                Output::Event(event) => Line::new(event.name, event.data.clone()),
                Output::Line(line) => line.clone(),
                Output::Fetch(request) => Line::new(NetLine::Request, request_fields(request)),
                Output::TimeUpdates(updates) => {
                    self.tape.write_updates(*updates, because, PLAYER);
                    self.last_change = self.now;
                    return Some(item.output);
                }
                Output::Task(task) => {
                    self.run(*task, cause);
                    continue;
                }
                Output::Callback | Output::Media(_) | Output::Entry(_) => return Some(item.output),
            };
            let rule = if is_dropped { rules::EVT_21 } else { rule };
            let new = NewLine {
                cause,
                rule: Some(rule),
                player,
                in_break,
                line,
            };
            let line = self.tape.write(self.now, new);
            // Nothing names time updates as its cause, and they have no ticket.
            if !matches!(item.output, Output::TimeUpdates(_)) {
                self.tape.resolve_ticket(ticket, line);
            }
            if is_dropped {
                continue;
            }
            self.last_change = self.now;
            if let Output::Fetch(request) = &item.output {
                self.requests.push((request.clone(), line));
            }
            if let Output::Event(_) = &item.output {
                self.heard = Some(line);
            }
            if !matches!(item.output, Output::Line(_)) {
                return Some(item.output);
            }
        }
    }

    /// Returns when the player wants to be woken, by `Input::Wake`.
    #[must_use]
    pub fn next_wake(&self) -> Option<Wake> {
        self.player.next_wake()
    }

    /// Returns the player.
    #[must_use]
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// Returns the records so far. The last one may still grow.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        self.tape.records()
    }

    /// Ends the trace. Rule CLK-7.
    #[must_use]
    pub fn finish(self) -> Trace {
        let (outcome, _, rule) = Stop::Idle.words();
        let players = self.tape.players().iter();
        let states: Fields = players
            .map(|id| (Text::from(id), Value::from(self.player.state())))
            .collect();
        let data = Fields::one("lines", self.tape.next_seq()).with("states", Value::Map(states));
        self.tape.finish(self.last_change, rule, outcome, data)
    }

    fn run(&mut self, task: Task, cause: Cause) {
        if !self.player.is_destroyed() {
            let cause = self.tape.resolved(cause).map_or(Cause::Script, Cause::Line);
            // A task is not a call and cannot fail.
            let _ = self.give(cause, Input::Task(task));
        }
    }

    fn give(&mut self, cause: Cause, input: Input) -> Result<Value, ApiError> {
        self.out.begin(PLAYER, cause, self.now);
        let result = self.player.handle(input, &mut self.out);
        self.write_diagnostics();
        result
    }

    /// Writes a response, and gives it to the player if that waits for it.
    fn answered(&mut self, id: RequestId, reply: Reply) -> Result<Value, ApiError> {
        let Some(place) = self
            .requests
            .iter()
            .position(|(request, _)| request.id == id)
        else {
            return Ok(Value::Undefined);
        };
        let (request, line) = self.requests.remove(place);
        let expected = self.player.expects(id);
        let (name, rule, data) =
            answer_line(&request, &reply, expected, self.player.is_destroyed());
        let new = NewLine {
            cause: Cause::Line(line),
            rule: Some(rule),
            player: Some(PLAYER),
            in_break: request.in_break,
            line: Line::new(name, data),
        };
        let line = self.tape.write(self.now, new);
        self.last_change = self.now;
        let is_of_use = expected == ResponseStatus::Late && self.player.uses_late_answers();
        if expected == ResponseStatus::Awaited || is_of_use {
            return self.give(Cause::Line(line), reply.into_input(id));
        }
        Ok(Value::Undefined)
    }

    fn write(&mut self, cause: Cause, rule: Option<RuleId>, line: Line) -> u32 {
        self.last_change = self.now;
        self.tape.write(
            self.now,
            NewLine {
                cause,
                rule,
                player: Some(PLAYER),
                in_break: None,
                line,
            },
        )
    }

    fn write_diagnostics(&mut self) {
        let items: Vec<_> = self.out.take_diagnostics().collect();
        for item in items {
            if let Output::Line(line) = item.output {
                let Provenance {
                    because: Because { rule, cause },
                    in_break,
                    ticket,
                    ..
                } = item.from;
                let (rule, player) = (Some(rule), Some(PLAYER));
                let written = self.tape.write(
                    self.now,
                    NewLine {
                        cause,
                        rule,
                        player,
                        in_break,
                        line,
                    },
                );
                self.tape.resolve_ticket(ticket, written);
            }
        }
    }
}
