//! Changes what a URL answers from now on.
//!
//! The responses of a URL are consumed in order, and so are its media, load by load; so a change is
//! a new list: what was consumed, then the new answer.
//!
//! Rules: REQ-17, CHN-11, MEL-28.

use std::sync::Arc;

use super::LiveError;
use crate::Simulation;
use crate::stage::Stage;
use playsim_api::{Code, Purpose};
use playsim_scenario::world::World;
use playsim_scenario::{AnswerScript, Answers, MediaScript, Scenario};
use playsim_trace::record::RecordView;
use playsim_vast as vast;

/// Why a change is refused.
type Why = &'static str;

const MISSED: Why =
    "it is not listed, and the trace says so of another URL; list it in the scenario";
const TOO_OPEN: Why =
    "it is a new URL with macros, and others were requested; list it in the scenario";
const TOO_LATE: Why =
    "documents write it for another URL, which was requested before; list it in the scenario";

impl Simulation {
    /// Changes what a URL answers to requests that are sent from now on: the responses to requests
    /// for documents, or the media that it plays. Requests already in flight keep their original
    /// answer.
    ///
    /// A URL that is listed with macros is changed by any URL that fills them. A relative URL is
    /// that of the page, and of each document that writes it, as in a scenario.
    ///
    /// # Errors
    ///
    /// If a scenario could not hold the answer, as when a URL of media gets a response; if it is a
    /// new URL, and requests that were made would have had another answer.
    pub fn answer(&mut self, url: &str, answer: impl Into<Answers>) -> Result<(), LiveError> {
        let (scenario, loaded) = match answer.into() {
            Answers::Responses(answers) => (self.with_responses(url, &answers), 0),
            Answers::Media(media) => {
                let (media, loaded) = self.with_media(url, &media);
                (media, loaded)
            }
        };
        let scenario = scenario.map_err(|why| LiveError::Answer {
            url: url.into(),
            why,
        })?;
        self.replace_world(url, scenario, loaded)?;
        self.live_mut().has_answered = true;
        Ok(())
    }

    /// Returns whether a URL is listed as one of media; `None` if it is not listed at all.
    #[must_use]
    pub fn is_media(&self, url: &str) -> Option<bool> {
        let world = &self.stage.world;
        if world.listed_media(url).is_some() {
            return Some(true);
        }
        world.route(url).map(|_| false)
    }

    fn with_responses(&self, url: &str, new: &[AnswerScript]) -> Result<Scenario, Why> {
        let world = &self.stage.world;
        let mut network = self.stage.scenario.network.clone();
        let changed = |old: &[AnswerScript], url: &str| {
            let mut answers = old.to_vec();
            if let Some(last) = answers.last().cloned() {
                answers.resize(self.network.used(world, url), last);
            }
            answers.extend_from_slice(new);
            answers
        };
        let Some(route) = world.route(url) else {
            if self.has_missed(Code::AddressNotListed) {
                return Err(MISSED);
            }
            if !vast::macros(url).is_empty() && self.network.is_used() {
                return Err(TOO_OPEN);
            }
            network.push((url.into(), new.to_vec()));
            return Ok(self.scenario_with(|it| it.network = network));
        };
        let mut resolved = Vec::new();
        if let Some(listing) = world.written(route) {
            // Only this one of the URLs to which the listed one is resolved.
            let (_, answers) = &network[listing];
            resolved.push((url.into(), changed(answers, url)));
        } else {
            for (listing, (listed, answers)) in network.iter().enumerate() {
                if **listed == *url {
                    let each = world.resolved(listing);
                    resolved.extend(each.map(|it| (Arc::clone(it), changed(answers, it))));
                }
            }
            if let Some((_, answers)) = world.listing(route, &mut network) {
                *answers = changed(answers, url);
            }
        }
        network.extend(resolved);
        Ok(self.scenario_with(|it| it.network = network))
    }

    /// Returns the scenario with other media at a URL, and how often those were loaded before.
    fn with_media(&self, url: &str, new: &MediaScript) -> (Result<Scenario, Why>, u32) {
        let mut media = self.stage.scenario.media.clone();
        let listed = self.stage.world.listed_media(url);
        let loaded = match listed.and_then(|it| it.listed()) {
            Some(listing) => {
                let loaded = self.network.loaded(listing);
                let (known, old) = &mut media[listing];
                let changed = after_loads(old, loaded, new);
                if **known == *url || vast::is_filled(known, url) {
                    *old = changed;
                } else {
                    // Only this one of the URLs to which the listed one is resolved.
                    media.push((url.into(), changed));
                }
                loaded
            }
            None if self.has_missed(Code::MediaNotListed) => return (Err(MISSED), 0),
            None => {
                let requests = self.requested_media().filter(|it| **it == *url).count();
                let loaded = u32::try_from(requests).unwrap_or(u32::MAX);
                let unlisted = self.stage.scenario.media_default.as_ref();
                let changed = unlisted.map(|old| after_loads(old, loaded, new));
                media.push((url.into(), changed.unwrap_or_else(|| new.clone())));
                loaded
            }
        };
        (Ok(self.scenario_with(|it| it.media = media)), loaded)
    }

    fn scenario_with(&self, change: impl FnOnce(&mut Scenario)) -> Scenario {
        let mut scenario = self.stage.scenario.clone();
        change(&mut scenario);
        scenario
    }

    /// Returns whether something was requested that is not listed: the diagnostic names the listed
    /// URL that is most like it.
    fn has_missed(&self, code: Code) -> bool {
        self.tape.records().iter().any(|record| record.is(code))
    }

    /// The URLs of media that were requested.
    fn requested_media(&self) -> impl Iterator<Item = &str> {
        self.tape.records().iter().filter_map(|record| {
            if let RecordView::Request(it) = record.view()
                && it.purpose == Some(Purpose::Media.name())
            {
                Some(it.url)
            } else {
                None
            }
        })
    }

    /// Plays on with the answers of this scenario, in which those that were used are the same.
    /// `loaded` says how often media that it lists anew were loaded.
    fn replace_world(
        &mut self,
        url: &str,
        scenario: Scenario,
        loaded: u32,
    ) -> Result<(), LiveError> {
        scenario.check()?;
        let old = Arc::clone(&self.stage.world);
        let world = World::sharing(scenario.surroundings(), Some(&old));
        let is_other = |it: &str| {
            let listed = |world: &World| world.listed_media(it).and_then(|it| it.listed());
            *it != *url && listed(&world) != listed(&old)
        };
        if self.requested_media().any(is_other) {
            let why = TOO_LATE;
            return Err(LiveError::Answer {
                url: url.into(),
                why,
            });
        }
        self.network.replace(&old, &world, loaded);
        let stage: &mut Stage = Arc::make_mut(&mut self.stage);
        (stage.scenario, stage.world) = (scenario, Arc::new(world));
        Ok(())
    }
}

/// Returns media whose first loads are as they were.
fn after_loads(old: &MediaScript, loaded: u32, new: &MediaScript) -> MediaScript {
    let last = MediaScript {
        earlier: Vec::new(),
        ..old.clone()
    };
    let loaded = usize::try_from(loaded).unwrap_or(usize::MAX);
    let mut loads: Vec<MediaScript> = old.earlier.clone();
    loads.resize(loaded, last);
    loads.extend(new.earlier.iter().cloned());
    MediaScript {
        earlier: loads,
        ..new.clone()
    }
}
