//! The words for breaks, requests and ads, as a trace has them.

use std::fmt;

use serde::{Serialize, Serializer};

/// Makes enums of words of a trace. A word that is none of them is kept: a trace may be from
/// another version.
macro_rules! kinds {
    ($(
        $(#[$meta:meta])*
        $enum:ident { $($(#[$of_variant:meta])* $variant:ident $word:literal,)* }
    )*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $enum {
            $($(#[$of_variant])* $variant,)*
            /// Another word; empty if the trace has none.
            Other(String),
        }

        impl $enum {
            /// Returns the word in the trace.
            #[must_use]
            pub fn word(&self) -> &str {
                match self {
                    $($enum::$variant => $word,)*
                    $enum::Other(word) => word,
                }
            }
        }

        impl<T: AsRef<str>> From<T> for $enum {
            fn from(word: T) -> $enum {
                match word.as_ref() {
                    $($word => $enum::$variant,)*
                    other => $enum::Other(other.to_owned()),
                }
            }
        }

        impl Default for $enum {
            fn default() -> $enum {
                $enum::Other(String::new())
            }
        }

        impl fmt::Display for $enum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }

        impl Serialize for $enum {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.word())
            }
        }
    )*};
}

kinds! {
    /// The kind of an ad break.
    AdBreakKind {
        /// Before the content.
        Pre "pre",
        /// Within it.
        Mid "mid",
        /// After it.
        Post "post",
        /// An ad above the content, which plays on.
        Overlay "overlay",
        /// A display ad next to the content.
        Display "display",
        /// Page code asked for it.
        Command "command",
    }

    /// The outcome of an ad break.
    AdBreakOutcome {
        /// An ad started.
        Filled "filled",
        /// No ad started.
        NoFill "no-fill",
        /// A VMAP document came, which says when ads come.
        Scheduled "scheduled",
        /// It was broken off.
        Aborted "aborted",
        /// The run ended first.
        Open "open",
        /// A break of a VMAP document that was left out.
        LeftOut "left-out",
        /// A break of a VMAP document that was dropped.
        Dropped "dropped",
        /// A break of a VMAP document that was not reached.
        NeverReached "never-reached",
    }

    /// The purpose of a request of a tag.
    RequestPurpose {
        /// The tag's own document.
        AdTag "ad-tag",
        /// A document that a wrapper names.
        Wrapper "wrapper",
        /// A media file.
        Media "media",
    }

    /// How an ad ended.
    AdEnd {
        /// It played to its end.
        Complete "complete",
        /// The user skipped it.
        Skip "skip",
        /// It failed.
        Error "error",
        /// Its break ended first.
        Cut "cut",
        /// It was ready, but could not be started.
        NotStarted "not started",
    }
}

impl AdBreakKind {
    /// Returns whether the content plays on during it.
    #[must_use]
    pub fn plays_on(&self) -> bool {
        match self {
            AdBreakKind::Overlay | AdBreakKind::Display => true,
            AdBreakKind::Pre
            | AdBreakKind::Mid
            | AdBreakKind::Post
            | AdBreakKind::Command
            | AdBreakKind::Other(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AdBreakOutcome, AdEnd};

    #[test]
    fn an_unknown_word_is_kept_and_written_as_it_was() {
        for word in ["filled", "no-fill", "of-the-future", ""] {
            let kind = AdBreakOutcome::from(word);
            assert_eq!(kind.word(), word);
            assert_eq!(serde_json::to_value(&kind).expect("a string"), word);
        }
        assert_eq!(AdEnd::from("not started"), AdEnd::NotStarted);
    }
}
