//! What comes of asking for a document: an answer that can be used, or a failure with its code.
//!
//! Rules: REQ-3, REQ-6, REQ-7, REQ-11, REQ-17, CHN-1, CHN-2, CHN-5, CHN-8, CHN-9, PRD-6, VMAP-1, VX-2, VX-3.

use super::AdServices;
use super::ad_break::State;
use super::course::{Course, Onward, warn};
use super::error::{AdErrorCode, Audience, Failure};
use super::resolve::Budget;
use super::vmap;
use crate::api::{Answer, Fetched, Kind, Outbox, Text};
use crate::knobs::{BrokenAd, BrokenFirst, ErrorCodes, Knobs, Reading, WrapperFetch};
use crate::rule;
use crate::rules::RuleId;
use crate::time::Time;
use crate::vast::{AdKind, Document, Root, strict};

impl Course {
    /// A document was answered, or could not be had. `tag`: when the tag's time is over. Rules REQ-3, REQ-11.
    pub(super) fn answered(
        &mut self,
        now: Time,
        tag: Time,
        fetched: &Fetched,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        if let Some(answer) = self.schedule_in(fetched) {
            return self.scheduled(now, answer, services, out);
        }
        let budget = Budget::Until(tag);
        let (failure, empty) = match fetched {
            Fetched::Failed(fault) => {
                self.set_last_document(self.chain.text().cloned());
                let why = format!("the connection failed: {}", fault.word());
                (self.unavailable(why, services.knobs), None)
            }
            Fetched::Answer(answer) => {
                let body = Some(&answer.text).filter(|text| !text.is_empty());
                self.set_last_document(body.or(self.chain.text()).cloned());
                match self.read(now, answer, services.knobs, out) {
                    Ok(()) => return self.go_on(now, budget, services, out),
                    Err(Unread { failure, empty }) => (failure, empty),
                }
            }
        };
        self.reject(now, &self.named(failure, fetched), empty, services, out);
        self.go_on(now, budget, services, out)
    }

    /// The tag in turn has no time left to fetch documents. Rules REQ-7, VX-3.
    pub(super) fn tag_timed_out(
        &mut self,
        now: Time,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        self.document_timed_out(now, "no answer in time", rule!("REQ-3"), services, out);
        self.go_on(now, Budget::Spent, services, out)
    }

    /// A document has no time left, and the tag has. Rule CHN-1.
    pub(super) fn hop_timed_out(
        &mut self,
        now: Time,
        tag: Time,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        let why = "no answer in the time of one document";
        self.document_timed_out(now, why, rule!("CHN-1"), services, out);
        self.go_on(now, Budget::Until(tag), services, out)
    }

    fn document_timed_out(
        &mut self,
        now: Time,
        why: &'static str,
        rule: RuleId,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        self.set_last_document(self.chain.text().cloned());
        let code = match services.knobs.ad_wrapper_fetch_code {
            WrapperFetch::NoAd if self.chain.depth() > 0 => AdErrorCode::NoAd,
            WrapperFetch::Unavailable
            | WrapperFetch::Told303
            | WrapperFetch::NonLinear
            | WrapperFetch::NoAd => AdErrorCode::Timeout,
        };
        let failure = Failure::new(code, why).by(rule);
        let failure = match services.knobs.ad_wrapper_fetch_code {
            _ if self.chain.depth() == 0 => self.of_first_missing(failure, services.knobs),
            WrapperFetch::Told303 if self.chain.depth() > 0 => failure.told_as(AdErrorCode::NoAd),
            WrapperFetch::Unavailable
            | WrapperFetch::Told303
            | WrapperFetch::NonLinear
            | WrapperFetch::NoAd => failure,
        };
        self.reject(now, &self.named_timeout(failure), None, services, out);
    }

