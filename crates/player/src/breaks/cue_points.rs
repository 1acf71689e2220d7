//! Mid-rolls and overlays: when they are due by the content's position, and how overlays come and
//! go.
//!
//! Rules: CUE-1 to CUE-11, OVL-1 to OVL-6, AD-15, REQ-14, CLK-3, PRD-9.

use super::slot::{Alongside, BreakAtCue, Moment};
use crate::Player;
use crate::api::calls::By;
use crate::state::{AfterBreak, Due, State};
use playsim_ads::{AdBreak, BreakPlan, ContentMoves, CueBreak, Opening, Phase};
use playsim_api::{Code, EventName, Outbox, Output, Task};
use playsim_base::time::{Position, Span, Time};
use playsim_rules as rules;
use playsim_rules::knobs::{
    AskAhead, BeforeStartPosition, BeforeStartScope, MidrollHold, MidrollJoin, PassedRequest,
};

/// Why a mid-roll is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bringing {
    /// Play has reached its cue point.
    Play,
    /// A seek to so far after it. Rule CUE-5.
    Seek(Span),
    /// Content starts at or after it. Rule CUE-7.
    Start,
    /// The break that it had to wait for has ended. Rule CUE-9.
    Turn,
}

impl Player {
    /// Recomputes the cue points of the item, after its length has become known or its ads have
    /// changed. Rules CUE-1, CUE-2, AD-15, REQ-14.
    pub(crate) fn find_cues(&mut self, out: &mut Outbox) {
        let now = out.now();
        let may_show_ads = self.may_show_ads();
        let Some(length) = self.element.length().filter(|_| may_show_ads) else {
            self.breaks.cues.set(Vec::new(), Vec::new(), None);
            return;
        };
        for (cue, rule, text) in self.breaks.schedule.dropped_cues(length) {
            if self.breaks.cues.drop_cue(&cue.to_string()) {
                out.diag(rule, Code::CueDropped, text);
            }
        }
        for (rule, text) in self.breaks.schedule.breaks_out_of_reach(length) {
            if self.breaks.cues.drop_cue(&text) {
                out.diag(rule, Code::CueDropped, text);
            }
        }
        if !self.breaks.schedule.has_places(length) {
            self.breaks.cues.set(Vec::new(), Vec::new(), None);
            return;
        }
        let passed = (!self.items.due.has(Due::START)).then(|| self.element.content_time(now));
        self.breaks.cues.set(
            self.breaks.schedule.cue_points(length),
            self.breaks.schedule.overlays(length),
            passed,
        );
        if let Some(position) = passed {
            self.ask_ahead(position, out);
        }
        self.find_next_mark(now);
    }

    /// Whether ads may be shown with the item at all. Rules REQ-14, SCHED-4, SCHED-5.
    pub(crate) fn may_show_ads(&self) -> bool {
        self.items
            .playlist
            .video()
            .is_some_and(|video| video.monetize)
            && self.breaks.turns.has_ads()
    }

    /// The position has reached `position`: overlays come first, then mid-rolls. Rules CLK-3,
    /// CUE-3, OVL-1.
    pub(crate) fn reach_cues(&mut self, position: Position, out: &mut Outbox) {
        self.bring_overlay(position, out);
        while let Some(at) = self.breaks.cues.take_mid_roll(position) {
            self.bring_mid_roll(at, Bringing::Play, out);
        }
    }

    /// Ends the overlay on screen if it has been shown for long enough. Rules CLK-3, OVL-3.
    pub(crate) fn end_overlay(&mut self, out: &mut Outbox) {
        if self
            .breaks
            .overlay_ends_at()
            .is_some_and(|end| end <= out.now())
        {
            self.wake_break(Alongside::Overlay.into(), out);
        }
    }

