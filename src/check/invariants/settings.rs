//! What the page and the person set: an event tells a change, and only a change.
//!
//! Rule: INV-17.

use super::{Findings, event, of_each_player, returned};
use crate::api::{Decimal, Value};
use crate::trace::{Record, Trace};

/// Events that carry the value that they tell of, and its field.
const TELLING: [(&str, &str); 2] = [("mutechange", "muted"), ("stickyChange", "sticky")];

/// Events that tell of a change without a value, and the getters that give it.
const SILENT: [(&str, &str); 3] =
    [("volumechange", "volume"), ("qualityChange", "currentSrc"), ("fullscreenchange", "isFullScreen")];

/// Volume within 0 and 1; a change is told only between different values. Rule INV-17.
pub(super) fn changes_are_changes(trace: &Trace, findings: &mut Findings) {
    of_each_player(trace, |lines| {
        let mut told: [Option<&Value>; TELLING.len()] = [None; TELLING.len()];
        // The value read before the last change, and whether there was just that one.
        let mut read: [(Option<&Value>, u32); SILENT.len()] = [(None, 0); SILENT.len()];
        for record in lines {
            if let Some(volume) = returned(record, "volume")
                && !is_volume(volume)
            {
                findings.add(record, format!("the volume is {volume}"));
            }
            for ((name, field), told) in TELLING.iter().zip(&mut told) {
                let value = record.data.get(field).filter(|_| event(record) == *name);
                if value.is_some() && value == *told {
                    findings.add(record, format!("{name} tells {field} again, which did not change"));
                }
                *told = value.or(*told);
            }
            for ((name, getter), (before, changes)) in SILENT.iter().zip(&mut read) {
                *changes += u32::from(event(record) == *name);
                if is_other_source(record) && *getter == "currentSrc" {
                    *before = None;
                }
                if let Some(value) = returned(record, getter).filter(|_| record.cause.is_none()) {
                    if *changes == 1 && *before == Some(value) {
                        findings.add(record, format!("{name} came, and {getter} is {value} as before"));
                    }
                    (*before, *changes) = (Some(value), 0);
                }
            }
        }
    });
}

/// Whether the media address may change by another item.
fn is_other_source(record: &Record) -> bool {
    super::media(record) == "loadstart"
}

fn is_volume(value: &Value) -> bool {
    let range = Decimal::from_integer(0)..=Decimal::from_integer(1);
    matches!(value, Value::Number(number) if range.contains(number))
}
