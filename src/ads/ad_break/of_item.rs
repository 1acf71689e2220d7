//! What a break is among the breaks of its item: one of a VMAP document, one of a loop, or the one that brings
//! such a document.
//!
//! Rules: VMAP-1, VMAP-3, VMAP-7, SCHED-3.

use super::AdBreak;
use crate::ads::vmap::{BreakSchedule, Room};

impl AdBreak {
    /// The breaks that an answer has brought, once: they belong to the item. Rule VMAP-1.
    pub fn take_schedule(&mut self) -> Option<BreakSchedule> {
        self.course.schedule.take()
    }

    /// Whether it is one of the loop of the first pre-roll slot. Rule SCHED-3.
    #[must_use]
    pub fn is_loop(&self) -> bool {
        self.course.among.is_loop
    }

    /// What a VMAP break may turn into from now on; no effect on others. Rule VMAP-7.
    pub fn set_room(&mut self, room: Room) {
        if let Some(vmap) = &mut self.course.vmap {
            vmap.set_room(room);
        }
    }

    /// Whether it is a break of a VMAP document. Rule VMAP-3.
    #[must_use]
    pub fn is_of_vmap(&self) -> bool {
        self.course.vmap.is_some()
    }
}
