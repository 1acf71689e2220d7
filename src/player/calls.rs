//! The calls of the JavaScript API, and what a person does.
//!
//! Rules: INIT-20, READY-2, PLAY-1 to PLAY-15, PAUSE-1 to PAUSE-6, STOP-1 to STOP-8, TIME-2 to TIME-12, CH-6,
//! CH-7, CH-11, PL-3 to PL-9, ENV-2, DESTROY-1 to DESTROY-8, EVT-20.

use super::query::destroyed;
use super::*;
use crate::api::Decimal;

impl Player {
    /// Applies a call.
    pub(super) fn call(&mut self, now: Time, command: &Command, out: &mut Outbox) -> Result<Value, ApiError> {
        let Command { call, args } = command;
        if self.is_destroyed() {
            return self.call_after_destroy(*call, out);
        }
        let is_setting = args.first().is_some_and(|first| *first != Value::Undefined);
        match call {
            Call::On | Call::Once | Call::Off | Call::Add | Call::AddOnce | Call::Remove => {
                self.listeners.call(*call, args, &self.settings.listeners, out)?;
                return Ok(Value::Undefined);
            }
            Call::Destroy => {
                self.leave(out);
                return Ok(Value::Undefined);
            }
            Call::Duration => return self.query(now, Query::Duration),
            Call::CurrentSrc => return self.query(now, Query::CurrentSrc),
            Call::GetAdInProgress => return self.query(now, Query::GetAdInProgress),
            Call::GetTitle => return self.query(now, Query::GetTitle),
            Call::GetTags => return self.query(now, Query::GetTags),
            Call::CurrentTime if !is_setting => return self.query(now, Query::CurrentTime),
            Call::CurrentChapter if !is_setting => return self.query(now, Query::CurrentChapter),
            Call::IsReady => return self.property_called(now, Query::IsReady, rule!("READY-2"), out),
            Call::PlaylistLength => {
                return self.property_called(now, Query::PlaylistLength, rule!("PL-3"), out);
            }
            Call::CurrentIndex => return self.property_called(now, Query::CurrentIndex, rule!("PL-3"), out),
            Call::Play
            | Call::Pause
            | Call::Stop
            | Call::CurrentTime
            | Call::CurrentChapter
            | Call::Next
            | Call::Previous
            | Call::PlayByIndex
            | Call::SetAd => {}
        }
        if let State::Created(_) = self.state {
            let text = format!("{}() was called before the player was ready, and is ignored", call.name());
            out.diag(rule!("INIT-20"), "not_ready", text);
            return Ok(Value::Undefined);
        }
        self.action(now, *call, args, out)
    }

    /// Calls that act, in a player that is ready.
    fn action(&mut self, now: Time, call: Call, args: &[Value], out: &mut Outbox) -> Result<Value, ApiError> {
        match call {
            Call::Play => self.play(now, out),
            Call::Pause => self.pause(now, out),
            Call::Stop => self.stop(now, out),
            Call::CurrentTime => return Ok(self.set_current_time(now, &args[0], out)),
            Call::CurrentChapter => return Ok(self.jump_to_chapter(now, &args[0], out)),
            Call::Next => self.step(now, self.playlist.next_index(), rule!("PL-4"), out),
            Call::Previous => self.step(now, self.playlist.previous_index(), rule!("PL-4"), out),
            Call::PlayByIndex => self.play_by_index(now, args.first(), out),
            Call::SetAd => return self.schedule.set_ad(args, out),
            Call::On
            | Call::Once
            | Call::Off
            | Call::Add
            | Call::AddOnce
            | Call::Remove
            | Call::Destroy
            | Call::Duration
            | Call::CurrentSrc
            | Call::GetAdInProgress
            | Call::GetTitle
            | Call::GetTags
            | Call::IsReady
            | Call::PlaylistLength
            | Call::CurrentIndex => {}
        }
        Ok(Value::Undefined)
    }

    /// What the person does follows the rules of the call it stands for. Rule ENV-2.
    pub(super) fn act(&mut self, now: Time, act: Act, out: &mut Outbox) {
        if matches!(self.state, State::Created(_) | State::Destroyed) {
            out.diag(rule!("ENV-3"), "not_offered", format!("{} is not offered in this state", act.word()));
            return;
        }
        match act {
            Act::Play => self.play(now, out),
            Act::Pause => self.pause(now, out),
            Act::Skip => self.skip_ad(now, out),
            Act::Next => self.step(now, self.playlist.next_index(), rule!("PL-8"), out),
            Act::Previous => self.step(now, self.playlist.previous_index(), rule!("PL-8"), out),
            Act::Seek(target) => {
                self.set_current_time(now, &target, out);
            }
        }
    }

    /// Rules PLAY-1, PLAY-2, PLAY-4, PLAY-8, PLAY-10, PLAY-13 to PLAY-15.
    pub(super) fn play(&mut self, now: Time, out: &mut Outbox) {
        match self.state {
            State::Initial => self.first_start(now, out),
            State::AdLoading(_) => self.want(true, out),
            State::AdPaused(_) => self.resume_ad(now, out),
            State::Paused if self.element.is_at_end(now) => {
                // Paused at the end, it begins again. END-5
                self.rewind(now, out);
                self.play_content(now, rule!("END-5"), out);
            }
            State::Paused => self.play_content(now, rule!("PLAY-8"), out),
            State::Ended(advance) => self.play_from_end(now, advance, out),
            State::Failed => self.reload(now, out),
            State::AdPlaying(_)
            | State::Playing(_)
            | State::Buffering
            | State::Created(_)
            | State::Destroyed => {}
        }
    }

