//! A scenario prepared for playing: parsed documents, resolved listeners, settings by container.
//!
//! It is created once and shared by all forks of a run.

use std::sync::Arc;

use playsim_api::page::{INLINE, Page};
use playsim_api::{AdObject, AdOrigin, Call, EventName, Fields, Text, UnitKind, Value, unread};
use playsim_base::time::{Span, Time};
use playsim_base::words;
use playsim_player::{ListenerIndex, Settings};
use playsim_rules::knobs::KnobReader;
use playsim_scenario::world::{Surroundings, World};
use playsim_scenario::{
    ListenerScript, PlayerScript, Scenario, ScenarioError, Step, StepAct, Target, Trigger,
};
use playsim_trace::VERSION;

/// Everything in a run that does not change.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    /// Its knobs are read through `knobs` alone.
    pub(super) scenario: Scenario,
    pub(super) knobs: KnobReader,
    pub(super) world: Arc<World>,
    /// By their [`ListenerIndex`]; the last two are [`NAMELESS`].
    pub(super) scripts: Vec<Script>,
    /// The steps with a time, as indexes into those of the scenario. Several are the lines of one
    /// script.
    pub(super) timed: Vec<(Time, Vec<usize>)>,
    /// The steps at a change of visibility, as indexes into those of the scenario.
    pub(super) visibility: Vec<usize>,
    /// The container of the first `init`.
    pub(super) first: Arc<str>,
    pub(super) header: Fields,
    /// Whether the scenario has no steps, so that `scenario` has an automatic one.
    is_started_by_itself: bool,
    settings: Arc<Settings>,
    settings_by_container: Vec<(Arc<str>, Arc<Settings>)>,
}

/// The actions of a listener.
#[derive(Debug, Clone)]
pub(super) struct Script {
    /// The name that bindings refer to.
    pub(super) name: Text,
    /// For the listener of a step: its binding.
    pub(super) step: Option<OnStep>,
    pub(super) does: ListenerScript,
    pub(super) target: Target,
}

/// A step that runs when an event fires.
#[derive(Debug, Clone)]
pub(super) struct OnStep {
    pub(super) event: EventName,
    pub(super) container: Arc<str>,
    pub(super) nth: Option<u32>,
    pub(super) after: Option<Span>,
}

/// The ready callback of a scenario without steps.
const AUTOSTART: &str = "autostart";
/// The name of the function that does nothing: `{ $: function }`.
const NAMELESS: &str = "";

impl Stage {
    /// Prepares a scenario, and shares the common parts of its world with another one.
    pub(super) fn new(given: &Scenario, other: Option<&Stage>) -> Result<Stage, ScenarioError> {
        let mut scenario = given.clone();
        let mut scripts: Vec<Script> = scenario
            .listeners
            .iter()
            .map(|(name, listener)| Script::new(name.into(), listener.clone()))
            .collect();
        if scenario.steps.is_empty() {
            let (step, script) = autostart(&scenario)?;
            scenario.steps.push(step);
            scripts.push(script);
        }
        let first = first_container(&scenario);
        let (mut timed, mut visibility) = (Vec::new(), Vec::new());
        for (number, step) in scenario.steps.iter().enumerate() {
            match step.trigger {
                Trigger::At(at) => timed.push((at, number)),
                Trigger::Visibility => visibility.push(number),
                Trigger::On { event, nth, after } => {
                    let container = match &step.player {
                        Target::Container(id) => id.clone(),
                        Target::First | Target::NoArgument => first.clone(),
                    };
                    scripts.push(Script {
                        name: format!("step {}", number + 1).into(),
                        step: Some(OnStep {
                            event,
                            container,
                            nth,
                            after,
                        }),
                        does: vec![step.act.clone()].into(),
                        target: step.player.clone(),
                    });
                }
            }
        }
        let acts = scripts.iter().flat_map(|script| script.does.all_acts());
        let own = timed.iter().map(|(_, number)| number).chain(&visibility);
        let timed_acts = own.map(|number| &scenario.steps[*number].act);
        check_listeners(&scripts, acts.chain(timed_acts))?;
        // The function without a name, and the counters of `Simulation::listen`, which page code
        // cannot name.
        scripts.extend(
            [NAMELESS, NAMELESS].map(|name| Script::new(name.into(), ListenerScript::default())),
        );
        check_ads(&scenario)?;
        let page = page(&scenario);
        let knobs = KnobReader::from(scenario.knobs.clone());
        let settings = |script: &PlayerScript| {
            Arc::new(Settings {
                knobs: knobs.clone(),
                ..player_settings(&scenario, script, page.clone())
            })
        };
        Ok(Stage {
            // The header describes the scenario as given, without the automatic step.
            header: header(given),
            is_started_by_itself: given.steps.is_empty(),
            settings: settings(&scenario.player),
            settings_by_container: scenario
                .players
                .iter()
                .map(|(container, script)| (container.clone(), settings(script)))
                .collect(),
            world: world(&scenario, &knobs, other),
            scripts,
            timed: joined(timed, &scenario),
            visibility,
            first,
            knobs,
            scenario,
        })
    }

