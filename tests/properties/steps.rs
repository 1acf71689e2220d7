//! Random steps and listeners: every call with good and bad arguments, the person, reads, `init` anew.

use std::sync::Arc;

use playsim::api::{Act, Call, Decimal, EventName, Fields, PageChange, Query, Text, Value};
use playsim::scenario::{ListenerScript, Step, StepAct, Target, Trigger, UnitKind};
use playsim::time::Time;
use playsim::video::Rendition;

use super::around;
use super::dice::Dice;
use super::world::{self, CONTAINERS, Features, VIDEOS};

/// Calls that a player is mostly used by; the others come less often.
const USUAL: &[Call] = &[
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
    Call::SetHd,
    Call::SetVideoSource,
    Call::SetVideoSource,
    Call::Src,
    Call::LoadPlaylist,
];

const BINDING: &[Call] = &[Call::On, Call::Once, Call::Off, Call::Add, Call::AddOnce, Call::Remove];

/// What to read so that positions, indexes and ads can be judged.
pub(crate) const TELLING: &[Query] =
    &[Query::CurrentTime, Query::CurrentIndex, Query::PlaylistLength, Query::GetAdInProgress];

/// All steps: players first, then what happens to them.
pub(crate) fn steps(
    containers: usize,
    listeners: &[Arc<str>],
    features: Features,
    dice: &mut Dice,
) -> Vec<Step> {
    let mut steps: Vec<Step> = (0..containers)
        .map(|container| {
            let at = if container > 0 && dice.chance(1, 2) { moment(8, dice) } else { Time::ZERO };
            let act = init(CONTAINERS[container], listeners, features, dice);
            Step { trigger: Trigger::At(at), act, player: Target::First }
        })
        .collect();
    if dice.chance(3, 4) {
        let trigger = Trigger::On { event: EventName::Ready, nth: None, after: None };
        let act = StepAct::Do { call: Call::Play, args: Vec::new() };
        steps.push(Step { trigger, act, player: Target::First });
    }
    let most = *dice.pick(&[6, 14, 30]);
    steps.extend(dice.some(1, most, |dice| step(containers, listeners, features, dice)));
    for _ in 0..dice.index(6) {
        let trigger = Trigger::At(moment(40, dice));
        steps.push(Step { trigger, act: StepAct::Read(TELLING.to_vec()), player: player(containers, dice) });
    }
    steps
}

/// Named listeners, some of which only record.
pub(crate) fn listeners(features: Features, dice: &mut Dice) -> Vec<(Arc<str>, ListenerScript)> {
    let names: Vec<Arc<str>> = (0..dice.count(1, 3)).map(|number| format!("L{number}").into()).collect();
    let script = |dice: &mut Dice| {
        let acts = dice.some(0, 2, |dice| {
            if dice.chance(1, 6) {
                // In the text form a listener reads properties by their bare names.
                StepAct::Read(vec![*dice.pick(&[Query::IsReady, Query::CurrentIndex, Query::LastVastXml])])
            } else if features.queues && dice.chance(1, 4) {
                push(&names, features, dice)
            } else {
                call(&names, features, dice)
            }
        });
        ListenerScript { acts, throws: dice.chance(1, 6).then(|| "no reason".into()) }
    };
    names.iter().map(|name| (name.clone(), script(dice))).collect()
}

/// A multiple of 250 ms; sometimes of a finer grid, to come between.
pub(crate) fn moment(most: u64, dice: &mut Dice) -> Time {
    let finer = if dice.chance(1, 8) { dice.below(250) } else { 0 };
    Time::from_millis(250 * dice.below(most + 1) + finer)
}

fn step(containers: usize, listeners: &[Arc<str>], features: Features, dice: &mut Dice) -> Step {
    let in_event = features.listeners && dice.chance(1, 3);
    let trigger = if in_event {
        // Endless loops are tried too, though seldom: they end by the limit of tasks.
        let nth = dice.chance(3, 4).then(|| 1 + dice.below(3) as u32);
        let after = dice.chance(1, 3).then(|| world::beats(4, dice));
        Trigger::On { event: *dice.pick(events(features)), nth, after }
    } else {
        Trigger::At(moment(*dice.pick(&[4, 16, 50]), dice))
    };
    let act = match dice.below(20) {
        _ if features.around && dice.chance(1, 3) => around::act(dice),
        0 => StepAct::Read(dice.some(1, 4, |dice| *dice.pick(Query::ALL))),
        1 if features.nonsense => {
            let container = *dice.pick(CONTAINERS);
            init(container, listeners, features, dice)
        }
        2 if features.queues => push(listeners, features, dice),
        3 if features.queues && dice.chance(1, 3) => StepAct::Script(*dice.pick(UnitKind::ALL)),
        4 if features.units => {
            let percent = *dice.pick(&[0, 49, 50, 100]);
            StepAct::Page(PageChange::InView(Decimal::from_integer(percent)))
        }
        2..=6 => StepAct::User(person(features, dice)),
        7 if features.streams => StepAct::Page(PageChange::Rate(rate(dice))),
        _ => call(listeners, features, dice),
    };
    let player = match player(containers, dice) {
        // No player comes into a container that is not there; a scenario's text that waits for one is refused.
        Target::Container(id) if matches!(trigger, Trigger::On { .. }) && &*id == NOWHERE => Target::First,
        player @ (Target::First | Target::Container(_) | Target::NoArgument) => player,
    };
    Step { trigger, act, player }
}

