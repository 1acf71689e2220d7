//! Renditions: which one is in use, and changing it.
//!
//! A change loads the other rendition while the current one plays on. Once its first picture could
//! be shown, it takes over at the current position. If it cannot be loaded, the current one stays
//! in use.
//!
//! Rules: QUAL-1 to QUAL-16, EV-2, CON-12.

use std::sync::Arc;

use super::playlist::Record;
use crate::Player;
use crate::api::calls::bad_argument;
use crate::state::State;
use playsim_api::media::{MediaFault, MediaInfo};
use playsim_api::video::{Rendition, Video};
use playsim_api::{
    ApiError, Cause, Code, EventName, Outbox, Output, Purpose, Request, RequestId, Value,
};
use playsim_base::time::{Position, Time};
use playsim_base::words;
use playsim_rules::{self as rules, RuleId};

/// The rendition in use, and the one to change to.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Quality {
    /// The renditions that the account's plan allows; `None`: all. Rule QUAL-4.
    plan: Option<Vec<Rendition>>,
    /// The last choice; an item that has this rendition begins with it. Rules QUAL-12, QUAL-13.
    choice: Option<Rendition>,
    /// The rendition in the media element.
    in_use: Option<Rendition>,
    /// A change in progress.
    change: Option<Change>,
}

/// A change of rendition in progress.
#[derive(Debug, Clone, Hash)]
struct Change {
    to: Rendition,
    source: Arc<str>,
    stage: Stage,
}

/// The progress of a change.
#[derive(Debug, Clone, Hash)]
enum Stage {
    /// Its media has been requested.
    Loading(RequestId),
    /// Its first picture will be there at the given time; the cause is the response with the media.
    Preparing(Arc<MediaInfo>, Time, Cause),
}

impl Quality {
    pub(crate) fn new(plan: Option<Vec<Rendition>>) -> Quality {
        Quality {
            plan,
            choice: None,
            in_use: None,
            change: None,
        }
    }

    /// Whether the rendition in use is `hd` or better. Rule QUAL-10.
    pub(crate) fn is_hd(&self) -> bool {
        self.in_use
            .is_some_and(|rendition| rendition >= Rendition::Hd)
    }

    /// Whether the account's plan allows a rendition. Rule QUAL-4.
    fn allows(&self, rendition: Rendition) -> bool {
        self.plan
            .as_ref()
            .is_none_or(|plan| plan.contains(&rendition))
    }

    /// The rendition that an item begins with, and its URL; `None` if it has none that can be
    /// played.
    ///
    /// Rules QUAL-2, QUAL-4, QUAL-11, QUAL-13.
    pub(super) fn first(&self, video: &Video) -> Option<(Rendition, Arc<str>)> {
        let allowed = || {
            video
                .renditions
                .iter()
                .filter(|(rendition, _)| self.allows(*rendition))
        };
        let chosen = || allowed().find(|(rendition, _)| self.choice == Some(*rendition));
        let best_below_hd = || {
            allowed()
                .filter(|(rendition, _)| *rendition < Rendition::Hd)
                .max_by_key(|(rendition, _)| *rendition)
        };
        let lowest = || allowed().min_by_key(|(rendition, _)| *rendition);
        chosen().or_else(best_below_hd).or_else(lowest).cloned()
    }

    /// An item is loaded in a rendition; a change in the previous item is cancelled.
    pub(super) fn begin(&mut self, rendition: Option<Rendition>) {
        self.in_use = rendition;
        self.change = None;
    }

    #[inline]
    fn due(&self) -> Option<Time> {
        match &self.change {
            Some(Change {
                stage: Stage::Preparing(_, at, _),
                ..
            }) => Some(*at),
            Some(Change {
                stage: Stage::Loading(_),
                ..
            })
            | None => None,
        }
    }

    fn awaits(&self, id: RequestId) -> bool {
        matches!(&self.change, Some(Change { stage: Stage::Loading(waiting), .. }) if *waiting == id)
    }
}

impl Player {
    /// `setHD(toggle)`. Rules QUAL-8, QUAL-9.
    pub(crate) fn set_hd(
        &mut self,
        toggle: Option<&Value>,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let Some(is_hd) = toggle.and_then(Value::as_bool) else {
            return Err(bad_argument(
                rules::QUAL_9,
                "setHD",
                toggle,
                "true or false",
                None,
            ));
        };
        if self
            .items
            .playlist
            .video()
            .is_some_and(|video| video.address(Rendition::Hd).is_none())
        {
            out.decide(rules::QUAL_8);
            out.diag(
                rules::QUAL_8,
                Code::NoHd,
                "the item has no hd rendition, so setHD() changes nothing",
            );
            return Ok(Value::Undefined);
        }
        self.choose(
            if is_hd { Rendition::Hd } else { Rendition::Sd },
            rules::QUAL_8,
            out,
        );
        Ok(Value::Undefined)
    }

