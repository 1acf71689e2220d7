//! Knobs that nothing in a run reads: changing them changes nothing.
//!
//! A run notes each knob that it reads (`KnobReader`), so there is no list of when which knob is
//! read.
//!
//! Rule: INV-26.

use playsim_api::Kind;
use playsim_rules::knobs::{KNOBS, Knob, Knobs};
use playsim_scenario::Scenario;
use playsim_trace::Trace;

use super::lines::Lines;
use super::played::{self, Played, Why};
use super::settings;
use super::source::Source;

/// A knob that nothing in a run reads changes nothing but the header. Rule INV-26.
pub(super) fn changes_nothing(played: &Played<'_>, source: &mut Source) -> Result<(), Why> {
    let idle = idle(played)?;
    if idle.is_empty() {
        return Ok(());
    }
    let mut other = played.scenario.clone();
    let turned: Vec<&Knob> = (0..3).map(|_| *source.pick(&idle)).collect();
    for knob in &turned {
        settings::set_randomly(knob, &mut other.knobs, source);
    }
    let names: Vec<&str> = turned.iter().map(|knob| knob.name).collect();
    let what = format!("with {} turned", names.join(", "));
    without_header(played.trace).same(&what, &without_header(&played.play(&other)?))
}

/// The same without chance: each such knob with each of its values, and all of them at once.
pub(super) fn wholly(played: &Played<'_>) -> Result<(), Why> {
    let scenario = played.scenario;
    let own = without_header(played.trace);
    let same = |what: &str, knobs: Knobs| {
        if knobs == scenario.knobs {
            return Ok(());
        }
        let other = Scenario {
            knobs,
            ..scenario.clone()
        };
        own.same(what, &without_header(&played.play(&other)?))
    };
    let mut together: Vec<Knobs> = Vec::new();
    for knob in idle(played)? {
        let name = knob.name;
        for (place, value) in settings::choices(knob).iter().enumerate() {
            if together.len() == place {
                together.push(scenario.knobs.clone());
            }
            settings::set(name, value, &mut together[place]);
            let mut alone = scenario.knobs.clone();
            settings::set(name, value, &mut alone);
            same(&format!("with {name}={value}"), alone)?;
        }
    }
    together
        .into_iter()
        .try_for_each(|knobs| same("with every knob turned that nothing reads", knobs))
}

/// The knobs that the session does not read, when it is played alone.
fn idle(played: &Played<'_>) -> Result<Vec<&'static Knob>, Why> {
    let session = played::start(played.scenario)?;
    let knobs = session.knobs().clone();
    let _ = session.run();
    let read: Vec<&str> = knobs.noted().map(|knob| knob.name).collect();
    Ok(KNOBS
        .iter()
        .filter(|knob| !read.contains(&knob.name))
        .collect())
}

fn without_header(trace: &Trace) -> Lines {
    Lines::of(trace, |record| record.kind == Kind::Header)
}
