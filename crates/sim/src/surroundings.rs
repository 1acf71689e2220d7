//! Changes of the page around the players.
//!
//! The window applies to all players, including later ones. How much of a player is in view is kept
//! by container, so that it can be set before the player is created.
//!
//! Rules: ENV-1, ENV-4, SIZE-3, VIEW-2.

use std::sync::Arc;

use super::Simulation;
use super::acts::Found;
use super::digest::LineNumber;
use playsim_api::page::Situation;
use playsim_api::{Cause, Decimal, Input, Line, PageChange};
use playsim_rules as rules;
use playsim_scenario::Target;
use playsim_trace::NewLine;

/// The state of the page around the players.
#[derive(Debug, Clone, Hash)]
pub(super) struct PageState {
    pub(super) situation: Situation,
    /// The line of the user that has activated the page, while that activation is transient. Rule
    /// PLAY-23.
    pub(super) activated_by: Option<LineNumber>,
    /// How much of the player in a container is in view, if a step has set it. Rule VIEW-2.
    in_view: Vec<(Arc<str>, Decimal)>,
    /// Containers that `destroy` has removed. Rule DESTROY-4.
    removed: Vec<Arc<str>>,
    /// Whether the diagnostic that `destroy(true)` keeps the container was already written. Rule
    /// CON-8.
    pub(super) reported_destroy_true: bool,
}

impl PageState {
    pub(super) fn new(situation: Situation) -> PageState {
        PageState {
            situation,
            activated_by: None,
            in_view: Vec::new(),
            removed: Vec::new(),
            reported_destroy_true: false,
        }
    }

    /// Returns the state of the page for a player that is created in a container.
    pub(super) fn situation_in(&self, container: &str) -> Situation {
        let kept = self.in_view.iter().find(|(id, _)| **id == *container);
        let in_view = kept.map_or(self.situation.in_view, |(_, percent)| *percent);
        Situation {
            in_view,
            ..self.situation
        }
    }

    fn keep_in_view(&mut self, container: &Arc<str>, percent: Decimal) {
        match self.in_view.iter_mut().find(|(id, _)| id == container) {
            Some((_, kept)) => *kept = percent,
            None => self.in_view.push((Arc::clone(container), percent)),
        }
    }

    /// Removes a container from the page. Rule DESTROY-4.
    pub(super) fn remove(&mut self, container: &Arc<str>) {
        self.removed.push(Arc::clone(container));
    }

    /// Returns whether a container was removed from the page.
    pub(super) fn is_removed(&self, container: &str) -> bool {
        self.removed.iter().any(|removed| **removed == *container)
    }
}

impl Simulation {
    /// Applies a change of the page to its player, or to all. Rule ENV-1.
    pub(super) fn page_changes(
        &mut self,
        found: Found,
        target: &Target,
        change: PageChange,
        cause: Cause,
    ) {
        let of_all = match change {
            PageChange::Window(width, height) => {
                self.page.situation.window = (width, height);
                true
            }
            PageChange::Hidden(hidden) => {
                self.page.situation.is_hidden = hidden;
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
        let line = self.tape.write(
            self.now,
            NewLine {
                cause,
                rule,
                player,
                in_break: None,
                line,
            },
        );
        for seat in self
            .seats
            .indices()
            .filter(|seat| of_all || own == Some(*seat))
        {
            self.out.begin(seat, Cause::Line(line), self.now);
            // A change of the page is not a call and cannot fail.
            let _ = self.seats[seat].handle(Input::Page(change), &mut self.out);
            self.after_input(seat);
        }
    }

    fn keep_in_view(&mut self, found: &Found, target: &Target, percent: Decimal) {
        let container = match (found, target) {
            (Ok(seat), _) => &self.seats[*seat].container,
            (Err(_), Target::First) => &self.stage.first,
            (Err(_), Target::Container(id)) => id,
            (Err(_), Target::NoArgument) => return,
        };
        self.page.keep_in_view(container, percent);
    }
}
