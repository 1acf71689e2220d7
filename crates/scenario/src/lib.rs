//! A scenario: a world, steps, and expectations.
//!
//! The types are plain, so that a property test can build a scenario in Rust; `scenario::read`
//! reads one from YAML or JSON. A scenario holds everything that a run depends on: no real clock,
//! file or URL is used.
//!
//! The form as users write it is in `docs/src/scenario.md` and in the schema.

pub mod edit;
pub mod world;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::world::Surroundings;
use playsim_api::catalog::Catalog;
use playsim_api::media::ElementConfig;
use playsim_api::page::Page;
use playsim_api::video::{Rendition, Video};
use playsim_api::{Act, Call, Decimal, EventName, Fields, PageChange, Query, Value};
use playsim_base::time::{ParseSpanError, Span, Time};
use playsim_rules::RuleId;
use playsim_rules::knobs::{Knobs, Profiles};

pub use crate::edit::{Route, ServiceFault};
pub use crate::world::{AnswerScript, Answers, MediaScript, ScriptedAnswer, VideoScript};
pub use playsim_api::{AdLoop, AdTurns, Bid, BreakKind, UnitKind};

pub(crate) mod error;
mod fields;
mod form;
mod overrides;
pub mod part;
pub(crate) mod read;
mod saved_answers;
mod schema;
pub(crate) mod starter;
mod write;
mod writer;

#[cfg(feature = "picture")]
pub use error::picture;
pub use error::{Mistake, Mistakes, ScenarioError};
pub use overrides::Overrides;
pub use read::{expectation_places, is_scenario, read, read_over, read_profile};
pub use saved_answers::{SavedAnswer, http_response, in_order, saved_answers, waterfall_stage};
pub use schema::schema;
pub use starter::{FAILURES, Ready, demo, ready_made, starter};

/// Everything a run depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// A short description.
    pub name: Arc<str>,
    /// The rules that it demonstrates. For readers only.
    pub rules: Vec<RuleId>,
    /// The profiles whose knobs it starts from.
    pub profile: Profiles,
    /// The settings in force: the profile's, with those that are set on top of it.
    pub knobs: Knobs,
    /// The seed of everything random. Rule CLK-8.
    pub seed: u64,
    /// When the run ends.
    pub until: Until,
    /// The page around the players.
    pub page: Page,
    /// The video records.
    pub videos: Vec<VideoScript>,
    /// The media of URLs.
    pub media: Vec<(Arc<str>, MediaScript)>,
    /// The media of URLs that are not listed; `None`: they are not found.
    pub media_default: Option<MediaScript>,
    /// The responses of URLs, used up in order; the last one repeats.
    pub network: Vec<(Arc<str>, Vec<AnswerScript>)>,
    /// Query parameters that are ignored when a URL is looked up.
    pub ignore_query: Vec<Arc<str>>,
    /// Settings of every player.
    pub player: PlayerScript,
    /// Settings that replace those for the player of one container.
    pub players: Vec<(Arc<str>, PlayerScript)>,
    /// The channels that exist; `None`: every id does. Rule EDIT-19.
    pub channels: Option<Vec<u32>>,
    /// Named listeners.
    pub listeners: Vec<(Arc<str>, ListenerScript)>,
    /// The steps. Empty: one player plays the first video once it is ready.
    pub steps: Vec<Step>,
    /// Expectations of the trace.
    pub expect: Vec<Expectation>,
}

/// When a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Until {
    /// When nothing can happen any more.
    #[default]
    Idle,
    /// At this time.
    At(Time),
    /// At this time, and after the input that writes this line of the trace: where a driver stopped
    /// in the middle of an instant.
    Line {
        /// The time.
        at: Time,
        /// The number of the line.
        line: u32,
    },
}

impl Until {
    /// Returns the last instant. `None`: the run continues while anything can happen.
    #[must_use]
    pub fn end(self) -> Option<Time> {
        match self {
            Until::Idle => None,
            Until::At(at) | Until::Line { at, .. } => Some(at),
        }
    }
}

