//! The data of a break that does not depend on its state: the plan, the progress so far, and the
//! lines that report them.
//!
//! The state itself is in `ad_break`; the next step is decided in `resolve`.
//!
//! Rules: REQ-4, REQ-7, REQ-10, BRK-6, BRK-7, BRK-10, BRK-23,
//! VMAP-23.

use std::sync::Arc;

use super::outcome::{Abandoned, BreakOutcome};
use crate::error::{AdErrorCode, Audience, Failure};
use crate::plan::schedule::list;
use crate::plan::vmap::schedule::BreakSchedule;
use crate::plan::{BreakPlan, OffsetPart, OffsetPod, Takes};
use crate::report::context::Scope;
use crate::report::macros::{BreakFacts, Macros};
use crate::request::chain::Chain;
use crate::request::limits::LimitKind;
use crate::request::pending::Pending;
use crate::request::waterfall::{TagPlace, Waterfalls};
use playsim_api::{
    AdLine, Because, BreakKind, BreakLine, BreakNumber, Cause, Event, EventName, Fields, NetLine,
    Output, Purpose, Request, RequestId, Text, Value,
};
use playsim_base::time::{Span, Time};
use playsim_rules::knobs::{
    AdEndScope, AdErrorScope, KnobReader, Limit, PodPosition, PodsCount, VmapAdEnd,
};
use playsim_rules::{self as rules, RuleId};
use playsim_vast::TrackingEvent;
use vmap::VmapCourse;

mod answer;
mod ending;
mod leftover;
mod part;
mod ready;
mod refuse;
pub(super) mod resolve;
mod retry;
mod vmap;

/// The data of a break that does not depend on its state.
#[derive(Debug, Clone, Hash)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four facts that do not depend on each other"
)]
pub(crate) struct Course {
    /// The kind of the break; a VMAP break may change it. Rule VMAP-7.
    pub(crate) kind: BreakKind,
    /// The `pods` of `adComplete` and `adSkip`. Rule AD-18.
    pods: u32,
    /// How many ads of the current response have started. Rule BRK-7.
    ads_of_answer: u32,
    pub(crate) waterfalls: Waterfalls,
    /// The documents of the current tag.
    pub(crate) chain: Chain,
    /// How often the current document has been requested. Rule PRD-25.
    pub(super) attempts: u32,
    /// How far into its first ad the break begins. Rule PRD-23.
    pub(crate) join: Span,
    pub(crate) outcome: BreakOutcome,
    /// The number of ads that have started.
    ads_started: u32,
    /// The facts about this break for macros. Rule MAC-4.
    pub(crate) macro_facts: BreakFacts,
    /// Whether page code requested the break. Rule PA-4.
    is_commanded: bool,
    last_document: LastDocument,
    pub(crate) abandoned: Vec<(RequestId, Abandoned)>,
    /// How long its overlay is shown, if the ad object sets it. Rule OVL-3.
    pub(crate) shows_for: Option<Span>,
    /// Whether the first tag is a winning header bid. Rule REQ-13.
    pub(crate) has_bid: bool,
    /// Whether the third-party SDK has loaded its ads manager for the current tag. Rule REQ-12.
    pub(crate) has_manager: bool,
    reporting: Reporting,
    /// A failure that is reported only if everything tried after it fails too. Rule REQ-4.
    pending_error: Option<AdErrorCode>,
    /// The last `adEnd`.
    last_end: Option<Cause>,
    pub(crate) among: Among,
    /// Until when the first ad must be ready; `None` for no limit. Rule CHN-2.
    pub(crate) break_until: Option<Time>,
    /// The rule of that limit. Rules CHN-2, PRD-33.
    pub(super) limit_rule: RuleId,
    /// How long linear ads have played so far. Rule SEL-4.
    pub(crate) shown: Span,
    /// The place of the tag that the current ads come from, kept after the tag is left.
    pub(crate) left_place: TagPlace,
    /// The breaks that a response has scheduled, until the item takes them. Rule VMAP-1.
    pub(crate) schedule: Option<BreakSchedule>,
    /// Whether such a response schedules a break before the content. Rule VMAP-22.
    pub(crate) has_scheduled_pre_roll: bool,
    /// The part that only breaks of VMAP documents have.
    pub(crate) vmap: Option<VmapCourse>,
    /// Its part in a pod of several breaks. Rule VMAP-23.
    part: Option<OffsetPart>,
}

/// How the break relates to the other breaks of its item.
#[derive(Debug, Clone, Copy, Hash)]
pub(crate) struct Among {
    /// The ads to take from its documents. Rules VMAP-1, PRD-9.
    pub(crate) takes: Takes,
    /// Whether this is a repetition of the first pre-roll slot. Rule SCHED-1.
    pub(crate) is_loop: bool,
}

