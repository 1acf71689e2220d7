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
//! This file maps each input to the state that it applies to. The next step is decided in `resolve`. It
//! knows nothing about content or about the events that a player adds around ads.
//!
//! Rules: BRK-1 to BRK-23, REQ-7, REQ-9, REQ-10, STOP-3.

use std::sync::Arc;

use super::error::{AdErrorCode, Failure};
use super::plan::BreakPlan;
use super::report::macros::BreakFacts;
use super::report::services::AdServices;
use super::report::tracking::BeaconSender;
use super::request::limits::LimitKind;
use crate::api::{BreakKind, BreakNumber, Cause, Class, Fetched, Outbox, Wake};
use crate::media::MediaFault;
use crate::rules;
use crate::time::{Span, Time};
use course::Course;
use course::resolve::expired;
use outcome::{Abandoned, Phase};

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
use state::{Stage, State};

/// One ad break.
#[derive(Debug, Clone)]
pub struct AdBreak {
    course: Course,
    state: State,
}

impl AdBreak {
    /// Opens a break: its first line, and the request of the first tag. Rules BRK-23, REQ-1.
    pub fn open(plan: BreakPlan, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) -> AdBreak {
        let mut course = Course::begin(plan, now, services, out);
        let out = &mut *out.within(course.number());
        let state = course.ask_tag(now, services, out);
        AdBreak { course, state }
    }

    /// Opens a break and ends it without any request, because no ad may be shown. Rule PLAY-17.
    pub fn refuse(
        plan: BreakPlan,
        now: Time,
        why: &'static str,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> AdBreak {
        let mut course = Course::begin(plan, now, services, out);
        let out = &mut *out.within(course.number());
        while course.waterfalls.tag().is_some() {
            let failure = Failure::new(AdErrorCode::Undefined, why).by(rules::PLAY_17);
            course.tag_failed(&failure, now, services, out);
        }
        let state = course.end(now, services, out);
        AdBreak { course, state }
    }