    /// `setVideoSource(rendition)`. Rules QUAL-1, QUAL-3.
    pub(crate) fn set_video_source(
        &mut self,
        rendition: Option<&Value>,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let word = rendition.and_then(Value::as_text);
        let Some(to) = word.and_then(|word| word.parse::<Rendition>().ok()) else {
            let words = Rendition::ALL.iter().map(|rendition| rendition.name());
            let meant = word.and_then(|word| words::nearest(word, words));
            let due = "ld, sd, hsd, hd or fhd";
            return Err(bad_argument(
                rules::QUAL_1,
                "setVideoSource",
                rendition,
                due,
                meant,
            ));
        };
        self.choose(to, rules::QUAL_3, out);
        Ok(Value::Undefined)
    }

    /// Chooses a rendition; `rule` is that of the call. Rules QUAL-3 to QUAL-6, QUAL-12, QUAL-14.
    fn choose(&mut self, to: Rendition, rule: RuleId, out: &mut Outbox) {
        let source = match self.items.playlist.current().map(|item| &item.record) {
            Some(Record::Known(video)) => video.address(to).cloned(),
            None => None,
            Some(Record::Pending(_) | Record::Missing | Record::Stopped) => {
                // Which renditions the item has is known once its record arrives. QUAL-12
                out.decide(rules::QUAL_12);
                self.items.quality.choice = Some(to);
                return;
            }
        };
        let Some(source) = source else {
            out.decide(rules::QUAL_4);
            out.diag(
                rules::QUAL_4,
                Code::NoRendition,
                format!("the item has no rendition {}", to.name()),
            );
            return;
        };
        if !self.items.quality.allows(to) {
            out.decide(rules::QUAL_4);
            let text = format!("the account's plan does not allow rendition {}", to.name());
            out.diag(rules::QUAL_4, Code::PlanLimit, text);
            return;
        }
        self.items.quality.choice = Some(to);
        if self
            .items
            .quality
            .change
            .as_ref()
            .is_some_and(|change| change.to == to)
        {
            out.decide(rules::QUAL_6);
            return;
        }
        let replaces = self.items.quality.change.take().is_some();
        if self.items.quality.in_use == Some(to) {
            out.decide(if replaces {
                rules::QUAL_6
            } else {
                rules::QUAL_5
            });
        } else if matches!(self.state, State::Failed) || !self.element.has_media() {
            out.decide(rules::QUAL_12);
        } else if matches!(self.state, State::Initial) && self.element.duration().is_none() {
            out.decide(rules::QUAL_12);
            self.load_again(out);
        } else {
            let is_break = matches!(self.state, State::Held(_));
            out.decide(match (replaces, is_break) {
                (true, _) => rules::QUAL_6,
                (false, true) => rules::QUAL_14,
                (false, false) => rule,
            });
            let id = out.next_request();
            let (url, purpose) = (source.clone(), Purpose::Media);
            let request = Request {
                id,
                url,
                purpose,
                hop: None,
                wp: None,
                pod: None,
                in_break: None,
            };
            out.put(rules::QUAL_3, Output::Fetch(request));
            self.items.quality.change = Some(Change {
                to,
                source,
                stage: Stage::Loading(id),
            });
        }
    }

    /// Whether a change can still be completed: not after a failure. Rule QUAL-12.
    fn can_change(&self) -> bool {
        self.element.has_media() && !matches!(self.state, State::Failed)
    }

    /// Whether a change waits for the response to this request.
    pub(crate) fn changes_with(&self, id: RequestId) -> bool {
        self.items.quality.awaits(id) && self.can_change()
    }

    /// When a change of rendition will be complete, if that is known.
    pub(super) fn change_due(&self) -> Option<Time> {
        self.items.quality.due().filter(|_| self.can_change())
    }

    /// Whether a change is due to be completed by now.
    #[inline]
    pub(super) fn change_is_due(&self, now: Time) -> bool {
        self.items.quality.due().is_some_and(|at| at <= now) && self.can_change()
    }

