//! Reads the fields of a JSON object in a request's body, with their places for errors.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

pub(super) use crate::records::Wrong;
use crate::records::{not_json, place};
use playsim_base::words;

/// An object whose fields are read one by one.
pub(super) struct Object<'a> {
    text: &'a str,
    whole: &'a str,
    fields: BTreeMap<String, &'a RawValue>,
    known: Vec<&'static str>,
    wrong: Vec<Wrong>,
}

impl<'a> Object<'a> {
    /// Parses `whole`, a part of `text`, as an object. `form` is the hint in the error message.
    pub(super) fn read(
        text: &'a str,
        whole: &'a str,
        form: &str,
    ) -> Result<Object<'a>, Vec<Wrong>> {
        let fields =
            serde_json::from_str(whole).map_err(|error| not_json(text, whole, &error, form))?;
        Ok(Object {
            text,
            whole,
            fields,
            known: Vec::new(),
            wrong: Vec::new(),
        })
    }

    /// Returns the value of a field. `None` if it is missing, or if it is invalid, which is kept as
    /// an error; `due` describes the valid values.
    pub(super) fn take<T: for<'de> Deserialize<'de>, U>(
        &mut self,
        name: &'static str,
        due: &str,
        read: impl FnOnce(T) -> Option<U>,
    ) -> Option<U> {
        self.known.push(name);
        let raw = self.fields.remove(name)?;
        let value = serde_json::from_str(raw.get()).ok().and_then(read);
        if value.is_none() {
            let found: String = raw.get().chars().take(60).collect();
            let message = format!("field {name:?} is {found}; it must be {due}");
            self.wrong.push(Wrong {
                place: place(self.text, raw.get()),
                message,
            });
        }
        value
    }

    /// Returns whether there were no errors so far and all fields were read.
    pub(super) fn is_well(&self) -> bool {
        self.wrong.is_empty() && self.fields.is_empty()
    }

    /// Adds an error about the object as a whole.
    pub(super) fn refuse(&mut self, message: String) {
        self.wrong.push(Wrong {
            place: place(self.text, self.whole),
            message,
        });
    }

    /// Returns all errors, including unknown fields.
    pub(super) fn end(mut self, what: &str) -> Result<(), Vec<Wrong>> {
        for (name, raw) in &self.fields {
            let message = words::unknown(
                &format!("field of {what}"),
                name,
                self.known.iter().copied(),
            );
            self.wrong.push(Wrong {
                place: place(self.text, raw.get()),
                message,
            });
        }
        self.wrong.sort_by_key(|wrong| wrong.place);
        if self.wrong.is_empty() {
            Ok(())
        } else {
            Err(self.wrong)
        }
    }
}
