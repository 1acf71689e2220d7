//! How well settings predict recordings that they were not fitted to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::cases::{FitCase, Settings};
use super::search::FitSet;
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
    /// A fifth at a time, with whole groups of situations: those whose names begin with the same
    /// word.
    Group,
    /// All those of a suite at a time, where recordings are of several.
    Suite,
}

/// Into how many parts recordings are divided.
const PARTS: usize = 5;

impl Agreement {
    /// Adds how one recording agrees with some settings.
    pub(super) fn add(&mut self, case: &FitCase<'_>, settings: &Settings) {
        self.recordings += 1;
        let Some(observed) = case.under(settings) else {
            return;
        };
        self.too_short += usize::from(observed.cut > 0);
        self.in_order += usize::from(observed.is_in_order);
        self.in_view += usize::from(observed.is_in_view);
        self.same_lines += observed.same;
        self.lines += observed.same + observed.apart();
    }

    /// How recordings agree with some settings.
    pub(super) fn of(cases: &[&FitCase<'_>], settings: &Settings) -> Agreement {
        let mut agreement = Agreement::default();
        for case in cases {
            agreement.add(case, settings);
        }
        agreement
    }
}

impl FitSet<'_> {
    /// How settings that were fitted to the other recordings predict each part of them.
    pub(super) fn held_out(&self, how: HeldOut, base: &Settings) -> Agreement {
        let parts = match how {
            HeldOut::Fifth => self.by_name(),
            HeldOut::Group => self.by_group(),
            HeldOut::Suite => self.by_suite(),
        };
        let mut agreement = Agreement::default();
        for part in &parts {
            let others = (0..self.cases.len()).filter(|place| !part.contains(place));
            let set = FitSet {
                cases: others.map(|place| self.cases[place]).collect(),
                threads: self.threads,
            };
            let (fitted, _) = set.settle(base, set.search(base));
            for place in part {
                agreement.add(self.cases[*place], &fitted);
            }
        }
        agreement
    }

    /// The recordings in parts, by the names of their cases alone.
    fn by_name(&self) -> Vec<Vec<usize>> {
        let mut parts = vec![Vec::new(); PARTS];
        for (place, case) in self.cases.iter().enumerate() {
            let drawn = chance::stream("fold", case.name(), 0) % PARTS as u64;
            parts[drawn as usize].push(place);
        }
        parts
    }

    /// The recordings of each suite.
    pub(super) fn by_suite(&self) -> Vec<Vec<usize>> {
        let mut suites: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, case) in self.cases.iter().enumerate() {
            suites.entry(case.suite()).or_default().push(place);
        }
        suites.into_values().collect()
    }

    /// The recordings in parts, none of which divides a group of situations: those whose names
    /// begin with the same word. The largest groups are placed first, each in the smallest part.
    fn by_group(&self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, case) in self.cases.iter().enumerate() {
            let word = case.name().split('_').next().unwrap_or_default();
            groups.entry(word).or_default().push(place);
        }
        let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
        groups.sort_by_key(|group| usize::MAX - group.len());
        let mut parts = vec![Vec::new(); PARTS];
        for group in groups {
            let smallest = parts
                .iter_mut()
                .min_by_key(|part: &&mut Vec<usize>| part.len());
            smallest.into_iter().for_each(|part| part.extend(&group));
        }
        parts
    }
}
