//! The report of an exploration, for people and for programs.

use playsim::scenario::Scenario;
use playsim::testing::explore::{Explored, Fact, OutcomeClass, Progress, Way};
use playsim_base::escape;
use playsim_base::words::{counted, wrap};
use serde_json::{Value as Json, json};

use super::{Actions, Explore};
use crate::cli::fuzz::rows;
use crate::cli::joined;
use crate::cli::width;

/// What was explored, and how.
pub(super) struct Case<'a> {
    pub(super) file: &'a str,
    pub(super) asked: &'a Explore,
    pub(super) found: &'a Explored,
}

/// The width of the first column.
const FIRST: usize = 10;

/// As text.
pub(super) fn text(case: &Case<'_>, kept: &[String]) -> String {
    let Case { file, found, .. } = case;
    let mut out = format!("{file}\n");
    row("ways", &reach(found), &mut out);
    row("bounds", &bounds(case), &mut out);
    if let Some(cut) = found.cut {
        row("", &depths(cut), &mut out);
    }
    row("played", &played(found), &mut out);
    for (number, (what, times)) in found.not_tried.iter().enumerate() {
        let first = if number == 0 { "not tried" } else { "" };
        let often = match times {
            1 => String::new(),
            _ => format!(" ({} times)", grouped(*times as u128)),
        };
        row(first, &format!("{what}{often}"), &mut out);
    }
    for (number, broken) in found.broken.iter().enumerate() {
        out.push_str(&format!("\nbroken {}\n", number + 1));
        row("law", broken.law, &mut out);
        row("why", &broken.why, &mut out);
        row(
            "in",
            &format!("{} of {} that were judged", broken.runs, found.judged),
            &mut out,
        );
        way(&broken.way, &mut out);
    }
    if found.broken.is_empty() {
        let until = if found.cut.is_some() || !found.not_tried.is_empty() {
            "that was tried"
        } else {
            "within these bounds"
        };
        out.push_str(&format!(
            "\nevery law and every expectation holds in every way {until}\n"
        ));
    }
    if !found.statements.is_empty() {
        out.push_str(
            "\ntrue in every way within these bounds; add what you mean to keep to expect\n",
        );
        let yaml = expectations(found).to_yaml();
        out.push_str(
            yaml.split_once("expect:\n")
                .map_or(&*yaml, |(_, list)| list),
        );
    }
    groups(case, &mut out);
    if let [first, ..] = kept {
        out.push_str(&format!(
            "\nwrote {}, {first} the first\n",
            counted(kept.len(), "scenario")
        ));
    }
    out
}

/// Outcomes that look alike to a viewer, with their numbers.
pub(super) struct Alike<'a> {
    pub(super) seen: &'a str,
    pub(super) ways: u128,
    pub(super) outcomes: Vec<(usize, &'a OutcomeClass)>,
}

/// Returns the outcomes, those together that look alike.
pub(super) fn alike(found: &Explored) -> Vec<Alike<'_>> {
    let mut groups: Vec<Alike<'_>> = Vec::new();
    for (number, class) in (1..).zip(&found.outcomes) {
        match groups.iter_mut().find(|group| group.seen == class.seen) {
            Some(group) => {
                group.ways = group.ways.saturating_add(class.ways);
                group.outcomes.push((number, class));
            }
            None => groups.push(Alike {
                seen: &class.seen,
                ways: class.ways,
                outcomes: vec![(number, class)],
            }),
        }
    }
    groups
}

fn groups(case: &Case<'_>, out: &mut String) {
    let Case { asked, found, .. } = case;
    let groups = alike(found);
    let (outcomes, kinds) = (counted(found.outcomes.len(), "outcome"), groups.len());
    out.push_str(&format!("\n{outcomes}, {kinds} as a viewer sees them\n"));
    let base = found.outcomes.first();
    for Alike {
        seen,
        ways,
        outcomes,
    } in &groups
    {
        out.push_str(&format!("\n{:>9} ways  {seen}\n", grouped(*ways)));
        for (number, class) in outcomes.iter().take(asked.list) {
            let difference =
                wrap(&difference(base, class), width().saturating_sub(12)).join("\n            ");
            out.push_str(&format!(
                "{:>9} #{number} {difference}\n",
                grouped(class.ways)
            ));
            for choice in &class.way.choices {
                out.push_str(&format!("            {choice}\n"));
            }
        }
        let more = outcomes.len().saturating_sub(asked.list);
        if more > 0 {
            out.push_str(&format!(
                "          and {more} more; --list {} lists all\n",
                outcomes.len()
            ));
        }
    }
}

/// What is true in every way, as a scenario with nothing else.
pub(super) fn expectations(found: &Explored) -> Scenario {
    Scenario {
        expect: found.statements.clone(),
        ..Scenario::default()
    }
}

/// How far the ways were tried.
pub(super) fn reach(found: &Explored) -> String {
    let (ways, states) = (
        plural(found.ways, "way"),
        plural(found.states as u128, "state"),
    );
    match found.cut {
        None if found.not_tried.is_empty() => format!("complete: {ways}, {states}"),
        None => format!("not complete: {ways}, {states}"),
        Some(_) => format!("not complete: {ways} so far, {states}"),
    }
}

