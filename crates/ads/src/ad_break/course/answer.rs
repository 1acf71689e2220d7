//! Turns the response to a document request into a usable document or a failure with its code.
//!
//! Rules: REQ-3, REQ-6, REQ-7, REQ-11, REQ-17, CHN-1, CHN-2, CHN-5, CHN-8, CHN-9, CHN-11, PRD-6,
//! PRD-10, PRD-11, PRD-9, PRD-40, CHN-7, VMAP-1, VX-2, VX-3.

use super::resolve::Budget;
use super::vmap::source::ignored_by_source;
use super::{Course, Onward, warn};
use crate::ad_break::outcome::Abandoned;
use crate::ad_break::state::{Loading, State};
use crate::error::{AdErrorCode, Audience, Failure};
use crate::plan::Takes;
use crate::report::context::Scope;
use crate::request::hop::Hop;
use crate::request::limits::{Deadline, LimitKind};
use crate::request::select::{MISNAMED, is_unknown};
use playsim_api::media::MediaFault;
use playsim_api::{AdLine, Because, Fetched, Fields, Response, Text};
use playsim_base::time::Time;
use playsim_rules::knobs::{
    BrokenAd, BrokenFirst, ErrorCodes, FailedStatus, KnobReader, PodRefused, Reading,
    WrapperBroken, WrapperFetch,
};
use playsim_rules::{self as rules, RuleId};
use playsim_vast::{AdKind, Document, Root, WarningCode, strict};

impl Course {
    /// A document request got a response or failed. `tag`: when the tag's time limit ends. Rules
    /// REQ-3, REQ-11.
    pub(crate) fn answered(&mut self, tag: Time, fetched: &Fetched, cx: &mut Scope<'_>) -> State {
        if let Some(answer) = self.schedule_in(fetched) {
            return self.scheduled(answer, cx);
        }
        let budget = Budget::Until(tag);
        let (failure, empty) = match fetched {
            Fetched::Failed(fault) => {
                self.set_last_document(self.chain.text().cloned());
                (self.unavailable(fault.why(), cx.knobs()), None)
            }
            Fetched::Response(answer) => {
                let body = Some(&answer.text).filter(|text| !text.is_empty());
                self.set_last_document(body.or(self.chain.text()).cloned());
                match self.read(answer, cx.knobs(), cx) {
                    Ok(()) => {
                        return match self.among.takes {
                            Takes::Schedule(why) => self.pass_over(why, cx),
                            Takes::Ads | Takes::AdsOrSchedule => self.go_on(budget, cx),
                        };
                    }
                    Err(Unread { failure, empty }) => (failure, empty),
                }
            }
        };
        self.reject(&self.named(failure, fetched), empty, cx);
        self.go_on(budget, cx)
    }

    /// The tag of a break that is passed over has returned ads: they are not shown. Rule PRD-9.
    fn pass_over(&mut self, why: &'static str, cx: &mut Scope<'_>) -> State {
        cx.out
            .line(rules::PRD_9, AdLine::PassPreRoll, Fields::one("why", why));
        self.leave_tag(Onward::End, cx);
        self.ask_tag(cx)
    }

