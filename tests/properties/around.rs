//! Random surroundings: sound, size, fullscreen, clicks, and the knobs that decide about them.

use std::sync::Arc;

use playsim::api::{Act, Call, Decimal, PageChange, Value};
use playsim::knobs::{FullscreenEvent, FullscreenToggle, PropertyCalls, Switch, VolumeOutOfRange};
use playsim::scenario::{PlayerScript, Scenario, StepAct};

use super::dice::Dice;

/// What page code, the person and the page do around the content.
pub(crate) fn act(dice: &mut Dice) -> StepAct {
    match dice.below(3) {
        0 => call(dice),
        1 => StepAct::User(person(dice)),
        _ => StepAct::Page(change(dice)),
    }
}

fn call(dice: &mut Dice) -> StepAct {
    let calls = [
        Call::Volume,
        Call::Volume,
        Call::Muted,
        Call::Muted,
        Call::ToggleFullScreen,
        Call::Resize,
        Call::ChangeSkin,
        Call::FireCustom,
    ];
    let call = *dice.pick(&calls);
    StepAct::Do { call, args: args(call, dice) }
}

/// Arguments as page code would give them; none for calls that take none.
pub(crate) fn args(call: Call, dice: &mut Dice) -> Vec<Value> {
    let side = |dice: &mut Dice| Value::from(*dice.pick(&[0, 320, 640]));
    if call == Call::Volume {
        dice.some(0, 1, volume)
    } else if call == Call::Muted {
        dice.some(0, 1, |dice| Value::from(dice.chance(1, 2)))
    } else if call == Call::Resize {
        vec![side(dice), side(dice)]
    } else if call == Call::ChangeSkin {
        vec![Value::from(dice.below(3))]
    } else if call == Call::FireCustom {
        vec![Value::from("video"), Value::from(*dice.pick(&["watched", "liked"]))]
    } else {
        Vec::new()
    }
}

/// A volume; sometimes one that is none.
fn volume(dice: &mut Dice) -> Value {
    Value::from(Decimal::from_millionths(*dice.pick(&[0, 0, 250_000, 500_000, 1_000_000, 1_500_000, -1])))
}

fn person(dice: &mut Dice) -> Act {
    match dice.below(8) {
        0..=2 => Act::Click,
        3 => Act::Close,
        4 => Act::Mute,
        5 => Act::Unmute,
        6 => Act::Fullscreen,
        _ => Act::Volume(volume(dice)),
    }
}

fn change(dice: &mut Dice) -> PageChange {
    match dice.below(6) {
        0 => PageChange::InView(Decimal::from_integer(*dice.pick(&[0, 49, 50, 100]))),
        1 => PageChange::Window(*dice.pick(&[800, 1_280]), *dice.pick(&[600, 720])),
        2 | 3 => PageChange::Sticky(dice.chance(2, 3)),
        4 => PageChange::Fullscreen(dice.chance(1, 2)),
        _ => PageChange::Hidden(dice.chance(1, 2)),
    }
}

/// A size for the configuration.
pub(crate) fn size(dice: &mut Dice) -> (&'static str, &'static str) {
    *dice.pick(&[("640", "360"), ("100%", "16x9"), ("4x3", "50%"), ("33.3%", "200"), ("wide", "-1")])
}

/// Gives a scenario surroundings of its own.
pub(crate) fn surround(scenario: &mut Scenario, dice: &mut Dice) {
    let switch = |dice: &mut Dice| if dice.chance(1, 4) { Switch::On } else { Switch::Off };
    let knobs = &mut scenario.knobs;
    knobs.volume_zero_mutes = switch(dice);
    knobs.mute_volumechange = switch(dice);
    knobs.ga_strict = switch(dice);
    knobs.comscore_trace = switch(dice);
    if dice.chance(1, 3) {
        knobs.volume_out_of_range = *dice.pick(VolumeOutOfRange::ALL);
        knobs.fullscreen_toggle = *dice.pick(FullscreenToggle::ALL);
        knobs.fullscreen_event = *dice.pick(FullscreenEvent::ALL);
        knobs.compat_property_calls = *dice.pick(PropertyCalls::ALL);
    }
    scenario.page.window = *dice.pick(&[(1_280, 720), (800, 600)]);
    scenario.page.allows_fullscreen = !dice.chance(1, 5);
    for script in &mut scenario.videos {
        let video = Arc::make_mut(&mut script.video);
        video.clickthrough = dice.chance(1, 2).then(|| "https://shop.test/".into());
        video.image = dice.chance(1, 3).then(|| "https://i.test/picture.jpg".into());
        if dice.chance(1, 3) {
            video.comscore = vec![("ns_st_ge".into(), "Drama".into())];
        }
    }
    let sound = |script: &mut PlayerScript, dice: &mut Dice| {
        script.volume = Decimal::from_millionths(*dice.pick(&[0, 500_000, 1_000_000]));
        script.muted = dice.chance(1, 4);
    };
    sound(&mut scenario.player, dice);
    for (_, script) in &mut scenario.players {
        sound(script, dice);
    }
}
