//! Differences of a player that many cases share: named once, and taken out of the cases.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use playsim_check::compare::Difference;
use playsim_check::compare::Importance;

/// How many cases at least share a difference, and which part of those that were compared.
const FEWEST: usize = 5;
const PART: usize = 6;

/// A difference that many cases of a player share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SharedDifference {
    /// The class of the difference, such as `only the player: the tracker resume`.
    pub class: String,
    /// How much of it a viewer or an advertiser would notice.
    pub importance: Importance,
    /// The names of the cases.
    pub cases: Vec<String>,
}

/// The differences that many cases share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    classes: BTreeSet<String>,
}

impl Shared {
    /// Returns whether a difference is among them.
    pub(super) fn has(&self, it: &Difference) -> bool {
        self.classes.contains(&it.class)
    }

    /// Finds the differences that the cases of a player share, the most noticeable first. Each case
    /// has its name and its differences.
    pub(super) fn among<'a, D: Iterator<Item = &'a Difference>>(
        cases: impl Iterator<Item = (&'a str, D)>,
    ) -> (Shared, Vec<SharedDifference>) {
        let mut found: BTreeMap<&str, (Importance, BTreeSet<&str>)> = BTreeMap::new();
        let mut compared = 0;
        for (case, differences) in cases {
            compared += 1;
            for it in differences {
                let (importance, names) = found
                    .entry(&it.class)
                    .or_insert_with(|| (it.importance, BTreeSet::new()));
                *importance = (*importance).min(it.importance);
                names.insert(case);
            }
        }
        found.retain(|_, (_, names)| names.len() >= FEWEST && names.len() * PART >= compared);
        let shared = Shared {
            classes: found.keys().map(|class| (*class).to_owned()).collect(),
        };
        let mut named: Vec<SharedDifference> = found
            .into_iter()
            .map(|(class, (importance, names))| SharedDifference {
                class: class.to_owned(),
                importance,
                cases: names.into_iter().map(str::to_owned).collect(),
            })
            .collect();
        named.sort_by(|one, other| {
            one.importance
                .cmp(&other.importance)
                .then(other.cases.len().cmp(&one.cases.len()))
        });
        (shared, named)
    }
}
