//! Loading: how a source is chosen, asked for, replaced, and how it fails.
//!
//! Rules: MEL-1, MEL-2, MEL-5 to MEL-7, MEL-14, MEL-20, MEL-23.

use super::requests::Outcome;
use super::supply::STALLED_AFTER;
use super::*;
use crate::api::{Purpose, Request};
use crate::media::Rate;

impl MediaElement {
    /// A source is set, or `load()` called: what was there is given up. Rules MEL-1, MEL-23.
    pub(super) fn begin_load(&mut self, now: Time, out: &mut Outbox) {
        self.requests.settle_all();
        self.load += 1;
        if matches!(self.network, Network::Idle | Network::Loading) {
            self.fire(rule!("MEL-1"), EventName::Abort, out);
        }
        let has_moved = self.head.position(now) > Position::ZERO;
        self.head.stand(now);
        self.head.jump(now, Position::ZERO);
        if self.network != Network::Empty {
            self.fire(rule!("MEL-1"), EventName::Emptied, out);
            if !self.is_paused {
                self.is_paused = true;
                self.requests.abort(rule!("MEL-1"));
            }
            if has_moved {
                self.fire_time_update(now, rule!("MEL-1"), out);
            }
        }
        if self.head.rate() != Rate::NORMAL {
            self.head.set_rate(now, Rate::NORMAL);
            self.fire(rule!("MEL-1"), EventName::RateChange, out);
        }
        self.ready = Ready::Nothing;
        self.has_shown = false;
        self.resource = Resource::Nothing;
        self.seek = None;
        self.error = None;
        self.attributes.may_autoplay = true;
        self.begin_choice(now, out);
    }

    /// The source is chosen once the scripts of this instant have run. Rule MEL-2.
    pub(super) fn begin_choice(&mut self, now: Time, out: &Outbox) {
        self.network = Network::NoSource;
        self.choice = Some((now, out.cause()));
    }

    /// Chooses the source and begins to load it. Rule MEL-2.
    pub(super) fn choose(&mut self, now: Time, out: &mut Outbox) {
        let Some(source) = self.attributes.content.source.clone() else {
            self.network = Network::Empty;
            return;
        };
        self.attributes.current_source = source.clone();
        self.network = Network::Loading;
        self.fire(rule!("MEL-2"), EventName::LoadStart, out);
        if source.is_empty() {
            self.fail_to_load(now, out);
        } else if self.attributes.defers(self.settings.requires_gesture) {
            self.network = Network::Idle;
            self.fire(rule!("MEL-4"), EventName::Suspend, out);
            self.resource = Resource::Deferred(source);
        } else {
            self.ask(now, source, out);
        }
    }

    /// Asks for a source that was put off until somebody wants it.
    pub(super) fn ask_deferred(&mut self, now: Time, out: &mut Outbox) {
        if let Resource::Deferred(source) = &self.resource {
            let source = source.clone();
            self.network = Network::Loading;
            self.ask(now, source, out);
        }
    }

    fn ask(&mut self, now: Time, url: Arc<str>, out: &mut Outbox) {
        let request = out.next_request();
        let fetch = Request { id: request, url, purpose: Purpose::Media, hop: None, wp: None, pod: None };
        self.supplied = out.put(rule!("MEL-2"), Output::Fetch(fetch));
        self.resource = Resource::Asked { request, stalled_at: Some(now + STALLED_AFTER) };
    }

    /// Takes the answer to its load. Rules MEL-2, MEL-6, MEL-20.
    pub(super) fn loaded(
        &mut self,
        now: Time,
        request: RequestId,
        answer: Result<Arc<MediaInfo>, MediaFault>,
        out: &mut Outbox,
    ) {
        if !self.awaits(request) {
            return;
        }
        let Ok(info) = answer else { return self.fail_to_load(now, out) };
        self.supplied = out.cause();
        let media = Media::new(now, info, self.start);
        self.resource = Resource::Here(Box::new(media));
        if self.is_complete() {
            self.network = Network::Idle;
            self.fire(rule!("MEL-4"), EventName::Suspend, out);
        }
        self.enter_metadata(now, out);
        self.queue_step(rule!("MEL-3"), MediaStep::Data, out);
    }

    /// The source cannot be had or used, and nothing was known of it. Rule MEL-6.
    fn fail_to_load(&mut self, now: Time, out: &mut Outbox) {
        self.network = Network::NoSource;
        self.resource = Resource::Nothing;
        self.error = Some(4);
        self.fire(rule!("MEL-6"), EventName::Error, out);
        self.schedule(Outcome::NotSupported, rule!("MEL-6"), out);
        self.stop_for_failure(now, rule!("MEL-6"), out);
    }

    /// Playing fails: network is code 2, decoding code 3. Rule MEL-7.
    pub(super) fn fail(&mut self, now: Time, fault: MediaFault, out: &mut Outbox) {
        self.error = Some(match fault {
            MediaFault::Network | MediaFault::NotFound | MediaFault::NotRunning => 2,
            MediaFault::Decode | MediaFault::Unsupported => 3,
        });
        self.network = Network::Idle;
        self.fire(rule!("MEL-7"), EventName::Error, out);
        self.stop_for_failure(now, rule!("MEL-7"), out);
    }

    /// What has failed is paused. Rules MEL-6, MEL-7.
    fn stop_for_failure(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        if !self.is_paused {
            self.stop(now, rule, out);
        }
    }
}
