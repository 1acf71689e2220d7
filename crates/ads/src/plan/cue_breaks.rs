//! The breaks that are due at a cue point, before the content and after it, from ad objects and
//! from VMAP documents.
//!
//! A cue point is a position in the content; its breaks are looked up when it is reached. Breaks of
//! ad objects at the same position form one break with several pods; every VMAP break is a break of
//! its own.
//!
//! Rules: CUE-2, CUE-8, POST-3, VMAP-1, VMAP-4 to VMAP-7, VMAP-18, VMAP-20, VMAP-21,
//! VMAP-23.

use std::sync::Arc;

use super::breaks::NONE_IN_LIVE;
use super::schedule::AdSchedule;
use super::vmap::schedule::{BreakSchedule, Item, RowAt};
use super::vmap::{AdForm, VmapBreak};
use super::{BreakPlan, OffsetPart};
use playsim_api::{AdLine, BreakKind, Fields, Outbox};
use playsim_base::time::{Position, Span};
use playsim_rules::knobs::SameOffset;
use playsim_rules::{self as rules, RuleId};

/// One of the breaks at a cue point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CueBreak {
    /// The break of the ad objects.
    Objects,
    /// A repetition of the first pre-roll slot. Rule SCHED-1.
    Loop,
    /// A break of a VMAP document.
    Vmap {
        /// The row of the schedule.
        row: usize,
        /// How often it has occurred before.
        nth: u32,
    },
}

/// Where a break is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// In place of the content, which stops for it at once or when an ad is ready.
    InPlace,
    /// Over the content.
    Over,
    /// Next to the player. Rule VMAP-20.
    NextToPlayer,
}

impl CueBreak {
    /// Whether it is a repetition, which is dropped if another break is open. Rule VMAP-19.
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
        CueBreak::Vmap {
            row: at.row,
            nth: at.nth,
        }
    }
}

impl BreakPlan {
    /// The plan of a VMAP break. Rules VMAP-3, VMAP-18.
    fn of_vmap(of: VmapBreak, cue: Option<Position>) -> BreakPlan {
        let offset = of
            .row()
            .time_offset
            .as_ref()
            .map_or_else(String::new, ToString::to_string);
        let kind = of
            .form()
            .map_or(of.kind_of(AdForm::Linear), |form| of.kind_of(form));
        let again = if of.is_repeated() { ", repeated" } else { "" };
        let plan = BreakPlan::new(
            kind,
            format!("VMAP break at {offset}{again}"),
            of.waterfalls(),
        );
        let rule = if of.is_repeated() {
            rules::VMAP_5
        } else {
            rules::VMAP_4
        };
        BreakPlan {
            rule,
            cue,
            pods_at_player_level: 1,
            vmap: Some(Arc::new(of)),
            ..plan
        }
    }

    /// Marks the plan as one of several at the same time. Rule VMAP-18.
    fn one_of_several(self, is_first: bool) -> BreakPlan {
        if is_first {
            self
        } else {
            BreakPlan {
                rule: rules::VMAP_18,
                ..self
            }
        }
    }

    /// Sets whether there is content for an overlay to be shown over. Rule VMAP-7.
    #[must_use]
    pub fn over_content(self, has_content: bool) -> BreakPlan {
        BreakPlan {
            room: super::Room {
                overlay: has_content,
                ..self.room
            },
            ..self
        }
    }

    /// Where the break is shown.
    #[must_use]
    pub fn opening(&self) -> Opening {
        match self.kind {
            BreakKind::Pre | BreakKind::Mid | BreakKind::Post | BreakKind::Command => {
                Opening::InPlace
            }
            BreakKind::Overlay => Opening::Over,
            BreakKind::Display => Opening::NextToPlayer,
        }
    }

    /// Logs that a display break waits for free space. Rule VMAP-20.
    pub fn wait_for_room(&self, why: &'static str, out: &mut Outbox) {
        if let Some(of) = &self.vmap {
            out.line(
                rules::VMAP_20,
                AdLine::WaitBreak,
                of.fields().with("why", why),
            );
        }
    }

    /// Logs that a VMAP break is dropped, with the reason and the rule. Rules VMAP-19, PRD-9.
    pub fn drop_it(&self, rule: RuleId, why: &'static str, out: &mut Outbox) {
        if let Some(of) = &self.vmap {
            out.line(rule, AdLine::DropBreak, of.fields().with("why", why));
        }
    }
}

impl AdSchedule {
    /// Adds the breaks of a VMAP document. Rule VMAP-1.
    pub fn adopt(&mut self, breaks: BreakSchedule) {
        self.known.forget();
        self.vmap.add(breaks);
    }

    /// Removes the breaks of VMAP documents, if there are any. Rule VMAP-21.
    pub fn forget_breaks(&mut self, out: &mut Outbox) {
        self.known.forget();
        let breaks = std::mem::take(&mut self.vmap).len();
        if breaks > 0 {
            out.line(
                rules::VMAP_21,
                AdLine::ScheduleOver,
                Fields::one("breaks", breaks),
            );
        }
    }

    /// The next VMAP break before the content; each is returned once. Rule VMAP-18.
    pub fn next_start(&mut self, duration: Option<Span>) -> Option<BreakPlan> {
        let places = self.places(duration);
        let cues = &*places.cues;
        let item = Item { duration, cues };
        let is_first = self.vmap.has_not_started();
        let of = self.vmap.next_start(item)?;
        let part = self.part(is_first, !self.vmap.has_start(item));
        Some(BreakPlan {
            part,
            ..BreakPlan::of_vmap(of, None).one_of_several(is_first)
        })
    }

