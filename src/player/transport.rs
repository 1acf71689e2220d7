//! Play, pause, stop, seeking, moving through the playlist, and destroy: what the calls and the person's
//! buttons for them do.
//!
//! Rules: PLAY-1 to PLAY-15, PAUSE-1 to PAUSE-6, STOP-1 to STOP-8, TIME-2 to TIME-12, CH-6, CH-7, CH-11, PL-4 to
//! PL-9, PL-15, PL-17, PL-18, DESTROY-1 to DESTROY-7, EVT-20.

use super::calls::{By, Direction};
use super::which::Which;
use super::*;

impl Player {
    /// Rules PLAY-1, PLAY-2, PLAY-4, PLAY-8, PLAY-10, PLAY-13 to PLAY-15.
    pub(super) fn play(&mut self, now: Time, by: By, out: &mut Outbox) {
        let starts = match self.state {
            State::Initial | State::Ended(_) | State::Failed => true,
            State::Paused
            | State::AdLoading(_)
            | State::AdPlaying(_)
            | State::AdPaused(_)
            | State::Playing(_)
            | State::Buffering
            | State::Created(_)
            | State::Destroyed => false,
        };
        let with_ads = self.would_show_ads();
        if starts && !self.may_start(by, with_ads, out) {
            out.decide(rule!("PLAY-16"));
            return;
        }
        if self.play_unit(now, out) {
            return;
        }
        match self.state {
            State::Initial if self.pending.is_some() => {
                // Kept until the commanded ad is over. PA-3
                out.decide(rule!("PA-3"));
                if let Some(pending) = self.pending.as_deref_mut() {
                    pending.then_play = true;
                }
            }
            State::Initial => {
                out.decide(rule!("PLAY-1"));
                self.first_start(now, out);
            }
            State::AdLoading(_) => {
                out.decide(rule!("PLAY-13"));
                self.want(true, out);
            }
            State::AdPlaying(_) => out.decide(rule!("PLAY-14")),
            State::AdPaused(_) => {
                out.decide(rule!("PLAY-14"));
                self.resume_ad(now, out);
            }
            State::Playing(_) | State::Buffering => out.decide(rule!("PLAY-2")),
            State::Paused if self.element.is_at_end(now) => {
                // Paused at the end, it begins again. END-5
                out.decide(rule!("PLAY-8"));
                self.rewind(now, out);
                self.play_content(now, rule!("END-5"), out);
            }
            State::Paused => {
                out.decide(rule!("PLAY-8"));
                self.play_content(now, rule!("PLAY-8"), out);
            }
            State::Ended(advance) => self.play_from_end(now, advance, out),
            State::Failed => {
                out.decide(rule!("PLAY-15"));
                self.reload(now, out);
            }
            State::Created(_) | State::Destroyed => {}
        }
    }

    /// Rules PAUSE-1 to PAUSE-4, PL-15.
    pub(super) fn pause(&mut self, now: Time, out: &mut Outbox) {
        match self.state {
            State::Playing(_) | State::Buffering => {
                out.decide(rule!("PAUSE-1"));
                self.pause_content(now, out);
            }
            State::AdPlaying(_) => {
                out.decide(rule!("PAUSE-3"));
                self.pause_ad(now, out);
            }
            State::AdPaused(_) => {
                out.decide(rule!("PAUSE-3"));
                self.forget_view();
            }
            State::AdLoading(_) => {
                out.decide(rule!("PAUSE-4"));
                self.pause_while_loading(now, out);
            }
            State::Ended(Advance::Due(..)) => {
                out.decide(rule!("PL-15"));
                self.state = State::Ended(Advance::Paused);
            }
            State::Initial
            | State::Paused
            | State::Ended(Advance::Nowhere | Advance::Paused)
            | State::Failed
            | State::Created(_)
            | State::Destroyed => {
                out.decide(rule!("PAUSE-2"));
                if let Some(pending) = self.pending.as_deref_mut() {
                    pending.then_play = false;
                }
            }
        }
    }

    /// Back to the initial state: everything of the item is due again. Rules STOP-1 to STOP-7.
    pub(super) fn stop(&mut self, now: Time, out: &mut Outbox) {
        let has_break = Which::ALL.into_iter().any(|which| self.break_of(which).is_some());
        out.decide(if has_break { rule!("STOP-3") } else { rule!("STOP-1") });
        self.abort_breaks(out);
        self.hide_unit(rule!("OUT-9"), out);
        let was = self.element.position(now);
        self.element.stand(now);
        self.element.place(now, Position::ZERO);
        self.enter(State::Initial, rule!("STOP-1"), out);
        if was > Position::ZERO {
            self.update_time(now, rule!("STOP-2"), out);
        }
        out.event(rule!("STOP-1"), EventName::Stopped);
        self.reject_play(rule!("MEL-10"), "AbortError", out);
        self.due = Due::ALL;
        self.schedule.forget_breaks(out);
        self.schedule.rewind_loop();
        self.cues.arm();
        self.find_cues(now, out);
        self.chapter = None;
        // What failed is tried again by the next play(), not before: nobody asked for it. STOP-7
        self.element.take_back_failure();
        self.playlist.take_back_failure();
    }

