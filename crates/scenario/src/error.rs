//! Why a scenario cannot be read or played; for mistakes in its text: the place, and the probable
//! intention.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

#[cfg(feature = "picture")]
use playsim_base::escape;
use playsim_base::place::Place;

/// Why a scenario cannot be read or played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// Its text has mistakes.
    #[error(transparent)]
    Mistakes(#[from] Mistakes),
    /// A value is outside the bounds that hold for every scenario.
    #[error("{part}: {message}")]
    OutOfBounds {
        /// The part of the scenario, like `media "film.mp4"`.
        part: String,
        /// The value that was found, and the accepted ones.
        message: String,
    },
    /// A call, an `init` or a step names an unknown listener.
    #[error("{0}")]
    UnknownListener(String),
    /// An ad object in the settings of a player or a video cannot be used.
    #[error("ad object {object}: {message}")]
    BadAd {
        /// The object as written.
        object: String,
        /// The error.
        message: String,
    },
    /// The scenario has neither steps nor a video.
    #[error("the scenario has nothing to play: it needs steps or a video")]
    NothingToPlay,
}

/// The mistakes in the text of a scenario: at least one, in the order of the text. Printed, it is
/// the first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{}", list[0])]
pub struct Mistakes {
    file: Arc<str>,
    list: Vec<Mistake>,
}

/// A mistake in the text of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}{}", Proposal(suggestion.as_deref()))]
#[non_exhaustive]
pub struct Mistake {
    /// Where it begins.
    pub place: Place,
    /// The part of the text that is wrong, in bytes.
    pub range: Range<usize>,
    /// The value that was found, and the accepted ones.
    pub message: String,
    /// The word or form that was probably meant.
    pub suggestion: Option<String>,
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

impl Mistakes {
    /// The mistakes in a file. Panics if there is none.
    pub(super) fn new(file: &str, list: Vec<Mistake>) -> Mistakes {
        assert!(!list.is_empty(), "reading fails with at least one mistake");
        Mistakes {
            file: file.into(),
            list,
        }
    }

    /// The file's name, as given.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The first mistake.
    #[must_use]
    pub fn first(&self) -> &Mistake {
        &self.list[0]
    }

    /// All mistakes, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = &Mistake> {
        self.list.iter()
    }
}

/// Renders the mistakes with the lines of `source` that they are on.
#[cfg(feature = "picture")]
#[must_use]
pub fn picture(mistakes: &Mistakes, source: &str, color: bool) -> String {
    use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

    let groups: Vec<_> = mistakes
        .iter()
        .map(|error| {
            let line = line_of(source, error.range.start);
            let inside =
                |byte: usize| excerpt(&source[line.start..byte.clamp(line.start, line.end)]).len();
            let label = error.suggestion.as_deref().map(escape::line);
            let label = label.map(|meant| format!("did you mean \"{meant}\"?"));
            Level::ERROR
                .primary_title(escape::lines(&error.message))
                .element(
                    Snippet::source(excerpt(&source[line.clone()]))
                        .path(escape::line(&mistakes.file))
                        .line_start(usize::try_from(error.place.line).unwrap_or(1))
                        .annotation(
                            AnnotationKind::Primary
                                .span(inside(error.range.start)..inside(error.range.end))
                                .label(label),
                        ),
                )
        })
        .collect();
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(&groups)
}

/// A part of a line as it is shown; tabs are kept. Rule TRACE-9.
#[cfg(feature = "picture")]
fn excerpt(part: &str) -> String {
    part.split('\t')
        .map(escape::line)
        .collect::<Vec<_>>()
        .join("\t")
}

/// The line that contains a byte, without its line end and without a byte-order mark.
#[cfg(feature = "picture")]
fn line_of(source: &str, byte: usize) -> Range<usize> {
    let mut at = byte.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    let start = source[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = source[at..]
        .find('\n')
        .map_or(source.len(), |newline| at + newline);
    let mark = if source[start..end].starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    start + mark..start + source[start..end].trim_end_matches('\r').len().max(mark)
}
