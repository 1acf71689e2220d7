//! A point of a sweep made ready: the scenario with its settings, and the differences from run to
//! run.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::SweepError;
use super::order::{self, TagOrder};
use super::setting::{Latency, Setting, SettingSource};
use super::summary::{RunOutcome, Summary};
use super::tag::{self, TagNumber};
use super::unknown::{self, Unseen};
use playsim_api::{Purpose, Request, Value};
use playsim_base::number::Decimal;
use playsim_base::time::Span;
use playsim_rules::knobs::{Knobs, Profiles};
use playsim_scenario::{MediaScript, Scenario, ScriptedAnswer};
use playsim_sim::{Intercept, Intercepted, PreparedAnswer, Simulation};
use playsim_vast::AdKind;

/// A document without an ad, for requests that a tag does not fill.
const EMPTY: &str = "<VAST version=\"4.2\"/>";

/// The media file of an ad that is assumed.
const ASSUMED_MEDIA: &str = "assumed:media";

/// A document with an ad, for a tag of which only the latency is assumed.
const ASSUMED: &str = "<VAST version=\"4.2\"><Ad id=\"assumed\"><InLine><AdSystem>assumed</AdSystem>\
    <AdTitle>assumed</AdTitle><Impression/><Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles>\
    <MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"640\" height=\"360\">assumed:media</MediaFile>\
    </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";

/// A scenario whose documents are read, and its tags.
#[derive(Debug)]
pub(super) struct Base<'a> {
    pub(super) scenario: &'a Scenario,
    simulation: Simulation,
    /// The URLs of the tags, as the waterfall names them.
    pub(super) tags: Vec<Arc<str>>,
    /// The waterfalls of all breaks.
    waterfalls: Vec<Vec<Value>>,
    unseen: Arc<Unseen>,
}

/// The runs of one point.
#[derive(Debug)]
pub(super) struct Point {
    simulation: Simulation,
    plan: Arc<Plan>,
    /// The parts that were not recorded of the answers that it does not replace.
    unseen: Arc<Unseen>,
    seed: u64,
}

/// The changes of a point to responses.
#[derive(Debug, Default)]
struct Plan {
    tags: Vec<Change>,
    /// By tag and hop, over those of all wrappers.
    hops: Vec<(TagNumber, u32, Change)>,
    wrappers: Change,
    media: Change,
    /// The tags in the order in which they are asked, if it is not the one in which they are given.
    order: Option<TagOrder>,
}

/// Its changes to the responses to some requests.
#[derive(Debug, Default)]
struct Change {
    after: Option<Latency>,
    answer: Option<PreparedAnswer>,
    /// The share of scripted responses, and the response in all other cases.
    fill: Option<(Decimal, PreparedAnswer)>,
}

/// The changes of one run to responses.
#[derive(Debug)]
pub(super) struct Draw {
    plan: Arc<Plan>,
    seed: u64,
    run: u64,
}

/// The random parts of the response to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawn {
    /// Nothing: it is the same in all runs.
    Nothing,
    /// Only whether it has an ad, and it has one in this run or not.
    Fill(bool),
    /// At least how long it takes.
    Latency,
}

/// The use of a random number. Each use has numbers of its own.
#[derive(Debug, Clone, Copy)]
enum Chance {
    Latency = 1,
    Fill = 2,
}

