//! Unrecorded responses: the recorded player gave up on a tag, so the response that came later is
//! unknown.
//!
//! A scenario has `{ after: 1.5s, fails: timeout }` for such a response: nothing arrived within
//! this time.

use std::sync::Arc;

use serde::Serialize;

use super::tag::TagNumber;
use playsim_api::Text;
use playsim_base::time::Span;
use playsim_scenario::{AnswerScript, Scenario, ScriptedAnswer};
use playsim_sim::Simulation;

/// A tag whose response is unknown because a session waited longer for it than the recorded player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct UnknownAnswer {
    /// The tag.
    pub tag: TagNumber,
    /// The time, in microseconds after the request, after which the response is unknown. Nothing
    /// arrived before.
    pub since_us: u64,
}

/// A request that a player gave up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenUp {
    /// The tag for which it was sent.
    pub tag: TagNumber,
    /// The URL.
    pub url: Text,
    /// How long the player waited for a response, in microseconds.
    pub waited_us: u64,
}

/// The URLs of a scenario whose responses are unknown after some time, with that time.
#[derive(Debug, Clone, Default)]
pub(super) struct Unseen(Vec<(Arc<str>, Span)>);

/// How long it is known that no response arrived; `None` if the response is known.
pub(super) fn known_for(answer: &AnswerScript) -> Option<Span> {
    (answer.answer == ScriptedAnswer::Silence && answer.after > Span::ZERO).then_some(answer.after)
}

impl Unseen {
    /// Finds these URLs in a scenario, and the URLs that redirect to them.
    pub(super) fn of(scenario: &Scenario) -> Unseen {
        let mut found: Vec<(Arc<str>, Span)> = Vec::new();
        for (url, answers) in &scenario.network {
            let known = answers.iter().filter_map(known_for).min();
            found.extend(known.map(|known| (Arc::clone(url), known)));
        }
        // A redirect adds its own delay. Redirect loops add no URL.
        loop {
            let mut more = Vec::new();
            for (url, answers) in &scenario.network {
                let to = answers.iter().find_map(|it| match &it.answer {
                    ScriptedAnswer::Redirect { to, .. } => Some((to, it.after)),
                    ScriptedAnswer::Body { .. }
                    | ScriptedAnswer::Fails(_)
                    | ScriptedAnswer::Silence => None,
                });
                let Some((to, after)) = to.filter(|_| found.iter().all(|(known, _)| known != url))
                else {
                    continue;
                };
                let known = found
                    .iter()
                    .find(|(known, _)| known == to)
                    .map(|(_, known)| *known);
                more.extend(known.map(|known| (Arc::clone(url), known + after)));
            }
            if more.is_empty() {
                return Unseen(found);
            }
            found.append(&mut more);
        }
    }

    /// Returns the abandoned requests that waited longer than the response is known, one for each
    /// tag.
    pub(super) fn among(
        &self,
        requests: &[GivenUp],
        simulation: &Simulation,
    ) -> Vec<UnknownAnswer> {
        let mut unknown: Vec<UnknownAnswer> = Vec::new();
        for it in requests {
            let known = self
                .0
                .iter()
                .find(|(url, _)| simulation.is_same_route(url, &it.url));
            let Some((_, known)) = known.filter(|(_, known)| it.waited_us > known.micros()) else {
                continue;
            };
            if unknown.iter().all(|other| other.tag != it.tag) {
                unknown.push(UnknownAnswer {
                    tag: it.tag,
                    since_us: known.micros(),
                });
            }
        }
        unknown.sort_unstable();
        unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_to_an_unknown_response_is_unknown_too() {
        let silence = AnswerScript {
            content_type: None,
            after: Span::from_secs(2),
            answer: ScriptedAnswer::Silence,
        };
        let redirect = |to: &str| ScriptedAnswer::Redirect {
            status: 302,
            to: to.into(),
        };
        let scenario = Scenario::default()
            .with_answer(
                "a",
                AnswerScript {
                    content_type: None,
                    after: Span::from_secs(1),
                    answer: redirect("b"),
                },
            )
            .with_answer("b", silence)
            .with_answer(
                "c",
                AnswerScript {
                    content_type: None,
                    after: Span::ZERO,
                    answer: redirect("c"),
                },
            )
            .with_answer("d", ScriptedAnswer::Silence);
        let found = Unseen::of(&scenario).0;
        let found: Vec<(&str, u64)> = found
            .iter()
            .map(|(url, known)| (&**url, known.micros()))
            .collect();
        assert_eq!(found, [("b", 2_000_000), ("a", 3_000_000)]);
    }
}