/// The document for `values.lastVASTXML`. Rules VX-1 to VX-4.
#[derive(Debug, Clone, Default, Hash)]
struct LastDocument {
    text: Option<Arc<str>>,
    /// Whether it has changed since the last query.
    is_news: bool,
}

/// How a break reports its events.
#[derive(Debug, Clone, Copy, Hash)]
struct Reporting {
    errors: AdErrorScope,
    ends: AdEndScope,
    /// The start of `wp` and `pod`. Rule BRK-7.
    base: u32,
    pod: PodPosition,
    schedule_ends: VmapAdEnd,
}

/// How far a break moves on from the current tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Onward {
    Tag,
    Pod,
    End,
}

impl Course {
    /// Begins a break and logs its first line, with the reason and the rule. Rules BRK-23, REQ-13.
    pub(crate) fn begin(plan: BreakPlan, cx: &mut Scope<'_>) -> Course {
        let knobs = cx.knobs();
        let has_bid = plan.bid.is_some();
        // An overlay that belongs to the content has a cue point or comes from VMAP; any other is
        // commanded.
        let is_commanded = match plan.kind {
            BreakKind::Command => true,
            BreakKind::Overlay => plan.cue.is_none() && plan.vmap.is_none(),
            BreakKind::Pre | BreakKind::Mid | BreakKind::Post | BreakKind::Display => false,
        };
        let mut pods = plan.pods;
        if let (Some(first), Some(bid)) = (pods.first_mut(), plan.bid) {
            first.insert(0, bid);
        }
        let (limit, limit_rule) = limit_of(plan.kind, knobs);
        let course = Course {
            kind: plan.kind,
            pods: match knobs.ad_pods_counts() {
                PodsCount::PlayerLevel => plan.pods_at_player_level,
                PodsCount::Break if plan.vmap.is_some() => 1,
                PodsCount::Break => u32::try_from(pods.len()).unwrap_or(u32::MAX),
            },
            ads_of_answer: 0,
            waterfalls: Waterfalls::new(pods),
            chain: Chain::default(),
            attempts: 1,
            join: plan.join,
            outcome: BreakOutcome::NoFill,
            ads_started: 0,
            macro_facts: cx.macros.at_break(),
            is_commanded,
            last_document: LastDocument::default(),
            abandoned: Vec::new(),
            shows_for: plan.shows_for,
            has_bid,
            has_manager: false,
            reporting: Reporting {
                errors: match plan.part {
                    None => knobs.ad_error_scope(),
                    Some(_) => AdErrorScope::FatalOnly,
                },
                ends: knobs.ad_end_scope(),
                base: knobs.adpos_base(),
                pod: knobs.adpos_pod(),
                schedule_ends: knobs.vmap_ad_end(),
            },
            pending_error: plan.part.and_then(|part| part.before.error),
            last_end: None,
            among: Among {
                takes: plan.takes,
                is_loop: plan.is_loop,
            },
            break_until: limit.from(cx.now()),
            limit_rule,
            shown: Span::ZERO,
            left_place: TagPlace { wp: 0, pod: 0 },
            schedule: None,
            has_scheduled_pre_roll: false,
            vmap: plan.vmap.map(|of| VmapCourse::new(of, plan.room)),
            part: plan.part,
        };
        let waterfalls = course
            .waterfalls
            .pods()
            .iter()
            .map(|tags| list(tags))
            .collect();
        let data = Fields::one("kind", course.kind.name())
            .with("why", plan.why)
            .with_some("cue", plan.cue)
            .with("engine", knobs.ad_engine().name())
            .with("waterfalls", Value::List(waterfalls))
            .with("pods", course.pods);
        let of = course.vmap.as_ref().map(|vmap| vmap.of().fields());
        let data = data.with_some("vmap", of.map(Value::Map));
        let begin = cx.out.line(plan.rule, BreakLine::Begin, data);
        course.call_break_trackers(TrackingEvent::BreakStart, begin, cx);
        course
    }

    /// Which break of its player it is.
    pub(crate) fn number(&self) -> Option<BreakNumber> {
        self.macro_facts.number
    }

    /// What has come of the pod that it is a part of, up to now. Rule VMAP-23.
    pub(crate) fn offset_pod(&self) -> Option<OffsetPod> {
        let before = self.part?.before;
        Some(OffsetPod {
            is_filled: before.is_filled || self.outcome == BreakOutcome::Filled,
            error: self.pending_error,
        })
    }

