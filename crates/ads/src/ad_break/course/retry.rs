//! Requests a document again that could not be fetched.
//!
//! Rule: PRD-25.

use std::sync::Arc;

use super::Course;
use crate::ad_break::state::{Loading, State};
use crate::report::context::Scope;
use crate::request::limits::Deadline;
use crate::request::pending::Pending;
use playsim_api::{AdLine, Fetched, Text};
use playsim_base::time::{Span, Time};
use playsim_rules as rules;
use playsim_rules::knobs::FailedStatus;

impl Course {
    /// As [`Course::retry`], if a request has failed.
    pub(crate) fn retry_unfetched(
        &mut self,
        pending: &Pending,
        tag: Time,
        fetched: &Fetched,
        cx: &mut Scope<'_>,
    ) -> Option<State> {
        if cx.knobs().ad_attempts() == 1 {
            return None;
        }
        let why = match fetched {
            Fetched::Failed(fault) => fault.why(),
            Fetched::Response(answer)
                if !(200..300).contains(&answer.status)
                    && cx.knobs().ad_failed_status() == FailedStatus::Refused =>
            {
                format!("the status is {}", answer.status)
            }
            Fetched::Response(_) => return None,
        };
        self.retry(pending, tag, why.into(), cx)
    }

    /// A document could not be fetched: requests it again, now or later; `None` if it was requested
    /// often enough. `tag` is when the tag's time is over.
    pub(super) fn retry(
        &mut self,
        pending: &Pending,
        tag: Time,
        why: Text,
        cx: &mut Scope<'_>,
    ) -> Option<State> {
        if self.attempts >= cx.knobs().ad_attempts() {
            return None;
        }
        self.attempts += 1;
        let place = self.waterfalls.place();
        let data = place.fields().with("url", Text::from(&pending.url));
        let data = data.with("attempt", self.attempts).with("why", why);
        let cause = cx.out.line(rules::PRD_25, AdLine::Retry, data);
        cx.out.set_cause(cause);
        let wait = cx.knobs().ad_retry_after();
        if wait == Span::ZERO {
            return Some(self.request_again(pending, tag, cx));
        }
        let limit = Deadline::of_document(tag, Some(cx.now() + wait), self.break_until);
        Some(State::Loading {
            limit,
            what: Loading::Again(Pending {
                cause,
                ..pending.clone()
            }),
        })
    }

    /// Requests a document again.
    pub(super) fn request_again(&self, pending: &Pending, tag: Time, cx: &mut Scope<'_>) -> State {
        let again = self.request(pending.purpose, pending.hop, Arc::clone(&pending.url), cx);
        let limit = self.document_limit(cx.now(), tag, cx.knobs());
        State::Loading {
            limit,
            what: Loading::Document(again),
        }
    }
}
