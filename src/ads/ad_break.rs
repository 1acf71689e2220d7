//! One ad break from its opening to its end.
//!
//! ```text
//!              fetched              loaded           start            pause
//!   Fetching ──────────► LoadingMedia ─────► Ready ────────► Playing ───────► Paused
//!    ▲  ▲ ▲  ◄──────────     │                                │   ▲            │ │
//!    │  │ │    402, 401      │                                │   └────────────┘ │
//!    │  │ └──────────────────┘      wake, skip: the next ad   │      resume      │
//!    │  └─────────────────────────────────────────────────────┴──────────────────┘
//!    │ fetched, wake: the next wrapper, ad, tag or pod                    skip
//!    └──► Over, when there is none
//! ```
//!
//! This file takes what happens to a break and finds the state that is meant; what comes next is
//! decided in `resolve`. It does not know content, nor the events that a player adds around ads.
//!
//! Rules: BRK-1 to BRK-23, REQ-7, REQ-9, REQ-10, STOP-3.

use std::sync::Arc;

use super::beside::Beside;
use super::course::Course;
use super::error::{AdErrorCode, Failure};
use super::limits::{Deadline, Whose};
use super::linear::{LinearAd, Moved, Prepared};
use super::over_content::tell_visible;
use super::overlay::OverlayAd;
use super::resolve::expired;
use super::tracking::Teller;
use super::vmap::{BreakSchedule, Room};
use super::{Abandoned, AdServices, BreakFacts, BreakKind, BreakOutcome, BreakPlan, Expected, Phase};
use crate::api::{Cause, Class, Event, EventName, Fetched, Fields, Kind, Line, Outbox, Output, Purpose};
use crate::api::{RequestId, Text, Wake};
use crate::media::{MediaFault, MediaInfo, Vpaid};
use crate::rule;
use crate::time::{Position, Span, Time};

mod abort;
mod besides;
mod end_card;
mod interaction;
mod on_screen;

pub use besides::Reaction;
pub use interaction::AdNews;

/// One ad break.
#[derive(Debug, Clone)]
pub struct AdBreak {
    course: Course,
    state: State,
}

/// Where a break stands.
#[derive(Debug, Clone)]
pub(super) enum State {
    /// A document was asked for.
    Fetching {
        pending: Pending,
        /// When its time is over. Rules REQ-7, CHN-1, CHN-2.
        limit: Deadline,
    },
    /// The media of an ad was asked for.
    LoadingMedia {
        pending: Pending,
        /// When the media's time is over. Rules REQ-9, CHN-2.
        limit: Deadline,
        ad: Prepared,
    },
    /// An ad is there.
    Ad { ad: Box<LinearAd>, stage: Stage },
    /// The film of an ad is over, and its end card shows. Rule ADX-17.
    EndCard {
        ad: Box<LinearAd>,
        /// When it goes by itself.
        until: Time,
    },
    /// An overlay is there; its time counts while content plays.
    Overlay { ad: Box<OverlayAd>, is_visible: bool },
    /// Nothing comes any more.
    Over {
        outcome: BreakOutcome,
        /// The `adEnd`, or the last line of a break that was aborted.
        end: Cause,
    },
}

/// How far an ad is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Ready,
    Playing,
    Paused,
}

/// A request whose answer is waited for.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    pub(super) id: RequestId,
    pub(super) url: Arc<str>,
    pub(super) purpose: Purpose,
    pub(super) hop: Option<u32>,
    /// The request's line: the cause of its time-out.
    pub(super) cause: Cause,
}

impl AdBreak {
    /// Opens a break: its first line, and the request of the first tag. Rules BRK-23, REQ-1.
    pub fn open(plan: BreakPlan, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) -> AdBreak {
        let mut course = Course::begin(plan, now, services, out);
        let state = course.ask_tag(now, services, out);
        AdBreak { course, state }
    }

    /// Opens a break and ends it without asking anybody: nothing may be shown. Rule PLAY-17.
    pub fn refuse(
        plan: BreakPlan,
        now: Time,
        why: &'static str,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> AdBreak {
        let mut course = Course::begin(plan, now, services, out);
        while course.waterfalls.tag().is_some() {
            let failure = Failure::new(AdErrorCode::Undefined, why).by(rule!("PLAY-17"));
            course.tag_failed(&failure, now, services, out);
        }
        let state = course.end(now, services, out);
        AdBreak { course, state }
    }

