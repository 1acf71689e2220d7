//! One VPAID unit: its stage, the messages that it will send and when, and whether they are in
//! order.
//!
//! ```text
//!  Handshake ─► Initialising ─► Loaded ─► Starting ─► Started ─► Shown ─► Leaving
//!   (answer)      AdLoaded       startAd   AdStarted  AdImpression  AdVideoComplete, AdSkipped,
//!                                                                   AdUserClose
//! ```
//!
//! The standard messages and those of its script are one stream: answers to calls are timed by the
//! clock, the rest by the unit's own playing time. `order` decides which messages are allowed,
//! `meaning` their effect on the ad.
//!
//! Rules: VPAID-1 to VPAID-18.

use std::sync::Arc;

mod order;

use super::timed::Timed;
use playsim_api::Cause;
use playsim_api::media::{
    Playhead, VpaidCall, VpaidEvent, VpaidSaid, VpaidScript, VpaidStep, VpaidWhen,
};
use playsim_base::time::{Position, Span, Time};
use playsim_rules::knobs::KnobReader;

/// A VPAID unit whose code is loaded.
#[derive(Debug, Clone, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts")]
pub(crate) struct VpaidUnit {
    script: Arc<VpaidScript>,
    life: Life,
    /// `adDuration`.
    duration: Span,
    /// `adSkippableState`.
    is_skippable: bool,
    /// Whether its sound is off, according to its own messages.
    is_mute: bool,
    /// Messages timed by the clock.
    due: Timed<Happens>,
    /// The steps of its script that are timed by its own playing time, ascending, and the index of
    /// the next one.
    by_position: Arc<[usize]>,
    next_step: usize,
    /// The index of the next mark: three quartiles and the end.
    next_mark: usize,
    wait: Option<Wait>,
    /// The calls that it has received, one bit each: the script answers each call once, so that it
    /// cannot loop forever.
    called: u16,
    /// Whether the page was notified of a click that the unit has not reported yet; its report is
    /// then not another click. Rule CLICK-4.
    pub(crate) is_click_reported: bool,
    /// Whether its ad played to the end.
    pub(crate) is_complete: bool,
    pub(crate) asked: Asked,
    limits: Limits,
}

/// Requests of the player that the unit has not answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Asked {
    /// `pauseAd`.
    pub(crate) pause: bool,
    /// `resumeAd`.
    pub(crate) resume: bool,
    /// `skipAd` or `stopAd`, because the user skips.
    pub(crate) skip: bool,
}

/// The stage of a unit. Stages are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Life {
    /// Its version was requested.
    Handshake,
    /// `initAd` was called.
    Initialising,
    /// It waits for `startAd`.
    Loaded,
    /// `startAd` was called.
    Starting,
    /// It has started, and has not sent its impression.
    Started,
    /// It is on screen.
    Shown(Film),
    /// The end of its ad was reported; only `AdStopped` is expected.
    Leaving,
}

/// The progress of the video of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Film {
    /// It has not started, or there is none.
    Ahead,
    /// It is playing; the number of its quartiles that have passed.
    Runs(usize),
}

/// An event of a unit.
#[derive(Debug, Clone, PartialEq, Hash)]
pub(crate) enum Happens {
    /// It answers the handshake.
    Answers,
    /// It sends a message.
    Says(VpaidSaid),
    /// It exceeded a time limit.
    IsSilent(Waiting),
}

/// An awaited message, and its time limit.
#[derive(Debug, Clone, Copy, Hash)]
struct Wait {
    until: Time,
    waiting: Waiting,
    cause: Cause,
}

/// The message awaited from a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Waiting {
    Handshake,
    Loaded,
    Started,
    Impression,
    /// `AdStopped`, after it was asked to stop or has ended.
    Stopped,
}

/// The time limits.
#[derive(Debug, Clone, Copy, Hash)]
struct Limits {
    init: Span,
    start: Span,
    stop: Span,
}

const MARKS: [VpaidEvent; 4] = [
    VpaidEvent::AdVideoFirstQuartile,
    VpaidEvent::AdVideoMidpoint,
    VpaidEvent::AdVideoThirdQuartile,
    VpaidEvent::AdVideoComplete,
];