fn depths(cut: Progress) -> String {
    let Progress {
        depth, done, of, ..
    } = cut;
    let share = done * 100 / of.max(1);
    match depth {
        1 => format!("cut: of the ways with one choice {share} %"),
        _ => format!(
            "cut: all ways with up to {}, of those with one more {share} %",
            counted(depth as usize - 1, "choice")
        ),
    }
}

pub(super) fn bounds(case: &Case<'_>) -> String {
    let Explore {
        acts,
        moves,
        actions: Actions(actions),
        within,
        near,
        ..
    } = case.asked;
    let mut parts = Vec::new();
    if *acts > 0 && !actions.is_empty() {
        parts.push(format!(
            "up to {} ({})",
            counted(*acts as usize, "act"),
            joined(actions, ", ")
        ));
    }
    if *moves > 0 {
        let what = counted(*moves as usize, "other time");
        let latencies = if *near {
            "all"
        } else {
            "responses at any time, steps"
        };
        parts.push(format!(
            "up to {what} ({latencies} within {})",
            within.in_seconds()
        ));
    }
    if parts.is_empty() {
        "none: the scenario as it is".to_owned()
    } else {
        parts.join("; ")
    }
}

fn played(found: &Explored) -> String {
    let (parts, judged) = (
        plural(found.runs as u128, "part"),
        grouped(found.judged as u128),
    );
    format!("{parts} of ways, {judged} different series of lines, all judged")
}

/// How an outcome differs from that of the scenario as it is.
pub(super) fn difference(base: Option<&OutcomeClass>, class: &OutcomeClass) -> String {
    let Some(base) = base.filter(|base| !std::ptr::eq(*base, class)) else {
        return "as it is".to_owned();
    };
    let times = |class: &OutcomeClass, fact: &Fact| {
        class
            .facts
            .iter()
            .find(|(known, _)| known == fact)
            .map_or(0, |(_, times)| *times)
    };
    let (mut more, mut less) = (Vec::new(), Vec::new());
    for (fact, now) in &class.facts {
        match times(base, fact) {
            0 if *now == 1 => more.push(fact.to_string()),
            0 => more.push(format!("{fact} {now} times")),
            before if before != *now => more.push(format!("{fact} {now} times, not {before}")),
            _ => {}
        }
    }
    for (fact, _) in base
        .facts
        .iter()
        .filter(|(fact, _)| times(class, fact) == 0)
    {
        less.push(fact.to_string());
    }
    let mut parts = Vec::new();
    if !more.is_empty() {
        parts.push(format!("with {}", more.join(", ")));
    }
    if !less.is_empty() {
        parts.push(format!("without {}", less.join(", ")));
    }
    parts.join("; ")
}

fn way(way: &Way, out: &mut String) {
    if way.choices.is_empty() {
        row("way", "as it is", out);
    }
    for (number, choice) in way.choices.iter().enumerate() {
        row(
            if number == 0 { "way" } else { "" },
            &choice.to_string(),
            out,
        );
    }
    if let Some(line) = &way.parts_at {
        row("parts at", line, out);
    }
}

fn row(what: &str, text: &str, out: &mut String) {
    rows::<FIRST>(what, text, out);
}

/// A number with its noun.
fn plural(number: u128, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        grouped(number),
        if number == 1 { "" } else { "s" }
    )
}

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// As JSON.
pub(super) fn json(case: &Case<'_>) -> String {
    let Case { file, found, asked } = case;
    let Actions(actions) = &asked.actions;
    let read =
        |scenario: &Scenario| serde_json::from_str::<Json>(&scenario.to_json()).unwrap_or_default();
    let way = |way: &Way| {
        json!({
            "choices": way.choices.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "partsAt": way.parts_at,
            "scenario": read(&way.scenario.inlined()),
        })
    };
    let fact = |(fact, times): &(Fact, u32)| json!({ "kind": fact.kind.name(), "name": &*fact.name, "code": fact.code, "container": fact.container.as_deref(), "times": times });
    let cut = found.cut.map(
        |Progress {
             depth, done, of, ..
         }| json!({ "depth": depth, "done": done, "of": of }),
    );
    let json = json!({
        "file": file,
        "bounds": {
            "acts": asked.acts,
            "moves": asked.moves,
            "do": actions.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "within": asked.within.micros(),
            "anyLatency": !asked.near,
        },
        "isComplete": found.cut.is_none() && found.not_tried.is_empty(),
        "notTried": found.not_tried.iter().map(|(what, times)| json!({
            "what": what.word(), "why": what.to_string(), "times": times,
        })).collect::<Vec<_>>(),
        "cut": cut,
        "ways": found.ways.to_string(),
        "states": found.states,
        "parts": found.runs,
        "judged": found.judged,
        "broken": found.broken.iter().map(|broken| json!({
            "law": broken.law, "why": broken.why, "in": broken.runs, "way": way(&broken.way),
        })).collect::<Vec<_>>(),
        "statements": read(&expectations(found))["expect"],
        "outcomes": found.outcomes.iter().map(|class| json!({
            "ways": class.ways.to_string(),
            "seen": class.seen,
            "facts": class.facts.iter().map(fact).collect::<Vec<_>>(),
            "way": way(&class.way),
        })).collect::<Vec<_>>(),
    });
    format!("{}\n", escape::json(&format!("{json:#}")))
}
