//! Traces: as text, as columns, as reports.

use playsim::trace::{Filter, View, write_jsonl, write_text};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::errors::{argument, raised};
use crate::scenario::Scenario;
use crate::values::data;

/// The trace of a run, with the scenario that plays to it.
#[pyclass(frozen, module = "playsim._playsim")]
pub(crate) struct Trace {
    pub(crate) trace: playsim::Trace,
    pub(crate) scenario: playsim::Scenario,
}

#[pymethods]
impl Trace {
    #[getter]
    fn digest(&self) -> String {
        self.trace.digest.to_string()
    }

    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.trace.outcome().map(|outcome| outcome.name())
    }

    #[getter]
    fn scenario(&self) -> Scenario {
        Scenario(self.scenario.clone())
    }

    /// The text form: review, page or all lines, with their rules if `why`.
    fn text(&self, py: Python<'_>, view: &str, why: bool) -> PyResult<String> {
        let view = match view {
            "review" => View::Review,
            "page" => View::Page,
            "all" => View::All,
            other => {
                return Err(argument(
                    py,
                    format!("there is no view \"{other}\"; there are review, page and all"),
                ));
            }
        };
        let (filter, mut out) = (
            Filter {
                view,
                ..Filter::default()
            },
            String::new(),
        );
        py.detach(|| write_text(&self.trace, &filter, why, &mut out))
            .map_err(|error| argument(py, error))?;
        Ok(out)
    }

    /// All lines as JSON lines.
    fn jsonl(&self, py: Python<'_>) -> PyResult<String> {
        let (filter, mut out) = (
            Filter {
                view: View::All,
                ..Filter::default()
            },
            String::new(),
        );
        py.detach(|| write_jsonl(&self.trace, &filter, true, &mut out))
            .map_err(|error| argument(py, error))?;
        Ok(out)
    }

    /// The events as columns.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = Lists::new(py, &["at_us", "line", "player", "event", "data"]);
        for event in self.trace.events() {
            columns.push(0, event.at.micros())?;
            columns.push(1, event.seq)?;
            columns.push(2, self.trace.container(event.record).map(|id| &**id))?;
            columns.push(3, PyString::intern(py, event.name.name()))?;
            columns.push(4, data(py, event.data)?)?;
        }
        columns.dict()
    }

    /// All lines as columns; each time update has a row of its own.
    fn records<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        const NAMES: [&str; 9] = [
            "at_us", "line", "player", "break", "kind", "name", "data", "cause", "rule",
        ];
        let columns = Lists::new(py, &NAMES);
        for record in &self.trace.records {
            for (line, at) in record.each() {
                columns.push(0, at.micros())?;
                columns.push(1, line)?;
                columns.push(2, self.trace.container(record).map(|id| &**id))?;
                columns.push(
                    3,
                    record
                        .in_break
                        .map(|number| number.to_string().parse::<u64>().ok()),
                )?;
                columns.push(4, PyString::intern(py, record.kind.name()))?;
                columns.push(5, PyString::intern(py, &record.name))?;
                columns.push(6, data(py, &record.data)?)?;
                columns.push(7, record.cause)?;
                columns.push(8, record.rule.map(|rule| rule.to_string()))?;
            }
        }
        columns.dict()
    }

    /// Parts of the trace in JSON, as `playsim_bindings` has them: `{ "want": ["report"] }`.
    fn show(&self, py: Python<'_>, wanted: &str) -> PyResult<String> {
        py.detach(|| playsim_bindings::show(&self.trace, &self.scenario, wanted))
            .map_err(|error| raised(py, &error))
    }
}

/// Columns that are filled row by row.
struct Lists<'py> {
    names: &'static [&'static str],
    lists: Vec<Bound<'py, PyList>>,
}

impl<'py> Lists<'py> {
    fn new(py: Python<'py>, names: &'static [&'static str]) -> Lists<'py> {
        Lists {
            names,
            lists: names.iter().map(|_| PyList::empty(py)).collect(),
        }
    }

    fn push(&self, column: usize, value: impl IntoPyObject<'py>) -> PyResult<()> {
        self.lists[column].append(value)
    }

    fn dict(&self) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(self.lists[0].py());
        for (name, list) in self.names.iter().zip(&self.lists) {
            dict.set_item(name, list)?;
        }
        Ok(dict)
    }
}
