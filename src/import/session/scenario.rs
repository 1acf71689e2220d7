//! The scenario that plays a recorded session again.
//!
//! Answers keep their order, latency and status; what a player decided by itself, such as how long it waited for a
//! tag, is taken from what it did next. What a person did is taken from the pixels that report it.

use std::sync::Arc;

use super::breaks::RecordedAd;
use super::{Role, Session};
use crate::api::{Act, Call, EventName, Fields, NetworkFault, Value};
use crate::import::recording::{Body, Exchange, Outcome};
use crate::media::MediaFault;
use crate::scenario::{
    AnswerScript, MediaScript, Overrides, Scenario, ScriptedAnswer, Step, StepAct, Target, Trigger, UnitKind,
    VideoScript,
};
use crate::time::{Span, Time};
use crate::vast::names::Named;
use crate::vast::vmap::TimeOffset;
use crate::video::{Rendition, Video, VideoRecord};
use crate::words::seconds;

/// The length of content of which the recording says nothing.
const CONTENT: Span = Span::from_secs(60);
/// How much of the content remains after the last break.
const REST: Span = Span::from_secs(30);
/// The length of media whose ad does not say it.
const FILM: Span = Span::from_secs(15);
/// Media that took longer than this to start did so for another reason than loading.
const LONGEST_LOAD: Span = Span::from_secs(10);
/// A page that aborts a request sooner than this has another reason than a time limit.
const SHORTEST_LIMIT: Span = Span::from_millis(200);
/// A page waited at least this long for an answer if the recording does not say that it gave up.
const UNSAID_LIMIT: Span = Span::from_millis(900);
/// The knob for the time limit of a tag.
const TIMEOUT: &str = "ad.timeout";

impl Session {
    /// Returns the scenario that plays the recorded page, and what was concluded for it: one sentence each.
    #[must_use]
    pub fn scenario(&self, overrides: &Overrides) -> (Scenario, Vec<String>) {
        let mut notes = Vec::new();
        let mut scenario = self.frame();
        overrides.apply(&mut scenario);
        if !overrides.sets_knob(TIMEOUT)
            && let Some((limit, why)) = self.time_limit(scenario.knobs.ad_timeout)
            && scenario.knobs.set(TIMEOUT, &limit.in_seconds()).is_ok()
        {
            notes.push(format!("{TIMEOUT} is {} s: {why}", seconds(limit.micros())));
        }
        scenario.player.ads = self.ad_objects();
        for document in 0..self.documents.len() {
            self.answers(document, &mut scenario, &mut notes);
        }
        if self.hints.content_length.is_none() && self.depends_on_content() {
            notes.push(format!(
                "a recording does not tell how long the content lasts: {} s are assumed, on which breaks of the schedule \
                 depend; --content TIME sets it",
                seconds(self.content_length().micros())
            ));
        }
        self.media(&mut scenario, &mut notes);
        self.failed_media(&mut scenario, &mut notes);
        scenario.player.muted = self.begins_muted();
        scenario.steps.extend(self.persons());
        (scenario, notes)
    }

