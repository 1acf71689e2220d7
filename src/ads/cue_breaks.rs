//! Which breaks come at a cue point, before the content and behind it: those of the ad objects, and those
//! that VMAP documents have brought.
//!
//! A cue point is a position; what comes there is asked for when it is reached. Breaks of ad objects that
//! fall together are one break with pods, every VMAP break is one of its own.
//!
//! Rules: CUE-2, CUE-8, POST-3, VMAP-1, VMAP-4 to VMAP-7, VMAP-18, VMAP-20, VMAP-21.

use std::sync::Arc;

use super::schedule::AdSchedule;
use super::vmap::{AdForm, BreakSchedule, Item, RowAt, VmapBreak};
use super::{BreakKind, BreakPlan};
use crate::api::{Fields, Kind, Outbox};
use crate::rule;
use crate::time::{Position, Span};

/// One of the breaks that come at a cue point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CueBreak {
    /// That of the ad objects.
    Objects,
    /// One of the loop of the first pre-roll slot. Rule SCHED-1.
    Loop,
    /// One of a VMAP document.
    Vmap {
        /// Which row of the schedule.
        row: usize,
        /// How often it has come before.
        nth: u32,
    },
}

/// How a break wants to be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// Content is held for it, at once or when it is ready.
    InPlace,
    /// It lies over content.
    Over,
    /// It lies beside the player. Rule VMAP-20.
    Beside,
}

impl CueBreak {
    /// Whether it has come before: then it gives way to what is there. Rule VMAP-19.
    #[must_use]
    pub const fn is_repeated(self) -> bool {
        match self {
            CueBreak::Objects | CueBreak::Loop => false,
            CueBreak::Vmap { nth, .. } => nth > 0,
        }
    }
}

impl From<RowAt> for CueBreak {
    fn from(at: RowAt) -> CueBreak {
        CueBreak::Vmap { row: at.row, nth: at.nth }
    }
}

impl BreakPlan {
    /// The plan of a VMAP break. Rules VMAP-3, VMAP-18.
    fn of_vmap(of: VmapBreak, cue: Option<Position>) -> BreakPlan {
        let offset = of.row().time_offset.as_ref().map_or_else(String::new, ToString::to_string);
        let kind = of.form().map_or(of.kind_of(AdForm::Linear), |form| of.kind_of(form));
        let again = if of.is_repeated() { ", repeated" } else { "" };
        let plan = BreakPlan::new(kind, format!("VMAP break at {offset}{again}"), of.waterfalls());
        let rule = if of.is_repeated() { rule!("VMAP-5") } else { rule!("VMAP-4") };
        BreakPlan { rule, cue, pods_at_player_level: 1, vmap: Some(Arc::new(of)), ..plan }
    }

    /// The same, one of several at one time. Rule VMAP-18.
    fn one_of_several(self, is_first: bool) -> BreakPlan {
        if is_first { self } else { BreakPlan { rule: rule!("VMAP-18"), ..self } }
    }

    /// The same, with content for an overlay to lie over, or without. Rule VMAP-7.
    #[must_use]
    pub fn over_content(self, has_content: bool) -> BreakPlan {
        BreakPlan { room: super::Room { overlay: has_content, ..self.room }, ..self }
    }

    /// How it wants to be opened.
    #[must_use]
    pub fn opening(&self) -> Opening {
        match self.kind {
            BreakKind::Pre | BreakKind::Mid | BreakKind::Post | BreakKind::Command => Opening::InPlace,
            BreakKind::Overlay => Opening::Over,
            BreakKind::Display => Opening::Beside,
        }
    }

    /// Says that a display break waits for room. Rule VMAP-20.
    pub fn wait_for_room(&self, why: &'static str, out: &mut Outbox) {
        if let Some(of) = &self.vmap {
            out.line(rule!("VMAP-20"), Kind::Ad, "wait-break", of.fields().with("why", why));
        }
    }

    /// Says that a VMAP break does not come at all. Rule VMAP-19.
    pub fn drop_it(&self, why: &'static str, out: &mut Outbox) {
        if let Some(of) = &self.vmap {
            out.line(rule!("VMAP-19"), Kind::Ad, "drop-break", of.fields().with("why", why));
        }
    }
}

impl AdSchedule {
    /// The breaks of a VMAP document come into force. Rule VMAP-1.
    pub fn adopt(&mut self, breaks: BreakSchedule) {
        self.vmap.add(breaks);
    }

