//! The rule table: what the simulated player does, and why.
//!
//! One row per rule: its ID, its basis, its source, its gist in a sentence or two, and whether it
//! is built. Each row is a constant, `PLAY_4` for the rule PLAY-4, and code that follows a rule
//! names its constant. Which knobs change a rule is written once, in the table of
//! [knobs](crate::knobs). `playsim rules` prints the table.

pub mod knobs;

use std::fmt;

use playsim_base::named::from_str;

pub mod print;
mod table;

pub use table::{Family, families};
pub use table::{
    breaks::*, clock::*, documents::*, edit::*, element::*, events::*, limits::*, page::*,
    playback::*, playlist::*, surface::*, trackers::*, units::*,
};

/// The ID of a rule, such as `PLAY-4`: a row of the rule table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId {
    family: Family,
    number: u8,
}

/// The basis of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// The reference says so; where it covers only a part, the source names what is assumed.
    Stated,
    /// The HTML standard, mostly its media element.
    Html,
    /// A standard of the IAB: VAST, VMAP, VPAID or SIMID.
    Iab,
    /// The sources do not settle it; this is playsim's choice.
    Chosen,
    /// A point of the reference that is deliberately left out.
    NotModelled,
}

/// Whether a rule is built, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Built {
    /// It works, and a scenario or test shows it.
    Yes,
    /// It is not built; the string says why.
    No(&'static str),
}

/// One row of the rule table.
#[derive(Debug, Clone, Copy)]
pub struct RuleRow {
    /// Its ID.
    pub id: RuleId,
    /// Its basis.
    pub basis: Basis,
    /// The source in short: a standard, a section of the reference, or the reason for a choice.
    ///
    /// `doc:` precedes a section of the reference: `doc:calls` is the player's calls, `doc:events+`
    /// the additional rule below the table of events. `html` and `iab` are those standards.
    /// "Assumed" marks whatever no source settles.
    pub source: &'static str,
    /// The rule itself, in a sentence or two.
    pub gist: &'static str,
    /// Whether it is built.
    pub built: Built,
}

impl RuleId {
    /// Returns the ID of a row from the name of its constant: `PLAY_4` is PLAY-4.
    const fn declare(family: Family, letters: &str, constant: &str) -> RuleId {
        match number_after(letters.as_bytes(), b'_', constant.as_bytes()) {
            Some(number) => RuleId { family, number },
            None => panic!("the constant of a rule is its family and its number, like PLAY_4"),
        }
    }

    fn read(id: &str) -> Option<RuleId> {
        families().iter().find_map(|family| {
            let number = number_after(family.name.as_bytes(), b'-', id.as_bytes())?;
            family
                .rows
                .iter()
                .map(|row| row.id)
                .find(|rule| rule.number == number)
        })
    }

    /// The family's name, such as `PLAY`.
    #[must_use]
    pub fn family(self) -> &'static str {
        families()[self.family as usize].name
    }

    /// The number within the family.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.number
    }

    /// The ID as a number that does not depend on the order of the table: the letters of its family
    /// and its number, one byte each.
    #[must_use]
    pub fn packed(self) -> u64 {
        families()[self.family as usize].packed << 8 | u64::from(self.number)
    }

    /// The rule's row.
    ///
    /// # Panics
    ///
    /// Never: an ID exists only for a row.
    #[must_use]
    pub fn row(self) -> &'static RuleRow {
        let rows = families()[self.family as usize].rows;
        rows.iter()
            .find(|row| row.id == self)
            .expect("an ID exists only for a row")
    }
}

/// Reads the number after a family's name and a separator; `None` if it has a leading zero.
const fn number_after(family: &[u8], separator: u8, id: &[u8]) -> Option<u8> {
    let mut index = 0;
    while index < family.len() {
        if index >= id.len() || id[index] != family[index] {
            return None;
        }
        index += 1;
    }
    if index + 1 >= id.len() || id[index] != separator || id[index + 1] == b'0' {
        return None;
    }
    let mut number: u8 = 0;
    index += 1;
    while index < id.len() {
        if !id[index].is_ascii_digit() || number > 25 {
            return None;
        }
        number = match number.checked_mul(10) {
            Some(tens) => match tens.checked_add(id[index] - b'0') {
                Some(sum) => sum,
                None => return None,
            },
            None => return None,
        };
        index += 1;
    }
    Some(number)
}

