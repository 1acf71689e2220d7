//! Reads and writes records as a JSON list, for import and export and for the control routes.
//!
//! Errors have a line and column, and all errors in a list are reported at once.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::value::RawValue;

use playsim_api::catalog::{Catalog, VideoRecord};
use playsim_base::escape;
use playsim_base::json;
use playsim_base::place::Place;

const FORM: &str =
    "records must be a JSON list such as [{ \"id\": \"v1\", \"name\": \"Big film\" }]";

/// An error in a JSON document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The place in the document.
    pub place: Place,
    /// The error, and the expected values.
    pub message: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Reads records from a JSON list, or from an object with such a list as `videos`.
///
/// # Errors
///
/// All errors in the records.
pub fn read(text: &str) -> Result<Catalog, Vec<Wrong>> {
    let start = text.len() - text.trim_start().len();
    let list = match text[start..].starts_with('{') {
        true => videos(text)?,
        false => text,
    };
    let records: Vec<&RawValue> =
        serde_json::from_str(list).map_err(|error| not_json(text, list, &error, FORM))?;
    let mut catalog = Catalog::new();
    let mut wrong = Vec::new();
    for raw in records {
        match record(text, raw) {
            Ok(record) => {
                if let Some(twice) = catalog.insert(record) {
                    let message =
                        format!("duplicate id {:?}; every record needs its own", twice.id);
                    wrong.push(Wrong {
                        place: place(text, raw.get()),
                        message,
                    });
                }
            }
            Err(errors) => wrong.extend(errors),
        }
    }
    if wrong.is_empty() {
        Ok(catalog)
    } else {
        Err(wrong)
    }
}

/// Returns records as an indented JSON list, sorted by id.
#[must_use]
pub fn write(catalog: &Catalog) -> String {
    let records: Vec<&VideoRecord> = catalog.iter().map(|record| &**record).collect();
    // Strings, numbers and lists of them can always be written as JSON.
    escape::json(&serde_json::to_string_pretty(&records).unwrap_or_default()).into_owned() + "\n"
}

/// Returns a record as stored in a catalog file.
#[must_use]
pub fn stored(record: &VideoRecord) -> String {
    // Strings, numbers and lists of them can always be written as JSON.
    serde_json::to_string(record).unwrap_or_default()
}

fn videos(text: &str) -> Result<&str, Vec<Wrong>> {
    let fields: BTreeMap<String, &RawValue> =
        serde_json::from_str(text).map_err(|error| not_json(text, text, &error, FORM))?;
    if let Some((other, raw)) = fields.iter().find(|(name, _)| *name != "videos") {
        let message = format!(
            "unknown field {other:?}; records must be a list, or an object with the list as \"videos\""
        );
        return Err(vec![Wrong {
            place: place(text, raw.get()),
            message,
        }]);
    }
    match fields.get("videos") {
        Some(list) => Ok(list.get()),
        None => {
            let message =
                "no records; records must be a JSON list such as [{ \"id\": \"v1\" }]".to_owned();
            Err(vec![Wrong {
                place: Place::default(),
                message,
            }])
        }
    }
}

fn record(text: &str, raw: &RawValue) -> Result<VideoRecord, Vec<Wrong>> {
    let json =
        serde_json::from_str(raw.get()).map_err(|error| not_json(text, raw.get(), &error, FORM))?;
    VideoRecord::read(&json).map_err(|errors| {
        let fields: BTreeMap<String, &RawValue> =
            serde_json::from_str(raw.get()).unwrap_or_default();
        let wrong = |error: playsim_api::catalog::RecordError| {
            let at = fields
                .get(&error.field)
                .map_or(raw.get(), |field| field.get());
            Wrong {
                place: place(text, at),
                message: error.message,
            }
        };
        errors.into_iter().map(wrong).collect()
    })
}

/// Returns the place of `part` in `text`, of which it is a slice.
pub(super) fn place(text: &str, part: &str) -> Place {
    Place::of_byte(text, json::range(text, part).start)
}

/// Returns the error for invalid JSON, or for JSON of another type; `form` is the hint in the
/// message.
pub(super) fn not_json(
    text: &str,
    part: &str,
    error: &serde_json::Error,
    form: &str,
) -> Vec<Wrong> {
    let (at, said) = json::fault(text, json::range(text, part).start, error);
    vec![Wrong {
        place: Place::of_byte(text, at),
        message: format!("{said}; {form}"),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> Vec<String> {
        read(text)
            .unwrap_err()
            .iter()
            .map(Wrong::to_string)
            .collect()
    }

    #[test]
    fn a_written_list_can_be_read_back() {
        let catalog =
            read(r#"[{ "id": "b", "name": "B" }, { "id": "a", "geo": ["DE"] }]"#).unwrap();
        let text = write(&catalog);
        assert!(text.find("\"a\"") < text.find("\"b\""), "{text}");
        assert_eq!(read(&text).unwrap(), catalog);
        assert_eq!(read(&format!("{{ \"videos\": {text} }}")).unwrap(), catalog);
        assert_eq!(read("[]").unwrap(), Catalog::new());
    }

    #[test]
    fn errors_have_a_place() {
        let text =
            "[\n  { \"id\": \"a\", \"nmae\": \"A\",\n    \"publish\": \"2026-01-31\" },\n  {}\n]";
        let found = wrong(text);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(
            found[0].starts_with("2:24: ") && found[0].ends_with("did you mean \"name\"?"),
            "{}",
            found[0]
        );
        assert!(
            found[1].starts_with("3:16: field \"publish\" is \"2026-01-31\""),
            "{}",
            found[1]
        );
        assert!(found[2].starts_with("4:3: "), "{}", found[2]);
        assert!(
            wrong("[{\"id\":\"a\"},{\"id\":\"a\"}]")[0].starts_with("1:13: duplicate id \"a\"")
        );
        assert!(
            wrong("[\n{]")[0].starts_with("2:2: "),
            "{:?}",
            wrong("[\n{]")
        );
        assert!(
            wrong("7")[0].contains("records must be a JSON list"),
            "{:?}",
            wrong("7")
        );
        assert!(wrong("{}")[0].starts_with("1:1: no records"));
        assert!(wrong("{\"video\": []}")[0].starts_with("1:11: unknown field \"video\""));
        assert!(wrong("")[0].starts_with("1:1: "));
    }
}
