//! What would have helped: a few other settings, played with the same answers.

use playsim_base::time::Span;
use playsim_report::alternative::{Alternative, AlternativeResult};
use playsim_scenario::Scenario;

use super::{Configuration, RunOutcome, Shows, Sweep, SweptTag, TagNumber};
/// Time-outs that are tried if the one in force is longer.
const TIMEOUTS: [Span; 3] = [Span::from_millis(500), Span::from_secs(1), Span::from_secs(2)];
/// The most tags without which the waterfall is played.
const MOST_WITHOUT: usize = 3;

/// Plays a scenario as it is and with a few other settings: shorter time-outs, the tag that filled asked
/// first, the first break without a tag that gave nothing. Returns the result of no change, then those that
/// differ from it; empty if none does.
#[must_use]
pub fn alternatives(scenario: &Scenario) -> Vec<Alternative> {
    let now = [("no change".to_owned(), Configuration::BASE.to_owned())];
    let Some((tags, outcomes)) = play(scenario, &now) else { return Vec::new() };
    let Some(first) = outcomes.first() else { return Vec::new() };
    let mut tried = Vec::from(now);
    tried.extend(timeouts(scenario));
    tried.extend(others(&tags, first));
    if tried.len() == 1 {
        return Vec::new();
    }
    let Some((tags, outcomes)) = play(scenario, &tried) else { return Vec::new() };
    let each = tried.into_iter().zip(outcomes);
    let mut all: Vec<Alternative> =
        each.map(|((change, _), outcome)| Alternative { change, result: result(&tags, &outcome) }).collect();
    let now = all.remove(0);
    // A setting that changes nothing is no help.
    all.retain(|it| it.result != now.result);
    if all.is_empty() { all } else { [vec![now], all].concat() }
}

/// Plays the first configuration and the others beside it; `None` if something is random or cannot be played.
fn play(scenario: &Scenario, tried: &[(String, String)]) -> Option<(Vec<SweptTag>, Vec<RunOutcome>)> {
    let mut no_answer = |_: &str| Err("no response is given here".to_owned());
    let read = |(_, text): &(String, String)| Configuration::read(text, &mut no_answer).ok();
    let configurations: Vec<Configuration> = tried.iter().map(read).collect::<Option<_>>()?;
    let table = Sweep::of(scenario).compare(configurations).run().ok()?;
    let outcomes = table.rows.into_iter().map(|row| row.outcome).collect::<Option<_>>()?;
    Some((table.tags, outcomes))
}

/// Returns time-outs below the one in force.
fn timeouts(scenario: &Scenario) -> impl Iterator<Item = (String, String)> {
    let now = scenario.knobs.ad_timeout;
    TIMEOUTS.into_iter().filter(move |limit| *limit < now).map(|limit| {
        let millis = limit.micros() / 1_000;
        (format!("time-out {millis} ms"), format!("ad.timeout={millis}ms"))
    })
}

/// Returns the waterfall of the first break with the tag that filled in front, and without each of those that
/// gave nothing.
fn others(tags: &[SweptTag], now: &RunOutcome) -> Vec<(String, String)> {
    let number = |tag: TagNumber| tag.wp() + 1;
    let mut found = Vec::new();
    let Some(first) = now.by_break.first() else { return found };
    // An order is one of all tags, also of those of other breaks.
    if let Some(filled) = first.filled_by.filter(|tag| tag.wp() > 0 && now.breaks == 1) {
        let rest = tags.iter().map(|it| it.tag).filter(|tag| *tag != filled);
        let order: Vec<String> =
            std::iter::once(filled).chain(rest).map(|tag| number(tag).to_string()).collect();
        found.push((format!("tag {} first", number(filled)), format!("order={}", order.join(","))));
    }
    if tags.len() > 1 {
        let failed = first.failed.iter().map(|it| it.tag).take(MOST_WITHOUT);
        found.extend(failed.map(|tag| (format!("without tag {}", number(tag)), format!("{tag}.off"))));
    }
    found
}

fn result(tags: &[SweptTag], outcome: &RunOutcome) -> AlternativeResult {
    if outcome.is_unknown() {
        return AlternativeResult::Unknown;
    }
    let Some(frame) = outcome.first_frame else { return AlternativeResult::Nothing };
    let filled = outcome.filled_by.first().filter(|_| frame.of == Shows::Ad);
    let tag = filled.and_then(|filled| tags.iter().find(|it| it.tag == *filled)).map(|it| it.address.clone());
    AlternativeResult::Picture { after: Span::from_micros(frame.after_us), tag }
}