impl VpaidUnit {
    pub(crate) fn new(script: &Arc<VpaidScript>, duration: Span, knobs: &KnobReader) -> VpaidUnit {
        let mut by_position: Vec<(Span, usize)> = Vec::new();
        for (index, step) in script.steps.iter().enumerate() {
            match step.when {
                VpaidWhen::At(at) => by_position.push((at, index)),
                VpaidWhen::On(..) => {}
            }
        }
        by_position.sort_unstable();
        VpaidUnit {
            script: Arc::clone(script),
            life: Life::Handshake,
            duration,
            is_skippable: script.skippable,
            is_mute: false,
            due: Timed::new(),
            by_position: by_position.into_iter().map(|(_, index)| index).collect(),
            next_step: 0,
            next_mark: 0,
            wait: None,
            called: 0,
            is_click_reported: false,
            is_complete: false,
            asked: Asked::default(),
            limits: Limits {
                init: knobs.vpaid_init_timeout(),
                start: knobs.vpaid_start_timeout(),
                stop: knobs.vpaid_stop_timeout(),
            },
        }
    }

    /// Returns its script.
    pub(crate) fn script(&self) -> &VpaidScript {
        &self.script
    }

    /// Returns its stage.
    pub(crate) fn life(&self) -> Life {
        self.life
    }

    /// Returns the duration that it reports.
    pub(crate) fn duration(&self) -> Span {
        self.duration
    }

    /// Whether it allows skipping.
    pub(crate) fn is_skippable(&self) -> bool {
        self.is_skippable
    }

    /// Calls the unit, and schedules its answers. Rule VPAID-1.
    pub(crate) fn call(&mut self, now: Time, call: VpaidCall, cause: Cause) {
        let script = Arc::clone(&self.script);
        let wait = |until: Span, waiting| {
            Some(Wait {
                until: now + until,
                waiting,
                cause,
            })
        };
        match call {
            VpaidCall::HandshakeVersion => {
                self.wait = wait(self.limits.init, Waiting::Handshake);
                if let Some(after) = script.handshake_after {
                    self.due.push(now + after, Happens::Answers, cause);
                }
            }
            VpaidCall::InitAd => {
                self.life = Life::Initialising;
                self.wait = wait(self.limits.init, Waiting::Loaded);
                self.answer(now, script.loaded_after, VpaidEvent::AdLoaded, cause);
            }
            VpaidCall::StartAd => {
                self.life = Life::Starting;
                self.wait = wait(self.limits.start, Waiting::Started);
                for event in [
                    VpaidEvent::AdStarted,
                    VpaidEvent::AdImpression,
                    VpaidEvent::AdVideoStart,
                ] {
                    self.answer(now, script.starts_after, event, cause);
                }
            }
            VpaidCall::SkipAd => {
                self.wait = wait(self.limits.stop, Waiting::Stopped);
                self.answer(
                    now,
                    Some(script.answers_after),
                    VpaidEvent::AdSkipped,
                    cause,
                );
                self.leaves(now + script.answers_after, cause);
            }
            VpaidCall::StopAd => {
                self.wait = wait(self.limits.stop, Waiting::Stopped);
                self.leaves(now, cause);
            }
            VpaidCall::PauseAd => {
                self.asked.pause = true;
                self.answer(now, Some(script.answers_after), VpaidEvent::AdPaused, cause);
            }
            VpaidCall::ResumeAd => {
                self.asked.resume = true;
                self.answer(
                    now,
                    Some(script.answers_after),
                    VpaidEvent::AdPlaying,
                    cause,
                );
            }
            VpaidCall::SetVolume | VpaidCall::ResizeAd => {}
        }
        let bit = 1 << call as u16;
        let is_first = self.called & bit == 0;
        self.called |= bit;
        for VpaidStep { when, said } in script.steps.iter().filter(|_| is_first) {
            match when {
                VpaidWhen::On(on, after) if *on == call => {
                    self.due
                        .push(now + *after, Happens::Says(said.clone()), cause);
                }
                VpaidWhen::On(..) | VpaidWhen::At(_) => {}
            }
        }
    }

    /// Schedules a standard message, unless the script silences it.
    pub(crate) fn answer(
        &mut self,
        now: Time,
        after: Option<Span>,
        event: VpaidEvent,
        cause: Cause,
    ) {
        let said = VpaidSaid::from(event);
        self.send_after(now, after, said, cause);
    }

    /// Schedules a message, unless the script silences it; `None`: never.
    pub(crate) fn send_after(
        &mut self,
        now: Time,
        after: Option<Span>,
        said: VpaidSaid,
        cause: Cause,
    ) {
        if let Some(after) = after.filter(|_| !self.script.silent.contains(&said.kind())) {
            self.due.push(now + after, Happens::Says(said), cause);
        }
    }