    /// The request or media that the break waits for takes too long. Rules REQ-7, REQ-9, CHN-1,
    /// CHN-2, SIMID-2, SIMID-15.
    pub(crate) fn timed_out(
        &mut self,
        limit: Deadline,
        what: Loading,
        cx: &mut Scope<'_>,
    ) -> State {
        if let Loading::Media(_, ad) | Loading::Data(ad, ..) = &what {
            self.give_up_page(ad, Abandoned::Late);
        }
        if let Some(pending) = what.pending() {
            let cause = self.time_out(pending, limit.kind, cx);
            cx.out.set_cause(cause);
        }
        match (what, limit.kind) {
            (Loading::Document(_) | Loading::Again(_), LimitKind::Break) => {
                self.break_timed_out(AdErrorCode::Timeout, cx)
            }
            (Loading::Document(pending), LimitKind::Hop) => self
                .retry(&pending, limit.tag, "no response in time".into(), cx)
                .unwrap_or_else(|| self.hop_timed_out(limit.tag, cx)),
            (Loading::Again(pending), LimitKind::Hop) => {
                self.request_again(&pending, limit.tag, cx)
            }
            (Loading::Document(_) | Loading::Again(_), LimitKind::Tag | LimitKind::Media) => {
                self.tag_timed_out(cx)
            }
            (Loading::Media(..) | Loading::Data(..), LimitKind::Break) => {
                self.break_timed_out(AdErrorCode::MediaTimeout, cx)
            }
            (Loading::Media(pending, ad), LimitKind::Tag | LimitKind::Hop | LimitKind::Media) => {
                let why = format!("the media file {} took too long", pending.url);
                self.media_failed(
                    &ad,
                    &Failure::new(AdErrorCode::MediaTimeout, why).unfetched(),
                    cx,
                )
            }
            (Loading::Data(ad, ..), LimitKind::Tag | LimitKind::Hop | LimitKind::Media) => {
                let why = format!(
                    "the first data of the media file {} took too long",
                    ad.media
                );
                self.media_failed(
                    &ad,
                    &Failure::new(AdErrorCode::MediaTimeout, why).unfetched(),
                    cx,
                )
            }
            (Loading::Page(ad, info), _) => self.ready(ad, info, cx),
            (Loading::Overlay(_, laid), _) => {
                self.overlay_loaded(laid, Err(MediaFault::Network), cx)
            }
        }
    }

    /// The current tag has no time left for documents. Rules REQ-7, VX-3.
    pub(super) fn tag_timed_out(&mut self, cx: &mut Scope<'_>) -> State {
        self.document_timed_out("no response in time", rules::REQ_3, cx);
        self.go_on(Budget::Spent, cx)
    }

    /// One document has no time left, but the tag has. Rule CHN-1.
    pub(super) fn hop_timed_out(&mut self, tag: Time, cx: &mut Scope<'_>) -> State {
        let why = "no response within the time limit of one document";
        self.document_timed_out(why, rules::CHN_1, cx);
        self.go_on(Budget::Until(tag), cx)
    }

    fn document_timed_out(&mut self, why: &'static str, rule: RuleId, cx: &mut Scope<'_>) {
        self.set_last_document(self.chain.text().cloned());
        let code = match cx.knobs().ad_wrapper_fetch_code() {
            WrapperFetch::NoAd if self.chain.depth() > 0 => AdErrorCode::NoAd,
            WrapperFetch::Unavailable
            | WrapperFetch::Event303
            | WrapperFetch::NonLinear
            | WrapperFetch::NoAd => AdErrorCode::Timeout,
        };
        let failure = Failure::new(code, why).by(rule);
        let failure = match cx.knobs().ad_wrapper_fetch_code() {
            _ if self.chain.depth() == 0 => self.of_first_missing(failure, cx.knobs()),
            WrapperFetch::Event303 if self.chain.depth() > 0 => {
                failure.with_page_code(AdErrorCode::NoAd)
            }
            WrapperFetch::Unavailable
            | WrapperFetch::Event303
            | WrapperFetch::NonLinear
            | WrapperFetch::NoAd => failure,
        };
        self.reject(&self.named_timeout(failure), None, cx);
    }

    /// The break has no time left and no ad is ready: the pending request fails, and nothing more
    /// is requested. Rules CHN-2, PRD-33.
    pub(super) fn break_timed_out(&mut self, code: AdErrorCode, cx: &mut Scope<'_>) -> State {
        self.set_last_document(self.chain.text().cloned());
        let failure = Failure::new(code, "the time limit of the break is over").by(self.limit_rule);
        let failure = if code == AdErrorCode::MediaTimeout {
            failure.unfetched()
        } else {
            failure
        };
        self.report(&failure, None, cx);
        self.fail_tag(&failure, Onward::End, cx);
        self.ask_tag(cx)
    }

