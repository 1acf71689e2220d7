//! Reads the data of trace lines.

use playsim_api::{Fields, Value};

/// Returns a string as it is, anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value
        .as_text()
        .map_or_else(|| value.to_string(), ToString::to_string)
}

pub(super) fn text(data: &Fields, key: &str) -> Option<String> {
    data.get(key).map(plain)
}

pub(super) fn number<T: TryFrom<i64>>(data: &Fields, key: &str) -> Option<T> {
    T::try_from(data.get(key)?.as_integer()?).ok()
}

/// Converts seconds to microseconds.
pub(super) fn micros(data: &Fields, key: &str) -> Option<u64> {
    u64::try_from(data.get(key)?.as_number()?.millionths()).ok()
}
