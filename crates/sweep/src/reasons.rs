//! Why configurations differ: the setting without which a difference disappears.
//!
//! Random sessions are compared one by one with those of the same index, which have the same random
//! numbers: what differs then, beyond chance, comes from the settings.

use super::axis::Axis;
use super::difference::MeanChange;
use super::plan::Base;
use super::price::Prices;
use super::setting::{Setting, SettingTarget};
use super::summary::RunOutcome;
use super::table::{DifferenceReason, SweptTag, Table};
use super::text::{ad_by, of_tag, shows};
use super::together::Together;
use super::{PIECE, Sweep, SweepError};
use playsim_base::workers;

/// The most sessions of a configuration that are played for its reasons.
const MOST: u64 = 10_000;

/// The lines about a configuration.
enum Said {
    /// Of one session.
    Once(Vec<(String, String)>),
    /// Of many, in the order of their indices.
    Often(Vec<Measured>),
}

/// A line of many sessions: a number of each, if it has one.
struct Measured {
    line: String,
    numbers: Vec<Option<i64>>,
}

impl Sweep<'_> {
    /// Finds out why configurations differ from the first one.
    pub(super) fn explain(&self, base: &Base<'_>, table: &mut Table) -> Result<(), SweepError> {
        let fixed = self.axes.iter().filter(|axis| axis.len() == 1);
        let fixed: Vec<&Setting> = fixed
            .flat_map(|axis| axis.values[0].settings.iter())
            .collect();
        let Some(axis) = self.axes.iter().find(|axis| axis.is_of_configurations()) else {
            return Ok(());
        };
        if table.varied.len() != 1 || axis.len() < 2 {
            return Ok(());
        }
        let prices = Prices::new(&self.prices, self.scenario);
        let play = |settings: &[Setting]| -> Result<Said, SweepError> {
            let point = base.point(fixed.iter().copied().chain(settings), self.seed)?;
            let Some(runs) = table.runs.map(|runs| runs.min(MOST)) else {
                return Ok(Said::Once(facts(&point.outcome(0), &table.tags)));
            };
            let sessions = Together::new(point);
            let pieces = usize::try_from(runs.div_ceil(PIECE)).unwrap_or(usize::MAX);
            let outcomes = workers::each(self.threads, pieces, |piece| {
                let from = piece as u64 * PIECE;
                let until = (from + PIECE).min(runs);
                (from..until)
                    .map(|run| sessions.outcome(run))
                    .collect::<Vec<RunOutcome>>()
            });
            Ok(Said::Often(measured(
                &outcomes.concat(),
                &table.tags,
                &prices,
            )))
        };
        let first: Vec<Setting> = axis.values[0].settings.to_vec();
        let as_first = play(&first)?;
        let mut reasons = Vec::new();
        for value in &axis.values[1..] {
            let settings = value.settings.to_vec();
            let said = play(&settings)?;
            let mut because: Vec<Because> = as_first
                .differing(&said)
                .into_iter()
                .map(Because::of)
                .collect();
            if because.is_empty() {
                continue;
            }
            for (name, without) in candidates(base, &fixed, &first, &settings) {
                let without = play(&without)?;
                let (left, moved) = (as_first.differing(&without), said.differing(&without));
                for it in &mut because {
                    if !left.contains(&it.line) {
                        it.whole.push(name.clone());
                    } else if moved.contains(&it.line) {
                        it.part.push(name.clone());
                    }
                }
            }
            for it in because {
                let is_partial = it.whole.is_empty() && !it.part.is_empty();
                let because = if is_partial { it.part } else { it.whole };
                let is_same = |known: &&mut DifferenceReason| {
                    known.configuration == value.label
                        && known.because == because
                        && known.is_partial == is_partial
                };
                match reasons.iter_mut().find(is_same) {
                    Some(known) => known.lines.push(it.line),
                    None => reasons.push(DifferenceReason {
                        configuration: value.label.clone(),
                        lines: vec![it.line],
                        because,
                        is_partial,
                    }),
                }
            }
        }
        table.reasons = reasons;
        Ok(())
    }
}

impl Axis {
    fn is_of_configurations(&self) -> bool {
        self.target.is_none()
    }
}

/// The settings of a configuration without one of them, for each; of a profile, without one of its
/// knobs.
fn candidates(
    base: &Base<'_>,
    fixed: &[&Setting],
    first: &[Setting],
    settings: &[Setting],
) -> Vec<(String, Vec<Setting>)> {
    let knobs = |settings: &[Setting]| {
        let all: Vec<&Setting> = fixed.iter().copied().chain(settings).collect();
        base.knobs(&all).1
    };
    let (now, then) = (knobs(first), knobs(settings));
    let mut found = Vec::new();
    for (name, value) in then.differing_from(now.clone()) {
        let Some(knob) = playsim_rules::knobs::Knob::named(name) else {
            continue;
        };
        let back = Setting::Knob(name, (knob.value)(&now));
        found.push((format!("{name}={value}"), [settings, &[back]].concat()));
    }
    for (at, setting) in settings.iter().enumerate() {
        if let Some(target) = target(setting) {
            found.push((
                target.to_string(),
                [&settings[..at], &settings[at + 1..]].concat(),
            ));
        }
    }
    found
}

