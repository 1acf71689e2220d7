//! The player's side of its ad breaks: when they open, how they hold content, and how it continues.
//!
//! `slot` names the breaks that can be open at the same time, `lifecycle` opens and feeds them and
//! follows their phases, `after` continues after a break, `ahead` requests those of cue points
//! ahead of time. `cues` and `cue_points` are mid-rolls and overlays, `commanded` is `playAd` and
//! `pushAds`, `vmap` the breaks of VMAP documents, `late` those of late responses, `outstream` the
//! only break of an outstream unit, `absent` holds content without a break. `ad_turns` decides
//! which videos have ads, `macro_facts` has the facts about a player for ad URLs, and `attachments`
//! passes on user actions on an ad.

use std::sync::Arc;

use playsim_ads::{Abandoned, AdBreak, AdSchedule, BreakPlan, Macros, OffsetPod, Phase};
use playsim_api::{BreakNumber, Cause, Outbox, Output, RequestId, Task, Value, Wake};
use playsim_base::time::{Position, Time};
use playsim_rules as rules;

mod absent;
pub(super) mod ad_turns;
mod after;
mod ahead;
mod attachments;
mod commanded;
mod cue_points;
mod cues;
mod late;
mod lifecycle;
mod macro_facts;
mod outstream;
pub(super) mod slot;
mod vmap;

use ad_turns::Turns;
use ahead::Ahead;
use cues::Cues;
use slot::{Alongside, Moment};

/// The ad breaks of a player, apart from the one that content is held for, which is part of its
/// state.
#[derive(Debug, Clone, Hash)]
pub(super) struct Breaks {
    /// Which breaks there will be.
    pub(super) schedule: AdSchedule,
    /// Which of its mid-rolls and overlays are still to come.
    pub(super) cues: Cues,
    /// Which videos have ads.
    pub(super) turns: Turns,
    /// The breaks that are open while content plays.
    alongside: [Option<Box<AdBreak>>; 3],
    /// Those that load ahead of their cue points. Rule PRD-26.
    ahead: Vec<Ahead>,
    /// The breaks of the item that were requested so, whether or not they are over.
    asked_ahead: Vec<Moment>,
    /// Whether `play()` was called in the initial state while a commanded break loads, so that
    /// content starts after it. Rule PA-3.
    then_play: bool,
    /// The latest display break that could not be shown because of fullscreen. Rule VMAP-20.
    missed_display: Option<Box<BreakPlan>>,
    /// Whether an overlay that covers the content has paused it. Rule SIMID-15.
    is_covered: bool,
    /// The start of an ad unit that has been asked for, until its ad starts. Rule BRK-1.
    unit_start: Option<UnitStart>,
    /// Whether the pre-roll that is due must not be shown. Knob `gesture.violation`.
    pub(super) refuses_ads: bool,
    macros: Macros,
    /// How many breaks of each kind have been opened. Rule REQ-13.
    opened: [u32; 5],
    /// What has come of the pod that the break opened last is a part of. Rule VMAP-23.
    offset_pod: OffsetPod,
    /// Requests of breaks that are over, and why their responses are no longer awaited.
    abandoned: Vec<(RequestId, Abandoned)>,
    /// `values.lastVASTXML`. Rules VX-1 to VX-4.
    last_document: Option<Arc<str>>,
}

/// An ad unit that has been asked to start. With such a unit, `beforeStart` is held back until its
/// ad starts, which may never happen.
#[derive(Debug, Clone, Copy, Hash)]
struct UnitStart {
    in_break: Option<BreakNumber>,
    /// The number of ads of the break that have started before.
    earlier_ads: u32,
    /// The cause of the start.
    asked: Cause,
}

impl Breaks {
    pub(super) fn new(schedule: AdSchedule, turns: Turns, macros: Macros) -> Breaks {
        Breaks {
            schedule,
            cues: Cues::default(),
            turns,
            alongside: [None, None, None],
            ahead: Vec::new(),
            asked_ahead: Vec::new(),
            then_play: false,
            missed_display: None,
            is_covered: false,
            unit_start: None,
            refuses_ads: false,
            macros,
            opened: [0; 5],
            offset_pod: OffsetPod::default(),
            abandoned: Vec::new(),
            last_document: None,
        }
    }

    pub(super) fn get(&self, which: Alongside) -> Option<&AdBreak> {
        self.alongside[which as usize].as_deref()
    }

    fn get_mut(&mut self, which: Alongside) -> Option<&mut AdBreak> {
        self.alongside[which as usize].as_deref_mut()
    }

    fn put(&mut self, which: Alongside, ad_break: AdBreak) {
        self.alongside[which as usize] = Some(Box::new(ad_break));
        self.then_play &= which != Alongside::Pending;
    }

    pub(super) fn take(&mut self, which: Alongside) -> Option<Box<AdBreak>> {
        self.alongside[which as usize].take()
    }