impl<'a> Base<'a> {
    pub(super) fn new(scenario: &'a Scenario) -> Result<Base<'a>, SweepError> {
        let simulation = Simulation::new(scenario).map_err(SweepError::Scenario)?;
        let trace = simulation.fork().run();
        let mut tags: Vec<Arc<str>> = Vec::new();
        let mut all = Vec::new();
        for waterfall in trace.records.iter().flat_map(|line| line.waterfalls()) {
            all.push(waterfall.to_vec());
            let new = waterfall.iter().skip(tags.len());
            tags.extend(new.map(|tag| {
                tag.as_text()
                    .map_or_else(|| "".into(), |tag| Arc::from(&**tag))
            }));
        }
        Ok(Base {
            scenario,
            simulation,
            tags,
            waterfalls: all,
            unseen: Arc::new(Unseen::of(scenario)),
        })
    }

    /// Makes a point ready.
    pub(super) fn point<'s>(
        &self,
        settings: impl Iterator<Item = &'s Setting>,
        seed: u64,
    ) -> Result<Point, SweepError> {
        let settings: Vec<&Setting> = settings.collect();
        let (profile, knobs) = self.knobs(&settings);
        let mut are_set = profile.is_some();
        let mut assumes_ad = false;
        let later = settings;
        let mut plan = Plan {
            order: self.order(&later)?,
            ..Plan::default()
        };
        if plan.order.is_some() {
            self.keep_answers(&mut plan, &knobs)?;
        }
        for setting in later {
            match setting {
                Setting::Knob(..) => are_set = true,
                Setting::After(SettingSource::Tag(tag), latency) => {
                    let is_unseen = self
                        .answer(*tag)
                        .is_some_and(|answer| unknown::known_for(answer).is_some());
                    let address = &self.tags[self.index(*tag)?];
                    let tag = plan.tag(*tag);
                    tag.after = Some(latency.clone());
                    if is_unseen && tag.answer.is_none() {
                        assumes_ad = true;
                        tag.answer = Some(document(address, "assumed", ASSUMED, &knobs));
                    }
                }
                Setting::After(SettingSource::Hop(tag, hop), latency) => {
                    let change = Change {
                        after: Some(latency.clone()),
                        ..Change::default()
                    };
                    plan.hops.push((*tag, *hop, change));
                }
                Setting::After(SettingSource::Wrappers, latency) => {
                    plan.wrappers.after = Some(latency.clone())
                }
                Setting::After(SettingSource::Media, latency) => {
                    plan.media.after = Some(latency.clone())
                }
                Setting::Answer(tag, script) => {
                    let address = &self.tags[self.index(*tag)?];
                    let answer =
                        PreparedAnswer::new(address, &script.answer, knobs.ad_relative_urls);
                    let is_unseen = self
                        .answer(*tag)
                        .is_some_and(|it| it.answer == ScriptedAnswer::Silence);
                    let tag = plan.tag(*tag);
                    tag.answer = Some(answer);
                    if script.after > Span::ZERO {
                        tag.after = Some(Latency::Fixed(script.after));
                    } else if is_unseen && tag.after.is_none() {
                        // How long the player waited is not how long the answer takes.
                        tag.after = Some(Latency::Fixed(Span::ZERO));
                    }
                }
                Setting::Fill(tag, share) => {
                    let address = &self.tags[self.index(*tag)?];
                    let empty = document(address, "empty", EMPTY, &knobs);
                    plan.tag(*tag).fill = Some((*share, empty));
                }
                Setting::Profile(_) | Setting::Order(_) | Setting::AllOrders | Setting::Off(..) => {
                }
            }
        }
        self.check(&plan)?;
        let simulation = if are_set || assumes_ad || plan.order.is_some() {
            let profile = profile.unwrap_or_else(|| self.scenario.profile.clone());
            let mut scenario = Scenario {
                profile,
                knobs,
                ..self.scenario.clone()
            };
            if let Some(order) = &plan.order {
                order.put(&mut scenario);
            }
            if assumes_ad {
                scenario.media.push((
                    ASSUMED_MEDIA.into(),
                    MediaScript::of_length(Span::from_secs(15)),
                ));
            }
            self.simulation
                .with_scenario(&scenario)
                .map_err(SweepError::Scenario)?
        } else {
            self.simulation.fork()
        };
        Ok(Point {
            simulation,
            plan: Arc::new(plan),
            unseen: Arc::clone(&self.unseen),
            seed,
        })
    }

    /// The profile that settings name, if they do, and the knobs in force under them.
    pub(super) fn knobs(&self, settings: &[&Setting]) -> (Option<Profiles>, Knobs) {
        let mut profile: Option<Profiles> = None;
        let mut knobs = self.scenario.knobs.clone();
        for setting in settings {
            if let Setting::Profile(other) = setting {
                let all = profile.map_or_else(|| other.clone(), |earlier| earlier.and(other));
                knobs = self.scenario.knobs_over(&all);
                profile = Some(all);
            }
        }
        for setting in settings {
            if let Setting::Knob(name, value) = setting {
                knobs
                    .set(name, value)
                    .expect("the value was tried when it was read");
            }
        }
        (profile, knobs)
    }

    /// The index of a tag that exists.
    pub(super) fn index(&self, tag: TagNumber) -> Result<usize, SweepError> {
        let index = usize::try_from(tag.wp()).unwrap_or(usize::MAX);
        if index < self.tags.len() {
            return Ok(index);
        }
        let there_are = tag::there_are(self.tags.len());
        Err(SweepError::input(format!("{tag}: {there_are}")))
    }

