//! Play, pause, stop, seeking, moving through the playlist, and destroy: the calls, and the user's
//! buttons for them.
//!
//! Rules: PLAY-1 to PLAY-15, PAUSE-1 to PAUSE-6, STOP-1 to STOP-8, TIME-2 to TIME-12, CH-6, CH-7,
//! CH-11, PL-4 to PL-9, PL-15, PL-17, PL-18, DESTROY-1 to DESTROY-7, EVT-20.

use super::playlist::{Direction, ItemPlace};
use crate::Player;
use crate::api::calls::{By, bad_argument};
use crate::role::Role;
use crate::state::{Advance, Due, State};
use playsim_ads::Phase;
use playsim_api::{ApiError, Code, Decimal, EventName, Outbox, Output, Task, Value};
use playsim_base::time::{Position, Span};
use playsim_element::Outcome;
use playsim_rules as rules;
use playsim_rules::knobs::{AfterStop, PlayReturns, SeekFraction};

impl Player {
    /// `play()` by page code, the user or autoplay. Rules PLAY-1, PLAY-2, PLAY-4, PLAY-8, PLAY-10,
    /// PLAY-13 to PLAY-15.
    pub(crate) fn play(&mut self, by: By, out: &mut Outbox) {
        // What was paused because a script unmuted it starts anew for the browser. PLAY-25
        let is_barred = matches!(self.state, State::Paused | State::Held(_))
            && matches!(self.role, Role::Player { .. })
            && !self.surface.sound.is_muted()
            && !self.surface.sound.is_allowed();
        let starts =
            is_barred || matches!(self.state, State::Initial | State::Ended(_) | State::Failed);
        let with_ads = self.would_show_ads();
        if starts && !self.may_start(by, with_ads, out) {
            out.decide(rules::PLAY_16);
            return;
        }
        if self.play_unit(out) {
            return;
        }
        match self.state {
            State::Initial if self.breaks.is_pending() => {
                // Content starts after the commanded ad. PA-3
                out.decide(rules::PA_3);
                self.breaks.set_then_play(true);
            }
            State::Initial => {
                out.decide(rules::PLAY_1);
                self.first_start(out);
            }
            State::Held(ref held) => match held.phase() {
                Phase::Loading | Phase::Ready | Phase::Over(_) => {
                    out.decide(rules::PLAY_13);
                    self.want(true, out);
                }
                Phase::Playing => out.decide(rules::PLAY_14),
                Phase::Paused => {
                    out.decide(rules::PLAY_14);
                    self.resume_ad(out);
                }
            },
            State::Playing | State::Buffering => out.decide(rules::PLAY_2),
            State::Paused if self.element.is_at_end(out.now()) => {
                // Paused at its end, content starts again. END-5
                out.decide(rules::PLAY_8);
                self.rewind(out);
                self.play_content(rules::END_5, out);
            }
            State::Paused => {
                out.decide(rules::PLAY_8);
                self.play_content(rules::PLAY_8, out);
            }
            State::Ended(advance) => self.play_from_end(advance, out),
            State::Failed => {
                out.decide(rules::PLAY_15);
                self.reload(out);
            }
            State::Created(_) | State::Destroyed => {}
        }
    }

    /// `play()`, called by page code: returns nothing or a promise, which is resolved when
    /// `playing` fires, even if ads come first, and rejected by whatever prevents that. Rule
    /// PLAY-3.
    pub(crate) fn play_by_call(&mut self, out: &mut Outbox) -> Value {
        if self.settings.knobs.play_returns() == PlayReturns::None {
            self.play(By::Script, out);
            return Value::Undefined;
        }
        self.element.ask_to_play();
        self.play(By::Script, out);
        let is_refused = out.last_diagnostic() == Some(rules::PLAY_17);
        let outcome = match self.state {
            State::Initial | State::Paused | State::Ended(_) => {
                is_refused.then_some(Outcome::NotAllowed)
            }
            // Content is already playing. MEL-9
            State::Playing => self.element.has_data().then_some(Outcome::Resolved),
            State::Failed => Some(Outcome::NotSupported),
            State::Held(_) if is_refused => Some(Outcome::NotAllowed),
            State::Held(_) | State::Buffering => None,
            State::Created(_) | State::Destroyed => None,
        };
        self.element.answer_play(outcome, out)
    }