    /// A seek has ended: the breaks that it passed may be due. Seeks in content that has not
    /// started yet are taken into account when it starts. Rules CUE-5, CUE-6, CUE-7, OVL-1,
    /// TIME-13.
    pub(crate) fn arrive_at_cues(&mut self, out: &mut Outbox) {
        if !self.items.due.has(Due::START) {
            self.arrive(Bringing::Seek(Span::ZERO), out);
        }
    }

    /// Content starts here, which counts like a seek from its beginning to this place. Rules CUE-7,
    /// OVL-1.
    pub(crate) fn start_at_cues(&mut self, out: &mut Outbox) {
        self.arrive(Bringing::Start, out);
    }

    /// The reason for which the pre-roll is skipped, if it is, because content starts after its
    /// beginning. Rule PRD-9.
    pub(crate) fn passes_pre_roll(&self, now: Time) -> Option<&'static str> {
        let start = self.element.content_time(now);
        // Content that was sought to its end starts at its beginning after all. MEL-12
        if start == Position::ZERO || self.element.is_at_end(now) {
            return None;
        }
        match self.settings.knobs.ad_before_start() {
            BeforeStartPosition::Each => None,
            BeforeStartPosition::Latest => {
                // In a live stream, and while the length is unknown, only cue points in seconds
                // have a place.
                let cues = self
                    .breaks
                    .schedule
                    .cue_points(self.element.length().flatten());
                let has_places = self
                    .element
                    .length()
                    .is_none_or(|length| self.breaks.schedule.has_places(length));
                let has_later = has_places && cues.first().is_some_and(|at| *at <= start);
                has_later.then_some("a later break precedes the start position")
            }
            BeforeStartPosition::At => Some("breaks before the start position are skipped"),
        }
    }

    fn arrive(&mut self, by: Bringing, out: &mut Outbox) {
        let now = out.now();
        let position = self.element.content_time(now);
        let knobs = &self.settings.knobs;
        if let (Bringing::Seek(_), PassedRequest::Lost, Some(from)) =
            (by, knobs.midroll_ask_passed(), self.breaks.cues.left_at())
        {
            self.breaks
                .cues
                .lose_requests(from, position, knobs.midroll_ask());
        }
        let due = match by {
            Bringing::Start => self.breaks.cues.start(
                position,
                knobs.ad_before_start(),
                knobs.midroll_seek_policy(),
            ),
            Bringing::Play | Bringing::Seek(_) | Bringing::Turn => self
                .breaks
                .cues
                .arrive(position, knobs.midroll_seek_policy()),
        };
        self.ask_ahead(position, out);
        self.bring_overlay(position, out);
        if by == Bringing::Start {
            self.start_overlay(out);
            self.show_display_at_start(self.passes_pre_roll(now), out);
        }
        for at in due {
            let by = if let Bringing::Seek(_) = by {
                Bringing::Seek(position - at)
            } else {
                by
            };
            self.bring_mid_roll(at, by, out);
        }
    }

    /// Opens the mid-roll that takes the place of the pre-roll, if one does: content starts after
    /// it. Further breaks of its cue point follow one by one. Rule PRD-9.
    pub(super) fn open_stand_in(
        &mut self,
        wanted: bool,
        back: AfterBreak,
        out: &mut Outbox,
    ) -> bool {
        let knobs = &self.settings.knobs;
        let before = knobs.ad_before_start();
        let asks_ahead = knobs.midroll_ask() != AskAhead::AtCue;
        let at = self.element.content_time(out.now());
        if !wanted
            || asks_ahead
            || before == BeforeStartPosition::Each
            || self.passes_pre_roll(out.now()).is_none()
            || !self.may_show_ads()
        {
            return false;
        }
        let length = self.element.length().flatten();
        if let Some(due) = self.breaks.cues.stands_in(at, before) {
            let plans: Vec<BreakPlan> = self
                .breaks
                .schedule
                .breaks_at(due, length)
                .into_iter()
                .filter_map(|which| self.plan_cue(BreakAtCue { at: due, which }, Bringing::Start))
                .collect();
            let are_in_place = plans.iter().all(|plan| plan.opening() == Opening::InPlace);
            if plans.is_empty() || !are_in_place {
                return false;
            }
            let policy = self.settings.knobs.midroll_seek_policy();
            self.breaks.cues.start(at, before, policy);
            for which in self.breaks.schedule.breaks_at(due, length) {
                self.breaks.cues.wait(BreakAtCue { at: due, which });
            }
        }
        while let Some(cue) = self.breaks.cues.take_waiting() {
            if let Some(plan) = self.plan_cue(cue, Bringing::Start)
                && self.open_held(plan, wanted, back, out)
            {
                return true;
            }
        }
        false
    }

    /// A cue point is reached: its breaks open in their order. Rules CUE-3, CUE-8, VMAP-18.
    fn bring_mid_roll(&mut self, at: Position, by: Bringing, out: &mut Outbox) {
        for which in self
            .breaks
            .schedule
            .breaks_at(at, self.element.length().flatten())
        {
            self.bring_break(BreakAtCue { at, which }, by, out);
        }
    }

    /// A break is due: it begins to load, waits for the open break to end, or is dropped because of
    /// it. Rules CUE-3, CUE-9, VMAP-19.
    pub(super) fn bring_break(&mut self, cue: BreakAtCue, by: Bringing, out: &mut Outbox) {
        if self.bring_ahead(cue, by, out) {
            return;
        }
        let is_busy = self.is_in_linear_break();
        // A break of ad objects is planned when its turn comes. AD-14
        if is_busy && matches!(cue.which, CueBreak::Objects | CueBreak::Loop) {
            self.breaks.cues.wait(cue);
            return;
        }
        let Some(plan) = self.plan_cue(cue, by) else {
            if cue.which == CueBreak::Loop {
                self.breaks.schedule.note_loop_over(out);
            }
            return;
        };
        match plan.opening() {
            Opening::InPlace if is_busy && cue.which.is_repeated() => {
                plan.drop_it(rules::VMAP_19, "another break is open", out)
            }
            Opening::InPlace if is_busy => self.breaks.cues.wait(cue),
            Opening::InPlace => self.open_mid_roll(plan, by, out),
            Opening::Over if is_busy => plan.drop_it(rules::VMAP_19, "another break is open", out),
            Opening::Over if self.breaks.get(Alongside::Overlay).is_some() => {
                plan.drop_it(rules::VMAP_19, "another overlay is open", out)
            }
            Opening::Over => self.open_overlay(plan, out),
            Opening::NextToPlayer => self.bring_display(plan, true, out),
        }
    }

    /// Whether a break of linear ads is open, even if it is still loading alongside content.
    pub(super) fn is_in_linear_break(&self) -> bool {
        self.breaks.is_pending() || self.state.open_break().is_some()
    }

    /// The break of a cue point; `None` if it has no tags.
    pub(super) fn plan_cue(
        &self,
        BreakAtCue { at, which }: BreakAtCue,
        by: Bringing,
    ) -> Option<BreakPlan> {
        let plan = self
            .breaks
            .schedule
            .cue_plan(at, which, self.element.length().flatten())?;
        Some(match by {
            Bringing::Play => plan,
            Bringing::Seek(_) => {
                let join = by.joins_at(self.settings.knobs.midroll_join());
                BreakPlan {
                    join,
                    ..plan.because(rules::CUE_5, "seek over a cue point")
                }
            }
            Bringing::Start
                if self.settings.knobs.ad_before_start() == BeforeStartPosition::Each =>
            {
                plan.because(rules::CUE_7, "start after a cue point")
            }
            Bringing::Start => {
                plan.because(rules::PRD_9, "the latest break at or before the start")
            }
            Bringing::Turn => plan.because(rules::CUE_9, "cue point that had to wait"),
        })
    }

    fn open_mid_roll(&mut self, plan: BreakPlan, by: Bringing, out: &mut Outbox) {
        let knobs = &self.settings.knobs;
        let plays = self.state.plays_content();
        // It replaces the pre-roll. PRD-9
        let stands_in =
            by == Bringing::Start && knobs.ad_before_start() != BeforeStartPosition::Each;
        // Content waits for the rest of a pod that has begun. VMAP-23
        let continues = plan.part.is_some_and(|part| !part.is_first)
            && by == Bringing::Turn
            && self.breaks.offset_pod.is_filled;
        let hold = if stands_in || continues {
            MidrollHold::AtCue
        } else {
            knobs.midroll_hold()
        };
        match hold {
            MidrollHold::AtCue if plays => {
                self.element.hold(out.now());
                self.open_break(plan, true, AfterBreak::Content, out);
            }
            MidrollHold::AtCue | MidrollHold::WhenReady => self.open_pending(plan, out),
        }
    }

    /// Opens the mid-rolls that waited for a break to end. Rule CUE-9.
    pub(super) fn bring_waiting(&mut self, out: &mut Outbox) {
        while !self.is_in_linear_break()
            && let Some(cue) = self.breaks.cues.take_waiting()
        {
            self.bring_break(cue, Bringing::Turn, out);
        }
    }

    /// The plan of the mid-roll that has waited longest and still has tags. Rule CUE-10.
    pub(crate) fn waiting_plan(&mut self) -> Option<BreakPlan> {
        while let Some(cue) = self.breaks.cues.take_waiting() {
            if self.breaks.asked_ahead.contains(&Moment::Cue(cue)) {
                continue;
            }
            if let Some(plan) = self.plan_cue(cue, Bringing::Turn) {
                return Some(plan);
            }
        }
        None
    }

    /// An overlay that is due begins to load, unless another one is open. Rule OVL-1.
    fn bring_overlay(&mut self, position: Position, out: &mut Outbox) {
        let length = self.element.length().flatten();
        while self.breaks.get(Alongside::Overlay).is_none()
            && let Some(at) = self.breaks.cues.take_overlay(position)
        {
            if let Some(plan) = self.breaks.schedule.overlay(at, length) {
                self.open_overlay(plan, out);
            }
        }
    }

    /// Opens the break of an overlay. Rule OVL-1.
    pub(super) fn open_overlay(&mut self, plan: BreakPlan, out: &mut Outbox) {
        let ad_break = self.begin_break(plan.over_content(true), out);
        self.breaks.put(Alongside::Overlay, ad_break);
        self.follow_overlay(out);
    }

    /// Reacts to the phase of an overlay's break.
    pub(super) fn follow_overlay(&mut self, out: &mut Outbox) {
        if self.turn(Alongside::Overlay, out) {
            return;
        }
        self.uncover_or_cover(out);
        let Some(overlay) = self.breaks.get(Alongside::Overlay) else {
            return;
        };
        match overlay.phase() {
            Phase::Loading | Phase::Paused | Phase::Playing => {}
            Phase::Ready => {
                out.put(rules::BRK_1, Output::Task(Task::StartOverlay));
            }
            Phase::Over(_) => {
                let Some(mut overlay) = self.breaks.take(Alongside::Overlay) else {
                    return;
                };
                self.breaks.settle(&mut overlay);
                self.make_room_for_overlays(out);
            }
        }
    }

    /// Pauses content while an overlay covers it, and resumes it afterwards if it was paused for
    /// that reason.
    ///
    /// Rule SIMID-15.
    fn uncover_or_cover(&mut self, out: &mut Outbox) {
        let covers = self
            .breaks
            .get(Alongside::Overlay)
            .is_some_and(AdBreak::covers_content);
        match (covers, self.breaks.is_covered) {
            (true, false) if self.state.plays_content() => {
                self.breaks.is_covered = true;
                self.pause(out);
            }
            (false, true) => {
                self.breaks.is_covered = false;
                if matches!(self.state, State::Paused) {
                    self.play(By::Person, out);
                }
            }
            (true, _) | (false, false) => {}
        }
    }

    /// An overlay has gone: the next one may have been waiting for that, or comes later.
    fn make_room_for_overlays(&mut self, out: &mut Outbox) {
        let now = out.now();
        if matches!(self.state, State::Playing) {
            let position = self.element.content_time(now);
            self.bring_overlay(position, out);
            self.find_next_mark(now);
        }
    }

    /// Shows the overlay that is ready, unless a linear ad is on screen. Rules OVL-2, OVL-6.
    pub(crate) fn start_overlay(&mut self, out: &mut Outbox) {
        // An overlay of a VMAP document that was opened before the content waits for content to
        // start. VMAP-7
        let is_early = self.items.due.has(Due::START);
        let may_show = |it: &AdBreak| it.is_ready() && !(is_early && it.is_of_vmap());
        if self.breaks.get(Alongside::Overlay).is_some_and(may_show) {
            self.has_played = true;
            // The content's own `beforeStart` remains due. PLAY-7
            if self.settings.knobs.before_start_scope() == BeforeStartScope::Ad {
                out.event(rules::PLAY_7, EventName::BeforeStart);
            }
            self.feed(Alongside::Overlay, out, |ad_break, cx| ad_break.start(cx));
        }
    }

    /// A linear ad, or the end of the content, removes an overlay. Rule OVL-6.
    pub(crate) fn take_overlay_away(&mut self, why: &'static str, out: &mut Outbox) {
        if let Some(mut overlay) = self.breaks.take(Alongside::Overlay) {
            self.breaks.is_covered = false;
            let given_up = overlay.take_away(why, &mut self.lend(out));
            self.breaks.abandoned.extend(given_up);
        }
    }

    /// The user closes the overlay. Returns whether one was closed. Rule OVL-5.
    pub(crate) fn close_overlay(&mut self, out: &mut Outbox) -> bool {
        if self.with_ad(Alongside::Overlay, out, |overlay, cx| overlay.close(cx)) != Some(true) {
            return false;
        }
        if let Some(mut overlay) = self.breaks.take(Alongside::Overlay) {
            self.breaks.settle(&mut overlay);
        }
        self.make_room_for_overlays(out);
        true
    }

    /// A unit over the content pauses and resumes with it. Rule VPAID-19.
    pub(crate) fn move_unit_over_content(&mut self, out: &mut Outbox) {
        if self.breaks.get(Alongside::Overlay).is_none() {
            return;
        }
        let content = match self.state {
            State::Playing => ContentMoves::Plays,
            State::Paused if !self.breaks.is_covered => ContentMoves::Paused,
            State::Paused
            | State::Created(_)
            | State::Initial
            | State::Held(_)
            | State::Buffering
            | State::Ended(_)
            | State::Failed
            | State::Destroyed => return,
        };
        let overlay = self.breaks.get(Alongside::Overlay);
        if overlay.is_some_and(|overlay| overlay.unit_lags(content)) {
            self.with_ad(Alongside::Overlay, out, |overlay, cx| {
                overlay.catch_up_with(content, cx)
            });
        }
    }

    /// Counts an overlay's time only while content plays, and updates the next one that is due.
    /// Rule OVL-3.
    pub(crate) fn clock_overlay(&mut self, now: Time) {
        let plays = matches!(self.state, State::Playing);
        if let Some(overlay) = self.breaks.get_mut(Alongside::Overlay) {
            overlay.follow_content(now, plays);
            self.find_next_mark(now);
        }
    }
}

impl Bringing {
    /// How far into its first ad a mid-roll begins. Rule PRD-23.
    pub(super) fn joins_at(self, join: MidrollJoin) -> Span {
        match (self, join) {
            (Bringing::Seek(past), MidrollJoin::Middle) => past,
            (Bringing::Play | Bringing::Seek(_) | Bringing::Start | Bringing::Turn, _) => {
                Span::ZERO
            }
        }
    }
}