    /// The break has no time left, and no ad is ready: what is under way fails, and nothing more is asked.
    ///
    /// Rule CHN-2.
    pub(super) fn break_timed_out(
        &mut self,
        now: Time,
        code: AdErrorCode,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        self.set_last_document(self.chain.text().cloned());
        let failure = Failure::new(code, "no time is left for the break").by(rule!("CHN-2"));
        self.tell_of(now, &failure, None, services, out);
        self.fail_tag(&failure, Onward::End, now, services, out);
        self.ask_tag(now, services, out)
    }

    /// What an address that cannot be had fails with. Rules REQ-3, CHN-5.
    fn unavailable(&self, why: String, knobs: &Knobs) -> Failure {
        if self.chain.depth() == 0 {
            let failure = self.of_first_missing(Failure::new(AdErrorCode::Timeout, why), knobs);
            return match knobs.ad_error_codes {
                ErrorCodes::Sdk if failure.code == AdErrorCode::Timeout => {
                    failure.told_as(AdErrorCode::SdkNetwork)
                }
                ErrorCodes::Sdk | ErrorCodes::Vast => failure,
            };
        }
        let failure = |code| Failure::new(code, why).by(rule!("CHN-5"));
        match knobs.ad_wrapper_fetch_code {
            WrapperFetch::Unavailable => failure(AdErrorCode::Timeout),
            WrapperFetch::Told303 => failure(AdErrorCode::Timeout).told_as(AdErrorCode::NoAd),
            WrapperFetch::NoAd => failure(AdErrorCode::NoAd),
            WrapperFetch::NonLinear => failure(AdErrorCode::NonLinearFetch),
        }
    }

    /// Judges an answer and puts its document on the chain. Rules REQ-3, REQ-6.
    fn read<'a>(
        &mut self,
        now: Time,
        answer: &'a Answer,
        knobs: &Knobs,
        out: &mut Outbox,
    ) -> Result<(), Unread<'a>> {
        if !(200..300).contains(&answer.status) {
            return Err(self.unavailable(format!("the status is {}", answer.status), knobs).into());
        }
        let document = &answer.document;
        for warning in &document.warnings {
            let at = format!("{}:{}", answer.name, warning.at);
            warn(rule!("REQ-17"), warning.code, Text::from(&warning.text), Some(at.into()), out);
        }
        if let Some(failure) = unusable(answer, knobs) {
            return Err(self.of_first(failure, knobs).into());
        }
        if let (BrokenAd::Thrown, Some(failure)) = (knobs.ad_broken, thrown(answer)) {
            return Err(failure.into());
        }
        self.settle_form(document, knobs, out);
        let is_source = self.is_source();
        let admission = self.admission(knobs);
        let (pushed, ignored) = self.chain.push(now, answer, admission);
        for ignored in &ignored {
            let (rule, why) = match ignored.why {
                why if is_source => (rule!("VMAP-11"), vmap::said_by_source(why)),
                why => (ignored.rule, why),
            };
            let ad = &document.ads[ignored.ad];
            let data = self
                .waterfalls
                .place()
                .fields()
                .with_some("ad", ad.id.as_ref().map(Text::from))
                .with("why", why)
                .with("at", format!("{}:{}", answer.name, ad.at));
            out.line(rule, Kind::Ad, "ignore", data);
        }
        if pushed {
            return Ok(());
        }
        let why = if document.ads.is_empty() { "the answer has no ad" } else { "no ad of the answer counts" };
        let is_first = self.chain.depth() == 0;
        let failure = Failure::at(AdErrorCode::NoAd, why, Text::from(&answer.name));
        let failure = match knobs.ad_error_codes {
            ErrorCodes::Sdk if is_first => failure.told_as(AdErrorCode::SdkEmpty),
            ErrorCodes::Sdk | ErrorCodes::Vast => failure,
        };
        let is_silent = is_first && !knobs.ad_empty_is_error.is_on();
        let failure = if is_silent { failure.heard_by(Audience::Addresses) } else { failure };
        // Only an empty answer's own addresses are told: they are no general hook. VAST 4.3 section 3.2.1
        Err(Unread { failure, empty: Some(document) })
    }

    /// The failure of a tag's own document that cannot be had: a reader that throws names no code for that either.
    /// The source of a VMAP break has its own. Rules CHN-9, VMAP-15.
    fn of_first_missing(&self, failure: Failure, knobs: &Knobs) -> Failure {
        match knobs.ad_first_broken {
            BrokenFirst::Undefined if !self.is_source() => {
                Failure { code: AdErrorCode::Undefined, ..failure }.by(rule!("CHN-9"))
            }
            BrokenFirst::Undefined | BrokenFirst::Named => failure,
        }
    }

    /// The failure of a document, by its place: of the tag's own a product may say something else. Rule CHN-9.
    fn of_first(&self, failure: Failure, knobs: &Knobs) -> Failure {
        if self.chain.depth() > 0 {
            return failure;
        }
        let is_unknown = failure.code == AdErrorCode::Schema;
        // The mistakes of documents that have a rule of their own keep it.
        let is_plain = failure.rule == rule!("REQ-3") || knobs.ad_first_broken == BrokenFirst::Undefined;
        let failure = if is_plain { failure.by(rule!("CHN-9")) } else { failure };
        match (knobs.ad_first_broken, knobs.ad_error_codes) {
            (BrokenFirst::Undefined, _) => Failure { code: AdErrorCode::Undefined, ..failure },
            (BrokenFirst::Named, ErrorCodes::Sdk) if is_unknown => failure.told_as(AdErrorCode::SdkUnknown),
            (BrokenFirst::Named, ErrorCodes::Sdk | ErrorCodes::Vast) => failure,
        }
    }
}