    /// `pause()`, or the user's button. Rules PAUSE-1 to PAUSE-4, PL-15.
    pub(crate) fn pause(&mut self, out: &mut Outbox) {
        if self.state.plays_content() {
            out.decide(rules::PAUSE_1);
            self.pause_content(out);
        } else if let State::Held(held) = &self.state {
            match held.phase() {
                Phase::Playing => {
                    out.decide(rules::PAUSE_3);
                    self.pause_ad(out);
                }
                Phase::Paused => {
                    out.decide(rules::PAUSE_3);
                    self.role.clear_paused_by_view();
                }
                Phase::Loading | Phase::Ready | Phase::Over(_) => {
                    out.decide(rules::PAUSE_4);
                    self.pause_while_loading(out);
                }
            }
        } else if let State::Ended(Advance::Due(..)) = self.state {
            out.decide(rules::PL_15);
            self.state = State::Ended(Advance::Paused);
        } else if let State::Ended(Advance::Breaks { wanted, .. }) = &mut self.state {
            out.decide(rules::PAUSE_4);
            *wanted = false;
        } else {
            out.decide(rules::PAUSE_2);
            self.breaks.set_then_play(false);
        }
    }

    /// Returns to the initial state: everything of the item is due again, and another pass begins.
    /// Rules STOP-1 to STOP-7, STOP-9.
    pub(crate) fn stop(&mut self, out: &mut Outbox) {
        let now = out.now();
        let has_break = self
            .breaks
            .slots()
            .any(|which| self.break_of(which).is_some());
        out.decide(if has_break {
            rules::STOP_3
        } else {
            rules::STOP_1
        });
        self.abort_breaks(out);
        self.role.hide(rules::OUT_9, out);
        let was = self.element.position(now);
        self.element.hold(now);
        self.element.place(now, Position::ZERO);
        self.enter(State::Initial, rules::STOP_1, out);
        if was > Position::ZERO {
            self.element.update_time(rules::STOP_2, out);
        }
        out.event(rules::STOP_1, EventName::Stopped);
        self.element.reject(Outcome::Aborted(rules::MEL_10), out);
        self.items.due = Due::ALL;
        self.breaks.rearm(out);
        self.find_cues(out);
        self.items.chapters.forget_position();
        // A failed load is only retried by the next `play()`, as nothing has requested it yet.
        // STOP-7
        self.element.take_back_failure();
        self.items.playlist.take_back_failure();
        match self.settings.knobs.playlist_after_stop() {
            AfterStop::Keep => {}
            AfterStop::First if self.items.playlist.leaves_out() => {
                self.settle_item(ItemPlace::FIRST, out);
            }
            AfterStop::First => {}
        }
    }

    /// Seeks; returns the resulting position. Rules TIME-2 to TIME-4, TIME-12.
    pub(crate) fn set_current_time(&mut self, target: &Value, by: By, out: &mut Outbox) -> Value {
        out.decide(self.state.rule_of_seek());
        let target = if let Value::Number(seconds) = target {
            let drops = by == By::Script
                && self.settings.knobs.seek_fraction() == SeekFraction::WholeSecond;
            let position = position(*seconds);
            if seconds.as_integer().is_none() {
                let use_of_it = if drops {
                    "the fraction is dropped"
                } else {
                    "it is used as given"
                };
                let text =
                    format!("currentTime({seconds}) is not a whole number of seconds; {use_of_it}");
                out.diag(rules::TIME_3, Code::NonIntegerSeek, text);
            }
            if drops {
                Position::from_secs((position - Position::ZERO).steps(Span::from_secs(1)))
            } else {
                position
            }
        } else if *target == Value::Infinity && self.element.duration().is_some() {
            // Without a known end there is nothing to clamp it to.
            Position::MAX
        } else if *target == Value::NegativeInfinity {
            Position::ZERO
        } else {
            let text =
                format!("currentTime({target}) is not a position in the content; nothing changes");
            out.diag(rules::TIME_4, Code::BadArgument, text);
            return self.element.position(out.now()).into();
        };
        self.seek(target, by, out).into()
    }

