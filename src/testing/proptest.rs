//! Scenarios for the `proptest` crate, with the structural shrinker instead of its own.

use proptest::arbitrary::any;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::drawn::scenario;
use super::options::Options;
use super::shrink::Shrinker;
use super::source::Source;
use crate::scenario::Scenario;

/// A strategy that draws scenarios.
#[derive(Debug, Clone)]
pub struct Sessions(Options);

/// Returns a strategy that draws scenarios, and shrinks them part by part.
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
    type Value = Scenario;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Sessions> {
        let seed = any::<u64>().new_tree(runner)?.current();
        let source = &mut Source::from_seed(seed);
        Ok(SessionTree { shrinker: Shrinker::new(scenario(source, &self.0)), proposed: None })
    }
}

impl SessionTree {
    fn propose(&mut self) -> bool {
        self.proposed = self.shrinker.propose();
        self.proposed.is_some()
    }
}

impl ValueTree for SessionTree {
    type Value = Scenario;

    fn current(&self) -> Scenario {
        self.proposed.as_ref().unwrap_or(self.shrinker.smallest()).clone()
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
    use crate::knobs::Knobs;

    #[test]
    fn a_failing_case_shrinks_to_the_step_that_matters() {
        let config = Config { failure_persistence: None, max_shrink_iters: u32::MAX, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRunner::deterministic().new_rng());
        let result = runner.run(&sessions(Options::default()), |scenario| {
            let stops = scenario.to_json().contains("\"stop\"");
            if stops { Err(proptest::test_runner::TestCaseError::fail("it stops")) } else { Ok(()) }
        });
        let Err(TestError::Fail(_, small)) = result else { panic!("{result:?}") };
        assert_eq!((small.steps.len(), small.network.len(), small.videos.len()), (1, 0, 0));
        assert_eq!(small.knobs, Knobs::default());
    }
}
