//! The meaning of error codes of ads: causes, remedies, and who has to act.
//!
//! One [`Entry`] for each code of VAST, VMAP, SIMID and the third-party SDK, and for each way in
//! which a VPAID unit fails. [`find`] looks up a code of one family, [`of_ad_error`] the number
//! that `adError` carries, and [`lookup`] the words of a person. The behaviour of the engine and of
//! products is not written here but found out by playing: the rules that give a code here
//! ([`Entry::rules`]) and the codes of products under the same conditions ([`Entry::conditions`])
//! are generated from the scenarios of the project.
//!
//! The facts are those of the standards that each family names, in our own words.

use std::fmt;

use playsim_base::named::named;

mod derived;
mod lookup;
pub mod print;
mod sdk;
mod simid;
mod vast_ad;
mod vast_response;
mod vmap;
mod vpaid;

pub use derived::{Condition, Given};
pub use lookup::{Lookup, find, is_same_failure, lookup, of_ad_error, of_trace};

named! {
    /// The definition of a code; the description is the source.
    CodeFamily {
        Vast "vast" "VAST 4.3 section 2.3.6.",
        Vmap "vmap" "VMAP 1.0.1 section 2.5.",
        Simid "simid" "SIMID 1.2 section 9.",
        Vpaid "vpaid" "VPAID 2.0 section 3: events instead of numbers.",
        Sdk "sdk" "The third-party SDK (IMA), above the codes of VAST.",
    }

    /// Who can do something about an error.
    Who {
        AdServer "ad server" "Those who traffic: the ad server, an exchange, a reseller.",
        Creative "creative" "Those who make the creative and host its files.",
        Page "page" "The publisher's page: slots, limits, consent, what it asks for.",
        Player "player" "The player, or the one who integrates it.",
    }
}

/// The code of an error: a number, or in VPAID the word of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// A number, such as 303.
    Number(u16),
    /// The name of an event, such as `AdError`.
    Word(&'static str),
}

/// The knowledge about one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Where it is defined.
    pub family: CodeFamily,
    /// The code itself.
    pub code: ErrorCode,
    /// Its title, in a few words without a full stop.
    pub title: &'static str,
    /// Its meaning, in a few sentences.
    pub meaning: &'static str,
    /// Its usual causes, the most frequent first.
    pub causes: &'static [&'static str],
    /// Who has to act, the most likely first.
    pub who: &'static [Who],
    /// Remedies, the first to try first.
    pub remedies: &'static [&'static str],
    /// The name that the third-party SDK has for it.
    pub sdk_name: Option<&'static str>,
    /// In VAST: the version that brought it; `4.x` if only that is known.
    pub since: Option<&'static str>,
}

impl CodeFamily {
    /// Returns its name as it is usually written.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            CodeFamily::Vast => "VAST",
            CodeFamily::Vmap => "VMAP",
            CodeFamily::Simid => "SIMID",
            CodeFamily::Vpaid => "VPAID",
            CodeFamily::Sdk => "SDK (IMA)",
        }
    }

    /// Returns its entries, in the order of their codes.
    pub fn entries(self) -> impl Iterator<Item = &'static Entry> {
        let [first, second]: [&[Entry]; 2] = match self {
            CodeFamily::Vast => [vast_response::ENTRIES, vast_ad::ENTRIES],
            CodeFamily::Vmap => [vmap::ENTRIES, &[]],
            CodeFamily::Simid => [simid::ENTRIES, &[]],
            CodeFamily::Vpaid => [vpaid::ENTRIES, &[]],
            CodeFamily::Sdk => [sdk::ENTRIES, &[]],
        };
        first.iter().chain(second)
    }
}

impl Entry {
    const fn new(family: CodeFamily, code: ErrorCode, title: &'static str) -> Entry {
        let (meaning, causes, remedies): (_, &[&str], &[&str]) = ("", &[], &[]);
        Entry {
            family,
            code,
            title,
            meaning,
            causes,
            who: &[],
            remedies,
            sdk_name: None,
            since: None,
        }
    }

    const fn numbered(family: CodeFamily, number: u16, title: &'static str) -> Entry {
        let entry = Entry::new(family, ErrorCode::Number(number), title);
        // A code that no other version added is as old as the codes of VAST.
        if matches!(family, CodeFamily::Vast) {
            entry.since("3.0")
        } else {
            entry
        }
    }

    const fn word(family: CodeFamily, word: &'static str, title: &'static str) -> Entry {
        Entry::new(family, ErrorCode::Word(word), title)
    }

    const fn means(self, meaning: &'static str) -> Entry {
        Entry { meaning, ..self }
    }

    const fn because(self, causes: &'static [&'static str]) -> Entry {
        Entry { causes, ..self }
    }

    const fn act(self, who: &'static [Who]) -> Entry {
        Entry { who, ..self }
    }

    const fn helps(self, remedies: &'static [&'static str]) -> Entry {
        Entry { remedies, ..self }
    }

    const fn called(self, name: &'static str) -> Entry {
        Entry {
            sdk_name: Some(name),
            ..self
        }
    }

    const fn since(self, version: &'static str) -> Entry {
        Entry {
            since: Some(version),
            ..self
        }
    }

    /// Returns its number, if it is one.
    #[must_use]
    pub const fn number(&self) -> Option<u16> {
        match self.code {
            ErrorCode::Number(number) => Some(number),
            ErrorCode::Word(_) => None,
        }
    }
}

/// Returns every entry, family by family.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    CodeFamily::ALL.iter().flat_map(|family| family.entries())
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorCode::Number(number) => number.fmt(f),
            ErrorCode::Word(word) => word.fmt(f),
        }
    }
}
