//! The settings that are tried: each knob with each of its values.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

use playsim_rules::knobs::{KNOBS, Knob, Knobs, Profile, Takes};

/// A knob with a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FittedSetting {
    /// The name of the knob.
    pub knob: &'static str,
    /// The value, as a scenario has it.
    pub value: String,
}

/// The lengths of time that are tried. What players have is nearly always among them.
const LENGTHS: [&str; 12] = [
    "250ms", "500ms", "750ms", "1s", "2s", "3s", "4s", "5s", "8s", "10s", "20s", "30s",
];
/// Those that are tried of limits: a shorter one, which no player has, would "explain" anything
/// that is missing.
const LIMITS: [&str; 9] = ["off", "2s", "3s", "4s", "5s", "8s", "10s", "20s", "30s"];
const NUMBERS: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "10"];
const SHARES: [&str; 4] = ["99%", "98%", "95%", "90%"];

impl FittedSetting {
    /// Returns the knobs with this one turned; `None` if nothing changes or the value is not valid.
    #[must_use]
    pub fn on(&self, knobs: &Knobs) -> Option<Knobs> {
        let mut turned = knobs.clone();
        turned
            .set(self.knob, &self.value)
            .ok()
            .filter(|()| turned != *knobs)
            .map(|()| turned)
    }
}

impl fmt::Display for FittedSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.knob, self.value)
    }
}

/// Returns every setting that differs from these. Choices come first, since they name a behaviour;
/// lengths and numbers come last, since one that is extreme enough explains nearly everything.
/// Otherwise the order is that of the table. Knobs of the edit call do not concern a player, limits
/// are the simulator's own, and activation is up to the browser.
pub(super) fn settings(knobs: &Knobs) -> Vec<FittedSetting> {
    let concerned = KNOBS.iter().filter(|knob| {
        !["activation.", "bus.", "edit.", "limit."]
            .iter()
            .any(|other| knob.name.starts_with(other))
    });
    let (choices, others): (Vec<&Knob>, Vec<&Knob>) =
        concerned.partition(|knob| matches!((knob.takes)(), Takes::Words(_)));
    choices
        .into_iter()
        .chain(others)
        .flat_map(|knob| values(knob, knobs))
        .collect()
}

/// Returns the words in the description of a form, some of which are values:
/// `last, previous, all or window(10s)`.
fn words_of(form: &'static str) -> impl Iterator<Item = &'static str> {
    form.split([',', ' '])
        .map(str::trim)
        .filter(|word| !word.is_empty())
}

/// Returns the values of a knob that are tried: all words of a choice, usual lengths and numbers,
/// and those that a profile has.
pub(super) fn values(knob: &'static Knob, knobs: &Knobs) -> Vec<FittedSetting> {
    let mut values: Vec<String> = match (knob.takes)() {
        Takes::Words(words) => words.iter().map(|(word, _)| (*word).to_owned()).collect(),
        Takes::Length | Takes::Limit if knob.name.ends_with("timeout") => {
            LIMITS.map(String::from).to_vec()
        }
        Takes::Length => LENGTHS.map(String::from).to_vec(),
        Takes::Limit => ["off"]
            .iter()
            .chain(&LENGTHS)
            .map(|it| (*it).to_owned())
            .collect(),
        Takes::Number => NUMBERS.map(String::from).to_vec(),
        Takes::Form(form) => {
            let before = LENGTHS.iter().map(|length| format!("-{length}"));
            let words = words_of(form).chain(LENGTHS).chain(SHARES);
            words.map(str::to_owned).chain(before).collect()
        }
    };
    let of_profile = |profile: &Profile| (knob.value)(&profile.knobs());
    values.extend(Profile::ALL.iter().map(of_profile));
    let now = (knob.value)(knobs);
    let mut seen = BTreeSet::from([now]);
    let mut tried = Vec::new();
    for value in values {
        let mut turned = knobs.clone();
        // Values that the knob does not take are not tried.
        if turned.set(knob.name, &value).is_ok() && seen.insert((knob.value)(&turned)) {
            tried.push(FittedSetting {
                knob: knob.name,
                value,
            });
        }
    }
    tried
}
