//! Loading: the choice and the request of a source, the arrival of its metadata, and its failure.
//!
//! Rules: MEL-1, MEL-2, MEL-4 to MEL-8, MEL-14, MEL-20, MEL-23, QUAL-3, QUAL-5, STOP-7.

use std::sync::Arc;

use super::MediaElement;
use super::data::{Data, Ready};
use super::live::Stream;
use super::media::{Failure, Media, Network, Resource};
use super::requests::Outcome;
use playsim_api::media::{LoadFault, MediaFault, MediaInfo, Rate};
use playsim_api::{
    EventName, Fields, MediaStep, Outbox, Output, Purpose, Request, RequestId, Task,
};
use playsim_base::time::{Position, Span};
use playsim_rules::{self as rules, RuleId};

impl MediaElement {
    /// Begins a load, for a new source or by `load()`: the current media are given up. Rules MEL-1,
    /// MEL-23.
    pub(super) fn begin_load(&mut self, out: &mut Outbox) {
        self.requests.settle_all();
        self.finishing = None;
        if self.empty(out) && !self.is_paused {
            (self.is_paused, self.waits_since) = (true, None);
            self.requests.abort(rules::MEL_1);
        }
        self.attributes.may_autoplay = true;
        self.begin_choice(out);
    }

    /// Has the source chosen once the scripts of this instant have run, or before any listener
    /// acts. Rule MEL-2.
    pub(super) fn begin_choice(&mut self, out: &Outbox) {
        self.media.network = Network::NoSource;
        self.choice = Some((out.now(), out.cause()));
    }

    /// Chooses the source and begins to load it. Rule MEL-2.
    pub(super) fn choose(&mut self, out: &mut Outbox) {
        let Some(source) = self.attributes.content.source.clone() else {
            self.media.network = Network::Empty;
            return;
        };
        if source.is_empty() {
            // An empty address does not become `currentSrc`, and fails in a task of its own.
            self.start_loading(out);
            self.queue_step(rules::MEL_6, MediaStep::Refuse, out);
            return;
        }
        self.take_source(source, out);
        if self.attributes.defers(self.requires_gesture) {
            self.defer(out);
        } else {
            self.ask(out);
        }
    }

    /// Loads another source immediately. Rules MEL-1, MEL-2.
    pub fn load(&mut self, source: Arc<str>, out: &mut Outbox) {
        self.unload(out);
        self.take_source(source, out);
        self.ask(out);
    }

    /// Discards the load, and has no source any more. Rule MEL-1.
    pub fn unload(&mut self, out: &mut Outbox) {
        self.empty(out);
        self.forget();
    }

    /// Has no source any more, without any event.
    pub fn forget(&mut self) {
        (self.is_paused, self.waits_since) = (true, None);
        self.reset();
        self.source = None;
        self.start = Position::ZERO;
    }

    /// Discards the load, in progress or complete, and reports that. Returns whether there was one.
    /// Rules MEL-1, MEL-8, MEL-23.
    pub(super) fn empty(&mut self, out: &mut Outbox) -> bool {
        let (network, rate) = (self.media.network, self.media.head.rate());
        let has_moved = self.media.head.position(out.now()) > Position::ZERO;
        self.reset();
        if matches!(network, Network::Idle | Network::Loading) {
            self.report(rules::MEL_1, EventName::Abort, out);
        }
        if network != Network::Empty {
            self.report(rules::MEL_1, EventName::Emptied, out);
            if has_moved {
                self.report(rules::MEL_1, EventName::TimeUpdate, out);
            }
        }
        if rate != Rate::NORMAL {
            self.report(rules::MEL_1, EventName::RateChange, out);
        }
        network != Network::Empty
    }

    fn reset(&mut self) {
        self.load += 1;
        self.media = Media::default();
        self.schedule.stop();
    }

    /// A source has been chosen. Rule MEL-2.
    pub(super) fn take_source(&mut self, source: Arc<str>, out: &mut Outbox) {
        self.source = Some(source);
        self.start_loading(out);
    }

    fn start_loading(&mut self, out: &mut Outbox) {
        self.media.network = Network::Loading;
        self.report(rules::MEL_2, EventName::LoadStart, out);
    }

    /// Requests the source. Rules MEL-2, MEL-5.
    pub(super) fn ask(&mut self, out: &mut Outbox) {
        let (id, url) = (out.next_request(), self.source.clone().unwrap_or_default());
        let fetch = Request {
            id,
            url,
            purpose: Purpose::Media,
            hop: None,
            wp: None,
            pod: None,
            in_break: None,
        };
        let asked = out.put(rules::MEL_2, Output::Fetch(fetch));
        self.media.network = Network::Loading;
        self.media.resource = Resource::Asked(id);
        self.media.data = Data::asked(out.now(), asked);
    }