const NOWHERE: &str = "nowhere";

fn player(containers: usize, dice: &mut Dice) -> Target {
    match dice.below(8) {
        0 => Target::NoArgument,
        1..=4 if containers > 1 => Target::Container((*dice.pick(&CONTAINERS[..containers])).into()),
        1 if dice.chance(1, 10) => Target::Container(NOWHERE.into()),
        _ => Target::First,
    }
}

fn rate(dice: &mut Dice) -> Decimal {
    Decimal::from_millionths(
        *dice.pick(&[62_500, 333_333, 500_000, 1_000_000, 1_500_000, 2_000_000, 16_000_000]),
    )
}

fn person(features: Features, dice: &mut Dice) -> Act {
    match dice.below(7) {
        0 => Act::Play,
        1 => Act::Pause,
        2 | 3 => Act::Skip,
        4 => Act::Next,
        5 => Act::Previous,
        _ => Act::Seek(place(features, dice)),
    }
}

fn init(container: &str, listeners: &[Arc<str>], features: Features, dice: &mut Dice) -> StepAct {
    let is_bad = features.nonsense && dice.chance(1, 6);
    let div = if is_bad { any(2, dice) } else { Value::from(container.to_owned()) };
    let config = if features.nonsense && dice.chance(1, 8) { any(2, dice) } else { config(features, dice) };
    let on_ready = if dice.chance(1, 4) { listeners.first().cloned() } else { None };
    StepAct::Init { unit: unit(features, dice), div, config, on_ready }
}

fn unit(features: Features, dice: &mut Dice) -> UnitKind {
    if features.units && dice.chance(1, 2) { UnitKind::Outstream } else { UnitKind::Player }
}

/// A push on a queue array, of what `init` would be given or of something else.
fn push(listeners: &[Arc<str>], features: Features, dice: &mut Dice) -> StepAct {
    let on_ready = if dice.chance(1, 4) { listeners.first().cloned() } else { None };
    let mut entry = Fields::NONE;
    if !(features.nonsense && dice.chance(1, 6)) {
        entry.push("div", *dice.pick(CONTAINERS));
    }
    let config = if features.nonsense && dice.chance(1, 6) { any(2, dice) } else { config(features, dice) };
    entry.push("obj", config);
    let is_bad = features.nonsense && on_ready.is_none() && dice.chance(1, 6);
    let entry = if is_bad { any(2, dice) } else { Value::Map(entry) };
    StepAct::Queue { unit: unit(features, dice), entry, on_ready }
}

fn config(features: Features, dice: &mut Dice) -> Value {
    let (width, height) = if features.around { around::size(dice) } else { ("640", "360") };
    let mut fields = Fields::one("id", "p").with("width", width).with("height", height);
    let item = |dice: &mut Dice| match dice.below(6) {
        0 => Value::Map(
            Fields::one("id", "inline")
                .with("title", "Written out")
                .with("src", "film-1.mp4")
                .with("monetize", *dice.pick(&[0, 1])),
        ),
        _ => Value::from(if features.faults { *dice.pick(VIDEOS) } else { *dice.pick(&VIDEOS[..3]) }),
    };
    if features.playlists {
        fields.push("playlist", Value::List(dice.some(usize::from(!features.nonsense), 4, item)));
    } else {
        fields.push("video", item(dice));
    }
    if dice.chance(1, 4) {
        fields.push("autoplay", true);
    }
    if features.ads && dice.chance(1, 6) {
        fields.push("ads", Value::List(dice.some(1, 2, world::ad_object)));
    }
    if features.nonsense && dice.chance(1, 3) {
        fields.push("colour", any(1, dice));
    }
    Value::Map(fields)
}

