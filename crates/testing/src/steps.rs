//! Random steps and listeners: players and units first, then calls, the user, the page, reads.

use std::sync::Arc;

use super::ad_objects::ad_object;
use super::cast::Cast;
use super::feature::Feature;
use super::grid::{beats, moment};
use super::plan::UNIT;
use super::source::Source;
use super::values::any;
use super::{attachments, calls, edits, world};
use playsim_api::media::{ElementConfig, Preload};
use playsim_api::{Act, Call, Decimal, EventName, Fields, PageChange, Query, Text, Value};
use playsim_base::time::Time;
use playsim_scenario::{CallScript, ListenerScript, Step, StepAct, Target, Trigger, UnitKind};

/// The getters to read, so that positions, indexes, ads and settings can be checked.
const TELLING: &[Query] = &[
    Query::CurrentTime,
    Query::CurrentIndex,
    Query::PlaylistLength,
    Query::AdInProgress,
    Query::Volume,
    Query::Muted,
    Query::CurrentSrc,
    Query::IsFullScreen,
];

/// The minimum number of actions before the scenario ends, besides those that make its players.
const LEAST_ACTS: usize = 5;

impl Cast<'_> {
    /// All steps: players first, then what happens to them.
    pub(super) fn steps(&self, source: &mut Source) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for (number, container) in self.containers.iter().enumerate() {
            let at = if number > 0 && source.chance(1, 2) {
                moment(8, source)
            } else {
                Time::ZERO
            };
            let act = self.makes(container, UnitKind::Player, source);
            steps.push(Step {
                trigger: Trigger::At(at),
                act,
                player: Target::First,
            });
        }
        if self.plan.has(Feature::Units) {
            let act = self.makes(&Text::Static(UNIT), UnitKind::Outstream, source);
            steps.push(Step {
                trigger: Trigger::At(moment(4, source)),
                act,
                player: Target::First,
            });
        }
        if self.plan.has(Feature::Elements) {
            let act = self.element(source);
            steps.push(Step {
                trigger: Trigger::At(moment(4, source)),
                act,
                player: Target::First,
            });
        }
        if source.chance(3, 4) {
            let trigger = Trigger::On {
                event: EventName::Ready,
                nth: None,
                after: None,
            };
            let act = StepAct::Do {
                call: Call::Play,
                args: Vec::new(),
            };
            steps.push(Step {
                trigger,
                act,
                player: Target::First,
            });
        }
        steps.extend(self.acts(source));
        steps
    }

    /// Steps that create no players.
    pub(super) fn acts(&self, source: &mut Source) -> Vec<Step> {
        if let Some(steps) = &self.plan.steps {
            return source.some(*steps.start(), *steps.end(), |source| self.step(source));
        }
        let most = *source.pick(&[6, 14, 30]);
        let mut steps = source.some(1, most, |source| self.step(source));
        for _ in 0..source.index(6) {
            let act = StepAct::Read(TELLING.to_vec());
            steps.push(Step {
                trigger: Trigger::At(moment(40, source)),
                act,
                player: self.player(source),
            });
        }
        let is_due = |step: &Step| matches!(step.trigger, Trigger::At(at) if at <= self.end);
        let due = steps.iter().filter(|step| is_due(step)).count();
        for _ in due..LEAST_ACTS {
            if source.is_exhausted() {
                break;
            }
            let trigger = Trigger::At(moment(12, source));
            steps.push(Step {
                trigger,
                act: self.act(source),
                player: self.player(source),
            });
        }
        steps
    }

    /// Named listeners, some of which only record.
    pub(super) fn listeners(&self, source: &mut Source) -> Vec<(Arc<str>, ListenerScript)> {
        let script = |source: &mut Source| {
            let acts = source.some(0, 2, |source| match source.below(12) {
                // In the text form a listener reads properties by their bare names.
                0 | 1 => StepAct::Read(vec![*source.pick(&[
                    Query::IsReady,
                    Query::CurrentIndex,
                    Query::LastVastXml,
                ])]),
                2 if self.plan.has(Feature::Queues) => self.push(source),
                3 if self.plan.has(Feature::Nonsense) => self.init_anywhere(source),
                _ => calls::call(self, source),
            });
            let throws = source.chance(1, 6).then(|| "no reason".into());
            CallScript { acts, throws }.into()
        };
        self.listeners
            .iter()
            .map(|name| (name.clone(), script(source)))
            .collect()
    }

    fn step(&self, source: &mut Source) -> Step {
        let in_event = self.plan.has(Feature::Listeners) && source.chance(1, 3);
        let trigger = if in_event {
            // Endless loops occur too, though seldom: the limit of tasks ends them.
            let nth = source.chance(3, 4).then(|| 1 + source.below(3) as u32);
            let after = source.chance(1, 3).then(|| beats(4, source));
            Trigger::On {
                event: *source.pick(self.events),
                nth,
                after,
            }
        } else {
            Trigger::At(moment(*source.pick(&[4, 16, 50]), source))
        };
        let player = match self.player(source) {
            // No player is made in a missing container; a scenario that waits for one is refused.
            Target::Container(id) if in_event && &*id == NOWHERE => Target::First,
            player @ (Target::First | Target::Container(_) | Target::NoArgument) => player,
        };
        Step {
            trigger,
            act: self.act(source),
            player,
        }
    }

    pub(super) fn act(&self, source: &mut Source) -> StepAct {
        match source.below(24) {
            0 => StepAct::Read(source.some(1, 4, |source| *source.pick(Query::ALL))),
            1 if self.plan.has(Feature::Nonsense) => self.init_anywhere(source),
            2..=6 => StepAct::User(self.person(source)),
            7 | 8 if self.plan.has(Feature::Surroundings) => StepAct::Page(page_change(source)),
            9 if self.plan.has(Feature::Queues) => self.push(source),
            10 if self.plan.has(Feature::Queues) => StepAct::Script(*source.pick(UnitKind::ALL)),
            11 if self.plan.has(Feature::Units) => {
                self.makes(&Text::Static(UNIT), UnitKind::Outstream, source)
            }
            // A unit's ad is paused while it is out of view.
            12 if self.plan.has(Feature::Units) => StepAct::Page(PageChange::InView(
                Decimal::from_integer(*source.pick(&[0, 49, 50])),
            )),
            13 if self.plan.has(Feature::Records) => StepAct::Edit(edits::edit(self.plan, source)),
            _ => calls::call(self, source),
        }
    }

    fn player(&self, source: &mut Source) -> Target {
        match source.below(8) {
            0 => Target::NoArgument,
            1..=3 if self.plan.has(Feature::Elements) && source.chance(1, 2) => {
                Target::Container(ELEMENT.into())
            }
            1..=3 if self.plan.has(Feature::Units) && source.chance(1, 2) => {
                Target::Container(UNIT.into())
            }
            1..=4 if self.containers.len() > 1 => {
                Target::Container(Arc::from(&**source.pick(self.containers)))
            }
            1 if source.chance(1, 10) => Target::Container(NOWHERE.into()),
            _ => Target::First,
        }
    }

    /// A player or unit, made by the initialiser or by the queue.
    fn makes(&self, container: &Text, unit: UnitKind, source: &mut Source) -> StepAct {
        if self.plan.has(Feature::Queues) && source.chance(1, 2) {
            let entry =
                Fields::one("div", container.clone()).with("obj", self.config(unit, source));
            StepAct::Queue {
                unit,
                entry: Value::Map(entry),
                on_ready: self.on_ready(source),
            }
        } else {
            self.init(container, unit, source)
        }
    }

    /// A push on a queue array, whatever the container has.
    fn push(&self, source: &mut Source) -> StepAct {
        let unit = if self.plan.has(Feature::Units) {
            *source.pick(UnitKind::ALL)
        } else {
            UnitKind::Player
        };
        if self.plan.has(Feature::Nonsense) && source.chance(1, 3) {
            return StepAct::Queue {
                unit,
                entry: any(2, self.plan, source),
                on_ready: None,
            };
        }
        let container = if unit == UnitKind::Player {
            source.pick(&self.plan.containers)
        } else {
            &Text::Static(UNIT)
        };
        let mut entry = Fields::NONE;
        if !source.chance(1, 10) {
            entry.push("div", container.clone());
        }
        if !source.chance(1, 10) {
            entry.push("obj", self.config(unit, source));
        }
        StepAct::Queue {
            unit,
            entry: Value::Map(entry),
            on_ready: self.on_ready(source),
        }
    }

    fn init(&self, container: &Text, unit: UnitKind, source: &mut Source) -> StepAct {
        let nonsense = self.plan.has(Feature::Nonsense);
        let div = if nonsense && source.chance(1, 6) {
            any(2, self.plan, source)
        } else {
            Value::from(container.clone())
        };
        let config = if nonsense && source.chance(1, 8) {
            any(2, self.plan, source)
        } else {
            self.config(unit, source)
        };
        StepAct::Init {
            unit,
            div,
            config,
            on_ready: self.on_ready(source),
        }
    }

    /// Adds a player where there may be one, or none.
    fn init_anywhere(&self, source: &mut Source) -> StepAct {
        let container = source.pick(&self.plan.containers);
        self.init(container, UnitKind::Player, source)
    }

    fn on_ready(&self, source: &mut Source) -> Option<Arc<str>> {
        if source.chance(1, 4) {
            self.listeners.first().cloned()
        } else {
            None
        }
    }

    fn config(&self, unit: UnitKind, source: &mut Source) -> Value {
        let plan = self.plan;
        let size = |source: &mut Source| {
            *source.pick(if plan.has(Feature::Surroundings) {
                SIZES
            } else {
                &SIZES[..1]
            })
        };
        let (width, height) = size(source);
        let mut fields = Fields::one("id", "p")
            .with("width", width)
            .with("height", height);
        let item = |source: &mut Source| match source.below(6) {
            0 => Value::Map(
                Fields::one("id", "inline")
                    .with("title", "Written out")
                    .with("src", "film-1.mp4")
                    .with("monetize", *source.pick(&[0, 1])),
            ),
            _ if plan.has(Feature::Faults) => Value::from(source.pick(&plan.videos).clone()),
            _ => Value::from(source.pick(&plan.videos[..plan.recorded]).clone()),
        };
        match unit {
            UnitKind::Outstream if source.chance(1, 8) => fields.push("video", item(source)),
            UnitKind::Outstream => {}
            UnitKind::Player if plan.has(Feature::Playlists) => {
                fields.push(
                    "playlist",
                    Value::List(source.some(usize::from(!plan.has(Feature::Nonsense)), 4, item)),
                );
            }
            UnitKind::Player => fields.push("video", item(source)),
        }
        if source.chance(1, 4) {
            fields.push("autoplay", true);
        }
        if plan.has(Feature::Ads) && source.chance(1, 6) {
            fields.push(
                "ads",
                Value::List(source.some(1, 2, |source| ad_object(self.plan, source))),
            );
        }
        if plan.has(Feature::Nonsense) && source.chance(1, 3) {
            fields.push("colour", any(1, self.plan, source));
        }
        Value::Map(fields)
    }

    fn element(&self, source: &mut Source) -> StepAct {
        let config = ElementConfig {
            source: (!source.chance(1, 8)).then(|| Arc::from(&**source.pick(&self.plan.films))),
            preload: *source.pick(&[Preload::None, Preload::Metadata, Preload::Auto]),
            autoplay: source.chance(1, 4),
            looping: source.chance(1, 6),
            muted: source.chance(1, 4),
        };
        StepAct::Element {
            div: ELEMENT.into(),
            config,
        }
    }

    fn person(&self, source: &mut Source) -> Act {
        if self.plan.has(Feature::Attachments) && source.chance(1, 3) {
            return attachments::act(source);
        }
        if self.plan.has(Feature::People) && source.chance(2, 3) {
            return source.pick(Act::PLAIN).clone();
        }
        match source.below(if self.plan.has(Feature::Sound) { 10 } else { 7 }) {
            0 => Act::Play,
            1 => Act::Pause,
            2 | 3 => Act::Skip,
            4 => Act::Next,
            5 => Act::Previous,
            6 => Act::Seek(calls::place(self.plan, source)),
            7 => Act::Mute,
            8 => Act::Unmute,
            _ => Act::Volume(calls::volume(self.plan, source)),
        }
    }
}

const NOWHERE: &str = "nowhere";

/// The place of a bare media element.
const ELEMENT: &str = "element";

/// Widths and heights as configurations have them.
const SIZES: &[(&str, &str)] = &[
    ("640", "360"),
    ("100%", "16x9"),
    ("4x3", "50%"),
    ("33.3%", "200"),
    ("wide", "-1"),
];

fn page_change(source: &mut Source) -> PageChange {
    let truth = source.chance(1, 2);
    match source.below(6) {
        0 => PageChange::InView(Decimal::from_integer(*source.pick(&[0, 30, 50, 100]))),
        1 => {
            let (width, height) = world::window(source);
            PageChange::Window(width, height)
        }
        2 => PageChange::Sticky(truth),
        3 => PageChange::Fullscreen(truth),
        4 => PageChange::Hidden(truth),
        _ => PageChange::Rate(Decimal::from_millionths(*source.pick(&[
            62_500, 333_333, 500_000, 1_000_000, 1_500_000, 2_000_000, 16_000_000,
        ]))),
    }
}
