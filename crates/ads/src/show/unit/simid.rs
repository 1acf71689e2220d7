//! One SIMID unit: the stage of its session, its next message, and how much it has requested.
//!
//! ```text
//!  Awaited ─► Initialising ─► Ready ─► Starting ─► Runs ─► Over
//!  createSession  init resolved    startCreative  resolved
//! ```
//!
//! Its answers are timed by the clock, the requests of its script by the ad's own playing time.
//! `simid_talk` exchanges messages with the player, `simid_asks` answers its requests.
//!
//! Rules: SIMID-1 to SIMID-16.

use std::sync::Arc;

use super::timed::Timed;
use playsim_api::Cause;
use playsim_api::media::{Playhead, SimidAnswer, SimidReply, SimidSaid, SimidScript, SimidStep};
use playsim_base::time::{Position, Span, Time};
use playsim_rules::knobs::KnobReader;

/// A SIMID unit whose page is loaded.
#[derive(Debug, Clone, Hash)]
pub(crate) struct SimidUnit {
    script: Arc<SimidScript>,
    session: Session,
    /// Messages timed by the clock.
    due: Timed<Happens>,
    /// The steps of its script, ascending by position; the index of the next one; and how often
    /// that was sent.
    order: Arc<[usize]>,
    next_step: usize,
    came: u32,
    wait: Option<Wait>,
    pub(crate) counts: Counts,
    limits: Limits,
}

/// The requests that it has made.
#[derive(Debug, Clone, Default, Hash)]
pub(crate) struct Counts {
    /// The number of URLs that were opened for it.
    pub(crate) navigations: u32,
    /// The number of attempts to expand.
    pub(crate) expands: u32,
    /// Whether a URL is open; the ad is paused meanwhile.
    pub(crate) is_away: bool,
    /// Whether it is expanded over the content.
    pub(crate) is_expanded: bool,
    /// The time by which it has extended the ad.
    pub(crate) extra: Span,
    /// The start of the window in which messages are counted, and their number.
    window: (Time, u32),
}

/// The stage of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Session {
    /// The unit has not requested one.
    Awaited,
    /// `init` was sent.
    Initialising,
    /// The unit waits for `startCreative`.
    Ready,
    /// `startCreative` was sent, at this time.
    Starting(Time),
    /// The unit is running.
    Runs,
    /// Messages of the unit are ignored.
    Over,
}

/// An event of a unit.
#[derive(Debug, Clone, PartialEq, Hash)]
pub(crate) enum Happens {
    /// It requests a session.
    CreatesSession,
    /// It answers `init`.
    AnswersInit(SimidReply),
    /// It answers `startCreative`.
    AnswersStart(SimidReply),
    /// It sends a message.
    Says(SimidSaid),
    /// It has not requested a session in time.
    NoSession,
    /// It has not answered `init` in time.
    NoAnswer,
}

#[derive(Debug, Clone, Hash)]
struct Wait {
    until: Time,
    silence: Happens,
    cause: Cause,
}

#[derive(Debug, Clone, Copy, Hash)]
struct Limits {
    session: Span,
    init: Span,
    answer: Span,
    messages: u32,
}

/// The window in which messages are counted. Rule SIMID-7.
const WINDOW: Span = Span::from_secs(1);

impl SimidUnit {
    pub(crate) fn new(script: &Arc<SimidScript>, knobs: &KnobReader) -> SimidUnit {
        let mut order: Vec<usize> = (0..script.steps.len()).collect();
        // Ties keep the script's order: the sort is stable.
        order.sort_by_key(|index| script.steps[*index].at);
        SimidUnit {
            script: Arc::clone(script),
            session: Session::Awaited,
            due: Timed::new(),
            order: order.into(),
            next_step: 0,
            came: 0,
            wait: None,
            counts: Counts::default(),
            limits: Limits {
                session: knobs.simid_session_timeout(),
                init: knobs.simid_init_timeout(),
                answer: knobs.simid_answer_timeout(),
                messages: knobs.simid_max_messages(),
            },
        }
    }

    /// Returns the version that it implements.
    pub(crate) fn version(&self) -> &Arc<str> {
        &self.script.version
    }

    /// Returns the stage of its session.
    pub(crate) fn session(&self) -> Session {
        self.session
    }

    /// Whether its session is still being created.
    pub(crate) fn is_preparing(&self) -> bool {
        matches!(self.session, Session::Awaited | Session::Initialising)
    }

    /// Returns the time by which it has extended the ad. Rule SIMID-12.
    pub(crate) fn extra(&self) -> Span {
        self.counts.extra
    }