    /// Returns the scenario as given, without the automatic step.
    pub(super) fn given(&self) -> Scenario {
        let mut scenario = self.scenario.clone();
        if self.is_started_by_itself {
            scenario.steps.clear();
        }
        scenario
    }

    /// Returns whether no step does anything, as where all page code is outside.
    pub(super) fn has_no_acts(&self) -> bool {
        self.scenario
            .steps
            .iter()
            .all(|step| step.act.parts().is_empty())
    }

    /// Returns the name of the automatic step's listener, if the scenario has that step.
    pub(super) fn autostart(&self) -> Option<&'static str> {
        self.is_started_by_itself.then_some(AUTOSTART)
    }

    pub(super) fn settings(&self, container: &str) -> &Arc<Settings> {
        let own = self
            .settings_by_container
            .iter()
            .find(|(id, _)| **id == *container);
        own.map_or(&self.settings, |(_, settings)| settings)
    }

    /// Returns the listener of the scenario with this name.
    pub(super) fn listener(&self, name: &str) -> Option<ListenerIndex> {
        self.scripts
            .iter()
            .position(|script| *script.name == *name)
            .map(ListenerIndex)
    }

    /// Returns the listener without a name, which does nothing.
    pub(super) fn nameless(&self) -> ListenerIndex {
        ListenerIndex(self.scripts.len() - 2)
    }

    /// Returns the listener that is bound from outside of the page and does nothing.
    pub(super) fn counter(&self) -> ListenerIndex {
        ListenerIndex(self.scripts.len() - 1)
    }
}

impl Script {
    /// Returns which player its acts are for. That of a step at an event is the one that the
    /// listener is bound to, even if a later one has taken its container. Rule DESTROY-12.
    pub(super) fn target(&self) -> &Target {
        match (&self.step, &self.target) {
            (Some(_), Target::Container(_)) => &Target::First,
            (_, target) => target,
        }
    }

    /// Returns the script of a listener that page code binds.
    fn new(name: Text, does: ListenerScript) -> Script {
        Script {
            name,
            step: None,
            does,
            target: Target::First,
        }
    }

    /// Returns how many of its calls make a difference to what the next one does.
    pub(super) fn counted(&self, heard: u32) -> u32 {
        let nth = self.step.as_ref().and_then(|step| step.nth).unwrap_or(0);
        let listed = u32::try_from(self.does.calls.len()).unwrap_or(u32::MAX);
        heard.min(nth.max(listed))
    }

    /// Returns whether the trace does not show its calls: it is the function without a name.
    pub(super) fn is_unnamed(&self) -> bool {
        self.name.is_empty()
    }
}