    /// Whether any break is open while content plays.
    #[inline]
    pub(super) fn is_any_alongside(&self) -> bool {
        self.alongside.iter().any(Option::is_some) || !self.ahead.is_empty()
    }

    /// Whether a mid-roll or a commanded break loads while content plays.
    pub(super) fn is_pending(&self) -> bool {
        self.get(Alongside::Pending).is_some()
    }

    /// The time at which the overlay on screen will have been shown for long enough. Rule OVL-3.
    pub(super) fn overlay_ends_at(&self) -> Option<Time> {
        self.get(Alongside::Overlay)
            .and_then(AdBreak::overlay_ends_at)
    }

    /// Whether a mid-roll or a commanded break loads while content plays. Rules PA-4, PUSH-4.
    fn loads_while_playing(&self) -> bool {
        let loads =
            |overlay: &AdBreak| overlay.is_commanded() && matches!(overlay.phase(), Phase::Loading);
        self.is_pending() || self.get(Alongside::Overlay).is_some_and(loads)
    }

    /// A break that has waited while content was paused may start now that content plays. Rule
    /// PAUSE-5.
    pub(super) fn offer_pending(&self, out: &mut Outbox) {
        if self.get(Alongside::Pending).is_some_and(AdBreak::is_ready) {
            out.put(rules::PAUSE_5, Output::Task(Task::StartAd));
        }
    }

    /// The next wake of the breaks that are open while content plays.
    #[inline]
    pub(super) fn next_wake(&self) -> Option<Wake> {
        if !self.is_any_alongside() {
            return None;
        }
        let wakes = Alongside::ALL.map(|which| self.get(which)?.next_wake());
        let ahead = self.ahead.iter().map(|ahead| ahead.ad_break.next_wake());
        wakes.into_iter().chain(ahead).flatten().min()
    }

    /// Whether content starts after the break that loads. Rule PA-3.
    pub(super) fn then_play(&self) -> bool {
        self.then_play && self.is_pending()
    }

    /// Sets whether content starts after the break that loads, if one does. Rule PA-3.
    pub(super) fn set_then_play(&mut self, then_play: bool) {
        self.then_play = then_play && self.is_pending();
    }

    /// Another item is set up, with these ads of its own.
    pub(super) fn begin_item(&mut self, ads: &[Value], out: &mut Outbox) {
        self.cues = Cues::default();
        self.asked_ahead.clear();
        self.schedule.begin_item(ads, out);
    }

    /// Everything of the item is due again. Rule STOP-5.
    pub(super) fn rearm(&mut self, out: &mut Outbox) {
        self.schedule.forget_breaks(out);
        self.schedule.rewind_loop();
        self.cues.arm();
        self.asked_ahead.clear();
    }

    /// The next positions, from one in the content on, at which playing triggers a mid-roll or an
    /// overlay.
    pub(super) fn next_cues(&self, position: Position) -> [Option<Position>; 2] {
        let has_room = self.get(Alongside::Overlay).is_none();
        [
            self.cues.next_mid_roll(),
            self.cues.next_overlay(position).filter(|_| has_room),
        ]
    }

    /// A break is over: its responses are no longer awaited.
    fn settle(&mut self, ad_break: &mut AdBreak) {
        self.abandoned.extend(ad_break.take_abandoned());
        self.offset_pod = ad_break.offset_pod().unwrap_or(self.offset_pod);
    }

    /// Like `settle`; the line that ended the break is the current cause from then on.
    fn conclude(&mut self, ad_break: &mut AdBreak, out: &mut Outbox) {
        self.settle(ad_break);
        if let Some(end) = ad_break.end_cause() {
            out.set_cause(end);
        }
    }

    /// Ends a break without any event to the page. Rule STOP-3.
    fn abort(&mut self, ad_break: &mut AdBreak, out: &mut Outbox) {
        self.abandoned.extend(ad_break.abort(out));
    }

    /// Ends the breaks that are open while content plays, without any event, and forgets the
    /// display break that could not be shown. Rules STOP-3, VMAP-21.
    fn abort_alongside(&mut self, out: &mut Outbox) {
        self.is_covered = false;
        self.missed_display = None;
        for which in [Alongside::Display, Alongside::Pending, Alongside::Overlay] {
            if let Some(mut ad_break) = self.take(which) {
                self.abort(&mut ad_break, out);
            }
        }
        self.abort_ahead(out);
    }

    /// Why the response to a request of a break that is over is no longer awaited.
    pub(super) fn abandoned(&self, id: RequestId) -> Option<Abandoned> {
        self.abandoned
            .iter()
            .find(|(abandoned, _)| *abandoned == id)
            .map(|(_, why)| *why)
    }

    /// `values.lastVASTXML`. Rule VX-1.
    pub(super) fn last_document(&self) -> Option<&Arc<str>> {
        self.last_document.as_ref()
    }
}