    /// The order in which the tags are asked, if settings change it or leave tags out.
    fn order(&self, settings: &[&Setting]) -> Result<Option<TagOrder>, SweepError> {
        let mut given: Option<&TagOrder> = None;
        let mut off: Vec<TagNumber> = Vec::new();
        for setting in settings {
            match setting {
                Setting::Order(order) => given = Some(order),
                Setting::Off(tag, is_off) => {
                    self.index(*tag)?;
                    off.retain(|known| known != tag);
                    off.extend(is_off.then_some(*tag));
                }
                Setting::Profile(_)
                | Setting::Knob(..)
                | Setting::After(..)
                | Setting::Answer(..)
                | Setting::Fill(..)
                | Setting::AllOrders => {}
            }
        }
        let as_given = TagOrder::as_given(self.tags.len());
        if let Some(order) = given {
            order.check(self.tags.len())?;
        }
        let order = given.unwrap_or(&as_given).without(&off);
        if order == as_given {
            return Ok(None);
        }
        let lists = order::listed(self.scenario);
        let wrong = |what: &str| {
            SweepError::input(format!("the order of tags cannot be changed here: {what}"))
        };
        if self
            .waterfalls
            .iter()
            .any(|tags| !lists.contains(&tags.as_slice()))
        {
            return Err(wrong(
                "only the tags in the ads of the player's settings can be put into another order, and a waterfall of \
                 this scenario comes from somewhere else, such as a VMAP document or page code",
            ));
        }
        if let Some(tags) = self
            .waterfalls
            .iter()
            .find(|tags| given.is_some() && tags.len() != self.tags.len())
        {
            return Err(wrong(&format!(
                "an order has as many tags as a waterfall, and the waterfalls of the breaks have {} and {}; tagN.off \
                 works all the same",
                self.tags.len(),
                tags.len()
            )));
        }
        let is_empty =
            |tags: &&Vec<Value>| (0..tags.len()).all(|wp| off.iter().any(|tag| tag.is_at(wp)));
        if let Some(tags) = self.waterfalls.iter().find(is_empty) {
            return Err(wrong(&format!(
                "without {}, a waterfall of {} has none left",
                off.iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(" and "),
                playsim_base::words::counted(tags.len(), "tag")
            )));
        }
        Ok(Some(order))
    }

    /// Lets each of several tags with the same URL keep its own answer: they get the answers of the
    /// URL in turn, and in another order each would get that of another one.
    fn keep_answers(&self, plan: &mut Plan, knobs: &Knobs) -> Result<(), SweepError> {
        for (wp, address) in self.tags.iter().enumerate() {
            let nth = self.tags[..wp]
                .iter()
                .filter(|other| *other == address)
                .count();
            let several = self.tags.iter().filter(|other| *other == address).count() > 1;
            let listed = self
                .scenario
                .network
                .iter()
                .find(|(listed, _)| listed == address);
            let Some((_, answers)) = listed.filter(|(_, answers)| several && answers.len() > 1)
            else {
                continue;
            };
            if self.waterfalls.len() > 1 {
                return Err(SweepError::input(format!(
                    "the order of tags cannot be changed here: several tags have the URL {address}, and with several \
                     breaks it is not known which answer is whose; give them URLs of their own"
                )));
            }
            let Some(script) = answers.get(nth).or(answers.last()) else {
                continue;
            };
            let tag = plan.tag(TagNumber::of_wp(u32::try_from(wp).unwrap_or(u32::MAX)));
            tag.answer = Some(PreparedAnswer::new(
                address,
                &script.answer,
                knobs.ad_relative_urls,
            ));
            tag.after = Some(Latency::Fixed(script.after));
        }
        Ok(())
    }

    /// Refuses settings that cannot change anything, since whoever gave them expects that they do.
    fn check(&self, plan: &Plan) -> Result<(), SweepError> {
        for (wp, tag) in (0..).zip(&plan.tags) {
            let number = TagNumber::of_wp(wp);
            if tag.after.is_none() && tag.fill.is_none() {
                continue;
            }
            let address = &self.tags[self.index(number)?];
            // Only the responses of exactly this URL are known here; macros may make another one of
            // it.
            let answers = self
                .scenario
                .network
                .iter()
                .find(|(listed, _)| listed == address);
            let Some((_, answers)) = answers.filter(|_| tag.answer.is_none()) else {
                continue;
            };
            let is_silent =
                |answer: &playsim_scenario::AnswerScript| answer.answer == ScriptedAnswer::Silence;
            if answers.iter().all(is_silent) {
                let text = "never responds (timeout), however long one waits; give it a response";
                return Err(SweepError::input(format!(
                    "{number} {text}, such as {number}.answer=FILE"
                )));
            }
            if tag.fill.is_some() && answers.iter().all(|answer| !has_ads(&answer.answer)) {
                let text =
                    "never has an ad, so that its fill rate is 0; give it a response with one";
                return Err(SweepError::input(format!(
                    "{number} {text}, such as {number}.answer=FILE"
                )));
            }
        }
        Ok(())
    }
}