/// Returns the scenario's world, which is that of the other stage if their surroundings are the
/// same.
fn world(scenario: &Scenario, knobs: &KnobReader, other: Option<&Stage>) -> Arc<World> {
    let surroundings = Surroundings {
        relative_urls: knobs.ad_relative_urls(),
        ..scenario.surroundings()
    };
    match other {
        Some(other) if other.scenario.surroundings() == surroundings => Arc::clone(&other.world),
        other => {
            let other = other.map(|other| &*other.world);
            Arc::new(World::sharing(surroundings, other))
        }
    }
}

/// Returns the page, with the behaviour of inline SIMID units, which is given under media. Rule
/// SIMID-2.
fn page(scenario: &Scenario) -> Page {
    let mut page = scenario.page.clone();
    let inline = scenario
        .media
        .iter()
        .find(|(address, _)| **address == *INLINE);
    page.sides.inline_unit = inline.and_then(|(_, medium)| medium.simid.clone());
    page
}

/// Returns the step and listener of a scenario without steps: one player for the first video,
/// played when ready.
fn autostart(scenario: &Scenario) -> Result<(Step, Script), ScenarioError> {
    let video = scenario
        .videos
        .first()
        .ok_or(ScenarioError::NothingToPlay)?;
    let container = scenario
        .page
        .containers
        .first()
        .map_or_else(|| "player".into(), |first| first.id.clone());
    let config = Fields::one("id", "player")
        .with("width", "640")
        .with("height", "360")
        .with("video", &video.video.id);
    let act = StepAct::Init {
        unit: UnitKind::Player,
        div: Value::from(&container),
        config: Value::Map(config),
        on_ready: Some(AUTOSTART.into()),
    };
    let script = Script::new(
        AUTOSTART.into(),
        vec![StepAct::Do {
            call: Call::Play,
            args: Vec::new(),
        }]
        .into(),
    );
    Ok((
        Step {
            trigger: Trigger::At(Time::ZERO),
            act,
            player: Target::First,
        },
        script,
    ))
}

/// Joins the steps that are lines of one script: those that follow an initialiser at its instant,
/// initialise others or bind listeners, up to the last that binds one to `ready`. Nothing comes
/// between them, so that it hears `ready`. Rule INIT-11.
fn joined(mut timed: Vec<(Time, usize)>, scenario: &Scenario) -> Vec<(Time, Vec<usize>)> {
    timed.sort_by_key(|(at, _)| *at);
    let steps = &scenario.steps;
    let is_init = |number: usize| matches!(steps[number].act, StepAct::Init { .. });
    let is_ready_at_once =
        |number: usize| is_init(number) && ready_after(scenario, &steps[number].act) == Span::ZERO;
    let mut all = Vec::with_capacity(timed.len());
    let mut rest = &timed[..];
    while let [(at, first), ..] = *rest {
        let is_line = |(time, number): &&(Time, usize)| {
            *time == at && (is_init(*number) || steps[*number].act.binds())
        };
        let lines = if is_ready_at_once(first) {
            rest.iter().take_while(is_line).count()
        } else {
            1
        };
        let last = rest[..lines]
            .iter()
            .rposition(|(_, number)| steps[*number].act.binds_to_ready());
        match last {
            Some(last) => {
                all.push((
                    at,
                    rest[..=last].iter().map(|(_, number)| *number).collect(),
                ));
                rest = &rest[last + 1..];
            }
            None => {
                all.extend(rest[..lines].iter().map(|(_, number)| (at, vec![*number])));
                rest = &rest[lines..];
            }
        }
    }
    all
}

/// How long the player that a step creates takes to become ready.
fn ready_after(scenario: &Scenario, act: &StepAct) -> Span {
    let container = act.container();
    let own = scenario
        .players
        .iter()
        .find(|(id, _)| Some(id) == container.as_ref());
    own.map_or(scenario.player.ready_after, |(_, script)| {
        script.ready_after
    })
}

fn first_container(scenario: &Scenario) -> Arc<str> {
    let inits = scenario.steps.iter().find_map(|step| step.act.container());
    let page = || {
        scenario
            .page
            .containers
            .first()
            .map(|container| container.id.clone())
    };
    inits.or_else(page).unwrap_or_else(|| "player".into())
}

