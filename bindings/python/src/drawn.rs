//! Random scenarios.

use playsim::knobs::Profiles;
use playsim::testing::{Feature, Options, Source, Vary, scenario};
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
            options =
                options.features(names.iter().map(|name| feature(py, name)).collect::<PyResult<Vec<_>>>()?);
        }
        for name in &without {
            options = options.without(feature(py, name)?);
        }
        let profile = |name: &String| name.parse::<Profiles>().map_err(|error| argument(py, error));
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

    /// The scenario that these bytes choose: fewer and smaller bytes choose a smaller one.
    fn of_bytes(&self, py: Python<'_>, bytes: &[u8]) -> Scenario {
        Scenario(py.detach(|| scenario(&mut Source::from_bytes(bytes), &self.0)))
    }

    /// Plays a scenario and checks the laws that hold for every one: the text of a report, or None.
    #[staticmethod]
    fn broken(py: Python<'_>, drawn: &Scenario) -> Option<String> {
        py.detach(|| playsim::testing::check(&drawn.0)).err().map(|broken| broken.to_string())
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
