//! A break without the state it is in: what was planned, what has been, and the lines that say so.
//!
//! What comes next is `resolve`, which state the break is in is `ad_break`.
//!
//! Rules: REQ-4, REQ-7, REQ-10, BRK-6, BRK-7, BRK-10, BRK-23.

use std::sync::Arc;

use super::ad_break::{Pending, State};
use super::chain::Chain;
use super::error::{AdErrorCode, Audience, Failure};
use super::limits::Whose;
use super::schedule::list;
use super::vmap::{BreakSchedule, VmapCourse};
use super::waterfall::{TagPlace, Waterfalls};
use super::{Abandoned, AdServices, BreakFacts, BreakKind, BreakOutcome, BreakPlan, Macros};
use crate::api::{Cause, EventName, Fields, Kind, Line, Outbox, Output, Purpose, Request, RequestId};
use crate::api::{Text, Value};
use crate::knobs::{AdEndScope, AdErrorScope};
use crate::rule;
use crate::rules::RuleId;
use crate::time::{Span, Time};

/// A break without the state it is in: what was planned, and what has been.
#[derive(Debug, Clone)]
pub(super) struct Course {
    /// Which opportunity it is; a VMAP break may turn into another. Rule VMAP-7.
    pub(super) kind: BreakKind,
    pub(super) pods_at_player_level: u32,
    pub(super) waterfalls: Waterfalls,
    /// The tag in turn.
    pub(super) chain: Chain,
    pub(super) outcome: BreakOutcome,
    /// What addresses may ask of it. Rule MAC-4.
    pub(super) macro_facts: BreakFacts,
    /// Whether page code asked for it. Rule PA-4.
    is_commanded: bool,
    last_document: LastDocument,
    pub(super) abandoned: Vec<(RequestId, Abandoned)>,
    /// How long its overlay shows, if its ad object says so. Rule OVL-3.
    pub(super) shows_for: Option<Span>,
    /// Whether the first tag is a header bid that won. Rule REQ-13.
    pub(super) has_bid: bool,
    /// Whether the tag in turn has made the third-party SDK load its ads manager. Rule REQ-12.
    pub(super) has_manager: bool,
    telling: Telling,
    /// A failure that is told only if nothing comes of what is tried next. Rule REQ-4.
    untold: Option<AdErrorCode>,
    /// The last `adEnd`.
    last_end: Option<Cause>,
    pub(super) among: Among,
    /// Until when its first ad must be ready; `None`: whenever. Rule CHN-2.
    pub(super) break_until: Option<Time>,
    /// How long its linear ads were on so far. Rule SEL-4.
    pub(super) shown: Span,
    /// Where the tag stands whose ads are at hand, be it left already.
    pub(super) left_place: TagPlace,
    /// The breaks that an answer has brought, until somebody takes them. Rule VMAP-1.
    pub(super) schedule: Option<BreakSchedule>,
    /// What is particular to a break of a VMAP document.
    pub(super) vmap: Option<VmapCourse>,
}

/// What a break is among the breaks of its item.
#[derive(Debug, Clone, Copy)]
pub(super) struct Among {
    /// Whether an answer may be VMAP. Rule VMAP-1.
    pub(super) may_schedule: bool,
    /// Whether it is one of the loop of the first pre-roll slot. Rule SCHED-1.
    pub(super) is_loop: bool,
}

/// The text for `values.lastVASTXML`. Rules VX-1 to VX-4.
#[derive(Debug, Clone, Default)]
struct LastDocument {
    text: Option<Arc<str>>,
    /// Whether it has changed since somebody asked.
    is_news: bool,
}

/// How a break tells what happens in it.
#[derive(Debug, Clone, Copy)]
struct Telling {
    errors: AdErrorScope,
    ends: AdEndScope,
    /// What `wp` and `pod` count from. Rule BRK-7.
    base: u32,
}