    /// Opens a break with a response that came too late for the break that requested it. Rule REQ-10.
    pub fn open_late(
        plan: BreakPlan,
        now: Time,
        answer: &Fetched,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> AdBreak {
        let mut course = Course::begin(plan, now, services, out);
        let out = &mut *out.within(course.number());
        let state = course.answered(now, now + services.knobs.ad_timeout, answer, services, out);
        AdBreak { course, state }
    }

    /// The facts about this break for macros. Rule MAC-4.
    #[must_use]
    pub fn macro_facts(&self) -> BreakFacts {
        self.course.macro_facts
    }

    /// Which break of its player it is.
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

    /// The number of ads of the break that have started.
    #[must_use]
    pub fn ads_started(&self) -> u32 {
        self.course.ads_started()
    }

    /// The phase of the break.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match &self.state {
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::Ad { stage: Stage::Preparing | Stage::Starting | Stage::Leaving, .. } => Phase::Loading,
            State::Ad { stage: Stage::Ready, .. } => Phase::Ready,
            State::Ad { stage: Stage::Playing, .. } | State::EndCard { .. } => Phase::Playing,
            State::Ad { stage: Stage::Paused, .. } => Phase::Paused,
            State::Overlay { ad, is_visible: false } if ad.is_preparing() => Phase::Loading,
            State::Overlay { is_visible: false, .. } => Phase::Ready,
            State::Overlay { is_visible: true, .. } => Phase::Playing,
            State::Over { outcome, .. } => Phase::Over(*outcome),
        }
    }

    /// When the break has to be woken, and in which class; `None` if nothing is due on its own.
    #[must_use]
    pub fn next_wake(&self) -> Option<Wake> {
        match &self.state {
            State::Fetching { limit, .. }
            | State::LoadingMedia { limit, .. }
            | State::LoadingPage { limit, .. }
            | State::LoadingOverlay { limit, .. } => Some(Wake { at: limit.at, class: Class::Timer }),
            State::Ad { ad, stage } => {
                // An ad that expires at an instant is still valid at that instant.
                let past = |expires| Wake { at: expires + Span::from_micros(1), class: Class::Timer };
                let expires = ad.expires().filter(|_| *stage == Stage::Ready).map(past);
                [ad.next_wake(*stage == Stage::Playing), expires].into_iter().flatten().min()
            }
            State::EndCard { until, .. } => Some(Wake { at: *until, class: Class::Timer }),
            State::Overlay { ad, is_visible } => ad.next_wake(*is_visible),
            State::Over { .. } => None,
        }
    }

    /// The line that causes whatever is due next. Rule EVT-23.
    #[must_use]
    pub fn due_because(&self) -> Cause {
        match &self.state {
            State::Fetching { pending, .. }
            | State::LoadingMedia { pending, .. }
            | State::LoadingOverlay { pending, .. } => pending.cause,
            State::LoadingPage { ad, .. } => {
                ad.awaited_page().map_or(Cause::Script, |page| page.pending.cause)
            }
            State::Ad { ad, .. } | State::EndCard { ad, .. } => ad.cause(),
            State::Overlay { ad, .. } => ad.cause(),
            State::Over { end, .. } => *end,
        }
    }

    /// Does what is due at this instant in this class, if anything. Rules CLK-2, CLK-3.
    pub fn wake(&mut self, now: Time, class: Class, services: &mut AdServices<'_>, out: &mut Outbox) {
        let out = &mut *out.within(self.number());
        match class {
            Class::Timer => self.wake_timer(now, services, out),
            Class::Media => self.wake_media(now, services, out),
            Class::Net | Class::Action => {}
        }
    }

    /// A time limit has passed, or a timed part of the ad is due.
    fn wake_timer(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) {
        match &mut self.state {
            State::Fetching { pending, limit } if limit.at <= now => {
                let (pending, limit) = (pending.clone(), *limit);
                let cause = self.course.time_out(&pending, limit.kind, out);
                out.set_cause(cause);
                let course = &mut self.course;
                self.state = match limit.kind {
                    LimitKind::Break => course.break_timed_out(now, AdErrorCode::Timeout, services, out),
                    LimitKind::Hop => course.hop_timed_out(now, limit.tag, services, out),
                    LimitKind::Tag | LimitKind::Media => course.tag_timed_out(now, services, out),
                };
            }
            State::LoadingMedia { pending, limit, ad } if limit.at <= now => {
                let (pending, limit_kind, ad) = (pending.clone(), limit.kind, ad.clone());
                self.course.give_up_page(&ad, Abandoned::Late);
                let cause = self.course.time_out(&pending, limit_kind, out);
                out.set_cause(cause);
                let why = format!("the media file {} took too long", pending.url);
                let failure = Failure::new(AdErrorCode::MediaTimeout, why);
                let course = &mut self.course;
                self.state = match limit_kind {
                    LimitKind::Break => course.break_timed_out(now, AdErrorCode::MediaTimeout, services, out),
                    LimitKind::Tag | LimitKind::Hop | LimitKind::Media => {
                        course.media_failed(now, &ad, &failure, services, out)
                    }
                };
            }
            State::Ad { ad, stage: Stage::Ready } if ad.expires().is_some_and(|expires| expires < now) => {
                let late = ad.expires().filter(|expires| *expires < now);
                if let (Some(expires), Some(hop)) = (late, ad.hops().last()) {
                    let failure = expired(hop, now, expires);
                    out.set_cause(ad.cause());
                    let prepared = ad.prepared().clone();
                    self.state = self.course.start_failed(now, &prepared, &failure, services, out);
                }
            }
            State::LoadingPage { ad, info, limit } if limit.at <= now => {
                let (ad, info) = (ad.clone(), Arc::clone(info));
                if let Some(page) = ad.awaited_page() {
                    let cause = self.course.time_out(&page.pending, limit.kind, out);
                    out.set_cause(cause);
                }
                self.state = self.course.ready(now, ad, info, services, out);
            }
            State::LoadingOverlay { pending, laid, limit } if limit.at <= now => {
                let (pending, laid, limit_kind) = (pending.clone(), laid.clone(), limit.kind);
                let cause = self.course.time_out(&pending, limit_kind, out);
                out.set_cause(cause);
                let result = Err(MediaFault::Network);
                self.state = self.course.overlay_loaded(now, laid, result, services, out);
            }
            State::Ad { ad, stage: Stage::Playing } => {
                let moved = ad.wake_timer(now);
                let (moved, cause) = (ad.notify_simid(moved, out), ad.cause());
                self.moved(now, moved, cause, services, out);
                self.give_up_unit(now, services, out);
            }
            State::EndCard { until, .. } if *until <= now => self.end_card_over(now, None, services, out),
            State::Ad { .. } | State::Overlay { .. } => {
                self.wake_attachments(now, services, out);
                self.give_up_unit(now, services, out);
            }
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Over { .. } => {}
        }
    }

    /// The playing ad has reached a position at which something is due.
    fn wake_media(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) {
        match &mut self.state {
            State::Ad { ad, stage: Stage::Playing } => {
                let mut beacons =
                    BeaconSender { now, kind: self.course.kind(), macros: services.macros, out };
                let moved = ad.wake_media(services.knobs.ad_stall_timeout, &mut beacons);
                let (moved, cause) = (ad.notify_simid(moved, out), ad.cause());
                self.moved(now, moved, cause, services, out);
                self.wake_unit(now, services, out);
            }
            State::Ad { .. } | State::Overlay { is_visible: false, .. } => {
                self.wake_unit(now, services, out);
            }
            State::Overlay { ad, is_visible: true } => {
                let mut beacons =
                    BeaconSender { now, kind: self.course.kind(), macros: services.macros, out };
                ad.reach_quartiles(&mut beacons);
                if ad.is_over(now) {
                    self.overlay_shown(now, services, out);
                } else {
                    self.wake_unit(now, services, out);
                }
            }
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Over { .. } => {}
        }
    }

    /// The document for `lastVASTXML`. Rules REQ-11, VX-2, VX-3.
    #[must_use]
    pub fn last_document(&self) -> Option<&Arc<str>> {
        self.course.last_document()
    }

    /// Whether [`AdBreak::last_document`] has changed since the last call. If several breaks are open, the
    /// last one that received a document counts. Rule REQ-11.
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
