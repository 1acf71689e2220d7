//! What breaks and ad tags may ask of a player and its video.
//!
//! Rules: EDIT-58, OBS-14 of the rule book's observations; knob `macros`.

use super::*;
use crate::ads::{Macros, TagFacts};
use crate::knobs::MacroSet;

impl Player {
    /// Before a tag may be asked: how things stand for its macros. Knob `macros`.
    pub(super) fn note_tag_facts(&mut self) {
        match self.settings.knobs.macros {
            MacroSet::Off => {}
            MacroSet::Obs => {
                let facts = self.tag_facts();
                self.macros.set_tag_facts(facts);
            }
        }
    }

    fn tag_facts(&self) -> TagFacts {
        let video = self.playlist.video();
        TagFacts {
            video_id: self.playlist.current().map(|item| item.id.clone()),
            title: video.map(|video| video.name.clone()),
            duration: self.element.length().flatten(),
            media: self.element.source().cloned(),
            autoplay: matches!(self.role, Role::Player { autoplay: true }),
            size: self.pixels(),
            is_in_view: self.is_in_view(),
            custom_params: video.map(|video| video.custom_params.clone()).unwrap_or_default(),
        }
    }
}

/// What a break needs from its surroundings: settings, macros, and the size of the player.
pub(super) fn services<'a>(
    settings: &'a Settings,
    macros: &'a mut Macros,
    size: (u64, u64),
) -> AdServices<'a> {
    AdServices { knobs: &settings.knobs, macros, terms: &settings.page.ads, size }
}
