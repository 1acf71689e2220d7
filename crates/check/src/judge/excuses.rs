//! Deviations that a knob in the header allows: a trace of playsim names the knobs that differ from
//! the default, and the table of knobs says which rules each of them changes.
//!
//! Rule TRACE-6.

use super::Session;
use super::{Finding, Level};
use playsim_api::{Fields, Value};
use playsim_rules::knobs::KNOBS;
use playsim_rules::{self as rules, RuleId};

/// The rules that a law judges by besides its own: a knob that changes one of them changes what the
/// law finds.
const ALSO: &[(RuleId, &[RuleId])] = &[
    (
        rules::TRK_1,
        &[rules::BRK_3, rules::BRK_9, rules::ADX_7, rules::PRD_28],
    ),
    (
        rules::TRK_2,
        &[rules::BRK_1, rules::ADX_7, rules::PRD_17, rules::PRD_29],
    ),
    (
        rules::TRK_3,
        &[
            rules::BRK_3,
            rules::BRK_4,
            rules::PRD_2,
            rules::PRD_17,
            rules::PRD_39,
            rules::ADX_7,
        ],
    ),
    (rules::TRK_4, &[rules::BRK_5, rules::PRD_2, rules::PRD_39]),
    (rules::TRK_5, &[rules::BRK_9]),
    (
        rules::TRK_6,
        &[rules::BRK_3, rules::BRK_4, rules::PRD_2, rules::PRD_39],
    ),
    (rules::TRK_7, &[rules::BRK_15, rules::PRD_18]),
    (
        rules::TRK_9,
        &[rules::PRD_16, rules::PRD_19, rules::PRD_20, rules::PRD_38],
    ),
    (rules::TRK_10, &[rules::PRD_16]),
    (rules::TRK_11, &[rules::BRK_1, rules::ADX_7, rules::PRD_15]),
    (rules::TRK_8, &[rules::CHN_11]),
    (
        rules::TRK_12,
        &[
            rules::BRK_3,
            rules::BRK_4,
            rules::BRK_9,
            rules::BRK_15,
            rules::PRD_2,
            rules::PRD_18,
            rules::PRD_39,
        ],
    ),
    (rules::TRK_14, &[rules::BRK_14]),
    (rules::TRK_15, &[rules::PRD_27]),
    (rules::MAC_1, &[rules::PRD_38]),
    (rules::INV_12, &[rules::PRD_4]),
    (rules::TIME_2, &[rules::TIME_3]),
    (rules::SCR_1, &[rules::BRK_16, rules::BRK_17, rules::PRE_1]),
    (rules::SCR_3, &[rules::PLAY_9, rules::END_1]),
];

/// Marks a finding as information if a knob in the header allows it.
pub(super) fn apply(session: &Session<'_>, finding: &mut Finding) {
    let Some(header) = session.trace.records.first().filter(|_| session.is_own) else {
        return;
    };
    let listed = header.data.get("knobs").and_then(Value::as_map);
    let also = ALSO
        .iter()
        .filter(|(rule, _)| *rule == finding.rule)
        .flat_map(|(_, rules)| rules.iter().copied());
    let about: Vec<RuleId> = [finding.rule]
        .into_iter()
        .chain(also)
        .chain(rests_on(finding.rule))
        .collect();
    let knob = listed
        .into_iter()
        .flat_map(Fields::iter)
        .find_map(|(name, _)| {
            let knob = KNOBS.iter().find(|knob| *knob.name == **name)?;
            knob.rules
                .iter()
                .any(|rule| about.contains(rule))
                .then_some(knob.name)
        });
    if knob.is_some() {
        finding.level = Level::Information;
        finding.knob = knob;
    }
}

/// Returns the rules that the row of an invariant rests on.
pub(super) fn rests_on(rule: RuleId) -> impl Iterator<Item = RuleId> {
    let source = if rule.family() == rules::INV_3.family() {
        rule.row().source
    } else {
        ""
    };
    source
        .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
        .filter_map(|word| word.parse().ok())
}
