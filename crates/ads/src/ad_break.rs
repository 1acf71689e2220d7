//! One ad break from its opening to its end.
//!
//! ```text
//!             fetched            loaded           start            pause
//!   Document ─────────► Media ───────────► Ready ────────► Playing ───────► Paused
//!    ▲  ▲ ▲  ◄────────    │                                 │   ▲            │ │
//!    │  │ │   402, 401    │                                 │   └────────────┘ │
//!    │  │ └───────────────┘       wake, skip: the next ad   │      resume      │
//!    │  └───────────────────────────────────────────────────┴──────────────────┘
//!    │ fetched, wake: the next wrapper, ad, tag or pod                   skip
//!    └──► Over, when there is none
//! ```
//!
//! `state` has the states; those on the left load something. This file and those of `ad_break` that
//! act on an ad map each input to the state that it applies to. `course` decides about the next
//! step, and `unit` is the conversation with the code that runs with an ad. None of them knows the
//! content, or the events that a player adds around ads.
//!
//! Rules: BRK-1 to BRK-23, REQ-7, REQ-9, REQ-10, STOP-3.

use std::sync::Arc;

use super::error::{AdErrorCode, Failure};
use super::plan::{BreakPlan, OffsetPod};
use super::report::context::{Context, Scope};
use super::report::macros::BreakFacts;
use course::Course;
use course::resolve::expired;
use outcome::Phase;
use playsim_api::{BreakKind, BreakNumber, Cause, Class, Fetched, Wake};
use playsim_base::time::Span;
use playsim_rules as rules;

mod abort;
mod answers;
mod attachments;
mod course;
mod end_card;
mod interaction;
mod of_item;
mod on_screen;
pub(super) mod outcome;
mod over_content;
mod state;
mod unit;

pub use attachments::Reaction;
pub use over_content::ContentMoves;
use state::{Loading, Stage, State};

/// One ad break.
#[derive(Debug, Clone, Hash)]
pub struct AdBreak {
    course: Course,
    state: State,
}

impl AdBreak {
    /// Opens a break: its first line, and the request of the first tag. Rules BRK-23, REQ-1.
    pub fn open(plan: BreakPlan, cx: &mut Context<'_>) -> AdBreak {
        let cx = &mut cx.open_break(plan.kind);
        let mut course = Course::begin(plan, cx);
        let state = course.ask_tag(cx);
        AdBreak { course, state }
    }

    /// Opens a break and ends it without any request, because no ad may be shown. Rule PLAY-17.
    pub fn refuse(plan: BreakPlan, why: &'static str, cx: &mut Context<'_>) -> AdBreak {
        let cx = &mut cx.open_break(plan.kind);
        let mut course = Course::begin(plan, cx);
        while course.waterfalls.tag().is_some() {
            let failure = Failure::new(AdErrorCode::Undefined, why).by(rules::PLAY_17);
            course.tag_failed(&failure, cx);
        }
        let state = course.end(cx);
        AdBreak { course, state }
    }

    /// Opens a break with a response that came too late for the break that requested it. Rule
    /// REQ-10.
    pub fn open_late(plan: BreakPlan, answer: &Fetched, cx: &mut Context<'_>) -> AdBreak {
        let cx = &mut cx.open_break(plan.kind);
        let mut course = Course::begin(plan, cx);
        let state = course.answered(cx.now() + cx.knobs().ad_timeout(), answer, cx);
        AdBreak { course, state }
    }

    /// The context inside this break.
    fn enter<'c>(&self, cx: &'c mut Context<'_>) -> Scope<'c> {
        cx.within(self.course.number(), self.course.kind)
    }

    /// The facts about this break for macros. Rule MAC-4.
    #[must_use]
    pub fn macro_facts(&self) -> BreakFacts {
        self.course.macro_facts
    }

    /// The number of the break in its player.
    #[must_use]
    pub fn number(&self) -> Option<BreakNumber> {
        self.course.number()
    }

    /// The kind of the break.
    #[must_use]
    pub fn kind(&self) -> BreakKind {
        self.course.kind()
    }

    /// Whether page code requested the break. Rule PA-4.
    #[must_use]
    pub fn is_commanded(&self) -> bool {
        self.course.is_commanded()
    }

    /// What has come of the pod of breaks that it is a part of, if it is in one. Rule VMAP-23.
    #[must_use]
    pub fn offset_pod(&self) -> Option<OffsetPod> {
        self.course.offset_pod()
    }

    /// The number of ads of the break that have started.
    #[must_use]
    pub fn ads_started(&self) -> u32 {
        self.course.ads_started()
    }

