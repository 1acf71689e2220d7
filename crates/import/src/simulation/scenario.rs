//! The scenario that plays a recorded session again.
//!
//! Answers keep their order, latency and status; decisions of the player itself, such as how long
//! it waited for a tag, follows from its next action. The actions of the viewer follow from the
//! pixels that report them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::certainty::Note;
use crate::evidence::{Evidence, Jump};
use crate::recording::{Exchange, RecordedOutcome, was_ended};
use crate::verdict::{
    AdVerdict, PageVerdict, Planned, RecordedBreakKind, TagFailure, TagResult, Whose,
};
use playsim_api::video::{Rendition, Video, VideoRecord};
use playsim_api::{Act, Call, EventName, Fields, NetworkFault, Value};
use playsim_base::time::{Span, Time};
use playsim_base::words::seconds;
use playsim_scenario::{
    AnswerScript, MediaScript, Overrides, Scenario, ScriptedAnswer, Step, StepAct, Target, Trigger,
    UnitKind, VideoScript,
};
use playsim_vast::names::Name;
use playsim_vast::vmap::TimeOffset;
use playsim_vast::{TrackedEvent, TrackingEvent};

/// The length of content of which the recording says nothing.
const CONTENT: Span = Span::from_secs(60);
/// How much of the content remains after the last break.
const REST: Span = Span::from_secs(30);
/// The length of media whose ad does not say it.
pub(super) const FILM: Span = Span::from_secs(15);
/// The knob for the most wrappers that the player follows.
const WRAPPERS: &str = "ad.max_wrappers";
/// The knob for the time limit of a tag.
const TIMEOUT: &str = "ad.timeout";

/// The answers of each URL, in the order in which the URLs were first asked for.
#[derive(Default)]
struct Network {
    all: Vec<(Arc<str>, Vec<AnswerScript>)>,
    places: BTreeMap<Arc<str>, usize>,
}

impl Network {
    /// Adds an answer of a URL after those that it has.
    fn add(&mut self, url: Arc<str>, answer: AnswerScript) {
        let place = *self
            .places
            .entry(Arc::clone(&url))
            .or_insert(self.all.len());
        match self.all.get_mut(place) {
            Some((_, answers)) => answers.push(answer),
            None => self.all.push((url, vec![answer])),
        }
    }
}

/// The sources of a scenario.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Player<'a> {
    pub(crate) evidence: &'a Evidence,
    pub(crate) verdict: &'a PageVerdict,
}

