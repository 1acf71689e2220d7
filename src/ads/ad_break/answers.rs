//! What a break waits for from outside: documents, films, and pages of units.
//!
//! Rules: REQ-3, REQ-9, REQ-10, SIMID-2, SIMID-15.

use super::*;

impl AdBreak {
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
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Ad { .. }
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
        match &mut self.state {
            State::LoadingMedia { pending, ad, limit } if pending.id == id => {
                self.state = self.course.loaded(now, ad.clone(), *limit, result, services, out);
            }
            State::LoadingMedia { ad, .. } if ad.awaits_page(id) => ad.page_came(result),
            State::LoadingPage { ad, info, .. } if ad.awaits_page(id) => {
                ad.page_came(result);
                self.state = self.course.ready(now, ad.clone(), Arc::clone(info), services, out);
            }
            State::LoadingOverlay { pending, laid, .. } if pending.id == id => {
                self.state = self.course.overlay_loaded(now, laid.clone(), result, services, out);
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

    /// What is made of the answer to a request; `None` if it is none of this break's.
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

    /// The requests whose answers are not waited for any more, each given once: for when the break is over.
    pub fn take_abandoned(&mut self) -> Vec<(RequestId, Abandoned)> {
        self.course.take_abandoned()
    }

    /// Nobody waits for the page of a unit any more.
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