    /// Whether an ad is ready and waits to be started.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.phase() == Phase::Ready
    }

    /// Sets the position in its first ad at which the break begins. Rule PRD-23.
    pub fn join_at(&mut self, past: Span) {
        self.course.join = past;
    }

    /// The phase of the break.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match &self.state {
            State::Loading { .. }
            | State::Ad {
                stage: Stage::Preparing | Stage::Starting | Stage::Leaving,
                ..
            } => Phase::Loading,
            State::Ad {
                stage: Stage::Ready,
                ..
            } => Phase::Ready,
            State::Ad {
                stage: Stage::Playing,
                ..
            }
            | State::EndCard { .. } => Phase::Playing,
            State::Ad {
                stage: Stage::Paused,
                ..
            } => Phase::Paused,
            State::Overlay {
                ad,
                is_visible: false,
            } if ad.is_preparing() => Phase::Loading,
            State::Overlay {
                is_visible: false, ..
            } => Phase::Ready,
            State::Overlay {
                is_visible: true, ..
            } => Phase::Playing,
            State::Over { outcome, .. } => Phase::Over(*outcome),
        }
    }

    /// When the break has to be woken, and in which class; `None` if nothing is due on its own.
    #[must_use]
    pub fn next_wake(&self) -> Option<Wake> {
        match &self.state {
            State::Loading { limit, what } => {
                let data = what.data_at().map(|at| Wake {
                    at,
                    class: Class::Media,
                });
                Some(Wake {
                    at: limit.at,
                    class: Class::Timer,
                })
                .into_iter()
                .chain(data)
                .min()
            }
            State::Ad { ad, stage } => {
                // An ad that expires at an instant is still valid at that instant.
                let past = |expires| Wake {
                    at: expires + Span::from_micros(1),
                    class: Class::Timer,
                };
                let expires = ad.expires().filter(|_| *stage == Stage::Ready).map(past);
                [ad.next_wake(*stage == Stage::Playing), expires]
                    .into_iter()
                    .flatten()
                    .min()
            }
            State::EndCard { until, .. } => Some(Wake {
                at: *until,
                class: Class::Timer,
            }),
            State::Overlay { ad, is_visible } => ad.next_wake(*is_visible),
            State::Over { .. } => None,
        }
    }

    /// The line that causes whatever is due next. Rule EVT-23.
    #[must_use]
    pub fn due_because(&self) -> Cause {
        match &self.state {
            State::Loading { what, .. } => what.cause().unwrap_or(Cause::Script),
            State::Ad { ad, .. } | State::EndCard { ad, .. } => ad.cause(),
            State::Overlay { ad, .. } => ad.cause(),
            State::Over { end, .. } => *end,
        }
    }

    /// Does the work that is due at this instant in this class, if any. Rules CLK-2, CLK-3.
    pub fn wake(&mut self, class: Class, cx: &mut Context<'_>) {
        let cx = &mut self.enter(cx);
        match class {
            Class::Timer => self.wake_timer(cx),
            Class::Media => self.wake_media(cx),
            Class::Net | Class::Action => {}
        }
    }

    /// A time limit has passed, or a timed part of the ad is due.
    fn wake_timer(&mut self, cx: &mut Scope<'_>) {
        match &mut self.state {
            State::Loading { limit, what } if limit.at <= cx.now() => {
                let (limit, what) = (*limit, what.clone());
                self.state = self.course.timed_out(limit, what, cx);
            }
            State::Ad {
                ad,
                stage: Stage::Ready,
            } if ad.expires().is_some_and(|expires| expires < cx.now()) => {
                let late = ad.expires().filter(|expires| *expires < cx.now());
                if let (Some(expires), Some(hop)) = (late, ad.hops().last()) {
                    let failure = expired(hop, cx.now(), expires);
                    cx.out.set_cause(ad.cause());
                    let prepared = ad.prepared().clone();
                    self.state = self.course.start_failed(&prepared, &failure, cx);
                }
            }
            State::Ad {
                ad,
                stage: Stage::Playing,
            } => {
                let moved = ad.wake_timer(cx.now());
                let (moved, cause) = (ad.notify_simid(moved, cx), ad.cause());
                self.moved(moved, cause, cx);
                self.give_up_unit(cx);
            }
            State::EndCard { until, .. } if *until <= cx.now() => self.end_card_over(None, cx),
            State::Ad { .. } | State::Overlay { .. } => {
                self.wake_attachments(cx);
                self.give_up_unit(cx);
            }
            State::Loading { .. } | State::EndCard { .. } | State::Over { .. } => {}
        }
    }

    /// The playing ad has reached a position at which something is due, or the first data of one
    /// have arrived.
    fn wake_media(&mut self, cx: &mut Scope<'_>) {
        match &mut self.state {
            State::Loading {
                limit,
                what: Loading::Data(ad, info, missing),
            } if missing.until <= cx.now() => {
                cx.out.set_cause(missing.line);
                let (limit, ad, info) = (*limit, ad.clone(), Arc::clone(info));
                self.state = self.course.has_data(ad, info, limit, cx);
            }
            State::Ad {
                ad,
                stage: Stage::Playing,
            } => {
                let moved = ad.wake_media(cx.knobs().ad_stall_timeout(), cx);
                let (moved, cause) = (ad.notify_simid(moved, cx), ad.cause());
                self.moved(moved, cause, cx);
                self.wake_unit(cx);
            }
            State::Ad { .. }
            | State::Overlay {
                is_visible: false, ..
            } => {
                self.wake_unit(cx);
            }
            State::Overlay {
                ad,
                is_visible: true,
            } => {
                ad.reach_quartiles(cx);
                if ad.is_over(cx.now()) {
                    self.overlay_shown(cx);
                } else {
                    self.wake_unit(cx);
                }
            }
            State::Loading { .. } | State::EndCard { .. } | State::Over { .. } => {}
        }
    }

    /// The document for `lastVASTXML`. Rules REQ-11, VX-2, VX-3.
    #[must_use]
    pub fn last_document(&self) -> Option<&Arc<str>> {
        self.course.last_document()
    }

    /// Whether [`AdBreak::last_document`] has changed since the last call. If several breaks are
    /// open, the last one that received a document counts. Rule REQ-11.
    pub fn take_news(&mut self) -> bool {
        self.course.take_news()
    }

    /// The state, for the modules that play ads.
    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// Both halves, for the modules that show overlays.
    pub(super) fn parts(&mut self) -> (&mut Course, &mut State) {
        (&mut self.course, &mut self.state)
    }
}
