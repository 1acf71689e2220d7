//! Changes of the page around the players.
//!
//! The window applies to all players, including later ones. How much of a player is in view is kept
//! by container, so that it can be set before the player is created.
//!
//! Rules: ENV-1, ENV-4, FS-8, SIZE-3, VIEW-2, DESTROY-4, INIT-21.

use std::sync::Arc;

use super::Simulation;
use super::acts::Found;
use super::digest::LineNumber;
use playsim_api::page::{Container, Situation};
use playsim_api::{Cause, Decimal, Fields, Input, Line, PageChange, PageLine, PlayerIndex, Value};
use playsim_rules as rules;
use playsim_scenario::{Step, Target};
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
    /// The players that have entered fullscreen and not left it. The last one is the fullscreen
    /// element, which covers the others. Rule FS-8.
    fullscreen: Vec<PlayerIndex>,
    /// What page code keeps, by name.
    kept: Vec<(Arc<str>, Value)>,
    /// Containers that `destroy` has removed. Rule DESTROY-4.
    removed: Vec<Arc<str>>,
    /// Containers that the page has put in place, and that were not there at the start. Rule
    /// INIT-21.
    put: Vec<Container>,
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
            fullscreen: Vec::new(),
            kept: Vec::new(),
            removed: Vec::new(),
            put: Vec::new(),
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

    /// Keeps a value of page code.
    pub(super) fn keep(&mut self, name: &Arc<str>, value: Value) {
        match self.kept.iter_mut().find(|(known, _)| known == name) {
            Some((_, kept)) => *kept = value,
            None => self.kept.push((Arc::clone(name), value)),
        }
    }

    /// Returns a value that page code has kept; undefined if there is none of this name.
    pub(super) fn kept(&self, name: &str) -> Value {
        let kept = self.kept.iter().find(|(known, _)| **known == *name);
        kept.map_or(Value::Undefined, |(_, value)| value.clone())
    }

    fn keep_in_view(&mut self, container: &Arc<str>, percent: Decimal) {
        match self.in_view.iter_mut().find(|(id, _)| id == container) {
            Some((_, kept)) => *kept = percent,
            None => self.in_view.push((Arc::clone(container), percent)),
        }
    }

    /// Removes a container from the page. Rule DESTROY-4.
    pub(super) fn remove(&mut self, container: &Arc<str>) {
        if !self.removed.contains(container) {
            self.removed.push(Arc::clone(container));
        }
    }

    /// Returns a container, if it is on the page now; `first` are those of the start.
    pub(super) fn container<'a>(
        &'a self,
        first: &'a [Container],
        id: &str,
    ) -> Option<&'a Container> {
        self.containers(first)
            .find(|container| *container.id == *id)
    }

    /// The containers that are on the page now; `first` are those of the start.
    fn containers<'a>(&'a self, first: &'a [Container]) -> impl Iterator<Item = &'a Container> {
        let all = first.iter().chain(&self.put);
        all.filter(|container| !self.removed.contains(&container.id))
    }
}

impl Simulation {
    /// The ids of the containers that are on the page now.
    pub fn containers(&self) -> impl Iterator<Item = &str> {
        let containers = self.page.containers(&self.stage.scenario.page.containers);
        containers.map(|container| &*container.id)
    }

    /// The page puts an element in place that can hold a player. Rule INIT-21.
    pub(super) fn put_container(&mut self, id: &Arc<str>, cause: Cause) {
        let first = &self.stage.scenario.page.containers;
        let is_known = |container: &Container| container.id == *id;
        if !first.iter().chain(&self.page.put).any(is_known) {
            self.page.put.push(Container {
                id: Arc::clone(id),
                player_class: true,
            });
        }
        self.page.removed.retain(|removed| removed != id);
        let line = Line::new(PageLine::Container, Fields::one("id", id));
        let line = NewLine {
            cause,
            rule: Some(rules::INIT_21),
            player: None,
            in_break: None,
            line,
        };
        self.tape.write(self.now, line);
    }

    /// Applies a change of the page to its player, or to all. Rule ENV-1.
    pub(super) fn page_changes(
        &mut self,
        found: Found,
        target: &Target,
        change: PageChange,
        cause: Cause,
    ) {
        let was_hidden = self.page.situation.is_hidden;
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
        let one = if change == PageChange::Fullscreen(false) {
            // Whichever player the step names, it is the page that leaves fullscreen. FS-8
            std::mem::take(&mut self.page.fullscreen).pop()
        } else {
            own
        };
        for seat in self
            .seats
            .indices()
            .filter(|seat| of_all || one == Some(*seat))
        {
            self.out.begin(seat, Cause::Line(line), self.now);
            // A change of the page is not a call and cannot fail.
            let _ = self.seats[seat].handle(Input::Page(change), &mut self.out);
            self.after_input(seat);
            self.settle_fullscreen(seat, line);
        }
        if self.page.situation.is_hidden != was_hidden {
            self.visibility_changes(line);
        }
    }

    /// The steps at a change of visibility act.
    fn visibility_changes(&mut self, line: u32) {
        let stage = Arc::clone(&self.stage);
        for number in &stage.visibility {
            let Step { act, player, .. } = &stage.scenario.steps[*number];
            if !self.counts_acts(std::slice::from_ref(act)) {
                return;
            }
            self.act_as(act, player, None, true, Cause::Line(line));
        }
    }

    /// A player may have entered or left fullscreen, as this line says, or was destroyed: the one
    /// that had the screen before is covered, or comes back. Rule FS-8.
    pub(super) fn settle_fullscreen(&mut self, seat: PlayerIndex, line: u32) {
        let fills = self.seats[seat].is_fullscreen();
        let before = self.page.fullscreen.last().copied();
        if fills == (before == Some(seat)) {
            return;
        }
        let seats = &self.seats;
        let still_there = |other: &PlayerIndex| *other != seat && !seats[*other].is_destroyed();
        self.page.fullscreen.retain(still_there);
        let other = self.page.fullscreen.last().copied();
        if fills {
            self.page.fullscreen.push(seat);
        }
        if let Some(other) = other {
            self.out.begin(other, Cause::Line(line), self.now);
            self.seats[other].note_fullscreen(!fills, &mut self.out);
            self.after_input(other);
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
