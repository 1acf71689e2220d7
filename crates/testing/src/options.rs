//! The options of random scenarios.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::feature::{Feature, Features};
use super::played::{caught, play};
use super::vary::Vary;
use playsim_base::time::{Span, Time};
use playsim_rules::knobs::Profiles;
use playsim_scenario::{Scenario, Until};
use playsim_sim::MAX_TIME;

/// The options of random scenarios. By default every feature and every profile may occur.
///
/// ```
/// use playsim::testing::{Feature, Options, Source, Vary, scenario};
///
/// let options = Options::default().features([Feature::Ads, Feature::Late]).steps(1..=8);
/// let drawn = scenario(&mut Source::from_seed(7), &options);
/// // The same ads and media, other steps.
/// let around = Options::default().around(&drawn, Vary::Steps);
/// let varied = scenario(&mut Source::from_seed(8), &around);
/// assert_eq!((&varied.network, &varied.media), (&drawn.network, &drawn.media));
/// ```
#[derive(Debug, Clone)]
pub struct Options {
    pub(super) features: Features,
    /// `None`: as the features say. Never empty.
    pub(super) profiles: Option<Vec<Profiles>>,
    pub(super) steps: Option<RangeInclusive<usize>>,
    pub(super) base: Option<(Arc<Scenario>, Vary)>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            features: Features::ALL,
            profiles: None,
            steps: None,
            base: None,
        }
    }
}

/// The most steps that are drawn for one scenario.
pub const MAX_STEPS: usize = 10_000;

/// More than a scenario needs that has no end of its own.
pub(super) fn end(base: &Scenario) -> Time {
    let trace = caught(|| play(base)).ok();
    let last = trace.and_then(|trace| trace.records.last().map(|last| last.at - Time::ZERO));
    // A live stream never ends.
    let taken = last
        .filter(|last| Time::ZERO + *last < MAX_TIME)
        .unwrap_or_default();
    Time::ZERO + taken.times(2) + Span::from_secs(60)
}

impl Options {
    /// Only these features occur, each in some of the scenarios.
    #[must_use]
    pub fn features(mut self, features: impl IntoIterator<Item = Feature>) -> Options {
        self.features = Features::of(features);
        self
    }

    /// A feature never occurs.
    #[must_use]
    pub fn without(mut self, feature: Feature) -> Options {
        self.features = self.features.without(feature);
        self
    }

    /// Every scenario has one of these profiles, also where it varies another one, whose own knobs
    /// are set on top. Without any, profiles are drawn as by default.
    #[must_use]
    pub fn profiles(mut self, profiles: impl IntoIterator<Item = impl Into<Profiles>>) -> Options {
        let chosen: Vec<Profiles> = profiles.into_iter().map(Into::into).collect();
        self.profiles = (!chosen.is_empty()).then_some(chosen);
        self
    }

    /// The number of steps that are drawn, in addition to those that create players; at most
    /// [`MAX_STEPS`]. An empty range counts as its start.
    #[must_use]
    pub fn steps(mut self, steps: RangeInclusive<usize>) -> Options {
        self.steps = Some((*steps.start()).min(MAX_STEPS)..=(*steps.end()).min(MAX_STEPS));
        self
    }

    /// The scenario that is varied, if one is.
    #[must_use]
    pub fn base(&self) -> Option<&Scenario> {
        self.base.as_ref().map(|(base, _)| &**base)
    }

    /// Every scenario varies this one. Its expectations are kept.
    ///
    /// Random steps can make a session that never ends on its own. A scenario without an end
    /// therefore gets one: a minute after twice the time that it takes as it is. With random steps
    /// `limit.tasks_per_second` is at most 600, so that an endless loop of listeners ends soon.
    #[must_use]
    pub fn around(mut self, base: &Scenario, vary: Vary) -> Options {
        let mut base = base.clone();
        if base.until == Until::Idle {
            base.until = Until::At(end(&base));
        }
        self.base = Some((Arc::new(base), vary));
        self
    }
}