    /// The VMAP breaks that open as the content starts, over it or next to the player. Rule VMAP-7.
    #[must_use]
    pub fn display_at_start(&self, duration: Option<Span>) -> Vec<CueBreak> {
        let places = self.places(duration);
        let cues = &*places.cues;
        self.vmap
            .display_at_start(Item { duration, cues })
            .into_iter()
            .map(CueBreak::from)
            .collect()
    }

    /// The next VMAP break after the content; each is returned once. Rule VMAP-18.
    pub fn next_end(&mut self, duration: Option<Span>) -> Option<BreakPlan> {
        let places = self.places(duration);
        let cues = &*places.cues;
        let item = Item { duration, cues };
        let is_first = self.vmap.has_not_ended();
        let of = self.vmap.next_end(item)?;
        let part = self.part(is_first, !self.vmap.has_end(item));
        Some(BreakPlan {
            part,
            ..BreakPlan::of_vmap(of, None).one_of_several(is_first)
        })
    }

    /// Makes the VMAP break after the content that was returned last due again, because it was
    /// cancelled. Rule POST-3.
    pub fn give_back_end(&mut self, duration: Option<Span>) {
        let places = self.places(duration);
        let cues = &*places.cues;
        self.vmap.give_back_end(Item { duration, cues });
    }

    /// The cue points of content of this duration, ascending; `None` for a live stream.
    ///
    /// Rules CUE-1, CUE-2, CUE-8, VMAP-4, VMAP-5.
    #[must_use]
    pub fn cue_points(&self, duration: Option<Span>) -> Vec<Position> {
        let places = self.places(duration);
        let cues = &*places.cues;
        let mut all = self.vmap.places(Item { duration, cues });
        all.extend(self.loop_cues(duration));
        all.extend(cues);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The breaks at a position, in the order in which they open. Rules CUE-8, VMAP-18.
    #[must_use]
    pub fn breaks_at(&self, at: Position, duration: Option<Span>) -> Vec<CueBreak> {
        let places = self.places(duration);
        let cues = &*places.cues;
        let objects = cues.binary_search(&at).is_ok().then_some(CueBreak::Objects);
        let of_loop = self
            .loop_cues(duration)
            .binary_search(&at)
            .is_ok()
            .then_some(CueBreak::Loop);
        let vmap = self.vmap.at(at, &places.vmap, Item { duration, cues });
        objects
            .into_iter()
            .chain(of_loop)
            .chain(vmap.into_iter().map(CueBreak::from))
            .collect()
    }

    /// The plan of one of the breaks at a position; `None` if it has no tags or no longer exists.
    ///
    /// Rules CUE-8, REQ-15.
    #[must_use]
    pub fn cue_plan(
        &self,
        at: Position,
        which: CueBreak,
        duration: Option<Span>,
    ) -> Option<BreakPlan> {
        match which {
            CueBreak::Objects => self.mid_roll(at, duration),
            CueBreak::Loop => self.loop_plan(at),
            CueBreak::Vmap { row, nth } => Some(BreakPlan {
                part: self.part_at(at, row, duration),
                ..BreakPlan::of_vmap(self.vmap.cue(RowAt { row, nth })?, Some(at))
            }),
        }
    }

    /// The part of a break within the content in the pod of its `timeOffset`. Rule VMAP-23.
    fn part_at(&self, at: Position, row: usize, duration: Option<Span>) -> Option<OffsetPart> {
        match self.knobs.vmap_same_offset() {
            SameOffset::Breaks => None,
            SameOffset::Pod => {
                let places = self.places(duration);
                let cues = &*places.cues;
                let all = self
                    .vmap
                    .linear_at(at, &places.vmap, Item { duration, cues });
                let place = all.iter().position(|it| *it == row)?;
                self.part(place == 0, place + 1 == all.len())
            }
        }
    }

    /// The part of a break among others of its `timeOffset`. Rule VMAP-23.
    fn part(&self, is_first: bool, is_last: bool) -> Option<OffsetPart> {
        match self.knobs.vmap_same_offset() {
            SameOffset::Breaks => None,
            SameOffset::Pod => OffsetPart::of(is_first, is_last),
        }
    }

    /// Descriptions of the VMAP breaks that cannot be reached in content of this duration, each
    /// with its rule.
    ///
    /// Rules CUE-2, VMAP-4, PRD-37.
    #[must_use]
    pub fn breaks_out_of_reach(&self, duration: Option<Span>) -> Vec<(RuleId, String)> {
        let places = self.places(duration);
        let cues = &*places.cues;
        let has_places = self.has_places(duration);
        let offsets = self.vmap.out_of_reach(Item { duration, cues }, has_places);
        if offsets.is_empty() {
            return Vec::new();
        }
        let (rule, why) = match duration {
            Some(duration) => (
                rules::VMAP_4,
                format!("the content lasts {}", duration.in_seconds()),
            ),
            None if !has_places => (rules::PRD_37, NONE_IN_LIVE.to_owned()),
            None => (rules::VMAP_4, "the content is live".to_owned()),
        };
        offsets
            .into_iter()
            .map(|offset| {
                (
                    rule,
                    format!("the VMAP break at {offset} is never reached: {why}"),
                )
            })
            .collect()
    }
}
