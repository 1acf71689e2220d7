//! Random ad objects, as page code writes them.

use super::plan::Plan;
use super::source::Source;
use playsim_api::{Decimal, Fields, Text, Value};

/// A usable ad object; mostly pre-rolls.
pub(super) fn ad_object(plan: &Plan, source: &mut Source) -> Value {
    let kind = *source.pick(&[0, 0, 0, 1, 1, 2, 3]);
    let tag = |source: &mut Source| {
        Value::from(if source.chance(1, 15) {
            Text::from("no address")
        } else {
            source.pick(&plan.tags).clone()
        })
    };
    let mut fields = Fields::one("adType", kind);
    let is_share = source.chance(1, 3);
    if is_share || source.chance(2, 3) {
        fields.push("adTimeType", if is_share { "%" } else { "s" });
    }
    if source.chance(1, 12) {
        fields.push("adTagUrl", tag(source));
    } else {
        fields.push("mobile", Value::List(source.some(1, 3, tag)));
    }
    if source.chance(1, 6) {
        fields.push("desktop", Value::List(source.some(0, 2, tag)));
    }
    if source.chance(1, 4) {
        fields.push("pod", source.below(3));
    }
    match kind {
        1 => fields.push(
            "cuepoints",
            Value::List(source.some(0, 3, |source| place_in_content(is_share, source))),
        ),
        3 => {
            fields.push("overlayStartAt", place_in_content(is_share, source));
            fields.push("overlayDuration", place_in_content(is_share, source));
        }
        _ => {}
    }
    Value::Map(fields)
}

/// A position in content or a part of it, in seconds or in hundredths; now and then outside.
fn place_in_content(is_share: bool, source: &mut Source) -> Value {
    let places: &[i64] = if is_share {
        &[0, 25, 50, 50, 75, 100, 120]
    } else {
        &[0, 250, 500, 1_000, 1_500, 2_000, 3_000, 60_000]
    };
    let place = *source.pick(places);
    Value::from(Decimal::from_millionths(if is_share {
        place * 1_000_000
    } else {
        place * 1_000
    }))
}