    /// Schedules `AdStopped`, once.
    fn leaves(&mut self, now: Time, cause: Cause) {
        let stops = Happens::Says(VpaidEvent::AdStopped.into());
        if !self.due.contains(&stops) {
            self.answer(now, self.script.stop_after, VpaidEvent::AdStopped, cause);
        }
    }

    /// Enters the last stage after the end of the ad was reported; the unit has limited time to
    /// stop. Rule VPAID-8.
    pub(crate) fn is_over(&mut self, now: Time, cause: Cause) {
        self.life = Life::Leaving;
        // Its video does not continue.
        self.next_mark = MARKS.len();
        // If it was asked to stop, the remaining time of that request applies.
        let until = self
            .wait
            .filter(|_| self.asked.skip)
            .map_or(now + self.limits.stop, |wait| wait.until);
        self.wait = Some(Wait {
            until,
            waiting: Waiting::Stopped,
            cause,
        });
        self.leaves(now, cause);
    }

    /// Returns the times of its next message and of its next timeout.
    pub(crate) fn next_at(&self, head: &Playhead) -> (Option<Time>, Option<Time>) {
        let by_position = self
            .next_position()
            .and_then(|at| head.reaches_or_passed(at));
        let says = [self.due.next_at(), by_position]
            .into_iter()
            .flatten()
            .min();
        (says, self.gives_up(head).map(|wait| wait.until))
    }

    /// Returns the awaited message and its limit. A unit on screen must end with its duration. Rule
    /// VPAID-9.
    fn gives_up(&self, head: &Playhead) -> Option<Wait> {
        if let (None, Life::Shown(_)) = (self.wait, self.life) {
            let until = head.reaches_or_passed(self.duration.end())? + self.limits.stop;
            return Some(Wait {
                until,
                waiting: Waiting::Stopped,
                cause: Cause::Script,
            });
        }
        self.wait
    }

    /// Returns the position on its own timeline at which it sends its next message.
    fn next_position(&self) -> Option<Position> {
        let mark = (self.next_mark < MARKS.len() && self.plays()).then(|| self.mark());
        let step = self.step().filter(|_| self.plays()).map(|(at, _)| at);
        [mark, step].into_iter().flatten().min()
    }

    /// Whether it has started, so that its own time advances or is paused.
    fn plays(&self) -> bool {
        match self.life {
            Life::Started | Life::Shown(_) | Life::Leaving => true,
            Life::Handshake | Life::Initialising | Life::Loaded | Life::Starting => false,
        }
    }

    fn mark(&self) -> Position {
        let part = u64::try_from(self.next_mark + 1).unwrap_or(u64::MAX);
        self.duration.share(part, 4).end()
    }

    fn step(&self) -> Option<(Position, &VpaidStep)> {
        let step = self
            .script
            .steps
            .get(*self.by_position.get(self.next_step)?)?;
        match step.when {
            VpaidWhen::At(at) => Some((at.end(), step)),
            VpaidWhen::On(..) => None,
        }
    }

    /// Takes its next message that is due, with its cause: `cause`, the start of the ad, unless
    /// there is another. Answers to calls come first, and marks before the steps of the script.
    pub(crate) fn take(
        &mut self,
        now: Time,
        head: &Playhead,
        cause: Cause,
    ) -> Option<(Happens, Cause)> {
        if let Some(due) = self.due.take(now) {
            return Some(due);
        }
        let at = self.next_position()?;
        if head.position(now) < at {
            return None;
        }
        if self.next_mark < MARKS.len() && self.mark() == at {
            let event = MARKS[self.next_mark];
            self.next_mark += 1;
            if event == VpaidEvent::AdVideoComplete {
                self.leaves(now, cause);
            }
            if self.script.silent.contains(&event) {
                return self.take(now, head, cause);
            }
            return Some((Happens::Says(event.into()), cause));
        }
        let said = self.step().map(|(_, step)| step.said.clone())?;
        self.next_step += 1;
        Some((Happens::Says(said), cause))
    }

    /// Takes a timeout that has been reached.
    pub(crate) fn take_silence(
        &mut self,
        now: Time,
        head: &Playhead,
    ) -> Option<(Happens, Option<Cause>)> {
        let wait = self.gives_up(head).filter(|wait| wait.until <= now)?;
        let cause = Some(wait.cause).filter(|cause| *cause != Cause::Script);
        Some((Happens::IsSilent(wait.waiting), cause))
    }

    /// Handles its report about its sound, and returns the new state if it changed.
    pub(crate) fn hear(&mut self, is_mute: bool) -> Option<bool> {
        (std::mem::replace(&mut self.is_mute, is_mute) != is_mute).then_some(is_mute)
    }
}
