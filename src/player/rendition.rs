//! Renditions: which one is in use, and changing it.
//!
//! A change loads the other rendition beside the one in use, which plays on meanwhile. Once its first picture
//! could be shown it takes over where the content stands. If it cannot be had, the one in use stays.
//!
//! Rules: QUAL-1 to QUAL-16, EV-2, CON-12.

use super::calls::bad_argument;
use super::*;
use crate::api::Cause;
use crate::media::{MediaFault, MediaInfo};
use crate::video::Video;
use crate::words;

/// Which rendition is in use, and which is to be.
#[derive(Debug, Clone, Default)]
pub(super) struct Quality {
    /// What was chosen last; an item that has it begins with it. Rules QUAL-12, QUAL-13.
    choice: Option<Rendition>,
    /// The one that the media element has.
    in_use: Option<Rendition>,
    /// A change that is not done.
    change: Option<Change>,
}

/// A change of rendition under way.
#[derive(Debug, Clone)]
struct Change {
    to: Rendition,
    source: Arc<str>,
    stage: Stage,
}

/// How far a change has come.
#[derive(Debug, Clone)]
enum Stage {
    /// Its media was asked for.
    Loading(RequestId),
    /// Its first picture is there at a time; the line is the answer that led to it.
    Preparing(Arc<MediaInfo>, Time, Cause),
}

impl Quality {
    /// An item is loaded in a rendition; a change of the one before is called off.
    pub(super) fn begin(&mut self, rendition: Option<Rendition>) {
        self.in_use = rendition;
        self.change = None;
    }

    #[inline]
    fn due(&self) -> Option<Time> {
        match &self.change {
            Some(Change { stage: Stage::Preparing(_, at, _), .. }) => Some(*at),
            Some(Change { stage: Stage::Loading(_), .. }) | None => None,
        }
    }

    fn awaits(&self, id: RequestId) -> bool {
        matches!(&self.change, Some(Change { stage: Stage::Loading(waiting), .. }) if *waiting == id)
    }
}

impl Player {
    /// Rule QUAL-10.
    pub(super) fn is_hd(&self) -> bool {
        self.quality.in_use.is_some_and(|rendition| rendition >= Rendition::Hd)
    }

    /// `setHD(toggle)`. Rules QUAL-8, QUAL-9.
    pub(super) fn set_hd(
        &mut self,
        now: Time,
        toggle: Option<&Value>,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let Some(is_hd) = toggle.and_then(Value::as_bool) else {
            return Err(bad_argument(rule!("QUAL-9"), "setHD", toggle, "true or false", None));
        };
        if self.playlist.video().is_some_and(|video| video.address(Rendition::Hd).is_none()) {
            out.decide(rule!("QUAL-8"));
            out.diag(rule!("QUAL-8"), "no_hd", "the item has no hd rendition, and setHD changes nothing");
            return Ok(Value::Undefined);
        }
        self.choose(now, if is_hd { Rendition::Hd } else { Rendition::Sd }, rule!("QUAL-8"), out);
        Ok(Value::Undefined)
    }

    /// `setVideoSource(rendition)`. Rules QUAL-1, QUAL-3.
    pub(super) fn set_video_source(
        &mut self,
        now: Time,
        rendition: Option<&Value>,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let word = rendition.and_then(Value::as_text);
        let Some(to) = word.and_then(|word| Rendition::read(word)) else {
            let words = Rendition::ALL.iter().map(|rendition| rendition.word());
            let meant = word.and_then(|word| words::nearest(word, words));
            let due = "ld, sd, hsd, hd or fhd";
            return Err(bad_argument(rule!("QUAL-1"), "setVideoSource", rendition, due, meant));
        };
        self.choose(now, to, rule!("QUAL-3"), out);
        Ok(Value::Undefined)
    }

