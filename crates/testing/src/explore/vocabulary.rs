//! What a user or the page may do between two lines of a scenario.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use playsim_api::{Act, Call, Command, Decimal, PageChange, Query, Value};
use playsim_base::watch;
use playsim_scenario::{Scenario, StepAct};
use playsim_sim::Simulation;

/// Something that a user or the page may do to a player at any instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    word: Arc<str>,
    what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Act(StepAct),
    /// The user seeks to the middle of the content, or from its second half to the start.
    Seek,
    /// Page code sets the next video of the scenario as the source.
    Source,
}

/// The words that are tried unless others are given.
pub const USUAL: &str = "pause,play,skip,click,seek,mute,hide,destroy,src,next";

impl Action {
    /// All words in a list, such as `pause,skip,stop()`.
    ///
    /// # Errors
    ///
    /// Which word says nothing.
    pub fn list(words: &str) -> Result<Vec<Action>, String> {
        let words = words
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty());
        words.map(str::parse).collect()
    }

    /// Returns what is done to the player in a container now; `None` if there is nothing to do.
    pub(super) fn act(
        &self,
        scenario: &Scenario,
        run: &Simulation,
        container: &str,
    ) -> Option<StepAct> {
        match &self.what {
            What::Act(act) => Some(act.clone()),
            What::Seek => {
                let number = |query| run.query(container, query).ok()?.as_number();
                let length = number(Query::Duration)?.millionths();
                let position = number(Query::CurrentTime)?.millionths();
                let middle = length / 2;
                let whole = |number: i64| number.max(0).unsigned_abs();
                let is_first_half = watch::is_less(whole(position), whole(middle));
                let to = if is_first_half { middle } else { 0 };
                Some(StepAct::User(Act::Seek(Value::from(
                    Decimal::from_millionths(to),
                ))))
            }
            What::Source => {
                let [_, other, ..] = scenario.videos.as_slice() else {
                    return None;
                };
                let Command { call, args, .. } = Command::new(Call::Src, [other.video.id.clone()]);
                Some(StepAct::Do { call, args })
            }
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word)
    }
}

/// A word for something a user does, `hide`, `show`, `destroy`, `src`, or a call without arguments
/// such as `stop()`.
impl FromStr for Action {
    type Err = String;

    fn from_str(word: &str) -> Result<Action, String> {
        let call = |call| {
            What::Act(StepAct::Do {
                call,
                args: Vec::new(),
            })
        };
        let own = OWN
            .iter()
            .find(|(own, _)| *own == word)
            .map(|(_, what)| what.clone());
        let plain = || {
            Act::PLAIN
                .iter()
                .find(|act| act.name().name() == word)
                .cloned()
        };
        let called = || word.strip_suffix("()").and_then(Call::from_name).map(call);
        let what = own
            .or_else(|| plain().map(|act| What::Act(StepAct::User(act))))
            .or_else(called)
            .ok_or_else(|| format!("\"{word}\" is nothing that can be done; {KNOWN}"))?;
        Ok(Action {
            word: word.into(),
            what,
        })
    }
}

/// The words that are not those of user actions.
const OWN: [(&str, What); 5] = [
    ("seek", What::Seek),
    ("src", What::Source),
    ("hide", What::Act(StepAct::Page(PageChange::Hidden(true)))),
    ("show", What::Act(StepAct::Page(PageChange::Hidden(false)))),
    (
        "destroy",
        What::Act(StepAct::Do {
            call: Call::Destroy,
            args: Vec::new(),
        }),
    ),
];

const KNOWN: &str = "known are gesture, play, pause, click, skip, close, next, previous, mute, unmute, \
    fullscreen, seek, hide, show, destroy, src, and calls without arguments, such as stop()";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_word_is_known() {
        assert_eq!(Action::list(USUAL).map(|actions| actions.len()), Ok(10));
        assert!(Action::list("pause, stop()").is_ok());
        let error = Action::list("pause,jump").expect_err("nobody jumps");
        assert!(error.starts_with("\"jump\" is nothing"), "{error}");
    }
}