    /// The response to the request for the media of a change. Rule QUAL-5.
    pub(super) fn rendition_loaded(
        &mut self,
        answer: Result<Arc<MediaInfo>, MediaFault>,
        out: &mut Outbox,
    ) {
        let now = out.now();
        match answer {
            Ok(info) => {
                let at = now + info.switch_after;
                if let Some(change) = &mut self.items.quality.change {
                    change.stage = Stage::Preparing(info, at, out.cause());
                }
                if at == now {
                    self.change_rendition(out);
                } else {
                    self.find_next_mark(now);
                }
            }
            Err(fault) => {
                let Some(change) = self.items.quality.change.take() else {
                    return;
                };
                self.items.quality.choice = self.items.quality.in_use;
                let text = format!(
                    "rendition {} cannot be played: {}; the current one stays in use",
                    change.to.name(),
                    fault.name()
                );
                out.diag(rules::QUAL_5, Code::RenditionFailed, text);
            }
        }
    }

    /// The other rendition takes over. Rules QUAL-5, QUAL-16.
    pub(super) fn change_rendition(&mut self, out: &mut Outbox) {
        let now = out.now();
        let Some(Change {
            to,
            source,
            stage: Stage::Preparing(info, _, cause),
        }) = self.items.quality.change.take()
        else {
            return;
        };
        out.set_cause(cause);
        self.items.quality.in_use = Some(to);
        if self.element.duration().is_none() {
            // It is ready before the rendition that was requested first: it brings the item's
            // metadata.
            self.element.take_over(source);
            self.metadata(info, out);
            out.event(rules::QUAL_5, EventName::QualityChange);
            return;
        }
        self.element.change(source, info, out);
        if let Some(duration) = self.element.duration() {
            self.items.chapters.fit(duration, out);
        }
        let plays_on = self.fire_reload_events(out);
        out.event(rules::QUAL_5, EventName::QualityChange);
        if plays_on {
            out.event(rules::QUAL_7, EventName::Play);
        }
        if let Some(seek) = self.element.seek_with_data(now) {
            self.seeked(seek, out);
        } else if matches!(self.state, State::Buffering) && self.element.can_begin(out) {
            self.run(out);
        } else if matches!(self.state, State::Playing) && !self.element.has_data() {
            // Data of the other rendition have yet to arrive. MEL-17
            self.wait(rules::MEL_17, rules::MEL_17, out);
        } else {
            self.find_next_mark(now);
        }
    }

    /// Discards the loaded rendition.
    pub(super) fn unload(&mut self, out: &mut Outbox) {
        self.items.quality.begin(None);
        self.element.unload(out);
    }

    /// Loads a video's media; returns `false`, changing nothing, if it has none or must not be
    /// played.
    pub(super) fn load(&mut self, video: &Video, out: &mut Outbox) -> bool {
        if !self.items.may_load(&self.settings.page, video, out) {
            return false;
        }
        let Some((rendition, source)) = self.items.quality.first(video) else {
            let text = if video.renditions.is_empty() {
                format!(
                    "the record of \"{}\" has no rendition that can be played",
                    video.id
                )
            } else {
                match &*video.id {
                    "" => "the account's plan does not allow this source".to_owned(),
                    id => format!("the account's plan allows no rendition of video \"{id}\""),
                }
            };
            out.diag(rules::INIT_15, Code::NoSource, text);
            return false;
        };
        self.items.quality.begin(Some(rendition));
        self.element.load(source, out);
        true
    }

    /// Loads the item in use anew, in the rendition that is now its first; it starts at the same
    /// position as before.
    ///
    /// Rules QUAL-12, STOP-7.
    pub(super) fn load_again(&mut self, out: &mut Outbox) {
        let now = out.now();
        let Some(video) = self.items.playlist.video().cloned() else {
            return;
        };
        let start = self.element.position(now);
        if self.load(&video, out) {
            self.element.place(now, start);
        }
    }

    /// Fires the events that a new source in the same element would cause, with knob
    /// `quality.reload_events`. Returns whether `play` has to follow. During an ad page code sees
    /// nothing of the content's progress. Rules QUAL-7, BRK-16.
    fn fire_reload_events(&mut self, out: &mut Outbox) -> bool {
        let now = out.now();
        if !self.settings.knobs.quality_reload_events().is_on() {
            return false;
        }
        let plays = matches!(self.state, State::Playing | State::Buffering);
        if plays {
            self.element.update_time(rules::MEL_10, out);
            out.event(rules::QUAL_7, EventName::Pause);
        }
        out.event(rules::QUAL_7, EventName::LoadedMetadata);
        let is_ad = self.state.is_ad();
        if !is_ad && self.element.position(now) > Position::ZERO {
            self.element.update_time(rules::MEL_13, out);
            out.event(rules::QUAL_7, EventName::Seeked);
        }
        if matches!(self.state, State::Playing) {
            // As after any pause and seek. MEL-15
            self.element.restart_updates(now);
        }
        plays
    }
}
