//! The work of a player that needs no input, and its time.
//!
//! Rules CLK-2, CLK-3: one thing at a time, each with a turn of its own.

use crate::Player;
use crate::breaks::slot::BreakSlot;
use crate::state::{Advance, ReadyWork, State};
use playsim_ads::AdBreak;
use playsim_api::{Class, Outbox, Wake};
use playsim_base::time::Time;

impl Player {
    /// When `Input::Wake` is due, and in which class; `None` if nothing will happen without an
    /// input.
    #[must_use]
    #[inline]
    pub fn next_wake(&self) -> Option<Wake> {
        let next = if let State::Playing = self.state {
            let wake = Wake {
                at: self.element.due(),
                class: Class::Media,
            };
            Some(
                self.breaks
                    .next_wake()
                    .map_or(wake, |other| other.min(wake)),
            )
        } else {
            self.next_wake_while_stopped()
        };
        // Work without an end, or that waits for a task, is due after all time.
        next.filter(|wake| wake.at < Time::MAX)
    }

    /// When something is due while the content does not advance.
    fn next_wake_while_stopped(&self) -> Option<Wake> {
        let wake = |at, class| Some(Wake { at, class });
        let own = if let State::Created(work) = self.state {
            let ReadyWork::At(at, _) = work else {
                return None;
            };
            wake(at, Class::Net)
        } else if let State::Ended(Advance::Due(at, _)) = self.state {
            wake(at, Class::Timer)
        } else if let Some(absent) = self.state.absent() {
            wake(absent.until, Class::Timer)
        } else if let State::Destroyed = self.state {
            return None;
        } else {
            None
        };
        let refill = self.element.next_change(self.last_input).map(|at| Wake {
            at,
            class: Class::Media,
        });
        let change = self.change_due().map(|at| Wake {
            at,
            class: Class::Media,
        });
        let held = self.break_of(BreakSlot::Held).and_then(AdBreak::next_wake);
        [own, refill, change, held, self.breaks.next_wake()]
            .into_iter()
            .flatten()
            .min()
    }

    /// Handles the instant that `next_wake` returned: `Input::Wake`, which cannot fail.
    #[inline]
    pub fn wake(&mut self, out: &mut Outbox) {
        let now = out.now();
        if let State::Playing = self.state
            && self.element.due() <= now
        {
            self.wake_playing(out);
        } else if let State::Created(ReadyWork::At(at, cause)) = self.state
            && at <= now
        {
            out.set_cause(cause);
            self.ready(out);
        } else {
            self.wake_while_stopped(out);
        }
        self.come_to_rest(now);
    }

    /// Does one thing that is due: data first, then the break that content is held for, the next
    /// item, the other breaks.
    ///
    /// Each of them is handled in a turn of its own. Rules CLK-2, CLK-3.
    fn wake_while_stopped(&mut self, out: &mut Outbox) {
        let now = out.now();
        if self.refill(out) {
            return;
        }
        if self.change_is_due(now) {
            self.change_rendition(out);
            return;
        }
        let is_due = |player: &Player, which| {
            player
                .break_of(which)
                .and_then(AdBreak::next_wake)
                .is_some_and(|wake| wake.at <= now)
        };
        if is_due(self, BreakSlot::Held) {
            self.wake_break(BreakSlot::Held, out);
            return;
        }
        if let Some(absent) = self.state.absent()
            && absent.until <= now
        {
            out.set_cause(absent.cause);
            self.give_up_absent(absent, out);
            return;
        }
        if let State::Ended(Advance::Due(at, cause)) = self.state
            && at <= now
        {
            out.set_cause(cause);
            self.advance(out);
            return;
        }
        if let Some(which) = self.breaks.slots().find(|which| is_due(self, *which)) {
            self.wake_break(which, out);
        }
    }
}
