//! Why requests and ads fail, as a trace names it.

use std::fmt;

use playsim_api::NetworkFault;
use playsim_api::media::MediaFault;
use serde::{Serialize, Serializer};

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
    }
}
