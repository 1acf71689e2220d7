//! Random values of the host language, of any type.

use playsim_api::{Decimal, Fields, Text, Value};

use super::plan::Plan;
use super::source::Source;

/// Draws any value.
pub(super) fn any(depth: u32, plan: &Plan, source: &mut Source) -> Value {
    match source.below(if depth == 0 { 12 } else { 14 }) {
        0 => Value::Undefined,
        1 => Value::Null,
        2 => Value::Bool(source.chance(1, 2)),
        3 => Value::from(source.below(4)),
        4 => Value::from(*source.pick(&[-1, i64::MAX, i64::MIN + 1])),
        5 => Value::from(Decimal::from_millionths(1 + source.below(3_000_000) as i64)),
        6 => Value::NaN,
        7 => Value::Infinity,
        8 => Value::NegativeInfinity,
        9 => Value::from(*source.pick(&["", "text", "play", "main", "1"])),
        10 => Value::Function(Text::from("")),
        11 => Value::from(source.pick(&plan.videos).clone()),
        12 => Value::List(source.some(0, 3, |source| any(depth - 1, plan, source))),
        _ => Value::Map(
            source
                .some(0, 3, |source| {
                    (
                        Text::from(*source.pick(&["id", "video", "adType", "x"])),
                        any(depth - 1, plan, source),
                    )
                })
                .into_iter()
                .fold(Fields::NONE, |fields, (key, value)| {
                    if fields.get(&key).is_some() {
                        fields
                    } else {
                        fields.with(key, value)
                    }
                }),
        ),
    }
}