    /// The breaks of VMAP documents go, if there are any. Rule VMAP-21.
    pub fn forget_breaks(&mut self, out: &mut Outbox) {
        let breaks = std::mem::take(&mut self.vmap).len();
        if breaks > 0 {
            out.line(rule!("VMAP-21"), Kind::Ad, "schedule-over", Fields::one("breaks", breaks));
        }
    }

    /// The next VMAP break that content is held for before it starts; each is given once. Rule VMAP-18.
    pub fn next_start(&mut self, duration: Option<Span>) -> Option<BreakPlan> {
        let cues = self.object_cues(duration);
        let is_first = self.vmap.has_not_started();
        let of = self.vmap.next_start(Item { duration, cues: &cues })?;
        Some(BreakPlan::of_vmap(of, None).one_of_several(is_first))
    }

    /// The VMAP breaks that come with the start of the content, over it or beside it. Rule VMAP-7.
    #[must_use]
    pub fn beside_start(&self, duration: Option<Span>) -> Vec<CueBreak> {
        let cues = self.object_cues(duration);
        self.vmap.beside_start(Item { duration, cues: &cues }).into_iter().map(CueBreak::from).collect()
    }

    /// The next VMAP break behind the content; each is given once. Rule VMAP-18.
    pub fn next_end(&mut self, duration: Option<Span>) -> Option<BreakPlan> {
        let cues = self.object_cues(duration);
        let is_first = self.vmap.has_not_ended();
        let of = self.vmap.next_end(Item { duration, cues: &cues })?;
        Some(BreakPlan::of_vmap(of, None).one_of_several(is_first))
    }

    /// The VMAP break behind the content that was given last was called off, and is due again. Rule POST-3.
    pub fn give_back_end(&mut self, duration: Option<Span>) {
        let cues = self.object_cues(duration);
        self.vmap.give_back_end(Item { duration, cues: &cues });
    }

    /// Where breaks are due in content of this length, ascending; `None`: a live stream.
    ///
    /// Rules CUE-1, CUE-2, CUE-8, VMAP-4, VMAP-5.
    #[must_use]
    pub fn cue_points(&self, duration: Option<Span>) -> Vec<Position> {
        let cues = self.object_cues(duration);
        let mut all = self.vmap.places(Item { duration, cues: &cues });
        all.extend(self.loop_cues(duration));
        all.extend(cues);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The breaks at a position, in the order in which they come. Rules CUE-8, VMAP-18.
    #[must_use]
    pub fn breaks_at(&self, at: Position, duration: Option<Span>) -> Vec<CueBreak> {
        let cues = self.object_cues(duration);
        let objects = cues.binary_search(&at).is_ok().then_some(CueBreak::Objects);
        let of_loop = self.loop_cues(duration).binary_search(&at).is_ok().then_some(CueBreak::Loop);
        let vmap = self.vmap.at(at, Item { duration, cues: &cues });
        objects.into_iter().chain(of_loop).chain(vmap.into_iter().map(CueBreak::from)).collect()
    }

    /// One of the breaks at a position; `None` if there is nothing to ask for, or it is in force no more.
    ///
    /// Rules CUE-8, REQ-15.
    #[must_use]
    pub fn cue_plan(&self, at: Position, which: CueBreak, duration: Option<Span>) -> Option<BreakPlan> {
        match which {
            CueBreak::Objects => self.mid_roll(at, duration),
            CueBreak::Loop => self.loop_plan(at),
            CueBreak::Vmap { row, nth } => {
                Some(BreakPlan::of_vmap(self.vmap.cue(RowAt { row, nth })?, Some(at)))
            }
        }
    }

    /// What of VMAP documents can never be reached in content of this length, with what a person should know.
    ///
    /// Rules CUE-2, VMAP-4.
    #[must_use]
    pub fn breaks_out_of_reach(&self, duration: Option<Span>) -> Vec<String> {
        let cues = self.object_cues(duration);
        let offsets = self.vmap.out_of_reach(Item { duration, cues: &cues });
        let why = match duration {
            Some(duration) => format!("the content lasts {}", duration.in_seconds()),
            None => "the content is live".to_owned(),
        };
        offsets.into_iter().map(|offset| format!("the VMAP break at {offset} never comes: {why}")).collect()
    }
}