impl<'a> Player<'a> {
    /// Returns the scenario that plays the recorded page, and its assumptions.
    pub(crate) fn scenario(self, overrides: &Overrides) -> (Scenario, Vec<Note>) {
        let given = overrides.given();
        let mut notes: Vec<Note> = given
            .map(|(name, value)| Note::assumed(format!("{name} is {value}, as an option says")))
            .collect();
        let mut scenario = self.frame();
        overrides.apply(&mut scenario);
        if !overrides.sets_knob(TIMEOUT)
            && let Some((limit, why)) = self.time_limit(scenario.knobs.ad_timeout)
            && scenario.knobs.set(TIMEOUT, &limit.in_seconds()).is_ok()
        {
            notes.push(Note::inferred(format!(
                "{TIMEOUT} is {} s: {why}",
                seconds(limit.micros())
            )));
        }
        let documents = 0..self.evidence.documents.len();
        let followed = documents.map(|it| self.evidence.hop(it)).max();
        let followed = followed.filter(|followed| *followed > scenario.knobs.ad_max_wrappers);
        if let Some(followed) = followed.filter(|_| !overrides.sets_knob(WRAPPERS)) {
            scenario.knobs.ad_max_wrappers = followed;
            notes.push(Note::seen(format!(
                "{WRAPPERS} is {followed}: the page followed as many wrappers"
            )));
        }
        let given_up = self
            .verdict
            .tags()
            .filter_map(|tag| Some((tag, tag.given_up()?.1)));
        for (tag, waited) in given_up.filter(|_| overrides.sets_knob(TIMEOUT)) {
            if scenario.knobs.ad_timeout > waited {
                notes.push(Note::unknown(format!(
                    "what {} would have answered after {} s: the simulation, which waits longer, plays no answer",
                    tag.url,
                    seconds(waited.micros())
                )));
            }
        }
        scenario.player.ads = self.ad_objects();
        let mut network = Network::default();
        let limit = scenario.knobs.ad_timeout;
        let limit = if overrides.sets_knob(TIMEOUT) {
            Span::ZERO
        } else {
            limit
        };
        for document in 0..self.evidence.documents.len() {
            self.answers(document, limit, &mut network, &mut notes);
        }
        scenario.network = network.all;
        if self.verdict.content.length.is_none() && self.depends_on_content() {
            notes.push(Note::unknown(format!(
                "nothing in the recording shows how long the content is, on which breaks of the schedule depend: the \
                 simulation plays {} s; --content TIME sets it",
                seconds(self.content_length().micros())
            )));
        }
        if self.verdict.tags().any(|tag| tag.together) {
            notes.push(Note::seen(
                "tags were asked at once; the simulation asks them one after another, in the same order",
            ));
        }
        if self
            .verdict
            .plan
            .iter()
            .any(|it| matches!(it.whose, Whose::OtherFilm { .. }))
        {
            notes.push(Note::inferred(
                "the page went on to another film: its breaks are not simulated, which end with the first film",
            ));
        }
        if self
            .verdict
            .plan
            .iter()
            .any(|it| it.whose == Whose::OtherPlayer)
        {
            notes.push(Note::inferred(
                "another player is on the page, since another script asked for ads while the first was busy; only the \
                 first is simulated",
            ));
        }
        self.media(&mut scenario, &mut notes);
        self.types(&mut scenario, &mut notes);
        self.refusals(&mut scenario, &mut notes);
        self.blocked_pixels(&mut scenario);
        scenario.player.muted = self.begins_muted();
        scenario.steps.extend(self.persons());
        scenario.steps.extend(self.jumps());
        (scenario, notes)
    }

    /// Returns one player with one video that is played when the first tag was requested.
    fn frame(self) -> Scenario {
        let heard = self
            .evidence
            .heard
            .as_ref()
            .and_then(|it| it.content.clone());
        let film = heard
            .or_else(|| self.content().map(|it| it.url.clone()))
            .unwrap_or_else(|| "content:film".into());
        let video = Video {
            record: VideoRecord {
                id: "film".into(),
                ..VideoRecord::default()
            },
            renditions: vec![(Rendition::Sd, film.clone())],
            ..Video::default()
        };
        let config = Fields::one("id", "player")
            .with("width", "640")
            .with("height", "360")
            .with("video", "film");
        let init = StepAct::Init {
            unit: UnitKind::Player,
            div: "player".into(),
            config: Value::Map(config),
            on_ready: None,
        };
        let first = self
            .verdict
            .simulated()
            .next()
            .map_or(Time::ZERO, |it| it.begin(self.evidence));
        let ready = Trigger::On {
            event: EventName::Ready,
            nth: Some(1),
            after: None,
        };
        let begin = if first == Time::ZERO {
            ready
        } else {
            Trigger::At(first)
        };
        let step = |trigger, act| Step {
            trigger,
            act,
            player: Target::First,
        };
        let mut scenario = Scenario {
            name: self.evidence.recording.name.as_str().into(),
            videos: vec![VideoScript {
                video: video.into(),
                record_after: Span::ZERO,
            }],
            media: vec![(film, MediaScript::of_length(self.content_length()))],
            media_default: Some(MediaScript {
                duration: FILM,
                is_as_said: true,
                ..MediaScript::default()
            }),
            steps: vec![
                step(Trigger::At(Time::ZERO), init),
                step(
                    begin,
                    StepAct::Do {
                        call: Call::Play,
                        args: Vec::new(),
                    },
                ),
            ],
            ..Scenario::default()
        };
        // A missing gesture must not keep the recorded session from playing.
        scenario.page.gesture_required = Some(false);
        if let Some(epoch) = self.evidence.recording.epoch_micros {
            scenario.page.epoch_micros = epoch;
        }
        let page = self
            .evidence
            .recording
            .exchanges
            .iter()
            .find(|it| it.purpose.as_deref() == Some("document"));
        scenario.page.url = page.map(|it| it.url.clone());
        scenario
    }

