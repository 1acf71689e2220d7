//! One SIMID unit: how far its session is, what it says next, and how much it has asked for.
//!
//! ```text
//!  Awaited ─► Initialising ─► Ready ─► Starting ─► Runs ─► Over
//!  createSession  init resolved    startCreative  resolved
//! ```
//!
//! What it answers comes by the clock, what its script asks by the ad's own playing time. What passes between
//! it and its player is `simid_talk`, what its requests do `simid_asks`.
//!
//! Rules: SIMID-1 to SIMID-16.

use std::sync::Arc;

use crate::api::Cause;
use crate::knobs::Knobs;
use crate::media::{Playhead, SimidAnswer, SimidDetail, SimidMessage, SimidReply, SimidScript, SimidStep};
use crate::time::{Position, Span, Time};

/// A SIMID unit whose page is there.
#[derive(Debug, Clone)]
pub(in crate::ads) struct SimidUnit {
    script: Arc<SimidScript>,
    session: Session,
    /// What comes by the clock.
    due: Vec<Due>,
    /// Its script, ascending by position, and which of it is next, and how often that came.
    order: Arc<[usize]>,
    next_step: usize,
    came: u32,
    wait: Option<Wait>,
    pub(super) counts: Counts,
    limits: Limits,
}

/// How much it has asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    /// Addresses that were opened for it.
    pub(super) navigations: u32,
    /// Attempts to expand.
    pub(super) expands: u32,
    /// Whether an address is open: the ad stands since then.
    pub(super) is_away: bool,
    /// Whether it covers the content.
    pub(super) is_expanded: bool,
    /// By how much it has made the ad longer.
    pub(super) extra: Span,
    /// Since when messages are counted, and how many came.
    window: (Time, u32),
}

/// How far its session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Session {
    /// It has not asked for one.
    Awaited,
    /// `init` was sent.
    Initialising,
    /// It waits for `startCreative`.
    Ready,
    /// `startCreative` was sent, at this time.
    Starting(Time),
    /// It runs.
    Runs,
    /// It is not listened to any more.
    Over,
}

#[derive(Debug, Clone)]
struct Due {
    at: Time,
    what: Happens,
    cause: Cause,
}

/// What happens to a unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Happens {
    /// It asks for a session.
    CreatesSession,
    /// It answers `init`.
    AnswersInit(SimidReply),
    /// It answers `startCreative`.
    AnswersStart(SimidReply),
    /// It says something.
    Says(SimidMessage, SimidDetail),
    /// It has not asked for a session in time.
    NoSession,
    /// It has not answered `init` in time.
    NoAnswer,
}

#[derive(Debug, Clone)]
struct Wait {
    until: Time,
    silence: Happens,
    cause: Cause,
}

#[derive(Debug, Clone, Copy)]
struct Limits {
    session: Span,
    init: Span,
    answer: Span,
    messages: u32,
}

/// Over which messages are counted. Rule SIMID-7.
const WINDOW: Span = Span::from_secs(1);

impl SimidUnit {
    pub(in crate::ads) fn new(script: &Arc<SimidScript>, knobs: &Knobs) -> SimidUnit {
        let mut order: Vec<usize> = (0..script.steps.len()).collect();
        // Ties keep the script's order: the sort is stable.
        order.sort_by_key(|index| script.steps[*index].at);
        SimidUnit {
            script: Arc::clone(script),
            session: Session::Awaited,
            due: Vec::new(),
            order: order.into(),
            next_step: 0,
            came: 0,
            wait: None,
            counts: Counts::default(),
            limits: Limits {
                session: knobs.simid_session_timeout,
                init: knobs.simid_init_timeout,
                answer: knobs.simid_answer_timeout,
                messages: knobs.simid_max_messages,
            },
        }
    }

    /// The version that it speaks.
    pub(super) fn version(&self) -> &Arc<str> {
        &self.script.version
    }

    /// How far its session is.
    pub(super) fn session(&self) -> Session {
        self.session
    }

    /// Whether its session is still being made.
    pub(in crate::ads) fn is_preparing(&self) -> bool {
        matches!(self.session, Session::Awaited | Session::Initialising)
    }

    /// By how much it has made the ad longer. Rule SIMID-12.
    pub(in crate::ads) fn extra(&self) -> Span {
        self.counts.extra
    }

    /// Whether it covers the content. Rule SIMID-15.
    pub(in crate::ads) fn is_expanded(&self) -> bool {
        self.counts.is_expanded
    }

