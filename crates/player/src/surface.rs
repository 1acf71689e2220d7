//! Sound, size and fullscreen, the view, clicks of the user; and analytics.

use crate::Settings;
use playsim_api::page::{Activation, Situation};
use playsim_api::{Decimal, EventName, Fields, Outbox, UiLine};
use playsim_base::time::Time;
use playsim_rules::knobs::{KnobReader, PlayActivation};
use playsim_rules::{self as rules, RuleId};

pub(super) mod analytics;
mod click;
pub(super) mod sound;
pub(super) mod view;

use sound::Sound;
use view::View;

/// The sound and the view of a player, and the page around it.
#[derive(Debug, Clone, Hash)]
pub(super) struct Surface {
    /// The parts of the surrounding page that change.
    situation: Situation,
    pub(super) sound: Sound,
    pub(super) view: View,
    /// The elements that were started with transient activation. Rule PLAY-22.
    unlocked: Vec<Sounding>,
}

/// The elements of a player that play with sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Sounding {
    /// The player's own element, which plays the content and the ads of the in-house engine.
    Own,
    /// The element in which a third-party SDK plays its ads.
    OfSdk,
}

/// The lowest percentage that counts as in view: the constant `view.threshold`. Rules OUT-10,
/// VIEW-1.
const IN_VIEW_PERCENT: Decimal = Decimal::from_integer(50);

/// Whether a player counts as in view with this percentage of it in view. Rules OUT-10, VIEW-1.
pub(super) fn is_in_view(percent: Decimal) -> bool {
    percent >= IN_VIEW_PERCENT
}

impl Surface {
    pub(super) fn new(situation: Situation, sound: Sound, view: View) -> Surface {
        Surface {
            situation,
            sound,
            view,
            unlocked: Vec::new(),
        }
    }

    /// Whether the player is in view. Rule VIEW-1.
    pub(super) fn is_in_view(&self) -> bool {
        is_in_view(self.situation.in_view)
    }

    /// Whether the page is hidden. Rule ENV-4.
    pub(super) fn is_hidden(&self) -> bool {
        self.situation.is_hidden
    }

    /// The user has activated the page, or something has consumed that. Rules PLAY-16, PLAY-19,
    /// PLAY-23.
    pub(super) fn note_activation(&mut self, activation: Activation) {
        self.situation.activation = activation;
    }

    /// Whether the page has transient activation. Rule PLAY-22.
    fn is_active(&self, now: Time, knobs: &KnobReader) -> bool {
        self.situation
            .activation
            .is_transient(now, knobs.activation_lasts())
    }

    /// Why the browser does not let this source of sound start, if it does not. Rules PLAY-16,
    /// PLAY-22.
    pub(super) fn play_refusal(
        &self,
        now: Time,
        of: Sounding,
        settings: &Settings,
    ) -> Option<&'static str> {
        let Settings { page, knobs, .. } = settings;
        if !page.requires_gesture(knobs.activation_play()) {
            return None;
        }
        let activation = self.situation.activation;
        let needs_transient = match knobs.activation_play() {
            PlayActivation::Gesture | PlayActivation::Sticky => false,
            PlayActivation::Transient => true,
            PlayActivation::Element => !self.unlocked.contains(&of),
        };
        match activation {
            Activation::Never => Some("there was no user gesture yet"),
            Activation::At(_) | Activation::Consumed if !needs_transient => None,
            Activation::At(_) if self.is_active(now, knobs) => None,
            Activation::At(_) => Some("the user activation has expired"),
            Activation::Consumed => Some("the user activation was consumed"),
        }
    }

    /// An element starts: with transient activation, it may play from then on. Rule PLAY-22.
    pub(super) fn unlock(&mut self, now: Time, of: Sounding, knobs: &KnobReader) {
        if knobs.activation_play() == PlayActivation::Element
            && self.is_active(now, knobs)
            && !self.unlocked.contains(&of)
        {
            self.unlocked.push(of);
        }
    }

    /// Why the browser refuses fullscreen, which needs transient activation by HTML. Rules FS-5,
    /// PLAY-22.
    fn fullscreen_refusal(&self, now: Time, settings: &Settings) -> Option<&'static str> {
        let Settings { page, knobs, .. } = settings;
        let lacks = match knobs.activation_play() {
            PlayActivation::Gesture => !self.situation.activation.is_sticky(),
            PlayActivation::Sticky | PlayActivation::Transient | PlayActivation::Element => {
                !self.is_active(now, knobs)
            }
        };
        if !page.allows_fullscreen {
            Some("the page is not allowed to use fullscreen")
        } else if lacks && page.requires_gesture(knobs.activation_play()) {
            Some("fullscreen requires a user gesture first")
        } else {
            None
        }
    }

    /// Entering fullscreen consumes the activation of the page. Rule PLAY-23.
    fn consume(&mut self, by: &'static str, knobs: &KnobReader, out: &mut Outbox) {
        if knobs.activation_play() != PlayActivation::Gesture && self.is_active(out.now(), knobs) {
            self.situation.activation = Activation::Consumed;
            out.line(
                rules::PLAY_23,
                UiLine::ActivationEnd,
                Fields::one("why", "consumed").with("by", by),
            );
        }
    }

    /// The current width and height. Rules SIZE-1, SIZE-3.
    pub(super) fn pixels(&self) -> (u64, u64) {
        self.view.pixels(self.situation.window)
    }

    /// Changes an input of the size, and fires `playerresize` if the size changes. Rules SIZE-1,
    /// SIZE-3.
    fn change_size(&mut self, change: impl FnOnce(&mut Surface), rule: RuleId, out: &mut Outbox) {
        let before = self.pixels();
        change(self);
        if self.pixels() != before {
            out.event(rule, EventName::PlayerResize);
        }
    }
}
