//! Seeking: when a seek begins and ends.
//!
//! The position changes immediately when a seek begins; the seek is over when its data have
//! arrived. Until then the ready state falls back to metadata, because a browser drops the current
//! picture. A seek with available data finishes later at the same instant: that of a bare element
//! once the scripts of that instant have run, one that is requested from a player in a task.
//!
//! Rules: MEL-12 to MEL-14, MEL-16, MEL-24, TIME-5, TIME-10, TIME-11, LIVE-3, BRK-16.

use super::MediaElement;
use super::data::Ready;
use super::reports::Voice;
use playsim_api::{EventName, Outbox, Output, Task};
use playsim_base::time::{Position, Time};
use playsim_rules::{self as rules, RuleId};

/// A seek that waits for its data.
#[derive(Debug, Clone, Copy, Hash)]
pub(super) struct Seek {
    /// Distinguishes it from the seeks that it replaced.
    number: u32,
    /// Whether it waits for something other than data: scripts of this instant, or the end of an
    /// ad.
    pub(super) is_held: bool,
    end: SeekEnd,
}

/// How the end of a seek is reported. Rules MEL-13, TIME-5, TIME-11.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SeekEnd {
    /// By a time update and `seeked`, which has this rule.
    Announced(RuleId),
    /// By a time update; page code does not see `seeked`.
    Internal,
    /// Page code sees neither, as the player moves the position on its own. The rule is the reason.
    Silent(RuleId),
}

impl MediaElement {
    /// `currentTime` is set. Rules MEL-13, MEL-14.
    pub(super) fn set_current_time(&mut self, target: Position, out: &mut Outbox) {
        if self.media.ready == Ready::Nothing {
            out.decide(rules::MEL_14);
            self.place(out.now(), target);
        } else {
            out.decide(rules::MEL_13);
            self.seek(
                target,
                rules::MEL_13,
                SeekEnd::Announced(rules::MEL_13),
                out,
            );
        }
    }

    /// Moves the position without a request to do so; page code of a player does not see that.
    /// Rules MEL-12, MEL-14, TIME-11.
    pub fn seek_by_itself(&mut self, target: Position, rule: RuleId, out: &mut Outbox) {
        let is_bare = self.voice.is_bare();
        let end = if is_bare {
            SeekEnd::Announced(rules::MEL_13)
        } else {
            SeekEnd::Silent(rule)
        };
        self.seek(target, rule, end, out);
    }

    /// Seeks to the nearest possible position; a seek in progress is replaced. Rule MEL-13.
    pub fn seek(&mut self, target: Position, rule: RuleId, end: SeekEnd, out: &mut Outbox) {
        let now = out.now();
        let was_playing = self.is_potentially_playing(now);
        self.finishing = None;
        self.begin_seek(target, was_playing, rule, end, out);
        let has_data = self.find_seek_data(out);
        if !self.is_paused && !has_data {
            self.waits_since.get_or_insert(now);
        }
    }

    /// Begins a seek to the nearest possible position.
    fn begin_seek(
        &mut self,
        target: Position,
        was_playing: bool,
        rule: RuleId,
        end: SeekEnd,
        out: &mut Outbox,
    ) {
        let now = out.now();
        let target = self.nearest(now, target);
        self.media.head.stand(now);
        self.media.head.jump(now, target);
        self.schedule.stop();
        let seeking = self.report(rule, EventName::Seeking, out);
        self.media.data.aim(now, target, seeking);
        self.settle_network();
        if was_playing {
            self.report(rule, EventName::Waiting, out);
        }
        self.media.ready = self.media.ready.min(Ready::Metadata);
        self.seeks += 1;
        self.media.seek = Some(Seek {
            number: self.seeks,
            is_held: false,
            end,
        });
    }

    /// The nearest position that can be sought to. Rules MEL-13, TIME-4, LIVE-3.
    pub fn nearest(&self, now: Time, target: Position) -> Position {
        match (self.media.stream, self.end()) {
            (Some(stream), _) => stream.nearest(now, target),
            (None, Some(end)) => target.min(end),
            (None, None) => target,
        }
    }

    pub(super) fn is_seeking(&self) -> bool {
        self.media.seek.is_some()
    }

    /// Whether the seek with this number is the last one.
    #[must_use]
    pub fn is_current_seek(&self, number: u32) -> bool {
        self.media.seek.is_some_and(|seek| seek.number == number)
    }