fn check_listeners<'a>(
    scripts: &[Script],
    acts: impl IntoIterator<Item = &'a StepAct>,
) -> Result<(), ScenarioError> {
    acts.into_iter()
        .try_for_each(|act| check_listeners_of(act, || named(scripts)))
}

/// Returns the names that page code can use; listeners of steps have none.
pub(super) fn named(scripts: &[Script]) -> impl Iterator<Item = &str> {
    let named = scripts
        .iter()
        .filter(|script| script.step.is_none() && !script.is_unnamed());
    named.map(|script| &*script.name)
}

/// Checks that the listeners that an act binds are among these.
///
/// # Errors
///
/// The first that is not.
pub(super) fn check_listeners_of<'a, I: Iterator<Item = &'a str>>(
    act: &StepAct,
    known: impl Fn() -> I,
) -> Result<(), ScenarioError> {
    for name in act.listeners() {
        if *name != *NAMELESS && !known().any(|known| known == name) {
            let known: Vec<&str> = known().collect();
            return Err(ScenarioError::UnknownListener(words::unknown(
                "listener", name, known,
            )));
        }
    }
    Ok(())
}

fn check_ads(scenario: &Scenario) -> Result<(), ScenarioError> {
    let players = scenario.players.iter().map(|(_, script)| &script.ads);
    let videos = scenario.videos.iter().map(|script| &script.video.ads);
    for object in std::iter::once(&scenario.player.ads)
        .chain(players)
        .chain(videos)
        .flatten()
    {
        let bad = |message| ScenarioError::BadAd {
            object: object.to_string(),
            message,
        };
        let kind = AdObject::read(
            object,
            AdOrigin::Settings,
            &KnobReader::default(),
            &mut |_, _, _, _| {},
        )
        .map_err(|error| bad(error.text.to_string()))?
        .kind;
        let fields = object.as_map().into_iter();
        if let Some(unread) = fields
            .flat_map(|fields| unread(fields, Some(kind), AdOrigin::Settings))
            .next()
        {
            let meant = unread
                .meant
                .map(|meant| format!("; did you mean \"{meant}\"?"));
            return Err(bad(format!("{}{}", unread.text, meant.unwrap_or_default())));
        }
    }
    Ok(())
}

/// Returns the data of the header line. Rule TRACE-6.
pub(super) fn header(scenario: &Scenario) -> Fields {
    let knobs: Fields = scenario
        .knobs
        .differing()
        .map(|(name, value)| (Text::from(name), Value::from(value)))
        .collect();
    let fields = Fields::one("version", VERSION).with("profile", scenario.profile.to_string());
    let fields = if knobs.is_empty() {
        fields
    } else {
        fields.with("knobs", Value::Map(knobs))
    };
    fields
        .with("scenario", &scenario.name)
        .with("seed", scenario.seed)
        .with("digest", scenario.digest().to_string())
}

