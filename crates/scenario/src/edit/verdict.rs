//! The verdict on a call: the changed record, or all that is wrong.
//!
//! Rules: EDIT-23, EDIT-31, EDIT-39, EDIT-40.

use super::gate::Refusal;
use super::read::Change;
use super::{Diag, FieldError};
use playsim_api::video::{Shape, VideoRecord};
use playsim_api::{Code, Value};
use playsim_rules::knobs::{DateOrder, KnobReader};
use playsim_rules::{self as rules, RuleId};

/// The verdict on a call.
pub(super) struct Verdict {
    pub(super) status: u16,
    pub(super) rule: RuleId,
    pub(super) detail: String,
    pub(super) errors: Vec<FieldError>,
    pub(super) header: Option<(&'static str, String)>,
}

impl Verdict {
    /// The verdict on a successful call.
    pub(super) fn success() -> Verdict {
        let (status, rule) = (200, rules::EDIT_38);
        Verdict {
            status,
            rule,
            detail: String::new(),
            errors: Vec::new(),
            header: None,
        }
    }
}

impl From<Refusal> for Verdict {
    fn from(refusal: Refusal) -> Verdict {
        let Refusal {
            status,
            detail,
            rule,
            header,
        } = refusal;
        Verdict {
            status,
            rule,
            detail,
            errors: Vec::new(),
            header,
        }
    }
}

/// Returns a record with these changes.
pub(super) fn changed(record: &VideoRecord, changes: &[Change]) -> VideoRecord {
    let mut edited = record.clone();
    for Change {
        field,
        value,
        appends,
        ..
    } in changes
    {
        match (field.get(&edited), value) {
            (Value::List(mut before), Value::List(more)) if *appends => {
                before.extend(more.iter().cloned());
                field.set(&mut edited, &Value::List(before));
            }
            (_, value) => field.set(&mut edited, value),
        }
    }
    edited
}

/// The most entries that a list of a record, or its pixels, can have.
const MOST: usize = 1000;

/// Returns the error for a list that has become too long.
pub(super) fn too_many(edited: &VideoRecord, changes: &[Change]) -> Option<(usize, FieldError)> {
    let length = |change: &Change| {
        let value = change.field.get(edited);
        let fields = value.as_map().map_or(0, |fields| fields.iter().len());
        value.as_list().map_or(fields, <[_]>::len)
    };
    let change = changes.iter().find(|change| length(change) > MOST)?;
    let name = change.field.form[0];
    let message = format!(
        "field \"{name}\" would have {} entries; a record has at most {MOST}",
        length(change)
    );
    let (field, code, rule) = (name.into(), "too_many", change.field.rule);
    Some((
        change.at,
        FieldError {
            field,
            code,
            message,
            rule,
        },
    ))
}

/// Reports a kill date that is not after the day of publishing. Rule EDIT-23.
pub(super) fn date_order(
    edited: &VideoRecord,
    changes: &[Change],
    knobs: &KnobReader,
    errors: &mut Vec<(usize, FieldError)>,
    diags: &mut Vec<Diag>,
) {
    let is_date = |change: &&Change| change.field.kind.shape == Shape::Day;
    let (Some(publish), Some(kill_date)) = (edited.publish, edited.kill_date) else {
        return;
    };
    let Some(last) = changes
        .iter()
        .filter(is_date)
        .max_by_key(|change| change.at)
    else {
        return;
    };
    if kill_date > publish {
        return;
    }
    let rule = rules::EDIT_23;
    let text = format!(
        "the kill date {kill_date} is not after the publish date {publish}, so the video is never published"
    );
    match knobs.edit_date_order() {
        DateOrder::Accept => diags.push(Diag {
            code: Code::DateOrder,
            text,
            rule,
        }),
        DateOrder::Error => {
            let message = format!(
                "field \"{}\": {text}; the kill date must be a later day",
                last.field.name
            );
            let error = FieldError {
                field: last.field.name.into(),
                code: Code::DateOrder.name(),
                message,
                rule,
            };
            errors.push((last.at, error));
        }
    }
}

/// The verdict on a form with mistakes, which are in its order. Rules EDIT-39, EDIT-40.
pub(super) fn unprocessable(mut errors: Vec<(usize, FieldError)>) -> Verdict {
    errors.sort_by_key(|(at, _)| *at);
    let errors: Vec<FieldError> = errors.into_iter().map(|(_, error)| error).collect();
    let detail = match &errors[..] {
        [only] => only.message.clone(),
        several => format!("{} fields are wrong", several.len()),
    };
    // A single mistake cites its own rule, several cite the rule that all are reported.
    let rule = if let [only] = &errors[..] {
        only.rule
    } else {
        rules::EDIT_40
    };
    Verdict {
        status: 422,
        rule,
        detail,
        errors,
        header: None,
    }
}
