//! Tasks of the page, and the clock as somebody outside sees it.
//!
//! A task is one input: what its page code causes is delivered when it ends. It stays open until it
//! is ended, or until anything else is played.
//!
//! Rules: CLK-2, CLK-5, CLK-7, CLK-13.

use std::sync::Arc;

use super::functions::{OpenTask, PagePart, PageScope, for_player};
use super::{Live, LiveError};
use crate::outcome::Stop;
use crate::stage::{Stage, header};
use crate::{AgendaItem, Next, Simulation};
use playsim_api::{Class, Outcome, PlayerIndex};
use playsim_base::time::Time;
use playsim_scenario::{Step, StepAct, Target, Trigger, Until};

impl Simulation {
    /// Runs page code as one task of the page, and delivers what it causes.
    ///
    /// # Errors
    ///
    /// If the run is over.
    pub fn task<T>(&mut self, run: impl FnOnce(&mut PageScope<'_>) -> T) -> Result<T, LiveError> {
        self.end_task();
        let value = self.in_task(run)?;
        self.end_task();
        Ok(value)
    }

    /// Runs page code in the open task of the page, and begins one if there is none. It stays open
    /// until [`Simulation::end_task`], or until anything else is played.
    ///
    /// # Errors
    ///
    /// If the run is over.
    pub fn in_task<T>(
        &mut self,
        run: impl FnOnce(&mut PageScope<'_>) -> T,
    ) -> Result<T, LiveError> {
        let task = match self.live.as_ref().and_then(|live| live.task) {
            Some(task) => task,
            None => self.begin_task()?,
        };
        Ok(run(&mut PageScope {
            simulation: self,
            part: PagePart::Task(task),
        }))
    }

    /// Ends the open task of the page, if there is one, and delivers what it caused.
    pub fn end_task(&mut self) {
        let Some(OpenTask { step, .. }) = self.live.as_mut().and_then(|live| live.task.take())
        else {
            return;
        };
        self.is_in_task = false;
        self.checkpoint();
        self.drain();
        let turns = self.budget.turns();
        let live = self.live_mut();
        live.turns_after_act = turns;
        live.shorten(step);
    }

    /// Returns whether a task of the page is open.
    #[must_use]
    pub fn has_open_task(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.task.is_some())
    }

    /// Returns when the next thing is due; `None` if nothing is. What an open task causes is due
    /// now.
    #[must_use]
    pub fn next_due(&self) -> Option<Time> {
        if self.has_open_task() {
            return Some(self.now);
        }
        if !self.may_continue() {
            return None;
        }
        self.next()
            .map(|(Next::Agenda(at) | Next::Seat(at, _))| at)
            .filter(|at| *at <= self.end())
    }

    /// Ends the open task, then plays one input that is due up to an instant, with all that it
    /// causes. Returns whether there was one; if not, the clock is at that instant.
    pub fn turn_until(&mut self, at: Time) -> bool {
        let end = self.end().min(at);
        self.resume();
        if self.turn(end) {
            return true;
        }
        if self.may_continue() {
            self.stopped = None;
            self.move_to(end);
        }
        false
    }

    /// Returns how the run has ended; `None` while more can happen. Rules CLK-6, CLK-7, CLK-12.
    #[must_use]
    pub fn outcome(&self) -> Option<(Outcome, Option<&'static str>)> {
        let (outcome, limit, _) = match self.stopped {
            Some(stopped) => stopped.words(),
            None if self.now >= self.end() => Stop::Until.words(),
            None => return None,
        };
        Some((outcome, limit))
    }

    /// Returns the container of a player or element.
    #[must_use]
    pub fn container(&self, player: PlayerIndex) -> Option<&Arc<str>> {
        self.tape.players().get(usize::from(player.0))
    }

    /// Returns a copy of this run that ends now. Its [`Simulation::run`] is the trace so far, and
    /// its [`Simulation::to_scenario`] plays to that trace, unless a task of the page or a function
    /// is running: nothing that is still waiting is delivered, and no function is called.
    #[must_use]
    pub fn ending_now(&self) -> Simulation {
        let mut run = self.clone();
        run.is_in_task = false;
        if !run.may_continue() {
            return run;
        }
        let is_idle = run.next().is_none() && run.out.is_empty();
        let is_at_rest = run
            .next()
            .is_none_or(|(Next::Agenda(at) | Next::Seat(at, _))| at > run.now);
        run.stopped = Some(if is_idle { Stop::Idle } else { Stop::Until });
        if !is_idle {
            let stage: &mut Stage = Arc::make_mut(&mut run.stage);
            stage.scenario.until = if is_at_rest {
                Until::At(run.now)
            } else {
                Until::Line {
                    at: run.now,
                    line: run.tape.next_seq().saturating_sub(1),
                }
            };
            stage.header = header(&stage.given());
            let data = stage.header.clone();
            run.tape.set_header(data);
        }
        run
    }

    /// The task on the agenda begins.
    pub(crate) fn task_begins(&mut self) {
        self.is_in_task = true;
    }

    /// Puts a task on the agenda and plays what comes before it.
    fn begin_task(&mut self) -> Result<OpenTask, LiveError> {
        let step = StepAct::Task(Vec::new());
        let at = self.next_instant(&step);
        if at > self.end() || !self.may_continue() {
            return Err(LiveError::Over);
        }
        self.stopped = None;
        let step = self.keep(Step {
            trigger: Trigger::At(at),
            act: step,
            player: Target::First,
        });
        self.agenda.plan(at, Class::Action, AgendaItem::PageTask);
        while !self.is_in_task {
            if !self.begin_turn(at) {
                return Err(LiveError::Over);
            }
            if !self.is_in_task {
                self.drain();
            }
        }
        let task = OpenTask {
            step,
            has_player: false,
        };
        let seq = self.tape.next_seq();
        let live = self.live_mut();
        (live.task, live.unseen) = (Some(task), seq);
        Ok(task)
    }

    /// Keeps an act of the open task for the saved scenario. Returns how it is written there, and
    /// the player that the task is for.
    pub(super) fn keep_in_task(
        &mut self,
        task: &mut OpenTask,
        act: StepAct,
        player: Target,
    ) -> (StepAct, Target) {
        let live = self.live_mut();
        let step = &mut live.steps[task.step];
        if !task.has_player && act.is_for_a_player() {
            (task.has_player, step.player) = (true, player.clone());
            live.task = Some(*task);
        }
        let step = &mut live.steps[task.step];
        let act = if step.player == player {
            act
        } else {
            for_player(act, player)
        };
        if let StepAct::Task(acts) = &mut step.act {
            acts.push(act.clone());
        }
        (act, step.player.clone())
    }

    /// Whether only the end of the played time has stopped the run, or nothing has.
    pub(crate) fn may_continue(&self) -> bool {
        matches!(self.stopped, None | Some(Stop::Idle | Stop::Until))
    }

    /// Forgets that there was nothing to play, since there may be now.
    fn resume(&mut self) {
        if self.may_continue() {
            self.stopped = None;
        }
    }
}

impl Live {
    /// A task of one act is a plain step, and one of none is no step. An initialiser stays a task,
    /// as a step would be joined with those that follow it. Rule INIT-11.
    fn shorten(&mut self, step: usize) {
        let is_last = step + 1 == self.steps.len();
        let StepAct::Task(acts) = &mut self.steps[step].act else {
            return;
        };
        if acts.is_empty() && is_last {
            self.steps.pop();
        } else if let [act] = &acts[..]
            && act.is_for_a_player()
            && !act.binds()
            && let Some(act) = acts.pop()
        {
            self.steps[step].act = act;
        }
    }
}