/// A document as the answer of a URL.
fn document(address: &Arc<str>, name: &str, text: &str, knobs: &Knobs) -> PreparedAnswer {
    let body = ScriptedAnswer::Body {
        status: 200,
        name: name.into(),
        text: text.into(),
    };
    PreparedAnswer::new(address, &body, knobs.ad_relative_urls)
}

/// Whether a response may lead to an ad.
fn has_ads(answer: &ScriptedAnswer) -> bool {
    match answer {
        ScriptedAnswer::Body { text, .. } => {
            let document = playsim_vast::read(text);
            let leads = document
                .ads
                .iter()
                .any(|ad| matches!(ad.kind, AdKind::Inline | AdKind::Wrapper(_)));
            leads || !document.breaks.is_empty()
        }
        ScriptedAnswer::Redirect { .. } => true,
        ScriptedAnswer::Fails(_) | ScriptedAnswer::Silence => false,
    }
}

impl Plan {
    fn tag(&mut self, tag: TagNumber) -> &mut Change {
        let index = usize::try_from(tag.wp()).unwrap_or_default();
        if self.tags.len() <= index {
            self.tags.resize_with(index + 1, Change::default);
        }
        &mut self.tags[index]
    }

    /// Whether the answer of the tag at this place is not the one of the scenario, but given or
    /// assumed.
    fn replaces(&self, place: TagNumber) -> bool {
        let index = usize::try_from(self.number(place.wp()).wp()).unwrap_or(usize::MAX);
        self.tags
            .get(index)
            .is_some_and(|change| change.answer.is_some())
    }

    /// The tag at this place of a waterfall.
    fn number(&self, wp: u32) -> TagNumber {
        let tags = self.order.as_ref().map(TagOrder::tags).unwrap_or_default();
        let at = usize::try_from(wp)
            .ok()
            .and_then(|wp| tags.get(wp))
            .copied();
        at.unwrap_or(TagNumber::of_wp(wp))
    }

    /// Its changes to the response to a request. Only requests of waterfalls are changed.
    fn change(&self, request: &Request) -> Option<&Change> {
        let tag = self.number(request.wp?);
        match request.purpose {
            Purpose::AdTag => usize::try_from(tag.wp())
                .ok()
                .and_then(|wp| self.tags.get(wp)),
            Purpose::Wrapper => {
                let is_meant = |(of, hop, _): &&(TagNumber, u32, Change)| {
                    (*of, Some(*hop)) == (tag, request.hop)
                };
                Some(
                    self.hops
                        .iter()
                        .rfind(is_meant)
                        .map_or(&self.wrappers, |(_, _, change)| change),
                )
            }
            Purpose::Media => Some(&self.media),
            Purpose::Record | Purpose::Playlist => None,
        }
    }
}

impl Point {
    /// The run of this index, ready to be played.
    pub(super) fn run(&self, run: u64) -> Simulation {
        let mut simulation = self.simulation.fork();
        simulation.intercept(self.draw(run));
        simulation
    }

    /// The outcome of the run of this index.
    pub(super) fn outcome(&self, run: u64) -> RunOutcome {
        let mut summary = Summary::default();
        self.run(run).run_into(&mut summary);
        self.named(summary.outcome())
    }

    /// An outcome with the numbers of tags in place of their places in the waterfall.
    pub(super) fn named(&self, mut outcome: RunOutcome) -> RunOutcome {
        outcome.given_up.retain(|it| !self.plan.replaces(it.tag));
        outcome.unknown = self.unseen.among(&outcome.given_up, &self.simulation);
        if self.plan.order.is_some() {
            outcome.rename(|tag| self.plan.number(tag.wp()));
        }
        outcome
    }

    /// The common beginning of all runs: a simulation that has not started.
    pub(super) fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The changes of the run of this index to responses.
    pub(super) fn draw(&self, run: u64) -> Arc<Draw> {
        Arc::new(Draw {
            plan: Arc::clone(&self.plan),
            seed: self.seed,
            run,
        })
    }
}