    /// Rules TIME-2 to TIME-4, TIME-12.
    pub(super) fn set_current_time(&mut self, now: Time, target: &Value, by: By, out: &mut Outbox) -> Value {
        out.decide(self.rule_of_seek());
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
        self.seek(now, target, by, out).into()
    }

    /// Rules CH-6, CH-7, CH-11.
    pub(super) fn jump_to_chapter(&mut self, now: Time, number: &Value, out: &mut Outbox) -> Value {
        let is_ad = matches!(self.state, State::AdPlaying(_) | State::AdPaused(_));
        out.decide(if is_ad { rule!("CH-11") } else { rule!("CH-6") });
        if self.chapters.is_empty() {
            return Value::Null;
        }
        let number = number.as_integer().and_then(|number| usize::try_from(number).ok());
        let chapter = number.and_then(|number| Some((number, self.chapters.start(number)?)));
        let Some((number, start)) = chapter else {
            out.diag(rule!("CH-7"), "no_such_chapter", "there is no chapter of that number");
            return Value::Null;
        };
        self.seek(now, start, By::Script, out);
        self.describe_chapter(number)
    }

    /// To the neighbour item; at the edge nothing happens. Rules PL-4, PL-5, PL-8.
    pub(super) fn step(&mut self, now: Time, direction: Direction, by: By, out: &mut Outbox) {
        let rule = if by == By::Person { rule!("PL-8") } else { rule!("PL-4") };
        out.decide(self.rule_of_navigation(rule));
        let neighbour = self.playlist.neighbour(direction).map(|index| (index, rule));
        let wraps = self.settings.knobs.playlist_wrap.is_on();
        let other_end = || Some((self.playlist.other_end(direction).filter(|_| wraps)?, rule!("PL-5")));
        match neighbour.or_else(other_end) {
            Some((index, rule)) if self.may_go_to(index, by, out) => self.go_to(now, index, Some(rule), out),
            Some(_) => {}
            None => out.diag(rule!("PL-5"), "playlist_edge", "there is no item in that direction"),
        }
    }

    /// Rules PL-6, PL-9.
    pub(super) fn play_by_index(&mut self, now: Time, index: Option<&Value>, out: &mut Outbox) {
        out.decide(self.rule_of_navigation(rule!("PL-6")));
        let index = index.and_then(Value::as_integer).and_then(|index| usize::try_from(index).ok());
        match index.filter(|index| *index < self.playlist.len()) {
            Some(index) => {
                if self.may_go_to(index, By::Script, out) {
                    self.go_to(now, index, None, out);
                }
            }
            None => out.diag(rule!("PL-6"), "no_such_item", "there is no item of that index"),
        }
    }

    /// `destroy` begins: `destroyBefore` comes at once, ahead of all that is queued, then the teardown.
    ///
    /// Rules EVT-20, DESTROY-1, DESTROY-7.
    pub(super) fn leave(&mut self, out: &mut Outbox) {
        if self.is_leaving {
            out.decide(rule!("DESTROY-7"));
        } else {
            let is_created = matches!(self.state, State::Created(_));
            out.decide(if is_created { rule!("DESTROY-5") } else { rule!("DESTROY-1") });
            self.is_leaving = true;
            out.put_first(rule!("DESTROY-1"), Output::Task(Task::TearDown));
            out.put_first(rule!("EVT-20"), Output::Event(EventName::DestroyBefore.into()));
        }
    }

    /// The rule by which a seek goes where it goes.
    fn rule_of_seek(&self) -> RuleId {
        match self.state {
            State::Initial | State::AdLoading(_) => rule!("TIME-7"),
            State::AdPlaying(_) | State::AdPaused(_) => rule!("TIME-6"),
            State::Ended(Advance::Due(..) | Advance::Paused) => rule!("PL-15"),
            State::Ended(Advance::Nowhere) => rule!("TIME-8"),
            State::Failed => rule!("ERR-5"),
            State::Playing(_) | State::Buffering | State::Paused | State::Created(_) | State::Destroyed => {
                rule!("TIME-2")
            }
        }
    }

    /// The rule by which another item is gone to.
    fn rule_of_navigation(&self, usual: RuleId) -> RuleId {
        match self.state {
            State::AdLoading(Held { by: Holder::Break(_), .. })
            | State::AdPlaying(_)
            | State::AdPaused(_) => rule!("PL-17"),
            State::Ended(Advance::Due(..) | Advance::Paused) => rule!("PL-15"),
            State::Initial | State::Paused | State::Ended(Advance::Nowhere) | State::Failed => rule!("PL-18"),
            State::AdLoading(Held { by: Holder::Record, .. })
            | State::Playing(_)
            | State::Buffering
            | State::Created(_)
            | State::Destroyed => usual,
        }
    }

    /// Everything goes, and nothing is said. Rules DESTROY-1 to DESTROY-3.
    pub(super) fn tear_down(&mut self, out: &mut Outbox) {
        self.abort_breaks(out);
        self.hide_unit(rule!("DESTROY-1"), out);
        // Its listeners stay bound: those of the event in delivery still run, no other event comes. DESTROY-6
        self.element.unload();
        self.enter(State::Destroyed, rule!("DESTROY-1"), out);
    }
}

/// Seconds as a position; what lies before the start is the start. Rule TIME-4.
fn position(seconds: Decimal) -> Position {
    Position::from_micros(u64::try_from(seconds.millionths()).unwrap_or(0))
}
