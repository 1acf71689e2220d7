//! One VPAID unit: how far it is, what it will say and when, and whether that is in order.
//!
//! ```text
//!  Handshake ─► Initialising ─► Loaded ─► Starting ─► Started ─► Shown ─► Leaving
//!   (answer)      AdLoaded       startAd   AdStarted  AdImpression  AdVideoComplete, AdSkipped, AdUserClose
//! ```
//!
//! What it says by itself and what its script adds are one stream: by the clock what answers a call, by the
//! unit's own playing time the rest. Which message is in order is `order`, what it means
//! for the ad `meaning`.
//!
//! Rules: VPAID-1 to VPAID-18.

use std::sync::Arc;

mod order;

use crate::api::Cause;
use crate::knobs::Knobs;
use crate::media::{Playhead, VpaidCall, VpaidEvent, VpaidSaid, VpaidScript, VpaidStep, VpaidWhen};
use crate::time::{Position, Span, Time};

/// A VPAID unit whose code is there.
#[derive(Debug, Clone)]
pub(in crate::ads) struct VpaidUnit {
    script: Arc<VpaidScript>,
    life: Life,
    /// `adDuration`.
    duration: Span,
    /// `adSkippableState`.
    is_skippable: bool,
    /// Whether its sound is off, as far as it has said.
    is_mute: bool,
    /// What comes by the clock.
    due: Vec<Due>,
    /// What of its script comes by its own playing time, ascending, and which of it is next.
    by_position: Arc<[usize]>,
    next_step: usize,
    /// Which of its own marks is next: three quartiles and the end.
    next_mark: usize,
    wait: Option<Wait>,
    /// What it was called with already, a bit each: what its script says on a call it says once, so that it
    /// cannot talk without end.
    called: u16,
    /// Whether its ad was shown to its end.
    pub(super) is_complete: bool,
    pub(super) asked: Asked,
    limits: Limits,
}

/// What the player has asked for, and the unit has not answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// `pauseAd`.
    pub(super) pause: bool,
    /// `resumeAd`.
    pub(super) resume: bool,
    /// `skipAd` or `stopAd`, because the person skips.
    pub(super) skip: bool,
}

/// How far a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Life {
    /// Its version was asked for.
    Handshake,
    /// `initAd` was called.
    Initialising,
    /// It waits for `startAd`.
    Loaded,
    /// `startAd` was called.
    Starting,
    /// It has begun, and its impression has not come.
    Started,
    /// It is seen.
    Shown(Film),
    /// How its ad ended is told; only its leaving is waited for.
    Leaving,
}

/// How far the film of a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Film {
    /// It has not begun, or there is none.
    Ahead,
    /// It runs, and so many of its quartiles lie behind.
    Runs(usize),
}

/// Something that comes by the clock.
#[derive(Debug, Clone)]
struct Due {
    at: Time,
    what: Happens,
    cause: Cause,
}

/// What happens to a unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Happens {
    /// It answers the handshake.
    Answers,
    /// It says something.
    Says(VpaidSaid),
    /// Nothing came of it in time.
    IsSilent(Waiting),
}

/// What is waited for, and until when.
#[derive(Debug, Clone, Copy)]
struct Wait {
    until: Time,
    waiting: Waiting,
    cause: Cause,
}

/// What a unit is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    Handshake,
    Loaded,
    Started,
    Impression,
    /// That it leaves when it was asked to, or is over.
    Stopped,
}

