//! The current values of varied settings.

use super::axis::{Axis, AxisValue};
use super::order::TagOrder;
use super::plan::Base;
use super::setting::{Setting, SettingSource, SettingTarget};
use super::tag::TagNumber;
use playsim_rules::knobs::Knobs;
use playsim_scenario::{AnswerScript, ScriptedAnswer};

/// The value in force of an axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Now {
    /// As written in `--vary`.
    pub(super) value: String,
    /// Its place on the scale of the axis.
    pub(super) at: Option<u64>,
}

impl Base<'_> {
    /// The value in force of an axis, given the knobs in force; `None` if there is none, or it was
    /// not recorded.
    pub(super) fn now(&self, axis: &Axis, knobs: &Knobs) -> Option<Now> {
        let value = match axis.target? {
            SettingTarget::Profile => self.scenario.profile.to_string(),
            SettingTarget::Knob(knob) => (knob.value)(knobs),
            SettingTarget::Fill(_) => "100%".to_owned(),
            SettingTarget::Order => TagOrder::as_given(self.tags.len()).to_string(),
            SettingTarget::Off(_) => "no".to_owned(),
            SettingTarget::After(SettingSource::Tag(tag)) => {
                let answer = self.answer(tag)?;
                (answer.answer != ScriptedAnswer::Silence).then(|| answer.after.in_seconds())?
            }
            // Hops and media files have a latency each.
            SettingTarget::After(
                SettingSource::Hop(..) | SettingSource::Wrappers | SettingSource::Media,
            )
            | SettingTarget::Answer(_) => return None,
        };
        let at = axis.order.and_then(|order| order.unit.read(&value));
        Some(Now { value, at })
    }

    /// The answer of a tag in its first break, if the scenario lists one for exactly its URL.
    pub(super) fn answer(&self, tag: TagNumber) -> Option<&AnswerScript> {
        let index = self.index(tag).ok()?;
        let address = &self.tags[index];
        let (_, answers) = self
            .scenario
            .network
            .iter()
            .find(|(listed, _)| listed == address)?;
        // Tags with one URL get its answers in turn.
        let nth = self.tags[..index]
            .iter()
            .filter(|other| *other == address)
            .count();
        answers.get(nth).or(answers.last())
    }

    /// Assumptions that follow from these values, since they were not recorded: one sentence each.
    pub(super) fn assumed<'v>(&self, values: impl Iterator<Item = &'v AxisValue>) -> Vec<String> {
        let settings: Vec<&Setting> = values.flat_map(|value| value.settings.iter()).collect();
        let has = |tag: TagNumber, is: &dyn Fn(&Setting) -> bool| {
            settings
                .iter()
                .any(|setting| setting.tag() == Some(tag) && is(setting))
        };
        let is_answer = |setting: &Setting| matches!(setting, Setting::Answer(..));
        let is_after =
            |setting: &Setting| matches!(setting, Setting::After(SettingSource::Tag(_), _));
        let is_at_once = |setting: &Setting| matches!(setting, Setting::Answer(_, script) if script.after.micros() == 0);
        let mut assumed = Vec::new();
        for wp in 0..self.tags.len() {
            let tag = TagNumber::of_wp(u32::try_from(wp).unwrap_or(u32::MAX));
            let unseen = self
                .answer(tag)
                .filter(|answer| answer.answer == ScriptedAnswer::Silence);
            if unseen.is_none() {
                continue;
            }
            if has(tag, &is_at_once) && !has(tag, &is_after) {
                assumed.push(format!(
                    "{tag} answers at once, since nobody saw how long it takes: {tag}.answer=...@300ms says how long"
                ));
            } else if has(tag, &is_after) && !has(tag, &is_answer) {
                assumed.push(format!(
                    "{tag} answers with an ad of 15 s without pixels, since nobody saw its answer: {tag}.answer=FILE \
                     says what it answers"
                ));
            }
        }
        assumed
    }
}
