//! The player's side of an ad break: it holds content for it, starts what is ready, and goes on after it.
//!
//! The break itself decides what is asked, tried and reported; it never reaches back.
//!
//! Rules: BRK-1, BRK-11, BRK-14 to BRK-16, PAUSE-3, PAUSE-4, PLAY-5, PLAY-6, PLAY-13, PLAY-14, STOP-3,
//! REQ-11, VX-2.

use super::*;
use crate::ads::{BreakOutcome, BreakPlan, Phase};
use crate::api::Fetched;

impl Player {
    /// Opens a break; content is held for it. Rules PRE-1, VX-2.
    pub(super) fn open_break(&mut self, now: Time, plan: BreakPlan, wanted: bool, out: &mut Outbox) {
        self.last_vast_xml = None;
        let mut services = services(&self.settings, &mut self.macros);
        let ad_break = Box::new(AdBreak::open(plan, now, &mut services, out));
        self.enter(State::AdLoading(Held { by: Holder::Break(ad_break), wanted }), rule!("PRE-1"), out);
        self.follow_break(now, out);
    }

    /// A document was answered.
    pub(super) fn fetched(&mut self, now: Time, id: RequestId, fetched: &Fetched, out: &mut Outbox) {
        self.feed_break(now, out, |ad_break, services, out| {
            ad_break.fetched(now, id, fetched, services, out)
        });
    }

    /// Something of a break, or of the content behind it, is due.
    pub(super) fn wake_break(&mut self, now: Time, out: &mut Outbox) {
        if self.refill(now, out) {
            // What is due of the break has a class and a turn of its own. CLK-2
            return;
        }
        let Some(ad_break) = self.state.ad_break() else { return };
        if let Some(wake) = ad_break.next_wake().filter(|wake| wake.at <= now) {
            out.blame(ad_break.due_because());
            self.feed_break(now, out, |ad_break, services, out| {
                ad_break.wake(now, wake.class, services, out)
            });
        }
    }

    /// The ad that is ready starts, unless play is not wanted any more. Rules BRK-1, PAUSE-4, PLAY-5.
    pub(super) fn start_ad(&mut self, now: Time, out: &mut Outbox) {
        let State::AdLoading(Held { by: Holder::Break(ad_break), wanted: true }) = &self.state else {
            return;
        };
        if !matches!(ad_break.phase(), Phase::Ready) {
            return;
        }
        if self.due.take(Due::BEFORE_START) {
            out.event(rule!("PLAY-5"), EventName::BeforeStart);
        }
        self.feed_break(now, out, |ad_break, services, out| ad_break.start(now, services, out));
    }

    /// The ad stands still, the content stays held. Rule PAUSE-3.
    pub(super) fn pause_ad(&mut self, now: Time, out: &mut Outbox) {
        self.feed_break(now, out, |ad_break, services, out| ad_break.pause(now, services, out));
    }

    /// Rule PLAY-14.
    pub(super) fn resume_ad(&mut self, now: Time, out: &mut Outbox) {
        self.feed_break(now, out, |ad_break, services, out| ad_break.resume(now, services, out));
    }

    /// The person skips the ad. Rules BRK-13, BRK-14.
    pub(super) fn skip_ad(&mut self, now: Time, out: &mut Outbox) {
        match self.state {
            State::AdPlaying(_) | State::AdPaused(_) => {
                self.feed_break(now, out, |ad_break, services, out| {
                    ad_break.skip(now, services, out);
                });
            }
            State::Created(_)
            | State::Initial
            | State::AdLoading(_)
            | State::Playing(_)
            | State::Buffering
            | State::Paused
            | State::Ended(_)
            | State::Failed
            | State::Destroyed => {
                out.diag(rule!("BRK-13"), "skip_not_offered", "no ad is on that could be skipped");
            }
        }
    }

    /// Play is wanted, or not any more, while content is held. Rules PAUSE-4, PLAY-13.
    pub(super) fn want(&mut self, play: bool, out: &mut Outbox) {
        let State::AdLoading(held) = &mut self.state else { return };
        held.wanted = play;
        if let Holder::Break(ad_break) = &held.by
            && play
            && matches!(ad_break.phase(), Phase::Ready)
        {
            out.put(rule!("PLAY-13"), Output::Task(Task::StartAd));
        }
    }

