//! Bare media elements: creates them, and runs their tasks.
//!
//! An element's events are delivered like a player's. Tasks of an aborted load are dropped, and
//! promises of `play()` that are settled at once are reported as soon as the current script has
//! run.
//!
//! Rules: MEL-2, MEL-23, CLK-4, INIT-7.

use std::sync::Arc;

use super::Simulation;
use super::seat::{Seat, Unit};
use playsim_api::media::ElementConfig;
use playsim_api::{
    ApiError, Cause, Code, Event, Fields, Line, MakingLine, MediaTask, MediaWork, PlayerIndex,
    Provenance, RequestId, Value,
};
use playsim_element::{ElementInput, ElementSettings, MediaElement};
use playsim_player::Listeners;
use playsim_rules as rules;
use playsim_rules::knobs::PlayActivation;
use playsim_trace::NewLine;

/// The choice of sources by the elements of a page.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sources {
    /// Whether an element may have to choose one before the next listener acts. Rule MEL-2.
    are_due: bool,
    /// Whether a listener runs that only reads, and so has no part in the order of events.
    pub(super) only_reads: bool,
}

impl Simulation {
    /// Creates an element in a container. Rules MEL-2, INIT-7.
    pub(super) fn init_element(
        &mut self,
        container: &Arc<str>,
        config: &ElementConfig,
        cause: Cause,
    ) {
        let seat = self.seats.next_index();
        let args = vec![Value::from(container), Value::Map(described(config))];
        let mut data = Fields::one("args", Value::List(args));
        let is_taken = self
            .seats
            .iter()
            .any(|seat| seat.container == *container && !seat.is_destroyed());
        let mut rule = rules::MEL_2;
        if is_taken {
            let text =
                format!("container \"{container}\" already holds a player or an element").into();
            let error = ApiError {
                code: Code::AlreadyInitialised,
                text,
                rule: rules::INIT_7,
            };
            rule = error.rule;
            data.push("error", error.code.name());
            data.push("text", error.text);
        } else {
            self.out
                .begin(seat, Cause::Line(self.tape.next_seq()), self.now);
            let knobs = &self.stage.knobs;
            let activation = self.page.situation.activation;
            let is_active = match knobs.activation_play() {
                PlayActivation::Gesture | PlayActivation::Sticky => activation.is_sticky(),
                PlayActivation::Transient | PlayActivation::Element => {
                    activation.is_transient(self.now, knobs.activation_lasts())
                }
            };
            let settings = ElementSettings {
                knobs: knobs.clone(),
                requires_gesture: self
                    .stage
                    .scenario
                    .page
                    .requires_gesture(knobs.activation_play())
                    && !is_active,
            };
            let element = MediaElement::new(config.clone(), settings, &mut self.out);
            let unit = Unit::Element(Box::new(element), Listeners::default());
            self.tape.add_player(container.clone());
            self.sit_down(Seat {
                unit,
                container: container.clone(),
                identity: None,
                on_ready: None,
            });
        }
        let player = (!is_taken).then_some(seat);
        let line = Line::new(MakingLine::Element, data);
        self.tape.write(
            self.now,
            NewLine {
                cause,
                rule: Some(rule),
                player,
                in_break: None,
                line,
            },
        );
        if !is_taken {
            self.note_choice(seat);
            self.after_input(seat);
        }
    }

    /// Page code or the user has acted on an element, which may have to choose a source now.
    pub(super) fn note_choice(&mut self, seat: PlayerIndex) {
        if let Unit::Element(element, _) = &self.seats[seat].unit {
            self.sources.are_due |= element.has_choice();
        }
    }

    /// A listener is about to act: elements choose their sources, so that nothing that it causes
    /// comes before what they queue. Rule MEL-2.
    #[inline]
    pub(super) fn settle_sources(&mut self) {
        if std::mem::take(&mut self.sources.are_due) {
            self.choose_sources();
        }
    }

    #[inline(never)]
    fn choose_sources(&mut self) {
        for seat in self.seats.indices() {
            if let Unit::Element(element, _) = &mut self.seats[seat].unit
                && element.has_choice()
            {
                self.out.begin(seat, Cause::Script, self.now);
                element.settle_source(&mut self.out);
                self.after_input(seat);
            }
        }
    }

    /// Whether another load has begun before the request of an element was sent. Rule MEL-23.
    pub(super) fn is_given_up(&self, seat: PlayerIndex, request: RequestId) -> bool {
        self.seats.contains(seat)
            && matches!(&self.seats[seat].unit, Unit::Element(element, _) if !element.awaits(request))
    }

    /// Runs a task of an element. Rules MEL-23, CLK-4.
    pub(super) fn deliver_media(&mut self, from: Provenance, task: MediaTask) {
        let seat = from.player;
        let Unit::Element(element, _) = &self.seats[seat].unit else {
            return;
        };
        if !element.is_current(task) {
            return;
        }
        match task.work {
            MediaWork::Event(name) => self.deliver_event(from, Event::from(name)),
            MediaWork::TimeUpdates(updates) => self.deliver_updates(seat, from.because, updates),
            MediaWork::Step(step) => {
                let cause = self
                    .tape
                    .resolved(from.because.cause)
                    .map_or(Cause::Script, Cause::Line);
                self.out.begin(seat, cause, self.now);
                if let Unit::Element(element, _) = &mut self.seats[seat].unit {
                    // A task is not a call and cannot fail.
                    let _ = element.handle(ElementInput::Step(step), &mut self.out);
                    element.checkpoint(&mut self.out);
                }
                self.after_input(seat);
            }
        }
    }

    /// Performs the checkpoint after a script: reports promises of `play()` that are settled,
    /// before anything else. Within a task of the page, the script has not ended yet.
    pub(super) fn checkpoint(&mut self) {
        if self.is_in_task {
            return;
        }
        for player in self.seats.indices() {
            if let Unit::Element(element, _) = &mut self.seats[player].unit {
                self.out.address(player);
                element.checkpoint(&mut self.out);
            }
        }
    }
}

/// Returns the content attributes that are set.
fn described(config: &ElementConfig) -> Fields {
    let ElementConfig {
        source,
        preload,
        autoplay,
        looping,
        muted,
    } = config;
    let mut fields = Fields::NONE.with_some("src", source.as_ref());
    fields.push("preload", preload.word());
    for (name, is_set) in [("autoplay", autoplay), ("loop", looping), ("muted", muted)] {
        if *is_set {
            fields.push(name, true);
        }
    }
    fields
}