/// Parses `idle`, or a time such as `120s`.
impl FromStr for Until {
    type Err = ParseUntilError;

    fn from_str(text: &str) -> Result<Until, ParseUntilError> {
        if text == "idle" {
            return Ok(Until::Idle);
        }
        text.parse()
            .map(|span: Span| Until::At(Time::ZERO + span))
            .map_err(ParseUntilError)
    }
}

/// Why a string is not the end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseUntilError(ParseSpanError);

impl fmt::Display for ParseUntilError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == ParseSpanError::Form {
            return f.write_str("it must be a time, like 120s, or idle");
        }
        self.0.fmt(f)
    }
}

impl std::error::Error for ParseUntilError {}

/// Settings of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerScript {
    /// How long the player takes to become ready. Rule INIT-11.
    pub ready_after: Span,
    /// Ad objects at player level, as page code would write them.
    pub ads: Vec<Value>,
    /// The renditions that the account's plan allows; `None`: all. Rule QUAL-4.
    pub plan: Option<Vec<Rendition>>,
    /// The initial volume, 0 to 1. Rule VOL-5.
    pub volume: Decimal,
    /// Whether it starts muted.
    pub muted: bool,
    /// Header bids that win. Rule REQ-13.
    pub bids: Vec<Bid>,
    /// The loop of the first pre-roll slot, if there is one. Rule SCHED-1.
    pub ad_loop: Option<AdLoop>,
    /// Which videos have ads. Rules SCHED-4 to SCHED-6.
    pub ad_turns: AdTurns,
}

impl Default for PlayerScript {
    fn default() -> PlayerScript {
        PlayerScript {
            ready_after: Span::ZERO,
            ads: Vec::new(),
            plan: None,
            volume: Decimal::ONE,
            muted: false,
            bids: Vec::new(),
            ad_loop: None,
            ad_turns: AdTurns::default(),
        }
    }
}

/// The effect of a listener when it runs. One that does nothing only records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListenerScript {
    /// What its first calls do, in order: a recorded function of page code.
    pub calls: Vec<CallScript>,
    /// What all other calls do.
    pub then: CallScript,
}

/// One call of a listener.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallScript {
    /// Its actions, in order.
    pub acts: Vec<StepAct>,
    /// The exception that it throws at the end, if any.
    pub throws: Option<Arc<str>>,
}

/// A listener that does the same in all calls.
impl From<CallScript> for ListenerScript {
    fn from(then: CallScript) -> ListenerScript {
        ListenerScript {
            calls: Vec::new(),
            then,
        }
    }
}

impl From<Vec<StepAct>> for ListenerScript {
    fn from(acts: Vec<StepAct>) -> ListenerScript {
        CallScript { acts, throws: None }.into()
    }
}

impl ListenerScript {
    /// Returns what it does when it is called for the `nth` time, counted from 1.
    #[must_use]
    pub fn call(&self, nth: u32) -> &CallScript {
        let index = usize::try_from(nth).unwrap_or(usize::MAX).wrapping_sub(1);
        self.calls.get(index).unwrap_or(&self.then)
    }

    /// Returns its actions in all calls.
    pub fn all_acts(&self) -> impl Iterator<Item = &StepAct> {
        let calls = [&self.then].into_iter().chain(&self.calls);
        calls.flat_map(|call| &call.acts)
    }
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// When it runs.
    pub trigger: Trigger,
    /// Its action.
    pub act: StepAct,
    /// The player that it is for.
    pub player: Target,
}

/// When a step runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// At a time.
    At(Time),
    /// When an event is delivered.
    On {
        /// Which event.
        event: EventName,
        /// Only at this delivery of the event, counted from 1.
        nth: Option<u32>,
        /// How long afterwards, as a separate step; `None`: at once, inside the listener.
        after: Option<Span>,
    },
    /// Whenever the page is hidden or shown again, after the players have noticed it.
    Visibility,
}