    /// Puts the request off until playback is wanted. Rule MEL-4.
    pub(super) fn defer(&mut self, out: &mut Outbox) {
        self.media.resource = Resource::Deferred;
        self.suspend(rules::MEL_4, out);
    }

    /// Playback is wanted: starts a deferred load. Rule MEL-4.
    pub(super) fn want_data(&mut self, out: &mut Outbox) {
        self.attributes.is_wanted = true;
        if self.is_deferred() {
            self.ask(out);
        }
        self.resume(out);
    }

    /// Whether the response to a request is awaited.
    #[must_use]
    pub fn awaits(&self, id: RequestId) -> bool {
        matches!(self.media.resource, Resource::Asked(waiting) if waiting == id)
    }

    /// Takes the response to its load. Rules MEL-2, MEL-3, MEL-6, MEL-14.
    pub(super) fn loaded(
        &mut self,
        request: RequestId,
        answer: Result<Arc<MediaInfo>, MediaFault>,
        out: &mut Outbox,
    ) {
        if !self.awaits(request) {
            return;
        }
        match answer {
            Ok(info) => self.take_metadata(info, out),
            Err(fault) => self.fail_to_load(fault.into(), out),
        }
    }

    /// The metadata have arrived. Rules MEL-2 to MEL-4, MEL-14, MEL-20, LIVE-3, EV-36.
    pub fn take_metadata(&mut self, info: Arc<MediaInfo>, out: &mut Outbox) {
        let now = out.now();
        let info = info.at(now);
        self.media.stream = info.live.map(|live| Stream::joined(now, live));
        let start = Some(std::mem::take(&mut self.start)).filter(|start| *start > Position::ZERO);
        self.media.resource = Resource::Here(info.clone());
        self.media.ready = Ready::Metadata;
        let place = match (start, self.media.stream) {
            (Some(start), _) => self.nearest(now, start),
            (None, Some(stream)) => stream.edge(now),
            (None, None) => Position::ZERO,
        };
        self.media.head.jump(now, place);
        self.media.data =
            self.media
                .data
                .arriving(now, &info, place, &mut self.rhythm, out.cause());
        if let Some(stream) = self
            .media
            .stream
            .filter(|stream| stream.stops_at().is_some())
        {
            self.media.data.stalled_at = stream.stalled_at();
        }
        if self.is_complete() {
            self.suspend(rules::MEL_4, out);
        }
        self.report_length(rules::MEL_20, info.duration, out);
        if self.has_pictures() {
            self.report(rules::MEL_2, EventName::Resize, out);
        }
        self.report(rules::MEL_2, EventName::LoadedMetadata, out);
        if start.is_some() {
            self.seek_by_itself(place, rules::MEL_14, out);
        }
        if self.voice.is_bare() {
            self.queue_step(rules::MEL_3, MediaStep::Data, out);
        } else {
            out.put(rules::MEL_3, Output::Task(Task::Data));
        }
    }

    /// The source cannot be loaded or used, before there were any metadata: code 4. Rule MEL-6.
    pub fn fail_to_load(&mut self, fault: LoadFault, out: &mut Outbox) {
        self.media.network = Network::NoSource;
        self.media.resource = Resource::Nothing;
        self.media.data = Data::default();
        self.report_failure(rules::MEL_6, Failure { fault, code: 4 }, out);
    }

    /// Playback fails: a network failure has code 2, a decoding failure code 3. Rule MEL-7.
    pub fn fail(&mut self, how: MediaFault, out: &mut Outbox) {
        self.stand(out.now());
        self.media.network = Network::Idle;
        self.media.data = Data::default();
        self.media.seek = None;
        let code = if how.is_of_network() { 2 } else { 3 };
        let fault = LoadFault {
            how,
            is_live: self.media.stream.is_some(),
        };
        self.report_failure(rules::MEL_7, Failure { fault, code }, out);
    }

    /// A bare element is paused with events once `error` has been delivered, the element of a
    /// player at once and without any; the player rejects its play requests.
    fn report_failure(&mut self, rule: RuleId, failure: Failure, out: &mut Outbox) {
        self.media.error = Some(failure);
        let Failure { fault, code } = failure;
        let data = |fields: Fields| fields.with("code", code).with("how", fault.how.name());
        self.report_with(rule, EventName::Error, data, out);
        if !self.voice.is_bare() {
            self.hold(out.now());
            return;
        }
        if code == 4 {
            self.settle(Outcome::NotSupported, rule, out);
        }
        self.queue_step(rule, MediaStep::Stop, out);
    }

