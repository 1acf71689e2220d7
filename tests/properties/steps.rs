//! Random steps and listeners: players and units first, then calls, the user, the page, reads.

use std::sync::Arc;

use playsim::api::{Act, Call, Decimal, EventName, Fields, PageChange, Query, Value};
use playsim::element::{ElementConfig, Preload};
use playsim::scenario::{ListenerScript, Scenario, Step, StepAct, Target, Trigger, UnitKind, Until};
use playsim::time::Time;

use super::attachments;
use super::calls;
use super::dice::Dice;
use super::edits;
use super::features::{self, Features};
use super::values::any;
use super::world::{self, CONTAINERS, FILMS, UNIT, VIDEOS};

/// What to read so that positions, indexes, ads and settings can be checked.
pub(crate) const TELLING: &[Query] = &[
    Query::CurrentTime,
    Query::CurrentIndex,
    Query::PlaylistLength,
    Query::GetAdInProgress,
    Query::Volume,
    Query::Muted,
    Query::CurrentSrc,
    Query::IsFullScreen,
];

/// The minimum number of actions before the scenario ends, besides those that make its players.
const LEAST_ACTS: usize = 5;

/// The actors that steps can name.
pub(crate) struct Cast {
    pub(crate) features: Features,
    /// The containers of players, without that of units.
    containers: Vec<&'static str>,
    /// Names of listeners.
    pub(crate) listeners: Vec<Arc<str>>,
    /// The events that page code can listen for.
    pub(crate) events: &'static [EventName],
    /// Calls that players of this scenario are mostly used with; the others come less often.
    pub(crate) usual: Vec<Call>,
    end: Time,
}

impl Cast {
    /// The actors of a scenario that has everything but steps and listeners.
    pub(crate) fn new(scenario: &Scenario, features: Features, dice: &mut Dice) -> Cast {
        let count = scenario.page.containers.len() - usize::from(features.units);
        let names = if features.listeners { 1 + dice.index(3) } else { 0 };
        Cast {
            features,
            containers: CONTAINERS[..count].to_vec(),
            listeners: (0..names).map(|number| format!("L{number}").into()).collect(),
            events: if features.elements { EventName::ALL } else { features::heard(scenario, "") },
            usual: calls::usual(features),
            end: match scenario.until {
                Until::At(at) => at,
                Until::Idle => Time::MAX,
            },
        }
    }

