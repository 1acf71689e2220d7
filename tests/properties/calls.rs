//! Random calls: all of them, with sensible arguments and with others.

use playsim::api::{Call, Decimal, EventName, Fields, Text, Value};
use playsim::scenario::StepAct;
use playsim::video::Rendition;

use super::dice::Dice;
use super::documents::{LISTS, TAGS};
use super::features::Features;
use super::steps::Cast;
use super::values::any;
use super::world::{self, FILMS};

const BINDING: &[Call] = &[Call::On, Call::Once, Call::Off, Call::Add, Call::AddOnce, Call::Remove];

/// Calls that players are mostly used with, and those that belong to a feature.
pub(crate) fn usual(features: Features) -> Vec<Call> {
    let mut usual = vec![
        Call::Play,
        Call::Play,
        Call::Play,
        Call::Pause,
        Call::Pause,
        Call::Stop,
        Call::CurrentTime,
        Call::CurrentTime,
        Call::CurrentChapter,
        Call::Next,
        Call::Previous,
        Call::PlayByIndex,
        Call::SetAd,
    ];
    let groups: [(bool, &[Call]); 6] = [
        (features.elements, &[Call::Load, Call::Loop, Call::PlaybackRate, Call::Volume, Call::Src]),
        (features.commanded, &[Call::PlayAd, Call::PlayAd, Call::PlayAd, Call::PushAds, Call::PushAds]),
        (features.sources, &[Call::Src, Call::Src, Call::LoadPlaylist, Call::LoadPlaylist]),
        (features.renditions, &[Call::SetVideoSource, Call::SetVideoSource, Call::SetHd, Call::SetHd]),
        (features.sound, &[Call::Volume, Call::Volume, Call::Muted, Call::Muted]),
        (features.surroundings, &[Call::ToggleFullScreen, Call::Resize, Call::ChangeSkin, Call::FireCustom]),
    ];
    for (_, calls) in groups.into_iter().filter(|(is_on, _)| *is_on) {
        usual.extend(calls);
    }
    usual
}

/// Draws a call.
pub(crate) fn call(cast: &Cast, dice: &mut Dice) -> StepAct {
    let call = match dice.below(12) {
        0 | 1 => *dice.pick(Call::ALL),
        2 | 3 => *dice.pick(BINDING),
        _ => *dice.pick(&cast.usual),
    };
    let args = if BINDING.contains(&call) {
        binding(cast, dice)
    } else if cast.features.nonsense && dice.chance(1, 3) {
        dice.some(0, 2, |dice| any(2, dice))
    } else {
        arguments(call, cast.features, dice)
    };
    StepAct::Do { call, args }
}

/// Arguments that make sense, and some that are slightly wrong.
fn arguments(call: Call, features: Features, dice: &mut Dice) -> Vec<Value> {
    match call {
        Call::CurrentTime => dice.some(0, 1, |dice| place(features, dice)),
        Call::CurrentChapter | Call::PlayByIndex => dice.some(0, 1, |dice| Value::from(dice.below(4))),
        Call::SetAd => set_ad(dice),
        Call::PlayAd if dice.chance(1, 2) => vec![world::ad_object(dice)],
        Call::PlayAd => vec![Value::from(*dice.pick(TAGS))],
        Call::Volume => dice.some(0, 1, |dice| volume(features, dice)),
        Call::Muted | Call::Destroy | Call::Loop => dice.some(0, 1, |dice| Value::from(dice.chance(1, 2))),
        Call::SetHd => vec![Value::from(dice.chance(1, 2))],
        Call::SetVideoSource if dice.chance(1, 8) => vec![Value::from("uhd")],
        Call::SetVideoSource => vec![Value::from(dice.pick(Rendition::ALL).name())],
        Call::Src => vec![source(dice)],
        Call::LoadPlaylist => vec![Value::from(*dice.pick(LISTS))],
        Call::ChangeSkin => vec![Value::from(dice.below(3))],
        Call::Resize => vec![Value::from(*dice.pick(&[0, 320, 640])), Value::from(*dice.pick(&[180, 360]))],
        Call::FireCustom => vec![Value::from("category"), Value::from("action")],
        Call::PlaybackRate => vec![Value::from(*dice.pick(&[-1, 0, 1, 2]))],
        Call::On
        | Call::Once
        | Call::Off
        | Call::Add
        | Call::AddOnce
        | Call::Remove
        | Call::Play
        | Call::Pause
        | Call::Stop
        | Call::Next
        | Call::Previous
        | Call::Duration
        | Call::CurrentSrc
        | Call::GetAdInProgress
        | Call::GetTitle
        | Call::GetTags
        | Call::IsReady
        | Call::PlaylistLength
        | Call::CurrentIndex
        | Call::IsHd
        | Call::PushAds
        | Call::ToggleFullScreen
        | Call::IsFullScreen
        | Call::IsPlayerInView
        | Call::Load => Vec::new(),
    }
}

fn set_ad(dice: &mut Dice) -> Vec<Value> {
    let mut args = vec![world::ad_object(dice)];
    if dice.chance(1, 2) {
        args.push(Value::from(dice.chance(1, 2)));
        args.extend(dice.chance(1, 2).then(|| Value::from(*dice.pick(&["video", "player", "page"]))));
    }
    args
}

/// A source as page code sets it.
fn source(dice: &mut Dice) -> Value {
    let film = Value::from(*dice.pick(FILMS));
    match dice.below(5) {
        0 => Value::Map(Fields::one("src", film).with("title", "Own").with("monetize", dice.chance(1, 2))),
        1 => {
            let renditions = Fields::one("sd", film).with("hd", *dice.pick(FILMS));
            Value::Map(Fields::one("source", Value::Map(renditions)).with("name", "Mapped"))
        }
        2 if dice.chance(1, 4) => Value::Map(Fields::one("title", "without a source")),
        _ => film,
    }
}

/// The arguments that bind or remove listeners. A string as second argument names a listener in the text
/// form, so there is none.
fn binding(cast: &Cast, dice: &mut Dice) -> Vec<Value> {
    let nonsense = cast.features.nonsense;
    let name = |dice: &mut Dice| Value::from(dice.pick(EventName::ALL).name());
    let events = match dice.below(8) {
        0 => Value::List(dice.some(0, 3, name)),
        1 if nonsense => any(1, dice),
        2 if nonsense => Value::from(*dice.pick(&["", "adStarted", "Play"])),
        _ => Value::from(dice.pick(cast.events).name()),
    };
    let mut args = vec![events];
    if nonsense && dice.chance(1, 5) {
        let no_function =
            dice.pick(&[Value::Undefined, Value::Null, Value::Bool(true), Value::from(4)]).clone();
        args.extend(dice.chance(1, 2).then_some(no_function));
    } else {
        let listener =
            if cast.listeners.is_empty() { Text::from("") } else { Text::from(dice.pick(&cast.listeners)) };
        args.push(Value::Function(listener));
    }
    args
}

/// A position to seek to, in seconds.
pub(crate) fn place(features: Features, dice: &mut Dice) -> Value {
    match dice.below(12) {
        0 => Value::from(-1),
        1 => Value::from(1_000),
        2 if features.nonsense => any(1, dice),
        _ => Value::from(Decimal::from_millionths(250_000 * dice.below(28) as i64)),
    }
}

/// A volume, or an invalid value.
pub(crate) fn volume(features: Features, dice: &mut Dice) -> Value {
    match dice.below(10) {
        0 => Value::from(2),
        1 if features.nonsense => any(1, dice),
        _ => Value::from(Decimal::from_millionths(250_000 * dice.below(5) as i64)),
    }
}
