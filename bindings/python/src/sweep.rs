//! Sweeps as columns.

use playsim::scenario::AnswerScript;
use playsim::sweep::{Axis, Configuration, FlatRows, Shard, Sweep, SweepError, cores};
use playsim_bindings::{ColumnValues, SweepColumn, Texts, sweep_columns};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::errors::{argument, of_scenario};
use crate::scenario::Scenario;
use crate::watched::watched;

/// A column: its name, `int64` or `string`, whether it may be empty, its meaning, and its values.
type Column<'py> = (String, &'static str, bool, &'static str, Bound<'py, PyList>);

/// Plays a scenario many times, with settings as the command line takes them, and returns its
/// columns.
#[pyfunction]
#[pyo3(signature = (scenario, vary, compare, runs, seed, threads, rows, shard, progress))]
#[expect(
    clippy::too_many_arguments,
    reason = "the package calls it with the options of one function"
)]
pub(crate) fn sweep<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    vary: Vec<String>,
    compare: Vec<String>,
    runs: Option<u64>,
    seed: Option<u64>,
    threads: Option<usize>,
    rows: &str,
    shard: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Column<'py>>> {
    let failed = |error: SweepError| {
        if let SweepError::Scenario(error) = &error {
            of_scenario(py, error)
        } else {
            argument(py, error)
        }
    };
    let rows = FlatRows::from_name(rows).ok_or_else(|| {
        let known: Vec<&str> = FlatRows::ALL.iter().map(|rows| rows.name()).collect();
        argument(
            py,
            format!("rows is \"{rows}\"; it must be one of {}", known.join(", ")),
        )
    })?;
    let shard = shard
        .map(|word| word.parse::<Shard>())
        .transpose()
        .map_err(failed)?
        .unwrap_or(Shard::WHOLE);
    let seed = seed.unwrap_or(scenario.0.seed);
    let mut sweep = Sweep::of(&scenario.0)
        .seed(seed)
        .threads(threads.unwrap_or_else(cores))
        .shard(shard);
    for text in &vary {
        sweep = sweep.vary(Axis::read(text, &mut no_answer).map_err(failed)?);
    }
    if !compare.is_empty() {
        let read = |text: &String| Configuration::read(text, &mut no_answer);
        sweep = sweep.compare(
            compare
                .iter()
                .map(read)
                .collect::<Result<_, _>>()
                .map_err(failed)?,
        );
    }
    if let Some(runs) = runs {
        sweep = sweep.runs(runs);
    }
    let played = watched(py, progress.as_ref(), |watch| {
        let tell = |done, all| watch.tell(done, all);
        sweep_columns(&sweep.stop(&watch.stop).progress(&tell), rows)
    })?;
    played
        .map_err(failed)?
        .into_iter()
        .map(|column| listed(py, column))
        .collect()
}

fn listed(py: Python<'_>, column: SweepColumn) -> PyResult<Column<'_>> {
    let (kind, values) = match column.values {
        ColumnValues::Numbers(numbers) => ("int64", PyList::new(py, numbers)?),
        ColumnValues::Texts(texts) => ("string", list_of(py, &texts)?),
    };
    Ok((
        column.name.to_string(),
        kind,
        column.is_nullable,
        column.says,
        values,
    ))
}

/// A list in which rows with the same text share one string.
fn list_of<'py>(py: Python<'py>, texts: &Texts) -> PyResult<Bound<'py, PyList>> {
    let strings: Vec<Bound<'_, PyString>> = texts
        .texts()
        .iter()
        .map(|text| PyString::new(py, text))
        .collect();
    let string = |index: &Option<u32>| index.and_then(|index| strings.get(index as usize));
    PyList::new(py, texts.indexes().iter().map(string))
}

fn no_answer(_: &str) -> Result<AnswerScript, String> {
    Err("a file cannot be given here; change the scenario with with_()".to_owned())
}
