//! What is wrong with a scenario's text, where, and what was probably meant.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::place::Place;

/// The first thing that is wrong with a scenario's text, and the others that were found with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{place}: {message}{}", Proposal(suggestion.as_deref()))]
pub struct ScenarioError {
    /// The file's name as it was given.
    pub file: Arc<str>,
    /// Where the offending text begins.
    pub place: Place,
    /// The offending text, in bytes of the file.
    pub range: Range<usize>,
    /// What was found and what was due.
    pub message: String,
    /// The word or form that was probably meant.
    pub suggestion: Option<String>,
    /// What else is wrong, in the order of the text. These carry no others themselves.
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
    /// This one and the others, in the order of the text.
    pub fn all(&self) -> impl Iterator<Item = &ScenarioError> {
        std::iter::once(self).chain(&self.others)
    }
}

/// The errors with the lines of `source` on which they stand.
#[cfg(feature = "cli")]
#[must_use]
pub fn picture(error: &ScenarioError, source: &str, color: bool) -> String {
    use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

    let groups: Vec<_> = error
        .all()
        .map(|error| {
            let line = line_of(source, error.range.start);
            let inside = |byte: usize| byte.clamp(line.start, line.end) - line.start;
            let label = error.suggestion.as_ref().map(|meant| format!("did you mean \"{meant}\"?"));
            Level::ERROR.primary_title(error.message.as_str()).element(
                Snippet::source(&source[line.clone()])
                    .path(&*error.file)
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

/// The line around a byte, without its end and without a byte-order mark.
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