    /// The failure of a URL that cannot be fetched. Rules REQ-3, CHN-5.
    fn unavailable(&self, why: String, knobs: &KnobReader) -> Failure {
        if self.chain.depth() == 0 {
            if knobs.ad_wrapper_fetch_code() == WrapperFetch::NonLinear && !self.is_source() {
                return Failure::new(AdErrorCode::NonLinearFetch, why).by(rules::CHN_5);
            }
            let failure = self.of_first_missing(Failure::new(AdErrorCode::Timeout, why), knobs);
            return match knobs.ad_error_codes() {
                ErrorCodes::Sdk if failure.code == AdErrorCode::Timeout => {
                    failure.with_page_code(AdErrorCode::SdkNetwork)
                }
                ErrorCodes::Sdk | ErrorCodes::Vast => failure,
            };
        }
        let failure = |code| Failure::new(code, why).by(rules::CHN_5);
        match knobs.ad_wrapper_fetch_code() {
            WrapperFetch::Unavailable => failure(AdErrorCode::Timeout),
            WrapperFetch::Event303 => {
                failure(AdErrorCode::Timeout).with_page_code(AdErrorCode::NoAd)
            }
            WrapperFetch::NoAd => failure(AdErrorCode::NoAd),
            WrapperFetch::NonLinear => failure(AdErrorCode::NonLinearFetch),
        }
    }