impl Trigger {
    /// The name of [`Trigger::Visibility`], which is that of the page's event.
    pub const VISIBILITY: &str = "visibilitychange";
}

/// A condition of page code: a name with the value that it must have.
pub type Condition = (Arc<str>, Value);

/// The name of the condition that the page is hidden. Other names are getters, or kept values.
pub const HIDDEN: &str = "hidden";

/// Which player a step is for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Target {
    /// The first player of the scenario: the container of the first `init`.
    #[default]
    First,
    /// `$player('id')`.
    Container(Arc<str>),
    /// `$player()`. Rule INIT-18.
    NoArgument,
}

/// The action of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepAct {
    /// Creates a player with `$player(div, config, onReady)`, or an outstream unit in the same way.
    Init {
        /// Which of the two.
        unit: UnitKind,
        /// The container's id; a script may pass any type. Rule INIT-1.
        div: Value,
        /// The configuration; a script may pass any type.
        config: Value,
        /// The listener that is the ready callback.
        on_ready: Option<Arc<str>>,
    },
    /// Pushes an entry onto a queue array of the page. Rules QUEUE-1 to QUEUE-6.
    Queue {
        /// Whose array.
        unit: UnitKind,
        /// The entry: an object with `div` and `obj`; a script may pass any type.
        entry: Value,
        /// The listener that is the entry's `onReady`.
        on_ready: Option<Arc<str>>,
    },
    /// Creates a bare media element.
    Element {
        /// The id of its place on the page.
        div: Arc<str>,
        /// Its content attributes.
        config: ElementConfig,
    },
    /// Calls the API. A `Value::Function` names a listener of the scenario.
    Do {
        /// Which call.
        call: Call,
        /// Its arguments. A function with an empty name does nothing.
        args: Vec<Value>,
    },
    /// The user does something.
    User(Act),
    /// The page or the browser changes.
    Page(PageChange),
    /// A script loads on the page, possibly not for the first time. Rules LOAD-2, LOAD-5.
    Script(UnitKind),
    /// The page puts an element with this id in place, which can hold a player. Rule INIT-21.
    Container(Arc<str>),
    /// Edits a video's record. Rules EDIT-1, EDIT-2.
    Edit(EditScript),
    /// Reads getters and properties.
    Read(Vec<Query>),
    /// Does something that is for another player than the step or listener that it is in. Rule
    /// EVT-22.
    For {
        /// Which player.
        player: Target,
        /// A call, a reading, or an action of the user or the page.
        act: Box<StepAct>,
    },
    /// Keeps the value of a getter for later.
    Let {
        /// The name of the value.
        name: Arc<str>,
        /// What is read.
        query: Query,
    },
    /// Calls the API with a value that was kept; undefined if none was.
    Use {
        /// Which call.
        call: Call,
        /// The name of the value, its only argument.
        name: Arc<str>,
    },
    /// Does something if conditions hold.
    When {
        /// What must be so; all of it.
        conditions: Vec<Condition>,
        /// Any action but another one with conditions.
        act: Box<StepAct>,
    },
    /// Several actions as one task of the page: what they cause is delivered after the last one.
    /// Rule CLK-13.
    Task(Vec<StepAct>),
}

impl StepAct {
    /// Returns the container of the player or element that it creates, as far as the scenario says.
    pub fn container(&self) -> Option<Arc<str>> {
        if let StepAct::Task(acts) = self {
            return acts.iter().find_map(StepAct::container);
        }
        if let StepAct::Element { div, .. } = self {
            return Some(Arc::clone(div));
        }
        let div = if let StepAct::Queue { entry, .. } = self {
            entry.as_map()?.get("div")
        } else if let StepAct::Init { div, .. } = self {
            Some(div)
        } else {
            None
        };
        div?.as_text().map(|id| Arc::from(&**id))
    }

    /// Returns the action, whichever player it is for and whatever its conditions.
    pub fn done(&self) -> &StepAct {
        if let StepAct::For { act, .. } | StepAct::When { act, .. } = self {
            act.done()
        } else {
            self
        }
    }

