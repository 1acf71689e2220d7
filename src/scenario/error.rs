//! The errors of a scenario file: what is wrong, where, and what was probably meant.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

#[cfg(feature = "cli")]
use crate::escape;
use crate::place::Place;

/// The first error in a scenario file, and the others that were found with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{place}: {message}{}", Proposal(suggestion.as_deref()))]
pub struct ScenarioError {
    /// The file's name, as given.
    pub file: Arc<str>,
    /// Where the error begins.
    pub place: Place,
    /// The part of the file that is wrong, in bytes.
    pub range: Range<usize>,
    /// What was found and what is allowed.
    pub message: String,
    /// The word or form that was probably meant.
    pub suggestion: Option<String>,
    /// The other errors, in the order of the file. They have no others themselves.
    pub others: Vec<ScenarioError>,
}

struct Proposal<'a>(Option<&'a str>);

impl fmt::Display for Proposal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(meant) => write!(f, "; did you mean \"{meant}\"?"),
            None => Ok(()),
        }
    }
}

impl ScenarioError {
    /// This error and the others, in the order of the file.
    pub fn all(&self) -> impl Iterator<Item = &ScenarioError> {
        std::iter::once(self).chain(&self.others)
    }
}

/// Renders the errors with the lines of `source` that they are on.
#[cfg(feature = "cli")]
#[must_use]
pub fn picture(error: &ScenarioError, source: &str, color: bool) -> String {
    use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

    let groups: Vec<_> = error
        .all()
        .map(|error| {
            let line = line_of(source, error.range.start);
            let inside = |byte: usize| excerpt(&source[line.start..byte.clamp(line.start, line.end)]).len();
            let label = error.suggestion.as_deref().map(escape::line);
            let label = label.map(|meant| format!("did you mean \"{meant}\"?"));
            Level::ERROR.primary_title(escape::lines(&error.message)).element(
                Snippet::source(excerpt(&source[line.clone()]))
                    .path(escape::line(&error.file))
                    .line_start(usize::try_from(error.place.line).unwrap_or(1))
                    .annotation(
                        AnnotationKind::Primary
                            .span(inside(error.range.start)..inside(error.range.end))
                            .label(label),
                    ),
            )
        })
        .collect();
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&groups)
}

/// A part of a line as it is shown; tabs are kept. Rule TRACE-9.
#[cfg(feature = "cli")]
fn excerpt(part: &str) -> String {
    part.split('\t').map(escape::line).collect::<Vec<_>>().join("\t")
}

/// The line that contains a byte, without its line end and without a byte-order mark.
#[cfg(feature = "cli")]
fn line_of(source: &str, byte: usize) -> Range<usize> {
    let mut at = byte.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    let start = source[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = source[at..].find('\n').map_or(source.len(), |newline| at + newline);
    let mark = if source[start..end].starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    start + mark..start + source[start..end].trim_end_matches('\r').len().max(mark)
}
