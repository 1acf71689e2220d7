//! What becomes of a call: a record that is another, or all that is wrong.
//!
//! Rules: EDIT-23, EDIT-31, EDIT-39, EDIT-40.

use super::gate::Refusal;
use super::read::Change;
use super::{Diag, FieldError};
use crate::api::Value;
use crate::catalog::Record;
use crate::knobs::{DateOrder, Knobs};
use crate::rule;
use crate::rules::RuleId;

/// What becomes of a call.
pub(super) struct Verdict {
    pub(super) status: u16,
    pub(super) rule: RuleId,
    pub(super) detail: String,
    pub(super) errors: Vec<FieldError>,
    pub(super) header: Option<(&'static str, String)>,
}

impl Verdict {
    /// That of a call that was made.
    pub(super) fn success() -> Verdict {
        let (status, rule) = (200, rule!("EDIT-38"));
        Verdict { status, rule, detail: String::new(), errors: Vec::new(), header: None }
    }
}

impl From<Refusal> for Verdict {
    fn from(refusal: Refusal) -> Verdict {
        let Refusal { status, detail, rule, header } = refusal;
        Verdict { status, rule, detail, errors: Vec::new(), header }
    }
}

/// A record with these changes.
pub(super) fn changed(record: &Record, changes: &[Change]) -> Record {
    let mut edited = record.clone();
    for Change { field, value, appends, .. } in changes {
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

/// A record's lists, and its pixels, are no longer than this, however often something goes behind them.
const MOST: usize = 1000;

/// A list that has become too long, by what was sent for it.
pub(super) fn too_many(edited: &Record, changes: &[Change]) -> Option<(usize, FieldError)> {
    let length = |change: &Change| match change.field.get(edited) {
        Value::List(items) => items.len(),
        Value::Map(fields) => fields.iter().len(),
        Value::Undefined
        | Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::NaN
        | Value::Infinity
        | Value::NegativeInfinity
        | Value::Text(_)
        | Value::Function(_) => 0,
    };
    let change = changes.iter().find(|change| length(change) > MOST)?;
    let name = change.field.form[0];
    let message =
        format!("field \"{name}\" would have {} entries; a record has at most {MOST}", length(change));
    let (field, code, rule) = (name.into(), "too_many", change.field.rule);
    Some((change.at, FieldError { field, code, message, rule }))
}

/// A kill date that is not behind the day of publishing. Rule EDIT-23.
pub(super) fn date_order(
    edited: &Record,
    changes: &[Change],
    knobs: &Knobs,
    errors: &mut Vec<(usize, FieldError)>,
    diags: &mut Vec<Diag>,
) {
    let is_date = |change: &&Change| matches!(change.field.name, "publish" | "kill_date");
    let (Some(publish), Some(kill_date)) = (edited.publish, edited.kill_date) else { return };
    let Some(last) = changes.iter().filter(is_date).max_by_key(|change| change.at) else { return };
    if kill_date > publish {
        return;
    }
    let rule = rule!("EDIT-23");
    let text =
        format!("the kill date {kill_date} is not behind the day of publishing {publish}: it is never there");
    match knobs.edit_date_order {
        DateOrder::Accept => diags.push(Diag { code: "date_order", text, rule }),
        DateOrder::Error => {
            let message = format!("field \"{}\": {text}; a kill date is a later day", last.field.name);
            let error = FieldError { field: last.field.name.into(), code: "date_order", message, rule };
            errors.push((last.at, error));
        }
    }
}

/// All mistakes in the form's order. Rules EDIT-39, EDIT-40.
pub(super) fn unprocessable(mut errors: Vec<(usize, FieldError)>) -> Verdict {
    errors.sort_by_key(|(at, _)| *at);
    let errors: Vec<FieldError> = errors.into_iter().map(|(_, error)| error).collect();
    let detail = match &errors[..] {
        [only] => only.message.clone(),
        several => format!("{} fields are not as they should be", several.len()),
    };
    // One mistake is decided by its own rule, several by that of all.
    let rule = if let [only] = &errors[..] { only.rule } else { rule!("EDIT-40") };
    Verdict { status: 422, rule, detail, errors, header: None }
}