/// Returns every rule, in the order of the table.
pub fn all() -> impl Iterator<Item = RuleId> {
    families()
        .iter()
        .flat_map(|family| family.rows.iter().map(|row| row.id))
}

from_str!(RuleId, "the ID of a rule, like PLAY-4");

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.family(), self.number)
    }
}

impl fmt::Debug for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Basis {
    /// The word in `playsim rules`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Basis::Stated => "stated",
            Basis::Html => "html",
            Basis::Iab => "iab",
            Basis::Chosen => "chosen",
            Basis::NotModelled => "not modelled",
        }
    }

    /// Returns whether a rule binds other players too: it rests on the reference or on a standard.
    #[must_use]
    pub const fn is_binding(self) -> bool {
        match self {
            Basis::Stated | Basis::Html | Basis::Iab => true,
            Basis::Chosen | Basis::NotModelled => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn families_are_unique_and_in_the_order_of_their_ids() {
        let names: BTreeSet<_> = families().iter().map(|family| family.name).collect();
        assert_eq!(names.len(), families().len());
        for (index, family) in families().iter().enumerate() {
            assert_eq!(family.id as usize, index, "{}", family.name);
        }
    }

    #[test]
    fn ids_ascend_in_each_family() {
        for family in families() {
            let numbers: Vec<_> = family
                .rows
                .iter()
                .map(|row| usize::from(row.id.number))
                .collect();
            assert_eq!(
                numbers,
                (1..=family.rows.len()).collect::<Vec<_>>(),
                "{}",
                family.name
            );
        }
    }

    #[test]
    fn an_id_reads_back_from_its_printed_form() {
        for id in all() {
            assert_eq!(id.to_string().parse::<RuleId>().ok(), Some(id));
        }
        assert_eq!("PLAY".parse::<RuleId>().ok(), None);
        assert_eq!("PLAY-0".parse::<RuleId>().ok(), None);
        assert_eq!("PLAY-400".parse::<RuleId>().ok(), None);
    }

    #[test]
    fn every_row_has_a_gist_and_a_source() {
        let mut gists = BTreeSet::new();
        for id in all() {
            let row = id.row();
            assert!(
                row.gist.len() > 10 && row.gist.ends_with('.'),
                "{id}: {}",
                row.gist
            );
            assert!(!row.gist.contains("  "), "{id}: {}", row.gist);
            assert_eq!(row.gist.matches('`').count() % 2, 0, "{id}: {}", row.gist);
            assert!(gists.insert(row.gist), "{id} has the gist of another rule");
            assert!(
                !row.source.is_empty() && !row.source.ends_with('.'),
                "{id}: {}",
                row.source
            );
            if let Built::No(why) = row.built {
                assert!(!why.is_empty() && !why.ends_with('.'), "{id}: {why}");
            }
        }
    }

    #[test]
    fn rules_named_in_a_row_exist() {
        for id in all() {
            let row = id.row();
            let built = if let Built::No(why) = row.built {
                why
            } else {
                ""
            };
            for text in [row.gist, row.source, built] {
                for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
                    let family = word.split_once('-').map_or("", |(family, _)| family);
                    if families().iter().any(|known| known.name == family) {
                        assert!(word.parse::<RuleId>().ok().is_some(), "{id} names {word}");
                    }
                }
            }
        }
    }

    #[test]
    fn rules_that_are_not_modelled_are_not_built() {
        for id in all() {
            let not_modelled = id.row().basis == Basis::NotModelled;
            assert_eq!(not_modelled, id.family() == "NM", "{id}");
            assert!(!not_modelled || id.row().built != Built::Yes, "{id}");
        }
    }
}
