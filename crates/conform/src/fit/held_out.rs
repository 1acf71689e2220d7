//! How well settings predict recordings that they were not fitted to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::search::Court;
use super::witness::{Settings, Witness};
use playsim_base::chance;

/// How many recordings behave as predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Agreement {
    /// All recordings that were compared.
    pub recordings: usize,
    /// Those with the same lines in the same order.
    pub in_order: usize,
    /// Those with the same documents asked for and the same films on screen.
    pub in_view: usize,
    /// Those that end before all that is predicted. They count as neither.
    pub too_short: usize,
    /// The lines that are the same.
    pub same_lines: usize,
    /// All lines of both sides, those that are the same once.
    pub lines: usize,
}

/// Which recordings a prediction was made without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HeldOut {
    /// A fifth of them at a time, by the name of the case.
    Fifth,
    /// All of one group of situations at a time: those whose names begin with the same word.
    Group,
}

/// Into how many parts recordings are divided by their names.
const PARTS: u64 = 5;

impl Agreement {
    /// Adds how one recording agrees with some settings.
    pub(super) fn add(&mut self, witness: &Witness<'_>, settings: &Settings) {
        self.recordings += 1;
        let Some(observed) = witness.under(settings) else {
            return;
        };
        self.too_short += usize::from(observed.cut > 0);
        self.in_order += usize::from(observed.is_in_order);
        self.in_view += usize::from(observed.is_in_view);
        self.same_lines += observed.same;
        self.lines += observed.same + observed.differences + observed.faults + observed.cut;
    }

    /// How recordings agree with some settings.
    pub(super) fn of(witnesses: &[&Witness<'_>], settings: &Settings) -> Agreement {
        let mut agreement = Agreement::default();
        for witness in witnesses {
            agreement.add(witness, settings);
        }
        agreement
    }
}

impl Court<'_> {
    /// How settings that were fitted to the other recordings predict each part of them.
    pub(super) fn held_out(&self, how: HeldOut, base: &Settings) -> Agreement {
        let mut parts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, witness) in self.witnesses.iter().enumerate() {
            let name = witness.name();
            let part = match how {
                HeldOut::Fifth => (chance::stream("fold", name, 0) % PARTS).to_string(),
                HeldOut::Group => name.split('_').next().unwrap_or_default().to_owned(),
            };
            parts.entry(part).or_default().push(place);
        }
        let mut agreement = Agreement::default();
        for part in parts.values() {
            let others = (0..self.witnesses.len()).filter(|place| !part.contains(place));
            let court = Court {
                witnesses: others.map(|place| self.witnesses[place]).collect(),
                threads: self.threads,
            };
            let (fitted, _) = court.settle(base, court.search(base));
            for place in part {
                agreement.add(self.witnesses[*place], &fitted);
            }
        }
        agreement
    }
}
