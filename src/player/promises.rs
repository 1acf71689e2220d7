//! What `play()` gives back: nothing, or a promise that is kept or broken as the media element does.
//!
//! A request is kept when `playing` is told, be it after ads, and broken by whatever comes between. Page
//! code learns of it in a line of kind `media`: `play-resolved`, or `play-rejected` with the error's name.
//!
//! Rules: PLAY-3, MEL-1, MEL-6, MEL-9, MEL-10.

use super::calls::By;
use super::*;
use crate::knobs::PlayReturns;

/// The play requests of a player, each by its number from 1.
#[derive(Debug, Clone, Default)]
pub(super) struct Requests {
    made: u32,
    /// The one whose call has not returned.
    asking: Option<u32>,
    /// Those that wait, oldest first.
    waiting: Vec<u32>,
}

impl Requests {
    fn take(&mut self) -> impl Iterator<Item = u32> {
        std::mem::take(&mut self.waiting).into_iter()
    }
}

impl Player {
    /// `play()`, called by page code. Rule PLAY-3.
    pub(super) fn play_by_call(&mut self, now: Time, out: &mut Outbox) -> Value {
        match self.settings.knobs.play_returns {
            PlayReturns::None => {
                self.play(now, By::Script, out);
                Value::Undefined
            }
            PlayReturns::Promise => {
                self.requests.made += 1;
                let request = self.requests.made;
                self.requests.asking = Some(request);
                self.play(now, By::Script, out);
                self.settle_asking(out);
                Value::from(format!("promise {request}"))
            }
        }
    }

    /// What becomes of a request that its call has left open.
    fn settle_asking(&mut self, out: &mut Outbox) {
        let Some(request) = self.requests.asking.take() else { return };
        match self.state {
            State::Initial | State::Paused | State::Ended(_)
                if out.last_diagnostic() == Some(rule!("PLAY-17")) =>
            {
                reject(request, rule!("PLAY-17"), "NotAllowedError", out);
            }
            // It plays already. MEL-9
            State::Playing(_) if self.element.has_data() => resolve(request, out),
            State::Failed => reject(request, rule!("MEL-6"), "NotSupportedError", out),
            State::Created(_)
            | State::Initial
            | State::AdLoading(_)
            | State::AdPlaying(_)
            | State::AdPaused(_)
            | State::Playing(_)
            | State::Buffering
            | State::Paused
            | State::Ended(_)
            | State::Destroyed => self.requests.waiting.push(request),
        }
    }

    /// `playing` was told. Rule MEL-9.
    pub(super) fn keep_play(&mut self, out: &mut Outbox) {
        let asking = self.requests.asking.take();
        self.requests.take().chain(asking).for_each(|request| resolve(request, out));
    }

    /// What was asked for will not come. A call that goes on asks for what comes behind it. Rules MEL-1, MEL-6,
    /// MEL-10.
    pub(super) fn reject_play(&mut self, rule: RuleId, why: &'static str, out: &mut Outbox) {
        self.requests.take().for_each(|request| reject(request, rule, why, out));
    }
}

fn resolve(request: u32, out: &mut Outbox) {
    out.line(rule!("MEL-9"), Kind::Media, "play-resolved", Fields::one("request", request));
}

fn reject(request: u32, rule: RuleId, why: &'static str, out: &mut Outbox) {
    out.line(rule, Kind::Media, "play-rejected", Fields::one("request", request).with("why", why));
}