    /// The number of the seek, if its data are available and it is not held.
    pub fn seek_with_data(&self, now: Time) -> Option<u32> {
        let seek = self.media.seek.filter(|seek| !seek.is_held)?;
        (self.level(now) >= Ready::Current).then_some(seek.number)
    }

    /// Whether the current seek was not requested.
    fn is_seek_silent(&self) -> bool {
        matches!(
            self.media.seek,
            Some(Seek {
                end: SeekEnd::Silent(_),
                ..
            })
        )
    }

    /// Whether the player has moved the position on its own, and the data to play from there are
    /// available.
    pub fn is_rewound(&self, now: Time) -> bool {
        self.is_seek_silent() && self.seek_with_data(now).is_some()
    }

    /// If the data for the position are available, lets the seek finish later at this instant.
    /// Returns whether they are.
    pub(super) fn find_seek_data(&mut self, out: &mut Outbox) -> bool {
        let now = out.now();
        let Some(seek) = self.seek_with_data(now) else {
            return false;
        };
        if self.voice.is_bare() {
            self.hold_seek();
            self.finishing = Some((now, out.cause()));
        } else if !self.is_seek_silent() {
            out.put(rules::MEL_13, Output::Task(Task::Seeked(seek)));
        }
        true
    }

    /// Makes the seek wait for something other than its data: the scripts of this instant, or the
    /// end of an ad. Rule BRK-16.
    pub fn hold_seek(&mut self) {
        if let Some(seek) = &mut self.media.seek {
            seek.is_held = true;
        }
    }

    /// The ad is over: a seek that has waited for that finishes. Rule BRK-16.
    pub fn release_seek(&self, out: &mut Outbox) {
        if let Some(seek) = self.media.seek.filter(|seek| seek.is_held) {
            out.put(rules::BRK_16, Output::Task(Task::Seeked(seek.number)));
        }
    }

    /// Finishes a seek that has its data. Returns whether it was requested. Rules MEL-13, TIME-11.
    pub fn end_seek(&mut self, out: &mut Outbox) -> bool {
        let end = self
            .media
            .seek
            .map_or(SeekEnd::Announced(rules::MEL_13), |seek| seek.end);
        self.report_end(end, out);
        if !self.is_paused && self.waits_since.is_none() {
            self.advance(out);
        }
        !matches!(end, SeekEnd::Silent(_))
    }

    /// The current seek is over: reports it. Rules MEL-13, TIME-5, TIME-11, EVT-18.
    fn report_end(&mut self, end: SeekEnd, out: &mut Outbox) {
        self.media.seek = None;
        match end {
            SeekEnd::Announced(rule) => {
                self.update_time(rules::MEL_13, out);
                self.announce(rule, EventName::Seeked, out);
            }
            SeekEnd::Internal => {
                self.update_time(rules::MEL_13, out);
                self.report(rules::TIME_11, EventName::Seeked, out);
            }
            SeekEnd::Silent(rule) => {
                if self.voice == Voice::Events {
                    self.update_time(rule, out);
                }
                self.report(rule, EventName::Seeked, out);
            }
        }
    }

    /// Finishes the seek of a bare element. Rules MEL-13, MEL-24.
    pub(super) fn finish_seek(&mut self, out: &mut Outbox) {
        self.end_seek(out);
        self.raise(rules::MEL_13, out);
        if self.is_at_end(out.now()) && !self.is_paused {
            // `seeked` fires before the end. MEL-24
            self.reach_end(out);
        }
    }

    /// The start of a live stream's window, if it has moved past the position. Rule LIVE-3.
    pub(super) fn fallen_out(&self, now: Time) -> Option<Position> {
        let position = self.position(now);
        let nearest = self.media.stream?.nearest(now, position);
        Some(nearest).filter(|nearest| self.media.seek.is_none() && *nearest > position)
    }

    /// If the position is no longer within a live stream's window, it moves to the window's start.
    /// Rule LIVE-3.
    pub fn catch_up(&mut self, out: &mut Outbox) {
        let now = out.now();
        if let Some(earliest) = self.fallen_out(now) {
            let end = SeekEnd::Silent(rules::LIVE_3);
            self.begin_seek(earliest, false, rules::LIVE_3, end, out);
            self.report_end(end, out);
            self.raise_silently(now);
        }
    }
}
