//! The kinds of the entries of a report, as a trace names them.

use std::fmt;

use playsim_api::NetworkFault;
use playsim_api::media::MediaFault;
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

        impl From<String> for $enum {
            fn from(word: String) -> $enum {
                match &*word {
                    $($word => $enum::$variant,)*
                    _ => $enum::Other(word),
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

/// Why a request got no response that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestFault {
    /// A failure of the network. Failures that media share with it have the same names.
    Network(NetworkFault),
    /// A failure of media.
    Media(MediaFault),
    /// Another word: a trace may be from another version.
    Other(String),
}

impl RequestFault {
    /// Returns the word in the trace.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            RequestFault::Network(fault) => fault.name(),
            RequestFault::Media(fault) => fault.name(),
            RequestFault::Other(word) => word,
        }
    }

    /// Returns the failure of the network.
    #[must_use]
    pub const fn network(&self) -> Option<NetworkFault> {
        match self {
            RequestFault::Network(fault) => Some(*fault),
            RequestFault::Media(_) | RequestFault::Other(_) => None,
        }
    }
}

impl From<String> for RequestFault {
    fn from(word: String) -> RequestFault {
        let media = || MediaFault::from_name(&word).map(RequestFault::Media);
        let known = NetworkFault::from_name(&word)
            .map(RequestFault::Network)
            .or_else(media);
        known.unwrap_or(RequestFault::Other(word))
    }
}

impl fmt::Display for RequestFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl Serialize for RequestFault {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.word())
    }
}

/// The part of an ad that could not be run or shown, or is unwanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdFaultKind {
    /// An interactive file was not run.
    Interactive,
    /// A verification script was not run.
    Verification,
    /// A companion was not shown.
    Companion,
    /// Its category is blocked.
    Category,
    /// It was left out, since it runs over a limit.
    Cut,
    /// It broke while it played.
    Failed,
}

impl AdFaultKind {
    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            AdFaultKind::Interactive => "interactive",
            AdFaultKind::Verification => "verification",
            AdFaultKind::Companion => "companion",
            AdFaultKind::Category => "category",
            AdFaultKind::Cut => "cut",
            AdFaultKind::Failed => "failed",
        }
    }
}

impl AdBreakOutcome {
    /// Returns whether nothing is known yet.
    pub(super) fn is_open_yet(&self) -> bool {
        self.word().is_empty()
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
    use super::*;

    #[test]
    fn an_unknown_word_is_kept_and_written_as_it_was() {
        for word in ["refused", "decode", "cors", "of-the-future"] {
            let fault = RequestFault::from(word.to_owned());
            assert_eq!(serde_json::to_value(&fault).expect("a string"), word);
        }
        assert_eq!(
            RequestFault::from("cors".to_owned()).network(),
            Some(NetworkFault::Cors)
        );
        for word in ["filled", "no-fill", "of-the-future", ""] {
            let kind = AdBreakOutcome::from(word.to_owned());
            assert_eq!(kind.word(), word);
            assert_eq!(serde_json::to_value(&kind).expect("a string"), word);
        }
        assert_eq!(AdEnd::from("not started".to_owned()), AdEnd::NotStarted);
    }
}
