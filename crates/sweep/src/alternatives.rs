//! Alternatives that might have done better: a few other settings, played with the same responses.

use playsim_base::time::Span;
use playsim_report::alternative::{Alternative, AlternativeResult};
use playsim_scenario::Scenario;

use super::{Configuration, RunOutcome, Shows, Sweep, SweptTag, TagNumber};

/// The timeouts to try, as far as they are shorter than the one in force.
const TIMEOUTS: [Span; 3] = [
    Span::from_millis(500),
    Span::from_secs(1),
    Span::from_secs(2),
];
/// The maximum number of failed tags that are switched off, one at a time.
const MAX_SWITCHED_OFF: usize = 3;

/// Plays a scenario unchanged and with a few other settings: a shorter timeout, the tag that
/// filled moved to the front, or one of the failed tags of the first break switched off.
///
/// Returns the unchanged result followed by the results that differ from it. Empty if no result
/// differs.
#[must_use]
pub fn alternatives(scenario: &Scenario) -> Vec<Alternative> {
    let now = [("no change".to_owned(), Configuration::BASE.to_owned())];
    let Some((tags, outcomes)) = play(scenario, &now) else {
        return Vec::new();
    };
    let Some(first) = outcomes.first() else {
        return Vec::new();
    };
    let mut tried = Vec::from(now);
    tried.extend(timeouts(scenario));
    tried.extend(waterfall_changes(&tags, first));
    if tried.len() == 1 {
        return Vec::new();
    }
    let Some((tags, outcomes)) = play(scenario, &tried) else {
        return Vec::new();
    };
    let each = tried.into_iter().zip(outcomes);
    let mut all: Vec<Alternative> = each
        .map(|((change, _), outcome)| Alternative {
            change,
            result: result(&tags, &outcome),
        })
        .collect();
    let now = all.remove(0);
    // A setting that changes nothing does not help.
    all.retain(|it| it.result != now.result);
    if all.is_empty() {
        all
    } else {
        [vec![now], all].concat()
    }
}

/// Plays all configurations. `None` if the outcome is random or one of them cannot be played.
fn play(
    scenario: &Scenario,
    tried: &[(String, String)],
) -> Option<(Vec<SweptTag>, Vec<RunOutcome>)> {
    let mut no_answer = |_: &str| Err("no response is given here".to_owned());
    let read = |(_, text): &(String, String)| Configuration::read(text, &mut no_answer).ok();
    let configurations: Vec<Configuration> = tried.iter().map(read).collect::<Option<_>>()?;
    let table = Sweep::of(scenario).compare(configurations).run().ok()?;
    let outcomes = table
        .rows
        .into_iter()
        .map(|row| row.outcome)
        .collect::<Option<_>>()?;
    Some((table.tags, outcomes))
}

/// Returns timeouts below the one in force.
fn timeouts(scenario: &Scenario) -> impl Iterator<Item = (String, String)> {
    let now = scenario.knobs.ad_timeout;
    TIMEOUTS
        .into_iter()
        .filter(move |limit| *limit < now)
        .map(|limit| {
            let millis = limit.micros() / 1_000;
            (
                format!("timeout {millis} ms"),
                format!("ad.timeout={millis}ms"),
            )
        })
}

/// Returns changes to the waterfall of the first break: the tag that filled moved to the front, and
/// each failed tag switched off.
fn waterfall_changes(tags: &[SweptTag], now: &RunOutcome) -> Vec<(String, String)> {
    let number = |tag: TagNumber| tag.wp() + 1;
    let mut found = Vec::new();
    let Some(first) = now.by_break.first() else {
        return found;
    };
    // `order` lists all tags, including those of other breaks.
    if let Some(filled) = first
        .filled_by
        .filter(|tag| tag.wp() > 0 && now.breaks == 1)
    {
        let rest = tags.iter().map(|it| it.tag).filter(|tag| *tag != filled);
        let order: Vec<String> = std::iter::once(filled)
            .chain(rest)
            .map(|tag| number(tag).to_string())
            .collect();
        found.push((
            format!("tag {} first", number(filled)),
            format!("order={}", order.join(",")),
        ));
    }
    if tags.len() > 1 {
        let failed = first.failed.iter().map(|it| it.tag).take(MAX_SWITCHED_OFF);
        found.extend(
            failed.map(|tag| (format!("without tag {}", number(tag)), format!("{tag}.off"))),
        );
    }
    found
}

fn result(tags: &[SweptTag], outcome: &RunOutcome) -> AlternativeResult {
    if outcome.is_unknown() {
        return AlternativeResult::Unknown;
    }
    let Some(frame) = outcome.first_frame else {
        return AlternativeResult::Nothing;
    };
    let filled = outcome.filled_by.first().filter(|_| frame.of == Shows::Ad);
    let tag = filled
        .and_then(|filled| tags.iter().find(|it| it.tag == *filled))
        .map(|it| it.address.clone());
    AlternativeResult::Picture {
        after: Span::from_micros(frame.after_us),
        tag,
    }
}
