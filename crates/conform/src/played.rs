//! Whether a case was played as it is written: what its page says of the adapter, of steps and of
//! buttons.

use std::collections::BTreeSet;

use playsim_api::Kind;
use playsim_check::recording::Recording;

/// How a page says that it found no button.
const NO_BUTTON: &str = ": nothing on the page ever matched ";
/// How it says that there was nothing to press at that moment.
const NOTHING: &str = ": nothing to press at ";

/// The acts of persons that succeeded in any case of a player: its adapter names the right buttons.
/// If one of these is missing in another case, that is the player's doing.
#[derive(Debug, Default)]
pub(super) struct Proven(BTreeSet<String>);

impl Proven {
    pub(super) fn by<'a>(recordings: impl Iterator<Item = &'a Recording>) -> Proven {
        let mut proven = BTreeSet::new();
        for recording in recordings.filter(|recording| recording.head.problems.is_empty()) {
            let records = &recording.trace.records;
            let failed = |name: &str| {
                let notes = records.iter().filter(|record| record.kind == Kind::Diag);
                notes.filter_map(|note| note.data.text("text")).any(|text| {
                    text.strip_prefix(name)
                        .is_some_and(|rest| rest.starts_with(NOTHING))
                })
            };
            let acts = records.iter().filter(|record| record.kind == Kind::User);
            proven.extend(
                acts.map(|act| act.name.to_string())
                    .filter(|name| !failed(name)),
            );
        }
        Proven(proven)
    }

    /// Returns what kept a case from being played as it is written, in a sentence each.
    pub(super) fn problems(&self, recording: &Recording) -> Vec<String> {
        let is_players = |problem: &str| {
            problem
                .split_once(NO_BUTTON)
                .is_some_and(|(name, _)| self.0.contains(name))
        };
        let problems = recording.head.problems.iter().map(ToString::to_string);
        problems.filter(|problem| !is_players(problem)).collect()
    }
}

/// Whether each recording of one player was played as its case is written, judged by all of them.
#[must_use]
pub fn are_played(recordings: &[Recording]) -> Vec<bool> {
    let proven = Proven::by(recordings.iter());
    let all = recordings.iter();
    all.map(|recording| proven.problems(recording).is_empty())
        .collect()
}