    /// Returns whether it is done to a player, which may be another one than that of its step or
    /// listener.
    pub fn is_for_a_player(&self) -> bool {
        matches!(
            self,
            StepAct::Do { .. }
                | StepAct::User(_)
                | StepAct::Page(_)
                | StepAct::Read(_)
                | StepAct::Let { .. }
                | StepAct::Use { .. }
        )
    }

    /// Returns whether it changes the page, or a part of it does.
    pub(crate) fn changes_the_page(&self) -> bool {
        self.parts()
            .iter()
            .any(|part| matches!(part.done(), StepAct::Page(_)))
    }

    /// Returns whether it binds or removes a listener.
    pub fn binds(&self) -> bool {
        matches!(
            self.done(),
            StepAct::Do {
                call: Call::On | Call::Once | Call::Off | Call::Add | Call::AddOnce | Call::Remove,
                ..
            }
        )
    }

    /// Returns whether it binds a listener to `ready`. Rule INIT-11.
    pub fn binds_to_ready(&self) -> bool {
        let StepAct::Do {
            call: Call::On | Call::Once | Call::Add | Call::AddOnce,
            args,
        } = self.done()
        else {
            return false;
        };
        let is_ready = |name: &Value| {
            name.as_text()
                .is_some_and(|name| **name == *EventName::Ready.name())
        };
        args.first().is_some_and(|names| {
            is_ready(names) || names.as_list().is_some_and(|all| all.iter().any(is_ready))
        })
    }

    /// Returns the actions that it consists of: those of a task, or itself.
    pub fn parts(&self) -> &[StepAct] {
        if let StepAct::Task(acts) = self {
            acts
        } else {
            std::slice::from_ref(self)
        }
    }

    /// Returns the names of the listeners that it binds.
    pub fn listeners(&self) -> impl Iterator<Item = &str> {
        self.parts().iter().flat_map(StepAct::own_listeners)
    }

    fn own_listeners(&self) -> impl Iterator<Item = &str> {
        let act = self.done();
        let on_ready = if let StepAct::Init { on_ready, .. } | StepAct::Queue { on_ready, .. } = act
        {
            on_ready.as_deref()
        } else {
            None
        };
        let args: &[Value] = if let StepAct::Do { args, .. } = act {
            args
        } else {
            &[]
        };
        let listeners = args.iter().filter_map(Value::as_function);
        on_ready.into_iter().chain(listeners.map(|name| &**name))
    }
}

/// An edit call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EditScript {
    /// The id of the video; `None`: the call has none, or has it in its fields.
    pub id: Option<Arc<str>>,
    /// The fields of its form, in order.
    pub fields: Vec<(Arc<str>, Arc<str>)>,
    /// The route that it takes.
    pub route: Route,
    /// Header fields that add to or replace the usual ones; one without a value is left out.
    pub headers: Vec<(Arc<str>, Option<Arc<str>>)>,
    /// The fault that is planned for it. Rule EDIT-44.
    pub fault: Option<ServiceFault>,
}

impl EditScript {
    /// Returns the path of the request.
    #[must_use]
    pub fn path(&self) -> String {
        self.route.path(self.id.as_deref().unwrap_or_default())
    }
}

/// Something that must be true of the finished trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expectation {
    /// An event fires, with at least these data.
    Event {
        /// Which event.
        event: EventName,
        /// How often; `None`: at least once.
        times: Option<u32>,
        /// Fields that its data must have.
        data: Value,
    },
    /// Events fire in this order; others may fire in between.
    Order(Vec<EventName>),
    /// An event never fires.
    Never(EventName),
    /// At most one of these events fires, however often.
    AtMostOne(Vec<EventName>),
    /// Each time an event fires, another of the same player follows in time. A run that ends
    /// earlier leaves it open, unless nothing can happen any more.
    After {
        /// The first event.
        event: EventName,
        /// The event that follows.
        comes: EventName,
        /// The longest time between them.
        within: Span,
    },
    /// A diagnostic is recorded.
    Diag {
        /// Its code.
        code: Arc<str>,
        /// How often; `None`: at least once.
        times: Option<u32>,
    },
    /// A getter that was read returned this value.
    Read {
        /// Which getter.
        query: Query,
        /// When it was read; `None`: the last time.
        at: Option<Time>,
        /// The value.
        is: Value,
    },
    /// A call was made.
    Call {
        /// Which call.
        call: Call,
        /// How often; `None`: at least once.
        times: Option<u32>,
        /// The error's code; `None`: any outcome.
        error: Option<Arc<str>>,
    },
}