fn call(listeners: &[Arc<str>], features: Features, dice: &mut Dice) -> StepAct {
    let call = match dice.below(12) {
        0 | 1 => *dice.pick(Call::ALL),
        2 | 3 => *dice.pick(BINDING),
        _ => *dice.pick(USUAL),
    };
    let args = if BINDING.contains(&call) {
        binding(listeners, features, dice)
    } else if features.nonsense && dice.chance(1, 3) {
        dice.some(0, 2, |dice| any(2, dice))
    } else {
        match call {
            Call::CurrentTime => dice.some(0, 1, |dice| place(features, dice)),
            Call::CurrentChapter | Call::PlayByIndex => dice.some(0, 1, |dice| Value::from(dice.below(4))),
            Call::SetAd => set_ad(dice),
            Call::SetHd => vec![Value::from(dice.chance(1, 2))],
            Call::SetVideoSource => vec![Value::from(dice.pick(Rendition::ALL).word())],
            Call::Src => vec![source(dice)],
            Call::LoadPlaylist => vec![Value::from(*dice.pick(world::LISTS))],
            Call::Destroy => dice.some(0, 1, |dice| Value::from(dice.chance(1, 2))),
            Call::Volume
            | Call::Muted
            | Call::ToggleFullScreen
            | Call::ChangeSkin
            | Call::Resize
            | Call::FireCustom => around::args(call, dice),
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
            | Call::PlayAd
            | Call::PushAds
            | Call::IsFullScreen
            | Call::IsPlayerInView
            | Call::Load
            | Call::Loop
            | Call::PlaybackRate => Vec::new(),
        }
    };
    StepAct::Do { call, args }
}

/// A custom source: an address, or an object with one or with renditions.
fn source(dice: &mut Dice) -> Value {
    let address = |dice: &mut Dice| Value::from(*dice.pick(world::FILMS));
    if dice.chance(1, 3) {
        return address(dice);
    }
    let mut fields = Fields::one("title", "Of the page");
    if dice.chance(1, 2) {
        fields.push("src", address(dice));
    } else {
        let words = dice.some(1, 3, |dice| dice.pick(Rendition::ALL).word());
        let map = words.into_iter().fold(Fields::NONE, |map, word| {
            if map.get(word).is_some() { map } else { map.with(word, address(dice)) }
        });
        fields.push("source", Value::Map(map));
    }
    if dice.chance(1, 2) {
        fields.push("monetize", dice.chance(1, 2));
    }
    Value::Map(fields)
}

fn set_ad(dice: &mut Dice) -> Vec<Value> {
    let mut args = vec![world::ad_object(dice)];
    if dice.chance(1, 2) {
        args.push(Value::from(dice.chance(1, 2)));
        args.extend(dice.chance(1, 2).then(|| Value::from(*dice.pick(&["video", "player", "page"]))));
    }
    args
}

/// What may be waited for.
fn events(features: Features) -> &'static [EventName] {
    if features.element { EventName::ALL } else { EventName::DOCUMENTED }
}

/// What to bind or remove. A text as second argument names a listener in the text form, so there is none.
fn binding(listeners: &[Arc<str>], features: Features, dice: &mut Dice) -> Vec<Value> {
    let name = |dice: &mut Dice| Value::from(dice.pick(events(features)).name());
    let events = match dice.below(8) {
        0 => Value::List(dice.some(0, 3, name)),
        1 if features.nonsense => any(1, dice),
        2 if features.nonsense => Value::from(*dice.pick(&["", "adStarted", "Play"])),
        _ => name(dice),
    };
    let mut args = vec![events];
    if features.nonsense && dice.chance(1, 5) {
        let no_function =
            dice.pick(&[Value::Undefined, Value::Null, Value::Bool(true), Value::from(4)]).clone();
        args.extend(dice.chance(1, 2).then_some(no_function));
    } else {
        let listener = if listeners.is_empty() { Text::from("") } else { Text::from(dice.pick(listeners)) };
        args.push(Value::Function(listener));
    }
    args
}

/// A place to seek to, in seconds.
fn place(features: Features, dice: &mut Dice) -> Value {
    match dice.below(12) {
        0 => Value::from(-1),
        1 => Value::from(1_000),
        2 if features.nonsense => any(1, dice),
        _ => Value::from(Decimal::from_millionths(250_000 * dice.below(28) as i64)),
    }
}

/// Any value at all.
fn any(depth: u32, dice: &mut Dice) -> Value {
    match dice.below(if depth == 0 { 12 } else { 14 }) {
        0 => Value::Undefined,
        1 => Value::Null,
        2 => Value::Bool(dice.chance(1, 2)),
        3 => Value::from(dice.below(4)),
        4 => Value::from(*dice.pick(&[-1, i64::MAX, i64::MIN + 1])),
        5 => Value::from(Decimal::from_millionths(1 + dice.below(3_000_000) as i64)),
        6 => Value::NaN,
        7 => Value::Infinity,
        8 => Value::NegativeInfinity,
        9 => Value::from(*dice.pick(&["", "text", "play", "main", "1"])),
        10 => Value::Function(Text::from("")),
        11 => Value::from(*dice.pick(VIDEOS)),
        12 => Value::List(dice.some(0, 3, |dice| any(depth - 1, dice))),
        _ => Value::Map(
            dice.some(0, 3, |dice| {
                (Text::from(*dice.pick(&["id", "video", "adType", "x"])), any(depth - 1, dice))
            })
            .into_iter()
            .fold(Fields::NONE, |fields, (key, value)| {
                if fields.get(&key).is_some() { fields } else { fields.with(key, value) }
            }),
        ),
    }
}
