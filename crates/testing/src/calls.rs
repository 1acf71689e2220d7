//! Random calls: all of them, with sensible arguments and with others.

use playsim_api::video::Rendition;
use playsim_api::{Call, Decimal, EventName, Fields, Text, Value};
use playsim_scenario::StepAct;

use super::ad_objects::ad_object;
use super::cast::Cast;
use super::feature::Feature;
use super::plan::Plan;
use super::source::Source;
use super::values::any;

const BINDING: &[Call] = &[
    Call::On,
    Call::Once,
    Call::Off,
    Call::Add,
    Call::AddOnce,
    Call::Remove,
];

/// Draws a call.
pub(super) fn call(cast: &Cast, source: &mut Source) -> StepAct {
    let call = match source.below(12) {
        0 | 1 => *source.pick(Call::ALL),
        2 | 3 => *source.pick(BINDING),
        _ => *source.pick(&cast.usual),
    };
    let args = if BINDING.contains(&call) {
        binding(cast, source)
    } else if cast.plan.has(Feature::Nonsense) && source.chance(1, 3) {
        source.some(0, 2, |source| any(2, cast.plan, source))
    } else {
        arguments(call, cast.plan, source)
    };
    StepAct::Do { call, args }
}

/// Arguments that make sense, and some that are slightly wrong.
fn arguments(call: Call, plan: &Plan, source: &mut Source) -> Vec<Value> {
    match call {
        Call::CurrentTime => source.some(0, 1, |source| place(plan, source)),
        Call::CurrentChapter | Call::PlayByIndex => {
            source.some(0, 1, |source| Value::from(source.below(4)))
        }
        Call::SetAd => set_ad(plan, source),
        Call::PlayAd if source.chance(1, 2) => vec![ad_object(plan, source)],
        Call::PlayAd => vec![Value::from(source.pick(&plan.tags).clone())],
        Call::Volume => source.some(0, 1, |source| volume(plan, source)),
        Call::Muted | Call::Destroy | Call::Loop => {
            source.some(0, 1, |source| Value::from(source.chance(1, 2)))
        }
        Call::SetHd => vec![Value::from(source.chance(1, 2))],
        Call::SetVideoSource if source.chance(1, 8) => vec![Value::from("uhd")],
        Call::SetVideoSource => vec![Value::from(source.pick(Rendition::ALL).name())],
        Call::Src => vec![media_source(plan, source)],
        Call::LoadPlaylist => vec![Value::from(source.pick(&plan.lists).clone())],
        Call::ChangeSkin => vec![Value::from(source.below(3))],
        Call::Resize => {
            vec![
                Value::from(*source.pick(&[0, 320, 640])),
                Value::from(*source.pick(&[180, 360])),
            ]
        }
        Call::FireCustom => vec![Value::from("category"), Value::from("action")],
        Call::PlaybackRate => vec![Value::from(*source.pick(&[-1, 0, 1, 2]))],
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
        | Call::AdDuration
        | Call::AdRemainingTime
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

fn set_ad(plan: &Plan, source: &mut Source) -> Vec<Value> {
    let mut args = vec![ad_object(plan, source)];
    if source.chance(1, 2) {
        args.push(Value::from(source.chance(1, 2)));
        args.extend(
            source
                .chance(1, 2)
                .then(|| Value::from(*source.pick(&["video", "player", "page"]))),
        );
    }
    args
}

/// A source as page code sets it.
fn media_source(plan: &Plan, source: &mut Source) -> Value {
    let film = Value::from(source.pick(&plan.films).clone());
    match source.below(5) {
        0 => Value::Map(
            Fields::one("src", film)
                .with("title", "Own")
                .with("monetize", source.chance(1, 2)),
        ),
        1 => {
            let renditions = Fields::one("sd", film).with("hd", source.pick(&plan.films).clone());
            Value::Map(Fields::one("source", Value::Map(renditions)).with("name", "Mapped"))
        }
        2 if source.chance(1, 4) => Value::Map(Fields::one("title", "without a source")),
        _ => film,
    }
}

/// The arguments that bind or remove listeners. A string as second argument names a listener in the
/// text form, so there is none.
fn binding(cast: &Cast, source: &mut Source) -> Vec<Value> {
    let nonsense = cast.plan.has(Feature::Nonsense);
    let name = |source: &mut Source| Value::from(source.pick(EventName::ALL).name());
    let events = match source.below(8) {
        0 => Value::List(source.some(0, 3, name)),
        1 if nonsense => any(1, cast.plan, source),
        2 if nonsense => Value::from(*source.pick(&["", "adStarted", "Play"])),
        _ => Value::from(source.pick(cast.events).name()),
    };
    let mut args = vec![events];
    if nonsense && source.chance(1, 5) {
        let no_function = source
            .pick(&[
                Value::Undefined,
                Value::Null,
                Value::Bool(true),
                Value::from(4),
            ])
            .clone();
        args.extend(source.chance(1, 2).then_some(no_function));
    } else {
        let listener = if cast.listeners.is_empty() {
            Text::from("")
        } else {
            Text::from(source.pick(&cast.listeners))
        };
        args.push(Value::Function(listener));
    }
    args
}

/// A position to seek to, in seconds.
pub(super) fn place(plan: &Plan, source: &mut Source) -> Value {
    match source.below(12) {
        0 => Value::from(-1),
        1 => Value::from(1_000),
        2 if plan.has(Feature::Nonsense) => any(1, plan, source),
        _ => Value::from(Decimal::from_millionths(250_000 * source.below(28) as i64)),
    }
}

/// A volume, or an invalid value.
pub(super) fn volume(plan: &Plan, source: &mut Source) -> Value {
    match source.below(10) {
        0 => Value::from(2),
        1 if plan.has(Feature::Nonsense) => any(1, plan, source),
        _ => Value::from(Decimal::from_millionths(250_000 * source.below(5) as i64)),
    }
}