impl Default for Scenario {
    fn default() -> Scenario {
        Scenario {
            name: "".into(),
            rules: Vec::new(),
            profile: Profiles::default(),
            knobs: Knobs::default(),
            seed: 0,
            until: Until::Idle,
            page: Page::default(),
            videos: Vec::new(),
            media: Vec::new(),
            media_default: None,
            network: Vec::new(),
            ignore_query: Vec::new(),
            player: PlayerScript::default(),
            players: Vec::new(),
            channels: None,
            listeners: Vec::new(),
            steps: Vec::new(),
            expect: Vec::new(),
        }
    }
}

impl Scenario {
    /// Returns the knobs of these profiles with those on top that the scenario sets itself.
    pub fn knobs_over(&self, profiles: &Profiles) -> Knobs {
        let mut knobs = profiles.knobs();
        for (name, value) in self.knobs.differing_from(self.profile.knobs()) {
            knobs
                .set(name, &value)
                .expect("the scenario has this value");
        }
        knobs
    }

    /// Adds a video. The first one is played if there are no steps.
    #[must_use]
    pub fn with_video(mut self, video: impl Into<VideoScript>) -> Scenario {
        self.videos.push(video.into());
        self
    }

    /// Sets the media at a URL.
    #[must_use]
    pub fn with_media(mut self, url: impl Into<Arc<str>>, media: MediaScript) -> Scenario {
        self.media.push((url.into(), media));
        self
    }

    /// Adds a response of a URL. Several responses of one URL are consumed in order; the last one
    /// repeats.
    #[must_use]
    pub fn with_answer(
        mut self,
        url: impl Into<Arc<str>>,
        answer: impl Into<AnswerScript>,
    ) -> Scenario {
        let (url, answer) = (url.into(), answer.into());
        match self.network.iter_mut().find(|(known, _)| *known == url) {
            Some((_, answers)) => answers.push(answer),
            None => self.network.push((url, vec![answer])),
        }
        self
    }

    /// Adds an ad object at player level, as page code would write it.
    #[must_use]
    pub fn with_ad(mut self, ad: Fields) -> Scenario {
        self.player.ads.push(Value::Map(ad));
        self
    }

    /// Adds a step.
    #[must_use]
    pub fn with_step(mut self, step: Step) -> Scenario {
        self.steps.push(step);
        self
    }

    /// Returns the scenario with the records of a catalog: they replace the records with the same
    /// ids, and the others are appended to the videos, without media.
    #[must_use]
    pub fn with_catalog(mut self, catalog: &Catalog) -> Scenario {
        for record in catalog.iter() {
            match self
                .videos
                .iter_mut()
                .find(|script| script.video.id == record.id)
            {
                Some(script) => {
                    script.video = Arc::new(script.video.with_record((**record).clone()))
                }
                None => {
                    let video = Video {
                        record: (**record).clone(),
                        ..Video::default()
                    };
                    self.videos.push(VideoScript {
                        video: Arc::new(video),
                        record_after: Span::ZERO,
                    });
                }
            }
        }
        self
    }

    /// Returns the surroundings of the players: videos, media and network.
    #[must_use]
    pub fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            videos: &self.videos,
            media: &self.media,
            media_default: self.media_default.as_ref(),
            network: &self.network,
            ignore_query: &self.ignore_query,
            relative_urls: self.knobs.ad_relative_urls,
        }
    }
}