    /// Chooses a rendition; `rule` is the call's own. Rules QUAL-3 to QUAL-6, QUAL-12, QUAL-14.
    fn choose(&mut self, now: Time, to: Rendition, rule: RuleId, out: &mut Outbox) {
        let source = match self.playlist.current().map(|item| &item.record) {
            Some(Record::Known(video)) => video.address(to).cloned(),
            None => None,
            Some(Record::Pending(_) | Record::Missing | Record::Stopped) => {
                // What the item has is seen when its record is there. QUAL-12
                out.decide(rule!("QUAL-12"));
                self.quality.choice = Some(to);
                return;
            }
        };
        let Some(source) = source else {
            out.decide(rule!("QUAL-4"));
            out.diag(rule!("QUAL-4"), "no_rendition", format!("the item has no rendition {}", to.word()));
            return;
        };
        if !self.allows(to) {
            out.decide(rule!("QUAL-4"));
            let text = format!("the account's plan does not allow rendition {}", to.word());
            out.diag(rule!("QUAL-4"), "plan_limit", text);
            return;
        }
        self.quality.choice = Some(to);
        if self.quality.change.as_ref().is_some_and(|change| change.to == to) {
            out.decide(rule!("QUAL-6"));
            return;
        }
        let replaces = self.quality.change.take().is_some();
        if self.quality.in_use == Some(to) {
            out.decide(if replaces { rule!("QUAL-6") } else { rule!("QUAL-5") });
        } else if matches!(self.state, State::Failed) || !self.element.has_media() {
            out.decide(rule!("QUAL-12"));
        } else if matches!(self.state, State::Initial) && self.element.duration().is_none() {
            out.decide(rule!("QUAL-12"));
            self.load_again(now, out);
        } else {
            let is_break =
                matches!(self.state, State::AdLoading(_) | State::AdPlaying(_) | State::AdPaused(_));
            out.decide(match (replaces, is_break) {
                (true, _) => rule!("QUAL-6"),
                (false, true) => rule!("QUAL-14"),
                (false, false) => rule,
            });
            let id = out.next_request();
            let (url, purpose) = (source.clone(), Purpose::Media);
            let request = Request { id, url, purpose, hop: None, wp: None, pod: None };
            out.put(rule!("QUAL-3"), Output::Fetch(request));
            self.quality.change = Some(Change { to, source, stage: Stage::Loading(id) });
        }
    }

    /// Whether the account's plan allows a rendition. Rule QUAL-4.
    pub(super) fn allows(&self, rendition: Rendition) -> bool {
        self.settings.plan.as_ref().is_none_or(|plan| plan.contains(&rendition))
    }

    /// The rendition that an item begins with, and its address; `None`: it has none that could be played.
    ///
    /// Rules QUAL-2, QUAL-4, QUAL-11, QUAL-13.
    pub(super) fn first_rendition(&self, video: &Video) -> Option<(Rendition, Arc<str>)> {
        let allowed = || video.renditions.iter().filter(|(rendition, _)| self.allows(*rendition));
        let chosen = || allowed().find(|(rendition, _)| self.quality.choice == Some(*rendition));
        let best_below_hd = || {
            allowed()
                .filter(|(rendition, _)| *rendition < Rendition::Hd)
                .max_by_key(|(rendition, _)| *rendition)
        };
        let lowest = || allowed().min_by_key(|(rendition, _)| *rendition);
        chosen().or_else(best_below_hd).or_else(lowest).cloned()
    }

    /// Whether a change can come to its end: what failed meanwhile needs none. Rule QUAL-12.
    fn can_change(&self) -> bool {
        self.element.has_media() && !matches!(self.state, State::Failed)
    }

    /// Whether a change waits for this answer.
    pub(super) fn changes_with(&self, id: RequestId) -> bool {
        self.quality.awaits(id) && self.can_change()
    }

    /// When a change of rendition is done, if that is known.
    pub(super) fn change_due(&self) -> Option<Time> {
        self.quality.due().filter(|_| self.can_change())
    }

    /// Whether a change is done by now.
    #[inline]
    pub(super) fn change_is_due(&self, now: Time) -> bool {
        self.quality.due().is_some_and(|at| at <= now) && self.can_change()
    }

    /// The media of a change was answered. Rule QUAL-5.
    pub(super) fn rendition_loaded(
        &mut self,
        now: Time,
        answer: Result<Arc<MediaInfo>, MediaFault>,
        out: &mut Outbox,
    ) {
        match answer {
            Ok(info) => {
                let at = now + info.switch_after;
                if let Some(change) = &mut self.quality.change {
                    change.stage = Stage::Preparing(info, at, out.cause());
                }
                if at == now {
                    self.change_rendition(now, out);
                } else {
                    self.find_next_mark(now);
                }
            }
            Err(fault) => {
                let Some(change) = self.quality.change.take() else { return };
                self.quality.choice = self.quality.in_use;
                let text = format!(
                    "rendition {} cannot be played: {}; nothing changes",
                    change.to.word(),
                    fault.word()
                );
                out.diag(rule!("QUAL-5"), "rendition_failed", text);
            }
        }
    }

