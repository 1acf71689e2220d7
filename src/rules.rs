//! The rule table: what the simulated player does and on what ground.
//!
//! One row per rule: its ID, where it comes from, what it says in a sentence, which knob asks for
//! another reading, and whether it is built. Everything that cites a rule cites a row of this table:
//! [`rule!`](crate::rule) does not compile for an ID that is not there. `playsim rules` prints the table.
//!
//! What the rules mean for the engine stands where they are built; this module decides nothing.

use std::fmt;

mod print;
mod table;

pub(crate) use print::wrap;
pub use print::{Selection, ShownBy, json, knobs_of, markdown, text};
pub use table::{Family, families};

/// The ID of a rule, such as `PLAY-4`: a row of the rule table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId {
    family: Family,
    number: u8,
}

/// What a rule rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// The reference says so.
    Stated,
    /// The HTML media element.
    Html,
    /// VAST, VMAP or VPAID.
    Iab,
    /// The sources are silent; this is playsim's choice.
    Chosen,
    /// A point of the reference that is left out on purpose.
    NotModelled,
}

/// Whether a rule is built, and if not, what it waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Built {
    /// It works, and something shows it.
    Yes,
    /// It waits; the text says for what.
    No(&'static str),
}

/// One row of the rule table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The number within its family.
    pub number: u8,
    /// What it rests on.
    pub basis: Basis,
    /// The source in short: a section of the reference, a standard, or why it was chosen.
    pub source: &'static str,
    /// What it says, in a sentence or two.
    pub gist: &'static str,
    /// The knob that asks for another reading, or empty.
    pub knob: &'static str,
    /// Whether it is built.
    pub built: Built,
}

/// Cites a rule: `rule!("PLAY-4")`. An ID without a row does not compile.
#[macro_export]
macro_rules! rule {
    ($id:literal) => {
        const { $crate::rules::RuleId::cite($id) }
    };
}

impl RuleId {
    /// The ID, checked against the table at compile time. Use [`rule!`](crate::rule).
    ///
    /// # Panics
    ///
    /// When there is no such row; in a `const` that is a compile error.
    #[must_use]
    pub const fn cite(id: &str) -> RuleId {
        match RuleId::find(id) {
            Some(rule) => rule,
            None => panic!("no such rule in the table"),
        }
    }

    /// Reads an ID written as in the table; `None` if there is no such rule.
    #[must_use]
    pub fn read(id: &str) -> Option<RuleId> {
        RuleId::find(id)
    }

    /// Looks an ID up by its bytes, as a `const fn` must.
    const fn find(id: &str) -> Option<RuleId> {
        let id = id.as_bytes();
        let mut families_left = families();
        while let [family, rest @ ..] = families_left {
            let mut rows = family.rows;
            if let Some(number) = number_in(family.name.as_bytes(), id) {
                while let [row, more @ ..] = rows {
                    if row.number == number {
                        return Some(RuleId { family: family.id, number });
                    }
                    rows = more;
                }
            }
            families_left = rest;
        }
        None
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

    /// The ID as a number that does not depend on the order of the table: its family's letters and its
    /// number, a byte each.
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
    pub fn row(self) -> &'static Row {
        let rows = families()[self.family as usize].rows;
        rows.iter().find(|row| row.number == self.number).expect("an ID exists only for a row")
    }
}

