//! Delivers the responses that a break waits for: documents, media, and the pages of units.
//!
//! Rules: REQ-3, REQ-9, REQ-10, SIMID-2, SIMID-15.

use std::sync::Arc;

use super::AdBreak;
use super::outcome::{Abandoned, Expected};
use super::state::{Loading, State};
use crate::report::context::Context;
use playsim_api::media::{MediaFault, MediaInfo};
use playsim_api::{Fetched, RequestId};

impl AdBreak {
    /// A document request got a response or failed. Ignored unless the break is waiting for this
    /// request.
    pub fn fetched(&mut self, id: RequestId, fetched: &Fetched, cx: &mut Context<'_>) {
        let cx = &mut self.enter(cx);
        if let State::Loading {
            limit,
            what: Loading::Document(pending),
        } = &self.state
            && pending.id == id
        {
            let tag = limit.tag;
            let again = self.course.retry_unfetched(pending, tag, fetched, cx);
            self.state = again.unwrap_or_else(|| self.course.answered(tag, fetched, cx));
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
        let State::Loading { limit, what } = &mut self.state else {
            return;
        };
        match what {
            Loading::Media(pending, ad) if pending.id == id => {
                self.state = self.course.loaded(ad.clone(), *limit, result, cx);
            }
            Loading::Media(_, ad) | Loading::Data(ad, ..) if ad.awaits_page(id) => {
                ad.page_came(result)
            }
            Loading::Page(ad, info) if ad.awaits_page(id) => {
                ad.page_came(result);
                self.state = self.course.ready(ad.clone(), Arc::clone(info), cx);
            }
            Loading::Overlay(pending, laid) if pending.id == id => {
                self.state = self.course.overlay_loaded(laid.clone(), result, cx);
            }
            Loading::Document(_)
            | Loading::Again(_)
            | Loading::Media(..)
            | Loading::Data(..)
            | Loading::Page(..)
            | Loading::Overlay(..) => {}
        }
    }

    /// Whether the break waits for the response to a request, or has given it up; `None` if the
    /// request is not one of this break's.
    #[must_use]
    pub fn awaits(&self, id: RequestId) -> Option<Expected> {
        if let State::Loading { what, .. } = &self.state
            && what.awaits(id)
        {
            return Some(Expected::Awaited);
        }
        self.course.abandoned(id).map(Expected::GivenUp)
    }

    /// Takes the requests whose responses are no longer awaited, each returned once. To be called
    /// when the break is over.
    pub fn take_abandoned(&mut self) -> Vec<(RequestId, Abandoned)> {
        self.course.take_abandoned()
    }
}
