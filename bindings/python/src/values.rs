//! Values of page code and traces as Python objects.

use playsim::api::{Fields, Value};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyList, PyString};

/// A value: `undefined` is `None`, as `null` is, and a function is its name.
pub(crate) fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    let float = |number: f64| PyFloat::new(py, number).into_any();
    Ok(match value {
        Value::Undefined | Value::Null => py.None().into_bound(py),
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Number(number) => match number.as_integer() {
            Some(whole) => whole.into_pyobject(py)?.into_any(),
            None => float(number.to_string().parse().unwrap_or(f64::NAN)),
        },
        Value::NaN => float(f64::NAN),
        Value::Infinity => float(f64::INFINITY),
        Value::NegativeInfinity => float(f64::NEG_INFINITY),
        Value::Text(text) | Value::Function(text) => PyString::new(py, text).into_any(),
        Value::List(items) => {
            let items = items
                .iter()
                .map(|item| object(py, item))
                .collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Map(fields) => dict(py, fields)?.into_any(),
    })
}

/// The fields of a line as a dict; `None` if there are none.
pub(crate) fn data<'py>(py: Python<'py>, fields: &Fields) -> PyResult<Bound<'py, PyAny>> {
    if fields.is_empty() {
        Ok(py.None().into_bound(py))
    } else {
        Ok(dict(py, fields)?.into_any())
    }
}

fn dict<'py>(py: Python<'py>, fields: &Fields) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in fields.iter() {
        dict.set_item(&**key, object(py, value)?)?;
    }
    Ok(dict)
}
