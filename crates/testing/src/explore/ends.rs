//! How a way ends: its outcome, and which laws it breaks.

use playsim_scenario::{Scenario, Until};
use playsim_sim::Simulation;
use playsim_trace::Trace;

use super::walk::Walker;
use super::way::{End, Known, Point};
use crate::laws::{Law, OF_TRACES, OWN, PLAYABLE};
use crate::played::{Played, Why, caught};

impl Walker<'_> {
    /// Judges the end of a way, or where one is cut that goes on and on, with its lines until then.
    pub(super) fn end(&self, point: Point, cut: Option<(u128, u128)>, known: &dyn Known) -> End {
        let Point { run, history, .. } = point;
        let (order, outcome) = cut.unwrap_or((history.order, history.outcome));
        let trace = caught(|| {
            if run.next_due().is_none() {
                return Ok(run.run());
            }
            Ok(Simulation::new(&self.cut(run.to_scenario()))?.run())
        });
        let trace = match trace {
            Ok(trace) => trace,
            Err(why) => {
                return End {
                    order,
                    outcome: 0,
                    broken: Some(vec![(PLAYABLE, why)]),
                };
            }
        };
        let outcome = outcome.wrapping_add(last_states(&trace));
        let broken = (!known.is_judged(order)).then(|| self.judge(&trace));
        End {
            order,
            outcome,
            broken,
        }
    }

    /// Returns the laws that a trace breaks, that of the caller among them.
    fn judge(&self, trace: &Trace) -> Vec<(&'static Law, Why)> {
        let mut broken = judge(self.scenario, trace);
        let own = caught(|| {
            (self.own)(trace).map_err(|text| Why {
                kind: text.clone(),
                text,
            })
        })
        .err();
        broken.extend(own.map(|why| (OWN, why)));
        broken
    }

    /// Returns a scenario that goes on and on, with an end.
    pub(super) fn cut(&self, scenario: Scenario) -> Scenario {
        Scenario {
            until: Until::At(self.horizon),
            ..scenario
        }
    }
}

/// Returns the laws that a trace breaks, the scenario's own expectations among them.
pub(super) fn judge(scenario: &Scenario, trace: &Trace) -> Vec<(&'static Law, Why)> {
    let played = Played {
        scenario,
        trace,
        prepared: None,
    };
    OF_TRACES
        .iter()
        .filter_map(|law| Some((law, caught(|| law.find(&played, false)).err()?)))
        .collect()
}

/// Returns a digest of the last state of each player.
pub(super) fn last_states(trace: &Trace) -> u128 {
    let last = trace.records.last();
    let states = last.and_then(|record| record.data.get("states"));
    let text = states.map(ToString::to_string).unwrap_or_default();
    xxhash_rust::xxh3::xxh3_128(text.as_bytes())
}