    /// Returns the first request for the content.
    fn content(self) -> Option<&'a Exchange> {
        self.evidence.contents().next().map(|(it, _)| it)
    }

    fn content_length(self) -> Span {
        let last = self.verdict.simulated().filter_map(|it| it.cue).max();
        let least = last.map_or(CONTENT, |last| (last + REST).max(CONTENT));
        let known = self.verdict.content.length;
        // A break within it that began later contradicts the length.
        let within = self.verdict.simulated().filter(|it| !self.is_post_roll(it));
        let within = within.filter_map(|it| it.cue).max();
        let is_held = |length: &Span| within.is_none_or(|cue| cue < *length);
        known.filter(is_held).unwrap_or(least)
    }

    fn is_post_roll(self, it: &Planned) -> bool {
        self.is_only(it, RecordedBreakKind::PostRoll)
    }

    /// Returns whether a break is of this kind and of no other.
    fn is_only(self, it: &Planned, kind: RecordedBreakKind) -> bool {
        let begin = it.begin(self.evidence);
        let mut breaks = self.verdict.breaks.iter();
        breaks.any(|other| other.begin == begin && other.kinds == [kind])
    }

    /// Returns whether a schedule has breaks at the end of the content or at a share of it.
    fn depends_on_content(self) -> bool {
        let breaks = self
            .evidence
            .documents
            .iter()
            .filter_map(|it| it.read.as_ref())
            .flat_map(|read| &read.breaks);
        breaks
            .into_iter()
            .any(|it| matches!(it.time_offset, Some(TimeOffset::End | TimeOffset::Share(_))))
    }

    /// Returns an ad object for each pod, as page code would write it.
    fn ad_objects(self) -> Vec<Value> {
        let pods = self.verdict.simulated().flat_map(|it| {
            (0u32..)
                .zip(&it.pods)
                .map(move |(pod, tags)| (it, pod, tags))
        });
        let object = |(it, pod, tags): (&Planned, u32, &Vec<usize>)| {
            let urls = tags
                .iter()
                .map(|tag| Value::from(&self.evidence.key(*tag)))
                .collect();
            let of_type = |kind: u32| Fields::one("adType", kind).with("adTimeType", "s");
            let ad = match it.cue {
                cue if self.is_only(it, RecordedBreakKind::Overlay) => {
                    of_type(3).with("overlayStartAt", cue.unwrap_or_default())
                }
                Some(_) if self.is_post_roll(it) => of_type(2),
                None => of_type(0),
                Some(cue) => of_type(1).with("cuepoints", Value::List(vec![cue.into()])),
            };
            let ad = ad.with_some("pod", (pod > 0).then_some(pod));
            Value::Map(ad.with("mobile", Value::List(urls)))
        };
        pods.map(object).collect()
    }

    /// Adds the answer to the request for a document, with the redirects before it. `limit` is the
    /// time limit that was concluded from the recording.
    fn answers(self, document: usize, limit: Span, network: &mut Network, notes: &mut Vec<Note>) {
        let evidence = self.evidence;
        if let Some(again) = evidence.again(document) {
            notes.push(Note::inferred(format!(
                "the page asked for {} again when it could not read the answer: the simulation has the second answer only",
                evidence.exchange(again).url
            )));
            return;
        }
        let legs = evidence.legs(document);
        let last = legs.len().saturating_sub(1);
        for (leg, index) in legs.into_iter().enumerate() {
            let it = &evidence.recording.exchanges[index];
            let url = if leg == 0 {
                evidence.key(document)
            } else {
                it.url.clone()
            };
            let mut after = it.time.unwrap_or_default();
            if matches!(it.outcome, RecordedOutcome::Failed(_)) {
                after = after.min(self.wait(document).unwrap_or(after));
            }
            let text = evidence.documents[document]
                .text
                .as_ref()
                .filter(|_| leg == last);
            let answer = match &it.outcome {
                RecordedOutcome::Redirect(status, to) => ScriptedAnswer::Redirect {
                    status: *status,
                    to: to.clone(),
                },
                RecordedOutcome::Response(status) => {
                    // The body of an error status is not read.
                    if it.is_unread() && *status < 400 {
                        notes.push(Note::unknown(format!(
                            "what {url} was answered with status {status}, since the recording does not have the body: \
                             the simulation plays it as empty"
                        )));
                    }
                    let text = text.or(it.text()).cloned().unwrap_or_else(|| "".into());
                    let name = if text.is_empty() {
                        "".into()
                    } else {
                        evidence.file_name(document)
                    };
                    ScriptedAnswer::Body {
                        // A page gets what was stored as a status of 200.
                        status: if *status == 304 {
                            200
                        } else {
                            (*status).clamp(100, 599)
                        },
                        name,
                        text,
                    }
                }
                RecordedOutcome::BrokeOff(_) => ScriptedAnswer::Fails(NetworkFault::Truncated),
                RecordedOutcome::Failed(how) => self.failure(document, how.as_deref()),
                RecordedOutcome::Unknown => ScriptedAnswer::Silence,
            };
            if answer == ScriptedAnswer::Silence {
                after = self.known_silence(document, it, after, limit);
            }
            network.add(
                url,
                AnswerScript {
                    after,
                    answer,
                    content_type: None,
                },
            );
        }
    }

    /// Returns the effect of a failed request on the player: no answer in time, or a broken
    /// connection.
    fn failure(self, document: usize, how: Option<&str>) -> ScriptedAnswer {
        if let Some(fault) = fault_of(how.unwrap_or_default()) {
            return ScriptedAnswer::Fails(fault);
        }
        let tag = self.evidence.tag_of(document);
        let is_broken = self.verdict.tags().any(|it| {
            let cause = matches!(
                &it.outcome,
                TagResult::Failed {
                    cause: TagFailure::Network { .. }
                }
            );
            it.document == tag && cause
        });
        if is_broken {
            ScriptedAnswer::Fails(NetworkFault::Reset)
        } else {
            ScriptedAnswer::Silence
        }
    }

    /// Returns up to when it is known that a request was not answered: a later answer is unknown.
    /// The player that is simulated gives up as soon as the one that was recorded, although times
    /// were rounded.
    fn known_silence(self, document: usize, it: &Exchange, after: Span, limit: Span) -> Span {
        let tag = self.evidence.tag_of(document);
        let judged = self.verdict.tags().find(|judged| judged.document == tag);
        let Some((_, longest)) = judged.and_then(|judged| judged.given_up()) else {
            return after.min(it.time.unwrap_or(after));
        };
        let begun = self.evidence.exchange(tag).at();
        let before = if it.at() > begun {
            (it.at() - begun).micros()
        } else {
            0
        };
        let waited = limit.max(longest).micros().saturating_sub(before);
        after.max(Span::from_micros(waited))
    }

    /// Returns how long the player waited for a tag before it asked the next one.
    fn wait(self, document: usize) -> Option<Span> {
        let tag = self.evidence.tag_of(document);
        self.verdict
            .tags()
            .find(|it| it.document == tag)
            .and_then(|it| it.waited)
    }

    /// Returns the time limit of a tag, if the recording shows that it is not `usual`, and why.
    fn time_limit(self, usual: Span) -> Option<(Span, String)> {
        let limit = self.verdict.limit.as_ref()?;
        let url = &self.evidence.exchange(limit.document).url;
        let lower = seconds(limit.lower.micros());
        if let Some(upper) = limit.upper {
            let chosen = rounded(upper).max(limit.lower);
            let why = format!(
                "it gave {url} up after {lower} to {} s",
                seconds(upper.micros())
            );
            return (chosen != usual).then_some((chosen, why));
        }
        (limit.lower > usual).then(|| {
            let chosen = Span::from_secs(limit.lower.micros() / 1_000_000 + 1);
            (
                chosen,
                format!(
                    "the player waited {lower} s for {url} and did not give up, so it is longer than that"
                ),
            )
        })
    }

    /// Adds the pixels that an ad blocker stopped. Rule REQ-19.
    fn blocked_pixels(self, scenario: &mut Scenario) {
        let is_blocked = |outcome: &RecordedOutcome| {
            let how = if let RecordedOutcome::Failed(Some(how)) = outcome {
                how
            } else {
                return false;
            };
            fault_of(how) == Some(NetworkFault::Blocked)
        };
        let mut known: BTreeSet<Arc<str>> = BTreeSet::new();
        for (it, name, _) in self.pixels().filter(|(it, ..)| is_blocked(&it.outcome)) {
            if known.insert(Arc::clone(&name.written)) {
                let answer = ScriptedAnswer::Fails(NetworkFault::Blocked);
                let answer = AnswerScript {
                    content_type: None,
                    after: it.time.unwrap_or_default(),
                    answer,
                };
                scenario
                    .network
                    .push((Arc::clone(&name.written), vec![answer]));
            }
        }
    }

    /// Returns the requests for pixels in their order, each with the name by which it was requested
    /// and its event.
    fn pixels(self) -> impl Iterator<Item = (&'a Exchange, &'a Name, &'a TrackedEvent)> {
        let exchanges = &self.evidence.recording.exchanges;
        let pixels = self
            .evidence
            .pixels()
            .map(move |(index, name, event)| (&exchanges[index], name, event));
        pixels.filter(move |(_, name, _)| self.verdict.is_simulated(self.evidence, name.document))
    }

    /// Returns whether the player was muted at first: the first thing that a person did with the
    /// sound was to turn it on.
    fn begins_muted(self) -> bool {
        let mut events = self.pixels().map(|(_, _, event)| event);
        let sound = events.find(|it| **it == TrackingEvent::Mute || **it == TrackingEvent::Unmute);
        sound.is_some_and(|it| *it == TrackingEvent::Unmute)
    }

    /// Returns the viewer's jumps in the content: each counts from the end of the break before it.
    fn jumps(self) -> impl Iterator<Item = Step> {
        let ends = self.verdict.breaks.iter().filter_map(|it| {
            let ends = it.ads.iter().filter_map(|ad| ad.end.as_ref());
            ends.map(|(end, _)| *end).max()
        });
        let ends: Vec<Time> = ends.collect();
        let is_first = |jump: &&Jump| self.evidence.films[jump.exchange] == Some(0);
        self.evidence
            .jumps
            .iter()
            .filter(is_first)
            .map(move |jump| {
                let before = || ends.iter().filter(|end| **end <= jump.at);
                let trigger = before().max().map(|end| Trigger::On {
                    event: EventName::AdEnd,
                    nth: u32::try_from(before().count()).ok(),
                    after: Some(jump.at - *end),
                });
                Step {
                    trigger: trigger.unwrap_or(Trigger::At(jump.at)),
                    act: StepAct::User(Act::Seek(jump.to.into())),
                    player: Target::First,
                }
            })
    }

    /// Returns the ads that were on the screen, in order.
    pub(super) fn ads(self) -> impl Iterator<Item = &'a AdVerdict> {
        self.verdict.simulated().flat_map(|it| &it.ads)
    }

    /// Returns what the viewer did, by the pixels: each counts from the start of its ad.
    fn persons(self) -> Vec<Step> {
        const ACTS: &[(TrackingEvent, Act)] = &[
            (TrackingEvent::Skip, Act::Skip),
            (TrackingEvent::Pause, Act::Pause),
            (TrackingEvent::Resume, Act::Play),
            (TrackingEvent::Mute, Act::Mute),
            (TrackingEvent::Unmute, Act::Unmute),
            (TrackingEvent::ClickTracking, Act::Click(None)),
            (TrackingEvent::Fullscreen, Act::Fullscreen),
            (TrackingEvent::PlayerExpand, Act::Fullscreen),
            (TrackingEvent::CloseLinear, Act::Close),
            (TrackingEvent::Close, Act::Close),
        ];
        let mut done: Vec<(TrackingEvent, Time)> = Vec::new();
        let mut steps = Vec::new();
        for (it, _, event) in self.pixels() {
            let Some((word, act)) = ACTS.iter().find(|(word, _)| event == word) else {
                continue;
            };
            let at = it.at();
            // Every document of a wrapper chain has a pixel for the same act.
            let is_told = done
                .iter()
                .any(|(other, time)| other == word && at - *time < Span::from_millis(100));
            let before = self.ads().take_while(|ad| ad.start <= at).count();
            let Some(ad) = before.checked_sub(1).and_then(|last| self.ads().nth(last)) else {
                continue;
            };
            if is_told {
                continue;
            }
            done.push((*word, at));
            let nth = u32::try_from(before).ok();
            let trigger = Trigger::On {
                event: EventName::AdStart,
                nth,
                after: Some(at - ad.start),
            };
            steps.push(Step {
                trigger,
                act: StepAct::User(act.clone()),
                player: Target::First,
            });
        }
        steps
    }
}