/// Returns the settings of a player with this script.
pub fn player_settings(scenario: &Scenario, script: &PlayerScript, page: Page) -> Settings {
    Settings {
        knobs: scenario.knobs.clone().into(),
        page,
        ready_after: script.ready_after,
        ads: script.ads.clone(),
        plan: script.plan.clone(),
        volume: script.volume,
        muted: script.muted,
        bids: script.bids.clone(),
        ad_loop: script.ad_loop,
        ad_turns: script.ad_turns,
        seed: scenario.seed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Simulation;
    use playsim_api::video::{Rendition, Video};
    use playsim_scenario::{AnswerScript, MediaScript};

    const TAGS: [&str; 3] = [
        "https://one.test/a",
        "https://two.test/a",
        "https://two.test/b",
    ];

    /// A pre-roll of three tags that respond with the same document, whose media file has a
    /// relative URL.
    fn scenario(file: &str) -> Scenario {
        let text = format!(
            "<VAST version='4.2'><Ad id='a'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>\
            <Impression>https://track.test/i</Impression><Creatives><Creative><Linear>\
            <Duration>00:00:10</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4' \
            width='640' height='360'>{file}</MediaFile></MediaFiles></Linear></Creative></Creatives>\
            </InLine></Ad></VAST>"
        );
        let list = Value::List(TAGS.map(Value::from).into());
        let scenario = Scenario::default()
            .with_video(Video::new("film").with_rendition(Rendition::Sd, "film.mp4"))
            .with_media("film.mp4", MediaScript::of_length(Span::from_secs(60)))
            .with_media("ad.mp4", MediaScript::of_length(Span::from_secs(10)))
            .with_ad(
                Fields::one("adType", 0)
                    .with("adTimeType", "s")
                    .with("mobile", list),
            );
        let answer = || AnswerScript::body(text.as_str()).after(Span::from_millis(100));
        TAGS.into_iter().fold(scenario, |scenario, tag| {
            scenario.with_answer(tag, answer())
        })
    }

    fn stage(scenario: &Scenario, other: Option<&Stage>) -> Stage {
        Stage::new(scenario, other).expect("the scenario can be played")
    }

    /// How many different documents a world has, not counting those of another one.
    fn documents(stage: &Stage, other: Option<&Stage>) -> usize {
        let of = |stage: &Stage| {
            stage
                .world
                .documents()
                .map(|(_, it)| Arc::clone(it))
                .collect::<Vec<_>>()
        };
        let known = other.map(of).unwrap_or_default();
        let mut own: Vec<_> = Vec::new();
        for document in of(stage) {
            if !known
                .iter()
                .chain(&own)
                .any(|other| Arc::ptr_eq(other, &document))
            {
                own.push(document);
            }
        }
        own.len()
    }

    #[test]
    fn a_text_is_read_once_and_once_more_where_its_relative_urls_lead_elsewhere() {
        assert_eq!(
            documents(&stage(&scenario("https://m.test/ad.mp4"), None), None),
            1
        );
        let relative = stage(&scenario("ad.mp4"), None);
        assert_eq!(documents(&relative, None), 3);
        let resolved = |host: &str| {
            relative
                .world
                .listed_media(&format!("https://{host}.test/ad.mp4"))
                .is_some()
        };
        assert!(resolved("one") && resolved("two"));
        let mut written = scenario("ad.mp4");
        written
            .knobs
            .set("ad.relative_urls", "as_written")
            .expect("the knob has this value");
        assert_eq!(
            documents(&stage(&written, Some(&relative)), Some(&relative)),
            1
        );
    }

    #[test]
    fn another_scenario_shares_what_is_the_same() {
        for file in ["https://m.test/ad.mp4", "ad.mp4"] {
            let first = scenario(file);
            let [mut knob, mut latency, mut text, mut steps] = [&first; 4].map(Clone::clone);
            knob.knobs
                .set("ad.timeout", "1s")
                .expect("the knob has this value");
            latency.network[1].1[0].after = Span::from_secs(7);
            text.network[1].1[0] = AnswerScript::body("<VAST version='3.0'/>");
            steps.until = playsim_scenario::Until::At(Time::from_secs(5));
            let base = stage(&first, None);
            for (other, is_same_world, new) in [
                (&knob, true, 0),
                (&latency, false, 0),
                (&text, false, 1),
                (&steps, true, 0),
            ] {
                let shared = stage(other, Some(&base));
                assert_eq!(Arc::ptr_eq(&shared.world, &base.world), is_same_world);
                assert_eq!(documents(&shared, Some(&base)), new);
                let mut played = Simulation::new(&first).expect("it can be played");
                played.run_until(Time::from_secs(3));
                let shared = played.with_scenario(other).expect("it can be played").run();
                assert_eq!(
                    shared,
                    Simulation::new(other).expect("it can be played").run()
                );
            }
        }
    }
}