    /// Returns one player with one video that is played when the first tag was requested.
    fn frame(&self) -> Scenario {
        let film: Arc<str> = self.content().map_or_else(|| "content:film".into(), |it| it.url.clone());
        let video = Video {
            record: VideoRecord { id: "film".into(), ..VideoRecord::default() },
            renditions: vec![(Rendition::Sd, film.clone())],
            ..Video::default()
        };
        let config =
            Fields::one("id", "player").with("width", "640").with("height", "360").with("video", "film");
        let init = StepAct::Init {
            unit: UnitKind::Player,
            div: "player".into(),
            config: Value::Map(config),
            on_ready: None,
        };
        let first = self.breaks.first().map_or(Time::ZERO, |it| it.begin(self));
        let ready = Trigger::On { event: EventName::Ready, nth: Some(1), after: None };
        let begin = if first == Time::ZERO { ready } else { Trigger::At(first) };
        let step = |trigger, act| Step { trigger, act, player: Target::First };
        let mut scenario = Scenario {
            name: self.recording.name.as_str().into(),
            videos: vec![VideoScript { video: video.into(), record_after: Span::ZERO }],
            media: vec![(film, MediaScript::of_length(self.content_length()))],
            media_default: Some(MediaScript { duration: FILM, is_as_said: true, ..MediaScript::default() }),
            steps: vec![
                step(Trigger::At(Time::ZERO), init),
                step(begin, StepAct::Do { call: Call::Play, args: Vec::new() }),
            ],
            ..Scenario::default()
        };
        // A missing gesture must not keep the recorded session from playing.
        scenario.page.gesture_required = Some(false);
        if let Some(epoch) = self.recording.epoch_micros {
            scenario.page.epoch_micros = epoch;
        }
        let page = self.recording.exchanges.iter().find(|it| it.purpose.as_deref() == Some("document"));
        scenario.page.url = page.map(|it| it.url.clone());
        scenario
    }

    /// Returns the first request for the content.
    fn content(&self) -> Option<&Exchange> {
        let index = self.roles.iter().position(|role| *role == Role::Content)?;
        Some(&self.recording.exchanges[index])
    }

    fn content_length(&self) -> Span {
        let last = self.breaks.iter().filter_map(|it| it.cue).max();
        let least = last.map_or(CONTENT, |last| (last + REST).max(CONTENT));
        self.hints.content_length.unwrap_or(least)
    }

    /// Returns whether a schedule has breaks at the end of the content or at a share of it.
    fn depends_on_content(&self) -> bool {
        let breaks = self.documents.iter().filter_map(|it| it.read.as_ref()).flat_map(|read| &read.breaks);
        breaks.into_iter().any(|it| matches!(it.time_offset, Some(TimeOffset::End | TimeOffset::Share(_))))
    }

    /// Returns an ad object for each pod, as page code would write it.
    fn ad_objects(&self) -> Vec<Value> {
        let pods = self.breaks.iter().flat_map(|it| it.pods.iter().map(move |tags| (it.cue, tags)));
        let object = |(cue, tags): (Option<Span>, &Vec<super::RecordedTag>)| {
            let urls = tags.iter().map(|tag| Value::from(&self.key(tag.document))).collect();
            let ad = match cue {
                None => Fields::one("adType", 0u32).with("adTimeType", "s"),
                Some(cue) => Fields::one("adType", 1u32)
                    .with("adTimeType", "s")
                    .with("cuepoints", Value::List(vec![cue.into()])),
            };
            Value::Map(ad.with("mobile", Value::List(urls)))
        };
        pods.map(object).collect()
    }

    /// Returns the URL under which the scenario lists a document: as another document names it, with macros, or as it
    /// was recorded.
    #[must_use]
    pub fn key(&self, document: usize) -> Arc<str> {
        match self.documents[document].by {
            Some(name) => self.names.all[name].written.clone(),
            None => self.exchange(document).url.clone(),
        }
    }

    /// Returns the name of the file with a document.
    #[must_use]
    pub fn file_name(&self, document: usize) -> Arc<str> {
        let url = &self.answer(document).url;
        let bare = url.split(['?', '#']).next().unwrap_or_default();
        let bare = bare.split_once("://").map_or(bare, |(_, rest)| rest);
        let host = bare.split('/').next().unwrap_or_default();
        let last = bare.rsplit('/').find(|part| !part.is_empty()).filter(|last| *last != host);
        let stem = last.map_or(host.to_owned(), |last| format!("{host}-{last}"));
        let stem = stem.strip_suffix(".xml").unwrap_or(&stem);
        let is_usual = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
        let stem: String = stem.chars().take(60).map(|it| if is_usual(it) { it } else { '-' }).collect();
        format!("{:02}-{}.xml", document + 1, stem.trim_matches(['.', '-'])).into()
    }