    /// Whether other breaks of its pod follow. Rule VMAP-23.
    fn has_parts_to_come(&self) -> bool {
        self.part.is_some_and(|part| !part.is_last)
    }

    /// A request has timed out. Returns its line as a cause. Rules REQ-7, REQ-9, REQ-10, CHN-1,
    /// CHN-2, PRD-33.
    pub(super) fn time_out(
        &mut self,
        pending: &Pending,
        kind: LimitKind,
        cx: &mut Scope<'_>,
    ) -> Cause {
        let rule = match kind {
            LimitKind::Break => self.limit_rule,
            LimitKind::Tag => rules::REQ_7,
            LimitKind::Hop => rules::CHN_1,
            LimitKind::Media => rules::REQ_9,
        };
        self.abandon(pending.id, Abandoned::Late);
        let place = self.waterfalls.place();
        let data = Fields::one("id", pending.id.0)
            .with("url", Text::from(&pending.url))
            .with("purpose", pending.purpose.name())
            .with_some("hop", pending.hop)
            .with("wp", place.wp)
            .with("pod", place.pod);
        cx.out.line(
            Because {
                rule,
                cause: pending.cause,
            },
            NetLine::Timeout,
            data,
        )
    }

    /// An ad has started: the break counts as filled.
    pub(crate) fn mark_started(&mut self, now: Time, macros: &mut Macros) {
        macros.count_ad(&mut self.macro_facts, now);
        self.ads_of_answer += 1;
        self.ads_started += 1;
        self.chain.mark_started();
        self.outcome = BreakOutcome::Filled;
        self.break_until = None;
        self.pending_error = None;
    }

    /// The number of ads that have started.
    pub(crate) fn ads_started(&self) -> u32 {
        self.ads_started
    }

    /// Whether page code requested the break. Rule PA-4.
    pub(super) fn is_commanded(&self) -> bool {
        self.is_commanded
    }

    /// The kind of the break.
    pub(crate) fn kind(&self) -> BreakKind {
        self.kind
    }

    /// The outcome so far.
    pub(crate) fn outcome(&self) -> BreakOutcome {
        self.outcome
    }

    /// The data of `adComplete` and `adSkip`. Rules BRK-6, BRK-7.
    pub(super) fn position_data(&self) -> Fields {
        let (place, base) = (self.waterfalls.place(), self.reporting.base);
        let pod = match self.reporting.pod {
            PodPosition::Slot => place.pod,
            PodPosition::Ad => self.ads_of_answer.saturating_sub(1),
        };
        Fields::with_room(3)
            .with("wp", place.wp + base)
            .with("pod", pod + base)
            .with("pods", self.pods)
    }

    /// The document for `lastVASTXML`.
    pub(crate) fn last_document(&self) -> Option<&Arc<str>> {
        self.last_document.text.as_ref()
    }

    /// Sets the last document when a request is answered or given up. Rules REQ-11, VX-3.
    pub(super) fn set_last_document(&mut self, text: Option<Arc<str>>) {
        self.last_document = LastDocument {
            text,
            is_news: true,
        };
    }

