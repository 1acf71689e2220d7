//! How a break relates to the other breaks of its item: it may come from a VMAP document, be a
//! repetition of the pre-roll loop, or have received a VMAP document itself.
//!
//! Rules: VMAP-1, VMAP-3, VMAP-7, PRD-9, SCHED-3.

use super::AdBreak;
use crate::plan::Takes;
use crate::plan::vmap::Room;
use crate::plan::vmap::schedule::BreakSchedule;

impl AdBreak {
    /// Takes the breaks of a VMAP response, which belong to the item. Rule VMAP-1.
    pub fn take_schedule(&mut self) -> Option<BreakSchedule> {
        self.course.schedule.take()
    }

    /// Whether this is a repetition of the first pre-roll slot. Rule SCHED-3.
    #[must_use]
    pub fn is_loop(&self) -> bool {
        self.course.among.is_loop
    }

    /// Why the break is passed over, if only a schedule is taken from its tags. Rule PRD-9.
    #[must_use]
    pub fn passes(&self) -> Option<&'static str> {
        match self.course.among.takes {
            Takes::Schedule(why) => Some(why),
            Takes::Ads | Takes::AdsOrSchedule => None,
        }
    }

    /// Sets which forms a VMAP break may still take; no effect on other breaks. Rule VMAP-7.
    pub fn set_room(&mut self, room: Room) {
        if let Some(vmap) = &mut self.course.vmap {
            vmap.set_room(room);
        }
    }

    /// Whether this is a break of a VMAP document. Rule VMAP-3.
    #[must_use]
    pub fn is_of_vmap(&self) -> bool {
        self.course.vmap.is_some()
    }
}