    /// `error` has been delivered: pauses, unless that has already happened. Rules MEL-6, MEL-7.
    pub(super) fn stop_for_failure(&mut self, out: &mut Outbox) {
        if !self.is_paused {
            let rule = if self.error_code() == Some(4) {
                rules::MEL_6
            } else {
                rules::MEL_7
            };
            self.stop(rule, Some(rule), out);
        }
    }

    /// Withdraws a failure, so that the source can be loaded once more. No effect without a
    /// failure. Rule STOP-7.
    pub fn take_back_failure(&mut self) {
        if self.media.error.is_some() {
            // A live stream is joined anew; until then the position is a start position. TIME-7
            self.reset();
            (self.media.network, self.media.resource) = (Network::NoSource, Resource::Deferred);
        }
    }

    /// Whether the source has yet to be requested.
    pub fn is_deferred(&self) -> bool {
        matches!(self.media.resource, Resource::Deferred)
    }

    /// The load in progress continues with another URL. Rule QUAL-5.
    pub fn take_over(&mut self, source: Arc<str>) {
        self.source = Some(source);
    }

    /// Continues with other media of the same content at the same place, or at the end if they are
    /// shorter.
    ///
    /// Rules QUAL-3, QUAL-5, MEL-20.
    pub fn change(&mut self, source: Arc<str>, info: Arc<MediaInfo>, out: &mut Outbox) {
        let now = out.now();
        let info = info.at(now);
        let position = self.position(now);
        let is_other_length = self.duration() != Some(info.duration);
        self.source = Some(source);
        self.media.resource = Resource::Here(info.clone());
        self.media.stream = info.live.map(|live| match self.media.stream {
            Some(stream) => stream.switched(now, live),
            None => Stream::joined(now, live),
        });
        let place = self.nearest(now, position);
        self.media.head.jump(now, place);
        self.media.data =
            self.media
                .data
                .arriving(now, &info, place, &mut self.rhythm, out.cause());
        // Its first picture is available, and no event announces that. QUAL-7
        self.media.has_shown = true;
        self.media.ready = Ready::Metadata;
        self.raise_silently(now);
        if is_other_length {
            self.report_length(rules::MEL_20, info.duration, out);
        }
        self.report(rules::QUAL_5, EventName::Resize, out);
    }

    pub(super) fn report_length(&self, rule: RuleId, duration: Span, out: &mut Outbox) {
        let data = |fields: Fields| fields.with("duration", duration);
        self.report_with(rule, EventName::DurationChange, data, out);
    }

    /// The URL of what is loaded.
    #[must_use]
    pub fn source(&self) -> Option<&Arc<str>> {
        self.source.as_ref()
    }

    /// The media, if they can be played.
    pub(super) fn info(&self) -> Option<&Arc<MediaInfo>> {
        self.loaded_info().filter(|_| self.media.error.is_none())
    }

    /// The media, even if playing them has failed.
    fn loaded_info(&self) -> Option<&Arc<MediaInfo>> {
        match &self.media.resource {
            Resource::Here(info) => Some(info),
            Resource::Nothing | Resource::Deferred | Resource::Asked(_) => None,
        }
    }

    /// The length, once the metadata have arrived; it remains known after a failure. Rule MEL-20.
    pub fn duration(&self) -> Option<Span> {
        let info = self.loaded_info()?;
        let of_stream = self.media.stream.and_then(Stream::length);
        Some(of_stream.unwrap_or(info.duration))
    }

    /// The length once the metadata have arrived, for placing cues; `Some(None)` is a live stream.
    /// Rule CUE-2.
    pub fn length(&self) -> Option<Option<Span>> {
        self.info()
            .map(|info| info.live.is_none().then_some(info.duration))
    }

    /// Whether its source is loading or loaded.
    pub fn has_media(&self) -> bool {
        self.media.error.is_none()
            && matches!(self.media.resource, Resource::Asked(_) | Resource::Here(_))
    }

    /// Whether the load failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.media.error.is_some()
    }

    /// Why it cannot be played.
    pub fn fault(&self) -> Option<LoadFault> {
        self.media.error.map(|failure| failure.fault)
    }

    /// The code of the element's `error`.
    pub(super) fn error_code(&self) -> Option<u8> {
        self.media.error.map(|failure| failure.code)
    }

    /// Whether it has a picture; a URL with the extension of an audio file does not.
    fn has_pictures(&self) -> bool {
        const SOUND: &[&str] = &[
            "aac", "flac", "m4a", "mp3", "oga", "ogg", "opus", "wav", "weba",
        ];
        let path = self
            .source
            .as_deref()
            .and_then(|url| url.split(['?', '#']).next())
            .unwrap_or_default();
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        !SOUND.iter().any(|sound| ending.eq_ignore_ascii_case(sound))
    }
}
