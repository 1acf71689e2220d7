//! Loading: when a source is chosen and requested, and what a failure leads to.
//!
//! Rules: MEL-1, MEL-2, MEL-4, MEL-6, MEL-7, MEL-23.

use super::*;
use crate::api::{Output, Task};
use crate::media::LoadFault;

impl MediaElement {
    /// Begins a load, for a new source or by `load()`: the current media are given up. Rules MEL-1, MEL-23.
    pub(super) fn begin_load(&mut self, now: Time, out: &mut Outbox) {
        self.requests.settle_all();
        self.finishing = None;
        if self.engine.empty(now, out) && !self.is_paused {
            (self.is_paused, self.waits_since) = (true, None);
            self.requests.abort(rules::MEL_1);
        }
        self.attributes.may_autoplay = true;
        self.begin_choice(now, out);
    }

    /// Has the source chosen once the scripts of this instant have run. Rule MEL-2.
    pub(super) fn begin_choice(&mut self, now: Time, out: &Outbox) {
        self.engine.network = Network::NoSource;
        self.choice = Some((now, out.cause()));
    }

    /// The current script has run to its end: whether there is a source is settled now, and the network state
    /// says so in every task that the script has queued. Rule MEL-2.
    pub(super) fn settle_source(&mut self) {
        if self.choice.is_none() {
            return;
        }
        if self.attributes.content.source.is_some() {
            self.engine.network = Network::Loading;
        } else {
            self.engine.network = Network::Empty;
            self.choice = None;
        }
    }

    /// Chooses the source and begins to load it. Rule MEL-2.
    pub(super) fn choose(&mut self, now: Time, out: &mut Outbox) {
        let Some(source) = self.attributes.content.source.clone() else {
            self.engine.network = Network::Empty;
            return;
        };
        let is_empty = source.is_empty();
        self.engine.choose(now, source, out);
        if is_empty {
            self.fail_to_load(now, MediaFault::Unsupported.into(), out);
        } else if self.attributes.defers(self.requires_gesture) {
            self.engine.defer(now, out);
        } else {
            self.engine.ask(now, out);
        }
    }

    /// Playback is wanted: loads what was put off. Rule MEL-4.
    pub(super) fn want_data(&mut self, now: Time, out: &mut Outbox) {
        self.attributes.is_wanted = true;
        if self.engine.is_deferred() {
            self.engine.ask(now, out);
        }
        self.engine.resume(now, out);
    }

    /// Takes the response to its load. Rules MEL-2, MEL-3, MEL-6, MEL-14.
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
        match answer {
            Ok(info) => self.take_metadata(now, info, out),
            Err(fault) => self.fail_to_load(now, fault.into(), out),
        }
    }

    /// The metadata have arrived. Rules MEL-2, MEL-3, MEL-14, EV-36.
    pub(crate) fn take_metadata(&mut self, now: Time, info: Arc<MediaInfo>, out: &mut Outbox) {
        if let Some(start) = self.engine.loaded(now, info, out) {
            self.seek_by_itself(now, start, rules::MEL_14, out);
        }
        if self.engine.voice.is_bare() {
            self.queue_step(rules::MEL_3, MediaStep::Data, out);
        } else {
            out.put(rules::MEL_3, Output::Task(Task::Data));
        }
    }

    /// The source cannot be loaded or used, before there were any metadata. Rule MEL-6.
    pub(crate) fn fail_to_load(&mut self, now: Time, fault: LoadFault, out: &mut Outbox) {
        self.engine.fail_to_load(now, fault, out);
        if self.engine.voice.is_bare() {
            self.settle(Outcome::NotSupported, rules::MEL_6, out);
        }
        self.follow_failure(now, rules::MEL_6, out);
    }

    /// Playback fails. Rule MEL-7.
    pub(crate) fn fail(&mut self, now: Time, fault: MediaFault, out: &mut Outbox) {
        self.engine.fail(now, fault, out);
        self.follow_failure(now, rules::MEL_7, out);
    }

    /// A bare element is paused with events once `error` has been delivered, the element of a player at once
    /// and without any.
    fn follow_failure(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        if self.engine.voice.is_bare() {
            self.queue_step(rule, MediaStep::Stop, out);
        } else {
            self.hold(now);
        }
    }

    /// `error` has been delivered: pauses, unless that has already happened. Rules MEL-6, MEL-7.
    pub(super) fn stop_for_failure(&mut self, now: Time, out: &mut Outbox) {
        if !self.is_paused {
            let rule = if self.engine.error_code() == Some(4) { rules::MEL_6 } else { rules::MEL_7 };
            self.stop(now, rule, Some(rule), out);
        }
    }
}