    /// Opens a break with an answer that came too late for the break that asked. Rule REQ-10.
    pub fn open_late(
        plan: BreakPlan,
        now: Time,
        answer: &Fetched,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> AdBreak {
        let mut course = Course::begin(plan, now, services, out);
        let state = course.answered(now, now + services.knobs.ad_timeout, answer, services, out);
        AdBreak { course, state }
    }

    /// What addresses may ask of it. Rule MAC-4.
    #[must_use]
    pub fn macro_facts(&self) -> BreakFacts {
        self.course.macro_facts
    }

    /// Which opportunity it is.
    #[must_use]
    pub fn kind(&self) -> BreakKind {
        self.course.kind()
    }

    /// Whether page code asked for it. Rule PA-4.
    #[must_use]
    pub fn is_commanded(&self) -> bool {
        self.course.is_commanded()
    }

    /// Whether an ad of it has started.
    #[must_use]
    pub fn has_started(&self) -> bool {
        self.course.outcome() == BreakOutcome::Filled
    }

    /// Where it stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match &self.state {
            State::Fetching { .. } | State::LoadingMedia { .. } => Phase::Loading,
            State::Ad { stage: Stage::Ready, .. } => Phase::Ready,
            State::Ad { stage: Stage::Playing, .. } | State::EndCard { .. } => Phase::Playing,
            State::Ad { stage: Stage::Paused, .. } => Phase::Paused,
            State::Overlay { is_visible: false, .. } => Phase::Ready,
            State::Overlay { is_visible: true, .. } => Phase::Playing,
            State::Over { outcome, .. } => Phase::Over(*outcome),
        }
    }

    /// A document was answered, or could not be had. An answer that is not waited for changes nothing.
    pub fn fetched(
        &mut self,
        now: Time,
        id: RequestId,
        fetched: &Fetched,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        match &self.state {
            State::Fetching { pending, limit } if pending.id == id => {
                self.state = self.course.answered(now, limit.tag, fetched, services, out);
            }
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::Ad { .. }
            | State::EndCard { .. }
            | State::Overlay { .. }
            | State::Over { .. } => {}
        }
    }

    /// Media is there, or could not be had. An answer that is not waited for changes nothing.
    pub fn loaded(
        &mut self,
        now: Time,
        id: RequestId,
        result: Result<Arc<MediaInfo>, MediaFault>,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        match &self.state {
            State::LoadingMedia { pending, ad, .. } if pending.id == id => {
                self.state = self.course.loaded(now, ad.clone(), result, services, out);
            }
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::Ad { .. }
            | State::EndCard { .. }
            | State::Overlay { .. }
            | State::Over { .. } => {}
        }
    }

    /// When it wants to be woken, and in which class; `None` if nothing comes by itself.
    #[must_use]
    pub fn next_wake(&self) -> Option<Wake> {
        match &self.state {
            State::Fetching { limit, .. } | State::LoadingMedia { limit, .. } => {
                Some(Wake { at: limit.at, class: Class::Timer })
            }
            State::Ad { ad, stage: Stage::Playing } => ad.next_wake(),
            // It is too old behind that instant, not on it.
            State::Ad { ad, stage: Stage::Ready } => {
                let past = |expires| expires + Span::from_micros(1);
                ad.expires().map(|expires| Wake { at: past(expires), class: Class::Timer })
            }
            State::EndCard { until, .. } => Some(Wake { at: *until, class: Class::Timer }),
            State::Overlay { ad, is_visible: true } => ad.next_wake(),
            State::Ad { stage: Stage::Paused, .. }
            | State::Overlay { is_visible: false, .. }
            | State::Over { .. } => None,
        }
    }

    /// The line that makes due what comes next. Rule EVT-23.
    #[must_use]
    pub fn due_because(&self) -> Cause {
        match &self.state {
            State::Fetching { pending, .. } | State::LoadingMedia { pending, .. } => pending.cause,
            State::Ad { ad, .. } | State::EndCard { ad, .. } => ad.cause(),
            State::Overlay { ad, .. } => ad.cause(),
            State::Over { end, .. } => *end,
        }
    }

    /// Does what is due at this instant in this class; nothing if nothing is. Rules CLK-2, CLK-3.
    pub fn wake(&mut self, now: Time, class: Class, services: &mut AdServices<'_>, out: &mut Outbox) {
        match (class, &mut self.state) {
            (Class::Timer, State::Fetching { pending, limit }) if limit.at <= now => {
                let (pending, limit) = (pending.clone(), *limit);
                let cause = self.course.time_out(&pending, limit.whose, out);
                out.blame(cause);
                let course = &mut self.course;
                self.state = match limit.whose {
                    Whose::Break => course.break_timed_out(now, AdErrorCode::Timeout, services, out),
                    Whose::Hop => course.hop_timed_out(now, limit.tag, services, out),
                    Whose::Tag | Whose::Media => course.tag_timed_out(now, services, out),
                };
            }
            (Class::Timer, State::LoadingMedia { pending, limit, ad }) if limit.at <= now => {
                let (pending, whose, ad) = (pending.clone(), limit.whose, ad.clone());
                let cause = self.course.time_out(&pending, whose, out);
                out.blame(cause);
                let why = format!("the media file {} took too long", pending.url);
                let failure = Failure::new(AdErrorCode::MediaTimeout, why);
                let course = &mut self.course;
                self.state = match whose {
                    Whose::Break => course.break_timed_out(now, AdErrorCode::MediaTimeout, services, out),
                    Whose::Tag | Whose::Hop | Whose::Media => {
                        course.media_failed(now, &ad, &failure, services, out)
                    }
                };
            }
            (Class::Timer, State::Ad { ad, stage: Stage::Ready }) => {
                let late = ad.expires().filter(|expires| *expires < now);
                if let (Some(expires), Some(hop)) = (late, ad.hops().last()) {
                    let failure = expired(hop, now, expires);
                    out.blame(ad.cause());
                    let prepared = ad.prepared().clone();
                    self.state = self.course.ready_expired(now, &prepared, &failure, services, out);
                }
            }
            (Class::Timer, State::Ad { ad, stage: Stage::Playing }) => {
                let (moved, cause) = (ad.wake_timer(now), ad.cause());
                self.moved(now, moved, cause, services, out);
            }
            (Class::Media, State::Ad { ad, stage: Stage::Playing }) => {
                let mut teller = Teller { now, kind: self.course.kind(), macros: services.macros, out };
                let (moved, cause) =
                    (ad.wake_media(services.knobs.ad_stall_timeout, &mut teller), ad.cause());
                self.moved(now, moved, cause, services, out);
            }
            (Class::Timer, State::EndCard { until, .. }) if *until <= now => {
                self.end_card_over(now, None, services, out);
            }
            (Class::Timer, State::Overlay { ad, is_visible: true }) => {
                let mut teller = Teller { now, kind: self.course.kind(), macros: services.macros, out };
                ad.with_beside(ad.cause(), &mut teller, Beside::wake);
            }
            (Class::Media, State::Overlay { ad, is_visible: true }) if ad.is_over(now) => {
                self.overlay_shown(now, services, out);
            }
            (
                Class::Net | Class::Media | Class::Timer | Class::Action,
                State::Fetching { .. }
                | State::LoadingMedia { .. }
                | State::Ad { .. }
                | State::EndCard { .. }
                | State::Overlay { .. }
                | State::Over { .. },
            ) => {}
        }
    }

    /// What is made of the answer to a request; `None` if it is none of this break's.
    #[must_use]
    pub fn awaits(&self, id: RequestId) -> Option<Expected> {
        match &self.state {
            State::Fetching { pending, .. } | State::LoadingMedia { pending, .. } if pending.id == id => {
                Some(Expected::Awaited)
            }
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::Ad { .. }
            | State::EndCard { .. }
            | State::Overlay { .. }
            | State::Over { .. } => self.course.abandoned(id).map(Expected::GivenUp),
        }
    }

    /// The requests whose answers are not waited for any more, each given once: for when the break is over.
    pub fn take_abandoned(&mut self) -> Vec<(RequestId, Abandoned)> {
        self.course.take_abandoned()
    }

    /// The text for `lastVASTXML`. Rules REQ-11, VX-2, VX-3.
    #[must_use]
    pub fn last_document(&self) -> Option<&Arc<str>> {
        self.course.last_document()
    }

    /// Whether [`AdBreak::last_document`] has changed since this was asked: of several breaks that are open
    /// the one that received something last counts. Rule REQ-11.
    pub fn take_news(&mut self) -> bool {
        self.course.take_news()
    }

    /// The breaks that an answer has brought, once: they belong to the item. Rule VMAP-1.
    pub fn take_schedule(&mut self) -> Option<BreakSchedule> {
        self.course.schedule.take()
    }

    /// Whether it is one of the loop of the first pre-roll slot. Rule SCHED-3.
    #[must_use]
    pub fn is_loop(&self) -> bool {
        self.course.is_loop
    }

    /// What a VMAP break may turn into from now on; no effect on others. Rule VMAP-7.
    pub fn set_room(&mut self, room: Room) {
        if let Some(vmap) = &mut self.course.vmap {
            vmap.set_room(room);
        }
    }

    /// Whether it is a break of a VMAP document. Rule VMAP-3.
    #[must_use]
    pub fn is_of_vmap(&self) -> bool {
        self.course.vmap.is_some()
    }

    /// Its two halves, for what is told of overlays.
    pub(super) fn parts(&mut self) -> (&mut Course, &mut State) {
        (&mut self.course, &mut self.state)
    }
}