    /// Its page is there: it has some time to ask for a session. Rule SIMID-3.
    pub(in crate::ads) fn begin(&mut self, now: Time, cause: Cause) {
        let until = now + self.limits.session;
        self.wait = Some(Wait { until, silence: Happens::NoSession, cause });
        if let Some(after) = self.script.session_after {
            self.due.push(Due { at: now + after, what: Happens::CreatesSession, cause });
        }
    }

    /// `init` was sent. Rule SIMID-3.
    pub(super) fn init(&mut self, now: Time, cause: Cause) {
        self.session = Session::Initialising;
        let until = now + self.limits.init;
        self.wait = Some(Wait { until, silence: Happens::NoAnswer, cause });
        self.answers(now, self.script.init, Happens::AnswersInit, cause);
    }

    /// It has agreed to `init`.
    pub(super) fn is_ready(&mut self) {
        self.session = Session::Ready;
        self.wait = None;
    }

    /// `startCreative` was sent. Rule SIMID-4.
    pub(super) fn start(&mut self, now: Time, cause: Cause) {
        self.session = Session::Starting(now);
        self.answers(now, self.script.start, Happens::AnswersStart, cause);
    }

    /// It has agreed to `startCreative`.
    pub(super) fn runs(&mut self) {
        self.session = Session::Runs;
    }

    /// It is not listened to any more.
    pub(super) fn is_over(&mut self) {
        self.session = Session::Over;
        self.due.clear();
        self.wait = None;
        self.counts.is_expanded = false;
    }

    /// Whether an answer to what was sent then comes too late now. Rule SIMID-4.
    pub(super) fn is_late(&self, now: Time, sent: Time) -> bool {
        now - sent > self.limits.answer
    }

    /// It will say so by itself.
    pub(super) fn says_after(&mut self, now: Time, after: Span, message: SimidMessage, cause: Cause) {
        let what = Happens::Says(message, SimidDetail::Nothing);
        self.due.push(Due { at: now + after, what, cause });
    }

    fn answers(&mut self, now: Time, answer: SimidAnswer, what: fn(SimidReply) -> Happens, cause: Cause) {
        match answer.reply {
            SimidReply::Never => {}
            SimidReply::Resolve | SimidReply::Reject(_) | SimidReply::Broken => {
                self.due.push(Due { at: now + answer.after, what: what(answer.reply), cause });
            }
        }
    }

    /// When something of it is due: what it says, and what is not waited for any longer.
    pub(in crate::ads) fn next_at(&self, head: &Playhead) -> (Option<Time>, Option<Time>) {
        let by_clock = self.due.iter().map(|due| due.at).min();
        let by_position = self.step().and_then(|(at, _)| head.reaches_or_passed(at));
        let says = [by_clock, by_position].into_iter().flatten().min();
        (says, self.wait.as_ref().map(|wait| wait.until))
    }

    fn step(&self) -> Option<(Position, &SimidStep)> {
        match self.session {
            Session::Starting(_) | Session::Runs => {}
            Session::Awaited | Session::Initialising | Session::Ready | Session::Over => return None,
        }
        let step = self.script.steps.get(*self.order.get(self.next_step)?)?;
        Some((step.at.end(), step))
    }

    /// Takes what is due next of what it says: what comes by the clock first. Its cause is given where that is
    /// not the start of the ad.
    pub(super) fn take(&mut self, now: Time, head: &Playhead) -> Option<(Happens, Option<Cause>)> {
        let due = self.due.iter().enumerate().filter(|(_, due)| due.at <= now);
        if let Some((index, _)) = due.min_by_key(|(index, due)| (due.at, *index)) {
            let due = self.due.remove(index);
            return Some((due.what, Some(due.cause)));
        }
        let (at, step) = self.step()?;
        if head.position(now) < at {
            return None;
        }
        let happens = Happens::Says(step.message, step.detail.clone());
        let times = step.times;
        self.came += 1;
        if self.came >= times {
            self.came = 0;
            self.next_step += 1;
        }
        Some((happens, None))
    }

    /// Takes what is not waited for any longer.
    pub(super) fn take_silence(&mut self, now: Time) -> Option<(Happens, Cause)> {
        let wait = self.wait.take_if(|wait| wait.until <= now)?;
        Some((wait.silence, wait.cause))
    }

    /// Counts a message. Whether there are too many in a second. Rule SIMID-7.
    pub(super) fn floods(&mut self, now: Time) -> bool {
        let (since, count) = &mut self.counts.window;
        if now - *since >= WINDOW {
            (*since, *count) = (now, 0);
        }
        *count += 1;
        *count > self.limits.messages
    }
}
