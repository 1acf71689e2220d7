//! What `play()` returns: nothing, or a promise that is resolved or rejected as by a media element.
//!
//! A request is resolved when `playing` fires, even if ads come first, and rejected by whatever prevents that.
//!
//! Rules: PLAY-3, MEL-1, MEL-6, MEL-9, MEL-10.

use crate::api::{Outbox, Value};
use crate::element::Outcome;
use crate::knobs::PlayReturns;
use crate::player::Player;
use crate::player::api::calls::By;
use crate::player::state::State;
use crate::rules;
use crate::time::Time;

impl Player {
    /// `play()`, called by page code. Rule PLAY-3.
    pub(in crate::player) fn play_by_call(&mut self, now: Time, out: &mut Outbox) -> Value {
        match self.settings.knobs.play_returns {
            PlayReturns::None => {
                self.play(now, By::Script, out);
                Value::Undefined
            }
            PlayReturns::Promise => {
                self.requests.make();
                self.is_asking = true;
                self.play(now, By::Script, out);
                self.is_asking = false;
                self.settle_asking(out);
                self.requests.promise()
            }
        }
    }

    /// Settles the request of the call that is about to return, or lets it wait.
    fn settle_asking(&mut self, out: &mut Outbox) {
        let outcome = match self.state {
            State::Initial | State::Paused | State::Ended(_)
                if out.last_diagnostic() == Some(rules::PLAY_17) =>
            {
                Outcome::NotAllowed
            }
            // Content is already playing. MEL-9
            State::Playing(_) if self.element.has_data() => Outcome::Resolved,
            State::Failed => Outcome::NotSupported,
            State::Created(_)
            | State::Initial
            | State::AdLoading(_)
            | State::AdPlaying(_)
            | State::AdPaused(_)
            | State::Playing(_)
            | State::Buffering(_)
            | State::Paused
            | State::Ended(_)
            | State::Destroyed => return,
        };
        self.requests.settle_newest(outcome, out);
    }

    /// Resolves all requests: `playing` has fired. Rule MEL-9.
    pub(super) fn keep_play(&mut self, out: &mut Outbox) {
        self.requests.settle_now(0, Outcome::Resolved, out);
    }

    /// Rejects the waiting requests: what they asked for will not happen. A call in progress is not rejected,
    /// as it asks for what follows. Rules MEL-1, MEL-6, MEL-10.
    pub(in crate::player) fn reject_play(&mut self, outcome: Outcome, out: &mut Outbox) {
        self.requests.settle_now(usize::from(self.is_asking), outcome, out);
    }
}
