//! Random variations of a scenario: other steps in its world, or another world for its steps.

use std::sync::Arc;

use super::cast::Cast;
use super::feature::Feature;
use super::grid::beats;
use super::options::Options;
use super::plan::Plan;
use super::settings::TASKS_PER_SECOND;
use super::source::Source;
use super::vary::Vary;
use super::{terms, world};
use playsim_api::{Call, EventName, Fields, UnitKind, Value};
use playsim_base::time::{Span, Time};
use playsim_scenario::{
    AnswerScript, MediaScript, Scenario, ScriptedAnswer, Step, StepAct, Target, Trigger,
};

/// Draws a variation of a scenario.
pub(super) fn scenario(
    base: &Scenario,
    vary: Vary,
    options: &Options,
    source: &mut Source,
) -> Scenario {
    let mut plan = Plan::around(base, vary, options, source);
    let mut scenario = Scenario {
        seed: source.seed(),
        ..base.clone()
    };
    if let Some(profiles) = &plan.profiles {
        scenario.profile = source.pick(profiles).clone();
        scenario.knobs = base.knobs_over(&scenario.profile);
    }
    if vary != Vary::Steps {
        plan.turn_on(Feature::Late, options);
        plan.turn_on(Feature::Faults, options);
        vary_world(&mut scenario, &plan, source);
    }
    if vary != Vary::World {
        let cast = Cast::new(base, &plan, &plan.containers, source);
        let own = scenario.listeners.len();
        scenario
            .listeners
            .extend(cast.listeners(source).into_iter().skip(own));
        scenario.steps = first_steps(base);
        scenario.steps.extend(cast.acts(source));
        // Random listeners may call each other endlessly.
        let limit = &mut scenario.knobs.limit_tasks_per_second;
        *limit = (*limit).min(TASKS_PER_SECOND[0]);
    }
    scenario
}

/// The steps of a scenario that create its players. One without any gets the player that it has
/// when it has no steps at all.
pub(super) fn first_steps(base: &Scenario) -> Vec<Step> {
    let creates = |step: &&Step| step.act.container().is_some();
    let own: Vec<Step> = base.steps.iter().filter(creates).cloned().collect();
    if !own.is_empty() {
        return own;
    }
    let container = base
        .page
        .containers
        .first()
        .map_or_else(|| "player".into(), |first| Arc::clone(&first.id));
    let mut config = Fields::one("id", "player")
        .with("width", "640")
        .with("height", "360");
    if let Some(first) = base.videos.first() {
        config.push("video", &first.video.id);
    }
    let (div, config) = (Value::from(container), Value::Map(config));
    let create = StepAct::Init {
        unit: UnitKind::Player,
        div,
        config,
        on_ready: None,
    };
    let play = StepAct::Do {
        call: Call::Play,
        args: Vec::new(),
    };
    let ready = Trigger::On {
        event: EventName::Ready,
        nth: None,
        after: None,
    };
    [(Trigger::At(Time::ZERO), create), (ready, play)]
        .map(|(trigger, act)| Step {
            trigger,
            act,
            player: Target::First,
        })
        .into()
}

/// Draws latencies, responses, faults, and the ads that the page accepts.
fn vary_world(scenario: &mut Scenario, plan: &Plan, source: &mut Source) {
    let (ad_timeout, media_timeout) = (scenario.knobs.ad_timeout, scenario.knobs.ad_media_timeout);
    for (_, answers) in &mut scenario.network {
        for answer in answers {
            *answer = self::answer(answer, plan, source);
            answer.after = answer.after.max(too_late(ad_timeout, plan, source));
        }
    }
    for script in scenario
        .media
        .iter_mut()
        .map(|(_, script)| script)
        .chain(&mut scenario.media_default)
    {
        *script = medium(script, plan, source);
        script.metadata_after = script
            .metadata_after
            .max(too_late(media_timeout, plan, source));
    }
    for script in &mut scenario.videos {
        script.record_after = late(6, plan, source);
    }
    scenario.player.ready_after = late(4, plan, source);
    if plan.has(Feature::Terms) {
        scenario.page.ads = terms::terms(plan, source);
    }
}

/// Now and then more than a time limit of the scenario, which its own latencies may be far below.
fn too_late(limit: Span, plan: &Plan, source: &mut Source) -> Span {
    if plan.has(Feature::Late) && source.chance(1, 8) {
        limit + beats(4, source)
    } else {
        Span::ZERO
    }
}

fn late(most: u64, plan: &Plan, source: &mut Source) -> Span {
    if plan.has(Feature::Late) {
        beats(most, source)
    } else {
        Span::ZERO
    }
}

/// A response that is as it was, but for its latency, or another one of the same kind.
fn answer(own: &AnswerScript, plan: &Plan, source: &mut Source) -> AnswerScript {
    let is_list =
        matches!(&own.answer, ScriptedAnswer::Body { text, .. } if text.starts_with(['{', '[']));
    let drawn = if is_list {
        world::list_answer(plan, source)
    } else {
        world::answer(plan, source, &mut String::new())
    };
    let answer = if source.chance(1, 2) {
        own.answer.clone()
    } else {
        drawn.answer
    };
    AnswerScript {
        content_type: own
            .content_type
            .clone()
            .filter(|_| matches!(answer, ScriptedAnswer::Body { .. })),
        after: drawn.after,
        answer,
    }
}

/// A medium of the same length and kind, with its latencies and faults drawn.
fn medium(own: &MediaScript, plan: &Plan, source: &mut Source) -> MediaScript {
    let drawn = world::medium(plan, source);
    MediaScript {
        metadata_after: drawn.metadata_after,
        stalls: drawn.stalls,
        fails: drawn.fails,
        switch_after: drawn.switch_after,
        delivery: drawn.delivery,
        ..own.clone()
    }
}