    /// Adds the answer to the request for a document, with the redirects before it.
    fn answers(&self, document: usize, scenario: &mut Scenario, notes: &mut Vec<String>) {
        let mut index = self.documents[document].exchange;
        let mut url = self.key(document);
        loop {
            let it = &self.recording.exchanges[index];
            let mut after = it.time.unwrap_or_default();
            if matches!(it.outcome, Outcome::Failed(_)) {
                after = after.min(self.wait(document).unwrap_or(after));
            }
            let answer = match &it.outcome {
                Outcome::Redirect(status, to) => ScriptedAnswer::Redirect { status: *status, to: to.clone() },
                Outcome::Response(status) => {
                    if it.body == Body::Missing {
                        notes.push(format!(
                            "{url} was answered with {status}, but the recording does not have the body: played as empty"
                        ));
                    }
                    let text = it.text().cloned().unwrap_or_else(|| "".into());
                    let name = if text.is_empty() { "".into() } else { self.file_name(document) };
                    ScriptedAnswer::Body { status: (*status).clamp(100, 599), name, text }
                }
                Outcome::BrokeOff(_) => ScriptedAnswer::Fails(NetworkFault::Truncated),
                Outcome::Failed(how) => self.failure(document, how.as_deref(), after),
                Outcome::Unknown => ScriptedAnswer::Silence,
            };
            add(scenario, url, AnswerScript { after, answer });
            let next = self.roles.iter().position(|role| *role == Role::Redirected(index));
            let (Some(next), Outcome::Redirect(..)) = (next, &it.outcome) else { break };
            index = next;
            url = self.recording.exchanges[next].url.clone();
        }
    }

    /// Returns what a request that failed meant to the player: no answer in time, or a broken connection.
    fn failure(&self, document: usize, how: Option<&str>, after: Span) -> ScriptedAnswer {
        /// Parts of what tools write, in lower case.
        const WORDS: &[(&str, NetworkFault)] = &[
            ("refused", NetworkFault::Refused),
            ("name_not_resolved", NetworkFault::Refused),
            ("unknown_host", NetworkFault::Refused),
            ("unreachable", NetworkFault::Refused),
            ("blocked", NetworkFault::Refused),
            ("cert", NetworkFault::Refused),
            ("ssl", NetworkFault::Refused),
            ("content_length_mismatch", NetworkFault::Truncated),
            ("incomplete", NetworkFault::Truncated),
            ("reset", NetworkFault::Reset),
            ("closed", NetworkFault::Reset),
            ("empty_response", NetworkFault::Reset),
            ("server disconnected", NetworkFault::Reset),
        ];
        let how = how.unwrap_or_default().to_ascii_lowercase();
        // Aborted by the page, or nothing is said: the page gave up if it waited before it went on.
        // What a tool says of the time of a failed request is not what the page waited for.
        let wait = self.wait(document).unwrap_or(after);
        let was_aborted =
            ["abort", "cancel", "client disconnected", "client closed"].iter().any(|word| how.contains(word));
        if let Some((_, fault)) = WORDS.iter().find(|(word, _)| !was_aborted && how.contains(word)) {
            return ScriptedAnswer::Fails(*fault);
        }
        if wait >= if was_aborted { SHORTEST_LIMIT } else { UNSAID_LIMIT } {
            ScriptedAnswer::Silence
        } else {
            ScriptedAnswer::Fails(NetworkFault::Reset)
        }
    }

    /// Returns how long the player waited for a tag before it asked the next one.
    fn wait(&self, document: usize) -> Option<Span> {
        let tag = self.tag_of(document);
        let all = self.breaks.iter().flat_map(|it| &it.pods);
        let tags = all.filter_map(|tags| {
            let at = tags.iter().position(|it| it.document == tag)?;
            Some((tags.get(at)?, tags.get(at + 1)?))
        });
        let (this, next) = tags.into_iter().next()?;
        Some(self.exchange(next.document).at() - self.exchange(this.document).at())
    }