    /// Whether the last document has changed since the last call.
    pub(super) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.last_document.is_news)
    }

    /// Stops waiting for the response to this request.
    pub(super) fn abandon(&mut self, id: RequestId, why: Abandoned) {
        self.abandoned.push((id, why));
    }

    /// Why the response to this request is no longer awaited.
    pub(super) fn abandoned(&self, id: RequestId) -> Option<Abandoned> {
        self.abandoned
            .iter()
            .find(|(abandoned, _)| *abandoned == id)
            .map(|(_, why)| *why)
    }

    /// Takes the requests whose responses are no longer awaited, each returned once.
    pub(super) fn take_abandoned(&mut self) -> Vec<(RequestId, Abandoned)> {
        std::mem::take(&mut self.abandoned)
    }

    /// The current tag gave no ad: one `adError`, then the next tag. Rules REQ-3, REQ-4.
    pub(super) fn tag_failed(&mut self, failure: &Failure, cx: &mut Scope<'_>) {
        self.fail_tag(failure, Onward::Tag, cx);
    }

    /// The current tag gave no ad: one `adError`, then whatever `onward` says. Rules REQ-3, REQ-4,
    /// REQ-6, CHN-2.
    pub(super) fn fail_tag(&mut self, failure: &Failure, onward: Onward, cx: &mut Scope<'_>) {
        let data = self.failure_data(self.waterfalls.place().fields(), failure);
        let line = cx.out.line(failure.rule, AdLine::NoFill, data);
        match (failure.audience, self.reporting.errors) {
            (Audience::Addresses, _) => {}
            (Audience::All | Audience::Page, AdErrorScope::Each) => {
                fire_ad_error(failure.page_code(), rules::REQ_4, cx);
            }
            (Audience::All | Audience::Page, AdErrorScope::LastOnly | AdErrorScope::FatalOnly) => {
                self.pending_error = Some(failure.page_code());
            }
        }
        self.call_break_error(failure.code, line, cx);
        self.leave_tag(onward, cx);
    }

    /// An ad of a VAST pod cannot be played, although the tag fills. Rule BRK-9.
    pub(super) fn pod_ad_failed(&mut self, code: AdErrorCode, cx: &mut Scope<'_>) {
        if self.reporting.errors == AdErrorScope::Each {
            fire_ad_error(code, rules::BRK_9, cx);
        }
        self.call_break_error(code, cx.out.cause(), cx);
    }

    /// Moves on from the current tag. Rules REQ-2, REQ-4, BRK-8, BRK-10, BRK-12.
    pub(super) fn leave_tag(&mut self, onward: Onward, cx: &mut Scope<'_>) {
        let pod = self.waterfalls.place().pod;
        self.left_place = self.waterfalls.place();
        self.ads_of_answer = 0;
        match onward {
            Onward::Tag => self.waterfalls.pass_tag(),
            Onward::Pod => self.waterfalls.pass_pod(),
            Onward::End => self.waterfalls.pass_all(),
        }
        let leaves_pod = self.waterfalls.place().pod != pod;
        let has_run_dry = leaves_pod && onward == Onward::Tag;
        if has_run_dry && self.reporting.errors == AdErrorScope::LastOnly {
            self.fire_pending_error(cx);
        }
        match self.reporting.ends {
            AdEndScope::Tag => self.fire_ad_end(cx),
            AdEndScope::Pod if leaves_pod => self.fire_ad_end(cx),
            AdEndScope::Pod | AdEndScope::Break => {}
        }
    }

    pub(crate) fn request(
        &self,
        purpose: Purpose,
        hop: Option<u32>,
        url: Arc<str>,
        cx: &mut Scope<'_>,
    ) -> Pending {
        let (id, place) = (cx.out.next_request(), self.waterfalls.place());
        let (wp, pod) = (Some(place.wp), Some(place.pod));
        let rule = match purpose {
            Purpose::AdTag if place.wp == 0 && place.pod > 0 => rules::BRK_8,
            Purpose::AdTag => rules::REQ_2,
            Purpose::Wrapper => rules::REQ_17,
            Purpose::Media | Purpose::Record | Purpose::Playlist => rules::REQ_9,
        };
        let in_break = self.number();
        let request = Request {
            id,
            url: Arc::clone(&url),
            purpose,
            hop,
            wp,
            pod,
            in_break,
        };
        let cause = cx.out.put(rule, Output::Fetch(request));
        Pending {
            id,
            url,
            purpose,
            hop,
            cause,
        }
    }

    pub(super) fn failure_data(&self, fields: Fields, failure: &Failure) -> Fields {
        fields
            .with("code", failure.code.number())
            .with("why", failure.why.clone())
            .with_some("inner", failure.inner)
            .with_some("at", failure.at.clone())
    }
}

/// How long a break of a kind may take until its first ad is ready, with the rule. Rules CHN-2,
/// PRD-33.
fn limit_of(kind: BreakKind, knobs: &KnobReader) -> (Limit, RuleId) {
    let own = match kind {
        BreakKind::Pre => knobs.preroll_timeout(),
        BreakKind::Post => knobs.postroll_timeout(),
        BreakKind::Mid | BreakKind::Command | BreakKind::Overlay | BreakKind::Display => Limit::Off,
    };
    match own {
        Limit::Off => (knobs.ad_break_timeout(), rules::CHN_2),
        Limit::After(_) => (own, rules::PRD_33),
    }
}

/// Fires `adError`. Rule REQ-4.
pub(super) fn fire_ad_error(code: AdErrorCode, rule: RuleId, cx: &mut Scope<'_>) {
    let data = Fields::one("code", code.number()).with("message", code.message());
    cx.out.event(
        rule,
        Event {
            name: EventName::AdError,
            data,
        },
    );
}

/// Logs a warning about something in a document that is tolerated.
pub(super) fn warn(
    rule: RuleId,
    code: &'static str,
    text: Text,
    at: Option<Text>,
    cx: &mut Scope<'_>,
) {
    let data = Fields::one("code", code)
        .with("text", text)
        .with_some("at", at);
    cx.out.line(rule, AdLine::Warning, data);
}