    /// Judges a response and puts its document on the chain. Rules REQ-3, REQ-6.
    fn read<'a>(
        &mut self,
        answer: &'a Response,
        knobs: &KnobReader,
        cx: &mut Scope<'_>,
    ) -> Result<(), Unread<'a>> {
        let is_failed = !(200..300).contains(&answer.status);
        if is_failed && knobs.ad_failed_status() == FailedStatus::Refused {
            return Err(self
                .unavailable(format!("the status is {}", answer.status), knobs)
                .into());
        }
        let is_empty = is_empty(answer);
        // Only a success without a body means that there is no ad; a failed response that is read
        // must be XML.
        if is_failed && is_empty {
            let why = format!("the status is {} and the body is empty", answer.status);
            let failure = Failure::new(AdErrorCode::Xml, why).by(rules::PRD_11);
            return Err(self
                .of_failed_status(self.of_broken(failure, knobs), knobs)
                .into());
        }
        if is_empty {
            let failure = self.caught(self.no_ad(answer, NoAd::NoBody, knobs), knobs);
            return Err(Unread {
                failure,
                empty: None,
            });
        }
        let document = &answer.document;
        for warning in &document.warnings {
            let at = warning.at.in_file(&answer.name);
            let is_url = warning.code == WarningCode::AddressInvalid;
            let rule = if is_url { rules::CHN_11 } else { rules::REQ_17 };
            warn(
                rule,
                warning.code.word(),
                Text::from(&warning.text),
                Some(at.into()),
                cx,
            );
        }
        if let Some(failure) = unusable(answer, knobs) {
            if is_failed {
                let failure = self.of_broken(failure.by(rules::PRD_11), knobs);
                return Err(self.of_failed_status(failure, knobs).into());
            }
            return Err(self.of_broken(failure, knobs).into());
        }
        if let (BrokenAd::Thrown, Some(failure)) = (knobs.ad_broken(), thrown(answer, knobs)) {
            return Err(self.caught(failure, knobs).into());
        }
        self.settle_form(document, knobs, cx);
        let is_source = self.is_source();
        let admission = self.admission(knobs).within(document);
        let before: Vec<Hop> = self.chain.hops().collect();
        let (pushed, ignored) =
            self.chain
                .push(cx.now(), answer, admission, cx.knobs().ad_pod_plays());
        for ignored in &ignored {
            let (rule, why) = match ignored.why {
                why if is_source => (rules::VMAP_11, ignored_by_source(why)),
                why => (ignored.rule, why),
            };
            let ad = &document.ads[ignored.ad];
            let data = self
                .waterfalls
                .place()
                .fields()
                .with_some("ad", ad.id.as_ref().map(Text::from))
                .with("why", why)
                .with("at", ad.at.in_file(&answer.name));
            let line = cx.out.line(rule, AdLine::Ignore, data);
            if admission.many == Some(PodRefused::Schema) && rule == rules::CHN_7 {
                let because = Because { rule, cause: line };
                cx.root_errors(because, AdErrorCode::Schema, &before, document);
            }
        }
        if pushed {
            return Ok(());
        }
        let why = if document.ads.is_empty() {
            NoAd::NoneInDocument
        } else {
            NoAd::NoneUsable
        };
        // Only an empty response calls the `Error` URLs of its root, which are not for other
        // errors. VAST 4.3 section 3.2.1
        Err(Unread {
            failure: self.no_ad(answer, why, knobs),
            empty: Some(document),
        })
    }

    /// The failure of a body that was read although the status is not a success. Rule PRD-11.
    fn of_failed_status(&self, failure: Failure, knobs: &KnobReader) -> Failure {
        match knobs.ad_failed_status() {
            FailedStatus::ReadEvent502 if !self.is_source() => {
                failure.with_page_code(AdErrorCode::NonLinearFetch)
            }
            FailedStatus::Refused | FailedStatus::Read | FailedStatus::ReadEvent502 => failure,
        }
    }

    /// The failure of a response without an ad. Rule REQ-6.
    fn no_ad(&self, answer: &Response, why: NoAd, knobs: &KnobReader) -> Failure {
        let is_first = self.chain.depth() == 0;
        let failure = Failure::at(AdErrorCode::NoAd, why.in_words(), Text::from(&answer.name));
        // A product whose reader throws on anything that is not a document throws here too. CHN-9
        if is_first && why == NoAd::NoBody && knobs.ad_first_broken() == BrokenFirst::Undefined {
            return self.of_first_missing(failure, knobs);
        }
        let failure = match knobs.ad_error_codes() {
            ErrorCodes::Sdk if is_first => failure.with_page_code(AdErrorCode::SdkEmpty),
            ErrorCodes::Sdk | ErrorCodes::Vast => failure,
        };
        let is_silent = is_first && !knobs.ad_empty_is_error().is_on();
        if is_silent {
            failure.with_audience(Audience::Addresses)
        } else {
            failure
        }
    }

    /// The failure if a tag's own document cannot be fetched: a product whose reader throws has no
    /// specific code for it. The source of a VMAP break has codes of its own. Rules CHN-9, VMAP-15.
    fn of_first_missing(&self, failure: Failure, knobs: &KnobReader) -> Failure {
        match knobs.ad_first_broken() {
            BrokenFirst::Undefined | BrokenFirst::NoAd if !self.is_source() => Failure {
                code: AdErrorCode::Undefined,
                ..failure
            }
            .by(rules::CHN_9),
            BrokenFirst::Undefined | BrokenFirst::NoAd | BrokenFirst::Named => failure,
        }
    }

    /// The failure of an unusable document, by its place in the chain: products may report other
    /// codes for the tag's own document and for those after wrappers. Rules CHN-9, PRD-10.
    fn of_broken(&self, failure: Failure, knobs: &KnobReader) -> Failure {
        if self.chain.depth() > 0 {
            let names_a_version = failure.code == AdErrorCode::Version;
            return if names_a_version {
                failure
            } else {
                self.caught(failure, knobs)
            };
        }
        let is_unknown = failure.code == AdErrorCode::Schema;
        // A failure that already has a rule of its own keeps it.
        let is_plain =
            failure.rule == rules::REQ_3 || knobs.ad_first_broken() != BrokenFirst::Named;
        let failure = if is_plain {
            failure.by(rules::CHN_9)
        } else {
            failure
        };
        match (knobs.ad_first_broken(), knobs.ad_error_codes()) {
            (BrokenFirst::Undefined, _) => Failure {
                code: AdErrorCode::Undefined,
                ..failure
            },
            (BrokenFirst::NoAd, _) => Failure {
                code: AdErrorCode::NoAd,
                ..failure
            },
            (BrokenFirst::Named, ErrorCodes::Sdk) if is_unknown => {
                failure.with_page_code(AdErrorCode::SdkUnknown)
            }
            (BrokenFirst::Named, ErrorCodes::Sdk | ErrorCodes::Vast) => failure,
        }
    }

    /// The failure that a product reports if it catches its own reading errors after wrappers. Rule
    /// PRD-10.
    fn caught(&self, failure: Failure, knobs: &KnobReader) -> Failure {
        match knobs.ad_wrapper_broken() {
            WrapperBroken::Fetch if self.chain.depth() > 0 => {
                let caught = self.unavailable(failure.why.to_string(), knobs);
                Failure {
                    at: failure.at,
                    ..caught
                }
                .by(rules::PRD_10)
            }
            WrapperBroken::Fetch | WrapperBroken::Named => failure,
        }
    }
}

