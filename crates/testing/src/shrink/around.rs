//! Reduces a variation of a scenario: drawn parts are put back as they were there, unless the
//! failure needs it.

use super::Shrinker;
use crate::around::first_steps;
use playsim_scenario::Scenario;

/// Returns the scenario that still fails and has the least in it that was drawn. The given one must
/// fail.
pub(crate) fn towards(
    base: &Scenario,
    drawn: Scenario,
    mut fails: impl FnMut(&Scenario) -> bool,
) -> Scenario {
    let world = with_world_of(base, drawn, &mut fails);
    let own_steps = if world.steps == base.steps {
        base.steps.clone()
    } else {
        first_steps(base)
    };
    let is_of_world = |small: &Scenario| {
        let mut same = world.clone();
        same.steps.clone_from(&small.steps);
        same.listeners.clone_from(&small.listeners);
        same.expect.clone_from(&small.expect);
        same.knobs.limit_tasks_per_second = small.knobs.limit_tasks_per_second;
        same.name.clone_from(&small.name);
        same.rules.clone_from(&small.rules);
        same.seed = small.seed;
        same == *small
    };
    let keeps_given = |small: &Scenario| {
        small.steps.starts_with(&own_steps)
            && small.listeners.starts_with(&base.listeners)
            && is_of_world(small)
    };
    Shrinker::new(world.clone()).run(|small| keeps_given(small) && fails(small))
}

/// Puts the given world back in place of the drawn one: as a whole, or else part by part.
fn with_world_of(
    base: &Scenario,
    drawn: Scenario,
    fails: &mut impl FnMut(&Scenario) -> bool,
) -> Scenario {
    let mut small = drawn;
    let mut put_back = |change: &dyn Fn(&mut Scenario)| {
        let mut closer = small.clone();
        change(&mut closer);
        let is_kept = closer != small && fails(&closer);
        if is_kept {
            small = closer;
        }
        is_kept
    };
    let is_whole = put_back(&|small| {
        small.network.clone_from(&base.network);
        small.media.clone_from(&base.media);
        small.videos.clone_from(&base.videos);
        small.player.ready_after = base.player.ready_after;
        small.media_default.clone_from(&base.media_default);
        small.page.ads.clone_from(&base.page.ads);
    });
    if is_whole {
        return small;
    }
    for (place, (_, answers)) in base.network.iter().enumerate() {
        for (number, answer) in answers.iter().enumerate() {
            if !put_back(&|small| small.network[place].1[number].clone_from(answer)) {
                put_back(&|small| {
                    small.network[place].1[number]
                        .answer
                        .clone_from(&answer.answer)
                });
                put_back(&|small| small.network[place].1[number].after = answer.after);
            }
        }
    }
    for (place, (_, script)) in base.media.iter().enumerate() {
        put_back(&|small| small.media[place].1.clone_from(script));
    }
    for (place, script) in base.videos.iter().enumerate() {
        put_back(&|small| small.videos[place].record_after = script.record_after);
    }
    put_back(&|small| small.player.ready_after = base.player.ready_after);
    put_back(&|small| small.media_default.clone_from(&base.media_default));
    put_back(&|small| small.page.ads.clone_from(&base.page.ads));
    small
}