/// Why an answer puts no document on the chain.
struct Unread<'a> {
    failure: Failure,
    /// The document, if it is one without an ad that counts.
    empty: Option<&'a Document>,
}

impl From<Failure> for Unread<'_> {
    fn from(failure: Failure) -> Self {
        Unread { failure, empty: None }
    }
}

/// What a reader that fails at an unusable ad leaves behind, if the document has one. Rule CHN-8.
fn thrown(answer: &Answer) -> Option<Failure> {
    answer.document.ads.iter().find_map(|ad| {
        let AdKind::Broken(children) = ad.kind else { return None };
        let why = format!("the reader fails at an ad with {}", children.in_words());
        let at = format!("{}:{}", answer.name, ad.at).into();
        let failure = Failure::at(AdErrorCode::Undefined, why, at);
        Some(failure.by(rule!("CHN-8")).heard_by(Audience::Page))
    })
}

/// Why a document as a whole cannot be used, if so. Rules REQ-3, PRD-6.
fn unusable(answer: &Answer, knobs: &Knobs) -> Option<Failure> {
    let document = &answer.document;
    if let Some(fault) = &document.fault {
        let at = format!("{}:{}", answer.name, fault.at).into();
        return Some(Failure::at(AdErrorCode::of(fault.code), Text::from(&fault.text), at));
    }
    match &document.root {
        Root::Vast => {
            let refusal = match knobs.vast_reading {
                Reading::Lenient => None,
                Reading::Version => strict::unknown_version(document),
                Reading::Strict => strict::refusal(document),
            }?;
            let at = format!("{}:{}", answer.name, refusal.at).into();
            let why = format!("a strict reader refuses this: {}", refusal.text);
            Some(Failure::at(AdErrorCode::of(refusal.code), why, at).by(rule!("PRD-6")))
        }
        Root::Vmap => {
            let why = "the answer is VMAP, which only a pre-roll of an item may be answered";
            Some(Failure::new(AdErrorCode::Unexpected, why).by(rule!("VMAP-1")))
        }
        Root::Vast1 => Some(Failure::new(AdErrorCode::Version, "the answer is VAST 1")),
        Root::None => Some(Failure::new(AdErrorCode::Xml, "the answer is not XML")),
        Root::Other(name) => {
            Some(Failure::new(AdErrorCode::Schema, format!("the root element is \"{name}\"")))
        }
    }
}
