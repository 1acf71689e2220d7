//! The facts about a player and its video that ad breaks and macros in ad URLs use.
//!
//! Rules: MAC-4, EDIT-58.

use super::slot::BreakSlot;
use crate::{Player, Settings};
use playsim_ads::{AdBreak, BreakFacts, Context, Macros, PlayerFacts, Surroundings};
use playsim_api::Outbox;
use playsim_base::time::Time;

impl Player {
    /// Updates the facts for macros before something is passed to a break. Rule MAC-4.
    pub(super) fn note_facts(&mut self, which: BreakSlot, now: Time) {
        let at_break = self
            .break_of(which)
            .map(AdBreak::macro_facts)
            .unwrap_or_default();
        let player = self.macro_facts(now);
        self.breaks.macros.note(player, at_break);
    }

    /// The context in which a break opens, with the facts for macros. Rule MAC-4.
    pub(super) fn lend_to_a_new_break<'a>(&'a mut self, out: &'a mut Outbox) -> Context<'a> {
        let player = self.macro_facts(out.now());
        self.breaks.macros.note(player, BreakFacts::default());
        self.lend(out)
    }

    /// The context of a break for one input.
    pub(super) fn lend<'a>(&'a mut self, out: &'a mut Outbox) -> Context<'a> {
        let size = self.surface.pixels();
        lend(&self.settings, size, &mut self.breaks.macros, out)
    }

    /// An open break with its context for one input.
    pub(super) fn break_and_context<'a>(
        &'a mut self,
        which: BreakSlot,
        out: &'a mut Outbox,
    ) -> Option<(&'a mut AdBreak, Context<'a>)> {
        let size = self.surface.pixels();
        let ad_break = match which {
            BreakSlot::Held => self.state.open_break_mut().map(|open| &mut open.ad_break),
            BreakSlot::Alongside(which) => self.breaks.alongside[which as usize].as_deref_mut(),
            BreakSlot::Ahead(index) => self
                .breaks
                .ahead
                .get_mut(index)
                .map(|ahead| &mut *ahead.ad_break),
        };
        Some((
            ad_break?,
            lend(&self.settings, size, &mut self.breaks.macros, out),
        ))
    }

    fn macro_facts(&self, now: Time) -> PlayerFacts {
        let has_content = self.items.playlist.current().is_some();
        PlayerFacts {
            is_outstream: self.role.is_unit(),
            video_id: self.items.playlist.current().map(|item| item.id.clone()),
            video: self.items.playlist.video().cloned(),
            duration: self.element.length().flatten(),
            media: self.element.source().cloned(),
            position: has_content.then(|| self.element.position(now)),
            autoplay: self.role.plays_by_itself(),
            needs_gesture: self
                .settings
                .page
                .requires_gesture(self.settings.knobs.activation_play()),
            can_fill_screen: self.settings.page.allows_fullscreen,
            size: self.surface.pixels(),
            is_in_view: self.surface.is_in_view(),
            is_hidden: self.surface.is_hidden(),
            is_muted: self.surface.sound.is_muted(),
            began_muted: self.surface.sound.began_muted(),
            is_fullscreen: self.surface.view.is_fullscreen(),
        }
    }
}

fn lend<'a>(
    settings: &'a Settings,
    size: (u64, u64),
    macros: &'a mut Macros,
    out: &'a mut Outbox,
) -> Context<'a> {
    let (knobs, page) = (&settings.knobs, &settings.page);
    let around = Surroundings {
        knobs,
        terms: &page.ads,
        size,
        sides: &page.sides,
    };
    Context {
        around,
        macros,
        out,
    }
}
