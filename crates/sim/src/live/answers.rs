//! Changes the responses of a URL from now on.
//!
//! The responses of a URL are consumed in order, so a change is a new list: the consumed responses,
//! then the new one.
//!
//! Rules: REQ-17, CHN-11.

use std::sync::Arc;

use super::LiveError;
use crate::Simulation;
use crate::stage::Stage;
use playsim_api::Code;
use playsim_scenario::world::World;
use playsim_scenario::{AnswerScript, Scenario};
use playsim_vast as vast;

impl Simulation {
    /// Changes the response to requests that are sent from now on. Requests already in flight keep
    /// their original response.
    ///
    /// A URL that is listed with macros is changed by any URL that fills them.
    ///
    /// # Errors
    ///
    /// If a scenario could not hold the response; if the URL is relative; if it is a new one, and
    /// the trace already says of a request that its URL is not listed.
    pub fn answer(&mut self, url: &str, answer: impl Into<AnswerScript>) -> Result<(), LiveError> {
        let answer = answer.into();
        let fails = |why| {
            Err(LiveError::Answer {
                url: url.into(),
                why,
            })
        };
        if !url.contains("://") {
            return fails("it must be an absolute URL");
        }
        let world = Arc::clone(&self.stage.world);
        let mut network = self.stage.scenario.network.clone();
        if let Some(route) = world.route(url) {
            let Some((listed, answers)) = world.listing(route, &mut network) else {
                return fails(
                    "it is listed as a relative URL, from a document; list the absolute one",
                );
            };
            if !listed.contains("://") {
                return fails("it is listed as a relative URL; list the absolute one");
            }
            let used = self.network.used(&world, url);
            let last = answers.last().cloned();
            answers.resize(used, last.unwrap_or_else(|| answer.clone()));
            answers.push(answer);
        } else if self.has_missed_a_url() {
            return fails(
                "it is not listed, and the trace says so of another URL; list it in the scenario",
            );
        } else if !vast::macros(url).is_empty() && self.network.is_used() {
            return fails(
                "it is a new URL with macros, and others were requested; list it in the scenario",
            );
        } else {
            network.push((url.into(), vec![answer]));
        }
        self.replace_network(Scenario {
            network,
            ..self.stage.scenario.clone()
        })?;
        self.live_mut().has_answered = true;
        Ok(())
    }

    /// Returns whether a URL was requested that is not listed: the diagnostic names the listed URL
    /// that is most like it.
    fn has_missed_a_url(&self) -> bool {
        self.tape
            .records()
            .iter()
            .any(|record| record.is(Code::AddressNotListed))
    }

    /// Plays on with the network of this scenario, in which the responses that were used are the
    /// same.
    fn replace_network(&mut self, scenario: Scenario) -> Result<(), LiveError> {
        scenario.check()?;
        let old = Arc::clone(&self.stage.world);
        let world = World::sharing(scenario.surroundings(), Some(&old));
        self.network.replace(&old, &world);
        let stage: &mut Stage = Arc::make_mut(&mut self.stage);
        (stage.scenario, stage.world) = (scenario, Arc::new(world));
        Ok(())
    }
}
