//! The fields of a JSON object in a request's body, each with its place.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

pub(super) use crate::serve::records::Wrong;
use crate::serve::records::{not_json, place};
use crate::words;

/// An object whose fields are taken one by one.
pub(super) struct Object<'a> {
    text: &'a str,
    whole: &'a str,
    fields: BTreeMap<String, &'a RawValue>,
    known: Vec<&'static str>,
    wrong: Vec<Wrong>,
}

impl<'a> Object<'a> {
    /// The object that a part of a text holds; `form` is one to copy.
    pub(super) fn read(text: &'a str, whole: &'a str, form: &str) -> Result<Object<'a>, Vec<Wrong>> {
        let fields = serde_json::from_str(whole).map_err(|error| not_json(text, whole, &error, form))?;
        Ok(Object { text, whole, fields, known: Vec::new(), wrong: Vec::new() })
    }

    /// The value of a field, `None` if it is not there, and put aside if it is another than `due` says.
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
            let message = format!("field {name:?} is {found}; it takes {due}");
            self.wrong.push(Wrong { place: place(self.text, raw.get()), message });
        }
        value
    }

    /// Whether nothing was wrong so far, and nothing is left that nobody took.
    pub(super) fn is_well(&self) -> bool {
        self.wrong.is_empty() && self.fields.is_empty()
    }

    /// Says what else is wrong with it.
    pub(super) fn refuse(&mut self, message: String) {
        self.wrong.push(Wrong { place: place(self.text, self.whole), message });
    }

    /// All that is wrong with it, fields nobody takes included.
    pub(super) fn end(mut self, what: &str) -> Result<(), Vec<Wrong>> {
        for (name, raw) in &self.fields {
            let message = words::unknown(&format!("field of {what}"), name, self.known.iter().copied());
            self.wrong.push(Wrong { place: place(self.text, raw.get()), message });
        }
        self.wrong.sort_by_key(|wrong| wrong.place);
        if self.wrong.is_empty() { Ok(()) } else { Err(self.wrong) }
    }
}