/// How far a break goes on from the tag in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Onward {
    Tag,
    Pod,
    End,
}

impl Course {
    /// The first line of a break: why it opens, by which rule. Rules BRK-23, REQ-13.
    pub(super) fn begin(
        plan: BreakPlan,
        now: Time,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> Course {
        let knobs = services.knobs;
        let has_bid = plan.bid.is_some();
        // What belongs to the content has a place in it.
        let is_commanded = match plan.kind {
            BreakKind::Command => true,
            BreakKind::Overlay => plan.cue.is_none() && plan.vmap.is_none(),
            BreakKind::Pre | BreakKind::Mid | BreakKind::Post | BreakKind::Display => false,
        };
        let mut pods = plan.pods;
        if let (Some(first), Some(bid)) = (pods.first_mut(), plan.bid) {
            first.insert(0, bid);
        }
        let course = Course {
            kind: plan.kind,
            pods_at_player_level: plan.pods_at_player_level,
            waterfalls: Waterfalls::new(pods),
            chain: Chain::default(),
            outcome: BreakOutcome::NoFill,
            macro_facts: services.macros.open_break(),
            is_commanded,
            last_document: LastDocument::default(),
            abandoned: Vec::new(),
            shows_for: plan.shows_for,
            has_bid,
            has_manager: false,
            telling: Telling {
                errors: knobs.ad_error_scope,
                ends: knobs.ad_end_scope,
                base: knobs.adpos_base,
            },
            untold: None,
            last_end: None,
            among: Among { may_schedule: plan.may_schedule, is_loop: plan.is_loop },
            break_until: knobs.ad_break_timeout.from(now),
            shown: Span::ZERO,
            left_place: TagPlace { wp: 0, pod: 0 },
            schedule: None,
            vmap: plan.vmap.map(|of| VmapCourse::new(of, plan.room)),
        };
        let waterfalls = course.waterfalls.pods().iter().map(|tags| list(tags)).collect();
        let data = Fields::one("kind", course.kind.word())
            .with("why", plan.why)
            .with_some("cue", plan.cue)
            .with("engine", knobs.ad_engine.name())
            .with("waterfalls", Value::List(waterfalls))
            .with("pods", course.pods_at_player_level);
        let of = course.vmap.as_ref().map(|vmap| vmap.of().fields());
        let data = data.with_some("vmap", of.map(Value::Map));
        let begin = out.line(plan.rule, Kind::Break, "begin", data);
        course.tell_break_start(now, begin, services, out);
        course
    }

    /// A request's time is over. Gives the line's name as a cause. Rules REQ-7, REQ-9, REQ-10, CHN-1, CHN-2.
    pub(super) fn time_out(&mut self, pending: &Pending, whose: Whose, out: &mut Outbox) -> Cause {
        let rule = match whose {
            Whose::Break => rule!("CHN-2"),
            Whose::Tag => rule!("REQ-7"),
            Whose::Hop => rule!("CHN-1"),
            Whose::Media => rule!("REQ-9"),
        };
        self.abandon(pending.id, Abandoned::Late);
        let place = self.waterfalls.place();
        let data = Fields::one("id", pending.id.0)
            .with("url", Text::from(&pending.url))
            .with("purpose", pending.purpose.word())
            .with_some("hop", pending.hop)
            .with("wp", place.wp)
            .with("pod", place.pod);
        let line = Line { kind: Kind::Net, name: "timeout".into(), data };
        out.put_because(pending.cause, rule, Output::Line(line))
    }

    /// An ad started: the break counts as filled, and its waterfall has not been left without an ad.
    pub(super) fn mark_started(&mut self, macros: &mut Macros) {
        macros.count_ad(&mut self.macro_facts);
        self.chain.mark_started();
        self.outcome = BreakOutcome::Filled;
        self.break_until = None;
        self.untold = None;
    }

    /// Whether page code asked for it. Rule PA-4.
    pub(super) fn is_commanded(&self) -> bool {
        self.is_commanded
    }

    /// The break's kind.
    pub(super) fn kind(&self) -> BreakKind {
        self.kind
    }

    /// How the break ends, as far as it has come.
    pub(super) fn outcome(&self) -> BreakOutcome {
        self.outcome
    }

    /// The data of `adComplete` and `adSkip`. Rules BRK-6, BRK-7.
    pub(super) fn position_data(&self) -> Fields {
        let (place, base) = (self.waterfalls.place(), self.telling.base);
        Fields::with_room(3)
            .with("wp", place.wp + base)
            .with("pod", place.pod + base)
            .with("pods", self.pods_at_player_level)
    }

    /// The text for `lastVASTXML`.
    pub(super) fn last_document(&self) -> Option<&Arc<str>> {
        self.last_document.text.as_ref()
    }

    /// A request was answered, or will not be. Rules REQ-11, VX-3.
    pub(super) fn set_last_document(&mut self, text: Option<Arc<str>>) {
        self.last_document = LastDocument { text, is_news: true };
    }

    /// Whether the last document has changed since this was asked.
    pub(super) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.last_document.is_news)
    }

    /// Nobody waits for this request any more.
    pub(super) fn abandon(&mut self, id: RequestId, why: Abandoned) {
        self.abandoned.push((id, why));
    }

    /// Why this request is not waited for.
    pub(super) fn abandoned(&self, id: RequestId) -> Option<Abandoned> {
        self.abandoned.iter().find(|(abandoned, _)| *abandoned == id).map(|(_, why)| *why)
    }

    /// All requests that are not waited for, each given once.
    pub(super) fn take_abandoned(&mut self) -> Vec<(RequestId, Abandoned)> {
        std::mem::take(&mut self.abandoned)
    }

    /// The tag in turn gave nothing: one `adError`, and the next tag. Rules REQ-3, REQ-4.
    pub(super) fn tag_failed(
        &mut self,
        failure: &Failure,
        now: Time,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        self.fail_tag(failure, Onward::Tag, now, services, out);
    }

    /// The tag in turn gave nothing: one `adError`, and what is next. Rules REQ-3, REQ-4, REQ-6, CHN-2.
    pub(super) fn fail_tag(
        &mut self,
        failure: &Failure,
        onward: Onward,
        now: Time,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let data = self.failure_data(self.waterfalls.place().fields(), failure);
        out.line(failure.rule, Kind::Ad, "no-fill", data);
        match (failure.audience, self.telling.errors) {
            (Audience::Addresses, _) => {}
            (Audience::All | Audience::Page, AdErrorScope::Each) => {
                tell_error(failure.page_code(), rule!("REQ-4"), out);
            }
            (Audience::All | Audience::Page, AdErrorScope::LastOnly | AdErrorScope::FatalOnly) => {
                self.untold = Some(failure.page_code());
            }
        }
        self.tell_break_error(now, failure.code, services, out);
        self.leave_tag(onward, out);
    }

    /// An ad of a VAST pod cannot be played, while the tag fills. Rule BRK-9.
    pub(super) fn pod_ad_failed(
        &mut self,
        code: AdErrorCode,
        now: Time,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        if self.telling.errors == AdErrorScope::Each {
            tell_error(code, rule!("BRK-9"), out);
        }
        self.tell_break_error(now, code, services, out);
    }

    /// Goes on from the tag in turn. Rules REQ-2, REQ-4, BRK-8, BRK-10, BRK-12.
    pub(super) fn leave_tag(&mut self, onward: Onward, out: &mut Outbox) {
        let pod = self.waterfalls.place().pod;
        self.left_place = self.waterfalls.place();
        match onward {
            Onward::Tag => self.waterfalls.pass_tag(),
            Onward::Pod => self.waterfalls.pass_pod(),
            Onward::End => self.waterfalls.pass_all(),
        }
        let leaves_pod = self.waterfalls.place().pod != pod;
        let has_run_dry = leaves_pod && onward == Onward::Tag;
        if has_run_dry && self.telling.errors == AdErrorScope::LastOnly {
            self.tell_untold(out);
        }
        match self.telling.ends {
            AdEndScope::Tag => self.tell_end(out),
            AdEndScope::Pod if leaves_pod => self.tell_end(out),
            AdEndScope::Pod | AdEndScope::Break => {}
        }
    }

    fn tell_untold(&mut self, out: &mut Outbox) {
        if let Some(code) = self.untold.take() {
            tell_error(code, rule!("REQ-4"), out);
        }
    }

    fn tell_end(&mut self, out: &mut Outbox) {
        self.last_end = Some(out.event(rule!("BRK-10"), EventName::AdEnd));
    }

    /// Ends the break: there is nothing more to ask. Rules BRK-10, BRK-23.
    pub(super) fn end(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) -> State {
        if self.outcome == BreakOutcome::NoFill {
            self.tell_untold(out);
        }
        self.close(None, now, services, out)
    }

    /// Ends the break from outside, before its time, with a word on why. Rules OVL-5, OVL-6.
    pub(super) fn cut(
        &mut self,
        why: &'static str,
        now: Time,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        self.leave_tag(Onward::End, out);
        self.close(Some(why), now, services, out)
    }

    fn close(
        &mut self,
        why: Option<&'static str>,
        now: Time,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        // Where nobody is asked nothing was called that could end. VMAP-9
        let asks_nobody = self.vmap.is_some() && self.waterfalls.pods().is_empty();
        if !asks_nobody && (self.telling.ends == AdEndScope::Break || self.last_end.is_none()) {
            self.tell_end(out);
        }
        let end = self.last_end.unwrap_or(out.cause());
        self.tell_break_end(now, end, services, out);
        let data = Fields::one("kind", self.kind.word()).with("outcome", self.outcome.word());
        let rule = if asks_nobody { rule!("VMAP-9") } else { rule!("BRK-23") };
        out.line(rule, Kind::Break, "end", data.with_some("why", why));
        State::Over { outcome: self.outcome, end }
    }

    pub(super) fn request(
        &self,
        purpose: Purpose,
        hop: Option<u32>,
        url: Arc<str>,
        out: &mut Outbox,
    ) -> Pending {
        let (id, place) = (out.next_request(), self.waterfalls.place());
        let (wp, pod) = (Some(place.wp), Some(place.pod));
        let rule = match purpose {
            Purpose::AdTag if place.wp == 0 && place.pod > 0 => rule!("BRK-8"),
            Purpose::AdTag => rule!("REQ-2"),
            Purpose::Wrapper => rule!("REQ-17"),
            Purpose::Media | Purpose::Record | Purpose::Playlist => rule!("REQ-9"),
        };
        let request = Request { id, url: Arc::clone(&url), purpose, hop, wp, pod };
        let cause = out.put(rule, Output::Fetch(request));
        Pending { id, url, purpose, hop, cause }
    }

    pub(super) fn failure_data(&self, fields: Fields, failure: &Failure) -> Fields {
        fields
            .with("code", failure.code.number())
            .with("why", failure.why.clone())
            .with_some("at", failure.at.clone())
    }
}

/// `adError`. Rule REQ-4.
pub(super) fn tell_error(code: AdErrorCode, rule: RuleId, out: &mut Outbox) {
    let data = Fields::one("code", code.number()).with("message", code.message());
    out.event_with(rule, EventName::AdError, data);
}

/// A line for something in a document that was tolerated.
pub(super) fn warn(rule: RuleId, code: &'static str, text: Text, at: Option<Text>, out: &mut Outbox) {
    let data = Fields::one("code", code).with("text", text).with_some("at", at);
    out.line(rule, Kind::Ad, "warning", data);
}