/// The subject of a setting, unless it sets knobs.
fn target(setting: &Setting) -> Option<SettingTarget> {
    match setting {
        Setting::After(source, _) => Some(SettingTarget::After(*source)),
        Setting::Answer(tag, _) => Some(SettingTarget::Answer(*tag)),
        Setting::Fill(tag, _) => Some(SettingTarget::Fill(*tag)),
        Setting::Off(tag, _) => Some(SettingTarget::Off(*tag)),
        Setting::Order(_) | Setting::AllOrders => Some(SettingTarget::Order),
        Setting::Profile(_) | Setting::Knob(..) => None,
    }
}

/// The lines about an outcome in the table of configurations.
fn facts(outcome: &RunOutcome, tags: &[SweptTag]) -> Vec<(String, String)> {
    let frame = outcome.first_frame;
    let mut facts = vec![
        ("ad by".to_owned(), ad_by(outcome)),
        (
            "first frame".to_owned(),
            frame.map(|it| it.after_us.to_string()).unwrap_or_default(),
        ),
        (
            "first frame of".to_owned(),
            frame.map(|it| shows(it.of).to_owned()).unwrap_or_default(),
        ),
    ];
    facts.extend(
        tags.iter()
            .map(|tag| (tag.tag.to_string(), of_tag(outcome, tag.tag))),
    );
    facts.extend(
        outcome
            .pixels
            .iter()
            .map(|it| (it.event.to_string(), it.calls.to_string())),
    );
    facts
}

/// The causes of a different line: the settings without which it does not differ, and those without
/// which it differs by another amount.
struct Because {
    line: String,
    whole: Vec<String>,
    part: Vec<String>,
}

impl Because {
    fn of(line: String) -> Because {
        Because {
            line,
            whole: Vec::new(),
            part: Vec::new(),
        }
    }
}

/// The numbers of many sessions in the table of configurations.
fn measured(outcomes: &[RunOutcome], tags: &[SweptTag], prices: &Prices) -> Vec<Measured> {
    let line = |line: String, number: &dyn Fn(&RunOutcome) -> Option<i64>| Measured {
        line,
        numbers: outcomes.iter().map(number).collect(),
    };
    let share = |is_it: bool| Some(if is_it { 1_000_000 } else { 0 });
    let mut lines = vec![
        line("an ad".to_owned(), &|it| share(it.is_filled())),
        line("first frame".to_owned(), &|it| {
            i64::try_from(it.first_frame?.after_us).ok()
        }),
    ];
    for SweptTag { tag, .. } in tags {
        lines.push(line(format!("by {tag}"), &|it| {
            share(it.filled_by.contains(tag))
        }));
        let is_asked = |it: &RunOutcome| it.asked.iter().any(|asked| asked.tag == *tag);
        lines.push(line(format!("{tag} asked"), &|it| share(is_asked(it))));
    }
    if prices.are_known() {
        lines.push(line("earned by 1,000".to_owned(), &|it| {
            Some(prices.earned(it, |_| ()))
        }));
    }
    lines
}

impl Said {
    /// The lines that differ for another configuration.
    fn differing(&self, other: &Said) -> Vec<String> {
        match (self, other) {
            (Said::Once(one), Said::Once(other)) => differing(one, other),
            (Said::Often(one), Said::Often(other)) => {
                let pairs = one.iter().zip(other);
                let differs = |(one, other): &(&Measured, &Measured)| {
                    let pairs = one.numbers.iter().zip(&other.numbers);
                    let pairs =
                        pairs.filter_map(|(one, other)| Some((one.as_ref()?, other.as_ref()?)));
                    !MeanChange::of(pairs.map(|(one, other)| ((*one).into(), (*other).into())))
                        .is_within_chance()
                };
                pairs
                    .filter(differs)
                    .map(|(one, _)| one.line.clone())
                    .collect()
            }
            (Said::Once(_), Said::Often(_)) | (Said::Often(_), Said::Once(_)) => Vec::new(),
        }
    }
}

/// The lines in which two outcomes differ.
fn differing(one: &[(String, String)], other: &[(String, String)]) -> Vec<String> {
    let value = |facts: &[(String, String)], line: &str| {
        facts
            .iter()
            .find(|(name, _)| name == line)
            .map(|(_, value)| value.clone())
    };
    let mut lines: Vec<String> = Vec::new();
    for (name, _) in one.iter().chain(other) {
        if !lines.contains(name) && value(one, name) != value(other, name) {
            lines.push(name.clone());
        }
    }
    lines
}