    /// The other rendition takes over: its time has come. Rules QUAL-5, QUAL-16.
    pub(super) fn change_rendition(&mut self, now: Time, out: &mut Outbox) {
        let Some(Change { to, source, stage: Stage::Preparing(info, _, cause) }) = self.quality.change.take()
        else {
            return;
        };
        out.blame(cause);
        self.quality.in_use = Some(to);
        if self.element.duration().is_none() {
            // It is there before the one that was asked for first: with it come the item's metadata.
            self.element.take_over(source);
            self.metadata(now, info, out);
            out.event(rule!("QUAL-5"), EventName::QualityChange);
            return;
        }
        self.element.change(now, source, info, out);
        if let Some(duration) = self.element.duration() {
            self.chapters.fit(duration, out);
        }
        let plays_on = self.tell_reload(now, out);
        out.event(rule!("QUAL-5"), EventName::QualityChange);
        if plays_on {
            out.event(rule!("QUAL-7"), EventName::Play);
        }
        if let Some(seek) = self.element.seek_with_data(now) {
            self.seeked(now, seek, out);
        } else if matches!(self.state, State::Buffering) && self.element.has_data() {
            self.run(now, out);
        } else if matches!(self.state, State::Playing(_)) && !self.element.has_data() {
            // The other rendition's data have yet to come. MEL-17
            self.element.stand(now);
            self.enter(State::Buffering, rule!("MEL-17"), out);
            self.element.note(now, rule!("MEL-17"), EventName::Waiting, out);
        } else {
            self.find_next_mark(now);
        }
    }

    /// Lets go of what is loaded.
    pub(super) fn unload(&mut self, now: Time, out: &mut Outbox) {
        self.quality.begin(None);
        self.element.give_up(now, out);
    }

    /// Loads a video's media; `false`, and nothing changes, if it has none or must not be played.
    pub(super) fn load(&mut self, now: Time, video: &Video, out: &mut Outbox) -> bool {
        if !self.may_load(now, video, out) {
            return false;
        }
        let Some((rendition, source)) = self.first_rendition(video) else {
            let text = if video.renditions.is_empty() {
                format!("the record of \"{}\" has no rendition that could be played", video.id)
            } else {
                match &*video.id {
                    "" => "the account's plan allows no rendition of this address".to_owned(),
                    id => format!("the account's plan allows no rendition of \"{id}\""),
                }
            };
            out.diag(rule!("INIT-15"), "no_source", text);
            return false;
        };
        self.quality.begin(Some(rendition));
        self.element.load(now, source, out);
        true
    }

    /// The item in use is loaded anew, in the rendition that is due now; it starts where it was to start.
    ///
    /// Rules QUAL-12, STOP-7.
    pub(super) fn load_again(&mut self, now: Time, out: &mut Outbox) {
        let Some(video) = self.playlist.video().cloned() else { return };
        let start = self.element.position(now);
        if self.load(now, &video, out) {
            self.element.place(now, start);
        }
    }

    /// What a new source in the same element would bring with it, where that is to be seen. Tells whether
    /// `play` is to follow. During an ad page code sees nothing of the content's course. Rules QUAL-7, BRK-16.
    fn tell_reload(&mut self, now: Time, out: &mut Outbox) -> bool {
        if !self.settings.knobs.quality_reload_events.is_on() {
            return false;
        }
        let plays = matches!(self.state, State::Playing(_) | State::Buffering);
        if plays {
            self.update_time(now, rule!("MEL-10"), out);
            out.event(rule!("QUAL-7"), EventName::Pause);
        }
        out.event(rule!("QUAL-7"), EventName::LoadedMetadata);
        let is_ad = self.state.is_ad();
        if !is_ad && self.element.position(now) > Position::ZERO {
            self.update_time(now, rule!("MEL-13"), out);
            out.event(rule!("QUAL-7"), EventName::Seeked);
        }
        if let State::Playing(ticking) = &mut self.state {
            // As after any pause and seek. MEL-15
            ticking.next_update = now + self.settings.knobs.timeupdate_period;
        }
        plays
    }
}