    /// Ends an open break without a word to the page. Rule STOP-3.
    ///
    /// The state is the caller's to change.
    pub(super) fn abort_break(&mut self, out: &mut Outbox) {
        if let Some(ad_break) = self.state.ad_break_mut() {
            let given_up = ad_break.abort(out);
            self.abandoned.extend(given_up);
        }
    }

    /// Hands something to the open break and goes where that leads.
    pub(super) fn feed_break(
        &mut self,
        now: Time,
        out: &mut Outbox,
        feed: impl FnOnce(&mut AdBreak, &mut AdServices<'_>, &mut Outbox),
    ) {
        let mut services = services(&self.settings, &mut self.macros);
        let Some(ad_break) = self.state.ad_break_mut() else { return };
        feed(ad_break, &mut services, out);
        // There as soon as the document was received, so for `adError` and `adImpression` too. REQ-11
        self.last_vast_xml = ad_break.last_document().cloned();
        self.follow_break(now, out);
    }

    /// Brings the player's state in line with its break's.
    fn follow_break(&mut self, now: Time, out: &mut Outbox) {
        let Some(phase) = self.state.ad_break().map(AdBreak::phase) else { return };
        let (from, was_paused) = (self.state.word(), matches!(self.state, State::AdPaused(_)));
        if let Phase::Over(outcome) = phase {
            self.after_break(now, outcome, out);
            return;
        }
        let is_ready = matches!(phase, Phase::Ready);
        let state = std::mem::replace(&mut self.state, State::Initial);
        self.state = match state {
            State::AdLoading(Held { by: Holder::Break(ad_break), wanted }) => shown(ad_break, wanted),
            State::AdPlaying(ad_break) | State::AdPaused(ad_break) => shown(ad_break, true),
            State::AdLoading(Held { by: Holder::Record, .. })
            | State::Created(_)
            | State::Initial
            | State::Playing(_)
            | State::Buffering
            | State::Paused
            | State::Ended(_)
            | State::Failed
            | State::Destroyed => state,
        };
        if self.state.word() != from {
            let rule = match &self.state {
                State::AdPaused(_) => rule!("PAUSE-3"),
                State::AdPlaying(_) if was_paused => rule!("PLAY-14"),
                State::AdPlaying(_) => rule!("BRK-1"),
                State::AdLoading(_)
                | State::Created(_)
                | State::Initial
                | State::Playing(_)
                | State::Buffering
                | State::Paused
                | State::Ended(_)
                | State::Failed
                | State::Destroyed => rule!("BRK-11"),
            };
            out.line(rule, Kind::State, &self.state, Fields::one("from", from));
        }
        if is_ready && matches!(self.state, State::AdLoading(Held { wanted: true, .. })) {
            out.put(rule!("BRK-1"), Output::Task(Task::StartAd));
        }
    }

    /// Content goes on, or waits where it was paused. Rules PLAY-5, PLAY-6, PAUSE-4.
    fn after_break(&mut self, now: Time, outcome: BreakOutcome, out: &mut Outbox) {
        if let Some(ad_break) = self.state.ad_break_mut() {
            let given_up = ad_break.take_abandoned();
            self.abandoned.extend(given_up);
        }
        if let Some(end) = self.state.ad_break().and_then(AdBreak::end_cause) {
            out.blame(end);
        }
        if let Some(seek) = self.held_seek.take() {
            out.put(rule!("BRK-16"), Output::Task(Task::Seeked(seek)));
        }
        if self.element.has_failed() {
            // It failed behind the ad, and was held. ERR-3
            self.fail(rule!("ERR-3"), out);
        } else if matches!(self.state, State::AdLoading(Held { wanted: false, .. })) {
            self.enter(State::Initial, rule!("PAUSE-4"), out);
        } else {
            let rule = match outcome {
                BreakOutcome::Filled => rule!("PLAY-5"),
                BreakOutcome::NoFill => rule!("PLAY-6"),
            };
            self.start_content(now, rule, out);
        }
    }
}

/// The state in which a break's phase shows.
fn shown(ad_break: Box<AdBreak>, wanted: bool) -> State {
    match ad_break.phase() {
        Phase::Loading | Phase::Ready | Phase::Over(_) => {
            State::AdLoading(Held { by: Holder::Break(ad_break), wanted })
        }
        Phase::Playing => State::AdPlaying(ad_break),
        Phase::Paused => State::AdPaused(ad_break),
    }
}

fn services<'a>(settings: &'a Settings, macros: &'a mut Macros) -> AdServices<'a> {
    AdServices { knobs: &settings.knobs, macros }
}