    /// Rules PAUSE-1 to PAUSE-4, PL-15.
    fn pause(&mut self, now: Time, out: &mut Outbox) {
        match self.state {
            State::Playing(_) | State::Buffering => self.pause_content(now, out),
            State::AdPlaying(_) => self.pause_ad(now, out),
            State::AdLoading(_) => self.want(false, out),
            State::Ended(Advance::Due(..)) => self.state = State::Ended(Advance::Paused),
            State::Initial
            | State::AdPaused(_)
            | State::Paused
            | State::Ended(Advance::Nowhere | Advance::Paused)
            | State::Failed
            | State::Created(_)
            | State::Destroyed => {}
        }
    }

    /// Back to the initial state: everything of the item is due again. Rules STOP-1 to STOP-7.
    fn stop(&mut self, now: Time, out: &mut Outbox) {
        self.abort_break(out);
        let was = self.element.position(now);
        self.element.stand(now);
        self.element.place(now, Position::ZERO);
        self.enter(State::Initial, rule!("STOP-1"), out);
        if was > Position::ZERO {
            self.update_time(now, rule!("STOP-2"), out);
        }
        out.event(rule!("STOP-1"), EventName::Stopped);
        self.due = Due::ALL;
        self.chapter = None;
        // What failed is tried again by the next play(), not before: nobody asked for it. STOP-7
        self.element.take_back_failure();
        self.playlist.take_back_failure();
    }

    /// Rules TIME-2 to TIME-4, TIME-12.
    fn set_current_time(&mut self, now: Time, target: &Value, out: &mut Outbox) -> Value {
        let target = match target {
            Value::Number(seconds) => {
                if seconds.as_integer().is_none() {
                    let text = format!("currentTime({seconds}) is no whole second; it is used as it is");
                    out.diag(rule!("TIME-3"), "non_integer_seek", text);
                }
                position(*seconds)
            }
            // Without a known end there is nothing that it could be clamped to.
            Value::Infinity if self.element.duration().is_some() => Position::MAX,
            Value::NegativeInfinity => Position::ZERO,
            Value::Undefined
            | Value::Null
            | Value::Bool(_)
            | Value::NaN
            | Value::Infinity
            | Value::Text(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Function(_) => {
                let text =
                    format!("currentTime({target}) is not a place in the content, and nothing happens");
                out.diag(rule!("TIME-4"), "bad_argument", text);
                return self.element.position(now).into();
            }
        };
        self.seek(now, target, out).into()
    }

    /// Rules CH-6, CH-7, CH-11.
    fn jump_to_chapter(&mut self, now: Time, number: &Value, out: &mut Outbox) -> Value {
        if self.chapters.is_empty() {
            return Value::Null;
        }
        let number = number.as_integer().and_then(|number| usize::try_from(number).ok());
        let chapter = number.and_then(|number| Some((number, self.chapters.start(number)?)));
        let Some((number, start)) = chapter else {
            out.diag(rule!("CH-7"), "no_such_chapter", "there is no chapter of that number");
            return Value::Null;
        };
        self.seek(now, start, out);
        self.describe_chapter(number)
    }

    /// To the neighbour item; at the edge nothing happens. Rules PL-4, PL-5, PL-8.
    fn step(&mut self, now: Time, neighbour: Option<usize>, rule: RuleId, out: &mut Outbox) {
        match neighbour {
            Some(index) => self.go_to(now, index, Some(rule), out),
            None => out.diag(rule!("PL-5"), "playlist_edge", "there is no item in that direction"),
        }
    }

    /// Rules PL-6, PL-9.
    fn play_by_index(&mut self, now: Time, index: Option<&Value>, out: &mut Outbox) {
        let index = index.and_then(Value::as_integer).and_then(|index| usize::try_from(index).ok());
        match index.filter(|index| *index < self.playlist.len()) {
            Some(index) => self.go_to(now, index, None, out),
            None => out.diag(rule!("PL-6"), "no_such_item", "there is no item of that index"),
        }
    }

    fn property_called(
        &self,
        now: Time,
        query: Query,
        rule: RuleId,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let text = format!("{} is a property; it was written as a call", query.name());
        out.diag(rule, "property_called", text);
        self.query(now, query)
    }

    fn call_after_destroy(&self, call: Call, out: &mut Outbox) -> Result<Value, ApiError> {
        if call == Call::Destroy {
            out.diag(rule!("DESTROY-8"), "destroyed", "the player is destroyed already");
            return Ok(Value::Undefined);
        }
        Err(destroyed())
    }

    /// `destroy` begins: `destroyBefore` comes at once, ahead of all that is queued, then the teardown.
    ///
    /// Rules EVT-20, DESTROY-1, DESTROY-7.
    fn leave(&mut self, out: &mut Outbox) {
        if !self.is_leaving {
            self.is_leaving = true;
            out.put_first(rule!("DESTROY-1"), Output::Task(Task::TearDown));
            out.put_first(rule!("EVT-20"), Output::Event(EventName::DestroyBefore.into()));
        }
    }

    /// Everything goes, and nothing is said. Rules DESTROY-1 to DESTROY-3.
    pub(super) fn tear_down(&mut self, out: &mut Outbox) {
        self.abort_break(out);
        // Its listeners stay bound: those of the event in delivery still run, no other event comes. DESTROY-6
        self.element.unload();
        self.enter(State::Destroyed, rule!("DESTROY-1"), out);
    }
}

/// Seconds as a position; what lies before the start is the start. Rule TIME-4.
fn position(seconds: Decimal) -> Position {
    Position::from_micros(u64::try_from(seconds.millionths()).unwrap_or(0))
}