/// Parts of what tools write, in lower case.
const FAULTS: &[(&str, NetworkFault)] = &[
    ("too_many_redirects", NetworkFault::Redirects),
    ("refused", NetworkFault::Refused),
    ("name_not_resolved", NetworkFault::Refused),
    ("unknown_host", NetworkFault::Refused),
    ("unreachable", NetworkFault::Refused),
    // A film whose response is a web page, such as a 404.
    ("blocked_by_orb", NetworkFault::Refused),
    ("blocked_by_response", NetworkFault::Cors),
    ("cors", NetworkFault::Cors),
    ("access-control", NetworkFault::Cors),
    ("access control", NetworkFault::Cors),
    // Chromium's name for a response that the page may not read.
    ("err_failed", NetworkFault::Cors),
    ("blocked", NetworkFault::Blocked),
    ("cert", NetworkFault::Refused),
    ("ssl", NetworkFault::Refused),
    ("content_length_mismatch", NetworkFault::Truncated),
    ("incomplete", NetworkFault::Truncated),
    ("reset", NetworkFault::Reset),
    ("closed", NetworkFault::Reset),
    ("empty_response", NetworkFault::Reset),
    ("server disconnected", NetworkFault::Reset),
];

/// Returns how a request failed by the message of a tool; `None` if it says nothing, or that the
/// page gave up.
pub(super) fn fault_of(how: &str) -> Option<NetworkFault> {
    let how = how.to_ascii_lowercase();
    let fault = FAULTS
        .iter()
        .find(|(word, _)| how.contains(word))
        .map(|(_, fault)| *fault);
    fault.filter(|_| !was_ended(&how))
}

/// Rounds a time that a timer measured to the time that was probably set.
fn rounded(span: Span) -> Span {
    const STEP: u64 = 50_000;
    const LATE: u64 = 25_000;
    // Times are rounded, so that a timer may seem a little early.
    const EARLY: u64 = 12_000;
    let over = (span.micros() + EARLY) % STEP;
    if over <= EARLY + LATE && span.micros() > STEP {
        Span::from_micros(span.micros() + EARLY - over)
    } else {
        Span::from_millis(span.micros() / 1_000)
    }
}
