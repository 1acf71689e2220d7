//! Random scenarios.

use std::sync::{Arc, Mutex, PoisonError};

use playsim::knobs::Profiles;
use playsim::testing::{Feature, Options, Source, Vary, scenario, shrink};
use pyo3::prelude::*;

use crate::errors::argument;
use crate::scenario::Scenario;

/// How scenarios are drawn.
#[pyclass(frozen, module = "playsim._playsim")]
pub(crate) struct Draw(Options);

#[pymethods]
impl Draw {
    /// `base`: a scenario that each of them varies; `vary` says which part of it.
    #[new]
    #[pyo3(signature = (features, without, profiles, steps, base, vary))]
    fn new(
        py: Python<'_>,
        features: Option<Vec<String>>,
        without: Vec<String>,
        profiles: Vec<String>,
        steps: Option<(usize, usize)>,
        base: Option<Py<Scenario>>,
        vary: &str,
    ) -> PyResult<Draw> {
        let mut options = Options::default();
        if let Some(names) = features {
            options = options.features(
                names
                    .iter()
                    .map(|name| feature(py, name))
                    .collect::<PyResult<Vec<_>>>()?,
            );
        }
        for name in &without {
            options = options.without(feature(py, name)?);
        }
        let profile = |name: &String| {
            name.parse::<Profiles>()
                .map_err(|error| argument(py, error))
        };
        options = options.profiles(profiles.iter().map(profile).collect::<PyResult<Vec<_>>>()?);
        if let Some((least, most)) = steps {
            options = options.steps(least..=most);
        }
        if let Some(base) = base {
            let vary = Vary::from_name(vary).ok_or_else(|| {
                argument(
                    py,
                    format!(
                        "vary is \"{vary}\"; it must be one of {}",
                        names(Vary::ALL.iter().map(|it| it.name()))
                    ),
                )
            })?;
            options = py.detach(|| options.around(&base.get().0, vary));
        }
        Ok(Draw(options))
    }

    /// The scenario that `ask` chooses: it gets a bound and returns a number below it.
    fn asking(&self, ask: Py<PyAny>) -> PyResult<Scenario> {
        let raised = Arc::new(Mutex::new(None));
        let kept = Arc::clone(&raised);
        let mut source = Source::asking(move |bound| {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.is_some() {
                return 0;
            }
            let chosen = Python::attach(|py| ask.call1(py, (bound,))?.extract::<u64>(py));
            chosen.unwrap_or_else(|error| {
                *kept = Some(error);
                0
            })
        });
        let drawn = scenario(&mut source, &self.0);
        drop(source);
        let mut raised = raised.lock().unwrap_or_else(PoisonError::into_inner);
        raised.take().map_or(Ok(Scenario(drawn)), Err)
    }

    /// The smallest scenario for which `fails` is still true.
    #[staticmethod]
    fn shrunk(py: Python<'_>, scenario: &Scenario, fails: Py<PyAny>) -> PyResult<Scenario> {
        let mut raised = None;
        let small = shrink(&scenario.0, |candidate| {
            if raised.is_some() {
                return false;
            }
            let candidate = Scenario(candidate.clone());
            let failed = py
                .check_signals()
                .and_then(|()| fails.call1(py, (candidate,))?.is_truthy(py));
            failed.unwrap_or_else(|error| {
                raised = Some(error);
                false
            })
        });
        raised.map_or(Ok(Scenario(small)), Err)
    }

    /// Plays a scenario and checks the laws that hold for every one: the text of a report, or None.
    #[staticmethod]
    fn broken(py: Python<'_>, drawn: &Scenario) -> Option<String> {
        py.detach(|| playsim::testing::check(&drawn.0))
            .err()
            .map(|broken| broken.to_string())
    }
}

fn feature(py: Python<'_>, name: &str) -> PyResult<Feature> {
    Feature::from_name(name).ok_or_else(|| {
        argument(
            py,
            format!(
                "there is no feature \"{name}\"; there are {}",
                names(Feature::ALL.iter().map(|it| it.name()))
            ),
        )
    })
}

fn names(all: impl Iterator<Item = &'static str>) -> String {
    all.collect::<Vec<_>>().join(", ")
}
