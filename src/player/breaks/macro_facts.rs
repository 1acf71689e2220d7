//! What ad breaks and macros in ad URLs need to know of a player and its video.
//!
//! Rules: MAC-4, EDIT-58.

use super::outstream::Role;
use super::slot::BreakSlot;
use crate::ads::{AdBreak, BreakFacts, Context, Macros, PlayerFacts, Surroundings};
use crate::api::Outbox;
use crate::player::{Player, Settings};
use crate::time::Time;

impl Player {
    /// Updates the facts for macros before something is passed to a break. Rule MAC-4.
    pub(in crate::player) fn note_facts(&mut self, which: BreakSlot, now: Time) {
        let at_break = self.break_of(which).map(AdBreak::macro_facts).unwrap_or_default();
        let player = self.macro_facts(now);
        self.macros.note(player, at_break);
    }

    /// Updates the facts for macros before a break opens. Rule MAC-4.
    pub(super) fn note_facts_of_a_new_break(&mut self, now: Time) {
        let player = self.macro_facts(now);
        self.macros.note(player, BreakFacts::default());
    }

    fn macro_facts(&self, now: Time) -> PlayerFacts {
        let has_content = self.playlist.current().is_some();
        PlayerFacts {
            is_outstream: self.is_unit(),
            video_id: self.playlist.current().map(|item| item.id.clone()),
            video: self.playlist.video().cloned(),
            duration: self.element.length().flatten(),
            media: self.element.source().cloned(),
            position: has_content.then(|| self.element.position(now)),
            autoplay: matches!(self.role, Role::Player { autoplay: true }),
            needs_gesture: self.settings.page.requires_gesture(),
            can_fill_screen: self.settings.page.allows_fullscreen,
            size: self.pixels(),
            is_in_view: self.is_in_view(),
            is_hidden: self.situation.is_hidden,
            is_muted: self.is_muted(),
            began_muted: self.began_muted(),
            is_fullscreen: self.is_fullscreen(),
        }
    }
}

/// What a break is lent for one input.
pub(in crate::player) fn lend<'a>(
    now: Time,
    settings: &'a Settings,
    size: (u64, u64),
    macros: &'a mut Macros,
    out: &'a mut Outbox,
) -> Context<'a> {
    let (knobs, page) = (&settings.knobs, &settings.page);
    let around = Surroundings { knobs, terms: &page.ads, size, sides: &page.sides };
    Context { now, around, macros, out }
}
