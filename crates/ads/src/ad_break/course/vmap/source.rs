//! The ad source of a VMAP break, and the codes for its failures.
//!
//! A document inside the break is used like a response, but without a request; a tag is requested
//! like any other tag. Failures before there is a VAST document have VMAP codes, later ones have
//! VAST codes.
//!
//! Rules: VMAP-8 to VMAP-12, VMAP-15; VMAP 1.0.1 sections 2.3.2, 2.5.

use std::sync::Arc;

use crate::ad_break::course::Course;
use crate::ad_break::state::State;
use crate::error::{AdErrorCode, Failure};
use crate::report::context::Scope;
use crate::request::pod::{Admission, NO_WRAPPERS};
use playsim_api::{AdLine, Fetched, Response};
use playsim_rules as rules;
use playsim_rules::knobs::KnobReader;
use playsim_vast::Root;

impl Course {
    /// Uses the source of a VMAP break if that takes no request, the first time this is called.
    /// `None` if the source is a tag, or there is none, or it has failed or been used already.
    /// Rules VMAP-8 to VMAP-12.
    pub(crate) fn ask_source(&mut self, cx: &mut Scope<'_>) -> Option<State> {
        let of = self.vmap.as_mut().and_then(super::VmapCourse::ask)?;
        match of.document() {
            None => None,
            Some(Ok(document)) => {
                let at = of.ad_source().map(|source| of.place(source.at));
                let data = self.waterfalls.place().fields().with_some("at", at);
                cx.out.line(rules::VMAP_10, AdLine::DocumentInside, data);
                let answer = Response {
                    status: 200,
                    text: Arc::clone(&of.text),
                    name: Arc::clone(&of.name),
                    document: Arc::clone(document),
                };
                let limit = cx.now() + cx.knobs().ad_timeout();
                Some(self.answered(limit, &Fetched::Response(answer), cx))
            }
            Some(Err(failure)) => {
                self.tag_failed(&failure, cx);
                None
            }
        }
    }

    /// The permitted content of the next document, according to the source of the break or to the
    /// wrapper. Rule VMAP-11.
    pub(crate) fn admission(&self, knobs: &KnobReader) -> Admission {
        match &self.vmap {
            Some(vmap) if self.chain.depth() == 0 => Admission::of_source(vmap.of().ad_source()),
            Some(_) | None => self.chain.admission(knobs),
        }
    }

    /// Whether the current document is the first one of a VMAP break.
    pub(crate) fn is_source(&self) -> bool {
        self.vmap.is_some() && self.chain.depth() == 0
    }

    /// Gives an unusable response its code: as long as there is no VAST document, the source of a
    /// VMAP break has codes of its own. Rule VMAP-15.
    pub(crate) fn named(&self, failure: Failure, fetched: &Fetched) -> Failure {
        if !self.is_source() {
            return failure;
        }
        let root = match fetched {
            Fetched::Response(answer) => Some(&answer.document.root),
            Fetched::Failed(_) => None,
        };
        let code = match (failure.code, root) {
            (AdErrorCode::Timeout, _) => AdErrorCode::BreakFetch,
            (AdErrorCode::Xml, _) | (AdErrorCode::Schema, Some(Root::None)) => {
                AdErrorCode::BreakExtract
            }
            (AdErrorCode::Schema, Some(Root::Other(_)))
            | (AdErrorCode::Unexpected | AdErrorCode::BreakSchema | AdErrorCode::BreakXml, _) => {
                AdErrorCode::BreakAnswer
            }
            _ => return failure,
        };
        Failure {
            code,
            rule: rules::VMAP_15,
            ..failure
        }
    }

    /// Gives a timeout its code: the source of a VMAP break has a code of its own. Rule VMAP-15.
    pub(crate) fn named_timeout(&self, failure: Failure) -> Failure {
        if self.is_source() {
            Failure {
                code: AdErrorCode::BreakTimeout,
                rule: rules::VMAP_15,
                ..failure
            }
        } else {
            failure
        }
    }
}

/// Why an ad is ignored, if the source of a VMAP break and not a wrapper decides it. Rule VMAP-11.
pub(crate) fn ignored_by_source(why: &'static str) -> &'static str {
    if why == NO_WRAPPERS {
        "followRedirects is false"
    } else {
        why
    }
}