    /// `currentChapter(number)`. Rules CH-6, CH-7, CH-11.
    pub(crate) fn jump_to_chapter(&mut self, number: &Value, out: &mut Outbox) -> Value {
        out.decide(if self.state.is_ad() {
            rules::CH_11
        } else {
            rules::CH_6
        });
        if self.items.chapters.is_empty() {
            return Value::Null;
        }
        let number = number
            .as_integer()
            .and_then(|number| usize::try_from(number).ok());
        let chapter = number.and_then(|number| Some((number, self.items.chapters.start(number)?)));
        let Some((number, start)) = chapter else {
            out.diag(
                rules::CH_7,
                Code::NoSuchChapter,
                "there is no chapter with that number",
            );
            return Value::Null;
        };
        self.seek(start, By::Script, out);
        self.describe_chapter(number)
    }

    /// Goes to the next or previous item; does nothing at the end of the list. Rules PL-4, PL-5,
    /// PL-8.
    pub(crate) fn step(&mut self, direction: Direction, by: By, out: &mut Outbox) {
        let rule = if by == By::Person {
            rules::PL_8
        } else {
            rules::PL_4
        };
        out.decide(self.state.rule_of_navigation(rule));
        self.items.judge(&self.settings.page, out);
        let neighbour = self
            .items
            .playlist
            .neighbour(direction)
            .map(|index| (index, rule));
        let wraps = self.settings.knobs.playlist_wrap().is_on();
        let other_end = || {
            Some((
                self.items.playlist.other_end(direction).filter(|_| wraps)?,
                rules::PL_5,
            ))
        };
        match neighbour.or_else(other_end) {
            Some((index, rule)) if self.may_go_to(index, by, out) => {
                self.go_to(index, Some(rule), out)
            }
            Some(_) => {}
            None => out.diag(
                rules::PL_5,
                Code::PlaylistEdge,
                "there is no item in that direction",
            ),
        }
    }

    /// `playByIndex(index)`. Rules PL-6, PL-9.
    pub(crate) fn play_by_index(
        &mut self,
        index: Option<&Value>,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        out.decide(self.state.rule_of_navigation(rules::PL_6));
        match index {
            Some(Value::Number(_) | Value::NaN | Value::Infinity | Value::NegativeInfinity) => {}
            Some(_) | None => {
                let due = "the index of an item, from 0";
                return Err(bad_argument(rules::PL_6, "playByIndex", index, due, None));
            }
        }
        let index = index
            .and_then(Value::as_integer)
            .and_then(|index| usize::try_from(index).ok());
        // Page code counts in the list that it has seen. PL-6
        let place = index.and_then(|index| self.items.playlist.place(index));
        self.items.judge(&self.settings.page, out);
        let found = match place {
            Some(place) => self
                .items
                .playable_from(&self.settings.page, out.now(), place),
            None => index.filter(|index| *index < self.items.playlist.len()),
        };
        match found {
            Some(index) => {
                if self.may_go_to(index, By::Script, out) {
                    self.go_to(index, None, out);
                }
            }
            None => out.diag(
                rules::PL_6,
                Code::NoSuchItem,
                "there is no item with that index",
            ),
        }
        Ok(Value::Undefined)
    }

    /// Begins `destroy`: `destroyBefore` fires immediately, before anything that is queued, and the
    /// teardown follows.
    ///
    /// Rules EVT-20, DESTROY-1, DESTROY-7.
    pub(crate) fn leave(&mut self, out: &mut Outbox) {
        if self.is_leaving {
            out.decide(rules::DESTROY_7);
        } else {
            let is_created = matches!(self.state, State::Created(_));
            out.decide(if is_created {
                rules::DESTROY_5
            } else {
                rules::DESTROY_1
            });
            self.is_leaving = true;
            out.put_first(rules::DESTROY_1, Output::Task(Task::TearDown));
            out.put_first(
                rules::EVT_20,
                Output::Event(EventName::DestroyBefore.into()),
            );
        }
    }

    /// Ends everything, without any event. Rules DESTROY-1 to DESTROY-3.
    pub(crate) fn tear_down(&mut self, out: &mut Outbox) {
        if !self.is_leaving || self.is_destroyed() {
            return;
        }
        self.abort_breaks(out);
        self.role.hide(rules::DESTROY_1, out);
        // Its listeners stay bound: those of the current event still run, and no other event fires.
        // DESTROY-6
        self.element.forget();
        self.enter(State::Destroyed, rules::DESTROY_1, out);
    }
}

/// Converts seconds to a position; a negative number is the start. Rule TIME-4.
fn position(seconds: Decimal) -> Position {
    Position::from_micros(u64::try_from(seconds.millionths()).unwrap_or(0))
}