    /// Returns the time limit of a tag, if the recording shows that it is not `usual`, and why.
    fn time_limit(&self, usual: Span) -> Option<(Span, String)> {
        let mut given_up: Vec<(Span, usize)> = Vec::new();
        let mut longest: Option<(Span, usize)> = None;
        for document in 0..self.documents.len() {
            let tag = self.tag_of(document);
            // The documents of later ads of a pod are requested while the ones before play.
            let asked = self.exchange(document).at();
            if self.ads().any(|ad| self.tag_of(ad.document) == tag && ad.start < asked) {
                continue;
            }
            let since = |time: Time| time - self.exchange(tag).at();
            let answer = self.answer(document);
            let is_answered = matches!(answer.outcome, Outcome::Response(_));
            let over = since(answer.over());
            match self.wait(document) {
                // The next tag was asked before this one was answered.
                Some(wait) if is_answered && wait + Span::from_millis(20) < over => {
                    given_up.push((wait, tag))
                }
                wait if !is_answered => {
                    let how = if let Outcome::Failed(how) = &answer.outcome { how.as_deref() } else { None };
                    let taken = answer.time.unwrap_or_default();
                    if matches!(self.failure(document, how, taken), ScriptedAnswer::Silence) {
                        // Some tools end a request that was aborted when it was sent.
                        given_up.push((wait.unwrap_or(over), tag));
                    }
                }
                _ => longest = longest.max(Some((over, tag))),
            }
        }
        // The shortest: a limit ends every tag, and timers are late but never early.
        if let Some((wait, tag)) = given_up.into_iter().min() {
            let limit = rounded(wait);
            let why =
                format!("the player went on that long after it had requested {}", self.exchange(tag).url);
            return (limit != usual).then_some((limit, why));
        }
        let (wait, tag) = longest.filter(|(wait, _)| *wait > usual)?;
        let limit = Span::from_secs(wait.micros() / 1_000_000 + 1);
        let why = format!("the player waited {} s for {}", seconds(wait.micros()), self.exchange(tag).url);
        Some((limit, why))
    }

    /// Adds the media of the ads: how long they took to start, and how they failed.
    fn media(&self, scenario: &mut Scenario, notes: &mut Vec<String>) {
        for (role, it) in self.roles.iter().zip(&self.recording.exchanges) {
            let (Role::Media(index) | Role::Interactive(index)) = *role else { continue };
            let name = &self.names.all[index];
            if scenario.media.iter().any(|(url, _)| *url == name.written) {
                continue;
            }
            let started = self.ads().filter(|ad| (ad.document, Some(ad.at)) == (name.document, name.ad));
            let started = started.map(|ad| ad.start).find(|start| *start >= it.at());
            let load = it.first_byte.or(it.time).unwrap_or_default();
            let seen = started.map(|start| start - it.at()).filter(|load| *load <= LONGEST_LOAD);
            let fails = match &it.outcome {
                _ if started.is_some() => None,
                Outcome::Response(status) if *status >= 400 => Some((None, MediaFault::NotFound)),
                Outcome::Failed(how) => {
                    let how = how.as_deref().unwrap_or("without a reason");
                    notes.push(format!(
                        "{} failed ({how}) and no pixel shows that its ad started: played as media that fail",
                        it.url
                    ));
                    Some((None, MediaFault::Network))
                }
                Outcome::BrokeOff(_) => Some((None, MediaFault::Network)),
                Outcome::Response(_) | Outcome::Redirect(..) | Outcome::Unknown => None,
            };
            let metadata_after = if fails.is_some() { it.time.unwrap_or(load) } else { seen.unwrap_or(load) };
            let script = MediaScript {
                duration: FILM,
                is_as_said: true,
                metadata_after,
                fails,
                ..MediaScript::default()
            };
            scenario.media.push((name.written.clone(), script));
        }
    }