    /// Whether it is expanded over the content. Rule SIMID-15.
    pub(crate) fn is_expanded(&self) -> bool {
        self.counts.is_expanded
    }

    /// Starts the time limit for its session; its page is loaded. Rule SIMID-3.
    pub(crate) fn begin(&mut self, now: Time, cause: Cause) {
        let until = now + self.limits.session;
        self.wait = Some(Wait {
            until,
            silence: Happens::NoSession,
            cause,
        });
        if let Some(after) = self.script.session_after {
            self.due.push(now + after, Happens::CreatesSession, cause);
        }
    }

    /// Records that `init` was sent. Rule SIMID-3.
    pub(crate) fn init(&mut self, now: Time, cause: Cause) {
        self.session = Session::Initialising;
        let until = now + self.limits.init;
        self.wait = Some(Wait {
            until,
            silence: Happens::NoAnswer,
            cause,
        });
        self.answers(now, self.script.init, Happens::AnswersInit, cause);
    }

    /// Records that it accepted `init`.
    pub(crate) fn is_ready(&mut self) {
        self.session = Session::Ready;
        self.wait = None;
    }

    /// Records that `startCreative` was sent. Rule SIMID-4.
    pub(crate) fn start(&mut self, now: Time, cause: Cause) {
        self.session = Session::Starting(now);
        self.answers(now, self.script.start, Happens::AnswersStart, cause);
    }

    /// Records that it accepted `startCreative`.
    pub(crate) fn runs(&mut self) {
        self.session = Session::Runs;
    }

    /// Ends the session: its messages are ignored from now on.
    pub(crate) fn is_over(&mut self) {
        self.session = Session::Over;
        self.due.clear();
        self.wait = None;
        self.counts.is_expanded = false;
    }

    /// Whether an answer now is too late for a message sent at `sent`. Rule SIMID-4.
    pub(crate) fn is_late(&self, now: Time, sent: Time) -> bool {
        now - sent > self.limits.answer
    }

    /// Schedules a message.
    pub(crate) fn send_after(&mut self, now: Time, after: Span, said: SimidSaid, cause: Cause) {
        self.due.push(now + after, Happens::Says(said), cause);
    }

    fn answers(
        &mut self,
        now: Time,
        answer: SimidAnswer,
        what: fn(SimidReply) -> Happens,
        cause: Cause,
    ) {
        match answer.reply {
            SimidReply::Never => {}
            SimidReply::Resolve | SimidReply::Reject(_) | SimidReply::Broken => {
                self.due.push(now + answer.after, what(answer.reply), cause);
            }
        }
    }

    /// Returns the times of its next message and of its next timeout.
    pub(crate) fn next_at(&self, head: &Playhead) -> (Option<Time>, Option<Time>) {
        let by_position = self.step().and_then(|(at, _)| head.reaches_or_passed(at));
        let says = [self.due.next_at(), by_position]
            .into_iter()
            .flatten()
            .min();
        (says, self.wait.as_ref().map(|wait| wait.until))
    }

    fn step(&self) -> Option<(Position, &SimidStep)> {
        match self.session {
            Session::Starting(_) | Session::Runs => {}
            Session::Awaited | Session::Initialising | Session::Ready | Session::Over => {
                return None;
            }
        }
        let step = self.script.steps.get(*self.order.get(self.next_step)?)?;
        Some((step.at.end(), step))
    }

    /// Takes its next message that is due, those timed by the clock first. Its cause is `None` if
    /// that is the start of the ad.
    pub(crate) fn take(&mut self, now: Time, head: &Playhead) -> Option<(Happens, Option<Cause>)> {
        if let Some((what, cause)) = self.due.take(now) {
            return Some((what, Some(cause)));
        }
        let (at, step) = self.step()?;
        if head.position(now) < at {
            return None;
        }
        let happens = Happens::Says(step.said.clone());
        let times = step.times;
        self.came += 1;
        if self.came >= times {
            self.came = 0;
            self.next_step += 1;
        }
        Some((happens, None))
    }

    /// Takes a timeout that has been reached.
    pub(crate) fn take_silence(&mut self, now: Time) -> Option<(Happens, Cause)> {
        let wait = self.wait.take_if(|wait| wait.until <= now)?;
        Some((wait.silence, wait.cause))
    }

    /// Counts a message; `true` if there are too many in a second. Rule SIMID-7.
    pub(crate) fn floods(&mut self, now: Time) -> bool {
        let (since, count) = &mut self.counts.window;
        if now - *since >= WINDOW {
            (*since, *count) = (now, 0);
        }
        *count += 1;
        *count > self.limits.messages
    }
}