/// The number behind a family's name and a hyphen, without leading zeros.
const fn number_in(family: &[u8], id: &[u8]) -> Option<u8> {
    let mut index = 0;
    while index < family.len() {
        if index >= id.len() || id[index] != family[index] {
            return None;
        }
        index += 1;
    }
    if index + 1 >= id.len() || id[index] != b'-' || id[index + 1] == b'0' {
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

/// Every rule in the table's order.
pub fn all() -> impl Iterator<Item = RuleId> {
    families()
        .iter()
        .flat_map(|family| family.rows.iter().map(|row| RuleId { family: family.id, number: row.number }))
}

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
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// How many rules each family has: 468 of behaviour, those of advertising, the check lists, and what is left
    /// out on purpose.
    const COUNTS: &[(&str, usize)] = &[
        ("CLK", 11),
        ("LOAD", 5),
        ("QUEUE", 6),
        ("INIT", 20),
        ("READY", 3),
        ("EVT", 23),
        ("MEL", 25),
        ("PLAY", 21),
        ("PAUSE", 6),
        ("STOP", 8),
        ("END", 6),
        ("LAST", 4),
        ("VOL", 10),
        ("MUTE", 6),
        ("TIME", 13),
        ("DUR", 3),
        ("CH", 12),
        ("QUAL", 16),
        ("SRC", 11),
        ("LPL", 7),
        ("SRCQ", 1),
        ("META", 3),
        ("PL", 22),
        ("AD", 18),
        ("REQ", 17),
        ("CHN", 10),
        ("SEL", 14),
        ("BRK", 23),
        ("PRE", 3),
        ("CUE", 11),
        ("POST", 3),
        ("OVL", 7),
        ("PA", 10),
        ("PUSH", 5),
        ("GAP", 2),
        ("VX", 4),
        ("VMAP", 21),
        ("SCHED", 6),
        ("MAC", 7),
        ("ADX", 27),
        ("PRD", 5),
        ("FS", 7),
        ("VIEW", 3),
        ("SKIN", 1),
        ("SIZE", 3),
        ("STICK", 3),
        ("CLICK", 4),
        ("VPAID", 18),
        ("SIMID", 16),
        ("GA", 4),
        ("ENV", 4),
        ("ERR", 7),
        ("LIVE", 4),
        ("OUT", 10),
        ("DESTROY", 10),
        ("EV", 41),
        ("EDIT", 63),
        ("CON", 40),
        ("INV", 26),
        ("TRACE", 8),
        ("NM", 5),
    ];

    const CHECK_LISTS: [&str; 5] = ["EV", "CON", "INV", "TRACE", "NM"];

    /// What advertising documents ask for on top of the reference.
    const ADVERTISING: [&str; 9] = ["ADX", "CHN", "SEL", "VMAP", "SCHED", "MAC", "PRD", "VPAID", "SIMID"];

    #[test]
    fn every_family_has_all_its_rules() {
        let table: Vec<_> = families().iter().map(|family| (family.name, family.rows.len())).collect();
        assert_eq!(table, COUNTS);
        let is_behaviour = |name: &&str| !CHECK_LISTS.contains(name) && !ADVERTISING.contains(name);
        let behaviour = COUNTS.iter().filter(|(name, _)| is_behaviour(name));
        assert_eq!(behaviour.map(|(_, count)| count).sum::<usize>(), 468);
    }

    #[test]
    fn families_are_unique_and_stand_at_their_own_place() {
        let names: BTreeSet<_> = families().iter().map(|family| family.name).collect();
        assert_eq!(names.len(), families().len());
        for (index, family) in families().iter().enumerate() {
            assert_eq!(family.id as usize, index, "{}", family.name);
        }
    }

    #[test]
    fn ids_ascend_in_each_family() {
        for family in families() {
            let numbers: Vec<_> = family.rows.iter().map(|row| usize::from(row.number)).collect();
            assert_eq!(numbers, (1..=family.rows.len()).collect::<Vec<_>>(), "{}", family.name);
        }
    }

    #[test]
    fn an_id_can_be_read_as_it_is_written() {
        for id in all() {
            assert_eq!(RuleId::read(&id.to_string()), Some(id));
        }
        assert_eq!(RuleId::read("PLAY"), None);
        assert_eq!(RuleId::read("PLAY-0"), None);
        assert_eq!(RuleId::read("PLAY-400"), None);
    }

    #[test]
    fn every_row_says_what_the_rule_is_and_what_it_rests_on() {
        let mut gists = BTreeSet::new();
        for id in all() {
            let row = id.row();
            assert!(row.gist.len() > 10 && row.gist.ends_with('.'), "{id}: {}", row.gist);
            assert!(!row.gist.contains("  "), "{id}: {}", row.gist);
            assert_eq!(row.gist.matches('`').count() % 2, 0, "{id}: {}", row.gist);
            assert!(gists.insert(row.gist), "{id} says what another rule says");
            assert!(!row.source.is_empty() && !row.source.ends_with('.'), "{id}: {}", row.source);
            if let Built::No(why) = row.built {
                assert!(!why.is_empty() && !why.ends_with('.'), "{id}: {why}");
            }
        }
    }

    #[test]
    fn rules_named_in_a_row_exist() {
        for id in all() {
            let row = id.row();
            let built = if let Built::No(why) = row.built { why } else { "" };
            for text in [row.gist, row.source, built] {
                for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
                    let family = word.split_once('-').map_or("", |(family, _)| family);
                    if families().iter().any(|known| known.name == family) {
                        assert!(RuleId::read(word).is_some(), "{id} names {word}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_not_modelled_is_not_built() {
        for id in all() {
            let not_modelled = id.row().basis == Basis::NotModelled;
            assert_eq!(not_modelled, id.family() == "NM", "{id}");
            assert!(!not_modelled || id.row().built != Built::Yes, "{id}");
        }
    }

    #[test]
    fn the_bases_are_as_many_as_the_rules_say() {
        let count = |basis| {
            let is_behaviour = |name: &str| !CHECK_LISTS.contains(&name) && !ADVERTISING.contains(&name);
            let rules = all().filter(|id| is_behaviour(id.family()));
            rules.filter(|id| id.row().basis == basis).count()
        };
        assert_eq!([Basis::Stated, Basis::Html, Basis::Iab, Basis::Chosen].map(count), [178, 43, 12, 235]);
    }
}
