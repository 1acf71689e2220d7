//! What the JSON Schemas say of a document, where the library that reads them is built.
//!
//! It and what it needs take as long to build as a tenth of the tests, so it is left out for each
//! commit: `.ci/nightly` sets `--cfg playsim_schemas`. Without it a schema finds no fault, and the
//! tests that are about schemas alone are ignored.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use serde_json::Value as Json;

/// A schema that documents are held against.
pub(crate) struct Schema {
    #[cfg(playsim_schemas)]
    validator: jsonschema::Validator,
}

#[cfg(playsim_schemas)]
impl Schema {
    pub(crate) fn of(schema: &Json) -> Schema {
        let validator = jsonschema::validator_for(schema).expect("it is a schema");
        Schema { validator }
    }

    /// A schema of HTTP archives. Browsers archive URLs as the URL Standard writes them, including
    /// brackets of macros, which RFC 3986 does not allow. So `uri` means absolute and without
    /// blanks here, as in the validator that comes with the schemas.
    pub(crate) fn of_archives(schema: &Json) -> Schema {
        let is_uri = |text: &str| {
            let is_letter = |letter: char| letter.is_ascii_graphic();
            text.split_once(':').is_some_and(|(scheme, rest)| {
                !rest.is_empty()
                    && !scheme.is_empty()
                    && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
            }) && text.chars().all(is_letter)
        };
        let validator = jsonschema::options()
            .with_draft(jsonschema::Draft::Draft6)
            .should_validate_formats(true)
            .with_format("uri", is_uri)
            .build(schema)
            .expect("it is a schema");
        Schema { validator }
    }

    /// Returns the faults of a document, each with its place.
    pub(crate) fn faults(&self, document: &Json) -> Vec<String> {
        self.validator
            .iter_errors(document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect()
    }
}

#[cfg(not(playsim_schemas))]
impl Schema {
    pub(crate) fn of(_: &Json) -> Schema {
        Schema {}
    }

    pub(crate) fn of_archives(_: &Json) -> Schema {
        Schema {}
    }

    #[expect(clippy::unused_self, reason = "as with the library")]
    pub(crate) fn faults(&self, _: &Json) -> Vec<String> {
        Vec::new()
    }
}
