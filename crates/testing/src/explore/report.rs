//! What an exploration has found, from the graph of all ways.

use super::graph::Graph;
use super::outcome::{self, Outline};
use super::walk::Walker;
use super::way::{Decision, Step};
use super::{Branch, BrokenWay, Explored, OutcomeClass, Progress, Way, statements};

pub(super) fn report(walker: &Walker<'_>, graph: &Graph, cut: Option<Progress>) -> Explored {
    let base = walker.whole(&[]).and_then(|whole| whole.trace);
    let way = |way: &[Step]| {
        let whole = walker.whole(way)?;
        let outline = whole.trace.as_ref().map(Outline::of).unwrap_or_default();
        let parts_at = base
            .as_ref()
            .zip(whole.trace.as_ref())
            .and_then(|(base, it)| outcome::parting(base, it));
        let words = walker.words(way);
        Some((
            outline,
            Way {
                choices: words,
                scenario: Box::new(whole.scenario),
                parts_at,
            },
        ))
    };
    let found = graph.outcomes();
    let ways = found
        .values()
        .fold(0_u128, |sum, (ways, _)| sum.saturating_add(*ways));
    let mut outcomes: Vec<(usize, u128, OutcomeClass)> = found
        .iter()
        .filter_map(|(key, (ways, run))| {
            let (outline, way) = way(&graph.way(*run))?;
            let (ways, facts) = (*ways, outline.facts);
            Some((
                *run,
                *key,
                OutcomeClass {
                    ways,
                    seen: outcome::seen(&facts),
                    facts,
                    way,
                },
            ))
        })
        .collect();
    outcomes.sort_by_key(|(run, _, class)| (*run != 0, std::cmp::Reverse(class.ways), *run));
    let broken = graph.broken.iter().filter_map(|broken| {
        let (_, way) = way(&graph.way(broken.run))?;
        let (law, why) = (broken.law.name, broken.why.text.clone());
        Some(BrokenWay {
            law,
            why,
            runs: broken.runs,
            way,
        })
    });
    let branches = branches(walker, graph, |key| {
        outcomes.iter().position(|(_, known, _)| *known == key)
    });
    let outcomes: Vec<OutcomeClass> = outcomes.into_iter().map(|(.., class)| class).collect();
    let is_complete = cut.is_none() && walker.limits.left_out().is_empty();
    let statements = if is_complete {
        statements::statements(&outcomes, graph.longest)
    } else {
        Vec::new()
    };
    Explored {
        ways,
        states: graph.states(),
        runs: graph.runs.len(),
        judged: graph.judged(),
        cut,
        not_tried: walker.limits.left_out(),
        broken: broken.collect(),
        instants: walker.instants(graph.states_of(0)),
        branches,
        statements,
        outcomes,
    }
}

fn branches(
    walker: &Walker<'_>,
    graph: &Graph,
    number_of: impl Fn(u128) -> Option<usize>,
) -> Vec<Branch> {
    let branch = |(run, place, choice): (usize, usize, Decision)| {
        let (what, at) = walker.branch(place, choice)?;
        let run = graph.runs.get(run)?;
        let (outcome, is_broken) = (number_of(run.outcome)?, run.is_broken);
        Some(Branch {
            what,
            is_act: matches!(choice, Decision::Act { .. }),
            at,
            outcome,
            is_broken,
        })
    };
    graph.branches().filter_map(branch).collect()
}