    /// Lets media fail if only the error pixel shows it: some tools leave out requests that failed.
    fn failed_media(&self, scenario: &mut Scenario, notes: &mut Vec<String>) {
        for (it, name, event) in self.pixels() {
            let is_error = event == "error" && name.is_inline;
            let was_shown = self.ads().any(|ad| (ad.document, Some(ad.at)) == (name.document, name.ad));
            let Some(code) = error_code(&name.written, &it.url).filter(|_| is_error && !was_shown) else {
                continue;
            };
            let fault = match code {
                400 | 402 => MediaFault::Network,
                401 => MediaFault::NotFound,
                403 => MediaFault::Unsupported,
                405 => MediaFault::Decode,
                _ => continue,
            };
            let is_film = |other: &&crate::vast::names::Name| {
                (other.document, other.ad) == (name.document, name.ad)
                    && matches!(other.what, Named::Media | Named::Interactive)
            };
            for film in self.names.all.iter().filter(is_film) {
                if scenario.media.iter().all(|(url, _)| *url != film.written) {
                    let script = MediaScript { fails: Some((None, fault)), ..MediaScript::default() };
                    scenario.media.push((film.written.clone(), script));
                    notes.push(format!(
                        "{} is played as media that fail: the only pixel called was an error pixel with code {code}",
                        film.written
                    ));
                }
            }
        }
    }

    /// Returns whether the player was muted at first: the first thing that a person did with the sound was to turn
    /// it on.
    fn begins_muted(&self) -> bool {
        let mut events = self.pixels().map(|(_, _, event)| event);
        events.find(|event| matches!(*event, "mute" | "unmute")) == Some("unmute")
    }

    /// Returns the ads that were on the screen, in order.
    pub(in crate::import) fn ads(&self) -> impl Iterator<Item = &RecordedAd> {
        self.breaks.iter().flat_map(|it| &it.ads)
    }

    /// Returns what a person did, as the pixels tell: each counts from the start of its ad.
    fn persons(&self) -> Vec<Step> {
        const ACTS: &[(&str, Act)] = &[
            ("skip", Act::Skip),
            ("pause", Act::Pause),
            ("resume", Act::Play),
            ("mute", Act::Mute),
            ("unmute", Act::Unmute),
            ("clickTracking", Act::Click(None)),
            ("fullscreen", Act::Fullscreen),
            ("playerExpand", Act::Fullscreen),
            ("closeLinear", Act::Close),
        ];
        let mut done: Vec<(&str, Time)> = Vec::new();
        let mut steps = Vec::new();
        for (it, _, event) in self.pixels() {
            let Some((word, act)) = ACTS.iter().find(|(word, _)| *word == event) else { continue };
            let at = it.at();
            // Every document of a wrapper chain has a pixel for the same act.
            let is_told =
                done.iter().any(|(other, time)| other == word && at - *time < Span::from_millis(100));
            let before = self.ads().take_while(|ad| ad.start <= at).count();
            let Some(ad) = before.checked_sub(1).and_then(|last| self.ads().nth(last)) else { continue };
            if is_told {
                continue;
            }
            done.push((word, at));
            let nth = u32::try_from(before).ok();
            let trigger = Trigger::On { event: EventName::AdStart, nth, after: Some(at - ad.start) };
            steps.push(Step { trigger, act: StepAct::User(act.clone()), player: Target::First });
        }
        steps
    }
}

/// Adds an answer of a URL after those that it has.
fn add(scenario: &mut Scenario, url: Arc<str>, answer: AnswerScript) {
    match scenario.network.iter_mut().find(|(known, _)| *known == url) {
        Some((_, answers)) => answers.push(answer),
        None => scenario.network.push((url, vec![answer])),
    }
}

/// Returns the error code in the URL of a pixel, if the document has the macro for it in a parameter.
fn error_code(written: &str, url: &str) -> Option<u16> {
    let (before, _) = written.split_once("[ERRORCODE]").or_else(|| written.split_once("[ERROR_CODE]"))?;
    let name = before.rsplit(['?', '&', '/']).next().filter(|name| !name.is_empty())?;
    let value = &url[url.rfind(name)? + name.len()..];
    let digits = value.find(|it: char| !it.is_ascii_digit()).unwrap_or(value.len());
    value[..digits].parse().ok()
}

/// Rounds a time that a timer measured to what it was probably set to.
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
