//! Delivers the responses that a break waits for: documents, media, and the pages of units.
//!
//! Rules: REQ-3, REQ-9, REQ-10, SIMID-2, SIMID-15.

use crate::ads::report::context::Context;
use std::sync::Arc;

use super::AdBreak;
use super::outcome::{Abandoned, Expected};
use super::state::State;
use crate::api::{Fetched, RequestId};
use crate::media::{MediaFault, MediaInfo};

impl AdBreak {
    /// A document request got a response or failed. Ignored unless the break is waiting for this request.
    pub fn fetched(&mut self, id: RequestId, fetched: &Fetched, cx: &mut Context<'_>) {
        let cx = &mut self.enter(cx);
        match &self.state {
            State::Fetching { pending, limit } if pending.id == id => {
                self.state = self.course.answered(limit.tag, fetched, cx);
            }
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Ad { .. }
            | State::Overlay { .. }
            | State::Over { .. } => {}
        }
    }

    /// A media request succeeded or failed. Ignored unless the break is waiting for this request.
    pub fn loaded(
        &mut self,
        id: RequestId,
        result: Result<Arc<MediaInfo>, MediaFault>,
        cx: &mut Context<'_>,
    ) {
        let cx = &mut self.enter(cx);
        match &mut self.state {
            State::LoadingMedia { pending, ad, limit } if pending.id == id => {
                self.state = self.course.loaded(ad.clone(), *limit, result, cx);
            }
            State::LoadingMedia { ad, .. } if ad.awaits_page(id) => ad.page_came(result),
            State::LoadingPage { ad, info, .. } if ad.awaits_page(id) => {
                ad.page_came(result);
                self.state = self.course.ready(ad.clone(), Arc::clone(info), cx);
            }
            State::LoadingOverlay { pending, laid, .. } if pending.id == id => {
                self.state = self.course.overlay_loaded(laid.clone(), result, cx);
            }
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Ad { .. }
            | State::Overlay { .. }
            | State::Over { .. } => {}
        }
    }

    /// Whether the break waits for the response to a request, or has given it up; `None` if the request is
    /// not one of this break's.
    #[must_use]
    pub fn awaits(&self, id: RequestId) -> Option<Expected> {
        match &self.state {
            State::Fetching { pending, .. }
            | State::LoadingMedia { pending, .. }
            | State::LoadingOverlay { pending, .. }
                if pending.id == id =>
            {
                Some(Expected::Awaited)
            }
            State::LoadingMedia { ad, .. } | State::LoadingPage { ad, .. } if ad.awaits_page(id) => {
                Some(Expected::Awaited)
            }
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Ad { .. }
            | State::Overlay { .. }
            | State::Over { .. } => self.course.abandoned(id).map(Expected::GivenUp),
        }
    }

    /// Takes the requests whose responses are no longer awaited, each returned once. To be called when the
    /// break is over.
    pub fn take_abandoned(&mut self) -> Vec<(RequestId, Abandoned)> {
        self.course.take_abandoned()
    }

    /// Stops waiting for the page of a unit.
    pub(super) fn give_up_page(&mut self) {
        match &self.state {
            State::LoadingMedia { ad, .. } | State::LoadingPage { ad, .. } => {
                self.course.give_up_page(ad, Abandoned::Dropped);
            }
            State::Fetching { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Ad { .. }
            | State::Overlay { .. }
            | State::Over { .. } => {}
        }
    }
}