/// How long it may take.
#[derive(Debug, Clone, Copy)]
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
    pub(in crate::ads) fn new(script: &Arc<VpaidScript>, duration: Span, knobs: &Knobs) -> VpaidUnit {
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
            due: Vec::new(),
            by_position: by_position.into_iter().map(|(_, index)| index).collect(),
            next_step: 0,
            next_mark: 0,
            wait: None,
            called: 0,
            is_complete: false,
            asked: Asked::default(),
            limits: Limits {
                init: knobs.vpaid_init_timeout,
                start: knobs.vpaid_start_timeout,
                stop: knobs.vpaid_stop_timeout,
            },
        }
    }

    /// Its script.
    pub(super) fn script(&self) -> &VpaidScript {
        &self.script
    }

    /// How far it is.
    pub(super) fn life(&self) -> Life {
        self.life
    }

    /// How long it says it is.
    pub(in crate::ads) fn duration(&self) -> Span {
        self.duration
    }

    /// Whether it lets itself be skipped.
    pub(in crate::ads) fn is_skippable(&self) -> bool {
        self.is_skippable
    }

    /// The player calls it; what it answers is due. Rule VPAID-1.
    pub(super) fn call(&mut self, now: Time, call: VpaidCall, cause: Cause) {
        let script = Arc::clone(&self.script);
        let wait = |until: Span, waiting| Some(Wait { until: now + until, waiting, cause });
        match call {
            VpaidCall::HandshakeVersion => {
                self.wait = wait(self.limits.init, Waiting::Handshake);
                if let Some(after) = script.handshake_after {
                    self.due.push(Due { at: now + after, what: Happens::Answers, cause });
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
                for event in [VpaidEvent::AdStarted, VpaidEvent::AdImpression, VpaidEvent::AdVideoStart] {
                    self.answer(now, script.starts_after, event, cause);
                }
            }
            VpaidCall::SkipAd => {
                self.wait = wait(self.limits.stop, Waiting::Stopped);
                self.answer(now, Some(script.answers_after), VpaidEvent::AdSkipped, cause);
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
                self.answer(now, Some(script.answers_after), VpaidEvent::AdPlaying, cause);
            }
            VpaidCall::SetVolume | VpaidCall::ResizeAd => {}
        }
        let bit = 1 << call as u16;
        let is_first = self.called & bit == 0;
        self.called |= bit;
        for VpaidStep { when, said } in script.steps.iter().filter(|_| is_first) {
            match when {
                VpaidWhen::On(on, after) if *on == call => {
                    self.due.push(Due { at: now + *after, what: Happens::Says(said.clone()), cause });
                }
                VpaidWhen::On(..) | VpaidWhen::At(_) => {}
            }
        }
    }

    /// It will say so, unless it is silent about it.
    pub(super) fn answer(&mut self, now: Time, after: Option<Span>, event: VpaidEvent, cause: Cause) {
        let said = VpaidSaid::from(event);
        self.says_after(now, after, said, cause);
    }

    /// It will say so, unless it is silent about it; `None`: never.
    pub(super) fn says_after(&mut self, now: Time, after: Option<Span>, said: VpaidSaid, cause: Cause) {
        if let Some(after) = after.filter(|_| !self.script.silent.contains(&said.event)) {
            self.due.push(Due { at: now + after, what: Happens::Says(said), cause });
        }
    }

    /// It will be gone, once.
    fn leaves(&mut self, now: Time, cause: Cause) {
        let stops = Happens::Says(VpaidEvent::AdStopped.into());
        if !self.due.iter().any(|due| due.what == stops) {
            self.answer(now, self.script.stop_after, VpaidEvent::AdStopped, cause);
        }
    }

    /// How its ad ended is told: it has some time to leave. Rule VPAID-8.
    pub(super) fn is_over(&mut self, now: Time, cause: Cause) {
        self.life = Life::Leaving;
        // Its film does not run on.
        self.next_mark = MARKS.len();
        // Who was asked to leave has the time that is left of that.
        let until = self.wait.filter(|_| self.asked.skip).map_or(now + self.limits.stop, |wait| wait.until);
        self.wait = Some(Wait { until, waiting: Waiting::Stopped, cause });
        self.leaves(now, cause);
    }

    /// When something of it is due: what it says, and what is not waited for any longer.
    pub(in crate::ads) fn next_at(&self, head: &Playhead) -> (Option<Time>, Option<Time>) {
        let by_clock = self.due.iter().map(|due| due.at).min();
        let by_position = self.next_position().and_then(|at| head.reaches_or_passed(at));
        let says = [by_clock, by_position].into_iter().flatten().min();
        (says, self.gives_up(head).map(|wait| wait.until))
    }

    /// Until when what is waited for. A unit that is shown has to end with its length. Rule VPAID-9.
    fn gives_up(&self, head: &Playhead) -> Option<Wait> {
        if let (None, Life::Shown(_)) = (self.wait, self.life) {
            let until = head.reaches_or_passed(self.duration.end())? + self.limits.stop;
            return Some(Wait { until, waiting: Waiting::Stopped, cause: Cause::Script });
        }
        self.wait
    }

    /// Where on its own timeline it says something next.
    fn next_position(&self) -> Option<Position> {
        let mark = (self.next_mark < MARKS.len() && self.plays()).then(|| self.mark());
        let step = self.step().filter(|_| self.plays()).map(|(at, _)| at);
        [mark, step].into_iter().flatten().min()
    }

    /// Whether its own time runs, or stands still in between.
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
        let step = self.script.steps.get(*self.by_position.get(self.next_step)?)?;
        match step.when {
            VpaidWhen::At(at) => Some((at.end(), step)),
            VpaidWhen::On(..) => None,
        }
    }

    /// Takes what is due next of what it says. What answers a call comes first, and its own marks before
    /// what its script adds. Gives its cause, too: `cause`, the start of the ad, unless there is another.
    pub(super) fn take(&mut self, now: Time, head: &Playhead, cause: Cause) -> Option<(Happens, Cause)> {
        let first = self.due.iter().enumerate().filter(|(_, due)| due.at <= now);
        if let Some(index) = first.min_by_key(|(index, due)| (due.at, *index)).map(|(index, _)| index) {
            let due = self.due.remove(index);
            return Some((due.what, due.cause));
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

    /// Takes what is not waited for any longer.
    pub(super) fn take_silence(&mut self, now: Time, head: &Playhead) -> Option<(Happens, Option<Cause>)> {
        let wait = self.gives_up(head).filter(|wait| wait.until <= now)?;
        let cause = Some(wait.cause).filter(|cause| *cause != Cause::Script);
        Some((Happens::IsSilent(wait.waiting), cause))
    }

    /// Takes what it says of its sound: whether it went off, or on again.
    pub(super) fn hear(&mut self, is_mute: bool) -> Option<bool> {
        (std::mem::replace(&mut self.is_mute, is_mute) != is_mute).then_some(is_mute)
    }
}
