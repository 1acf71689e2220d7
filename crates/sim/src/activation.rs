//! The activation of the page by the user: which players are notified, and when it ends.
//!
//! Rules: PLAY-16, PLAY-22, PLAY-23.

use super::digest::LineNumber;
use super::{AgendaItem, Simulation};
use playsim_api::page::Activation;
use playsim_api::{Cause, Class, Fields, Line, UiLine};
use playsim_rules as rules;
use playsim_rules::knobs::{KnobReader, PlayActivation};
use playsim_trace::NewLine;

impl Simulation {
    /// The user activates the page with this line, or the activation is consumed; all players are
    /// notified.
    pub(super) fn activate(&mut self, activation: Activation, line: u32) {
        self.page.situation.activation = activation;
        for seat in self.seats.iter_mut() {
            seat.note_activation(activation);
        }
        if activation == Activation::Consumed {
            self.page.activated_by = None;
            self.lock_elements();
        }
        if let Activation::At(at) = activation
            && ends(&self.stage.knobs)
        {
            let line = LineNumber(line);
            let lasts = self.stage.knobs.activation_lasts();
            // Before anything that a player does at that instant.
            self.agenda
                .insert(at + lasts, Class::Net, AgendaItem::ActivationEnds(line));
            self.page.activated_by = Some(line);
        }
    }

    /// The transient activation by this line expires, unless a later gesture has renewed it or it
    /// was consumed.
    pub(super) fn activation_expires(&mut self, line: LineNumber) {
        if self.page.activated_by != Some(line) {
            return;
        }
        self.page.activated_by = None;
        self.lock_elements();
        self.write_activation_end(Fields::one("why", "expired"), Cause::Line(line.0));
    }

    /// Bare elements need a new activation.
    fn lock_elements(&mut self) {
        let play = self.stage.knobs.activation_play();
        if self.stage.scenario.page.requires_gesture(play) {
            for seat in self.seats.iter_mut() {
                seat.end_activation(play);
            }
        }
    }

    /// A player has written that something consumes the activation of the page, or that another
    /// page opens, which does.
    pub(super) fn consumes_activation(&mut self, line: UiLine, written: u32) {
        let knobs = &self.stage.knobs;
        if !ends(knobs) {
            return;
        }
        let is_active = self
            .page
            .situation
            .activation
            .is_transient(self.now, knobs.activation_lasts());
        match line {
            UiLine::ActivationEnd => self.activate(Activation::Consumed, written),
            UiLine::Navigate if is_active => {
                self.activate(Activation::Consumed, written);
                let data = Fields::one("why", "consumed").with("by", "navigate");
                self.write_activation_end(data, Cause::Line(written));
            }
            UiLine::Navigate
            | UiLine::Companion
            | UiLine::EndCard
            | UiLine::Gone
            | UiLine::Icon
            | UiLine::IconFallback
            | UiLine::Overlay
            | UiLine::Poster
            | UiLine::Shown
            | UiLine::Skin
            | UiLine::Unit => {}
        }
    }

    fn write_activation_end(&mut self, data: Fields, cause: Cause) {
        let (rule, line) = (Some(rules::PLAY_23), Line::new(UiLine::ActivationEnd, data));
        self.tape.write(
            self.now,
            NewLine {
                cause,
                rule,
                player: None,
                in_break: None,
                line,
            },
        );
        self.last_change = self.now;
    }
}

/// Whether it matters how long an activation lasts. Rule PLAY-19.
fn ends(knobs: &KnobReader) -> bool {
    knobs.activation_play() != PlayActivation::Gesture
}
