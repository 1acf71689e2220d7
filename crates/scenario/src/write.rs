//! Writes a scenario, computes its digest, and checks one that was made in Rust.
//!
//! All come from one [`Writer`]: the fields in the order of their tables, without those that equal
//! their default. Therefore what is written reads back as the same scenario, a digest does not
//! depend on how a scenario was made, and a new field does not change the digest of a scenario that
//! does not use it.

use std::sync::Arc;

use super::writer::Writer;
use super::{Scenario, ScenarioError, ScriptedAnswer, Step, fields, read};
use playsim_trace::Digest;

mod layout;

impl Scenario {
    /// Returns the scenario as JSON. Reading it gives an equal scenario, unless it is larger than
    /// scenarios may be; [`Scenario::files`] returns the files that it names, and
    /// [`Scenario::inlined`] names none.
    ///
    /// A body whose name is not a path in or below the scenario's folder, or is the name of a
    /// different body too, is written inline and loses its name. Only a scenario made in Rust has
    /// such bodies, and only such a scenario can hold values that have no written form: a `setAd`
    /// argument with the key `$`, for example.
    #[must_use]
    pub fn to_json(&self) -> String {
        let text = self.written(Writer::text_form());
        read::json_tree(&text).map_or(text, |root| layout::json(&root))
    }

    /// Returns the scenario as YAML, otherwise like [`Scenario::to_json`].
    #[cfg(feature = "yaml")]
    #[must_use]
    pub fn to_yaml(&self) -> String {
        let text = self.written(Writer::text_form());
        // JSON is YAML too.
        read::json_tree(&text).map_or(text, |root| layout::yaml(&root))
    }

    /// Returns the same scenario with its documents inline instead of in files.
    #[must_use]
    pub fn inlined(&self) -> Scenario {
        let mut inlined = self.clone();
        for answer in inlined.network.iter_mut().flat_map(|(_, answers)| answers) {
            if let ScriptedAnswer::Body { name, .. } = &mut answer.answer {
                *name = "".into();
            }
        }
        inlined
    }

    /// Returns the names and contents of the files that the written scenario names.
    #[must_use]
    pub fn files(&self) -> Vec<(Arc<str>, Arc<str>)> {
        let mut out = Writer::text_form();
        fields::write(self, &mut out);
        out.files
    }

    /// Returns a fingerprint of everything that a run depends on: that of the scenario's compact
    /// JSON, in which the body of a response has both its file's name, which messages show, and its
    /// content. Equal scenarios have the same digest, whether they were read from YAML or JSON or
    /// made in Rust. Rule TRACE-6.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let answers = self.network.iter().flat_map(|(_, answers)| answers);
        let bodies = answers.map(|script| match &script.answer {
            ScriptedAnswer::Body { text, .. } => text.len(),
            ScriptedAnswer::Redirect { .. }
            | ScriptedAnswer::Fails(_)
            | ScriptedAnswer::Silence => 0,
        });
        Digest::of_text(&self.written(Writer::canonical(bodies.sum())))
    }

    /// Checks that everything in it is within the bounds that hold for scenario files.
    ///
    /// The reader rejects values without a meaning, such as a bitrate of zero or a duplicate URL. A
    /// scenario made in Rust has public fields, so it is checked before it is played. Checks that
    /// need the documents and listeners of a scenario are made by `Simulation::new`, which calls
    /// this one too.
    ///
    /// # Errors
    ///
    /// The first value that no scenario file could hold, with the part that it is in.
    pub fn check(&self) -> Result<(), ScenarioError> {
        let knobs = self.knobs.check();
        knobs.map_err(|error| ScenarioError::OutOfBounds {
            part: "knobs".to_owned(),
            message: error.to_string(),
        })?;
        fields::check(self)
    }

    fn written(&self, mut out: Writer) -> String {
        fields::write(self, &mut out);
        out.end()
    }
}

impl Step {
    /// Checks a step that is not yet in a scenario.
    ///
    /// # Errors
    ///
    /// The first value that no scenario file could hold.
    pub fn check(&self) -> Result<(), ScenarioError> {
        fields::check_step(self)
    }
}
