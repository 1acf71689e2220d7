//! Random values of the host language, of any type.

use playsim::api::{Decimal, Fields, Text, Value};

use super::dice::Dice;
use super::world::VIDEOS;

/// Draws any value.
pub(crate) fn any(depth: u32, dice: &mut Dice) -> Value {
    match dice.below(if depth == 0 { 12 } else { 14 }) {
        0 => Value::Undefined,
        1 => Value::Null,
        2 => Value::Bool(dice.chance(1, 2)),
        3 => Value::from(dice.below(4)),
        4 => Value::from(*dice.pick(&[-1, i64::MAX, i64::MIN + 1])),
        5 => Value::from(Decimal::from_millionths(1 + dice.below(3_000_000) as i64)),
        6 => Value::NaN,
        7 => Value::Infinity,
        8 => Value::NegativeInfinity,
        9 => Value::from(*dice.pick(&["", "text", "play", "main", "1"])),
        10 => Value::Function(Text::from("")),
        11 => Value::from(*dice.pick(VIDEOS)),
        12 => Value::List(dice.some(0, 3, |dice| any(depth - 1, dice))),
        _ => Value::Map(
            dice.some(0, 3, |dice| {
                (Text::from(*dice.pick(&["id", "video", "adType", "x"])), any(depth - 1, dice))
            })
            .into_iter()
            .fold(Fields::NONE, |fields, (key, value)| {
                if fields.get(&key).is_some() { fields } else { fields.with(key, value) }
            }),
        ),
    }
}