    /// All steps: players first, then what happens to them.
    pub(crate) fn steps(&self, dice: &mut Dice) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for (number, container) in self.containers.iter().enumerate() {
            let at = if number > 0 && dice.chance(1, 2) { moment(8, dice) } else { Time::ZERO };
            let act = self.makes(container, UnitKind::Player, dice);
            steps.push(Step { trigger: Trigger::At(at), act, player: Target::First });
        }
        if self.features.units {
            let act = self.makes(UNIT, UnitKind::Outstream, dice);
            steps.push(Step { trigger: Trigger::At(moment(4, dice)), act, player: Target::First });
        }
        if self.features.elements {
            let act = element(dice);
            steps.push(Step { trigger: Trigger::At(moment(4, dice)), act, player: Target::First });
        }
        if dice.chance(3, 4) {
            let trigger = Trigger::On { event: EventName::Ready, nth: None, after: None };
            let act = StepAct::Do { call: Call::Play, args: Vec::new() };
            steps.push(Step { trigger, act, player: Target::First });
        }
        let made = steps.len();
        let most = *dice.pick(&[6, 14, 30]);
        steps.extend(dice.some(1, most, |dice| self.step(dice)));
        for _ in 0..dice.index(6) {
            let act = StepAct::Read(TELLING.to_vec());
            steps.push(Step { trigger: Trigger::At(moment(40, dice)), act, player: self.player(dice) });
        }
        let is_due = |step: &Step| matches!(step.trigger, Trigger::At(at) if at <= self.end);
        let due = steps[made..].iter().filter(|step| is_due(step)).count();
        for _ in due..LEAST_ACTS {
            let trigger = Trigger::At(moment(12, dice));
            steps.push(Step { trigger, act: self.act(dice), player: self.player(dice) });
        }
        steps
    }

    /// Named listeners, some of which only record.
    pub(crate) fn listeners(&self, dice: &mut Dice) -> Vec<(Arc<str>, ListenerScript)> {
        let script = |dice: &mut Dice| {
            let acts = dice.some(0, 2, |dice| match dice.below(12) {
                // In the text form a listener reads properties by their bare names.
                0 | 1 => StepAct::Read(vec![*dice.pick(&[
                    Query::IsReady,
                    Query::CurrentIndex,
                    Query::LastVastXml,
                ])]),
                2 if self.features.queues => self.push(dice),
                3 if self.features.nonsense => self.init_anywhere(dice),
                _ => calls::call(self, dice),
            });
            ListenerScript { acts, throws: dice.chance(1, 6).then(|| "no reason".into()) }
        };
        self.listeners.iter().map(|name| (name.clone(), script(dice))).collect()
    }

    fn step(&self, dice: &mut Dice) -> Step {
        let in_event = self.features.listeners && dice.chance(1, 3);
        let trigger = if in_event {
            // Endless loops occur too, though seldom: the limit of tasks ends them.
            let nth = dice.chance(3, 4).then(|| 1 + dice.below(3) as u32);
            let after = dice.chance(1, 3).then(|| world::beats(4, dice));
            Trigger::On { event: *dice.pick(self.events), nth, after }
        } else {
            Trigger::At(moment(*dice.pick(&[4, 16, 50]), dice))
        };
        let player = match self.player(dice) {
            // No player is made in a missing container; a scenario that waits for one is refused.
            Target::Container(id) if in_event && &*id == NOWHERE => Target::First,
            player @ (Target::First | Target::Container(_) | Target::NoArgument) => player,
        };
        Step { trigger, act: self.act(dice), player }
    }

    fn act(&self, dice: &mut Dice) -> StepAct {
        match dice.below(24) {
            0 => StepAct::Read(dice.some(1, 4, |dice| *dice.pick(Query::ALL))),
            1 if self.features.nonsense => self.init_anywhere(dice),
            2..=6 => StepAct::User(self.person(dice)),
            7 | 8 if self.features.surroundings => StepAct::Page(page_change(dice)),
            9 if self.features.queues => self.push(dice),
            10 if self.features.queues => StepAct::Script(*dice.pick(UnitKind::ALL)),
            11 if self.features.units => self.makes(UNIT, UnitKind::Outstream, dice),
            // A unit's ad is paused while it is out of view.
            12 if self.features.units => {
                StepAct::Page(PageChange::InView(Decimal::from_integer(*dice.pick(&[0, 49, 50]))))
            }
            13 if self.features.records => StepAct::Edit(edits::edit(dice)),
            _ => calls::call(self, dice),
        }
    }

    fn player(&self, dice: &mut Dice) -> Target {
        match dice.below(8) {
            0 => Target::NoArgument,
            1..=3 if self.features.elements && dice.chance(1, 2) => Target::Container(ELEMENT.into()),
            1..=3 if self.features.units && dice.chance(1, 2) => Target::Container(UNIT.into()),
            1..=4 if self.containers.len() > 1 => Target::Container((*dice.pick(&self.containers)).into()),
            1 if dice.chance(1, 10) => Target::Container(NOWHERE.into()),
            _ => Target::First,
        }
    }

    /// A player or unit, made by the initialiser or by the queue.
    fn makes(&self, container: &str, unit: UnitKind, dice: &mut Dice) -> StepAct {
        if self.features.queues && dice.chance(1, 2) {
            let entry = Fields::one("div", container.to_owned()).with("obj", self.config(unit, dice));
            StepAct::Queue { unit, entry: Value::Map(entry), on_ready: self.on_ready(dice) }
        } else {
            self.init(container, unit, dice)
        }
    }

    /// A push on a queue array, whatever the container has.
    fn push(&self, dice: &mut Dice) -> StepAct {
        let unit = if self.features.units { *dice.pick(UnitKind::ALL) } else { UnitKind::Player };
        if self.features.nonsense && dice.chance(1, 3) {
            return StepAct::Queue { unit, entry: any(2, dice), on_ready: None };
        }
        let container = if unit == UnitKind::Player { *dice.pick(CONTAINERS) } else { UNIT };
        let mut entry = Fields::NONE;
        if !dice.chance(1, 10) {
            entry.push("div", container.to_owned());
        }
        if !dice.chance(1, 10) {
            entry.push("obj", self.config(unit, dice));
        }
        StepAct::Queue { unit, entry: Value::Map(entry), on_ready: self.on_ready(dice) }
    }

    fn init(&self, container: &str, unit: UnitKind, dice: &mut Dice) -> StepAct {
        let nonsense = self.features.nonsense;
        let div =
            if nonsense && dice.chance(1, 6) { any(2, dice) } else { Value::from(container.to_owned()) };
        let config = if nonsense && dice.chance(1, 8) { any(2, dice) } else { self.config(unit, dice) };
        StepAct::Init { unit, div, config, on_ready: self.on_ready(dice) }
    }

    /// Adds a player where there may be one, or none.
    fn init_anywhere(&self, dice: &mut Dice) -> StepAct {
        let container = *dice.pick(CONTAINERS);
        self.init(container, UnitKind::Player, dice)
    }

    fn on_ready(&self, dice: &mut Dice) -> Option<Arc<str>> {
        if dice.chance(1, 4) { self.listeners.first().cloned() } else { None }
    }

    fn config(&self, unit: UnitKind, dice: &mut Dice) -> Value {
        let features = self.features;
        let size = |dice: &mut Dice| *dice.pick(if features.surroundings { SIZES } else { &SIZES[..1] });
        let (width, height) = size(dice);
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
        match unit {
            UnitKind::Outstream if dice.chance(1, 8) => fields.push("video", item(dice)),
            UnitKind::Outstream => {}
            UnitKind::Player if features.playlists => {
                fields.push("playlist", Value::List(dice.some(usize::from(!features.nonsense), 4, item)));
            }
            UnitKind::Player => fields.push("video", item(dice)),
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

    fn person(&self, dice: &mut Dice) -> Act {
        if self.features.attachments && dice.chance(1, 3) {
            return attachments::act(dice);
        }
        if self.features.people && dice.chance(2, 3) {
            return dice.pick(Act::PLAIN).clone();
        }
        match dice.below(if self.features.sound { 10 } else { 7 }) {
            0 => Act::Play,
            1 => Act::Pause,
            2 | 3 => Act::Skip,
            4 => Act::Next,
            5 => Act::Previous,
            6 => Act::Seek(calls::place(self.features, dice)),
            7 => Act::Mute,
            8 => Act::Unmute,
            _ => Act::Volume(calls::volume(self.features, dice)),
        }
    }
}

const NOWHERE: &str = "nowhere";

/// The place of a bare media element.
const ELEMENT: &str = "element";

fn element(dice: &mut Dice) -> StepAct {
    let config = ElementConfig {
        source: (!dice.chance(1, 8)).then(|| Arc::from(*dice.pick(FILMS))),
        preload: *dice.pick(&[Preload::None, Preload::Metadata, Preload::Auto]),
        autoplay: dice.chance(1, 4),
        looping: dice.chance(1, 6),
        muted: dice.chance(1, 4),
    };
    StepAct::Element { div: ELEMENT.into(), config }
}

/// Widths and heights as configurations have them.
const SIZES: &[(&str, &str)] =
    &[("640", "360"), ("100%", "16x9"), ("4x3", "50%"), ("33.3%", "200"), ("wide", "-1")];

fn page_change(dice: &mut Dice) -> PageChange {
    let truth = dice.chance(1, 2);
    match dice.below(6) {
        0 => PageChange::InView(Decimal::from_integer(*dice.pick(&[0, 30, 50, 100]))),
        1 => {
            let (width, height) = world::window(dice);
            PageChange::Window(width, height)
        }
        2 => PageChange::Sticky(truth),
        3 => PageChange::Fullscreen(truth),
        4 => PageChange::Hidden(truth),
        _ => PageChange::Rate(Decimal::from_millionths(
            *dice.pick(&[62_500, 333_333, 500_000, 1_000_000, 1_500_000, 2_000_000, 16_000_000]),
        )),
    }
}

/// A multiple of 250 ms; sometimes of a finer grid, to fall between the others.
pub(crate) fn moment(most: u64, dice: &mut Dice) -> Time {
    let finer = if dice.chance(1, 8) { dice.below(250) } else { 0 };
    Time::from_millis(250 * dice.below(most + 1) + finer)
}