/// The reason why a response has no ad. Rule REQ-6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NoAd {
    /// It has no body, or a blank one.
    NoBody,
    /// Its document has no ad.
    NoneInDocument,
    /// Its document has ads, but none that may be used.
    NoneUsable,
}

impl NoAd {
    const fn in_words(self) -> &'static str {
        match self {
            NoAd::NoBody => "the response is empty",
            NoAd::NoneInDocument => "the response has no ad",
            NoAd::NoneUsable => "the response has no usable ad",
        }
    }
}

/// Whether a response has nothing to read: no body, a blank one, or a status without a body. Rule
/// REQ-6.
fn is_empty(answer: &Response) -> bool {
    const NO_CONTENT: u16 = 204;
    let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{feff}';
    answer.status == NO_CONTENT || answer.text.chars().all(is_blank)
}

/// Why a response puts no document on the chain.
struct Unread<'a> {
    failure: Failure,
    /// The document, if it could be read but has no usable ad.
    empty: Option<&'a Document>,
}

impl From<Failure> for Unread<'_> {
    fn from(failure: Failure) -> Self {
        Unread {
            failure,
            empty: None,
        }
    }
}

/// The failure of a product whose reader throws on an unusable ad, if the document has such an ad.
/// Rules CHN-8, PRD-40.
fn thrown(answer: &Response, knobs: &KnobReader) -> Option<Failure> {
    answer.document.ads.iter().find_map(|ad| {
        let (why, rule) = match ad.kind {
            AdKind::Broken(children) => {
                let why = format!("the reader throws on an ad with {}", children.in_words());
                (why, rules::CHN_8)
            }
            AdKind::Inline | AdKind::Wrapper(_) if is_unknown(ad, knobs) => {
                (format!("the reader throws: {MISNAMED}"), rules::PRD_40)
            }
            AdKind::Inline | AdKind::Wrapper(_) => return None,
        };
        let at = ad.at.in_file(&answer.name).into();
        let failure = Failure::at(AdErrorCode::Undefined, why, at);
        Some(failure.by(rule).with_audience(Audience::Page))
    })
}

/// The failure if the document as a whole is unusable. Rules REQ-3, PRD-6.
fn unusable(answer: &Response, knobs: &KnobReader) -> Option<Failure> {
    let document = &answer.document;
    if let Some(fault) = &document.fault {
        let at = fault.at.in_file(&answer.name).into();
        return Some(Failure::at(
            AdErrorCode::of(fault.code),
            Text::from(&fault.text),
            at,
        ));
    }
    match &document.root {
        Root::Vast => {
            let refusal = match knobs.vast_reading() {
                Reading::Lenient => None,
                Reading::Version => strict::unknown_version(document),
                Reading::WellFormed => strict::not_well_formed(document),
                Reading::Strict => strict::refusal(document),
            }?;
            let at = refusal.at.in_file(&answer.name).into();
            let why = format!("a strict reader rejects the document: {}", refusal.text);
            Some(Failure::at(AdErrorCode::of(refusal.code), why, at).by(rules::PRD_6))
        }
        Root::Vmap => {
            let why = "the response is VMAP, which is allowed only for the pre-roll of an item";
            Some(Failure::new(AdErrorCode::Unexpected, why).by(rules::VMAP_1))
        }
        Root::Vast1 => Some(Failure::new(AdErrorCode::Version, "the response is VAST 1")),
        Root::None => Some(Failure::new(AdErrorCode::Xml, "the response is not XML")),
        Root::Other(name) => Some(Failure::new(
            AdErrorCode::Schema,
            format!("the root element is \"{name}\""),
        )),
    }
}
