//! Scenarios for the `proptest` crate, with the structural shrinker instead of its own.

use proptest::arbitrary::any;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::drawn::scenario;
use super::options::Options;
use super::session::Session;
use super::shrink::Shrinker;
use super::source::Source;
use playsim_scenario::Scenario;

/// A strategy that draws scenarios.
#[derive(Debug, Clone)]
pub struct Sessions(Options);

/// Returns a strategy that draws scenarios, and shrinks them part by part. Each of them can be
/// played, the smaller ones, too, unless they go around one that cannot.
#[must_use]
pub fn sessions(options: Options) -> Sessions {
    Sessions(options)
}

/// A scenario, and the smaller ones that follow from it.
#[derive(Debug, Clone)]
pub struct SessionTree {
    shrinker: Shrinker,
    /// The scenario whose outcome is not known yet, unless that is the smallest so far.
    proposed: Option<Scenario>,
}

impl Strategy for Sessions {
    type Tree = SessionTree;
    type Value = Session;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Sessions> {
        let seed = any::<u64>().new_tree(runner)?.current();
        let source = &mut Source::from_seed(seed);
        Ok(SessionTree {
            shrinker: Shrinker::new(scenario(source, &self.0)),
            proposed: None,
        })
    }
}

impl SessionTree {
    fn propose(&mut self) -> bool {
        self.proposed = self.shrinker.propose();
        self.proposed.is_some()
    }
}

impl ValueTree for SessionTree {
    type Value = Session;

    fn current(&self) -> Session {
        Session(
            self.proposed
                .as_ref()
                .unwrap_or(self.shrinker.smallest())
                .clone(),
        )
    }

    fn simplify(&mut self) -> bool {
        if let Some(failed) = self.proposed.take() {
            self.shrinker.keep(failed);
        }
        self.propose()
    }

    fn complicate(&mut self) -> bool {
        self.propose()
    }
}

#[cfg(test)]
mod tests {
    use proptest::test_runner::{Config, TestError};

    use super::*;
    use playsim_rules::knobs::Knobs;
    use playsim_sim::Simulation;

    #[test]
    fn a_failing_case_shrinks_to_the_step_that_matters() {
        let config = Config {
            failure_persistence: None,
            max_shrink_iters: u32::MAX,
            ..Config::default()
        };
        let mut runner = TestRunner::new_with_rng(config, TestRunner::deterministic().new_rng());
        let result = runner.run(&sessions(Options::default()), |scenario| {
            let stops = scenario.to_json().contains("\"stop\"");
            if stops {
                Err(proptest::test_runner::TestCaseError::fail("it stops"))
            } else {
                Ok(())
            }
        });
        let Err(TestError::Fail(_, small)) = result else {
            panic!("{result:?}")
        };
        assert_eq!(
            (small.steps.len(), small.network.len(), small.videos.len()),
            (1, 0, 0)
        );
        assert_eq!(small.knobs, Knobs::default());
        let printed = format!("{small:?}");
        let none = &mut |path: &str| panic!("it needs no file {path}");
        assert_eq!(
            playsim_scenario::read("small.yaml", &printed, none).expect("it is a file"),
            *small
        );
    }

    /// A property may prepare what it gets without a check.
    #[test]
    fn what_is_proposed_can_be_played() {
        let mut runner = TestRunner::deterministic();
        for _ in 0..20 {
            let mut tree = sessions(Options::default()).new_tree(&mut runner).unwrap();
            let has_ads = |session: &Session| session.to_json().contains("adType");
            let mut fails = has_ads(&tree.current());
            while if fails {
                tree.simplify()
            } else {
                tree.complicate()
            } {
                let session = tree.current();
                Simulation::new(&session).unwrap_or_else(|error| panic!("{error}\n{session:?}"));
                fails = has_ads(&session);
            }
        }
    }
}
