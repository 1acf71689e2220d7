//! Why configurations differ: the setting without which a difference is gone.

use super::axis::Axis;
use super::plan::Base;
use super::setting::{Setting, SettingTarget};
use super::summary::RunOutcome;
use super::table::{DifferenceReason, SweptTag, Table};
use super::text::{ad_by, of_tag, shows};
use super::{Sweep, SweepError};

impl Sweep<'_> {
    /// Finds out why configurations differ from the first one, if nothing is random.
    pub(super) fn explain(&self, base: &Base<'_>, table: &mut Table) -> Result<(), SweepError> {
        let fixed = self.axes.iter().filter(|axis| axis.len() == 1);
        let fixed: Vec<&Setting> = fixed.flat_map(|axis| axis.values[0].settings.iter()).collect();
        let Some(axis) = self.axes.iter().find(|axis| axis.is_of_configurations()) else { return Ok(()) };
        if table.varied.len() != 1 || axis.len() < 2 {
            return Ok(());
        }
        let play = |settings: &[Setting]| -> Result<Vec<(String, String)>, SweepError> {
            let all = fixed.iter().copied().chain(settings);
            Ok(facts(&base.point(all, self.seed)?.outcome(0), &table.tags))
        };
        let first: Vec<Setting> = axis.values[0].settings.to_vec();
        let as_first = play(&first)?;
        let mut reasons = Vec::new();
        for value in &axis.values[1..] {
            let settings = value.settings.to_vec();
            let differing = differing(&as_first, &play(&settings)?);
            if differing.is_empty() {
                continue;
            }
            let mut because: Vec<(String, Vec<String>)> =
                differing.into_iter().map(|line| (line, Vec::new())).collect();
            for (name, without) in candidates(base, &fixed, &first, &settings) {
                let left = self::differing(&as_first, &play(&without)?);
                for (line, because) in &mut because {
                    if !left.contains(line) {
                        because.push(name.clone());
                    }
                }
            }
            for (line, because) in because {
                let is_same =
                    |it: &&mut DifferenceReason| it.configuration == value.label && it.because == because;
                match reasons.iter_mut().find(is_same) {
                    Some(known) => known.lines.push(line),
                    None => reasons.push(DifferenceReason {
                        configuration: value.label.clone(),
                        lines: vec![line],
                        because,
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

/// The settings of a configuration without one of them, for each; of a profile, without one of its knobs.
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
        let Some(knob) = crate::knobs::Knob::named(name) else { continue };
        let back = Setting::Knob(name, (knob.value)(&now));
        found.push((format!("{name}={value}"), [settings, &[back]].concat()));
    }
    for (at, setting) in settings.iter().enumerate() {
        if let Some(target) = target(setting) {
            found.push((target.to_string(), [&settings[..at], &settings[at + 1..]].concat()));
        }
    }
    found
}

/// What a setting is about, unless it sets knobs.
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

/// What the table of configurations says of an outcome, line by line.
fn facts(outcome: &RunOutcome, tags: &[SweptTag]) -> Vec<(String, String)> {
    let frame = outcome.first_frame;
    let mut facts = vec![
        ("ad by".to_owned(), ad_by(outcome)),
        ("first frame".to_owned(), frame.map(|it| it.after_us.to_string()).unwrap_or_default()),
        ("first frame of".to_owned(), frame.map(|it| shows(it.of).to_owned()).unwrap_or_default()),
    ];
    facts.extend(tags.iter().map(|tag| (tag.tag.to_string(), of_tag(outcome, tag.tag))));
    facts.extend(outcome.pixels.iter().map(|it| (it.event.to_string(), it.calls.to_string())));
    facts
}

/// The lines of which two outcomes say something else.
fn differing(one: &[(String, String)], other: &[(String, String)]) -> Vec<String> {
    let value = |facts: &[(String, String)], line: &str| {
        facts.iter().find(|(name, _)| name == line).map(|(_, value)| value.clone())
    };
    let mut lines: Vec<String> = Vec::new();
    for (name, _) in one.iter().chain(other) {
        if !lines.contains(name) && value(one, name) != value(other, name) {
            lines.push(name.clone());
        }
    }
    lines
}