impl Draw {
    /// A random number for a request. It depends on the seed, the run and the request, and on
    /// nothing else: neither on threads nor on earlier random numbers.
    fn number(&self, chance: Chance, request: &Request) -> u64 {
        let hop = request.purpose == Purpose::Wrapper || request.purpose == Purpose::Media;
        // Hops and media files of one tag differ by their URLs.
        let url = if hop {
            xxh3_64_with_seed(request.url.as_bytes(), 0)
        } else {
            0
        };
        let mut key = [0; 33];
        key[..8].copy_from_slice(&self.run.to_le_bytes());
        key[8..16].copy_from_slice(&url.to_le_bytes());
        key[16..20].copy_from_slice(
            &request
                .in_break
                .map_or(0, playsim_api::BreakNumber::get)
                .to_le_bytes(),
        );
        key[20..24].copy_from_slice(&request.pod.unwrap_or(u32::MAX).to_le_bytes());
        key[24..28].copy_from_slice(&self.wp(request).to_le_bytes());
        key[28..32].copy_from_slice(&request.hop.unwrap_or(u32::MAX).to_le_bytes());
        key[32] = chance as u8;
        xxh3_64_with_seed(&key, self.seed)
    }

    /// The place of a request's tag as it is given: in another order the tag keeps its random
    /// numbers.
    fn wp(&self, request: &Request) -> u32 {
        request.wp.map_or(u32::MAX, |wp| self.plan.number(wp).wp())
    }

    /// The random parts of the response to a request.
    pub(super) fn drawn(&self, request: &Request) -> Drawn {
        match self.plan.change(request) {
            Some(Change {
                after: Some(Latency::Drawn(_)),
                ..
            }) => Drawn::Latency,
            Some(Change {
                fill: Some((share, _)),
                ..
            }) => Drawn::Fill(self.is_filled(*share, request)),
            Some(Change {
                after: Some(Latency::Fixed(_)) | None,
                fill: None,
                ..
            })
            | None => Drawn::Nothing,
        }
    }

    fn is_filled(&self, share: Decimal, request: &Request) -> bool {
        hits(share, self.number(Chance::Fill, request))
    }

    fn latency(&self, latency: Option<&Latency>, request: &Request) -> Option<Span> {
        Some(match latency? {
            Latency::Fixed(span) => *span,
            Latency::Drawn(distribution) => {
                distribution.pick(self.number(Chance::Latency, request))
            }
        })
    }
}

impl Intercept for Draw {
    fn intercept(&self, request: &Request) -> Intercepted {
        let Some(change) = self.plan.change(request) else {
            return Intercepted::default();
        };
        let unfilled = change
            .fill
            .as_ref()
            .filter(|(share, _)| !self.is_filled(*share, request));
        Intercepted {
            after: self.latency(change.after.as_ref(), request),
            answer: unfilled
                .map(|(_, empty)| empty)
                .or(change.answer.as_ref())
                .cloned(),
        }
    }
}

/// Whether a random number is within a share of all numbers.
fn hits(share: Decimal, number: u64) -> bool {
    let millionths = u128::try_from(share.millionths()).unwrap_or_default();
    u128::from(number) * 1_000_000 < millionths << 64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_hit_as_often_as_it_says() {
        let share = |text: &str| super::super::setting::percent(text).expect("a share");
        assert!(hits(share("100%"), u64::MAX) && !hits(share("0%"), 0));
        assert!(hits(share("50%"), u64::MAX / 2) && !hits(share("50%"), u64::MAX / 2 + 1));
    }

    #[test]
    fn numbers_are_evenly_spread_and_depend_on_the_run() {
        let request = Request {
            id: playsim_api::RequestId(1),
            url: "https://ads.test/a".into(),
            purpose: Purpose::AdTag,
            hop: Some(0),
            wp: Some(0),
            pod: Some(0),
            in_break: Some(playsim_api::BreakNumber::FIRST),
        };
        let number = |run, chance| {
            let draw = Draw {
                plan: Arc::default(),
                seed: 1,
                run,
            };
            draw.number(chance, &request)
        };
        let numbers: Vec<u64> = (0..10_000)
            .map(|run| number(run, Chance::Latency))
            .collect();
        for tenth in 0..10 {
            let range = u64::MAX / 10 * tenth..u64::MAX / 10 * (tenth + 1);
            let count = numbers
                .iter()
                .filter(|number| range.contains(number))
                .count();
            assert!((880..1_120).contains(&count), "{tenth}: {count}");
        }
        assert_ne!(number(0, Chance::Latency), number(0, Chance::Fill));
    }
}
