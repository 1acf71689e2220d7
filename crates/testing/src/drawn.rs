//! Random scenarios: first which features are on, then the surroundings, then the steps.

use super::cast::Cast;
use super::feature::Feature;
use super::options::Options;
use super::plan::Plan;
use super::source::Source;
use super::{around, records, settings, world};
use playsim_base::time::Time;
use playsim_scenario::{Scenario, Until};

/// Draws a scenario. The same source and the same options give the same one.
///
/// Its seed is that of the source. Every scenario that is drawn can be played, unless it varies one
/// that cannot.
pub fn scenario(source: &mut Source, options: &Options) -> Scenario {
    match &options.base {
        Some((base, vary)) => around::scenario(base, *vary, options, source),
        None => whole(options, source),
    }
}

fn whole(options: &Options, source: &mut Source) -> Scenario {
    let seed = source.seed();
    let plan = &Plan::draw(options, source);
    let (profile, knobs) = settings::setting(plan, source);
    let containers = if plan.has(Feature::Several) {
        source.count(2, 3)
    } else {
        1
    };
    let player = settings::player(plan, source);
    let mut scenario = Scenario {
        name: format!("seed {seed}").into(),
        profile,
        knobs,
        seed,
        until: Until::At(Time::from_secs(*source.pick(&[5, 15, 40]))),
        page: world::page(containers, plan, source),
        videos: records::videos(plan, source),
        media: world::media(plan, source),
        media_default: source.chance(1, 3).then(|| world::medium(plan, source)),
        network: world::network(plan, source),
        ignore_query: if source.chance(1, 6) {
            vec!["cb".into()]
        } else {
            Vec::new()
        },
        players: if plan.has(Feature::Several) {
            vec![("side".into(), settings::player_over(&player, plan, source))]
        } else {
            Vec::new()
        },
        player,
        ..Scenario::default()
    };
    let cast = Cast::new(&scenario, plan, &plan.containers[..containers], source);
    (scenario.listeners, scenario.steps) = (cast.listeners(source), cast.steps(source));
    scenario
}
