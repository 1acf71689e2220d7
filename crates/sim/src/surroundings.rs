//! Changes of the page around the players.
//!
//! The window applies to all players, including later ones. How much of a player is in view is kept by
//! container, so that it can be set before the player is created.
//!
//! Rules: ENV-1, ENV-4, SIZE-3, VIEW-2.

use std::sync::Arc;

use super::Simulation;
use super::acts::Found;
use playsim_api::page::Situation;
use playsim_api::{Cause, Decimal, Input, Line, PageChange};
use playsim_rules as rules;
use playsim_scenario::Target;
use playsim_trace::NewLine;

impl Simulation {
    /// Applies a change of the page to its player, or to all. Rule ENV-1.
    pub(super) fn page_changes(&mut self, found: Found, target: &Target, change: PageChange, cause: Cause) {
        let of_all = match change {
            PageChange::Window(width, height) => {
                self.situation.window = (width, height);
                true
            }
            PageChange::Hidden(hidden) => {
                self.situation.is_hidden = hidden;
                true
            }
            PageChange::InView(percent) => {
                self.keep_in_view(&found, target, percent);
                false
            }
            PageChange::Sticky(_) | PageChange::Fullscreen(_) | PageChange::Rate(_) => false,
        };
        let own = found.ok().filter(|_| !of_all);
        let (rule, player) = (Some(rules::ENV_1), own);
        let line = Line::new(change.name(), change.data());
        let line = self.tape.write(self.now, NewLine { cause, rule, player, in_break: None, line });
        for seat in self.seats.indices().filter(|seat| of_all || own == Some(*seat)) {
            self.out.begin(seat, Cause::Line(line), self.now);
            // A change of the page is not a call and cannot fail.
            let _ = self.seats[seat].handle(Input::Page(change), &mut self.out);
            self.after_input(seat);
        }
    }

    /// Returns the state of the page for a player that is created in a container.
    pub(super) fn situation_in(&self, container: &str) -> Situation {
        let kept = self.in_view.iter().find(|(id, _)| **id == *container);
        let in_view = kept.map_or(self.situation.in_view, |(_, percent)| *percent);
        Situation { in_view, ..self.situation }
    }

    fn keep_in_view(&mut self, found: &Found, target: &Target, percent: Decimal) {
        let container = match (found, target) {
            (Ok(seat), _) => &self.seats[*seat].container,
            (Err(_), Target::First) => &self.stage.first,
            (Err(_), Target::Container(id)) => id,
            (Err(_), Target::NoArgument) => return,
        };
        match self.in_view.iter_mut().find(|(id, _)| id == container) {
            Some((_, kept)) => *kept = percent,
            None => self.in_view.push((Arc::clone(container), percent)),
        }
    }
}
